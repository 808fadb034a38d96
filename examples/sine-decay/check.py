"""Judge a sine-decay run: the error of the scheme is known in closed form, and the run must show just that error.

The exact solution is u_y = u0 sin(k x) exp(-nu k^2 t). In space the scheme sees K2 = k^2 (1 - (k h)^6/560 + ...)
instead of k^2, so the rms error is (u0/sqrt 2) |exp(-nu K2 t) - exp(-nu k^2 t)|; that of time is far smaller.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

u0, k = 0.1, 13


def second_derivative_symbol(k: float, h: float) -> float:
    """K2: what the 7-point second derivative makes of exp(i k x), with the sign turned."""
    t = k * h
    return (490 - 540 * np.cos(t) + 54 * np.cos(2 * t) - 4 * np.cos(3 * t)) / (180 * h * h)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, nu = run.fields[-1], float(run.setting("physics.viscosity"))
    precision, t = run.setting("numerics.precision", "double"), last.time
    h = 2 * np.pi / len(last.x)
    velocity, rho = last["velocity"][...].astype(float), last["rho"][...].astype(float)
    error = velocity[..., 1] - u0 * np.sin(k * last.x) * np.exp(-nu * k * k * t)
    predicted = u0 / np.sqrt(2) * abs(np.exp(-nu * second_derivative_symbol(k, h) * t) - np.exp(-nu * k * k * t))
    checks.near("time of the last snapshot", t, float(run.setting("time.end")), absolute=1e-9)
    checks.near("rms error of u_y", np.sqrt(np.mean(error**2)), predicted, relative=0.01,
                absolute=round_off(precision, 0.0, 5e-8))
    checks.below("largest |u_x|, |u_z|", np.max(np.abs(velocity[..., ::2])), round_off(precision, 1e-13, 1e-6))
    checks.below("largest |rho - 1|", np.max(np.abs(rho - 1)), round_off(precision, 1e-13, 1e-6))
    return checks


if __name__ == "__main__":
    main(run_check)
