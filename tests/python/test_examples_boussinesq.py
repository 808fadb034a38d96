"""The examples of Boussinesq flow: each check.py accepts a run of the quick size and refuses the same run with one column of its
time series or one field changed.
"""

import shutil

import numpy as np
import pytest
from example_runs import change_column, change_field, failures, names_of
from runs import needs_program

# The quick run of convection between plates takes a minute; the others seconds.
short = [name for name in names_of["boussinesq"] if name != "rayleigh-benard"]


def at(x):
    """0 at the beginning of a series, 1 at its end."""
    return np.linspace(0, 1, len(x))


@needs_program
@pytest.mark.parametrize("name", short)
def test_checks_accept_a_quick_run(name, example_run, capsys):
    assert failures(name, example_run(name), capsys) == []


wrong = [("taylor-green-2d", "kinetic_energy", lambda x: x * (1 + 1e-9 * at(x)), ["largest deviation of the energy"]),
         ("taylor-green-2d", "divergence_max", lambda x: x + 1e-6, ["largest divergence"]),
         ("onset", "w_max", lambda x: x * np.exp(0.01 * at(x)), ["growth rate"]),
         ("lid-cavity", "kinetic_energy", lambda x: x * (1 + 0.1 * at(x)), ["change of the energy in the last tenth"]),
         ("heated-cavity", "nusselt_lower", lambda x: 1.05 * x, ["planes x = i h, heat over that of the side", "Nusselt number"]),
         ("shear-layer", "kinetic_energy", lambda x: x * (1 - 1e-3 * at(x)), ["largest relative drift of the energy"]),
         ("shear-layer", "dye_mean", lambda x: x * (1 + 1e-9 * at(x)), ["largest relative drift of the dye"]),
         ("lock-exchange", "dissipation", lambda x: 1.5 * x, ["kinetic energy against its budget"]),
         ("channel", "kinetic_energy", lambda x: x * (1 + 0.1 * at(x)), ["change of the energy in the last tenth"]),
         ("channel", "divergence_max", lambda x: x + 1e-6, ["largest divergence"]),
         ("lock-exchange", "temperature_mean", lambda x: x + 1e-9 * at(x), ["largest drift of the mean temperature"])]


@needs_program
@pytest.mark.parametrize("name, column, change, failed", wrong, ids=lambda value: value if isinstance(value, str) else "")
def test_checks_refuse_a_changed_series(name, column, change, failed, example_run, tmp_path, capsys):
    shutil.copytree(example_run(name), tmp_path / "run")
    change_column(tmp_path / "run/series.csv", column, change)
    assert failures(name, tmp_path / "run", capsys) == failed


@needs_program
@pytest.mark.parametrize("name, field, factor, failed", [
    ("taylor-green-2d", "p", -1.0, ["largest error of the pressure"]),
    ("lid-cavity", "velocity", 1.02, ["smallest u on x = 1/2", "largest w on z = 1/2", "smallest w on z = 1/2"]),
    ("heated-cavity", "velocity", 1 + 1e-5, ["planes x = i h, heat over that of the side"]),
    ("heated-cavity", "velocity", 1.05, ["planes x = i h, heat over that of the side", "largest u on x = 1/2", "largest w on z = 1/2"]),
    ("channel", "p", 1.02, ["slope of the pressure at the end", "pressure of the last cells"]),
    ("lock-exchange", "temperature", -1.0, ["front's speed over sqrt(g' H)", "T above minus below in the middle"]),
])
def test_checks_refuse_a_changed_field(name, field, factor, failed, example_run, tmp_path, capsys):
    shutil.copytree(example_run(name), tmp_path / "run")
    change_field(tmp_path / "run", field, lambda x: factor * x)
    assert failures(name, tmp_path / "run", capsys) == failed
