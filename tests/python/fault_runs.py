"""Runs in which the machine fails: one call that changes a file fails, the process is killed, memory ends; and what must hold afterwards.

tests/faults/interpose.c says what can fail. A run changes files a known number of times; each trial makes the run in which one of these
calls fails, judges what it left, resumes it and compares with the run without faults, bit for bit. It returns sentences about what is wrong:
none, when the promises hold. test_faults.py makes some of the trials on every change, tools/trials.py all of them.
"""

import contextlib
import errno
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from runs import arrays, binary, environment, rows

source = Path(__file__).resolve().parents[1] / "faults" / "interpose.c"

# Output, checkpoints and series often, so that six steps write each kind of file several times.
case = """[case]
system = "isothermal"
[grid]
cells = [12, 10, 8]
upper = [6.0, 5.0, 4.0]
[physics]
viscosity = 0.02
[time]
steps = 6
[[initial]]
density = "1 + 0.1*sin(2*pi*(x/6 + y/5))*cos(2*pi*z/4)"
velocity = ["0.3*sin(2*pi*(x/6 - z/4))", "0.2*cos(2*pi*(y/5 + x/6))", "0.1*sin(2*pi*(z/4 + y/5))"]
[output]
overview = false
every_steps = 3
checkpoint_every_steps = 2
series_every_steps = 1
"""


@dataclass(frozen=True)
class Kind:
    calls: str  # that may fail, as FAULT_CALLS
    error: str  # as FAULT_ERROR
    lasts: bool = False
    tolerated: bool = False  # the run continues as if nothing had happened
    reason: str = ""  # that the message gives


def failing(calls, number, **more):
    return Kind(calls, str(number), reason=os.strerror(number), **more)


changing = "write,open,reserve,truncate,folder,rename,link"
kinds = {
    "full disk": failing(changing, errno.ENOSPC, lasts=True),
    "no space once": failing(changing, errno.ENOSPC),
    "input/output error": failing("write", errno.EIO),
    "short write": Kind("write", "short", tolerated=True),
    "interrupted call": failing("write,open,flush,reserve,truncate,close", errno.EINTR, tolerated=True),
    "failed fsync": failing("flush", errno.EIO),
    "failed rename": failing("rename", errno.EACCES),
    "failed close": failing("close", errno.EIO),
    "killed before a call": Kind("", "kill"),
    "killed in a write": Kind("write", "torn"),
}  # fmt: skip


def interposer(folder):
    library = folder / "interpose.so"
    line = ["cc", "-std=c11", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source]
    subprocess.run(line, check=True, capture_output=True, text=True)
    return library


class Trials:
    """A case in a folder of its own, the run of it without faults, and runs with them."""

    def __init__(self, place, text=case, words=()):
        self.place = place.resolve()
        self.words = tuple(words)
        self.place.mkdir(parents=True, exist_ok=True)
        (self.place / "case.toml").write_text(text)
        self.reference = self.place / "reference"
        begin = time.monotonic()
        result = self.run(self.reference)
        assert result.returncode == 0, result.stdout + result.stderr
        self.seconds = time.monotonic() - begin

    def line(self, folder):
        return [binary, "run", "case.toml", "--dir", str(folder), "--resume=auto", *self.words]

    def run(self, folder, **more):
        variables = environment(**more)
        return subprocess.run(self.line(folder), cwd=self.place, env=variables, capture_output=True, text=True, timeout=300)

    def resumed(self, folder):
        """What is wrong with the files of a run that was cut short, and with them once it has been resumed."""
        wrong = self.wrong_with_files(folder)
        again = self.run(folder)
        if again.returncode != 0:
            return wrong + [f"the resumed run ends with {again.returncode}: {again.stderr.strip()}"]
        wrong += self.wrong_with_end_state(folder)
        if not wrong:
            shutil.rmtree(folder)
        return wrong

    def wrong_with_files(self, folder):
        """Files that bear the name of a finished one and are not what the run without faults wrote."""
        wrong = []
        for path in sorted(folder.glob("*")) if folder.exists() else []:
            expected = self.reference / path.name
            try:
                if path.suffix in (".h5", ".vtkhdf") and path.name.startswith(("checkpoint", "fields")):
                    if expected.exists() and arrays(path) != arrays(expected):
                        wrong.append(f"{path.name} differs")
                elif path.name == "series.csv":
                    text = path.read_text()
                    if not expected.read_text().startswith(text[: text.rfind("\n") + 1]):
                        wrong.append("series.csv is no beginning of the other one")
                elif path.name == "run.json":
                    json.loads(path.read_text())
                elif path.name in ("case.toml", "resolved.toml") and path.read_text() != expected.read_text():
                    wrong.append(f"{path.name} is not whole")
            except (OSError, AssertionError, StopIteration, ValueError, KeyError) as error:
                wrong.append(f"{path.name} cannot be read: {error}")
        return wrong

    def wrong_with_end_state(self, folder):
        wrong = self.wrong_with_files(folder)
        there = {path.name for path in folder.glob("*") if path.suffix != ".old"}
        last = sorted(self.reference.glob("checkpoint_*"))[-1]  # of earlier ones as many are kept as there were
        wanted = {path.name for path in self.reference.glob("*") if path == last or not path.name.startswith("checkpoint_")}
        if missing := wanted - there:
            wrong.append(f"missing: {sorted(missing)}")
        if left := sorted(name for name in there if name.endswith(".part")):
            wrong.append(f"left over: {left}")
        if (folder / "series.csv").exists() and rows(folder / "series.csv") != rows(self.reference / "series.csv"):
            wrong.append("series.csv differs")
        return wrong


class Calls(Trials):
    """Runs in which one call fails."""

    def __init__(self, place):
        super().__init__(place)
        self.library, log = interposer(self.place), self.place / "calls"
        result = self.run(self.place / "counted", **self.faults(self.place / "counted", FAULT_LOG=str(log)))
        assert result.returncode == 0, result.stderr
        self.calls = [line.split(" ", 1)[0] for line in log.read_text().splitlines()]
        assert len(self.calls) > 100, "the library counts no calls"

    def faults(self, folder, **more):
        return {"FAULT_FOLDER": str(folder), "LD_PRELOAD": str(self.library), **more}

    def number(self, name):
        """How many calls can fail in this way."""
        calls = kinds[name].calls
        return sum(1 for call in self.calls if not calls or call in calls.split(","))

    def attempt(self, name, at):
        """What is wrong with a run whose call number `at` fails."""
        kind = kinds[name]
        folder = self.place / f"{re.sub('[^a-z]', '-', name)}-{at}"
        more = {"FAULT_CALLS": kind.calls, "FAULT_AT": str(at), "FAULT_ERROR": kind.error, "FAULT_LASTS": "1" if kind.lasts else "0"}
        result = self.run(folder, **self.faults(folder, **more))
        return [f"{name}, call {at} of {self.number(name)}: {what}" for what in wrong_with_end(kind, result) + self.resumed(folder)]


class Kills(Trials):
    """Runs that are killed at random instants, with all their ranks, until one comes to its end."""

    text = case.replace("steps = 6", "steps = 60").replace("every_steps = 3", "every_steps = 5").replace("every_steps = 2", "every_steps = 4")

    def __init__(self, place, ranks=1, seed=1):
        super().__init__(place, self.text, ["--ranks", ranks] if ranks > 1 else [])
        self.random = random.Random(seed)

    def line(self, folder):
        return list(map(str, super().line(folder)))

    def attempt(self, number):
        """Kills the run once, and the run that resumes it once more."""
        folder = self.place / f"kill-{number}"
        for _ in range(2):
            wait = self.random.uniform(0, self.seconds)
            process = subprocess.Popen(self.line(folder), cwd=self.place, env=environment(), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
            time.sleep(wait)
            end_session(process)
        return [f"kill {number}: {what}" for what in self.resumed(folder)]


def end_session(process):
    """SIGKILL for a process and all that it started, and a wait until none of them lives: ranks are in groups of their own, and outlive
    their launcher by a moment."""
    while members := [int(path.name) for path in Path("/proc").glob("[0-9]*") if lives_in_session(path, process.pid)]:
        for member in members:
            try:
                os.kill(member, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.poll()
        time.sleep(0.002)
    process.wait()


def lives_in_session(path, leader):
    try:
        state, _parent, _group, session = (path / "stat").read_text().rsplit(")", 1)[1].split()[:4]
    except (OSError, ValueError):
        return False
    return int(session) == leader and state not in "ZX"


def memory_limit(megabytes):
    """For preexec_fn: all of the process's memory."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


@contextlib.contextmanager
def memory_group(megabytes):
    """A control group with this much memory, as batch systems and containers limit it: for preexec_fn, join() of it. None where none can be made."""
    mine = {line.split(":")[1]: line.rstrip("\n").split(":", 2)[2] for line in open("/proc/self/cgroup")}
    first = "memory" in mine
    group = Path(f"/sys/fs/cgroup/memory{mine['memory']}" if first else f"/sys/fs/cgroup{mine.get('', '')}") / f"watersmeet-{os.getpid()}"
    try:
        group.mkdir()
        (group / ("memory.limit_in_bytes" if first else "memory.max")).write_text(str(megabytes << 20))
    except OSError:
        if group.exists():
            group.rmdir()
        yield None
        return
    try:
        yield lambda: (group / "cgroup.procs").write_text(str(os.getpid()))
    finally:
        end = time.monotonic() + 60
        while group.exists() and time.monotonic() < end:  # members leave it a moment after their end
            try:
                group.rmdir()
            except OSError:
                time.sleep(0.01)


def wrong_with_end(kind, result):
    """The exit status and the message of a run that met a fault of this kind."""
    text = result.stdout + result.stderr
    wrong = [f"the output has {word}" for word in ("HDF5-DIAG", "terminate called", "Traceback", "#000") if word in text]
    if kind.error in ("kill", "torn"):
        # Progress lines depend on the time, so that a run may end some calls before the last one that was counted.
        return wrong + ([] if result.returncode in (-9, 0) else [f"ends with {result.returncode} instead of a kill"])
    lines = result.stderr.strip().splitlines()
    # A log that cannot be written ends no run, and is said once.
    if lines and "log.txt cannot be written any more: " in lines[0] and lines[0].endswith("; the run continues without it"):
        if kind.reason not in lines.pop(0):
            wrong.append(f"the message does not give the reason: {result.stderr.strip()!r}")
    if result.returncode == 0:
        return wrong + ([f"an error without a status: {result.stderr}"] if lines else [])
    if kind.tolerated or result.returncode != 3:
        wrong.append(f"ends with {result.returncode}: {result.stderr.strip()}")
    if not lines or not lines[0].startswith("error: ") or kind.reason not in lines[0]:
        wrong.append(f"the message does not give the reason: {result.stderr.strip()!r}")
    if "No space left" in result.stderr:
        # Before the folder has a case and a record of the run, what was typed is to be typed again.
        begun = not re.search(r"(cannot create \S+|/(case|resolved)\.toml(\.part)?|/run\.json(\.part)?): ", result.stderr)
        if re.fullmatch(r"  free some space on the disk of \S+, then:  watersmeet (resume|run) \S+", lines[-1] if lines else ""):
            lines.pop()
        elif begun:
            wrong.append(f"the message does not say how to continue: {result.stderr.strip()!r}")
    if any(not line.startswith("also: cannot ") for line in lines[1:]):
        wrong.append(f"more than one line: {result.stderr.strip()!r}")
    return wrong
