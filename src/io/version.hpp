#pragma once
// What this program was built from and with: for provenance, `watersmeet info` and --version.

#include <string>

namespace watersmeet::io {

struct BuildInfo {
  std::string version;   // "0.1.0"
  std::string commit;    // 12 digits; "unknown" when built outside a clone
  bool dirty = false;    // the sources differed from that commit when they were compiled
  std::string type;      // "Release"
  std::string compiler;  // "g++ 12.2.0"
  std::string flags;     // of the compiler, beyond those every build has
  std::string cuda;      // "13.0" or "none"
  std::string mpi;       // "Open MPI v4.1.4", of the library that is loaded now, or "none"
  std::string hdf5;      // "1.10.8 parallel" (or "serial"), of the library that is loaded now
  std::string simd;      // "AVX2": the instruction set that the CPU kernels were compiled for
  int simd_bytes = 16;   // width of one register
};

BuildInfo build_info();

// "1a2b3c4d5e6f", "1a2b3c4d5e6f with local changes"
std::string commit_text(const BuildInfo& build);

}  // namespace watersmeet::io
