"""The atmosphere on a cubed sphere: maps of its levels, stretched ones, and what is refused of them."""

import h5py
import numpy as np
import pytest
from runs import call, needs_program, settings, succeed

import watersmeet
import watersmeet.map_panels
from watersmeet.provenance import provenance_line

pytestmark = [needs_program]

# An isothermal atmosphere that turns like a rigid body and rises.
case = """[case]
system = "atmosphere"
units = "SI"
[grid]
kind = "cubed_sphere"
cells = [16, 16, 6]
radius = 6371220
top = 12e3
[physics]
gravity = 9.81
gas_constant = 287.0
reference = { kind = "isothermal", temperature = 250, pressure = 1e5 }
[time]
steps = 0
[[initial]]
velocity = ["20*cos(lat)", 0, 0.5]
[output]
overview = false
every_steps = 1
latlon = [36, 18]
fields = ["p", "velocity", "velocity_east", "w", "height"]
"""


def test_maps_have_levels(tmp_path):
    (tmp_path / "globe.toml").write_text(case)
    succeed("run", "globe.toml", "--dir", "run", cwd=tmp_path)
    with h5py.File(tmp_path / "run" / "latlon_000000.nc") as file:
        assert file["p"].shape == (1, 6, 18, 36)
        assert file["p"].attrs["units"] == b"Pa" and file["sphere"].attrs["earth_radius"] == 6371220
        heights = 2000 * (np.arange(6) + 0.5)
        expected = 1e5 * np.exp(-9.81 * heights / (287.0 * 250))
        pressure = file["p"][0]
        assert np.allclose(pressure, expected[:, None, None], rtol=1e-12, atol=0)
        assert np.allclose(file["height"][0], heights[:, None, None], rtol=1e-12) and file["height"].attrs["coordinates"] == b"level_height"
        assert file["height"].attrs["standard_name"] == b"altitude" and file["p"].attrs["coordinates"] == b"level_height height"
        # Bilinear: h^2/8 times a second derivative along each of two axes.
        bound = 2 * (np.pi / 2 / 16) ** 2 / 8 * 2 * 20
        lat = np.radians(file["lat"][()])
        assert np.max(np.abs(file["velocity_east"][0] - 20 * np.cos(lat)[None, :, None])) < bound
        assert np.max(np.abs(file["velocity_north"][0])) < bound
        assert np.max(np.abs(file["w"][0] - 0.5)) < 1e-13
        assert np.max(np.abs(file["velocity_up"][0] - 0.5)) < 1e-13  # not that of straight lines between cells


def test_heights_are_coordinates_in_xarray(tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("netCDF4")
    (tmp_path / "globe.toml").write_text(case)
    succeed("run", "globe.toml", "--dir", "run", cwd=tmp_path)
    for name, places in (("latlon_000000.nc", {"time", "level", "lat", "lon", "height"}), ("fields_000000.h5", {"lon", "lat", "height"})):
        with xarray.open_dataset(tmp_path / "run" / name, engine="netcdf4") as file:
            assert file.attrs["Conventions"] == "CF-1.9" and places <= set(file["p"].coords)
            assert np.allclose(file["height"].isel(level=2), 5000)


def test_pictures_say_what_they_show(tmp_path):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    (tmp_path / "globe.toml").write_text(case)
    succeed("run", "globe.toml", "--dir", "run", cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    ax = Figure().add_subplot()
    watersmeet.map_panels.draw_map(ax, run.fields[0], "p")
    assert "lowest level" in ax.get_title() and "[Pa]" in ax.get_title()
    assert "6 panels of 16 x 16 x 6 cells" in provenance_line(run)


def test_maps_want_a_sphere(tmp_path):
    box = case.replace('kind = "cubed_sphere"\ncells = [16, 16, 6]\nradius = 6371220\ntop = 12e3', "cells = [8, 8, 8]\nsize = [8e3, 8e3, 8e3]")
    box = box.replace("20*cos(lat)", "0").replace('["p", "velocity", "velocity_east", "w", "height"]', '["velocity"]')
    (tmp_path / "box.toml").write_text(box)
    result = call("check", "box.toml", cwd=tmp_path)
    assert result.returncode != 0 and "there is no sphere in this case of atmosphere" in result.stderr


# Twice as thick at the lid as at the ground, over a mountain.
stretched_faces = [0.0, 1000.0, 2250.0, 3750.0, 5750.0, 8500.0, 12000.0]
mountain = {"physics__terrain": '"2000*exp(-4*lat^2)*cos(lon)^2"'}


@pytest.mark.parametrize("ground", [{}, mountain], ids=["flat", "mountain"])
def test_stretched_levels_are_where_files_say(tmp_path, ground):
    (tmp_path / "globe.toml").write_text(case)
    words = settings(grid__z_faces=str(stretched_faces), **ground)
    assert "6 levels of 1000 to 3500 below 12000" in succeed("run", "globe.toml", "--dir", "run", *words, cwd=tmp_path).stdout
    faces = np.array(stretched_faces)
    middles = (faces[1:] + faces[:-1]) / 2
    with h5py.File(tmp_path / "run" / "latlon_000000.nc") as file:
        np.testing.assert_allclose(file["level_height"][()], middles, rtol=1e-14)
        assert file["level_height"].attrs["units"] == b"m"
        np.testing.assert_allclose(file["level_height_bnds"][()], np.stack([faces[:-1], faces[1:]], axis=1), rtol=1e-14)
        assert file["p"].attrs["coordinates"] == b"level_height height"
        if not ground:
            expected = 1e5 * np.exp(-9.81 * middles / (287.0 * 250))
            assert np.allclose(file["p"][0], expected[:, None, None], rtol=1e-12, atol=0)
    last = watersmeet.open(tmp_path / "run").fields[-1]
    with h5py.File(last.path) as file:
        np.testing.assert_allclose(file["level_height"][()], middles, rtol=1e-14)
        height = file["height"][()]
    with h5py.File(tmp_path / "run" / "mesh.h5") as file:
        for panel in range(6):
            corners = np.linalg.norm(file[f"blocks/block_{panel:03}/xyz"][()], axis=-1) - 6371220
            ground_height = corners[0]
            zeta = faces[:, None, None]
            np.testing.assert_allclose(corners, zeta + ground_height * (1 - zeta / 12000), atol=1e-6)
            middle = sum(corners[k : 6 + k, j : 16 + j, i : 16 + i] for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8
            np.testing.assert_allclose(height[panel], middle, atol=1e-6)
            assert (np.ptp(ground_height) > 100) == bool(ground)


@pytest.mark.parametrize("name, keys, noted", [
    ("baroclinic-wave/quick", {"physics__sponge__top__width": "10000"}, True),
    ("baroclinic-wave/quick", {}, False),
    ("globe.toml", {"physics__sponge__top__width": "3000", "initial": '[{ velocity = [0, "20*cos(lat)", 0] }]'}, True),
    ("globe.toml", {"physics__sponge__top__width": "3000", "initial": "[{ velocity = [0, 0, 0] }]"}, False),
], ids=str)  # fmt: skip
def test_a_sponge_that_draws_the_initial_wind_to_rest_is_noted(tmp_path, name, keys, noted):
    (tmp_path / "globe.toml").write_text(case)
    told = call("check", name, "--device", "cpu", *settings(**keys), cwd=tmp_path)
    assert told.returncode == 0 and ("draws the flow to rest" in told.stdout) == noted, told.stdout + told.stderr


def test_levels_by_a_list_are_those_of_a_mapping(tmp_path):
    (tmp_path / "globe.toml").write_text(case)
    s = np.arange(7) / 6
    faces = [float(z) for z in 12e3 * (s + s**2) / 2]
    common = settings(time__steps=4, **mountain)
    succeed("run", "globe.toml", "--dir", "list", *common, *settings(grid__z_faces=str(faces)), cwd=tmp_path)
    succeed("run", "globe.toml", "--dir", "mapping", *common, *settings(grid__z_mapping='"s + s^2"'), cwd=tmp_path)
    lists, maps = (watersmeet.open(tmp_path / name).fields[-1] for name in ("list", "mapping"))
    with h5py.File(lists.path) as a, h5py.File(maps.path) as b:
        np.testing.assert_allclose(a["velocity"][()], b["velocity"][()], atol=1e-9)
        np.testing.assert_allclose(a["p"][()], b["p"][()], rtol=1e-12)


@pytest.mark.parametrize("schedule", ["sweeps", "tile"])
def test_each_schedule_serves_stretched_levels(tmp_path, schedule):
    (tmp_path / "globe.toml").write_text(case)
    told = call("check", "globe.toml", *settings(grid__z_mapping='"s + s^2"', device__schedule=f'"{schedule}"'), cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("keys, what", [
    ({"grid__z_faces": str([*stretched_faces[:-1], 11e3])}, ["grid.z_faces", "from 0 to 11000", "the grid goes from 0 to 12000"]),
    ({"grid__z_faces": str(stretched_faces[1:])}, ["grid.z_faces", "6 faces are given for 6 levels", "give 7 faces"]),
    ({"grid__z_faces": "[0, 100, 2000, 4000, 6000, 9000, 12000]"}, ["grid.z_faces", "level 1 is 1900 thick", "factor of at most 2"]),
    ({"grid__z_mapping": '"s + lat"'}, ["grid.z_mapping", "lat"]),
    ({"time__scheme": '"hevi"', "numerics__reconstruction__transverse": '"-1/24"'}, ["numerics.reconstruction.transverse", "hevi"]),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(tmp_path, keys, what):
    (tmp_path / "globe.toml").write_text(case)
    result = call("check", "globe.toml", *settings(**keys), cwd=tmp_path)
    assert result.returncode == 2, result.stdout
    for words in what:
        assert words in result.stderr, result.stderr
