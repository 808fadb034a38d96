#include "systems/bench.hpp"

#include "core/error.hpp"

namespace watersmeet::systems {

const std::string& BenchVariant::label(const std::string& name) const {
  for (const BenchLabel& own : labels) {
    if (own.first == name) return own.second;
  }
  throw Error(ErrorKind::internal, "a row of the benchmark has no label " + name);
}

}  // namespace watersmeet::systems
