"""Snapshots on curvilinear blocks: `fields_NNNNNN.h5` with the coordinates in `mesh.h5`, and surface files.

Arrays of a block are in the order of the files, (k, j, i), coordinates and vectors with a trailing axis of 3. A block of
a plane has one layer of nodes, k = 0. On a sphere values belong to cells, one fewer than nodes along j and i
(`watersmeet.sphere`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from .fields import Field, text_of

_snapshot_name = re.compile(r"(?:fields|average_\w+)_(\d+)\.h5$")


def _in_order(blocks) -> list:
    """Names of the groups block_000, block_001, ..., which have four digits from 1000 on, by their number."""
    return sorted(blocks, key=lambda name: int(name.rpartition("_")[2]))


# Fields by their former names: pressure was renamed for isothermal flow, both for the atmosphere.
_former = {"pressure": "p", "density": "rho"}
_other_name = {**_former, **{now: before for before, now in _former.items()}}


def stored_name(name, names):
    """The name of a field in a file that has `names`: its present or its former one, None where it has neither."""
    if name in names:
        return name
    other = _other_name.get(name)
    return other if other in names else None


def no_field(name, file, names) -> KeyError:
    """What to raise where a snapshot has no field of that name."""
    return KeyError(f"no field {name!r} in {file}; there are: {', '.join(names)}")


@dataclass(frozen=True)
class Patch:
    """A rectangle of a face of a block that has a boundary condition; several patches may share a name.

    Attributes:
        name, kind: of the boundary; kind is the condition that the mesh gives it.
        block: number of the block; face: "i_lower" ... "k_upper".
        begin, end: first and last node (i, j, k), both included.
    """

    name: str
    kind: str
    block: int
    face: str
    begin: tuple
    end: tuple

    @property
    def key(self) -> tuple:
        """Index of the patch's nodes in an array (k, j, i, ...) of the block; the axis across the face is dropped."""
        across = "ijk".index(self.face[0])
        ranges = [slice(b, e + 1) for b, e in zip(self.begin, self.end)]
        ranges[across] = self.begin[across]
        return tuple(reversed(ranges))


class Mesh:
    """The mesh of a run, `mesh.h5`.

    Attributes:
        path: the file; dimensions: 2 or 3; shapes: nodes (nk, nj, ni) of each block; patches: list of `Patch`.
    """

    def __init__(self, path: Path):
        self.path = path
        with h5py.File(path, "r") as file:
            self.dimensions = int(file.attrs["dimensions"])
            self._names = _in_order(file["blocks"])
            self.shapes = [file["blocks"][name]["xyz"].shape[:3] for name in self._names]
            self.patches = [self._patch(group.attrs) for _, group in sorted(file["patches"].items())]

    @staticmethod
    def _patch(attrs) -> Patch:
        def text(name):
            value = attrs[name]
            return value.decode() if isinstance(value, bytes) else str(value)

        return Patch(text("name"), text("kind"), int(attrs["block"]), text("face"),
                     tuple(int(n) for n in attrs["begin"]), tuple(int(n) for n in attrs["end"]))

    def xyz(self, block: int) -> np.ndarray:
        """Coordinates of the nodes of a block, (nk, nj, ni, 3)."""
        with h5py.File(self.path, "r") as file:
            return file["blocks"][self._names[block]]["xyz"][()]

    def __len__(self):
        return len(self.shapes)

    def __repr__(self):
        return f"<Mesh {self.path.name}: {len(self)} blocks, {sum(int(np.prod(s)) for s in self.shapes)} nodes>"


class BlockField(Sequence):
    """One field of one snapshot: a sequence of the blocks' fields, each read where it is indexed.

    Attributes:
        name, path: name of the field and file that holds it; attrs: among them "units".

    >>> import watersmeet
    >>> mach = watersmeet.open("runs/naca0012-001").fields[-1]["mach"]  # doctest: +SKIP
    >>> mach[0][0, :, 5]                                                # doctest: +SKIP
    """

    def __init__(self, path: Path, name: str, groups: list):
        self.path, self.name = path, name
        self._fields = [Field(path, f"blocks/{group}/{name}", ("k", "j", "i")) for group in groups]
        self.attrs = self._fields[0].attrs

    def __getitem__(self, block):
        return self._fields[block]

    def __len__(self):
        return len(self._fields)

    @property
    def components(self) -> int:
        return self._fields[0].shape[3] if self._fields[0].ndim == 4 else 1

    def flat(self) -> np.ndarray:
        """All nodes, block after block, i fastest: (nodes,) or (nodes, 3)."""
        parts = [field[...].reshape(-1, *field.shape[3:]) for field in self._fields]
        return np.concatenate(parts)

    def __repr__(self):
        return f"<BlockField {self.name} on {len(self)} blocks [{self.attrs.get('units', '1')}] in {self.path.name}>"


class BlockSnapshot(Mapping):
    """One `fields_NNNNNN.h5`, or `average_NAME_NNNNNN.h5`; a mapping from field name to `BlockField`.

    Attributes:
        path, step, time, attrs, units: as of `watersmeet.results.Snapshot`.
        mesh: the `Mesh` of the run; in_cells: values belong to the cells between its nodes, not to the nodes.
    """

    def __init__(self, path: Path):
        self.path = path
        self.step = int(_snapshot_name.search(path.name)[1])
        with h5py.File(path, "r") as file:
            self.time = float(file["time"][()])
            self.units = {"time": text_of(file["time"].attrs["units"])}
            self.units |= {axis: text_of(file.attrs["length_units"]) for axis in "xyz"}
            self.attrs = {k: text_of(v) for k, v in file["run"].attrs.items()}
            self._groups = _in_order(file["blocks"])
            self._names = list(file["blocks"][self._groups[0]])
            self.in_cells = "cells" in file["blocks"][self._groups[0]].attrs
            self._mesh_path = path.with_name(text_of(file.attrs["mesh"]))
        self._mesh = None

    @property
    def mesh(self) -> Mesh:
        if self._mesh is None:
            self._mesh = Mesh(self._mesh_path)
        return self._mesh

    def __getitem__(self, name):
        stored = stored_name(name, self._names)
        if stored is None:
            raise no_field(name, self.path.name, self._names)
        return BlockField(self.path, stored, self._groups)

    def __contains__(self, name):
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __repr__(self):
        return f"<BlockSnapshot {self.path.name}: t = {self.time:g}; {', '.join(self._names)}>"


def surface_paths(directory: Path, patch: str) -> dict:
    """Step number -> `surface_PATCH_NNNNNN.csv` of a run directory."""
    name = re.compile(rf"surface_{re.escape(patch)}_(\d+)\.csv$")
    found = ((name.match(path.name), path) for path in directory.iterdir())
    return {int(match[1]): path for match, path in sorted(((m, p) for m, p in found if m), key=lambda item: item[1])}


def surface_names(directory: Path) -> list:
    """The boundaries that a run has surface files of."""
    found = (re.match(r"surface_(.+)_\d+\.csv$", path.name) for path in directory.iterdir())
    return sorted({match[1] for match in found if match})
