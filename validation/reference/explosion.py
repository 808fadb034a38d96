"""Viscous gas of constant sound speed in a periodic cube by sixth-order differences, in numpy: expected values of the explosion and of mass drift.

    d(ln rho)/dt = -u.grad ln rho - div u
    du_i/dt = -u.grad u_i - c^2 d_i ln rho + nu (lap u_i + d_i div u / 3 + 2 S_ij d_j ln rho)

(Pekkila et al., Comput. Phys. Commun. 217 (2017) 11), Williamson's third-order Runge-Kutta scheme. Mixed derivatives of grad div u: differences along
diagonals (55-point) or first derivatives of div u (19-point). Written from the formulas, with none of the program's code: a value that both
have is the scheme's, not that of a mistake in one of them. It says nothing about the distance from the exact solution.

    python3 validation/reference/explosion.py [CELLS] [METHOD] [VISCOSITY] [END] [FLOW]      64 55-point 0.05 0.5 explosion

prints density and radial velocity at the lattice points of radius 9 and 18 (64 cells) that examples/explosion compares, extremes, drift of mass.
A minute for 64 cells. FLOW taylor-green starts with that vortex and c = 10 and prints the last line alone.
"""

from __future__ import annotations

import sys

import numpy as np

directions = ((9, 0, 0), (8, 4, 1), (7, 4, 4), (6, 6, 3))


def moved(f, *shifts):
    """Values at i + shift; fields have the axes (x, y, z)."""
    return np.roll(f, [-s for s in shifts], axis=range(3))


class Gas:
    """The cube [-pi, pi)^3; node cells/2 of each axis is the origin."""

    def __init__(self, cells: int, method: str = "55-point", viscosity: float = 0.05, flow: str = "explosion"):
        self.cells, self.method, self.nu, self.h, self.t = cells, method, viscosity, 2 * np.pi / cells, 0.0
        self.c = 10.0 if flow == "taylor-green" else 1.0
        x = -np.pi + self.h * np.arange(cells)
        x = np.stack(np.meshgrid(x, x, x, indexing="ij"))
        r = np.sqrt(np.sum(x**2, axis=0))
        self.state = np.zeros((4, cells, cells, cells))  # ln rho, u
        if flow == "taylor-green":
            cos, sin, twice = np.cos(x), np.sin(x), np.cos(2 * x)
            self.state[0] = np.log(1 + (twice[0] + twice[1]) * (twice[2] + 2) / (16 * self.c**2))
            self.state[1], self.state[2] = sin[0] * cos[1] * cos[2], -cos[0] * sin[1] * cos[2]
        else:
            self.state[1:] = np.exp(-((r - 0.8) ** 2) / 0.08) * x / np.sqrt(r**2 + 1e-24)
        self.first_mass = self.mass()

    def mass(self) -> float:
        return float(np.exp(self.state[0]).sum()) * self.h**3

    def along(self, axis: int, s: int):
        return tuple(s if a == axis else 0 for a in range(3))

    def first(self, f, axis: int):
        if f.shape[axis] == 1:
            return 0.0 * f
        pairs = ((45, 1), (-9, 2), (1, 3))
        return sum(c * (moved(f, *self.along(axis, s)) - moved(f, *self.along(axis, -s))) for c, s in pairs) / (60 * self.h)

    def second(self, f, axis: int):
        if f.shape[axis] == 1:
            return 0.0 * f
        pairs = ((270, 1), (-27, 2), (2, 3))
        sides = sum(c * (moved(f, *self.along(axis, s)) + moved(f, *self.along(axis, -s))) for c, s in pairs)
        return (sides - 490 * f) / (180 * self.h**2)

    def mixed(self, f, a: int, b: int):
        total = 0.0 * f
        if 1 in (f.shape[a], f.shape[b]):
            return total
        for c, s in ((270, 1), (-27, 2), (2, 3)):
            up = tuple(s if axis in (a, b) else 0 for axis in range(3))
            down = tuple(s if axis == a else -s if axis == b else 0 for axis in range(3))
            total = total + c * (moved(f, *up) + moved(f, *(-i for i in up)) - moved(f, *down) - moved(f, *(-i for i in down)))
        return total / (720 * self.h**2)

    def rate(self, state):
        l, u = state[0], state[1:]
        dl = [self.first(l, a) for a in range(3)]
        du = [[self.first(u[i], a) for a in range(3)] for i in range(3)]
        div = du[0][0] + du[1][1] + du[2][2]
        out = np.empty_like(state)
        out[0] = -sum(u[a] * dl[a] for a in range(3)) - div
        for i in range(3):
            second = [self.second(u[i], a) for a in range(3)]
            if self.method == "55-point":
                grad_div = second[i] + sum(self.mixed(u[a], i, a) for a in range(3) if a != i)
            else:
                grad_div = self.first(div, i)
            strain = sum((du[i][a] + du[a][i]) * dl[a] for a in range(3)) - 2 / 3 * div * dl[i]
            out[1 + i] = -sum(u[a] * du[i][a] for a in range(3)) - self.c**2 * dl[i] + self.nu * (sum(second) + grad_div / 3 + strain)
        return out

    def largest_step(self) -> float:
        """The program's rule with cfl = 0.9 and cfl_viscous = 0.25, which the sixth digit depends on."""
        fastest = (np.abs(self.state[1:]).sum(axis=0).max() + np.sqrt(3) * self.c) / self.h
        return 1 / np.hypot(fastest / 0.9, self.nu * 3 / self.h**2 / 0.25)

    def advance(self, end: float, dt=None):
        while self.t < end * (1 - 1e-12):
            step = min(dt or self.largest_step(), end - self.t)
            change = 0.0
            for a, b in ((0, 1 / 3), (-5 / 9, 15 / 16), (-153 / 128, 8 / 15)):
                change = a * change + step * self.rate(self.state)
                self.state = self.state + b * change
            self.t += step
        return self

    def at(self, direction):
        """Density and radial velocity at a lattice point counted from the origin."""
        i = tuple(d + self.cells // 2 for d in direction)
        d = np.asarray(direction, float)
        return float(np.exp(self.state[(0, *i)])), float(d @ self.state[(slice(1, 4), *i)] / np.linalg.norm(d))

    def drift(self) -> float:
        return self.mass() / self.first_mass - 1


if __name__ == "__main__":
    cells, method, viscosity, end, flow = (*sys.argv[1:], *("64", "55-point", "0.05", "0.5", "explosion")[len(sys.argv) - 1 :])
    gas = Gas(int(cells), method, float(viscosity), flow).advance(float(end))
    for ring in (1, 2) if int(cells) % 64 == 0 and flow == "explosion" else ():
        for direction in directions:
            point = tuple(ring * d * int(cells) // 64 for d in direction)
            print(f"{point}: rho {gas.at(point)[0]:.8f}, u_r {gas.at(point)[1]:.8f}")
    speed, rho = np.sqrt(np.sum(gas.state[1:] ** 2, axis=0)).max(), np.exp(gas.state[0])
    print(f"largest speed {speed:.8f}, density {rho.min():.8f} to {rho.max():.8f}, drift of mass {gas.drift():.3e}")
