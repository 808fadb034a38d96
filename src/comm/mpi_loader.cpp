// For a build that finds MPI only when several ranks are started (-DWATERSMEET_MPI=loaded): packages
// cannot know which MPI a machine has, and one rank needs none. The MPI library is opened first, then
// the module (comm/mpi_module.hpp) that was compiled for its ABI.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "comm/launched.hpp"
#include "comm/mpi_module.hpp"
#include "core/own_program.hpp"

namespace watersmeet::comm {

namespace {

// The MPIs of one ABI. Names of libraries: Open MPI since 1.10; MPICH, whose ABI others share
// (Intel MPI, MVAPICH, Cray MPICH), and MPICH as Debian calls it.
struct Abi {
  const char* name;
  const char* module;
  const char* package;
  std::vector<const char*> libraries;
};
const Abi& open_mpi() {
  static const Abi abi = {"Open MPI", "watersmeet_mpi_openmpi.so", "openmpi-bin", {"libmpi.so.40"}};
  return abi;
}
const Abi& mpich() {
  static const Abi abi = {
      "MPICH", "watersmeet_mpi_mpich.so", "mpich", {"libmpi.so.12", "libmpich.so.12"}};
  return abi;
}

// The ABI whose launcher started this process; both where the environment does not say it, as under
// srun.
std::vector<const Abi*> abis_of_launch() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return {&open_mpi()};
  for (const char* name : {"PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (std::getenv(name) != nullptr) return {&mpich()};
  }
  return {&open_mpi(), &mpich()};
}

std::string reason() {
  const char* const text = dlerror();
  return text == nullptr ? "it cannot be opened" : text;
}

// The module for a library that is open. Null where it cannot be opened; `faults` gets the reason.
const MpiModule* open_module(const Abi& abi, std::string& faults) {
  namespace fs = std::filesystem;
  // Installed under lib; in a build folder beside the program.
  for (const fs::path& path :
       {installed_path("lib/watersmeet") / abi.module, own_program().parent_path() / abi.module}) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void* const found = handle == nullptr ? nullptr : dlsym(handle, mpi_module_name);
    if (found != nullptr) return static_cast<const MpiModule*>(found);
    faults += "\n  " + reason();
    return nullptr;
  }
  faults += std::string("\n  ") + abi.module + " is not installed with this program";
  return nullptr;
}

// RTLD_GLOBAL: the module, and the libraries that MPI itself opens, find the symbols of MPI here.
void* open_library(const char* name, std::string& faults) {
  void* const handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) faults += "\n  " + reason();
  return handle;
}

const MpiModule* find_module(std::string& faults) {
  if (const char* const chosen = std::getenv("WATERSMEET_MPI_LIBRARY");
      chosen != nullptr && *chosen != '\0') {
    void* const handle = open_library(chosen, faults);
    if (handle == nullptr) return nullptr;
    const bool is_open_mpi = dlsym(handle, "ompi_mpi_comm_world") != nullptr;
    return open_module(is_open_mpi ? open_mpi() : mpich(), faults);
  }
  for (const Abi* abi : abis_of_launch()) {
    for (const char* const name : abi->libraries) {
      if (open_library(name, faults) != nullptr) return open_module(*abi, faults);
    }
  }
  return nullptr;
}

// Set once, when the ranks join, and kept to the end of the process.
const MpiModule* opened = nullptr;

}  // namespace

bool built_with_mpi() { return true; }
std::string mpi_version() {
  return opened == nullptr ? "MPI opened for several ranks" : opened->version();
}
bool mpi_claims_cuda() { return opened != nullptr && opened->claims_cuda(); }
std::string default_launcher() { return ""; }
std::string slurm_plugin() { return abis_of_launch().front() == &open_mpi() ? "pmix" : "pmi2"; }

std::unique_ptr<Communicator> join_world(double patience, EndProcess end) {
  if (ranks_of_launch() < 2) return make_self();
  std::string faults;
  opened = find_module(faults);
  if (opened == nullptr) {
    throw Error(ErrorKind::unsupported,
                "started as one of " + std::to_string(ranks_of_launch()) +
                    " ranks, but no MPI can be opened: install " +
                    abis_of_launch().front()->package +
                    ", add the folder of MPI's library to LD_LIBRARY_PATH, or name the library in "
                    "WATERSMEET_MPI_LIBRARY" +
                    faults);
  }
  return opened->join_world(patience, std::move(end));
}

}  // namespace watersmeet::comm
