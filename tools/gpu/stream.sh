#!/usr/bin/env bash
# On a machine with a GPU: steps of a streamed solution beside those of a resident one, on a grid that fits and on one that does not.
#   [GPUS=N] tools/gpu/stream.sh PROGRAM OUT [SYSTEM WORDS RESIDENT_CELLS LARGE_CELLS]...      WORDS: of --only of `bench`; cells as 512x512x512
# Writes the JSON of `bench` for each run and prints a table: G cells and steps per second, median of 5, its spread, and how much longer a step takes than
# `check` predicts for a new case of the system. With GPUS also on so many GPUs.
set -uo pipefail
program=$(realpath "$1") out=$(realpath "$2")
shift 2
[[ $# -gt 0 ]] || set -- multicomponent "single mpcf weno5-js early" 512x512x512 2048x1024x1472 multicomponent "double mpcf weno5-js early" 512x512x256 1024x1024x1472 \
  isothermal "single ring stored 55-point" 512x512x512 2048x1024x1024 mhd "double isothermal" 256x256x256 1024x1024x896
cd "$(mktemp -d)" || exit 1

predicted() { # SYSTEM WORDS CELLS FLAG...: seconds of a step
  local system=$1 precision=${2%% *} cells=$3
  shift 3
  [[ -f $system.toml ]] || "$program" new "$system" --system "$system" >/dev/null || return
  "$program" check "$system.toml" --json --set "grid.cells=[${cells//x/, }]" --set "numerics.precision=$precision" "$@" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["seconds_per_step"])'
}

rate() { # SYSTEM WORDS CELLS [gpus] KEY=VALUE...
  local system=$1 words=$2 cells=$3 name sets several=()
  shift 3
  if [[ ${1:-} == gpus ]]; then
    [[ -n ${GPUS:-} ]] || return
    several=(--gpus "$GPUS")
    shift
  fi
  sets=("${@/#/--set=}" "${several[@]}")
  set -- "$@" "${several[@]}"
  name=$out/$(echo "stream-$system-$words-$cells-$*" | tr -c 'a-z0-9\n' '-')
  timeout 300 "$program" bench "$system" --device gpu --cells "$cells" --only "$words" "${sets[@]}" --repeats 5 --seconds 0.3 --output "$name.json" \
    >"$name.log" 2>&1 || { echo "$system $cells $*: failed"; tail -n 3 "$name.log"; return; }
  python3 - "$name.json" "$system" "$words" "$cells" "$*" "$(predicted "$system" "$words" "$cells" "${sets[@]}")" <<'PY'
import json, math, sys
rows = json.load(open(sys.argv[1]))["rows"]
for row in rows:
    ns = row["ns_per_point_step"]
    said = float(sys.argv[6] or "nan")
    more = f"{100 * (1e-9 * ns * math.prod(row['cells']) / said - 1):+.0f} %" if said > 0 else "none"
    print(f"{sys.argv[2]:15s} {sys.argv[3]:28s} {sys.argv[4]:16s} {sys.argv[5]:52s} {1 / ns:7.3f} G/s  spread {100 * row['spread']:.1f} %  predicted {more}", flush=True)
PY
}

while [[ $# -ge 4 ]]; do
  rate "$1" "$2" "$3" device.memory=resident
  for fused in 1 2 4 8; do rate "$1" "$2" "$3" device.memory=stream stream.fused_steps=$fused; done
  rate "$1" "$2" "$3" device.memory=stream stream.scheme=stage
  rate "$1" "$2" "$3" device.memory=stream stream.scheme=stage stream.update=host
  rate "$1" "$2" "$4" device.memory=stream
  rate "$1" "$2" "$4" gpus device.memory=stream
  shift 4
done
