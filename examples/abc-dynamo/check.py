"""Judge a kinematic dynamo: growth rate and frequency of the field against an eigenvalue solver.

When the other modes have decayed, B = exp(s t) [ b_1 cos(w t) + b_2 sin(w t) ], and ln <B^2> = 2 s t + a function of the period pi/w. s and w are fitted
to the rows of the second half. Expected: `python3 validation/reference/abc_dynamo.py --rm 12 --modes 8`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

growth, frequency = 0.00806985, 0.61773004  # at Rm = 12


def fitted(t, log_energy, w):
    """2 s and the rms of what is left, with five waves of the period pi/w and its parts."""
    waves = [f(2 * n * w * t) for n in range(1, 6) for f in (np.cos, np.sin)]
    basis = np.stack([t, np.ones_like(t), *waves], axis=1)
    found = np.linalg.lstsq(basis, log_energy, rcond=None)[0]
    return found[0], float(np.sqrt(np.mean((log_energy - basis @ found) ** 2)))


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, precision = run.series, run.setting("numerics.precision", "double")
    checks.near("Rm = 1 / resistivity", 1 / float(run.setting("physics.resistivity")), 12.0, relative=1e-12)
    checks.near("end of the series", series["t"][-1], float(run.setting("time.end")), absolute=1e-9)
    late = series["t"] >= series["t"][-1] / 2
    t, log_energy = series["t"][late], np.log(series["magnetic_energy"][late])
    trials = frequency * np.linspace(0.97, 1.03, 601)
    left = [fitted(t, log_energy, w)[1] for w in trials]
    w = trials[int(np.argmin(left))]
    checks.near("frequency", w, frequency, relative=2e-3)
    checks.near("growth rate", fitted(t, log_energy, w)[0] / 2, growth, absolute=2e-4)
    checks.below("rms of ln <B^2> besides", min(left), 2e-3)
    checks.below("largest change of u_rms from sqrt(3)", float(np.max(np.abs(series["u_rms"] / np.sqrt(3) - 1))), round_off(precision, 1e-12, 1e-6))
    checks.below("largest |div B| / B", float(np.max(series["div_b_max"] / series["b_max"])), round_off(precision, 1e-12, 1e-4))
    return checks


if __name__ == "__main__":
    main(run_check)
