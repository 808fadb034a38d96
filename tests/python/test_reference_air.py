"""The scripts that expected values of the atmosphere come from: against closed forms, and the program against them on coarse grids."""

import sys

import numpy as np
import pytest
import watersmeet
from conftest import root
from example_runs import load_check
from runs import needs_program, settings, succeed
from watersmeet.mountain_waves import MountainWaves, pressure_drag, stratified_density

sys.path.insert(0, str(root / "validation/reference"))

import air_tube
import dry_air
import linear_waves
import planet_waves


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


def test_the_column_converges_to_the_closed_form_in_isothermal_air():
    """The one integrates differences between levels, the other is a sum of two cosines."""
    temperature, x, t = 250.0, np.arange(0, 300e3, 5000.0), 1800.0
    errors = []
    for levels in (15, 30):
        column = linear_waves.Column(theta=temperature, frequency=9.81 / np.sqrt(1004.5 * temperature), levels=levels)
        profile = linear_waves.isothermal([100e3], column.faces, 0.0)[0][:, 0]  # that of the middle of the spot
        fields = [np.zeros((levels - 1, len(x))) for _ in range(2)]
        for m in range(80):
            k = 2 * np.pi * m / 300e3
            pattern = (2 if m else 1) * 5e3 * np.sqrt(np.pi) / 300e3 * np.exp(-((k * 5e3) ** 2) / 4) * np.cos(k * (x - 100e3 - 20 * t))
            for field, part in zip(fields, column.evolve(k, profile, t)):
                field += part[:, None] * pattern
        exact = linear_waves.isothermal(x, column.faces, t)
        errors.append([np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip(fields, exact)])
    for coarse, fine in zip(*errors):
        assert fine < 0.03 and np.log2(coarse / fine) == pytest.approx(2, abs=0.1)


@needs_program
def test_the_program_comes_closer_to_waves_in_isothermal_air(tmp_path):
    """src/verify/atmosphere/gravity_waves.cpp has the same with smaller cells."""
    distances = []
    for cells in ((75, 10), (150, 20)):
        directory = tmp_path / str(cells[0])
        directory.mkdir()
        (directory / "case.toml").write_text(f"""[case]
system = "atmosphere"
[grid]
cells = [{cells[0]}, 1, {cells[1]}]
upper = [300e3, 1, 10e3]
[physics]
gravity = 9.81
gas_constant = 287
heat_capacity = 1004.5
reference = {{ kind = "isothermal", temperature = 250 }}
wind = [20, 0, 0]
[time]
end = 900.0
[[initial]]
temperature = "0.01*exp({9.81 / (2 * 287 * 250)!r}*z)*sin(pi*z/10e3)*exp(-((x - 100e3)/5e3)^2)"
[boundary]
x = "periodic"
[output]
every = 900.0
overview = false
""")
        succeed("run", "case.toml", "--dir", "run", "--device", "cpu", cwd=directory)
        last = watersmeet.open(directory / "run").fields[-1]
        exact = linear_waves.isothermal(np.asarray(last.x, float), np.asarray(last.z, float), float(last.time))
        found = np.asarray(last["theta_perturbation"], float)[:, 0], np.asarray(last["velocity"], float)[:, 0, :, 2]
        distances.append([np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip(found, exact)])
    assert distances[1][0] < 0.3 and distances[1][1] < 0.5
    assert all(fine < 0.75 * coarse for coarse, fine in zip(*distances))


def test_waves_on_a_planet_are_those_of_legendre_where_nothing_turns():
    column, longitude, latitude = linear_waves.Column(levels=8), np.array([0, 0.3, -0.4, 1.0, 2.5]), np.array([0, 0.2, -0.9, 0.1, 1.2])
    angle = np.arccos(np.cos(latitude) * np.cos(longitude))
    still = planet_waves.Planet(column, waves=16, step=20.0, wind=0.0)
    for t in (0.0, 300.0):
        for found, known in zip(still.advance(t).at(longitude, latitude), linear_waves.planet(column, angle, t, waves=16)):
            assert np.abs(found - known).max() < 1e-12


def test_coriolis_force_turns_the_wind_and_does_no_work():
    """Energy stays; Rossby's waves and a flow along the latitudes have the rates of closed forms."""
    planet = planet_waves.Planet(linear_waves.Column(levels=4), waves=10, step=10.0, wind=40.0)

    def energy():
        return np.sum(np.abs(planet.state) ** 2 * np.where(np.arange(10) > 0, 2, 1)[None, :, None])

    first = energy()
    planet.advance(2000.0)
    assert energy() == pytest.approx(first, rel=1e-9)
    # Rossby's waves: psi alone, of the degree l, turns by 2 W m/(l (l + 1)); all else couples to the neighbours l +- 1.
    z = np.zeros((10, 10, 4), complex)
    z[5, 2] = 1.0
    rate, spin = planet._force(z), 40.0 / 50969.76
    assert rate[5, 2, 0] == pytest.approx(2j * spin * 2 / 30)
    assert sorted(zip(*np.nonzero(rate[..., 0]))) == [(4, 2), (5, 2), (6, 2)]
    # psi = sqrt(3/2) sin(lat): v_t = -f u = 2 W sqrt(3/2) sin(lat) cos(lat)/a = chi_lat/a, chi = W sqrt(3/2) sin^2(lat), of which 2/3 is of the degree 2.
    z[:] = 0
    z[1, 0] = np.sqrt(2.0)  # all is carried times sqrt(l (l + 1))
    assert planet._force(z)[2, 0, 0] / np.sqrt(6.0) == pytest.approx(spin * 2 / 3 * np.sqrt(3 / 5))


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


def test_the_balanced_jet_is_as_fast_as_the_checks_expect():
    """P. A. Ullrich, T. Melvin, C. Jablonowski and A. Staniforth, Q. J. R. Meteorol. Soc. 140 (2014) 1590: the wind of a shallow atmosphere, equations 7 to 13."""
    a, rotation, gravity, equator, pole, lapse, b, k = 6371220.0, 7.29212e-5, 9.80616, 310.0, 240.0, 0.005, 2, 3
    t_0 = (equator + pole) / 2
    z, c = np.linspace(0, 30e3, 301)[:, None], np.cos(np.linspace(0, np.pi / 2, 451))
    s = (z / (b * 287.0 * t_0 / gravity)) ** 2
    fading = (k + 2) / 2 * (equator - pole) / (equator * pole) * np.exp(-s)
    mean = np.exp(lapse * z / t_0) / t_0 + (t_0 - pole) / (t_0 * pole) * (1 - 2 * s) * np.exp(-s)
    temperature = 1 / (mean - fading * (1 - 2 * s) * (c**k - k / (k + 2) * c ** (k + 2)))
    thermal = gravity / a * k * fading * z * (c ** (k - 1) - c ** (k + 1)) * temperature
    wind = -rotation * a * c + np.sqrt((rotation * a * c) ** 2 + a * c * thermal)
    assert wind.max() == pytest.approx(load_check("baroclinic-wave").jet, abs=1e-3)
    assert f'"speed_max"), {load_check("baroclinic-wave").jet}, 1.0)' in (root / "src/verify/atmosphere/globe.cpp").read_text()


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
    if name == "gravity-wave":  # what the example's check compares, by its own formulas
        last = watersmeet.open(tmp_path / "run").fields[-1]
        theta, w = np.asarray(last["theta_perturbation"], float)[:, 0], np.asarray(last["velocity"], float)[:, 0, :, 2]
        column, z = linear_waves.Column(levels=50), np.asarray(last.z, float)
        exact = [linear_waves.at_heights(column, part, z) for part in linear_waves.channel(column, np.asarray(last.x, float), end)]
        distances = [np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip((theta, w), exact)]
        assert distances == pytest.approx([found["distance_theta"], found["distance_w"]], rel=1e-3)
