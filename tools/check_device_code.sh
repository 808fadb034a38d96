#!/usr/bin/env bash
# The device code that knows of features of compute capability 9.0, translated for 8.0: the tests' own build is for one architecture, and what it takes
# for granted would otherwise be found on a user's GPU.
#   tools/check_device_code.sh BUILD [ARCHITECTURE]      BUILD: a build folder with CUDA; 80 when not given
set -euo pipefail
build=$(realpath "$1") architecture=${2:-80}
cd "$(dirname "$0")/.."
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
translate() {
  "$nvcc" -forward-unknown-to-host-compiler -std=c++20 --expt-relaxed-constexpr -DFMT_SHARED -Isrc -Iinclude -arch="compute_$architecture" -x cu -ptx "$1" -o /dev/null
}
export -f translate
export nvcc architecture
printf '%s\n' "$build"/loops/{aerodynamics_variants,atmosphere_tile_variants,multicomponent_variants}_float_cuda.cu src/exec/recorded_work_cuda.cu |
  xargs -P "$(nproc)" -I{} bash -c 'translate {}'
