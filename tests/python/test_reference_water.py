"""The scripts that expected values of shallow water come from: against closed forms and each other, and the program against them on coarse grids."""

import sys

import numpy as np
import pytest
import watersmeet
from conftest import root
from runs import needs_program, settings, succeed
from watersmeet import sphere

sys.path.insert(0, str(root / "validation/reference"))

import water_dam
import water_runup
import water_spectral
import water_sphere


def test_rates_of_a_steady_flow_converge_to_none():
    """Test 2: the rates of its surface are errors, of second order on the whole."""
    largest = []
    for n in (16, 32):
        sphere = water_sphere.Sphere(n, tilt=0.5)
        h, wind = water_sphere.exact(sphere, "williamson-2", 0.0)
        u, v = sphere.centre.components(wind)
        rate = sphere.rates(h, h * u, h * v)[0]
        largest.append(np.sqrt(np.mean(rate**2)))
    assert largest[0] > 3 * largest[1] > 0


@needs_program
@pytest.mark.parametrize("name, tilt", [("williamson-1", 0.25), ("williamson-2", 0.0), ("williamson-2", 0.25)])
def test_the_program_has_the_errors_that_the_script_has(name, tilt, tmp_path):
    found = list(water_sphere.run(name, 12, 3, tilt))[-1][1]
    succeed("run", root / "examples" / name / "quick.toml", "--dir", "run", "--device", "cpu", *settings(
        grid__cells=12, physics__rotation__tilt=tilt * np.pi, time__cfl=1.2, time__end='"3 d"', output__every='"1 d"', output__overview="false"), cwd=tmp_path)  # fmt: skip
    series = watersmeet.open(tmp_path / "run").series
    columns = {"l1": "error_l1", "l2": "error_l2", "linf": "error_linf", **({} if name == "williamson-1" else {"velocity": "velocity_error_l2"})}
    for mine, column in columns.items():
        assert series[column][-1] == pytest.approx(found[mine], rel=1e-6), column


@needs_program
@pytest.mark.parametrize("name, day", [("williamson-5", 5), ("williamson-6", 7)])
def test_the_program_is_as_far_from_the_spectral_solution_as_the_script(name, day, tmp_path):
    [(_, (level, speed))] = water_sphere.distances(name, 12, (day,))
    succeed("run", root / "examples" / name / "quick.toml", "--dir", "run", "--device", "cpu", *settings(
        grid__cells=12, time__cfl=1.2, time__end=f'"{day} d"', output__every=f'"{day} d"', output__overview="false"), cwd=tmp_path)  # fmt: skip
    last = watersmeet.open(tmp_path / "run").fields[-1]
    lat, lon, surface, east, north = sphere.read_reference(root / f"validation/data/williamson{name[-1]}-spectral.csv", day).T
    found = np.hypot(*(sphere.at(last, f"velocity_{way}", lon, lat) for way in ("east", "north")))
    assert sphere.relative_l2(sphere.at(last, "surface", lon, lat), surface, lat) == pytest.approx(level, rel=1e-6)
    assert sphere.relative_l2(found, np.hypot(east, north), lat) == pytest.approx(speed, rel=1e-6)


def test_harmonics_take_derivatives_exactly():
    """The rotation of the textbooks: curl 2 w sin(lat), no divergence; and coefficients there and back."""
    g = water_spectral.gaussian(10)
    cos2 = (1 - g.sines**2)[:, None] * np.ones(g.longitudes)
    curl, divergence = g.curl_divergence(water_spectral.radius * 1e-5 * cos2, 0 * cos2)
    assert np.abs(g.synthesis(curl) - 2e-5 * g.sines[:, None]).max() < 1e-18
    assert np.abs(divergence).max() < 1e-18
    random = np.random.default_rng(1).normal(size=(2, 11, 11)) * (g.n >= g.m) * (g.n > 0)
    random = random[0] + 1j * random[1] * (g.m > 0)
    again = g.curl_divergence(*g.wind(random, 2 * random))
    assert np.abs(again[0] - random).max() < 1e-12 and np.abs(again[1] - 2 * random).max() < 1e-12


@pytest.mark.parametrize("test, day, level, speed", [("5", 5, 5e-4, 0.03), ("6", 7, 5e-3, 0.06)])
def test_the_tables_are_those_of_another_spectral_model(test, day, level, speed):
    """With T21, whose own truncation is what is left: see the head of the script for T42 and T63."""
    found = water_spectral.distances(test, 21, day)
    assert found[0] < level and found[1] < speed


@pytest.mark.parametrize("left, right", [(10.0, 5.0), (1.0, 0.1)])
def test_the_star_state_of_a_dam_break_holds_both_waves(left, right):
    h, u, front = water_dam.star(left, right)
    g = water_dam.gravity
    assert u == pytest.approx(2 * (np.sqrt(g * left) - np.sqrt(g * h)), rel=1e-12)
    assert front * (h - right) == pytest.approx(h * u, rel=1e-12)
    assert front * h * u == pytest.approx(h * u**2 + 0.5 * g * (h**2 - right**2), rel=1e-12)


def test_a_dam_break_converges():
    """Somewhat below first order: that is what the bore has, the corners of the rarefaction less."""
    for solver in ("hll", "osher"):
        assert 1.4 < water_dam.error(10, 1, 200, solver) / water_dam.error(10, 1, 400, solver) < 2.1


def test_the_run_up_scheme_rests_and_keeps_its_water():
    """A lake over the example's bed stays at rest; rates of any state between walls add up to none."""
    dx = 1500.0
    x = (np.arange(400) + 0.5) * dx
    b = water_runup.bed(x)
    h = np.maximum(-b, 0)
    dh, dhu, _ = water_runup.rates(h, 0 * h, b, dx)
    assert np.abs(dh).max() < 1e-15 and np.abs(dhu).max() < 1e-9
    dh, _, fastest = water_runup.rates(h + (b < -50) * np.sin(x / 3e4), h * np.cos(x / 2e4), b, dx)
    assert np.abs(dh).max() > 1e-4 and abs(dh.sum()) < 1e-12 * np.abs(dh).max() * len(x) and 190 < fastest < 210
