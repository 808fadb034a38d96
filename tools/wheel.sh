#!/usr/bin/env bash
# Makes a wheel for other machines, in build/wheel/dist: program, examples and Python package for the CPU, with all libraries but those of the C and
# C++ runtime inside. For x86-64 with AVX2 and FMA, the version of Python that makes it, and the C library of this system or a newer one.
# One rank needs no MPI; for several the program opens that of the machine it runs on.
#
#   tools/wheel.sh
#
# Exit status: 3 when the packages of packaging/wheel.txt cannot be had, else 1 when something fails.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
largest=100000000 # bytes; what PyPI takes without asking
python=$PWD/build/wheel/tools/bin/python
if ! cmp -s packaging/wheel.txt build/wheel/tools/made-from; then
  rm -rf build/wheel/tools
  if ! /usr/bin/python3 -m venv build/wheel/tools ||
    ! timeout 240 "$python" -m pip -q --disable-pip-version-check --retries 1 --timeout 20 install -r packaging/wheel.txt; then
    echo "the packages of packaging/wheel.txt cannot be had" >&2
    exit 3
  fi
  cp packaging/wheel.txt build/wheel/tools/made-from
fi
rm -rf build/wheel/made build/wheel/dist
# -q of pip hides the build, so it is shown when that fails.
defines=(WERROR=ON CUDA=OFF MPI=loaded HDF5=serial ARCH=x86-64-v3 "COMMIT=${WATERSMEET_COMMIT:-}")
if ! CXX=/usr/bin/c++ CC=/usr/bin/cc "$python" -m pip -v --disable-pip-version-check wheel --no-build-isolation --no-deps --wheel-dir build/wheel/made \
  "${defines[@]/#/--config-settings=cmake.define.WATERSMEET_}" . >build/wheel/build.log 2>&1; then
  tail -n 30 build/wheel/build.log >&2
  exit 1
fi
PATH=$PWD/build/wheel/tools/bin:$PATH "$python" -m auditwheel repair --strip --wheel-dir build/wheel/dist build/wheel/made/watersmeet-*.whl >build/wheel/repair.log 2>&1 || {
  tail -n 10 build/wheel/repair.log >&2
  exit 1
}
wheel=$(echo build/wheel/dist/*.whl)
size=$(stat -c %s "$wheel")
echo "$wheel: $size bytes"
if [[ $size -ge $largest ]]; then
  echo "the wheel is larger than $largest bytes" >&2
  exit 1
fi
