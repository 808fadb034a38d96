"""Reference for compressible magnetohydrodynamics: a pseudo-spectral solver in numpy.

Equations on a periodic box of sides 2 pi, without any term written as the program has it (J from curl B, stresses as tensors,
heat flux as a vector):

    d rho/dt = -div(rho u)
    du/dt    = -(u.grad) u + [ -grad p + J x B + div(2 rho nu S) + grad(zeta rho div u) ] / rho
    dA/dt    = u x B - eta mu_0 J         (gauge "weyl"), or plus grad(eta div A) (gauge "resistive")
    rho T ds/dt = -rho T u.grad s + div(K grad T) + eta mu_0 J^2 + 2 rho nu S:S + zeta rho (div u)^2

with p = rho c_0^2 (energy "isothermal"), or an ideal gas with T = T_0 exp(gamma s/c_p + (gamma - 1) ln(rho/rho_0)),
p = (1 - 1/gamma) c_p rho T (energy "entropy"), K constant or rho c_p chi. Classical fourth-order Runge-Kutta, no filter:
the fields must be resolved. It shares nothing with the finite differences, so its rates and energies are an independent
truth (tests/python/test_reference_mhd.py; `watersmeet verify mhd` quotes the Orszag-Tang vortex).

    python3 validation/reference/mhd_spectral.py --cells 128 --end 1
"""

from __future__ import annotations

import argparse

import numpy as np

DEFAULTS = {
    "energy": "isothermal", "sound_speed": 1.0, "gamma": 5 / 3, "heat_capacity": 1.0, "permeability": 1.0,
    "reference_density": 1.0, "background_field": (0.0, 0.0, 0.0), "viscosity": 0.0, "bulk_viscosity": 0.0,
    "resistivity": 0.0, "gauge": "resistive", "thermal_diffusivity": 0.0, "conductivity": 0.0,
}  # fmt: skip


class Solver:
    """Fields are real arrays; scalars of shape (nx, ny, nz), vectors of (3, nx, ny, nz), axes (component, x, y, z)."""

    def __init__(self, cells, **physics):
        unknown = set(physics) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"no physics is called {', '.join(sorted(unknown))}")
        self.p = {**DEFAULTS, **physics}
        self.cells = tuple(cells)
        k = [np.fft.fftfreq(n, 1.0 / n) if n > 1 else np.zeros(1) for n in self.cells]
        for n, numbers in zip(self.cells, k):
            if n > 1 and n % 2 == 0:
                numbers[n // 2] = 0.0  # the highest mode of an odd derivative is not known
        self.k = np.meshgrid(*k, indexing="ij")
        self.x = np.stack(np.meshgrid(*(2 * np.pi * np.arange(n) / n for n in self.cells), indexing="ij"))

    def d(self, axis, f):
        return np.real(np.fft.ifftn(1j * self.k[axis] * np.fft.fftn(f)))

    def grad(self, f):
        return np.stack([self.d(a, f) for a in range(3)])

    def div(self, v):
        return sum(self.d(a, v[a]) for a in range(3))

    def curl(self, v):
        return np.stack([self.d((a + 1) % 3, v[(a + 2) % 3]) - self.d((a + 2) % 3, v[(a + 1) % 3]) for a in range(3)])

    def field(self, a):
        return self.curl(a) + np.reshape(self.p["background_field"], (3, 1, 1, 1))

    def temperature(self, l, q):
        p = self.p
        t0 = p["sound_speed"] ** 2 / ((p["gamma"] - 1) * p["heat_capacity"])
        return t0 * np.exp(p["gamma"] * q + (p["gamma"] - 1) * l)

    def pressure(self, l, q):
        p, rho = self.p, self.p["reference_density"] * np.exp(l)
        if p["energy"] == "isothermal":
            return rho * p["sound_speed"] ** 2
        return (1 - 1 / p["gamma"]) * p["heat_capacity"] * rho * self.temperature(l, q)

    def rates(self, state):
        """Of l = ln(rho/rho_0), u, A and q = s/c_p: the same tuple."""
        l, u, a, q = state
        p = self.p
        rho = p["reference_density"] * np.exp(l)
        div_u = self.div(u)
        grad_u = np.stack([self.grad(u[i]) for i in range(3)])  # [i, j] = d_j u_i
        strain = 0.5 * (grad_u + np.swapaxes(grad_u, 0, 1))
        for i in range(3):
            strain[i, i] -= div_u / 3
        stress = 2 * rho * p["viscosity"] * strain
        b = self.field(a)
        j = self.curl(b) / p["permeability"]
        force = -self.grad(self.pressure(l, q)) + np.cross(j, b, axis=0) + self.grad(p["bulk_viscosity"] * rho * div_u)
        force += np.stack([self.div(stress[i]) for i in range(3)])
        rate_l = -self.div(rho * u) / rho
        rate_u = -np.stack([np.sum(u * grad_u[i], axis=0) for i in range(3)]) + force / rho
        rate_a = np.cross(u, b, axis=0) - p["resistivity"] * p["permeability"] * j
        if p["gauge"] == "resistive":
            rate_a += self.grad(p["resistivity"] * self.div(a))
        rate_q = np.zeros_like(q)
        if p["energy"] == "entropy":
            t, cp = self.temperature(l, q), p["heat_capacity"]
            conductivity = p["conductivity"] + rho * cp * p["thermal_diffusivity"]
            heat = self.div(conductivity * self.grad(t)) + p["resistivity"] * p["permeability"] * np.sum(j**2, axis=0)
            heat += np.sum(stress * strain, axis=(0, 1)) + p["bulk_viscosity"] * rho * div_u**2
            rate_q = -np.sum(u * self.grad(q), axis=0) + heat / (rho * t * cp)
        return rate_l, rate_u, rate_a, rate_q

    def step(self, state, dt):
        def moved(rates, h):
            return tuple(f + h * r for f, r in zip(state, rates))

        k1 = self.rates(state)
        k2 = self.rates(moved(k1, dt / 2))
        k3 = self.rates(moved(k2, dt / 2))
        k4 = self.rates(moved(k3, dt))
        return tuple(f + dt / 6 * (r1 + 2 * r2 + 2 * r3 + r4) for f, r1, r2, r3, r4 in zip(state, k1, k2, k3, k4))

    def energies(self, state):
        """Means of kinetic, magnetic and internal energy per volume (the last one of an ideal gas)."""
        l, u, a, q = state
        rho = self.p["reference_density"] * np.exp(l)
        internal = self.pressure(l, q) / (self.p["gamma"] - 1)
        magnetic = np.sum(self.field(a) ** 2, axis=0) / (2 * self.p["permeability"])
        return tuple(float(np.mean(e)) for e in (rho * np.sum(u**2, axis=0) / 2, magnetic, internal))


def orszag_tang(cells, diffusivity):
    """Orszag and Tang's vortex (J. Fluid Mech. 90, 1979), the compressible one of Dahlburg and Picone (Phys. Fluids B 1, 1989) in its
    usual numbers: gamma = 5/3, rho = gamma^2, p = gamma, u = (-sin y, sin x), B = (-sin y, sin 2x), with nu = eta = chi."""
    gamma = 5 / 3
    solver = Solver((cells, cells, 1), energy="entropy", gamma=gamma, sound_speed=1.0, reference_density=gamma**2,
                    viscosity=diffusivity, resistivity=diffusivity, thermal_diffusivity=diffusivity)  # fmt: skip
    x, y, _ = solver.x
    zero = np.zeros_like(x)
    return solver, (zero, np.stack([-np.sin(y), np.sin(x), zero]), np.stack([zero, zero, np.cos(y) + np.cos(2 * x) / 2]), zero.copy())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=128)
    parser.add_argument("--diffusivity", type=float, default=0.02)
    parser.add_argument("--end", type=float, default=1.0)
    parser.add_argument("--every", type=float, default=0.25, help="time between printed lines")
    parser.add_argument("--dt", type=float, default=0.0025)
    options = parser.parse_args()
    solver, state = orszag_tang(options.cells, options.diffusivity)
    steps = round(options.every / options.dt)
    print(f"# pseudo-spectral Orszag-Tang vortex, n={options.cells}, nu=eta=chi={options.diffusivity:g}, dt={options.dt:g}")
    print("# t, kinetic, magnetic and internal energy, per volume")
    for step in range(round(options.end / options.dt) + 1):
        if step % steps == 0:
            print(f"{step * options.dt:.4f}", *(f"{e:.10e}" for e in solver.energies(state)), flush=True)
        state = solver.step(state, options.dt)


if __name__ == "__main__":
    main()
