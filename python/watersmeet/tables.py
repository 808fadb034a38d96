"""Tables of a run: `series.csv` (one row per report), `spectra.csv` (one row per report and wave number) and
`profiles.csv` (one row per report and plane).

All begin with a line of names and a line `# units: ...`. A run that is still going may have written only part of its
last line, and a run that was resumed from an older checkpoint has written some steps twice: the incomplete line is
left out, and the later of two versions counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np


class Table(Mapping):
    """Named columns of equal length; a mapping from name to numpy array of float64 (`step`: int64), shape (rows,). An index may be the
    former name of a column that was renamed; `in` and iteration know those of the file.

    Attributes:
        units: mapping from column name to its unit as text ("1" for pure numbers).
        path: the file it was read from.

    >>> import watersmeet
    >>> series = watersmeet.open("runs/forced-turbulence-001").series
    >>> len(series["u_rms"]), series.units["u_rms"]
    (40, 'length/time')
    """

    def __init__(self, columns: dict, units: dict, path: Path):
        self._columns, self.units, self.path = columns, units, path

    def _stored(self, name):
        """Largest |u| is speed_max, formerly u_max in the series of isothermal and multicomponent flow; where v_max or u_min are in the same table, u_max
        is that of one component.
        """
        if name not in self._columns and not {"v_max", "u_min"} & set(self._columns):
            return {"speed_max": "u_max", "u_max": "speed_max"}.get(name, name)
        return name

    def __getitem__(self, name):
        try:
            return self._columns[self._stored(name)]
        except KeyError:
            raise KeyError(f"no column {name!r} in {self.path}; there are: {', '.join(self._columns)}") from None

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def to_pandas(self):
        """The table as a pandas DataFrame; units are in `.attrs["units"]`.

        Raises:
            ImportError: pandas is missing (Debian and Ubuntu: python3-pandas).
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: apt install python3-pandas, or pip install pandas") from error
        frame = pandas.DataFrame(dict(self._columns))
        frame.attrs["units"] = dict(self.units)
        return frame

    def __repr__(self):
        return f"<Table {self.path.name}: {self.rows} rows; {', '.join(self._columns)}>"


class Lines(Mapping):
    """What varies along a line, at several times; a mapping from name to an array of shape (time, along).

    Attributes:
        steps: int64 array (time,); times: float64 array (time,) in units of time.
        axis: name of the coordinate along the lines, "k", "z" ...; along: float64 array of it, as written.
        units: mapping from name to unit.
    """

    _what = "line"

    def __init__(self, steps, times, axis: str, along, values: dict, units: dict, path: Path):
        self.steps, self.times, self.axis, self.along = steps, times, axis, along
        self._values, self.units, self.path = values, units, path

    def __getitem__(self, name):
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"no {self._what} {name!r} in {self.path}; there are: {', '.join(self._values)}") from None

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __repr__(self):
        return (
            f"<{type(self).__name__} {self.path.name}: {len(self.times)} times, {len(self.along)} {self.axis}; "
            f"{', '.join(self._values)}>"
        )


class Spectra(Lines):
    """Shell-integrated spectra; a mapping from name ("E", "Ex", ...) to an array of shape (time, k).

    Attributes: those of `Lines`, and
        k: float64 array (k,), the shells' wave numbers as written.

    >>> import watersmeet
    >>> spectra = watersmeet.open("runs/forced-turbulence-001").spectra
    >>> spectra["E"].shape == (len(spectra.times), len(spectra.k))
    True
    """

    _what = "spectrum"

    @property
    def k(self):
        return self.along


class Profiles(Lines):
    """Averages over planes; a mapping from name ("temperature_mean", ...) to an array of shape (time, plane).

    Attributes: those of `Lines`; `along` holds the coordinates of the planes, `axis` says which: "x", "y" or "z".
    """

    _what = "profile"


def _read_csv(path: Path):
    """Names, units and the complete rows (float64, shape (rows, columns)) of a CSV file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if lines and not text.endswith("\n"):
        lines.pop()  # a number cut short would still parse
    if not lines:
        return [], {}, np.empty((0, 0))
    names = [name.strip() for name in lines[0].split(",")]
    units = {}
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if line.startswith("#"):
            label, _, rest = line.lstrip("# ").partition(":")
            if label.strip() == "units":
                units = dict(zip(names, (unit.strip() for unit in rest.split(","))))
            continue
        if not line.strip():
            continue
        try:
            row = [float(cell) for cell in line.split(",")]
        except ValueError:
            raise ValueError(f"{path}:{number}: not a row of numbers: {line[:60]!r}") from None
        if len(row) != len(names):
            raise ValueError(f"{path}:{number}: {len(row)} values in a table of {len(names)} columns")
        for name, cell in zip(names, row):
            if name == "step" and not (abs(cell) < 2**63 and cell == int(cell)):
                raise ValueError(f"{path}:{number}: the step {cell:g} is no whole number")
        rows.append(row)
    return names, {name: units.get(name, "1") for name in names}, np.array(rows).reshape(len(rows), len(names))


def _newest(blocks: np.ndarray) -> np.ndarray:
    """Which of the consecutive blocks (given by their step numbers) no later block has replaced."""
    if blocks.size == 0:
        return np.zeros(0, bool)
    later = np.minimum.accumulate(blocks[::-1])[::-1]
    return blocks < np.append(later[1:], np.inf)


def read_series(path) -> Table:
    """Read `series.csv`.

    Args:
        path: the file.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a line other than an incomplete last one is not a row of the table.

    >>> from watersmeet.tables import read_series
    >>> read_series("runs/forced-turbulence-001/series.csv").rows
    40
    """
    path = Path(path)
    names, units, rows = _read_csv(path)
    if "step" in names:
        rows = rows[_newest(rows[:, names.index("step")])]
    columns = {name: rows[:, i] for i, name in enumerate(names)}
    if "step" in columns:
        columns["step"] = columns["step"].astype(np.int64)
    return Table(columns, units, path)


def _read_lines(path, kind, needed_axis: str | None):
    """A long table (columns step, t, the coordinate of the lines, one per value) as a `kind` of `Lines`."""
    path = Path(path)
    names, units, rows = _read_csv(path)
    axis = needed_axis or (names[2] if len(names) > 2 else "z")
    for needed in ("step", "t", axis) if names else ():
        if needed not in names:
            raise ValueError(f"{path}: no column {needed!r}; there are: {', '.join(names)}")
    if len(rows) == 0:
        none = np.zeros(0)
        return kind(none.astype(np.int64), none, axis, none, {}, units, path)
    step, t, along = (rows[:, names.index(name)] for name in ("step", "t", axis))
    starts = np.flatnonzero(np.r_[True, (np.diff(step) != 0) | (np.diff(along) <= 0)])
    lengths = np.diff(np.r_[starts, len(rows)])
    n = lengths[0]
    if len(lengths) > 1 and lengths[-1] < n:
        starts, lengths = starts[:-1], lengths[:-1]
    if np.any(lengths != n):
        bad = int(step[starts[np.flatnonzero(lengths != n)[0]]])
        raise ValueError(f"{path}: step {bad} has another number of {axis} than the first ({n})")
    starts = starts[_newest(step[starts])]
    index = starts[:, None] + np.arange(n)
    values = {name: rows[:, i][index] for i, name in enumerate(names) if name not in ("step", "t", axis)}
    return kind(step[starts].astype(np.int64), t[starts], axis, along[:n], values, units, path)


def read_spectra(path) -> Spectra:
    """Read `spectra.csv` (columns step, t, k and one per spectrum) into arrays (time, k).

    A last spectrum of which only some shells are written is left out.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the table lacks step, t or k, or a spectrum in the middle lacks shells.

    >>> from watersmeet.tables import read_spectra
    >>> list(read_spectra("runs/forced-turbulence-001/spectra.csv"))
    ['E', 'Ex', 'Ey', 'Ez']
    """
    return _read_lines(path, Spectra, "k")


def read_profiles(path) -> Profiles:
    """Read `profiles.csv` (columns step, t, x or y or z, and one per average) into arrays (time, plane).

    A last profile of which only some planes are written is left out.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the table lacks step or t, or a profile in the middle lacks planes.
    """
    return _read_lines(path, Profiles, None)
