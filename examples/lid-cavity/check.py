"""Judge the lid-driven cavity: extremes of the velocity on the lines through its centre against spectral values.

The scheme is of second order, so that the accepted deviation grows with h^2.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


# Smallest u on x = 1/2, largest and smallest w on z = 1/2: validation/reference/cavities.py; at Re = 1000 O. Botella and R. Peyret (1998).
known = {100: (-0.214042, 0.179573, -0.253803), 1000: (-0.3885698, 0.3769447, -0.5270771)}
# Accepted relative deviation: this times h^2 (and 1e-3).
slope = {100: 40.0, 1000: 900.0}


def peak(line) -> float:
    """Largest value of a line, of the parabola through three points."""
    m = int(np.argmax(line[1:-1])) + 1
    a, b, c = line[m - 1:m + 2]
    return float(b - (c - a) ** 2 / (8 * (a - 2 * b + c)))


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    n = len(last.x)
    reynolds = round(1 / float(run.setting("physics.viscosity")))
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    energy = np.asarray(series["kinetic_energy"])
    checks.below("change of the energy in the last tenth", abs(energy[-1] / energy[int(0.9 * len(energy))] - 1), 1e-4)
    checks.below("largest divergence", np.max(series["divergence_max"]), 1e-10)
    # At the centres of cells: the lines through the centre lie between two of them.
    velocity = np.asarray(last["velocity"][:, 0], float)
    u = velocity[:, n // 2 - 1:n // 2 + 1, 0].mean(axis=1)
    w = velocity[n // 2 - 1:n // 2 + 1, :, 2].mean(axis=0)
    if reynolds in known:
        allowed = 1e-3 + slope[reynolds] / n**2
        for name, value, expected in zip(("smallest u on x = 1/2", "largest w on z = 1/2", "smallest w on z = 1/2"),
                                         (-peak(-u), peak(w), -peak(-w)), known[reynolds]):
            checks.near(name, value, expected, relative=allowed)
    return checks


if __name__ == "__main__":
    main(run_check)
