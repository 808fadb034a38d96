// A build without MPI: one process.

#include "comm/communicator.hpp"
#include "comm/launched.hpp"

namespace watersmeet::comm {

bool built_with_mpi() { return false; }
std::string mpi_version() { return "none"; }
bool mpi_claims_cuda() { return false; }
std::string default_launcher() { return ""; }
std::string slurm_plugin() { return "pmix"; }

std::unique_ptr<Communicator> join_world(double, EndProcess) {
  if (ranks_of_launch() > 1) {
    throw Error(ErrorKind::unsupported,
                "started as one of " + std::to_string(ranks_of_launch()) +
                    " ranks, but this build has no MPI (install libopenmpi-dev and build again)");
  }
  return make_self();
}

}  // namespace watersmeet::comm
