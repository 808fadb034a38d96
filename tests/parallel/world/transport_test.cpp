// The transport of host messages on real ranks.
#include "comm/transport.hpp"

#include "support/byte_messages.hpp"
#include "support/parallel.hpp"

namespace watersmeet::comm {
namespace {

using test::world;

TEST(HostMessages, RoundsBetweenAllRanksAndReductions) {
  const Queue queue;
  const auto transport = choose_transport(world(), "auto", Backend::cpu, false);
  EXPECT_EQ(transport->name(), "mpi");
  test::exchange_rounds(*transport, world(), queue, 50, 4096, true);
  test::exchange_rounds(*transport, world(), queue, 5, 1 << 20, true);  // beyond eager messages
  test::reduce_extremes(*transport, world(), queue);
}

// Built with an MPI that knows no devices, or on a CPU: never tried.
TEST(HostMessages, DeviceMessagesAreNotClaimedWithoutADevice) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "there are devices";
  EXPECT_FALSE(mpi_moves_device_memory(world()));
}

}  // namespace
}  // namespace watersmeet::comm
