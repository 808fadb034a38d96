"""The scripts that expected values of convection and of flow in cavities come from: against closed forms, published values and the program."""

import re
import sys

import numpy as np
import pytest
import watersmeet
from conftest import root
from example_runs import load_check
from runs import needs_program, succeed

sys.path.insert(0, str(root / "validation/reference"))

import cavities
import convection_cube
import convection_rolls
import grossmann_lohse


def quoted(source, pattern):
    """The numbers that a source file of the checks expects."""
    text = (root / "src/verify/boussinesq" / source).read_text()
    found = re.search(pattern, text, re.DOTALL)
    assert found, pattern
    return [float(number) for number in re.findall(r"-?\d+\.\d+", found.group(1))]


def test_rolls_set_in_at_the_numbers_that_verify_expects():
    for name, slip in (("free_slip", True), ("no_slip", False)):
        expected = quoted("onset.cpp", rf"{name}\[\] = \{{(.*?)\}};")[::2]
        length = convection_rolls.lengths[name.replace("_", " ")]
        for n, value in zip((16, 32, 64, 128), expected, strict=True):
            assert convection_rolls.critical_rayleigh(n, length, slip) == pytest.approx(value, abs=6e-4)
            if slip:
                assert convection_rolls.closed_form(n, length) == pytest.approx(value, abs=6e-4)
    assert list(load_check("onset").critical["onset-no-slip"].values()) == expected


def test_the_limit_of_rolls_is_the_published_number():
    """Chandrasekhar (1961): 1707.762 at the wave number 3.117, where it is least; 3.11 is beside it by 7e-3."""
    a, b = (convection_rolls.critical_rayleigh(n, np.pi / 3.117, False) for n in (64, 128))
    assert (4 * b - a) / 3 == pytest.approx(1707.762, abs=2e-3)
    a, b = (convection_rolls.critical_rayleigh(n, np.pi / 3.11, False) for n in (64, 128))
    assert [(4 * b - a) / 3] == pytest.approx(quoted("onset.cpp", r"/ 4 : (1707\.\d+), 0\.02\)"), abs=3e-3)


def test_a_step_in_the_cube_keeps_what_the_equations_keep():
    roll = convection_cube.Roll(6)
    for _ in range(20):
        roll.step()
    divergence = sum(np.diff(roll.u[a], axis=a) for a in range(3)) * 6
    assert np.abs(divergence).max() < 1e-11 * np.abs(roll.u[2]).max() * 6
    # The roll is its own image under half a turn about the line x = z = 1/2 and in the plane y = 1/2.
    assert np.abs(roll.T + roll.T[::-1, :, ::-1] - 1).max() < 1e-13
    assert np.abs(roll.u[0] + roll.u[0][::-1, :, ::-1]).max() < 1e-11 and np.abs(roll.T - roll.T[:, ::-1]).max() < 1e-13


def test_the_roll_of_the_cube_settles():
    """On 8^3 cells at a lower Rayleigh number; then heat passes every level alike, which no step of time enters."""
    roll = convection_cube.Roll(8, 1.5e4).advance(0.2).settle()
    through = [np.sum(roll.u[2][:, :, k] * (roll.T[:, :, k - 1] + roll.T[:, :, k]) / 2 - (roll.T[:, :, k] - roll.T[:, :, k - 1]) * 8) / 64 for k in range(1, 8)]
    z = (np.arange(8) + 0.5) / 8
    sides = [2 * 8 * np.sum([f - (1 - z[k]) for f in (roll.T[0, :, k], roll.T[-1, :, k], roll.T[:, 0, k], roll.T[:, -1, k])]) / 64 for k in range(8)]
    for k in range(1, 7):  # what a level gains from below it gives to the one above and to the sides
        assert through[k - 1] - through[k] == pytest.approx(sides[k], abs=1e-5 * max(np.abs(through)))
    assert roll.summary()["nusselt"] > 1.2


@needs_program
def test_the_program_turns_the_roll_as_the_script_does(tmp_path):
    """Far from steady, where every term matters, on 8^3 cells with the same step."""
    n, prandtl, rayleigh = 8, 0.71, 4.4e4
    roll = convection_cube.Roll(n, rayleigh, prandtl)
    steps = 60
    walls = "\n".join(f'{side} = {{ kind = "no_slip", temperature = "1 - z" }}' for side in "xyz")
    (tmp_path / "case.toml").write_text(f"""[case]
system = "boussinesq"
[grid]
cells = [{n}, {n}, {n}]
upper = [1, 1, 1]
[physics]
viscosity = {prandtl}
diffusivity = 1
buoyancy = {rayleigh * prandtl!r}
[time]
scheme = "ab2"
dt = {roll.dt!r}
steps = {steps}
[[initial]]
temperature = "1 - z + 0.1*sin(2*pi*x)*sin(pi*y)*sin(pi*z)"
[boundary]
{walls}
[output]
every_steps = {steps}
overview = false
""")
    succeed("run", "case.toml", "--dir", "run", "--device", "cpu", cwd=tmp_path)
    last = watersmeet.open(tmp_path / "run").fields[-1]
    for _ in range(steps):
        roll.step()
    assert np.abs(np.asarray(last["temperature"]).T - roll.T).max() < 1e-9
    for axis in range(3):
        faces = np.moveaxis(roll.u[axis], axis, 0)
        centres = np.moveaxis((faces[1:] + faces[:-1]) / 2, 0, axis)
        assert np.abs(np.asarray(last["velocity"])[..., axis].T - centres).max() < 1e-7 * np.abs(centres).max() + 1e-9


def test_the_flow_under_a_lid_is_that_of_the_checks():
    """Re = 100: 20 points are within 1.1e-4 of what 40 have."""
    found = cavities.solve("lid", 100, 20).extremes()
    known = load_check("lid-cavity").known[100]
    assert [found[name] for name in ("smallest u", "largest w", "smallest w")] == pytest.approx(known, abs=1.5e-4)
    assert quoted("lid_cavity.cpp", r"rows\(v, 100, .*?\{(.*?)\}") == pytest.approx(known, abs=1e-9)


def test_heat_crosses_the_cavity_as_the_checks_expect():
    """Ra = 1e3 with 14 points and 1e4 with 18; published are 1.118 and 2.243 (de Vahl Davis 1983)."""
    for rayleigh, n, published in ((1e3, 14, 1.118), (1e4, 18, 2.243)):
        cavity = cavities.solve("heated", rayleigh, n)
        heat, lines = cavity.nusselt(), cavity.extremes()
        found = [heat["mean Nusselt number"], lines["largest u"], lines["largest w"], heat["largest"], heat["smallest"]]
        assert found[0] == pytest.approx(published, rel=1e-3)
        assert found == pytest.approx(load_check("heated-cavity").known[rayleigh], rel=5e-4)


def test_the_theory_of_grossmann_and_lohse_is_solved():
    """At Ra = 1e7 it lies 7 % above Kerr's fit to simulations; Ra^(1/4) to Ra^(1/3) bound its growth there."""
    nusselt, reynolds = grossmann_lohse.nusselt_and_reynolds(1e7, 0.71)
    assert np.abs(grossmann_lohse.remainder(np.log([nusselt, reynolds]), 1e7, 0.71)).max() < 1e-10
    assert nusselt == pytest.approx(0.186 * 1e7**0.276, rel=0.08)
    growth = np.log10(grossmann_lohse.nusselt_and_reynolds(1e8, 0.71)[0] / nusselt)
    assert 0.25 < growth < 1 / 3
