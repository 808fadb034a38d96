"""How far a run is: its state, the end it goes to, the time that is left, from the files of its folder; needs numpy alone.

A `Follower` reads what was added to the growing files since it looked last, so that a look at a run of many hours costs little.
"""

from __future__ import annotations

import json
import math
import os
import re
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .tables import Table, _newest

most_rows = 20000  # of a followed series; beyond, every other one of the older half is dropped


@dataclass(frozen=True)
class Progress:
    """A run at one moment. Numbers that are not known are nan, texts are empty then.

    Attributes:
        state: "running", "starting", "finished", "converged", "not converged", "suspended" (it stopped with a checkpoint),
            "paused" (its process is stopped), "failed", "killed" (it ended without a record of its end), or "unknown".
        detail: what there is to say of the state, such as the exit status or the command that resumes the run.
        exit_status: of the last launch, None while it runs and where it was killed.
        step: steps done; t, dt: time and time step, in units of time (of a steady run cycles).
        end_t, end_step: where the case ends.
        done: the part that is done, 0 to 1.
        wall, left: seconds since the last launch began, and until the end at its speed so far.
        grind_ns: nanoseconds a point and step; io_s: seconds of `wall` in output; age: seconds since the last report.
        launches, ranks: numbers; devices, system, name: texts.
    """

    state: str = "unknown"
    detail: str = ""
    exit_status: int | None = None
    step: int = 0
    t: float = math.nan
    dt: float = math.nan
    end_t: float = math.nan
    end_step: float = math.nan
    done: float = math.nan
    wall: float = math.nan
    left: float = math.nan
    grind_ns: float = math.nan
    io_s: float = math.nan
    age: float = math.nan
    launches: int = 0
    ranks: int = 0
    devices: tuple = ()
    system: str = ""
    name: str = ""
    log: tuple = field(default=())

    @property
    def ended(self) -> bool:
        """Whether nothing writes into the folder any more."""
        return self.state not in ("running", "starting", "paused", "unknown")

    def as_dict(self) -> dict:
        """The attributes for JSON: None for what is not known."""
        return {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in vars(self).items()}


class GrowingFile:
    """A text file that grows by whole lines.

    Attributes:
        path: the file; anew: whether the last look began at the start of the file: the first one, and where the file was replaced or cut.
    """

    def __init__(self, path: Path):
        self.path, self.anew, self._changed = path, True, math.nan
        self._offset, self._last, self._inode = 0, b"", None

    def new_lines(self) -> list:
        """The complete lines since the last look; none where there is no file (yet)."""
        self.anew = False
        try:
            with open(self.path, "rb") as file:
                status = os.fstat(file.fileno())
                file.seek(max(self._offset - len(self._last), 0))
                same = status.st_ino == self._inode and file.read(len(self._last)) == self._last
                if not same:
                    self.anew, self._offset = True, 0
                    file.seek(0)
                text = file.read()
        except FileNotFoundError:
            self._offset, self._last, self._inode = 0, b"", None
            return []
        complete = text[: text.rfind(b"\n") + 1]
        self._inode, self._changed = status.st_ino, status.st_mtime
        self._offset += len(complete)
        if complete or self.anew:
            self._last = complete[complete.rfind(b"\n", 0, -1) + 1:]
        return complete.decode("utf-8", "replace").splitlines()

    @property
    def age(self) -> float:
        """Seconds since the file last changed, as of the last look; nan where there was none."""
        return max(time.time() - self._changed, 0.0)


class Follower:
    """What watches a run: `progress()` and `series()` read what is new.

    Args:
        run: a `Run` of `watersmeet.results`.

    >>> import watersmeet
    >>> from watersmeet.progress import Follower
    >>> now = Follower(watersmeet.open("runs/forced-turbulence-001")).progress()
    >>> now.state, now.launches
    ('finished', 1)
    """

    def __init__(self, run):
        self.run = run
        self._telemetry = GrowingFile(run.path / "telemetry.jsonl")
        self._table = GrowingFile(run.path / "series.csv")
        self._reports = []  # (step, t, wall) of the launches
        self._report = {}
        self._names, self._units, self._rows = [], {}, np.empty((0, 0))

    def _read_reports(self):
        lines = self._telemetry.new_lines()
        if self._telemetry.anew:
            self._reports, self._report = [], {}
        for line in lines:
            try:
                report = json.loads(line)
            except ValueError:
                continue  # half a line that a kill left, with the next launch's first behind it
            if isinstance(report.get("step"), int):
                self._report = report
                self._reports.append((report["step"], _real(report.get("t")), _real(report.get("wall"))))

    def series(self) -> Table | None:
        """The time series as a `Table` of at most `most_rows` rows, the last ones complete; None where there is none (yet).

        Raises:
            ValueError: a line is not a row of the table.
        """
        lines = self._table.new_lines()
        if self._table.anew:
            self._names, self._units, self._rows = [], {}, np.empty((0, 0))
        fresh = []
        for line in lines:
            if not self._names:
                self._names = [name.strip() for name in line.split(",")]
                self._rows = np.empty((0, len(self._names)))
            elif line.startswith("#"):
                label, _, rest = line.lstrip("# ").partition(":")
                if label.strip() == "units":
                    self._units = dict(zip(self._names, (unit.strip() for unit in rest.split(","))))
            elif line.strip():
                fresh.append(line)
        if not self._names:
            return None
        for begin in range(0, len(fresh), most_rows):
            self._add(fresh[begin : begin + most_rows])
        columns = {name: self._rows[:, i] for i, name in enumerate(self._names)}
        if "step" in columns:
            columns["step"] = columns["step"].astype(np.int64)
        return Table(columns, {name: self._units.get(name, "1") for name in self._names}, self._table.path)

    def _add(self, lines: list):
        """Rows of the series, as texts."""
        try:
            fresh = np.loadtxt(lines, delimiter=",", ndmin=2)
        except ValueError:
            fresh = np.empty((0, 0))
        if fresh.shape != (len(lines), len(self._names)):
            bad = next((line for line in lines if line.count(",") + 1 != len(self._names) or not _are_numbers(line)), lines[0])
            raise ValueError(f"{self._table.path}: not a row of {len(self._names)} numbers: {bad[:60]!r}")
        rows = np.concatenate([self._rows, fresh])
        if "step" in self._names:
            rows = rows[_newest(rows[:, self._names.index("step")])]
        while len(rows) > most_rows:
            half = len(rows) // 2
            rows = np.concatenate([rows[:half:2], rows[half:]])
        self._rows = rows

    def progress(self) -> Progress:
        """How far the run is now. Files that are missing leave what they would say unknown; nothing is raised for them."""
        self._read_reports()
        run = self.run
        info = _info(run)
        launch = {**info, **(info.get("restarts") or [{}])[-1]}
        state, detail = _state(run.path, launch)
        end_t, end_step, drop = _goal(run)
        now = {"state": state, "detail": detail, "exit_status": launch.get("exit_status"), "end_t": end_t, "end_step": end_step,
               "launches": len(info.get("restarts") or []) + 1 if info else 0, "ranks": int(launch.get("ranks") or 0),
               "devices": tuple(launch.get("devices") or ()), "system": str(launch.get("system") or ""), "name": _name(run),
               "log": _last_words(run.path / "log.txt") if state in ("failed", "killed") else ()}
        if self._reports:
            report = self._report
            now |= {key: _real(report.get(key)) for key in ("t", "dt", "wall", "grind_ns", "io_s")}
            now["step"] = report["step"]
            now["age"] = self._telemetry.age
            now["done"] = _part(now["step"], now["t"], end_step, end_t)
            fallen = _real(report.get("log_residual"))
            if drop < 0 and math.isfinite(fallen):
                now["done"] = min(1.0, max(_or(now["done"], 0.0), fallen / drop))
            if state in ("finished", "converged"):
                now["done"], now["left"] = 1.0, 0.0
            else:
                now["left"] = self._left(int(launch.get("first_step") or 0), end_step, end_t)
                if state == "running" and math.isfinite(now["left"]):
                    now["left"] = max(now["left"] - _or(now["age"], 0.0), 0.0)
        return Progress(**now)

    def _left(self, first_step: int, end_step: float, end_t: float) -> float:
        """Seconds until the end at the speed of the last launch: the run's own estimate."""
        begin = len(self._reports) - 1
        while begin > 0 and first_step < self._reports[begin - 1][0] < self._reports[begin][0] \
                and self._reports[begin - 1][2] <= self._reports[begin][2]:
            begin -= 1
        step, t, wall = self._reports[-1]
        before = self._reports[begin - 1] if begin > 0 else (0, 0.0, 0.0)  # the launch began where the one before ended
        from_step, from_t, from_wall = (before[0], before[1], 0.0) if len(self._reports) - begin == 1 else self._reports[begin]
        seconds = wall - from_wall
        lefts = [seconds * (end_t - t) / (t - from_t)] if t > from_t else []
        lefts += [seconds * (end_step - step) / (step - from_step)] if step > from_step else []
        lefts = [max(left, 0.0) for left in lefts if math.isfinite(left)]
        return min(lefts) if lefts else math.nan


def _are_numbers(line: str) -> bool:
    try:
        [float(cell) for cell in line.split(",")]
    except ValueError:
        return False
    return True


def _real(value) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan


def _or(value: float, otherwise: float) -> float:
    return value if math.isfinite(value) else otherwise


def _part(step: int, t: float, end_step: float, end_t: float) -> float:
    parts = [part for part in (step / end_step if end_step > 0 else math.nan, t / end_t if end_t > 0 else math.nan)
             if math.isfinite(part)]
    return min(max(parts), 1.0) if parts else math.nan


def _info(run) -> dict:
    try:
        return run.info
    except ValueError:
        return {}  # no JSON: not a file of the program


def _name(run) -> str:
    try:
        return str(run.setting("case.name", "") or run.path.resolve().name)
    except (ImportError, ValueError):
        return run.path.resolve().name


def _goal(run) -> tuple:
    """End time, last step and log10 of the drop of the residual that ends a steady run; nan where there is none."""
    try:
        settings = run.setting("time", {})
    except (ImportError, ValueError):
        return math.nan, math.nan, math.nan
    steady = settings.get("mode") == "steady"
    end = settings.get("end", math.nan)
    if isinstance(end, str):  # an expression, or a number with its unit: its value is in the comment behind it
        path = run.path / "resolved.toml"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        found = re.search(r"^\[time\]\n(?:(?!\[).*\n)*?end = .*; = (\S+)$", text, re.MULTILINE)
        end = float(found[1]) if found else math.nan
    drop = settings.get("residual_drop", math.nan) if steady else math.nan
    steps = settings.get("steps_max" if steady else "steps", math.nan)
    return (math.nan if steady else _real(end)), _real(steps), math.log10(drop) if _real(drop) > 0 else math.nan


def _holder(path: Path) -> tuple:
    """Host and process that write into the folder; ("", 0) where none does."""
    try:
        words = (path / "run.lock").read_text(encoding="utf-8", errors="replace").split()
        return words[1], int(words[3])
    except (OSError, IndexError, ValueError):
        return "", 0


def _process_state(process: int) -> str:
    """"alive", "stopped" or "gone" of a process of this host."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return "gone"
    except PermissionError:
        pass
    try:
        letter = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "alive"
    return {"T": "stopped", "t": "stopped", "Z": "gone"}.get(letter, "alive")


def _state(path: Path, launch: dict) -> tuple:
    host, process = _holder(path)
    here = bool(host) and host == socket.gethostname()
    holder = _process_state(process) if here else ""
    if not launch:
        return ("starting", "") if holder == "alive" else ("unknown", "there is no run.json yet")
    if launch.get("end") is None:
        if not host:
            return "killed", f"no process writes into the folder; resume it with: watersmeet resume {path}"
        if not here:
            return "running", f"on {host}"
        if holder == "gone":
            return "killed", f"process {process} has gone; resume it with: watersmeet resume {path}"
        if holder == "stopped":
            return "paused", f"process {process} is stopped; continue it with: kill -CONT {process}"
        return "running", ""
    if holder == "alive":
        return "starting", "another launch on this folder begins"
    status = launch.get("exit_status")
    if status == 0:
        return {True: ("converged", ""), False: ("not converged", "all its cycles are done")}.get(launch.get("converged"), ("finished", ""))
    if status == 75:
        return "suspended", f"it stopped with a checkpoint; resume it with: watersmeet resume {path}"
    return "failed", f"exit status {status}"


def _last_words(path: Path, lines: int = 4) -> tuple:
    """The last lines of the log, without the time of day."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - 8192, 0))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ()
    words = (re.sub(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  ?", "", line).rstrip() for line in text.splitlines())
    return tuple([line for line in words if line][-lines:])
