"""Fields from files, [tables.NAME], in whole runs: the same as the formula, on any number of ranks, after a resume without the file."""

import shutil

import h5py
import numpy as np
import pytest

from runs import arrays, assert_same_end, call, needs_program, newest, settings, succeed

pytestmark = needs_program

# The bed is linear along each axis, as a table is, in numbers that no sum or product rounds.
ocean = """[case]
system = "shallow_water"
[grid]
cells = [24, 16, 1]
lower = [0, 0, 0]
upper = [12, 8, 1]
[physics]
bed = BED
[numerics]
wet_dry = true
[time]
steps = 8
[[initial]]
surface = "x < 5 ? 1.0 : 0.5"
[boundary]
x = "wall"
y = "wall"
[output]
overview = false
fields = ["depth", "velocity"]
series_every_steps = 4
"""
formula = '"0.25 + 0.0625*x - 0.125*y"'
table = '''"sea(x, y)"
[tables.sea]
file = "sea.h5"
field = "bed"'''


@pytest.fixture
def sea(tmp_path):
    x, y = np.array([-4.0, 0, 8, 16]), np.array([8.0, 4, 0, -8])
    with h5py.File(tmp_path / "sea.h5", "w") as file:
        file["x"], file["y"] = x, y
        file["bed"] = 0.25 + 0.0625 * x - 0.125 * y[:, None]
    (tmp_path / "formula.toml").write_text(ocean.replace("BED", formula))
    (tmp_path / "table.toml").write_text(ocean.replace("BED", table))
    return tmp_path


def test_a_bed_from_a_file_is_that_of_its_formula(sea):
    succeed("run", "formula.toml", "--dir", "formula", cwd=sea)
    succeed("run", "table.toml", "--dir", "table", cwd=sea)
    assert_same_end(sea / "formula", sea / "table")


def test_a_run_goes_on_where_the_file_and_the_case_are_gone(sea):
    succeed("run", "formula.toml", "--dir", "formula", cwd=sea)
    succeed("run", "table.toml", "--dir", "table", *settings(time__steps=4), cwd=sea)
    (sea / "sea.h5").unlink()
    (sea / "table.toml").unlink()
    shutil.move(sea / "table", sea / "moved")
    succeed("resume", "moved", *settings(time__steps=8), cwd=sea)
    assert_same_end(sea / "formula", sea / "moved")
    assert (sea / "moved/inputs/sea.h5").exists()


def test_a_snapshot_is_an_initial_state(place):
    succeed("run", "flow.toml", "--dir", "first", cwd=place)
    keys = [f"tables.v{c}={{file='first/fields_000020.vtkhdf', field='velocity', component={c}}}" for c in range(3)]
    keys += ["tables.rho={file='first/fields_000020.vtkhdf'}", "initial[0].density='rho(x,y,z)'",
             "initial[0].velocity=['v0(x,y,z)','v1(x,y,z)','v2(x,y,z)']", "time.steps=0", "output.every_steps=1"]
    succeed("run", "flow.toml", "--dir", "second", *(word for key in keys for word in ("--set", key)), cwd=place)
    before, after = (arrays(newest(place / name, "fields")) for name in ("first", "second"))
    assert after["velocity"] == before["velocity"]
    rho = [np.frombuffer(fields["rho"]) for fields in (before, after)]
    assert np.abs(rho[0] - rho[1]).max() < 4e-16 * rho[0].max()  # ln(rho) is stored


def test_a_table_that_is_wrong_is_reported_at_its_line(sea):
    (sea / "table.toml").write_text(ocean.replace("BED", table.replace('"bed"', '"bad"')))
    result = call("check", "table.toml", cwd=sea)
    assert result.returncode == 2 and "1 error in table.toml" in result.stderr, result.stderr
    assert "table `sea`: no field `bad` in sea.h5; it holds bed, x, y" in result.stderr, result.stderr
    assert "--> table.toml:10:8" in result.stderr, result.stderr
