"""Judge mountain waves: vertical velocity at heights against linear theory, the flux of momentum against height.

Linear theory: each wave number k of the mountain has w = i k U h(k) exp(i m z) with m^2 = N^2/U^2 - k^2, energy upwards or decaying, and
grows as the density to the power -1/2. It is summed here over a period of 400 km.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main

wind, frequency = 10.0, 0.01
gravity, gas_constant, heat_capacity, theta_0 = 9.81, 287.0, 1004.5, 280.0


def density(z):
    s = frequency**2 / gravity
    exner = 1 + gravity / (heat_capacity * s * theta_0) * np.expm1(-s * z)
    return exner ** (heat_capacity / gas_constant - 1) / (theta_0 * np.exp(s * z))


def linear(z, x):
    """w of the steady linear solution at one height."""
    n, length = 8192, 400e3
    grid = (np.arange(n) - n // 2) * length / n
    k = 2 * np.pi * np.fft.fftfreq(n, length / n)
    ground = np.fft.fft(25 * np.exp(-((grid / 5e3) ** 2)) * np.cos(np.pi * grid / 4e3) ** 2)
    squared = (frequency / wind) ** 2 - k**2
    m = np.where(squared > 0, np.sign(k) * np.sqrt(np.abs(squared)), 1j * np.sqrt(np.abs(squared)))
    w = np.real(np.fft.ifft(1j * k * wind * ground * np.exp(1j * m * z)))
    return np.interp(x, grid, w) * np.sqrt(density(0.0) / density(z))


def at_height(values, height, z):
    """Values of every column at one height, on straight lines between the middles of cells."""
    return np.array([np.interp(z, height[:, i], values[:, i]) for i in range(values.shape[1])])


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, x = run.fields[-1], np.asarray(run.fields[-1].x, float)
    checks.near("time of the last snapshot", float(last.time), float(run.setting("time.end")), absolute=1e-6)
    velocity, height = np.asarray(last["velocity"], float)[:, 0], np.asarray(last["height"], float)[:, 0]
    u, w = velocity[:, :, 0], velocity[:, :, 2]
    near = np.abs(x) < 15e3
    long_run = float(last.time) > 30e3  # steady: ten hours
    # The short waves of the peaks are there at once, the long ones rise at their group velocity.
    for z in (1e3, 2e3, 4e3) if long_run else (1e3,):
        found, wanted = at_height(w, height, z)[near], linear(z, x)[near]
        size, allowed = np.abs(wanted).max(), 0.1
        checks.near(f"largest w at {z / 1e3:g} km, m/s", found.max(), wanted.max(), absolute=allowed * size)
        checks.near(f"smallest w at {z / 1e3:g} km, m/s", found.min(), wanted.min(), absolute=allowed * size)
        checks.below(f"rms distance from linear theory at {z / 1e3:g} km", np.sqrt(np.mean((found - wanted) ** 2)) / size, allowed)
    if long_run:
        rho, levels = np.asarray(last["density"], float)[:, 0], np.linspace(1e3, 11e3, 11)
        flux = [np.sum((at_height(rho * (u - wind) * w, height, z))[np.abs(x) < 17e3]) * (x[1] - x[0]) for z in levels]
        checks.below("spread of the flux of momentum below 11 km", np.ptp(flux) / abs(np.mean(flux)), 0.1)
    return checks


if __name__ == "__main__":
    main(run_check)
