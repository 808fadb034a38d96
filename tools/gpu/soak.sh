#!/usr/bin/env bash
# On a machine with a GPU: small cases that run for long, and what they take of host memory, device memory and descriptors meanwhile.
#   tools/gpu/soak.sh PROGRAM OUT [--device KIND] [MINUTES] [CASE]...      gpu, 60 minutes each, every case of tools/gpu/cases
# Half of the time a case runs without a stop. Then it begins anew and is stopped and resumed every few minutes, up to the same step, and both ends must
# have the same bits. With PARTS_GPU=NUMBER both run at the same time, the second on that GPU, and the one behind is continued up to the step of the
# other: an hour of a case takes half an hour. Snapshots, checkpoints and rows of the series are written all the time. Last comes a table: how each quantity grew after the first
# minute of the run without a stop, or after its first third where that is shorter, and the most that there was in all. OUT/soak.csv has all samples, one a
# second. WORDS="--set ..." is given to every run. Exit status 1 where a run failed or bits differ.
set -uo pipefail
program=$(realpath "$1") out=$(realpath "$2") folder=$(realpath "$(dirname "$0")/cases")
shift 2
mkdir -p "$out"
device=gpu
[[ ${1:-} != --device ]] || { device=$2 && shift 2; }
minutes=${1:-60}
[[ $# -eq 0 ]] || shift
cases=("$@")
[[ $# -gt 0 ]] || mapfile -t cases < <(basename -s .toml "$folder"/*.toml)
read -ra words <<<"${WORDS:-}"
[[ $minutes =~ ^[1-9][0-9]*s?$ ]] || { echo "MINUTES must be a whole number; 40s are seconds" >&2 && exit 2; }
half=$((${minutes%s} * 30))
[[ $minutes != *s ]] || half=$((half / 60 + 1))
piece=$((half / 4 < 180 ? half / 4 + 1 : 180))
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
samples=$out/soak.csv
echo "case,process,seconds,host_kB,descriptors,device_MiB" >"$samples"

device_memory() { # PROCESS: MiB that it has of the GPU, or, where the driver does not say of which process memory is, MiB in use there by all
  local mine
  [[ $device != cpu ]] || { echo 0 && return; }
  mine=$(nvidia-smi --query-compute-apps=pid,used_gpu_memory --format=csv,noheader,nounits | awk -F ', ' -v pid="$1" '$1 == pid && $2 ~ /^[0-9]/ { sum += $2 } END { print sum }')
  [[ -n $mine ]] || mine=$(nvidia-smi -i "${CUDA_VISIBLE_DEVICES:-0}" --query-gpu=memory.used --format=csv,noheader,nounits | head -n 1)
  echo "$mine"
}
sampled() { # CASE PROCESS COMMAND...: the status of the command
  local name=$1 process=$2 begin=$SECONDS pid descriptors resident
  shift 2
  "$@" >"${process%% *}.log" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    resident=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2>/dev/null)
    descriptors=$(find "/proc/$pid/fd" -mindepth 1 2>/dev/null | wc -l)
    [[ -z $resident || $descriptors -eq 0 ]] || echo "$name,$process,$((SECONDS - begin)),$resident,$descriptors,$(device_memory "$pid")" >>"$samples"
    sleep 1
  done
  wait "$pid"
}
# The cases last a few steps. In minutes of steps those of turbulence become unstable, too coarse for their forcing, and the basin of the plane falls dry.
declare -A also=(
  [isothermal]="--set physics.viscosity=0.02"
  [mhd]="--set physics.viscosity=0.02 --set physics.resistivity=0.02"
  [plane]="--set numerics.wet_dry=true --set physics.friction.manning=0.1"
)
run() { # CASE FOLDER STEPS SECONDS EVERY: a row of the series each so many steps, a checkpoint each ten rows, a snapshot each twenty
  local changes
  read -ra changes <<<"${also[$1]:-}"
  exec "$program" run "$folder/$1.toml" --dir "$2" --device "$device" --resume=auto --wall "$4" --set "time.steps=$3" --set "output.every_steps=$((20 * $5))" \
    --set "output.checkpoint_every_steps=$((10 * $5))" --set "output.series_every_steps=$5" "${changes[@]}" "${words[@]}"
}
last_step() { # FOLDER
  local file
  file=$(find "$1" -name 'checkpoint_*.h5' | sort | tail -n 1)
  file=${file##*_}
  echo $((10#${file%.h5}))
}
faulty=0
fault() { # LOG MESSAGE
  faulty=$((faulty + 1))
  echo "$2"
  tail -n 3 "$1.log"
}
pieces_while_whole_runs() { # CASE STEPS EVERY: writes the number of pieces and the status of the last, and stops at one that fails
  local number=0 status=75
  while [[ $status -eq 75 && ! -e over ]]; do
    number=$((number + 1))
    CUDA_VISIBLE_DEVICES=$PARTS_GPU sampled "$1" "part $number" run "$1" parts "$2" "$piece" "$3"
    status=$?
  done
  echo "$number $status" >last_piece
}
go_on() { # CASE FOLDER STEPS EVERY: up to that step, in pieces that are added to `pieces`
  local status=75
  while [[ $status -eq 75 && $pieces -lt 1000 ]]; do
    pieces=$((pieces + 1))
    sampled "$1" "part $pieces" run "$1" "$2" "$3" "$piece" "$4"
    status=$?
  done
  return "$status"
}
for name in "${cases[@]}"; do
  rm -rf trial whole parts over
  sampled "$name" trial run "$name" trial 1000000 $((piece < 20 ? piece : 20)) 1000000
  [[ $? -eq 75 ]] || { fault trial "$name: the first run did not stop where its time was over" && continue; }
  rate=$(($(last_step trial) / (piece < 20 ? piece : 20) + 1))
  every=$((rate * half / 400 + 1))
  many=$((rate * half * 10))
  if [[ -n ${PARTS_GPU:-} ]]; then pieces_while_whole_runs "$name" "$many" "$every" & fi
  sampled "$name" whole run "$name" whole "$many" "$half" "$every"
  status=$?
  touch over
  [[ -z ${PARTS_GPU:-} ]] || "$program" stop parts >/dev/null
  wait
  [[ $status -eq 75 ]] || { fault whole "$name: the long run did not stop where its time was over" && continue; }
  steps=$(last_step whole) behind=parts pieces=0 note=""
  [[ -z ${PARTS_GPU:-} ]] || read -r pieces status <last_piece
  [[ $status -eq 75 ]] || { fault part "$name: part $pieces ended with status $status" && continue; }
  [[ ! -d parts ]] || [[ $(last_step parts) -le $steps ]] || { steps=$(last_step parts) behind=whole note="; the first was continued from its end"; }
  go_on "$name" "$behind" "$steps" "$every" || { fault part "$name: part $pieces ended with status $?" && continue; }
  "$program" diff "$(find whole -name 'checkpoint_*.h5' | sort | tail -n 1)" "$(find parts -name 'checkpoint_*.h5' | sort | tail -n 1)" >diff.log 2>&1 ||
    fault diff "$name: after $steps steps the bits differ from those of $pieces parts"
  echo "$name: $steps steps without a stop and in $pieces parts, $(find whole -name 'checkpoint_*.h5' | wc -l) checkpoints kept$note"
done
python3 - "$samples" <<'P'
import collections, csv, sys
processes = collections.defaultdict(list)
for row in csv.DictReader(open(sys.argv[1])):
    processes[row["case"], row["process"]].append([float(row[key]) for key in ("seconds", "host_kB", "descriptors", "device_MiB")])
print(f"{'case':16s}{'':28s}{'growth':>12s}{'most':>12s}")
for case in dict.fromkeys(case for case, _ in processes):
    mine = [rows for (name, process), rows in processes.items() if name == case and process != "trial"]
    for column, quantity, unit in ((1, "host memory, MB", 1e3), (2, "descriptors", 1), (3, "device memory, MiB", 1)):
        most = max((row[column] for rows in mine for row in rows), default=0)
        whole = processes.get((case, "whole")) or [[0] * 4]
        later = [row[column] for row in whole if row[0] >= min(60, whole[-1][0] / 3)]
        print(f"{case:16s}{quantity:28s}{(max(later) - later[0]) / unit:12.1f}{most / unit:12.1f}")
P
"$program" --version
echo "$faulty faults"
[[ $faulty -eq 0 ]]
