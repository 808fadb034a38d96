"""Shallow water on a cubed sphere: the same bits on any number of ranks, a run resumed by another number of them, what its files hold,
maps, and what cases are refused.
"""

import numpy as np
import pytest
from rank_runs import assert_same_maps, assert_same_on_ranks, assert_same_run, on_ranks, ranks_words, run_in_parts
from runs import call, needs_program, settings, succeed

import watersmeet
from watersmeet import sphere

pytestmark = [needs_program]

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
@pytest.mark.parametrize("count", [2, 4, 7, 8])
def test_the_number_of_ranks_changes_no_bit(place, name, count):
    assert_same_on_ranks(place, [count], settings(**choices[name]))


@on_ranks
def test_a_run_is_resumed_by_another_number_of_ranks(place):
    succeed("run", "flow.toml", "--dir", "whole", *ranks_words(1), cwd=place)
    run_in_parts(place, "half", [(4, 3), (9, 2)])
    assert_same_run(place / "whole", place / "half")


# Whole panels, rows and columns of all, rectangles of some; parts two cells wide, and unequal ones.
@on_ranks
@pytest.mark.parametrize("along", [[1, 1, 6], [1, 1, 4], [1, 3, 1], [3, 1, 1], [2, 2, 1], [2, 1, 3], [1, 8, 1], [2, 2, 2]])
def test_nor_does_the_layout_of_the_ranks(place, along):
    assert_same_on_ranks(place, [along], settings(**choices["13-point"]))


@on_ranks
def test_nor_do_their_weights(place):
    assert_same_on_ranks(place, [[1, 3, 1]], more=settings(device__weights="[1, 3, 1]"))


@on_ranks
def test_maps_are_those_of_one_rank(place):
    words = settings(output__latlon="[37, 19]", time__steps="4")
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "cut", *words, *ranks_words(4), cwd=place)
    assert_same_maps(place / "one", place / "cut", ["latlon_000000.nc", "latlon_000004.nc"])


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


def smooth_map(lon, lat):
    """Surface, and velocity to the east and north, of the case at first."""
    surface = 8000 + 200 * np.cos(3 * lon) * np.cos(lat) ** 3 + 100 * np.sin(2 * lat)
    east = 40 * np.cos(lat) + 10 * np.sin(2 * lon) * np.cos(lat) ** 2
    return surface, east, 10 * np.cos(lon) * np.sin(2 * lat)


def test_maps_are_remapped_to_second_order(place):
    """A smooth surface, and a rigid rotation about a tilted axis, whose components are not smooth at the poles of the grid."""
    netCDF4 = pytest.importorskip("netCDF4")
    tilt, u0 = 0.7, 2 * np.pi * 6.37122e6 / (12 * 86400)
    (place / "rigid.toml").write_text(f"""[case]
system = "shallow_water"
[grid]
kind = "cubed_sphere"
cells = 16
[physics]
rotation = {{ tilt = {tilt} }}
[time]
steps = 0
[[initial]]
state = "williamson-2"
[output]
overview = false
fields = ["velocity_east", "velocity_north"]
""")
    worst = []
    for n in (16, 32):
        words = settings(grid__cells=n, time__steps="0", output__latlon="[73, 38]", case__units='"SI"')
        for name in ("flow", "rigid"):
            succeed("run", f"{name}.toml", "--dir", f"{name}{n}", *words, cwd=place)
        with netCDF4.Dataset(place / f"flow{n}" / "latlon_000000.nc") as file:
            lon, lat = np.meshgrid(np.radians(file["lon"][:]), np.radians(file["lat"][:]))
            expected = 8000 + 200 * np.cos(3 * lon) * np.cos(lat) ** 3 + 100 * np.sin(2 * lat)
            found = [np.max(np.abs(file["surface"][0] - expected))]
        with netCDF4.Dataset(place / f"rigid{n}" / "latlon_000000.nc") as file:
            east = u0 * (np.cos(lat) * np.cos(tilt) + np.cos(lon) * np.sin(lat) * np.sin(tilt))
            north = -u0 * np.sin(lon) * np.sin(tilt)
            found += [np.max(np.abs(file["velocity_east"][0] - east)), np.max(np.abs(file["velocity_north"][0] - north))]
        worst.append(found)
    # h^2/8 times a second derivative, of two axes: that along the sphere and the slope times the curvature of the angles.
    spacing = np.pi / 2 / 16
    assert worst[0][0] < 2 * spacing**2 / 8 * (2400 + 800), worst
    assert max(worst[0][1:]) < 2 * spacing**2 / 8 * 2 * u0, worst
    assert all(np.array(worst[1]) < np.array(worst[0]) / 3.2), worst


def test_maps_follow_the_conventions(place):
    netCDF4 = pytest.importorskip("netCDF4")
    words = settings(time__steps="4", output__latlon="[36, 18]", case__units='"SI"')
    succeed("run", "flow.toml", "--dir", "run", *words, cwd=place)
    with netCDF4.Dataset(place / "run" / "latlon_000004.nc") as file:
        assert file.Conventions == "CF-1.9" and "bilinear" in file.comment and file.step == 4
        assert {name: len(d) for name, d in file.dimensions.items()} == {"nv": 2, "time": 1, "lat": 18, "lon": 36}
        units = {"lat": "degrees_north", "lon": "degrees_east", "time": "seconds since 2000-01-01 00:00:00"}
        for name, axis in (("lat", "Y"), ("lon", "X"), ("time", "T")):
            assert file[name].units == units[name] and file[name].axis == axis and file[name].dimensions == (name,)
        assert file["lat"].standard_name == "latitude" and file["lon"].standard_name == "longitude"
        for name, ends in (("lat", (-90, 90)), ("lon", (0, 360))):
            edges = file[file[name].bounds][:]
            assert edges[0, 0] == ends[0] and edges[-1, 1] == ends[1] and np.all(edges[1:, 0] == edges[:-1, 1])
            assert np.allclose(edges.mean(axis=1), file[name][:])
        assert file["sphere"].grid_mapping_name == "latitude_longitude" and file["sphere"].earth_radius == 6.37122e6
        fields = {"surface": "m", "velocity_east": "m/s", "velocity_north": "m/s", "bed": "m", "potential_vorticity": "1/(m s)",
                  "divergence": "1/s"}
        for name, unit in fields.items():
            assert file[name].dimensions == ("time", "lat", "lon") and file[name].units == unit, name
            assert file[name].long_name and file[name].grid_mapping == "sphere"
        assert set(fields) == set(file.variables) - {"nv", "time", "lat", "lon", "lat_bnds", "lon_bnds", "sphere"}


def test_maps_and_panels_open_in_xarray(place):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("netCDF4")
    words = settings(time__steps="4", output__latlon="[36, 18]", case__units='"SI"')
    succeed("run", "flow.toml", "--dir", "run", *words, cwd=place)
    run = watersmeet.open(place / "run")
    maps = run.to_xarray()
    assert maps["surface"].dims == ("time", "lat", "lon") and maps.sizes["time"] == 2 == len(run.maps)
    assert str(maps["time"].values[0]).startswith("2000-01-01T00:00:00")
    # The snapshot itself: all panels of a field as one array, with its places.
    with xarray.open_dataset(run.fields[0].path, engine="netcdf4") as panels:
        assert panels["surface"].dims == ("face", "level", "y", "x") and panels["surface"].shape == (6, 1, 17, 17)
        lon, lat = np.radians(panels["lon"].values), np.radians(panels["lat"].values)
        surface, east, _ = smooth_map(lon, lat)
        assert np.allclose(panels["surface"].values[:, 0], surface, rtol=1e-13)
        assert np.allclose(panels["velocity_east"].values[:, 0], east, atol=1e-11)
        assert {"lon", "lat"} <= set(panels["surface"].coords)
        assert panels["surface"].attrs["cell_measures"] == "area: cell_area"
        area = float(panels["cell_area"].sum())
        assert abs(area / (4 * np.pi * 6.37122e6**2) - 1) < 1e-12


@pytest.mark.parametrize("words, said", [
    ({"output__latlon": "[360]"}, "must be a number of longitudes and one of latitudes"),
    ({"output__latlon": "[36, 0]"}, "two whole numbers from 1 to 20000"),
    ({"output__latlon": "[36, 18.5]"}, "two whole numbers from 1 to 20000"),
])  # fmt: skip
def test_sizes_of_maps_are_checked(place, words, said):
    refused = call("check", "flow.toml", *settings(**words), cwd=place)
    assert refused.returncode == 2 and said in refused.stderr, refused.stderr


def test_maps_are_drawn(place):
    pytest.importorskip("matplotlib")
    from watersmeet import plot

    succeed("run", "flow.toml", "--dir", "run", *settings(time__steps="4"), cwd=place)
    for path in (plot.overview(place / "run"), plot.plane(place / "run", "potential_vorticity")):
        assert path.stat().st_size > 10000


@pytest.mark.parametrize("words, said", [
    ({"grid__cells": "[17, 17, 1]"}, "17 x 17 x 1: a cubed sphere has 6 panels with the same number of cells along every edge"),
    ({"grid__cells": "[17, 16, 6]"}, "17 x 16 x 6: a cubed sphere has 6 panels with the same number of cells along every edge"),
    ({"grid__cells": "5"}, "5 cells along an edge are too few"),
    ({"grid__kind": '"box"'}, "`lon` is no coordinate of a plane"),
    ({"physics__bed": '"x"'}, "`x` is no coordinate of a sphere"),
    ({"boundary__x": '"open"'}, "a sphere has no boundary"),
    ({"physics__coriolis__f": "1e-4"}, "physics.coriolis.f is a key of a plane, and this grid is a sphere"),
    ({"grid__upper": "[2, 2, 1]"}, "grid.upper is a key of a plane, and this grid is a sphere"),
    ({"numerics__wet_dry": "true"}, "dry cells are not possible on a sphere"),
])  # fmt: skip
def test_what_a_sphere_has_not_is_refused(place, words, said):
    refused = call("check", "flow.toml", *settings(**words), cwd=place)
    assert refused.returncode == 2 and said in refused.stderr, refused.stderr


def test_a_state_stands_alone(place):
    (place / "flow.toml").write_text(case.replace("[[initial]]\n", '[[initial]]\nstate = "williamson-6"\n'))
    refused = call("check", "flow.toml", cwd=place)
    assert refused.returncode == 2 and "the state williamson-6 sets this key too" in refused.stderr, refused.stderr


def test_a_failed_run_names_panel_and_place(place):
    failed = call("run", "flow.toml", "--dir", "no", *settings(time__dt="10000", time__steps="200"), cwd=place)
    assert failed.returncode != 0 and " of 17 x 17 of panel " in failed.stderr and "lon = " in failed.stderr, failed.stderr


def test_a_dry_sphere_is_refused(place):
    refused = call("run", "flow.toml", "--dir", "no", *settings(physics__bed="9000"), cwd=place)
    assert refused.returncode == 2 and "the initial depth is" in refused.stderr and "panel" in refused.stderr, refused.stderr
