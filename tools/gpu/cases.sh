# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by hybrid.sh and ranks.sh: small cases of every system, their runs and their comparison. Set before: `program`; `out` and `log`,
# the folder and the file there that take what commands print; `cases_folder`.
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
  { echo "== $name: $*" && cat check.log; } >>"$out/$log"
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
# A bubble at 4 km/s in water: the flux limiter acts on 2,665 cells in 8 steps.
file[limiter]=multicomponent
sets[limiter]="numerics.positivity=strict time.scheme=ssp-rk3 time.cfl=0.9 initial.2.velocity=[-4000,2500,0]"
# At the usual tolerance, 1e-10, the iteration leaves 3e-10 in rates of the temperature, and a GPU and a CPU differ by a tenth of that.
file[boussinesq-mg]=boussinesq sets[boussinesq-mg]="numerics.pressure.solver=mg numerics.pressure.tol_rel=1e-14"
# Large enough and so long that ranks have slabs whose ghosts the stages store on GPUs. The last one is periodic across the slabs, and nothing
# that it writes fills ghosts before the first step.
file[slabs-plane]=plane sets[slabs-plane]="grid.cells=[400,640,1] numerics.reconstruction.transverse=0"
file[slabs-box]=box sets[slabs-box]="grid.cells=[47,32,70]"
file[slabs-multicomponent]=multicomponent
sets[slabs-multicomponent]='grid.cells=[36,28,110] boundary.z_lower="periodic" boundary.z_upper="periodic" output.fields=["p"]'
cases="plane sphere box terrain hevi viscous globe globe-hevi isothermal mhd multicomponent limiter boussinesq boussinesq-mg blocks slabs-plane slabs-box slabs-multicomponent"
for name in $cases; do weights[$name]="given measured"; done
weights[boussinesq]="given measured near" weights[blocks]=""
whole[plane]="eta=1" whole[slabs-plane]="eta=1"
for name in box terrain hevi viscous slabs-box; do whole[$name]="rho=0.9 energy=1.6e5"; done
for name in globe globe-hevi; do whole[$name]="rho=0.25 energy=4e4"; done

run() { # CASE FOLDER WORDS...: with $precision, else double
  local name=$1 folder=$2 words
  shift 2
  read -ra words <<<"${sets[$name]:-}"
  "$program" run "$cases_folder/${file[$name]:-$name}.toml" --dir "$folder" --precision "${precision:-double}" "${words[@]/#/--set=}" "$@"
}
# Arrays of vectors are judged by the size of the vector, all by what `whole` says where that is larger.
judge() { # A B RANKS CPUS NAME=SIZE...: the ranks of B and how many of them are on CPUs; any for any number
  "$program" diff "$1" "$2" --json >difference.json || true # 1: there are differences
  python3 - "$2/run.json" "${@:3}" <<'P'
import json, sys
record, ranks, wanted_cpus = sys.argv[1:4]
size = {name: float(value) for name, value in (word.split("=") for word in sys.argv[4:])}
ends = [part for part in json.load(open("difference.json"))["comparisons"] if part["kind"] == "checkpoint"]
assert len(ends) == 1, "no checkpoints to compare"
text = [line for line in ends[0]["differences"] if line.startswith(("step", "grid", "array"))]
assert not text, text
fields = {field["name"]: field for field in ends[0]["fields"]}
assert fields and set(size) <= set(fields), (list(fields), size)
assert all(field["not_finite"] == 0 for field in fields.values()), fields
own = {name: f["max"] / f["max_relative"] if f["max_relative"] else 0.0 for name, f in fields.items()}
for vector in ("mx my mz", "mu mv mw", "hu hv", "u v w", "rate_before_u rate_before_v rate_before_w", "ux uy uz", "ax ay az"):
    if set(vector.split()) <= set(fields):
        size |= {name: max(own[n] for n in vector.split()) for name in vector.split()}
apart = {name: f["max"] / max(size.get(name, 0.0), own[name], 1e-300) for name, f in fields.items()}
devices = json.load(open(record))["devices"]
print("devices:", devices, "differences:", {name: float(f"{x:.2g}") for name, x in apart.items()})
cpus = sum(text.startswith("CPU") for text in devices)
assert ranks in ("any", str(len(devices))) and wanted_cpus in ("any", str(cpus)), devices
worst = max(apart, key=apart.get)
print(f"largest difference {apart[worst]:.2g} ({worst})")
sys.exit(not apart[worst] < 1e-12)
P
}
