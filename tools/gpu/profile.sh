#!/usr/bin/env bash
# On a machine with a GPU and Nsight Compute: what limits the kernels of a step, for the rows of docs/performance.md that have a goal.
#   tools/gpu/profile.sh PROGRAM OUT [NAME]...      NAME: the beginning of rows of the table below
# For each row the kernels that take a tenth of its time or more: milliseconds, registers, warps, how busy DRAM, second-level cache, shared memory and first-level cache, the pipes
# of fp64 and fp32, and the schedulers are, in percent of their peak, and what warps wait for most. OUT keeps the CSV of ncu.
set -uo pipefail
program=$(realpath "$1") out=$(realpath "$2")
shift 2
names=("${@:-}")
deadline=$((SECONDS + ${SECONDS_LEFT:-570}))
cd "$(mktemp -d)" || exit 1
while IFS='|' read -r name system words cells; do
  name=${name// /} system=${system// /} cells=${cells// /}
  words=$(sed 's/^ *//; s/ *$//' <<<"$words")
  chosen=no
  for n in "${names[@]}"; do [[ $name != "$n"* ]] || chosen=yes; done
  [[ $chosen == yes && $SECONDS -lt $deadline ]] || continue
  size=()
  [[ $cells == own ]] || size=(--cells "$cells")
  command=("$program" bench "$system" --device gpu --only "$words" "${size[@]}" --repeats 1 --seconds 0.001 --output "$name.json") skip=20 count=14
  if [[ $system == bench_* ]]; then # a program beside PROGRAM, which launches what the graph of a loop hides from ncu
    IFS=x read -r nx ny nz <<<"$cells"
    command=("$(dirname "$program")/$system" "$nx" "$ny" "$nz" 1) skip=0 count=40
  fi
  timeout 60 ncu --clock-control none --section SpeedOfLight --section ComputeWorkloadAnalysis --section MemoryWorkloadAnalysis --section WarpStateStats --section SchedulerStats \
    --section LaunchStats --section Occupancy --launch-skip $skip --launch-count $count --csv --page raw --log-file "$out/profile-$name.csv" \
    "${command[@]}" >"$out/profile-$name.log" 2>&1 ||
    { echo "$name: failed" && tail -n 3 "$out/profile-$name.log"; }
done <<'TABLE'
isothermal-single   | isothermal     | single 55-point ring stored         | 256x256x256
isothermal-double   | isothermal     | double 55-point ring two            | 256x256x256
mhd-single          | mhd            | single isothermal                   | 256x256x256
mhd-double          | mhd            | double isothermal                   | 256x256x256
mhd-entropy         | mhd            | double entropy                      | 256x256x256
multi-single        | multicomponent | single mpcf weno5-js early          | 256x256x256
multi-double        | multicomponent | double mpcf weno5-js early          | 256x256x256
boussinesq-fft      | boussinesq     | double fft ring                     | 384x384x192
boussinesq-mg       | boussinesq     | double mg ring                      | 384x384x192
multigrid           | bench_multigrid_cycle | -                            | 384x384x192
water-plane-single  | shallow_water  | single 9-point march                | 4096x4096x1
water-plane-double  | shallow_water  | double 9-point march                | 4096x4096x1
water-sphere        | shallow_water  | double 9-point march                | 1024x1024x6
air-flat            | atmosphere     | double flat lmars 13-point tile     | 1024x512x128
air-terrain         | atmosphere     | double terrain lmars 13-point tile  | 1024x512x128
air-sphere          | atmosphere     | double sphere lmars 13-point tile   | 1024x512x128
air-hevi            | atmosphere     | double flat-hevi                    | 484x232x116
wing-1              | aerodynamics   | double wavybox 1 1                  | 129x129x97
wing-3              | aerodynamics   | double glider15-1500k 3 1           | own
TABLE
python3 - "$out" <<'P'
import collections, csv, pathlib, re, statistics, sys
def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return float("nan")
for path in sorted(pathlib.Path(sys.argv[1]).glob("profile-*.csv")):
    lines = [line for line in path.read_text().splitlines() if line.startswith('"')]
    if len(lines) < 3:
        continue
    rows = list(csv.DictReader(lines))[1:]  # the first has units
    units = next(csv.DictReader(lines))
    columns = rows[0].keys()
    def column(*patterns):
        return next((c for p in patterns for c in columns if re.fullmatch(p, c)), None)
    time = column(r"gpu__time_duration\.sum")
    scale = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "nsecond": 1e-6, "usecond": 1e-3, "msecond": 1.0}[units[time]]
    wanted = {"dram": column(r"gpu__dram_throughput.*elapsed", r"dram__throughput.*elapsed"), "L2": column(r"lts__throughput.*elapsed", r"lts__t.*elapsed"),
              "L1": column(r"l1tex__throughput.*active", r"l1tex__.*throughput.*"), "shared": column(r"l1tex__data_pipe_lsu_wavefronts.*pct.*"),
              "fp64": column(r"sm__inst_executed_pipe_fp64\.avg\.pct.*", r"sm__pipe_fp64_cycles_active.*pct.*"), "fma": column(r"sm__inst_executed_pipe_fma\.avg\.pct.*", r"sm__pipe_fma_cycles_active.*pct.*"),
              "issue": column(r"smsp__issue_active\.avg\.pct.*", r"smsp__issue_inst0.*"), "warps": column(r"sm__warps_active\.avg\.pct.*"), "regs": column(r"launch__registers_per_thread")}
    stalls = {m[1]: c for c in columns if (m := re.fullmatch(r"smsp__average_warps_issue_stalled_(\w+?)_per_issue_active\.ratio", c)) and "not_issued" not in c}
    kernels = collections.defaultdict(list)
    for row in rows:
        kernels[re.search(r"(\w+)\W*$", re.split(r"[<(]", row["Kernel Name"].replace("(anonymous namespace)::", ""))[0])[1], row.get("Grid Size")].append(row)
    total = sum(number(r[time]) for r in rows)
    print(f"{path.stem[8:]}: {len(rows)} launches")
    for (kernel, grid), mine in sorted(kernels.items(), key=lambda item: -sum(number(r[time]) for r in item[1])):
        share = sum(number(r[time]) for r in mine) / total
        if share < 0.1:
            continue
        middle = lambda c: statistics.median(number(r[c]) for r in mine) if c else float("nan")
        worst = sorted(stalls, key=lambda s: -middle(stalls[s]))[:3]
        print(f"  {kernel[:34]:34s}{100 * share:4.0f} % {scale * middle(time):8.4f} ms  " + "  ".join(f"{k} {middle(c):.0f}" for k, c in wanted.items()) + "  stalls " + ", ".join(f"{s} {middle(stalls[s]):.1f}" for s in worst))
P
