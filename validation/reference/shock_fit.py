"""Stand-off of the bow shock of a cylinder or sphere in a perfect gas, by fitting the shock: what captured shocks are judged by.

    python3 validation/reference/shock_fit.py [--bodies cylinder sphere] [--machs 4 8] [--nodes 8x9 10x11 12x13 14x15] [--gamma 1.4] [--sector 75]

Euler's equations between the body r = 1 and the shock r = 1 + delta(theta, t), theta from the upstream axis, after G. Moretti and M. Abbett, AIAA J. 4
(1966) 2136-2141: logarithms P of the pressure and S = P - gamma ln(rho), velocities u outward and v along theta, T = p/rho, j = 0 (cylinder) or 1 (sphere):

    P_t + u P_r + v/r P_theta + gamma (u_r + v_theta/r + u/r + j (u + v cot(theta))/r) = 0
    u_t + u u_r + v/r u_theta - v^2/r + T P_r = 0
    v_t + u v_r + v/r v_theta + u v/r + T P_theta/r = 0
    S_t + u S_r + v/r S_theta = 0

At the shock stand the relations of Rankine and Hugoniot, and for its speed the acoustic wave that reaches it from inside, P/gamma + (normal momentum)/a;
on the body u = 0 and the wave that reaches it, P/gamma - u/a; symmetry at theta = 0; nothing at the end of the sector, where v > a. Unlike there,
space is resolved by Chebyshev polynomials in (r - 1)/delta and theta, so that a dozen nodes give five digits, and time by implicit Euler steps that grow
until they are steps of Newton's method: nothing of the solver's operators, dissipation or coordinates is shared.
"""

from __future__ import annotations

import argparse

import numpy as np


def chebyshev(n: int):
    """Nodes cos(pi k/n) of degree n and the matrix that differentiates there (L. N. Trefethen, Spectral Methods in MATLAB (2000), chapter 6)."""
    k = np.arange(n + 1)
    x = np.cos(np.pi * k / n)
    c = np.where((k == 0) | (k == n), 2.0, 1.0) * (-1.0) ** k
    gap = x[:, None] - x[None, :]
    d = np.outer(c, 1 / c) / (gap + np.eye(n + 1))
    return x, d - np.diag(d.sum(axis=1))


def folded(n: int, end: float):
    """Nodes from 0 to end, half of those of a symmetric interval, and derivatives of even and odd functions there."""
    x, d = chebyshev(2 * n)
    x, d = end * x[::-1], d[::-1, ::-1] / end
    right, left = d[n:, n:], d[n:, n::-1]
    even, odd = right + left, right - left
    even[:, 0], odd[:, 0] = right[:, 0], right[:, 0]  # the node at 0 is its own mirror image
    return np.concatenate([[0.0], x[n + 1:]]), even, odd


class ShockLayer:
    """Unknowns: P, u, v, S at the nodes [outward, along], the last row at the shock, and delta along."""

    def __init__(self, body: str, mach: float, gamma: float, outward: int, along: int, sector: float):
        if outward % 2:
            # On the axis S obeys u S_r = 0, which no node denies to the polynomial that alternates between nodes: an even
            # number of them gives it other signs at shock and body, where S is known.
            raise ValueError(f"found {outward} nodes outward; an even number is needed")
        self.axial, self.mach, self.gamma = (1 if body == "sphere" else 0), mach, gamma
        x, d = chebyshev(outward - 1)
        self.xi, self.d_xi = 0.5 * (1 + x[::-1]), 2 * d[::-1, ::-1]
        self.theta, self.d_even, self.d_odd = folded(along - 1, sector)
        self.shape = (4, outward, along)

    def behind(self, delta, slope, speed):
        """P, u, v, S behind a shock that moves outward with this speed; ahead rho = a = 1."""
        g, radius = self.gamma, 1 + delta
        tilt = slope / radius
        n_r = 1 / np.sqrt(1 + tilt**2)
        n_t = -tilt * n_r
        u, v = -self.mach * np.cos(self.theta), self.mach * np.sin(self.theta)
        normal = u * n_r + v * n_t - speed * n_r  # relative to the shock, negative: inwards
        m2 = normal**2
        p = (1 + 2 * g / (g + 1) * (m2 - 1)) / g
        rho = (g + 1) * m2 / ((g - 1) * m2 + 2)
        jump = normal / rho - normal
        return np.array([np.log(p), u + jump * n_r, v + jump * n_t, np.log(p) - g * np.log(rho)]), n_r, n_t

    def start(self):
        """A shock somewhat like those of experiments, and what lies behind it carried to the body without its normal velocity."""
        nose = 0.143 * np.exp(3.24 / self.mach**2) if self.axial else 0.386 * np.exp(4.67 / self.mach**2)
        delta = nose * (1 + 0.45 * self.theta**2 + 0.12 * self.theta**4)
        shock, _, _ = self.behind(delta, self.d_even @ delta, 0)
        q = np.repeat(shock[:, None, :], self.shape[1], axis=1)
        q[1] *= self.xi[:, None]
        q[0] += 0.08 * (1 - self.xi[:, None]) * np.cos(self.theta)
        q[3] += (q[3][:, :1] - q[3]) * (1 - self.xi[:, None])  # the body's streamline passed the shock on the axis
        return np.concatenate([q.ravel(), delta])

    def residual(self, unknown, before, rate):
        """Of the equations at the end of a step of length 1/rate; `before` holds the unknowns at its beginning."""
        g, size = self.gamma, np.prod(self.shape)
        q, delta = unknown[:size].reshape(self.shape), unknown[size:]
        q_t = rate * (unknown[:size] - before[:size]).reshape(self.shape)
        delta_t, slope = rate * (delta - before[size:]), self.d_even @ delta
        r = 1 + self.xi[:, None] * delta
        P, u, v, S = q
        T = np.exp((P * (g - 1) + S) / g)  # p/rho with ln(rho) = (P - S)/g
        q_xi = np.einsum("ij,vjk->vik", self.d_xi, q)
        q_r = q_xi / delta
        q_eta = np.stack([f @ (self.d_odd if n == 2 else self.d_even).T for n, f in enumerate(q)])
        q_theta = q_eta - self.xi[:, None] * slope * q_r
        q_t = q_t - self.xi[:, None] * delta_t * q_r
        spread = u / r + q_theta[2] / r
        if self.axial:
            cot = np.empty_like(v)
            cot[:, 1:] = v[:, 1:] / np.tan(self.theta[1:])
            cot[:, 0] = q_theta[2][:, 0]
            spread = spread + (u + cot) / r
        f = q_t + u * q_r + v / r * q_theta
        f[0] += g * (q_r[1] + spread)
        f[1] += T * q_r[0] - v**2 / r
        f[2] += T * q_theta[0] / r + u * v / r
        a = np.sqrt(g * T)
        f[2][:, 0] = v[:, 0]
        f[0][0] = f[0][0] / g - f[1][0] / a[0]
        f[1][0] = u[0]
        shock, n_r, n_t = self.behind(delta, slope, delta_t)
        reached = f[0][-1] / g + (n_r * f[1][-1] + n_t * np.where(self.theta > 0, f[2][-1], 0)) / a[-1]
        f[:, -1] = q[:, -1] - shock
        return np.concatenate([f.ravel(), reached])

    def solve(self):
        """Steps until nothing changes; raises where that does not come about."""
        unknown, rate, last = self.start(), 20.0, np.inf
        for _ in range(400):
            f = self.residual(unknown, unknown, rate)
            norm = np.abs(f).max()
            if norm < 1e-9:
                return self.report(unknown, norm)
            matrix = np.empty((f.size, f.size))
            for n in range(f.size):  # derivatives by central differences, 1e-6 of values of the order of 1
                h = np.zeros(f.size)
                h[n] = 1e-6
                matrix[:, n] = (self.residual(unknown + h, unknown, rate) - self.residual(unknown - h, unknown, rate)) / 2e-6
            unknown = unknown - np.linalg.solve(matrix, f)
            if not np.isfinite(unknown).all():
                raise RuntimeError("the shock layer diverged")
            # Longer steps as the rest of the steady equations falls.
            rate = max(1e-10, rate * min(0.7, max(0.2, norm / last if np.isfinite(last) else 0.7)))
            last = norm
        raise RuntimeError("the shock layer did not become steady")

    def report(self, unknown, norm):
        size, g = np.prod(self.shape), self.gamma
        q, delta = unknown[:size].reshape(self.shape), unknown[size:]
        T = np.exp((q[0] * (g - 1) + q[3]) / g)
        enthalpy = g / (g - 1) * T + 0.5 * (q[1] ** 2 + q[2] ** 2)
        ahead = 1 / (g - 1) + 0.5 * self.mach**2
        # The parabola with the shock's tip through a point of it: half its width at x = 0 over the distance of the tip.
        r, tip = 1 + delta[1:], 1 + delta[0]
        widths = r * np.sin(self.theta[1:]) / np.sqrt(1 - r * np.cos(self.theta[1:]) / tip) / tip
        return {"stand_off": delta[0], "nose": g * np.exp(q[0][0, 0]), "enthalpy": np.abs(enthalpy / ahead - 1).max(),
                "widths": (widths[0], widths[-1]), "exit_mach": (q[2][:, -1] / np.sqrt(g * T[:, -1])).min(), "residual": norm}


def pitot(mach: float, g: float) -> float:
    """Pressure on the nose over that ahead (Rayleigh)."""
    return (0.5 * (g + 1) * mach**2) ** (g / (g - 1)) * ((g + 1) / (2 * g * mach**2 - (g - 1))) ** (1 / (g - 1))


def billig(body: str, mach: float) -> float:
    """F. S. Billig, J. Spacecraft Rockets 4 (1967) 822-823."""
    return 0.143 * np.exp(3.24 / mach**2) if body == "sphere" else 0.386 * np.exp(4.67 / mach**2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", nargs="+", default=["cylinder", "sphere"], choices=("cylinder", "sphere"))
    parser.add_argument("--machs", nargs="+", type=float, default=[4.0, 8.0])
    parser.add_argument("--nodes", nargs="+", default=["8x9", "10x11", "12x13", "14x15"], help="outward x along")
    parser.add_argument("--gamma", type=float, default=1.4)
    parser.add_argument("--sector", type=float, default=75.0, help="degrees")
    options = parser.parse_args()
    print("| body | Mach | nodes | stand-off / R | Billig | nose pressure / Rayleigh - 1 | total enthalpy | least v/a at the end | parabola |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for body in options.bodies:
        for mach in options.machs:
            for nodes in options.nodes:
                outward, along = (int(n) for n in nodes.split("x"))
                found = ShockLayer(body, mach, options.gamma, outward, along, np.radians(options.sector)).solve()
                print(f"| {body} | {mach:g} | {outward} x {along} | {found['stand_off']:.6f} | {billig(body, mach):.4f} | "
                      f"{found['nose'] / pitot(mach, options.gamma) - 1:.1e} | {found['enthalpy']:.1e} | {found['exit_mach']:.3f} | "
                      f"{found['widths'][0]:.3f} to {found['widths'][1]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
