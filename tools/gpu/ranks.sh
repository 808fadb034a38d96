#!/usr/bin/env bash
# On a machine with several GPUs, from a folder made by tools/gpu/pack.sh: a small case of every system on one GPU and on several, in both
# precisions; the isothermal one through every transport, with and without overlap, resumed on another number; a lost rank; SIGTERM to the
# launcher. Each case says whether its bits are equal or its answer is, to 1e-12. CPU ranks beside GPUs: hybrid.sh.
#   tools/gpu/ranks.sh PACK OUT [GPUS]
#   tools/gpu/ranks.sh PACK OUT cpu RANKS [CASE]...     the cases of every system alone, on CPU ranks
#   tools/gpu/ranks.sh PACK OUT shared RANKS [CASE]...  the same on ranks that share one GPU and store into each other's memory
# $WATERSMEET_BINARY takes the place of the program of PACK, which may be the source tree then.
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
tools=$(realpath "$(dirname "$0")") cases_folder=$(realpath "$(dirname "$0")/cases")
shift 2
device=gpu ranks=${1:-}
shared=no
[[ ${1:-} != cpu ]] || { device=cpu ranks=$2 && shift; }
[[ ${1:-} != shared ]] || { shared=yes ranks=$2 && shift; }
[[ $# -eq 0 ]] || shift
chosen=" $* "
gpus=${ranks:-$(nvidia-smi -L | wc -l)}
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PYTHONPATH="$pack/share/watersmeet/python" NCCL_NVLS_ENABLE=0
program=${WATERSMEET_BINARY:-$pack/bin/watersmeet}
place=$(mktemp -d)
cd "$place" || exit 1
log=ranks.log
# shellcheck source=tools/gpu/cases.sh
source "$tools/cases.sh"

# Cases whose bits depend on the number of ranks: sums along columns and sums of penalties are made in another order.
near=" boussinesq boussinesq-mg "
[[ $device == cpu ]] || near+="blocks "
equal=() apart=()
on() { # RANKS: words for that many ranks
  if [[ $1 -eq 1 ]]; then echo "--device $device"; elif [[ $shared == yes ]]; then
    echo "--device gpu --ranks $1 --set device.share=true --set device.index=0 --set device.transport=peer"
  elif [[ $device == gpu ]]; then echo "--gpus $1 --set device.slower_ranks=true"; else echo "--device cpu --ranks $1"; fi
}
compare() { # CASE A B RANKS: the bits, or 1e-12 where they are known to differ
  if "$program" diff "$2" "$3"; then
    equal+=("$3")
  elif [[ $near == *" $1 "* ]]; then
    # shellcheck disable=SC2086
    judge "$2" "$3" "$4" any ${whole[$1]:-} || return 1
    apart+=("$3: $(tail -n 1 check.log)")
  else
    return 1
  fi
}
rest() { # CASE FOLDER WORDS...
  local name=$1 folder=$2
  shift 2
  "$program" resume "$folder" "$@" --set "time.$(grep '^steps' "$cases_folder/${file[$name]}.toml" | tr -d ' ')"
}
for name in $cases; do
  [[ $chosen == "  " || $chosen == *" $name "* ]] || continue
  for precision in double single; do
    [[ $precision == double || $near != *" $name "* ]] || continue # 1e-12 is for double precision
    one=$name-$precision
    # shellcheck disable=SC2046
    check "$name, $precision: one ${device^^}" run "$name" "$one" $(on 1)
    for n in 2 4 8; do
      [[ $n -le $gpus ]] || continue
      # shellcheck disable=SC2046
      check "   $n" run "$name" "$one-$n" $(on "$n")
      check "   the same answer" compare "$name" "$one" "$one-$n" "$n"
    done
    [[ $name == slabs-* && $precision == double ]] || continue
    # shellcheck disable=SC2046
    check "   half of it on one" run "$name" "$one-resumed" $(on 1) --set time.steps=4
    # shellcheck disable=SC2046
    check "   the rest on $gpus" rest "$name" "$one-resumed" $(on "$gpus")
    check "   the same answer" compare "$name" "$one" "$one-resumed" "$gpus"
  done
done
finish() {
  rm -rf "$place"
  echo "equal in every bit: ${equal[*]:-none}"
  [[ ${#apart[@]} -eq 0 ]] || printf 'equal to round-off: %s\n' "${apart[@]}"
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 && $passed -gt 0 ]]
  exit
}
[[ $device == gpu && $shared == no ]] || finish

cat >flow.toml <<'T'
[case]
system = "isothermal"
[grid]
cells = [96, 80, 112]
[physics]
viscosity = 1e-3
[forcing]
kind = "helical"
amplitude = 0.05
k_min = 1
k_max = 2
[time]
steps = 40
[output]
every_steps = 20
series_every_steps = 5
spectra_every_steps = 20
checkpoint_every_steps = 20
checkpoints_kept = 9
overview = false
[device]
slower_ranks = true
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
T
flow() { # FOLDER WORDS...
  local folder=$1
  shift
  "$program" run flow.toml --dir "$folder" "$@"
}
same() { # FOLDER FOLDER: states, snapshots and series
  "$program" diff "$1" "$2" && cmp "$1/series.csv" "$2/series.csv" && cmp "$1/spectra.csv" "$2/spectra.csv"
}
for kind in "single 55-point" "double 55-point" "double 19-point"; do
  read -r precision method <<<"$kind"
  words=(--precision "$precision" --set "numerics.method=$method")
  one=one-$precision-$method
  check "one GPU, $kind" flow "$one" --device gpu "${words[@]}"
  for n in 2 4 8; do
    [[ $n -le $gpus ]] || continue
    check "$n GPUs, $kind" flow "$one-$n" --gpus "$n" "${words[@]}"
    check "   the same bits" same "$one" "$one-$n"
  done
  check "$gpus GPUs, no overlap, $kind" flow "$one-turn" --gpus "$gpus" "${words[@]}" --set device.overlap=off
  check "   the same bits" same "$one" "$one-turn"
  check "$gpus GPUs, host messages, $kind" flow "$one-mpi" --gpus "$gpus" "${words[@]}" --set device.transport=mpi
  check "   the same bits" same "$one" "$one-mpi"
done
words=(--precision single)
layouts=("[$gpus,1,1]" "[1,$gpus,1]")
[[ $gpus -lt 4 ]] || layouts+=("[1,2,$((gpus / 2))]" "[2,$((gpus / 2)),1]")
for along in "${layouts[@]}"; do
  check "ranks along $along" flow "along-$along" --gpus "$gpus" "${words[@]}" --set "device.ranks_along=$along"
  check "   the same bits" same one-single-55-point "along-$along"
done
check "half of it on one GPU" flow resumed --device gpu "${words[@]}" --set time.steps=20
check "the rest on $gpus" "$program" resume resumed --gpus "$gpus" --set time.steps=40
check "   the same bits" same one-single-55-point resumed
check "two ranks on one GPU, asked for" flow shared --ranks 2 --device gpu "${words[@]}" --set device.share=true --set device.index=0
check "   the same bits" same one-single-55-point shared
refused() { ! flow never --ranks $((gpus + 1)) --device gpu; }
check "two ranks on one GPU, not asked for, are refused" refused

# Losses.
gone() { # no rank is left
  for _ in $(seq 50); do
    pgrep -x -r R,S,D watersmeet >/dev/null || return 0
    sleep 0.2
  done
  pgrep -a watersmeet
  return 1
}
lost() {
  "$program" run flow.toml --dir lost --gpus "$gpus" --set time.steps=100000000 --set output.every_steps=100000000 \
    --set output.checkpoint_every_steps=500 &
  local parent=$! status=0
  until ls lost/checkpoint_*.h5 >/dev/null 2>&1; do sleep 0.2; kill -0 "$parent" || return 1; done
  # One rank: a process of the program whose environment has rank 1.
  for p in $(pgrep -x watersmeet); do
    if tr '\0' '\n' <"/proc/$p/environ" | grep -qx "OMPI_COMM_WORLD_RANK=1"; then kill -9 "$p"; fi
  done
  wait "$parent" || status=$?
  [[ $status -ne 0 && $status -ne 75 ]] || return 1
  gone || return 1
  local checkpoints=(lost/checkpoint_*.h5) step
  step=${checkpoints[-1]##*_} step=${step%.h5}
  "$program" resume lost --gpus "$gpus" --set "time.steps=$((10#$step + 5))"
}
check "a killed rank ends the run; it resumes from its checkpoint" lost
stopped() {
  "$program" run flow.toml --dir stopped --gpus "$gpus" --set time.steps=100000000 --set output.every_steps=100000000 &
  local parent=$! status=0
  until [[ -s stopped/series.csv && $(wc -l <stopped/series.csv) -gt 5 ]]; do sleep 0.2; kill -0 "$parent" || return 1; done
  kill -TERM "$parent"
  wait "$parent" || status=$?
  [[ $status -eq 75 ]] && gone && ls stopped/checkpoint_*.h5
}
check "SIGTERM to the launcher stops with a checkpoint" stopped
pkill -9 -x watersmeet && echo "ranks were left behind"
finish
