"""Shallow water on the sphere by spherical harmonics, in numpy: the tables of Williamson's tests 5 and 6 again, at lower resolution.

Vorticity, divergence and surface in triangular truncation T, products on a Gaussian grid that leaves quadratic ones free of aliasing, fourth-order
Runge-Kutta, a del^8 filter of the e-folding time 4 h at n = T. The cone of test 5 is projected by quadrature on a grid four times finer.

    python3 validation/reference/water_spectral.py TEST TRUNCATION [DAY]      TEST: 5, 6, jet or steady-jet

T21 is 4.8e-4 (level) and 0.025 (speed) from the table of test 5 on day 5, T42 7.7e-5 and 0.0035; of test 6 on day 7 4.6e-3 and 0.050, 1.2e-3 and 0.017
(3 s with T21, a minute with T42): what is left is the truncation here.

The script prints for tests 5 and 6 the relative l2 distances of level and speed from validation/data/williamson{5,6}-spectral.csv on a day of that table (5 or 7
unless DAY is given), for the jet with or without its hump the extremes of (vorticity + f)/depth and of vorticity on DAY.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

radius, rate, gravity, day = 6.37122e6, 7.292e-5, 9.80616, 86400.0
tables = Path(__file__).resolve().parents[1] / "data"


class Harmonics:
    """Transforms between fields [lat, lon] and coefficients [m, n], 0 <= m <= n <= T; of `latitudes` (sines, weights) and `longitudes` points."""

    def __init__(self, truncation, sines, weights, longitudes):
        T = truncation
        self.truncation, self.sines, self.weights, self.longitudes = T, sines, weights, longitudes
        m, n = np.meshgrid(np.arange(T + 1), np.arange(T + 2), indexing="ij")
        epsilon = np.sqrt(np.maximum(n**2 - m**2, 0) / (4.0 * n**2 - 1))
        P = np.zeros((T + 1, T + 2, len(sines)))
        top = np.full(len(sines), np.sqrt(0.5))
        for k in range(T + 1):
            if k:
                top = top * np.sqrt((2 * k + 1) / (2 * k) * (1 - sines**2))
            P[k, k] = top
            P[k, k + 1] = sines * top / epsilon[k, k + 1]
            for q in range(k + 2, T + 2):
                P[k, q] = (sines * P[k, q - 1] - epsilon[k, q - 1] * P[k, q - 2]) / epsilon[k, q]
        H = -n[:, :-1, None] * epsilon[:, 1:, None] * P[:, 1:]  # (1 - mu^2) dP/dmu
        H[:, 1:] += (n[:, 1:-1] + 1)[..., None] * epsilon[:, 1:-1, None] * P[:, :-2]
        self.P, self.H = P[:, :-1], H * (n >= m)[:, :-1, None]
        self.m, self.n = m[:, :1], n[:, :-1]
        size = self.n * (self.n + 1.0)
        self.laplace = -size / radius**2
        self.inverse = np.where(size > 0, -(radius**2) / np.maximum(size, 1), 0)

    def _waves(self, field):
        return np.fft.rfft(field, axis=-1)[:, : self.truncation + 1].T / self.longitudes

    def _field(self, waves):
        return np.fft.irfft(np.pad(waves.T, ((0, 0), (0, self.longitudes // 2 - self.truncation))), self.longitudes, axis=-1) * self.longitudes

    def analysis(self, field):
        return np.matmul(self.P, (self.weights * self._waves(field))[..., None])[..., 0]

    def synthesis(self, c):
        return self._field(np.matmul(c[:, None], self.P)[:, 0])

    def curl_divergence(self, U, V):
        """Of a vector whose components times the cosine of the latitude are U east and V north."""
        weight = self.weights / (radius * (1 - self.sines**2))
        A, B = weight * self._waves(U), weight * self._waves(V)
        PA, PB, HA, HB = (np.matmul(basis, f[..., None])[..., 0] for basis, f in ((self.P, A), (self.P, B), (self.H, A), (self.H, B)))
        return 1j * self.m * PB + HA, 1j * self.m * PA - HB

    def wind(self, curl, divergence):
        """U and V of `curl_divergence`."""
        psi, chi = self.inverse * curl / radius, self.inverse * divergence / radius
        P, H = (lambda c: np.matmul(c[:, None], self.P)[:, 0]), (lambda c: np.matmul(c[:, None], self.H)[:, 0])
        return self._field(P(1j * self.m * chi) - H(psi)), self._field(P(1j * self.m * psi) + H(chi))


def gaussian(truncation, finer=1):
    lat = finer * (3 * truncation // 2 + 2)
    lat += lat % 2
    return Harmonics(truncation, *np.polynomial.legendre.leggauss(lat), 2 * lat)


def jet_state(lon, lat, hump):
    south, north = np.pi / 7, np.pi / 2 - np.pi / 7
    p = np.linspace(-np.pi / 2, np.pi / 2, 40001)
    inside = (p > south) & (p < north)
    safe = np.where(inside, p, 0.5 * (south + north))
    u = np.where(inside, 80 * np.exp(4 / (north - south) ** 2 + 1 / ((safe - south) * (safe - north))), 0.0)
    slope = -u * (2 * rate * radius * np.sin(p) + u * np.tan(safe)) / gravity
    step = p[1] - p[0]
    rise = np.concatenate([[0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * step)])
    surface = np.interp(lat, p, rise + 10000 - 0.5 * np.sum(rise * np.cos(p)) * step)
    l = np.where(lon > np.pi, lon - 2 * np.pi, lon)
    return surface + hump * 120 * np.cos(lat) * np.exp(-((3 * l) ** 2) - (15 * (np.pi / 4 - lat)) ** 2), np.interp(lat, p, u), 0.0


def state(test, lon, lat):
    """Surface, wind east and north at first."""
    s, c = np.sin(lat), np.cos(lat)
    if test == "5":
        return 5960 - (radius * rate * 20 + 20**2 / 2) * s**2 / gravity, 20 * c, 0.0
    if test in ("jet", "steady-jet"):
        return jet_state(lon, lat, float(test == "jet"))
    w = K = 7.848e-6
    A = w / 2 * (2 * rate + w) * c**2 + K**2 / 4 * (5 * c**12 / c**2 + 26 * c**8 - 32 * c**6)
    B = 2 * (rate + w) * K / 30 * c**4 * (26 - 25 * c**2)
    C = K**2 / 4 * c**8 * (5 * c**2 - 6)
    surface = 8000 + radius**2 / gravity * (A + B * np.cos(4 * lon) + C * np.cos(8 * lon))
    return surface, radius * (w * c + K * c**3 * (4 * s**2 - c**2) * np.cos(4 * lon)), -4 * radius * K * c**3 * s * np.sin(4 * lon)


def cone(lon, lat):
    r = np.minimum(np.pi / 9, np.hypot(lon - 1.5 * np.pi, lat - np.pi / 6))
    return 2000 * (1 - r / (np.pi / 9))


class Model:
    def __init__(self, test, truncation):
        self.grid = g = gaussian(truncation)
        lat = np.arcsin(g.sines)[:, None]
        lon = 2 * np.pi * np.arange(g.longitudes)[None, :] / g.longitudes
        surface, east, north = state(test, lon, lat)
        c, whole = np.cos(lat), np.ones_like(lat * lon)
        self.q = [*g.curl_divergence(east * c * whole, north * c * whole), g.analysis(surface * whole)]
        self.bed = np.zeros_like(self.q[0])
        if test == "5":
            fine = gaussian(truncation, 4)
            self.bed = fine.analysis(cone(2 * np.pi * np.arange(fine.longitudes)[None, :] / fine.longitudes, np.arcsin(fine.sines)[:, None]))
        self.ground, self.coriolis, self.cos2 = g.synthesis(self.bed), 2 * rate * np.sin(lat), c**2
        self.step_limit = 1800 * 21 / truncation

    def rates(self, q):
        g = self.grid
        curl, divergence, surface = q
        U, V = g.wind(curl, divergence)
        absolute = g.synthesis(curl) + self.coriolis
        depth = g.synthesis(surface) - self.ground
        spin, spread = g.curl_divergence(absolute * U, absolute * V)
        head = gravity * surface + g.analysis((U**2 + V**2) / (2 * self.cos2))
        return [-spread, spin - g.laplace * head, -g.curl_divergence(depth * U, depth * V)[1]]

    def advance(self, t):
        steps = int(np.ceil(t / self.step_limit))
        dt, n = t / steps, self.grid.n / self.grid.truncation
        damping = np.exp(-dt / 14400 * n**8)
        for _ in range(steps):
            q, total = self.q, [0, 0, 0]
            for share, weight in ((0.5, 1 / 6), (0.5, 1 / 3), (1.0, 1 / 3), (0.0, 1 / 6)):
                k = self.rates(q)
                total = [a + weight * b for a, b in zip(total, k)]
                q = [a + share * dt * b for a, b in zip(self.q, k)]
            self.q = [(a + dt * b) * damping for a, b in zip(self.q, total)]
        return self

    def potential_vorticity(self):
        g = self.grid
        spin = g.synthesis(self.q[0])
        return spin, (spin + self.coriolis) / (g.synthesis(self.q[2]) - self.ground)

    def on_table(self, lat, longitudes):
        """Level and wind at latitudes (radians) and cell centres of that many longitudes."""
        finer = 2 * self.grid.truncation // longitudes + 1  # as many longitudes as the waves need
        points = Harmonics(self.grid.truncation, np.sin(lat), np.ones_like(lat), finer * longitudes)
        shift = np.exp(1j * points.m * np.pi / longitudes)  # cell centres begin half a cell from 0
        curl, divergence, surface = (c * shift for c in self.q)
        U, V = points.wind(curl, divergence)
        fields = points.synthesis(surface), U / np.cos(lat)[:, None], V / np.cos(lat)[:, None]
        return tuple(f[:, ::finer] for f in fields)


def distances(test, truncation, on_day):
    """Relative l2 of the level and of the speed from the table."""
    rows = np.genfromtxt(tables / f"williamson{test}-spectral.csv", delimiter=",", comments="#")
    rows = rows[rows[:, 0] == on_day]
    lat = np.unique(rows[:, 1])
    rows = rows.reshape(len(lat), -1, 6)
    level, east, north = Model(test, truncation).advance(on_day * day).on_table(np.radians(lat), rows.shape[1])
    weight = np.cos(np.radians(rows[..., 1]))
    pairs = (level, rows[..., 3]), (np.hypot(east, north), np.hypot(rows[..., 4], rows[..., 5]))
    return [float(np.sqrt(np.sum(weight * (a - b) ** 2) / np.sum(weight * b**2))) for a, b in pairs]


def main(words):
    test, truncation = words[0], int(words[1])
    on_day = float(words[2]) if len(words) > 2 else 5 if test != "6" else 7
    if test in ("5", "6"):
        print("day {:g}: relative l2 of the level {:.3g}, of the speed {:.3g}".format(on_day, *distances(test, truncation, on_day)))
        return
    for name, field in zip(("vorticity", "(vorticity + f)/depth"), Model(test, truncation).advance(on_day * day).potential_vorticity()):
        print(f"day {on_day:g}: {name} from {field.min():.4g} to {field.max():.4g}")


if __name__ == "__main__":
    main(sys.argv[1:])
