"""What tests of whole runs share: the program, a small case, calls of it, comparison of run folders.

The program is $WATERSMEET_BINARY, else the `watersmeet` on the path; without one the tests are skipped.
"""

import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

binary = os.environ.get("WATERSMEET_BINARY") or shutil.which("watersmeet")
needs_program = pytest.mark.skipif(
    binary is None, reason="no program: set WATERSMEET_BINARY or put `watersmeet` on the path (./wm test does)"
)

# All three velocity components and the density depend on all three coordinates, so that no wrong index goes unseen.
flow = """[case]
system = "isothermal"
[grid]
cells = [12, 10, 8]
upper = [6.0, 5.0, 4.0]
[physics]
viscosity = 0.02
[time]
steps = 20
[[initial]]
density = "1 + 0.1*sin(2*pi*(x/6 + y/5))*cos(2*pi*z/4)"
velocity = ["0.3*sin(2*pi*(x/6 - z/4))", "0.2*cos(2*pi*(y/5 + x/6))", "0.1*sin(2*pi*(z/4 + y/5))"]
[output]
overview = false
"""


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "SLURM_JOB_END_TIME")}
    return {**kept, "OMP_NUM_THREADS": "1", "TERM": "xterm", **more}


def call(*words, cwd, env=None, timeout=300):
    line, variables = [binary, *map(str, words)], environment(**(env or {}))
    return subprocess.run(line, cwd=cwd, env=variables, capture_output=True, text=True, timeout=timeout)


def succeed(*words, **options):
    """call() with its options; the run must end well."""
    result = call(*words, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result


def assert_refused(place, text, words):
    """`check` refuses a case with this text, says these words, and names a line of the file."""
    (place / "case.toml").write_text(text)
    result = call("check", "case.toml", cwd=place)
    assert result.returncode == 2 and words in result.stderr and "case.toml:" in result.stderr, result.stderr


def settings(**keys):
    """--set words of section__key=value."""
    return [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


def list_of(path, *tables):
    """--set words of a list of tables, each a dict."""
    def table(keys):
        return "{" + ", ".join(f"{key}={json.dumps(value)}" for key, value in keys.items()) + "}"

    return ["--set", f"{path}=[{', '.join(map(table, tables))}]"]


def rows(path):
    return [row for row in csv.reader(path.read_text().splitlines())]


def arrays(path):
    """Every array of a checkpoint or snapshot as bytes, by name."""
    found = {}
    with h5py.File(path) as file:
        place = next(p for p in ("arrays", "VTKHDF/CellData", "VTKHDF/PointData", "blocks") if p in file)
        groups = {"": file[place]} if place != "blocks" else {f"{block}/": group for block, group in file[place].items()}
        for name, dataset in ((prefix + name, dataset) for prefix, group in groups.items() for name, dataset in group.items()):
            assert np.isfinite(dataset[()]).all(), f"{path}: {name}"
            found[name] = dataset[()].tobytes()
    assert found
    return found


def newest(folder, kind="checkpoint"):
    patterns = {"checkpoint": ["checkpoint_*.h5"], "fields": ["fields_*.vtkhdf", "fields_*.h5"]}[kind]  # .h5: of blocks
    return sorted(path for pattern in patterns for path in folder.glob(pattern))[-1]


def assert_same_end(a, b):
    """The last states of two runs are equal to the last bit, and so are their time series."""
    for kind in ("checkpoint", "fields"):
        assert newest(a, kind).name == newest(b, kind).name
        result = call("diff", newest(a, kind), newest(b, kind), cwd=a)
        assert result.returncode == 0, result.stdout
        assert arrays(newest(a, kind)) == arrays(newest(b, kind))
    assert rows(a / "series.csv") == rows(b / "series.csv")
    if (a / "spectra.csv").exists():
        assert (a / "spectra.csv").read_text() == (b / "spectra.csv").read_text()


def assert_no_part_files(folder):
    assert not list(folder.rglob("*.part*"))


def fill(disk):
    """Takes what is left of a small disk; the file to remove again is returned."""
    other = disk / "other"
    with open(other, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    return other


def process_status(pid):
    """The state and the parent of a process; nothing and 0 where there is none."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return "", 0
    return state, int(parent)


def descendants(pid):
    """All processes that this one and its own have started and that still live."""
    parents = {int(path.name): process_status(path.name)[1] for path in Path("/proc").glob("[0-9]*")}
    family = [pid]
    for member in family:
        family += [child for child, parent in parents.items() if parent == member]
    return family[1:]


class Running:
    """A run in the background, far longer than the test lets it live. Limits of time are there for one that hangs."""

    def __init__(self, *words, cwd, env=None):
        line, variables = [binary, *map(str, words)], environment(**(env or {}))
        self.process = subprocess.Popen(
            line, cwd=cwd, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def wait_for(self, condition, seconds=300):
        end = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.process.communicate()[0]
            assert time.monotonic() < end, "the run never got there"
            time.sleep(0.01)

    def wait_for_rows(self, folder, count):
        file = folder / "series.csv"
        self.wait_for(lambda: file.exists() and len(file.read_text().splitlines()) >= count)

    def kill(self):
        """Kills the run as it is, with its launcher and its ranks, and waits until none of them is left: ranks outlive their launcher by a
        moment, in which they may still remove a checkpoint that a test has seen."""
        family = descendants(self.process.pid)
        for pid in (self.process.pid, *family):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate(timeout=300)
        end = time.monotonic() + 300
        while any(process_status(pid)[0] not in ("", "Z") for pid in family):
            assert time.monotonic() < end, "a rank outlived its kill"
            time.sleep(0.01)

    def end(self, seconds=300):
        text = self.process.communicate(timeout=seconds)[0]
        return self.process.returncode, text

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.kill()
