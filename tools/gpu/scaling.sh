#!/usr/bin/env bash
# On a machine with several GPUs, from a folder made by tools/gpu/pack.sh: whole steps of every system on one GPU and on several, of a grid that
# stays the same (strong scaling) and of one that grows with the GPUs (weak), by every transport that is named.
#   tools/gpu/scaling.sh PACK OUT [GPUS] [NAME]...     GPUS: the most; NAME: the beginning of rows of the table below
# Writes the JSON of `bench` for each run, which is not made again where it is there; tools/scaling.py OUT prints the tables of docs/scaling.md.
# $WATERSMEET_BINARY takes the place of the program of PACK, $TRANSPORTS of "peer nccl", $SECONDS_LEFT of 570 seconds for all.
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
tools=$(realpath "$(dirname "$0")/..")
shift 2
most=$(nvidia-smi -L | wc -l)
[[ ! ${1:-} =~ ^[0-9]+$ ]] || { most=$1 && shift; }
names=("${@:-}")
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" NCCL_NVLS_ENABLE=0
program=${WATERSMEET_BINARY:-$pack/bin/watersmeet}
deadline=$((SECONDS + ${SECONDS_LEFT:-570}))

bench() { # NAME GPUS TRANSPORT CELLS SYSTEM WORDS
  local file=$out/scaling-$1-$2-$3-$4.json flags=()
  [[ ! -s $file && $SECONDS -lt $deadline ]] || return
  [[ $2 -eq 1 ]] || flags=(--gpus "$2" --set "device.transport=$3" --set device.slower_ranks=true)
  [[ $4 == own ]] || flags+=(--cells "$4")
  timeout $((deadline - SECONDS + 5)) "$program" bench "$5" --device gpu "${flags[@]}" --only "$6" --repeats 5 --seconds 0.2 --output "$file" >"${file%.json}.log" 2>&1 ||
    { echo "$1 $2 $3 $4: failed" && tail -n 3 "${file%.json}.log"; }
}

grown() { # GRID GPUS: with that many times the cells along the axis behind which a star stands
  awk -F x -v OFS=x -v n="$2" '{ for (a = 1; a <= NF; ++a) if (sub(/\*/, "", $a)) $a *= n; print }' <<<"$1"
}

# name | system | words of --only | grid of strong scaling | grid of weak scaling on one GPU, with a star behind the axis that grows
while IFS='|' read -r name system words strong weak; do
  name=${name// /} system=${system// /} strong=${strong// /} weak=${weak// /}
  words=$(sed 's/^ *//; s/ *$//' <<<"$words")
  chosen=no
  for n in "${names[@]}"; do [[ $name != "$n"* ]] || chosen=yes; done
  [[ $chosen == yes ]] || continue
  [[ $strong == - ]] || bench "$name" 1 one "$strong" "$system" "$words"
  [[ $weak == - ]] || bench "$name" 1 one "$(grown "$weak" 1)" "$system" "$words" # which is there where both are the same
  for gpus in 2 4 8; do
    [[ $gpus -le $most ]] || continue
    for transport in ${TRANSPORTS:-peer nccl}; do
      [[ $strong == - ]] || bench "$name" "$gpus" "$transport" "$strong" "$system" "$words"
      [[ $weak == - ]] || bench "$name" "$gpus" "$transport" "$(grown "$weak" "$gpus")" "$system" "$words"
    done
  done
done <<'TABLE'
isothermal-single  | isothermal     | single 55-point ring stored     | 512x512x512    | 512x512x512*
isothermal-double  | isothermal     | double 55-point ring two        | 512x512x512    | 512x512x512*
isothermal-small   | isothermal     | single 55-point ring stored     | 256x256x256    | -
mhd-double         | mhd            | double entropy                  | 256x256x256    | 256x256x256*
multicomponent     | multicomponent | single mpcf weno5-js early        | 512x512x512  | 512x512x512*
boussinesq-fft     | boussinesq     | double fft ring                 | 384x384x192    | 384x384x192*
boussinesq-mg      | boussinesq     | double mg ring                  | 384x384x192    | -
aerodynamics       | aerodynamics   | double glider15-1500k           | own            | -
aerodynamics-box   | aerodynamics   | double wavybox 1 1              | -              | 129x129x97*
atmosphere-flat    | atmosphere     | double flat lmars 13-point tile | 1024x512x128   | 1024x512*x128
atmosphere-sphere  | atmosphere     | double sphere lmars 13-point tile | 1024x512x128 | -
shallow-water      | shallow_water  | double 9-point march            | 8192x8192x1    | 8192x8192*x1
TABLE
python3 "$tools/scaling.py" "$out"
