"""Reference for shock viscosity: zeta_s, its force and its heating on a periodic grid, by shifts of whole arrays in numpy.

    zeta_s = c_s h^2 smooth( max over 3 cells along each axis of max(0, -div u) ),  weights 1/4, 1/2, 1/4 along each axis,  h the largest spacing
    force per mass = zeta_s [ grad div u + (div u) grad l ] + (div u) grad zeta_s,        heating per mass = zeta_s (div u)^2

with the differences of sixth order of the program (their weights from their definition: the interpolating polynomial of 7 points, and for mixed
derivatives a quarter of the difference of the second differences along both diagonals). tests/python/test_reference_shock.py.
"""

from __future__ import annotations

import math

import numpy as np


def weights(derivative: int):
    """Of the offsets -3 to 3: exact for polynomials of degree 6."""
    offsets = np.arange(-3, 4)
    powers = np.array([offsets**p for p in range(7)], float)
    right = np.zeros(7)
    right[derivative] = math.factorial(derivative)
    return zip(offsets, np.linalg.solve(powers, right))


def shifted(f, step):
    return np.roll(f, [-s for s in step], axis=(-3, -2, -1))


def along(axis, m):
    return tuple(m if a == axis else 0 for a in range(3))


def first(f, axis, h):
    if f.shape[axis - 3] == 1:
        return np.zeros_like(f)
    return sum(w * shifted(f, along(axis, m)) for m, w in weights(1)) / h[axis]


def second(f, a, b, h):
    if f.shape[a - 3] == 1 or f.shape[b - 3] == 1:
        return np.zeros_like(f)
    if a == b:
        return sum(w * shifted(f, along(a, m)) for m, w in weights(2)) / h[a] ** 2

    def diagonal(sign):
        return sum(w * shifted(f, tuple(m if x == a else sign * m if x == b else 0 for x in range(3))) for m, w in weights(2))

    return (diagonal(1) - diagonal(-1)) / (4 * h[a] * h[b])


def divergence(u, h):
    return sum(first(u[a], a, h) for a in range(3))


def shock_viscosity(u, h, coefficient):
    field = np.maximum(0, -divergence(u, h))
    for axis in range(3):
        field = np.maximum.reduce([shifted(field, along(axis, m)) for m in (-1, 0, 1)])
    for axis in range(3):
        field = sum(w * shifted(field, along(axis, m)) for m, w in ((-1, 0.25), (0, 0.5), (1, 0.25)))
    widest = max(h[a] for a in range(3) if u.shape[a + 1] > 1)
    return coefficient * widest**2 * field


def force_and_heating(l, u, h, coefficient):
    zeta, div = shock_viscosity(u, h, coefficient), divergence(u, h)
    force = [zeta * (sum(second(u[b], min(a, b), max(a, b), h) for b in range(3)) + div * first(l, a, h)) + div * first(zeta, a, h)
             for a in range(3)]  # fmt: skip
    return np.stack(force), zeta * div**2
