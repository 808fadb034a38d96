"""Runs of the atmosphere on several ranks: the same bits on any number of them and however they are laid out, over terrain too;
checkpoints of one number of ranks resumed by another; a run that fails.
"""

import pytest
from runs import call, needs_program, settings, succeed
from test_ranks import assert_same_run, built_with_mpi, ranks_words

pytestmark = [needs_program]
on_ranks = pytest.mark.skipif(not built_with_mpi(), reason="built without MPI")

case = """[case]
system = "atmosphere"
[grid]
cells = [23, 14, 13]
upper = [2300, 1400, 1300]
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
wind = [8, 3, 0]
coriolis = { f = 1e-3 }
sponge.top = { width = 500 }
sponge.x = { width = 300 }
[time]
steps = 6
[[initial]]
theta = "2*exp(-((x - 900)^2 + (y - 600)^2 + (z - 600)^2)/300^2)"
[boundary]
x_lower = "open"
y = "periodic"
[output]
overview = false
every_steps = 3
series_every_steps = 2
fields = ["theta_perturbation", "velocity", "height"]
"""
terrain = {"physics__terrain": '"200*sin(x/300)*cos(2*pi*y/1400)"'}
choices = {"flat": {}, "terrain": {**terrain, "numerics__riemann": '"ausm"'}, "viscous": {"physics__viscosity": "10"},
           "single": {**terrain, "numerics__precision": '"single"'},
           "transverse": {**terrain, "numerics__reconstruction__transverse": '"-1/24"'}}
hevi = {"time__scheme": '"hevi"', "time__cfl": "0.8"}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    return tmp_path


@on_ranks
@pytest.mark.parametrize("name", choices)
@pytest.mark.parametrize("along", [[2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2, 1]], ids=str)
def test_the_layout_of_the_ranks_changes_no_bit(place, name, along):
    words = settings(**choices[name])
    count = along[0] * along[1] * along[2]
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "cut", *words, *settings(device__ranks_along=str(along)), *ranks_words(count), cwd=place)
    assert_same_run(place / "one", place / "cut")


@on_ranks
@pytest.mark.parametrize("ground", [{}, terrain], ids=["flat", "terrain"])
@pytest.mark.parametrize("along", [[2, 1, 1], [1, 2, 1], [2, 2, 1]], ids=str)
def test_columns_are_solved_on_any_layout_of_ranks(place, ground, along):
    words, count = settings(**ground, **hevi), along[0] * along[1]
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "cut", *words, *settings(device__ranks_along=str(along)), *ranks_words(count), cwd=place)
    assert_same_run(place / "one", place / "cut")


@on_ranks
def test_columns_are_never_cut(place):
    words = settings(**hevi, grid__cells="[6, 6, 64]")
    result = call("run", "flow.toml", "--dir", "cut", *words, *settings(device__ranks_along="[1, 1, 2]"), *ranks_words(2), cwd=place)
    assert result.returncode == 2, result.stdout
    assert "along z are solved for as a whole" in result.stderr
    succeed("run", "flow.toml", "--dir", "free", *words, *ranks_words(2), cwd=place)


@pytest.mark.parametrize("key, what", [
    ({"physics__viscosity": "10"}, "physics.viscosity"),
    ({"numerics__reconstruction__transverse": '"-1/24"'}, "numerics.reconstruction.transverse"),
    ({"grid__cells": "[1, 1, 13]"}, "time.scheme"),
    ({"device__schedule": '"tile"'}, "device.schedule"),
    ({"time__cfl": "1.2"}, "time.cfl"),
])  # fmt: skip
def test_what_implicit_sound_does_not_go_with_is_refused(place, key, what):
    result = call("check", "flow.toml", "--device", "cpu", *settings(**{**hevi, **key}), cwd=place)
    assert result.returncode == 2, result.stdout
    assert what in result.stderr


@on_ranks
@pytest.mark.parametrize("scheme", [{}, hevi], ids=["explicit", "hevi"])
def test_a_checkpoint_goes_on_with_other_ranks(place, scheme):
    words = settings(**terrain, **scheme, output__checkpoint_every_steps=2)
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "many", *words, *settings(time__steps=2), *ranks_words(2), cwd=place)
    for steps, count in ((4, 1), (6, 3)):
        succeed("resume", "many", *settings(time__steps=steps), *ranks_words(count), cwd=place)
    succeed("diff", "one", "many", cwd=place)


def test_an_impossible_beginning_names_the_cell(place):
    (place / "hot.toml").write_text(case.replace('theta = "2*exp', 'pressure = "-3e5*exp'))
    result = call("run", "hot.toml", "--dir", "hot", "--device", "cpu", cwd=place)
    assert result.returncode == 2, result.stdout
    assert "initial[0].pressure" in result.stderr and "in cell (" in result.stderr and "positive" in result.stderr


def test_a_run_that_fails_names_the_cell(place):
    result = call("run", "flow.toml", "--dir", "fast", "--device", "cpu", *settings(time__dt=2.0, time__steps=200), cwd=place)
    assert result.returncode not in (0, 2), result.stdout
    assert "first at cell (" in result.stderr
