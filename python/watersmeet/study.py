"""Runs from Python: one (`run`), or many of one case that differ in their settings (`study`), and the command

    python3 -m watersmeet.study CASE KEY=VALUE,VALUE... [KEY=...] [--dir DIR] [-- flags of watersmeet run]

which makes every combination of the values. Every run has a folder of its own, named by its settings, beside a table of them
all, `study.csv`: settings, exit status, whether a steady state was reached, and the last row of the time series. A study that is called again continues where it was.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from . import studies
from .run import Run
from .studies import toml_of, value_of


def run(case, settings=None, *, directory, flags=()) -> Run:
    """Run a case with other settings, or resume a run of that folder.

    Args:
        case: a case file, or the name of an example, "dam-break", or of one of its variants, "dam-break/dry".
        settings: keys and values, {"grid.cells": [64, 64, 64], "numerics.precision": "single"}; as `--set`.
        directory: folder of the run. Where it has a checkpoint the run resumes; what has ended is not run again.
        flags: further words of `watersmeet run`, such as ("--gpus", 2).

    Returns:
        The finished `Run`.

    Raises:
        RuntimeError: the program ended otherwise than well; `.status` is its exit status, the text what it said.
        FileNotFoundError: there is no program: neither $WATERSMEET_BINARY nor `watersmeet` on the path nor `wm` of this checkout.
    """
    words = [word for key, value in (settings or {}).items() for word in ("--set", f"{key}={toml_of(value)}")]
    line = [_program(), "run", case, "--dir", directory, "--resume=auto", "--quiet", *words, *flags]
    result = subprocess.run([str(word) for word in line], capture_output=True, text=True)
    if result.returncode != 0:
        error = RuntimeError(result.stderr.strip() or f"{case} ended with status {result.returncode}")
        error.status = result.returncode
        raise error
    return Run(directory)


class Study(studies.Study):
    """A study (`watersmeet.studies.Study`) whose runs draw themselves."""

    _run = Run


def study(case, settings, *, directory, flags=(), report=None) -> Study:
    """Run a case with every combination of settings, one after the other, and write `directory/study.csv`.

    Args:
        case, flags: as of `run`.
        settings: lists of values by key, {"physics.freestream.alpha_deg": [0, 1, 2]}; or a list of dictionaries, one per run.
        directory: folder of the study. What has ended well in it is not run again.
        report: called with a line of text after each run.

    Returns:
        The `Study`. Runs that failed are in it with their status.

    Raises:
        ValueError: the case with these settings is refused (status 2), or there is nothing to vary.
        InterruptedError: a run was stopped early with a checkpoint (status 75); call again to resume.
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
            raise InterruptedError(f"{name} was stopped with a checkpoint; call the study again to resume it")
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


def _split(text: str) -> list:
    """Values between commas that are outside of brackets and quotes."""
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
        settings[key] = [value_of(value) for value in _split(values)]
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


if __name__ == "__main__":
    sys.exit(main())
