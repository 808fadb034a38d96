#!/usr/bin/env bash
# Installs the package as a user does, `pip install .`, into an environment of its own, build/package, and computes with it outside of the
# sources. The compiler and its warnings are those of the preset release, so that ccache has most objects; without CUDA, which the build takes in
# elsewhere where nvcc is found, and with MPI opened by the program, as a wheel has it: one rank without, two by each launcher that is here.
#
#   tools/try_package.sh
#
# Exit status: 3 when the packages that build it cannot be had, else 1 when something fails.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
python=build/package/bin/python
rm -rf build/package
if ! /usr/bin/python3 -m venv --system-site-packages build/package ||
  ! timeout 240 "$python" -m pip -q --disable-pip-version-check --retries 1 --timeout 20 install scikit-build-core nanobind; then
  echo "the packages that build the package cannot be had" >&2
  exit 3
fi
CXX=/usr/bin/c++ CC=/usr/bin/cc "$python" -m pip -q --disable-pip-version-check install --no-build-isolation --no-deps \
  --config-settings=cmake.define.WATERSMEET_WERROR=ON --config-settings=cmake.define.WATERSMEET_CUDA=OFF \
  --config-settings=cmake.define.WATERSMEET_MPI=loaded --config-settings=cmake.define.WATERSMEET_HDF5=serial .
program=$PWD/build/package/bin/watersmeet
python=$PWD/$python
cd /
"$program" --version
for launcher in mpiexec.openmpi mpiexec.mpich; do
  command -v "$launcher" >/dev/null || continue
  runs=$(mktemp -d)
  OMP_NUM_THREADS=1 WATERSMEET_MPIEXEC=$launcher "$program" run taylor-green/quick --ranks 2 --device cpu --dir "$runs/two" --quiet \
    --set 'grid.cells=[16,16,16]' --set time.steps=2 --set output.overview=false
  echo "$launcher: two ranks"
  rm -r "$runs"
done
env -u PYTHONPATH -u WATERSMEET_EXAMPLES "$python" -c '
import sys
import numpy, watersmeet
s = watersmeet.Simulation("sod/quick")
assert watersmeet.__file__.startswith(sys.prefix), watersmeet.__file__
s.advance_to(0.1)
rho = numpy.asarray(s.fields["rho"])
assert rho.__array_interface__["data"][0] == numpy.from_dlpack(s.fields["rho"]).__array_interface__["data"][0]
print(f"rho from {rho.min():.3f} to {rho.max():.3f} at t = {s.t}")'
