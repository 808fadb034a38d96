"""Runs of shallow water on several ranks: the same bits on any number of them, with dry cells, conditions at every side and stencils
that look across their axis; checkpoints of one number of ranks resumed by another; a run that fails.
"""

import pytest
from rank_runs import assert_same_on_ranks, on_ranks, ranks_words, run_in_parts
from runs import call, needs_program, settings, succeed

pytestmark = [needs_program]

case = """[case]
system = "shallow_water"
[grid]
cells = [37, 29, 1]
upper = [37, 29, 1]
[physics]
bed = "sin(x/4)*cos(y/5) - 1.5"
coriolis = { f = 0.02, beta = 1e-4 }
friction = { manning = 0.02 }
[time]
steps = 9
cfl = 0.7
[[initial]]
surface = "0.2*exp(-((x - 15)^2 + (y - 10)^2)/40)"
[boundary]
x_lower = { kind = "level", surface = "0.1*sin(t + y/9)" }
x_upper = { kind = "far", surface = 0 }
y_lower = "wall"
y_upper = "open"
[output]
overview = false
every_steps = 4
series_every_steps = 2
fields = ["surface", "velocity", "bed", "potential_vorticity"]
"""
transverse = {"numerics__reconstruction__transverse": '"-1/24"'}
islands = {"numerics__wet_dry": "true", "physics__bed": '"1.2*sin(x/4)*cos(y/5) - 0.5"'}
choices = {"9-point": {}, "13-point": transverse, "islands": islands, "13-point-islands": {**transverse, **islands},
           "single": {**transverse, "numerics__precision": '"single"'}}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    (tmp_path / "box.toml").write_text(case[: case.index("x_lower")] + 'x = "periodic"\ny = "periodic"\n' + case[case.index("[output]"):])
    return tmp_path


@on_ranks
@pytest.mark.parametrize("name", choices)
@pytest.mark.parametrize("along", [[1, 2, 1], [2, 1, 1], [2, 2, 1], [1, 4, 1]], ids=str)
def test_the_layout_of_the_ranks_changes_no_bit(place, name, along):
    for file in ("flow", "box"):
        assert_same_on_ranks(place, [along], settings(**choices[name]), case=f"{file}.toml")


@on_ranks
@pytest.mark.parametrize("name", ["9-point", "13-point-islands"])
def test_a_checkpoint_goes_on_with_other_ranks(place, name):
    words = settings(**choices[name], output__checkpoint_every_steps=3)
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    run_in_parts(place, "many", [(3, 3), (6, 1), (9, 2)], words)
    succeed("diff", "one", "many", cwd=place)


def test_a_depth_that_vanishes_names_the_cell(place):
    text = case.replace('surface = "0.2*exp(-((x - 15)^2 + (y - 10)^2)/40)"', 'depth = 0.01\nvelocity = ["x < 18 ? -9 : 9", 0, 0]')
    text = text.replace('"0.1*sin(t + y/9)"', "0.01").replace('"far", surface = 0 ', '"far", surface = 0.01 ')
    (place / "dry.toml").write_text(text.replace('"sin(x/4)*cos(y/5) - 1.5"', "0").replace("steps = 9", "steps = 200"))
    result = call("run", "dry.toml", "--dir", "dry", "--device", "cpu", cwd=place)
    assert result.returncode not in (0, 2), result.stdout
    assert "first at cell (" in result.stderr and "eta" in result.stderr and "wet_dry" in result.stderr


@pytest.mark.parametrize("words, refused", [
    ({"physics__coriolis": "{ f = 1e-4, y0 = 5 }"}, ("y0 = 5", "there is no beta")),
    ({"physics__coriolis": "{ f = 1e-4, beta = 1e-6, y0 = 5 }"}, None),
    ({"physics__coriolis": "{ f = 1e-4, y0 = 0 }"}, None),
])  # fmt: skip
def test_a_place_of_the_coriolis_parameter_wants_beta(place, words, refused):
    result = call("check", "flow.toml", *settings(**words), cwd=place)
    if refused is None:
        assert result.returncode == 0, result.stderr
        return
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
    for text in refused:
        assert text in result.stderr, result.stderr


def test_a_state_that_is_none_is_one_fault(place):
    result = call("check", "flow.toml", "--set", 'initial=[{state="wiliamson-2"}]', cwd=place)
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
    assert 'did you mean "williamson-2"?' in result.stderr, result.stderr


def test_a_plane_has_no_spacing_above_it(place):
    assert "= 1073 cells, dx = dy = 1\n" in succeed("check", "flow.toml", cwd=place).stdout
    channel = settings(grid__cells="[37, 1, 1]", boundary="{ x = \"open\" }")
    assert " cells, dx = 1\n" in succeed("check", "flow.toml", *channel, cwd=place).stdout
