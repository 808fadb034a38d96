"""The problems of two_fluid.py whose results the multicomponent checks expect.

    python3 validation/reference/two_fluid_problems.py                         # names, and what their number means
    python3 validation/reference/two_fluid_problems.py single-bubble 16 mpcf   # one of them; `z`: WENO-Z, `mpcf-k`: compaction

Each function returns what it measured as a dictionary of numbers. Times on one core: tubes seconds, a bubble with 16 cells per radius
a minute or two, the cylinder at 0.5 mm about ten minutes.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from two_fluid import (Fluid, Problem, air, air_at_rest, ball, behind_shock, centres, conserved, energy, gamma_, inside_of, march, mixed,
                       p_, primitive, rho_, sound, state, time_step, u_, water, water_at_rest)

from watersmeet.riemann import ExactRiemann, Gas

# (rho, u, p, gamma, p_c) left and right; lower end and length, place of the jump, end of time, cfl, magnitudes rho, u, p, Gamma, Pi
tubes = {
    "sod": ((1, 0, 1, 1.4, 0), (0.125, 0, 0.1, 1.4, 0), 0, 1, 0.5, 0.2, 0.6, (1, 1, 1, 1, 1)),
    "lax": ((0.445, 0.698, 3.528, 1.4, 0), (0.5, 0, 0.571, 1.4, 0), 0, 1, 0.5, 0.14, 0.6, (1, 1, 1, 1, 1)),
    "gas-water": ((1.241, 0, 2.753, 1.4, 0), (0.991, 0, 3.059e-4, 5.5, 1.505), -1, 2, 0, 0.2, 0.6, (1, 1, 1, 1, 1)),
    "water-gas": ((1000, 0, 1e9, 4.4, 6e8), (50, 0, 1e5, 1.4, 0), 0, 1, 0.7, 2.4e-4, 0.6, (1e3, 1e3, 1e9, 1, 1e9)),
    "shocked-water-air": ((1018.16388547, 26.71317621, 4.01e7, 6.12, 3.43e8), (1.204, 0, 1e5, 1.4, 0), 0, 1, 0.5, 2e-4, 0.5,
                          (1e3, 100, 4e7, 1, 4e8)),
}


def spread(scales):
    """Magnitudes of rho, u, p, Gamma, Pi for the six variables."""
    rho, u, p, Gamma, Pi = scales
    return (rho, u, u, p, Gamma, Pi)


def tube(name, n, z=False):
    left, right, lower, length, place, end, cfl, scales = tubes[name]
    x, h = centres(n, length / n, lower), length / n
    states = [state(Fluid(g, p_c), rho, p, u) for rho, u, p, g, p_c in (left, right)]
    w = np.where(x < place, states[0][:, None], states[1][:, None])[:, None, :]
    q = march(Problem(w, (h, 1), scales=spread(scales), z=z, cfl=cfl), end)
    exact = ExactRiemann(*(Gas(rho, u, p, g, p_c) for rho, u, p, g, p_c in (left, right))).sample((x - place) / end)
    return {"L1 error of rho": np.mean(np.abs(q[0, 0] - exact["rho"]))}


def shu_osher(n, z=False):
    gas, x, h = Fluid(1.4), centres(n, 10 / n, -5), 10 / n
    ahead, behind = state(gas, 1, 1), state(gas, 3.857143, 10.33333, 2.629369)
    w = np.where(x < -4, behind[:, None], ahead[:, None])
    nodes, weights = np.polynomial.legendre.leggauss(5)
    average = sum(a * np.sin(5 * (x + s * h / 2)) for s, a in zip(nodes, weights)) / 2
    w[0] = np.where(x < -4, behind[0], 1 + 0.2 * average)
    q = march(Problem(w[:, None, :], (h, 1), z=z), 1.8)
    return {"peak of the wave train": q[0, 0][(x > 0.5) & (x < 2.3)].max(), "x": x, "rho": q[0, 0]}


def small_steps(n):
    """A step whose error of third order falls as h^5."""
    return 1 / np.ceil(250 * (n / 32) ** (5 / 3))


def smooth_advection(n, z=False):
    """A wave of the density carried once through a periodic tube, judged by the values that it began as."""
    x, gas, periodic = centres(n, 1 / n), Fluid(1.4), {"x_lower": "periodic", "x_upper": "periodic"}
    w = np.broadcast_to(state(gas, 1, 1, 1)[:, None], (6, n)).copy()
    w[rho_] = 1 + 0.2 * np.sin(2 * np.pi * x)
    q = march(Problem(w[:, None, :], (1 / n, 1), periodic, z=z, epsilon=1e-40 if z else 1e-6, dt=small_steps(n)), 1.0)
    return {"L1 error of rho": np.mean(np.abs(q[0, 0] - w[rho_]))}


def simple_wave(n, z=False):
    """A wave to the right in gas of c = 1 + 0.2 u, u = 0.1 sin 2 pi y at x = y + t (1 + 1.2 u), at t = 0.5 before it breaks."""
    end, gas, h, periodic = 0.5, Fluid(1.4), 1 / n, {"x_lower": "periodic", "x_upper": "periodic"}
    nodes, weights = np.polynomial.legendre.leggauss(3)

    def averages(t):
        """Of rho, rho u, E."""
        total = np.zeros((3, n))
        for node, weight in zip(nodes, weights):
            x = centres(n, h) + node * h / 2
            y = x.copy()
            for _ in range(60):
                u, slope = 0.1 * np.sin(2 * np.pi * y), 0.2 * np.pi * np.cos(2 * np.pi * y)
                y -= (y + t * (1 + 1.2 * u) - x) / (1 + 1.2 * t * slope)
            u = 0.1 * np.sin(2 * np.pi * y)
            rho, p = 1.4 * (1 + 0.2 * u) ** 5, (1 + 0.2 * u) ** 7
            total += weight / 2 * np.array([rho, rho * u, 2.5 * p + 0.5 * rho * u**2])
        return total

    rho, momentum, total = averages(0.0)
    constant = np.ones(n)
    w = primitive(np.array([rho, momentum, 0 * rho, total, gas.Gamma * constant, gas.Pi * constant]))[:, None, :]
    q = march(Problem(w, (h, 1), periodic, z=z, epsilon=1e-40 if z else 1e-6, dt=small_steps(n)), end)
    return {"L1 error of rho": np.mean(np.abs(q[0, 0] - averages(end)[0]))}


def planar_shock(n, z=False):
    """A shock of 40 MPa in water at x = 0.9 of a tube of length 1, begun as a jump at 0.1."""
    x, h = centres(n, 1 / n), 1 / n
    behind, speed = behind_shock(water_at_rest, water, 4e7)
    w = np.where(x < 0.1, behind[:, None], water_at_rest[:, None])[:, None, :]
    problem = Problem(w, (h, 1), {"x_lower": behind}, scales=spread((1e3, 100, 4e7, 1, 4e8)), z=z)
    half = 1e5 + 2e7

    def front_of(p):
        i = np.flatnonzero((p[:-1] >= half) & (p[1:] < half))[-1]
        return x[i] + h * (p[i] - half) / (p[i] - p[i + 1])

    early = primitive(march(problem, 5e-5))[:, 0]  # what the start leaves is still inside
    inner = x < front_of(early[p_]) - 15 * h
    measured = {f"start-up error of {name}, over the jump": np.abs((early[v] - behind[v]) / (behind[v] - water_at_rest[v]))[inner].max()
                for name, v in (("p", p_), ("rho", rho_))}
    p = primitive(march(problem, 0.8 / speed, stops=[5e-5]))[p_, 0]
    front, error = front_of(p), np.abs(p - 4.01e7) / 4e7
    measured["error of the position, cells"] = abs(front - 0.9) / h
    for cells in (5, 10, 15, 20):
        measured[f"error of p more than {cells} cells behind, over the jump"] = error[x < front - cells * h].max()
    wrong = x[(x < front) & (error > 1e-3)]
    measured["cells behind the front with an error above 1e-3"] = (front - wrong.min()) / h
    return measured


def parting(n, name):
    """Two halves that part: smallest p + p_c and rho over those of the exact solution between the rarefactions."""
    left, end, scales = {"water": ((1000, -50, 1e5, 6.12, 3.43e8), 2e-4, (1e3, 10, 1e7, 1, 4e8)),
                         "gas": ((1, -2, 0.4, 1.4, 0), 0.15, (1, 1, 1, 1, 1))}[name]
    rho, u, p, g, p_c = left
    x, fluid = centres(n, 1 / n), Fluid(g, p_c)
    w = np.where(x < 0.5, state(fluid, rho, p, u)[:, None], state(fluid, rho, p, -u)[:, None])[:, None, :]
    found = primitive(march(Problem(w, (1 / n, 1), scales=spread(scales), cfl=0.5), end))
    exact = ExactRiemann(Gas(rho, u, p, g, p_c), Gas(rho, -u, p, g, p_c))
    return {"smallest p + p_c": (found[p_].min() + p_c) / (exact.p + p_c), "smallest rho": found[rho_].min() / exact.rho[0]}


def blast_waves(n, z=False):
    """Woodward and Colella's blast waves between walls, t = 0.038: the largest density, and where it is."""
    x, gas = centres(n, 1 / n), Fluid(1.4)
    w = np.array([state(gas, 1, 1000.0 if a < 0.1 else 100.0 if a > 0.9 else 0.01) for a in x]).T[:, None, :]
    problem = Problem(w, (1 / n, 1), {"x_lower": "mirror", "x_upper": "mirror"}, scales=spread((1, 30, 1000, 1, 1000)), z=z, cfl=0.5)
    rho = march(problem, 0.038)[0, 0]
    return {"largest density": rho.max(), "its place": x[rho.argmax()]}


def single_precision(n, pressure=1e-4, steps=0):
    """Air in water of one pressure (GPa) that single precision carries once through a periodic tube, or so many steps: what round-off makes of
    pressure and velocity. In units of 1000 kg/m^3, 1000 m/s and 1 GPa, the interfaces smeared over three cells on either side."""
    liquid, h, speed = Fluid(water.gamma, 0.343), 1 / n, 0.1
    x = centres(n, h)
    share = sum(a * inside_of(0.25 - np.abs(x + d - 0.5), h, np.sqrt(3)) for d, a in ((-h / 2, 1 / 6), (0, 2 / 3), (h / 2, 1 / 6)))
    w = mixed(share[None, :], state(air, 1.204e-3, pressure, speed), state(liquid, 1.0, pressure, speed)).astype(np.float32)
    problem = Problem(w, (h, 1), {"x_lower": "periodic", "x_upper": "periodic"}, scales=np.ones(6, np.float32), cfl=0.5)
    v = primitive(march(problem, steps * float(time_step(conserved(w), problem)) if steps else 1 / speed))
    assert v.dtype == np.float32
    return {"max |dp|/p": np.abs(v[p_] / pressure - 1).max(), "max |du|/u": np.abs(v[u_] / speed - 1).max()}


def sedov(n):
    """Sedov's spherical blast about an axis until its radius is 0.75: by how many cells the captured front leads, along, across and at 45 degrees."""
    gas, ahead, radius, h = Fluid(1.4), 1e-5, 0.75, 1 / n
    hot = 3.5 * h
    share = ball(centres(n, h), centres(n, h), h, 0.0, hot, 0)
    p = 0.4 / (4 * np.pi / 3 * hot**3)
    problem = Problem(mixed(share, state(gas, 1, p), state(gas, 1, ahead)), (h, h), {"x_lower": "mirror", "y_lower": "mirror"}, power=(0, 1))
    rings = np.pi * np.diff((h * np.arange(n + 1)) ** 2)[:, None] * h
    released = 2 * (np.sum(rings * energy(problem.w)) - np.pi * 2.5 * ahead)  # of both halves
    rho = march(problem, np.sqrt(0.851072 * radius**5 / released))[0]
    lead = {}
    for name, line, step in (("along the axis", rho[0], h), ("on the diagonal", np.diagonal(rho), np.sqrt(2) * h), ("across the axis", rho[:, 0], h)):
        middle = (1 + line.max()) / 2
        k = np.flatnonzero((line[:-1] >= middle) & (line[1:] < middle))[-1]
        lead[f"front ahead {name}, cells"] = (step * (k + 0.5 + (line[k] - middle) / (line[k] - line[k + 1])) - radius) / h
    return lead


def single_bubble(per_radius, compaction=False, count=1, end=None):
    """An air bubble of 125 um (or a row of them, 25 um apart) in water under a shock of 40 MPa, axisymmetric."""
    radius, shock_place, first = 125e-6, 0.25e-3, 0.615e-3
    h = radius / per_radius
    x, y = centres(12 * per_radius, h), centres(4 * per_radius, h)
    behind, speed = behind_shock(water_at_rest, water, 4e7)
    share = sum(ball(x, y, h, first + 0.275e-3 * k, radius) for k in range(count))
    w = mixed(share, air_at_rest, water_at_rest)
    w = np.where((x < shock_place)[None, None, :], behind[:, None, None], w)
    problem = Problem(w, (h, h), {"x_lower": behind, "y_lower": "mirror"}, power=(0, 1), scales=spread((1e3, 100, 4e7, 1, 4e8)),
                      cfl=0.32, largest_norm=True, pair=(air, water) if compaction else None)
    impact = (first - radius - shock_place) / speed
    rows = []

    def look(t, q):
        v = primitive(q)
        gas = np.clip((v[gamma_] - water.Gamma) / (air.Gamma - water.Gamma), 0, 1)
        mach = np.max(np.hypot(v[1], v[2]) / sound(v))
        rows.append((t, v[p_].max() / 4e7, np.sum(gas * y[:, None]), mach))

    look(0.0, march(problem, 0))
    march(problem, impact + 760e-9 if end is None else end, look)
    t, peak, volume, mach = np.array(rows).T
    after = (t - impact) * 1e9
    late = after > 450
    highest, least = np.argmax(peak * late), np.argmin(np.where(late, volume, np.inf))
    lowest = np.flatnonzero(late)[np.argmin(mach[late & (after < after[highest] + 80)])]
    return {"collapse by the largest pressure, ns": after[highest], "largest pressure over the jump": peak[highest],
            "smallest volume over the first": volume[least] / volume[0], "its time, ns": after[least],
            "collapse by the lowest Mach number, ns": after[lowest], "series": (t, peak, volume / volume[0], mach)}


def row_of_three(per_radius):
    """Three bubbles, mpcf-k: the collapses as the check of the example tells them."""
    spec = importlib.util.spec_from_file_location("check", Path(__file__).resolve().parents[2] / "examples/bubble-row/check.py")
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    t, p, volume, mach = single_bubble(per_radius, True, 3, 1.5e-6)["series"]
    impact, measured = 0.24e-3 / behind_shock(water_at_rest, water, 4e7)[1], {}
    for number, (lowest, _, peak) in enumerate(check.collapses_of(t, p, mach, 3 * volume), 1):
        measured[f"collapse {number}, largest pressure, ns"] = (t[peak] - impact) * 1e9
        measured[f"collapse {number}, pressure over the jump"] = p[peak]
        measured[f"collapse {number}, lowest Mach number, ns"] = (t[lowest] - impact) * 1e9
    return measured


def rayleigh(cells, ratio=10, compaction=True):
    """A bubble of 1 mm at 1 bar that collapses in water of `ratio` bar, shells about its centre; Rayleigh's pressure at the start."""
    r0, p0 = 1e-3, 1e5
    h, far = r0 / cells, ratio * p0
    r = centres(60 * cells, h)
    share = sum(a * inside for inside, a in ((_layer(r0 - r - d, h), a) for d, a in ((-h / 2, 1 / 6), (0, 2 / 3), (h / 2, 1 / 6))))
    w = mixed(share[None, :], air_at_rest, water_at_rest)
    w[p_] = p0 + (far - p0) * (1 - r0 / np.maximum(r, r0))
    problem = Problem(w, (h, 1), {"x_lower": "mirror"}, power=(2, 0), scales=spread((1e3, 100, far, 1, 4e8)), cfl=0.6,
                      pair=(air, water) if compaction else None)
    time = 0.91468 * r0 * np.sqrt(1000 / (far - p0))
    rows = []

    def look(t, q):
        gas = np.clip((q[4, 0] - water.Gamma) / (air.Gamma - water.Gamma), 0, 1)
        rows.append((t / time, np.cbrt(np.sum(gas * np.diff((h * np.arange(60 * cells + 1)) ** 3))) / r0))

    stops = [f * time for f in (0.25, 0.5, 0.75, 0.9, 0.95)]
    march(problem, 1.2 * time, look, stops)
    t, radius = np.array(rows).T
    measured = {f"R/R0 at {s / time:.2f}": radius[np.argmin(np.abs(t - s / time))] for s in stops}
    return measured | {"smallest R/R0": radius.min(), "its time over Rayleigh's": t[radius.argmin()]}


def _layer(distance, h):
    return 0.5 * (1 + np.sin(np.pi / 2 * np.clip(distance / (np.sqrt(3) * h), -1, 1)))


def helium_cylinder(cells, end=234e-6):
    """A shock of Mach 1.22 in air over a cylinder of helium of 50 mm; upper half, `cells` per mm. Speeds towards the left, m/s."""
    outside, inside = Fluid(1.4), Fluid(1.648)
    still, light = state(outside, 1.225, 101325), state(inside, 0.18188 * 1.225, 101325)
    h = 1e-3 / cells
    x, y = centres(round(0.267 / h), h), centres(round(0.0445 / h), h)
    c = sound(still)
    jump = 101325 * 2.8 / 2.4 * (1.22**2 - 1)
    behind, speed = behind_shock(still, outside, jump)
    assert abs(speed / (1.22 * c) - 1) < 1e-12
    behind[u_] *= -1
    w = mixed(ball(x, y, h, 0.147, 0.025, 2 / np.sqrt(3)), light, still)
    w = np.where((x > 0.18)[None, None, :], behind[:, None, None], w)
    scales = (1.6861, 113.5, 159.06e3, 2.5, 1.0)
    problem = Problem(w, (h, h), {"x_upper": behind, "y_lower": "mirror", "y_upper": "mirror"}, scales=spread(scales))
    contact = (0.18 - 0.172) / speed
    middle, track = 0.5 * (outside.Gamma + inside.Gamma), []

    def crossing(values, level, i):
        return x[i] + h * (level - values[i]) / (values[i + 1] - values[i])

    def passes(values, level):
        return np.flatnonzero((values[:-1] < level) != (values[1:] < level))

    times = contact + np.arange(4e-6, end + 1e-6, 2e-6)

    def look(t, q):
        if not np.any(np.isclose(t, times, rtol=1e-12)):
            return
        v = primitive(q)
        on_axis, p = v[gamma_, 0], v[p_, 0]
        interface, front = passes(on_axis, middle), passes(p, 1.02 * 101325)
        edge = max(crossing(row, middle, passes(row, middle)[-1]) for row in v[gamma_] if len(passes(row, middle)))
        track.append(((t - contact) * 1e6, crossing(on_axis, middle, interface[-1]), crossing(on_axis, middle, interface[0]), edge,
                      crossing(p, 1.02 * 101325, front[0])))

    march(problem, times[-1], look, times)
    t, upstream, downstream, edge, front = np.array(track).T
    windows = {"refracted shock, 24-44 us": (front, 24, 44), "upstream interface, 4-44 us": (upstream, 4, 44),
               "transmitted shock, 64-164 us": (front, 64, 164), "downstream interface, 64-104 us": (downstream, 64, 104),
               "downstream interface, 124-164 us": (downstream, 124, 164), "downstream interface, 164-234 us": (downstream, 164, 234),
               "upstream edge of the helium, 144-234 us": (edge, 144, 234)}
    speeds = {}
    for name, (place, begin, finish) in windows.items():
        chosen = (t > begin - 0.5) & (t < finish + 0.5)
        if t[-1] > finish - 0.5:
            speeds[name] = -np.polyfit(t[chosen] * 1e-6, place[chosen], 1)[0]
    return speeds


problems = {
    **{name: (lambda n, words, name=name: tube(name, n, "z" in words), "cells") for name in tubes},
    "smooth-advection": (lambda n, words: smooth_advection(n, "z" in words), "cells"),
    "simple-wave": (lambda n, words: simple_wave(n, "z" in words), "cells"),
    "shu-osher": (lambda n, words: shu_osher(n, "z" in words), "cells"),
    "planar-shock": (lambda n, words: planar_shock(n, "z" in words), "cells"),
    "parting-water": (lambda n, words: parting(n, "water"), "cells"),
    "parting-gas": (lambda n, words: parting(n, "gas"), "cells"),
    "blast-waves": (lambda n, words: blast_waves(n, "z" in words), "cells"),
    "single-precision": (lambda n, words: single_precision(n, 0.04, 20000) if "40MPa" in words else single_precision(n), "cells"),
    "sedov": (lambda n, words: sedov(n), "cells along each side"),
    "single-bubble": (lambda n, words: single_bubble(n, "mpcf-k" in words), "cells per radius"),
    "row-of-three": (lambda n, words: row_of_three(n), "cells per radius"),
    "rayleigh": (lambda n, words: rayleigh(n, 10, "mpcf" not in words), "cells per radius"),
    "helium-cylinder": (lambda n, words: helium_cylinder(n), "cells per mm"),
}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in problems:
        sys.exit("\n".join(f"{name} N   N: {meaning}" for name, (_, meaning) in problems.items()))
    for name, value in problems[sys.argv[1]][0](int(sys.argv[2]), sys.argv[3:]).items():
        if np.ndim(value) == 0:
            print(f"{name:50s} {value:.6g}")
