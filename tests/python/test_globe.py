"""The atmosphere on a cubed sphere: maps of its levels."""

import h5py
import numpy as np
import pytest
from runs import call, needs_program, succeed

import watersmeet
import watersmeet.sphere
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
fields = ["pressure", "velocity", "velocity_east", "w", "height"]
"""


def test_maps_have_levels(tmp_path):
    (tmp_path / "globe.toml").write_text(case)
    succeed("run", "globe.toml", "--dir", "run", cwd=tmp_path)
    with h5py.File(tmp_path / "run" / "latlon_000000.nc") as file:
        assert file["pressure"].shape == (1, 6, 18, 36)
        assert file["pressure"].attrs["units"] == b"Pa" and file["sphere"].attrs["earth_radius"] == 6371220
        heights = 2000 * (np.arange(6) + 0.5)
        expected = 1e5 * np.exp(-9.81 * heights / (287.0 * 250))
        pressure = file["pressure"][0]
        assert np.allclose(pressure, expected[:, None, None], rtol=1e-12, atol=0)
        assert np.allclose(file["height"][0], heights[:, None, None], rtol=1e-12) and "coordinates" not in file["height"].attrs
        assert file["height"].attrs["standard_name"] == b"altitude" and file["pressure"].attrs["coordinates"] == b"height"
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
            assert file.attrs["Conventions"] == "CF-1.9" and places <= set(file["pressure"].coords)
            assert np.allclose(file["height"].isel(level=2), 5000)


def test_pictures_say_what_they_show(tmp_path):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    (tmp_path / "globe.toml").write_text(case)
    succeed("run", "globe.toml", "--dir", "run", cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    ax = Figure().add_subplot()
    watersmeet.sphere.draw_map(ax, run.fields[0], "pressure")
    assert "lowest level" in ax.get_title() and "[Pa]" in ax.get_title()
    assert "6 panels of 16 x 16 x 6 cells" in provenance_line(run)


def test_maps_want_a_sphere(tmp_path):
    box = case.replace('kind = "cubed_sphere"\ncells = [16, 16, 6]\nradius = 6371220\ntop = 12e3', "cells = [8, 8, 8]\nsize = [8e3, 8e3, 8e3]")
    box = box.replace("20*cos(lat)", "0").replace('["pressure", "velocity", "velocity_east", "w", "height"]', '["velocity"]')
    (tmp_path / "box.toml").write_text(box)
    result = call("check", "box.toml", cwd=tmp_path)
    assert result.returncode != 0 and "there is no sphere in this case of atmosphere" in result.stderr
