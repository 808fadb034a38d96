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


def vorticity(lat, run):
    """-(u cos(lat))'/(a cos(lat)) of the jet."""
    inside = (lat > south) & (lat < north)
    safe = np.where(inside, lat, 0.5 * (south + north))
    slope = -(2 * safe - south - north) / ((safe - south) * (safe - north)) ** 2  # u'/u
    return jet(lat) * np.where(inside, np.tan(safe) - slope, 0.0) / float(run.setting("grid.radius"))


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
    checks.near("fastest water at first, m/s", float(run.series["speed_max"][0]), jet(lat).max(), relative=round_off(precision, 1e-6, 1e-5))
    weight, spin = sphere.areas(n), vorticity(lat, run)
    off = sphere.values_of(first, "vorticity") - spin
    checks.below("relative l2 of the vorticity at first", float(np.sqrt(np.sum(weight * off**2) / np.sum(weight * spin**2))), 0.05 * (48 / n) ** 2)
    # Water keeps (vorticity + f)/depth: its range cannot grow. The scheme has no limiter: 2 % of the largest are allowed beyond it.
    f = 2 * float(run.setting("physics.rotation.rate")) * np.sin(lat)
    begun, ended = (spin + f) / expected, (sphere.values_of(last, "vorticity") + f) / sphere.values_of(last, "surface")
    checks.below("growth of largest (vorticity + f)/depth", float(ended.max() / begun.max()), 1.02)
    checks.below("growth of least (vorticity + f)/depth", float(ended.min() / begun.min()), 1.02)
    checks.note("largest vorticity at the end, 1/s", float(np.max(sphere.values_of(last, "vorticity"))))
    # Mixing makes potential enstrophy smaller, on finer grids less: 3.9 % in 4 days with 48 cells, 0.5 % in 6 days with 256.
    lost = -float(run.series["enstrophy_drift"][-1])
    checks.above("loss of potential enstrophy", lost, 0.0)
    checks.below("loss of potential enstrophy", lost, 0.06 * (48 / n))
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    checks.below("gain of energy", np.max(run.series["energy_drift"]), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
