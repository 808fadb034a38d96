#!/usr/bin/env python3
"""Compares the seconds of a step that `watersmeet check` predicts on the CPU with those that runs take.

    tools/predicted_time.py --program PROGRAM [--program OLDER] [--precision single] [--threads 2] [--rounds 5] [CASE ...]

Each round checks and runs each case once, so that other work on the machine slows both alike. Prints for each case and program the median of predicted
over measured seconds with their range, and the median of the seconds that `check` took. Runs are of the first program, of about a second; their
step is the median over the rows of the telemetry but the first, which has the first use of the memory.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
CELLS = {  # of an example; none: as they are
    "taylor-green": "[128,128,128]",
    "magnetised-decay": "[128,128,128]",
    "helium-cylinder": "[2136,356,1]",
    "single-bubble": "[192,64,64]",
    "lock-exchange": "[128,128,128]",
    "shear-layer": "[1024,1024,1]",
    "baroclinic-wave": None,
    "density-current": "[2048,1,512]",
    "williamson-6": "384",
    "lake-at-rest": "[1500,1000,1]",
    "vortex": None,
}


def call(program, command, name, options, *words):
    keys = [f'numerics.precision="{options.precision}"'] + ([f"grid.cells={CELLS[name]}"] if CELLS[name] else [])
    line = [program, command, EXAMPLES / name / "case.toml", "--device", "cpu", "--threads", str(options.threads), *words]
    line += [word for key in keys for word in ("--set", key)]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def measured(name, options, steps, place):
    """Seconds of a step in a run of so many."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=place)) / name
    every = f"output.series_every_steps={max(1, steps // 6)}"
    call(options.program[0], "run", name, options, "--quiet", "--dir", folder, "--set", f"time.steps={steps}", "--set", every)
    rows = [json.loads(line) for line in (folder / "telemetry.jsonl").open()]
    grind = [row["grind_ns"] for row in rows if "grind_ns" in row]
    shutil.rmtree(folder.parent)
    return statistics.median(grind[1:] or grind) * 1e-9 * rows[0]["header"]["points"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", required=True, type=os.path.abspath)
    parser.add_argument("--precision", choices=["single", "double"], default="double")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("case", nargs="*", help=", ".join(CELLS))
    options = parser.parse_args()
    names = options.case or list(CELLS)
    found = {(name, program): [] for name in names for program in options.program}
    with tempfile.TemporaryDirectory() as place:
        for _ in range(options.rounds):
            for name in names:
                told = {}
                for program in options.program:
                    begin = time.monotonic()
                    told[program] = json.loads(call(program, "check", name, options, "--json"))["seconds_per_step"], time.monotonic() - begin
                step = measured(name, options, max(4, int(1 / told[options.program[0]][0])), place)
                for program, (predicted, taken) in told.items():
                    found[name, program].append((predicted / step, taken))
    for (name, program), rows in found.items():
        ratios, taken = zip(*rows)
        low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
        print(f"{name:18} {middle:.2f} ({low:.2f} to {high:.2f}), check {statistics.median(taken):.2f} s  {program}")


if __name__ == "__main__":
    main()
