"""The scripts that expected values of the atmosphere come from: against closed forms, and the program against them on coarse grids."""

import sys

import numpy as np
import pytest
import watersmeet
from conftest import root
from runs import needs_program, settings, succeed
from watersmeet.mountain_waves import MountainWaves, pressure_drag, stratified_density

sys.path.insert(0, str(root / "validation/reference"))

import air_tube
import dry_air
import linear_waves


@pytest.mark.parametrize("solver", [air_tube.lmars, air_tube.ausm, air_tube.hllc])
def test_the_tube_converges_and_solvers_are_consistent(solver):
    """With strong waves of first order at best; a face between equal states takes their own flux, in either direction."""
    assert 1.4 < air_tube.tube_error(solver, cells=50) / air_tube.tube_error(solver, cells=100) < 2.2
    for u in (-2.0, -0.3, 0.0, 0.4, 1.7):
        state = np.array([[1.2], [u], [0.9]])
        assert solver(state, state) == pytest.approx(air_tube.euler_flux(*state), abs=1e-13)


def test_the_fastest_internal_wave_has_the_speed_of_theory():
    """Long waves of one half wave between ground and lid, which sound is ten times faster than: c = N/sqrt((pi/H)^2 + 1/(4 H_s^2)), H_s the mean scale height of the air."""
    column = linear_waves.Column(levels=80)
    k = 2 * np.pi / 400e3
    frequencies = column.modes(k)[1]
    scale_height = 10e3 / np.log(column.rho[0] / column.rho[-1])
    expected = 0.01 / np.hypot(np.pi / 10e3, 0.5 / scale_height)
    assert frequencies[frequencies < 100 * k].max() / k == pytest.approx(expected, rel=0.01)


def test_the_wave_equations_keep_energy_and_their_beginning():
    column = linear_waves.Column(levels=30)
    profile = np.sin(np.pi * column.faces / 10e3)
    theta, w = column.evolve(1e-4, profile, 0.0)
    assert np.abs(theta - profile).max() < 1e-12 and np.abs(w).max() < 1e-12
    a, s, v = column.modes(1e-4)
    step = 1e-3  # w_t = rho_0 g theta'/theta_0 / rho_0 at first, as pressure has not yet risen
    _, w = column.evolve(1e-4, profile, step)
    assert np.abs(w / step - 9.81 * profile / column.theta_face).max() < 1e-4 * 9.81 / 300


def test_the_linear_channel_has_the_published_extremes():
    """Skamarock and Klemp (1994) and those after them: -1.5e-3 to 2.8e-3 K, symmetric about 160 km."""
    theta, w = linear_waves.channel(linear_waves.Column(levels=20), np.arange(0, 300e3, 1000.0), 3000.0)
    assert theta.min() == pytest.approx(-1.5e-3, rel=0.03) and theta.max() == pytest.approx(2.8e-3, rel=0.01)
    assert np.abs(theta[:, 61:260] - theta[:, 259:60:-1]).max() < 1e-12


def bell(half_width):
    return MountainWaves(ground=lambda x: 1 / (1 + (x / half_width) ** 2), wind=10.0, frequency=0.01, density=lambda z: 1.2,
                         length=800 * half_width, waves=2**15)  # fmt: skip


@pytest.mark.parametrize("half_width, published", [(1e3, 0.457), (20e3, 1.0)])
def test_the_drag_of_a_bell_is_that_of_its_integral(half_width, published):
    """The spectrum of a bell is pi a h exp(-k a); over pi/4 rho U N h^2 its drag is 4 A^2 int_0^1 s sqrt(1 - s^2) exp(-2 A s) ds, A = N a/U.

    0.457: J. B. Klemp and D. R. Durran, Mon. Weather Rev. 111 (1983) 430.
    """
    a = 0.01 * half_width / 10
    t = (np.arange(200000) + 0.5) * np.pi / 2 / 200000  # s = sin t
    ratio = 4 * a**2 * np.sum(np.sin(t) * np.cos(t) ** 2 * np.exp(-2 * a * np.sin(t))) * np.pi / 2 / 200000
    assert ratio == pytest.approx(published, abs=0.006)
    assert bell(half_width).drag() / (np.pi / 4 * 1.2 * 10 * 0.01) == pytest.approx(ratio, rel=1e-3)


def test_waves_over_a_bell_are_those_of_its_integral():
    x, z, a, k_max = np.linspace(-5e3, 8e3, 27), 3e3, 1e3, 0.01
    k = (np.arange(40000) + 0.5) * k_max / 40000
    m = np.sqrt((1e-3**2 - k**2).astype(complex))  # N/U; decaying with height where negative
    w = np.real(np.exp(1j * x[:, None] * k) @ (1j * k * 10 * a * np.exp(-k * a) * np.exp(1j * m * z))) * k_max / 40000
    assert np.abs(bell(a).w(z, x) - w).max() < 0.01 * np.abs(w).max()


def test_the_pressure_on_the_slopes_is_read_without_error():
    """The cells of examples/agnesi-mountain/narrow.toml with the pressure of linear theory, i rho U^2 m h exp(i m z), give the drag of its flux."""
    waves = MountainWaves(lambda x: 1 / (1 + (x / 1e3) ** 2), 10.0, 0.01, stratified_density(280.0, 0.01), length=800e3, waves=2**14)
    k, ground, m = waves._spectrum()
    x, heights = np.arange(-30e3 + 62.5, 30e3, 125.0), np.array([100.0, 300.0, 500.0])
    pressure = [np.interp(x, waves.x, np.real(np.fft.ifft(1j * waves.density(0.0) * 100 * m * ground * np.exp(1j * m * z)))) for z in heights]

    class Snapshot(dict):
        pass

    last = Snapshot(pressure_perturbation=np.array(pressure)[:, None], height=np.repeat(heights[:, None, None], len(x), axis=2))
    last.x = x
    assert pressure_drag(last, waves.ground) == pytest.approx(waves.drag(), rel=1e-3)


# Cells along x and end (s) of cases of the script.
pairs = {"warm-bubble": (40, 300.0), "gravity-wave": (60, 300.0), "density-current": (32, 600.0)}


@needs_program
@pytest.mark.parametrize("name", pairs)
def test_the_program_has_what_the_other_one_has(name, tmp_path):
    cells, end = pairs[name]
    other = dry_air.Slab(dry_air.cases[name], cells)
    found = other.advance(end).summary()
    succeed("run", root / "examples" / name / "quick.toml", "--dir", "run", "--device", "cpu", *settings(
        grid__cells=f"[{cells},1,{other.nz}]", time__end=end, output__overview="false"), cwd=tmp_path)  # fmt: skip
    series = watersmeet.open(tmp_path / "run").series
    for column in ("theta_max", "theta_min", "w_max", "w_min"):
        largest = max(abs(found[column]), 0.1 * abs(found["theta_max" if "theta" in column else "w_max"]))
        assert abs(series[column][-1] - found[column]) <= 2e-3 * largest, (column, series[column][-1], found[column])
