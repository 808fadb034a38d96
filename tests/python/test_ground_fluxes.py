"""Heat and stress from the ground of the atmosphere as expressions of the state of the lowest cell: closed forms with the order of the scheme, the
energy that comes in, the same numbers as sources in the lowest cells, the same bits however a run is cut, streamed or interrupted, and faults."""

import json

import numpy as np
import pytest
import watersmeet
from rank_runs import assert_same_on_ranks, last_field, on_ranks, ranks_words, run_case, run_in_parts
from runs import arrays, assert_refused, assert_same_end, call, needs_program, newest, settings, succeed

pytestmark = needs_program

output = """[output]
overview = false
precision = "double"
every_steps = 1000
"""


def column(ground, axis=0, more="", initial="", gravity=0, reference='{ kind = "isothermal", temperature = 300 }'):
    """Levels of 50 m, uniform along x and y, at rest or with a wind."""
    cells = [1, 1, 8]
    cells[axis] = 3
    return f"""[case]
system = "atmosphere"
units = "SI"
[constants]
cv = 717.5
dz = 50
[grid]
cells = {cells}
upper = [150, 150, 400]
[physics]
gravity = {gravity}
reference = {reference}
[boundary]
x = "periodic"
y = "periodic"
ground = {{ {ground} }}
[[initial]]
{initial}
{more}{output}"""


# Of the wind u in the lowest cell of the depth 50, in gusts of 10 m/s and seconds: u = 10 U. U' = -U^2/4, U(0) = 1, and U' = sin 3t - 2U, U(0) = 0.
laws = {
    "drag": ("-rho*dz/40*speed*NAME", 10, 10 / (1 + 4 / 4), 4.0),
    "driven": ("rho*dz*(10*sin(3*t) - 2*NAME)", 0, 10 * (2 * np.sin(3) - 3 * np.cos(3) + 3 * np.exp(-2)) / 13, 1.0),
}


@pytest.mark.parametrize("law", laws)
@pytest.mark.parametrize("scheme, order, axis", [("ssp-rk3", 3, 0), ("ssp-rk3", 3, 1), ("hevi", 2, 0)])
def test_stress_moves_the_lowest_cell_with_the_order_of_the_scheme(law, scheme, order, axis, tmp_path):
    """With the work of the stress as heat nothing is warmed or sounds: the lowest cell goes as if it were alone."""
    name = "velocity." + "xy"[axis]
    stress, initial, exact, end = laws[law]
    stress = stress.replace("NAME", name)
    ground = f'heat_flux = "({stress})*{name}", stress = ' + json.dumps([stress if a == axis else 0 for a in range(3)])
    wind = f"velocity = {[initial if a == axis else 0 for a in range(3)]}"
    errors = []
    for steps in (40, 80):
        words = settings(time__scheme=f'"{scheme}"', time__dt=end / steps, time__end=end, output__fields='["velocity"]')
        velocity = last_field(run_case(column(ground, axis, initial=wind), f"r{steps}", *words, place=tmp_path), "velocity")[..., axis]
        assert np.ptp(velocity[0]) < 1e-12 and abs(velocity[2:] - initial).max() < 1e-3
        errors.append(abs(velocity[0].flat[0] - exact))
    assert errors[0] < 0.01
    assert 2 ** (order - 0.4) < errors[0] / errors[1] < 2 ** (order + 1.4), errors


@pytest.mark.parametrize("scheme", ["ssp-rk3", "hevi"])
@pytest.mark.parametrize("precision, error", [("double", 2e-7), ("single", 2e-3)])
def test_a_mixed_column_relaxes_by_the_bulk_formula(scheme, precision, error, tmp_path):
    """F = rho c_v C U (T_s - T) in the lowest cell, and as much per volume in those above: T = T_s - (T_s - T_0) exp(-C U t/dz)."""
    law = "rho*cv*0.5*10*(310 - temperature)"
    case = column(f'heat_flux = "{law}"', more=f'[[source]]\nenergy = "z > dz ? ({law})/dz : 0"\n')
    words = settings(numerics__precision=f'"{precision}"', time__scheme=f'"{scheme}"', time__dt=0.05, time__end=10, output__fields='["temperature", "w"]')
    run = run_case(case, "r", *words, place=tmp_path)
    temperature = last_field(run, "temperature")
    assert abs(temperature - (310 - 10 * np.exp(-1.0))).max() < error
    assert abs(last_field(run, "w")).max() < (1e-9 if precision == "double" else 0.01)


def energy_gained(run):
    energy = watersmeet.open(run).series["energy"]
    return energy[-1] - energy[0]


sphere = """[case]
system = "atmosphere"
[grid]
kind = "cubed_sphere"
cells = [8, 8, 6]
radius = 1e5
top = 1e4
[physics]
reference = { kind = "isothermal", temperature = 300 }
rotation.rate = 0
MORE
[time]
scheme = "SCHEME"
steps = 6
dt = 1
[boundary]
ground = { GROUND }
""" + output  # fmt: skip


@pytest.mark.parametrize("more, scheme", [("", "ssp-rk3"), ("", "hevi"), ("terrain = 500", "ssp-rk3"), ('atmosphere = "deep"', "hevi"), ('atmosphere = "deep"\nterrain = 500', "hevi")])
def test_the_ground_of_a_sphere_gives_its_area_of_heat(more, scheme, tmp_path):
    """100 W/m^2 from 4 pi a^2, which is farther out by the terrain in a deep atmosphere alone. Areas of cells sum up to that with second order."""
    case = sphere.replace("MORE", more).replace("SCHEME", scheme).replace("GROUND", 'heat_flux = "1e5*(1 + 0*theta)"')
    # The same heat in the volume of the lowest cells, whose depth and mean distance are known.
    ground, a = (500 if "terrain" in more else 0), 1e5
    depth = 1e4 / 6 * (1 - ground / 1e4)
    wider = ((a + ground) / (a + ground + 0.5 * depth)) ** 2 if "deep" in more else 1
    gained = energy_gained(run_case(case, "flux", place=tmp_path))
    area = 4 * np.pi * (a + (ground if "deep" in more else 0)) ** 2
    assert abs(gained / (1e5 * area * 6) - 1) < 0.01
    source = case.replace(f"[boundary]\nground = {{ {'heat_flux = '}\"1e5*(1 + 0*theta)\" }}", f'[[source]]\nenergy = "z < {ground + depth} ? 1e5*{wider / depth!r} : 0"')
    assert source != case
    assert abs(energy_gained(run_case(source, "source", place=tmp_path)) / gained - 1) < 1e-9


def slope(boundary, source="", levels="", terrain='terrain = "30 + 0.05*x"'):
    return f"""[case]
system = "atmosphere"
units = "SI"
[constants]
cv = 717.5
[grid]
cells = [12, 10, 8]
lower = [0, 0, 20]
upper = [1200, 1000, 820]
{levels}
[physics]
{terrain}
reference = {{ kind = "stratified", theta = 290, brunt_vaisala = 0.01 }}
coriolis = {{ f = 1e-3 }}
wind = [4, -3, 0]
[time]
steps = 12
dt = 0.1
[boundary]
y = "periodic"
{boundary}
{source}[[initial]]
theta = "sin(2*pi*y/1000)*cos(pi*z/400)"
[output]
overview = false
precision = "double"
every_steps = 6
fields = ["theta", "velocity", "p"]
"""


heat = "100*rho*cv*(1 + 0.1*speed)*(291 + sin(x/100 + t) + y*0.001 - theta)*0.004 + 0.1*theta_perturbation*p/1e3 + pressure_perturbation"
stress = ["-rho*0.3*speed*velocity.x + 0.001*temperature*cos(r/100)", "-rho*0.2*speed*velocity.y*(1 + w) + density_perturbation"]


def lowest(text, bottom="20"):
    """A source in the lowest cells of levels that follow the terrain: over the depth of the cell, with z as the height of the ground."""
    ground = "30 + 0.05*x"
    depth = f"(100*(1 - ({ground} - {bottom})/800))"
    return f"z < {ground} + {depth} ? ({text.replace('cos(r/100)', f'cos(sqrt(x^2 + y^2 + ({ground})^2)/100)')})/{depth} : 0"


def test_fluxes_are_sources_in_the_lowest_cells(tmp_path):
    boundary = f"ground = {{ heat_flux = \"{heat}\", stress = [\"{stress[0]}\", \"{stress[1]}\", 0] }}"
    source = f'[[source]]\nenergy = "{lowest(heat)}"\nmomentum = ["{lowest(stress[0])}", "{lowest(stress[1])}", 0]\n'
    flux, other, none = (run_case(case, name, place=tmp_path) for name, case in (("flux", slope(boundary)), ("source", slope("", source)), ("none", slope(""))))
    for field, size in (("theta", 1e-3), ("velocity", 1e-2), ("p", 1)):
        assert abs(last_field(flux, field) - last_field(none, field)).max() > size, field
        assert abs(last_field(flux, field) - last_field(other, field)).max() < 1e-7 * size, field


def test_z_is_the_height_of_the_ground_and_height_that_of_the_cell(tmp_path):
    """By the energy: 2 (z - 30)/x over the slope is 0.1, and height - z half of the depth of the lowest cell."""
    steps = settings(time__steps=1)
    gained = [
        energy_gained(run_case(slope(f'ground = {{ heat_flux = "{text}" }}', terrain=terrain), f"r{n}", *steps, place=tmp_path))
        - energy_gained(run_case(slope("", terrain=terrain), f"o{n}", *steps, place=tmp_path))
        for n, (terrain, text) in enumerate(
            (('terrain = "30 + 0.05*x"', "1e7*(z - 30)/x"), ('terrain = "30 + 0.05*x"', "1e4*(height - z)/(1 - (z - 20)/800)"), ("", "1e4*(height - 0.5*z)"))
        )
    ]
    area = 1200 * 1000 * 0.1
    assert np.allclose(gained, [0.05 * 1e7 * area, 50 * 1e4 * area, 60 * 1e4 * area], rtol=1e-5), gained


levels = "z_faces = [20, 60, 120, 200, 300, 420, 560, 690, 820]"
boxes = {
    "terrain": slope(f"ground = {{ heat_flux = \"{heat}\", stress = [\"{stress[0]}\", \"{stress[1]}\", 0] }}"),
    "levels": slope(f"ground = {{ heat_flux = \"{heat}\", stress = [\"{stress[0]}\", \"{stress[1]}\", 0] }}", levels=levels, terrain=""),
    "hevi": slope(f"ground = {{ heat_flux = \"{heat}\", stress = [\"{stress[0]}\", \"{stress[1]}\", 0] }}").replace("steps = 12", 'scheme = "hevi"\nsteps = 12'),
}
globe = sphere.replace("MORE", 'terrain = "500*cos(lat)*sin(lon)^2"').replace("SCHEME", "hevi").replace(
    "GROUND", 'heat_flux = "10*rho*(301 + sin(3*lon + t) - temperature)*(1 + speed)", stress = ["rho*(20*cos(lat) - velocity_east)", "rho*sin(lat)*velocity_east + 0.1*height - 0.1*z", 0]'
).replace("every_steps = 1000", "every_steps = 3")  # fmt: skip


@on_ranks
@pytest.mark.parametrize("name", [*boxes, "sphere"])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks_and_interruptions_change_no_bit(name, precision, tmp_path):
    (tmp_path / "flow.toml").write_text(globe if name == "sphere" else boxes[name])
    words = settings(numerics__precision=f'"{precision}"')
    cuts = {"sphere": [2, 3], "hevi": [2, 3, [1, 2, 1]]}.get(name, [2, 3, [2, 1, 1], [1, 2, 1], [1, 1, 2]])
    assert_same_on_ranks(tmp_path, cuts, words)
    run_in_parts(tmp_path, "parts", ((2, 1), (5, 3), (6 if name == "sphere" else 12, 2)), words)
    assert arrays(newest(tmp_path / "flow-one", "checkpoint")) == arrays(newest(tmp_path / "parts", "checkpoint"))


@pytest.mark.parametrize("name", ["terrain", "levels"])
@pytest.mark.parametrize("fused", [1, 2])
def test_a_streamed_run_has_the_same_bits(name, fused, tmp_path):
    (tmp_path / "flow.toml").write_text(boxes[name].replace("[12, 10, 8]", "[12, 41, 8]").replace("1200, 1000, 820", "1200, 4100, 820"))
    succeed("run", "flow.toml", "--dir", "a", *ranks_words(1), cwd=tmp_path)
    succeed("run", "flow.toml", "--dir", "b", *ranks_words(1), *settings(device__memory='"stream"', stream__segments=4, stream__fused_steps=fused), cwd=tmp_path)
    assert_same_end(tmp_path / "a", tmp_path / "b")


faults = {
    "a name that is not known": ("heat_flux = 'temprature'", "temprature"),
    "a wrong parenthesis": ("heat_flux = 'theta*(1'", "`(` is never closed"),
    "a stress through the ground": ("stress = [0, 0, 'rho']", "the third component must be 0"),
    "a name of a sphere": ("stress = ['velocity_east', 0, 0]", "velocity_east"),
    "a key that is not there": ("temperature = 300", "temperature"),
}


@pytest.mark.parametrize("name", faults)
def test_faults(name, tmp_path):
    keys, words = faults[name]
    assert_refused(tmp_path, column(keys, more="[time]\nsteps = 1\n"), words)


def test_a_flux_that_is_not_finite_ends_the_run(tmp_path):
    (tmp_path / "case.toml").write_text(column("heat_flux = '1/(t - t)'"))
    result = call("run", "case.toml", "--dir", "r", *settings(time__steps=4), *ranks_words(1), cwd=tmp_path)
    assert result.returncode != 0 and "the values of [boundary] that depend on the state" in result.stderr, result.stderr
