"""Judge a sound-wave run: damping and phase of the wave against the dispersion relation of the discrete equations.

A mode exp(i k x) obeys d(l, u)/dt = A (l, u) with A = [[0, -i k1], [-i c^2 k1, -2 g_h]]: k1 is the symbol of the first
derivative, and g_h = (2/3) nu K2 for the 55-point method, (nu/2)(K2 + k1^2/3) for the 19-point method. Third-order
Runge-Kutta damps by (k c dt)^4 / (24 dt) more.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main

amplitude, k = 1e-6, 4


def symbols(k: float, h: float) -> tuple:
    """k1 and K2, the symbols of first and second derivative."""
    t = k * h
    k1 = (45 * np.sin(t) - 9 * np.sin(2 * t) + np.sin(3 * t)) / (30 * h)
    return k1, (490 - 540 * np.cos(t) + 54 * np.cos(2 * t) - 4 * np.cos(3 * t)) / (180 * h * h)


def predicted_mode(t: float, h: float, dt: float, nu: float, c: float, method: str) -> complex:
    """Amplitude of exp(i k x) in ln rho at time t, starting from the exact travelling wave."""
    g = 2 / 3 * nu * k * k
    omega = np.sqrt(c * c * k * k - g * g) - 1j * g
    k1, k2 = symbols(k, h)
    g_h = 2 / 3 * nu * k2 if method == "55-point" else nu / 2 * (k2 + k1 * k1 / 3)
    values, vectors = np.linalg.eig(np.array([[0, -1j * k1], [-1j * c * c * k1, -2 * g_h]]))
    start = np.linalg.solve(vectors, amplitude * np.array([1, omega / k]))
    damping = (k * c * dt) ** 4 / (24 * dt)
    return (vectors @ (np.exp((values - damping) * t) * start))[0]


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    nu, c = float(run.setting("physics.viscosity")), float(run.setting("physics.sound_speed"))
    method = run.setting("numerics.method", "55-point")
    series = run.series
    dt = series["t"][-1] / series["step"][-1]
    last = run.fields[-1]
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    for snapshot in list(run.fields)[1:]:
        t, h = snapshot.time, 2 * np.pi / len(snapshot.x)
        wave = snapshot["lnrho"][...].astype(float)
        measured = 2 * np.mean(wave * np.exp(-1j * k * snapshot.x))
        expected = predicted_mode(t, h, dt, nu, c, method)
        rate, rate_expected = (-np.log(abs(mode) / amplitude) / t for mode in (measured, expected))
        checks.near(f"damping rate, 0 < t < {t:.3f}", rate, rate_expected, relative=1e-4)
        phase = np.angle(measured / expected)
        checks.near(f"phase from the discrete wave, t = {t:.3f}", phase, 0.0, absolute=1e-5 * t)
    exact = np.exp(-1j * np.sqrt(c * c * k * k - (2 / 3 * nu * k * k) ** 2) * last.time)
    checks.note("phase from the exact wave at the end", float(np.angle(measured / exact)))
    across = last["velocity"][..., 1:]
    checks.below("largest |u_y|, |u_z|", float(np.max(np.abs(across))), 1e-18)
    return checks


if __name__ == "__main__":
    main(run_check)
