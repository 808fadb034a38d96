#!/usr/bin/env bash
# On a machine with a GPU: does a CPU rank beside it pay? Whole steps on the GPU alone, on the CPU alone and on both, by measured weights.
#   tools/gpu/share.sh PROGRAM OUT [THREADS] [NAME]...    THREADS of the CPU rank: all but one when not given; NAME: the beginning of rows of the table below
# `slow` rows take the direct schedule, which no run takes by itself, in place of a slower GPU. Prints a table; OUT keeps the JSON of `bench` for each run.
# $WATERSMEET_MPIEXEC starts the ranks, $SECONDS_LEFT of 570 seconds is for all.
set -uo pipefail
program=$(realpath "$1") out=$(realpath "$2")
shift 2
threads=$(($(nproc) - 1))
[[ ! ${1:-} =~ ^[0-9]+$ ]] || { threads=$1 && shift; }
names=("${@:-}")
deadline=$((SECONDS + ${SECONDS_LEFT:-570}))
cd "$(mktemp -d)" || exit 1

bench() { # FILE SYSTEM WORDS CELLS FLAG...
  local file=$out/share-$1.json system=$2 words=$3 cells=$4
  shift 4
  [[ -s $file || $SECONDS -ge $deadline ]] ||
    timeout $((deadline - SECONDS + 5)) "$program" bench "$system" --only "$words" --cells "$cells" "$@" --repeats 5 --seconds 0.1 --output "$file" >"${file%.json}.log" 2>&1 ||
    { echo "${file##*/}: failed" && tail -n 3 "${file%.json}.log"; }
}

while IFS='|' read -r name system words cells more; do
  name=${name// /} system=${system// /} cells=${cells// /}
  words=$(sed 's/^ *//; s/ *$//' <<<"$words")
  read -ra more <<<"$more"
  chosen=no
  for n in "${names[@]}"; do [[ $name != "$n"* ]] || chosen=yes; done
  [[ $chosen == yes ]] || continue
  cpu_words=$words
  for schedule in ring direct tile march; do cpu_words=${cpu_words/ $schedule/}; done
  bench "$name-gpu" "$system" "$words" "$cells" --device gpu "${more[@]}"
  bench "$name-cpu" "$system" "$cpu_words" "$cells" --device cpu --threads "$threads"
  bench "$name-both" "$system" "$words" "$cells" --gpus 1 --cpu-ranks 1 --threads "$threads" "${more[@]}"
done <<'TABLE'
isothermal       | isothermal     | single 55-point ring stored       | 256x256x256 |
isothermal-slow  | isothermal     | double 55-point direct two        | 256x256x256 | --set device.schedule=direct
mhd              | mhd            | double isothermal                 | 128x128x128 |
multicomponent   | multicomponent | double mpcf weno5-js early        | 256x256x256 |
shallow-water    | shallow_water  | double 9-point march              | 4096x4096x1 |
atmosphere       | atmosphere     | double flat lmars 13-point tile   | 256x256x128 |
boussinesq       | boussinesq     | double fft                        | 256x256x128 |
TABLE
python3 - "$out" <<'P'
import json, pathlib, sys
print(f"{'':18s}{'GPU':>10s}{'CPU':>10s}{'both':>10s}   ms a step{'GPU over CPU':>16s}{'both over GPU':>16s}{'at most':>10s}")
for path in sorted(pathlib.Path(sys.argv[1]).glob("share-*-gpu.json")):
    rows = {}
    for kind in ("gpu", "cpu", "both"):
        file = path.with_name(path.name.replace("-gpu.json", f"-{kind}.json"))
        rows[kind] = json.loads(file.read_text())["rows"][0]["ms_per_step"] if file.exists() else float("nan")
    ratio = rows["cpu"] / rows["gpu"]
    print(f"{path.name[6:-9]:18s}{rows['gpu']:10.3f}{rows['cpu']:10.2f}{rows['both']:10.3f}{ratio:28.1f}{rows['gpu'] / rows['both']:16.2f}{1 + 1 / ratio:10.2f}")
P
