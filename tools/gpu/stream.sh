#!/usr/bin/env bash
# On a machine with a GPU: steps of a streamed solution beside those of a resident one, on a grid that fits and on one that does not.
#   tools/gpu/stream.sh PROGRAM OUT [SYSTEM WORDS RESIDENT_CELLS LARGE_CELLS]...      WORDS: of --only of `bench`; cells as 512x512x512
# Writes the JSON of `bench` for each run and prints a table: G cells and steps per second, median of 5, and its spread.
set -uo pipefail
program=$(realpath "$1") out=$(realpath "$2")
shift 2
[[ $# -gt 0 ]] || set -- multicomponent "single mpcf weno5-js early" 512x512x512 2048x1024x1472 multicomponent "double mpcf weno5-js early" 512x512x256 1024x1024x1472 \
  isothermal "single ring stored 55-point" 512x512x512 2048x1024x1024 mhd "double isothermal" 256x256x256 1024x1024x896
cd "$(mktemp -d)" || exit 1

rate() { # SYSTEM WORDS CELLS KEY=VALUE...
  local system=$1 words=$2 cells=$3 name sets
  shift 3
  sets=("${@/#/--set=}")
  name=$out/$(echo "stream-$system-$words-$cells-$*" | tr -c 'a-z0-9\n' '-')
  timeout 300 "$program" bench "$system" --device gpu --cells "$cells" --only "$words" "${sets[@]}" --repeats 5 --seconds 0.3 --output "$name.json" \
    >"$name.log" 2>&1 || { echo "$system $cells $*: failed"; tail -n 3 "$name.log"; return; }
  python3 - "$name.json" "$system" "$words" "$cells" "$*" <<'PY'
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
for row in rows:
    ns = row["ns_per_point_step"]
    print(f"{sys.argv[2]:15s} {sys.argv[3]:28s} {sys.argv[4]:16s} {sys.argv[5]:52s} {1 / ns:7.3f} G/s  spread {100 * row['spread']:.1f} %", flush=True)
PY
}

while [[ $# -ge 4 ]]; do
  rate "$1" "$2" "$3" device.memory=resident
  for fused in 1 2 4 8; do rate "$1" "$2" "$3" device.memory=stream stream.fused_steps=$fused; done
  rate "$1" "$2" "$3" device.memory=stream stream.scheme=stage
  rate "$1" "$2" "$4" device.memory=stream
  shift 4
done
