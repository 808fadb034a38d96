"""Runs of aerodynamics on three grids and their limits: coefficients of sections, balance and forces of the glider.

    python3 validation/aerodynamics/study.py sections CASE.toml --cells 64x32 128x64 256x128 [flags]
    python3 validation/aerodynamics/study.py glider CASE.toml --sizes 720k 1500k [flags]

Flags: --watersmeet PROGRAM, --work FOLDER, --set KEY=VALUE (repeatable), and those of `watersmeet run`: --device, --threads.
It prints a table in Markdown. Richardson: with f1, f2, f3 on grids of spacings 4, 2, 1 the observed order is
log2((f1 - f2)/(f2 - f3)) and the limit f3 + (f3 - f2)/(2^order - 1), given where the differences have one sign and fall.
For four grids or more, in any ratio: the least-squares fit of f = limit + a h^order, given for orders between 0.25 and 4, and
the root mean square deviation of the values from it.
Needs only Python 3.11.
"""

from __future__ import annotations

import argparse
import csv
import math
import subprocess
import tomllib
from pathlib import Path


def richardson(coarse: float, middle: float, fine: float):
    """Observed order and limit of three values, or None where they do not converge monotonically."""
    before, after = middle - coarse, fine - middle
    if after == 0 or before / after <= 1:
        return None
    order = math.log2(before / after)
    return order, fine + after / (2**order - 1)


def power_law(spacings: list[float], values: list[float]):
    """Order, limit and what is left of the least squares of value = limit + a spacing^order; None where no order between fits best."""
    best = None
    orders = [0.25 + 0.005 * n for n in range(751)]
    for order in orders:
        x = [h**order for h in spacings]
        mean_x, mean_y = sum(x) / len(x), sum(values) / len(x)
        slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, values)) / sum((a - mean_x) ** 2 for a in x)
        limit = mean_y - slope * mean_x
        off = math.sqrt(sum((limit + slope * a - b) ** 2 for a, b in zip(x, values)) / len(x))
        if best is None or off < best[2]:
            best = order, limit, off
    return None if best[0] in (orders[0], orders[-1]) else best


def run(options, settings: dict, name: str) -> tuple[dict, dict]:
    """The last row of the series of a run of the case with these keys, and its settings."""
    folder = Path(options.work) / name
    command = [options.watersmeet, "run", options.case, "--dir", str(folder), "--quiet"]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    for extra in options.set:
        command += ["--set", extra]
    for flag in ("device", "threads"):
        if getattr(options, flag):
            command += [f"--{flag}", str(getattr(options, flag))]
    subprocess.run(command, check=True)
    with open(folder / "series.csv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    resolved = tomllib.loads((folder / "resolved.toml").read_text(encoding="utf-8"))
    return {name: float(value) for name, value in rows[-1].items()}, resolved


def row(*cells) -> None:
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def sections(options) -> None:
    names = ("cl", "cd", "cm")
    found = []
    row("cells", "Cl", "Cd", "Cm", "log10 residual", "cycles", "supersonic nodes", "enthalpy error")
    row(*["---"] * 8)
    for cells in options.cells:
        around, outward = cells.split("x")
        last, _ = run(options, {"grid.mesh.cells": f"[{around}, {outward}]"}, f"section-{cells}")
        found.append(last)
        row(around + " x " + outward, *(f"{last[n]:.6f}" for n in names), f"{last['log_residual']:.2f}", int(last["step"]),
            int(last["supersonic"]), f"{last['enthalpy_error']:.1e}")
    sizes = [int(cells.split("x")[0]) for cells in options.cells]
    if len(found) > 3:
        limits = [power_law([1 / n for n in sizes], [f[name] for f in found]) for name in names]
    elif len(found) == 3 and 4 * sizes[0] == 2 * sizes[1] == sizes[2]:
        limits = [richardson(*(f[name] for f in found)) for name in names]
    else:
        return
    row("observed order", *(f"{r[0]:.2f}" if r else "none" for r in limits), "", "", "", "")
    row("limit", *(f"{r[1]:.6f}" if r else "none" for r in limits), "", "", "", "")
    if len(found) > 3:
        row("rms deviation", *(f"{r[2]:.1e}" if r else "" for r in limits), "", "", "", "")


def glider(options) -> None:
    row("size", "log10 residual", "cycles", "Cl", "Cd", "net mass flux", "net energy flux", "limited states")
    row(*["---"] * 8)
    for size in options.sizes:
        last, settings = run(options, {"grid.mesh.size": f'"{size}"'}, f"glider-{size}")
        # Over what flows in through the area of reference: M A for the mass, M A H for the energy.
        mach, gamma = settings["physics"]["freestream"]["mach"], settings["physics"]["gamma"]
        inflow = mach * settings["output"]["forces"]["area"]
        enthalpy = 1 / (gamma - 1) + 0.5 * mach**2
        row(size, f"{last['log_residual']:.2f}", int(last["step"]), f"{last['cl']:.6f}", f"{last['cd']:.6f}",
            f"{last['flux_mass'] / inflow:.1e}", f"{last['flux_energy'] / (inflow * enthalpy):.1e}", int(last["limited"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("sections", "glider"))
    parser.add_argument("case")
    parser.add_argument("--cells", nargs="+", default=["64x32", "128x64", "256x128"])
    parser.add_argument("--sizes", nargs="+", default=["720k", "1500k"])
    parser.add_argument("--watersmeet", default="watersmeet")
    parser.add_argument("--work", default="runs")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--device")
    parser.add_argument("--threads")
    options = parser.parse_args()
    {"sections": sections, "glider": glider}[options.what](options)


if __name__ == "__main__":
    main()
