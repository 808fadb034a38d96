"""A dam break by finite volumes, in numpy: expected errors of the depth, beside the exact solution by Newton's iteration.

Depth and velocity at the edges of cells with van Leer's limiter, the Riemann solver HLL or Osher's, SSP-RK3 with the Courant number 0.9, 400 cells over
100 m and the time 30/sqrt(g h) (20/sqrt(g h) over a dry bed, which HLL alone is made for here). The scheme is the program's, written again from its
formulas, except for the wave speeds of HLL, which are those of Davis, where the program's HLLC takes those of the star state.

    python3 validation/reference/water_dam.py [CELLS]

prints mean |h - exact| over the depth behind the dam, the exact depth averaged over each cell, for every dam of `watersmeet verify shallow_water`.
"""

from __future__ import annotations

import sys

import numpy as np

gravity, half_length = 9.81, 50.0
dams = ((10.0, 5.0), (2.0, 1.0), (1.0, 0.1), (10.0, 1.0), (1.0, 0.0))


def star(left, right):
    """Depth and velocity between the waves, speed of the front: Newton's iteration for the depth, in the middle between that of both at first."""
    c = np.sqrt(gravity * left)
    if right == 0:
        return 0.0, 2 * c, 2 * c
    h = 0.5 * (left + right)
    for _ in range(50):
        root = np.sqrt(0.5 * gravity * (1 / h + 1 / right))
        off = (h - right) * root - 2 * (c - np.sqrt(gravity * h))
        slope = root - (h - right) * gravity / (4 * root * h**2) + np.sqrt(gravity / h)
        h -= off / slope
    u = 2 * (c - np.sqrt(gravity * h))
    return h, u, h * u / (h - right)


def exact_depth(x, t, left, right):
    h, u, front = star(left, right)
    xi, c = x / t, np.sqrt(gravity * left)
    fan = ((2 * c - xi) / 3) ** 2 / gravity
    return np.select([xi <= -c, xi >= front, xi >= u - np.sqrt(gravity * h)], [left, right, h], fan)


def van_leer(q):
    """Values at the lower and the upper edge of all cells but the first and the last."""
    up, down = q[2:] - q[1:-1], q[1:-1] - q[:-2]
    same = up * down > 0
    half = np.where(same, up * down / np.where(same, up + down, 1), 0.0)
    return q[1:-1] - half, q[1:-1] + half


def osher(hl, ul, hr, ur):
    """Fluxes of water and momentum of the state at the face: the star state, a side, or the sonic point of a rarefaction."""
    cl, cr = np.sqrt(gravity * hl), np.sqrt(gravity * hr)
    c, u = (ul - ur) / 4 + (cl + cr) / 2, (ul + ur) / 2 + cl - cr
    fan_left, fan_right = (ul + 2 * cl) / 3, (2 * cr - ur) / 3
    conditions = [ul - cl >= 0, ur + cr <= 0, (u >= 0) & (u > c), (u < 0) & (u < -c)]
    c, u = np.select(conditions, [cl, cr, fan_left, fan_right], c), np.select(conditions, [ul, ur, fan_left, -fan_right], u)
    h = c**2 / gravity
    return h * u, h * u**2 + gravity * h**2 / 2


def rates(q, width, solver):
    h, hu = (np.pad(v, 2, mode="edge") for v in q)
    u = np.where(h > 1e-8, hu / np.maximum(h, 1e-8), 0.0)
    edges = [van_leer(v) for v in (h, u)]
    hl, ul, hr, ur = edges[0][1][:-1], edges[1][1][:-1], edges[0][0][1:], edges[1][0][1:]
    hl, hr = np.maximum(hl, 0), np.maximum(hr, 0)
    if solver == "osher":
        return np.array([-np.diff(v) / width for v in osher(hl, ul, hr, ur)])
    cl, cr = np.sqrt(gravity * hl), np.sqrt(gravity * hr)
    low = np.minimum(np.minimum(ul - cl, np.where(hr > 0, ur - cr, ul - cl)), np.where(hl > 0, 0, ur - 2 * cr))
    high = np.maximum(np.maximum(ur + cr, ul + cl), np.where(hr > 0, 0, ul + 2 * cl))
    low, high = np.minimum(low, 0), np.maximum(high, 0)
    width_of_fan = np.where(high > low, high - low, 1)

    def flux(fl, fr, ql, qr):
        return (high * fl - low * fr + low * high * (qr - ql)) / width_of_fan

    f = flux(hl * ul, hr * ur, hl, hr), flux(hl * ul**2 + gravity * hl**2 / 2, hr * ur**2 + gravity * hr**2 / 2, hl * ul, hr * ur)
    return np.array([-np.diff(v) / width for v in f])


def error(left, right, cells=400, solver="hll", end=None):
    width = 2 * half_length / cells
    x = -half_length + (np.arange(cells) + 0.5) * width
    q = np.array([np.where(x < 0, left, right), np.zeros(cells)])
    t, end = 0.0, end or (30 if right > 0 else 20) / np.sqrt(gravity * left)
    while t < end * (1 - 1e-12):
        h = np.maximum(q[0], 1e-8)
        signal = (np.where(q[0] > 1e-8, np.abs(q[1]) / h, 0) + np.sqrt(gravity * h)).max()
        dt = min(0.9 * width / max(signal, np.sqrt(gravity * left)), end - t)
        one = q + dt * rates(q, width, solver)
        two = 0.75 * q + 0.25 * (one + dt * rates(one, width, solver))
        q, t = (q + 2 * (two + dt * rates(two, width, solver))) / 3, t + dt
    places = x[:, None] + width * ((np.arange(32) + 0.5) / 32 - 0.5)
    return float(np.mean(np.abs(q[0] - exact_depth(places, end, left, right).mean(1))) / left)


def main(words):
    cells = int(words[0]) if words else 400
    for left, right in dams:
        for solver in ("hll", "osher") if right > 0 else ("hll",):
            print(f"({left:g}, {right:g}) m, {solver}, {cells} cells: {error(left, right, cells, solver):.3e}")


if __name__ == "__main__":
    main(sys.argv[1:])
