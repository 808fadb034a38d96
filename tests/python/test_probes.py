"""Probes, [[output.probe]]: the series has what the snapshots have in the nearest cell, of every kind of grid, on any number of ranks."""

import h5py
import numpy as np
import pytest
import watersmeet
from watersmeet import sphere

from conftest import root
from rank_runs import assert_same_on_ranks, on_ranks
from runs import assert_same_end, call, needs_program, settings, succeed

pytestmark = needs_program


def probe(name, at, fields):
    return f"""{{name="{name}", at={[float(x) for x in at]}, fields={str(list(fields)).replace("'", '"')}}}"""


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


def over_columns(values):
    """Means over the four corners of each column of cells: of (nk, nj, ni) corners (nk, nj - 1, ni - 1)."""
    return sum(values[:, j : values.shape[1] - 1 + j, i : values.shape[2] - 1 + i] for j in (0, 1) for i in (0, 1)) / 4


def test_a_probe_over_terrain_is_at_its_height(tmp_path):
    x, z = -2600, 1490
    succeed("run", root / "examples/schar-mountain/quick.toml", "--dir", "run", "--device", "cpu",
            *settings(time__steps=3, output__overview="false", output__fields='["velocity"]', output__precision='"same"',
                      physics__terrain='"900*exp(-((x + 2600)/3e3)^2)"'),
            *probes(probe("here", (x, 0, z), ["velocity", "height"])), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    i = int(np.argmin(np.abs(run.fields[-1].x - x)))
    with h5py.File(tmp_path / "run/mesh.h5") as file:
        faces = over_columns(file["blocks/block_000/xyz"][..., 2])[:, 0, i]
    k = np.searchsorted(faces, z) - 1
    assert faces[0] > 850 and k < 4  # flat levels would have the fifth
    assert_probed(run.series, "here", "velocity", run.fields[-1]["velocity"][k, 0, i])
    assert run.series["here_height"][-1] == pytest.approx((faces[k] + faces[k + 1]) / 2, rel=1e-9)


# Corners of a cube, middles of its edges and of panels, places next to these, a pole.
edge = np.pi / 4
cube_corner = np.arctan(1 / np.sqrt(2))
places_on_sphere = [(edge - 0.01, cube_corner - 0.01), (edge + 0.01, -cube_corner), (edge, 0.01), (0, edge + 0.01), (0.01, edge - 0.01), (0.02, 0.02),
                    (3, 0.4), (4.1, -0.9), (6.2, 1.2), (1, np.pi / 2)]  # fmt: skip
globes = {
    "shallow": {},
    "deep": {"physics__atmosphere": '"deep"'},
    "stretched": {"grid__z_mapping": '"s^1.3"'},
    "mountains": {"physics__terrain": '"400*cos(lat)^2*(1 + cos(3*lon))"'},
}


@pytest.mark.parametrize("kind", globes)
def test_a_probe_on_a_sphere_is_at_its_height_and_place(tmp_path, kind):
    """A field that is a known function of height and place, beside edges and corners of panels as well as in their middles."""
    n, levels, heights = 12, 20, (120.0, 1010.0, 5240.0, 9990.0)
    points = [(lon, lat, z + (900 if kind == "mountains" else 0) * (1 - z / 10e3)) for lon, lat in places_on_sphere for z in heights]
    wanted = [probe(f"p{m}", at, ["height", "theta_perturbation"]) for m, at in enumerate(points)]
    succeed("run", root / "examples/dcmip31/quick.toml", "--dir", "run", "--device", "cpu",
            *settings(time__steps=1, output__overview="false", output__fields='["height"]', output__series_every_steps=1,
                      grid__cells=f"[{n},{n},{levels}]", grid__radius="6371220",
                      initial='[{theta="z/1000 + 20*sin(lat) + 20*cos(lat)*sin(lon)"}]', **globes[kind]),
            *probes(*wanted), cwd=tmp_path)
    series = watersmeet.open(tmp_path / "run").series
    s = np.arange(levels + 1) / levels
    faces = 10e3 * (s**1.3 if kind == "stretched" else s)
    for m, (lon, lat, z) in enumerate(points):
        height = series[f"p{m}_height"][0]
        k = np.searchsorted(faces, z) - 1
        if kind == "mountains":  # whose ground differs between the place and the middle of its cell: half of the thickest level
            assert abs(height - z) <= 250, (lon, lat, z, height)
        else:
            assert height == pytest.approx((faces[k] + faces[k + 1]) / 2, rel=1e-9), (lon, lat, z)
        # Half the diagonal of a cell of the width (pi/2)/n, times the largest gradient.
        expected = height / 1000 + 20 * np.sin(lat) + 20 * np.cos(lat) * np.sin(lon)
        assert abs(series[f"p{m}_theta_perturbation"][0] - expected) <= 20 * np.sqrt(2) * np.pi / 4 / n * np.sqrt(2), (lon, lat, z)


def test_a_probe_on_a_sphere_has_what_the_snapshot_has(tmp_path):
    lon, lat = 4.1, 0.43
    succeed("run", root / "examples/williamson-5/quick.toml", "--dir", "run", "--device", "cpu",
            *settings(time__steps=2, output__overview="false", output__fields='["surface"]', output__precision='"same"'),
            *probes(probe("here", (lon, lat, 0), ["surface"])), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    surface = np.stack([np.asarray(panel) for panel in run.fields[-1]["surface"]])[:, 0]
    lons, lats = sphere.centres(surface.shape[-1])
    distance = np.sin((lats - lat) / 2) ** 2 + np.cos(lat) * np.cos(lats) * np.sin((lons - lon) / 2) ** 2
    assert_probed(run.series, "here", "surface", surface[np.unravel_index(np.argmin(distance), distance.shape)])


@pytest.mark.parametrize("height", [-1, 10001])
def test_a_probe_outside_the_air_of_a_sphere_is_refused(tmp_path, height):
    result = call("check", root / "examples/dcmip31/quick.toml", *probes(probe("a", (1, 1, height), ["theta"])), cwd=tmp_path)
    assert result.returncode == 2 and "probe `a` lies outside the grid" in result.stderr, result.stderr


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
    "bounds": (probe("a", (1, -1, 7), ["rho"]), "the grid is from 0 to 5 along y"),
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
