"""What tests of the examples share: which there are, their check.py, and changes to what a run wrote that a check must notice."""

import csv
import importlib.util

import h5py
import numpy as np
from conftest import root

examples = root / "examples"
names_of = {
    "isothermal": ("taylor-green", "forced-turbulence", "sine-decay", "explosion", "sound-wave"),
    "mhd": ("alfven-wave", "orszag-tang", "magnetised-decay", "helical-dynamo", "abc-dynamo"),
    "multicomponent": ("sod", "gas-liquid-tube", "shu-osher", "interface-advection", "helium-cylinder", "rayleigh-collapse",
                       "single-bubble", "bubble-row"),
    "boussinesq": ("taylor-green-2d", "onset", "lid-cavity", "heated-cavity", "shear-layer", "lock-exchange", "channel",
                   "rayleigh-benard"),
    "shallow_water": ("dam-break", "lake-at-rest", "tsunami", "williamson-1", "williamson-2", "williamson-5", "williamson-6",
                      "barotropic-jet"),
    "atmosphere": ("warm-bubble", "density-current", "gravity-wave", "schar-mountain", "agnesi-mountain", "dcmip31", "baroclinic-wave"),
    "aerodynamics": ("naca0012", "vortex", "bump", "ringleb", "wedge", "blunt-body", "glider15"),
}  # fmt: skip


def case_files(system):
    return [path for name in names_of[system] for path in sorted((examples / name).glob("*.toml"))]


def name_of_file(path):
    return f"{path.parent.name}/{path.name}"


def load_module(path, name=None):
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_check(name):
    return load_module(examples / name / "check.py", f"check_{name.replace('-', '_')}")


def failures(name, directory, capsys):
    """Names of the checks that failed."""
    checks = load_check(name).run_check(directory)
    lines = capsys.readouterr().out.splitlines()
    failed = [line[:42].strip() for line in lines if line.endswith("FAILED")]
    assert len(failed) == checks.failed and checks.made > 0 and checks.status == (1 if failed else 0)
    return failed


def change_column(path, column, change):
    """Puts change(values) in the place of the values of a column of a table."""
    names, units, *lines = csv.reader(path.read_text().splitlines())
    place = names.index(column)
    values = change(np.array([float(line[place]) for line in lines]))
    for line, value in zip(lines, np.broadcast_to(values, len(lines))):
        line[place] = f"{value:.17g}"
    path.write_text("\n".join(",".join(line) for line in (names, units, *lines)) + "\n")


def change_field(directory, field, change):
    """The same with a field of all snapshots of a box, or of each block of theirs."""
    for path in sorted([*directory.glob("fields_*.vtkhdf"), *directory.glob("fields_*.h5")]):
        with h5py.File(path, "r+") as file:
            for block in file["blocks"].values() if "blocks" in file else [file]:
                block[field][...] = change(np.asarray(block[field]))


def change_run(directory, what, change):
    """A column of the time series, or else a field."""
    series = directory / "series.csv"
    if what in series.read_text().splitlines()[0].split(","):
        change_column(series, what, change)
    else:
        change_field(directory, what, change)
