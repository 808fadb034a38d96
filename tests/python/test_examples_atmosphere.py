"""The examples of the atmosphere: each check.py accepts a run of the quick size and refuses the same run with one column of its time
series or one field changed.
"""

import shutil

import numpy as np
import pytest
from example_runs import change_run, failures, names_of
from runs import needs_program


@needs_program
@pytest.mark.parametrize("name", names_of["atmosphere"])
def test_a_right_run_is_accepted(example_run, name, capsys):
    assert failures(name, example_run(name), capsys) == []


@needs_program
@pytest.mark.parametrize("name, what, change, failed", [
    ("warm-bubble", "theta_perturbation", lambda t: 1.01 * t, {"largest theta', K"}),
    ("warm-bubble", "velocity", lambda u: 0.99 * u, {"fastest rise, m/s", "fastest fall, m/s"}),
    ("warm-bubble", "mass_drift", lambda d: d + 1e-13, {"drift of the mass"}),
    ("density-current", "theta_perturbation", lambda t: 0.98 * t, {"smallest theta', K"}),
    ("density-current", "front_x", lambda x: x + 200, {"front of the time series, m"}),
    ("density-current", "energy_drift", lambda d: d + 1e-13, {"drift of the energy"}),
    ("gravity-wave", "theta_perturbation", lambda t: 1.05 * t, {"smallest theta', K", "largest theta', K"}),
    ("gravity-wave", "velocity", lambda u: 0.95 * u, {"fastest rise, m/s"}),
    ("gravity-wave", "theta_perturbation", lambda t: 0.8 * t + 0.2 * np.roll(t, 1, axis=2), {"relative l2 distance of theta', linear"}),
    ("gravity-wave", "theta_perturbation", lambda t: np.roll(t, 2, axis=2), {"relative l2 distance of theta', linear"}),
    ("gravity-wave", "velocity", lambda u: np.roll(u, 2, axis=2), {"relative l2 distance of w, linear"}),
    ("dcmip31", "theta_perturbation", lambda t: 1.15 * t, {"largest theta' of the linear solution"}),
    ("dcmip31", "theta_perturbation", lambda t: t[:, :, ::-1], {"relative l2 distance of theta', linear"}),
    ("dcmip31", "w", lambda w: np.roll(w, 1, axis=2), {"relative l2 distance of w, linear"}),
    ("dcmip31", "theta_perturbation", lambda t: t.cumsum(axis=1), {"difference of the hemispheres, K"}),
    ("dcmip31", "mass_drift", lambda d: d + 1e-12, {"drift of the mass"}),
    ("baroclinic-wave", "speed_max", lambda s: 1.1 * s, {"fastest air in the first hours, m/s"}),
    ("baroclinic-wave", "surface_pressure_min", lambda p: p - 500, {"lowest ground pressure, first hours, hPa"}),
    ("baroclinic-wave", "energy_drift", lambda d: d + 1e-12, {"drift of the energy"}),
    ("schar-mountain", "velocity", lambda u: 0.8 * u, {"smallest w at 1 km, m/s"}),
    ("agnesi-mountain", "pressure_perturbation", lambda p: 0.9 * p, {"drag of the pressure, N/m"}),
    ("agnesi-mountain", "velocity", lambda u: u * [1, 1, 0.8], {"flux of momentum at 1 km, N/m", "rms distance of w from linear theory, 1 km"}),
])  # fmt: skip
def test_a_wrong_run_is_refused(example_run, tmp_path, name, what, change, failed, capsys):
    directory = tmp_path / "wrong"
    shutil.copytree(example_run(name), directory)
    change_run(directory, what, change)
    assert failed <= {line.strip() for line in failures(name, directory, capsys)}
