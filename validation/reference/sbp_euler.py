"""A second solver of the scheme of aerodynamics in the plane, in numpy: expected errors of the vortex and forces on a coarse O mesh.

    python3 validation/reference/sbp_euler.py vortex --orders 1 2 3 4 5 6 --cells 20 40 [--compatible]
    python3 validation/reference/sbp_euler.py airfoil --cells 16 --mach 0.63 --alpha 2

Written from the papers, without the solver's code: Euler's equations in conservative variables W = (rho, rho u, rho v, E) on
blocks of nodes, V dW/dt = -R,

    R = sum_k D_k F(S^k) + H^-1 Delta^T eps lambda Delta W + (1/h) (F* - F(N)) on faces,

with the diagonal-norm operators 2(1), 4(2), 6(3) (B. Strand, J. Comput. Phys. 110 (1994) 47-67; K. Mattsson and J. Nordstrom,
J. Comput. Phys. 199 (2004) 503-540), dissipation of undivided differences (K. Mattsson, M. Svard and J. Nordstrom, J. Sci. Comput.
21 (2004) 57-79) scaled by the spectral radius, Roe's flux to neighbours and outer states, p + rho c u_n on walls
(M. Svard, M. H. Carpenter and J. Nordstrom, J. Comput. Phys. 225 (2007) 1020-1038). All derivatives are full matrices; blocks are
joined by looking for equal coordinates.

The vortex drifts through four wavy blocks, the second turned round, the fourth by a right angle, the exact state beyond the outer
boundary, to t = 1 by the classical Runge-Kutta method; printed is sqrt(sum H V (rho - exact)^2). The airfoil is NACA 0012 on the
Karman-Trefftz O mesh of the program in two blocks, far field at 147 chords, converged with local steps. Needs numpy.
"""

from __future__ import annotations

import argparse
from fractions import Fraction

import numpy as np

GAMMA = 1.4
# Inner order of D, q and eps of the dissipation, by the order of the scheme.
SCHEMES = {1: (2, 1, 1 / 2), 2: (2, 2, 1 / 12), 3: (4, 2, 1 / 12), 4: (4, 3, 1 / 60), 5: (6, 3, 1 / 60), 6: (6, 4, 1 / 280)}
# Norm at an end, Q above the diagonal there by rows, coefficients inside.
ENDS = {
    2: ("1/2", [["1/2"]], [1 / 2]),
    4: ("17/48 59/48 43/48 49/48", [["59/96", "-1/12", "-1/32"], ["59/96", "0"], ["59/96"], []], [2 / 3, -1 / 12]),
    6: ("13649/43200 12013/8640 2711/4320 5359/4320 7877/8640 43801/43200",
        [["104009/172800", "30443/259200", "-33311/86400", "5621/28800", "-601/20736"],
         ["-311/51840", "6743/5760", "-24337/34560", "36661/259200"],
         ["-2231/5184", "41287/51840", "-7333/28800"], ["4147/17280", "25427/259200"], ["342523/518400"], []],
        [3 / 4, -3 / 20, 1 / 60]),
}
# What a free parameter of 6(3) adds to Q; "accurate" gives q_45 = 70057/99900, "compatible" 342523/518400.
FAMILY = [[1, -4, 6, -4, 1], [10, -20, 15, -4], [20, -20, 6], [10, -4], [1], []]


def operators(order: int, n: int, compatible: bool = False):
    """D, its norm H, the differences Delta and eps along n nodes."""
    inner, q, eps = SCHEMES[order]
    norm_text, corner, inside = ENDS[inner]
    end = [float(Fraction(h)) for h in norm_text.split()]
    norm = np.ones(n)
    norm[: len(end)], norm[n - len(end):] = end, end[::-1]
    matrix = np.zeros((n, n))
    for k, c in enumerate(inside, 1):
        matrix += c * (np.eye(n, k=k) - np.eye(n, k=-k))
    size = len(end)
    block = np.zeros((size, size))
    if inner > 2:
        for i, row in enumerate(corner):
            for j, c in enumerate(row):
                block[i, i + 1 + j] = float(Fraction(c))
                if inner == 6 and not compatible:
                    block[i, i + 1 + j] += float(Fraction(70057, 99900) - Fraction(342523, 518400)) * FAMILY[i][j]
        block -= block.T
        matrix[:size, :size], matrix[n - size:, n - size:] = block, -block[::-1, ::-1]
    matrix[0, 0], matrix[-1, -1] = -1 / 2, 1 / 2
    delta = np.eye(n)
    for _ in range(q):
        delta = np.diff(delta, axis=0)
    return matrix / norm[:, None], norm, delta, eps


def split(w):
    """rho, u, v, p of a state [4, ...]."""
    rho, u, v = w[0], w[1] / w[0], w[2] / w[0]
    return rho, u, v, (GAMMA - 1) * (w[3] - 0.5 * rho * (u**2 + v**2))


def join(rho, u, v, p):
    return np.stack([rho, rho * u, rho * v, p / (GAMMA - 1) + 0.5 * rho * (u**2 + v**2)])


def flux(w, area):
    rho, u, v, p = split(w)
    through = area[0] * u + area[1] * v
    return np.stack([w[0] * through, w[1] * through + p * area[0], w[2] * through + p * area[1], (w[3] + p) * through])


def roe(w, outside, area, fix: float):
    """Roe's flux through `area`; eigenvalues are at least `fix` of the largest."""
    rho, u, v, p = split(w)
    rho2, u2, v2, p2 = split(outside)
    a, b = np.sqrt(rho), np.sqrt(rho2)
    u, v = (a * u + b * u2) / (a + b), (a * v + b * v2) / (a + b)
    h = (a * (w[3] + p) / rho + b * (outside[3] + p2) / rho2) / (a + b)
    half = 0.5 * (u**2 + v**2)
    c = np.sqrt((GAMMA - 1) * (h - half))
    size = np.sqrt(area[0] ** 2 + area[1] ** 2)
    n = area / size
    un = n[0] * u + n[1] * v
    floor = fix * (np.abs(un) + c)
    slow, middle, fast = (np.maximum(np.abs(x), floor) for x in (un - c, un, un + c))
    d = outside - w
    dp = (GAMMA - 1) * (half * d[0] - u * d[1] - v * d[2] + d[3])
    du = n[0] * d[1] + n[1] * d[2] - un * d[0]
    a1, a3, a2 = slow * (dp - c * du) / (2 * c**2), fast * (dp + c * du) / (2 * c**2), middle * (d[0] - dp / c**2)
    t0, t1 = (middle * (d[1] - u * d[0] - n[0] * du), middle * (d[2] - v * d[0] - n[1] * du))
    jump = np.stack([a1 + a2 + a3, a1 * (u - c * n[0]) + a2 * u + t0 + a3 * (u + c * n[0]),
                     a1 * (v - c * n[1]) + a2 * v + t1 + a3 * (v + c * n[1]),
                     a1 * (h - un * c) + a2 * half + u * t0 + v * t1 + a3 * (h + un * c)])
    return 0.5 * (flux(w, area) + flux(outside, area) - size * jump)


class Block:
    """Nodes x[i, j], y[i, j]; right-handed."""

    def __init__(self, x, y, order: int, compatible: bool = False):
        self.x, self.y = x, y
        self.ops = [operators(order, n, compatible) for n in x.shape]
        d0, d1 = self.along(0, np.stack([x, y])), self.along(1, np.stack([x, y]))
        self.area = [np.stack([d1[1], -d1[0]]), np.stack([-d0[1], d0[0]])]
        self.volume = 0.5 * sum(self.along(k, (x * self.area[k][0] + y * self.area[k][1])[None])[0] for k in (0, 1))
        self.weight = self.ops[0][1][:, None] * self.ops[1][1][None, :]

    def along(self, axis: int, f):
        """D of f[..., i, j] along an axis."""
        d = self.ops[axis][0]
        return d @ f if axis == 0 else f @ d.T

    def speeds(self, w):
        rho, u, v, p = split(w)
        c = np.sqrt(GAMMA * p / rho)
        return [np.abs(a[0] * u + a[1] * v) + c * np.sqrt(a[0] ** 2 + a[1] ** 2) for a in self.area]

    def interior(self, w, speeds):
        r = np.zeros_like(w)
        for axis in (0, 1):
            r += self.along(axis, flux(w, self.area[axis]))
            _, norm, delta, eps = self.ops[axis]
            q = len(norm) - len(delta)
            turned, speed = np.moveaxis(w, axis + 1, -1), np.moveaxis(speeds[axis], axis, -1)
            n = len(norm)
            lower, upper = speed[..., q // 2: q // 2 + n - q], speed[..., (q + 1) // 2: (q + 1) // 2 + n - q]
            middle = np.maximum(lower, upper) if q == 1 else 0.5 * (lower + upper)
            r += np.moveaxis(eps * (middle * (turned @ delta.T)) @ delta / norm, -1, axis + 1)
        return r


FACES = [(0, 0), (0, -1), (1, 0), (1, -1)]  # axis and end


def on(f, axis: int, end: int):
    return f[..., end, :] if axis == 0 else f[..., :, end]


class Flow:
    """Blocks; links between faces with equal coordinates; `boundary` is asked for F* on other faces."""

    def __init__(self, blocks: list[Block], boundary, fix: float = 0.0):
        self.blocks, self.boundary, self.fix, self.partner = blocks, boundary, fix, {}
        faces = [(b, f) for b in range(len(blocks)) for f in FACES]
        place = {face: on(np.stack([blocks[face[0]].x, blocks[face[0]].y]), *face[1]) for face in faces}
        for one in faces:
            for other in faces:
                if one == other or place[one].shape != place[other].shape:
                    continue
                for step in (1, -1):
                    if np.abs(place[one] - place[other][:, ::step]).max() < 1e-9:
                        self.partner[one] = other, step

    def residual(self, states, t: float = 0.0):
        results = []
        for b, (block, w) in enumerate(zip(self.blocks, states)):
            r = block.interior(w, block.speeds(w))
            for face in FACES:
                axis, end = face
                inside, area = on(w, *face), on(block.area[axis], *face) * (-1 if end == 0 else 1)
                if (b, face) in self.partner:
                    (other, there), step = self.partner[b, face]
                    star = roe(inside, on(states[other], *there)[:, ::step], area, self.fix)
                else:
                    star = self.boundary(b, face, inside, area, t)
                on(r, *face)[...] += (star - flux(inside, area)) / block.ops[axis][1][0]
            results.append(r)
        return results


def vortex_state(x, y, t: float):
    temperature = 1 / (GAMMA * 0.25)
    dx, dy, b = x - 4 - t, y - 4.5 - 0.5 * t, 0.3
    f = np.exp(0.5 * (1 - dx**2 - dy**2))
    now = temperature - (GAMMA - 1) / (2 * GAMMA) * (b * f) ** 2
    rho = (now / temperature) ** (1 / (GAMMA - 1))
    return join(rho, 1 - b * dy * f, 0.5 + b * dx * f, rho * now)


def vortex_error(order: int, cells: int, compatible: bool = False, cfl: float = 0.5) -> float:
    s = np.linspace(0, 10, 2 * cells + 1)
    s = np.meshgrid(s, s, indexing="ij")
    x = s[0] + 0.3 * np.sin(np.pi * s[0] / 5) * np.sin(np.pi * s[1] / 5)
    y = s[1] + 0.3 * np.sin(2 * np.pi * s[0] / 5) * np.sin(np.pi * s[1] / 5)
    low, high = slice(0, cells + 1), slice(cells, None)
    turns = [lambda f: f, lambda f: f[::-1, ::-1], lambda f: f, lambda f: f[::-1, :].T]
    parts = [(low, low), (high, low), (low, high), (high, high)]
    blocks = [Block(turn(x[p]), turn(y[p]), order, compatible) for turn, p in zip(turns, parts)]

    def outer(b, face, inside, area, t):
        return roe(inside, vortex_state(on(blocks[b].x, *face), on(blocks[b].y, *face), t), area, 0.0)

    flow = Flow(blocks, outer)
    states, t = [vortex_state(b.x, b.y, 0.0) for b in blocks], 0.0

    def rate(states, t):
        return [-r / b.volume for r, b in zip(flow.residual(states, t), blocks)]

    def moved(states, rates, dt):
        return [w + dt * k for w, k in zip(states, rates)]

    while t < 1 - 1e-12:
        dt = min(1 - t, min(cfl / (sum(b.speeds(w)) / b.volume).max() for b, w in zip(blocks, states)))
        k1 = rate(states, t)
        k2 = rate(moved(states, k1, dt / 2), t + dt / 2)
        k3 = rate(moved(states, k2, dt / 2), t + dt / 2)
        k4 = rate(moved(states, k3, dt), t + dt)
        states = [w + dt / 6 * (a + 2 * b + 2 * c + d) for w, a, b, c, d in zip(states, k1, k2, k3, k4)]
        t += dt
    return float(np.sqrt(sum((b.weight * b.volume * (w[0] - vortex_state(b.x, b.y, 1.0)[0]) ** 2).sum() for b, w in zip(blocks, states))))


def o_mesh(cells: int, far: float = 147.0, thickness: float = 0.12):
    """Nodes of the Karman-Trefftz O mesh around NACA 0012, from the trailing edge along the lower side, and outward."""
    end = 1.008930411365

    def section(s):  # from -1 (trailing edge, below) to 1
        x = s * s * end
        y = 0.2969 * np.sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1015 * x)))
        return s * s + 1j * np.where(np.abs(s) < 1, np.sign(s) * 5 * thickness * y / end, 0)

    steep = 0.5 * 0.2969 / np.sqrt(end) - 0.1260 + end * (-0.7032 + end * (0.8529 - 0.4060 * end))
    power = 2 - 2 * np.arctan(-5 * thickness * steep) / np.pi
    inner = 0.25 * (5 * thickness * 0.2969) ** 2

    def forward(z):
        w = ((z - 1) / (z - inner)) ** (1 / power)
        return (1 + w) / (1 - w)

    near = forward(section(np.linspace(-1, 1, 4001)))
    middle = 0.5 * (near.real.min() + near.real.max())
    outer = np.log(far * 2 * power / (1 - inner))
    theta = -2 * np.pi * np.arange(cells // 2 + 1) / cells  # the lower side; the upper one is its image
    low, high = np.full(theta.shape, -1.0), np.zeros(theta.shape)
    for _ in range(60):
        s = 0.5 * (low + high)
        angle = np.angle(forward(section(s)) - middle)
        angle = np.where(angle > 1e-9, angle - 2 * np.pi, angle)
        low, high = np.where(angle > theta, s, low), np.where(angle > theta, high, s)
    wall = section(0.5 * (low + high))
    wall[0], wall[-1] = 1, 0
    ring = np.log(np.abs(forward(wall) - middle))
    part = np.arange(cells + 1) / cells
    zeta = middle + np.exp(ring[:, None] * (1 - part) + outer * part + 1j * theta[:, None])
    w = ((zeta - 1) / (zeta + 1)) ** power
    z = (1 - inner * w) / (1 - w)
    z[:, 0] = wall
    z[0].imag, z[-1].imag = 0, 0
    return z, z[::-1].conj()


def airfoil(cells: int, mach: float, alpha_deg: float, order: int = 3, fix: float = 0.05, cfl: float = 1.5, drop: float = 1e-9,
            most: int = 20000):
    """Cl, Cd, Cm (nose up, about a quarter of the chord) and the steps it took."""
    alpha = np.radians(alpha_deg)
    blocks = [Block(z.real, z.imag, order) for z in o_mesh(cells)]
    one = np.ones(blocks[0].x.shape)
    stream = join(one, mach * np.cos(alpha) * one, mach * np.sin(alpha) * one, one / GAMMA)

    def pressure_on_wall(inside, area):
        rho, u, v, p = split(inside)
        return p + rho * np.sqrt(GAMMA * p / rho) * (area[0] * u + area[1] * v) / np.sqrt(area[0] ** 2 + area[1] ** 2)

    def boundary(b, face, inside, area, t):
        if face == (1, 0):
            star = pressure_on_wall(inside, area)
            return np.stack([0 * star, star * area[0], star * area[1], 0 * star])
        return roe(inside, on(stream, *face), area, fix)

    flow = Flow(blocks, boundary, fix)
    states, first = [stream.copy() for _ in blocks], None
    for step in range(1, most + 1):
        scales = []
        for block, w in zip(blocks, states):
            total = 0
            for axis, speed in enumerate(block.speeds(w)):  # the largest of three along each direction: areas vanish at the edge
                padded = np.pad(speed, [(1, 1) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
                total = total + np.max([np.take(padded, np.arange(k, k + speed.shape[axis]), axis) for k in range(3)], axis=0)
            scales.append((0.5 if step < 100 else cfl) / total)
        start = states
        for a in (1 / 4, 1 / 6, 3 / 8, 1 / 2, 1):
            r = flow.residual(states)
            if a == 1 / 4:
                size = np.sqrt(sum(((x[0] / b.volume) ** 2).sum() for x, b in zip(r, blocks)))
            states = [w - a * s * x for w, s, x in zip(start, scales, r)]
        first = first or size
        if size < drop * first:
            break
    force, moment = np.zeros(2), 0.0
    for block, w in zip(blocks, states):
        area = -on(block.area[1], 1, 0)
        push = (pressure_on_wall(on(w, 1, 0), area) - 1 / GAMMA) * block.ops[0][1] * area
        force += push.sum(axis=1)
        moment -= ((on(block.x, 1, 0) - 0.25) * push[1] - on(block.y, 1, 0) * push[0]).sum()
    scale = 0.5 * mach**2
    cl, cd = force[1] * np.cos(alpha) - force[0] * np.sin(alpha), force[0] * np.cos(alpha) + force[1] * np.sin(alpha)
    return float(cl / scale), float(cd / scale), float(moment / scale), step, float(size / first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("vortex", "airfoil"))
    parser.add_argument("--orders", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--cells", type=int, nargs="+", default=[20, 40])
    parser.add_argument("--compatible", action="store_true", help="the member of 6(3) with q_45 = 342523/518400")
    parser.add_argument("--mach", type=float, default=0.63)
    parser.add_argument("--alpha", type=float, default=2.0, help="degrees")
    options = parser.parse_args()
    if options.what == "vortex":
        for order in options.orders:
            print(f"order {order}: " + " ".join(f"{vortex_error(order, n, options.compatible):.4e}" for n in options.cells), flush=True)
        return
    for cells in options.cells:
        cl, cd, cm, steps, left = airfoil(cells, options.mach, options.alpha)
        print(f"{cells} x {cells}: Cl {cl:.8f}, Cd {cd:.8f}, Cm {cm:.8f}, residual {left:.1e} after {steps} steps", flush=True)


if __name__ == "__main__":
    main()
