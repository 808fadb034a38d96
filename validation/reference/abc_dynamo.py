"""Reference for the kinematic dynamo of the ABC flow: growth rates of the induction equation as eigenvalues, in numpy.

    db/dt = curl(u x b) + lap b / Rm,   u = (A sin z + C cos y, B sin x + A cos z, C sin y + B cos x),   A = B = C = 1

on a periodic box of side 2 pi, for the Fourier coefficients of b with |k_x|, |k_y|, |k_z| <= N. The flow has six waves of length 1, so that u x b
shifts coefficients by one place: no transform, no grid and no vector potential. The eigenvalues of largest real part are those of the
propagator over a time T (classical Runge-Kutta steps) by Arnoldi's method (Q. Appl. Math. 9 (1951) 17-29).

Published: fields grow for 8.9 < Rm < 17.5 (V. I. Arnold and E. I. Korkina, Vestn. Mosk. Univ. Mat. Mekh. 3 (1983) 43-46) and from Rm = 27
on (D. J. Galloway and U. Frisch, Geophys. Astrophys. Fluid Dyn. 36 (1986) 53-83).

    python3 validation/reference/abc_dynamo.py --rm 12 --modes 8
"""

from __future__ import annotations

import argparse

import numpy as np


class Induction:
    """Coefficients are complex arrays (component, k_x, k_y, k_z) with k from -modes to modes."""

    def __init__(self, rm: float, modes: int):
        self.rm, self.modes = rm, modes
        numbers = np.arange(-modes, modes + 1)
        self.k = np.stack(np.meshgrid(numbers, numbers, numbers, indexing="ij")).astype(float)
        self.k2 = np.sum(self.k**2, axis=0)

    @staticmethod
    def shifted(f, axis: int, by: int):
        """Coefficients of f exp(i by x_axis); what leaves the box of wave vectors is lost."""
        moved = np.zeros_like(f)
        to, of = [slice(None)] * f.ndim, [slice(None)] * f.ndim
        to[axis - 3], of[axis - 3] = (slice(1, None), slice(None, -1)) if by > 0 else (slice(None, -1), slice(1, None))
        moved[tuple(to)] = f[tuple(of)]
        return moved

    def rate(self, b):
        # u = sum over axes of  cos_part cos(x_a) + sin_part sin(x_a)
        parts = {0: ((0, 0, 1), (0, 1, 0)), 1: ((1, 0, 0), (0, 0, 1)), 2: ((0, 1, 0), (1, 0, 0))}
        electric = np.zeros_like(b)
        for axis, (with_cos, with_sin) in parts.items():
            up, down = self.shifted(b, axis, 1), self.shifted(b, axis, -1)
            for vector, turned in ((with_cos, (up + down) / 2), (with_sin, (up - down) / 2j)):
                electric += np.cross(np.reshape(vector, (3, 1, 1, 1)), turned, axis=0)
        return 1j * np.cross(self.k, electric, axis=0) - self.k2 / self.rm * b

    def propagated(self, b, time: float):
        # No component of u exceeds 2; the scheme is stable to 2.78 along both axes.
        steps = int(np.ceil(time * (3 * self.modes**2 / self.rm + 6 * self.modes) / 2.5))
        dt = time / steps
        for _ in range(steps):
            k1 = self.rate(b)
            k2 = self.rate(b + dt / 2 * k1)
            k3 = self.rate(b + dt / 2 * k2)
            b = b + dt / 6 * (k1 + 2 * k2 + 2 * k3 + self.rate(b + dt * k3))
        return b

    def seed(self):
        """Random, solenoidal and without a mean."""
        rng = np.random.default_rng(1)
        shape = (3, *self.k2.shape)
        b = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) * np.exp(-self.k2 / 4)
        return 1j * np.cross(self.k, b, axis=0)


def growth_rates(rm: float, modes: int = 8, time: float = 2.0, vectors: int = 40):
    """Eigenvalues d b/dt = s b, the largest real part first."""
    problem = Induction(rm, modes)
    b = problem.propagated(problem.seed(), 10.0)
    basis, hessenberg = [b / np.linalg.norm(b)], np.zeros((vectors + 1, vectors), complex)
    for n in range(vectors):
        b = problem.propagated(basis[n], time)
        for _ in range(2):  # twice: orthogonal to round-off
            for m, q in enumerate(basis):
                part = np.vdot(q, b)
                hessenberg[m, n] += part
                b = b - part * q
        hessenberg[n + 1, n] = np.linalg.norm(b)
        basis.append(b / np.linalg.norm(b))
    rates = np.log(np.linalg.eigvals(hessenberg[:vectors])) / time
    return rates[np.argsort(-rates.real)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rm", type=float, default=12.0)
    parser.add_argument("--modes", type=int, default=8, help="largest wave number of a component")
    options = parser.parse_args()
    print(f"# ABC dynamo, Rm = {options.rm:g}, |k_i| <= {options.modes}: growth rate and frequency")
    for rate in growth_rates(options.rm, options.modes)[:6]:
        print(f"{rate.real:.8f} {rate.imag:+.8f}")


if __name__ == "__main__":
    main()
