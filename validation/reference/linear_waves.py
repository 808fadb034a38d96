"""Linear gravity and sound waves in air between a flat ground and a lid: what is left of a warm spot after a time.

Air of one Brunt-Vaisala frequency N at rest, theta_0 = theta exp(N^2 z/g), moves by (subscripts are derivatives)

    rho_0 u_t = -grad p'          rho_0 w_t = -p'_z - g p'/c^2 + rho_0 g theta'/theta_0
    p'_t = -rho_0 c^2 (div u + w_z) + rho_0 g w            theta'_t = -theta_0 N^2/g w

A horizontal pattern with the wave number k, div grad = -k^2, leaves equations of z and t alone. With U = sqrt(rho_0) u, W = sqrt(rho_0) w,
P = p'/(sqrt(rho_0) c) and T = sqrt(rho_0) g theta'/(N theta_0) they are y_t = B q, q_t = -B^T y for y = (U, W), q = (P, T): the energy |y|^2 + |q|^2
is constant. U and P lie in the middle of levels, W and T on the faces between them; second order. The singular values of B are the frequencies, and

    q(t) = V cos(s t) V^T q(0),   y(t) = A sin(s t) V^T q(0),   B = A diag(s) V^T,

without any time step. Nothing is shared with the program: no fluxes, no Riemann solver, no grid in the horizontal. Uniform wind carries the pattern.

    channel(...)     a periodic channel: Skamarock and Klemp, Mon. Weather Rev. 122 (1994) 2623, with sound and varying density, which their
                     formula leaves out
    isothermal(...)  the same for isothermal air in closed form: M. Baldauf and S. Brdar, Q. J. R. Meteorol. Soc. 139 (2013) 1977. Such air has one N too, so
                     that channel() must converge to it
    planet(...)      a shallow atmosphere of a sphere at rest about a spot that depends on the angle from its centre only, by Legendre
                     polynomials, k^2 = l (l + 1)/a^2: DCMIP 2012, case 3-1, until rotation with the wind matters (u_0 t << a)

    python3 validation/reference/linear_waves.py      prints the extremes of both
"""

from __future__ import annotations

import numpy as np


class Column:
    """Air between z = 0 and the lid: `top`, m; `theta`, K at the ground where the pressure is 1e5 Pa; `frequency` N, 1/s; number of levels."""

    def __init__(self, top=10e3, theta=300.0, frequency=0.01, levels=100, gravity=9.81, gas=287.0, heat=1004.5):
        self.dz, self.n, self.frequency, self.gravity = top / levels, levels, frequency, gravity
        self.middles, self.faces = (np.arange(levels) + 0.5) * self.dz, np.arange(1, levels) * self.dz

        def air(z):
            potential = theta * np.exp(frequency**2 / gravity * z)
            exner = 1 - gravity**2 / (heat * theta * frequency**2) * (1 - np.exp(-(frequency**2) / gravity * z))
            return 1e5 / gas * exner ** (heat / gas - 1) / potential, np.sqrt(heat / (heat - gas) * gas * exner * potential), potential

        (self.rho, self.sound, _), (self.rho_face, _, self.theta_face) = air(self.middles), air(self.faces)

    def modes(self, k):
        """A, s, V of the wave number k, 1/m."""
        n, root, root_face = self.n, np.sqrt(self.rho), np.sqrt(self.rho_face)
        # p'_t of the levels for W on the faces: the difference and the mean of both faces; there is none at the ground and the lid.
        across = np.zeros((n, n - 1))
        for level in range(n):
            for face, sign in ((level - 1, -1.0), (level, 1.0)):
                if 0 <= face < n - 1:
                    across[level, face] = (-root[level] * self.sound[level] * sign / self.dz
                                           + root[level] * self.gravity / self.sound[level] / 2) / root_face[face]  # fmt: skip
        b = np.zeros((2 * n - 1, 2 * n - 1))
        b[:n, :n] = np.diag(k * self.sound)
        b[n:, :n] = -across.T
        b[n:, n:] = np.diag(np.full(n - 1, self.frequency))
        a, s, v = np.linalg.svd(b)
        return a, s, v.T

    def evolve(self, k, theta_profile, t):
        """theta', K, and w, m/s, on the faces between levels after the time t, s, of a pattern that begins as theta_profile, K, there."""
        a, s, v = self.modes(k)
        scale = np.sqrt(self.rho_face) * self.gravity / (self.frequency * self.theta_face)
        begun = v[self.n :].T @ (scale * theta_profile)
        theta = (v @ (np.cos(s * t) * begun))[self.n :] / scale
        return theta, (a @ (np.sin(s * t) * begun))[self.n :] / np.sqrt(self.rho_face)


def channel(column: Column, x, t, length=300e3, wind=20.0, centre=100e3, half_width=5e3, size=0.01, waves=300):
    """theta', K, and w, m/s, [face, x], of the spot size sin(pi z/top)/(1 + ((x - centre)/half_width)^2) in a periodic channel."""
    top = column.n * column.dz
    points = 8 * waves
    offsets = (np.arange(points) - points // 2) * length / points
    spectrum = np.real(np.fft.rfft(np.fft.ifftshift(1 / (1 + (offsets / half_width) ** 2)))) / points
    profile = size * np.sin(np.pi * column.faces / top)
    theta, w = (np.zeros((column.n - 1, len(x))) for _ in range(2))
    for m in range(waves):
        k = 2 * np.pi * m / length
        parts = column.evolve(k, profile, t)
        pattern = (1 if m == 0 else 2) * spectrum[m] * np.cos(k * (np.asarray(x) - centre - wind * t))
        theta += parts[0][:, None] * pattern
        w += parts[1][:, None] * pattern
    return theta, w


def isothermal(x, z, t, temperature=250.0, length=300e3, top=10e3, wind=20.0, centre=100e3, half_width=5e3, size=0.01, gravity=9.81, gas=287.0,
               heat=1004.5, waves=300):  # fmt: skip
    """theta', K, and w, m/s, [z, x], of the spot of temperature size exp(d z/2) sin(m z) exp(-((x - centre)/half_width)^2) in a periodic channel.

    With d = g/(R T), m = pi/top and n = (d/2 - g/c^2)/m, a wave number k of theta'/theta_0 = exp(d z/2) sin(m z) S(t) cos kx and of
    p' = rho_0 c^2 exp(-d z/2) (n sin(m z) + cos(m z)) P(t) cos kx obeys

        P_tt = -c^2 (k^2 + m^2 (1 + n^2)) P - m g S        S_tt = -N^2 (c^2 m (1 + n^2)/g P + S)        w = -g/N^2 exp(d z/2) sin(m z) S_t cos kx

    and P = P_t = S_t = 0 at first: S is a sum of two cosines.
    """
    decay, m, c2 = gravity / (gas * temperature), np.pi / top, heat / (heat - gas) * gas * temperature
    n = (decay / 2 - gravity / c2) / m
    k = 2 * np.pi * np.arange(waves) / length
    spectrum = np.where(k > 0, 2, 1) * half_width * np.sqrt(np.pi) / length * np.exp(-((k * half_width) ** 2) / 4) * size / temperature
    of_p, of_s = c2 * (k**2 + m**2 * (1 + n**2)), gravity * (decay - gravity / c2)  # the latter is N^2
    apart = np.sqrt((of_p - of_s) ** 2 / 4 + of_s * c2 * m**2 * (1 + n**2))
    fast, slow = (of_p + of_s) / 2 + apart, (of_p + of_s) / 2 - apart
    slow = np.maximum(slow, 0)  # 0 up to rounding where k = 0
    shares = (fast - of_s) / (2 * apart), (of_s - slow) / (2 * apart)
    s = shares[0] * np.cos(np.sqrt(slow) * t) + shares[1] * np.cos(np.sqrt(fast) * t)
    rate = -shares[0] * np.sqrt(slow) * np.sin(np.sqrt(slow) * t) - shares[1] * np.sqrt(fast) * np.sin(np.sqrt(fast) * t)
    patterns = np.cos(k[:, None] * (np.asarray(x) - centre - wind * t)) * spectrum[:, None]
    shape = (np.exp(decay * np.asarray(z) / 2) * np.sin(m * np.asarray(z)))[:, None]
    rising = temperature * np.exp(gravity * np.asarray(z) / (heat * temperature))[:, None]  # theta_0
    return rising * shape * (s @ patterns), -gravity / of_s * shape * (rate @ patterns)


def planet(column: Column, angles, t, radius=50969.76, half_width=5e3, size=1.0, waves=80):
    """theta', K, and w, m/s, [face, angle], of the spot size sin(pi z/top)/(1 + (radius angle/half_width)^2) on a sphere."""
    from numpy.polynomial.legendre import legvander

    top = column.n * column.dz
    nodes, weights = np.polynomial.legendre.leggauss(400)
    shape = 1 / (1 + (radius * np.arccos(nodes) / half_width) ** 2)
    spectrum = (np.arange(waves) + 0.5) * (legvander(nodes, waves - 1).T @ (weights * shape))
    patterns = legvander(np.cos(angles), waves - 1)
    profile = size * np.sin(np.pi * column.faces / top)
    theta, w = (np.zeros((column.n - 1, len(angles))) for _ in range(2))
    for m in range(waves):
        parts = column.evolve(np.sqrt(m * (m + 1)) / radius, profile, t)
        theta += parts[0][:, None] * spectrum[m] * patterns[:, m]
        w += parts[1][:, None] * spectrum[m] * patterns[:, m]
    return theta, w


def at_heights(column: Column, values, z):
    """Values on the faces between levels, 0 at the ground and the lid, at heights z on straight lines."""
    faces, whole = np.concatenate([[0], column.faces, [column.n * column.dz]]), np.pad(values, ((1, 1), (0, 0)))
    return np.array([[np.interp(height, faces, line) for line in whole.T] for height in z])


if __name__ == "__main__":
    for levels in (25, 50, 100):
        theta, w = channel(Column(levels=levels), np.arange(0, 300e3, 500.0), 3000.0)
        print(f"channel, 3000 s, {levels} levels: theta' {theta.min():.4e} to {theta.max():.4e} K, w {w.min():.4e} to {w.max():.4e} m/s")
        theta, w = planet(Column(levels=levels, gravity=9.80616), np.linspace(0, np.pi, 721), 450.0)
        print(f"planet, 450 s, {levels} levels: theta' {theta.min():.4f} to {theta.max():.4f} K, w {w.min():.4f} to {w.max():.4f} m/s")
