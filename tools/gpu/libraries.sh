#!/usr/bin/env bash
# Copies the shared libraries that programs need beyond a stated base into a folder:
#   tools/gpu/libraries.sh FOLDER PROGRAM...
#   tools/gpu/libraries.sh --base PROGRAM...      prints the files of the base instead
# The base is what the other machine has: the C library, the run-time libraries of GCC, Open MPI and the CUDA toolkit,
# each with all that it loads itself. Exit status 1 where a library is not found.
set -euo pipefail
base_names='lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|gomp|mpi|cuda|cudart|cufft|cublas|cublasLt)\.so(\.[0-9]+)*$'
needed() { # FILE...: the paths of all libraries that they load, directly or through another
  local listed
  listed=$(ldd "$@")
  if grep "not found" <<<"$listed" >&2; then return 1; fi
  awk '/=> \//{print $3}' <<<"$listed" | sort -u
}
folder=$1
shift
all=$(needed "$@")
mapfile -t roots < <(grep -E "/$base_names" <<<"$all")
base=$({ printf '%s\n' "${roots[@]}"; needed "${roots[@]}"; } | sort -u)
if [[ $folder == --base ]]; then
  printf '%s\n' "$base"
else
  mkdir -p "$folder"
  comm -23 <(printf '%s\n' "$all") <(printf '%s\n' "$base") | xargs -r -I{} cp -L {} "$folder/"
fi
