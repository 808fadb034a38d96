#!/usr/bin/env bash
# A GPU and CPU ranks in one run, from a folder made by tools/gpu/pack.sh: a small case of each kind of grid on one GPU, on one CPU
# rank, on a GPU beside one CPU rank and beside two, by given weights and by measured ones. The last checkpoints are compared array by
# array: the difference is to be below 1e-12 of the whole quantity, which is the total density where its departure is stored.
#   tools/gpu/hybrid.sh PACK OUT [cpu] [CASE]...
# The word cpu puts a CPU rank in the place of the GPU; all bits must be equal then, but for those of boussinesq.
# $WATERSMEET_BINARY takes the place of the program of PACK, which may be the source tree then.
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
tools=$(realpath "$(dirname "$0")") cases_folder=$(realpath "$(dirname "$0")/cases")
device=gpu
[[ ${1:-} != cpu ]] || { device=cpu && shift; }
chosen=" $* "
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
program=${WATERSMEET_BINARY:-$pack/bin/watersmeet}
place=$(mktemp -d)
cd "$place" || exit 1
log=hybrid.log
# shellcheck source=tools/gpu/cases.sh
source "$tools/cases.sh"

close() { # CASE A B RANKS
  local cpus=any # a rank alone is on either device
  [[ $device == cpu || $4 == 1 || $4 == any ]] || cpus=$(($4 - 1))
  # shellcheck disable=SC2086
  judge "$2" "$3" "$4" "$cpus" ${whole[$1]:-} && { [[ $device == gpu || ${weights[$1]} == *near* ]] || "$program" diff "$2" "$3"; }
}
beside() { # CPU RANKS: words for that many of them beside the first rank
  if [[ $device == gpu ]]; then
    echo "--gpus 1 --cpu-ranks $1"
  else
    echo "--device cpu --ranks $((1 + $1))"
  fi
}

for name in $cases; do
  [[ $chosen == "  " || $chosen == *" $name "* ]] || continue
  one=$name-one
  shares_1=() shares_2=()
  if [[ ${weights[$name]} == *given* ]]; then
    shares_1=(--set "device.weights=[2,1]") shares_2=(--set "device.weights=[3,1,2]")
  fi
  check "$name: one ${device^^}" run "$name" "$one" --device "$device"
  if [[ $device == gpu ]]; then
    check "$name: one CPU rank" run "$name" "$name-cpu" --device cpu
    check "   the same answer" close "$name" "$one" "$name-cpu" 1
  fi
  # shellcheck disable=SC2046
  check "$name: beside a CPU rank" run "$name" "$name-1" $(beside 1) "${shares_1[@]}"
  check "   the same answer" close "$name" "$one" "$name-1" 2
  # shellcheck disable=SC2046
  check "$name: beside two CPU ranks" run "$name" "$name-2" $(beside 2) "${shares_2[@]}"
  check "   the same answer" close "$name" "$one" "$name-2" 3
  if [[ $device == gpu && ${weights[$name]} == *measured* ]]; then
    # shellcheck disable=SC2046
    check "$name: by measured weights" run "$name" "$name-measured" $(beside 1)
    check "   the same answer" close "$name" "$one" "$name-measured" any
  fi
done
rm -rf "$place"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
