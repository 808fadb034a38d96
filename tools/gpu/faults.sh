#!/usr/bin/env bash
# On a machine with a GPU: runs of small cases in which one call of the driver fails, their ends, and the runs that resume them.
#   tools/gpu/faults.sh PROGRAM OUT [cpu] [CASE]...      CASE: of tools/gpu/cases; without any, four
# Each kind of call fails at several of its calls in turn, as a run without faults counts them: an allocation, the launch of a kernel, a copy, a fill, a
# wait for the device (where CUDA reports what a kernel did), and an allocation of host memory; after errors that end a context all later calls
# fail too. The run must end with status 3 and a message, or continue with the right bits; each finished file must have the
# bits of the run without faults; and the run that resumes it must end with these. With `cpu`: host memory alone, on the CPU.
# Needs cc, to build tests/faults/device.c. Takes about FAULT_SECONDS, 270 when not given, and at most FAULT_ROUNDS over all kinds and cases. Exit status 1
# where anything was wrong; OUT/faults.log has what all runs said.
set -uo pipefail
program=$(realpath "$1") out=$(realpath "$2") tools=$(realpath "$(dirname "$0")")
shift 2
mkdir -p "$out"
device=gpu
[[ ${1:-} != cpu ]] || { device=cpu && shift; }
cases=("$@")
[[ $# -gt 0 ]] || cases=(isothermal boussinesq multicomponent blocks)
limit=${FAULT_SECONDS:-270}
log=$out/faults.log
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cc -std=c11 -shared -fPIC -O1 -o "$place/device.so" "$tools/../../tests/faults/device.c" || exit 3
cd "$place" || exit 1
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
: >"$log"

# kind of call, the error it returns, whether all later calls fail too, words of the line that begins with `error` (cuFFT and cuBLAS have their own)
kinds="allocate 2 0 .
allocate 719 1 .
launch 701 0 .
launch 719 1 .
copy 700 1 .
fill 700 1 .
wait 719 1 .
wait 214 1 .
host 0 0 memory"
[[ $device == gpu ]] || kinds="host 0 0 memory"

run() { # CASE FOLDER WORDS...
  local name=$1 folder=$2
  shift 2
  timeout 100 "$program" run "$tools/cases/$name.toml" --dir "$folder" --device "$device" --resume=auto --set time.steps=4 --set output.every_steps=2 \
    --set output.checkpoint_every_steps=2 --set output.checkpoints_kept=9 --set output.series_every_steps=1 "$@"
}
wrong_files() { # CASE FOLDER: finished files that have not the bits of the run without faults
  local file other
  for file in "$2"/checkpoint_*.h5 "$2"/fields_*.vtkhdf "$2"/fields_*.h5; do
    other=$1-whole/${file##*/}
    [[ ! -e $file ]] || "$program" diff "$file" "$other" >>"$log" 2>&1 || echo "${file##*/} is not that of a run without faults"
  done
}
attempt() { # CASE KIND ERROR LASTS WORDS NUMBER: says what is wrong, if anything
  local name=$1 folder=trial status
  rm -rf trial trial.log
  LD_PRELOAD=$place/device.so DEVICE_FAULT_CALLS=$2 DEVICE_FAULT_ERROR=$3 DEVICE_FAULT_LASTS=$4 DEVICE_FAULT_AT=$6 DEVICE_FAULT_LOG=$place/trial.log \
    run "$name" trial >said.log 2>&1
  status=$?
  { echo "== $name, $2 $6, error $3: status $status, $(tail -n 1 trial.log)" && cat said.log; } >>"$log"
  if ! grep -q "^failed" trial.log; then # how many calls there are may depend on how fast the machine is
    echo "not reached" && return
  fi
  case $status in
    0) echo tolerated >>ends ;;
    3)
      echo ended >>ends
      grep -qi "$5" <(sed -n '/error/,$p' said.log) || echo "the message does not say what failed: $(tail -n 2 said.log | tr '\n' ' ')"
      ;;
    *) echo "status $status: $(tail -n 2 said.log | tr '\n' ' ')" ;;
  esac
  wrong_files "$name" trial
  run "$name" trial >said.log 2>&1 || echo "the resumed run ends with status $?: $(tail -n 2 said.log | tr '\n' ' ')"
  cat said.log >>"$log"
  "$program" diff trial "$name-whole" >>"$log" 2>&1 && cmp -s trial/series.csv "$name-whole/series.csv" || echo "the resumed run has other bits"
  [[ -z $(find trial -name '*.part*') ]] || echo "left over: $(find trial -name '*.part*' | tr '\n' ' ')"
}

usable=()
for name in "${cases[@]}"; do
  if LD_PRELOAD=$place/device.so DEVICE_FAULT_LOG=$place/$name.calls run "$name" "$name-whole" >said.log 2>&1; then
    usable+=("$name")
    echo "$name: $(tr '\n' ' ' <"$name.calls")"
  else
    echo "$name: the run without faults ends with status $?: $(tail -n 2 said.log | tr '\n' ' ')"
  fi
done
[[ ${#usable[@]} -eq ${#cases[@]} ]] || exit 1

declare -A tried ended wrong
all_wrong=0 total=0
# Rounds over all kinds and cases: places among the calls that come ever closer together, until the time is over.
for part in $(echo 1/2 0/1 1/1 1/4 3/4 1/8 5/8 3/8 7/8 1/16 9/16 5/16 13/16 3/16 11/16 7/16 15/16 | cut -d ' ' -f "1-${FAULT_ROUNDS:-17}"); do
  while read -r kind error lasts words; do
    for name in "${usable[@]}"; do
      [[ $SECONDS -lt $limit ]] || break 3
      calls=$(sed -n "s/^$kind //p" "$name.calls")
      [[ ${calls:-0} -gt 0 ]] || continue
      number=$((1 + (calls - 1) * ${part%/*} / ${part#*/}))
      said=$(attempt "$name" "$kind" "$error" "$lasts" "$words" "$number")
      [[ $said != "not reached" ]] || continue
      total=$((total + 1))
      tried["$kind $error"]=$((${tried["$kind $error"]:-0} + 1))
      [[ $(tail -n 1 ends 2>/dev/null) != ended ]] || ended["$kind $error"]=$((${ended["$kind $error"]:-0} + 1))
      : >ends
      [[ -n $said ]] || continue
      all_wrong=$((all_wrong + 1)) wrong["$kind $error"]=$((${wrong["$kind $error"]:-0} + 1))
      printf '%s, %s, call %d of %d, error %d:\n%s\n' "$name" "$kind" "$number" "$calls" "$error" "$said"
    done
  done <<<"$kinds"
done
printf '%-10s %6s %6s %14s %6s\n' call error tried "with status 3" wrong
while read -r kind error _; do
  printf '%-10s %6d %6d %14d %6d\n' "$kind" "$error" "${tried["$kind $error"]:-0}" "${ended["$kind $error"]:-0}" "${wrong["$kind $error"]:-0}"
done <<<"$kinds"
echo "$total tried in $SECONDS s, $all_wrong wrong; ${usable[*]} on the ${device^^}, $("$program" --version)"
[[ $all_wrong -eq 0 && $total -gt 0 ]]
