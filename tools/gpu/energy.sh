#!/usr/bin/env bash
# The energy of an update: rows of `bench` on one GPU, each for some seconds, while nvidia-smi samples power and clock. From a folder made by
# tools/gpu/pack.sh:
#   tools/gpu/energy.sh PACK OUT [NAME]...     NAME: the beginning of rows of the table below
# Power and clock are the medians of the samples with at least 0.7 of the largest power, which leaves out the time in which the row is set up.
# $WATERSMEET_BINARY takes the place of the program of PACK.
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
names=("${@:-}")
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
program=${WATERSMEET_BINARY:-$pack/bin/watersmeet}
card=${CUDA_VISIBLE_DEVICES:-0} card=${card%%,*} # the one that the program takes
echo "$(nvidia-smi --query-gpu=name,power.limit,clocks.max.sm --format=csv,noheader -i "$card" | tr -d '\n'), $("$program" --version | head -n 1)"
echo "| row | grid | G updates/s | W | MHz | nJ an update |"
echo "| --- | --- | --- | --- | --- | --- |"
failed=0
row() { # NAME CELLS SYSTEM WORDS
  local base=$out/energy-$1-$2
  rm -f "$base.json" # of a call before
  nvidia-smi -i "$card" --query-gpu=power.draw.instant,clocks.sm --format=csv,noheader,nounits -lms 50 >"$base.csv" &
  local sampler=$!
  "$program" bench "$3" --device gpu --cells "$2" --only "$4" --repeats 5 --seconds 0.6 --output "$base.json" >"$base.log" 2>&1
  kill "$sampler"
  wait "$sampler" 2>/dev/null
  python3 - "$base" "$3" "$4" "$2" <<'P' || { failed=1 && echo "$1 $2: failed" && tail -n 3 "$base.log"; }
import json, statistics, sys
base, system, words, cells = sys.argv[1:]
rows = json.load(open(base + ".json"))["rows"]
assert len(rows) == 1, rows
samples = [[float(x) for x in line.split(",")] for line in open(base + ".csv") if line.count(",") == 1]
largest = max(power for power, _ in samples)
loaded = [s for s in samples if s[0] >= 0.7 * largest]
assert len(loaded) >= 20, f"{len(loaded)} samples"
power, clock = (statistics.median(column) for column in zip(*loaded))
speed = rows[0]["gigaupdates_per_s"]
print(f"| {system} {words} | {cells} | {speed:.2f} | {power:.0f} | {clock:.0f} | {power / speed:.1f} |", flush=True)
P
}
# name | system | words of --only | grids
while IFS='|' read -r name system words grids; do
  name=${name// /} system=${system// /}
  words=$(sed 's/^ *//; s/ *$//' <<<"$words")
  chosen=no
  for n in "${names[@]}"; do [[ $name != "$n"* ]] || chosen=yes; done
  [[ $chosen == yes ]] || continue
  for cells in $grids; do row "$name" "$cells" "$system" "$words"; done
done <<'TABLE'
isothermal-single | isothermal | single 55-point ring stored | 256x256x256 512x512x512
isothermal-double | isothermal | double 55-point ring two    | 256x256x256 512x512x512
mhd-single        | mhd        | single isothermal           | 256x256x256 512x512x512
mhd-single-full   | mhd        | single entropy              | 256x256x256 512x512x512
mhd-double        | mhd        | double isothermal           | 256x256x256 512x512x512
mhd-double-full   | mhd        | double entropy              | 256x256x256 512x512x512
TABLE
exit $failed
