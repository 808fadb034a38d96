"""The values of a snapshot and their positions in space, block by block; a box is one block."""

from __future__ import annotations

import numpy as np

from .slices import read_part


def middles(corners: np.ndarray) -> np.ndarray:
    """Means of the eight corners of cells: (nk + 1, nj + 1, ni + 1, ...) -> (nk, nj, ni, ...). Of four corners where an axis has one layer
    of them, so that cells are quadrangles."""
    for axis in (a for a in range(3) if corners.shape[a] > 1):
        low, high = [slice(None)] * 3, [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        corners = 0.5 * (corners[tuple(low)] + corners[tuple(high)])
    return corners


def blocks_of(snapshot) -> int:
    """The number of blocks of a snapshot."""
    return len(snapshot.mesh) if hasattr(snapshot, "mesh") else 1


def coordinates(snapshot, block: int = 0) -> np.ndarray:
    """Positions of the values of a block, (nk, nj, ni, 3), x, y, z in units of length: centres of cells, over terrain those of the deformed
    cells, or nodes of curvilinear blocks."""
    if hasattr(snapshot, "mesh"):
        xyz = snapshot.mesh.xyz(block)
        return middles(xyz) if snapshot.in_cells else xyz
    if snapshot.corners is not None:
        return middles(np.asarray(snapshot.corners))
    z, y, x = np.meshgrid(snapshot.z, snapshot.y, snapshot.x, indexing="ij")
    return np.stack([x, y, z], axis=-1)


def values(snapshot, name: str, block: int = 0) -> tuple:
    """A field of a block, (nk, nj, ni) float64, and its unit: a scalar, the magnitude of a vector, or a component ("velocity.x"). On a box
    also `speed`, `lnrho` and `rho` where they follow from stored fields.

    Raises:
        KeyError, ValueError: no such field or component.
    """
    if not hasattr(snapshot, "mesh"):
        found, unit = read_part(snapshot, name, (slice(None),) * 3)
        return np.asarray(found, float), unit
    base, _, component = name.partition(".")
    field = snapshot[base]
    if component and (field.components != 3 or component not in ("x", "y", "z")):
        raise ValueError(f"{base} has {'the components x, y and z' if field.components == 3 else 'no components'}, not {component!r}")
    found = np.asarray(field[block][...], float)
    if field.components > 1:
        found = found[..., "xyz".index(component)] if component else np.linalg.norm(found, axis=-1)
    return found, str(field.attrs.get("units", "1"))


def trilinear(array: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Values of an array (nk, nj, ni, ...) at `places` (points, 3), fractional indices k, j, i: (points, ...), linear along each axis. Beyond the
    array they are extrapolated."""
    low = [np.clip(np.floor(places[:, a]).astype(int), 0, max(array.shape[a] - 2, 0)) for a in range(3)]
    part = [places[:, a] - low[a] for a in range(3)]
    found = 0.0
    for corner in range(8):
        bits = [(corner >> a) & 1 for a in range(3)]
        weight = np.prod([part[a] if bits[a] else 1 - part[a] for a in range(3)], axis=0)
        index = tuple(np.minimum(low[a] + bits[a], array.shape[a] - 1) for a in range(3))
        found = found + weight.reshape(-1, *(1,) * (array.ndim - 3)) * array[index]
    return found
