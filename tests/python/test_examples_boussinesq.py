"""The examples of Boussinesq flow: their cases are understood by the program, and each check.py accepts a run of the quick
size and refuses the same run with one column of its time series or one field changed.
"""

import csv
import shutil

import h5py
import numpy as np
import pytest
from conftest import root
from runs import call, needs_program, succeed
from test_examples import examples, failures

tomllib = pytest.importorskip("tomllib")

names = ("taylor-green-2d", "onset", "lid-cavity", "heated-cavity", "shear-layer", "lock-exchange", "channel", "rayleigh-benard")
case_files = [path for name in names for path in sorted((examples / name).glob("*.toml"))]
# The quick run of convection between plates takes a minute; the others seconds.
short = [name for name in names if name != "rayleigh-benard"]


@needs_program
@pytest.mark.parametrize("path", case_files, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_program_understands_the_case(path, tmp_path):
    result = call("check", path, "--device", "cpu", cwd=tmp_path)
    assert result.returncode in (0, 3), result.stderr  # 3: a small machine
    assert tomllib.loads(path.read_text())["case"]["system"] == "boussinesq"


@pytest.fixture(scope="module")
def quick_runs(tmp_path_factory):
    """Folder of a name's quick run, made once."""
    made = {}

    def run(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            succeed("run", examples / name / "quick.toml", "--device", "cpu", "--dir", folder / "run", "--set",
                    "output.overview=false", cwd=folder)
            made[name] = folder / "run"
        return made[name]

    return run


def change_column(directory, column, change):
    path = directory / "series.csv"
    lines = list(csv.reader(path.read_text().splitlines()))
    place = lines[0].index(column)
    rows = lines[2:]  # names, units
    for n, row in enumerate(rows):
        row[place] = f"{change(float(row[place]), n / (len(rows) - 1)):.17g}"
    path.write_text("\n".join(",".join(line) for line in lines) + "\n")


def change_field(directory, field, factor):
    path = sorted(directory.glob("fields_*.vtkhdf"))[-1]
    with h5py.File(path, "r+") as file:
        file[field][...] = factor * np.asarray(file[field])


@needs_program
@pytest.mark.parametrize("name", short)
def test_checks_accept_a_quick_run(name, quick_runs, capsys):
    assert failures(name, quick_runs(name), capsys) == []


wrong = [("taylor-green-2d", "kinetic_energy", lambda x, at: x * (1 + 1e-9 * at), ["largest deviation of the energy"]),
         ("taylor-green-2d", "divergence_max", lambda x, at: x + 1e-6, ["largest divergence"]),
         ("onset", "w_max", lambda x, at: x * np.exp(0.01 * at), ["growth rate"]),
         ("lid-cavity", "kinetic_energy", lambda x, at: x * (1 + 0.1 * at), ["change of the energy in the last tenth"]),
         ("heated-cavity", "nusselt_lower", lambda x, at: 1.05 * x, ["difference of hot and cold side", "Nusselt number"]),
         ("shear-layer", "kinetic_energy", lambda x, at: x * (1 - 1e-3 * at), ["largest relative drift of the energy"]),
         ("shear-layer", "dye_mean", lambda x, at: x * (1 + 1e-9 * at), ["largest relative drift of the dye"]),
         ("lock-exchange", "dissipation", lambda x, at: 1.5 * x, ["kinetic energy against its budget"]),
         ("channel", "kinetic_energy", lambda x, at: x * (1 + 0.1 * at), ["change of the energy in the last tenth"]),
         ("channel", "divergence_max", lambda x, at: x + 1e-6, ["largest divergence"]),
         ("lock-exchange", "temperature_mean", lambda x, at: x + 1e-9 * at, ["largest drift of the mean temperature"])]


@needs_program
@pytest.mark.parametrize("name, column, change, failed", wrong, ids=lambda value: value if isinstance(value, str) else "")
def test_checks_refuse_a_changed_series(name, column, change, failed, quick_runs, tmp_path, capsys):
    shutil.copytree(quick_runs(name), tmp_path / "run")
    change_column(tmp_path / "run", column, change)
    assert failures(name, tmp_path / "run", capsys) == failed


@needs_program
@pytest.mark.parametrize("name, field, factor, failed", [
    ("taylor-green-2d", "p", -1.0, ["largest error of the pressure"]),
    ("lid-cavity", "velocity", 1.02, ["smallest u on x = 1/2", "largest w on z = 1/2", "smallest w on z = 1/2"]),
    ("heated-cavity", "velocity", 1.05, ["largest u on x = 1/2", "largest w on z = 1/2"]),
    ("channel", "p", 1.02, ["slope of the pressure at the end", "pressure of the last cells"]),
    ("lock-exchange", "temperature", -1.0, ["T above minus below in the middle"]),
])
def test_checks_refuse_a_changed_field(name, field, factor, failed, quick_runs, tmp_path, capsys):
    shutil.copytree(quick_runs(name), tmp_path / "run")
    change_field(tmp_path / "run", field, factor)
    assert failures(name, tmp_path / "run", capsys) == failed


def test_readmes_name_their_files():
    for name in names:
        text = (root / "examples" / name / "README.md").read_text()
        for path in (examples / name).glob("*.toml"):
            assert f"`{path.name}`" in text, path
