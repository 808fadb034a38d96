"""What lies beyond lateral sides of the atmosphere: the wind that stays, a warm layer that comes in, waves that are reflected by a pressure that
follows the flow, the open side in other words, the same bits however a run is cut or interrupted, and faults."""

import json
import re

import numpy as np
import pytest
from rank_runs import assert_same_on_ranks, last_field, on_ranks, ranks_words, run_case, run_in_parts
from runs import arrays, assert_refused, call, needs_program, newest, settings, succeed
from test_ground_fluxes import slope

pytestmark = needs_program

output = """[output]
overview = false
precision = "double"
every_steps = 10000
"""
sound = np.sqrt(1.4 * 287 * 300)
density = 1e5 / (287 * 300)


def tube(axis, cells, boundary, more="", wind=0.0, length=3200):
    """Air without gravity at 300 K and 1e5 Pa in a tube along x or y."""
    sizes = [cells if a == axis else 1 for a in range(2)]
    velocity = [wind if a == axis else 0.0 for a in range(3)]
    return f"""[case]
system = "atmosphere"
[grid]
cells = [{sizes[0]}, {sizes[1]}, 4]
upper = {[length if a == axis else 50 for a in range(2)] + [200]}
[physics]
gravity = 0
reference = {{ kind = "isothermal", temperature = 300 }}
wind = {velocity}
[boundary]
{boundary}
{more}{output}"""


@pytest.mark.parametrize("wind", [[0, 0, 0], [20, -7, 0]])
def test_the_wind_of_the_reference_stays(wind, tmp_path):
    """Without values of their own inflows bring the mean wind in; where it leaves they are open."""
    case = slope('x = "inflow"\ny = "inflow"', terrain="").replace("[4, -3, 0]", str(wind)).replace('y = "periodic"\n', "").replace("sin(2*pi*y/1000)*", "0*").replace("coriolis = { f = 1e-3 }\n", "")
    run = run_case(case, "r", *settings(time__steps=200), place=tmp_path)
    assert abs(last_field(run, "velocity") - wind).max() < (1e-9 if any(wind) else 1e-300)


@pytest.mark.parametrize("side", ["x_lower", "x_upper", "y_lower", "y_upper"])
@pytest.mark.parametrize("scheme", ["ssp-rk3", "hevi"])
def test_a_warm_layer_comes_in_with_the_wind(side, scheme, tmp_path):
    """theta(x - U t) at constant pressure and velocity is a solution of Euler's equations; ghosts have its value at the side, so that it comes a sixth of a cell late."""
    axis, upper = "xy".index(side[0]), side.endswith("upper")
    way = f"{'3200 - ' if upper else ''}{side[0]}"
    inflow = f'{side} = {{ kind = "inflow", theta = "2*exp(-(({way} + 800 - 20*t)/300)^2)" }}'
    other = side.replace("upper", "lower") if upper else side.replace("lower", "upper")
    errors = []
    for cells in (48, 96):
        case = tube(axis, cells, f'{inflow}\n{other} = "open"', wind=-20.0 if upper else 20.0)
        words = settings(time__scheme=f'"{scheme}"', time__end=120, output__fields='["theta_perturbation", "velocity"]')
        run = run_case(case, f"r{cells}", *words, place=tmp_path)
        place = (np.arange(cells) + 0.5) * 3200 / cells
        exact = 2 * np.exp(-(((place - 1600) / 300) ** 2))
        theta = last_field(run, "theta_perturbation").reshape(4, cells)
        errors.append(abs(theta - (exact[::-1] if upper else exact)).max())
        assert abs(abs(last_field(run, "velocity")[..., axis]) - 20).max() < 1e-6
    assert errors[1] < 0.07 and errors[0] / errors[1] > 2, errors


@pytest.mark.parametrize("side, sign", [("x_upper", 1), ("x_lower", -1), ("y_upper", 1), ("y_lower", -1)])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 3.0])
def test_a_pressure_that_follows_the_flow_reflects_waves(side, sign, ratio, tmp_path):
    """p' = Z u beyond the side, u outward: a wave that arrives comes back (Z - rho a)/(Z + rho a) times."""
    axis = "xy".index(side[0])
    pulse = f"10*exp(-(({side[0]} - 1600)/200)^2)"
    law = f"{sign * ratio * density * sound!r}*velocity.{side[0]}"
    other = side.replace("upper", "lower") if sign > 0 else side.replace("lower", "upper")
    velocity = ["0"] * 3
    velocity[axis] = f"{sign / (density * sound)!r}*{pulse}"
    case = tube(axis, 160, f'{side} = {{ kind = "open", pressure = "{law}" }}\n{other} = "open"')
    case += f'fields = ["pressure_perturbation"]\n[[initial]]\npressure = "{pulse}"\ndensity = "{pulse}/{sound**2!r}"\nvelocity = {json.dumps(velocity)}\n[time]\nend = {3200 / sound!r}\n'
    p = last_field(run_case(case, "r", place=tmp_path), "pressure_perturbation").reshape(4, 160)
    place = (np.arange(160) + 0.5) * 20
    exact = 10 * (ratio - 1) / (ratio + 1) * np.exp(-(((place - 1600) / 200) ** 2))
    assert abs(p - exact).max() < 0.25, abs(p - exact).max()


def test_a_wind_that_begins_reaches_all_air(tmp_path):
    """10 m/s from rest; beyond the outlet the pressure is that which lets waves leave, so that it is that of the reference in the end."""
    outlet = f'x_upper = {{ kind = "open", pressure = "{density * sound!r}*(velocity.x - 10)" }}'
    case = tube(0, 48, 'x_lower = { kind = "inflow", velocity = ["10*min(t/2, 1)", 0, 0] }\n' + outlet, more="[time]\nend = 60\n")
    run = run_case(case + 'fields = ["velocity", "pressure_perturbation"]\n', "r", place=tmp_path)
    assert abs(last_field(run, "velocity")[..., 0] - 10).max() < 0.02
    assert abs(last_field(run, "pressure_perturbation")).max() < 5


@pytest.mark.parametrize("scheme, order", [("ssp-rk3", 3), ("rk4-carpenter-kennedy", 4), ("hevi", 2)])
def test_steps_have_the_order_of_the_scheme(scheme, order, tmp_path):
    """Values are those at the time, and of the flow, of every stage."""
    boundary = 'x_lower = { kind = "inflow", velocity = ["20 + 2*sin(3*t) - 0.1*velocity.x", 0, 0], theta = "sin(2*t) + 0.2*theta_perturbation" }\n'
    boundary += 'x_upper = { kind = "open", pressure = "300*(velocity.x - 20) + 100*sin(2*t)" }'
    case = tube(0, 12, boundary, more="[time]\nend = 1.6\n", wind=20.0, length=1200) + 'fields = ["pressure_perturbation"]\n'
    words = [settings(time__dt=0.1 / 2**n, time__scheme=f'"{scheme}"') for n in range(3)]
    runs = [last_field(run_case(case, f"r{n}", *more, place=tmp_path), "pressure_perturbation") for n, more in enumerate(words)]
    errors = [abs(runs[n + 1] - runs[n]).max() for n in range(2)]
    assert 2 ** (order - 0.5) < errors[0] / errors[1] < 2 ** (order + 1), errors


same_as_open = 'velocity = ["velocity.x", "velocity.y", "w"], theta = "theta_perturbation"'


@pytest.mark.parametrize("terrain", ['terrain = "30 + 0.05*x + 0.02*y"', ""])
def test_the_state_beside_a_side_makes_it_open(terrain, tmp_path):
    """An inflow of what the cell has, and an open side with its pressure, are open sides, to rounding."""
    conditions = {"open": 'x = "open"\ny = "open"', "inflow": f'x = {{ kind = "inflow", {same_as_open} }}\ny = {{ kind = "open", pressure = "pressure_perturbation" }}', "other": f'x = {{ kind = "inflow", {same_as_open.replace("_perturbation", "_perturbation + 0.01")} }}\ny = "open"'}
    plain, same, other = (run_case(slope(text, terrain=terrain).replace('y = "periodic"\n', ""), name, place=tmp_path) for name, text in conditions.items())
    for field, size in (("theta", 1e-4), ("velocity", 1e-6), ("p", 1e-4)):
        assert abs(last_field(plain, field) - last_field(same, field)).max() < 1e-5 * size, field
        assert abs(last_field(plain, field) - last_field(other, field)).max() > size, field


def test_numbers_are_constant_formulas(tmp_path):
    text = 'x_lower = {{ kind = "inflow", velocity = [{0}, {1}, 0], theta = {2} }}\nx_upper = {{ kind = "open", pressure = {3} }}'
    conditions = {"numbers": text.format(6, -2, 0.5, 3), "formulas": text.format('"6 + 0*theta"', '"-2 + 0*t"', '"0.5 + 0*x"', '"3 + 0*z"')}
    a, b = (run_case(slope(condition), name, place=tmp_path) for name, condition in conditions.items())
    for field in ("theta", "velocity", "p"):
        assert np.array_equal(last_field(a, field), last_field(b, field)), field


beyond = """x_lower = { kind = "inflow", velocity = ["4 + 0.5*velocity.x*sin(t)", "-3 + 0.001*z", "0.1*w"], theta = "sin(y/200 + t) + 0.3*theta_perturbation + 0.001*x" }
x_upper = { kind = "open", pressure = "0.5*pressure_perturbation + 20*(velocity.x - 4)" }
y = { kind = "inflow", velocity = ["velocity.x", "-3 + 0.2*cos(x/100)", 0], theta = "0.2*height/100 - 0.001*y", pressure = "0.9*pressure_perturbation" }"""
boxes = {
    "terrain": slope(beyond, terrain='terrain = "30 + 0.05*x + 0.02*y"'),
    "levels": slope(beyond, levels="z_faces = [20, 60, 120, 200, 300, 420, 560, 690, 820]", terrain=""),
    "hevi": slope(beyond).replace("steps = 12", 'scheme = "hevi"\nsteps = 12'),
    "along": slope('x_lower = { kind = "inflow", theta = "sin(y/200)" }\nx_upper = "open"', terrain=""),
    "viscous": slope(beyond).replace("[physics]", "[physics]\nviscosity = 20"),
}
boxes = {name: text if name == "along" else text.replace('y = "periodic"\n', "") for name, text in boxes.items()}


@on_ranks
@pytest.mark.parametrize("name", boxes)
@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks_and_interruptions_change_no_bit(name, precision, tmp_path):
    (tmp_path / "flow.toml").write_text(boxes[name])
    words = settings(numerics__precision=f'"{precision}"')
    cuts = [2, 3, [1, 2, 1]] if name in ("hevi", "viscous") else [2, 3, [2, 1, 1], [1, 2, 1], [1, 1, 2]]
    assert_same_on_ranks(tmp_path, cuts, words)
    run_in_parts(tmp_path, "parts", ((2, 1), (5, 3), (12, 2)), words)
    assert arrays(newest(tmp_path / "flow-one", "checkpoint")) == arrays(newest(tmp_path / "parts", "checkpoint"))


faults = {
    "a name that is not known": ("x_lower = { kind = 'inflow', theta = 'temprature' }", "temprature"),
    "a wrong parenthesis": ("x_lower = { kind = 'inflow', velocity = ['1*(t', 0, 0] }", "`(` is never closed"),
    "a name of a sphere": ("x_lower = { kind = 'inflow', velocity = ['velocity_east', 0, 0] }", "velocity_east"),
    "a hidden name": ("x_lower = { kind = 'inflow', theta = 'reference.theta' }", "reference.theta"),
    "theta of an open side": ("x = { kind = 'open', theta = 1 }", "a side of kind open has no `theta`"),
    "velocity of a wall": ("x = { kind = 'wall', velocity = [1, 0, 0] }", "a side of kind wall has no `velocity`"),
    "pressure of a wall": ("x = { kind = 'wall', pressure = 1 }", "a side of kind wall has no `pressure`"),
    "heat of an inflow": ("x = { kind = 'inflow', heat_flux = 1 }", "a side of kind inflow has no `heat_flux`"),
    "a transverse term": ("x = 'inflow'\n[numerics]\nreconstruction.transverse = 0.04\n", "a transverse term needs values behind the ends of sides"),
}


@pytest.mark.parametrize("name", faults)
def test_faults(name, tmp_path):
    keys, words = faults[name]
    assert_refused(tmp_path, slope(keys), words)


@pytest.mark.parametrize("name", ["terrain", "levels", "viscous"])
def test_a_streamed_run_has_the_bits_of_a_resident_one(name, tmp_path):
    (tmp_path / "case.toml").write_text(boxes[name])
    cells = re.search(r"^cells = \[(\d+), \d+, (\d+)\]", boxes[name], re.MULTILINE)
    words = settings(grid__cells=f"[{cells[1]},70,{cells[2]}]", time__steps=6, time__dt=0.02)
    streamed = settings(device__memory='"stream"', stream__fused_steps=1, stream__segments=3)
    succeed("run", "case.toml", "--dir", "resident", *ranks_words(1), *words, cwd=tmp_path)
    succeed("run", "case.toml", "--dir", "streamed", *ranks_words(1), *words, *streamed, cwd=tmp_path)
    assert arrays(newest(tmp_path / "resident", "checkpoint")) == arrays(newest(tmp_path / "streamed", "checkpoint"))


@pytest.mark.parametrize("value", ["theta = 'sqrt(-1 - t)'", "theta = -400", "velocity = ['4 + 1/(t - t)', 0, 0]", "pressure = 'sqrt(-1 - t)'"])
def test_values_that_make_no_sense_end_the_run(value, tmp_path):
    (tmp_path / "case.toml").write_text(slope(f"x_lower = {{ kind = 'inflow', {value} }}"))
    result = call("run", "case.toml", "--dir", "r", *ranks_words(1), cwd=tmp_path)
    assert result.returncode != 0 and "the values of [boundary] that depend on the state" in result.stderr, result.stderr
