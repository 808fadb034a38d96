"""The system to copy, examples/systems/advection, in the program that has it: watersmeet_examples of the build folder."""

import os
import pathlib
import re
import subprocess

import pytest
import runs
from conftest import root
from runs import assert_same_end, needs_program, rows, settings, succeed

pytestmark = needs_program
users_program = runs.binary

case = """[case]
system = "advection"
[grid]
cells = [24, 20, 16]
[physics]
velocity = [1, -0.5, 0.25]
diffusivity = 0.02
wave = [2, 1, 1]
[time]
steps = 20
[output]
overview = false
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    program = pathlib.Path(os.environ.get("WATERSMEET_BUILD", root / "build")) / "watersmeet_examples"
    assert program.exists(), f"{program} is missing: build the target watersmeet_examples or set WATERSMEET_BUILD"
    monkeypatch.setattr(runs, "binary", str(program))
    (tmp_path / "case.toml").write_text(case)
    return tmp_path


def run(place, name, *words, **keys):
    succeed("run", "case.toml", "--device", "cpu", "--dir", name, *words, *settings(output__checkpoint_every_steps=10, **keys), cwd=place)
    return place / name


def test_the_rows_of_its_verification_pass(place):
    succeed("verify", "advection", "--device", "cpu", cwd=place)


def test_the_program_of_users_does_not_have_it(place, monkeypatch):
    monkeypatch.setattr(runs, "binary", users_program)
    result = runs.call("check", "case.toml", cwd=place)
    assert result.returncode != 0
    assert "advection" in result.stderr


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("form", ["face", "cell"])
def test_ranks_threads_and_a_restart_leave_the_bits(place, form, precision):
    chosen = {"numerics__form": form, "numerics__precision": precision}
    whole = run(place, "whole", **chosen)
    assert_same_end(whole, run(place, "threads", "--threads", "2", **chosen))
    assert_same_end(whole, run(place, "ranks", "--ranks", "3", **chosen))
    half = run(place, "half", **chosen, time__steps=10)
    succeed("resume", "half", "--device", "cpu", *settings(time__steps=20), cwd=place)
    assert_same_end(whole, half)


@pytest.mark.parametrize("form", ["face", "cell"])
def test_a_streamed_run_has_the_bits_of_a_resident_one(place, form):
    long = {"numerics__form": form, "grid__cells": "[24, 20, 41]", "output__series_every_steps": 3, "time__dt": 0.01}
    streamed = run(place, "streamed", device__memory="stream", stream__segments=4, stream__fused_steps=2, **long)
    assert_same_end(run(place, "resident", **long), streamed)


def test_the_series_follows_the_closed_form(place):
    table = rows(run(place, "wave", numerics__form="cell") / "series.csv")
    last = dict(zip(table[0], map(float, table[-1]), strict=True))
    assert 0 < last["error"] < 1e-3
    assert abs(last["drift"]) < 1e-12  # a sine has no mean, whatever the form


def test_periods_along_an_axis_of_one_cell_are_refused(place):
    result = runs.call("run", "case.toml", "--set", "grid.cells=[24, 20, 1]", cwd=place)
    assert result.returncode != 0
    assert "z has one cell: no room for 1 periods" in result.stderr


def page_blocks(language):
    """The code blocks of docs/new-system.md of one language, in order."""
    page = (root / "docs" / "new-system.md").read_text()
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return [text for name, text in blocks if name == language]


def test_the_commands_of_the_page_print_what_it_shows(place):
    (place / "build").mkdir()
    (place / "build" / "release").symlink_to(pathlib.Path(runs.binary).parent)
    (place / "python").symlink_to(root / "python")
    commands = [block for block in page_blocks("sh") if not block.startswith("# not run by the tests")]
    assert len(commands) == 3
    printed = []
    for block in commands:
        done = subprocess.run(["bash", "-e", "-c", block], cwd=place, env=runs.environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        printed.append(done.stdout)
    run_shown, verify_shown = page_blocks("text")
    for number in (0, 1, 2, 6, 7):  # step, t, dt, drift, error; the others are times
        last = [line.split() for line in printed[0].splitlines() if line.startswith(" ")][-1]
        assert last[number] == run_shown.splitlines()[1].split()[number]
    assert "nothing differs" in printed[1]
    assert (place / printed[1].splitlines()[-1]).is_file()
    row = re.compile(r" (.+?)  +(\S+)  +(expected .+?)  +pass")
    shown, rows_printed = row.findall(verify_shown), row.findall(printed[2])
    assert len(shown) == 3
    assert [(name, range_) for name, _, range_ in shown] == [(name, range_) for name, _, range_ in rows_printed]
    assert [float(value) for _, value, _ in rows_printed] == pytest.approx([float(value) for _, value, _ in shown], rel=1e-3, abs=1e-15)


def test_the_folder_is_as_small_as_the_page_says(place):
    files = list((root / "examples" / "systems" / "advection").iterdir())
    lines = sum(len(file.read_text().splitlines()) for file in files)
    assert f"has {['no', 'one', 'two', 'three', 'four', 'five', 'six'][len(files)]} files with {lines} lines" in (
        root / "docs" / "new-system.md").read_text()
