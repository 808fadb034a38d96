"""Shallow water on the equiangular cubed sphere by finite volumes, in numpy: expected errors of Williamson's tests 1, 2, 5, 6 and of the steady jet.

Surface, velocity and bed at the edges of cells by the kappa = 1/3 scheme, hydrostatic reconstruction, Osher's solver for water slower than its waves,
ghosts across the edges of panels by cubic interpolation of Cartesian components, SSP-RK3 with the Courant number 1.2. The scheme is that of the
program's default, written again from its formulas without any of its code: a value that both have is the scheme's, not that of a mistake in one of
them. `carried = "discharge"` reconstructs discharges in place of velocities.

    python3 validation/reference/water_sphere.py STATE CELLS [--days D] [--tilt T] [--kappa K] [--cfl C] [--carried discharge]

with STATE williamson-1, williamson-2 or jet and T in units of pi prints l1, l2, linf of the depth, l2 of the velocity (all relative), and the drifts of
volume and energy, on each day. Test 2 takes 1 s with 16 cells, 7 s with 32, a minute with 64. With williamson-5 and williamson-6 it prints the relative l2
distances of level and speed from validation/data/williamson{5,6}-spectral.csv on each day of that table.

The rows `sphere, steady flow`, `sphere, advected bell` and `sphere, spectral solutions` of `watersmeet verify shallow_water` that are judged to 1 or 2 %,
and the numbers of examples/williamson-1, -2, -5 and -6, are of this script. The rows judged more widely (128 cells, kappa = 1/2 with 64) are of a former program with discharges
reconstructed and have not been made again here; `--carried discharge` has that program's numbers with 16 and 32 cells.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python"))  # a checkout works without installation

from watersmeet.sphere import interpolated, read_reference, relative_l2

radius, rate, gravity, day = 6.37122e6, 7.292e-5, 9.80616, 86400.0
# Along alpha, along beta, outwards.
triads = np.array([[[0, 1, 0], [0, 0, 1], [1, 0, 0]], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]], [[0, -1, 0], [0, 0, 1], [-1, 0, 0]],
                   [[1, 0, 0], [0, 0, 1], [0, -1, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [[0, 1, 0], [1, 0, 0], [0, 0, -1]]], float)  # fmt: skip


class Metric:
    """Unit sphere at angles alpha, beta (arrays of one shape S): metric of shape S, positions and base vectors [component, panel, ...S]."""

    def __init__(self, alpha, beta):
        x, y = np.tan(alpha), np.tan(beta)
        d2 = 1 + x**2 + y**2
        self.area = (1 + x**2) * (1 + y**2) / d2**1.5
        self.g11, self.g22 = d2 / (1 + x**2), d2 / (1 + y**2)
        self.g12 = d2 * x * y / ((1 + x**2) * (1 + y**2))
        ones = np.ones_like(x)
        out = np.einsum("pcm,c...->mp...", triads, np.stack([x, y, ones]))
        along = np.moveaxis(triads, 2, 0)[(...,) + (None,) * x.ndim]
        d = np.sqrt(d2)
        self.r = out / d
        self.e1 = (1 + x**2) * (along[:, :, 0] / d - x * out / d**3)
        self.e2 = (1 + y**2) * (along[:, :, 1] / d - y * out / d**3)
        self.x, self.y, self.d2 = x, y, d2

    def components(self, vector):
        """Contravariant components of a tangential vector [component, panel, ...]."""
        a, b = (vector * self.e1).sum(0), (vector * self.e2).sum(0)
        return self.g11 * a + self.g12 * b, self.g12 * a + self.g22 * b

    def vector(self, u, v):
        return u * self.e1 + v * self.e2


def lon_lat(r):
    return np.arctan2(r[1], r[0]), np.arcsin(np.clip(r[2], -1, 1))


def side(field, s):
    """The line of values along side s (alpha lower, alpha upper, beta lower, beta upper) of [..., j, i]."""
    return (field[..., :, 0], field[..., :, -1], field[..., 0, :], field[..., -1, :])[s]


class Sphere:
    """Fields are [panel, j, i], angles per second. The bed is flat unless `bed` is set."""

    def __init__(self, n, advection=False, tilt=0.0, kappa=1 / 3, carried="velocity"):
        self.n, self.advection, self.kappa, self.carried = n, advection, kappa, carried
        self.spacing = np.pi / 2 / n
        angle = -np.pi / 4 + (np.arange(-1, n + 1) + 0.5) * self.spacing
        corner = -np.pi / 4 + np.arange(n + 1) * self.spacing
        beta, alpha = np.meshgrid(angle, angle, indexing="ij")
        self.padded = Metric(alpha, beta)
        beta, alpha = np.meshgrid(angle[1:-1], angle[1:-1], indexing="ij")
        self.centre = Metric(alpha, beta)
        beta, alpha = np.meshgrid(angle[1:-1], corner, indexing="ij")
        self.faces = [Metric(alpha, beta)]
        beta, alpha = np.meshgrid(corner, angle[1:-1], indexing="ij")
        self.faces.append(Metric(alpha, beta))
        self.axis = np.array([-np.sin(tilt), 0, np.cos(tilt)])
        self.coriolis = 2 * rate * np.tensordot(self.axis, self.centre.r, 1)
        self.wind = [m.components(self.turning(m.r))[a] for a, m in enumerate(self.faces)]
        self.bed = np.zeros_like(self.coriolis)
        self._ghosts()
        self._partners()

    def turning(self, r):
        """Solid rotation, once in 12 days."""
        return 2 * np.pi / (12 * day) * np.cross(self.axis, r, axisa=0, axisb=0, axisc=0)

    def _ghosts(self):
        n, r = self.n, self.padded.r
        outside = np.ones((n + 2, n + 2), bool)
        outside[1:-1, :] = False
        outside[:, 0] = outside[:, -1] = True
        outside[0, :] = outside[-1, :] = True
        outside[[0, 0, -1, -1], [0, -1, 0, -1]] = False  # corners are not used
        self.where = np.broadcast_to(outside, (6, n + 2, n + 2))
        points = r[:, self.where]
        local = np.einsum("pcm,ms->psc", triads, points)
        panel = np.argmax(local[..., 2], axis=0)
        a, b, out = local[panel, np.arange(len(panel))].T
        index, weight = [], []
        for c in (b, a):
            place = (np.arctan2(c, out) + np.pi / 4) / self.spacing - 0.5
            first = np.clip(np.floor(place + 1e-9).astype(int) - 1, 0, n - 4)
            s = place - first
            index.append(first[:, None] + np.arange(4))
            weight.append(np.stack([-(s - 1) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2, -s * (s - 1) * (s - 3) / 2, s * (s - 1) * (s - 2) / 6], 1))
        self.stencil = (panel[:, None, None], index[0][:, :, None], index[1][:, None, :])
        self.weights = weight[0][:, :, None] * weight[1][:, None, :]

    def _partners(self):
        """Of side s of panel p the panel, the side and the order of the places that lie on the other side."""
        places = {(p, s): side(self.faces[s // 2].r[:, p], s) for p in range(6) for s in range(4)}
        self.partner = {}
        for key, r in places.items():
            for other, q in places.items():
                for order in (1, -1):
                    if other != key and np.abs(r - q[:, ::order]).max() < 1e-9:
                        self.partner[key] = (*other, order)
        assert len(self.partner) == 24

    def pad(self, field):
        """Scalars [panel, j, i] or vectors [component, panel, j, i] with their ghosts."""
        shape = field.shape[:-2] + (self.n + 2, self.n + 2)
        padded = np.zeros(shape)
        padded[..., 1:-1, 1:-1] = field
        values = field[(..., *self.stencil)] * self.weights
        padded[..., self.where] = values.sum((-1, -2))
        return padded

    def faces_of(self, padded, axis):
        """States on both sides of the faces across an axis, and both edges of each cell, of scalars and Cartesian vectors alike."""
        here, m = padded[..., 1:-1, 1:-1], slice(1, -1)
        lower, upper = (padded[..., m, :-2], padded[..., m, 2:]) if axis == 0 else (padded[..., :-2, m], padded[..., 2:, m])
        a, b, c = 1 - self.kappa / 2, (1 + self.kappa) / 4, (1 - self.kappa) / 4
        return a * here + b * lower - c * upper, a * here + b * upper - c * lower

    def across(self, lower, upper, axis, outside):
        """Left and right values of the n + 1 faces; `outside`(p, s) gives those beyond the sides of a panel."""
        def stacked(parts):
            return np.concatenate(parts, axis=-1 if axis == 0 else -2)

        def line(s):
            rows = np.stack([outside(p, s) for p in range(6)])
            return rows[..., None] if axis == 0 else rows[..., None, :]

        return stacked([line(2 * axis), upper]), stacked([lower, line(2 * axis + 1)])

    def rates(self, h, hu, hv):
        G, D, c = gravity / radius**2, self.spacing, self.centre
        u, v = (hu / h, hv / h) if self.carried == "velocity" else (hu, hv)
        surface, ground = self.pad(h + self.bed), self.pad(self.bed)
        pu, pv = self.padded.components(self.pad(c.vector(u, v)))
        edge_eta, edge_bed, edge_u, edge_v = ([self.faces_of(q, a) for a in (0, 1)] for q in (surface, ground, pu, pv))
        edge_h = [tuple(e - b for e, b in zip(*both)) for both in zip(edge_eta, edge_bed)]
        if self.carried != "velocity":
            for q in (edge_u, edge_v):
                for a in (0, 1):
                    q[a] = tuple(e / d for e, d in zip(q[a], edge_h[a]))

        def at_side(edges, p, s):
            return side(edges[s // 2][s % 2][p], s)

        rims = {}
        for p in range(6):
            for s in range(4):
                m = self.faces[s // 2]
                vector = at_side(edge_u, p, s) * side(m.e1[:, p], s) + at_side(edge_v, p, s) * side(m.e2[:, p], s)
                rims[p, s] = at_side(edge_eta, p, s), at_side(edge_bed, p, s), vector

        def outside(what):
            def value(p, s):
                q, t, order = self.partner[p, s]
                *scalars, vector = rims[q, t]
                if what in ("surface", "bed"):
                    return scalars[what == "bed"][::order]
                m, vector = self.faces[s // 2], vector[:, ::order]
                a, b = (vector * side(m.e1[:, p], s)).sum(0), (vector * side(m.e2[:, p], s)).sum(0)
                metric = (side(m.g11, s), side(m.g12, s)) if what == 1 else (side(m.g12, s), side(m.g22, s))
                return metric[0] * a + metric[1] * b
            return value

        out = [np.zeros_like(h) for _ in range(3)]
        for axis, m in enumerate(self.faces):
            (el, er), (bl, br) = (self.across(*q[axis], axis, outside(name)) for q, name in ((edge_eta, "surface"), (edge_bed, "bed")))
            hl, hr = (e - np.maximum(bl, br) for e in (el, er))  # above the higher bed
            g_nn = m.g11 if axis == 0 else m.g22
            n, t = (1, 2) if axis == 0 else (2, 1)
            edges = {1: edge_u, 2: edge_v}
            ul, ur = self.across(*edges[n][axis], axis, outside(n))
            vl, vr = self.across(*edges[t][axis], axis, outside(t))
            first, last = (np.s_[..., :-1], np.s_[..., 1:]) if axis == 0 else (np.s_[..., :-1, :], np.s_[..., 1:, :])
            if self.advection:
                mass = m.area * self.wind[axis] * np.where(self.wind[axis] > 0, hl, hr)
                out[0] -= (mass[last] - mass[first]) / (c.area * D)
                continue
            cl, cr = np.sqrt(G * g_nn * hl), np.sqrt(G * g_nn * hr)
            star = ((ul - ur) / 4 + (cl + cr) / 2) ** 2 / (G * g_nn)
            normal = (ul + ur) / 2 + cl - cr
            r = m.g12 / g_nn
            beside = np.where(normal >= 0, vl + r * (normal - ul), vr + r * (normal - ur))
            mass, pressure = star * normal, G * star**2 / 2
            out[0] -= (m.area[last] * mass[last] - m.area[first] * mass[first]) / (c.area * D)
            for q, carried, metric in ((n, normal, g_nn), (t, beside, m.g12)):
                top = mass[last] * carried[last] + metric[last] * (pressure[last] - G * hl[last] ** 2 / 2)
                bottom = mass[first] * carried[first] + metric[first] * (pressure[first] - G * hr[first] ** 2 / 2)
                out[q] -= (m.area[last] * top - m.area[first] * bottom) / (c.area * D)
            force = G * 0.5 * sum(edge_h[axis]) * (edge_eta[axis][1] - edge_eta[axis][0]) / D
            out[n] -= (c.g11 if axis == 0 else c.g22) * force
            out[t] -= c.g12 * force
        if self.advection:
            return out
        u, v, x, y = hu / h, hv / h, c.x, c.y
        out[1] -= 2 * x * y**2 / c.d2 * hu * u - 2 * y * (1 + y**2) / c.d2 * hu * v + self.coriolis * c.area * (c.g12 * hu - c.g11 * hv)
        out[2] -= 2 * x**2 * y / c.d2 * hv * v - 2 * x * (1 + x**2) / c.d2 * hu * v + self.coriolis * c.area * (c.g22 * hu - c.g12 * hv)
        return out

    def step(self, q, dt):
        def euler(q):
            new = [a + dt * b for a, b in zip(q, self.rates(*q))]
            if self.advection:
                new[1:] = [new[0] * w for w in self.centre.components(self.turning(self.centre.r))]
            return new

        one = euler(q)
        two = [0.75 * a + 0.25 * b for a, b in zip(q, euler(one))]
        return [(a + 2 * b) / 3 for a, b in zip(q, euler(two))]

    def longest_step(self, h, hu, hv, cfl=1.2):
        c, G = self.centre, 0.0 if self.advection else gravity / radius**2
        signal = np.abs(hu / h) + np.sqrt(G * c.g11 * h) + np.abs(hv / h) + np.sqrt(G * c.g22 * h)
        return cfl * self.spacing / signal.max()


def quadrature_of_jet(lat, u_of, points=20001):
    """Depth in balance with a zonal flow u_of(lat), of mean 10 km."""
    p = np.linspace(-np.pi / 2, np.pi / 2, points)
    u = u_of(p)
    slope = -u * (2 * rate * radius * np.sin(p) + np.where(u > 0, u * np.tan(np.clip(p, -1.5, 1.5)), 0)) / gravity
    rise = np.concatenate([[0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * (p[1] - p[0]))])
    return np.interp(lat, p, rise + 10000 - 0.5 * np.sum(rise * np.cos(p)) * (p[1] - p[0]))


def jet(lat):
    south, north = np.pi / 7, np.pi / 2 - np.pi / 7
    inside = (lat > south) & (lat < north)
    safe = np.where(inside, lat, 0.5 * (south + north))
    return np.where(inside, 80 * np.exp(4 / (north - south) ** 2 + 1 / ((safe - south) * (safe - north))), 0.0)


def exact(sphere, name, t):
    """Depth and Cartesian velocity (angles per second) at the time t."""
    r = sphere.centre.r
    if name == "jet":
        lon, lat = lon_lat(r)
        east = np.stack([-np.sin(lon), np.cos(lon), np.zeros_like(lon)])
        return quadrature_of_jet(lat, jet), jet(lat) / radius * east
    wind = sphere.turning(r)
    if name == "williamson-2":
        u0 = 2 * np.pi * radius / (12 * day)
        sine = np.tensordot(sphere.axis, r, 1)
        return (2.94e4 - (radius * rate * u0 + u0**2 / 2) * sine**2) / gravity, wind
    angle, start = 2 * np.pi * t / (12 * day), np.array([0.0, -1, 0])
    centre = np.cos(angle) * start + np.sin(angle) * np.cross(sphere.axis, start)
    distance = np.arccos(np.clip(np.tensordot(centre, r, 1), -1, 1))
    return 1000 + np.where(distance < 1 / 3, 500 * (1 + np.cos(3 * np.pi * distance)), 0.0), wind


def initial(name, lon, lat):
    """Bed, surface and speeds to the east and north of tests 5 and 6 (Williamson et al. 1992, sections 3.5 and 3.6)."""
    cos, sin = np.cos(lat), np.sin(lat)
    if name == "williamson-5":
        u0, size = 20.0, np.pi / 9
        off = np.minimum(size, np.hypot(np.mod(lon, 2 * np.pi) - 1.5 * np.pi, lat - np.pi / 6))
        return 2000 * (1 - off / size), 5960 - (radius * rate * u0 + u0**2 / 2) * sin**2 / gravity, u0 * cos, 0 * lat
    w = 7.848e-6  # both omega and K of the paper; R = 4
    a = w / 2 * (2 * rate + w) * cos**2 + w**2 / 4 * cos**4 * (5 * cos**4 + 26 * cos**2 - 32) * cos**2
    b = 2 * (rate + w) * w / 30 * cos**4 * (26 - 25 * cos**2)
    c = w**2 / 4 * cos**8 * (5 * cos**2 - 6)
    surface = 8000 + radius**2 / gravity * (a + b * np.cos(4 * lon) + c * np.cos(8 * lon))
    east = radius * w * (cos + cos**3 * (4 * sin**2 - cos**2) * np.cos(4 * lon))
    return 0 * lat, surface, east, -4 * radius * w * cos**3 * sin * np.sin(4 * lon)


def distances(name, n, days, kappa=1 / 3, cfl=1.2):
    """Of tests 5 and 6 on given days of the table: relative l2 of level and speed from the spectral solution."""
    sphere = Sphere(n, kappa=kappa)
    lon, lat = lon_lat(sphere.centre.r)
    bed, surface, east, north = initial(name, lon, lat)
    up = [np.stack([-np.sin(lon), np.cos(lon), 0 * lon]), np.stack([-np.sin(lat) * np.cos(lon), -np.sin(lat) * np.sin(lon), np.cos(lat)])]
    sphere.bed, h = bed, surface - bed
    u, v = sphere.centre.components((east * up[0] + north * up[1]) / radius)
    q, t = [h, h * u, h * v], 0.0
    for on_day in days:
        while t < on_day * day - 1e-6:
            dt = min(sphere.longest_step(*q, cfl), on_day * day - t)
            q, t = sphere.step(q, dt), t + dt
        rows = read_reference(root / f"validation/data/williamson{name[-1]}-spectral.csv", on_day)
        wind = radius * sphere.centre.vector(q[1] / q[0], q[2] / q[0])
        speed = np.hypot(*(interpolated((wind * way).sum(0), rows[:, 1], rows[:, 0]) for way in up))
        level = interpolated(q[0] + bed, rows[:, 1], rows[:, 0])
        yield on_day, (relative_l2(level, rows[:, 2], rows[:, 0]), relative_l2(speed, np.hypot(rows[:, 3], rows[:, 4]), rows[:, 0]))


def errors(sphere, name, q, t, begun):
    h, area = q[0], sphere.centre.area
    truth, wind = exact(sphere, name, t)
    base = 1000.0 if name == "williamson-1" else 0.0
    off, size = h - truth, truth - base
    velocity = sphere.centre.vector(q[1] / h, q[2] / h)
    energy = np.sum(area * h * ((velocity**2).sum(0) * radius**2 + gravity * h) / 2)
    return {"l1": np.sum(area * abs(off)) / np.sum(area * abs(size)), "l2": np.sqrt(np.sum(area * off**2) / np.sum(area * size**2)),
            "linf": abs(off).max() / abs(size).max(), "velocity": np.sqrt(np.sum(area * (velocity - wind) ** 2) / np.sum(area * wind**2)),
            "volume": np.sum(area * h) / begun[0] - 1, "energy": energy / begun[1] - 1}  # fmt: skip


def run(name, n, days, tilt=0.0, kappa=1 / 3, cfl=1.2, carried="velocity"):
    """Days and their errors; `tilt` in units of pi."""
    sphere = Sphere(n, name == "williamson-1", tilt * np.pi, kappa, carried)
    h, wind = exact(sphere, name, 0.0)
    u, v = sphere.centre.components(wind)
    q, t = [h, h * u, h * v], 0.0
    area = sphere.centre.area
    begun = np.sum(area * h), np.sum(area * h * ((wind**2).sum(0) * radius**2 + gravity * h) / 2)
    for end in np.arange(1, days + 1) * day:
        while t < end - 1e-6:
            dt = min(sphere.longest_step(*q, cfl), end - t)
            q, t = sphere.step(q, dt), t + dt
        yield end / day, errors(sphere, name, q, t, begun)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("state", choices=["williamson-1", "williamson-2", "williamson-5", "williamson-6", "jet"])
    words.add_argument("cells", type=int)
    words.add_argument("--days", type=int)
    words.add_argument("--tilt", type=float, default=0.0)
    words.add_argument("--kappa", type=float, default=1 / 3)
    words.add_argument("--cfl", type=float, default=1.2)
    words.add_argument("--carried", choices=["velocity", "discharge"], default="velocity")
    given = words.parse_args()
    if given.state in ("williamson-5", "williamson-6"):
        for on_day, (level, speed) in distances(given.state, given.cells, (5, 10, 15) if given.state == "williamson-5" else (7, 14), given.kappa, given.cfl):
            print(f"day {on_day:g}: level {level:.4g}, speed {speed:.4g}", flush=True)
        return
    days = given.days or (12 if given.state == "williamson-1" else 5)
    for on_day, found in run(given.state, given.cells, days, given.tilt, given.kappa, given.cfl, given.carried):
        print(f"day {on_day:g}: " + ", ".join(f"{key} {value:.4g}" for key, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
