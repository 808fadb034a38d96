#!/usr/bin/env bash
# Makes a wheel for other machines, in build/wheel/dist: program, examples and Python package, with all libraries but those of the C and C++ runtime
# inside. For x86-64 with AVX2 and FMA, the version of Python that makes it, and the C library of this system or a newer one.
# One rank needs no MPI; for several the program opens that of the machine it runs on.
#
#   tools/wheel.sh             watersmeet: for the CPU
#   tools/wheel.sh cuda        watersmeet-cuda: for the CPU and GPUs of compute capability 8.0 and above; needs nvcc of CUDA 13 here
#
# Libraries of CUDA, which are a hundred times as large as what it takes of them, are those of NVIDIA's own packages of PyPI, on which the second wheel
# depends. Environment: PYTHON=FILE, the Python to make it with, /usr/bin/python3 when not given; WATERSMEET_CUDA_ARCHITECTURES, as CMake takes them.
#
# Exit status: 3 when the packages of packaging/wheel.txt cannot be had, else 1 when something fails.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
kind=${1:-cpu}
case $kind in cpu | cuda) ;; *) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 2 ;; esac
largest=100000000 # bytes; what PyPI takes without asking
python=$PWD/build/wheel/tools/bin/python
if ! cmp -s packaging/wheel.txt build/wheel/tools/made-from; then
  rm -rf build/wheel/tools
  if ! "${PYTHON:-/usr/bin/python3}" -m venv build/wheel/tools ||
    ! timeout 240 "$python" -m pip -q --disable-pip-version-check --retries 1 --timeout 20 install -r packaging/wheel.txt; then
    echo "the packages of packaging/wheel.txt cannot be had" >&2
    exit 3
  fi
  cp packaging/wheel.txt build/wheel/tools/made-from
fi
PATH=$PWD/build/wheel/tools/bin:$PATH
rm -rf build/wheel/made build/wheel/dist
defines=(WATERSMEET_{WERROR=ON,MPI=loaded,HDF5=serial,ARCH=x86-64-v3} "WATERSMEET_COMMIT=${WATERSMEET_COMMIT:-}")
settings=() excluded=()
if [[ $kind == cuda ]]; then
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  if ! "$nvcc" --version | grep -q 'release 13\.'; then
    echo "a wheel with CUDA is made with nvcc of CUDA 13, because it depends on the packages of PyPI for that" >&2
    exit 1
  fi
  # Machine code for GPUs of compute capability 8 and 9, and what the driver translates for later ones; nvcc makes both at once.
  defines+=(WATERSMEET_CUDA=ON "CMAKE_CUDA_COMPILER=$nvcc" "CMAKE_CUDA_ARCHITECTURES=${WATERSMEET_CUDA_ARCHITECTURES:-80-real;90}")
  export CUDAFLAGS="--compress-mode=size --threads=2 ${CUDAFLAGS:-}"
  settings=("--config-settings=build-dir=build/pip-cuda-{wheel_tag}")
  excluded=(--exclude=libcu{fft,blas,blasLt}.so.\*)
else
  defines+=(WATERSMEET_CUDA=OFF)
fi

log=build/wheel/build.log
exec 3>&2
trap 'tail -n 30 "$log" >&3; exit 1' ERR
CXX=${CXX:-/usr/bin/c++} CC=${CC:-/usr/bin/cc} "$python" -m pip -v --disable-pip-version-check wheel --no-build-isolation --no-deps --wheel-dir build/wheel/made \
  "${settings[@]}" "${defines[@]/#/--config-settings=cmake.define.}" . >"$log" 2>&1 # -q of pip would hide the build
log=build/wheel/repair.log
{
  if [[ $kind == cuda ]]; then
    "$python" -m wheel unpack --dest build/wheel/made build/wheel/made/*.whl
    rm build/wheel/made/*.whl
    tree=$(echo build/wheel/made/watersmeet-*)
    packaging/cuda_wheel.sh "$tree"
    "$python" -m wheel pack --dest-dir build/wheel/made "$tree"
  fi
  "$python" -m auditwheel repair --strip "${excluded[@]}" --wheel-dir build/wheel/dist build/wheel/made/*.whl
} >"$log" 2>&1
trap - ERR
exec 3>&-
wheel=$(echo build/wheel/dist/*.whl)
size=$(stat -c %s "$wheel")
echo "$wheel: $size bytes"
if [[ $size -ge $largest ]]; then
  echo "the wheel is larger than $largest bytes" >&2
  exit 1
fi
