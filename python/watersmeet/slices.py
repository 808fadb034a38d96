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


def parse_slice(snapshot, text: str) -> tuple:
    """("z=0.5") -> (axis number, index of the nearest plane); "z=mid" is the plane with index n/2.

    Raises:
        ValueError: the text is no slice, or the plane lies outside the box.
    """
    name, separator, value = (part.strip() for part in text.partition("="))
    if name not in ("x", "y", "z") or not separator:
        raise ValueError(f"slice {text!r}: write x=..., y=... or z=... with a coordinate or mid")
    coordinates = getattr(snapshot, name)
    if value == "mid":
        return "xyz".index(name), len(coordinates) // 2
    try:
        at = float(value)
    except ValueError:
        raise ValueError(f"slice {text!r}: {value!r} is not a number") from None
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


def read_part(snapshot, name: str, key: tuple):
    """The part `key` (z, y, x) of a field, or of one made from it: speed, lnrho, rho, NAME.x. Returns values, unit."""
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
