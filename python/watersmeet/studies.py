"""Many runs of one case that differ in their settings, in folders of one directory with a table of them, `study.csv`; made by `watersmeet.study`."""

from __future__ import annotations

import csv
import datetime
import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .results import Run, _toml


class Study(Mapping):
    """Runs of one case; a mapping from a setting, or a column of the time series at its last row, to an array with one entry per run.

    Attributes:
        directory: folder of the study; names: folders of the runs in it; settings: a dictionary per run.
        statuses: exit status of each run, 0 where all is well; messages: the errors of failed runs, else "".
        converged: True or False for each run that seeks a steady state, else None.
    """

    _run = Run

    def __init__(self, directory: Path, settings: list):
        self.directory, self.settings = directory, settings
        self.names = _names(settings) if settings else []
        self.statuses, self.messages = [], []

    @classmethod
    def load(cls, directory) -> Study:
        """Load an earlier study from its `study.csv`; values of settings as numbers, lists or texts.

        Raises:
            FileNotFoundError: there is no study.csv. ValueError: the file is not the table of a study.
        """
        path = Path(directory) / "study.csv"
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        head = rows[0] if rows else []
        if head[:1] != ["run"] or "exit_status" not in head:
            raise ValueError(f"{path} is not the table of a study")
        end = head.index("exit_status")
        rows = [row for row in rows[1:] if row and not row[0].startswith("#")]
        made = cls(Path(directory), [{key: value_of(text) for key, text in zip(head[1:end], row[1:end])} for row in rows])
        made.names = [row[0] for row in rows]
        made.statuses = [int(row[end]) for row in rows]
        made.messages = [""] * len(rows)
        return made

    @property
    def runs(self) -> list:
        """The runs as `Run`; None for a run that left no folder."""
        return [self._run(self.directory / name) if (self.directory / name).is_dir() else None for name in self.names]

    @property
    def converged(self) -> list:
        """For each run whether it reached its steady state; None for other runs and for those without a folder."""
        return [one.converged if one is not None else None for one in self.runs]

    def _last_rows(self):
        rows, units = [], {}
        for one in self.runs:
            series = one.series if one is not None and (one.path / "series.csv").exists() else None
            rows.append({name: series[name][-1] for name in series if series.rows} if series is not None else {})
            units.update(series.units if series is not None else {})
        return rows, units

    def __getitem__(self, name):
        if self.settings and name in self.settings[0]:
            return np.array([one[name] for one in self.settings])
        rows, _ = self._last_rows()
        if not any(name in row for row in rows):
            raise KeyError(f"no setting and no column {name!r} in {self.directory}; there are: {', '.join(self)}")
        return np.array([row.get(name, np.nan) for row in rows], float)

    def __iter__(self):
        yield from self.settings[0] if self.settings else ()
        yield from self._last_rows()[1]

    def __len__(self):
        return len(list(iter(self)))

    def write(self) -> Path:
        """Write `study.csv` as series.csv: names, units, then one row per run, with empty entries for values that a run does not have.

        Returns:
            The path.
        """
        rows, units = self._last_rows()
        keys = list(self.settings[0]) if self.settings else []
        path = self.directory / "study.csv"
        part = path.with_name("study.csv.part")
        with open(part, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["run", *keys, "exit_status", "converged", *units])
            file.write("# units: " + ",".join(["1"] * (len(keys) + 3) + list(units.values())) + "\n")
            for name, setting, status, converged, row in zip(self.names, self.settings, self.statuses, self.converged, rows):
                texts = [value if isinstance(value, str) else toml_of(value) for value in setting.values()]
                last = (repr(row[c].item()) if c in row else "" for c in units)
                out.writerow([name, *texts, status, "" if converged is None else toml_of(converged), *last])
        part.replace(path)
        return path

    def to_pandas(self):
        """A pandas DataFrame with one row per run: its folder (the index), its settings, `exit_status`, `converged`, and the last row of its time
        series; values that a run does not have are nan. Units are in `.attrs["units"]`.

        Raises:
            ImportError: pandas is missing (Debian and Ubuntu: python3-pandas).
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: apt install python3-pandas, or pip install pandas") from error
        rows, units = self._last_rows()
        statuses = self.statuses + [None] * (len(self.names) - len(self.statuses))  # the study may be unfinished
        columns = {key: [one[key] for one in self.settings] for key in (self.settings[0] if self.settings else ())}
        columns |= {"exit_status": statuses, "converged": self.converged}
        columns |= {name: [row.get(name, np.nan) for row in rows] for name in units if name not in columns}
        frame = pandas.DataFrame(columns, index=pandas.Index(self.names, name="run"))
        frame.attrs["units"] = dict(units)
        return frame

    def __repr__(self):
        return f"<Study {self.directory}: {len(self.names)} runs>"


def toml_of(value) -> str:
    """A value as inline TOML; also numpy's numbers and arrays, tuples and mappings. Texts are escaped as in JSON, which TOML shares."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key), ensure_ascii=False)} = {toml_of(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    if isinstance(value, (np.ndarray, np.generic)):
        return toml_of(value.tolist())
    if isinstance(value, float):
        return repr(value)  # nan and inf as TOML calls them
    if value is None or not isinstance(value, (str, bool, int)):
        raise TypeError(f"{value!r} of type {type(value).__name__} cannot be a value of a case")
    return json.dumps(value, ensure_ascii=False)


def _names(settings: list) -> list:
    """Names of the folders: the last parts of the keys with their values; whole keys where two last parts are equal."""
    keys = list(settings[0])
    short = {key: key.rpartition(".")[2] for key in keys}
    if len(set(short.values())) < len(keys):
        short = {key: key for key in keys}
    words = [",".join(f"{short[key]}={toml_of(value)}" for key, value in one.items()) for one in settings]
    words = [re.sub(r"[\[\]\"]", "", word.replace(", ", "x")) for word in words]
    names = [re.sub(r"[^\w.,=+-]+", "_", word) for word in words]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two runs of the study would have the folder {twice}")
    return names


def value_of(text: str):
    """The value of a text that `toml_of` wrote; other texts without their quotes."""
    try:
        value = _toml().loads(f"value = {text}")["value"]
    except ValueError:
        return text.strip("\"'")
    return text if isinstance(value, (datetime.date, datetime.time)) else value
