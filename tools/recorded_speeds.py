#!/usr/bin/env python3
"""Fits the speeds of one device in src/run/recorded_speeds.cpp to the result files of bench/results.

Usage: recorded_speeds.py FOLDER    prints the rows of the table, each with the largest difference of the fit from its measurements

A right-hand side in n points takes seconds + n * seconds_per_point. Least squares of the relative differences, neither number below 0.
"""

import json
import math
import pathlib
import sys

# Row of the table, file, and what picks its measurements from the file: the method that a case has by default.
SOURCES = [
    ("isothermal", "isothermal.json", lambda r: r["schedule"] == "ring" and r["method"] == "55-point" and r["storage"] == ("two" if r["precision"] == "double" else "stored")),
    ("mhd", "mhd.json", lambda r: r["energy"] == "isothermal"),
    ("mhd entropy", "mhd.json", lambda r: r["energy"] == "entropy"),
    ("multicomponent", "multicomponent.json", lambda r: "weno5-js sweeps mpcf early" in text(r)),
    ("shallow_water", "shallow_water.json", lambda r: r["stencil"] == "9-point" and r["schedule"] == "march" and r["cells"][2] == 1),
    ("shallow_water sphere", "shallow_water.json", lambda r: r["stencil"] == "9-point" and r["cells"][2] == 6),
    ("atmosphere", "atmosphere*.json", lambda r: air(r, "flat")),
    ("atmosphere terrain", "atmosphere*.json", lambda r: air(r, "terrain")),
    ("atmosphere sphere", "atmosphere*.json", lambda r: air(r, "sphere")),
    ("atmosphere hevi", "atmosphere*.json", lambda r: r.get("mesh") == "flat-hevi" and r["schedule"] != "sweeps"),
    ("boussinesq fft", "boussinesq.json", lambda r: r["solver"] == "fft"),
    ("boussinesq mg", "boussinesq.json", lambda r: r["solver"] == "mg"),
    ("aerodynamics order 1", "aerodynamics.json", lambda r: r["order"] == "1" and r["grids"] == "1"),
    ("aerodynamics order 1 cycle", "aerodynamics.json", lambda r: r["order"] == "1" and r["grids"] == "2V"),
    ("aerodynamics order 3", "aerodynamics.json", lambda r: r["order"] == "3" and r["grids"] == "1"),
    ("aerodynamics order 3 cycle", "aerodynamics.json", lambda r: r["order"] == "3" and r["grids"] == "2V"),
]


def text(row):
    return " ".join(str(row.get(k, "")) for k in ("kernel", "model", "state"))


def air(row, mesh):
    return row.get("mesh") == mesh and row["riemann"] == "lmars" and row["stencil"] == "13-point" and row["schedule"] == "tile"


def passes(name, row):
    """Right-hand sides in a step: its stages; in a V cycle with a step before and after the coarse grid 5 + 5, the residual, and a step
    and nothing else on a grid of an eighth of the nodes, in two dimensions a quarter."""
    if not name.endswith("cycle"):
        return row.get("stages", 3)
    return 11 + 5 / (4 if row["mesh"] == "naca0012" else 8)


def fit(points):
    """seconds, seconds per point: least squares of (a + b n) / t - 1."""
    rows = [(1 / t, n / t) for n, t in points]
    paa, pab, pbb = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    pa, pb = sum(r[0] for r in rows), sum(r[1] for r in rows)
    det = paa * pbb - pab * pab
    if det > 1e-12 * paa * pbb:
        a, b = (pa * pbb - pb * pab) / det, (pb * paa - pa * pab) / det
        if a >= 0 and b >= 0:
            return a, b
    return 0.0, pb / pbb


def measured(folder, name, pattern, wanted, precision):
    points = []
    for path in sorted(pathlib.Path(folder).glob(pattern)):
        for row in json.loads(path.read_text())["rows"]:
            if row["precision"] == precision and "CPU" not in str(row.get("kernel")) and "cpu" not in path.stem and wanted(row):
                n = math.prod(row.get("cells_of_first_rank", row["cells"]))
                ms = row.get("ms_per_step", row["ns_per_point_step"] * n * 1e-6)
                points.append((n, ms * 1e-3 / passes(name, row)))
    return points


def main():
    for name, pattern, wanted in SOURCES:
        for precision in ("single", "double"):
            points = measured(sys.argv[1], name, pattern, wanted, precision)
            if not points:
                continue
            a, b = fit(points)
            worst = max(abs((a + b * n) / t - 1) for n, t in points)
            print(f'    {{"{name}", Precision::{precision}_, {a * 1e6:.1f}e-6, {b * 1e9:.4f}e-9}},  // {len(points)} sizes, {100 * worst:.0f} %')
    return 0


if __name__ == "__main__":
    sys.exit(main())
