"""A run directory as Python objects: snapshots read lazily, series, spectra, settings and provenance.

Every access looks at the directory again, so a `Run` of a program that is still going shows what is there now. No file
stays open between accesses. Arrays are in the order of the files, (z, y, x), vectors with a trailing axis of 3.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import h5py
import numpy as np

from .blocks import BlockSnapshot, no_field, stored_name, surface_names, surface_paths
from .fields import Field, text_of
from .pictures import Named, Picture, numbered, picture_name
from .tables import Profiles, Spectra, Table, read_profiles, read_series, read_spectra

# Snapshots, and averages in time and parts of the grid, which are files of the same form; .h5: on curvilinear blocks.
_snapshot_name = re.compile(r"(fields|average_\w+|part_\w+)_(\d+)\.(?:vtkhdf|h5)$")
_signs_of_a_run = ("run.json", "case.toml", "resolved.toml", "series.csv")


class Snapshot(Mapping):
    """One `fields_NNNNNN.vtkhdf`, or one `average_NAME_NNNNNN.vtkhdf` or `part_NAME_NNNNNN.vtkhdf`; a mapping from field name to `Field`. An index may be the former name of a field that was renamed;
    `in` and iteration know those of the file.

    Attributes:
        path: the file; step: its number; time: float, in units of time.
        x, y, z: float64 coordinates, shapes (nx,), (ny,), (nz,).
        faces: faces of the cells where these are uneven, {"z": float64 array (nz + 1,)}; no entry for even ones.
        corners: where the levels follow the terrain, the corners of the cells as a `Field` (nz + 1, ny + 1, nx + 1, 3) of mesh.h5,
            whose last axis is x, y, z; z above is then that of the levels where the ground is at the bottom. Else None.
        attrs: what the file says about its run (program, version, commit, devices, ranks, step, ...); of an average also t_begin, at which
            its window began, averaged_over, the length of it, and samples; `time` is that of its end.

    >>> import watersmeet
    >>> snapshot = watersmeet.open("runs/forced-turbulence-001").fields[-1]
    >>> snapshot.step, snapshot.time, sorted(snapshot)
    (100, 2.0, ['rho', 'velocity'])
    """

    def __init__(self, path: Path):
        self.path = path
        self.step = int(_snapshot_name.search(path.name)[2])
        with h5py.File(path, "r") as file:
            self.time = float(file["time"][()])
            self.x, self.y, self.z = (file[axis][()].reshape(-1) for axis in "xyz")
            self.units = {axis: text_of(file[axis].attrs.get("units", "1")) for axis in ("x", "y", "z", "time")}
            self.attrs = {k: text_of(v) for k, v in file["run"].attrs.items()} if "run" in file else {}
            uneven = [axis for axis in "xyz" if f"{axis}_faces" in file and "uneven" in file[f"{axis}_faces"].attrs]
            self.faces = {axis: file[f"{axis}_faces"][()] for axis in uneven}
            self._corners = text_of(file["z"].attrs["corners"]) if "corners" in file["z"].attrs else None
            grid = (len(self.z), len(self.y), len(self.x))
            self._names = [
                name for name, item in file.items() if isinstance(item, h5py.Dataset) and item.shape[:3] == grid
            ]

    @property
    def corners(self):
        if self._corners is None:
            return None
        file, _, name = self._corners.partition(":")
        return Field(self.path.parent / file, name)

    def __getitem__(self, name):
        stored = stored_name(name, self._names)
        if stored is None:
            raise no_field(name, self.path.name, self._names)
        return Field(self.path, stored)

    def __contains__(self, name):
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __repr__(self):
        return f"<Snapshot {self.path.name}: t = {self.time:g}; {', '.join(self._names)}>"


class Snapshots(Sequence):
    """The snapshots of a run in order of their step number; headers are read once per file."""

    def __init__(self, paths: list, known: dict):
        self._paths, self._known = paths, known

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Snapshots(self._paths[index], self._known)
        try:
            path = self._paths[index]
        except IndexError:
            raise IndexError(f"snapshot {index} of {len(self._paths)}") from None
        stamp = path.stat().st_mtime_ns
        if self._known.get(path, (None,))[0] != stamp:
            kind = BlockSnapshot if path.suffix == ".h5" else Snapshot
            self._known[path] = (stamp, kind(path))
        return self._known[path][1]

    def __len__(self):
        return len(self._paths)

    def __repr__(self):
        return f"<{len(self)} snapshots>"


class Run:
    """A run directory; see `watersmeet.open`.

    Attributes:
        path: the directory.

    >>> import watersmeet
    >>> run = watersmeet.open("runs/forced-turbulence-001")
    >>> run.fields[-1]["velocity"][4, 6, 8, 0].shape      # reads one number
    ()
    >>> float(run.series["u_rms"][-1])
    0.7
    >>> run.setting("physics.viscosity")
    0.01
    """

    def __init__(self, directory):
        self.path = Path(directory)
        self._known = {}
        self._tables = {}
        if not self.path.is_dir():
            raise FileNotFoundError(f"no directory {self.path}")
        if not any((self.path / name).exists() for name in _signs_of_a_run) and not self._snapshot_paths():
            raise ValueError(f"{self.path} is not a run directory: it has none of {', '.join(_signs_of_a_run)}")

    def _snapshot_paths(self, kind="fields") -> list:
        found = ((_snapshot_name.fullmatch(path.name), path) for path in self.path.iterdir())
        return [path for _, path in sorted((int(match[2]), path) for match, path in found if match and match[1] == kind)]

    @property
    def fields(self) -> Snapshots:
        """The snapshots there are now, oldest first; `fields[-1]["rho"]` is the newest density."""
        return Snapshots(self._snapshot_paths(), self._known)

    @property
    def averages(self) -> dict:
        """Averages in time (`[[output.average]]`) by name: of each the files there are now, oldest first, one for each window of time.

        `averages["flow"][-1]["velocity_mean"]` is a field of the newest one.
        """
        return self._named("average_")

    @property
    def parts(self) -> dict:
        """Parts of the grid (`[[output.part]]`) by name: of each the files there are now, oldest first.

        `parts["wall"][-1]["p"]` is a field of the newest one, an array (z, y, x) like those of snapshots.
        """
        return self._named("part_")

    @property
    def pictures(self) -> dict:
        """Pictures that the run drew (`[[output.picture]]`) by name: of each a list of those there are now, oldest first.

        `pictures["wake"][-1].path` is the newest file, `.time` its time and `.limits` the values of the ends of its colours.
        """
        return numbered(self.path, picture_name, Picture)

    @property
    def isosurfaces(self) -> dict:
        """Iso-surfaces that the run wrote (`[[output.isosurface]]`) by name: of each a list of those there are now, oldest first.

        `isosurfaces["front"][-1].read()` is the newest as `watersmeet.surfaces.PolyData`, `.path` its file and `.time` its time.
        """
        from .surfaces import SurfaceFile, surface_name

        return numbered(self.path, surface_name, SurfaceFile)

    def _named(self, prefix: str) -> dict:
        found = (_snapshot_name.fullmatch(path.name) for path in self.path.iterdir())
        kinds = sorted({match[1] for match in found if match and match[1].startswith(prefix)})
        return Named(self.path, {kind.removeprefix(prefix): Snapshots(self._snapshot_paths(kind), self._known) for kind in kinds})

    def average_profile(self, name: str) -> Profiles:
        """Profiles of an average in time along an axis (its key `profile`), one for each window; raises FileNotFoundError where there are none."""
        return self._table(f"profile_{name}.csv", read_profiles)

    @property
    def maps(self) -> list:
        """Paths of the maps `latlon_NNNNNN.nc` of a run on a sphere (`output.latlon`), oldest first."""
        return sorted(self.path.glob("latlon_*.nc"), key=lambda path: int(path.stem.partition("_")[2]))

    @property
    def times(self) -> np.ndarray:
        """Times of the snapshots, float64 array (snapshot,), in units of time."""
        return np.array([snapshot.time for snapshot in self.fields])

    def _table(self, name: str, read):
        path = self.path / name
        if not path.exists():
            raise FileNotFoundError(f"{self.path} has no {name}")
        state = path.stat()
        stamp = (state.st_mtime_ns, state.st_size)
        if self._tables.get(name, (None,))[0] != stamp:
            self._tables[name] = (stamp, read(path))
        return self._tables[name][1]

    @property
    def series(self) -> Table:
        """The time series; raises FileNotFoundError when the run has none (yet)."""
        return self._table("series.csv", read_series)

    def surface(self, patch: str, step: int | None = None) -> Table:
        """What a run on curvilinear blocks found on a named wall, a row a node; the newest file, or that of a step.

        Raises:
            FileNotFoundError: there is no such file.
        """
        paths = surface_paths(self.path, patch)
        if not paths or (step is not None and step not in paths):
            known = ", ".join(surface_names(self.path)) or "none"
            raise FileNotFoundError(f"{self.path} has no surface file of {patch}"
                                    f"{'' if step is None else f' at step {step}'}; there are files of: {known}")
        return self._table(paths[max(paths) if step is None else step].name, read_series)

    @property
    def spectra(self) -> Spectra:
        """The spectra; raises FileNotFoundError when the run has none (yet)."""
        return self._table("spectra.csv", read_spectra)

    @property
    def profiles(self) -> Profiles:
        """Averages over planes; raises FileNotFoundError when the run has none (yet)."""
        return self._table("profiles.csv", read_profiles)

    @property
    def info(self) -> dict:
        """Provenance: the content of run.json; empty when it is not there."""
        path = self.path / "run.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    @property
    def converged(self) -> bool | None:
        """Whether a run that looks for a steady state has found it; None for other runs, and while the last launch has not ended."""
        info = self.info
        return (info.get("restarts") or [info])[-1].get("converged")

    @property
    def settings(self) -> dict:
        """All settings as nested dictionaries: resolved.toml, or case.toml where that is missing.

        Raises:
            ImportError: Python 3.10 without the package tomli.
        """
        for name in ("resolved.toml", "case.toml"):
            path = self.path / name
            if path.exists():
                return _toml().loads(path.read_text(encoding="utf-8"))
        return {}

    def setting(self, key: str, default=None):
        """One setting by its dotted name, such as "physics.viscosity"; `default` when it is not there."""
        value = self.settings
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                return default
            value = value[part]
        return value

    def to_xarray(self):
        """All snapshots as one xarray.Dataset with dims time, z, y, x (vectors also component); nothing is read yet.

        Fields that only some snapshots hold are left out. The arrays read the parts that are asked for, each time.
        Of a run on a sphere it is that of the maps (`output.latlon`), with dims time, lat and lon, read at once.

        Raises:
            ImportError: xarray is missing (Debian and Ubuntu: python3-xarray).
            ValueError: the run has no snapshot, or the grids differ.
        """
        from .lazy_xarray import dataset

        return dataset(self)

    def __repr__(self):
        return f"<Run {self.path}: {len(self.fields)} snapshots>"


def _toml():
    try:
        import tomllib

        return tomllib
    except ModuleNotFoundError:
        try:
            import tomli
        except ModuleNotFoundError as error:
            raise ImportError("reading settings needs Python 3.11 or the package tomli (pip install tomli)") from error
        return tomli
