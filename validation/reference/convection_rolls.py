"""Critical Rayleigh number of rolls between plates, by an eigenvalue problem of the differences on n x n cells of half a roll, in numpy.

Convection sets in as a steady state, so that no time step enters: 1/Ra is the largest eigenvalue of w -> T -> w with

    lap T + w = 0,   lap u - grad p + T e_z = 0,   div u = 0,   T = w = 0 at the plates, and du/dz = 0 (free slip) or u = 0 (no slip)

(S. Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, chapter II). Differences of second order on staggered cells: u at the faces
across x, w at those across z, T and p at centres; ghosts +-(first value) for what lies half a cell off a plate; T and w meet as means of two
neighbours. Sides of symmetry make every field one cosine or sine of x, of which second differences are -k^2, k = (2 n/length) sin(pi/2n): a problem
of z alone is left. Between plates of free slip it has the closed form (k^2 + m^2)^3 / (k^2 cos^2(pi/2n)), m = 2 n sin(pi/2n).

    python3 validation/reference/convection_rolls.py 16 32 64 128       a second

prints both critical numbers, free slip with the wave number pi/sqrt 2 and no slip with 3.11, and the limits (4 b - a)/3 of the last two grids. Without slip
they are 1674.020, 1699.057, 1705.575, 1707.222 and 1707.770 (1707.772 of 256 and 512); Chandrasekhar (1961), Table III, has 1707.762 at 3.117, where it is least.
"""

from __future__ import annotations

import sys

import numpy as np

lengths = {"free slip": np.sqrt(2.0), "no slip": np.pi / 3.11}  # of half a roll, over the distance of the plates


def critical_rayleigh(n: int, length: float, slip: bool) -> float:
    k = 2 * n / length * np.sin(np.pi / (2 * n))
    neighbours = np.eye(n, k=1) + np.eye(n, k=-1) - 2 * np.eye(n)

    def at_centres(ghost):
        matrix = neighbours.copy()
        matrix[0, 0] += ghost
        matrix[-1, -1] += ghost
        return matrix * n**2 - k**2 * np.eye(n)

    at_faces = neighbours[1:, 1:] * n**2 - k**2 * np.eye(n - 1)  # inner ones
    rise = (np.eye(n - 1, n, k=1) - np.eye(n - 1, n)) * n  # from centres to faces
    mean = (np.eye(n - 1, n, k=1) + np.eye(n - 1, n)) / 2
    # u = U sin kx, the others cos kx: rows of u, w and of the divergence, columns U, W, P.
    zero = np.zeros
    stokes = np.block([[at_centres(1.0 if slip else -1.0), zero((n, n - 1)), k * np.eye(n)], [zero((n - 1, n)), at_faces, -rise],
                       [k * np.eye(n), -rise.T, zero((n, n))]])  # fmt: skip
    w_of_temperature = np.linalg.lstsq(stokes, np.vstack([zero((n, n)), -mean, zero((n, n))]), rcond=None)[0][n : 2 * n - 1]
    values = np.linalg.eigvals(np.linalg.solve(-at_centres(-1.0), mean.T @ w_of_temperature))
    return float(1 / values.real.max())


def closed_form(n: int, length: float) -> float:
    """Free slip."""
    k, m = 2 * n / length * np.sin(np.pi / (2 * n)), 2 * n * np.sin(np.pi / (2 * n))
    return float((k**2 + m**2) ** 3 / (k * np.cos(np.pi / (2 * n))) ** 2)


if __name__ == "__main__":
    grids = [int(text) for text in sys.argv[1:]] or [16, 32, 64, 128]
    for name, length in lengths.items():
        found = [critical_rayleigh(n, length, name == "free slip") for n in grids]
        print(f"{name}: " + ", ".join(f"{n}^2: {value:.4f}" for n, value in zip(grids, found)))
        if len(grids) > 1:
            print(f"{name}, limit of the last two: {(4 * found[-1] - found[-2]) / 3:.4f}")
