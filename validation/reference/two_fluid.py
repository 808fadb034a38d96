"""A small two-fluid solver, written in numpy from the published formulas alone: what the expected errors, times and speeds of the
multicomponent checks come from. It shares no line with the program. The problems themselves are in two_fluid_problems.py.

Equations: Wermelinger and others, PASC 2016 (rho, rho u, E in conservative form; Gamma = 1/(gamma - 1) and Pi = gamma p_c/(gamma - 1)
are carried along), with Kapila's compaction (Kapila and others, Phys. Fluids 13, 2001) where a problem says mpcf-k. Space: finite
volumes, WENO of fifth order by Jiang and Shu (J. Comput. Phys. 126, 1996) or WENO-Z by Borges and others (J. Comput. Phys. 227, 2008)
of the primitive variables; HLLC by its star states (Toro, Spruce and Speares 1994; contact speed of Batten and others 1997; Einfeldt's
outer speeds). Time: three stages of third order in two registers (Williamson 1980). Rings about an axis and shells about a centre have
the areas and volumes of rings and shells.

Arrays are [variable, y, x]; on an axisymmetric grid x is the axis and y the distance from it, in the spherical problems x is the radius.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

rho_, u_, v_, p_, gamma_, pi_ = range(6)  # primitive; conserved: rho, rho u, rho v, E, Gamma, Pi


class Fluid:
    def __init__(self, gamma, p_c=0.0):
        self.gamma, self.p_c = gamma, p_c
        self.Gamma, self.Pi = 1 / (gamma - 1), gamma * p_c / (gamma - 1)


def state(fluid, rho, p, u=0.0, v=0.0):
    return np.array([rho, u, v, p, fluid.Gamma, fluid.Pi])


def stiff(w):
    return (w[gamma_] + 1) * w[p_] + w[pi_]


def sound(w):
    return np.sqrt(stiff(w) / (w[gamma_] * w[rho_]))


def energy(w):
    return w[gamma_] * w[p_] + w[pi_] + 0.5 * w[rho_] * (w[u_] ** 2 + w[v_] ** 2)


def conserved(w):
    return np.array([w[rho_], w[rho_] * w[u_], w[rho_] * w[v_], energy(w), w[gamma_], w[pi_]])


def primitive(q):
    u, v = q[1] / q[0], q[2] / q[0]
    p = (q[3] - q[5] - 0.5 * q[0] * (u * u + v * v)) / q[4]
    return np.array([q[0], u, v, p, q[4], q[5]])


@dataclass
class Problem:
    """Cells, conditions and choices; `w` are the primitive averages at the start."""

    w: np.ndarray
    h: tuple
    sides: dict = field(default_factory=dict)  # of x_lower, x_upper, y_lower, y_upper: "open", "mirror", "periodic" or a state
    power: tuple = (0, 0)  # of the radius in the area of a face: 0 plane, 1 ring, 2 shell
    scales: tuple = (1, 1, 1, 1, 1, 1)  # magnitudes by which smoothness is judged
    epsilon: float = 1e-6
    z: bool = False
    cfl: float = 0.6
    largest_norm: bool = False  # dt = cfl h / max(|u_i| + c), not cfl / max sum (|u_i| + c)/h_i
    dt: float = 0.0  # fixed where positive
    pair: tuple | None = None  # (gas, liquid) of Kapila's compaction


def with_ghosts(w, axis, problem):
    """Three more cells at both ends of an axis, which comes last."""
    name = "xy"[axis]
    lower, upper = (problem.sides.get(f"{name}_{end}", "open") for end in ("lower", "upper"))
    inner = w if axis == 0 else np.swapaxes(w, 1, 2)

    def ghosts(kind, at_lower):
        if isinstance(kind, np.ndarray):
            return np.broadcast_to(kind[:, None, None], (*inner.shape[:2], 3))
        if kind == "periodic":
            return inner[..., -3:] if at_lower else inner[..., :3]
        if kind == "mirror":
            image = (inner[..., 2::-1] if at_lower else inner[..., :-4:-1]).copy()
            image[u_ + axis] *= -1
            return image
        return np.repeat(inner[..., :1] if at_lower else inner[..., -1:], 3, axis=-1)

    return np.concatenate([ghosts(lower, True), inner, ghosts(upper, False)], axis=-1)


def edges(w, problem):
    """States at both edges of every cell but the outer two of each end."""
    a, b, c, d, f = (w[..., m : w.shape[-1] - 4 + m] for m in range(5))
    eps = (problem.epsilon * np.square(problem.scales))[:, None, None]
    beta = (13 / 12 * (a - 2 * b + c) ** 2 + (a - 4 * b + 3 * c) ** 2 / 4,
            13 / 12 * (b - 2 * c + d) ** 2 + (b - d) ** 2 / 4,
            13 / 12 * (c - 2 * d + f) ** 2 + (3 * c - 4 * d + f) ** 2 / 4)
    if problem.z:
        weight = [1 + (np.abs(beta[0] - beta[2]) / (eps + k)) ** 2 for k in beta]
    else:
        weight = [1 / (eps + k) ** 2 for k in beta]

    def value(linear, candidates):
        alpha = [g * k for g, k in zip(linear, weight)]
        return sum(k * q for k, q in zip(alpha, candidates)) / sum(alpha)

    upper = value((0.1, 0.6, 0.3), ((2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6, (2 * c + 5 * d - f) / 6))
    lower = value((0.3, 0.6, 0.1), ((-a + 5 * b + 2 * c) / 6, (2 * b + 5 * c - d) / 6, (11 * c - 7 * d + 2 * f) / 6))
    for edge in (lower, upper):  # outside the equation of state: the cell's own values
        bad = ~((edge[rho_] > 0) & (edge[gamma_] > 0) & (stiff(edge) > 0))
        edge[:, bad] = c[:, bad]
    return lower, upper


def hllc(left, right, n):
    """Fluxes of the conserved variables, of Gamma and Pi by phi u, and the velocity with which phi crosses the face."""
    cl, cr, ul, ur = sound(left), sound(right), left[n], right[n]
    root = np.sqrt(right[rho_] / left[rho_])
    mean = (ul + root * ur) / (1 + root)
    spread = np.sqrt((cl**2 + root * cr**2) / (1 + root) + 0.5 * root / (1 + root) ** 2 * (ur - ul) ** 2)
    sl, sr = np.minimum(mean - spread, ul - cl), np.maximum(mean + spread, ur + cr)
    ml, mr = left[rho_] * (sl - ul), right[rho_] * (sr - ur)
    contact = (right[p_] - left[p_] + ul * ml - ur * mr) / (ml - mr)
    upwind = contact >= 0
    w, s = np.where(upwind, left, right), np.where(upwind, sl, sr)
    q = conserved(w)
    chi = (s - w[n]) / (s - contact)
    star = chi * q
    star[n] = chi * w[rho_] * contact
    star[3] = chi * (q[3] + (contact - w[n]) * (w[rho_] * contact + w[p_] / (s - w[n])))
    flux = q * w[n]
    flux[n] += w[p_]
    flux[3] += w[p_] * w[n]
    outer = np.where(upwind, np.minimum(sl, 0), np.maximum(sr, 0))
    return flux + outer * (star - q), w[n] + outer * (chi - 1)


def rates(q, problem):
    w = primitive(q)
    rate, div = np.zeros_like(q), np.zeros(q.shape[1:])
    for axis in (0, 1):
        if w.shape[2 - axis] == 1:
            continue
        cells = w if axis == 0 else np.swapaxes(w, 1, 2)
        lower, upper = edges(with_ghosts(w, axis, problem), problem)
        flux, velocity = hllc(upper[..., :-1], lower[..., 1:], u_ + axis)
        count = cells.shape[-1]
        radius, power = problem.h[axis] * np.arange(count + 1), problem.power[axis]
        area = radius**power
        volume = np.diff(radius ** (power + 1)) / (power + 1)
        change = (area[:-1] * flux[..., :-1] - area[1:] * flux[..., 1:]) / volume
        change[u_ + axis] += cells[p_] * np.diff(area) / volume  # the pressure on the curved cell
        along = np.diff(area * velocity) / volume
        change[4:] += cells[4:] * along
        rate += change if axis == 0 else np.swapaxes(change, 1, 2)
        div += along if axis == 0 else along.T
    if problem.pair:
        gas, liquid = problem.pair
        share = np.clip((w[gamma_] - liquid.Gamma) / (gas.Gamma - liquid.Gamma), 0, 1)
        kg, kl = gas.gamma * (w[p_] + gas.p_c), liquid.gamma * (w[p_] + liquid.p_c)
        mixed = (share * (1 - share) > 1e-9) & (kg > 0) & (kl > 0)
        k = np.where(mixed, share * (1 - share) * (kl - kg) / np.where(mixed, (1 - share) * kg + share * kl, 1), 0)
        rate[4] += (gas.Gamma - liquid.Gamma) * k * div
        rate[5] += (gas.Pi - liquid.Pi) * k * div
    return rate


def time_step(q, problem):
    w = primitive(q)
    c, active = sound(w), [a for a in (0, 1) if w.shape[2 - a] > 1]
    signals = [(np.abs(w[u_ + a]) + c) / problem.h[a] for a in active]
    return problem.cfl / (np.max(signals) if problem.largest_norm else np.max(sum(signals)))


def march(problem, end, look=None, stops=()):
    """Conserved averages at `end`; look(t, q) is called after every step, which ends on `stops`."""
    q, t, stops = conserved(problem.w), 0.0, [*sorted(stops), end]
    while t < end:
        dt = problem.dt or float(time_step(q, problem))  # no scalar of numpy: it would turn single precision into double
        aim = next(s for s in stops if s > t)
        last = t + dt >= aim
        dt = aim - t if last else dt
        k = np.zeros_like(q)
        for a, b in ((0, 1 / 4), (-17 / 32, 8 / 9), (-32 / 27, 3 / 4)):
            k = a * k + dt * rates(q, problem)
            q = q + b * k
        t = aim if last else t + dt
        if not np.all(np.isfinite(q)):
            raise FloatingPointError(f"not a number at t = {t}")
        if look:
            look(t, q)
    return q


def centres(n, h, lower=0.0):
    return lower + h * (np.arange(n) + 0.5)


def inside_of(distance, h, factor):
    """Share of a fluid from the signed distance to its surface, a raised cosine over factor sqrt(3) h on either side; 0: sharp."""
    if factor == 0:
        return (distance >= 0) * 1.0
    e = factor * np.sqrt(3) * h
    return 0.5 * (1 + np.sin(np.pi / 2 * np.clip(distance / e, -1, 1)))


def ball(x, y, h, centre, radius, factor=1.0):
    """Share of a sphere about the axis or of a circle in each cell, Simpson's rule with three points along each direction."""
    share = 0
    for dx, a in ((-h / 2, 1 / 6), (0, 2 / 3), (h / 2, 1 / 6)):
        for dy, b in ((-h / 2, 1 / 6), (0, 2 / 3), (h / 2, 1 / 6)):
            distance = radius - np.hypot(x[None, :] + dx - centre, y[:, None] + dy)
            share = share + a * b * inside_of(distance, h, factor)
    return share


def mixed(a, gas, liquid):
    """Averages of states of one pressure and velocity."""
    return a * gas[:, None, None] + (1 - a) * liquid[:, None, None]


def behind_shock(ahead, fluid, jump):
    """Rankine and Hugoniot: the state behind a shock that moves to larger x, and its speed."""
    P = ahead[p_] + fluid.p_c
    ratio, g = (P + jump) / P, fluid.gamma
    mach = np.sqrt(((g + 1) * ratio + g - 1) / (2 * g))
    speed = mach * sound(ahead)
    rho = ahead[rho_] * ((g + 1) * ratio + g - 1) / ((g - 1) * ratio + g + 1)
    return state(fluid, rho, ahead[p_] + jump, jump / (ahead[rho_] * speed)), speed


air, water = Fluid(1.4), Fluid(6.12, 3.43e8)
air_at_rest, water_at_rest = state(air, 1.204, 1e5), state(water, 1000, 1e5)
