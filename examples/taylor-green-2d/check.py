"""Judge decaying vortices: the energy falls exactly as the scheme must make it fall, and nothing else happens.

Expected amplitudes follow the recurrence of second-order Adams-Bashforth with the discrete eigenvalue of the Laplacian.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


def amplitudes(steps: int, decay: float) -> np.ndarray:
    a = np.empty(steps + 1)
    a[0], a[1:2] = 1, 1 - decay
    for m in range(1, steps):
        a[m + 1] = a[m] * (1 - 1.5 * decay) + 0.5 * decay * a[m - 1]
    return a


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    n, nu, dt = len(last.x), float(run.setting("physics.viscosity")), float(run.setting("time.dt"))
    h = 2 * np.pi / n
    steps = np.asarray(series["step"], int)
    a = amplitudes(steps[-1], 2 * nu * dt * (2 / h * np.sin(h / 2)) ** 2)
    energy = np.asarray(series["kinetic_energy"])
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    checks.below("largest deviation of the energy", np.max(np.abs(energy / (0.25 * a[steps] ** 2) - 1)), 1e-12)
    checks.below("largest divergence", np.max(series["divergence_max"]), 1e-11)
    x, y = np.meshgrid(last.x, last.y)
    # The step of the last pressure began one step before the end.
    expected = 0.25 * a[steps[-1] - 1] ** 2 * (np.cos(2 * x) + np.cos(2 * y))
    error = np.max(np.abs(last["p"][0] - expected)) / np.max(np.abs(expected))
    checks.below("largest error of the pressure", error, 0.5 * h * h + dt)
    return checks


if __name__ == "__main__":
    main(run_check)
