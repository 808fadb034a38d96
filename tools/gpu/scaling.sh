#!/usr/bin/env bash
# On a machine with several GPUs, from a folder made by tools/gpu/pack.sh: strong and weak scaling of whole steps, with and without
# overlap, cuts along two axes, and the parts alone on one GPU. tools/scaling.py makes one file of them, and the model of docs/scaling.md.
#   tools/gpu/scaling.sh PACK OUT [GPUS]
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2") gpus=${3:-$(nvidia-smi -L | wc -l)}
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" NCCL_NVLS_ENABLE=0
program=$pack/bin/watersmeet
cd "$out" || exit 1
bench() { # NAME GPUS WORDS...
  local name=$1 n=$2
  shift 2
  local ranks=()
  [[ $n -eq 1 ]] || ranks=(--gpus "$n")
  for precision in single double; do
    "$program" bench isothermal --device gpu "${ranks[@]}" --precision $precision --only "55-point ring $([[ $precision = single ]] && echo stored || echo two)" \
      --output "scaling-$name-$precision.json" "$@" >"scaling-$name-$precision.txt" 2>&1 || { echo "$name $precision failed"; tail -n 5 "scaling-$name-$precision.txt"; }
  done
}
all=()
for n in 1 2 4 8; do [[ $n -le $gpus ]] && all+=("$n"); done
parts=() # of 512^3 and 256^3 by slabs
for n in "${all[@]}"; do parts+=(--cells "512x512x$((512 / n))" --cells "256x256x$((256 / n))"); done
bench parts 1 "${parts[@]}"
for n in "${all[@]:1}"; do
  for overlap in on off; do
    bench "$n-$overlap" "$n" --set "device.overlap=$overlap" --repeats 9 --cells 512 --cells 256 --cells "512x512x$((512 * n))"
  done
done
if [[ $gpus -ge 4 ]]; then
  bench 4-square 4 --set "device.ranks_along=[1,2,2]" --cells 512
fi
# A CPU rank beside one GPU, by measured weights: never slower than the GPU alone.
"$program" bench isothermal --gpus 1 --cpu-ranks 1 --precision single --only "55-point stored ring" --cells 512 \
  --output scaling-hybrid-single.json >scaling-hybrid-single.txt 2>&1 || tail -n 5 scaling-hybrid-single.txt
for f in scaling-*.txt; do sed -n '2,$p' "$f" | grep -E "^[0-9]+x|failed" | sed "s/^/${f#scaling-} /"; done
