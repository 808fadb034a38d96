"""Steady convection of one roll in a cube with conducting side walls and no slip, by differences on staggered cells, in numpy.

    u_t + div(u u) = Pr lap u - grad p + Ra Pr T e_z,   div u = 0,   T_t + div(u T) = lap T

u = 0 on all walls, T = 1 - z there. Differences of second order: u at the faces across its axis, T and p at centres; fluxes of products of
means; ghosts such that the mean of both sides of a wall is what it prescribes. The steady state of these differences depends on no time step and
no scheme of time: it is approached by Adams and Bashforth's second-order scheme with a projection a step (A. J. Chorin, Math. Comput. 22 (1968) 745)
from the conduction state with the perturbation 0.1 sin(2 pi x) sin(pi y) sin(pi z), and by Anderson's acceleration of pieces of time. Written from these
equations without any code of the program.

    python3 validation/reference/convection_cube.py CELLS [RAYLEIGH] [PRANDTL]       4.4e4 and 0.71

prints the Nusselt number below and the largest component of the velocity along each axis: 2.12770, 31.4534, 14.1887 and 36.9134 with 16 cells (10 s),
2.06010, 32.2766, 13.8195 and 38.1201 with 32 (five minutes of a core).
"""

from __future__ import annotations

import sys

import numpy as np


def shifted(f, axis, by):
    """f without its first (by = 1) or last (by = -1) layer along an axis."""
    index = [slice(None)] * f.ndim
    index[axis] = slice(1, None) if by > 0 else slice(None, -1)
    return f[tuple(index)]


def mean(f, axis):
    return (shifted(f, axis, 1) + shifted(f, axis, -1)) / 2


def padded(f, axis, low, high):
    """With a ghost layer on either side."""
    first, last = np.take(f, [0], axis), np.take(f, [-1], axis)
    return np.concatenate([2 * low - first, f, 2 * high - last], axis)


class Roll:
    """u[a]: n + 1 faces along axis a, those on the walls included; T at n^3 centres. Axes x, y, z."""

    def __init__(self, n: int, rayleigh: float = 4.4e4, prandtl: float = 0.71):
        self.n, self.prandtl, self.buoyancy = n, prandtl, rayleigh * prandtl
        z = (np.arange(n) + 0.5) / n
        x, y = z[:, None, None], z[None, :, None]
        self.wall = (1 - z)[None, None, :]  # T of the side walls
        self.T = self.wall + 0.1 * np.sin(2 * np.pi * x) * np.sin(np.pi * y) * np.sin(np.pi * z)
        self.u = [np.zeros([n + (a == axis) for a in range(3)]) for axis in range(3)]
        self.dt, self.time, self.before = 0.96 / (12 * n**2 * max(prandtl, 1.0)), 0.0, None
        # Cosines are the vectors of the second difference with no gradient at the walls.
        m = np.arange(n)
        self.cosines = np.cos(np.pi * np.outer(m + 0.5, m) / n) * np.sqrt(np.where(m == 0, 1, 2) / n)
        values = (2 * n * np.sin(np.pi * m / (2 * n))) ** 2
        self.values = values[:, None, None] + values[None, :, None] + values[None, None, :]
        self.values[0, 0, 0] = 1.0

    def _diffusion(self, f, walls):
        """lap f with values on the walls along each axis; None: f lies on them, where the result is of no use and left 0."""
        total = np.zeros_like(f)
        for axis, wall in enumerate(walls):
            if wall is None:
                second = np.diff(f, 2, axis)
                width = [(1, 1) if a == axis else (0, 0) for a in range(3)]
                total += np.pad(second, width)
            else:
                total += np.diff(padded(f, axis, *wall), 2, axis)
        return total * self.n**2

    def _advection(self, axis):
        """div(u u_axis) at the inner faces."""
        u, f = self.u, self.u[axis]
        total = np.diff(mean(f, axis) ** 2, axis=axis)
        for other in range(3):
            if other != axis:
                # On the edges of cells: both velocities vanish on the walls.
                edge = mean(u[other], axis) * mean(shifted(shifted(padded(f, other, 0.0, 0.0), axis, 1), axis, -1), other)
                total = total + np.diff(edge, axis=other)
        return total * self.n

    def rates(self):
        """Of u at the inner faces and of T, without the pressure."""
        rates = []
        for axis in range(3):
            walls = [None if a == axis else (0.0, 0.0) for a in range(3)]
            inner = shifted(shifted(self._diffusion(self.u[axis], walls), axis, 1), axis, -1)
            rates.append(self.prandtl * inner - self._advection(axis))
        rates[2] += self.buoyancy * mean(self.T, 2)
        walls = [(self.wall, self.wall), (self.wall, self.wall), (1.0, 0.0)]
        heat = self._diffusion(self.T, walls)
        for axis in range(3):
            # Nothing flows through walls, whatever T is beyond.
            heat -= self.n * np.diff(self.u[axis] * mean(padded(self.T, axis, *walls[axis]), axis), axis=axis)
        return rates, heat

    def _transform(self, f, matrix):
        for _ in range(3):  # each pass moves the first axis to the end
            f = np.tensordot(f, matrix, axes=(0, 0))
        return f

    def project(self):
        divergence = sum(np.diff(self.u[axis], axis=axis) for axis in range(3)) * self.n
        phi = self._transform(-self._transform(divergence, self.cosines) / self.values, self.cosines.T)
        for axis in range(3):
            index = [slice(None)] * 3
            index[axis] = slice(1, -1)
            self.u[axis][tuple(index)] -= np.diff(phi, axis=axis) * self.n

    def step(self):
        now = self.rates()
        before = self.before or now
        for axis in range(3):
            index = [slice(None)] * 3
            index[axis] = slice(1, -1)
            self.u[axis][tuple(index)] += self.dt * (1.5 * now[0][axis] - 0.5 * before[0][axis])
        self.T = self.T + self.dt * (1.5 * now[1] - 0.5 * before[1])
        self.project()
        self.before, self.time = now, self.time + self.dt

    def advance(self, end):
        while self.time < end:
            self.step()
        return self

    def _state(self):
        return np.concatenate([*(f.ravel() for f in self.u), self.T.ravel()])

    def _take(self, state):
        for f in (*self.u, self.T):
            f[...] = state[: f.size].reshape(f.shape)
            state = state[f.size :]
        self.before = None

    def settle(self, piece=0.05, close=1e-8, depth=12, most=200, said=lambda roll: None):
        """To the state that a piece of time changes by no more than `close` of its largest value.

        The map of a piece of time is iterated with the combination of its last `depth` results whose changes cancel best (D. G. Anderson, J. ACM 12 (1965) 547).
        """
        states, changes = [], []
        for _ in range(most):
            begun = self._state()
            self.before = None
            self.advance(self.time + piece)
            states.append(self._state())
            changes.append(states[-1] - begun)
            said(self)
            if np.abs(changes[-1]).max() <= close * np.abs(begun).max():
                return self
            states, changes = states[-depth:], changes[-depth:]
            if len(changes) > 1:
                steps = np.array([b - a for a, b in zip(changes, changes[1:])]).T
                shares = np.linalg.lstsq(steps, changes[-1], rcond=None)[0]
                self._take(states[-1] - sum(s * (b - a) for s, a, b in zip(shares, states, states[1:])))
        raise RuntimeError("no steady state: give a longer piece of time")

    def summary(self):
        heat = 2 * self.n * np.mean(1 - self.T[:, :, 0])
        energy = sum(np.sum(f**2) for f in self.u) / 2 / self.n**3
        return {"nusselt": heat, **{f"{name}_max": np.abs(f).max() for name, f in zip("uvw", self.u)}, "energy": energy}


if __name__ == "__main__":
    cells, rayleigh, prandtl = [t(s) for t, s in zip((int, float, float), (sys.argv[1:] + ["4.4e4", "0.71"][len(sys.argv) - 2 :]))]
    found = Roll(cells, rayleigh, prandtl).advance(0.3).settle().summary()
    print(f"{cells}^3, Ra = {rayleigh:g}, Pr = {prandtl:g}: " + ", ".join(f"{k} {v:.6g}" for k, v in found.items()))
