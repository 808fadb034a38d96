"""Dry air in a vertical slab by finite volumes, in numpy: expected values of the bubbles, the density current and gravity waves of the atmosphere.

Departures rho', rho u, rho w, E' from a hydrostatic reference of uniform or exponentially rising potential temperature; edges of rho', u, w, p' by
the kappa = 1/3 scheme, LMARS (Chen et al., Mon. Weather Rev. 141 (2013) 2526), SSP-RK3 with the Courant number 0.9, E = p/(gamma - 1)
+ rho V^2/2 + rho g z. The scheme is that of the program's default, written again from its formulas without any of its code: a value that both have
is the scheme's, not that of a mistake in one of them. What the exact solution has is said by linear_waves.py and by the literature.

    python3 validation/reference/dry_air.py CASE CELLS_ALONG_X [END_IN_SECONDS]      CASE: one of `cases` below

prints the extremes of theta' and w, and the places that the checks of the examples compare. A quarter of an hour for 160 x 80 cells and 1000 s.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Callable

import linear_waves
import numpy as np

gas, heat, surface = 287.0, 1004.5, 1e5
gamma = heat / (heat - gas)


@dataclass(frozen=True)
class Case:
    """SI units. `warm`(x, z) is the departure of theta, or of the temperature; cells are `aspect` times wider than deep."""

    length: float
    height: float
    end: float
    warm: Callable
    of_temperature: bool = False
    theta: float = 300.0
    frequency: float = 0.0
    wind: float = 0.0
    viscosity: float = 0.0
    periodic: bool = False
    aspect: int = 1
    gravity: float = 9.81


def smooth(x, z):
    r = np.hypot(x - 500, z - 350)
    return np.where(r < 250, 0.25 * (1 + np.cos(np.pi * r / 250)), 0.0)


def wide(x, z):
    r = np.hypot(x - 10e3, z - 2e3) / 2e3
    return np.where(r < 1, 2 * np.cos(np.pi * np.minimum(r, 1) / 2) ** 2, 0.0)


def cold(x, z):
    r = np.hypot(x / 4e3, (z - 3e3) / 2e3)
    return np.where(r < 1, -7.5 * (1 + np.cos(np.pi * np.minimum(r, 1))), 0.0)


def spot(x, z):
    return 0.01 * np.sin(np.pi * z / 10e3) / (1 + ((x - 100e3) / 5e3) ** 2)


cases = {
    "smooth-bubble": Case(1000.0, 1000.0, 700.0, smooth),
    "warm-bubble": Case(20e3, 10e3, 1000.0, wide),
    "density-current": Case(25.6e3, 6.4e3, 900.0, cold, of_temperature=True, viscosity=75.0),
    "gravity-wave": Case(300e3, 10e3, 3000.0, spot, frequency=0.01, wind=20.0, periodic=True, aspect=10),
}


class Slab:
    """The air of a case on `nx` cells along x; arrays are [level, column]."""

    def __init__(self, case: Case, nx: int):
        self.case, self.nx = case, nx
        self.nz = round(case.height / case.length * nx * case.aspect)
        self.dx, self.dz = case.length / nx, case.height / self.nz
        self.x, self.z = (np.arange(nx) + 0.5) * self.dx, ((np.arange(self.nz) + 0.5) * self.dz)[:, None]
        self.z_face = (np.arange(self.nz + 1) * self.dz)[:, None]
        self.p_r, self.rho_r, self.theta_r = self.reference(self.z)
        self.face_r = self.reference(self.z_face)
        warm = case.warm(self.x[None, :], self.z)
        exner = (self.p_r / surface) ** (gas / heat)
        rho = self.p_r / (gas * (self.theta_r * exner + (warm if case.of_temperature else warm * exner)))
        energy = (rho - self.rho_r) * case.gravity * self.z + rho * case.wind**2 / 2  # p' = 0
        self.q = np.stack([rho - self.rho_r, rho * case.wind, np.zeros_like(rho), energy])
        self.time = 0.0

    def reference(self, z):
        """Pressure, density and potential temperature at heights z."""
        c = self.case
        s = c.frequency**2 / c.gravity
        theta = c.theta * np.exp(s * z)
        exner = 1 - c.gravity / (heat * c.theta) * (z if s == 0 else -np.expm1(-s * z) / s)
        p = surface * exner ** (heat / gas)
        return p, p / (gas * theta * exner), theta

    def primitive(self, q):
        """rho', u, w, p'."""
        rho = self.rho_r + q[0]
        u, w = q[1] / rho, q[2] / rho
        return np.stack([q[0], u, w, (gamma - 1) * (q[3] - q[0] * self.case.gravity * self.z - rho * (u**2 + w**2) / 2)])

    def theta(self, v):
        p = self.p_r + v[3]
        return p / (gas * (self.rho_r + v[0])) * (surface / p) ** (gas / heat) - self.theta_r

    def divergence(self, v, axis):
        """Of the fluxes along x (axis 2) or z (axis 1), per metre."""
        n, wall = v.shape[axis], not (axis == 2 and self.case.periodic)
        v = np.moveaxis(v, axis, -1)
        v = v if axis == 2 else v[[0, 2, 1, 3]]  # the normal velocity first
        if wall:  # mirror images; beyond ground and lid rho' and p' go straight on, as gravity bends them
            mirror = np.array([1, -1, 1, 1])[:, None, None]
            ends = [mirror * v[..., :2][..., ::-1], mirror * v[..., -2:][..., ::-1]]
            for m in (0, 3) if axis == 1 else ():
                a, b, y, z = v[m, :, 0], v[m, :, 1], v[m, :, -2], v[m, :, -1]
                ends[0][m], ends[1][m] = np.stack([3 * a - 2 * b, 2 * a - b], -1), np.stack([2 * z - y, 3 * z - 2 * y], -1)
        else:
            ends = [v[..., -2:], v[..., :2]]
        e = np.concatenate([ends[0], v, ends[1]], axis=-1)
        left = 5 / 6 * e[..., 1 : n + 2] + 1 / 3 * e[..., 2 : n + 3] - 1 / 6 * e[..., : n + 1]
        right = 5 / 6 * e[..., 2 : n + 3] + 1 / 3 * e[..., 1 : n + 2] - 1 / 6 * e[..., 3 : n + 4]
        p_r, rho_r = (self.p_r, self.rho_r) if axis == 2 else (self.face_r[0].T, self.face_r[1].T)
        rho = [rho_r + s[0] for s in (left, right)]
        p = [p_r + s[3] for s in (left, right)]
        sound = [np.sqrt(gamma * a / b) for a, b in zip(p, rho)]
        z = (rho[0] + rho[1]) / 2 * (sound[0] + sound[1]) / 2
        speed = (left[1] + right[1]) / 2 + (left[3] - right[3]) / (2 * z)
        push = (left[3] + right[3]) / 2 + z * (left[1] - right[1]) / 2
        if wall:
            speed[..., [0, -1]] = 0
            push[..., 0] = (right[3] - rho[1] * sound[1] * right[1])[..., 0]
            push[..., -1] = (left[3] + rho[0] * sound[0] * left[1])[..., -1]
        potential = self.case.gravity * (self.z if axis == 2 else self.z_face.T)
        enthalpy = [gamma / (gamma - 1) * a / b + (s[1] ** 2 + s[2] ** 2) / 2 + potential for a, b, s in zip(p, rho, (left, right))]
        up = speed > 0
        mass = speed * np.where(up, rho[0], rho[1])
        flux = np.stack([mass, mass * np.where(up, left[1], right[1]) + push, mass * np.where(up, left[2], right[2]), mass * np.where(up, *enthalpy)])
        flux = flux if axis == 2 else flux[[0, 2, 1, 3]]
        return np.moveaxis(np.diff(flux, axis=-1), -1, axis) / (self.dx if axis == 2 else self.dz)

    def viscous(self, v):
        """Of u, w and theta' with one viscosity, no flux through walls: rates of the momenta and the energy."""
        nu, rate = self.case.viscosity, np.zeros_like(v)
        rho, theta = self.rho_r + v[0], self.theta(v)
        exner = ((self.p_r + v[3]) / surface) ** (gas / heat)
        for axis, d in ((1, self.dx), (0, self.dz)):
            mean = lambda a: (np.take(a, range(1, a.shape[axis]), axis) + np.take(a, range(a.shape[axis] - 1), axis)) / 2
            fluxes = {1: (mean(rho) * nu * np.diff(v[1], axis=axis) / d), 2: (mean(rho) * nu * np.diff(v[2], axis=axis) / d)}
            energy = mean(rho) * heat * nu * mean(exner) * np.diff(theta, axis=axis) / d + sum(mean(v[m]) * fluxes[m] for m in (1, 2))
            pad = [(1, 1) if a == axis else (0, 0) for a in (0, 1)]
            for m, f in ((1, fluxes[1]), (2, fluxes[2]), (3, energy)):
                rate[m] += np.diff(np.pad(f, pad), axis=axis) / d
            # Walls without friction, but the velocity across one is mirrored.
            m, f = (1, v[1]) if axis == 1 else (2, v[2])
            for end in (0, -1):
                index = (slice(None), end) if axis == 1 else (end, slice(None))
                rate[m][index] -= 2 * nu * rho[index] * f[index] / d**2
        return rate

    def rate(self, q):
        v = self.primitive(q)
        r = -self.divergence(v, 2) - self.divergence(v, 1)
        r[2] -= q[0] * self.case.gravity
        return r + self.viscous(v) if self.case.viscosity else r

    def step(self, end):
        v = self.primitive(self.q)
        a = np.sqrt(gamma * (self.p_r + v[3]) / (self.rho_r + v[0]))
        friction = 2 * self.case.viscosity * (1 / self.dx**2 + 1 / self.dz**2)
        dt = min(0.9 / ((np.abs(v[1]) + a) / self.dx + (np.abs(v[2]) + a) / self.dz + friction).max(), end - self.time)
        q1 = self.q + dt * self.rate(self.q)
        q2 = 0.75 * self.q + 0.25 * (q1 + dt * self.rate(q1))
        self.q = self.q / 3 + 2 / 3 * (q2 + dt * self.rate(q2))
        self.time += dt

    def advance(self, end):
        while self.time < end:
            self.step(end)
        return self

    def distance(self):
        """From the linear solution of the gravity waves, over its l2: of theta' and w."""
        v, column = self.primitive(self.q), linear_waves.Column(levels=50)
        exact = [linear_waves.at_heights(column, field, self.z[:, 0]) for field in linear_waves.channel(column, self.x, self.time)]
        return [np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip((self.theta(v), v[2]), exact)]

    def summary(self):
        """Extremes and places by name: `top`, where theta' falls through 0.5 K or 0.1 K on the axis, and `front`, -1 K on the lowest level."""
        v = self.primitive(self.q)
        t, n = self.theta(v), self.nx
        found = {"theta_max": t.max(), "theta_min": t.min(), "w_max": v[2].max(), "w_min": v[2].min()}
        axis, z = (t[:, n // 2] + t[:, (n - 1) // 2]) / 2, self.z[:, 0]
        for name, line, level, places in (("top_0.5", axis, 0.5, z), ("top_0.1", axis, 0.1, z), ("front", -t[0], 1.0, self.x)):
            beyond = np.nonzero(line > level)[0]
            if len(beyond) and beyond[-1] + 1 < len(line):
                k = beyond[-1]
                found[name] = places[k] + (places[k + 1] - places[k]) * (line[k] - level) / (line[k] - line[k + 1])
        if self.case.periodic:
            found["distance_theta"], found["distance_w"] = self.distance()
        return found


def main():
    name, nx = sys.argv[1], int(sys.argv[2])
    case = cases[name]
    slab = Slab(case, nx).advance(float(sys.argv[3]) if len(sys.argv) > 3 else case.end)
    print(f"{name}, {slab.nx} x {slab.nz} cells, {slab.time:g} s: " + ", ".join(f"{k} {x:.6g}" for k, x in slab.summary().items()))


if __name__ == "__main__":
    main()
