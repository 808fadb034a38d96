"""Linear gravity and sound waves in air that turns as a solid body about a small planet: DCMIP 2012, case 3-1, by spherical harmonics, in numpy.

Air of one Brunt-Vaisala frequency that turns with the angular velocity W = (wind at the equator)/radius about a planet without rotation is at rest in the
frame that turns with it. There a warm spot moves it by the equations of linear_waves.py with Coriolis' force, f = 2 W sin(lat) (C. Jablonowski, P. H.
Lauritzen, R. D. Nair and M. Taylor, Idealized test cases for the dynamical cores of atmospheric general circulation models, DCMIP 2012, 3-1). With
u = k x grad psi + grad chi and coefficients of normalised harmonics of the order m, e_l = sqrt((l^2 - m^2)/(4 l^2 - 1)) (M. S. Longuet-Higgins,
Phil. Trans. R. Soc. A 262 (1968) 511):

    chi_l' = -p_l/rho_0 + 2 W (i m/(l(l + 1)) chi_l + (l - 1)/l e_l psi_(l-1) + (l + 2)/(l + 1) e_(l+1) psi_(l+1))
    psi_l' =              2 W (i m/(l(l + 1)) psi_l - (l - 1)/l e_l chi_(l-1) - (l + 2)/(l + 1) e_(l+1) chi_(l+1))

About a spot on the equator chi, p, w and theta' are even and psi is odd there. Waves without the force are exact in time, of every l by itself, as in
linear_waves.py; half a step of them, a step of the force by the fourth order of Taylor's series and half a step of them again make a step (G. Strang,
SIAM J. Numer. Anal. 5 (1968) 506). Levels are of second order. What is left out are products of departures and the 0.07 K by which the air in balance
with the wind differs between the equator and the poles.

    python3 validation/reference/planet_waves.py [WAVES LEVELS STEP]      80 40 5

prints the extremes after 450, 1800 and 3600 s; after 450 s theta' lies between -0.4550 and 0.1709 K, w between -0.1702 and 0.4480 m/s.
"""

from __future__ import annotations

import functools
import sys

import numpy as np
from linear_waves import Column, at_heights


def legendre(m: int, waves: int, sines):
    """Normalised P_l^m [l - m, point], m <= l < waves: mean square 1/2 over the sines."""
    sines, table = np.asarray(sines, float), np.zeros((waves - m, np.size(sines)))
    table[0] = np.sqrt(0.5) * np.prod([np.sqrt((2 * q + 1) / (2 * q)) for q in range(1, m + 1)]) * (1 - sines**2) ** (m / 2)
    e = epsilon(m, np.arange(m, waves + 1))
    for q in range(1, waves - m):
        table[q] = (sines * table[q - 1] - (e[q - 1] * table[q - 2] if q > 1 else 0)) / e[q]
    return table


def epsilon(m, l):
    return np.sqrt(np.maximum(l**2 - m**2, 0) / (4.0 * l**2 - 1))


class Planet:
    """Departures about a warm spot on the equator, in the frame of the air; longitudes count from the spot eastward."""

    def __init__(self, column: Column, waves=80, step=5.0, wind=20.0, radius=50969.76, half_width=5e3, size=1.0):
        self.column, self.waves, self.step, self.radius, self.time = column, waves, step, radius, 0.0
        n = column.n
        nodes, weights = np.polynomial.legendre.leggauss(400)
        shape = 1 / (1 + (radius * np.arccos(nodes) / half_width) ** 2)
        zonal = np.polynomial.legendre.legvander(nodes, waves - 1).T @ (weights * shape)  # the addition theorem carries it to all m
        self.scale = np.sqrt(column.rho_face) * column.gravity / (column.frequency * column.theta_face)
        profile = self.scale * size * np.sin(np.pi * column.faces / (n * column.dz))
        # [l, m, value]: chi or psi and p of the levels, w and theta' of the faces, in the variables of Column, chi by its k.
        self.state = np.zeros((waves, waves, 4 * n - 2), complex)
        l, m = np.meshgrid(np.arange(waves), np.arange(waves), indexing="ij")
        for order in range(waves):
            at_spot = legendre(order, waves, [0.0])[:, 0]
            self.state[order:, order, 3 * n - 1 :] = (zonal[order:] * at_spot)[:, None] * profile
        self.half = []
        for degree in range(waves):
            a, s, v = column.modes(np.sqrt(degree * (degree + 1)) / radius)
            cos, sin = np.cos(s * step / 2), np.sin(s * step / 2)
            y = (a * cos) @ a.T, (a * sin) @ v.T  # y = (u, w) from y and q = (p, theta')
            q = -(v * sin) @ a.T, (v * cos) @ v.T
            order = np.r_[0:n, 2 * n - 1 : 3 * n - 1, n : 2 * n - 1, 3 * n - 1 : 4 * n - 2]  # u, p, w, theta' out of u, w, p, theta'
            self.half.append(np.block([[*y], [*q]])[np.ix_(order, order)])
        self.even = (l - m) % 2 == 0
        k, safe = np.sqrt(l * (l + 1.0)), np.maximum(l, 1.0)
        turning = 2 * wind / radius * np.where(self.even, 1, -1) * (l >= np.maximum(m, 1))
        # Both are carried times k: the factors of chi and psi times k_l/k_(l-1) and k_l/k_(l+1).
        below = np.maximum(np.sqrt((safe - 1) * safe), 1e-300)
        self.own = 2j * wind / radius * m / np.maximum(l * (l + 1.0), 1)
        self.lower = turning * np.where(l > 1, (safe - 1) / safe * epsilon(m, l) * k / below, 0) * (l > m)
        self.upper = turning * (safe + 2) / (safe + 1) * epsilon(m, l + 1) * k / np.sqrt((l + 1.0) * (l + 2.0))

    def _force(self, z):
        rate = self.own[..., None] * z
        rate[1:] += self.lower[1:, :, None] * z[:-1]
        rate[:-1] += self.upper[:-1, :, None] * z[1:]
        return rate

    def _waves(self):
        for l, matrix in enumerate(self.half):
            here = self.state[l, : l + 1]
            # Where l - m is odd, psi takes the place of chi, and waves do not move it; nothing else is there.
            moved = here[self.even[l, : l + 1]]
            here[self.even[l, : l + 1]] = moved.real @ matrix.T + 1j * (moved.imag @ matrix.T)

    def advance(self, until):
        n, dt = self.column.n, self.step
        for _ in range(round((until - self.time) / dt)):
            self._waves()
            z = term = self.state[..., :n].copy()
            for order in range(1, 5):
                term = self._force(term) * (dt / order)
                z = z + term
            self.state[..., :n] = z
            self._waves()
            self.time += dt
        return self

    def at(self, longitudes, latitudes):
        """theta', K, and w, m/s, [face, point]."""
        n, sines = self.column.n, np.sin(latitudes)
        sums = np.zeros((2 * n - 2, np.size(sines)))
        for m in range(self.waves):
            values = self.state[m:, m, 2 * n :].T @ legendre(m, self.waves, sines)
            sums += (1 if m == 0 else 2) * np.real(values * np.exp(1j * m * np.asarray(longitudes)))
        return sums[n - 1 :] / self.scale[:, None], sums[: n - 1] / np.sqrt(self.column.rho_face)[:, None]

    def at_cells(self, heights, longitudes, latitudes):
        """The same at heights, [height, ...] with the shape of the longitudes."""
        longitudes, latitudes = np.asarray(longitudes), np.asarray(latitudes)
        return [at_heights(self.column, field, heights).reshape(len(heights), *longitudes.shape)
                for field in self.at(longitudes.ravel(), latitudes.ravel())]  # fmt: skip


@functools.lru_cache(maxsize=2)
def dcmip31(until, waves=60, levels=30, step=15.0) -> Planet:
    """After the time `until`, s: 0.3 % of theta' and 1.7 % of w, relative l2, from 80 waves on 40 levels with steps of 7.5 s after 450 s."""
    return Planet(Column(levels=levels, gravity=9.80616), waves, step).advance(until)


if __name__ == "__main__":
    waves, levels, step = [t(s) for t, s in zip((int, int, float), (sys.argv[1:] + ["80", "40", "5"][len(sys.argv) - 1 :]))]
    planet = Planet(Column(levels=levels, gravity=9.80616), waves, step)
    longitude, latitude = (c.ravel() for c in np.meshgrid(np.radians(np.arange(-180, 180, 1.0)), np.radians(np.arange(-90, 91, 1.0))))
    for t in (450.0, 1800.0, 3600.0):
        theta, w = planet.advance(t).at(longitude, latitude)
        print(f"{t:g} s, {waves} waves, {levels} levels: theta' {theta.min():.4f} to {theta.max():.4f} K, w {w.min():.4f} to {w.max():.4f} m/s", flush=True)
