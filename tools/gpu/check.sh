#!/usr/bin/env bash
# On a machine with a GPU, from a folder made by tools/gpu/pack.sh: tests, then memory and race checks, then the benchmark table.
#   tools/gpu/check.sh PACK OUT [tests] [parallel] [sanitizer] [sanitizer-multicomponent] [bench] [bench-multicomponent] [profile]
# without words: tests and both of sanitizer and bench
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
words="${*:-tests sanitizer sanitizer-multicomponent bench bench-multicomponent}"
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
cd "$(mktemp -d)" || exit 1
summary=""
for word in $words; do
  begin=$SECONDS
  case $word in
    tests)
      "$pack/bin/test_exact_gpu" >"$out/gpu-tests.log" 2>&1
      status=$?
      tail -n 25 "$out/gpu-tests.log"
      ;;
    parallel)  # one rank a GPU
      export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
      mpiexec --oversubscribe --bind-to none -n "$(nvidia-smi -L | wc -l)" "$pack/bin/test_parallel_gpu" >"$out/parallel-tests.log" 2>&1
      status=$?
      tail -n 25 "$out/parallel-tests.log"
      ;;
    sanitizer)
      status=0
      cat >tiny.toml <<'T'
[case]
system = "isothermal"
[grid]
cells = [40, 24, 18]
[forcing]
kind = "helical"
amplitude = 0.05
k_min = 1
k_max = 2
[time]
steps = 3
[output]
every_steps = 2
series_every_steps = 1
spectra_every_steps = 2
overview = false
T
      for tool in memcheck racecheck initcheck synccheck; do
        for choice in "ring single 55-point" "ring double 55-point" "ring double 19-point" "direct double 55-point"; do
          read -r schedule precision method <<<"$choice"
          if compute-sanitizer --tool $tool --error-exitcode 9 "$pack/bin/watersmeet" run tiny.toml --device gpu --quiet \
            --precision "$precision" --set "device.schedule=$schedule" --set "numerics.method=$method" >"san.log" 2>&1; then
            result=clean
          else
            result=FAILED status=1
          fi
          echo "$tool  $choice  $result  $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' san.log | tail -n 1)"
          cat san.log >>"$out/sanitizer.log"
        done
      done
      ;;
    sanitizer-multicomponent) # every schedule, both variants with a WENO5 of their own and the general one
      status=0
      cat >bubble.toml <<'T'
[case]
system = "multicomponent"
units = "SI"
[grid]
cells = [40, 24, 18]
upper = [1.25e-3, 0.75e-3, 0.5625e-3]
[physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8, density = 1000.0 }
air = { gamma = 1.4, density = 1.204 }
[time]
steps = 3
[[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
shape = { kind = "shock", x = 0.25e-3, side = "lower", pressure_jump = 4e7 }
[[initial]]
fluid = "air"
shape = { kind = "sphere", centre = [0.6e-3, 0.375e-3, 0], radius = 0.2e-3 }
[boundary]
x_lower = "inflow"
x_upper = { kind = "nonreflecting", pressure = 1e5 }
y = "periodic"
z_lower = "symmetry"
[output]
every_steps = 2
series_every_steps = 1
fields = ["p", "alpha", "schlieren", "vorticity"]
overview = false
T
      for tool in memcheck racecheck initcheck synccheck; do
        for choice in "sweeps single weno5-js hllc" "tile single weno5-js hllc" "sweeps double weno5-z hllc" "tile double weno5-z hllc" \
          "sweeps double weno5-js hll" "tile double weno5-js hll"; do
          read -r schedule precision reconstruction riemann <<<"$choice"
          if compute-sanitizer --tool $tool --error-exitcode 9 "$pack/bin/watersmeet" run bubble.toml --device gpu --quiet \
            --precision "$precision" --set "device.schedule=$schedule" --set "numerics.reconstruction=$reconstruction" \
            --set "numerics.riemann=$riemann" >"san.log" 2>&1; then
            result=clean
          else
            result=FAILED status=1
          fi
          echo "$tool  $choice  $result  $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' san.log | tail -n 1)"
          cat san.log >>"$out/sanitizer-multicomponent.log"
        done
      done
      ;;
    bench-multicomponent)
      "$pack/bin/watersmeet" bench multicomponent --output "$out/multicomponent.json" 2>&1 | tee "$out/bench-multicomponent.txt"
      status=$?
      ;;
    bench)
      "$pack/bin/watersmeet" bench isothermal --output "$out/isothermal.json" 2>&1 | tee "$out/bench.txt"
      status=$?
      ;;
    profile)
      ncu --clock-control none --set basic --section MemoryWorkloadAnalysis --section WarpStateStats -k regex:cell_ring -c 4 \
        "$pack/bin/watersmeet" bench isothermal --cells 512 --repeats 1 --output profile.json >"$out/profile.txt" 2>&1
      status=$?
      grep -E "cell_ring|Duration|Registers|Throughput|Stall|Hit Rate|Occupancy" "$out/profile.txt" | head -n 60
      ;;
    *)
      echo "unknown word $word" >&2
      exit 2
      ;;
  esac
  summary+=$(printf '%-10s exit %d   %d s' "$word" "$status" $((SECONDS - begin)))$'\n'
done
echo "$summary"
