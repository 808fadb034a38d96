// The commit comes from a header made while building (cmake/commit.cmake), the rest from compile
// definitions and the libraries themselves.
#include "io/version.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include "comm/communicator.hpp"
#include "core/device.hpp"
#include "io/hdf5_file.hpp"
#include "watersmeet/commands.hpp"
#include "watersmeet_commit.hpp"

namespace watersmeet {
namespace io {
namespace {

std::string compiler_text() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string hdf5_text() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{} {}", major, minor, release,
                     hdf5_is_parallel() ? "parallel" : "serial");
}

}  // namespace

BuildInfo build_info() {
  BuildInfo build;
  build.version = WATERSMEET_VERSION;
  build.commit = WATERSMEET_COMMIT;
  build.dirty = WATERSMEET_DIRTY;
  build.type = WATERSMEET_BUILD_TYPE;
  build.compiler = compiler_text();
  build.flags = WATERSMEET_BUILD_FLAGS;
  build.cuda = cuda_version();
  build.hdf5 = hdf5_text();
  build.mpi = comm::mpi_version();
#if defined(__AVX512F__)
  build.simd = "AVX-512";
  build.simd_bytes = 64;
#elif defined(__AVX2__)
  build.simd = "AVX2";
  build.simd_bytes = 32;
#elif defined(__AVX__)
  build.simd = "AVX";
  build.simd_bytes = 32;
#elif defined(__aarch64__)
  build.simd = "NEON";
#else
  build.simd = "SSE2";
#endif
  return build;
}

std::string commit_text(const BuildInfo& build) {
  return build.commit + (build.dirty ? " with local changes" : "");
}

}  // namespace io

std::string version_text() {
  const io::BuildInfo b = io::build_info();
  const std::string cuda = b.cuda == "none" ? "no CUDA" : "CUDA " + b.cuda;
  const std::string mpi = b.mpi == "none" ? "no MPI" : b.mpi;
  return fmt::format("watersmeet {} (commit {}, {}, {}, {}, {}, HDF5 {})", b.version,
                     io::commit_text(b), b.type, b.compiler, cuda, mpi, b.hdf5);
}

}  // namespace watersmeet
