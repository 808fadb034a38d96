"""Runs from Python: one (`run`), or many of one case that differ in their settings (`study`), and the command

    python3 -m watersmeet.study CASE KEY=VALUE,VALUE... [KEY=...] [--dir DIR] [-- flags of watersmeet run]

which makes every combination of the values. Every run has a folder of its own, named by its settings, beside a table of them
all, `study.csv`: settings, exit status, whether a steady state was reached, and the last row of the time series. A study that is called again goes on where it was.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .run import Run


def run(case, settings=None, *, directory, flags=()) -> Run:
    """Run a case with other settings, or go on with a run of that folder.

    Args:
        case: a case file, or the name of an example, "dam-break", or of one of its variants, "dam-break/dry".
        settings: keys and values, {"grid.cells": [64, 64, 64], "numerics.precision": "single"}; as `--set`.
        directory: folder of the run. Where it has a checkpoint the run goes on; what has ended is not run again.
        flags: further words of `watersmeet run`, such as ("--gpus", 2).

    Returns:
        The finished `Run`.

    Raises:
        RuntimeError: the program ended otherwise than well; `.status` is its exit status, the text what it said.
        FileNotFoundError: there is no program: neither $WATERSMEET_BINARY nor `watersmeet` on the path nor `wm` of this checkout.
    """
    words = [word for key, value in (settings or {}).items() for word in ("--set", f"{key}={_toml(value)}")]
    line = [_program(), "run", case, "--dir", directory, "--resume=auto", "--quiet", *words, *flags]
    result = subprocess.run([str(word) for word in line], capture_output=True, text=True)
    if result.returncode != 0:
        error = RuntimeError(result.stderr.strip() or f"{case} ended with status {result.returncode}")
        error.status = result.returncode
        raise error
    return Run(directory)


class Study(Mapping):
    """Runs of one case; a mapping from a setting, or a column of the time series at its last row, to an array, an entry a run.

    Attributes:
        directory: folder of the study; names: folders of the runs in it; settings: a dictionary a run.
        statuses: exit status of each run, 0 where all is well; messages: what failed ones said, else "".
        converged: True or False for each run that looks for a steady state, else None.
    """

    def __init__(self, directory: Path, settings: list):
        self.directory, self.settings = directory, settings
        self.names = _names(settings)
        self.statuses, self.messages = [], []

    @property
    def runs(self) -> list:
        """The runs as `Run`; None where one left no folder."""
        return [Run(self.directory / name) if (self.directory / name).is_dir() else None for name in self.names]

    @property
    def converged(self) -> list:
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
        """Write `study.csv`: like series.csv names, units, then a row a run; values that a run does not have are empty."""
        rows, units = self._last_rows()
        keys = list(self.settings[0]) if self.settings else []
        path = self.directory / "study.csv"
        part = path.with_name("study.csv.part")
        with open(part, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["run", *keys, "exit_status", "converged", *units])
            file.write("# units: " + ",".join(["1"] * (len(keys) + 3) + list(units.values())) + "\n")
            for name, setting, status, converged, row in zip(self.names, self.settings, self.statuses, self.converged, rows):
                texts = [value if isinstance(value, str) else _toml(value) for value in setting.values()]
                last = (repr(row[c].item()) if c in row else "" for c in units)
                out.writerow([name, *texts, status, "" if converged is None else _toml(converged), *last])
        part.replace(path)
        return path

    def __repr__(self):
        return f"<Study {self.directory}: {len(self.names)} runs>"


def study(case, settings, *, directory, flags=(), report=None) -> Study:
    """Run a case with every combination of settings, one after the other, and write `directory/study.csv`.

    Args:
        case, flags: as of `run`.
        settings: lists of values by key, {"physics.freestream.alpha_deg": [0, 1, 2]}; or a list of dictionaries, one a run.
        directory: folder of the study. What has ended well in it is not run again.
        report: called with a line of text after each run.

    Returns:
        The `Study`. Runs that failed are in it with their status.

    Raises:
        ValueError: the case with these settings is refused (status 2), or there is nothing to vary.
        InterruptedError: a run was stopped early with a checkpoint (status 75); call again to go on.
    """
    if isinstance(settings, Mapping):
        settings = [dict(zip(settings, values)) for values in itertools.product(*settings.values())]
    if not settings or not settings[0]:
        raise ValueError("a study needs keys and values: {'physics.viscosity': [0.01, 0.02]}")
    if any(list(one) != list(settings[0]) for one in settings):
        raise ValueError("the runs of a study have the same keys in the same order")
    made = Study(Path(directory), settings)
    made.directory.mkdir(parents=True, exist_ok=True)
    for name, one in zip(made.names, settings):
        status, message = 0, ""
        try:
            run(case, one, directory=made.directory / name, flags=flags)
        except RuntimeError as error:
            status, message = error.status, str(error)
        if status == 2:
            raise ValueError(f"{name}: {message}")
        if status == 75:
            raise InterruptedError(f"{name} was stopped with a checkpoint; call the study again to go on")
        made.statuses.append(status)
        made.messages.append(message)
        made.write()
        if report is not None:
            report(f"{name}: done" if status == 0 else f"{name}: failed with status {status}: {message}")
    return made


def _program() -> str:
    found = os.environ.get("WATERSMEET_BINARY") or shutil.which("watersmeet")
    script = Path(__file__).resolve().parents[2] / "wm"
    if not found and not script.exists():
        raise FileNotFoundError("no program: set WATERSMEET_BINARY, or put `watersmeet` on the path")
    return found or str(script)


def _toml(value) -> str:
    """A value as TOML text; numpy's numbers and arrays too. JSON is the same for what a case has."""
    return json.dumps(value, default=lambda other: other.tolist())


def _names(settings: list) -> list:
    """Folders: the last parts of the keys with their values; whole keys where last parts are not alone."""
    keys = list(settings[0])
    short = {key: key.rpartition(".")[2] for key in keys}
    if len(set(short.values())) < len(keys):
        short = {key: key for key in keys}
    words = [",".join(f"{short[key]}={_toml(value)}" for key, value in one.items()) for one in settings]
    words = [re.sub(r"[\[\]\"]", "", word.replace(", ", "x")) for word in words]
    names = [re.sub(r"[^\w.,=+-]+", "_", word) for word in words]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two runs of the study would have the folder {twice}")
    return names


def _split(text: str) -> list:
    """Values between commas that stand in no bracket and no quotes."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        depth += (letter in "[{") - (letter in "]}") if not quote else 0
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def main(arguments=None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m watersmeet.study", description="Run a case with every combination of settings.",
                                     usage="%(prog)s CASE KEY=VALUE,VALUE... [--dir DIR] [-- FLAGS]",
                                     epilog="Words after -- are flags of `watersmeet run`: -- --gpus 2 --wall 4h")
    parser.add_argument("case", metavar="CASE", help="a case file or the name of an example")
    parser.add_argument("settings", metavar="KEY=VALUE,VALUE...", nargs="+", help="values of a key: physics.viscosity=0.01,0.02")
    parser.add_argument("--dir", metavar="DIR", help="folder of the study (default: NAME-study)")
    words = list(sys.argv[1:] if arguments is None else arguments)
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    settings = {}
    for word in options.settings:
        key, equals, values = word.partition("=")
        if not equals or not key or "" in _split(values):
            parser.error(f"{word!r} is not KEY=VALUE,VALUE...")
        settings[key] = [_parsed(value) for value in _split(values)]
    name = Path(options.case).stem if options.case.endswith(".toml") else options.case.rstrip("/").replace("/", "-")
    directory = options.dir or f"{name}-study"
    try:
        made = study(options.case, settings, directory=directory, flags=words[end + 1:], report=print)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except InterruptedError as error:
        print(error, file=sys.stderr)
        return 75
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    print(made.directory / "study.csv")
    return 0 if not any(made.statuses) else 1


def _parsed(text: str):
    try:
        return json.loads(text)
    except ValueError:
        return text.strip("\"'")


if __name__ == "__main__":
    sys.exit(main())
