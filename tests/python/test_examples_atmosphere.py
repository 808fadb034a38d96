"""The examples of the atmosphere: their cases are understood by the program, and each check.py accepts a run of the quick size and
refuses the same run with one column of its time series or one field changed.
"""

import shutil

import pytest
from conftest import root
from runs import call, needs_program
from test_examples import examples, failures
from test_examples_shallow_water import change_column, change_field

tomllib = pytest.importorskip("tomllib")

names = ("warm-bubble", "density-current", "gravity-wave", "schar-mountain", "dcmip31", "baroclinic-wave")
case_files = [path for name in names for path in sorted((examples / name).glob("*.toml"))]


@needs_program
@pytest.mark.parametrize("path", case_files, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_program_understands_the_case(path, tmp_path):
    result = call("check", path, "--device", "cpu", cwd=tmp_path)
    assert result.returncode in (0, 3), result.stderr  # 3: a small machine
    assert tomllib.loads(path.read_text())["case"]["system"] == "atmosphere"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Folder of a run, made once."""
    made = {}

    def run(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            result = call("run", examples / name / "quick.toml", "--device", "cpu", "--dir", folder / "run", "--set",
                          "output.overview=false", cwd=folder, timeout=600)
            assert result.returncode == 0, result.stdout + result.stderr
            made[name] = folder / "run"
        return made[name]

    return run


@needs_program
@pytest.mark.parametrize("name", names)
def test_a_right_run_is_accepted(finished, name, capsys):
    assert failures(name, finished(name), capsys) == []


@needs_program
@pytest.mark.parametrize("name, what, change, failed", [
    ("warm-bubble", "theta_perturbation", lambda t: 1.05 * t, {"largest theta', K"}),
    ("warm-bubble", "velocity", lambda u: 0.95 * u, {"fastest rise, m/s", "fastest fall, m/s"}),
    ("warm-bubble", "mass_drift", lambda d: d + 1e-13, {"drift of the mass"}),
    ("density-current", "theta_perturbation", lambda t: 0.95 * t, {"smallest theta', K"}),
    ("density-current", "front_x", lambda x: x + 200, {"front of the time series, m"}),
    ("density-current", "energy_drift", lambda d: d + 1e-13, {"drift of the energy"}),
    ("gravity-wave", "theta_perturbation", lambda t: 1.05 * t, {"smallest theta', K", "largest theta', K"}),
    ("gravity-wave", "velocity", lambda u: 0.95 * u, {"fastest rise, m/s"}),
    ("dcmip31", "theta_perturbation", lambda t: 2 * t, {"largest departure of theta, K"}),
    ("dcmip31", "theta_perturbation", lambda t: t[:, :, ::-1], {"way of the mean longitude to the east, m"}),
    ("dcmip31", "theta_perturbation", lambda t: t.cumsum(axis=1), {"difference of the hemispheres, K"}),
    ("dcmip31", "mass_drift", lambda d: d + 1e-12, {"drift of the mass"}),
    ("baroclinic-wave", "speed_max", lambda s: 1.1 * s, {"fastest air in the first hours, m/s"}),
    ("baroclinic-wave", "surface_pressure_min", lambda p: p - 500, {"lowest ground pressure, first hours, hPa"}),
    ("baroclinic-wave", "energy_drift", lambda d: d + 1e-12, {"drift of the energy"}),
    ("schar-mountain", "velocity", lambda u: 0.8 * u, {"smallest w at 1 km, m/s"}),
])  # fmt: skip
def test_a_wrong_run_is_refused(finished, tmp_path, name, what, change, failed, capsys):
    directory = tmp_path / "wrong"
    shutil.copytree(finished(name), directory)
    if what in (directory / "series.csv").read_text().splitlines()[0].split(","):
        change_column(directory, what, change)
    else:
        change_field(directory, what, change)
    assert failed <= {line.strip() for line in failures(name, directory, capsys)}


def test_names_are_those_of_folders():
    assert all((root / "examples" / name).is_dir() for name in names)
