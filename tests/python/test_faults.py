"""Faults of the machine: what a run leaves when a call of the system fails, when it is killed, or when memory ends, and that resuming it
gives the bits of a run without faults (fault_runs.py). tools/trials.py makes all trials, of which these are a part.
"""

import functools
import importlib.util
import os
import re
import subprocess
from datetime import datetime

import pytest
from conftest import root
from fault_runs import Calls, Kills, interposer, kinds, memory_group, memory_limit
from runs import assert_same_end, binary, call, environment, flow, needs_program, rows, settings, succeed

pytestmark = needs_program


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    return Calls(tmp_path_factory.mktemp("calls"))


@pytest.mark.parametrize("name", kinds)
def test_a_call_that_fails_loses_nothing(calls, name):
    number = calls.number(name)
    first = 1 + sorted(kinds).index(name)  # so that kinds meet different calls
    wrong = [what for at in range(first, number + 1, max(1, number // 6)) for what in calls.attempt(name, at)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_run_that_is_killed_loses_nothing(ranks, tmp_path):
    kills = Kills(tmp_path, ranks)
    wrong = [what for number in range(4) for what in kills.attempt(number)]
    assert not wrong, "\n".join(wrong)


def test_the_page_has_the_numbers_of_all_trials():
    spec = importlib.util.spec_from_file_location("trials", root / "tools/trials.py")
    trials = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(trials)
    assert trials.page_with_table() == trials.PAGE.read_text()  # else: tools/trials.py --table


@functools.cache
def loaded():
    """Megabytes below which the program cannot even be loaded; one with CUDA is larger."""
    return next(m for m in range(100, 2000, 50) if subprocess.run([binary, "--version"], capture_output=True, preexec_fn=memory_limit(m)).returncode == 0)


def test_where_memory_ends_the_run_says_so(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    words = settings(grid__cells="[80,80,80]", time__steps=1, device__kind='"cpu"')
    ends = {}
    for megabytes in range(loaded(), loaded() + 700, 50):
        line = [binary, "run", "flow.toml", *words, "--dir", str(megabytes)]
        result = subprocess.run(line, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300, preexec_fn=memory_limit(megabytes))
        ends[megabytes] = result.returncode
        if result.returncode != 0:
            assert result.returncode == 3 and "not enough host memory" in result.stderr, (megabytes, result.returncode, result.stderr)
    assert set(ends.values()) == {0, 3}, ends  # the limits are on both sides of what it takes


def test_where_memory_ends_a_resumed_run_says_so_and_goes_on_later(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    words = settings(grid__cells="[64,64,64]", time__steps=2, output__series_every_steps=1, device__kind='"cpu"')
    succeed("run", "flow.toml", *words, "--dir", "whole", cwd=tmp_path)
    succeed("run", "flow.toml", *words, "--set", "time.steps=1", "--dir", "part", cwd=tmp_path)
    resume = ["resume", "part", "--set", "time.steps=2"]
    ends = []
    while 0 not in ends:
        megabytes = loaded() + 50 * len(ends)
        result = subprocess.run([binary, *resume], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300, preexec_fn=memory_limit(megabytes))
        ends.append(result.returncode)
        if result.returncode != 0:
            assert result.returncode == 3 and "not enough host memory" in result.stderr, (megabytes, result.returncode, result.stderr)
    assert 3 in ends, ends  # the limits are on both sides of what it takes
    assert_same_end(tmp_path / "whole", tmp_path / "part")


def test_a_group_with_too_little_memory_is_seen_beforehand(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    words = settings(grid__cells="[256,256,256]", time__steps=1, device__kind='"cpu"')
    with memory_group(400) as join:
        if join is None:
            pytest.skip("no control group with a limit of memory can be made here")
        for line in (["check", "flow.toml"], ["run", "flow.toml", "--dir", "large"], ["run", "flow.toml", "--dir", "ranks", "--ranks", "2"]):
            result = subprocess.run([binary, *line, *map(str, words)], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300, preexec_fn=join)
            assert result.returncode == 3, (line, result.returncode, result.stdout + result.stderr)
            said = result.stdout + result.stderr
            assert re.search(r"(note: the grid needs|need) \S+ GiB .*\b(\d+ MiB|0\.\d+ GiB)( are)? free", said), said
        small = [binary, "run", "flow.toml", "--set", "time.steps=1", "--dir", "small"]
        assert subprocess.run(small, cwd=tmp_path, env=environment(), capture_output=True, timeout=300, preexec_fn=join).returncode == 0


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_jumps_by_a_day_changes_nothing(days, ranks, tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    library = interposer(tmp_path)
    words = [*settings(output__every_steps=5, output__checkpoint_every_steps=5, output__series_every_steps=1), "--ranks", ranks, "--device", "cpu", "--wall", "1h"]
    jump = {"LD_PRELOAD": str(library), "FAULT_CLOCK": str(days * 86400), "FAULT_CLOCK_FILE": str(tmp_path / "jumped" / "series.csv")}
    succeed("run", "flow.toml", *words, "--dir", "straight", cwd=tmp_path)
    succeed("run", "flow.toml", *words, "--set", "time.steps=10", "--dir", "jumped", cwd=tmp_path, env=jump)
    times = [line[:19] for line in (tmp_path / "jumped" / "log.txt").read_text().splitlines() if re.match(r"\d{4}-\d\d-\d\dT", line)]
    first, last = (datetime.fromisoformat(time) for time in (times[0], times[-1]))
    assert abs((last - first).total_seconds() - days * 86400) < 43200, times  # the clock of the run did jump
    succeed("info", "jumped", cwd=tmp_path)
    succeed("resume", "jumped", "--set", "time.steps=20", "--ranks", ranks, "--device", "cpu", cwd=tmp_path, env=jump)
    assert_same_end(tmp_path / "straight", tmp_path / "jumped")


# Without its limit of time the run would not end.
def test_a_limit_of_time_holds_where_the_clock_is_set_back(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    jump = {"LD_PRELOAD": str(interposer(tmp_path)), "FAULT_CLOCK": "-86400", "FAULT_CLOCK_FILE": str(tmp_path / "run" / "series.csv")}
    result = call("run", "flow.toml", *settings(time__steps=10**9), "--wall", "2 s", "--dir", "run", cwd=tmp_path, env=jump)
    assert result.returncode == 75 and "wall-clock limit" in result.stdout + result.stderr, (result.returncode, result.stdout + result.stderr)
    last = int(rows(tmp_path / "run" / "series.csv")[-1][0])
    succeed("resume", "run", "--set", f"time.steps={last + 3}", cwd=tmp_path)


@pytest.mark.parametrize("name", ["with spaces and 'quotes'", "Strömung über 流れ", "-n $HOME;*"])
def test_folders_of_any_name(name, tmp_path):
    folder = tmp_path / name
    folder.mkdir()
    for file in ("flow", name):
        (folder / f"{file}.toml").write_text(flow)
    words = settings(time__steps=2, output__every_steps=1)
    succeed("run", "flow.toml", *words, "--dir", "plain", cwd=folder)
    succeed("run", folder / f"{name}.toml", *words, "--dir", folder / name, cwd=tmp_path)
    assert_same_end(folder / "plain", folder / name)
    succeed("info", folder / name, cwd=tmp_path)
    succeed("resume", folder / name, "--set", "time.steps=3", cwd=tmp_path)


def test_a_locale_with_decimal_commas_changes_nothing(tmp_path):
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], capture_output=True)
    comma = {"LOCPATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"}
    point = subprocess.run(["locale", "decimal_point"], env={**os.environ, **comma}, capture_output=True, text=True)
    if made.returncode != 0 or point.stdout.strip() != ",":
        pytest.skip("the locale de_DE cannot be made here")
    (tmp_path / "flow.toml").write_text(flow)
    words = settings(time__steps=2, physics__viscosity=0.015)
    succeed("run", "flow.toml", *words, "--dir", "point", cwd=tmp_path)
    succeed("run", "flow.toml", *words, "--dir", "comma", cwd=tmp_path, env=comma)
    assert_same_end(tmp_path / "point", tmp_path / "comma")
    assert (tmp_path / "point/resolved.toml").read_text() == (tmp_path / "comma/resolved.toml").read_text()
