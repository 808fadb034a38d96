"""Judge gravity waves on a small planet: how the flow carries them, their size, both hemispheres alike, mass and energy.

Half of the waves run east and half west of the air, so that the mean longitude of the warm and cold air on the equator moves with the
wind of 20 m/s. Bubbles of 1 K spread into departures of the order of 0.1 K.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet import sphere
from watersmeet.check import Checks, main, round_off

radius, wind = 50969.76, 20.0


def panels_of(snapshot, name):
    """A field, [panel, level, j, i]."""
    return np.stack([np.asarray(snapshot[name][panel], float) for panel in range(6)])


def mean_longitude(theta):
    """Of theta' next to the equator, all levels, on the panels around it."""
    n = theta.shape[-1]
    longitude = sphere.centres(n)[0][:4, n // 2]
    along = theta[:4, :, (n - 1) // 2 : n // 2 + 1].mean(axis=(1, 2))
    return np.angle(np.sum(along * np.exp(1j * longitude)))


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, first, last = run.setting("numerics.precision"), run.fields[0], run.fields[-1]
    t = float(run.setting("time.end"))
    checks.near("time of the last snapshot, s", float(last.time), t, absolute=1e-6)
    theta = panels_of(last, "theta_perturbation")
    if t < 1000:  # before the waves meet on the other side
        moved = radius * np.mod(mean_longitude(theta) - mean_longitude(panels_of(first, "theta_perturbation")), 2 * np.pi)
        checks.near("way of the mean longitude to the east, m", moved, wind * t, relative=0.05)
    size = np.abs(theta).max()
    checks.near("largest departure of theta, K", size, 0.15, absolute=0.1)
    mirror = max(np.abs(theta[:4] - theta[:4, :, ::-1]).max(), np.abs(theta[4] - theta[5][:, ::-1]).max())
    checks.below("difference of the hemispheres, K", mirror, round_off(precision, 1e-9, 0.05))
    for name in ("mass", "energy"):
        checks.below(f"drift of the {name}", np.abs(run.series[f"{name}_drift"]).max(), round_off(precision, 1e-13, 1e-6))
    return checks


if __name__ == "__main__":
    main(run_check)
