"""Mistakes in cases are told at their key, and nothing is told that is no mistake."""

import pytest
from runs import call, needs_program, succeed

pytestmark = needs_program

# Case, settings, all faults that are told.
told = [
    # Constants that are no numbers, in keys that may also read scalars of the case.
    ("heated-cavity/quick", ['boundary.x_lower.temperature="1/0"'], ["boundary.x_lower.temperature: \"1/0\" = inf; must be a finite number"]),
    ("lid-cavity/quick", ['boundary.z_upper.velocity=["1/0",0,0]'], ["boundary.z_upper.velocity: \"1/0\" = inf in x; must be a finite number"]),
    ("heated-cavity/quick", ['source=[{temperature="0/0"}]'], ["source[0].temperature: \"0/0\" = nan; must be a finite number"]),
    # A bed is evaluated before the run for the waves at sides.
    ("tsunami/quick", ['physics.bed="lon"', 'boundary.x={kind="far",surface=0}'], ["`lon` is no coordinate of a plane"]),
    # Components that no side takes.
    ("tsunami/quick", ['boundary.x={kind="level",surface=0,velocity=[1,0,0]}'], ["the velocity along x through a side of kind level follows from the level"]),
    ("tsunami/quick", ['boundary.x={kind="flow",velocity=["depth/10",0,"depth"]}'], ["shallow water has no velocity along z: the third component must be 0"]),
    ("heated-cavity/quick", ['boundary.x_lower={kind="stress",stress=["speed",0,1]}'], ["no stress acts across a side"]),
    # A tangent that is negative again.
    ("wedge/quick", ["grid.mesh.angle_deg=95"], ["mesh wedge: angle_deg must be less than 90"]),
    # Faults of a sphere say nothing of its outputs.
    ("williamson-5/quick", ["grid.cells=[8,9,6]", "output.latlon=[36,18]"], ["8 x 9 x 6: a cubed sphere has 6 panels"]),
    ("baroclinic-wave/quick", ["grid.top=-3", "output.latlon=[36,18]", 'output.fields=["velocity_east"]'], ["grid.top: -3; must be greater than 0"]),
]  # fmt: skip


def words_of(settings):
    return [word for setting in settings for word in ("--set", setting)]


@pytest.mark.parametrize("case, settings, faults", told, ids=str)
def test_faults_are_told_at_their_keys_and_no_other(case, settings, faults, tmp_path):
    result = call("check", case, *words_of(settings), cwd=tmp_path)
    found = [line for line in result.stderr.splitlines() if line.startswith("error")]
    assert result.returncode == 2 and len(found) == len(faults), result.stderr
    assert all(fault in line for fault, line in zip(faults, found, strict=True)), result.stderr


@pytest.mark.parametrize(
    "entry, words",
    [
        ('density="1/(x-x)"', "the initial density is inf: block 0, node (0, 0, 0)"),
        ('pressure="exp(1e6*(1+x*x))"', "the initial pressure is inf"),
        ('velocity=[0,"0/(x-x)",0]', "the initial velocity is nan"),
    ],
)
def test_an_initial_flow_on_blocks_that_is_not_finite_is_told_at_its_key(entry, words, tmp_path):
    result = call("run", "bump/quick", "--dir", "run", "--set", f"initial=[{{{entry}}}]", cwd=tmp_path)
    assert result.returncode == 2 and f"error[range]: {words}" in result.stderr, result.stderr
    assert "--> --set initial" in result.stderr


def test_multigrid_on_a_single_grid_is_told_to_have_no_effect(tmp_path):
    single = words_of(["numerics.multigrid.levels=1", "numerics.multigrid.cycle=V", "numerics.multigrid.pre=3"])
    result = succeed("check", "bump/quick", *single, cwd=tmp_path)
    for key in ("cycle", "pre"):
        said = f"numerics.multigrid.{key} has no effect: numerics.multigrid.levels = 1 is a single grid"
        assert said in result.stdout + result.stderr


def test_an_end_of_time_of_a_steady_run_names_the_key_of_its_end(tmp_path):
    succeed("run", "bump/quick", "--dir", "run", *words_of(["time.steps_max=2", "output.overview=false"]), cwd=tmp_path)
    result = call("resume", "run", "--until", "5", cwd=tmp_path)
    assert result.returncode == 2 and "set time.steps_max, the most cycles of a steady run" in result.stderr, result.stderr


def test_a_resumed_run_tells_what_has_no_effect_and_nothing_of_defaults(tmp_path):
    succeed("run", "dam-break/quick", "--dir", "run", *words_of(["time.steps=2", "output.overview=false"]), cwd=tmp_path)
    plain = succeed("resume", "run", *words_of(["time.steps=3"]), cwd=tmp_path).stdout
    assert "note:" not in plain and "stream.scheme" not in plain
    other = succeed("resume", "run", *words_of(["time.steps=4", "initial=[{surface=2}]"]), cwd=tmp_path).stdout
    assert "note: --set initial=[{surface=2}] does not change the state, which is that of" in other


def test_solves_of_a_fluid_at_rest_have_no_tolerance_to_miss(tmp_path):
    few = words_of(["time.steps=4", "numerics.pressure.solver=mg", "output.overview=false"])
    result = succeed("run", "heated-cavity/quick", "--dir", "run", *few, cwd=tmp_path)
    assert "rounding stopped it" not in result.stdout
