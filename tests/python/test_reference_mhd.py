"""The MHD system against validation/reference/mhd_spectral.py, which has its equations in another form and its derivatives by transforms."""

import sys

import h5py
import numpy as np
import pytest
from conftest import root
from runs import needs_program, newest, settings, succeed

sys.path.insert(0, str(root / "validation/reference"))

import abc_dynamo
import mhd_spectral

# Smooth, of mean numbers apart from each other, and no component or direction like another one.
EXPRESSIONS = {
    "density": "2*exp(0.2*sin(x + 2*y) + 0.1*cos(2*z - y))",
    "velocity": ["0.4*sin(y + z) + 0.1*cos(2*x)", "0.3*cos(x - z) + 0.2*sin(2*y)", "0.2*sin(2*x + y) + 0.1*cos(z)"],
    "potential": ["0.5*cos(2*y - z)+0.1*sin(x)", "0.3*sin(x + 2*z) + 0.1*cos(y)", "0.4*cos(x + y) - 0.2*sin(2*z)"],
    "entropy": "0.1*cos(x - y + z) + 0.05*sin(2*x)",
}
BASE = {"sound_speed": 1.3, "permeability": 1.7, "reference_density": 1.5, "background_field": (0.3, -0.2, 0.5)}
FULL = {"energy": "entropy", "gamma": 1.4, "heat_capacity": 2.5}
CASES = {
    "ideal": {},
    "viscous": {"viscosity": 0.05, "bulk_viscosity": 0.03},
    "resistive": {"resistivity": 0.07},
    "Weyl gauge": {"resistivity": 0.07, "gauge": "weyl"},
    "entropy": FULL,
    "heated": {**FULL, "viscosity": 0.05, "bulk_viscosity": 0.03, "resistivity": 0.07},
    "constant chi": {**FULL, "thermal_diffusivity": 0.06},
    "constant K": {**FULL, "conductivity": 0.2},
}
VARIABLES = {"lnrho": 0, "ux": 1, "uy": 1, "uz": 1, "ax": 2, "ay": 2, "az": 2, "entropy": 3}


def case_text(physics, cells, prescribed=False):
    lines = [f"{key} = {list(value) if isinstance(value, tuple) else repr(value)}".replace("'", '"') for key, value in physics.items()]
    entry = {key: value for key, value in EXPRESSIONS.items() if key != "entropy" or physics.get("energy") == "entropy"}
    if prescribed:
        entry = {"potential": EXPRESSIONS["potential"]}
        lines.append(f"velocity = {EXPRESSIONS['velocity']!r}".replace("'", '"'))
    initial = [f"{key} = {value!r}".replace("'", '"') for key, value in entry.items()]
    absent = [f"{key} = 0" for key in ("viscosity", "resistivity") if key not in physics and not prescribed]
    return "\n".join(['[case]\nsystem = "mhd"\n[grid]', f"cells = [{cells}, {cells}, {cells}]", "[physics]", *lines, *absent,
                      "[[initial]]", *initial, "[time]\nsteps = 1\n[output]\noverview = false\n"])  # fmt: skip


def exact_state(solver, physics):
    x, y, z = solver.x
    names = {"x": x, "y": y, "z": z, "sin": np.sin, "cos": np.cos, "exp": np.exp}
    value = {key: np.array(eval(text, names)) if isinstance(text, str) else np.array([eval(t, names) for t in text])  # noqa: S307
             for key, text in EXPRESSIONS.items()}  # fmt: skip
    entropy = value["entropy"] if physics.get("energy") == "entropy" else 0 * x
    return np.log(value["density"] / solver.p["reference_density"]), value["velocity"], value["potential"], entropy


def variables_after(dt, folder, case):
    """What the program has after one step of length dt, by name, axes (x, y, z)."""
    succeed("run", case, "--dir", folder, "--device", "cpu", *settings(time__dt=repr(dt), output__checkpoint_every_steps=1), cwd=case.parent)
    found = {}
    with h5py.File(newest(case.parent / folder)) as file:
        file.visititems(lambda name, item: found.update({name.split("/")[-1]: item[()].T}) if isinstance(item, h5py.Dataset) and item.ndim == 3 else None)
    return found


@needs_program
@pytest.mark.parametrize("name", CASES)
def test_rates_of_change_are_those_of_the_spectral_solver(name, tmp_path):
    cells, dt = 48, 1e-4
    physics = {**BASE, **CASES[name]}
    solver = mhd_spectral.Solver((cells,) * 3, **physics)
    state = exact_state(solver, physics)
    rates = solver.rates(state)
    case = tmp_path / "case.toml"
    case.write_text(case_text(physics, cells))
    short, long = variables_after(dt, "short", case), variables_after(2 * dt, "long", case)
    for variable in short:
        part = VARIABLES[variable]
        before, rate = state[part], rates[part]
        if part in (1, 2):
            before, rate = before["xyz".index(variable[1])], rate["xyz".index(variable[1])]
        # Two steps leave of the time step's error only its second order.
        measured = 2 * (short[variable] - before) / dt - (long[variable] - before) / (2 * dt)
        error = np.sqrt(np.mean((measured - rate) ** 2)) / np.sqrt(np.mean(rate**2))
        assert error < 1e-5, f"d {variable}/dt"
    assert set(short) == {v for v, part in VARIABLES.items() if part < 3 or physics.get("energy") == "entropy"}


@needs_program
def test_in_a_prescribed_flow_the_potential_alone_changes(tmp_path):
    cells, dt = 48, 1e-4
    physics = {key: value for key, value in BASE.items() if key != "sound_speed"} | {"resistivity": 0.07}
    solver = mhd_spectral.Solver((cells,) * 3, **physics)
    state = exact_state(solver, physics)
    rates = solver.rates(state)[2]
    case = tmp_path / "case.toml"
    case.write_text(case_text(physics, cells, prescribed=True))
    short, long = variables_after(dt, "short", case), variables_after(2 * dt, "long", case)
    for a, axis in enumerate("xyz"):
        assert np.allclose(short[f"u{axis}"], state[1][a], rtol=0, atol=1e-14)
        before, name = state[2][a], f"a{axis}"
        measured = 2 * (short[name] - before) / dt - (long[name] - before) / (2 * dt)
        assert np.sqrt(np.mean((measured - rates[a]) ** 2)) < 1e-5 * np.sqrt(np.mean(rates[a] ** 2)), name
    assert np.all(short["lnrho"] == 0)


def test_the_abc_dynamo_has_the_published_window():
    """Growth from Rm = 8.9 to 17.5 (Arnold and Korkina 1983). The flow itself is a field that decays with 1/Rm."""
    rates = {rm: abc_dynamo.growth_rates(rm, modes=5, vectors=24) for rm in (8.7, 9.2)}
    assert rates[8.7][0].real < 0 < rates[9.2][0].real
    assert np.min(np.abs(rates[9.2] + 1 / 9.2)) < 1e-8


def test_the_reference_conserves_what_the_equations_conserve():
    """Total energy of the Orszag-Tang vortex, and the gauge has no part in the field."""
    solver, state = mhd_spectral.orszag_tang(32, 0.05)
    start = sum(solver.energies(state))
    other = mhd_spectral.Solver((32, 32, 1), **{**solver.p, "gauge": "weyl"})
    moved = state
    for _ in range(20):
        state, moved = solver.step(state, 0.01), other.step(moved, 0.01)
    assert sum(solver.energies(state)) == pytest.approx(start, rel=1e-9)
    assert np.allclose(solver.field(state[2]), other.field(moved[2]), atol=1e-10)
