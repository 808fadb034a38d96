"""The examples of shallow water: their cases are understood by the program, and each check.py accepts a run of the quick size and
refuses the same run with one column of its time series or one field changed.
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

spheres = ("williamson-1", "williamson-2", "williamson-5", "williamson-6", "barotropic-jet")
names = ("dam-break", "lake-at-rest", "tsunami", *spheres)
case_files = [path for name in names for path in sorted((examples / name).glob("*.toml"))]
runs = {"dam-break": ("dam-break", "quick"), "dry": ("dam-break", "dry"), "lake-at-rest": ("lake-at-rest", "quick"),
        "tsunami": ("tsunami", "quick"), **{name: (name, "quick") for name in spheres}}


@needs_program
@pytest.mark.parametrize("path", case_files, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_program_understands_the_case(path, tmp_path):
    result = call("check", path, "--device", "cpu", cwd=tmp_path)
    assert result.returncode in (0, 3), result.stderr  # 3: a small machine
    assert tomllib.loads(path.read_text())["case"]["system"] == "shallow_water"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Folder of a run, made once."""
    made = {}

    def run(name):
        if name not in made:
            example, file = runs[name]
            folder = tmp_path_factory.mktemp(name)
            succeed("run", examples / example / f"{file}.toml", "--device", "cpu", "--dir", folder / "run", "--set",
                    "output.overview=false", cwd=folder)
            made[name] = folder / "run"
        return made[name]

    return run


def change_column(directory, column, change):
    path = directory / "series.csv"
    lines = list(csv.reader(path.read_text().splitlines()))
    place = lines[0].index(column)
    for row in lines[2:]:  # names, units
        row[place] = f"{change(float(row[place])):.17g}"
    path.write_text("\n".join(",".join(line) for line in lines) + "\n")


def change_field(directory, field, change):
    for path in sorted(directory.glob("fields_*.vtkhdf")):
        with h5py.File(path, "r+") as file:
            file[field][...] = change(np.asarray(file[field]))
    for path in sorted(directory.glob("fields_*.h5")):  # of a sphere
        with h5py.File(path, "r+") as file:
            for block in file["blocks"].values():
                block[field][...] = change(np.asarray(block[field]))


@needs_program
@pytest.mark.parametrize("name", runs)
def test_a_right_run_is_accepted(finished, name, capsys):
    assert failures(runs[name][0], finished(name), capsys) == []


@needs_program
@pytest.mark.parametrize("name, what, change, failed", [
    ("dam-break", "depth", lambda d: 1.01 * d, {"mean error of the depth / deeper water", "depth between the waves"}),
    ("dam-break", "depth", lambda d: np.roll(d, 3, axis=2), {"mean error of the depth / deeper water", "place of the bore, in cells"}),
    ("dam-break", "velocity", lambda u: 1.01 * u, {"velocity between the waves"}),
    ("dam-break", "volume_drift", lambda v: v + 1e-12, {"largest drift of the volume"}),
    ("dry", "depth", lambda d: np.where(d > 0.5, d, 0), {"place of 1 % of the depth, in cells"}),
    ("lake-at-rest", "velocity", lambda u: u + 1e-11, {"largest speed"}),
    ("lake-at-rest", "surface", lambda s: s + 1e-12, {"largest deviation of the level"}),
    ("lake-at-rest", "speed_max", lambda v: 1e-9, {"largest speed of the time series"}),
    ("tsunami", "surface", lambda s: 1.2 * s, {"distance from linear waves at 2000 s", "crest by Green's law"}),
    ("tsunami", "surface_max", lambda s: 0.5 * s, {"highest water on the coast, m"}),
    ("tsunami", "volume_drift", lambda v: v - 1e-11, {"largest drift of the volume"}),
    ("williamson-1", "surface", lambda s: 1000 + 1.2 * (s - 1000), {"the same in the time series"}),
    ("williamson-1", "surface", lambda s: np.roll(s, 5, axis=2), {"relative l2 of the bell"}),
    ("williamson-2", "surface", lambda s: 1.001 * s, {"relative l2 of the depth", "the same in the time series"}),
    ("williamson-2", "energy_drift", lambda e: -e, {"gain of energy"}),
    ("williamson-5", "surface", lambda s: 1.01 * s, {"relative l2 of the level on day 5", "relative l2 of the level on day 15"}),
    ("williamson-5", "surface", lambda s: s[:, ::-1], {"relative l2 of the level on day 15"}),
    ("williamson-6", "surface", lambda s: np.swapaxes(s, 1, 2), {"relative l2 of the level on day 7"}),
    ("williamson-6", "volume_drift", lambda v: v + 1e-11, {"largest drift of the volume"}),
    ("barotropic-jet", "surface", lambda s: s + 0.01, {"largest deviation from balance at first, m"}),
    ("barotropic-jet", "vorticity", lambda z: z + 1e-6, {"mean vorticity over its size"}),
])  # fmt: skip
def test_a_wrong_run_is_refused(finished, tmp_path, name, what, change, failed, capsys):
    directory = tmp_path / "wrong"
    shutil.copytree(finished(name), directory)
    if what in (directory / "series.csv").read_text().splitlines()[0].split(","):
        change_column(directory, what, change)
    else:
        change_field(directory, what, change)
    assert failed <= {line.strip() for line in failures(runs[name][0], directory, capsys)}


def test_names_are_those_of_folders():
    assert all((root / "examples" / name).is_dir() for name in names)
