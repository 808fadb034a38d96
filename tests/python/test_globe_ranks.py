"""The atmosphere on a cubed sphere on several ranks: the same bits on any number of them and however they are laid out, explicit and with
implicit sound, over mountains, on stretched levels, with a sponge and in a deep atmosphere; a run resumed by another number of them; maps.
"""

import h5py
import pytest
from rank_runs import assert_same_maps, assert_same_on_ranks, assert_same_run, on_ranks, ranks_words, run_in_parts
from runs import call, needs_program, settings, succeed

pytestmark = [needs_program]

case = """[case]
system = "atmosphere"
[grid]
kind = "cubed_sphere"
cells = [13, 13, 5]
radius = 60e3
top = 12e3
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
rotation = { rate = 1e-3 }
[time]
steps = 6
[[initial]]
theta = "2*cos(lat)^2*cos(lon - 1)*sin(pi*z/12000)"
velocity = ["20*cos(lat) + 5*sin(2*lon)*cos(lat)^2", "5*sin(2*lat)*cos(lon)", 0]
[output]
overview = false
every_steps = 2
series_every_steps = 2
fields = ["theta_perturbation", "velocity", "velocity_east", "w", "pressure_below", "height"]
"""
mountains = {"physics__terrain": '"1000*(1 + cos(4*lon)*cos(lat)^2*sin(3*lat))"'}
choices = {"explicit": {}, "mountains": {**mountains, "numerics__riemann": '"ausm"'},
           "hevi": {"time__scheme": '"hevi"', "physics__sponge__top__width": "5e3"},
           "hevi over mountains": {**mountains, "time__scheme": '"hevi"'},
           "transverse": {**mountains, "numerics__reconstruction__transverse": '"-1/24"'},
           "deep": {**mountains, "physics__atmosphere": '"deep"'}, "deep hevi": {"physics__atmosphere": '"deep"', "time__scheme": '"hevi"'},
           "stretched": {**mountains, "grid__z_mapping": '"s + s^2"'},
           "stretched deep hevi": {**mountains, "grid__z_mapping": '"s + s^2"', "physics__atmosphere": '"deep"', "time__scheme": '"hevi"'},
           "stretched transverse": {**mountains, "grid__z_mapping": '"s + s^2"', "numerics__reconstruction__transverse": '"-1/24"'},
           "single": {**mountains, "numerics__precision": '"single"', "numerics__reconstruction__limiter": '"vanleer"'}}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    return tmp_path


# Three panels per rank, whose edges meet within a rank and between two; parts of panels. Numbers between them cut whole panels too.
@on_ranks
@pytest.mark.parametrize("name", choices)
def test_the_number_of_ranks_changes_no_bit(place, name):
    assert_same_on_ranks(place, [2, 3, 6, 8] if name == "explicit" else [2, 8], settings(**choices[name]))


# Whole panels, rows and columns of all, rectangles of some, parts as thin as the stencil.
@on_ranks
@pytest.mark.parametrize("name", ["mountains", "hevi over mountains", "transverse"])
def test_nor_does_the_layout_of_the_ranks(place, name):
    layouts = ([1, 1, 4], [1, 4, 1], [3, 1, 1], [2, 2, 1], [2, 1, 3], [2, 2, 2])
    assert_same_on_ranks(place, layouts, settings(**choices[name]))


@on_ranks
@pytest.mark.parametrize("name", ["explicit", "hevi over mountains", "stretched deep hevi"])
def test_a_run_is_resumed_by_another_number_of_ranks(place, name):
    words = settings(**choices[name])
    succeed("run", "flow.toml", "--dir", "whole", *words, *ranks_words(1), cwd=place)
    run_in_parts(place, "half", [(4, 3), (6, 4)], words)
    assert_same_run(place / "whole", place / "half")


@on_ranks
def test_maps_are_those_of_one_rank(place):
    words = settings(output__latlon="[37, 19]", time__steps="4", output__every_steps="4")
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "cut", *words, *ranks_words(4), cwd=place)
    names = ["latlon_000000.nc", "latlon_000004.nc"]
    assert_same_maps(place / "one", place / "cut", names)
    for name in names:
        with h5py.File(place / "one" / name) as one:
            assert one["w"].shape == (1, 5, 19, 37)


# The levels of a column stay together, however few the columns are.
@on_ranks
def test_levels_are_not_cut(place):
    result = call("run", "flow.toml", "--dir", "cut", *settings(device__ranks_along="[1, 1, 7]"), *ranks_words(7), cwd=place)
    assert result.returncode == 2, result.stdout
    assert "7 ranks along z" in result.stderr and "at most 6" in result.stderr
