"""Values that sides prescribe as expressions of the local state: closed forms with the order of the scheme, the same numbers as values of place
and time where the state does not count, the same bits however a run is cut or interrupted, and what is wrong with a case."""

import json

import numpy as np
import pytest
from rank_runs import assert_same_on_ranks, last_field, on_ranks, ranks_words, run_case, run_in_parts
from runs import arrays, call, needs_program, newest, settings, succeed

pytestmark = needs_program

output = """[output]
overview = false
precision = "double"
every_steps = 1000
"""


# Two cells of the width h between sides that lose the flux F(T) each: h T' = -F. T' = sin 3t - 2T, T(0) = 0, and T' = -T^4, T(0) = 1.
h = 0.5
driven = (2 * np.sin(3) - 3 * np.cos(3) + 3 * np.exp(-2)) / 13
losses = {
    "driven": (f"-{h}*(sin(3*t) - 2*NAME)", 0, driven),
    "radiation": (f"{h}*NAME^4", 1, 4 ** (-1 / 3)),
}


def two_cells(axis, key, expression, initial):
    cells = [2 if a == axis else 1 for a in range(3)]
    side = "{ kind = \"no_slip\", " + key + " = " + json.dumps(expression) + " }"
    name = "salt" if "salt" in key else "temperature"
    state = f"{'scalars.salt.value' if name == 'salt' else name} = {initial}"
    return f"""[case]
system = "boussinesq"
[grid]
cells = {cells}
upper = [1, 1, 1]
[physics]
viscosity = 0.1
diffusivity = 0.1
scalars.salt = {{ diffusivity = 0.1 }}
[[initial]]
{state}
[boundary]
{"xyz"[axis]} = {side}
{output}"""


@pytest.mark.parametrize("loss", losses)
@pytest.mark.parametrize("scheme, order", [("ab2", 2), ("rk3", 3), ("ssp-rk3", 3)])
@pytest.mark.parametrize("axis, name", [(0, "temperature"), (1, "salt"), (2, "temperature")])
def test_fluxes_of_the_state_have_the_order_of_the_scheme(loss, scheme, order, axis, name, tmp_path):
    expression, initial, exact = losses[loss]
    key = "temperature_flux" if name == "temperature" else "scalars.salt.flux"
    errors = []
    for steps in (40, 80):
        words = settings(time__scheme=f'"{scheme}"', time__dt=1 / steps, time__end=1.0, output__fields=json.dumps([name]))
        values = last_field(run_case(two_cells(axis, key, expression.replace("NAME", name), initial), f"r{steps}", *words, place=tmp_path), name)
        assert np.ptp(values) < 1e-14
        errors.append(abs(values.flat[0] - exact))
    assert errors[0] < 0.005
    assert 2 ** (order - 0.35) < errors[0] / errors[1] < 2 ** (order + 1.35), errors


def slab(side, cells=12, more=""):
    return f"""[case]
system = "boussinesq"
[constants]
kappa = 0.05
dx = "1/{cells}"
[grid]
cells = [{cells}, 1, 1]
upper = [1, 1, 1]
[physics]
viscosity = "kappa"
diffusivity = "kappa"
buoyancy = 0
[time]
end = 250
[boundary]
x_lower = {{ kind = "no_slip", temperature = 1 }}
x_upper = {side}
{more}{output}"""


@pytest.mark.parametrize("precision, error", [("double", 1e-12), ("single", 3e-6)])
def test_a_slab_radiates(precision, error, tmp_path):
    """T = 1 - F x/kappa in the end, with F = e T^4 of the last cell."""
    case = slab('{ kind = "no_slip", temperature_flux = "0.04*temperature^4" }')
    found = last_field(run_case(case, "r", *settings(numerics__precision=f'"{precision}"'), place=tmp_path), "temperature")[0, 0]
    x = (np.arange(12) + 0.5) / 12
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if middle > 1 - 0.04 / 0.05 * middle**4 * x[-1] else (middle, high)
    assert abs(found - (1 - 0.04 * middle**4 / 0.05 * x)).max() < error


def test_a_flux_of_the_state_is_a_robin_condition(tmp_path):
    """H (T_wall - 0.2) with T_wall from the last cell: T_wall = T + (h/2) dT/dn, kappa dT/dn = -H (T_wall - 0.2)."""
    robin = slab('{ kind = "no_slip", temperature_robin = [0.3, "kappa", "0.3*0.2"] }')
    flux = slab('{ kind = "no_slip", temperature_flux = "0.3/(1 + 0.3*dx/(2*kappa))*(temperature - 0.2)" }')
    words = settings(time__end=2.0)
    a = last_field(run_case(robin, "robin", *words, place=tmp_path), "temperature")
    b = last_field(run_case(flux, "flux", *words, place=tmp_path), "temperature")
    assert np.ptp(a) > 0.3 and abs(a - b).max() < 1e-13
    gradient = slab('{ kind = "no_slip", temperature_gradient = "-0.3/kappa/(1 + 0.3*dx/(2*kappa))*(temperature - 0.2)" }')
    assert abs(a - last_field(run_case(gradient, "gradient", *words, place=tmp_path), "temperature")).max() < 1e-13
    value = slab('{ kind = "no_slip", temperature = "(temperature + 0.2*0.3*dx/(2*kappa))/(1 + 0.3*dx/(2*kappa))" }')
    assert abs(a - last_field(run_case(value, "value", *words, place=tmp_path), "temperature")).max() < 1e-13


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_stress_of_a_rough_wall_follows_the_flow(axis, tmp_path):
    """A force f along a channel of the width 1 between two walls of stress -c u^2 (u of the cells there): c u^2 = f/2."""
    along = (axis + 1) % 3
    cells = [8 if a == axis else 1 if a == along else 3 for a in range(3)]
    cells[along] = 4
    stress = [0, 0, 0]
    stress[along] = f"-2*speed*velocity.{'xyz'[along]}"
    acceleration = [1 if a == along else 0 for a in range(3)]
    periodic = "\n".join(f'{"xyz"[a]} = "periodic"' for a in range(3) if a != axis)
    case = f"""[case]
system = "boussinesq"
[grid]
cells = {cells}
upper = [1, 1, 1]
[physics]
viscosity = 0.3
diffusivity = 0.3
acceleration = {acceleration}
[time]
end = 30
[boundary]
{periodic}
{"xyz"[axis]} = {{ kind = "stress", stress = {json.dumps(stress)} }}
{output}"""
    speed = np.moveaxis(last_field(run_case(case, "r", *settings(output__fields='["velocity"]'), place=tmp_path), "velocity")[..., along], 2 - axis, 0)
    assert abs(speed[0] - 0.5).max() < 1e-11 and abs(speed[-1] - 0.5).max() < 1e-11
    assert speed[4].min() > 0.8


# Every kind of value on sides of boxes of three axes, and the scalars and the velocity prescribed with them.
kinds = {
    "x": """x_lower = { kind = "no_slip", velocity = [0, "V1", "V2"], temperature = "T1", scalars.salt.gradient = "G1" }
x_upper = { kind = "partial_slip", slip = 0.3, velocity = [0, "V2", "V1"], temperature_flux = "F1", scalars.salt.robin = [1, 2, "T1"] }
y = "periodic"
""",
    "y": """y_lower = { kind = "stress", stress = ["V1", 0, "V2"], temperature_robin = [1, 0.5, "T1"], scalars.salt.value = "T1" }
y_upper = { kind = "no_slip", velocity = ["V2", 0, "V1"], temperature_gradient = "G1", scalars.salt.flux = "F1" }
x = "periodic"
""",
    "both": """x_lower = { kind = "no_slip", velocity = [0, "V1", "V2"], temperature = "T1", scalars.salt.gradient = "G1" }
x_upper = { kind = "free_slip", temperature_flux = "F1" }
y_lower = { kind = "stress", stress = ["V1", 0, "V2"], temperature_robin = [1, 0.5, "T1"] }
y_upper = { kind = "no_slip", temperature_gradient = "G1", scalars.salt.flux = "F1" }
""",
}
z_sides = """z_lower = { kind = "no_slip", velocity = ["V1", "V2", 0], temperature = "T1" }
z_upper = { kind = "stress", stress = ["V2", "V1", 0], temperature_flux = "F1", scalars.salt.gradient = "G1" }
"""
of_place = {"V1": "0.2*sin(x + 2*y + 3*z + t)", "V2": "0.1*cos(2*x - y + z)*r", "T1": "0.3*sin(x + y*z) + t", "G1": "0.2*x - y + 0.5*z*t", "F1": "0.01*(y + z - x + t)"}
of_state = {
    "V1": "0.2*sin(x) - 0.3*speed*velocity.y + 0.1*temperature",
    "V2": "0.1*cos(y + z + t) + 0.2*velocity.x + 0.1*velocity.z*salt",
    "T1": "0.3*sin(x + y*z + t) + 0.5*temperature*(1 - velocity.z)",
    "G1": "0.2*x - salt*speed + 0.1*r",
    "F1": "0.02*(temperature^2 + velocity.x + velocity.y)",
}


def box(sides, values, more=""):
    for name, text in values.items():
        sides = sides.replace(name, text)
    return f"""[case]
system = "boussinesq"
[grid]
cells = [6, 5, 8]
upper = [1.2, 1.5, 1.6]
[physics]
viscosity = 0.02
diffusivity = 0.03
buoyancy = 0.5
scalars.salt = {{ diffusivity = 0.01 }}
[time]
steps = 12
[[initial]]
velocity = ["0.2*sin(2*pi*y/1.5)", "0.2*cos(2*pi*x/1.2)*sin(pi*z/1.6)", 0]
temperature = "x - y + z"
scalars.salt.value = "y*z"
[boundary]
{sides}
[output]
overview = false
precision = "double"
every_steps = 6
fields = ["velocity", "temperature", "salt"]
{more}"""


def without_effect(values):
    return {name: text + " + 0*temperature" for name, text in values.items()}


@pytest.mark.parametrize("name", kinds)
@pytest.mark.parametrize("scheme", ["ab2", "rk3"])
def test_values_that_only_name_the_state_are_those_of_place_and_time(name, scheme, tmp_path):
    sides = kinds[name] + z_sides
    words = settings(time__scheme=f'"{scheme}"', time__dt=0.02)
    a = run_case(box(sides, of_place), "place", *words, place=tmp_path)
    b = run_case(box(sides, without_effect(of_place)), "state", *words, place=tmp_path)
    for field in ("velocity", "temperature", "salt"):
        assert abs(last_field(a, field) - last_field(b, field)).max() < 1e-12, field
    other = run_case(box(sides, {**of_place, "V1": of_place["V1"] + " + 1e-6*temperature"}), "other", *words, place=tmp_path)
    assert 1e-12 < abs(last_field(a, "velocity") - last_field(other, "velocity")).max()


def assert_same_state(a, b):
    assert arrays(newest(a, "checkpoint")) == arrays(newest(b, "checkpoint"))


def assert_close_on_ranks(place, words, bound, cuts=(2, 3)):
    """The pressure is the same to rounding alone on several ranks."""
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    for cut in cuts:
        layout = [] if isinstance(cut, int) else settings(device__ranks_along=json.dumps(cut))
        count = cut if isinstance(cut, int) else 2
        folder = "r" + str(cut).strip("[]").replace(", ", "x")
        succeed("run", "flow.toml", "--dir", folder, *words, *layout, *ranks_words(count), cwd=place)
        for field in ("velocity", "temperature", "salt"):
            one, other = last_field(place / "one", field), last_field(place / folder, field)
            assert abs(one - other).max() < bound * abs(one).max(), (cut, field)


@on_ranks
@pytest.mark.parametrize("name", kinds)
@pytest.mark.parametrize("precision, bound", [("double", 1e-12), ("single", 3e-6)])
def test_ranks_give_the_same_and_interruptions_change_no_bit(name, precision, bound, tmp_path):
    (tmp_path / "flow.toml").write_text(box(kinds[name] + z_sides, of_state))
    words = settings(numerics__precision=f'"{precision}"', time__scheme='"rk3"')
    assert_close_on_ranks(tmp_path, words, bound)
    run_in_parts(tmp_path, "parts", ((3, 1), (7, 1), (12, 1)), words)
    assert_same_state(tmp_path / "one", tmp_path / "parts")


@on_ranks
def test_cuts_along_every_axis(tmp_path):
    """Multigrid, which takes parts of all shapes."""
    case = box(kinds["both"] + z_sides, of_state).replace("[6, 5, 8]", "[8, 8, 8]") + '[numerics]\npressure.solver = "mg"\n'
    (tmp_path / "flow.toml").write_text(case)
    assert_close_on_ranks(tmp_path, [], 1e-9, ([2, 1, 1], [1, 2, 1], [1, 1, 2]))


@on_ranks
@pytest.mark.parametrize("precision", ["double", "single"])
def test_scalars_of_fluid_at_rest_have_the_same_bits_on_ranks(precision, tmp_path):
    sides = "".join(
        f'{"xyz"[a]}_{end} = {{ temperature_flux = "0.01*(temperature^2 - salt*x + y*z + t)", scalars.salt.value = "0.5*salt + 0.1*temperature*sin(x + 2*y - z)" }}\n'
        for a in range(3) for end in ("lower", "upper")
    )  # fmt: skip
    case = box(sides, {}).replace("buoyancy = 0.5", "buoyancy = 0").replace("[6, 5, 8]", "[8, 8, 8]")
    case = "\n".join(line for line in case.splitlines() if not line.startswith("velocity =")) + "\n"
    (tmp_path / "flow.toml").write_text(case + '[numerics]\npressure.solver = "mg"\n')
    words = settings(numerics__precision=f'"{precision}"', time__dt=0.05)
    assert_same_on_ranks(tmp_path, [2, 3, [2, 1, 1], [1, 2, 1]], words)
    assert last_field(tmp_path / "flow-one", "temperature").std() > 0.1 and abs(last_field(tmp_path / "flow-one", "velocity")).max() == 0
    run_in_parts(tmp_path, "parts", ((3, 1), (7, 3), (12, 2)), words)
    assert_same_state(tmp_path / "flow-one", tmp_path / "parts")


@on_ranks
def test_scalars_of_an_open_side(tmp_path):
    """Fluid that enters has what the cell beside the side has, and half of what it lacks to 1."""
    sides = """x = "periodic"
y = "periodic"
z_lower = { kind = "open", temperature = "0.5*(1 + temperature)" }
z_upper = { kind = "open", temperature = "temperature - speed" }
"""
    (tmp_path / "flow.toml").write_text(box(sides, {}))
    words = settings(time__scheme='"rk3"')
    assert_close_on_ranks(tmp_path, words, 1e-12)
    run_in_parts(tmp_path, "parts", ((3, 1), (12, 1)), words)
    assert_same_state(tmp_path / "one", tmp_path / "parts")


faults = {
    "a name that is not known": ("temperature_flux = 'temprature^4'", "temprature"),
    "a wrong parenthesis": ("temperature_flux = 'temperature^(4'", "`(` is never closed"),
    "a velocity through the side": ("velocity = ['0.1*speed', 0, 0]", "the velocity across a side must be known before the pressure is solved for"),
    "a coefficient": ("temperature_robin = ['speed', 1, 0]", "a of a T + b dT/dn = c must be a number"),
    "a scalar that is not there": ("temperature = 'pepper'", "pepper"),
    "a drag of a wall that does not drag": ("kind = 'free_slip', velocity = [0, '-speed', 0]", "does not drag the fluid"),
}  # fmt: skip


@pytest.mark.parametrize("name", faults)
def test_faults(name, tmp_path):
    keys, words = faults[name]
    (tmp_path / "case.toml").write_text(slab("{ " + ("" if "kind" in keys else "kind = 'no_slip', ") + keys + " }"))
    result = call("check", "case.toml", cwd=tmp_path)
    assert result.returncode == 2 and words in result.stderr, result.stderr
    assert "x_upper = {" in result.stderr
