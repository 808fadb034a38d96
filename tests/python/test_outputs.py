"""What runs write is what the reference says: the page is made by the program, every column of a run stands in it, and definitions
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
    """docs/reference/outputs.md is made by `watersmeet keys --outputs --format markdown`; make it anew when this fails."""
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
