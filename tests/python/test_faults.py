"""Faults of the machine: what a run leaves when a call of the system fails, when it is killed, or when memory ends, and that resuming it
gives the bits of a run without faults (fault_runs.py). tools/trials.py makes all trials, of which these are a part.
"""

import os
import subprocess

import pytest
from fault_runs import Calls, Kills, kinds, memory_limit
from runs import assert_same_end, binary, environment, flow, needs_program, settings, succeed

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


def test_where_memory_ends_the_run_says_so(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    words = settings(grid__cells="[80,80,80]", time__steps=1, device__kind='"cpu"')
    ends = {}
    # below that the program cannot even be loaded; one with CUDA is larger
    loaded = next(m for m in range(100, 2000, 50) if subprocess.run([binary, "--version"], capture_output=True, preexec_fn=memory_limit(m)).returncode == 0)
    for megabytes in range(loaded, loaded + 700, 50):
        line = [binary, "run", "flow.toml", *words, "--dir", str(megabytes)]
        result = subprocess.run(line, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300, preexec_fn=memory_limit(megabytes))
        ends[megabytes] = result.returncode
        if result.returncode != 0:
            assert result.returncode == 3 and "not enough host memory" in result.stderr, (megabytes, result.returncode, result.stderr)
    assert set(ends.values()) == {0, 3}, ends  # the limits are on both sides of what it takes


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
