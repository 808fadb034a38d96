"""Steady flow in two square cavities, one with a moving lid and one with a hot and a cold side, by Chebyshev polynomials, in numpy.

With u = psi_z, w = -psi_x, omega = lap psi on 0 < x, z < 1,

    u omega_x + w omega_z = nu lap omega - B T_x,    u T_x + w T_z = lap T,    psi = 0 on all sides

lid      nu = 1/Re, no T; psi_z = 1 on the lid z = 1, no slip elsewhere. Where lid and sides meet, omega is singular: the flow of Stokes in the corner
         of a moving and a fixed wall, psi = r f(angle) (G. I. Taylor; G. K. Batchelor, An Introduction to Fluid Dynamics, 4.8), is taken off at both
         corners, as O. Botella and R. Peyret, Computers & Fluids 27 (1998) 421, do; what is left is a polynomial.
heated   nu = Pr, B = Ra Pr, T = 1/2 on x = 0 and -1/2 on x = 1, insulated above and below (G. de Vahl Davis, Int. J. Numer. Meth. Fluids 3 (1983) 249).

Values at n + 1 Chebyshev points along each axis; the equations hold at the inner ones except for the layer next to the sides, where psi has its given
slopes. Newton's method from a smaller Reynolds or Rayleigh number. No finite differences, no time, no pressure: no code of the program.

    python3 validation/reference/cavities.py lid RE [N]             extremes of u on x = 1/2 and of w on z = 1/2
    python3 validation/reference/cavities.py heated RA [N]          mean, largest and smallest Nusselt number of the hot side, those extremes

lid 100 has -0.214042, 0.179573, -0.253803 with 32 and with 40 points, to a unit of the last digit; lid 1000 with 32 points -0.38874, 0.37712, -0.52725, where
Botella and Peyret have -0.3885698, 0.3769447, -0.5270771. heated 1e3 has the mean Nusselt number 1.11779 with 16 and 20, 1e4 2.24482 with 24 and 28; 1.118
and 2.243 are de Vahl Davis's; 1e6 with 28 points 8.8270, P. Le Quere (1991) 8.8252. Seconds with 16 points, a minute with 32.
"""

from __future__ import annotations

import sys

import numpy as np


def chebyshev(n: int):
    """Points from 0 to 1 and the matrix of the derivative there."""
    x = np.cos(np.pi * np.arange(n, -1, -1) / n)
    c = np.ones(n + 1)
    c[[0, -1]] = 2
    c *= (-1) ** np.arange(n + 1)
    d = np.outer(c, 1 / c) / (x[:, None] - x[None, :] + np.eye(n + 1))
    d -= np.diag(d.sum(axis=1))
    return (x + 1) / 2, 2 * d


def corner(x, z):
    """psi, psi_x, psi_z, omega, omega_x, omega_z of Stokes' flow in the corner of the lid z = 1, of speed 1, and the wall x = 0."""
    c = 1 / (np.pi**2 / 4 - 1)
    d, b = c * np.pi / 2, -c * np.pi**2 / 4
    y = 1 - z
    square, angle = np.where((x == 0) & (y == 0), 1.0, x**2 + y**2), np.arctan2(y, x)
    psi_y = b + d * angle + (c * x + d * y) * x / square
    omega = 2 * (d * x - c * y) / square
    return (b * y + (c * x + d * y) * angle, c * angle - (c * x + d * y) * y / square, -psi_y, omega,
            2 * d / square - 2 * x * omega / square, 2 * c / square + 2 * y * omega / square)  # fmt: skip


class Cavity:
    """Fields [i, j] at x_i, z_j; `first` for the guess: the solution at another number."""

    def __init__(self, n: int, lid: bool):
        self.n, self.lid = n, lid
        self.x, d = chebyshev(n)
        one = np.eye(n + 1)
        self.dx, self.dz = np.kron(d, one), np.kron(one, d)
        self.lap = np.kron(d @ d, one) + np.kron(one, d @ d)
        x, z = np.meshgrid(self.x, self.x, indexing="ij")
        self.corners = np.zeros((6, (n + 1) ** 2))
        if lid:
            for sign, at in ((1, x), (-1, 1 - x)):
                parts = np.array(corner(at, z)).reshape(6, -1)
                parts[[1, 4]] *= sign
                self.corners += parts
        i, j = (np.arange((n + 1) ** 2) // (n + 1), np.arange((n + 1) ** 2) % (n + 1))
        self.i, self.j = i, j
        self.side = (i == 0) | (i == n) | (j == 0) | (j == n)
        self.inner = (i > 1) & (i < n - 1) & (j > 1) & (j < n - 1)
        self.psi, self.T = np.zeros((n + 1) ** 2), 0.5 - x.ravel()

    def newton(self, nu: float, buoyancy: float):
        n, size = self.n, (self.n + 1) ** 2
        i, j = self.i, self.j
        psi_s, psi_x_s, psi_z_s, omega_s, omega_x_s, omega_z_s = self.corners
        # The condition of a row of the layer next to the sides: the slope on the side.
        layer = ~self.side & ~self.inner
        on_x, on_z = layer & ((i == 1) | (i == n - 1)), layer & (i > 1) & (i < n - 1)
        x_side = np.where(i == 1, 0, n) * (n + 1) + j
        z_side = i * (n + 1) + np.where(j == 1, 0, n)
        biharmonic, lap_x, lap_z = self.lap @ self.lap, self.dx @ self.lap, self.dz @ self.lap
        for _ in range(30):
            psi = self.psi
            psi_x, psi_z = self.dx @ psi + psi_x_s, self.dz @ psi + psi_z_s
            omega_x, omega_z = lap_x @ psi + omega_x_s, lap_z @ psi + omega_z_s
            residual = psi_z * omega_x - psi_x * omega_z - nu * (biharmonic @ psi)
            matrix = (omega_x[:, None] * self.dz + psi_z[:, None] * lap_x - omega_z[:, None] * self.dx - psi_x[:, None] * lap_z
                      - nu * biharmonic)  # fmt: skip
            if not self.lid:
                residual += buoyancy * (self.dx @ self.T)
            matrix[self.side], residual[self.side] = np.eye(size)[self.side], (psi + psi_s)[self.side]
            matrix[on_x], residual[on_x] = self.dx[x_side[on_x]], psi_x[x_side[on_x]]
            slope = psi_z - (self.lid & (j == n))
            matrix[on_z], residual[on_z] = self.dz[z_side[on_z]], slope[z_side[on_z]]
            if self.lid:
                change = np.linalg.solve(matrix, -residual)
            else:
                heat = psi_z * (self.dx @ self.T) - psi_x * (self.dz @ self.T) - self.lap @ self.T
                of_T = psi_z[:, None] * self.dx - psi_x[:, None] * self.dz - self.lap
                of_psi = (self.dx @ self.T)[:, None] * self.dz - (self.dz @ self.T)[:, None] * self.dx
                across, hot_cold = self.side & (i > 0) & (i < n), (i == 0) | (i == n)
                of_T[across], heat[across], of_psi[self.side] = self.dz[across], (self.dz @ self.T)[across], 0
                of_T[hot_cold], heat[hot_cold] = np.eye(size)[hot_cold], 0
                coupled = np.where(self.inner[:, None], buoyancy * self.dx, 0)
                change = np.linalg.solve(np.block([[matrix, coupled], [of_psi, of_T]]), -np.concatenate([residual, heat]))
                self.T = self.T + change[size:]
            self.psi = psi + change[:size]
            if np.abs(change).max() < 1e-8 * max(1.0, np.abs(self.psi).max()):  # the next would be its square
                return self
        raise RuntimeError("Newton's method does not converge: give a smaller step of the Reynolds or Rayleigh number")

    def _fine(self, points):
        """The matrix of values at `points` from those at Chebyshev points: barycentric interpolation."""
        weight = (-1.0) ** np.arange(self.n + 1)
        weight[[0, -1]] /= 2
        apart = points[:, None] - self.x[None, :]
        hit = np.abs(apart) < 1e-14
        matrix = weight / np.where(hit, 1, apart)
        matrix /= matrix.sum(axis=1, keepdims=True)
        return np.where(hit.any(axis=1, keepdims=True), hit, matrix)

    def extremes(self):
        """Largest and smallest u on x = 1/2 and w on z = 1/2, of parabolas through the largest of 2001 values; not u on the lid."""
        fine, half = np.linspace(0, 1, 2001), np.full(1, 0.5)
        n, found = self.n + 1, {}
        lines = {"u": (self._fine(half) @ (self.dz @ self.psi).reshape(n, n) @ self._fine(fine).T)[0],
                 "w": -(self._fine(fine) @ (self.dx @ self.psi).reshape(n, n) @ self._fine(half).T)[:, 0]}  # fmt: skip
        if self.lid:
            for sign, at in ((1, (lambda x: x)), (-1, (lambda x: 1 - x))):
                lines["u"] = lines["u"] + corner(at(0.5 + 0 * fine), fine)[2]
                lines["w"] = lines["w"] - sign * corner(at(fine), 0.5 + 0 * fine)[1]
        for name, line in lines.items():
            for word, sign in (("largest", 1), ("smallest", -1)):
                if self.lid and (name, sign) == ("u", 1):
                    continue
                m = int(np.argmax(sign * line[1:-1])) + 1
                a, b, c = line[m - 1 : m + 2]
                found[f"{word} {name}"] = b - (c - a) ** 2 / (8 * (a - 2 * b + c))
        return found

    def nusselt(self):
        """Of the hot side: mean by Clenshaw and Curtis, largest, smallest."""
        n = self.n + 1
        slope = -(self.dx @ self.T).reshape(n, n)[0]
        coefficients = np.polynomial.chebyshev.chebfit(2 * self.x - 1, slope, self.n)
        k = np.arange(0, n, 2)
        line = self._fine(np.linspace(0, 1, 2001)) @ slope
        return {"mean Nusselt number": float(np.sum(coefficients[::2] / (1 - k**2))), "largest": line.max(), "smallest": line.min()}


def solve(name: str, number: float, n: int) -> Cavity:
    cavity = Cavity(n, name == "lid")
    at = 100.0 if name == "lid" else 1e3
    while True:
        at = min(at, number)
        cavity.newton(1 / at, 0.0) if name == "lid" else cavity.newton(0.71, 0.71 * at)
        if at == number:
            return cavity
        at *= 2 if name == "lid" else 4


if __name__ == "__main__":
    name, number, n = sys.argv[1], float(sys.argv[2]), int((sys.argv[3:] or ["32"])[0])
    cavity = solve(name, number, n)
    for key, value in {**({} if name == "lid" else cavity.nusselt()), **cavity.extremes()}.items():
        print(f"{name}, {'Re' if name == 'lid' else 'Ra'} = {number:g}, n = {n}, {key}: {value:.7g}")
