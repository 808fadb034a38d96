#pragma once
// What the environment says of the launch that this process belongs to.

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace watersmeet::comm {

// Variables by which Open MPI, MPICH and its relatives, and PMIx inform a process how many ranks
// there are. SLURM_NTASKS alone does not count: a batch script's own shell has it too.
inline int ranks_of_launch() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  // srun gives each task a step and a number.
  const char* const step = std::getenv("SLURM_STEP_ID");
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (step != nullptr && tasks != nullptr && std::getenv("SLURM_PROCID") != nullptr) {
    return std::atoi(tasks);
  }
  return 0;
}
inline bool launched_in_parallel() { return ranks_of_launch() > 0; }

// The plugin of srun that connects the ranks of this build's MPI: "pmix", "pmi2".
std::string slurm_plugin();

// Whether srun started several tasks without the service by which MPI finds them (its --mpi=none).
// MPI would end with a message of its own, or take each task for a run by itself.
inline bool without_connection() {
  if (std::getenv("SLURM_STEP_ID") == nullptr || ranks_of_launch() < 2) return false;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    for (const char* service : {"PMI", "PALS_", "OMPI_COMM_WORLD_", "MPI_LOCAL"}) {
      if (std::strncmp(*variable, service, std::strlen(service)) == 0) return false;
    }
  }
  return true;
}

}  // namespace watersmeet::comm
