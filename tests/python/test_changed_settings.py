"""Settings that are changed when a run is resumed: the state comes from the checkpoint, and what it is made of may not be another thing in the
case; what sets no state any more is told.
"""

import pytest
from runs import call, flow, needs_program, settings, succeed

pytestmark = needs_program

kinematic = """[case]
system = "mhd"
[constants]
strength = 1
[grid]
cells = [8, 8, 8]
[physics]
resistivity = 0.1
velocity = ["strength*sin(z)", "sin(x)", "sin(y)"]
[time]
steps = 2
[[initial]]
potential = ["sin(z)", 0, "cos(y)"]
[output]
overview = false
"""
fluids = """[case]
system = "multicomponent"
[grid]
cells = [16, 8, 1]
upper = [2, 1, 1]
geometry = "axisymmetric"
[physics.fluids]
air = { gamma = 1.4, density = 1 }
water = { gamma = 6.68, p_c = 4050, density = 1000 }
[time]
steps = 2
[[initial]]
fluid = "water"
pressure = 100
[[initial]]
fluid = "air"
shape = { kind = "sphere", centre = [1, 0, 0], radius = 0.5 }
[boundary]
x = "absorbing"
y_upper = "absorbing"
[output]
overview = false
"""
atmosphere = """[case]
system = "atmosphere"
[grid]
cells = [8, 1, 8]
[physics.reference]
kind = "neutral"
[time]
steps = 2
[boundary]
x = "periodic"
y = "periodic"
[output]
overview = false
"""
refused = {
    "the density of the logarithm": (flow, "physics.reference_density=1.1", "physics.reference_density differs: 1 in the run, and 1.1"),
    "a prescribed flow": (kinematic, 'physics.velocity=["2*sin(z)", 0, 0]', "physics.velocity differs: (strength*sin(z), sin(x), sin(y))"),
    "a constant of a prescribed flow": (kinematic, "constants.strength=2", "with strength = 1 in the run, and"),
    "the exponent of a fluid": (fluids, "physics.fluids.water.gamma=4", "physics.fluids.water.gamma differs: 6.68 in the run, and 4 in"),
    "the pressure of a stiff fluid": (fluids, "physics.fluids.water.p_c=1", "physics.fluids.water.p_c differs: 4050 in the run, and 1 in"),
    "rings about an axis": (fluids, "grid.geometry=cartesian", "grid.geometry differs from that of the run"),
    "the air that departures are from": (atmosphere, "physics.reference.theta=310", "the reference state, of which the state holds departures differs"),
}  # fmt: skip


@pytest.mark.parametrize("name", refused)
def test_what_the_state_is_made_of_is_not_changed(name, tmp_path):
    text, setting, words = refused[name]
    (tmp_path / "case.toml").write_text(text)
    succeed("run", "case.toml", "--dir", "a", *settings(time__steps=2), cwd=tmp_path)
    result = call("resume", "a", *settings(time__steps=4), "--set", setting, cwd=tmp_path)
    assert result.returncode == 2 and words in result.stderr, result.stdout + result.stderr
    assert "a resumed run keeps it" in result.stderr
    succeed("resume", "a", *settings(time__steps=4), cwd=tmp_path)


def test_initial_states_of_a_resumed_run_are_told_to_have_no_effect(tmp_path):
    (tmp_path / "case.toml").write_text(flow)
    succeed("run", "case.toml", "--dir", "a", *settings(time__steps=2), cwd=tmp_path)
    said = succeed("resume", "a", *settings(time__steps=4), "--set", "initial[0].density=7", cwd=tmp_path).stdout
    assert "note: --set initial[0].density=7 does not change the state, which is that of a/checkpoint_000002.h5" in said, said
