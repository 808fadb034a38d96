"""Judge an Alfven wave: decay and phase against the dispersion relation of the discrete equations, and against the exact wave.

With w = u_y + i u_z and a = A_y + i A_z, d(w, a)/dt = [[-nu K2, -i B_0 K2], [-i B_0, -nu K2]] (w, a), and B_y + i B_z = k1 a: k1 and K2 are
the symbols of first and second derivative. The run starts from the exact wave, w = -k a. Third-order Runge-Kutta damps by
(omega dt)^4 / (24 dt) more.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

k, amplitude = 2, 0.1  # of A


def predicted_field(t: float, angle: float, dt: float, nu: float, b0: float) -> complex:
    """Amplitude of exp(-i k x) in B_y + i B_z at time t; angle = k h."""
    k1 = k * (45 * np.sin(angle) - 9 * np.sin(2 * angle) + np.sin(3 * angle)) / (30 * angle)
    k2 = k**2 * (490 - 540 * np.cos(angle) + 54 * np.cos(2 * angle) - 4 * np.cos(3 * angle)) / (180 * angle**2)
    values, vectors = np.linalg.eig(np.array([[-nu * k2, -1j * b0 * k2], [-1j * b0, -nu * k2]]))
    start = np.linalg.solve(vectors, amplitude * np.array([-k, 1]))
    damping = (b0 * k * dt) ** 4 / (24 * dt)
    return k1 * (vectors @ (np.exp((values - damping) * t) * start))[1]


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    nu, b0 = float(run.setting("physics.viscosity")), float(run.setting("physics.background_field")[0])
    precision = run.setting("numerics.precision", "double")
    dt = run.series["t"][-1] / run.series["step"][-1]
    last = run.fields[-1]
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    for snapshot in list(run.fields)[1:]:
        t = snapshot.time
        field = snapshot["magnetic_field"][...].astype(float)
        wave = np.mean((field[..., 1] + 1j * field[..., 2]) * np.exp(1j * k * snapshot.x))
        expected = predicted_field(t, k * 2 * np.pi / len(snapshot.x), dt, nu, b0)
        checks.near(f"amplitude over the discrete one, t = {t:.3f}", abs(wave / expected), 1.0, absolute=1e-6 * (1 + t))
        checks.near(f"phase from the discrete wave, t = {t:.3f}", np.angle(wave / expected), 0.0, absolute=1e-6)
        speed = snapshot["velocity"][...].astype(float)
        across = field[..., 1:] + speed[..., 1:]
        checks.below(f"largest |b + u| across, t = {t:.3f}", float(np.max(np.abs(across))), 1e-5)
    checks.near("amplitude at the end over the exact one", abs(wave) / (k * amplitude * np.exp(-nu * k * k * t)), 1.0, relative=1e-4)
    rho = last["rho"][...].astype(float)
    checks.below("largest |rho - 1|", float(np.max(np.abs(rho - 1))), round_off(precision, 1e-10, 1e-4))
    checks.below("largest |div B|", float(np.max(run.series["div_b_max"])), round_off(precision, 1e-12, 1e-4))
    return checks


if __name__ == "__main__":
    main(run_check)
