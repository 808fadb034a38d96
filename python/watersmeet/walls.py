"""Values on the sides of a box and on the walls of curvilinear blocks, such as the pressure at a wall."""

from __future__ import annotations

import numpy as np

from .places import values
from .slices import read_part

sides = tuple(f"{axis}_{end}" for axis in "xyz" for end in ("lower", "upper"))


def on_side(snapshot, name: str, side: str, *, points: int = 3) -> np.ndarray:
    """A field on a side of a box: the polynomial through the cells next to the side, at the side.

    Args:
        snapshot: of a system whose values are those of cells; cells may be uneven, or follow the terrain (then "z_lower" is the ground).
        name: scalar field, vector for its magnitude, or "velocity.x".
        side: "x_lower" ... "z_upper".
        points: cells that the polynomial goes through, 1 (the cell itself) to 4; 3 is of third order in smooth fields. Where a field has a jump at the side take 1.

    Returns:
        Array over the side, the axis across it left out: (ny, nx) for "z_lower".

    Raises:
        KeyError, ValueError: no such field or side, fewer cells than points, a snapshot on blocks, which has patches (`on_patch`).

    >>> import watersmeet
    >>> from watersmeet.walls import on_side
    >>> on_side(watersmeet.open("runs/forced-turbulence-001").fields[-1], "rho", "z_lower").shape
    (12, 16)
    """
    if hasattr(snapshot, "mesh"):
        raise ValueError(f"{snapshot.path.name} is on curvilinear blocks: use on_patch with the name of a boundary")
    if side not in sides:
        raise ValueError(f"side {side!r}: one of {', '.join(sides)}")
    if not 1 <= points <= 4:
        raise ValueError(f"points={points}: from 1 to 4")
    axis, upper = "xyz".index(side[0]), side.endswith("upper")
    count = len(getattr(snapshot, side[0]))
    if count < points:
        raise ValueError(f"{snapshot.path.name} has {count} cells along {side[0]}; points must not be more")
    along = 2 - axis
    chosen = slice(count - points, count) if upper else slice(0, points)
    key = [slice(None)] * 3
    key[along] = chosen
    found = np.moveaxis(np.asarray(read_part(snapshot, name, tuple(key))[0], float), along, 0)
    places, end = _places(snapshot, axis, chosen, upper)
    places = places.reshape(points, *(1,) * 2) if places.ndim == 1 else places
    result = np.zeros(found.shape[1:])
    for i in range(points):  # Lagrange's polynomial
        weight = 1.0
        for j in range(points):
            if j != i:
                weight = weight * (end - places[j]) / (places[i] - places[j])
        result += weight * found[i]
    return result


def _places(snapshot, axis: int, chosen, upper: bool) -> tuple:
    """Centres of the chosen cells along an axis, (points,) or (points, ...), and the side."""
    name = "xyz"[axis]
    if axis == 2 and snapshot.corners is not None:
        from .levels import heights

        middle, faces = heights(snapshot)
        return middle[chosen], faces[-1 if upper else 0]
    along = np.asarray(getattr(snapshot, name), float)
    faces = snapshot.faces.get(name)
    if faces is None:
        half = 0.5 * (along[1] - along[0]) if len(along) > 1 else 0.5
        return along[chosen], along[-1] + half if upper else along[0] - half
    return along[chosen], faces[-1 if upper else 0]


def on_patch(snapshot, name: str, patch: str) -> tuple:
    """A field at the nodes of a boundary of curvilinear blocks, which lie on it.

    Args:
        snapshot: of a run on curvilinear blocks with values at nodes.
        name: scalar field, vector for its magnitude, or "velocity.x"; patch: name of the boundary, such as "airfoil".

    Returns:
        Places (nodes, 3) and values (nodes,). A node that blocks share is there for each of them. With walls whose condition is a penalty the pressure differs from that
        of the Riemann problem, which `Run.surface` has as cp, by the error of the scheme.

    Raises:
        KeyError, ValueError: no such field or boundary; values of cells.
    """
    if not hasattr(snapshot, "mesh") or snapshot.in_cells:
        raise ValueError(f"{snapshot.path.name} has no boundaries with nodes; on a box use on_side")
    pieces = [p for p in snapshot.mesh.patches if p.name == patch]
    if not pieces:
        raise ValueError(f"no boundary {patch!r} in {snapshot.mesh.path.name}; there are: {', '.join(sorted({p.name for p in snapshot.mesh.patches}))}")
    places = [snapshot.mesh.xyz(p.block)[p.key].reshape(-1, 3) for p in pieces]
    found = [values(snapshot, name, p.block)[0][p.key].ravel() for p in pieces]
    return np.concatenate(places), np.concatenate(found)
