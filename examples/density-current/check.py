"""Judge a density current: front and extremes against another program with the same scheme, mass and energy.

That program gave the numbers of `expected`, by cells along x: `validation/reference/dry_air.py density-current 64`, 128 and 256. Straka et al.
(1993) have a front near 15.5 km and theta' down to about -9.8 K at 25 m; both programs come closer as cells get smaller.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

# front, where theta' = -1 K on the lowest level (m); smallest theta' (K); w smallest and largest (m/s)
# At 50 and 25 m: bounds of the front, and of theta' at 25 m, from the convergence of these and of published runs.
finer = {512: (15350.0, 15500.0), 1024: (15400.0, 15600.0)}
expected = {64: (14154.9, -8.24423, -5.80922, 6.69378), 128: (14827.1, -8.98907, -11.3558, 11.1748), 256: (15204.4, -9.38563, -15.1826, 13.4993)}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, last, series = run.setting("numerics.precision"), run.fields[-1], run.series
    checks.near("time of the last snapshot", float(last.time), float(run.setting("time.end")), absolute=1e-6)
    theta, x = np.asarray(last["theta_perturbation"], float)[:, 0, :], np.asarray(last.x, float)
    w = np.asarray(last["velocity"], float)[:, 0, :, 2]
    cold = np.nonzero(theta[0] <= -1)[0].max()
    front = x[cold] + (x[cold + 1] - x[cold]) * (theta[0, cold] + 1) / (theta[0, cold] - theta[0, cold + 1])
    checks.near("front of the time series, m", float(series["front_x"][-1]), front, absolute=1.0)
    if theta.shape[1] in expected:
        place, least, down, up = expected[theta.shape[1]]
        checks.near("front, m", front, place, absolute=10.0)
        checks.near("smallest theta', K", theta.min(), least, absolute=0.03)
        checks.near("fastest fall, m/s", w.min(), down, absolute=0.05)
        checks.near("fastest rise, m/s", w.max(), up, absolute=0.05)
    if theta.shape[1] in finer:
        low, high = finer[theta.shape[1]]
        checks.near("front, m", front, (low + high) / 2, absolute=(high - low) / 2)
        if theta.shape[1] == 1024:
            checks.near("smallest theta', K", theta.min(), -9.8, absolute=0.3)
    if theta.shape[1] not in expected and theta.shape[1] not in finer:
        checks.note("cells along x, of which nothing is known", theta.shape[1])
    checks.below("drift of the mass", np.abs(series["mass_drift"]).max(), round_off(precision, 1e-14, 1e-7))
    checks.below("drift of the energy", np.abs(series["energy_drift"]).max(), round_off(precision, 1e-14, 1e-7))
    return checks


if __name__ == "__main__":
    main(run_check)
