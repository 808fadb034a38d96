"""The snapshots of a run as one lazily indexed xarray.Dataset.

xarray calls `__getitem__` with an indexer over (time, z, y, x[, component]); only the files of the wanted times are
opened, and only the wanted part of each is read. No dask is needed.
"""

from __future__ import annotations

import numpy as np

try:
    import xarray
    from xarray.backends import BackendArray
    from xarray.core import indexing
except ImportError as error:
    raise ImportError("to_xarray needs xarray: apt install python3-xarray, or pip install xarray") from error


class TimeStack(BackendArray):
    """One field of many snapshots as an array of shape (time, *shape of the field)."""

    def __init__(self, fields):
        self.fields = fields
        self.shape = (len(fields), *fields[0].shape)
        self.dtype = fields[0].dtype

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key):
        time, space = key[0], tuple(_forward(k) for k in key[1:])
        flips = _flips(key[1:])
        if isinstance(time, slice):
            chosen = self.fields[time]
            if not chosen:
                return np.empty((0, *np.empty(self.shape[1:], np.bool_)[key[1:]].shape), self.dtype)
            return np.stack([field[space][flips] for field in chosen])
        return self.fields[int(time)][space][flips]


def _forward(index):
    """h5py takes no negative steps: read the same elements forwards."""
    if isinstance(index, slice) and (index.step or 1) < 0:
        span = range(index.start, -1 if index.stop is None else index.stop, index.step)
        return slice(span[-1], span[0] + 1, -index.step) if len(span) else slice(0, 0)
    return index


def _flips(key):
    """Index that turns the axes that were read forwards instead of backwards."""
    return tuple(slice(None, None, -1 if (k.step or 1) < 0 else 1) for k in key if isinstance(k, slice)) or ()


def dataset(run) -> xarray.Dataset:
    """See `watersmeet.results.Run.to_xarray`."""
    snapshots = list(run.fields)
    if not snapshots:
        raise ValueError(f"{run.path} has no snapshot (fields_*.vtkhdf) yet")
    first = snapshots[0]
    for snapshot in snapshots[1:]:
        if any(not np.array_equal(getattr(first, axis), getattr(snapshot, axis)) for axis in "xyz"):
            raise ValueError(f"{snapshot.path.name} is on another grid than {first.path.name}")
    coordinates = {
        "time": ("time", np.array([s.time for s in snapshots]), {"units": first.units["time"]}),
        "step": ("time", np.array([s.step for s in snapshots])),
    }
    coordinates |= {axis: (axis, getattr(first, axis), {"units": first.units[axis]}) for axis in "zyx"}
    variables = {}
    for name in first:
        if not all(name in snapshot for snapshot in snapshots):
            continue
        fields = [snapshot[name] for snapshot in snapshots]
        if fields[0].ndim == 4:
            coordinates["component"] = ("component", list("xyz"))
        lazy = indexing.LazilyIndexedArray(TimeStack(fields))
        variables[name] = xarray.Variable(("time", *fields[0].dims), lazy, fields[0].attrs)
    attributes = {"source": str(run.path), **{k: v for k, v in first.attrs.items() if k not in ("step", "t", "dt")}}
    return xarray.Dataset(variables, coordinates, attributes)
