#!/usr/bin/env bash
# Check that every tracked C++ and CUDA file is laid out as .clang-format says. With --fix, lay them out so.
# The version is pinned to 14 (Debian 12's): other versions break lines differently.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
formatter=${CLANG_FORMAT:-clang-format-14}
arguments=(--dry-run -Werror)
[[ ${1:-} != --fix ]] || arguments=(-i)
git ls-files -z -- '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs -0 -r "$formatter" "${arguments[@]}" --
