"""Judge an advected bell: its distance from the exact solution, made here by turning it, and the volume."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet import sphere
from watersmeet.check import Checks, main, round_off

# Relative l2 after one turn by validation/reference/water_sphere.py, the same scheme in numpy, by cells along the edge of a panel and tilt in units of pi.
known = {(32, 0.0): 0.2514, (32, 0.25): 0.2279, (64, 0.0): 0.06699, (64, 0.25): 0.0507}


def bell(n, t, tilt):
    """Height of the bell above the water that it lies on: at the centre (lon 3 pi/2, lat 0) at first, round once in 12 days."""
    lon, lat = sphere.centres(n)
    r = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)
    axis, angle, start = np.array([-np.sin(tilt), 0, np.cos(tilt)]), 2 * np.pi * t / (12 * 86400), np.array([0.0, -1.0, 0.0])
    centre = (np.cos(angle) * start + np.sin(angle) * np.cross(axis, start) + (1 - np.cos(angle)) * np.dot(axis, start) * axis)
    distance = np.arctan2(np.linalg.norm(np.cross(r, centre), axis=-1), r @ centre)
    return np.where(distance < 1 / 3, 500 * (1 + np.cos(3 * np.pi * distance)), 0.0)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, tilt = run.setting("numerics.precision"), float(run.setting("physics.rotation.tilt", 0.0))
    last = run.fields[-1]
    checks.near("time of the last snapshot, days", last.time / 86400, 12, absolute=1e-6)
    height = sphere.values_of(last, "surface") - 1000
    n = height.shape[-1]
    exact, area = bell(n, last.time, tilt), sphere.areas(n)
    error = float(np.sqrt(np.sum(area * (height - exact) ** 2) / np.sum(area * exact**2)))
    expected = known.get((n, round(tilt / np.pi, 6)))
    if expected:
        checks.near("relative l2 of the bell", error, expected, relative=0.01)
    else:  # between the turns along the grid and by pi/4 with 32 cells, of an order between 1.5 and 2.5
        ratio = 32 / n
        checks.above("relative l2 of the bell", error, 0.8 * 0.2279 * min(ratio**1.5, ratio**2.5))
        checks.below("relative l2 of the bell", error, 1.2 * 0.2514 * max(ratio**1.5, ratio**2.5))
    checks.near("the same in the time series", float(run.series["error_l2"][-1]), error, relative=1e-6)
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
