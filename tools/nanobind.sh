#!/usr/bin/env bash
# Puts nanobind, which Debian 12 does not have, into a virtual environment of its own, build/nanobind, where CMake looks for it: the build
# then makes the module watersmeet._engine, live simulations in Python. The version is pinned (packaging/nanobind.txt).
#
#   tools/nanobind.sh      then ./wm build, or cmake with -DWATERSMEET_PYTHON=ON
#
# Exit status: 3 when the package cannot be had.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
cmp -s packaging/nanobind.txt build/nanobind/made-from && exit 0
rm -rf build/nanobind
if ! /usr/bin/python3 -m venv build/nanobind ||
  ! timeout 240 build/nanobind/bin/python -m pip -q --disable-pip-version-check --retries 1 --timeout 20 install -r packaging/nanobind.txt; then
  echo "the packages of packaging/nanobind.txt cannot be had" >&2
  exit 3
fi
cp packaging/nanobind.txt build/nanobind/made-from
