// main() of the test programs that run on several ranks. Every rank runs every test; rank 0 alone
// reports, the others print only what fails, and the worst status is that of all.
#include <gtest/gtest.h>

#include "support/parallel.hpp"

namespace watersmeet::test {
namespace {
comm::Communicator* the_world = nullptr;
}
comm::Communicator& world() { return *the_world; }
}  // namespace watersmeet::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::unique_ptr<watersmeet::comm::Communicator> world = watersmeet::comm::join_world();
  watersmeet::test::the_world = world.get();
  world->set_patience(120);
  if (world->rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_xml_generator());
  }
  std::uint64_t status[1] = {static_cast<std::uint64_t>(RUN_ALL_TESTS())};
  world->all_reduce_max(std::span<std::uint64_t>(status));
  return static_cast<int>(status[0]);
}
