"""Planes and lines of a snapshot: which plane a text means, and reading it, also of fields made from what is stored."""

from __future__ import annotations

import numpy as np


def thick_axes(snapshot) -> list:
    """The axes (0 = x) along which the run is resolved; a few points beside many are a thin direction."""
    n = [len(snapshot.x), len(snapshot.y), len(snapshot.z)]
    return [axis for axis in range(3) if not (n[axis] <= 8 and 4 * n[axis] <= max(n))]


def usual_slice(snapshot) -> str:
    """The slice where none is asked for: across the axis of one cell of a plane run, else z=mid."""
    thin = [name for name in "zyx" if len(getattr(snapshot, name)) == 1]
    return f"{thin[0] if thin else 'z'}=mid"


class Height(float):
    """A height over terrain in the place of the index of a plane: values there are interpolated in every column."""


def parse_slice(snapshot, text: str) -> tuple:
    """("z=0.5") -> (axis number, index of the nearest plane); "z=mid" is the plane with index n/2. Over terrain the planes across z
    are levels, which follow the ground: "level=3" and "z=mid" are such planes, and "z=1500" is (2, Height(1500)).

    Raises:
        ValueError: the text is no slice, or the plane lies outside the box.
    """
    name, separator, value = (part.strip() for part in text.partition("="))
    terrain = snapshot.corners is not None
    if name not in (("x", "y", "z", "level") if terrain else ("x", "y", "z")) or not separator:
        words = "x=..., y=... or z=... with a coordinate or mid"
        raise ValueError(f"slice {text!r}: write {words}{', or level=... with its number' if terrain else ''}")
    if name == "level":
        last = len(snapshot.z) - 1
        if not value.isdigit() or int(value) > last:
            raise ValueError(f"slice {text!r}: levels are 0 to {last}")
        return 2, int(value)
    coordinates = getattr(snapshot, name)
    if value == "mid":
        return "xyz".index(name), len(coordinates) // 2
    try:
        at = float(value)
    except ValueError:
        raise ValueError(f"slice {text!r}: {value!r} is not a number") from None
    if terrain and name == "z":
        low, high = snapshot.corners[0, :, :, 2].min(), snapshot.corners[-1, :, :, 2].max()
        if not low <= at <= high:
            raise ValueError(f"slice {text!r} lies outside the box: heights are {low:.6g} to {high:.6g}")
        return 2, Height(at)
    if len(coordinates) > 1:
        # Centres or points of a periodic system: the box begins half a cell below the first, and ends at most a cell
        # beyond the last.
        faces = snapshot.faces.get(name)
        low = coordinates[0] - 0.5 * (coordinates[1] - coordinates[0]) if faces is None else faces[0]
        high = 2 * coordinates[-1] - coordinates[-2] if faces is None else faces[-1]
        margin = 1e-9 * (high - low)
        if not low - margin <= at <= high + margin:
            raise ValueError(f"slice {text!r} lies outside the box: cells along {name} have their middle between "
                             f"{coordinates[0]:.6g} and {coordinates[-1]:.6g}")
    return "xyz".index(name), int(np.argmin(np.abs(coordinates - at)))


def at_height(snapshot, values, key: tuple, height: float):
    """Values (nz, ...) of the columns of `key` (y, x) at one height over terrain: on straight lines between the middles of cells, that of
    the lowest cell below its middle and of the highest above; not a number below the ground and above the top."""
    z = snapshot.corners[..., 2]
    z = sum(z[:, j : z.shape[1] - 1 + j, i : z.shape[2] - 1 + i] for j in (0, 1) for i in (0, 1)) / 4
    columns = z[(slice(None), *key)]
    shape = columns.shape[1:]
    columns, values = columns.reshape(len(columns), -1), values.reshape(len(values), -1)
    middles = 0.5 * (columns[:-1] + columns[1:])
    found = np.array([np.interp(height, middles[:, c], values[:, c]) for c in range(values.shape[1])])
    return np.where((columns[0] <= height) & (height <= columns[-1]), found, np.nan).reshape(shape)


def read_part(snapshot, name: str, key: tuple):
    """The part `key` (z, y, x) of a field, or of one made from it: speed, lnrho, rho, NAME.x. Returns values, unit. The first of `key` may be
    a Height."""
    if isinstance(key[0], Height):
        values, unit = read_part(snapshot, name, (slice(None), *key[1:]))
        return at_height(snapshot, values, key[1:], key[0]), unit
    base, _, component = name.partition(".")
    if base not in snapshot and not component:
        if name == "speed" and "velocity" in snapshot:
            base = "velocity"
        elif name == "lnrho" and "rho" in snapshot:
            return np.log(snapshot["rho"][key]), "1"
        elif name == "rho" and "lnrho" in snapshot:
            return np.exp(snapshot["lnrho"][key]), "1"
    field = snapshot[base]
    unit = str(field.attrs.get("units", "1"))
    if field.ndim == 3:
        if component:
            raise ValueError(f"{base} is a scalar: it has no component {component!r}")
        return field[key], unit
    if component:
        if component not in ("x", "y", "z"):
            raise ValueError(f"{base} has the components x, y and z, not {component!r}")
        return field[(*key, "xyz".index(component))], unit
    return np.sqrt(np.sum(np.square(field[key]), axis=-1)), unit
