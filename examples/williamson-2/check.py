"""Judge a steady flow: its distance from the initial state by the closed form, and what is conserved."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet import sphere
from watersmeet.check import Checks, main, round_off

# Relative l2 of the depth after 5 days by validation/reference/water_sphere.py, the same scheme in numpy, by cells and tilt in units of pi.
known = {(16, 0.0): 2.440e-3, (32, 0.0): 3.248e-4, (32, 0.25): 3.710e-4, (64, 0.0): 4.529e-5, (64, 0.25): 6.665e-5}


def exact_depth(n, run):
    a, omega, g = (float(run.setting(key)) for key in ("grid.radius", "physics.rotation.rate", "physics.gravity"))
    tilt, u0 = float(run.setting("physics.rotation.tilt")), 2 * np.pi * a / (12 * 86400)
    lon, lat = sphere.centres(n)
    sine = -np.cos(lon) * np.cos(lat) * np.sin(tilt) + np.sin(lat) * np.cos(tilt)
    return (2.94e4 - (a * omega * u0 + u0**2 / 2) * sine**2) / g


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, last = run.setting("numerics.precision"), run.fields[-1]
    depth = sphere.values_of(last, "surface")
    n = depth.shape[-1]
    exact, area = exact_depth(n, run), sphere.areas(n)
    checks.near("time of the last snapshot, days", last.time / 86400, 5, absolute=1e-6)
    error = float(np.sqrt(np.sum(area * (depth - exact) ** 2) / np.sum(area * exact**2)))
    expected = known.get((n, round(float(run.setting("physics.rotation.tilt")) / np.pi, 6)))
    plain = str(run.setting("numerics.reconstruction.kappa")) == "1/3" and not run.setting("numerics.reconstruction.transverse")
    if expected and plain:
        checks.near("relative l2 of the depth", error, expected, relative=round_off(precision, 0.01, 0.1))
    else:  # between the flows along the grid and tilted by pi/4 with 32 cells, of an order between 2 and 3
        ratio = 32 / n
        checks.above("relative l2 of the depth", error, 0.8 * 3.248e-4 * min(ratio**2, ratio**3))
        checks.below("relative l2 of the depth", error, 1.2 * 3.710e-4 * max(ratio**2, ratio**3))
    checks.near("the same in the time series", float(run.series["error_l2"][-1]), error, relative=1e-6)
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    checks.below("gain of energy", np.max(run.series["energy_drift"]), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
