"""The examples of aerodynamics: each check.py accepts a run of the quick size and refuses the same run with one column of its time
series, its surface or one field changed.
"""

import shutil

import numpy as np
import pytest
from conftest import root
from example_runs import change_column, change_field, failures, load_check, load_module, names_of
from runs import needs_program, succeed


@needs_program
@pytest.mark.parametrize("name", names_of["aerodynamics"])
def test_checks_accept_a_quick_run(name, example_run, capsys):
    assert failures(name, example_run(name), capsys) == []


@needs_program
@pytest.mark.parametrize("name, file, column, factor, failed", [
    ("vortex", "series", "error_rho", 1.3, ["error of the density"]),
    ("ringleb", "series", "entropy_error", 100, ["entropy error"]),
    ("ringleb", "inner", "mach", 1.05, ["largest Mach number on the inner wall"]),
    ("wedge", "wedge", "p", 1.03, ["p2/p1 on the ramp, lowest", "p2/p1 on the ramp, highest"]),
    ("wedge", "wedge", "mach", 0.95, ["Mach number on the ramp"]),
    ("bump", "series", "flux_mass", 100, ["net mass flux over that of the channel"]),
    ("naca0012", "series", "cl", 1.04, ["lift coefficient"]),
    ("naca0012", "series", "cm", 1.8, ["moment coefficient"]),
    ("naca0012", "series", "cd", 2.0, ["|drag coefficient|"]),
    ("naca0012", "series", "enthalpy_error", 1.2, ["largest |H/H_inf - 1|"]),
    ("naca0012", "airfoil", "cp", 1.01, ["largest cp on the nose"]),
    ("glider15", "vehicle", "p", 1.2, ["stagnation pressure over that ahead"]),
    ("glider15", "vehicle", "cp", 1.001, ["drag coefficient, of the surface file", "lift coefficient, of the surface file"]),
    ("glider15", "series", "cl", 1.2, ["lift coefficient, of the surface file", "lift coefficient, of Newton's theory"]),
    ("glider15", "series", "cd", 0.6, ["drag coefficient, of the surface file", "drag coefficient, of Newton's theory"]),
    ("blunt-body", "cylinder", "p", 1.01, ["stagnation pressure over that ahead"]),
    ("blunt-body", "series", "enthalpy_error", 100, ["largest change of total enthalpy"]),
])
def test_checks_refuse_a_changed_table(name, file, column, factor, failed, example_run, tmp_path, capsys):
    shutil.copytree(example_run(name), tmp_path / "run")
    found = sorted((tmp_path / "run").glob("series.csv" if file == "series" else f"surface_{file}_*.csv"))
    change_column(found[-1], column, lambda x: factor * x)
    assert failures(name, tmp_path / "run", capsys) == failed


@needs_program
def test_checks_refuse_a_changed_field(example_run, tmp_path, capsys):
    shutil.copytree(example_run("vortex"), tmp_path / "run")
    change_field(tmp_path / "run", "rho", lambda rho: 0.98 * rho)
    assert failures("vortex", tmp_path / "run", capsys) == ["depth of the vortex"]


@needs_program
def test_lift_on_an_o_mesh(tmp_path, capsys):
    succeed("run", root / "examples/naca0012/o-grid.toml", "--device", "cpu", "--dir", tmp_path / "run", "--set", "grid.mesh.cells=[128,128]",
            "--set", "time.residual_drop=1e-5", "--set", "output.overview=false", cwd=tmp_path)
    assert failures("naca0012", tmp_path / "run", capsys) == []
    # What is left of the lift where the far field has half of the circulation.
    found = tmp_path / "run/series.csv"
    change_column(found, "cl", lambda x: 0.9978 * x)
    assert failures("naca0012", tmp_path / "run", capsys) == ["lift coefficient"]


@needs_program
def test_a_shock_elsewhere_is_refused(example_run, tmp_path, capsys):
    shutil.copytree(example_run("blunt-body"), tmp_path / "run")
    # Two nodes outwards, along i, of a shock that may be one from where it belongs.
    change_field(tmp_path / "run", "p", lambda p: np.concatenate([p[..., :1], p[..., :1], p[..., :-2]], axis=-1))
    assert failures("blunt-body", tmp_path / "run", capsys) == ["stand-off over the radius"]


@pytest.mark.parametrize("body, mach", [("cylinder", 4.0), ("cylinder", 8.0), ("sphere", 4.0), ("sphere", 8.0)])
def test_stand_offs_are_those_of_the_fitted_shock(body, mach):
    fit = load_module(root / "validation/reference/shock_fit.py")
    found = fit.ShockLayer(body, mach, gamma=1.4, outward=8, along=9, sector=np.radians(75)).solve()
    # 8 x 9 nodes give four digits; the table has those of 14 x 15.
    assert found["stand_off"] == pytest.approx(load_check("blunt-body").fitted_stand_off[body, mach], rel=2e-4)
    assert found["nose"] == pytest.approx(fit.pitot(mach, 1.4), rel=2e-5) and found["exit_mach"] > 1
