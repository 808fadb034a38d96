"""Fields of an atmosphere at heights and on pressure levels: interpolated in every column of a snapshot, of a box, over terrain, on a sphere.

    >>> from watersmeet import levels                                                             # doctest: +SKIP
    >>> last = watersmeet.open("runs/baroclinic-wave-001").fields[-1]                             # doctest: +SKIP
    >>> levels.at_heights(last, "temperature", [10, 100], above="ground")                         # doctest: +SKIP
    >>> levels.at_pressures(last, "velocity.z", [85000, 50000])                                   # doctest: +SKIP
"""

from __future__ import annotations

import numpy as np

from .places import blocks_of, values
from .sphere import centres, is_sphere


def heights(snapshot) -> tuple:
    """Heights of the centres of the cells and of their faces from the ground on, in units of length.

    Returns:
        Two arrays, (levels, y, x) and (levels + 1, y, x); on a sphere (levels, panel, y, x) and (levels + 1, panel, y, x), and heights are those above the ground
        of the sphere without mountains.

    Raises:
        ValueError: blocks that are no sphere with levels.
    """
    if hasattr(snapshot, "mesh"):
        if not is_sphere(snapshot):
            raise ValueError(f"{snapshot.path.name} is on curvilinear blocks, which have no columns")
        radii = [np.linalg.norm(snapshot.mesh.xyz(panel), axis=-1) for panel in range(6)]
        radius = _radius(snapshot)
        faces = np.stack([_in_plane(corner) for corner in radii], axis=1) - radius
    elif snapshot.corners is not None:
        faces = _in_plane(np.asarray(snapshot.corners)[..., 2])
    else:
        shape = (len(snapshot.y), len(snapshot.x))
        z = snapshot.faces.get("z")
        if z is None:
            step = snapshot.z[1] - snapshot.z[0] if len(snapshot.z) > 1 else 1.0
            z = np.append(snapshot.z - step / 2, snapshot.z[-1] + step / 2)
        faces = np.broadcast_to(z[:, None, None], (len(z), *shape))
    return 0.5 * (faces[:-1] + faces[1:]), faces


def _in_plane(corners: np.ndarray) -> np.ndarray:
    """Means of the four corners of faces: (levels + 1, j + 1, i + 1) -> (levels + 1, j, i)."""
    flat = 0.5 * (corners[:, :-1] + corners[:, 1:])
    return 0.5 * (flat[:, :, :-1] + flat[:, :, 1:])


def _radius(snapshot) -> float:
    from .results import Run

    radius = Run(snapshot.path.parent).setting("grid.radius")
    if not isinstance(radius, (int, float)):
        raise ValueError(f"{snapshot.path.parent}: no grid.radius in resolved.toml, from which heights on a sphere count")
    return float(radius)


def columns(snapshot, name: str) -> tuple:
    """A field as columns, (levels, y, x), on a sphere (levels, panel, y, x), and its unit. `height` is there without being stored.

    Raises:
        KeyError, ValueError: no such field or component.
    """
    if name == "height" and name not in snapshot:
        return heights(snapshot)[0], snapshot.units["z"]
    found = [values(snapshot, name, block) for block in range(blocks_of(snapshot))]
    return (found[0][0] if len(found) == 1 else np.stack([one for one, _ in found], axis=1)), found[0][1]


def interpolated(field: np.ndarray, along: np.ndarray, targets) -> np.ndarray:
    """Columns of a field at values of a coordinate that rises with the level.

    Args:
        field, along: arrays (levels, ...) at the same places.
        targets: numbers, or an array (targets, ...) where they differ from column to column.

    Returns:
        Array (targets, ...): linear between two levels, the lowest and the highest value beyond them.
    """
    targets = np.asarray(targets, float)
    targets = targets.reshape(-1, *(1,) * (along.ndim - 1)) if targets.ndim <= 1 else targets
    if len(along) == 1:
        return np.broadcast_to(field, (len(targets), *along.shape[1:])).copy()
    result = np.empty((len(targets), *along.shape[1:]))
    for n, target in enumerate(targets):
        low = np.clip(np.sum(along <= target, axis=0) - 1, 0, len(along) - 2)[None]
        a, b = (np.take_along_axis(along, low + step, 0)[0] for step in (0, 1))
        f, g = (np.take_along_axis(field, low + step, 0)[0] for step in (0, 1))
        result[n] = f + np.clip((target - a) / (b - a), 0, 1) * (g - f)
    return result


def at_heights(snapshot, name: str, targets, *, above: str = "sea") -> np.ndarray:
    """A field at heights, in every column.

    Args:
        name: scalar field, vector for its magnitude, "velocity.x"; "height" is known without being stored.
        targets: heights in units of length.
        above: "sea", z of the case (on a sphere over its radius), or "ground".

    Returns:
        Array (targets, y, x), on a sphere (targets, panel, y, x): linear in height between the centres of cells; from the ground to the lowest centre the
        value there, likewise at the top; not a number below the ground and above the top.

    Raises:
        KeyError, ValueError: no such field; another word for `above`; a grid without columns.
    """
    if above not in ("sea", "ground"):
        raise ValueError(f"above={above!r}: \"sea\" or \"ground\"")
    middle, faces = heights(snapshot)
    targets = np.atleast_1d(np.asarray(targets, float)).reshape(-1, *(1,) * (faces.ndim - 1)) + (faces[:1] if above == "ground" else 0.0)
    targets = np.broadcast_to(targets, (len(targets), *faces.shape[1:]))
    found = interpolated(columns(snapshot, name)[0], middle, targets)
    tolerance = 1e-9 * np.ptp(faces)
    return np.where((targets >= faces[0] - tolerance) & (targets <= faces[-1] + tolerance), found, np.nan)


def at_pressures(snapshot, name: str, targets, *, pressure: str = "p") -> np.ndarray:
    """A field on pressure levels, in every column.

    Args:
        name: as of `at_heights`; "height" gives the heights of the levels.
        targets: pressures, in units of the pressure; pressure: the field that holds it (put it into output.fields).

    Returns:
        Array as of `at_heights`: linear in the logarithm of the pressure between the centres of cells. "height" continues along the slope beyond the outermost
        centres, other fields keep the value there. Not a number where the pressure is that of no place between the ground and the top.

    Raises:
        KeyError, ValueError: no such field, a pressure that is not above 0 or does not fall with height, a grid without columns.
    """
    targets = np.atleast_1d(np.asarray(targets, float))
    found, unit = columns(snapshot, pressure)
    if np.any(targets <= 0) or np.any(found <= 0) or (len(found) > 1 and np.any(np.diff(found, axis=0) >= 0)):
        raise ValueError(f"{pressure} of {snapshot.path.name} and the levels must be above 0, and {pressure} must fall with height")
    middle, faces = heights(snapshot)
    along, wanted = -np.log(found), -np.log(targets)
    result = interpolated(columns(snapshot, name)[0], along, wanted)
    if len(found) > 1:
        slopes = [(along[b] - along[a]) / (middle[b] - middle[a]) for a, b in ((0, 1), (-2, -1))]
        ends = [along[i] + (faces[i] - middle[i]) * slope for i, slope in zip((0, -1), slopes)]
        wanted = wanted.reshape(-1, *(1,) * (along.ndim - 1))
        if name == "height":
            result = np.where(wanted < along[0], middle[0] + (wanted - along[0]) / slopes[0], result)
            result = np.where(wanted > along[-1], middle[-1] + (wanted - along[-1]) / slopes[1], result)
        result = np.where((wanted >= ends[0]) & (wanted <= ends[1]), result, np.nan)
    return result


def dataset(run, names, *, heights=None, above: str = "sea", pressures=None, pressure: str = "p"):
    """Fields of all snapshots at heights or on pressure levels as an xarray.Dataset, which `to_netcdf` writes.

    Args:
        run: a `Run`; names: fields, as of `at_heights`.
        heights, above, pressures, pressure: as of `at_heights` and `at_pressures`; one of `heights` and `pressures` is given.

    Returns:
        Dataset with the dimensions time, height or pressure, y, x (on a sphere time, level, face, y, x with lon and lat in degrees), in single precision.

    Raises:
        ImportError: xarray is missing. KeyError, ValueError: as of `at_heights` and `at_pressures`; no snapshot; both or none of heights and pressures.
    """
    try:
        import xarray
    except ImportError as error:
        raise ImportError("levels.dataset needs xarray: apt install python3-xarray, or pip install xarray") from error
    if (heights is None) == (pressures is None):
        raise ValueError("give heights or pressures")
    snapshots = list(run.fields)
    if not snapshots:
        raise ValueError(f"{run.path} has no snapshot (fields_*.vtkhdf) yet")
    first = snapshots[0]
    axis, targets = ("height", heights) if pressures is None else ("pressure", pressures)
    unit = first.units["z"] if pressures is None else columns(first, pressure)[1]
    round_ = hasattr(first, "mesh")
    space = ("face", "y", "x") if round_ else ("y", "x")
    coordinates = {"time": ("time", [s.time for s in snapshots], {"units": first.units["time"]}),
                   axis: (axis, np.atleast_1d(np.asarray(targets, float)), {"units": unit, "positive": "up" if pressures is None else "down",
                                                                           "long_name": f"height above {above}" if pressures is None else "pressure"})}
    if round_:
        lon, lat = centres(first.mesh.shapes[0][1] - 1)
        coordinates |= {"lon": (space, np.degrees(lon), {"units": "degrees_east"}), "lat": (space, np.degrees(lat), {"units": "degrees_north"})}
    else:
        coordinates |= {a: (a, getattr(first, a), {"units": first.units[a]}) for a in "yx"}
    variables = {}
    for name in names:
        found = [at_heights(s, name, targets, above=above) if pressures is None else at_pressures(s, name, targets, pressure=pressure) for s in snapshots]
        variables[name] = (("time", axis, *space), np.stack(found).astype(np.float32), {"units": columns(first, name)[1]})
    return xarray.Dataset(variables, coordinates, {"source": str(run.path)})
