"""Reference for the Taylor-Green vortex: an incompressible pseudo-spectral solver in numpy.

Equations: du/dt = u x omega - grad(p + u^2/2) + nu lap u, div u = 0, box (2 pi)^3, projected in Fourier space; 2/3 rule against aliasing, classical
fourth-order Runge-Kutta. The vortex keeps the mirrors it begins with (M. E. Brachet and others, J. Fluid Mech. 130 (1983) 411-452): u is a series of
sin kx cos ly cos mz, v of cos sin cos, w of cos cos sin, so that an eighth of the box is computed, at the points 2 pi (i + 1/2)/n, 0 <= i < n/2; sums over
modes are products of matrices. It shares nothing with the finite-difference solver, so its energies are an independent truth for small Mach number.

    python3 validation/reference/taylor_green_spectral.py --reynolds 100 --cells 64 --end 10 --every 0.5
    python3 validation/reference/taylor_green_spectral.py --reynolds 1600 --cells 384 --dt 0.00625 --every 0.05

The first makes the energies at Re = 100 that examples/taylor-green/check.py quotes. The second makes the columns t, energy and dissipation of
validation/data/taylor-green-re1600-spectral-384.csv, which an earlier program made from all modes: by the 3.7 s that a step with 192 takes about 30 hours of
a core, fewer on several (the products of matrices use them). Fewer modes have the table while they resolve the flow: 48 points its energy to 3e-9
and its dissipation to 3e-6 until t = 1.5 (tests/python/test_reference_cavity.py).
"""

from __future__ import annotations

import argparse

import numpy as np


class Solver:
    """State and right-hand side; `u` are the coefficients, real, of shape (3, K, K, K), axes (component, x, y, z), wave numbers 0 <= k < K = n/3."""

    def __init__(self, n: int, nu: float):
        self.nu, modes, points = nu, -(-n // 3), n // 2
        k = np.arange(modes)
        angle = np.outer(2 * np.pi * (np.arange(points) + 0.5) / n, k)
        cosines, sines = np.cos(angle), np.sin(angle)
        # By parity, 0: cosines, 1: sines; from coefficients to points and back.
        self.values = (cosines.T.copy(), sines.T.copy())
        self.coefficients = (cosines * np.where(k == 0, 1, 2) / points, sines * 2 / points)
        self.k = np.stack(np.meshgrid(k, k, k, indexing="ij")).astype(float)
        self.k2 = np.sum(self.k**2, axis=0)
        self.k2_safe = np.where(self.k2 == 0, 1.0, self.k2)
        half = np.where(k == 0, 1.0, 0.5)  # mean square of cosines; sines of k = 0 have no coefficient
        self.weight = half[:, None, None] * half[None, :, None] * half[None, None, :]
        self.u = np.zeros((3, modes, modes, modes))
        self.u[0, 1, 1, 1], self.u[1, 1, 1, 1] = 1.0, -1.0

    @staticmethod
    def _transform(f, matrices, parity):
        for p in parity:  # each pass moves the first axis to the end
            f = np.tensordot(f, matrices[p], axes=(0, 0))
        return f

    def rhs(self, u):
        # Sines along the axis of a component of the velocity, along the two others of one of the vorticity.
        own = [tuple(int(a == c) for a in range(3)) for c in range(3)]
        velocity = [self._transform(u[c], self.values, own[c]) for c in range(3)]
        vorticity = []
        for c in range(3):
            a, b = (c + 1) % 3, (c + 2) % 3
            vorticity.append(self._transform(self.k[b] * u[a] - self.k[a] * u[b], self.values, tuple(1 - p for p in own[c])))
        product = np.empty_like(u)
        for c in range(3):
            a, b = (c + 1) % 3, (c + 2) % 3
            product[c] = self._transform(velocity[a] * vorticity[b] - velocity[b] * vorticity[a], self.coefficients, own[c])
        pressure = np.sum(self.k * product, axis=0) / self.k2_safe
        return product - self.k * pressure - self.nu * self.k2 * u

    def step(self, dt: float):
        u = self.u
        k1 = self.rhs(u)
        k2 = self.rhs(u + 0.5 * dt * k1)
        k3 = self.rhs(u + 0.5 * dt * k2)
        k4 = self.rhs(u + dt * k3)
        self.u = u + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)

    def energy_and_dissipation(self) -> tuple[float, float]:
        density = 0.5 * np.sum(self.u**2, axis=0) * self.weight
        return float(density.sum()), float(2.0 * self.nu * (self.k2 * density).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reynolds", type=float, default=100.0)
    parser.add_argument("--cells", type=int, default=64)
    parser.add_argument("--dt", type=float, default=0.02)
    parser.add_argument("--end", type=float, default=10.0)
    parser.add_argument("--every", type=float, default=0.5, help="time between printed lines")
    options = parser.parse_args()
    solver = Solver(options.cells, 1.0 / options.reynolds)
    steps_per_line = round(options.every / options.dt)
    settings = f"n={options.cells}, Re={options.reynolds:g}, dt={options.dt:g}"
    print(f"# pseudo-spectral Taylor-Green, {settings}, RK4, 2/3 rule")
    print("# t, kinetic energy, dissipation")
    for step in range(round(options.end / options.dt) + 1):
        if step % steps_per_line == 0:
            energy, dissipation = solver.energy_and_dissipation()
            print(f"{step * options.dt:.4f} {energy:.10e} {dissipation:.10e}", flush=True)
        solver.step(options.dt)


if __name__ == "__main__":
    main()
