"""Run-up of the tsunami of examples/tsunami by a second scheme, in numpy: what the highest water on the coast is, and how it converges.

    h_t + (h u)_x = 0,   (h u)_t + (h u^2 + g h^2/2)_x = -g h b_x - g n^2 |u| h u/h^(4/3)

by finite volumes: level, velocity and bed at the edges of cells with minmod's limiter, hydrostatic reconstruction (Audusse et al., SIAM J. Sci. Comput. 25
(2004) 2050), HLL, Heun's method with the Courant number 0.45, and friction implicit after each of its Euler steps. Bed, waves and coast are those of the
example; the scheme is not the program's (van Leer's limiter or none, HLLC or Osher, three stages, films by their depth).

    python3 validation/reference/water_runup.py [CELL_IN_METRES ...]      1500 500 250 125

prints for each size the highest level of a cell that is not dry after 6000 s, and when and where that is. A minute for 250 m.
"""

from __future__ import annotations

import sys

import numpy as np

gravity, manning, length, end, dry = 9.81, 0.025, 600e3, 9000.0, 1e-3


def bed(x):
    km = x / 1000
    return np.select([km < 200, km < 500, km < 560], [-4000.0, -4000 + 1950 * (1 - np.cos(np.pi * (km - 200) / 300)), -100.0],
                     -100 + 3.125 * (km - 560))


def minmod_half(f):
    d = np.diff(f)
    slope = np.where(d[:-1] * d[1:] > 0, np.sign(d[1:]) * np.minimum(abs(d[:-1]), abs(d[1:])), 0.0)
    return 0.5 * np.concatenate([[0.0], slope, [0.0]])


def velocity(h, hu):
    return np.where(h > dry, hu / np.maximum(h, dry), 0.0)


def rates(h, hu, b, dx):
    """Of h and h u between two walls, and the fastest signal."""
    wide = lambda f, sign: np.concatenate([[sign * f[0]], f, [sign * f[-1]]])  # noqa: E731
    h, u, b = wide(h, 1), wide(velocity(h, hu), -1), wide(b, 1)
    wet = h > dry
    smooth = np.concatenate([[False], wet[:-2] & wet[1:-1] & wet[2:], [False]])  # first order beside dry cells
    eta, level = h + b, [np.where(smooth, minmod_half(f), 0.0) for f in (h + b, u, h)]
    sides = []
    for sign, cells in ((1, np.s_[:-1]), (-1, np.s_[1:])):
        depth = np.maximum((h + sign * level[2])[cells], 0)
        sides.append((depth, (u + sign * level[1])[cells], (eta + sign * level[0])[cells] - depth))
    (hl, ul, bl), (hr, ur, br) = sides
    top = np.maximum(bl, br)
    sl, sr = np.maximum(hl + bl - top, 0), np.maximum(hr + br - top, 0)  # depths above the higher bed
    cl, cr = np.sqrt(gravity * sl), np.sqrt(gravity * sr)
    low, high = np.minimum(np.minimum(ul - cl, ur - cr), 0), np.maximum(np.maximum(ul + cl, ur + cr), 0)
    width = np.maximum(high - low, 1e-30)
    mass = (high * sl * ul - low * sr * ur + low * high * (sr - sl)) / width
    push = (high * (sl * ul**2 + gravity * sl**2 / 2) - low * (sr * ur**2 + gravity * sr**2 / 2) + low * high * (sr * ur - sl * ul)) / width
    left, right = push + gravity / 2 * (hl**2 - sl**2), push + gravity / 2 * (hr**2 - sr**2)
    inside = gravity / 2 * (hr[:-1] + hl[1:]) * (bl[1:] - br[:-1])  # of the bed within a cell
    return -np.diff(mass) / dx, -(left[1:] - right[:-1] + inside) / dx, np.max(np.maximum(-low, high))


def march(dx, until=end, friction=manning):
    """Highest level of a cell that is not dry from 6000 s on, its time and place."""
    x = (np.arange(round(length / dx)) + 0.5) * dx
    b = bed(x)
    h = np.maximum(2 * np.exp(-(((x / 1000 - 100) / 30) ** 2)) - b, 0) * (b < 0)
    hu, t, highest = 0 * h, 0.0, (-np.inf, 0.0, 0.0)

    def euler(h, hu, dt):
        dh, dhu, _ = rates(h, hu, b, dx)
        h, hu = np.maximum(h + dt * dh, 0), hu + dt * dhu
        drag = gravity * friction**2 * abs(velocity(h, hu)) / np.maximum(h, dry) ** (4 / 3)
        return h, np.where(h > dry, hu / (1 + dt * drag), 0.0)

    while t < until:
        dt = min(0.45 * dx / rates(h, hu, b, dx)[2], until - t)
        h1, hu1 = euler(h, hu, dt)
        h2, hu2 = euler(h1, hu1, dt)
        h, hu, t = 0.5 * (h + h2), 0.5 * (hu + hu2), t + dt
        if t > 6000:
            level = np.where(h > dry, h + b, -np.inf)
            best = int(np.argmax(level))
            highest = max(highest, (float(level[best]), t, float(x[best])))
    return highest


if __name__ == "__main__":
    for size in map(float, sys.argv[1:] or ("1500", "500", "250", "125")):
        level, t, x = march(size)
        print(f"cells of {size:g} m: highest water {level:.3f} m at {t:.0f} s, x = {x / 1000:.2f} km", flush=True)
