#!/usr/bin/env bash
# A GPU and CPU ranks in one run, from a folder made by tools/gpu/pack.sh: a small case of each kind of grid on one GPU, on one CPU
# rank, on a GPU beside one CPU rank and beside two, by given weights and by measured ones. The last checkpoints are compared array by
# array: the difference is to be below 1e-12 of the whole quantity, which is the total density where its departure is stored.
#   tools/gpu/hybrid.sh PACK OUT [cpu] [CASE]...
# The word cpu puts a CPU rank in the place of the GPU; all bits must be equal then, but for those of boussinesq.
# $WATERSMEET_BINARY takes the place of the program of PACK, which may be the source tree then.
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
device=gpu
[[ ${1:-} != cpu ]] || { device=cpu && shift; }
chosen=" $* "
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
program=${WATERSMEET_BINARY:-$pack/bin/watersmeet}
place=$(mktemp -d)
cd "$place" || exit 1
passed=0 failed=0
check() { # NAME COMMAND...
  local name=$1 begin=$SECONDS
  shift
  if "$@" >check.log 2>&1; then
    passed=$((passed + 1))
    echo "ok      $name ($((SECONDS - begin)) s)  $(grep -h "^largest\|cells a rank\|left out" check.log | tr '\n' ' ')"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    tail -n 15 check.log
  fi
  { echo "== $name: $*" && cat check.log; } >>"$out/hybrid.log"
}

# Of each case: its text; `whole`, how large the quantities are of which a checkpoint holds departures; `weights`: given (whether
# device.weights is taken), measured (whether speeds are measured without it), near (whether ranks of one kind agree to round-off only:
# columns of the pressure are solved for in sections, one a rank).
declare -A text whole weights
output='[output]
overview = false
every_steps = 1000'
text[isothermal]='[case]
system = "isothermal"
[grid]
cells = [48, 40, 56]
[physics]
viscosity = 1e-3
[forcing]
kind = "helical"
amplitude = 0.05
k_min = 1
k_max = 2
[time]
steps = 20
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]'
weights[isothermal]="given measured"

text[plane]='[case]
system = "shallow_water"
[grid]
cells = [150, 130, 1]
upper = [150, 130, 1]
[physics]
bed = "sin(x/4)*cos(y/5) - 1.5"
coriolis = { f = 0.02, beta = 1e-4 }
friction = { manning = 0.02 }
[numerics]
reconstruction = { transverse = "-1/24" }
[time]
steps = 10
cfl = 0.7
[[initial]]
surface = "0.2*exp(-((x - 65)^2 + (y - 60)^2)/40)"
[boundary]
x_lower = { kind = "level", surface = "0.1*sin(t + y/9)" }
x_upper = { kind = "far", surface = 0 }
y_lower = "wall"
y_upper = "open"'
whole[plane]="eta=1" weights[plane]="given measured"

text[sphere]='[case]
system = "shallow_water"
[grid]
kind = "cubed_sphere"
cells = 37
[physics]
bed = "800 + 700*sin(5*lon)*cos(3*lat)*cos(lat)"
friction = { linear = 1e-5 }
[numerics]
reconstruction = { transverse = "-1/24" }
[time]
steps = 10
[[initial]]
surface = "8000 + 200*cos(3*lon)*cos(lat)^3 + 100*sin(2*lat)"
velocity = ["40*cos(lat) + 10*sin(2*lon)*cos(lat)^2", "10*cos(lon)*sin(2*lat)", 0]'
weights[sphere]="given measured"

# Density and energy of the air at the lid, where they are smallest.
box='[case]
system = "atmosphere"
[grid]
cells = [47, 32, 21]
upper = [4700, 3200, 2100]
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
wind = [8, 3, 0]
coriolis = { f = 1e-3 }
sponge.top = { width = 500 }
sponge.x = { width = 300 }
[time]
steps = 8
[[initial]]
theta = "2*exp(-((x - 1900)^2 + (y - 1600)^2 + (z - 600)^2)/300^2)"
[boundary]
x_lower = "open"
y = "periodic"'
hill='"200*sin(x/300)*cos(2*pi*y/3200)"'
text[box]="$box"
text[terrain]="${box/\[physics\]/[physics]$'\n'terrain = $hill}
[numerics]
riemann = \"ausm\""
text[hevi]="${text[terrain]/\[time\]/[time]$'\n'scheme = \"hevi\"}"
text[viscous]="${box/\[physics\]/[physics]$'\n'terrain = $hill$'\n'viscosity = 10}"
globe='[case]
system = "atmosphere"
[grid]
kind = "cubed_sphere"
cells = [19, 19, 9]
radius = 60e3
top = 12e3
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
rotation = { rate = 1e-3 }
terrain = "1000*(1 + cos(4*lon)*cos(lat)^2*sin(3*lat))"
[time]
steps = 8
[[initial]]
theta = "2*cos(lat)^2*cos(lon - 1)*sin(pi*z/12000)"
velocity = ["20*cos(lat) + 5*sin(2*lon)*cos(lat)^2", "5*sin(2*lat)*cos(lon)", 0]'
text[globe]="$globe"
text[globe-hevi]="${globe/\[time\]/[time]$'\n'scheme = \"hevi\"}"
for name in box terrain hevi viscous; do whole[$name]="rho=0.9 energy=1.6e5"; done
for name in globe globe-hevi; do whole[$name]="rho=0.25 energy=4e4"; done
for name in box terrain hevi viscous globe globe-hevi; do weights[$name]="given measured"; done

text[multicomponent]='[case]
system = "multicomponent"
units = "SI"
[grid]
cells = [64, 32, 32]
upper = [1.25e-3, 0.625e-3, 0.625e-3]
[physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8, density = 1000.0 }
air = { gamma = 1.4, density = 1.204 }
[time]
steps = 8
[[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
shape = { kind = "shock", x = 0.25e-3, side = "lower", pressure_jump = 4e7 }
[[initial]]
fluid = "air"
shape = { kind = "sphere", centre = [0.6e-3, 0.3e-3, 0.3e-3], radius = 0.2e-3 }
[boundary]
x_lower = "inflow"
x_upper = { kind = "nonreflecting", pressure = 1e5 }
y = "periodic"
z_lower = "symmetry"'
weights[multicomponent]="given measured"

text[boussinesq]='[case]
system = "boussinesq"
[grid]
cells = [48, 32, 40]
lower = [-1, -0.5, -0.5]
upper = [1, 0.5, 0.5]
[physics]
rayleigh = 1e6
prandtl = 0.71
[time]
steps = 8
[[initial]]
temperature = "-z"
velocity = ["0.1*sin(pi*x)*cos(2*pi*z)", 0, "0.1*cos(pi*x)*cos(pi*z)"]
[boundary]
x = "periodic"
y = "no_slip"
z_lower = { kind = "no_slip", temperature = 0.5 }
z_upper = { kind = "no_slip", temperature = "-0.5 + 0.1*sin(t)" }'
weights[boussinesq]="given near"

# Blocks are shared out whole, by their nodes.
text[blocks]='[case]
system = "aerodynamics"
[grid]
mesh = { kind = "wavybox", cells = [39, 22], blocks = [3, 2], seed = 2 }
[physics]
freestream = { mach = 0.5, alpha_deg = 20 }
[numerics]
order = 4
[time]
mode = "unsteady"
steps = 12
[[initial]]
flow = { kind = "vortex", centre = [4, 4.5, 0], strength = 0.2 }
[boundary]
outer = "exact"'
weights[blocks]=""
cases="plane sphere box terrain hevi viscous globe globe-hevi isothermal multicomponent boussinesq blocks"

run() { # CASE FOLDER WORDS...
  local name=$1 folder=$2
  shift 2
  "$program" run "$name.toml" --dir "$folder" --precision double "$@"
}
# Arrays of vectors are judged by the size of the vector, all by what `whole` says where that is larger.
judge() { # A B RANKS NAME=SIZE...: RANKS of B, 0 for any number
  "$program" diff "$1" "$2" --json >difference.json || true # 1: there are differences
  python3 - "$device" "$2/run.json" "${@:3}" <<'P'
import json, sys
device, record, ranks = sys.argv[1:4]
size = {name: float(value) for name, value in (word.split("=") for word in sys.argv[4:])}
ends = [part for part in json.load(open("difference.json"))["comparisons"] if part["kind"] == "checkpoint"]
assert len(ends) == 1, "no checkpoints to compare"
text = [line for line in ends[0]["differences"] if line.startswith(("step", "grid", "array"))]
assert not text, text
fields = {field["name"]: field for field in ends[0]["fields"]}
assert fields and set(size) <= set(fields), (list(fields), size)
assert all(field["not_finite"] == 0 for field in fields.values()), fields
own = {name: f["max"] / f["max_relative"] if f["max_relative"] else 0.0 for name, f in fields.items()}
for vector in ("mx my mz", "mu mv mw", "hu hv", "u v w", "rate_before_u rate_before_v rate_before_w", "ux uy uz"):
    if set(vector.split()) <= set(fields):
        size |= {name: max(own[n] for n in vector.split()) for name in vector.split()}
apart = {name: f["max"] / max(size.get(name, 0.0), own[name], 1e-300) for name, f in fields.items()}
devices = json.load(open(record))["devices"]
print("devices:", devices, "differences:", {name: float(f"{x:.2g}") for name, x in apart.items()})
assert int(ranks) in (0, len(devices)), devices
cpus = sum(text.startswith("CPU") for text in devices)
assert device == "cpu" or int(ranks) < 2 or cpus == len(devices) - 1, devices
worst = max(apart, key=apart.get)
print(f"largest difference {apart[worst]:.2g} ({worst})")
sys.exit(not apart[worst] < 1e-12)
P
}
close() { # CASE A B RANKS
  # shellcheck disable=SC2086
  judge "$2" "$3" "$4" ${whole[$1]:-} && { [[ $device == gpu || ${weights[$1]} == *near* ]] || "$program" diff "$2" "$3"; }
}
beside() { # CPU RANKS: words for that many of them beside the first rank
  if [[ $device == gpu ]]; then
    echo "--gpus 1 --cpu-ranks $1"
  else
    echo "--device cpu --ranks $((1 + $1))"
  fi
}

for name in $cases; do
  [[ $chosen == "  " || $chosen == *" $name "* ]] || continue
  printf '%s\n%s\n' "${text[$name]}" "$output" >"$name.toml"
  one=$name-one
  shares_1=() shares_2=()
  if [[ ${weights[$name]} == *given* ]]; then
    shares_1=(--set "device.weights=[2,1]") shares_2=(--set "device.weights=[3,1,2]")
  fi
  check "$name: one ${device^^}" run "$name" "$one" --device "$device"
  if [[ $device == gpu ]]; then
    check "$name: one CPU rank" run "$name" "$name-cpu" --device cpu
    check "   the same answer" close "$name" "$one" "$name-cpu" 1
  fi
  # shellcheck disable=SC2046
  check "$name: beside a CPU rank" run "$name" "$name-1" $(beside 1) "${shares_1[@]}"
  check "   the same answer" close "$name" "$one" "$name-1" 2
  # shellcheck disable=SC2046
  check "$name: beside two CPU ranks" run "$name" "$name-2" $(beside 2) "${shares_2[@]}"
  check "   the same answer" close "$name" "$one" "$name-2" 3
  if [[ $device == gpu && ${weights[$name]} == *measured* ]]; then
    # shellcheck disable=SC2046
    check "$name: by measured weights" run "$name" "$name-measured" $(beside 1)
    check "   the same answer" close "$name" "$one" "$name-measured" 0
  fi
done
rm -rf "$place"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
