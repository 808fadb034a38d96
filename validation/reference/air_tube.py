"""Sod's shock tube by the scheme of the atmosphere in one dimension, in numpy: expected errors of the density, by Riemann solver.

Density, velocity and pressure at the edges of 200 cells by van Leer's limiter, SSP-RK3 with the step 0.001, and at the faces LMARS (Chen et al., Mon.
Weather Rev. 141 (2013) 2526), AUSM+-up (Liou, J. Comput. Phys. 214 (2006) 137; K_p = 1/4, K_u = 3/4, sigma = 1, M_inf = 0.3) or HLLC with the speeds
min and max of u -+ a of both sides (Toro). The scheme is the program's, written again from its formulas without any of its code: a value that both
have is the scheme's, not that of a mistake in one of them. The exact solution is that of python/watersmeet/riemann.py.

    python3 validation/reference/air_tube.py

prints the mean of |rho - exact| at the time 0.2, which `watersmeet verify atmosphere`, shock tube, expects.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

from watersmeet.riemann import ExactRiemann, Gas

gamma = 1.4


def edges(f):
    """Values at the lower and upper edge of each cell but the first and last."""
    up, down = f[2:] - f[1:-1], f[1:-1] - f[:-2]
    product = up * down
    half = np.where(product > 0, product / np.where(product > 0, up + down, 1), 0.0)
    return f[1:-1] - half, f[1:-1] + half


def euler_flux(rho, u, p):
    return np.stack([rho * u, rho * u * u + p, u * (gamma / (gamma - 1) * p + 0.5 * rho * u * u)])


def carried(mass, pressure, left, right):
    """Mass, momentum and energy, where the mass brings velocity and enthalpy of its own side."""
    rho, u, p = np.where(mass >= 0, left, right)
    return np.stack([mass, mass * u + pressure, mass * (gamma / (gamma - 1) * p / rho + 0.5 * u * u)])


def lmars(left, right):
    (rl, ul, pl), (rr, ur, pr) = left, right
    z = 0.25 * (rl + rr) * (np.sqrt(gamma * pl / rl) + np.sqrt(gamma * pr / rr))
    u, p = 0.5 * (ul + ur) - (pr - pl) / (2 * z), 0.5 * (pl + pr) - 0.5 * z * (ur - ul)
    return carried(u * np.where(u >= 0, rl, rr), p, left, right)


def ausm(left, right, least=0.3):
    (rl, ul, pl), (rr, ur, pr) = left, right
    a = 0.5 * (np.sqrt(gamma * pl / rl) + np.sqrt(gamma * pr / rr))
    ml, mr, rho = ul / a, ur / a, 0.5 * (rl + rr)
    mean = 0.5 * (ml**2 + mr**2)
    mo = np.sqrt(np.clip(mean, least**2, 1))
    fa = mo * (2 - mo)
    alpha = 3 / 16 * (5 * fa**2 - 4)

    def mach(m, sign):  # M4 with beta = 1/8
        return np.where(abs(m) >= 1, 0.5 * (m + sign * abs(m)), sign * 0.25 * (m + sign) ** 2 * (1 + 0.5 * (m - sign) ** 2))

    def pressure(m, sign):  # P5
        inside = 0.25 * (m + sign) ** 2 * ((2 - sign * m) + sign * 4 * alpha * m * (m - sign) ** 2)
        return np.where(abs(m) >= 1, 0.5 * (1 + sign * np.sign(m)), inside)

    m = mach(ml, 1) + mach(mr, -1) - 0.25 / fa * np.maximum(1 - mean, 0) * (pr - pl) / (rho * a**2)
    plus, minus = pressure(ml, 1), pressure(mr, -1)
    p = plus * pl + minus * pr - 0.75 * plus * minus * 2 * rho * fa * a * (ur - ul)
    return carried(a * m * np.where(m > 0, rl, rr), p, left, right)


def hllc(left, right):
    (rl, ul, pl), (rr, ur, pr) = left, right
    al, ar = np.sqrt(gamma * pl / rl), np.sqrt(gamma * pr / rr)
    sl, sr = np.minimum(ul - al, ur - ar), np.maximum(ul + al, ur + ar)
    star = (pr - pl + rl * ul * (sl - ul) - rr * ur * (sr - ur)) / (rl * (sl - ul) - rr * (sr - ur))

    def beside(side, s):
        rho, u, p = side
        energy = p / (gamma - 1) + 0.5 * rho * u * u
        dense = rho * (s - u) / (s - star)
        after = dense * np.stack([np.ones_like(u), star, energy / rho + (star - u) * (star + p / (rho * (s - u)))])
        return euler_flux(*side) + s * (after - np.stack([rho, rho * u, energy]))

    return np.where(sl >= 0, euler_flux(*left), np.where(star >= 0, beside(left, sl), np.where(sr >= 0, beside(right, sr), euler_flux(*right))))


def tube_error(flux, cells=200, end=0.2):
    dx, dt = 1 / cells, 0.2 / cells
    x = (np.arange(cells) + 0.5) * dx - 0.5
    begun = np.where(x < 0, [[1.0], [0.0], [1 / (gamma - 1)]], [[0.125], [0.0], [0.1 / (gamma - 1)]])

    def rate(q):
        q = np.concatenate([q[:, :1]] * 2 + [q] + [q[:, -1:]] * 2, axis=1)  # nothing moves there yet
        u = q[1] / q[0]
        low, high = zip(*(edges(f) for f in (q[0], u, (gamma - 1) * (q[2] - 0.5 * q[1] * u))))
        f = flux(np.stack(high)[:, :-1], np.stack(low)[:, 1:])
        return -(f[:, 1:] - f[:, :-1]) / dx

    q = begun
    for _ in range(round(end / dt)):
        one = q + dt * rate(q)
        two = 0.75 * q + 0.25 * (one + dt * rate(one))
        q = (q + 2 * (two + dt * rate(two))) / 3
    exact = ExactRiemann(Gas(1.0, 0.0, 1.0), Gas(0.125, 0.0, 0.1))
    return float(np.mean(np.abs(q[0] - exact.sample(x / end)["rho"])))


if __name__ == "__main__":
    for solver in (lmars, ausm, hllc):
        print(f"{solver.__name__}: mean |rho - exact| {tube_error(solver):.6g}")
