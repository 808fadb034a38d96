#!/usr/bin/env bash
# Check that every C++ and CUDA file of the tree, new ones included, is laid out as .clang-format says. With --fix, lay them out so.
# The version is pinned to 14 (Debian 12's): other versions break lines differently.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
formatter=${CLANG_FORMAT:-clang-format-14}
arguments=(--dry-run -Werror)
[[ ${1:-} != --fix ]] || arguments=(-i)
mapfile -d '' -t files < <(git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.cpp' '*.cu' '*.cuh')
for file in "${files[@]}"; do # deleted ones are still in the index
  [[ ! -e $file ]] || printf '%s\0' "$file"
done | xargs -0 -r "$formatter" "${arguments[@]}" --
