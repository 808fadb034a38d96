#!/usr/bin/env bash
# On a machine with several GPUs, from a folder made by tools/gpu/pack.sh: the same bits on one GPU and on several, through every
# transport, with and without overlap, resumed on another number; a lost rank; SIGTERM to the launcher. CPU ranks beside GPUs: hybrid.sh.
#   tools/gpu/ranks.sh PACK OUT [GPUS]
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2") gpus=${3:-$(nvidia-smi -L | wc -l)}
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PYTHONPATH="$pack/share/watersmeet/python" NCCL_NVLS_ENABLE=0
program=$pack/bin/watersmeet
cd "$(mktemp -d)" || exit 1
passed=0 failed=0
check() { # NAME COMMAND...
  local name=$1 begin=$SECONDS
  shift
  if "$@" >>"$out/ranks.log" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $name ($((SECONDS - begin)) s)"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    tail -n 15 "$out/ranks.log"
  fi
}
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
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
T
run() { # FOLDER WORDS...
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
  check "one GPU, $kind" run "$one" --device gpu "${words[@]}"
  for n in 2 4 8; do
    [[ $n -le $gpus ]] || continue
    check "$n GPUs, $kind" run "$one-$n" --gpus "$n" "${words[@]}"
    check "   the same bits" same "$one" "$one-$n"
  done
  check "$gpus GPUs, no overlap, $kind" run "$one-turn" --gpus "$gpus" "${words[@]}" --set device.overlap=off
  check "   the same bits" same "$one" "$one-turn"
  check "$gpus GPUs, host messages, $kind" run "$one-mpi" --gpus "$gpus" "${words[@]}" --set device.transport=mpi
  check "   the same bits" same "$one" "$one-mpi"
done
words=(--precision single)
layouts=("[$gpus,1,1]" "[1,$gpus,1]")
[[ $gpus -lt 4 ]] || layouts+=("[1,2,$((gpus / 2))]" "[2,$((gpus / 2)),1]")
for along in "${layouts[@]}"; do
  check "ranks along $along" run "along-$along" --gpus "$gpus" "${words[@]}" --set "device.ranks_along=$along"
  check "   the same bits" same one-single-55-point "along-$along"
done
check "half of it on one GPU" run resumed --device gpu "${words[@]}" --set time.steps=20
check "the rest on $gpus" "$program" resume resumed --gpus "$gpus" --set time.steps=40
check "   the same bits" same one-single-55-point resumed
check "two ranks on one GPU, asked for" run shared --ranks 2 --device gpu "${words[@]}" --set device.share=true --set device.index=0
check "   the same bits" same one-single-55-point shared
refused() { ! run never --ranks $((gpus + 1)) --device gpu; }
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
  until ls lost/checkpoint_*.h5 >/dev/null 2>&1; do sleep 0.2; kill -0 $parent || return 1; done
  # One rank: a process of the program whose environment has rank 1.
  for p in $(pgrep -x watersmeet); do
    if tr '\0' '\n' <"/proc/$p/environ" | grep -qx "OMPI_COMM_WORLD_RANK=1"; then kill -9 "$p"; fi
  done
  wait $parent || status=$?
  [[ $status -ne 0 && $status -ne 75 ]] || return 1
  gone || return 1
  local checkpoints=(lost/checkpoint_*.h5) step
  step=${checkpoints[-1]##*_} step=${step%.h5}
  "$program" resume lost --gpus "$gpus" --set "time.steps=$((10#$step + 5))"
}
check "a killed rank ends the run; it goes on from its checkpoint" lost
stopped() {
  "$program" run flow.toml --dir stopped --gpus "$gpus" --set time.steps=100000000 --set output.every_steps=100000000 &
  local parent=$! status=0
  until [[ -s stopped/series.csv && $(wc -l <stopped/series.csv) -gt 5 ]]; do sleep 0.2; kill -0 $parent || return 1; done
  kill -TERM $parent
  wait $parent || status=$?
  [[ $status -eq 75 ]] && gone && ls stopped/checkpoint_*.h5
}
check "SIGTERM to the launcher stops with a checkpoint" stopped
pkill -9 -x watersmeet && echo "ranks were left behind"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
