"""Shallow water on a cubed sphere: the same bits on any number of ranks, a run resumed by another number of them, what its files hold,
maps, and what cases are refused.
"""

import numpy as np
import pytest
from runs import call, needs_program, settings, succeed
from test_ranks import assert_same_run, built_with_mpi, ranks_words

import watersmeet
from watersmeet import sphere

pytestmark = [needs_program]
on_ranks = pytest.mark.skipif(not built_with_mpi(), reason="built without MPI")

case = """[case]
system = "shallow_water"
[grid]
kind = "cubed_sphere"
cells = 17
[physics]
bed = "800 + 700*sin(5*lon)*cos(3*lat)*cos(lat)"
friction = { linear = 1e-5 }
[time]
steps = 9
cfl = 1.1
[[initial]]
surface = "8000 + 200*cos(3*lon)*cos(lat)^3 + 100*sin(2*lat)"
velocity = ["40*cos(lat) + 10*sin(2*lon)*cos(lat)^2", "10*cos(lon)*sin(2*lat)", 0]
[output]
overview = false
every_steps = 4
series_every_steps = 2
fields = ["surface", "velocity", "velocity_east", "velocity_north", "bed", "potential_vorticity", "divergence"]
"""
choices = {"9-point": {}, "13-point": {"numerics__reconstruction__transverse": '"-1/24"'},
           "single": {"numerics__precision": '"single"', "numerics__reconstruction__limiter": '"vanleer"'}}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    return tmp_path


@on_ranks
@pytest.mark.parametrize("name", choices)
@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_the_number_of_ranks_changes_no_bit(place, name, count):
    words = settings(**choices[name])
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "cut", *words, *ranks_words(count), cwd=place)
    assert_same_run(place / "one", place / "cut")


@on_ranks
def test_a_run_is_resumed_by_another_number_of_ranks(place):
    succeed("run", "flow.toml", "--dir", "whole", *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "half", *settings(time__steps="4"), *ranks_words(3), cwd=place)
    succeed("resume", "half", "--set", "time.steps=9", *ranks_words(2), cwd=place)
    assert_same_run(place / "whole", place / "half")


@on_ranks
@pytest.mark.parametrize("count, words, said", [
    (7, {}, "7 ranks: the 6 panels go to ranks as they are, to 6 at most"),
    (2, {"device__ranks_along": "[2, 1, 1]"}, "device.ranks_along = [2, 1, 1] cuts panels"),
])  # fmt: skip
def test_panels_are_not_cut(place, count, words, said):
    refused = call("run", "flow.toml", "--dir", "no", *settings(**words), *ranks_words(count), cwd=place)
    assert refused.returncode == 2 and said in refused.stderr, refused.stderr


def test_files_hold_panels(place):
    succeed("run", "flow.toml", "--dir", "run", *settings(time__steps="0"), cwd=place)
    run = watersmeet.open(place / "run")
    snapshot = run.fields[0]
    assert snapshot.in_cells and sphere.is_sphere(snapshot)
    assert snapshot["surface"][0].shape == (1, 17, 17) and snapshot.mesh.shapes == [(1, 18, 18)] * 6
    corners = np.stack([snapshot.mesh.xyz(b)[0] for b in range(6)])
    assert np.allclose(np.linalg.norm(corners, axis=-1), 6.37122e6, rtol=1e-14)
    lon, lat = sphere.centres(17)
    assert np.allclose(sphere.values_of(snapshot, "surface"), 8000 + 200 * np.cos(3 * lon) * np.cos(lat) ** 3 + 100 * np.sin(2 * lat),
                       rtol=1e-13)
    east = 40 * np.cos(lat) + 10 * np.sin(2 * lon) * np.cos(lat) ** 2
    north = 10 * np.cos(lon) * np.sin(2 * lat)
    assert np.allclose(sphere.values_of(snapshot, "velocity_east"), east, atol=1e-11)
    assert np.allclose(sphere.values_of(snapshot, "velocity_north"), north, atol=1e-11)
    # Vectors are Cartesian, and tangent to the sphere at the middle of their cell.
    velocity = np.stack([np.asarray(snapshot["velocity"][b])[0] for b in range(6)])
    middle = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)
    assert np.allclose(np.sum(velocity * middle, axis=-1), 0, atol=1e-11)
    assert np.allclose(velocity[..., 2], north * np.cos(lat), atol=1e-11)
    # Between the cells, and next to edges and corners of the panels, of something smooth.
    def smooth(lon, lat):
        x, y, z = np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)
        return np.exp(x - 0.5 * y) + x * y * z

    points = np.radians([[10, 20], [45, 30], [44.9, 35.2], [300, -80], [200, 89]]).T
    error = [np.max(np.abs(sphere.interpolated(smooth(*sphere.centres(n)), *points) - smooth(*points))) for n in (16, 32)]
    assert error[0] < 3e-4 and error[1] < error[0] / 8
    assert abs(6 * np.sum(sphere.areas(64)) / (4 * np.pi) - 1) < 5e-5
    text = (place / "run" / "fields.xmf").read_text()
    assert 'Center="Cell"' in text and 'Dimensions="1 18 18"' in text and text.count("mesh.h5:/blocks/") == 6


def test_maps_are_drawn(place):
    pytest.importorskip("matplotlib")
    from watersmeet import plot

    succeed("run", "flow.toml", "--dir", "run", *settings(time__steps="4"), cwd=place)
    for path in (plot.overview(place / "run"), plot.plane(place / "run", "potential_vorticity")):
        assert path.stat().st_size > 10000


@pytest.mark.parametrize("words, said", [
    ({"grid__cells": "[17, 17, 1]"}, "17 x 17 x 1: a cubed sphere has 6 panels with as many cells along every edge"),
    ({"grid__cells": "[17, 16, 6]"}, "17 x 16 x 6: a cubed sphere has 6 panels with as many cells along every edge"),
    ({"grid__cells": "5"}, "5 cells along an edge are too few"),
    ({"grid__kind": '"box"'}, "`lon` is no coordinate of a plane"),
    ({"physics__bed": '"x"'}, "`x` is no coordinate of a sphere"),
    ({"boundary__x": '"open"'}, "a sphere has no boundary"),
    ({"physics__coriolis__f": "1e-4"}, "of a plane, not of a sphere"),
    ({"grid__upper": "[2, 2, 1]"}, "of a plane, not of a sphere"),
    ({"numerics__wet_dry": "true"}, "cells may not fall dry on a sphere"),
])  # fmt: skip
def test_what_a_sphere_has_not_is_refused(place, words, said):
    refused = call("check", "flow.toml", *settings(**words), cwd=place)
    assert refused.returncode == 2 and said in refused.stderr, refused.stderr


def test_a_state_stands_alone(place):
    (place / "flow.toml").write_text(case.replace("[[initial]]\n", '[[initial]]\nstate = "williamson-6"\n'))
    refused = call("check", "flow.toml", cwd=place)
    assert refused.returncode == 2 and "williamson-6 has its own" in refused.stderr, refused.stderr


def test_a_failed_run_names_panel_and_place(place):
    failed = call("run", "flow.toml", "--dir", "no", *settings(time__dt="20000", time__steps="200"), cwd=place)
    assert failed.returncode != 0 and " of 17 x 17 of panel " in failed.stderr and "lon = " in failed.stderr, failed.stderr


def test_a_dry_sphere_is_refused(place):
    refused = call("run", "flow.toml", "--dir", "no", *settings(physics__bed="9000"), cwd=place)
    assert refused.returncode == 2 and "the initial depth is" in refused.stderr and "panel" in refused.stderr, refused.stderr
