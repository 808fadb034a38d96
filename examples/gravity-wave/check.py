"""Judge inertia-gravity waves: extremes against an independent program with the same scheme, symmetry about the spot that drifted.

That program (finite volumes, kappa = 1/3, LMARS, SSP-RK3, C = 0.9) gave the numbers of `expected`, by cells along x; published solutions
at 250 m to 1 km reach from -1.5e-3 to 2.8e-3 K.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

# theta' smallest and largest (K), w smallest and largest (m/s)
expected = {150: (-1.06e-3, 2.71e-3, -1.29e-3, 2.34e-3), 300: (-1.44e-3, 2.778e-3, -2.19e-3, 2.66e-3)}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    checks.near("time of the last snapshot", float(last.time), float(run.setting("time.end")), absolute=1e-6)
    theta, x = np.asarray(last["theta_perturbation"], float)[:, 0, :], np.asarray(last.x, float)
    w = np.asarray(last["velocity"], float)[:, 0, :, 2]
    if theta.shape[1] in expected:
        names = ("smallest theta', K", "largest theta', K", "fastest fall, m/s", "fastest rise, m/s")
        found = (theta.min(), theta.max(), w.min(), w.max())
        for name, value, wanted in zip(names, found, expected[theta.shape[1]], strict=True):
            checks.near(name, value, wanted, relative=0.03)
    # The spot began at 100 km and drifted with the wind of 20 m/s.
    middle = 100e3 + 20.0 * float(last.time)
    row = theta[theta.shape[0] // 2]
    mirrored = np.interp(2 * middle - x, x, row, period=float(x[-1] - x[0] + x[1] - x[0]))
    near = np.abs(x - middle) < 80e3
    checks.below("difference from the mirror image", np.abs(row - mirrored)[near].max() / np.abs(row).max(), 0.05)
    checks.below("drift of the mass", np.abs(series["mass_drift"]).max(), round_off(run.setting("numerics.precision"), 1e-14, 1e-7))
    return checks


if __name__ == "__main__":
    main(run_check)
