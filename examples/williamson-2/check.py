"""Judge a steady flow: its distance from the initial state by the closed form, and what is conserved."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet import sphere
from watersmeet.check import Checks, main, round_off

# Relative l2 of the depth after 5 days of a prototype of the scheme, tilted by pi/4.
known = {32: 3.77e-4, 64: 7.03e-5, 128: 1.56e-5}


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
    if n in known and abs(float(run.setting("physics.rotation.tilt")) - np.pi / 4) < 1e-6:
        checks.near("relative l2 of the depth", error, known[n], relative=0.1)
    else:
        checks.below("relative l2 of the depth", error, 4.2e-4 * (32 / n) ** 2)
    checks.near("the same in the time series", float(run.series["error_l2"][-1]), error, relative=1e-6)
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    checks.below("gain of energy", np.max(run.series["energy_drift"]), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
