"""Runs as users have them: exact resume, every way to stop, every way to fail, what a run folder holds."""

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

from runs import (
    Running, arrays, assert_no_part_files, assert_same_end, binary, call, environment, fill, flow, needs_program, newest, rows, settings,
    succeed,
)  # fmt: skip

pytestmark = needs_program


# ---- resume is exact ----------------------------------------------------------------------------------------------

single = {"numerics__precision": '"single"'}
forced = {"forcing__kind": '"helical"', "forcing__k_min": 1, "forcing__k_max": 2, "forcing__amplitude": 0.05}


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {**single, **forced},
        {"numerics__storage": '"stored"', "time__scheme": '"rk3-cubism"'},
        {"numerics__storage": '"stored-full"', "time__scheme": '"rk4-carpenter-kennedy"', **single},
        {"time__scheme": '"rk2"', "numerics__method": '"19-point"', **forced, "forcing__application": '"rhs"'},
        {
            "numerics__upwind": '["rho","velocity"]',
            "physics__hyperviscosity": 1e-5,
            "physics__acceleration": '["0.01","0","0.1*sin(2*pi*x/6)"]',
        },
    ],
    ids=["default", "single-forced", "stored-cubism", "full-rk4-single", "rk2-19-point-rhs", "extended"],
)
def test_a_resumed_run_equals_one_that_never_stopped(place, keys):
    words = settings(**{"output__series_every_steps": 5, "output__spectra_every_steps": 10, **keys})
    succeed("run", "flow.toml", "--dir", "whole", *words, *settings(time__steps=40), cwd=place)
    succeed("run", "flow.toml", "--dir", "halves", *words, *settings(time__steps=20), cwd=place)
    succeed("resume", "halves", *settings(time__steps=40), "--threads", 2, cwd=place)
    assert_same_end(place / "whole", place / "halves")
    assert (place / "whole/spectra.csv").exists()


@pytest.mark.parametrize("variable, words, said", [
    ("3", [], "CPU, 3 threads,"),
    ("1,2", [], "CPU, 1 thread,"),
    ("3", ["--threads", 2], "CPU, 2 threads,"),
])
def test_threads_are_those_of_the_environment_unless_given(place, variable, words, said):
    result = succeed("run", "flow.toml", "--device", "cpu", *words, *settings(time__steps=1), cwd=place, env={"OMP_NUM_THREADS": variable})
    assert said in result.stdout


def test_keys_of_several_ranks_are_noted_on_one(place):
    words = settings(time__steps=1, device__weights="[1, 2]", device__ranks_along="[1, 1, 2]")
    text = succeed("run", "flow.toml", "--dir", "one", *words, cwd=place).stdout
    for key in ("device.ranks_along (--set) cuts", "device.weights (--set) shares"):
        assert f"note: {key} the grid " in text and "not used: this run has one rank" in text, text
    fitting = settings(time__steps=1, device__weights="[2]", device__ranks_along="[1, 1, 1]")
    assert "note: " not in succeed("run", "flow.toml", "--dir", "fits", *fitting, cwd=place).stdout


def test_resume_is_exact_where_output_times_shorten_steps(place):
    words = settings(output__every=0.31, output__checkpoint_every=0.62, output__spectra_every=0.155)
    case = (place / "flow.toml").read_text().replace("steps = 20", "end = 1.24")
    (place / "flow.toml").write_text(case)
    succeed("run", "flow.toml", "--dir", "whole", *words, cwd=place)
    succeed("run", "flow.toml", "--dir", "halves", *words, *settings(time__end=0.62), cwd=place)
    succeed("resume", "halves", "--until", "1.24", cwd=place)
    times = [float(row[1]) for row in rows(place / "whole/series.csv")[2:]]
    assert times[-1] == 1.24
    assert_same_end(place / "whole", place / "halves")
    assert [p.name for p in sorted((place / "whole").glob("fields_*.vtkhdf"))] == [
        p.name for p in sorted((place / "halves").glob("fields_*.vtkhdf"))
    ]


def test_a_damaged_checkpoint_is_passed_over(place):
    words = settings(output__checkpoint_every_steps=10, output__series_every_steps=10, output__every_steps=10)
    succeed("run", "flow.toml", "--dir", "whole", *words, *settings(time__steps=40), cwd=place)
    succeed("run", "flow.toml", "--dir", "halves", *words, *settings(time__steps=20), cwd=place)
    damaged = place / "halves/checkpoint_000020.h5"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    result = succeed("resume", "halves", *settings(time__steps=40), cwd=place)
    assert "The run resumes from an older checkpoint" in result.stdout and "checkpoint_000010.h5" in result.stdout
    assert_same_end(place / "whole", place / "halves")
    assert (place / "halves/checkpoint_000020.h5.old").exists()


def test_resolved_toml_is_a_case_that_gives_the_same_run(place):
    words = settings(**forced, time__cfl=0.7)
    succeed("run", "flow.toml", "--dir", "first", *words, cwd=place)
    succeed("run", "first/resolved.toml", "--dir", "second", cwd=place)
    assert_same_end(place / "first", place / "second")
    assert (place / "first/case.toml").read_bytes() == (place / "flow.toml").read_bytes()


# ---- stops --------------------------------------------------------------------------------------------------------


def test_every_way_to_stop_leaves_a_checkpoint_and_the_whole_equals_a_run_without_stops(place):
    words = settings(grid__cells="[16,16,16]", output__series_every_steps=1, time__steps=1000000)
    folder = place / "a"

    def stopped(how, *start, env=None, request=None):
        before = len(rows(folder / "series.csv")) if (folder / "series.csv").exists() else 2
        with Running(*start, cwd=place, env=env) as run:
            if request:
                run.wait_for_rows(folder, before + 30)
                request(run)
            status, text = run.end()
        assert status == 75, text
        assert "stopping at step" in text and how in text
        assert "resume it with:  watersmeet resume a\n" in text
        step = int(re.search(r"stopping at step (\d+)", text)[1])
        assert newest(folder).name == f"checkpoint_{step:06}.h5"
        arrays(newest(folder))
        assert not (folder / "STOP").exists()
        assert_no_part_files(folder)
        record = json.loads((folder / "run.json").read_text())
        assert (record["restarts"] or [record])[-1]["exit_status"] == 75
        return step

    def send(number):
        return lambda run: run.process.send_signal(number)

    steps = [stopped("SIGTERM", "run", "flow.toml", "--dir", "a", *words, request=send(signal.SIGTERM))]
    resume = ("resume", "a")
    (folder / "STOP").write_text("")  # left by nobody knows whom: it must not end the next launch
    steps.append(stopped("SIGUSR1", *resume, request=send(signal.SIGUSR1)))
    steps.append(stopped("Ctrl-C", *resume, request=send(signal.SIGINT)))
    steps.append(stopped("STOP file", *resume, request=lambda run: (folder / "STOP").write_text("")))
    again = ("run", "flow.toml", "--dir", "a", "--resume=auto")
    steps.append(stopped("STOP file", *again, request=lambda run: succeed("stop", "a", cwd=place)))
    steps.append(stopped("wall-clock limit", *resume, "--wall", "0.5"))
    # An end that has passed when the run begins does not count.
    steps.append(stopped("wall-clock limit", *resume, env={"SLURM_JOB_END_TIME": str(int(time.time()) + 10)}))
    assert steps == sorted(set(steps))
    assert len(list(folder.glob("checkpoint_*.h5"))) == 2
    assert call("stop", "a", cwd=place).returncode == 2  # nothing runs there any more
    last = steps[-1] + 10
    succeed(*resume, *settings(time__steps=last), cwd=place)
    succeed("run", "flow.toml", "--dir", "b", *words, *settings(time__steps=last), cwd=place)
    assert_same_end(folder, place / "b")
    record = json.loads((folder / "run.json").read_text())
    assert record["exit_status"] == 75 and [r["exit_status"] for r in record["restarts"]] == [75] * 6 + [0]
    assert [r["first_step"] for r in record["restarts"]] == steps
    finished = succeed("resume", "a", cwd=place).stdout
    assert finished.startswith("a is finished") and finished.rstrip().endswith("resume a --set time.steps=N")


def test_a_killed_run_goes_on_from_its_newest_good_checkpoint(place):
    words = settings(grid__cells="[16,16,16]", output__checkpoint_every_steps=4, output__every_steps=7)
    words += settings(output__series_every_steps=1)
    rng = np.random.default_rng()
    for attempt in range(2):  # every moment is another one
        folder = place / f"killed{attempt}"
        start = ("run", "flow.toml", "--dir", folder.name, "--resume=auto", *words, *settings(time__steps=1000000))
        with Running(*start, cwd=place) as run:
            run.wait_for(lambda: len(list(folder.glob("checkpoint_*.h5"))) > 0)
            time.sleep(rng.uniform(0, 0.2))
            run.kill()
        for path in [*folder.glob("checkpoint_*.h5"), *folder.glob("fields_*.vtkhdf")]:
            arrays(path)  # under a final name there are whole files only
            assert call("info", path, cwd=place).returncode == 0
        step = int(newest(folder).stem[-6:])
        assert step > 0 and json.loads((folder / "run.json").read_text())["exit_status"] is None
        last = step + 9
        result = succeed(*start, *settings(time__steps=last), cwd=place)
        assert f"resuming from {folder.name}/checkpoint_{step:06}.h5" in result.stdout
        assert_no_part_files(folder)
        reference = place / f"whole{attempt}"
        succeed("run", "flow.toml", "--dir", reference.name, *words, *settings(time__steps=last), cwd=place)
        assert_same_end(reference, folder)


def test_a_run_killed_before_its_first_checkpoint_can_start_anew(place):
    start = ("run", "flow.toml", "--dir", "a", "--resume=auto")
    with Running(*start, *settings(time__steps=1000000), cwd=place) as run:
        run.wait_for_rows(place / "a", 5)
        run.kill()
    result = call("resume", "a", cwd=place)
    assert result.returncode == 2
    advice = re.search(r"watersmeet (run \S+)$", result.stderr, re.MULTILINE)[1].split()
    succeed(*advice, *settings(time__steps=2), cwd=place)
    succeed(*start, cwd=place)
    succeed("run", "flow.toml", "--dir", "b", cwd=place)
    assert_same_end(place / "a", place / "b")
    record = json.loads((place / "a/run.json").read_text())
    assert record["exit_status"] is None and [r["exit_status"] for r in record["restarts"]] == [0]
    assert succeed(*start, cwd=place).stdout.startswith("a is finished")


@pytest.mark.parametrize("left", [["case.toml"], ["resolved.toml.part"], ["case.toml.part", "inputs"]], ids="-".join)
def test_a_run_killed_before_its_first_file_was_complete_starts_anew(place, left):
    (place / "a").mkdir()
    for name in left:
        if name == "inputs":
            (place / "a/inputs").mkdir()
        else:
            (place / "a" / name).write_text("[case]\n")
    refused = call("resume", "a", cwd=place)
    assert refused.returncode == 2 and "watersmeet run CASE --dir a --resume=auto" in refused.stderr, refused.stderr
    assert "starting anew" in succeed("run", "flow.toml", "--dir", "a", "--resume=auto", *settings(time__steps=2), cwd=place).stdout
    assert (place / "a/case.toml").read_text() == (place / "flow.toml").read_text()
    assert (place / "a/case.toml.old").exists() == ("case.toml" in left)
    assert_no_part_files(place / "a")


def test_a_folder_with_files_of_others_is_no_run_to_start_anew(place):
    (place / "a").mkdir()
    for name in ("case.toml", "mine.txt"):
        (place / "a" / name).write_text("mine")
    result = call("run", "flow.toml", "--dir", "a", "--resume=auto", cwd=place)
    assert result.returncode == 3 and "not empty" in result.stderr, result.stderr
    assert sorted(p.name for p in (place / "a").iterdir()) == ["case.toml", "mine.txt"]


def test_a_run_writes_no_more_snapshots_than_steps(place):
    keys = settings(time__end="1e9", output__every="1e-9", time__steps=3)
    assert json.loads(succeed("check", "flow.toml", "--json", *keys, cwd=place).stdout)["disk"]["snapshots"] == 4
    succeed("run", "flow.toml", "--dir", "a", *keys, cwd=place)
    assert len(list((place / "a").glob("fields_*.vtkhdf"))) == 4


def test_the_steps_of_a_run_bound_the_snapshots_that_it_plans(place):
    """The step is about 0.19; the last state is one more snapshot where no output time is the end."""
    told = json.loads(succeed("check", "flow.toml", "--json", *settings(time__end="1e9", output__every="0.1"), cwd=place).stdout)
    reached = told["dt"] * 20
    assert told["disk"]["snapshots"] == min(int(np.ceil(reached / 0.1)) + 1, 21), told
    for end, snapshots in ((1.0, 5), (1.1, 6)):
        keys = settings(time__end=end, output__every="0.25", time__steps=1000)
        assert json.loads(succeed("check", "flow.toml", "--json", *keys, cwd=place).stdout)["disk"]["snapshots"] == snapshots
        succeed("run", "flow.toml", "--dir", str(end), *keys, cwd=place)
        assert len(list((place / str(end)).glob("fields_*.vtkhdf"))) == snapshots


def test_an_end_that_is_never_reached_is_planned_without_an_overflow(place):
    (place / "endless.toml").write_text(flow.replace("steps = 20", "end = 1e300"))
    told = call("check", "endless.toml", *settings(output__every=1), cwd=place)
    assert told.returncode == 3 and "= more than any disk holds" in told.stdout, told.stdout
    assert "1000000000000000000 snapshots" in told.stdout and len(told.stdout) < 2000, told.stdout
    refused = call("run", "endless.toml", *settings(output__every=1), cwd=place)
    assert refused.returncode == 3 and "need more than any disk holds" in refused.stderr, refused.stderr


def test_one_snapshot_is_not_a_plural(place):
    assert "(1 snapshot)" in succeed("run", "flow.toml", *settings(time__steps=0), cwd=place).stdout
    assert "  1 snapshot x " in succeed("check", "flow.toml", *settings(time__steps=0), cwd=place).stdout


def test_a_grid_without_room_names_the_machine(place):
    told = call("check", "flow.toml", "--device", "cpu", *settings(grid__cells="[100000, 10000, 10000]"), cwd=place)
    assert told.returncode == 3 and re.search(r"the grid needs \S+ TiB of memory, and this machine has ", told.stdout), told.stdout


# ---- one writer ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("resume", "a"), ("run", "flow.toml", "--dir", "a", "--resume=auto")], ids=["resume", "resume-auto"])
def test_a_run_that_is_going_on_is_not_written_by_another(place, words):
    keys = settings(time__steps=1000000, output__checkpoint_every_steps=500, output__checkpoints_kept=10000)
    with Running("run", "flow.toml", "--dir", "a", *keys, cwd=place) as run:
        run.wait_for(lambda: list((place / "a").glob("checkpoint_*.h5")))
        before = {path.name for path in (place / "a").glob("*.old")}
        other = call(*words, cwd=place)
        assert other.returncode == 3, other.stdout + other.stderr
        assert f"a run is in progress in a: process {run.process.pid} on {os.uname().nodename}" in other.stderr, other.stderr
        assert {path.name for path in (place / "a").glob("*.old")} == before
        succeed("info", "a", cwd=place)
        assert len(json.loads((place / "a/run.json").read_text())["restarts"]) == 0
        succeed("stop", "a", cwd=place)
        assert run.end()[0] == 75
    assert not (place / "a/run.lock").exists()


def has_open(process, path):
    for link in Path(f"/proc/{process}/fd").glob("*"):
        try:
            if os.readlink(link) == str(path.resolve()):
                return True
        except OSError:
            pass  # closed meanwhile
    return False


@pytest.mark.parametrize("text, said", [
    ("", "a run is in progress in a: another process that is just starting."),
    (f"host {os.uname().nodename}\nprocess 4711\n", f"a run is in progress in a: process 4711 on {os.uname().nodename}."),
], ids=["nothing", "late"])  # fmt: skip
def test_a_process_that_has_just_taken_the_lock_is_waited_for(place, text, said):
    """The lock is taken before its text is written."""
    succeed("run", "flow.toml", "--dir", "a", cwd=place)
    with open(place / "a/run.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        other = subprocess.Popen([binary, "resume", "a", "--until", "9"], cwd=place, env=environment(), stderr=subprocess.PIPE, text=True)
        while other.poll() is None and not has_open(other.pid, place / "a/run.lock"):
            pass
        lock.write(text)
        lock.flush()
        message = other.communicate(timeout=60)[1]
    assert other.returncode == 3 and said in message, message


def test_the_lock_of_a_killed_run_is_taken_over_on_its_host_alone(place):
    with Running("run", "flow.toml", "--dir", "a", *settings(time__steps=1000000, output__checkpoint_every_steps=5), cwd=place) as run:
        run.wait_for(lambda: len(list((place / "a").glob("checkpoint_*.h5"))) > 1)
        run.kill()
    lock = place / "a/run.lock"
    left = lock.read_text()
    assert left == f"host {os.uname().nodename}\nprocess {run.process.pid}\n"
    lock.write_text("host elsewhere.example\nprocess 4711\n")
    refused = call("resume", "a", cwd=place)
    assert refused.returncode == 3, refused.stderr
    assert "process 4711 on elsewhere.example" in refused.stderr and "remove a/run.lock" in refused.stderr, refused.stderr
    lock.write_text(left)
    step = int(newest(place / "a").stem.split("_")[1])
    succeed("resume", "a", *settings(time__steps=step + 2), cwd=place)
    assert not lock.exists()


# ---- failures -----------------------------------------------------------------------------------------------------


def test_divergence_names_the_place_keeps_the_last_good_state_and_suggests_what_works(place):
    succeed("run", "flow.toml", "--dir", "a", *settings(time__dt=0.05), cwd=place)
    good = newest(place / "a")
    before = good.read_bytes()
    result = call("resume", "a", *settings(time__dt=4.0, time__steps=1000), cwd=place)
    assert result.returncode == 4
    found = re.search(
        r"not a number in (lnrho|ux|uy|uz) at step (\d+), t = \S+\n"
        r"  first at cell \((\d+), (\d+), (\d+)\) of 12 x 10 x 8",
        result.stderr,
    )
    assert found and int(found[2]) > 20 and re.search(r"value (-?nan|-?inf)", result.stderr)
    assert int(found[3]) < 12 and int(found[4]) < 10 and int(found[5]) < 8
    assert "last good state: a/checkpoint_000020.h5" in result.stderr
    assert newest(place / "a") == good and good.read_bytes() == before
    assert "error: not a number" in (place / "a/log.txt").read_text()
    assert json.loads((place / "a/run.json").read_text())["restarts"][-1]["exit_status"] == 4
    advice = re.search(r"Try  watersmeet (.*)$", result.stderr, re.MULTILINE)[1].split()
    assert advice == ["resume", "a", "--set", "time.dt=2"]
    succeed(*advice, *settings(time__dt=0.05, time__steps=25), cwd=place)
    for path in (place / "a").glob("checkpoint_*.h5"):
        arrays(path)


def test_divergence_without_a_checkpoint_suggests_a_command_too(place):
    result = call("run", "flow.toml", "--dir", "a", *settings(time__dt=9, time__steps=1000), cwd=place)
    assert result.returncode == 4 and "no checkpoint was written before" in result.stderr
    assert not list((place / "a").glob("checkpoint*"))
    advice = re.search(r"Try  watersmeet (.*)$", result.stderr, re.MULTILINE)[1].split()
    assert advice == ["run", "a/resolved.toml", "--set", "time.dt=4.5"]
    succeed(*advice, *settings(time__dt=0.05, time__steps=2), cwd=place)


def test_sources_are_named_where_a_run_with_some_ends_with_no_number(place):
    result = call("run", "flow.toml", "--dir", "a", *settings(source='[{velocity = ["0/(x - x)", "0", "0"]}]'), cwd=place)
    assert result.returncode == 4 and "or: check the values of its [[source]]" in result.stderr, result.stderr
    result = call("run", "flow.toml", "--dir", "b", *settings(time__dt=9, time__steps=1000), cwd=place)
    assert result.returncode == 4 and "source" not in result.stderr, result.stderr


@pytest.mark.parametrize("keys", [{"physics__viscosity": "1e300"}, {"initial": '[{velocity = ["1e300", "0", "0"]}]'}], ids=["physics", "initial"])
def test_a_beginning_beyond_the_range_of_numbers_is_told_as_such(place, keys):
    result = call("run", "flow.toml", "--dir", "a", *settings(**keys), cwd=place)
    assert result.returncode == 4 and "at step 0, t = 0" in result.stderr, result.stderr
    assert "before any step: numbers of the case are too large or too small for double precision" in result.stderr
    assert "Try " not in result.stderr and not list((place / "a").glob("checkpoint*"))


def test_forcing_without_a_kind_is_refused(place):
    alone = call("check", "flow.toml", *settings(forcing__amplitude=0.1, forcing__k_max=3), cwd=place)
    assert alone.returncode == 2 and alone.stderr.count("error[") == 1 and "forcing.kind is not given" in alone.stderr, alone.stderr
    for kind in ("none", "helical"):
        succeed("check", "flow.toml", *settings(forcing__amplitude=0.1, forcing__k_max=3, forcing__kind=f'"{kind}"'), cwd=place)


@pytest.mark.parametrize("keys, said", [
    ({"grid__cells": "[1, 1, 1]"}, "a grid of a single point gives no limit of the time step"),
    ({"grid__upper": "[6.0, 1e300, 1e300]"}, "the box is 1e+300 long in y"),
    ({"grid__upper": "[6.0, 5.0, 1e-200]"}, "the box is 1e-200 long in z"),
])  # fmt: skip
def test_a_box_without_steps_or_numbers_is_refused(place, keys, said):
    result = call("check", "flow.toml", *settings(**keys), cwd=place)
    assert result.returncode == 2 and said in result.stderr and result.stderr.count("error[") == 1, result.stderr


def test_a_single_point_takes_the_step_that_is_given(place):
    succeed("check", "flow.toml", *settings(grid__cells="[1, 1, 1]", time__dt=0.05), cwd=place)


def test_bad_places_leave_nothing_behind(place):
    (place / "file").write_text("")
    (place / "full").mkdir()
    (place / "full/mine").write_text("mine")
    names = sorted(p.name for p in place.iterdir())
    for folder, word in (("file/run", "Not a directory"), ("full", "not empty"), ("/proc/run", "/proc")):
        result = call("run", "flow.toml", "--dir", folder, cwd=place)
        assert result.returncode == 3 and word in result.stderr and result.stdout == "", result.stdout + result.stderr
    for cells in ("[20000,20000,20000]", "[9000000,9000000,9000000]"):
        for command in ("run", "check"):
            result = call(command, "flow.toml", *settings(grid__cells=cells), cwd=place)
            text = result.stdout + result.stderr
            assert result.returncode == 3 and re.search(r"largest .* fits .*is \d+ x \d+ x \d+", text), text
    for limit in ("abc", "0", "-5", "4q"):
        assert call("run", "flow.toml", "--dir", "a", f"--wall={limit}", cwd=place).returncode == 2
    assert call("run", "flow.toml", *settings(case__name='"a/b"'), cwd=place).returncode == 2
    assert sorted(p.name for p in place.iterdir()) == names
    assert (place / "full/mine").read_text() == "mine" and len(list((place / "full").iterdir())) == 1


def test_info_says_which_ends_a_run_has(place):
    succeed("run", "flow.toml", "--dir", "a", *settings(time__end=9, time__steps=2), cwd=place)
    assert "the end is t = 9 or step 2)" in succeed("info", "a", cwd=place).stdout


def test_a_name_that_cannot_be_a_folder_is_refused_at_its_place(place):
    result = call("run", "flow.toml", *settings(case__name='"a/b"'), cwd=place)
    assert result.returncode == 2 and "--> --set case.name=" in result.stderr, result.stderr
    assert "cannot name a run folder" in result.stderr and "use a word without `/`" in result.stderr


def test_a_refused_resume_changes_nothing(place):
    succeed("run", "flow.toml", "--dir", "a", cwd=place)
    before = {p.name: p.read_bytes() for p in (place / "a").iterdir()}
    for words in (settings(grid__cells="[16,16,16]", time__steps=40), [*settings(time__steps=40), "--wall", "soon"]):
        result = call("resume", "a", *words, cwd=place)
        assert result.returncode == 2 and result.stderr.startswith("error"), result.stderr
        assert {p.name: p.read_bytes() for p in (place / "a").iterdir()} == before
    succeed("resume", "a", *settings(time__steps=25), cwd=place)


def test_a_read_only_disk_is_refused(place, small_disk):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    result = call("run", "flow.toml", "--dir", "disk/a", cwd=place)
    assert result.returncode == 3 and "Read-only file system" in result.stderr
    assert not list(small_disk.iterdir())


def test_output_that_would_not_fit_is_refused(place, small_disk):
    result = call("run", "flow.toml", "--dir", "disk/a", *settings(output__every_steps=1, time__steps=500), cwd=place)
    assert result.returncode == 3 and "would not fit on the disk" in result.stderr
    assert not list(small_disk.iterdir())


def test_a_disk_that_fills_up_keeps_the_last_good_files(place, small_disk):
    # The first files fit; then somebody else fills the disk.
    words = settings(output__checkpoint_every_steps=1000, output__series_every_steps=1000, time__steps=100000000)
    with Running("run", "flow.toml", "--dir", "disk/a", *words, cwd=place) as run:
        run.wait_for(lambda: len(list((small_disk / "a").glob("checkpoint_*.h5"))) > 1)
        other = fill(small_disk)
        status, text = run.end()
    assert status == 3 and "No space left on device" in text, text
    assert "free some space on the disk of disk/a, then:  watersmeet resume disk/a" in text, text
    for path in [*(small_disk / "a").glob("checkpoint_*.h5"), *(small_disk / "a").glob("fields_*.vtkhdf")]:
        arrays(path)
    other.unlink()
    step = int(newest(small_disk / "a").stem[len("checkpoint_"):])
    succeed("resume", "disk/a", *settings(time__steps=step + 3), cwd=place)
    assert_no_part_files(small_disk)


# ---- what a run leaves --------------------------------------------------------------------------------------------


def test_a_run_folder_holds_what_the_manual_says(place):
    first = succeed("run", "flow.toml", *settings(output__report_every_steps=5, output__every_steps=10), cwd=place)
    succeed("run", "flow.toml", cwd=place)
    succeed("run", "flow.toml", *settings(case__name='"other"', time__steps=1), cwd=place)
    assert sorted(p.name for p in (place / "runs").iterdir()) == ["flow-001", "flow-002", "latest", "other-001"]
    assert os.readlink(place / "runs/latest") == "other-001"
    folder = place / "runs/flow-001"
    assert sorted(p.name for p in folder.iterdir()) == [
        "case.toml", "checkpoint_000020.h5",
        "fields.xmf", "fields_000000.vtkhdf", "fields_000010.vtkhdf", "fields_000020.vtkhdf",
        "log.txt", "resolved.toml", "run.json", "series.csv", "series.h5", "telemetry.jsonl",
    ]  # fmt: skip
    assert (folder / "case.toml").read_text() == flow

    record = json.loads((folder / "run.json").read_text())
    provenance = "command_line version commit dirty compiler flags host devices driver ranks start end"
    assert set(provenance.split()) <= set(record)
    assert record["exit_status"] == 0 and record["restarts"] == [] and record["first_step"] == 0
    assert "run flow.toml --set" in record["command_line"]

    lines = [json.loads(line) for line in (folder / "telemetry.jsonl").read_text().splitlines()]
    assert set(lines[0]) == {"header", "units"} and lines[0]["units"]["dt"] == "time"
    assert [line["step"] for line in lines[1:]] == [5, 10, 15, 20]
    for line in lines[1:]:
        assert set(line) == set(lines[0]["units"])
        assert line["grind_ns"] > 0 and 0 < line["bound"] < 5 and 0 <= line["io_s"] <= line["wall"]

    titles = next(line for line in first.stdout.splitlines() if line.lstrip().startswith("step"))
    assert titles.split() == "step t dt ns/point of bound mass drift u_rms Mach max left".split()
    shown = [line.split() for line in first.stdout.splitlines() if re.match(r" +\d+ ", line)]
    assert [int(words[0]) for words in shown] == [5, 10, 15, 20]
    for words, line in zip(shown, lines[1:]):
        assert float(words[1]) == pytest.approx(line["t"], rel=1e-5)
        assert float(words[2]) == pytest.approx(line["dt"], rel=1e-3)
    assert re.search(r"^done   t = \S+ in .* \(20 steps, .*ns/point/step", first.stdout, re.MULTILINE)
    log = (folder / "log.txt").read_text().splitlines()
    logged = [re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  (.*)", line)[1] for line in log]
    assert logged == first.stdout.splitlines()
    assert "\x1b" not in first.stdout and "\r" not in first.stdout and first.stderr == ""


def test_series_hold_the_volume_integrals_of_the_snapshots(place):
    succeed("run", "flow.toml", "--dir", "a", cwd=place)
    table = rows(place / "a/series.csv")
    assert table[1][0] == "# units: 1"
    last = dict(zip(table[0], map(float, table[-1])))
    with h5py.File(newest(place / "a")) as file:
        rho = np.exp(file["arrays/lnrho"][()])
        u = [file[f"arrays/{name}"][()] for name in ("ux", "uy", "uz")]
    volume = 6.0 * 5.0 * 4.0
    assert last["step"] == 20
    assert last["mass"] == pytest.approx(rho.mean() * volume, rel=1e-12)
    assert last["u_rms"] == pytest.approx(np.sqrt(sum((v**2).mean() for v in u)), rel=1e-12)
    assert last["rho_min"] == pytest.approx(rho.min(), rel=1e-12)
    with h5py.File(place / "a/series.h5") as file:
        names = []
        file.visit(names.append)
        assert any(name.split("/")[-1] == "mass" for name in names)


@pytest.mark.parametrize("words", ["out/", "sub/../out", "{}/out"])
def test_a_run_is_named_after_its_folder(place, words):
    (place / "sub").mkdir()
    succeed("run", "flow.toml", "--dir", words.format(place), *settings(time__steps=1), cwd=place)
    assert json.loads((place / "out/run.json").read_text())["run_id"] == "out"
    with h5py.File(newest(place / "out", "fields")) as file:
        named = {file.attrs["run_id"]}
        file.visititems(lambda name, node: named.add(node.attrs.get("run_id", file.attrs["run_id"])))
        assert {name if isinstance(name, str) else name.decode() for name in named} == {"out"}


def test_quiet_and_json(place):
    result = succeed("run", "flow.toml", "--dir", "a", "--quiet", cwd=place)
    assert result.stdout == "" and result.stderr == ""
    assert "done   t =" in (place / "a/log.txt").read_text()
    told = json.loads(succeed("run", "flow.toml", "--json", cwd=place).stdout)
    assert told["directory"] == "runs/flow-001" and told["exit_status"] == 0 and told["step"] == 20
    assert told["checkpoint"] == "runs/flow-001/checkpoint_000020.h5" and told["t"] > 0
    result = call("resume", told["directory"], "--json", "--wall", "1e-9", *settings(time__steps=1000000), cwd=place)
    assert result.returncode == 75 and json.loads(result.stdout)["exit_status"] == 75
    result = call("run", "flow.toml", "--json", *settings(time__dt=4.0, time__steps=1000), cwd=place)
    assert result.returncode == 4 and "not a number" in json.loads(result.stdout)[0]["message"] and result.stderr == ""


def test_no_steps_write_the_initial_state_from_which_one_can_go_on(place):
    succeed("run", "flow.toml", "--dir", "a", *settings(time__steps=0), cwd=place)
    assert newest(place / "a").name == "checkpoint_000000.h5"
    assert newest(place / "a", "fields").name == "fields_000000.vtkhdf"
    succeed("resume", "a", *settings(time__steps=20), cwd=place)
    succeed("run", "flow.toml", "--dir", "b", cwd=place)
    assert_same_end(place / "a", place / "b")


def on_terminal(terminal, words, columns, cwd, enough):
    """Exit status and everything that a terminal of that many columns received from a run, which is stopped after `enough` of it."""
    master, slave = terminal
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([binary, *words], cwd=cwd, env=environment(), stdout=slave, stderr=slave)
    os.close(slave)
    received, stopped = b"", False
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux tells the end of a terminal in this way
            piece = b""
        if not piece:
            break
        received += piece
        if not stopped and enough(received.decode(errors="replace")):
            process.terminate()
            stopped = True
    os.close(master)
    return process.wait(), received.decode()


@pytest.mark.parametrize("columns", [80, 200])
def test_lines_fit_the_terminal(place, pseudo_terminal, columns):
    def progress_in(text):
        return [line for line in re.split(r"[\r\n]+", text)[:-1] if re.match(r" +(\d+|step) ", line)]

    words = ["run", "flow.toml", "--dir", "a", *settings(time__steps=1000000000), "--wall", "600"]
    status, text = on_terminal(pseudo_terminal, words, columns, place, lambda text: len(progress_in(text)) >= 3)
    assert status == 75
    progress = progress_in(text)
    assert "left" in progress[0] and len(progress) >= 3
    for line in progress:
        assert len(line) < columns
    for line in progress[1:]:
        assert re.search(r"\d:\d\d \(job ends first\)$", line), line  # the time left is never cut off
    assert ("Mach max" in progress[0]) == (columns == 200)


# ---- fewer dimensions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", [[1, 10, 8], [24, 1, 1]], ids=["2-D", "1-D"])
def test_flat_cases_run_resume_and_open(place, cells):
    xarray = pytest.importorskip("xarray")
    words = settings(grid__cells=json.dumps(cells), output__overview="true", output__spectra_every_steps=10)
    result = succeed("run", "flow.toml", "--dir", "a", *words, cwd=place)
    assert "see        a/plots/overview.png" in result.stdout, result.stdout
    assert (place / "a/plots/overview.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    succeed("run", "flow.toml", "--dir", "b", *words, *settings(time__steps=10, output__overview="false"), cwd=place)
    succeed("resume", "b", *settings(time__steps=20, output__overview="false"), cwd=place)
    assert_same_end(place / "a", place / "b")
    with h5py.File(newest(place / "a")) as file:
        lnrho = file["arrays/lnrho"][()]
        assert lnrho.shape == tuple(reversed(cells)) and lnrho.std() > 0
    with xarray.open_dataset(newest(place / "a", "fields")) as data:
        assert "rho" in data and np.allclose(np.asarray(data["rho"]).ravel(), np.exp(lnrho).ravel(), rtol=1e-14)
