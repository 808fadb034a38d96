"""The scripts that expected values of boussinesq and isothermal flow come from: they give those values again where that is quick, and the program
has what they have on coarse grids."""

import re
import sys

import numpy as np
import pytest
import watersmeet
from conftest import root
from example_runs import load_check
from runs import needs_program, settings, succeed

sys.path.insert(0, str(root / "validation/reference"))

import conducting_cube
import explosion
import shu_osher
import taylor_green_spectral


def quoted(source, pattern):
    """What a source file of the checks expects."""
    text = (root / "src/verify" / source).read_text()
    found = re.search(pattern, text, re.DOTALL)
    assert found, pattern
    return found


def test_differences_with_walls_converge_to_sines():
    for on_faces in (False, True):
        errors = [conducting_cube.second_difference(n, on_faces)[0][0] / np.pi**2 - 1 for n in (16, 32)]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.05)


def test_the_cube_has_the_critical_numbers_that_verify_expects():
    grids = quoted("boussinesq/conducting_cube.cpp", r"known\[\] = \{(.*?)\};").group(1)
    known = {int(n): float(rayleigh) for n, rayleigh in re.findall(r"\{(\d+), ([\d.]+)\}", grids)}
    assert sorted(known) == [16, 24, 32]
    assert conducting_cube.Cube(16).critical_rayleigh() == pytest.approx(known[16], abs=0.01)
    stated = float(quoted("boussinesq/conducting_cube.cpp", r'"limit of the three grids".*?, ([\d.]+), 0.3\)').group(1))
    assert conducting_cube.limit(list(known), list(known.values())) == pytest.approx(stated, abs=0.06)


@needs_program
@pytest.mark.parametrize("method", ["55-point", "19-point"])
def test_the_program_explodes_as_the_other_one(method, tmp_path):
    end = 0.2
    succeed("run", root / "examples/explosion/quick.toml", "--dir", "run", "--device", "cpu", *settings(
        grid__cells="[20,20,20]", numerics__method=f'"{method}"', time__end=end, output__every=end), cwd=tmp_path)  # fmt: skip
    last = watersmeet.open(tmp_path / "run").fields[-1]
    gas = explosion.Gas(20, method).advance(end)
    assert np.abs(np.asarray(last["rho"]).T - np.exp(gas.state[0])).max() < 1e-12
    assert np.abs(np.asarray(last["velocity"]).T - gas.state[1:]).max() < 1e-12


def test_the_mass_drifts_as_verify_expects():
    expected = float(quoted("isothermal/conservation.cpp", r'"explosion, 32\^3, nu = 0.05".*?0\.5\),\s*([\d.e-]+)').group(1))
    assert abs(explosion.Gas(32).advance(0.5).drift()) == pytest.approx(expected, rel=5e-4)


def test_shells_of_the_forcing_have_the_vectors_that_verify_expects():
    rows = quoted("isothermal/forcing.cpp", r"shells\[\] = \{(.*?)\};").group(1)
    shells = [[float(number) for number in re.findall(r"[\d.]+", row)] for row in re.findall(r"\{([^{}]*)\}", rows)]
    assert len(shells) == 5
    length = np.sqrt(np.sum((np.indices((23, 23, 23)).reshape(3, -1) - 11.0) ** 2, axis=0))
    for lower, upper, count, mean in shells:
        inside = length[(length >= lower) & (length <= upper)]
        assert len(inside) == count and inside.mean() == pytest.approx(mean, abs=5e-4)


@pytest.mark.parametrize("method, decay", [("55-point", 8.7e-5), ("19-point", 7.6e-5)])
def test_sound_decays_as_verify_expects(method, decay):
    """One dimension, two periods, cdt = 0.1: the figures of src/verify/isothermal/sound_wave.cpp."""
    k, nu, amplitude = 4, 0.01, 1e-6
    damping = 2 / 3 * nu * k**2
    frequency = np.sqrt(k**2 - damping**2)
    phase = {}
    for cells in (32, 64):
        gas = explosion.Gas(4, method, nu)
        gas.cells, gas.h = cells, 2 * np.pi / cells
        x = gas.h * np.arange(cells)
        gas.state = np.zeros((4, cells, 1, 1))
        gas.state[0, :, 0, 0] = amplitude * np.cos(k * x)
        gas.state[1, :, 0, 0] = amplitude * (frequency * np.cos(k * x) + damping * np.sin(k * x)) / k
        end = 4 * np.pi / frequency
        gas.advance(end, 1 / np.hypot(10 / gas.h, nu / gas.h**2 / 0.25))
        wave = np.mean(gas.state[0, :, 0, 0] * np.exp(-1j * k * x)) * 2 / amplitude
        phase[cells] = -np.angle(wave * np.exp(1j * frequency * end))
        found = -np.log(np.abs(wave)) / (damping * end) - 1
    assert found == pytest.approx(decay, abs=1e-6)
    assert phase[32] == pytest.approx(-0.0187, abs=1e-4) and phase[64] == pytest.approx(-3.22e-4, abs=1e-6)


def test_the_spectral_vortex_has_the_quoted_energy():
    """Re = 100 at t = 2.5: 24 modes a direction give that of 96 to 0.1 %."""
    vortex = taylor_green_spectral.Solver(24, 0.01)
    assert vortex.energy_and_dissipation() == pytest.approx((0.125, 0.0075))
    for _ in range(50):
        vortex.step(0.05)
    t, energy = load_check("taylor-green").energy_100[0]
    assert t == 2.5 and vortex.energy_and_dissipation()[0] == pytest.approx(energy, rel=1e-3)


def test_the_spectral_vortex_has_the_stored_energies():
    """Re = 1600: 48 modes a direction are enough until t = 1.5, when the table of 384 has lost 0.6 % of its energy."""
    table = {round(t, 2): row for t, *row in np.loadtxt(root / "validation/data/taylor-green-re1600-spectral-384.csv", usecols=(0, 1, 2))}
    vortex = taylor_green_spectral.Solver(48, 1 / 1600)
    for n in range(1, 61):
        vortex.step(0.025)
        if n % 20 == 0:
            energy, dissipation = vortex.energy_and_dissipation()
            known = table[round(0.025 * n, 2)]
            assert energy == pytest.approx(known[0], rel=3e-9) and dissipation == pytest.approx(known[1], rel=3e-6)


def test_the_entropy_waves_approach_the_stored_density():
    x, rho = np.loadtxt(root / "validation/data/shu-osher-3200.csv", delimiter=",", unpack=True)
    means = rho.reshape(-1, 4).mean(axis=1)
    errors = [np.abs(shu_osher.solve(n)[1] - means.reshape(n, -1).mean(axis=1)).mean() for n in (200, 400)]
    assert errors[1] < 0.03 and errors[1] < 0.65 * errors[0]
