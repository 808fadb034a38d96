"""Values at sides of a plane of shallow water that are expressions of the water there: a weir that drains a basin, the same numbers as an open side
and as values of place and time, the same bits however a run is cut or interrupted, and what is wrong with a case."""

import numpy as np
import pytest
import watersmeet
from rank_runs import assert_same_on_ranks, last_field, on_ranks, run_case, run_in_parts
from runs import arrays, call, needs_program, newest, settings, succeed

pytestmark = needs_program


@pytest.mark.parametrize("side", ["x_lower", "x_upper", "y_lower", "y_upper"])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_a_weir_drains_a_basin(side, precision, tmp_path):
    """Over a weir C h^1.5 flows for each metre, and L h' = -C h^1.5: h = (h_0^-0.5 + C t/(2L))^-2. The level in the basin is not level while
    it falls: the speed at the weir, C h^0.5, over that of waves is C/sqrt(g) = 0.0064, which is how far the level at the weir may lie below."""
    axis, sign = side[0], 1 if side.endswith("upper") else -1
    other = "y" if axis == "x" else "x"
    rest = side.replace("upper", "lower") if sign > 0 else side.replace("lower", "upper")
    velocity = [f"{sign}*0.02*depth^0.5", 0] if axis == "x" else [0, f"{sign}*0.02*depth^0.5"]
    cells = [40, 1, 1] if axis == "x" else [1, 40, 1]
    case = f"""[case]
system = "shallow_water"
[grid]
cells = {cells}
upper = [100, 100, 1]
[physics]
gravity = 9.81
bed = "-3"
[time]
end = 3000
[[initial]]
surface = -1
[boundary]
{rest} = "wall"
{side} = {{ kind = "flow", velocity = {[*velocity, 0]} }}
{other} = "periodic"
[numerics]
precision = "{precision}"
[output]
overview = false
precision = "double"
fields = ["depth", "velocity"]
"""
    case = case.replace("'", '"')
    folder = run_case(case, "r", place=tmp_path)
    depth = last_field(folder, "depth").ravel()
    exact = (2**-0.5 + 0.02 * 3000 / 200) ** -2
    assert exact < 1 and abs(depth.mean() - exact) < 0.005 * exact
    assert np.ptp(depth) < 0.01
    assert abs(watersmeet.open(folder).series["volume_drift"][-1]) < (1e-13 if precision == "double" else 1e-6)


waves = """[case]
system = "shallow_water"
[grid]
cells = [16, 12, 1]
upper = [16, 12, 1]
[physics]
gravity = 1
BED
[time]
steps = 30
[[initial]]
surface = "1 + 0.1*exp(-((x - 6)^2 + (y - 7)^2)/4)"
velocity = ["0.2*sin(2*pi*y/12)", "0.1*cos(2*pi*x/16)", 0]
[boundary]
SIDES
[numerics]
MORE
[output]
overview = false
precision = "double"
every_steps = 15
fields = ["surface", "velocity"]
"""
variants = {
    "across": "",
    "transverse": "reconstruction.transverse = 0.0833",
    "dry": "wet_dry = true",
}


def wave(sides, variant="across", bed="bed = \"-1 + 0.02*x\""):
    return waves.replace("SIDES", sides).replace("MORE", variants[variant]).replace("BED", bed)


@pytest.mark.parametrize("variant", variants)
@pytest.mark.parametrize("precision, error", [("double", 1e-12), ("single", 2e-5)])
def test_an_inflow_of_what_is_there_is_an_open_side(variant, precision, error, tmp_path):
    words = settings(numerics__precision=f'"{precision}"')
    given = '{ kind = "inflow", surface = "surface", velocity = ["velocity.x", "velocity.y", 0] }'
    sides = "x_lower = {0}\nx_upper = {0}\ny_lower = {0}\ny_upper = {0}"
    a = run_case(wave(sides.format('"open"'), variant, "bed = -1"), "open", *words, place=tmp_path)
    b = run_case(wave(sides.format(given), variant, "bed = -1"), "inflow", *words, place=tmp_path)
    for field in ("surface", "velocity"):
        assert np.ptp(last_field(a, field)) > 0.01 and abs(last_field(a, field) - last_field(b, field)).max() < error


def kinds(of):
    return f"""x_lower = {{ kind = "inflow", surface = "{of['S']}", velocity = ["{of['V']}", "{of['W']}", 0] }}
x_upper = {{ kind = "level", surface = "{of['S']}", velocity = [0, "{of['W']}", 0] }}
y_lower = {{ kind = "flow", velocity = ["{of['W']}", "{of['V']}", 0] }}
y_upper = {{ kind = "far", surface = "{of['S']}", velocity = ["{of['V']}", "{of['W']}", 0] }}"""


of_place = {"S": "1 + 0.05*sin(x + 2*y + t)", "V": "0.1*cos(x - y + t)", "W": "0.02*(x - y)*t"}
of_state = {"S": "0.5 + 0.5*surface - 0.1*froude + 0.02*sin(x + y + t)", "V": "0.1*depth*velocity.y - 0.05*velocity.x + 0.01*y", "W": "0.1*speed - 0.02*bed*x/16"}
periodic = 'y = "periodic"\nx_lower = { kind = "far", surface = "S", velocity = ["V", "W", 0] }\nx_upper = { kind = "flow", velocity = ["V", "W", 0] }'


def beside_periodic(of):
    sides = periodic
    for name in ("S", "V", "W"):
        sides = sides.replace(f'"{name}"', f'"{of[name]}"')
    return sides


@pytest.mark.parametrize("variant", variants)
@pytest.mark.parametrize("make", [kinds, beside_periodic])
def test_values_that_only_name_the_state_are_those_of_place_and_time(variant, make, tmp_path):
    words = settings(time__dt=0.2)
    a = run_case(wave(make(of_place), variant), "place", *words, place=tmp_path)
    b = run_case(wave(make({name: text + " + 0*depth" for name, text in of_place.items()}), variant), "state", *words, place=tmp_path)
    for field in ("surface", "velocity"):
        assert abs(last_field(a, field) - last_field(b, field)).max() < 1e-12, field


@on_ranks
@pytest.mark.parametrize("variant", variants)
@pytest.mark.parametrize("make", [kinds, beside_periodic])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks_and_interruptions_change_no_bit(variant, make, precision, tmp_path):
    (tmp_path / "flow.toml").write_text(wave(make(of_state), variant))
    words = settings(numerics__precision=f'"{precision}"')
    assert_same_on_ranks(tmp_path, [2, 3, [2, 1, 1], [1, 3, 1]], words)
    run_in_parts(tmp_path, "parts", ((7, 1), (16, 3), (30, 2)), words)
    assert arrays(newest(tmp_path / "flow-one", "checkpoint")) == arrays(newest(tmp_path / "parts", "checkpoint"))


def test_faults(tmp_path):
    for keys, word in (
        ("kind = 'flow', velocity = ['1.7*dept^0.5', 0, 0]", "dept"),
        ("kind = 'level', surface = '2*(depth'", "`(` is never closed"),
        ("kind = 'level', surface = 'temperature'", "temperature"),
    ):
        (tmp_path / "case.toml").write_text(wave("x_lower = 'wall'\nx_upper = { " + keys + " }"))
        result = call("check", "case.toml", cwd=tmp_path)
        assert result.returncode == 2 and word in result.stderr and "x_upper = {" in result.stderr, result.stderr
    constant = wave('x_lower = "wall"\nx_upper = { kind = "level", surface = "depth + t" }').replace("[grid]", "[constants]\ndepth = 2\n[grid]")
    (tmp_path / "case.toml").write_text(constant)
    succeed("check", "case.toml", cwd=tmp_path)  # a number of the case
    (tmp_path / "case.toml").write_text(constant.replace("depth + t", "depth + speed"))
    result = call("check", "case.toml", cwd=tmp_path)
    assert result.returncode == 2 and "depth" in result.stderr, result.stderr
