"""Subcritical flow around a symmetric NACA section with a sharp trailing edge, by the full potential equation.

    python3 validation/reference/airfoil_potential.py --mach 0.5 --alpha 1.25 --cells 128 256 512

Without shocks the flow that Euler's equations describe is irrotational and isentropic, so div(rho grad phi) = 0 with
rho = (1 + (gamma - 1)/2 (M^2 - q^2))^(1/(gamma - 1)) has the same solution (q in units of the free stream's speed of sound).
This program shares nothing with Watersmeet: no mesh, no dissipation, no far field at a distance.

1. A Karman-Trefftz map with the angle of the trailing edge takes the section to a near-circle, Theodorsen's iteration takes
   that to the unit circle |sigma| = 1, the trailing edge to sigma = 1 (T. Theodorsen, NACA Report 411, 1931).
2. In sigma = exp(i theta)/t the plane outside is the rectangle 0 < t <= 1; infinity is t = 0. With C = dz/dsigma there,
   phi = C M (1/t + t) cos(theta - alpha) - (Gamma/2 pi) arctan(beta tan(theta - alpha)) + G, beta^2 = 1 - M^2
   (C. C. L. Sells, Proc. R. Soc. A 308 (1968) 377-401, who solves for the stream function).
3. Finite volumes of second order for G; each iteration solves a Poisson equation by Fourier transforms along theta and
   elimination along t, Anderson's method combines them; Gamma follows from rest at sigma = 1 (Kutta's condition).

Lift is 2 Gamma/(M chord) (Kutta and Joukowski). The integral of the pressure gives it once more, with the drag, which must
vanish, and the moment about a quarter of the chord. Cells are those around the section; half as many lead from it to infinity.
The last row has the limits of the two finest meshes, for errors that fall with the square of the spacing. Needs numpy.
"""

from __future__ import annotations

import argparse

import numpy as np

GAMMA = 1.4
OPEN_END = 1.008930411365  # zero of the thickness with 0.1015; scaled to the chord (J. C. Vassberg, A. Jameson, 2010)


def half_thickness(x, thickness: float):
    """Half the thickness of the section at x, in chords."""
    x = np.asarray(x) * OPEN_END
    y = 0.2969 * np.sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1015 * x)))
    return 5 * thickness * y / OPEN_END


class Circle:
    """The body is the unit circle itself, whose flow is known as a series in M^2."""

    scale = 1.0

    def at(self, theta, t):
        return np.exp(1j * theta) / t, np.ones_like(theta + t) + 0j


class Section:
    """The conformal map from outside the unit circle to outside the section."""

    def __init__(self, thickness: float = 0.12, points: int = 4096):
        h = 1e-6
        slope = (half_thickness(1, thickness) - half_thickness(1 - h, thickness)) / h
        self.power = 2 + 2 * np.arctan(slope) / np.pi
        self.inner = 0.25 * (5 * thickness * 0.2969) ** 2  # half a nose radius behind the nose
        sampled = self.near_circle(np.linspace(-1, 1, 4001), thickness)
        self.middle = 0.5 * (sampled.real.min() + sampled.real.max()) + 0j
        # Theodorsen: sigma -> middle + sigma exp(sum c_n sigma^-n); log R + i (theta' - theta) is that sum on the circle.
        theta = 2 * np.pi * np.arange(points) / points
        turned = np.zeros(points)
        wave = np.fft.fftfreq(points, 1 / points)
        for _ in range(200):
            direction = theta + turned
            log_radius = np.log(np.abs(self.near_circle(self.at_angle(direction, thickness), thickness) - self.middle))
            conjugate = np.fft.ifft(1j * np.sign(wave) * np.fft.fft(log_radius)).real
            change = np.abs(conjugate - turned).max()
            turned = conjugate
            if change < 1e-13:
                break
        else:
            raise SystemExit(f"Theodorsen's iteration stopped at {change:.1e}")
        # On |sigma| = 1, log R = Re sum c_n exp(-i n theta): a real section gives real c_n, twice those of the cosines.
        cosines = np.fft.fft(log_radius).real[: points // 2] / points
        self.c = np.concatenate([cosines[:1], 2 * cosines[1:]])
        self.scale = np.exp(self.c[0]) * (1 - self.inner) / (2 * self.power)  # dz/dsigma at infinity

    def near_circle(self, s, thickness: float):
        """The image of the section at s from -1 (trailing edge, below) through 0 (nose) to 1 (above)."""
        z = s**2 + 1j * np.sign(s) * half_thickness(s**2, thickness)
        z = np.where(np.abs(s) >= 1, 1 + 0j, z)
        w = ((z - 1) / (z - self.inner)) ** (1 / self.power)
        return (1 + w) / (1 - w)

    def at_angle(self, direction, thickness: float):
        """The s of the section in these directions from the middle, counted from the trailing edge above: by bisection."""
        wanted = np.mod(direction, 2 * np.pi)
        above = wanted <= np.pi
        wanted = np.where(above, wanted, 2 * np.pi - wanted)  # the section is its own mirror image
        low, high = np.zeros_like(wanted), np.ones_like(wanted)
        for _ in range(60):
            s = 0.5 * (low + high)
            small = np.angle(self.near_circle(s, thickness) - self.middle) > wanted  # nearer to the nose
            low, high = np.where(small, s, low), np.where(small, high, s)
        s = 0.5 * (low + high)
        return np.where(above, s, -s)

    def at(self, theta, t):
        """z and dz/dsigma at sigma = exp(i theta)/t; theta and t have one shape."""
        inverse = t * np.exp(-1j * theta)
        total, slope, power = np.zeros_like(inverse), np.zeros_like(inverse), np.ones_like(inverse)
        for n, c in enumerate(self.c):
            if n > 8 and np.abs(self.c[n:]).sum() < 1e-12:
                break
            total += c * power
            slope += n * c * power
            power = power * inverse
        grown = np.exp(total)
        zeta = self.middle + grown / inverse
        by_sigma = grown * (1 - slope)
        w = (zeta - 1) / (zeta + 1)
        wn = w**self.power
        z = (1 - self.inner * wn) / (1 - wn)
        by_zeta = self.power * (wn / w) * (1 - self.inner) / (1 - wn) ** 2 * 2 / (zeta + 1) ** 2
        return z, by_zeta * by_sigma


class Flow:
    """Around a body, which has `at` and `scale`, dz/dsigma at infinity."""

    def __init__(self, mach: float, alpha_deg: float, around: int, body):
        self.mach, self.alpha, self.n, self.m = mach, np.radians(alpha_deg), around, around // 2
        self.beta = np.sqrt(1 - mach**2)
        n, m = self.n, self.m
        self.dtheta, self.dt = 2 * np.pi / n, 1 / m
        self.theta = self.dtheta * np.arange(n)  # cell 0 lies behind the trailing edge
        self.t = (np.arange(m) + 0.5) / m
        self.body = body
        self.strength = mach * body.scale
        # Faces across theta lie at theta + dtheta/2, faces across t at the upper end of a cell without the wall.
        self.tf = np.arange(1, m) / m
        self.a = np.meshgrid(self.theta + self.dtheta / 2, self.t, indexing="ij")
        self.b = np.meshgrid(self.theta, self.tf, indexing="ij")
        self.stretch_a = np.abs(self.body.at(*self.a)[1])
        self.stretch_b = np.abs(self.body.at(*self.b)[1])
        symbol = (2 - 2 * np.cos(self.dtheta * np.arange(n // 2 + 1))) / self.dtheta**2
        # Elimination along t for every wave number: constants of the sweep.
        self.face = np.concatenate([[0.0], self.tf, [0.0]]) / self.dt
        self.diagonal = -(self.face[:-1] + self.face[1:])[None, :] - symbol[:, None] * (self.dt / self.t)[None, :]
        self.diagonal[0, 0] *= 1 + 1e-9  # a constant is left free

    def vortex_slope(self, theta):
        """d/dtheta of arctan(beta tan(theta - alpha))."""
        a = theta - self.alpha
        return self.beta / (np.cos(a) ** 2 + (self.beta * np.sin(a)) ** 2)

    def base(self, place):
        """t d/dt and d/dtheta of the stream around the circle."""
        theta, t = place
        return (self.strength * (t - 1 / t) * np.cos(theta - self.alpha), -self.strength * (t + 1 / t) * np.sin(theta - self.alpha))

    def density(self, radial, around, t, stretch):
        q2 = (radial**2 + around**2) * (t / stretch) ** 2
        return (1 + 0.5 * (GAMMA - 1) * (self.mach**2 - q2)) ** (1 / (GAMMA - 1)), q2

    def residual(self, g, circulation):
        """Net flux out of every cell."""
        swirl = -circulation / (2 * np.pi)
        by_t = (g[:, 1:] - g[:, :-1]) / self.dt * self.tf  # t dG/dt on faces across t
        by_theta = (np.roll(g, -1, 0) - g) / self.dtheta
        # The other derivative is the mean of its neighbours: t dG/dt vanishes on the wall and at infinity.
        cell_t = 0.5 * (np.pad(by_t, ((0, 0), (1, 0))) + np.pad(by_t, ((0, 0), (0, 1))))
        other_a = 0.5 * (cell_t + np.roll(cell_t, -1, 0))
        cell_theta = 0.5 * (by_theta + np.roll(by_theta, 1, 0))
        other_b = 0.5 * (cell_theta[:, 1:] + cell_theta[:, :-1])
        radial, around = self.base(self.a)
        extra = by_theta + swirl * self.vortex_slope(self.a[0])
        rho, q2 = self.density(radial + other_a, around + extra, self.a[1], self.stretch_a)
        # The stream around the circle alone is free of divergence: only rho - 1 of it counts.
        across_theta = ((rho - 1) * around + rho * extra) * self.dt / self.a[1]
        radial, around = self.base(self.b)
        rho, _ = self.density(radial + by_t, around + other_b + swirl * self.vortex_slope(self.b[0]), self.b[1], self.stretch_b)
        across_t = (rho - 1) * radial + rho * by_t
        net = (across_theta - np.roll(across_theta, 1, 0)) / self.dtheta
        net[:, :-1] += across_t
        net[:, 1:] -= across_t
        self.fastest = np.sqrt(np.max(q2 / (1 + 0.5 * (GAMMA - 1) * (self.mach**2 - q2))))
        return net

    def poisson(self, right):
        """The discrete Laplace equation with this right-hand side."""
        r = np.fft.rfft(right, axis=0)
        d = self.diagonal.copy()
        for j in range(1, self.m):
            factor = self.face[j] / d[:, j - 1]
            d[:, j] -= factor * self.face[j]
            r[:, j] -= factor * r[:, j - 1]
        d[0, -1] = -1e30  # G is fixed up to a constant, which is set to nothing at the wall
        r[:, -1] /= d[:, -1]
        for j in range(self.m - 2, -1, -1):
            r[:, j] = (r[:, j] - self.face[j + 1] * r[:, j + 1]) / d[:, j]
        return np.fft.irfft(r, n=self.n, axis=0)

    def kutta(self, g):
        """The circulation with which the flow comes to rest at the trailing edge of the circle."""
        wall = (9 * g[:, -1] - g[:, -2]) / 8
        slope = (wall[1] - wall[-1]) / (2 * self.dtheta)
        return 2 * np.pi * (2 * self.strength * np.sin(self.alpha) + slope) / self.vortex_slope(0.0)

    def solve(self, most: int = 400, wanted: float = 1e-10, kept: int = 8):
        g = np.zeros((self.n, self.m))
        places, steps = [], []
        for self.iterations in range(1, most + 1):
            step = -self.poisson(self.residual(g, self.kutta(g)))
            size = np.abs(step).max()
            if size < wanted:
                break
            places.append(g)
            steps.append(step)
            if len(steps) > kept:
                places.pop(0), steps.pop(0)
            new = g + step
            if len(steps) > 1:  # Anderson's combination of the last iterations
                changes = np.stack([(steps[-1] - s).ravel() for s in steps[:-1]], axis=1)
                part = np.linalg.lstsq(changes, step.ravel(), rcond=None)[0]
                for p, x, s in zip(part, places[:-1], steps[:-1]):
                    new = new - p * (g + step - x - s)
            g = new
        else:
            raise SystemExit(f"not converged: {size:.1e} after {most} iterations; is the flow supersonic (M {self.fastest:.2f})?")
        self.g, self.circulation = g, self.kutta(g)
        return self

    def speed2(self):
        """q^2 on the body at theta + dtheta/2."""
        wall = (9 * self.g[:, -1] - self.g[:, -2]) / 8
        theta = self.theta + self.dtheta / 2
        along = (-2 * self.strength * np.sin(theta - self.alpha) + (np.roll(wall, -1) - wall) / self.dtheta
                 - self.circulation / (2 * np.pi) * self.vortex_slope(theta))
        return (along / np.abs(self.body.at(theta, np.ones(self.n))[1])) ** 2

    def coefficients(self) -> dict[str, float]:
        """Lift of the circulation; lift, drag and moment (nose up, about x = 0.25) of the pressure on the section."""
        pressure = (1 + 0.5 * (GAMMA - 1) * (self.mach**2 - self.speed2())) ** (GAMMA / (GAMMA - 1))
        cp = (pressure - 1) / (0.5 * GAMMA * self.mach**2)
        corner = np.concatenate([[1 + 0j], self.body.at(self.theta[1:], np.ones(self.n - 1))[0], [1 + 0j]])
        push = cp * 1j * np.diff(corner)  # from the trailing edge above round the nose: the body is on the left
        middle = 0.5 * (corner[1:] + corner[:-1])
        force = np.sum(push) * np.exp(-1j * self.alpha)
        moment = -np.sum((np.conj(middle - 0.25) * push).imag)  # nose up
        return {"cl": 2 * self.circulation / self.mach, "cl_pressure": float(force.imag), "cd_pressure": float(force.real),
                "cm": float(moment), "fastest": float(self.fastest)}


def row(name: str, c: dict[str, float], iterations="") -> None:
    print(f"| {name} | {c['cl']:.6f} | {c['cl_pressure']:.6f} | {c['cd_pressure']:.1e} | {c['cm']:.6f} | {c['fastest']:.4f} | {iterations} |",
          flush=True)


def limits(coarse: dict[str, float], fine: dict[str, float]) -> dict[str, float]:
    """Of coefficients on two meshes, one of half the spacing."""
    return {name: fine[name] + (fine[name] - coarse[name]) / 3 for name in fine}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mach", type=float, default=0.5)
    parser.add_argument("--alpha", type=float, default=1.25, help="degrees")
    parser.add_argument("--cells", type=int, nargs="+", default=[128, 256, 512], help="around the section, each twice the one before")
    options = parser.parse_args()
    print("| cells | Cl | Cl of the pressure | Cd of the pressure | Cm | largest Mach number | iterations |\n" + "| --- " * 7 + "|")
    section, found = Section(), []
    for cells in options.cells:
        flow = Flow(options.mach, options.alpha, cells, section).solve()
        found.append(flow.coefficients())
        row(f"{cells} x {cells // 2}", found[-1], flow.iterations)
    if len(found) > 1 and options.cells[-1] == 2 * options.cells[-2]:
        row("limit", limits(found[-2], found[-1]))


if __name__ == "__main__":
    main()
