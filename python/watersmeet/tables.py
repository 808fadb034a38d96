"""Tables of a run: `series.csv` (one row per report) and `spectra.csv` (one row per report and wave number).

Both begin with a line of names and a line `# units: ...`. A run that is still going may have written only part of its
last line, and a run that was resumed from an older checkpoint has written some steps twice: the incomplete line is
left out, and the later of two versions counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np


class Table(Mapping):
    """Named columns of equal length; a mapping from name to numpy array of float64 (`step`: int64), shape (rows,).

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

    def __getitem__(self, name):
        try:
            return self._columns[name]
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


class Spectra(Mapping):
    """Shell-integrated spectra; a mapping from name ("E", "Ex", ...) to an array of shape (time, k).

    Attributes:
        steps: int64 array (time,); times: float64 array (time,) in units of time.
        k: float64 array (k,), the shells' wave numbers as written.
        units: mapping from name to unit.

    >>> import watersmeet
    >>> spectra = watersmeet.open("runs/forced-turbulence-001").spectra
    >>> spectra["E"].shape == (len(spectra.times), len(spectra.k))
    True
    """

    def __init__(self, steps, times, k, spectra: dict, units: dict, path: Path):
        self.steps, self.times, self.k = steps, times, k
        self._spectra, self.units, self.path = spectra, units, path

    def __getitem__(self, name):
        try:
            return self._spectra[name]
        except KeyError:
            raise KeyError(f"no spectrum {name!r} in {self.path}; there are: {', '.join(self._spectra)}") from None

    def __iter__(self):
        return iter(self._spectra)

    def __len__(self):
        return len(self._spectra)

    def __repr__(self):
        return f"<Spectra {self.path.name}: {len(self.times)} times, {len(self.k)} shells; {', '.join(self._spectra)}>"


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
    path = Path(path)
    names, units, rows = _read_csv(path)
    for needed in ("step", "t", "k") if names else ():
        if needed not in names:
            raise ValueError(f"{path}: no column {needed!r}; there are: {', '.join(names)}")
    if len(rows) == 0:
        none = np.zeros(0)
        return Spectra(none.astype(np.int64), none, none, {}, units, path)
    step, t, k = (rows[:, names.index(name)] for name in ("step", "t", "k"))
    starts = np.flatnonzero(np.r_[True, (np.diff(step) != 0) | (np.diff(k) <= 0)])
    lengths = np.diff(np.r_[starts, len(rows)])
    n_k = lengths[0]
    if len(lengths) > 1 and lengths[-1] < n_k:
        starts, lengths = starts[:-1], lengths[:-1]
    if np.any(lengths != n_k):
        bad = int(step[starts[np.flatnonzero(lengths != n_k)[0]]])
        raise ValueError(f"{path}: the spectrum of step {bad} has another number of shells than the first ({n_k})")
    starts = starts[_newest(step[starts])]
    index = starts[:, None] + np.arange(n_k)
    spectra = {name: rows[:, i][index] for i, name in enumerate(names) if name not in ("step", "t", "k")}
    return Spectra(step[starts].astype(np.int64), t[starts], k[:n_k], spectra, units, path)
