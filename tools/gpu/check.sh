#!/usr/bin/env bash
# On a machine with a GPU, from a folder made by tools/gpu/pack.sh: tests, then memory and race checks, then the benchmark table.
#   tools/gpu/check.sh PACK OUT [tests] [parallel] [sanitizer] [sanitizer-SYSTEM] [bench] [bench-SYSTEM] [profile]
# without words: tests, sanitizers and benchmarks of all systems; without SYSTEM: isothermal
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
words="${*:-tests sanitizer sanitizer-multicomponent sanitizer-boussinesq sanitizer-shallow_water sanitizer-atmosphere
  bench bench-multicomponent bench-boussinesq bench-shallow_water bench-atmosphere}"
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
cd "$(mktemp -d)" || exit 1

declare -A case_of choices_of
# Small cases with something of everything, and the settings with which each is run: one a line, words of --set.
case_of[isothermal]='[case]
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
overview = false'
choices_of[isothermal]='device.schedule=ring numerics.precision=single
device.schedule=ring numerics.precision=double
device.schedule=ring numerics.precision=double numerics.method=19-point
device.schedule=direct numerics.precision=double'

case_of[multicomponent]='[case]
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
overview = false'
# both schedules; both variants with a WENO5 of their own, and the general one; the limiter
choices_of[multicomponent]='device.schedule=sweeps numerics.precision=single
device.schedule=tile numerics.precision=single
device.schedule=sweeps numerics.precision=double numerics.reconstruction=weno5-z
device.schedule=tile numerics.precision=double numerics.reconstruction=weno5-z
device.schedule=sweeps numerics.precision=double numerics.riemann=hll numerics.positivity=strict
device.schedule=tile numerics.precision=double numerics.riemann=hll'

case_of[boussinesq]='[case]
system = "boussinesq"
[grid]
cells = [48, 24, 18]
lower = [-1, -0.5, -0.5]
upper = [1, 0.5, 0.5]
[physics]
rayleigh = 1e6
prandtl = 0.71
[time]
steps = 3
[[initial]]
temperature = "-z"
noise = { amplitude = 1e-2, seed = 7 }
[boundary]
x = "periodic"
y = "no_slip"
z_lower = { kind = "no_slip", temperature = 0.5 }
z_upper = { kind = "no_slip", temperature = "-0.5 + 0.1*sin(t)" }
[output]
every_steps = 2
series_every_steps = 1
overview = false'
choices_of[boussinesq]='device.schedule=ring numerics.precision=double numerics.pressure.solver=fft
device.schedule=direct numerics.precision=single numerics.pressure.solver=gemm
device.schedule=ring numerics.precision=double numerics.pressure.solver=mg
device.schedule=direct numerics.precision=double numerics.pressure.solver=mgcg'

case_of[shallow_water]='[case]
system = "shallow_water"
[grid]
cells = [70, 45, 1]
upper = [70, 45, 1]
[physics]
bed = "1.2*sin(x/4)*cos(y/5) - 1.5"
coriolis = { f = 0.02 }
friction = { manning = 0.02 }
[time]
steps = 3
cfl = 0.7
[[initial]]
surface = "0.2*exp(-((x - 20)^2 + (y - 20)^2)/40)"
[boundary]
x_lower = { kind = "level", surface = "0.1*sin(t)" }
x_upper = { kind = "far", surface = 0 }
y_upper = "open"
[output]
every_steps = 2
series_every_steps = 1
fields = ["surface", "velocity", "potential_vorticity", "bed"]
overview = false'
# the three variants of the march
choices_of[shallow_water]='numerics.precision=single numerics.reconstruction.kappa=0
numerics.precision=double numerics.reconstruction.kappa=0
numerics.precision=double numerics.reconstruction.transverse=-0.04
numerics.precision=single numerics.reconstruction.transverse=-0.04
numerics.precision=double numerics.wet_dry=true'

case_of[atmosphere]='[case]
system = "atmosphere"
[grid]
cells = [37, 14, 13]
upper = [3700, 1400, 1300]
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
wind = [8, 3, 0]
coriolis = { f = 1e-3 }
sponge.top = { width = 500 }
sponge.x = { width = 300 }
[time]
steps = 3
[[initial]]
theta = "2*exp(-((x - 900)^2 + (y - 600)^2 + (z - 600)^2)/300^2)"
[boundary]
x_lower = "open"
y = "periodic"
[output]
every_steps = 2
series_every_steps = 1
fields = ["theta_perturbation", "velocity", "height"]
overview = false'
# flat, over terrain and viscous
choices_of[atmosphere]='numerics.precision=single numerics.riemann=ausm
numerics.precision=double numerics.riemann=hllc
numerics.precision=single physics.terrain=100
numerics.precision=double physics.terrain=100
numerics.precision=double physics.viscosity=10
numerics.precision=single physics.viscosity=10'

sanitize() { # SYSTEM: sets status
  local system=$1 tool choice sets word result
  status=0
  if [ -z "${case_of[$system]:-}" ]; then
    echo "no case for the sanitizers of $system" >&2
    exit 2
  fi
  printf '%s\n' "${case_of[$system]}" >"$system.toml"
  for tool in memcheck racecheck initcheck synccheck; do
    while read -r choice; do
      sets=()
      for word in $choice; do sets+=(--set "$word"); done
      if compute-sanitizer --tool $tool --error-exitcode 9 "$pack/bin/watersmeet" run "$system.toml" --device gpu --quiet "${sets[@]}" \
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
