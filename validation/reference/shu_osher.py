"""Density of Shu and Osher's problem at t = 1.8 on a fine grid: makes data/shu-osher-3200.csv.

Euler equations of an ideal gas in one dimension: WENO5 (Jiang and Shu's weights) of density, velocity and pressure, HLL fluxes
and Shu and Osher's third-order Runge-Kutta scheme, in numpy. It shares neither code nor Riemann solver nor time scheme
with the program. Written are averages over groups of cells, 1600 rows.

    python3 validation/reference/shu_osher.py [--cells 3200] > validation/data/shu-osher-3200.csv
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

gamma, end, epsilon = 1.4, 1.8, 1e-6


def weno5(a, b, c, d, e):
    """Value at the face between c and d, seen from c."""
    b0 = 13 / 12 * (a - 2 * b + c) ** 2 + 0.25 * (a - 4 * b + 3 * c) ** 2
    b1 = 13 / 12 * (b - 2 * c + d) ** 2 + 0.25 * (b - d) ** 2
    b2 = 13 / 12 * (c - 2 * d + e) ** 2 + 0.25 * (3 * c - 4 * d + e) ** 2
    w0, w1, w2 = 0.1 / (epsilon + b0) ** 2, 0.6 / (epsilon + b1) ** 2, 0.3 / (epsilon + b2) ** 2
    value = w0 * (2 * a - 7 * b + 11 * c) + w1 * (-b + 5 * c + 2 * d) + w2 * (2 * c + 5 * d - e)
    return value / (6 * (w0 + w1 + w2))


def rate(state, h):
    """Time derivative of (rho, rho u, E); the ends are extended by their last cells."""
    padded = np.pad(state, ((0, 0), (3, 3)), mode="edge")
    rho, u = padded[0], padded[1] / padded[0]
    w = np.array([rho, u, (gamma - 1) * (padded[2] - 0.5 * rho * u * u)])
    n = state.shape[1]
    left = weno5(*(w[:, i : i + n + 1] for i in range(5)))
    right = weno5(*(w[:, i : i + n + 1] for i in range(5, 0, -1)))
    sides = []
    for r, v, p in (left, right):
        energy = p / (gamma - 1) + 0.5 * r * v * v
        sides.append((np.array([r, r * v, energy]), np.array([r * v, r * v * v + p, (energy + p) * v]), v,
                      np.sqrt(gamma * p / r)))
    (ul, fl, vl, cl), (ur, fr, vr, cr) = sides
    sl, sr = np.minimum(0, np.minimum(vl - cl, vr - cr)), np.maximum(0, np.maximum(vl + cl, vr + cr))
    flux = (sr * fl - sl * fr + sl * sr * (ur - ul)) / (sr - sl)
    return (flux[:, :-1] - flux[:, 1:]) / h


def solve(cells: int):
    h = 10 / cells
    x = -5 + h * (np.arange(cells) + 0.5)
    behind = x < -4
    wave = 1 + 0.2 * (np.cos(5 * (x - h / 2)) - np.cos(5 * (x + h / 2))) / (5 * h)  # exact averages
    rho = np.where(behind, 3.857143, wave)
    u, p = np.where(behind, 2.629369, 0.0), np.where(behind, 10.33333, 1.0)
    state, t = np.array([rho, rho * u, p / (gamma - 1) + 0.5 * rho * u * u]), 0.0
    while t < end:
        rho, u = state[0], state[1] / state[0]
        p = (gamma - 1) * (state[2] - 0.5 * rho * u * u)
        dt = min(0.6 * h / np.max(np.abs(u) + np.sqrt(gamma * p / rho)), end - t)
        one = state + dt * rate(state, h)
        two = 0.75 * state + 0.25 * (one + dt * rate(one, h))
        state = state / 3 + 2 / 3 * (two + dt * rate(two, h))
        t += dt
    return x, state[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=3200, help="a multiple of 1600 (3200)")
    cells = parser.parse_args().cells
    x, rho = (values.reshape(1600, -1).mean(axis=1) for values in solve(cells))
    print(f"# Shu and Osher's problem, t = 1.8, {cells} cells: x, density (validation/reference/shu_osher.py)")
    np.savetxt(sys.stdout, np.column_stack([x, rho]), fmt="%.6f,%.6f")
