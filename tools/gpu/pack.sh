#!/usr/bin/env bash
# Builds the program and its GPU tests for one architecture and lays them, with the libraries that a bare machine may lack, into one
# folder that can be carried to a machine with GPUs. That machine has Open MPI 4, the CUDA toolkit and, for runs on several GPUs, NCCL of
# its own; tools/gpu/libraries.sh says what else is expected there.
#   tools/gpu/pack.sh [FOLDER] [ARCHITECTURE]        default: build/gpu-pack 90
# In a copy of the sources without their history, WATERSMEET_COMMIT=HASH in the environment says which commit the program is of.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build/gpu-pack}
architecture=${2:-90}
mkdir -p build
# x86-64-v3 (AVX2): the other machine's CPU is not known here.
cmake -S . -B build/gpu -G Ninja -DWATERSMEET_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="$architecture" -DWATERSMEET_ARCH=x86-64-v3 \
  -DWATERSMEET_MPI=openmpi -DWATERSMEET_HDF5=serial -DWATERSMEET_WERROR=ON -DWATERSMEET_COMMIT="${WATERSMEET_COMMIT:-}" >build/gpu.log 2>&1 || { tail -n 20 build/gpu.log; exit 1; }
cmake --build build/gpu --target watersmeet test_exact_gpu test_parallel_gpu >>build/gpu.log 2>&1 || { grep -E "error|FAILED" build/gpu.log | tail -n 20; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib" "$folder/share/watersmeet"
cp build/gpu/watersmeet build/gpu/tests/test_{exact,parallel}_gpu "$folder/bin/"
cp -r examples validation python "$folder/share/watersmeet/" 2>/dev/null || true
strip "$folder"/bin/*
tools/gpu/libraries.sh "$folder/lib" build/gpu/watersmeet build/gpu/tests/test_{exact,parallel}_gpu
du -sh "$folder"
