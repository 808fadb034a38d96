"""Heat and stress from the lid and the lateral walls of the atmosphere: the energy that comes in through the area of each, closed forms with the order
of the scheme, the same numbers as sources in the cells beside them, the same bits however a run is cut, streamed or interrupted, and faults."""

import json

import numpy as np
import pytest
from rank_runs import assert_same_on_ranks, last_field, on_ranks, ranks_words, run_case, run_in_parts
from runs import arrays, assert_refused, assert_same_end, call, needs_program, newest, settings, succeed
from test_ground_fluxes import energy_gained, laws, output, slope, sphere

pytestmark = needs_program

sides = ["x_lower", "x_upper", "y_lower", "y_upper", "ground", "lid"]


def condition(side, values):
    kind = "" if side in ("ground", "lid") else 'kind = "wall", '
    return f"{side} = {{ {kind}{values} }}"


def row(side, values, initial="", more=""):
    """Eight cells of 50 m across a side, uniform along the two other axes, without gravity."""
    axis = sides.index(side) // 2
    cells = [8 if a == axis else 4 for a in range(3)]
    periodic = "\n".join(f'{name} = "periodic"' for name in "xy" if "xyz"[axis] != name)
    return f"""[case]
system = "atmosphere"
units = "SI"
[constants]
cv = 717.5
dx = 50
[grid]
cells = {cells}
upper = {[50 * n for n in cells]}
[physics]
gravity = 0
reference = {{ kind = "isothermal", temperature = 300 }}
[boundary]
{periodic}
{condition(side, values)}
[[initial]]
{initial}
{more}{output}"""


@pytest.mark.parametrize("law", laws)
@pytest.mark.parametrize("side, along, scheme, order", [("x_lower", 1, "ssp-rk3", 3), ("x_upper", 1, "ssp-rk3", 3), ("y_lower", 0, "hevi", 2), ("y_upper", 0, "ssp-rk3", 3), ("lid", 0, "ssp-rk3", 3), ("lid", 1, "hevi", 2)])
def test_stress_moves_the_cells_beside_a_wall_with_the_order_of_the_scheme(law, side, along, scheme, order, tmp_path):
    """With the work of the stress as heat nothing is warmed or sounds: these cells go as if they were alone."""
    name = "velocity." + "xyz"[along]
    stress, initial, exact, end = laws[law]
    stress = stress.replace("NAME", name).replace("dz", "dx")
    values = f'heat_flux = "({stress})*{name}", stress = ' + json.dumps([stress if a == along else 0 for a in range(3)])
    errors = []
    for steps in (40, 80):
        words = settings(time__scheme=f'"{scheme}"', time__dt=end / steps, time__end=end, output__fields='["velocity"]')
        run = run_case(row(side, values, f"velocity = {[initial if a == along else 0 for a in range(3)]}"), f"r{steps}", *words, place=tmp_path)
        across = np.moveaxis(last_field(run, "velocity")[..., along], 2 - sides.index(side) // 2, 0)
        beside, rest = (across[-1], across[:-2]) if side.endswith(("upper", "lid")) else (across[0], across[2:])
        assert np.ptp(beside) < 1e-12 and abs(rest - initial).max() < 1e-3
        errors.append(abs(beside.flat[0] - exact))
    assert errors[0] < 0.01
    assert 2 ** (order - 0.4) < errors[0] / errors[1] < 2 ** (order + 1.4), errors


@pytest.mark.parametrize("side", [side for side in sides if side != "ground"])
@pytest.mark.parametrize("scheme", ["ssp-rk3", "hevi"])
def test_mixed_air_relaxes_by_the_bulk_formula(side, scheme, tmp_path):
    """F = rho c_v C U (T_s - T) through a wall, and as much per volume away from it: T = T_s - (T_s - T_0) exp(-C U t/dx)."""
    law = "rho*cv*0.5*10*(310 - temperature)"
    name = "xyz"[sides.index(side) // 2]
    elsewhere = f"{name} > dx" if side.endswith("lower") else f"{name} < 7*dx"
    case = row(side, f'heat_flux = "{law}"', more=f'[[source]]\nenergy = "{elsewhere} ? ({law})/dx : 0"\n')
    words = settings(time__scheme=f'"{scheme}"', time__dt=0.05, time__end=10, output__fields='["temperature"]')
    temperature = last_field(run_case(case, "r", *words, place=tmp_path), "temperature")
    assert abs(temperature - (310 - 10 * np.exp(-1.0))).max() < 2e-7


ground = "30 + 0.05*x"  # above z = 0, over a grid from 20 to 820
levels = "z_faces = [20, 60, 120, 200, 300, 420, 560, 690, 820]"
# Heat flux, the integral of which over the area of the side is known: that of 1 and of the coordinates, which are those of the side; (height - z) is
# the way from the middle of the face to that of the cell, over terrain beside x sides as far as the ground rises in half a cell.
energies = {
    "x_lower": [("1", 1000 * 790), ("1 + x", 1000 * 790), ("y", 500 * 1000 * 790), ("z - 30", 1000 * 790**2 / 2), ("height - z", 1000 * 790 * 2.5 / 2)],
    "x_upper": [("1", 1000 * 730), ("x", 1200 * 1000 * 730), ("z - 90", 1000 * 730**2 / 2), ("z - height", 1000 * 730 * 2.5 / 2)],
    "y_lower": [("1", 1200 * 760), ("1 + y", 1200 * 760), ("z - height + 1", 1200 * 760)],
    "y_upper": [("1", 1200 * 760), ("y", 1000 * 1200 * 760), ("z - height + 1", 1200 * 760)],
    "lid": [("1", 1200 * 1000), ("x", 600 * 1200 * 1000), ("z", 820 * 1200 * 1000), ("(z - height)/(790 - 0.05*x)", 1200 * 1000 / 16)],
}


@pytest.mark.parametrize("side", energies)
@pytest.mark.parametrize("more", ["", levels])
def test_walls_give_their_area_of_heat(side, more, tmp_path):
    for n, (text, exact) in enumerate(energies[side]):
        if more and "z - height" in text and side == "lid":
            exact *= 1.3  # the highest level is 130 thick
        constant = slope(condition(side, f'heat_flux = "1e3*({text})*(1 + 0*theta)"'), levels=more).replace('y = "periodic"\n', "")
        calm = constant.replace("coriolis = { f = 1e-3 }\n", "").replace("[4, -3, 0]", "[0, 0, 0]").replace("sin(2*pi*y/1000)*", "0*")
        gained = energy_gained(run_case(calm, f"r{n}", *settings(time__steps=3), place=tmp_path))
        assert abs(gained / (1e3 * exact * 0.3) - 1) < 1e-6, (text, gained)


@pytest.mark.parametrize("more, scheme", [("", "ssp-rk3"), ('atmosphere = "deep"', "hevi"), ('atmosphere = "deep"\nterrain = 500', "hevi")])
def test_the_lid_of_a_sphere_gives_its_area_of_heat(more, scheme, tmp_path):
    """100 W/m^2 from 4 pi a^2, in a deep atmosphere from 4 pi (a + top)^2. Areas of cells sum up to that with second order."""
    case = sphere.replace("MORE", more).replace("SCHEME", scheme).replace("ground = { GROUND }", 'lid = { heat_flux = "1e5*(1 + 0*theta)" }')
    flux = run_case(case, "flux", place=tmp_path)
    area = 4 * np.pi * (1e5 + (1e4 if "deep" in more else 0)) ** 2
    assert abs(energy_gained(flux) / (1e5 * area * 6) - 1) < 0.01
    # The same heat in the volume of the highest cells.
    depth = 1e4 / 6 * (0.95 if "terrain" in more else 1)
    wider = (1.1e5 / (1.1e5 - 0.5 * depth)) ** 2 if "deep" in more else 1
    source = case.replace('[boundary]\nlid = { heat_flux = "1e5*(1 + 0*theta)" }', f'[[source]]\nenergy = "z > {1e4 - depth} ? 1e5*{wider / depth!r} : 0"')
    assert source != case
    assert abs(energy_gained(run_case(source, "source", place=tmp_path)) / energy_gained(flux) - 1) < 1e-9


def test_a_number_is_a_constant_formula(tmp_path):
    values = [condition("lid", f"heat_flux = {heat}, stress = [{stress}, 0, 0]") + "\n" + condition("x_upper", f"heat_flux = {heat}, stress = [0, 0, {stress}]") for heat, stress in ((-300, 0.5), ('"-300 + 0*theta"', '"0.5 + 0*x"'))]
    a, b = (run_case(slope(text), name, place=tmp_path) for name, text in zip("ab", values, strict=True))
    for field in ("theta", "velocity", "p"):
        assert np.array_equal(last_field(a, field), last_field(b, field)), field


heat = "100*rho*cv*(1 + 0.1*speed)*(291 + sin(NAME/100 + t) - theta)*0.004 + 0.1*theta_perturbation*p/1e3 + pressure_perturbation"
drag = ["-rho*0.3*speed*velocity.x + 0.001*temperature*cos(r/100)", "-rho*0.2*speed*velocity.y*(1 + w) + density_perturbation", "-0.4*rho*speed*w + 0.1*cos(height/100)"]


def on_side(side, heat, stress):
    axis = sides.index(side) // 2
    name = "z" if axis == 0 else "x"
    components = ["0" if a == axis else text for a, text in enumerate(stress)]
    return heat.replace("NAME", name), components


def as_flux(side, heat, stress):
    heat, components = on_side(side, heat, stress)
    return condition(side, f"heat_flux = {json.dumps(heat)}, stress = {json.dumps(components)}")


def as_source(side, heat, stress):
    """In the cells beside a side over flat ground, with the coordinate of the side in place of that of the cell."""
    axis = sides.index(side) // 2
    at, width, where = {"x_lower": (0, 100, "x < 100"), "x_upper": (1200, 100, "x > 1100"), "y_lower": (0, 100, "y < 100"), "y_upper": (1000, 100, "y > 900"), "lid": (820, 100, "z > 720")}[side]
    squares = " + ".join(f"({at})^2" if a == axis else f"{name}^2" for a, name in enumerate("xyz"))
    heat, components = on_side(side, heat, stress)
    heat, *components = (f"{where} ? ({text.replace('cos(r/100)', f'cos(sqrt({squares})/100)')})/{width} : 0" for text in (heat, *components))
    return f"[[source]]\nenergy = {json.dumps(heat)}\nmomentum = {json.dumps(components)}\n"


@pytest.mark.parametrize("side", energies)
def test_fluxes_are_sources_in_the_cells_beside_a_wall(side, tmp_path):
    cases = {"flux": (as_flux(side, heat, drag), ""), "source": ("", as_source(side, heat, drag)), "none": ("", "")}
    flux, other, none = (run_case(slope(*text, terrain="").replace('y = "periodic"\n', ""), name, place=tmp_path) for name, text in cases.items())
    for field, size in (("theta", 1e-3), ("velocity", 1e-2), ("p", 1)):
        assert abs(last_field(flux, field) - last_field(none, field)).max() > size, field
        assert abs(last_field(flux, field) - last_field(other, field)).max() < 1e-7 * size, field


def all_walls(**more):
    text = "\n".join(as_flux(side, heat, drag) for side in energies)
    return slope(text + '\nground = { heat_flux = "10*(300 - theta)" }', **more).replace('y = "periodic"\n', "")


boxes = {
    "terrain": all_walls(terrain='terrain = "30 + 0.05*x + 0.02*y"'),
    "levels": all_walls(levels=levels, terrain=""),
    "hevi": all_walls().replace("steps = 12", 'scheme = "hevi"\nsteps = 12'),
    "both": slope('x = { kind = "wall", heat_flux = "theta - 291", stress = [0, "-0.1*rho*velocity.y", 0] }'),
}
globe = sphere.replace("MORE", 'terrain = "500*cos(lat)*sin(lon)^2"').replace("SCHEME", "hevi").replace(
    "ground = { GROUND }", 'lid = { heat_flux = "-1e-7*temperature^4*(1 + 0.1*cos(lon + t)) + 0.01*(z - height)", stress = ["rho*(20*cos(lat) - velocity_east)", "rho*sin(lat)*velocity_east", 0] }\nground = { heat_flux = "rho*speed" }'
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


@pytest.mark.parametrize("name", ["terrain", "levels", "both"])
@pytest.mark.parametrize("fused", [1, 2])
def test_a_streamed_run_has_the_same_bits(name, fused, tmp_path):
    (tmp_path / "flow.toml").write_text(boxes[name].replace("[12, 10, 8]", "[12, 41, 8]").replace("1200, 1000, 820", "1200, 4100, 820"))
    succeed("run", "flow.toml", "--dir", "a", *ranks_words(1), cwd=tmp_path)
    succeed("run", "flow.toml", "--dir", "b", *ranks_words(1), *settings(device__memory='"stream"', stream__segments=4, stream__fused_steps=fused), cwd=tmp_path)
    assert_same_end(tmp_path / "a", tmp_path / "b")


def test_both_sides_of_an_axis_have_what_one_table_gives(tmp_path):
    values = 'kind = "wall", heat_flux = "x + 100", stress = [0, "-0.1*rho*velocity.y", 0]'
    both, own = (run_case(slope(text), name, place=tmp_path) for name, text in (("both", f"x = {{ {values} }}"), ("own", f"x_lower = {{ {values} }}\nx_upper = {{ {values} }}")))
    assert np.array_equal(last_field(both, "theta"), last_field(own, "theta"))


faults = {
    "a name that is not known": ("lid = { heat_flux = 'temprature' }", "temprature"),
    "a wrong parenthesis": ("x_lower = { kind = 'wall', heat_flux = 'theta*(1' }", "`(` is never closed"),
    "a stress through the lid": ("lid = { stress = [0, 0, 'rho'] }", "the lid drags the air along x and y, on a sphere to the east and north: the third component must be 0"),
    "a stress through a wall": ("x = { kind = 'wall', stress = ['rho', 0, 0] }", "the wall drags the air along y and z: the first component must be 0"),
    "a name of a sphere": ("lid = { stress = ['velocity_east', 0, 0] }", "velocity_east"),
    "a key that is not there": ("lid = { temperature = 300 }", "temperature"),
    "a side without a kind": ("x = { heat_flux = 1 }", 'add kind = "wall", "open", "inflow" or "periodic"'),
    "an open side": ("x = { kind = 'open', heat_flux = 1 }", "a side of kind open has no `heat_flux`"),
    "a periodic side": ("x = { kind = 'periodic', stress = [0, 1, 0] }", "a side of kind periodic has no `stress`"),
}


@pytest.mark.parametrize("name", faults)
def test_faults(name, tmp_path):
    keys, words = faults[name]
    assert_refused(tmp_path, slope(keys), words)


def test_an_axis_of_one_cell_has_no_walls(tmp_path):
    (tmp_path / "case.toml").write_text(slope("x = { kind = 'wall', heat_flux = 1 }").replace("[12, 10, 8]", "[1, 10, 8]"))
    assert "boundary.x.heat_flux has no effect: the grid has one cell along x" in call("check", "case.toml", cwd=tmp_path).stdout


def test_a_flux_that_is_not_finite_ends_the_run(tmp_path):
    (tmp_path / "case.toml").write_text(slope("lid = { heat_flux = '1/(t - t)' }"))
    result = call("run", "case.toml", "--dir", "r", *ranks_words(1), cwd=tmp_path)
    assert result.returncode != 0 and "the values of [boundary] that depend on the state" in result.stderr, result.stderr
