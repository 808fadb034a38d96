"""Critical Rayleigh number of the cube heated from below with conducting side walls and no slip, by an eigenvalue problem, in numpy.

Convection sets in as a steady state, so that the critical number of the differences depends on no time step: 1/Ra_c is the largest eigenvalue
of w -> T -> w, with  lap T + w = 0, T = 0 on the walls, and Stokes' equations  lap u - grad p + T e_z = 0, div u = 0, u = 0 on the walls.
Differences: second order on staggered cells, ghost = -(first value) for what lies half a cell off a wall; T and w meet as means of two
neighbours. One-dimensional operators are diagonalised; the pressure is found by conjugate gradients on div lap^-1 grad; the largest
eigenvalue by Lanczos' method with full orthogonalisation. There is no time, no projection and no code of the program in it.

    python3 validation/reference/conducting_cube.py 16 24 32

prints the critical number of each grid, and the limit of a + b h^2 + c h^4 of the last three: 6636.30, 6722.79, 6754.88 and 6797.5 (a minute).
"""

from __future__ import annotations

import sys

import numpy as np


def second_difference(cells: int, on_faces: bool):
    """Eigenvalues and orthonormal vectors of -d2/dx2 with zero at both walls: at the inner faces, or at the centres."""
    n = cells - 1 if on_faces else cells
    matrix = (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)) * cells**2
    if not on_faces:
        matrix[0, 0] = matrix[-1, -1] = 3 * cells**2
    return np.linalg.eigh(matrix)


class Laplacian:
    """-lap with zero on all walls, for values on the inner faces across `axis`, or at centres (None)."""

    def __init__(self, cells: int, axis):
        parts = [second_difference(cells, axis == a) for a in range(3)]
        self.vectors = [vectors for _, vectors in parts]
        x, y, z = (values for values, _ in parts)
        self.values = x[:, None, None] + y[None, :, None] + z[None, None, :]

    def power(self, exponent: float, f):
        for vectors in self.vectors:  # each pass moves the first axis to the end
            f = np.tensordot(f, vectors, axes=(0, 0))
        f = f * self.values**exponent
        for vectors in self.vectors:
            f = np.tensordot(f, vectors, axes=(0, 1))
        return f


class Cube:
    def __init__(self, cells: int):
        self.cells = cells
        self.heat = Laplacian(cells, None)
        self.viscous = [Laplacian(cells, axis) for axis in range(3)]

    def gradient(self, p):
        return [np.diff(p, axis=axis) * self.cells for axis in range(3)]

    def divergence(self, u):
        total = 0.0
        for axis in range(3):
            width = [(1, 1) if a == axis else (0, 0) for a in range(3)]
            total = total + np.diff(np.pad(u[axis], width), axis=axis) * self.cells
        return total

    def stokes(self, force_z):
        """w of -lap u + grad p = force_z e_z, div u = 0."""
        force = [None, None, force_z]
        u = [0.0 * np.diff(self.heat.values, axis=a) if force[a] is None else self.viscous[a].power(-1, force[a]) for a in range(3)]
        residual = self.divergence(u)  # = div lap^-1 grad p, to be solved for p
        p, direction, square = np.zeros_like(residual), residual.copy(), np.sum(residual**2)
        end = 1e-24 * square
        while square > end:
            du = [self.viscous[a].power(-1, g) for a, g in enumerate(self.gradient(direction))]
            image = self.divergence(du)
            step = square / np.sum(direction * image)
            p, residual = p + step * direction, residual - step * image
            before, square = square, np.sum(residual**2)
            direction = residual + square / before * direction
        return u[2] - self.viscous[2].power(-1, self.gradient(p)[2])

    def apply(self, x):
        """The symmetric form: (-lap)^-1/2 mean . stokes . mean (-lap)^-1/2."""
        t = self.heat.power(-0.5, x)
        w = self.stokes((t[:, :, :-1] + t[:, :, 1:]) / 2)
        wide = np.pad(w, [(0, 0), (0, 0), (1, 1)])
        return self.heat.power(-0.5, (wide[:, :, :-1] + wide[:, :, 1:]) / 2)

    def critical_rayleigh(self, steps: int = 60) -> float:
        basis = [np.random.default_rng(1).standard_normal((self.cells,) * 3)]
        basis[0] /= np.linalg.norm(basis[0])
        diagonal, beside, before = [], [], 0.0
        for _ in range(steps):
            new = self.apply(basis[-1])
            diagonal.append(np.sum(new * basis[-1]))
            for _ in range(2):
                for vector in basis:
                    new -= np.sum(new * vector) * vector
            matrix = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
            largest = np.linalg.eigvalsh(matrix)[-1]
            if abs(largest - before) < 1e-11 * largest:
                break
            before = largest
            beside.append(np.linalg.norm(new))
            basis.append(new / beside[-1])
        else:
            raise RuntimeError(f"no eigenvalue after {steps} steps")
        return float(1 / largest)


def limit(cells, values) -> float:
    """a of a + b h^2 + c h^4 through three grids."""
    squares = 1 / np.asarray(cells, float) ** 2
    return float(np.linalg.solve(np.vander(squares, increasing=True), values)[0])


if __name__ == "__main__":
    grids = [int(text) for text in sys.argv[1:]] or [16, 24, 32]
    found = []
    for cells in grids:
        found.append(Cube(cells).critical_rayleigh())
        print(f"{cells}^3: {found[-1]:.4f}", flush=True)
    if len(grids) >= 3:
        print(f"limit of the last three: {limit(grids[-3:], found[-3:]):.3f}")
