"""Shock viscosity of isothermal flow and of mhd against validation/reference/shock_viscosity.py, on several ranks, and what refuses it."""

import sys

import h5py
import numpy as np
import pytest
from conftest import root
from rank_runs import assert_same_on_ranks, on_ranks
from runs import call, needs_program, newest, settings, succeed

sys.path.insert(0, str(root / "validation/reference"))

import shock_viscosity as reference

pytestmark = needs_program

VELOCITY = ["0.4*sin(y + z) + 0.3*cos(2*x)", "0.3*cos(x - z) + 0.2*sin(2*y)", "0.2*sin(2*x + y) + 0.3*cos(z)"]
DENSITY = "2*exp(0.2*sin(x + 2*y) + 0.1*cos(2*z - y))"
ENTROPY = "0.1*cos(x - y + z) + 0.05*sin(2*x)"
CELLS = {"box": (20, 18, 14), "plane": (24, 1, 18), "line": (1, 26, 1)}


def case_text(system, cells, coefficient, physics=""):
    more = 'energy = "entropy"\ngamma = 1.4\nresistivity = 0\n' if system == "mhd" else ""
    entropy = f'entropy = "{ENTROPY}"\n' if system == "mhd" else ""
    velocity = ", ".join(f'"{v}"' for v in VELOCITY)
    return (f'[case]\nsystem = "{system}"\n[grid]\ncells = {list(cells)}\nupper = ["2*pi", "2*pi", "2*pi"]\n[physics]\nviscosity = 0\n'
            f'shock_viscosity = {coefficient}\n{more}{physics}[[initial]]\ndensity = "{DENSITY}"\nvelocity = [{velocity}]\n{entropy}'
            '[time]\nsteps = 1\n[output]\noverview = false\n')  # fmt: skip


def variables_after(case, folder, **keys):
    succeed("run", case, "--dir", folder, "--device", "cpu", *settings(output__checkpoint_every_steps=1, **keys), cwd=case.parent)
    found = {}
    with h5py.File(newest(case.parent / folder)) as file:
        file.visititems(lambda name, item: found.update({name.split("/")[-1]: item[()].T}) if isinstance(item, h5py.Dataset) and item.ndim == 3 else None)
    return found


@pytest.mark.parametrize("shape", CELLS)
@pytest.mark.parametrize("system", ["isothermal", "mhd"])
def test_force_and_heating_are_those_of_shifted_arrays(system, shape, tmp_path):
    """With shock viscosity less without: the rates of the other terms cancel except for the error of the time step."""
    cells, coefficient = CELLS[shape], 1.7
    h = [2 * np.pi / n for n in cells]
    x, y, z = np.meshgrid(*(step * np.arange(n) for step, n in zip(h, cells)), indexing="ij")
    names = {"x": x, "y": y, "z": z, "sin": np.sin, "cos": np.cos, "exp": np.exp}
    u = np.array([eval(text, names) for text in VELOCITY])  # noqa: S307
    l = np.log(eval(DENSITY, names))  # noqa: S307
    force, heating = reference.force_and_heating(l, u, h, coefficient)
    rates = {}
    for dt in (1e-4, 2e-4):
        ends = []
        for c in (0, coefficient):
            case = tmp_path / f"{c}.toml"
            case.write_text(case_text(system, cells, c))
            ends.append(variables_after(case, f"r{c}-{dt}", time__dt=repr(dt)))
        for name in ends[0]:
            rates.setdefault(name, []).append((ends[1][name] - ends[0][name]) / dt)
    found = {name: 2 * short - long for name, (short, long) in rates.items()}
    expected = {f"u{'xyz'[a]}": force[a] for a in range(3)}
    if system == "mhd":
        gamma, q = 1.4, eval(ENTROPY, names)  # noqa: S307
        expected["entropy"] = (gamma - 1) * heating / np.exp(gamma * q + (gamma - 1) * l)
    for name, value in expected.items():
        error = np.sqrt(np.mean((found[name] - value) ** 2))
        assert error < 1e-6 * np.sqrt(np.mean(value**2)) + 1e-8, name
    assert np.max(np.abs(found["lnrho"])) < 1e-5



@on_ranks
def test_the_number_of_ranks_changes_no_bit(place):
    """Of mhd; isothermal flow is in test_ranks.py."""
    (place / "shock.toml").write_text(case_text("mhd", (13, 11, 17), 2.0))
    assert_same_on_ranks(place, [3], settings(time__steps=9, output__every_steps=4, output__series_every_steps=2), case="shock.toml")


@pytest.mark.parametrize("more, fault", [
    ({"numerics__method": '"19-point"'}, "numerics.method"),
    ({"device__schedule": '"ring"'}, "device.schedule"),
    ({"device__memory": '"stream"'}, "24 planes are too few to be streamed"),
])  # fmt: skip
def test_what_does_not_go_with_it_is_refused(place, more, fault):
    (place / "shock.toml").write_text(case_text("isothermal", (20, 12, 24), 2.0))
    refused = call("run", "shock.toml", "--device", "cpu", *settings(**more), cwd=place)
    assert refused.returncode != 0 and fault in refused.stderr, refused.stderr
