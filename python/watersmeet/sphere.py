"""Fields on a cubed sphere on longitudes and latitudes: interpolation, and maps.

A run on a sphere has six panels as the blocks of its snapshots; values belong to cells, whose corners `mesh.h5` holds. Panels
are equiangular: cell i of a panel of n cells has the angle -pi/4 + (i + 1/2) pi/(2 n), and a point of a panel the direction
n + tan(alpha) ea + tan(beta) eb.

    >>> from watersmeet import sphere
    >>> snapshot = watersmeet.open("runs/williamson-5-001").fields[-1]        # doctest: +SKIP
    >>> surface = sphere.at(snapshot, "surface", [0.0, 1.0], [0.5, 0.5])      # doctest: +SKIP
"""

from __future__ import annotations

import numpy as np

# Along alpha, along beta and outwards, of panels 0 to 5.
frames = np.array([
    [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
    [[0, -1, 0], [0, 0, 1], [-1, 0, 0]],
    [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
    [[0, 1, 0], [1, 0, 0], [0, 0, -1]],
], float)


def is_sphere(snapshot) -> bool:
    """Whether a snapshot holds the cells of a cubed sphere."""
    return getattr(snapshot, "in_cells", False) and len(snapshot[next(iter(snapshot))]) == 6


def centres(n: int):
    """Longitude in [0, 2 pi) and latitude of the centres of the cells, in radians: arrays (6, n, n), [panel, j, i]."""
    t = np.tan(-np.pi / 4 + (np.arange(n) + 0.5) * np.pi / 2 / n)
    x, y = np.meshgrid(t, t)
    r = frames[:, 2, None, None] + x[..., None] * frames[:, 0, None, None] + y[..., None] * frames[:, 1, None, None]
    return np.mod(np.arctan2(r[..., 1], r[..., 0]), 2 * np.pi), np.arctan2(r[..., 2], np.hypot(r[..., 0], r[..., 1]))


def areas(n: int) -> np.ndarray:
    """Areas of the cells of a panel of the unit sphere as the program counts them, at their centres: (n, n)."""
    t = np.tan(-np.pi / 4 + (np.arange(n) + 0.5) * np.pi / 2 / n)
    x, y = np.meshgrid(t, t)
    return (1 + x**2) * (1 + y**2) / (1 + x**2 + y**2) ** 1.5 * (np.pi / 2 / n) ** 2


def values_of(snapshot, name: str) -> np.ndarray:
    """A field of all panels, of several levels the lowest, (6, n, n); of a vector its magnitude, "velocity.x" a component."""
    base, _, component = name.partition(".")
    values = np.stack([np.asarray(snapshot[base][b])[0] for b in range(6)])
    if values.ndim == 3:
        return values
    return values[..., "xyz".index(component)] if component else np.linalg.norm(values, axis=-1)


def _cubic(place, n):
    """First cell of a stencil of four, and Lagrange's weights, for a place in cells."""
    first = np.clip(np.floor(place).astype(int) - 1, 0, n - 4)
    s = place - first
    weights = (-(s - 1) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2, -s * (s - 1) * (s - 3) / 2, s * (s - 1) * (s - 2) / 6)
    return first, np.stack(weights)


def at(snapshot, name: str, lon, lat) -> np.ndarray:
    """A field at points given by longitude and latitude in radians: cubic along both axes of the panel that holds the point.

    Args:
        snapshot: a snapshot on a sphere; name: a scalar field, a vector for its magnitude, or "velocity.x".
        lon, lat: arrays that go together.
    """
    return interpolated(values_of(snapshot, name), lon, lat)


def interpolated(values: np.ndarray, lon, lat) -> np.ndarray:
    """The same for values (6, n, n)."""
    lon, lat = np.broadcast_arrays(np.asarray(lon, float), np.asarray(lat, float))
    r = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)
    local = np.einsum("pcm,...m->...pc", frames, r)
    panel = np.argmax(local[..., 2], axis=-1)
    a, b, out = np.moveaxis(np.take_along_axis(local, panel[..., None, None], axis=-2)[..., 0, :], -1, 0)
    n = values.shape[-1]
    places = [(np.arctan2(c, out) + np.pi / 4) * 2 * n / np.pi - 0.5 for c in (a, b)]
    (i, wx), (j, wy) = (_cubic(place, n) for place in places)
    result = np.zeros(lon.shape)
    for q in range(4):
        for p in range(4):
            result += wy[q] * wx[p] * values[panel, j + q, i + p]
    return result


def read_reference(path, day: float) -> np.ndarray:
    """Rows (latitude, longitude in radians, then the further columns) of one day of a table `day,lat_deg,lon_deg,...`."""
    rows = np.genfromtxt(path, delimiter=",", comments="#")
    rows = rows[rows[:, 0] == day, 1:]
    if not len(rows):
        raise ValueError(f"{path} has no day {day:g}")
    rows[:, :2] = np.radians(rows[:, :2])
    return rows


def relative_l2(values, reference, lat) -> float:
    """Relative l2 of values at points of a regular grid, with the areas of its cells as weights."""
    weight = np.cos(lat)
    return float(np.sqrt(np.sum(weight * (values - reference) ** 2) / np.sum(weight * reference**2)))


def judge_levels(checks, snapshots, table, known: dict, judged, relative: float) -> None:
    """Checks of the level (`surface`) against the table of a spectral solution (`read_reference`) on the days that are `judged`: its relative l2
    distance, as is known for the scheme; those of other days of the table and of the speed are reported.

    known: by cells along an edge of a panel the distances on the days `judged`, met within `relative`. With other cells they are at most those that
    the nearest of `known` has, times the ratio of the spacings to the power 1.5 on finer and 3 on coarser grids.
    Raises ValueError where no snapshot is of the last of these days.
    """
    n = values_of(snapshots[-1], "surface").shape[-1]
    nearest = min(known, key=lambda cells: abs(np.log(cells / n)))
    days = np.genfromtxt(table, delimiter=",", comments="#")[:, 0]
    for day in np.unique(days[np.isfinite(days)]):
        near = [s for s in (snapshots[m] for m in range(len(snapshots))) if abs(s.time - day * 86400) < 1]
        if not near and day == judged[-1]:
            raise ValueError(f"no snapshot of day {day:g}, which is judged: output.every is too long, or time.end too early")
        if not near:
            continue
        rows = read_reference(table, day)
        lat, lon = rows[:, 0], rows[:, 1]
        distance = relative_l2(at(near[0], "surface", lon, lat), rows[:, 2], lat)
        name = f"relative l2 of the level on day {day:g}"
        if day not in judged:
            checks.note(name, distance)
        elif n in known:
            checks.near(name, distance, known[n][judged.index(day)], relative=relative)
        else:
            ratio = nearest / n
            checks.below(name, distance, known[nearest][judged.index(day)] * ratio ** (1.5 if ratio < 1 else 3))
        speed = np.hypot(*(at(near[0], f"velocity_{way}", lon, lat) for way in ("east", "north")))
        checks.note(f"relative l2 of the speed on day {day:g}", relative_l2(speed, np.hypot(rows[:, 3], rows[:, 4]), lat))
