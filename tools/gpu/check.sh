#!/usr/bin/env bash
# On a machine with a GPU, from a folder made by tools/gpu/pack.sh: tests, then memory and race checks, then the benchmark table.
#   tools/gpu/check.sh PACK OUT [tests] [parallel] [sanitizer] [sanitizer-SYSTEM] [bench] [bench-SYSTEM] [profile]
# without words: tests, sanitizers and benchmarks of all systems; without SYSTEM: isothermal
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
cases=$(realpath "$(dirname "$0")/cases")
words="${*:-tests sanitizer sanitizer-mhd sanitizer-multicomponent sanitizer-boussinesq sanitizer-shallow_water sanitizer-atmosphere sanitizer-aerodynamics
  bench bench-mhd bench-multicomponent bench-boussinesq bench-shallow_water bench-atmosphere bench-aerodynamics}"
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
cd "$(mktemp -d)" || exit 1

declare -A case_of sizes_of choices_of
# Small cases with something of everything, of tools/gpu/cases, and the settings with which each is run: one a line, words of --set.
case_of[isothermal]=isothermal sizes_of[isothermal]='grid.cells=[40,24,18] output.spectra_every_steps=2'
choices_of[isothermal]='device.schedule=ring numerics.precision=single
device.schedule=ring numerics.precision=double
device.schedule=ring numerics.precision=double numerics.method=19-point
device.schedule=direct numerics.precision=double'

case_of[mhd]=mhd sizes_of[mhd]='grid.cells=[40,24,18] output.spectra_every_steps=2'
# the kernels of both precisions and both sets of equations; in double precision threads keep values of their own
choices_of[mhd]='device.schedule=ring numerics.precision=single
device.schedule=ring numerics.precision=double
device.schedule=ring numerics.precision=single physics.energy=entropy
device.schedule=ring numerics.precision=double physics.energy=entropy
device.schedule=ring numerics.precision=double physics.energy=entropy physics.hyperviscosity=1e-8 numerics.upwind=["rho","velocity"]
device.schedule=direct numerics.precision=double'

case_of[multicomponent]=multicomponent sizes_of[multicomponent]='grid.cells=[40,24,18]'
# both variants with a WENO5 of their own, and the general one; the limiter
choices_of[multicomponent]='numerics.precision=single
numerics.precision=double numerics.reconstruction=weno5-z
numerics.precision=double numerics.riemann=hll numerics.positivity=strict'

case_of[boussinesq]=boussinesq sizes_of[boussinesq]='grid.cells=[48,24,18]'
choices_of[boussinesq]='device.schedule=ring numerics.precision=double numerics.pressure.solver=fft
device.schedule=direct numerics.precision=single numerics.pressure.solver=gemm
device.schedule=ring numerics.precision=double numerics.pressure.solver=mg
device.schedule=direct numerics.precision=double numerics.pressure.solver=mgcg'

case_of[shallow_water]=plane sizes_of[shallow_water]='grid.cells=[70,45,1]'
# the three variants of the march
choices_of[shallow_water]='numerics.precision=single numerics.reconstruction.transverse=0
numerics.precision=double numerics.reconstruction.transverse=0
numerics.precision=double
numerics.precision=single
numerics.precision=double numerics.reconstruction.transverse=0 numerics.wet_dry=true'

case_of[atmosphere]=box sizes_of[atmosphere]='grid.cells=[37,14,13]'
# flat, over terrain and viscous
choices_of[atmosphere]='numerics.precision=single numerics.riemann=ausm
numerics.precision=double numerics.riemann=hllc
numerics.precision=single physics.terrain=100
numerics.precision=double physics.terrain=100
numerics.precision=double physics.viscosity=10
numerics.precision=single physics.viscosity=10'

case_of[aerodynamics]=blocks sizes_of[aerodynamics]=''
# order 1, and each schedule
choices_of[aerodynamics]='numerics.precision=double numerics.order=1
numerics.precision=double device.schedule=cubes
numerics.precision=single device.schedule=direct
numerics.precision=double numerics.order=3 device.schedule=march'

sanitize() { # SYSTEM: sets status
  local system=$1 tool choice sets result
  status=0
  if [ -z "${case_of[$system]:-}" ]; then
    echo "no case for the sanitizers of $system" >&2
    exit 2
  fi
  for tool in memcheck racecheck initcheck synccheck; do
    while read -r choice; do
      read -ra sets <<<"time.steps=3 output.every_steps=2 output.series_every_steps=1 ${sizes_of[$system]} $choice"
      if compute-sanitizer --tool $tool --error-exitcode 9 "$pack/bin/watersmeet" run "$cases/${case_of[$system]}.toml" --device gpu --quiet "${sets[@]/#/--set=}" \
        </dev/null >san.log 2>&1; then
        result=clean
      else
        result=FAILED status=1
      fi
      echo "$tool  $choice  $result  $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' san.log | tail -n 1)"
      cat san.log >>"$out/sanitizer-$system.log"
    done <<<"${choices_of[$system]}"
  done
}

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
    sanitizer | sanitizer-*)
      system=${word#sanitizer} system=${system#-}
      sanitize "${system:-isothermal}"
      ;;
    bench | bench-*)
      system=${word#bench} system=${system#-} system=${system:-isothermal}
      "$pack/bin/watersmeet" bench "$system" --output "$out/$system.json" 2>&1 | tee "$out/bench-$system.txt"
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
