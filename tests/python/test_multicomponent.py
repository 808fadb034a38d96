"""Two-fluid runs through the program: what a user sees of one, the same bits after a restart and on any number of ranks, and
what is said about cases that cannot be computed."""

import csv
import json
import re
import shutil

import h5py
import numpy as np
import pytest
from rank_runs import assert_same_on_ranks, assert_same_run, on_ranks, ranks_words, run_in_parts
from runs import arrays, assert_same_end, call, needs_program, newest, settings, succeed

pytestmark = needs_program

# An air bubble in water, off the middle in all directions, under a shock; inflow, mirror, far field and open sides, and
# periodic ones along y.
bubble = """[case]
system = "multicomponent"
units = "SI"
[grid]
cells = [22, 13, 26]
upper = [2.2e-3, 1.3e-3, 2.6e-3]
[physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8, density = 1000.0 }
air = { gamma = 1.4, density = 1.204 }
[time]
cfl = 0.4
steps = 9
[[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
shape = { kind = "shock", x = 0.3e-3, side = "lower", pressure_jump = 4e7 }
[[initial]]
fluid = "air"
shape = { kind = "sphere", centre = [0.9e-3, 0.55e-3, 1.45e-3], radius = 0.4e-3 }
[boundary]
x_lower = "inflow"
y = "periodic"
z_lower = "reflecting"
z_upper = { kind = "nonreflecting", pressure = 1e5 }
[output]
overview = false
series_every_steps = 2
every_steps = 4
fields = ["p", "alpha", "rho", "velocity", "mach", "vorticity", "divergence", "density_gradient", "schlieren", "energy"]
"""

cases = {
    "default": {},
    "single": {"numerics__precision": '"single"'},
    "mpcf-k, Z, SSP": {"physics__model": '"mpcf-k"', "numerics__reconstruction": '"weno5-z"', "time__scheme": '"ssp-rk3"'},
    "stretched": {
        "grid__x_stretching": 1.2, "grid__z_stretching": 0.7, "numerics__reconstruction": '"weno5-z"', "time__cfl_norm": '"max"',
        "grid__y_faces": [round(0.1e-3 * (k + 0.3 * np.sin(2 * np.pi * k / 13)), 12) for k in range(14)],
    },
    "strict": {"numerics__positivity": '"strict"', "time__scheme": '"ssp-rk3"', "time__cfl": 0.9},
    "all choices": {
        "numerics__riemann": '"hll"', "numerics__wave_speeds": '"roe"', "numerics__energy": '"split"',
        "numerics__phi_source": '"faces"', "numerics__positivity": '"scaling"', "numerics__clip": "true",
        "time__cfl_norm": '"max"', "boundary__x_lower__velocity": '["26 + 1e6*t", 0, 0]',
    },
}  # fmt: skip


# A block of water that flies out of the rest, across the cuts of the ranks: behind it a vacuum opens, and the flux limiter
# has to replace faces.
torn = """[[initial]]
fluid = "water"
pressure = 1e5
velocity = [6000, 2500, 9000]
shape = { kind = "box", lower = [0.6e-3, 0.4e-3, 0.7e-3], upper = [1.5e-3, 0.9e-3, 1.8e-3], smoothing = 0 }
[boundary]"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "bubble.toml").write_text(bubble)
    (tmp_path / "torn.toml").write_text(bubble.replace("[boundary]", torn))
    return tmp_path


def case_of(name):
    return "torn.toml" if name == "strict" else "bubble.toml"


def series(folder):
    with open(folder / "series.csv") as file:
        lines = [line for line in csv.reader(file) if not line[0].startswith("#")]
    values = np.array(lines[1:], float).T
    return dict(zip(lines[0], values))


def test_a_run_tells_what_happens(place):
    result = succeed("run", "bubble.toml", "--dir", "one", "--device", "cpu", cwd=place)
    assert "weno5-js and HLLC" in result.stdout and "rk3-cubism" in result.stdout
    # Behind the shock, from the jump conditions of this water.
    assert re.search(r"density 1018\.1638\d+, velocity 26\.71317\d+, pressure 40100000", result.stdout), result.stdout
    columns = series(place / "one")
    assert abs(columns["mass_drift"]).max() < 1e-13 and abs(columns["energy_drift"]).max() < 1e-12
    np.testing.assert_allclose(columns["p_amplification"][0], 4.01e7 / 4e7, rtol=1e-6)
    # The interface is smeared by a half cosine from -e to e, e = sqrt(3) h, of variance (1 - 8/pi^2) e^2.
    volume = 4 / 3 * np.pi * 0.4e-3**3 * (1 + 3 * (1 - 8 / np.pi**2) * 3 / 4**2)
    np.testing.assert_allclose(columns["gas_volume"][0], volume, rtol=1e-3)
    np.testing.assert_allclose(columns["mass_air"][0], 1.204 * columns["gas_volume"][0], rtol=1e-6)
    np.testing.assert_allclose(columns["mass_air"] + columns["mass_water"], columns["mass"], rtol=1e-14)
    assert columns["fallback_edges"][0] == 0
    with h5py.File(newest(place / "one", "fields")) as file:
        cells = file["VTKHDF/CellData"]
        assert cells["alpha"][()].min() >= 0 and cells["alpha"][()].max() <= 1
        np.testing.assert_allclose(cells["schlieren"][()].min(), np.exp(-40), rtol=1e-9)  # at the steepest place
        rho, u = cells["rho"][()], cells["velocity"][()]
        h = 1e-4
        inner = (slice(1, -1),) * 3
        div = sum((np.roll(u[..., c], -1, 2 - c) - np.roll(u[..., c], 1, 2 - c)) / (2 * h) for c in range(3))
        np.testing.assert_allclose(cells["divergence"][()][inner], div[inner], rtol=1e-9, atol=1e-6 * abs(div).max())
        slope = (np.roll(rho, -1, 1) - np.roll(rho, 1, 1)) / (2 * h)
        np.testing.assert_allclose(cells["density_gradient"][()][..., 1], slope, rtol=1e-9, atol=1e-9 * abs(slope).max())


def units_of(folder):
    with open(folder / "series.csv") as file:
        names, units = file.readline().strip().split(","), file.readline().strip().removeprefix("# units: ").split(",")
    return dict(zip(names, units))


@pytest.mark.parametrize("precision", ["double", "single"])
def test_numbers_and_units_of_an_si_case_are_si(place, precision):
    succeed("run", "bubble.toml", "--dir", "one", "--precision", precision, "--device", "cpu",
            *settings(time__steps=4, output__series_every_steps=1), cwd=place)  # fmt: skip
    columns, units = series(place / "one"), units_of(place / "one")
    assert units == {
        "step": "1", "t": "s", "dt": "s", "mass": "kg", "mass_drift": "1", "energy": "J", "energy_drift": "1",
        "momentum_x": "kg m/s", "momentum_y": "kg m/s", "momentum_z": "kg m/s", "kinetic_energy": "J", "p_max": "Pa",
        "p_amplification": "1", "p_min": "Pa", "mach_max": "1", "speed_max": "m/s", "rho_max": "kg/m^3", "rho_min": "kg/m^3",
        "fallback_edges": "1", "limited_cells": "1", "gas_volume": "m^3", "equivalent_radius": "m", "mass_air": "kg",
        "mass_water": "kg",
    }  # fmt: skip
    # The water behind the shock, from its jump conditions, fills 3 of 22 layers of cells; the bubble is at rest at 1e5 Pa.
    rho, u, p = 1018.16388547, 26.71317621, 4.01e7
    box, behind, air = 2.2e-3 * 1.3e-3 * 2.6e-3, 0.3e-3 * 1.3e-3 * 2.6e-3, columns["gas_volume"][0]
    mass = rho * behind + 1000 * (box - behind - air) + 1.204 * air
    gamma, pi = 1 / 5.12, 6.12 * 3.43e8 / 5.12
    energy = (gamma * p + pi + rho * u**2 / 2) * behind + (gamma * 1e5 + pi) * (box - behind - air) + 2.5 * 1e5 * air
    expected = {"mass": mass, "energy": energy, "momentum_x": rho * u * behind, "kinetic_energy": rho * u**2 / 2 * behind,
                "p_max": p, "p_min": 1e5, "speed_max": u, "rho_max": rho, "rho_min": 1.204, "mass_air": 1.204 * air}  # fmt: skip
    for name, value in expected.items():
        # In single precision pressures are differences of energies: 1e-7 of Pi is 41 Pa.
        np.testing.assert_allclose(columns[name][0], value, rtol=1e-9 if precision == "double" else 2e-6,
                                   atol=50 if name == "p_min" and precision == "single" else 0, err_msg=name)
    # At the first step |u| + c is largest in the shocked water, c^2 = gamma (p + p_c)/rho there, and the air is slower;
    # the limit is on the sum over the axes.
    c = np.sqrt(6.12 * (p + 3.43e8) / rho)
    np.testing.assert_allclose(columns["t"][1], 0.4 * 1e-4 / (3 * c + u), rtol=1e-5)
    with h5py.File(newest(place / "one", "fields")) as file:
        cells = file["VTKHDF/CellData"]
        stated = {name: cells[name].attrs["units"].decode() for name in cells}
        assert file["time"].attrs["units"] == b"s" and file["x"].attrs["units"] == b"m"
    assert stated == {"p": "Pa", "alpha": "1", "rho": "kg/m^3", "velocity": "m/s", "mach": "1", "vorticity": "1/s",
                      "divergence": "1/s", "density_gradient": "kg/m^4", "schlieren": "1", "energy": "Pa"}  # fmt: skip


# Two clouds of the same name, beside the case; the run begins and ends in other folders.
clouds = """[[initial]]
fluid = "air"
shape = { kind = "bubbles", file = "near/cloud.txt" }
[[initial]]
fluid = "air"
shape = { kind = "bubbles", file = "far/cloud.txt" }
[boundary]"""


def test_a_run_keeps_its_files_of_bubbles(place):
    case, elsewhere = place / "case", place / "elsewhere"
    for name, line in (("near", "0.7e-3 0.5e-3 0.7e-3 0.2e-3\n"), ("far", "# one\n1.5e-3 0.8e-3 1.9e-3 0.3e-3\n")):
        (case / name).mkdir(parents=True)
        (case / name / "cloud.txt").write_text(line)
    elsewhere.mkdir()
    (case / "clouds.toml").write_text(bubble.replace("[boundary]", clouds))
    words = ("--device", "cpu")
    succeed("run", case / "clouds.toml", "--dir", place / "whole", *words, cwd=elsewhere)
    succeed("run", case / "clouds.toml", "--dir", place / "half", *words, *settings(time__steps=4), cwd=elsewhere)
    kept = sorted(path.name for path in (place / "half" / "inputs").iterdir())
    assert kept == ["2-cloud.txt", "cloud.txt"], kept
    texts = {(place / "half" / "inputs" / name).read_text() for name in kept}
    assert texts == {(case / name / "cloud.txt").read_text() for name in ("near", "far")}
    shutil.rmtree(case)
    moved = elsewhere / "moved"
    shutil.move(place / "half", moved)
    succeed("resume", moved, *words, *settings(time__steps=9), cwd="/")
    assert_same_end(place / "whole", moved)
    # And again, from the resolved case that the resume wrote.
    succeed("resume", "moved", *words, *settings(time__steps=10), cwd=elsewhere)
    assert sorted(path.name for path in (moved / "inputs").iterdir()) == kept


@pytest.mark.parametrize("name", cases)
def test_a_restart_changes_no_bit(place, name):
    words = settings(**cases[name])
    at = settings(output__checkpoint_every_steps=4, output__checkpoints_kept=9)
    succeed("run", case_of(name), "--dir", "one", *words, *at, "--device", "cpu", cwd=place)
    succeed("run", case_of(name), "--dir", "two", *words, *at, *settings(time__steps=4), "--device", "cpu", cwd=place)
    succeed("resume", "two", *settings(time__steps=9), "--device", "cpu", cwd=place)
    assert_same_end(place / "one", place / "two")
    assert (series(place / "one")["limited_cells"][-1] > 0) == (name == "strict")


@on_ranks
@pytest.mark.parametrize("name", cases)
@pytest.mark.parametrize("along, overlap", [([1, 1, 2], "on"), ([2, 1, 1], "off"), ([1, 2, 2], "off")])
def test_the_number_of_ranks_changes_no_bit(place, name, along, overlap):
    more = settings(device__overlap=f'"{overlap}"')
    [(text, _)] = assert_same_on_ranks(place, [along], settings(**cases[name]), more, case_of(name))
    overlaps = overlap == "on" and name != "strict"  # boundaries that may still be corrected are not sent early
    assert ("overlapped" in text) == overlaps


@on_ranks
def test_a_restart_may_have_other_ranks(place):
    every = {f"output__{what}_steps": 3 for what in ("every", "series_every", "checkpoint_every")}
    at = settings(**every, output__checkpoints_kept=9)
    succeed("run", "bubble.toml", "--dir", "one", *at, *ranks_words(1), cwd=place)
    run_in_parts(place, "many", [(3, 2), (6, 1), (9, 3)], at, "bubble.toml")
    assert_same_run(place / "one", place / "many")


def test_a_restart_with_other_scales_is_refused(place):
    at = settings(numerics__precision='"single"', output__checkpoint_every_steps=3)
    succeed("run", "bubble.toml", "--dir", "one", *at, *settings(time__steps=3), "--device", "cpu", cwd=place)
    refused = call("resume", "one", *settings(time__steps=5, physics__scales__density=7), "--device", "cpu", cwd=place)
    assert refused.returncode == 2 and "density_scale = 1024" in refused.stderr, refused.stderr


def test_scales_do_not_show(place):
    """Powers of two change no bit in double precision; in single the case's numbers come back."""
    fields = settings(output__fields='["p","rho","velocity"]', time__dt=2e-8)
    succeed("run", "bubble.toml", "--dir", "one", *fields, "--device", "cpu", cwd=place)
    scales = settings(physics__scales__density=1024, physics__scales__speed=512)
    succeed("run", "bubble.toml", "--dir", "scaled", *fields, *scales, "--device", "cpu", cwd=place)
    assert arrays(newest(place / "one", "fields")) == arrays(newest(place / "scaled", "fields"))
    single = settings(numerics__precision='"single"')
    succeed("run", "bubble.toml", "--dir", "single", *fields, *single, "--device", "cpu", cwd=place)
    for name in ("p", "rho"):
        with h5py.File(newest(place / "one", "fields")) as a, h5py.File(newest(place / "single", "fields")) as b:
            expected, found = (f[f"VTKHDF/CellData/{name}"][()] for f in (a, b))
            np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4 * abs(expected).max())


faults = {
    "one fluid": ({"physics__model": '"mpcf-k"', "physics__fluids__oil__gamma": 3}, "model mpcf-k is for two fluids, the case has 3"),
    "same gamma": ({"physics__model": '"mpcf-k"', "physics__fluids__air__gamma": 6.12}, "distinguishes fluids by their gamma"),
    "epsilon": ({"numerics__precision": '"single"', "numerics__weno_epsilon": 1e-12}, "too small for weno5-js in single"),
    "cfl": ({"time__cfl": 1.6}, "unstable at cfl = 1.6"),
    "field": ({"output__fields": '["pressure"]'}, "no field `pressure`"),
    "axis": ({"grid__geometry": '"axisymmetric"'}, "this one has 26 cells along z"),
    "swirl": ({"grid__geometry": '"axisymmetric"', "initial[0]__velocity": '[0, 0, "x"]'}, "the equations there are those of a flow without swirl"),
    "spinning force": ({"grid__geometry": '"axisymmetric"', "source": "[{momentum=[0, 0, 1]}]"}, "are those of a flow without swirl"),
    "cells": ({"grid__cells": "[1,1,1]"}, "a single cell has no faces"),
    "huge": ({"grid__upper": "[1e300,1e300,1e300]"}, "the box is 1e+300 long in x"),
    "schedule": ({"device__schedule": '"ring"'}, "sweeps"),
    "spectra": ({"output__spectra_every_steps": 3}, "spectra"),
}  # fmt: skip


@pytest.mark.parametrize("name", faults)
def test_what_cannot_be_computed_is_refused(place, name):
    keys, words = faults[name]
    result = call("check", "bubble.toml", *settings(**keys), cwd=place)
    assert result.returncode == 2 and words in result.stderr, result.stderr


def test_an_inadmissible_state_is_described(place):
    result = call("run", "bubble.toml", "--dir", "one", *settings(time__dt=3e-6, time__steps=50), "--device", "cpu", cwd=place)
    assert result.returncode not in (0, 2) and "rows" not in result.stderr
    assert re.search(r"(inadmissible values|not a number)", result.stderr), result.stderr
    assert "first at cell (" in result.stderr


def test_check_and_bench_know_the_system(place):
    result = succeed("check", "bubble.toml", cwd=place)
    assert "22 x 13 x 26" in result.stdout
    assert json.loads(succeed("keys", "--format", "json-schema", cwd=place).stdout)


def test_a_benchmark_that_is_cut_short_keeps_its_rows(place):
    # On two cells there is no room for the bubbles of the third row.
    words = ("--device", "cpu", "--only", "single mpcf weno5-js", "--seconds", "1e-3", "--repeats", "1", "--output", "rows.json")
    result = call("bench", "multicomponent", "--cells", "8", "--cells", "2", *words, cwd=place)
    assert result.returncode == 2 and "lies outside the grid" in result.stderr, result.stderr
    kept = json.loads((place / "rows.json").read_text())["rows"]
    assert [row["cells"][0] for row in kept] == [8, 8, 2] and all(row["ns_per_point_step"] > 0 for row in kept)


def test_a_density_that_falls_through_zero_is_told_with_the_key_that_keeps_it_positive(tmp_path):
    (tmp_path / "thin.toml").write_text("""[case]
system = "multicomponent"
[grid]
cells = [40, 1, 1]
upper = [1, 1, 1]
[physics.fluids]
gas = { gamma = 1.4, density = 1 }
[numerics]
weno_scales = { density = 1, speed = 1, pressure = 1, Gamma = 1, Pi = 1 }
[time]
end = 0.1
[[initial]]
fluid = "gas"
density = 1e-4
pressure = 0.27
velocity = [0.3, 0, 0]
[[initial]]
fluid = "gas"
density = 1e-3
pressure = 0.27
velocity = [0.3, 0, 0]
shape = { kind = "box", lower = [0.2, -2, -2], upper = [0.4, 2, 2], smoothing = 0 }
""")
    result = call("run", "thin.toml", "--dir", "a", cwd=tmp_path)
    assert result.returncode == 4, result.stdout + result.stderr
    assert re.search(r"density -\S+ is not positive|not a number in rho", result.stderr), result.stderr
    assert 'or: numerics.reconstruction = "weno5-z"' in result.stderr
    succeed("run", "thin.toml", "--dir", "b", *settings(numerics__reconstruction='"weno5-z"'), cwd=tmp_path)
