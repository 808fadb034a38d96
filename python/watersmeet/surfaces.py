"""Iso-surfaces and contour lines of a snapshot, to be written for ParaView and other programs: VTK's XML (.vtp) or VTKHDF (.vtkhdf) poly data.

Surfaces are found by scikit-image, or by PyVista where only that is installed; lines by contourpy, which matplotlib brings.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from .fields import text_of
from .places import blocks_of, coordinates, trilinear, values
from .slices import parse_slice, read_part, thick_axes
from .whole_file import whole_file

endings = (".vtp", ".vtkhdf")
surface_name = re.compile(r"isosurface_(\w+)_(\d{6,})\.vtkhdf")


@dataclass
class PolyData:
    """Triangles, or lines, with values at their points.

    Attributes:
        points: float64 (points, 3), x, y, z in `units`.
        triangles: int64 (triangles, 3), numbers of points.
        lines: int64 arrays, each the points of one line in order; a closed line ends with its first point.
        values: float64 (points,) or (points, 3) by name; value_units: their units by name.
        time, time_units, units: of the snapshot.
    """

    points: np.ndarray
    triangles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    lines: list = field(default_factory=list)
    values: dict = field(default_factory=dict)
    value_units: dict = field(default_factory=dict)
    time: float = 0.0
    time_units: str = "1"
    units: str = "1"

    @property
    def area(self) -> float:
        """Sum of the areas of the triangles, in units squared."""
        a, b, c = (self.points[self.triangles[:, n]] for n in range(3))
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    @property
    def length(self) -> float:
        """Sum of the lengths of the lines, in units."""
        return float(sum(np.linalg.norm(np.diff(self.points[line], axis=0), axis=1).sum() for line in self.lines))

    def write(self, path) -> Path:
        """Write the file; its ending picks the form: .vtp or .vtkhdf (ParaView 5.12 and newer).

        Returns:
            The path.

        Raises:
            ValueError: another ending. OSError: it cannot be written.
        """
        path = Path(path)
        if path.suffix not in endings:
            raise ValueError(f"{path.name}: surfaces and lines are written as {' or '.join(endings)}")
        with whole_file(path) as part:
            (_write_vtp if path.suffix == ".vtp" else _write_vtkhdf)(self, part)
        return path


def read(path) -> PolyData:
    """Read poly data of one part in VTKHDF: what `PolyData.write` wrote, or a run (`[[output.isosurface]]`).

    Raises:
        OSError: the file cannot be read. ValueError: it is not such a file.
    """
    with h5py.File(path, "r") as file:
        root = file.get("VTKHDF")
        if root is None or text_of(root.attrs.get("Type", "")) != "PolyData":
            raise ValueError(f"{path} is not a VTKHDF file of poly data")
        time = root["FieldData/TimeValue"]
        made = PolyData(root["Points"][...], time=float(time[0]), time_units=text_of(time.attrs.get("units", "1")),
                        units=text_of(root["Points"].attrs.get("units", "1")))
        made.triangles = root["Polygons/Connectivity"][...].reshape(-1, 3)
        offsets, points = root["Lines/Offsets"][...], root["Lines/Connectivity"][...]
        made.lines = [points[first:end] for first, end in zip(offsets[:-1], offsets[1:])]
        for name, found in root["PointData"].items():
            made.values[name] = found[...]
            made.value_units[name] = text_of(found.attrs.get("units", "1"))
    return made


class SurfaceFile:
    """One `isosurface_NAME_NNNNNN.vtkhdf` of a run.

    Attributes:
        path: the file; name, step: the parts of its name.

    Raises:
        ValueError: the file is not named so.
    """

    def __init__(self, path: Path):
        self.path = path
        match = surface_name.fullmatch(path.name)
        if match is None:
            raise ValueError(f"{path.name} is not named like an iso-surface of a run, isosurface_NAME_NNNNNN.vtkhdf")
        self.name, self.step = match[1], int(match[2])

    @property
    def time(self) -> float:
        """Time of the surface, in units of time of the case."""
        with h5py.File(self.path, "r") as file:
            return float(file["VTKHDF/FieldData/TimeValue"][0])

    def read(self) -> PolyData:
        """Read its points, triangles or lines, and values; errors as of `read`."""
        return read(self.path)

    def __repr__(self):
        return f"<SurfaceFile {self.path.name}>"


def isosurface(snapshot, name: str, levels, *, carry=()) -> PolyData:
    """The surfaces on which a field in space has given values.

    Args:
        snapshot: of a box with even or uneven cells or over terrain, on curvilinear blocks or a sphere.
        name: scalar field, vector for its magnitude, or "velocity.x".
        levels: one value or several, in units of the field.
        carry: further fields, interpolated to the points of the surface, for instance for its colours.

    Returns:
        `PolyData` with the values of the field itself and of `carry`. Values are interpolated linearly along the edges between points of the snapshot. A surface ends at the
        outermost centres of cells: half a cell from the sides of a box, and between the panels of a sphere.

    Raises:
        ImportError: neither scikit-image nor PyVista is installed.
        KeyError, ValueError: no such field, fewer than two cells along an axis, no place with such a value.

    >>> import watersmeet
    >>> from watersmeet.surfaces import isosurface
    >>> last = watersmeet.open("runs/forced-turbulence-001").fields[-1]
    >>> surface = isosurface(last, "rho", 1.0, carry=["speed"])        # doctest: +SKIP
    >>> surface.write("rho.vtp").name                                  # doctest: +SKIP
    'rho.vtp'
    """
    levels = np.atleast_1d(np.asarray(levels, float))
    parts, low, high, unit = [], np.inf, -np.inf, "1"
    for block in range(blocks_of(snapshot)):
        found, unit = values(snapshot, name, block)
        if min(found.shape) < 2:
            raise ValueError(f"{snapshot.path.name} has one cell along an axis: a field there has contour lines, no surfaces")
        low, high = min(low, np.nanmin(found)), max(high, np.nanmax(found))
        for level in levels:
            if not np.nanmin(found) < level < np.nanmax(found):
                continue
            places, triangles = _marched(found, level)
            if len(triangles):
                parts.append((block, level, places, triangles))
    if not parts:
        raise ValueError(f"no surface: {name} of {snapshot.path.name} is between {low:.6g} and {high:.6g}, not {', '.join(f'{v:g}' for v in levels)}")
    made = _begun(snapshot)
    points, triangles, carried, first = [], [], {label: [] for label in (name, *carry)}, 0
    for block, level, places, mine in parts:
        points.append(trilinear(coordinates(snapshot, block), places))
        triangles.append(mine + first)
        first += len(places)
        carried[name].append(np.full(len(places), level))
        for label in carry:
            other, made.value_units[label] = values(snapshot, label, block)
            if label != name:
                carried[label].append(trilinear(other, places))
    made.points, made.triangles = np.concatenate(points), np.concatenate(triangles)
    made.values = {label: np.concatenate(found) for label, found in carried.items()}
    made.value_units[name] = unit
    return made


def contours(snapshot, name: str, levels, *, slice: str | None = None) -> PolyData:
    """The lines in a plane along which a field has given values.

    Args:
        snapshot, name, levels: as of `isosurface`.
        slice: the plane, as of `watersmeet.Run.plot`; None: across the axis of one cell, else z=mid. Blocks of a plane have none.

    Returns:
        `PolyData` with lines.

    Raises:
        KeyError, ValueError: no such field or plane, no place with such a value; blocks in space, of which `isosurface` makes surfaces.
    """
    from contourpy import contour_generator

    levels = np.atleast_1d(np.asarray(levels, float))
    planes, unit = _planes(snapshot, name, slice)
    made, first, count = _begun(snapshot), [], 0
    lines, carried, shown = [], [], np.concatenate([plane.ravel() for _, plane in planes])
    for xyz, plane in planes:
        # Traced in indices, then mapped: the plane may follow the terrain.
        generator = contour_generator(z=np.ma.masked_invalid(plane))
        for level in levels:
            for line in generator.lines(level):
                places = np.column_stack([np.zeros(len(line)), line[:, 1], line[:, 0]])
                first.append(trilinear(xyz[None], places))
                lines.append(count + np.arange(len(line)))
                carried.append(np.full(len(line), level))
                count += len(line)
    if not lines:
        raise ValueError(f"no line: {name} of this plane is between {np.nanmin(shown):.6g} and {np.nanmax(shown):.6g}, not "
                         f"{', '.join(f'{v:g}' for v in levels)}")
    made.points, made.lines, made.values, made.value_units = np.concatenate(first), lines, {name: np.concatenate(carried)}, {name: unit}
    return made


def is_flat(snapshot) -> bool:
    """Whether a snapshot has one layer of values, so that it has lines and no surfaces."""
    if hasattr(snapshot, "mesh"):
        return min(snapshot.mesh.shapes[0]) == 1 or (snapshot.in_cells and snapshot.mesh.shapes[0][0] == 2)
    return len(thick_axes(snapshot)) < 3 and min(len(snapshot.x), len(snapshot.y), len(snapshot.z)) == 1


def _begun(snapshot) -> PolyData:
    return PolyData(np.zeros((0, 3)), time=snapshot.time, time_units=snapshot.units["time"], units=snapshot.units["x"])


def _planes(snapshot, name: str, slice: str | None) -> tuple:
    """[(coordinates (m, n, 3), values (m, n))] of a plane, and the unit."""
    if hasattr(snapshot, "mesh"):
        if slice is not None or snapshot.mesh.shapes[0][0] > (2 if snapshot.in_cells else 1):
            raise ValueError(f"{snapshot.path.name}: contour lines on blocks are those of a plane or of one layer, without a slice; in space take a surface")
        found = [values(snapshot, name, block) for block in range(blocks_of(snapshot))]
        return [(coordinates(snapshot, block)[0], plane[0]) for block, (plane, _) in enumerate(found)], found[0][1]
    from .slices import Height, usual_slice

    axis, index = parse_slice(snapshot, slice or usual_slice(snapshot))
    key = [np.s_[:]] * 3
    key[2 - axis] = index
    plane, unit = read_part(snapshot, name, tuple(key))
    if isinstance(index, Height):
        xyz = coordinates(snapshot)[0].copy()
        xyz[..., 2] = index
    else:
        xyz = coordinates(snapshot)[tuple(key)]
    if min(plane.shape) < 2:
        raise ValueError(f"{snapshot.path.name} has one cell along an axis of this plane: no contour lines")
    return [(xyz, np.asarray(plane, float))], unit


def _marched(array: np.ndarray, level: float) -> tuple:
    """Points in indices k, j, i and triangles of a surface."""
    try:
        from skimage.measure import marching_cubes
    except ImportError:
        return _contoured(array, level)
    points, triangles, _, _ = marching_cubes(array, level, allow_degenerate=False)
    return points.astype(float), triangles.astype(np.int64)


def _contoured(array: np.ndarray, level: float) -> tuple:
    """The same by PyVista."""
    try:
        import pyvista
    except ImportError as error:
        raise ImportError("surfaces need scikit-image (apt install python3-skimage, or pip install scikit-image) or PyVista (pip install pyvista)") from error
    grid = pyvista.ImageData(dimensions=array.shape[::-1])
    grid["values"] = array.ravel()
    surface = grid.contour([level], scalars="values").triangulate()
    faces = surface.faces.reshape(-1, 4)[:, 1:] if surface.n_points else np.zeros((0, 3))
    return np.asarray(surface.points, float)[:, ::-1], np.asarray(faces, np.int64)


def _connectivity(cells) -> tuple:
    """The point numbers of all cells in one array, and the offset of each cell in it, followed by the length of the array."""
    lengths = [len(cell) for cell in cells]
    return (np.concatenate(list(cells)) if lengths else np.zeros(0)).astype(np.int64), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _write_vtp(data: PolyData, path: Path):
    """XML with arrays in base64: UInt64 number of bytes, then the bytes."""

    def array(found, name, components=1):
        found = np.ascontiguousarray(found)
        kind = {"f": "Float64", "i": "Int64"}[found.dtype.kind]
        text = base64.b64encode(np.uint64(found.nbytes).tobytes()).decode() + base64.b64encode(found.tobytes()).decode()
        return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="binary">{text}</DataArray>'

    def cells(tag, found):
        connectivity, offsets = _connectivity(found)
        return f'<{tag}>{array(connectivity, "connectivity")}{array(offsets[1:], "offsets")}</{tag}>'

    values_ = "".join(array(np.asarray(found, float), name, found.shape[1] if found.ndim == 2 else 1) for name, found in data.values.items())
    time = array(np.array([float(data.time)]), "TimeValue").replace("<DataArray", '<DataArray NumberOfTuples="1"')
    path.write_text(
        '<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
        f'<PolyData><FieldData>{time}</FieldData><Piece NumberOfPoints="{len(data.points)}" NumberOfVerts="0" NumberOfLines="{len(data.lines)}" '
        f'NumberOfStrips="0" NumberOfPolys="{len(data.triangles)}"><PointData>{values_}</PointData>'
        f'<Points>{array(np.asarray(data.points, float), "Points", 3)}</Points>{cells("Lines", data.lines)}{cells("Polys", data.triangles)}'
        "</Piece></PolyData></VTKFile>\n", encoding="ascii")


def _write_vtkhdf(data: PolyData, path: Path):
    """VTKHDF 2.0 poly data of one part; attrs units of Points and of each array."""
    with h5py.File(path, "w", track_order=True) as file:
        root = file.create_group("VTKHDF", track_order=True)
        root.attrs["Version"] = np.array([2, 0], np.int64)
        root.attrs["Type"] = np.bytes_("PolyData")
        root["NumberOfPoints"] = np.array([len(data.points)], np.int64)
        root["Points"] = np.asarray(data.points, float)
        root["Points"].attrs["units"] = np.bytes_(data.units)
        for name, found in (("Vertices", []), ("Lines", data.lines), ("Polygons", data.triangles), ("Strips", [])):
            connectivity, offsets = _connectivity(found)
            group = root.create_group(name)
            group["NumberOfCells"] = np.array([len(offsets) - 1], np.int64)
            group["NumberOfConnectivityIds"] = np.array([len(connectivity)], np.int64)
            group["Connectivity"], group["Offsets"] = connectivity, offsets
        points = root.create_group("PointData", track_order=True)
        for name, found in data.values.items():
            points[name] = np.asarray(found, float)
            points[name].attrs["units"] = np.bytes_(data.value_units.get(name, "1"))
        root.create_group("FieldData")["TimeValue"] = np.array([float(data.time)])
