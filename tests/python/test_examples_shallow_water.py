"""The examples of shallow water: each check.py accepts a run of the quick size and refuses the same run with one column of its time
series or one field changed.
"""

import shutil

import numpy as np
import pytest
from example_runs import change_run, failures, names_of
from runs import needs_program

# Example and file of each run.
runs = {"dry": ("dam-break", "dry"), **{name: (name, "quick") for name in names_of["shallow_water"]}}


@needs_program
@pytest.mark.parametrize("name", runs)
def test_a_right_run_is_accepted(example_run, name, capsys):
    assert failures(runs[name][0], example_run(*runs[name]), capsys) == []


@needs_program
@pytest.mark.parametrize("name, what, change, failed", [
    ("dam-break", "depth", lambda d: 1.01 * d, {"mean error of the depth / deeper water", "depth between the waves"}),
    ("dam-break", "depth", lambda d: np.roll(d, 3, axis=2), {"mean error of the depth / deeper water", "place of the bore, in cells"}),
    ("dam-break", "depth", lambda d: d.mean() + 0.999 * (d - d.mean()), {"mean error of the depth / deeper water"}),
    ("dam-break", "velocity", lambda u: 1.01 * u, {"velocity between the waves"}),
    ("dam-break", "volume_drift", lambda v: v + 1e-12, {"largest drift of the volume"}),
    ("dry", "depth", lambda d: np.where(d > 0.5, d, 0), {"place of 1 % of the depth, in cells"}),
    ("lake-at-rest", "velocity", lambda u: u + 1e-11, {"largest speed"}),
    ("lake-at-rest", "surface", lambda s: s + 1e-12, {"largest deviation of the level"}),
    ("lake-at-rest", "speed_max", lambda v: 1e-9, {"largest speed of the time series"}),
    ("tsunami", "surface", lambda s: 1.2 * s, {"distance from linear waves at 2000 s", "crest by Green's law"}),
    ("tsunami", "surface_max", lambda s: 0.5 * s, {"highest water on the coast, m"}),
    ("tsunami", "surface_max", lambda s: 1.3 * s, {"highest water on the coast, m"}),
    ("tsunami", "volume_drift", lambda v: v - 1e-11, {"largest drift of the volume"}),
    ("williamson-1", "surface", lambda s: 1000 + 1.2 * (s - 1000), {"the same in the time series"}),
    ("williamson-1", "surface", lambda s: np.roll(s, 5, axis=2), {"relative l2 of the bell"}),
    ("williamson-2", "surface", lambda s: 1.001 * s, {"relative l2 of the depth", "the same in the time series"}),
    ("williamson-2", "energy_drift", lambda e: -e, {"gain of energy"}),
    ("williamson-5", "surface", lambda s: 1.01 * s, {"relative l2 of the level on day 5", "relative l2 of the level on day 15"}),
    ("williamson-5", "surface", lambda s: s[:, ::-1], {"relative l2 of the level on day 15"}),
    ("williamson-5", "surface", lambda s: s.mean() + 1.03 * (s - s.mean()), {"relative l2 of the level on day 5"}),
    ("williamson-6", "surface", lambda s: s.mean() + 0.98 * (s - s.mean()), {"relative l2 of the level on day 7"}),
    ("williamson-6", "surface", lambda s: np.swapaxes(s, 1, 2), {"relative l2 of the level on day 7"}),
    ("williamson-6", "volume_drift", lambda v: v + 1e-11, {"largest drift of the volume"}),
    ("barotropic-jet", "surface", lambda s: s + 0.01, {"largest deviation from balance at first, m"}),
    ("barotropic-jet", "vorticity", lambda z: z + 1e-6, {"relative l2 of the vorticity at first"}),
    ("barotropic-jet", "vorticity", lambda z: -z, {"relative l2 of the vorticity at first"}),
    ("barotropic-jet", "vorticity", lambda z: 1.5 * z, {"growth of largest (vorticity + f)/depth"}),
    ("barotropic-jet", "enstrophy_drift", lambda e: 2 * e, {"loss of potential enstrophy"}),
    ("williamson-2", "surface", lambda s: s.mean() + 1.03 * (s - s.mean()), {"relative l2 of the depth"}),
])  # fmt: skip
def test_a_wrong_run_is_refused(example_run, tmp_path, name, what, change, failed, capsys):
    directory = tmp_path / "wrong"
    shutil.copytree(example_run(*runs[name]), directory)
    change_run(directory, what, change)
    assert failed <= {line.strip() for line in failures(runs[name][0], directory, capsys)}
