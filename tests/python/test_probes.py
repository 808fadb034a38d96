"""Probes, [[output.probe]]: the series has what the snapshots have in the nearest cell, of every kind of grid, on any number of ranks."""

import h5py
import numpy as np
import pytest
import watersmeet

from conftest import root
from rank_runs import assert_same_on_ranks, on_ranks
from runs import assert_same_end, call, needs_program, settings, succeed

pytestmark = needs_program


def probe(name, at, fields):
    return f"""{{name="{name}", at={list(at)}, fields={str(list(fields)).replace("'", '"')}}}"""


def probes(*words):
    return settings(output__probe=f"[{', '.join(words)}]")


def assert_probed(series, name, field, value):
    columns = [f"{name}_{field}"] if np.ndim(value) == 0 else [f"{name}_{field}_{c}" for c in "xyz"]
    assert [series[c][-1] for c in columns] == np.atleast_1d(value).tolist()


# Examples on a box: even cells, uneven ones, points of a periodic box. Two places each, the second in the last cells.
boxes = {
    "sod": ([(0.731, 0, 0), (1, 0, 0)], ["p", "velocity"]),
    "heated-cavity": ([(0.3, 0, 0.61), (1, 0, 1)], ["temperature", "velocity"]),
    "rayleigh-benard": ([(0.31, -0.4, 0.12), (-0.99, 0.99, 0.49)], ["temperature"]),
    "lake-at-rest": ([(1234, 777, 0), (2999, 1999, 0)], ["depth"]),
    "taylor-green": ([(1.2, 3.3, 6.25), (6.1, 6.1, 6.1)], ["rho", "velocity", "vorticity"]),
}
names = ["here", "there"]


def probes_at(places, fields):
    return probes(*(probe(name, at, fields) for name, at in zip(names, places)))


@pytest.mark.parametrize("name", boxes)
def test_a_probe_in_a_box_has_what_the_snapshot_has(name, tmp_path):
    places, fields = boxes[name]
    words = settings(time__steps=3, output__overview="false", output__fields=str(fields).replace("'", '"'), output__precision='"same"')
    if name == "rayleigh-benard":
        words += settings(grid__z_stretching=1.5)
    succeed("run", root / "examples" / name / "quick.toml", "--dir", "run", "--device", "cpu", *words, *probes_at(places, fields), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    last = run.fields[-1]
    period = 2 * np.pi if name == "taylor-green" else 1e99
    for place_name, at in zip(names, places):
        index = []
        for axis, place in zip("zyx", at[::-1]):
            distance = np.abs(getattr(last, axis) - place)
            index.append(int(np.argmin(np.minimum(distance, period - distance))))
        for field in fields:
            assert_probed(run.series, place_name, field, last[field][tuple(index)])
            column = f"{place_name}_{field}" + ("_x" if field in ("velocity", "vorticity") else "")
            assert run.series.units[column] == last[field].attrs["units"]


def test_a_probe_on_blocks_has_what_its_node_has(tmp_path):
    at, fields = [(0.31, 0.42, 0), (1.49, 0.79, 0)], ["p", "velocity", "vorticity"]
    succeed("run", root / "examples/bump/quick.toml", "--dir", "run", "--device", "cpu",
            *settings(time__steps_max=3, output__overview="false", output__fields=str(fields).replace("'", '"'), output__precision='"same"'),
            *probes_at(at, fields), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    last = run.fields[-1]
    places = np.concatenate([last.mesh.xyz(b).reshape(-1, 3) for b in range(len(last["p"]))])
    for name, place in zip(names, at):
        node = np.argmin(((places - place) ** 2).sum(axis=1))
        for field in fields:
            assert_probed(run.series, name, field, last[field].flat()[node])


def middles(corners):
    """Of cells whose corners are (nk, nj, ni, 3); one layer of corners is one layer of cells."""
    deep = corners if len(corners) > 1 else np.concatenate([corners, corners])
    return sum(deep[k : k - 1 or None, j : j - 1 or None, i : i - 1 or None] for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8


def test_a_probe_over_terrain_is_at_its_height(tmp_path):
    at = (-2600, 0, 1490)
    succeed("run", root / "examples/schar-mountain/quick.toml", "--dir", "run", "--device", "cpu",
            *settings(time__steps=3, output__overview="false", output__fields='["velocity"]', output__precision='"same"'),
            *probes(probe("here", at, ["velocity"])), cwd=tmp_path)
    with h5py.File(tmp_path / "run/mesh.h5") as file:
        places = middles(file["blocks/block_000/xyz"][()])
    places[..., 1] = 0  # one cell
    index = np.unravel_index(np.argmin(((places - at) ** 2).sum(axis=-1)), places.shape[:-1])
    run = watersmeet.open(tmp_path / "run")
    assert_probed(run.series, "here", "velocity", run.fields[-1]["velocity"][index])


@pytest.mark.parametrize("name, height, field", [("williamson-5", 0, "surface"), ("dcmip31", 2600, "theta_perturbation")])
def test_a_probe_on_a_sphere_is_at_its_longitude_and_latitude(tmp_path, name, height, field):
    lon, lat = 4.1, 0.43
    succeed("run", root / "examples" / name / "quick.toml", "--dir", "run", "--device", "cpu",
            *settings(time__steps=2, output__overview="false", output__fields=f'["{field}"]', output__precision='"same"'),
            *probes(probe("here", (lon, lat, height), [field])), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    radius = run.setting("grid.radius", 6.37122e6)
    wanted = (radius + height) * np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    with h5py.File(tmp_path / "run/mesh.h5") as file:
        places = np.stack([middles(file[f"blocks/block_{b:03d}/xyz"][()]) for b in range(6)])
    distance = ((places - wanted) ** 2).sum(axis=-1)
    index = np.unravel_index(np.argmin(distance), distance.shape)
    assert_probed(run.series, "here", field, run.fields[-1][field][index[0]][index[1:]])


two = probes(probe("a", (1.1, 4.9, 0.3), ["rho"]), probe("b", (5.6, 0.2, 3.7), ["velocity", "rho"]))


def test_probes_are_the_same_after_a_resume(place):
    words = settings(output__series_every_steps=5)
    succeed("run", "flow.toml", "--dir", "whole", *words, *two, cwd=place)
    succeed("run", "flow.toml", "--dir", "halves", *words, *two, *settings(time__steps=10), cwd=place)
    succeed("resume", "halves", *settings(time__steps=20), cwd=place)
    assert_same_end(place / "whole", place / "halves")
    header = (place / "whole/series.csv").read_text().splitlines()[0]
    assert header.endswith("a_rho,b_velocity_x,b_velocity_y,b_velocity_z,b_rho")


def test_probes_may_be_others_after_a_resume(place):
    words = settings(output__series_every_steps=5)
    one, other = probe("a", (1.1, 4.9, 0.3), ["rho"]), probe("b", (5.6, 0.2, 3.7), ["rho"])
    succeed("run", "flow.toml", "--dir", "both", *words, *probes(one, other), cwd=place)
    succeed("run", "flow.toml", "--dir", "halves", *words, *probes(one), *settings(time__steps=10), cwd=place)
    succeed("resume", "halves", *probes(other), *settings(time__steps=20), cwd=place)
    both, halves = (watersmeet.open(place / name).series for name in ("both", "halves"))
    steps = np.asarray(halves["step"])
    assert steps.tolist() == np.asarray(both["step"]).tolist() == [0, 5, 10, 15, 20]
    before = steps <= 10
    for name, known in (("a_rho", before), ("b_rho", ~before)):
        assert (np.asarray(halves[name])[known] == np.asarray(both[name])[known]).all()
        assert np.isnan(np.asarray(halves[name])[~known]).all()


@on_ranks
def test_probes_do_not_depend_on_ranks(place):
    assert_same_on_ranks(place, [2, [1, 1, 2]], two)


faults = {
    "outside": (probe("a", (7, 1, 1), ["rho"]), "probe `a` lies outside the grid"),
    "field": (probe("a", (1, 1, 1), ["q"]), "no field `q` to probe"),
    "name": (probe("a b", (1, 1, 1), ["rho"]), "`a b` is not a name"),
    "none": (probe("a", (1, 1, 1), []), "probe `a` has no fields"),
    "twice": (probe("a", (1, 1, 1), ["rho", "rho"]), "would have the column `a_rho` twice"),
    "column": (probe("u", (1, 1, 1), ["rho"]) + ", " + probe("u", (2, 2, 2), ["rho"]), "would have the column `u_rho` twice"),
}


def test_a_probe_of_gas_wants_two_fluids(tmp_path):
    result = call("check", root / "examples/sod/quick.toml", *probes(probe("a", (0.5, 0, 0), ["p", "alpha"])), cwd=tmp_path)
    assert result.returncode == 2 and "has no volume fraction `alpha`" in result.stderr, result.stderr


@pytest.mark.parametrize("name", faults)
def test_a_probe_that_is_wrong_is_refused(place, name):
    words, said = faults[name]
    result = call("check", "flow.toml", *probes(words), cwd=place)
    assert result.returncode == 2 and said in result.stderr, result.stderr
