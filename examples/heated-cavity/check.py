"""Judge natural convection in a heated cavity: Nusselt number and largest velocities against the benchmark.

The scheme is of second order, so that the accepted deviation grows with h^2.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


# Mean Nusselt number (high accuracy), largest u on x = 1/2, largest w on z = 1/2 (de Vahl Davis).
known = {1e3: (1.1178, 3.649, 3.697), 1e4: (2.2448, 16.18, 19.62), 1e6: (8.8252, 64.83, 220.6)}
slope = {1e3: 5.0, 1e4: 12.0, 1e6: 300.0}  # accepted relative deviation: this times h^2, and 0.5 %


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    n, rayleigh = len(last.x), float(run.setting("physics.rayleigh"))
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    hot, cold = np.asarray(series["nusselt_lower"]), np.asarray(series["nusselt_upper"])
    checks.below("difference of hot and cold side", abs(hot[-1] / cold[-1] - 1), 1e-5)
    checks.below("change in the last tenth", abs(hot[-1] / hot[int(0.9 * len(hot))] - 1), 1e-4)
    checks.below("largest divergence times h", np.max(series["divergence_max"]) / n, 1e-9)
    velocity = np.asarray(last["velocity"][:, 0], float)
    u = np.max(velocity[:, n // 2 - 1:n // 2 + 1, 0].mean(axis=1))
    w = np.max(velocity[n // 2 - 1:n // 2 + 1, :, 2].mean(axis=0))
    if rayleigh in known:
        allowed = 5e-3 + slope[rayleigh] / n**2
        for name, value, expected in zip(("Nusselt number", "largest u on x = 1/2", "largest w on z = 1/2"),
                                         (hot[-1], u, w), known[rayleigh]):
            checks.near(name, value, expected, relative=allowed)
    return checks


if __name__ == "__main__":
    main(run_check)
