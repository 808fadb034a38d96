"""Judge a barotropic jet: the balanced state that it begins with by quadrature of its own, and what is conserved."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet import sphere
from watersmeet.check import Checks, main, round_off

south, north = np.pi / 7, np.pi / 2 - np.pi / 7


def jet(lat):
    inside = (lat > south) & (lat < north)
    safe = np.where(inside, lat, 0.5 * (south + north))
    return np.where(inside, 80 * np.exp(4 / (north - south) ** 2 + 1 / ((safe - south) * (safe - north))), 0.0)


def balanced(lat, run, points=200001):
    """Depth of the jet without the hump, of mean 10 km: the trapezoidal rule from pole to pole."""
    a, omega, g = (float(run.setting(key)) for key in ("grid.radius", "physics.rotation.rate", "physics.gravity"))
    p = np.linspace(-np.pi / 2, np.pi / 2, points)
    u = jet(p)
    slope = -u * (2 * omega * a * np.sin(p) + u * np.tan(np.where(u > 0, p, 0.0))) / g
    step = p[1] - p[0]
    rise = np.concatenate([[0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * step)])
    mean = 0.5 * np.sum(rise * np.cos(p)) * step
    return np.interp(lat, p, rise + 10000 - mean)


def hump(lon, lat):
    l = np.where(lon > np.pi, lon - 2 * np.pi, lon)
    return 120 * np.cos(lat) * np.exp(-((3 * l) ** 2) - (15 * (np.pi / 4 - lat)) ** 2)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, first, last = run.setting("numerics.precision"), run.fields[0], run.fields[-1]
    surface = sphere.values_of(first, "surface")
    n = surface.shape[-1]
    lon, lat = sphere.centres(n)
    disturbed = run.setting("initial")[0].get("perturbed", True)
    expected = balanced(lat, run) + (hump(lon, lat) if disturbed else 0)
    checks.below("largest deviation from balance at first, m", np.max(np.abs(surface - expected)),
                 round_off(precision, 1e-3, 1e-2))
    checks.near("fastest water at first, m/s", float(run.series["speed_max"][0]), 80, absolute=80 * (24 / n) ** 2)
    weight = sphere.areas(n)
    around = np.sum(weight * sphere.values_of(last, "vorticity")) / np.sum(weight * np.abs(sphere.values_of(last, "vorticity")))
    checks.below("mean vorticity over its size", abs(float(around)), 4 / n**1.5)
    checks.note("largest vorticity at the end, 1/s", float(np.max(sphere.values_of(last, "vorticity"))))
    checks.note("drift of the enstrophy", float(run.series["enstrophy_drift"][-1]))
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    checks.below("gain of energy", np.max(run.series["energy_drift"]), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
