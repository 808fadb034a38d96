"""Judge a warm bubble: extremes and height against another program with the same scheme, symmetry, mass and energy.

That program gave the numbers of `expected`, by cells along x: `validation/reference/dry_air.py warm-bubble 80` and 160. Doubling the cells moves them by more than is accepted here: a bubble of this size is not resolved at either size.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

# theta' largest and smallest (K), w largest and smallest (m/s), highest 0.5 K on the axis (m)
expected = {80: (1.39478, -0.0435418, 11.9195, -6.90739, 8131.67), 160: (1.66926, -0.0578476, 12.6462, -7.24673, 8032.46)}


def highest(z, theta, level):
    """Where theta falls through the level for the last time, on a straight line between levels."""
    k = np.nonzero(theta > level)[0].max()
    return z[k] + (z[k + 1] - z[k]) * (theta[k] - level) / (theta[k] - theta[k + 1])


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, last, series = run.setting("numerics.precision"), run.fields[-1], run.series
    checks.near("time of the last snapshot", float(last.time), float(run.setting("time.end")), absolute=1e-6)
    theta, z = np.asarray(last["theta_perturbation"], float)[:, 0, :], np.asarray(last.z, float)
    w = np.asarray(last["velocity"], float)[:, 0, :, 2]
    n = theta.shape[1]
    if n in expected:
        most, least, up, down, height = expected[n]
        close, part = round_off(precision, 1e-4, 0.005), round_off(precision, 0.001, 0.1)
        if n > 80 and run.setting("time.scheme", "ssp-rk3") != "ssp-rk3":  # hevi has other errors between levels
            close, part = 0.02, 0.1
        checks.near("largest theta', K", theta.max(), most, relative=close)
        checks.near("smallest theta', K", theta.min(), least, absolute=0.02 * part)
        checks.near("fastest rise, m/s", w.max(), up, relative=close)
        checks.near("fastest fall, m/s", w.min(), down, relative=close)
        axis = 0.5 * (theta[:, n // 2 - 1] + theta[:, n // 2])
        checks.near("highest 0.5 K on the axis, m", highest(z, axis, 0.5), height, absolute=part * (z[1] - z[0]))
    else:
        checks.note("cells along x, of which nothing is known", n)
    checks.below("difference from the mirror image, K", np.abs(theta - theta[:, ::-1]).max(), round_off(precision, 1e-9, 0.05))
    checks.below("drift of the mass", np.abs(series["mass_drift"]).max(), round_off(precision, 1e-14, 1e-7))
    checks.below("drift of the energy", np.abs(series["energy_drift"]).max(), round_off(precision, 1e-14, 1e-7))
    return checks


if __name__ == "__main__":
    main(run_check)
