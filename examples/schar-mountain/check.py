"""Judge mountain waves: vertical velocity at heights against linear theory, the flux of momentum against height."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.mountain_waves import MountainWaves, at_height, flux_of_momentum, stratified_density

wind, frequency = 10.0, 0.01


def ground(x):
    return 25 * np.exp(-((x / 5e3) ** 2)) * np.cos(np.pi * x / 4e3) ** 2


def run_check(directory) -> Checks:
    run, checks, linear = watersmeet.open(directory), Checks(), MountainWaves(ground, wind, frequency, stratified_density(280.0, frequency))
    last, x = run.fields[-1], np.asarray(run.fields[-1].x, float)
    checks.near("time of the last snapshot", float(last.time), float(run.setting("time.end")), absolute=1e-6)
    w, height = np.asarray(last["velocity"], float)[:, 0, :, 2], np.asarray(last["height"], float)[:, 0]
    near = np.abs(x) < 15e3
    long_run = float(last.time) > 30e3  # steady: ten hours
    # The short waves of the peaks are there at once, the long ones rise at their group velocity.
    for z in (1e3, 2e3, 4e3) if long_run else (1e3,):
        found, wanted = at_height(w, height, z)[near], linear.w(z, x)[near]
        size, allowed = np.abs(wanted).max(), 0.05 if long_run else 0.1
        checks.near(f"largest w at {z / 1e3:g} km, m/s", found.max(), wanted.max(), absolute=allowed * size)
        checks.near(f"smallest w at {z / 1e3:g} km, m/s", found.min(), wanted.min(), absolute=allowed * size)
        checks.below(f"rms distance from linear theory at {z / 1e3:g} km", np.sqrt(np.mean((found - wanted) ** 2)) / size, allowed)
    if long_run:
        flux = flux_of_momentum(last, wind, np.linspace(1e3, 11e3, 11), within=17e3)
        for z, value in zip(np.linspace(1e3, 11e3, 11), flux):
            checks.near(f"flux of momentum at {z / 1e3:g} km over its mean", value / np.mean(flux), 1.0, absolute=0.03)
    return checks


if __name__ == "__main__":
    main(run_check)
