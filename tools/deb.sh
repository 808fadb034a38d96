#!/usr/bin/env bash
# Makes a package of Debian for the system at hand, build/deb/watersmeet_VERSION_amd64.deb: program, examples and Python package for the CPU, with Open
# MPI and parallel HDF5. For x86-64 with AVX2 and FMA.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
tools/nanobind.sh
rm -f build/deb/*.deb
mkdir -p build/deb
{
  cmake -S . -B build/deb -G Ninja -DCMAKE_BUILD_TYPE=Release -DWATERSMEET_WERROR=ON -DWATERSMEET_CUDA=OFF -DWATERSMEET_TESTS=OFF -DWATERSMEET_PYTHON=ON \
    -DWATERSMEET_MPI=openmpi -DWATERSMEET_HDF5=openmpi -DWATERSMEET_ARCH=x86-64-v3 -DWATERSMEET_COMMIT="${WATERSMEET_COMMIT:-}"
  cmake --build build/deb --target watersmeet_package
  cpack -G DEB --config build/deb/CPackConfig.cmake -B build/deb
} >build/deb/build.log 2>&1 || {
  tail -n 30 build/deb/build.log >&2
  exit 1
}
stat -c '%n: %s bytes' build/deb/*.deb
