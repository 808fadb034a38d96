// A part of modules alone (watersmeet_mpi_module() in cmake/layers.cmake).
#include "comm/mpi_module.hpp"

extern "C" [[gnu::visibility("default")]] const watersmeet::comm::MpiModule watersmeet_mpi_module;
const watersmeet::comm::MpiModule watersmeet_mpi_module = {
    watersmeet::comm::mpi_version, watersmeet::comm::mpi_claims_cuda, watersmeet::comm::join_world};
