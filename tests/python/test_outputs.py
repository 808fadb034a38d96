"""What runs write is what the reference says: the page is made by the program, every column of a run is in it, and definitions
are those of the numbers, which are made again here from the fields of a snapshot.
"""

import json
import re
from pathlib import Path

import h5py
import numpy as np
import pytest
from runs import call, needs_program, settings, succeed

import watersmeet

pytestmark = needs_program
root = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    return json.loads(call("keys", "--outputs", "--json", cwd=tmp_path_factory.mktemp("outputs")).stdout)


def test_the_page_is_what_the_program_prints(tmp_path):
    """docs/reference/outputs.md is made by `watersmeet keys --outputs --format markdown`; make it again when this fails."""
    page = root / "docs" / "reference" / "outputs.md"
    assert page.read_text() == call("keys", "--outputs", "--format", "markdown", cwd=tmp_path).stdout


def test_every_output_has_a_unit_and_a_meaning(listed, tmp_path):
    assert len(listed) > 150 and {row["kind"] for row in listed} == {"field", "series", "profiles", "spectra"}
    assert all(row["unit"] and row["meaning"] for row in listed)
    keys = [(row["system"], row["kind"], row["name"], row["when"]) for row in listed]
    assert len(keys) == len(set(keys))
    one = call("keys", "--outputs", "boussinesq", cwd=tmp_path).stdout
    assert "nusselt_flux; unit: 1; between two prescribed temperatures" in one and "isothermal" not in one
    wrong = call("keys", "--outputs", "boussinesk", cwd=tmp_path)
    assert wrong.returncode == 2 and "did you mean" in wrong.stderr


cases = {
    "taylor-green/quick": ("isothermal", {"grid__cells": "[8,8,8]", "output__spectra_every_steps": 1}),
    "orszag-tang/quick": ("mhd", {"grid__cells": "[16,16,1]", "output__spectra_every_steps": 1}),
    "single-bubble/quick": ("multicomponent", {}),
    "sod/quick": ("multicomponent", {}),
    "heated-cavity/quick": ("boussinesq", {"grid__cells": "[16,1,16]", "output__profiles_every_steps": 1}),
    "lock-exchange/quick": ("boussinesq", {"grid__cells": "[8,8,8]"}),
    "dam-break/quick": ("shallow_water", {}),
    "williamson-2/quick": ("shallow_water", {"grid__cells": 8}),
    "wedge/quick": ("aerodynamics", {}),
    "naca0012/quick": ("aerodynamics", {}),
    "warm-bubble/quick": ("atmosphere", {}),
    "dcmip31/quick": ("atmosphere", {}),
}


def columns(path):
    names, units = path.read_text().splitlines()[:2]
    return dict(zip(names.split(","), units.removeprefix("# units: ").split(",")))


@pytest.mark.parametrize("case", cases)
def test_every_column_of_a_run_is_listed(case, listed, tmp_path):
    system, more = cases[case]
    succeed("run", case, "--dir", "r", "--device", "cpu", *settings(time__steps=1, output__overview="false", **more), cwd=tmp_path)
    known = [row for row in listed if row["system"] in ("", system)]
    for table in ("series", "spectra", "profiles"):
        if not (tmp_path / f"r/{table}.csv").exists():
            continue
        patterns = {re.sub("FLUID|PATCH|SCALAR", r"\\w+", row["name"]).replace("AXIS", "[xyz]") for row in known if row["kind"] == table}
        if table == "profiles":
            patterns |= {"step", "t"}
        if table == "spectra":
            patterns.add("step")
        for name in columns(tmp_path / f"r/{table}.csv"):
            assert any(re.fullmatch(pattern, name) for pattern in patterns), f"{table}.csv: {name}"


def last_of(run):
    series, field = run.series, run.fields[-1]
    return lambda name: series[name][-1], lambda name: np.asarray(field[name], float)


def test_definitions_of_isothermal(tmp_path):
    fields = '["rho","velocity","vorticity","p"]'
    words = settings(grid__cells="[16,16,16]", time__steps=3, output__every_steps=3, output__series_every_steps=1, output__fields=fields,
                     output__precision='"same"', output__overview="false")  # fmt: skip
    succeed("run", "taylor-green/quick", "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "r")
    series, field = last_of(run)
    rho, u, curl = field("rho"), field("velocity"), field("vorticity")
    u2 = (u**2).sum(-1)
    expected = {
        "mass": rho.mean() * (2 * np.pi) ** 3, "u_rms": np.sqrt(u2.mean()), "speed_max": np.sqrt(u2.max()), "rho_max": rho.max(),
        "kinetic_energy": (rho * u2 / 2).mean(), "enstrophy": ((curl**2).sum(-1) / 2).mean(), "momentum_x": (rho * u[..., 0]).mean(),
        "uy2": (u[..., 1] ** 2).mean()}  # fmt: skip
    for name, value in expected.items():
        assert series(name) == pytest.approx(value, rel=1e-10, abs=1e-14), name
    c = run.setting("physics.sound_speed")
    np.testing.assert_allclose(field("p"), c * c * rho, rtol=1e-12)


def one_step(tmp_path, name, fields, **keys):
    """The first snapshot of an example, which holds these fields, and the run."""
    words = settings(time__steps=1, output__every_steps=1, output__precision='"same"', output__overview="false", output__fields=json.dumps(fields),
                     **keys)  # fmt: skip
    succeed("run", name, "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "r")
    first = run.fields[0]
    return run, lambda name: np.asarray(first[name], float)


def sixth(k, h):
    """What the central difference of sixth order makes of k in the derivative of sin(k x)."""
    return (1.5 * np.sin(k * h) - 0.3 * np.sin(2 * k * h) + np.sin(3 * k * h) / 30) / h


def test_fields_of_isothermal_are_those_of_known_flows(tmp_path):
    names = ["rho", "mach", "dissipation", "enstrophy", "helicity", "q_criterion"]
    flow = 'initial=[{velocity=["sin(x)*cos(y)", "-cos(x)*sin(y)", 0.5], density="1+0.2*cos(z)"}]'
    n, nu, zeta = 16, 0.3, 0.1
    keys = {"grid__cells": f"[{n},{n},{n}]", "physics__viscosity": nu, "physics__bulk_viscosity": zeta, "physics__sound_speed": 2}
    run, field = one_step(tmp_path, "taylor-green/quick", names, **keys, **{"initial": flow.partition("=")[2]})
    x = 2 * np.pi * np.arange(n) / n
    sx, cx, sy, cy = np.sin(x), np.cos(x), np.sin(x)[:, None], np.cos(x)[:, None]
    k, rho = sixth(1, 2 * np.pi / n), field("rho")
    every = np.ones((n, n, n))  # (z, y, x)
    np.testing.assert_allclose(rho, every * (1 + 0.2 * np.cos(x))[:, None, None], rtol=1e-13)
    np.testing.assert_allclose(field("mach"), every * np.sqrt((sx * cy) ** 2 + (cx * sy) ** 2 + 0.25) / 2, rtol=1e-12)
    np.testing.assert_allclose(field("dissipation"), rho * (2 * nu * 2 * (k * cx * cy) ** 2), atol=1e-13)
    np.testing.assert_allclose(field("enstrophy"), every * (2 * k * sx * sy) ** 2 / 2, atol=1e-13)
    np.testing.assert_allclose(field("helicity"), every * (0.5 * 2 * k * sx * sy), atol=1e-13)
    np.testing.assert_allclose(field("q_criterion"), every * k * k * ((sx * sy) ** 2 - (cx * cy) ** 2), atol=1e-13)
    series = run.series
    for name in ("dissipation", "enstrophy", "helicity"):
        assert field(name).mean() == pytest.approx(series[name][0], rel=1e-12, abs=1e-14), name
    assert field("mach").max() == pytest.approx(series["mach_max"][0], rel=1e-12)


def test_dissipation_has_the_shock_viscosity(tmp_path):
    flow = '[{velocity=["0.8*sin(x)", "0.3*sin(y)", 0]}]'
    keys = {"grid__cells": "[16,16,8]", "physics__shock_viscosity": 1.5, "initial": flow}
    run, field = one_step(tmp_path, "taylor-green/quick", ["dissipation"], **keys)
    assert field("dissipation").mean() == pytest.approx(run.series["dissipation"][0], rel=1e-12)
    assert run.series["dissipation"][0] > 0


def test_fields_of_mhd_are_those_of_known_flows(tmp_path):
    names = ["rho", "velocity", "magnetic_field", "p", "mach", "alfven_speed", "magnetic_pressure", "dissipation", "ohmic_dissipation",
             "enstrophy", "helicity", "cross_helicity", "q_criterion"]  # fmt: skip
    run, field = one_step(tmp_path, "orszag-tang/quick", names)
    series, rho, u, b = run.series, field("rho"), field("velocity"), field("magnetic_field")
    mu = run.setting("physics.permeability", 1.0)
    for name, column in (("dissipation",) * 2, ("ohmic_dissipation",) * 2, ("enstrophy",) * 2, ("helicity",) * 2, ("cross_helicity",) * 2,
                         ("magnetic_pressure", "magnetic_energy")):  # fmt: skip
        assert field(name).mean() == pytest.approx(series[column][0], rel=1e-11, abs=1e-13), name
    b2 = (b**2).sum(-1)
    np.testing.assert_allclose(field("magnetic_pressure"), b2 / (2 * mu), rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(field("alfven_speed"), np.sqrt(b2 / (mu * rho)), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(field("cross_helicity"), (u * b).sum(-1), atol=1e-13)
    gamma = run.setting("physics.gamma", 5 / 3) if run.setting("physics.energy", "") == "entropy" else 1.0
    np.testing.assert_allclose(field("mach"), np.sqrt((u**2).sum(-1) / (gamma * field("p") / rho)), rtol=1e-11, atol=1e-13)
    # u = (-sin y, sin x, 0) times its amplitude: Q = -g_xy g_yx.
    n = u.shape[2]
    x = 2 * np.pi * np.arange(n) / n
    amplitude = np.abs(u).max()
    k = sixth(1, 2 * np.pi / n)
    expected = (k * amplitude) ** 2 * np.cos(x) * np.cos(x)[:, None]
    np.testing.assert_allclose(field("q_criterion"), np.broadcast_to(expected, rho.shape), atol=1e-11 * amplitude**2)


def test_fields_of_boussinesq_are_those_of_known_flows(tmp_path):
    case = """[case]
system = "boussinesq"
[grid]
cells = [16, 16, 16]
lower = [0, 0, 0]
upper = ["2*pi", "2*pi", "2*pi"]
[physics]
viscosity = 0.1
diffusivity = 0.3
[boundary]
x = "periodic"
y = "periodic"
z = "periodic"
[time]
steps = 1
dt = 1e-3
[[initial]]
velocity = ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0.5]
temperature = "sin(z)"
[output]
every_steps = 1
overview = false
precision = "same"
fields = ["velocity", "thermal_dissipation", "enstrophy", "helicity", "q_criterion"]
"""
    (tmp_path / "tg.toml").write_text(case)
    succeed("run", "tg.toml", "--dir", "r", "--device", "cpu", cwd=tmp_path)
    first = watersmeet.open(tmp_path / "r").fields[0]
    field = lambda name: np.asarray(first[name], float)  # noqa: E731
    n, h = 16, 2 * np.pi / 16
    x = h * (np.arange(n) + 0.5)
    sx, cx, sy, cy = np.sin(x), np.cos(x), np.sin(x)[:, None], np.cos(x)[:, None]
    u = field("velocity")
    a = np.abs(u[..., 0]).max() / np.abs(sx * cy).max()  # of the velocity at centres, averages over two faces
    np.testing.assert_allclose(u[..., 0], np.broadcast_to(a * sx * cy, (n, n, n)), atol=1e-12)
    k, every = a * np.sin(h) / h, np.ones((n, n, n))
    np.testing.assert_allclose(field("enstrophy"), every * (2 * k * sx * sy) ** 2 / 2, atol=1e-12)
    np.testing.assert_allclose(field("helicity"), every * (0.5 * 2 * k * sx * sy), atol=1e-12)
    own = 2 * np.sin(h / 2) / h  # of a component along its own axis, between its faces
    np.testing.assert_allclose(field("q_criterion"), every * ((k * sx * sy) ** 2 - (own * cx * cy) ** 2), atol=1e-12)
    slopes = ((np.sin(x + h) - np.sin(x)) / h) ** 2, ((np.sin(x) - np.sin(x - h)) / h) ** 2
    np.testing.assert_allclose(field("thermal_dissipation"), every * (0.3 * (slopes[0] + slopes[1]) / 2)[:, None, None], atol=1e-12)


def test_fields_of_multicomponent_are_those_of_its_velocity(tmp_path):
    names = ["velocity", "vorticity", "enstrophy", "q_criterion", "divergence"]
    keys = {"time__steps": 20, "output__every_steps": 20}
    words = settings(output__precision='"same"', output__overview="false", output__fields=json.dumps(names), **keys)
    succeed("run", "helium-cylinder/quick", "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "r")
    _, field = last_of(run)
    u, curl = field("velocity"), field("vorticity")
    lower, upper, cells = (np.array(run.setting(f"grid.{key}"), float) for key in ("lower", "upper", "cells"))
    h = (upper - lower) / cells
    inner = (0, slice(1, -1), slice(1, -1))
    g = [[(u[0, 1:-1, 2:, c] - u[0, 1:-1, :-2, c]) / (2 * h[0]), (u[0, 2:, 1:-1, c] - u[0, :-2, 1:-1, c]) / (2 * h[1])] for c in (0, 1)]
    q = -(g[0][0] ** 2 + g[1][1] ** 2) / 2 - g[0][1] * g[1][0]
    scale = max(np.abs(one).max() for row in g for one in row) ** 2
    assert scale > 0
    np.testing.assert_allclose(field("q_criterion")[inner], q, atol=1e-9 * scale)
    np.testing.assert_allclose(field("enstrophy"), (curl**2).sum(-1) / 2, atol=1e-9 * scale)


def test_q_of_an_axisymmetric_flow_counts_the_stretching_around_the_axis(tmp_path):
    """u = (-2 a x, a r): g = diag(-2a, a, a), Q = -(4 + 1 + 1) a^2/2."""
    case = """[case]
system = "multicomponent"
[grid]
cells = [16, 16, 1]
upper = [1, 1, 1]
geometry = "axisymmetric"
[physics]
fluids = { air = { gamma = 1.4 } }
[boundary]
x = "absorbing"
y_upper = "absorbing"
[time]
steps = 0
[[initial]]
fluid = "air"
density = 1
pressure = 1
velocity = ["-0.2*x", "0.1*y", 0]
[output]
every_steps = 1
overview = false
precision = "same"
fields = ["q_criterion"]
"""
    (tmp_path / "strain.toml").write_text(case)
    succeed("run", "strain.toml", "--dir", "r", "--device", "cpu", cwd=tmp_path)
    q = np.asarray(watersmeet.open(tmp_path / "r").fields[-1]["q_criterion"], float)
    np.testing.assert_allclose(q[0, 1:-1, 1:-1], -3 * 0.01, rtol=1e-6)


def test_totals_of_aerodynamics_are_those_of_its_flow(tmp_path):
    names = ["rho", "velocity", "p", "mach", "speed", "total_pressure", "total_temperature", "total_enthalpy", "vorticity", "q_criterion"]
    run, _ = one_step(tmp_path, "bump/quick", names)
    last = run.fields[-1]
    gamma = 1.4
    for block in range(len(last.mesh)):
        field = lambda name: np.asarray(last[name][block], float)  # noqa: B023, E731
        mach = field("mach")
        stream = run.setting("physics.freestream.mach")
        ratio = (1 + 0.2 * mach**2) / (1 + 0.2 * stream**2)
        temperature = gamma * field("p") / field("rho")  # the free stream has density 1 and pressure 1/gamma
        np.testing.assert_allclose(field("speed"), np.sqrt((field("velocity") ** 2).sum(-1)), rtol=1e-12)
        np.testing.assert_allclose(field("total_temperature"), temperature * ratio, rtol=1e-10)
        np.testing.assert_allclose(field("total_pressure"), gamma * field("p") * ratio**3.5, rtol=1e-10)
        assert np.isfinite(field("q_criterion")).all()


def test_fields_of_atmosphere_are_those_of_its_air(tmp_path):
    run, field = one_step(tmp_path, "warm-bubble/quick", ["rho", "p", "theta", "temperature", "speed", "mach", "exner"])
    _, field = last_of(run)
    r, p_0 = run.setting("physics.gas_constant"), run.setting("physics.exner_pressure")
    c_p = run.setting("physics.heat_capacity")
    gamma = c_p / (c_p - r)
    np.testing.assert_allclose(field("exner"), (field("p") / p_0) ** (r / c_p), rtol=1e-9)
    np.testing.assert_allclose(field("exner") * field("theta"), field("temperature"), rtol=1e-12)
    np.testing.assert_allclose(field("mach"), field("speed") / np.sqrt(gamma * field("p") / field("rho")), rtol=1e-9, atol=1e-15)
    assert field("mach").max() > 0


def test_the_head_of_shallow_water_is_surface_and_speed(tmp_path):
    words = settings(time__steps=10, output__every_steps=10, output__precision='"same"', output__overview="false",
                     output__fields='["surface","speed","head"]')  # fmt: skip
    succeed("run", "dam-break/quick", "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "r")
    _, field = last_of(run)
    np.testing.assert_allclose(field("head"), field("surface") + field("speed") ** 2 / (2 * run.setting("physics.gravity")), rtol=1e-12)
    assert field("speed").max() > 0


def test_integrals_of_an_axisymmetric_case_are_over_a_whole_turn(tmp_path):
    words = settings(time__steps=3, output__every_steps=3, output__precision='"same"', output__overview="false",
                     output__fields='["rho","velocity","p","alpha","energy"]')  # fmt: skip
    succeed("run", "single-bubble/quick", "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "r")
    series, field = last_of(run)
    h = 1.5e-3 / 192
    ring = (2 * np.pi * (np.arange(64) + 0.5) * h * h * h)[None, :, None]  # of a cell (z, y, x); y is the radius
    expected = {
        "mass": (field("rho") * ring).sum(), "energy": (field("energy") * ring).sum(), "gas_volume": (field("alpha") * ring).sum(),
        "kinetic_energy": (field("rho") * (field("velocity") ** 2).sum(-1) / 2 * ring).sum()}  # fmt: skip
    for name, value in expected.items():
        assert series(name) == pytest.approx(value, rel=1e-9), name
    assert series("equivalent_radius") == pytest.approx((3 * expected["gas_volume"] / (4 * np.pi)) ** (1 / 3), rel=1e-9)
    assert series("p_max") == pytest.approx(field("p").max(), rel=1e-9)


def test_definitions_of_shallow_water(tmp_path):
    words = settings(time__steps=3, output__every_steps=3, output__precision='"same"', output__overview="false",
                     output__fields='["depth","velocity","bed","potential_vorticity"]')  # fmt: skip
    succeed("run", "lake-at-rest/quick", "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "r")
    series, field = last_of(run)
    h, u, bed, q = field("depth"), field("velocity"), field("bed"), field("potential_vorticity")
    lower, upper, cells = (np.array(run.setting(f"grid.{key}"), float) for key in ("lower", "upper", "cells"))
    area, g = np.prod(((upper - lower) / cells)[:2]), run.setting("physics.gravity")
    expected = {
        "volume": (h * area).sum(), "potential_enstrophy": (h * q**2 / 2 * area).sum(),
        "energy": ((h * (u**2).sum(-1) / 2 + g * h * (h / 2 + bed)) * area).sum()}  # fmt: skip
    for name, value in expected.items():
        assert series(name) == pytest.approx(value, rel=1e-9, abs=1e-20), name


def test_a_field_by_its_former_name_is_the_one_of_now_and_said_so(tmp_path):
    probe = 'output.probe=[{name="a", at=[1,1,1], fields=["pressure"]}]'
    words = settings(grid__cells="[8,8,8]", time__steps=1, output__overview="false", output__fields='["rho","pressure"]')
    done = succeed("run", "taylor-green/quick", "--dir", "r", "--device", "cpu", *words, "--set", probe, cwd=tmp_path)
    assert done.stdout.count("note: the field `pressure` is now called `p`") == 2, done.stdout
    assert 'fields = ["rho", "p"]' in " ".join((tmp_path / "r/resolved.toml").read_text().split())
    field = watersmeet.open(tmp_path / "r").fields[-1]
    assert list(field) == ["p", "rho"] and "p" in field and "pressure" not in field
    assert np.array_equal(field["pressure"], field["p"]) and np.array_equal(field["density"], field["rho"])
    with pytest.raises(KeyError, match="no field 'lnrho' in .*; there are: p, rho"):
        field["lnrho"]
    assert "a_p" in columns(tmp_path / "r/series.csv")
    series = watersmeet.open(tmp_path / "r").series
    assert "u_max" not in series and np.array_equal(series["u_max"], series["speed_max"])
    with h5py.File(field.path, "a") as file:  # as files of before have them
        file.move("p", "pressure")
        file.move("rho", "density")
    before = watersmeet.open(tmp_path / "r").fields[-1]
    assert list(before) == ["density", "pressure"] and np.array_equal(before["rho"], before["density"])
    assert np.array_equal(before["p"], before["pressure"])
    checked = succeed("check", "taylor-green/quick", "--set", 'output.fields=["pressure"]', cwd=tmp_path)
    assert "is now called `p`" in checked.stdout
