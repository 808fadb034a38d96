"""One field of one file of a run, read where it is indexed."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np


def text_of(value):
    """Attributes come as bytes (fixed-length strings), numpy scalars or arrays: give plain Python values."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").rstrip("\0")
    if isinstance(value, np.ndarray) and value.size == 1:
        return text_of(value.reshape(-1)[0])
    if isinstance(value, np.generic):
        return text_of(value.item())
    if isinstance(value, np.ndarray):
        return [text_of(item) for item in value]
    return value


class Field:
    """One field of one snapshot; indexing reads just the part asked for.

    Attributes:
        name, path: name of the field and file that holds it.
        shape, dtype, ndim: as of a numpy array; scalars (nz, ny, nx), vectors (nz, ny, nx, 3).
        dims: ("z", "y", "x") or ("z", "y", "x", "component").
        attrs: attributes of the dataset, among them "units".

    Indexing takes what an h5py dataset takes (numbers, slices, one list or mask) and returns numpy arrays; it raises
    OSError when the file has gone. `numpy.asarray(field)` reads everything.

    >>> import watersmeet
    >>> rho = watersmeet.open("runs/forced-turbulence-001").fields[-1]["rho"]
    >>> rho.shape, rho[:, :, 10].shape, rho.attrs["units"]
    ((8, 12, 16), (8, 12), 'mass/length^3')
    """

    def __init__(self, path: Path, name: str, axes: tuple = ("z", "y", "x")):
        self.path, self.name = path, name
        with h5py.File(path, "r") as file:
            dataset = file[name]
            self.shape, self.dtype = dataset.shape, dataset.dtype
            hidden = ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "coordinates")
            self.attrs = {key: text_of(value) for key, value in dataset.attrs.items() if key not in hidden}
        self.dims = axes + ("component",) * (len(self.shape) - 3)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        with h5py.File(self.path, "r") as file:
            return file[self.name][key]

    def __array__(self, dtype=None, copy=None):
        values = self[...]
        return values if dtype is None else values.astype(dtype)

    def __repr__(self):
        return f"<Field {self.name} {self.shape} {self.dtype} [{self.attrs.get('units', '1')}] in {self.path.name}>"
