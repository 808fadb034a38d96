#pragma once
// The ranks of a test program under tests/parallel/, which mpiexec starts.

#include "comm/communicator.hpp"

namespace watersmeet::test {
comm::Communicator& world();
}  // namespace watersmeet::test
