"""States prescribed at sides of the multicomponent system as expressions of the flow there: the reflection of a wave by a side of a given impedance,
the same numbers as an absorbing side and as values of place and time, the same bits however a run is cut or interrupted, and faults."""

import numpy as np
import pytest
from rank_runs import assert_same_on_ranks, last_field, on_ranks, run_case, run_in_parts
from runs import arrays, assert_refused, needs_program, newest, settings

pytestmark = needs_program

output = """[output]
overview = false
precision = "double"
every_steps = 10
"""


@pytest.mark.parametrize("side", ["x_lower", "x_upper", "y_upper"])
@pytest.mark.parametrize("ratio", [0.5, 3.0])
def test_a_side_of_an_impedance_reflects_a_wave(side, ratio, tmp_path):
    """Where p - p_0 = Z u_n, of a wave that arrives comes back (Z - rho c)/(Z + rho c). rho = 1, c = 1."""
    axis, sign = "xy".index(side[0]), 1 if side.endswith("upper") else -1
    cells, upper = [1, 1, 1], [0.02, 0.02, 0.02]
    cells[axis], upper[axis] = 400, 4
    pulse = f"1e-4*exp(-(({'xy'[axis]} - 2)/0.2)^2)"
    flow, law = ["0", "0", "0"], ["0", "0", "0"]
    flow[axis], law[axis] = f"{sign}*{pulse}", f"{sign}*(p - 1/1.4)/{ratio}"
    case = f"""[case]
system = "multicomponent"
[grid]
cells = {cells}
upper = {upper}
[physics.fluids.air]
gamma = 1.4
[time]
end = 4
[[initial]]
fluid = "air"
density = "1 + {pulse}"
pressure = "1/1.4 + {pulse}"
velocity = {flow}
[boundary]
{side} = {{ kind = "inflow", density = "rho", pressure = "p", velocity = {law} }}
{"xy"[1 - axis]} = "periodic"
z = "periodic"
{output}fields = ["p"]
""".replace("'", '"')
    p = last_field(run_case(case, "r", place=tmp_path), "p").ravel() - 1 / 1.4
    back = (ratio - 1) / (ratio + 1)
    x = (np.arange(400) + 0.5) / 100
    exact = 1e-4 * back * np.exp(-(((x - 2) / 0.2) ** 2))
    assert abs(p - exact).max() < 0.02 * 1e-4


box = """[case]
system = "multicomponent"
[grid]
cells = [16, 12, 8]
upper = [1.6, 1.2, 0.8]
[physics.fluids]
air = { gamma = 1.4 }
gas = { gamma = 1.67 }
[time]
steps = 20
[[initial]]
fluid = "air"
density = "1 + 0.2*sin(2*pi*x/1.6 + y)"
pressure = "1 + 0.1*cos(2*pi*y/1.2 - z)"
velocity = ["0.3*sin(3*z)", "0.2*cos(2*x)", "0.1*sin(y + z)"]
[[initial]]
shape = { kind = "sphere", centre = [0.8, 0.6, 0.4], radius = 0.3 }
fluid = "gas"
density = 0.6
pressure = 1
[boundary]
SIDES
[output]
overview = false
precision = "double"
every_steps = 10
fields = ["rho", "velocity", "p", "alpha"]
"""


def flow(sides):
    return box.replace("SIDES", sides)


@pytest.mark.parametrize("precision, error", [("double", 1e-12), ("single", 2e-5)])
def test_an_inflow_of_what_is_there_is_an_absorbing_side(precision, error, tmp_path):
    words = settings(numerics__precision=f'"{precision}"', time__dt=0.01)
    given = '{ kind = "inflow", fluid = "air", density = "rho", pressure = "p", velocity = ["velocity.x", "velocity.y", "velocity.z"] }'
    sides = "x = {0}\ny = {0}\nz = {0}"
    one_fluid = flow(sides).replace('fluid = "gas"', 'fluid = "air"')
    a = run_case(one_fluid.replace("{0}", '"absorbing"'), "absorbing", *words, place=tmp_path)
    b = run_case(one_fluid.replace("{0}", given), "inflow", *words, place=tmp_path)
    for field in ("rho", "velocity", "p"):
        assert np.ptp(last_field(a, field)) > 0.1 and abs(last_field(a, field) - last_field(b, field)).max() < error, field


def sides(of):
    text = """x_lower = { kind = "inflow", fluid = "air", density = "D", pressure = "P", velocity = ["U", "V", "0"] }
x_upper = { kind = "nonreflecting", pressure = "P", velocity = ["U", 0, "V"] }
y_lower = "reflecting"
y_upper = { kind = "inflow", density = "D", velocity = ["V", "U", 0] }
z = { kind = "nonreflecting", density = "D" }
[[boundary.patch]]
side = "x_lower"
lower = [0, 0.3, 0.2]
upper = [0, 0.9, 0.6]
kind = "inflow"
fluid = "gas"
density = 0.5
pressure = "P"
[[boundary.patch]]
side = "x_lower"
lower = [0, 0.5, 0]
upper = [0, 0.7, 0.8]
kind = "reflecting"
[[boundary.patch]]
side = "z_upper"
lower = [0.4, 0, 0]
upper = [1, 0.7, 0]
kind = "inflow"
density = "D"
velocity = [0, "U", "V"]
"""
    for name, expression in of.items():
        text = text.replace(f'"{name}"', f'"{expression}"')
    return text


of_place = {"D": "1 + 0.1*sin(x + 2*y - z + t)", "P": "1 + 0.1*cos(x*y + z)*r", "U": "0.2*sin(y + z + 3*t)", "V": "0.1*x - 0.1*y*z"}
of_state = {
    "D": "0.9*rho + 0.1*(1 + alpha)*p/(Gamma + 1)",
    "P": "0.8*p + 0.2 + 0.1*mach^2 + 0.01*sin(x + y + t)",
    "U": "0.3*velocity.y - 0.2*speed + 0.01*y",
    "V": "0.2*sound_speed*(rho - 1) + 0.05*velocity.x*z",
}


def test_values_that_only_name_the_state_are_those_of_place_and_time(tmp_path):
    words = settings(time__dt=0.01)
    a = run_case(flow(sides(of_place)), "place", *words, place=tmp_path)
    b = run_case(flow(sides({name: text + " + 0*rho" for name, text in of_place.items()})), "state", *words, place=tmp_path)
    for field in ("rho", "velocity", "p", "alpha"):
        assert abs(last_field(a, field) - last_field(b, field)).max() < 1e-12, field


@on_ranks
@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks_and_interruptions_change_no_bit(precision, tmp_path):
    (tmp_path / "flow.toml").write_text(flow(sides(of_state)))
    words = settings(numerics__precision=f'"{precision}"')
    assert_same_on_ranks(tmp_path, [2, 3, [2, 1, 1], [1, 2, 1]], words)
    run_in_parts(tmp_path, "parts", ((7, 1), (11, 3), (20, 2)), words)
    assert arrays(newest(tmp_path / "flow-one", "checkpoint")) == arrays(newest(tmp_path / "parts", "checkpoint"))


def test_faults(tmp_path):
    for values, word in (
        ({**of_state, "P": "0.8*pressure"}, "pressure"),
        ({**of_state, "D": "rho*(1"}, "`(` is never closed"),
        ({**of_place, "D": "0*x - 1"}, "density -1 is not positive"),
    ):
        assert_refused(tmp_path, flow(sides(values)), word)
