"""Runs the Taylor-Green vortex at Re = 1600 in several ways, and lays the error of each beside the seconds that it took.

    python3 bench/time_to_answer.py PROGRAM FOLDER [--seconds S] [--only WORDS] [--cells N,N] [--gather FILE]

What is varied: points per side, precision, method (55 or 19 points), Runge-Kutta scheme, advection (central or of 5th order upwind) and Mach number;
`variants` lists it. The error is the largest |dissipation - reference| up to t = 10 over the largest dissipation of the reference,
validation/data/taylor-green-re1600-spectral-384.csv: an incompressible pseudo-spectral solution on 384^3 points
(validation/reference/taylor_green_spectral.py). The seconds are those of the run without its output, from telemetry.jsonl; the watts are the mean power of the GPU meanwhile. Central differences on
coarse grids end early with status 4 or values that are no numbers: their error is missing.

FOLDER/NAME.json has a result, so that the same command goes on where it was stopped; several may run at once, each on a GPU of its own
(CUDA_VISIBLE_DEVICES). No run is begun after --seconds. --only: variants whose name has all the words. --gather FILE: no runs; all results of FOLDER
as one file, which `--draw FILE PICTURE` reads:

    python3 bench/time_to_answer.py --draw bench/results/nvidia-h100/time-to-answer.json docs/time-to-answer.png
"""
import argparse
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

root = Path(__file__).resolve().parents[1]
reference = root / "validation/data/taylor-green-re1600-spectral-384.csv"
CELLS = 64, 96, 128, 192, 256, 384, 512


def variants(cells=CELLS):
    """(name, settings) of each run, the cheap ones first."""
    runs = []
    for n, precision, (method, scheme), upwind in itertools.product(
            cells, ("single", "double"), (("55-point", "rk3-williamson"), ("55-point", "rk4-carpenter-kennedy"), ("19-point", "rk3-williamson")), (True, False)):
        if upwind and n > 256 or not upwind and n < 96:
            continue  # upwind differences are for coarse grids; on 64^3 central ones end early
        runs.append((n, precision, method, scheme, upwind, 0.1))
    runs += [(n, "double", "55-point", "rk3-williamson", False, 0.05) for n in cells if n == 256]
    for n, precision, method, scheme, upwind, mach in runs:
        name = f"{n}-{precision}-{method[:2]}-{scheme[:3]}-{'upwind' if upwind else 'central'}" + ("" if mach == 0.1 else f"-mach{mach}")
        yield name, {"grid.cells": [n, n, n], "numerics.precision": precision, "numerics.method": method, "time.scheme": scheme,
                     "numerics.upwind": ["rho", "velocity"] if upwind else [], "constants.M": mach, "physics.sound_speed": 1 / mach,
                     # five stages allow steps about twice as long as three
                     **({"time.cfl": 1.7, "time.cfl_viscous": 0.45} if scheme.startswith("rk4") else {})}


def error_of(folder):
    """Largest deviations of dissipation and kinetic energy up to t = 10, over the largest of the reference; None where the run ended before."""
    rows = np.genfromtxt(folder / "series.csv", delimiter=",", names=True, comments="#")
    if rows["t"][-1] < 10 - 1e-9 or not np.all(np.isfinite(rows["dissipation"])):
        return None, None
    t, energy, dissipation = np.loadtxt(reference, usecols=(0, 1, 2), unpack=True)
    inside = t <= 10
    return tuple(float(np.max(np.abs(np.interp(t, rows["t"], rows[name]) - known)[inside]) / np.max(known))
                 for name, known in (("dissipation", dissipation), ("kinetic_energy", energy)))


class Power:
    """The mean power of a GPU in W while a block runs, sampled twice a second by nvidia-smi; None where it has less than ten samples."""

    def __enter__(self):
        self.samples, self.ended = [], threading.Event()
        self.thread = threading.Thread(target=self.sample)
        self.thread.start()
        return self

    def sample(self):
        command = ["nvidia-smi", "-i", os.environ.get("CUDA_VISIBLE_DEVICES", "0"), "--query-gpu=power.draw", "--format=csv,noheader,nounits"]
        while not self.ended.wait(0.5):
            try:
                self.samples.append(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
            except (OSError, ValueError, subprocess.CalledProcessError):
                return

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def mean(self):
        return sum(self.samples) / len(self.samples) if len(self.samples) >= 10 else None


def one_run(program, place, name, settings):
    words = ["--set", "output.overview=false", "--set", "output.every=100", "--set", "output.spectra_every=100", "--set", "output.series_every_steps=20"]
    for key, value in settings.items():
        words += ["--set", f"{key}={json.dumps(value)}"]
    device = ["--device", os.environ.get("ANSWER_DEVICE", "gpu")]
    with Power() as power:
        ended = subprocess.run([program, "run", str(root / "examples/taylor-green/case.toml"), "--dir", str(place), "--quiet", *device, *words],
                               capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in (place / "telemetry.jsonl").read_text().splitlines()] if (place / "telemetry.jsonl").exists() else [{}]
    last = next((line for line in reversed(lines) if "wall" in line), {})
    errors = error_of(place) if ended.returncode == 0 else (None, None)
    if ended.returncode not in (0, 4) and not last:
        sys.exit(f"{name}: {ended.stderr}")
    header = lines[0].get("header", {})
    return {"name": name, "settings": settings, "status": ended.returncode, "t": last.get("t"), "steps": last.get("step"),
            "seconds": last and last["wall"] - last["io_s"], "error_of_dissipation": errors[0], "error_of_energy": errors[1], "watts": power.mean(),
            "commit": header.get("commit"), "device": header.get("device")}


def draw(results, picture):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.6), sharey=True, layout="constrained")
    made = json.loads(Path(results).read_text())["results"]
    for axis, precision in zip(axes, ("single", "double")):
        for (method, scheme), marker in zip(itertools.product(("55-point", "19-point"), ("rk3-williamson", "rk4-carpenter-kennedy")), "osv^"):
            for upwind in (False, True):
                mine = [row for row in made if row["error_of_dissipation"] and row["settings"]["constants.M"] == 0.1
                        and (row["settings"]["numerics.precision"], row["settings"]["numerics.method"], row["settings"]["time.scheme"],
                             bool(row["settings"]["numerics.upwind"])) == (precision, method, scheme, upwind)]
                if not mine:
                    continue
                mine.sort(key=lambda row: row["seconds"])
                axis.loglog([row["seconds"] for row in mine], [row["error_of_dissipation"] for row in mine], marker=marker, linestyle="--" if upwind else "-",
                            label=f"{method}, {scheme[:3].upper()}, {'upwind' if upwind else 'central'}")
                if (method, scheme) == ("55-point", "rk3-williamson"):
                    for row in mine:
                        axis.annotate(f"${row['settings']['grid.cells'][0]}^3$", (row["seconds"], row["error_of_dissipation"]), textcoords="offset points", xytext=(4, 4))
        axis.set(title=f"{precision} precision", xlabel="seconds of one GPU")
        axis.grid(True, which="both", linewidth=0.3)
    axes[0].set_ylabel("largest error of the dissipation / its peak")
    axes[1].legend(fontsize="small")
    figure.savefig(picture, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--only", default="")
    parser.add_argument("--cells", default=",".join(map(str, CELLS)))
    parser.add_argument("--gather", type=Path)
    parser.add_argument("--draw", nargs=2, metavar=("FILE", "PICTURE"))
    options = parser.parse_args()
    if options.draw:
        draw(*options.draw)
        return
    if options.folder is None:
        parser.error("a program and a folder are needed")
    order = {name: at for at, (name, _) in enumerate(variants())}
    if options.gather:
        results = sorted((json.loads(path.read_text()) for path in options.folder.glob("*.json")), key=lambda row: order.get(row["name"], 0))
        first = results[0]  # others may be of later commits
        options.gather.write_text(json.dumps({"command": "python3 bench/time_to_answer.py PROGRAM FOLDER", "commit": first["commit"], "device": first["device"],
                                              "date": time.strftime("%Y-%m-%d"), "results": results}, indent=1) + "\n")
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    for name, settings in variants(tuple(map(int, options.cells.split(",")))):
        place = options.folder / name
        if not all(word in name.split("-") for word in options.only.split()) or (options.folder / f"{name}.json").exists():
            continue
        if time.monotonic() - begin > options.seconds:
            print("more to do")
            return
        try:
            place.mkdir()  # another process may have taken it
        except FileExistsError:
            continue
        row = one_run(options.program, place / "run", name, settings)
        (options.folder / f"{name}.json").write_text(json.dumps(row, indent=1) + "\n")
        print(name, row["status"], row["steps"], row["seconds"], row["error_of_dissipation"], flush=True)


if __name__ == "__main__":
    main()
