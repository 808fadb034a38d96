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
        """key: numbers and slices with positive steps, as h5py takes them; xarray has split off the rest."""
        time, space = key[0], key[1:]
        if isinstance(time, slice):
            chosen = self.fields[time]
            values = np.stack([field[space] for field in chosen or self.fields[:1]])
            return values if chosen else values[:0]
        return self.fields[int(time)][space]


def dataset(run) -> xarray.Dataset:
    """See `watersmeet.results.Run.to_xarray`."""
    snapshots = list(run.fields)
    if not snapshots:
        raise ValueError(f"{run.path} has no snapshot (fields_*.vtkhdf) yet")
    first = snapshots[0]
    if hasattr(first, "mesh"):
        maps = run.maps
        if maps:
            return xarray.concat([xarray.open_dataset(path) for path in maps], "time", data_vars="minimal", coords="minimal",
                                 compat="override", combine_attrs="override")
        raise ValueError(f"{run.path} is on curvilinear blocks, which are no dataset of one grid; read fields[-1][name][block], or on a sphere have maps written by output.latlon")
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
