"""Parts of the grid, [[output.part]]: they are those of the snapshots of the same step, on any number of ranks, compressed or not."""

import json
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest
import watersmeet

from rank_runs import files_of_a_killed_run, on_ranks, ranks_words
from runs import arrays, call, list_of, needs_program, newest, settings, succeed
from test_averages import case_of

pytestmark = needs_program

# Three dimensions of different sizes, more cells along x than the widest pack has.
flow = """[case]
system = "isothermal"
[grid]
cells = [40, 12, 10]
upper = [4.0, 3.0, 2.0]
[physics]
viscosity = 0.02
[time]
steps = 12
[[initial]]
density = "1 + 0.1*sin(2*pi*(x/4 + y/3))*cos(2*pi*z/2)"
velocity = ["0.3*sin(2*pi*(x/4 - z/2))", "0.2*cos(2*pi*(y/3 + x/4))", "0.1*sin(2*pi*(z/2 + y/3))"]
[output]
overview = false
every_steps = 4
fields = ["rho", "velocity", "vorticity"]
"""
# For each part its keys, and its cells as slices of z, y, x. Points lie at multiples of 0.1, 0.25 and 0.2.
whole = slice(None)
parts = {
    "box": ({"x": [0.35, 3.05], "y": [0.5, 1.5], "z": [0.2, 1.0]}, (slice(1, 6), slice(2, 7), slice(4, 31))),
    "plane": ({"z": [1.01]}, (slice(5, 6), whole, whole)),
    "wall": ({"x": [2.34]}, (whole, whole, slice(23, 24))),
    "line": ({"x": [0.0], "z": [0.4]}, (slice(2, 3), whole, slice(0, 1))),
    "point": ({"x": [3.92], "y": [0.24], "z": [1.9]}, (slice(9, 10), slice(1, 2), slice(39, 40))),
    "coarse": ({"stride": [3, 2, 4]}, (slice(0, None, 4), slice(0, None, 2), slice(0, None, 3))),
    "sparse": ({"x": [0.5, 3.8], "y": [1.0, 2.9], "stride": [7, 1, 3]}, (slice(0, None, 3), slice(4, 12), slice(5, 39, 7))),
}


def of_parts(**more):
    return list_of("output.part", *({"name": name, "every_steps": 4, **keys, **more} for name, (keys, _) in parts.items()))


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    return tmp_path


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("deflate", [0, 6])
def test_parts_are_those_of_the_snapshots(precision, deflate, place):
    succeed("run", "flow.toml", "--dir", "run", "--precision", precision, *of_parts(precision="same", deflate=deflate), cwd=place)
    run = watersmeet.open(place / "run")
    assert list(run.parts) == sorted(parts)
    for name, (keys, cells) in parts.items():
        files = run.parts[name]
        assert [part.step for part in files] == [0, 4, 8, 12]
        for part, snapshot in zip(files, run.fields):
            assert list(part) == ["rho", "velocity", "vorticity"] and part.time == snapshot.time
            for axis, kept in zip("zyx", cells):
                assert getattr(part, axis) == pytest.approx(getattr(snapshot, axis)[kept], abs=1e-14)
            for field in part:
                values, wanted = part[field][...], snapshot[field][...][cells]
                assert values.dtype == wanted.dtype and values.shape == wanted.shape and values.tobytes() == wanted.tobytes(), (name, field)
        with h5py.File(files[-1].path) as file:
            stored = file["VTKHDF/CellData/velocity"]
            assert (stored.compression, stored.shuffle) == (("gzip", True) if deflate else (None, False))
        index = ElementTree.parse(place / f"run/part_{name}.xmf")
        assert len(index.findall(".//Time")) == 4 and f"part_{name}_000012.vtkhdf:/VTKHDF/CellData/rho" in ElementTree.tostring(index.getroot(), "unicode")


def test_numbers_are_single_unless_asked_and_fields_can_be_chosen(place):
    words = list_of("output.part", {"name": "a", "every": 0.001, "z": [1]}, {"name": "b", "every_steps": 5, "fields": ["p"], "precision": "double"})
    succeed("run", "flow.toml", "--dir", "run", *words, *settings(time__end=0.01), cwd=place)
    run = watersmeet.open(place / "run")
    assert [part.time for part in run.parts["a"]] == pytest.approx(np.arange(11) * 0.001, abs=1e-15)
    assert run.parts["a"][-1]["velocity"].dtype == np.float32 and run.parts["b"][0]["p"].dtype == np.float64
    assert list(run.parts["b"][-1]) == ["p"] and run.parts["b"][-1]["p"].shape == (10, 12, 40)


@pytest.mark.parametrize("name", ["mhd", "multicomponent", "boussinesq", "shallow_water"])
def test_other_boxes(name, tmp_path):
    words, fields, _ = case_of(name, 4)
    succeed("run", *words, "--dir", "plain", *ranks_words(1), cwd=tmp_path)
    first = watersmeet.open(tmp_path / "plain").fields[-1]
    ends = [float(first.x[3]), float(first.x[-4])]
    keys = {"fields": fields, "precision": "same", "every_steps": 2, "x": ends}
    line = {**keys, "name": "line", "y": [float(first.y[len(first.y) // 2])], "stride": [2, 1, 1]}
    succeed("run", *words, "--dir", "run", *list_of("output.part", {**keys, "name": "middle"}, line), *ranks_words(1), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    last, middle, row = run.fields[-1], run.parts["middle"][-1], run.parts["line"][-1]
    assert arrays(newest(tmp_path / "run")) == arrays(newest(tmp_path / "plain"))  # the run is the same
    assert [part.step for part in run.parts["line"]] == [0, 2, 4] and last.step == middle.step
    y = len(first.y) // 2
    for field in fields:
        assert middle[field][...].tobytes() == last[field][...][:, :, 3:-3].tobytes()
        assert row[field][...].tobytes() == last[field][...][:, y:y + 1, 3:-3:2].tobytes()
    assert row.x == pytest.approx(last.x[3:-3:2], rel=1e-12) and middle.z == pytest.approx(last.z, rel=1e-12)
    for axis, faces in last.faces.items():
        assert middle.faces[axis] == pytest.approx(faces[3:-3] if axis == "x" else faces, rel=1e-14)


@on_ranks
@pytest.mark.parametrize("deflate", [0, 4])
def test_parts_do_not_depend_on_ranks(deflate, place):
    succeed("run", "flow.toml", "--dir", "one", *of_parts(deflate=deflate), *ranks_words(1), cwd=place)
    for cut in ("[1, 1, 3]", "[3, 1, 1]", "[2, 2, 1]"):
        folder = place / cut.strip("[]").replace(", ", "x")
        succeed("run", "flow.toml", "--dir", folder, *of_parts(deflate=deflate), *settings(device__ranks_along=cut), *ranks_words(4 if "2" in cut else 3), cwd=place)
        for file in sorted((place / "one").glob("part_*.vtkhdf")):
            assert arrays(file) == arrays(folder / file.name), (cut, file.name)
        for index in (place / "one").glob("part_*.xmf"):
            assert index.read_text() == (folder / index.name).read_text()


@on_ranks
def test_a_run_that_was_killed_has_the_files_of_one_that_was_not(place):
    words = [*list_of("output.part", {"name": "plane", "every_steps": 3, "z": [1]}), *settings(time__steps=400)]
    files = files_of_a_killed_run(place, words, "part_plane_*.vtkhdf")
    assert len(files) == 134
    for one, killed in files:
        assert arrays(one) == arrays(killed)
    assert (place / "one/part_plane.xmf").read_text() == (place / "killed/part_plane.xmf").read_text()
    assert "part_plane_" in succeed("diff", "one", "killed", cwd=place).stdout
    assert "part        plane, 134 files to t = " in succeed("info", "one", cwd=place).stdout
    assert len(json.loads(succeed("info", "one", "--json", cwd=place).stdout)["parts"]["plane"]) == 134


def test_check_says_how_large_the_files_become(place):
    words = of_parts()
    told = json.loads(succeed("check", "flow.toml", "--json", *words, cwd=place).stdout)["disk"]
    succeed("run", "flow.toml", "--dir", "run", *words, cwd=place)
    files = [part for named in watersmeet.open(place / "run").parts.values() for part in named]
    assert told["parts"] == len(files) == 28
    assert told["part_bytes"] == sum(field[...].nbytes for part in files for field in part.values())
    text = succeed("check", "flow.toml", *of_parts(deflate=1), cwd=place).stdout
    assert "  parts      28 files, " in text and " together before compression" in text


refused = {
    "no interval": ({"every_steps": None}, "part `a` has no interval"),
    "an unknown field": ({"fields": ["rh"]}, "no field `rh` to write"),
    "a field twice": ({"fields": ["rho", "rho"]}, "field `rho` is listed more than once"),
    "no fields": ({"fields": []}, "part `a` has no fields"),
    "a plane outside": ({"z": [2.5]}, "part `a` lies outside the grid"),
    "bounds of the grid": ({"z": [2.5]}, "the grid is from 0 to 2 along z"),
    "a range without cells": ({"y": [0.3, 0.4]}, "no cell of part `a` has its centre in this range"),
    "a range the wrong way": ({"y": [0.4, 0.3]}, "this must be one coordinate, or the lower and the upper end of a range"),
    "three coordinates": ({"y": [0, 1, 2]}, "this must be one coordinate, or the lower and the upper end of a range"),
    "a stride of nothing": ({"stride": [0, 1, 1]}, "1 or more"),
    "not a name": ({"name": "a b"}, "`a b` is not a name"),
    "not a level": ({"deflate": 10}, "between 0 and 9"),
}


@pytest.mark.parametrize("what", refused)
def test_what_is_no_part_is_refused(what, place):
    keys, message = refused[what]
    table = {key: value for key, value in {"name": "a", "every_steps": 1, **keys}.items() if value is not None}
    (place / "flow.toml").write_text(flow + "[[output.part]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
    result = call("check", "flow.toml", cwd=place)
    assert result.returncode == 2 and message in result.stderr, result.stderr
    assert f"flow.toml:{flow.count(chr(10)) + 2}:" in result.stderr or "flow.toml:2" in result.stderr


@pytest.mark.parametrize("name, message", [
    ("sphere", "a sphere is written whole"), ("aerodynamics", "curvilinear blocks are written whole"),
    ("atmosphere", "levels that follow the terrain are written whole")])
def test_other_grids_are_refused(name, message, tmp_path):
    words, _, _ = case_of(name, 2)
    result = call("check", *words, *list_of("output.part", {"name": "a", "every_steps": 1}), cwd=tmp_path)
    assert result.returncode == 2 and message in result.stderr, result.stderr


def test_uneven_cells_have_no_strides(tmp_path):
    words, _, _ = case_of("boussinesq", 2)
    result = call("check", *words, *list_of("output.part", {"name": "a", "every_steps": 1, "stride": [1, 1, 2]}), cwd=tmp_path)
    assert result.returncode == 2 and "cells are uneven along z" in result.stderr, result.stderr


def test_streamed_solutions_have_parts(place):
    stream = settings(device__memory='"stream"', device__kind='"cpu"', grid__cells="[40, 12, 48]")
    for folder, words in (("streamed", [*stream, *settings(stream__fused_steps=1)]), ("resident", settings(grid__cells="[40, 12, 48]"))):
        succeed("run", "flow.toml", "--dir", folder, *words, *of_parts(), cwd=place)
    for file in sorted((place / "resident").glob("part_*.vtkhdf")):
        assert arrays(file) == arrays(place / "streamed" / file.name), file.name
