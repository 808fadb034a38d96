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
cases_folder=$(realpath "$(dirname "$0")/cases")
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

# Of each case: its file in tools/gpu/cases, where that has another name; `sets`, what it changes there, words of --set; `whole`, how
# large the quantities are of which a checkpoint holds departures; `weights`: given (whether device.weights is taken), measured (whether
# speeds are measured without it), near (whether ranks of one kind agree to round-off only: columns of the pressure are solved for in
# sections, one a rank).
declare -A file sets whole weights
hill='physics.terrain=200*sin(x/300)*cos(2*pi*y/3200)'
for name in terrain hevi viscous; do file[$name]=box; done
sets[terrain]="$hill numerics.riemann=ausm"
sets[hevi]="${sets[terrain]} time.scheme=hevi"
sets[viscous]="$hill physics.viscosity=10"
file[globe-hevi]=globe sets[globe-hevi]="time.scheme=hevi"
# At the usual tolerance, 1e-10, the iteration leaves 3e-10 in rates of the temperature, and a GPU and a CPU differ by a tenth of that.
file[boussinesq-mg]=boussinesq sets[boussinesq-mg]="numerics.pressure.solver=mg numerics.pressure.tol_rel=1e-14"
cases="plane sphere box terrain hevi viscous globe globe-hevi isothermal multicomponent boussinesq boussinesq-mg blocks"
for name in $cases; do weights[$name]="given measured"; done
weights[boussinesq]="given measured near" weights[blocks]=""
whole[plane]="eta=1"
for name in box terrain hevi viscous; do whole[$name]="rho=0.9 energy=1.6e5"; done
for name in globe globe-hevi; do whole[$name]="rho=0.25 energy=4e4"; done

run() { # CASE FOLDER WORDS...
  local name=$1 folder=$2 words
  shift 2
  read -ra words <<<"${sets[$name]:-}"
  "$program" run "$cases_folder/${file[$name]:-$name}.toml" --dir "$folder" --precision double "${words[@]/#/--set=}" "$@"
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
