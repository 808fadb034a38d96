"""Reference for the Taylor-Green vortex: an incompressible pseudo-spectral solver in numpy.

Equations: du/dt = u x omega - grad(p + u^2/2) + nu lap u, div u = 0, box (2 pi)^3, projected in Fourier space;
2/3 rule against aliasing, classical fourth-order Runge-Kutta. It shares nothing with the finite-difference solver, so
its energies are an independent truth for small Mach number (examples/taylor-green/check.py quotes Re = 100).

    python3 validation/reference/taylor_green_spectral.py --reynolds 100 --cells 64 --end 10 --every 0.5
"""

from __future__ import annotations

import argparse

import numpy as np


class Solver:
    """State and right-hand side; fields are complex arrays of shape (3, n, n, n/2 + 1), axes (component, x, y, z)."""

    def __init__(self, n: int, nu: float):
        self.n, self.nu = n, nu
        k = np.fft.fftfreq(n, 1.0 / n)
        k_half = np.fft.rfftfreq(n, 1.0 / n)
        self.k = np.stack(np.meshgrid(k, k, k_half, indexing="ij"))
        self.k2 = np.sum(self.k**2, axis=0)
        self.k2_safe = np.where(self.k2 == 0, 1.0, self.k2)
        self.kept = np.all(np.abs(self.k) < n / 3.0, axis=0)
        # A real transform keeps half of the modes: those with 0 < k_z < n/2 stand for themselves and their conjugate.
        self.weight = np.where((k_half == 0) | (k_half == n / 2), 1.0, 2.0)
        x = 2 * np.pi * np.arange(n) / n
        x, y, z = np.meshgrid(x, x, x, indexing="ij")
        self.u = self.forward(
            np.stack([np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * x])
        )

    def forward(self, field):
        return np.fft.rfftn(field, axes=(1, 2, 3))

    def backward(self, field):
        return np.fft.irfftn(field, s=(self.n,) * 3, axes=(1, 2, 3))

    def rhs(self, u):
        omega = 1j * np.cross(self.k, u, axis=0)
        product = self.forward(np.cross(self.backward(u), self.backward(omega), axis=0)) * self.kept
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
        density = 0.5 * np.sum(np.abs(self.u) ** 2, axis=0) * self.weight / float(self.n) ** 6
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
