"""Runs on several ranks: the same bits on any number of them, checkpoints across rank counts, and every way to lose one.

Ranks are started by the program's own `--ranks N`.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import time

import pytest
from rank_runs import assert_same_on_ranks, assert_same_run, on_ranks, ranks_words, run_in_parts
from runs import (
    Running, arrays, assert_no_part_files, assert_same_end, binary, call, descendants, fill, flow, needs_program, newest, rows, settings, succeed,
)  # fmt: skip

pytestmark = [needs_program, on_ranks]

# Odd sizes; 26 = 8 * 3 + 2 planes: eight slabs of 3 and 4 planes, as thin as the stencil allows.
sizes = {"grid__cells": "[13,11,26]", "grid__upper": "[6.5,5.5,13.0]"}
outputs = {"output__series_every_steps": 2, "output__spectra_every_steps": 5, "output__every_steps": 4, "time__steps": 9}
forced = {"forcing__kind": '"helical"', "forcing__k_min": 1, "forcing__k_max": 2, "forcing__amplitude": 0.05}
cases = {
    "default": {},
    "single-forced": {**forced, "numerics__precision": '"single"'},
    "19-point-forced": {**forced, "numerics__method": '"19-point"', "time__scheme": '"rk2"'},
    "shock": {"physics__shock_viscosity": 2, **forced},
    "extended": {
        "numerics__upwind": '["rho","velocity"]',
        "physics__hyperviscosity": 1e-5,
        "physics__acceleration": '["0.01","0","0.1*sin(2*pi*x/6.5)"]',
    },
}


@pytest.mark.parametrize("name", cases)
def test_the_number_of_ranks_changes_no_bit(place, name):
    words = settings(**sizes, **outputs, **cases[name])
    counts = (2, 3, 4, 8) if name in ("default", "single-forced") else (3,)
    for count, (text, folder) in zip(counts, assert_same_on_ranks(place, counts, words)):
        assert f"ranks      {count} on 1 host" in text
        record = json.loads((folder / "run.json").read_text())
        assert record["ranks"] == count and len(record["devices"]) == count


@pytest.mark.parametrize("along", [[1, 1, 2], [2, 1, 1], [1, 3, 1], [1, 1, 8], [2, 2, 1], [2, 1, 2], [2, 2, 2]])
@pytest.mark.parametrize("overlap", ["on", "off"])
def test_nor_does_the_layout_of_the_ranks(place, along, overlap):
    words = settings(**sizes, **outputs, **forced)
    [(text, _)] = assert_same_on_ranks(place, [along], words, settings(device__overlap=f'"{overlap}"'))
    assert f"{along[0]} x {along[1]} x {along[2]}" in text
    # In halves, where the parts are thick enough for two.
    assert ("overlapped" in text) == (overlap == "on" and along == [1, 1, 2])


@pytest.mark.parametrize("fused", [1, 2])
def test_nor_does_streaming_on_several_ranks(place, fused):
    """Planes across z stay whole: the grid is cut across y or x."""
    streamed = settings(device__memory='"stream"', stream__segments=4, stream__fused_steps=fused)
    words = settings(**{**sizes, "grid__cells": "[13,11,61]"}, **outputs, **forced, time__dt=0.01)
    for text, _ in assert_same_on_ranks(place, [3, [2, 2, 1], [4, 1, 1]], words, streamed):
        assert "streamed from host memory in 4 segments" in text and "x 1  " in text
    run_in_parts(place, "parts", [(4, 2), (8, 3), (9, 1)], words + streamed)
    assert arrays(newest(place / "flow-one")) == arrays(newest(place / "parts"))
    said = succeed("check", "flow.toml", *words, *streamed, *ranks_words(3), cwd=place).stdout
    assert "ms if it stayed on the devices" in said and "in 4 segments" in said


def test_unequal_weights_change_no_bit(place):
    more = settings(device__weights="[3, 1, 2]")
    assert_same_on_ranks(place, [3], settings(**sizes, **outputs, **forced), more)
    result = call("run", "flow.toml", *more, *ranks_words(2), cwd=place)
    assert result.returncode == 2 and "3 numbers for 2 ranks" in result.stderr


def test_two_dimensions_and_one(place):
    for name, cells, upper in (("plane", "[12,20,1]", "[6.0,10.0,1.0]"), ("line", "[24,1,1]", "[12.0,1.0,1.0]")):
        (place / f"{name}.toml").write_text(flow)
        assert_same_on_ranks(place, [3], settings(**outputs, grid__cells=cells, grid__upper=upper), case=f"{name}.toml")


def test_ranks_without_room_are_left_out_and_the_user_is_told(place):
    words = settings(**outputs, grid__cells="[4,5,7]")
    [(text, _)] = assert_same_on_ranks(place, [8], words)
    assert "note: 2 of 8 ranks compute" in text, text
    refused = call("run", "flow.toml", *words, *settings(device__ranks_along="[1,1,8]"), *ranks_words(8), cwd=place)
    assert refused.returncode == 2 and refused.stderr.startswith("error[range]: device.ranks_along = [1, 1, 8]: "), refused.stderr
    assert refused.stderr.count("device.ranks_along = ") == 1 and "--> --set device.ranks_along" in refused.stderr


def test_ranks_along_of_an_earlier_run_say_where_they_stand(place):
    words = settings(**sizes, device__ranks_along="[2,1,1]")
    succeed("run", "flow.toml", "--dir", "cut", *words, *settings(time__steps=2), *ranks_words(2), cwd=place)
    more = settings(time__steps=4)
    refused = call("resume", "cut", *more, *ranks_words(3), cwd=place)
    text = (place / "cut" / "resolved.toml").read_text().splitlines()
    line = next(n for n, words in enumerate(text, 1) if words.startswith("ranks_along"))
    assert refused.returncode == 2 and f"--> cut/resolved.toml:{line}:" in refused.stderr, refused.stderr
    instead = re.search(r"--set device\.ranks_along=\[\d,\d,\d\]", refused.stderr)
    succeed("resume", "cut", *instead[0].split(), *more, *ranks_words(3), cwd=place)


def test_a_checkpoint_goes_on_with_any_number_of_ranks(place):
    every = {f"output__{what}_steps": 3 for what in ("every", "series_every", "spectra_every", "checkpoint_every")}
    words = settings(**sizes, **forced, **every, output__checkpoints_kept=9)
    succeed("run", "flow.toml", "--dir", "one", *words, *settings(time__steps=12), *ranks_words(1), cwd=place)
    run_in_parts(place, "many", [(3, 3), (6, 2), (9, 1), (12, 8)], words)
    assert_same_run(place / "one", place / "many")
    for step in (3, 6, 9, 12):
        name = f"checkpoint_{step:06}.h5"
        assert arrays(place / "one" / name) == arrays(place / "many" / name)


def test_a_damaged_checkpoint_is_passed_over_by_all_ranks(place):
    words = settings(**sizes, **outputs, output__checkpoint_every_steps=4)
    succeed("run", "flow.toml", "--dir", "a", *words, *ranks_words(2), cwd=place)
    damaged = newest(place / "a")
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    result = succeed("resume", "a", *settings(time__steps=12), *ranks_words(3), cwd=place)
    assert result.stdout.count("The run resumes from an older checkpoint") == 1 and "checkpoint_000008.h5" in result.stdout


# ---- faults ---------------------------------------------------------------------------------------------------------


def test_a_fault_on_one_rank_is_told_once(place):
    # The density is zero or negative in the last planes alone: those of the last rank.
    case = (place / "flow.toml").read_text()
    (place / "flow.toml").write_text(re.sub(r'density = ".*"', 'density = "12 - z"', case))
    words = settings(**sizes)
    alone = call("run", "flow.toml", *words, *ranks_words(1), cwd=place)
    result = call("run", "flow.toml", *words, *ranks_words(4), cwd=place)
    assert alone.returncode == result.returncode == 2
    assert "at cell (0, 0, 24), x = 0" in alone.stderr and result.stderr == alone.stderr
    assert not (place / "runs").exists() or not list((place / "runs").iterdir())


def telling_launcher(place):
    """Words of the environment for mpiexec in a script that writes the status of mpiexec into the file `launcher`."""
    script = place / "mpiexec"
    script.write_text(f'#!/bin/sh\n{os.environ.get("WATERSMEET_MPIEXEC", "mpiexec")} "$@"\nstatus=$?\necho $status > {place}/launcher\nexit $status\n')
    script.chmod(0o755)
    return {"WATERSMEET_MPIEXEC": str(script)}


def test_a_wrong_case_is_told_once(place):
    """And the ranks end with 0, because the process that waits for them has their status: mpiexec waits seconds after any other."""
    result = call("run", "flow.toml", *settings(time__cfl=-1), *ranks_words(3), cwd=place, env=telling_launcher(place))
    assert result.returncode == 2 and result.stderr.count("error[") == 1 and "rank" not in result.stderr
    assert (place / "launcher").read_text() == "0\n"
    told = call("run", "flow.toml", "--json", *settings(time__cfl=-1), *ranks_words(2), cwd=place)
    assert told.returncode == 2 and told.stderr == "" and [fault["key"] for fault in json.loads(told.stdout)] == ["time.cfl"]


def test_divergence_is_told_once_and_as_by_one_rank(place):
    words = settings(**sizes, time__dt=4.0, time__steps=1000)
    alone = call("run", "flow.toml", "--dir", "a", *words, *ranks_words(1), cwd=place)
    result = call("run", "flow.toml", "--dir", "b", *words, *ranks_words(3), cwd=place, env=telling_launcher(place))
    by_others = by_hand(3, binary, "run", "flow.toml", "--dir", "c", "--device", "cpu", *words, cwd=place)
    assert alone.returncode == result.returncode == by_others.returncode == 4
    found = re.search(r"not a number in .*\n  first at cell .*", alone.stderr)[0]
    assert result.stderr.count(found) == 1 and result.stderr.count("error") == 1
    assert (place / "launcher").read_text() == "0\n" and by_others.stderr.count(found) == 1


def find_ranks(place, folder):
    """Numbers of the ranks that were started in `place` and compute in `folder` there, and of their processes."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            words = open(f"/proc/{entry}/cmdline", "rb").read().split(b"\0")
            variables = open(f"/proc/{entry}/environ", "rb").read().split(b"\0")
            started = os.readlink(f"/proc/{entry}/cwd")
            program = os.path.realpath(f"/proc/{entry}/exe")
        except (OSError, ValueError):
            continue
        numbers = [v.split(b"=")[1] for v in variables if re.match(rb"(OMPI_COMM_WORLD_RANK|PMI_RANK)=", v)]
        ours = started == os.path.realpath(place) and program == os.path.realpath(binary)
        if numbers and ours and folder.encode() in words:
            found.append((int(numbers[0]), int(entry)))
    return sorted(found)


def ranks_of(place, folder, count):
    found = find_ranks(place, folder)
    assert len(found) == count, found
    return [process for _, process in found]


def lives(process):
    try:
        return open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def shared_memory(process):
    """Files of /dev/shm that a process has mapped, with which it shares memory with others."""
    return {line.split()[-1] for line in open(f"/proc/{process}/maps") if "/dev/shm/" in line}


def endless(place, name, count=3, **more):
    keys = {**sizes, "output__series_every_steps": 1, "output__checkpoint_every_steps": 50, "time__steps": 100000000, **more}
    return Running("run", "flow.toml", "--dir", name, *settings(**keys), *ranks_words(count), cwd=place)


def assert_goes_on_exactly(place, name, count=2):
    """The newest checkpoint is whole, and a run that resumes it equals one that was never disturbed."""
    folder = place / name
    for path in [*folder.glob("checkpoint_*.h5"), *folder.glob("fields_*.vtkhdf")]:
        arrays(path)
        assert call("info", path, cwd=place).returncode == 0
    last = int(newest(folder).stem[-6:]) + 5
    succeed("resume", name, *settings(time__steps=last), *ranks_words(count), cwd=place)
    words = settings(**sizes, output__series_every_steps=1, output__checkpoint_every_steps=50, time__steps=last)
    succeed("run", "flow.toml", "--dir", "reference", *words, *ranks_words(1), cwd=place)
    assert_same_end(place / "reference", folder)
    assert_no_part_files(folder)


@pytest.mark.parametrize("victim", [0, 2])
def test_a_lost_rank_ends_the_run_with_a_message_and_a_usable_checkpoint(place, victim):
    with endless(place, "a") as run:
        run.wait_for(lambda: len(list((place / "a").glob("checkpoint_*.h5"))) > 1)
        processes = ranks_of(place, "a", 3)
        os.kill(processes[victim], signal.SIGKILL)
        status, text = run.end()
    assert status not in (0, 75) and "lost" in text, text
    end = time.monotonic() + 60
    while any(map(lives, processes)) and time.monotonic() < end:  # the launcher may be gone before its ranks are
        time.sleep(0.01)
    assert not any(map(lives, processes))
    assert_goes_on_exactly(place, "a")


def test_no_shared_memory_is_left_where_the_launcher_is_killed_too(place, monkeypatch):
    """Not for good either where nothing of a run lives on: the next one removes it. Nor is a file of the launcher left."""
    temporary = place / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with endless(place, "a") as run:
        run.wait_for(lambda: (place / "a/series.csv").exists())
        shared = shared_memory(ranks_of(place, "a", 3)[0])
        for process in descendants(run.process.pid):
            kill_living([process])
        status, text = run.end()
    assert status not in (0, 75) and "lost" in text, text
    assert not any(map(os.path.exists, shared)), shared
    with endless(place, "b") as run:
        run.wait_for(lambda: (place / "b/series.csv").exists())
        shared = shared_memory(ranks_of(place, "b", 3)[0])
        run.kill()
    succeed("run", "flow.toml", "--dir", "c", *settings(**sizes, time__steps=1), *ranks_words(2), cwd=place)
    assert not any(map(os.path.exists, shared)), shared
    left = [name for name in os.listdir(temporary) if not name.startswith("watersmeet-status")]
    assert left == [], left


def kill_living(processes):
    for process in filter(lives, processes):
        os.kill(process, signal.SIGKILL)


def assert_ends_in_time(run, patience, processes, victim, stopped_at):
    """What the run says, whose victim was stopped then. It must not hang: on a busy machine half a minute may pass besides."""
    try:
        status, text = run.end(120)
    finally:
        kill_living(processes)
    assert time.monotonic() - stopped_at < patience + 40
    assert status == 1 and re.search(f"rank {victim} was lost, or does not respond" if victim else "one of them was lost", text), text
    return text


def test_a_rank_that_stops_is_named_in_time(place):
    with endless(place, "a", 3, device__peer_timeout='"3 s"') as run:
        run.wait_for(lambda: len(list((place / "a").glob("checkpoint_*.h5"))) > 1)
        processes = ranks_of(place, "a", 3)
        os.kill(processes[2], signal.SIGSTOP)
        text = assert_ends_in_time(run, 3, processes, 2, time.monotonic())
    assert text.count("does not respond") == 1, text  # one speaks for both that are left
    assert_goes_on_exactly(place, "a")


# Rank 1 stops itself, as SIGSTOP would stop it, when it calls this function for the nth time.
stopping = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
typedef void *A;
static void stop(const char *here) {
  static int calls;
  const char *open_mpi = getenv("OMPI_COMM_WORLD_RANK"), *rank = open_mpi ? open_mpi : getenv("PMI_RANK");
  if (!rank || strcmp(rank, "1") || strcmp(here, getenv("STOP_IN")) || ++calls != atoi(getenv("STOP_AT"))) return;
  raise(SIGSTOP);
}
#define STOP(name)                                         \\
  int name(A a, A b, A c, A d, A e, A f, A g) {            \\
    stop(#name);                                           \\
    int (*real)(A, A, A, A, A, A, A) = dlsym(RTLD_NEXT, #name); \\
    return real(a, b, c, d, e, f, g);                      \\
  }
STOP(MPI_Init_thread)
STOP(MPI_Comm_split)
STOP(MPI_Iallreduce)
STOP(MPI_File_open)
STOP(MPI_File_close)
STOP(MPI_Finalize)
"""


def is_stopped(process):
    return open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[0] == "T"


def test_no_call_of_mpi_waits_for_ever(place):
    """Calls that have no limit of their own, at the start, in the last of 22 files that all write, and at the end. The runs wait for their
    stopped ranks at the same time."""
    patience = 12  # the ranks of a busy machine have to have met by then
    calls = {"MPI_Init_thread": 1, "MPI_Comm_split": 2, "MPI_Iallreduce": 40, "MPI_File_open": 22, "MPI_File_close": 22, "MPI_Finalize": 1}
    if "parallel" not in call("--version", cwd=place).stdout:  # rank 0 writes for all
        calls = {where: count for where, count in calls.items() if "File" not in where}
    (place / "stop.c").write_text(stopping)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", "stop.so", "stop.c", "-ldl"], cwd=place, check=True)
    words = settings(**sizes, output__checkpoint_every_steps=1, time__steps=20, device__peer_timeout=f'"{patience} s"')
    with contextlib.ExitStack() as runs:
        waiting = []
        for where, count in calls.items():
            variables = {"LD_PRELOAD": str(place / "stop.so"), "STOP_IN": where, "STOP_AT": str(count)}
            run = runs.enter_context(Running("run", "flow.toml", "--dir", where, *words, *ranks_words(2), cwd=place, env=variables))
            run.wait_for(lambda where=where: len(find_ranks(place, where)) == 2)
            processes = ranks_of(place, where, 2)
            runs.callback(kill_living, processes)
            run.wait_for(lambda victim=processes[1]: is_stopped(victim))
            waiting.append((where, run, processes, time.monotonic()))
        for where, run, processes, stopped_at in waiting:
            # Ranks that have not met yet, or have left, cannot ask who is there.
            text = assert_ends_in_time(run, patience, processes, None if where == "MPI_Init_thread" else 1, stopped_at)
            assert text.count("does not respond") == 1, f"{where}: {text}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1, signal.SIGINT])
def test_a_signal_to_the_launcher_stops_all_ranks_with_a_checkpoint(place, number):
    with endless(place, "a") as run:
        run.wait_for_rows(place / "a", 30)
        run.process.send_signal(number)
        status, text = run.end()
    assert status == 75 and text.count("stopping at step") == 1, text
    step = int(re.search(r"stopping at step (\d+)", text)[1])
    assert newest(place / "a").name == f"checkpoint_{step:06}.h5"
    assert_goes_on_exactly(place, "a", 4)


def test_a_stop_file_stops_all_ranks(place):
    with endless(place, "a", 2) as run:
        run.wait_for_rows(place / "a", 30)
        succeed("stop", "a", cwd=place)
        status, text = run.end()
    assert status == 75 and "STOP file" in text, text


def test_a_disk_that_fills_up_under_the_first_rank_ends_all(place, small_disk):
    with endless(place, "disk/a", output__checkpoint_every_steps=200, output__series_every_steps=1000) as run:
        run.wait_for(lambda: len(list((small_disk / "a").glob("checkpoint_*.h5"))) > 1)
        other = fill(small_disk)
        status, text = run.end()
    assert status == 3 and text.count("No space left on device") == 1, text
    for path in (small_disk / "a").glob("checkpoint_*.h5"):
        arrays(path)
    other.unlink()
    step = int(newest(small_disk / "a").stem[len("checkpoint_"):])
    succeed("resume", "disk/a", *settings(time__steps=step + 3), *ranks_words(2), cwd=place)
    assert_no_part_files(small_disk)


def by_hand(ranks, *words, cwd):
    """mpiexec's own words, as on a cluster."""
    launcher = os.environ.get("WATERSMEET_MPIEXEC", "mpiexec")
    version = subprocess.run([launcher, "--version"], capture_output=True, text=True).stdout
    flags = ["--oversubscribe", "--bind-to", "none"] if "Open MPI" in version or "OpenRTE" in version else []
    variables = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    line = [launcher, *flags, "-n", str(ranks), *words]
    return subprocess.run(line, cwd=cwd, env=variables, capture_output=True, text=True, timeout=120)


def test_ranks_started_by_hand_are_found(place):
    words = settings(**sizes, **outputs)
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    result = by_hand(3, binary, "run", "flow.toml", "--dir", "hand", "--device", "cpu", *words, cwd=place)
    assert result.returncode == 0, result.stdout + result.stderr
    assert_same_run(place / "one", place / "hand")


def test_one_rows_of_a_series_a_step(place):
    """Rank 0 alone writes: nothing stands twice."""
    succeed("run", "flow.toml", "--dir", "a", *settings(**sizes, output__series_every_steps=1), *ranks_words(4), cwd=place)
    steps = [int(row[0]) for row in rows(place / "a/series.csv")[2:]]
    assert steps == list(range(len(steps))) and len(steps) == 21
    assert len([line for line in (place / "a/log.txt").read_text().splitlines() if "done   t" in line]) == 1
    assert (place / "a/case.toml").read_text() == flow


def test_ranks_without_a_part_write_no_result_of_a_benchmark(place):
    """The mesh is one block. The rank that computes measures rows in turn while the others have nothing to do."""
    words = ("--cells", "9", "--only", "double order=1", "--seconds", "1e-3", "--repeats", "2", "--output", "rows.json")
    text = succeed("bench", "aerodynamics", *words, *ranks_words(3), cwd=place).stdout
    result = json.loads((place / "rows.json").read_text())
    assert [(row["grids"], row["ranks"], "steps_per_cycle" in row) for row in result["rows"]] == [("1", 1, False), ("2V", 1, True)]
    assert result["device"] == "CPU, 1 thread" and text.count("steps_per_cycle") == 1
    assert sorted(path.name for path in place.iterdir()) == ["flow.toml", "rows.json"]
