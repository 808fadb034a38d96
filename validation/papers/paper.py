#!/usr/bin/env python3
"""Makes the results of a paper's own cases, in pieces that can be stopped and continued.

    python3 validation/papers/paper.py NAME --program PROGRAM --out DIR [--seconds N] [--device cpu] [--small] [--list] [PIECE...]

NAME is a folder beside this file; its pieces.py lists the pieces and makes the tables. A piece writes DIR/results/PIECE.json: numbers,
commit, device, date and the commands of the program. Called again with the same DIR it goes on: runs from their checkpoints, benchmarks
from their begin. A piece is made again where its result is of another commit. Pictures go to DIR/figures, runs to --work, DIR/work when not
given, and are removed when their piece is done. --seconds: of this call, 550 when not given. --gpus: how many of this host each run takes, 1
when not given; benchmarks say themselves. --small: coarse grids and short runs, which the tests use; their numbers are not those of the page. The tables of what there is are printed last.
The exit status is 0 when all pieces are done, 75 when there is more to do, 1 when a piece failed.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "python"), str(HERE)]

import watersmeet
from watersmeet.studies import toml_of


class Stopped(Exception):
    """The time of this call is over; the piece goes on with the next one."""


class Failed(Exception):
    """The program ended otherwise than well."""


@dataclasses.dataclass
class Piece:
    """One part of the work on a paper.

    make(machine) returns the numbers of the result, a dictionary that JSON can hold; about says in a few words what they are.
    seconds: on one NVIDIA H100, measured or estimated. device: "any", or "gpu" where a CPU would take hours. gpus: how many it needs.
    asked: only made where it is named, as it takes hours or more memory than most cards have. timed: its numbers are times, so that nothing else may
    run on the host meanwhile. system: whose kernels it runs; SYSTEM of pieces.py when empty.
    """

    name: str
    make: Callable
    about: str
    seconds: int
    device: str = "any"
    gpus: int = 1
    asked: bool = False
    timed: bool = False
    system: str = ""


@dataclasses.dataclass
class Table:
    """A table of the page: rows of texts below the words of head. It stands between <!-- table NAME --> and <!-- end -->."""

    name: str
    head: list
    rows: list

    def markdown(self) -> str:
        lines = [f"| {' | '.join(row)} |" for row in (self.head, ["---"] * len(self.head), *self.rows)]
        return "\n".join(lines)

    def text(self) -> str:
        cells = [self.head, *self.rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.head))]
        return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in cells)


class Machine:
    """What a piece may use: the program, its device, the size, and what is left of the time of this call."""

    def __init__(self, program, device, small, seconds, work, figures, gpus_of_run=1):
        self.program, self.device, self.small, self.work, self.figures = str(program), device, small, Path(work), Path(figures)
        self.gpus_of_run = gpus_of_run
        self.whole = seconds
        self.deadline = time.monotonic() + seconds
        version = subprocess.run([self.program, "--version"], capture_output=True, text=True)
        if version.returncode != 0:
            raise OSError(f"the program does not start: {self.program}: {version.stderr.strip()}")
        found = re.search(r"\(commit (\w+)( with local changes)?", version.stdout)
        self.commit = "".join(word or "" for word in found.groups()) if found else "unknown"
        self.card = "CPU"
        if device == "gpu":
            asked = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
            names = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines() if shutil.which(asked[0]) else []
            if not names:
                raise OSError("no GPU: nvidia-smi names none or is missing; say --device cpu")
            self.card, self.gpus = names[0].strip(), len(names)
            if gpus_of_run > self.gpus:
                raise OSError(f"--gpus {gpus_of_run}: this host has {self.gpus}")
            if gpus_of_run > 1:
                self.card = f"{gpus_of_run} x {self.card}"
        elif gpus_of_run > 1:
            raise OSError("--gpus needs --device gpu")
        else:
            self.gpus = 0
            threads = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))
            self.card = f"CPU, {threads} thread{'s' if threads > 1 else ''}"
        self.commands = []
        self.runs = 0  # of the present piece

    def left(self) -> float:
        return self.deadline - time.monotonic()

    def _call(self, words, seconds):
        self.commands.append("watersmeet " + shlex.join(str(word) for word in words).replace(f"{ROOT}/", "").replace(f"{self.work}/", ""))
        return subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, timeout=max(seconds, 1), cwd=self.work)

    def _where(self, flags, device):
        if "--gpus" in flags:
            return []
        if self.gpus_of_run > 1 and device in (None, "gpu"):
            return ["--gpus", self.gpus_of_run]
        return ["--device", device or self.device]

    def _ended(self, result, folder, may_fail):
        if result.returncode == 75:
            raise Stopped
        if result.returncode != 0 and not (may_fail and result.returncode == 4):
            raise Failed(f"{folder.name} ended with status {result.returncode}: {result.stderr.strip()[-1500:]}")
        (folder / "ended").touch()  # a failed run would otherwise go on from a checkpoint before its failure
        return watersmeet.open(folder)

    def run(self, name, case, settings=None, flags=(), device=None, may_fail=False):
        """Runs a case file, or resumes it where it was stopped; returns the finished run. settings as in watersmeet.run.

        may_fail: a run that ends by a numerical failure is returned too; `.info` has its exit status, 4.
        """
        folder = self.work / name
        if (folder / "ended").exists():
            return watersmeet.open(folder)
        if self.left() < 15:
            raise Stopped
        sets = [word for key, value in {"output.overview": False, **(settings or {})}.items() for word in ("--set", f"{key}={toml_of(value)}")]
        words = ["run", case, "--dir", folder, "--resume=auto", "--quiet", *self._where(flags, device), "--wall", int(self.left() - 8), *sets, *flags]
        return self._ended(self._call(words, self.left() + 30), folder, may_fail)

    def go_on(self, source, name, settings, flags=(), device=None, may_fail=False):
        """Continues a finished run in a folder of its own with other settings; returns that run. Its folder has the series from the begin and new snapshots."""
        folder = self.work / name
        if (folder / "ended").exists():
            return watersmeet.open(folder)
        if self.left() < 15:
            raise Stopped
        if not (folder / "begun").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            checkpoint = sorted(source.glob("checkpoint_*.h5"))[-1]
            os.link(checkpoint, folder / checkpoint.name)  # large, and never written again
            for file in source.iterdir():
                if file.suffix in (".toml", ".json", ".jsonl", ".csv", ".txt") or file.name in ("series.h5", "mesh.h5"):
                    shutil.copy(file, folder)
            (folder / "begun").touch()
        sets = [word for key, value in {"output.overview": False, **settings}.items() for word in ("--set", f"{key}={toml_of(value)}")]
        words = ["resume", folder, "--quiet", *self._where(flags, device), "--wall", int(self.left() - 8), *sets, *flags]
        return self._ended(self._call(words, self.left() + 30), folder, may_fail)

    def bench(self, system, *words, seconds=60, device=None):
        """The document that `watersmeet bench` writes. seconds: what it takes at most."""
        if self.left() < seconds and self.left() < self.whole - 30:
            raise Stopped
        self.work.mkdir(parents=True, exist_ok=True)
        file = self.work / "bench.json"
        try:
            result = self._call(["bench", system, "--quiet", "--device", device or self.device, *words, "--output", file], max(self.left(), 5))
        except subprocess.TimeoutExpired:
            raise Failed(f"bench {system} took longer than {self.left():.0f} s") from None
        if result.returncode != 0:
            raise Failed(f"bench {system}: {result.stderr.strip()[-1500:]}")
        return json.loads(file.read_text(encoding="utf-8"))

    def keep(self, picture, name):
        """A picture that a run has drawn, as a figure of the page."""
        self.figures.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, self.figures / name)

    def forget(self, name):
        """Removes a run. A piece that is continued makes it again: only for short ones."""
        shutil.rmtree(self.work / name, ignore_errors=True)

    def shrink(self, name):
        """Removes the fields of a finished run, which are large; it still counts as made."""
        for pattern in ("checkpoint_*.h5", "fields_*"):
            for file in (self.work / name).glob(pattern):
                file.unlink()


@contextlib.contextmanager
def drawn(path, rows=1, columns=1, size=(6, 4), **words):
    """Figure and axes to draw on, written to `path` afterwards."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", **words)
    yield figure, axes
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def speed(run, first=0) -> dict:
    """Seconds per step of a run after step `first`, from its telemetry (output.report_every_steps): the median of its rows, and their number."""
    points, found = 0, []
    for line in (run.path / "telemetry.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "header" in row:
            points = row["header"]["points"]
        elif row["step"] > first:
            found.append(1e-9 * row["grind_ns"] * points)
    if not found:
        raise Failed(f"{run.path.name} has no row of telemetry after step {first}")
    return {"seconds_per_step": sorted(found)[len(found) // 2], "rows": len(found)}


def module_of(file, name):
    """A Python file as a module."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def judged(example, run) -> dict:
    """The numbers that check.py of an example prints of a run, by their names, and `failed`, the names of those that do not hold."""
    check = module_of(ROOT / "examples" / example / "check.py", f"check_{example.replace('-', '_')}")
    numbers, failed = {}, []

    class Recorded(check.Checks):
        def _line(self, name, value, expectation, held):
            numbers[name] = float(value)
            if not held:
                failed.append(name)
            return held

        def note(self, name, value):
            numbers[name] = float(value)

    check.Checks = Recorded
    check.run_check(run.path)
    return {**numbers, "failed": failed}


def load(name):
    """The module pieces.py of a paper."""
    file = HERE / name / "pieces.py"
    if not file.is_file():
        known = ", ".join(sorted(path.parent.name for path in HERE.glob("*/pieces.py")))
        raise ValueError(f"no paper {name!r}; there are {known}")
    return module_of(file, f"pieces_{name.replace('-', '_')}")


def results_in(folder) -> dict:
    """The results of a folder by piece: the document of each."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("*.json"))}


def values(results) -> dict:
    """The numbers alone."""
    return {name: document["values"] for name, document in results.items()}


def state(document, commit) -> str:
    if document is None or document["commit"] != commit:
        return "open"
    return "failed" if "failed" in document else "done"


def write(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def attempt(piece, system, machine, folder) -> str:
    """done, failed or stopped."""
    machine.commands, begun = [], time.monotonic()
    machine.work.mkdir(parents=True, exist_ok=True)
    document = {"piece": piece.name, "about": piece.about, "system": piece.system or system, "commit": machine.commit, "device": machine.card,
                "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}
    try:
        made = piece.make(machine)
    except (Stopped, subprocess.TimeoutExpired):
        return "stopped"
    except Exception as error:  # one piece that fails must not keep the others from being made
        text = str(error) if isinstance(error, Failed) else traceback.format_exc()
        write(folder / "failed" / f"{piece.name}.json", {**document, "failed": text, "commands": machine.commands})
        print(f"{piece.name}: FAILED: {text}", flush=True)
        return "failed"
    commands = list(dict.fromkeys(re.sub(r" --wall \d+| --resume=auto| --quiet| --dir \S+", "", command) for command in machine.commands))
    write(folder / "results" / f"{piece.name}.json",
          {**document, **({"small": True} if machine.small else {}), "values": made, "commands": commands})
    print(f"{piece.name}: done in {time.monotonic() - begun:.0f} s", flush=True)
    return "done"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description="Makes the results of a paper's own cases.")
    parser.add_argument("name", metavar="NAME", help="a folder of validation/papers")
    parser.add_argument("--program", required=True, help="the program")
    parser.add_argument("--out", required=True, type=Path, help="folder of the results")
    parser.add_argument("--work", type=Path, help="folder of the runs, in a folder NAME there; OUT/work when not given")
    parser.add_argument("--seconds", type=float, default=550, help="of this call")
    parser.add_argument("--device", choices=("gpu", "cpu"), default="gpu")
    parser.add_argument("--gpus", type=int, default=1, help="of this host, that each run takes")
    parser.add_argument("--small", action="store_true", help="coarse grids, for tests")
    parser.add_argument("--untimed", action="store_true", help="only pieces that measure no times; something else may run on the host")
    parser.add_argument("--list", action="store_true", help="print the pieces with their states and make none")
    parser.add_argument("pieces", metavar="PIECE", nargs="*", help="only these; made again where they failed. A * at the end stands for anything")
    given = parser.parse_intermixed_args(arguments)
    try:
        module = load(given.name)
        out = given.out.resolve()
        work = (given.work / given.name if given.work else out / "work").resolve()
        machine = Machine(Path(given.program).resolve(), given.device, given.small, given.seconds, work, out / "figures", given.gpus)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    pieces = module.pieces(given.small)
    if given.pieces:
        chosen = [piece for piece in pieces if any(re.fullmatch(re.escape(word).replace(r"\*", ".*"), piece.name) for word in given.pieces)]
        if not chosen:
            print(f"error: no piece is called {' '.join(given.pieces)}; there are {', '.join(piece.name for piece in pieces)}", file=sys.stderr)
            return 2
        pieces = chosen
    elif not given.list:
        pieces = [piece for piece in pieces if not piece.asked]
    known = {**results_in(out / "failed"), **results_in(out / "results")}
    lacking = {piece.name for piece in pieces if (piece.device == "gpu" and not machine.gpus) or (machine.gpus and piece.gpus > machine.gpus)}
    states = {piece.name: "lacking" if piece.name in lacking else state(known.get(piece.name), machine.commit) for piece in pieces}
    if given.pieces:
        states = {name: "open" if word == "failed" else word for name, word in states.items()}
    if given.list:
        for piece in pieces:
            print(f"{piece.name:32} {states[piece.name]:8} {piece.seconds:5d} s  {piece.about}")
        return 0
    for piece in pieces:
        if states[piece.name] != "open" or given.untimed and piece.timed:
            continue
        if machine.left() < 15:
            break
        kept = work / f"{piece.name}.commit"  # runs of another commit or size are of no use
        mark = f"{machine.commit} {machine.device} {'small' if machine.small else 'full'}"
        if kept.exists() and kept.read_text() != mark:
            shutil.rmtree(work / piece.name, ignore_errors=True)
        machine.work = work / piece.name
        machine.work.mkdir(parents=True, exist_ok=True)
        kept.write_text(mark)
        word = attempt(piece, module.SYSTEM, machine, out)
        states[piece.name] = "open" if word == "stopped" else word
        if word == "stopped":
            print(f"{piece.name}: to be continued", flush=True)
        else:
            shutil.rmtree(work / piece.name, ignore_errors=True)
            kept.unlink(missing_ok=True)
    found = values(results_in(out / "results"))
    module.figures(found, out / "figures")
    for table in module.tables(found):
        if table.rows:
            print(f"\n{table.name}\n{table.text()}")
    count = {word: sum(state == word for state in states.values()) for word in ("done", "failed", "open", "lacking")}
    print(f"\n{given.name}: {count['done']} done, {count['failed']} failed, {count['open']} open, {count['lacking']} need more GPUs")
    return 1 if count["failed"] else 75 if count["open"] else 0


if __name__ == "__main__":
    import paper  # the module that pieces.py imports, so that there is one class Failed

    sys.exit(paper.main())
