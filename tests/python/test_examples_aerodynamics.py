"""The examples of aerodynamics: their cases are understood by the program, and each check.py accepts a run of the quick size
and refuses the same run with one column of its time series, its surface or one field changed.
"""

import csv
import shutil

import h5py
import numpy as np
import pytest
from conftest import root
from runs import call, needs_program, succeed
from test_examples import examples, failures, load_check, load_module

tomllib = pytest.importorskip("tomllib")

names = ("naca0012", "vortex", "bump", "ringleb", "wedge", "blunt-body", "glider15")
case_files = [path for name in names for path in sorted((examples / name).glob("*.toml"))]
# Checked here as a whole; the quick runs of the others take minutes on two processors.
short = ("vortex", "ringleb", "wedge", "blunt-body")


@needs_program
@pytest.mark.parametrize("path", case_files, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_program_understands_the_case(path, tmp_path):
    result = call("info", path, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert tomllib.loads(path.read_text())["case"]["system"] == "aerodynamics"


@pytest.fixture(scope="module")
def quick_runs(tmp_path_factory):
    """Folder of a name's quick run, made once."""
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


def change_column(path, column, change):
    lines = list(csv.reader(path.read_text().splitlines()))
    place = lines[0].index(column)
    for row in lines[2:]:  # names, units
        row[place] = f"{change(float(row[place])):.17g}"
    path.write_text("\n".join(",".join(line) for line in lines) + "\n")


def change_field(directory, field, factor):
    path = sorted(directory.glob("fields_*.h5"))[-1]
    with h5py.File(path, "r+") as file:
        for block in file["blocks"].values():
            block[field][...] = factor * np.asarray(block[field])


@needs_program
@pytest.mark.parametrize("name", short)
def test_checks_accept_a_quick_run(name, quick_runs, capsys):
    assert failures(name, quick_runs(name), capsys) == []


@needs_program
@pytest.mark.parametrize("name, file, column, factor, failed", [
    ("vortex", "series", "error_rho", 1.3, ["error of the density"]),
    ("ringleb", "series", "entropy_error", 100, ["entropy error"]),
    ("ringleb", "inner", "mach", 1.05, ["largest Mach number on the inner wall"]),
    ("wedge", "wedge", "p", 1.03, ["p2/p1 on the ramp, lowest", "p2/p1 on the ramp, highest"]),
    ("wedge", "wedge", "mach", 0.95, ["Mach number on the ramp"]),
    ("blunt-body", "cylinder", "p", 1.01, ["stagnation pressure over that ahead"]),
    ("blunt-body", "series", "enthalpy_error", 100, ["largest change of total enthalpy"]),
])
def test_checks_refuse_a_changed_table(name, file, column, factor, failed, quick_runs, tmp_path, capsys):
    shutil.copytree(quick_runs(name), tmp_path / "run")
    found = sorted((tmp_path / "run").glob("series.csv" if file == "series" else f"surface_{file}_*.csv"))
    change_column(found[-1], column, lambda x: factor * x)
    assert failures(name, tmp_path / "run", capsys) == failed


@needs_program
def test_checks_refuse_a_changed_field(quick_runs, tmp_path, capsys):
    shutil.copytree(quick_runs("vortex"), tmp_path / "run")
    change_field(tmp_path / "run", "rho", 0.98)
    assert failures("vortex", tmp_path / "run", capsys) == ["depth of the vortex"]


@needs_program
def test_a_shock_elsewhere_is_refused(quick_runs, tmp_path, capsys):
    shutil.copytree(quick_runs("blunt-body"), tmp_path / "run")
    path = sorted((tmp_path / "run").glob("fields_*.h5"))[-1]
    with h5py.File(path, "r+") as file:
        for block in file["blocks"].values():
            # Two nodes outwards, along i, of a shock that may be one from where it belongs.
            p = np.asarray(block["p"])
            block["p"][...] = np.concatenate([p[..., :1], p[..., :1], p[..., :-2]], axis=-1)
    assert failures("blunt-body", tmp_path / "run", capsys) == ["stand-off over the radius"]


@pytest.mark.parametrize("body, mach", [("cylinder", 4.0), ("cylinder", 8.0), ("sphere", 4.0), ("sphere", 8.0)])
def test_stand_offs_are_those_of_the_fitted_shock(body, mach):
    fit = load_module(root / "validation/aerodynamics/shock_fit.py")
    found = fit.ShockLayer(body, mach, gamma=1.4, outward=8, along=9, sector=np.radians(75)).solve()
    # 8 x 9 nodes give four digits; the table has those of 14 x 15.
    assert found["stand_off"] == pytest.approx(load_check("blunt-body").fitted_stand_off[body, mach], rel=2e-4)
    assert found["nose"] == pytest.approx(fit.pitot(mach, 1.4), rel=2e-5) and found["exit_mach"] > 1


def test_readmes_name_their_files():
    for name in names:
        text = (root / "examples" / name / "README.md").read_text()
        for path in (examples / name).glob("*.toml"):
            assert f"`{path.name}`" in text, path
