#pragma once
// What a program without an MPI of its own finds in a module: a shared library with comm/mpi.cpp,
// compiled once for each of the two ABIs of MPI libraries, that of Open MPI and that of MPICH.

#include "comm/communicator.hpp"

namespace watersmeet::comm {

struct MpiModule {
  std::string (*version)();
  bool (*claims_cuda)();
  std::unique_ptr<Communicator> (*join_world)(double patience, EndProcess end);
};

// The one name that a module exports. The program finds it by dlsym().
constexpr const char* mpi_module_name = "watersmeet_mpi_module";

}  // namespace watersmeet::comm
