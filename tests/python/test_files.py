"""The files of a run, read with the libraries that users have: h5py, xarray, netCDF4, csv, json, xml.

The C++ test program writes one sample of each (tests/unit/io/sample_files_test.cpp says with which values); it is looked
for in $WATERSMEET_BUILD, else in build/ beside this checkout's sources.
"""

import csv
import json
import os
import pathlib
import struct
import subprocess
import xml.etree.ElementTree
import zlib

import h5py
import netCDF4
import numpy
import pytest
import xarray

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = [0, 10, 25]
TIMES = [0.1 * step for step in STEPS]
X = 0.5 * numpy.arange(5)
Y = 1 + 0.25 * numpy.arange(4)
Z = 2 + 0.125 * numpy.arange(3)


def rho_at(time):
    return X + 10 * Y[:, None] + 100 * Z[:, None, None] + 1000 * time


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    build = pathlib.Path(os.environ.get("WATERSMEET_BUILD", ROOT / "build"))
    program = build / "tests" / "test_unit_io"
    assert program.exists(), f"{program} is missing: build the target test_unit_io or set WATERSMEET_BUILD"
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run(
        [program, "--gtest_filter=SampleFiles.*"],
        env={**os.environ, "WATERSMEET_SAMPLES": str(folder)},
        check=True,
        capture_output=True,
    )
    return folder


def snapshot(samples, step):
    return samples / f"fields_{step:06}.vtkhdf"


def test_folder_holds_only_finished_files(samples):
    assert sorted(path.name for path in samples.iterdir()) == [
        "checkpoint_000025.h5",
        "fields.xmf",
        *(f"fields_{step:06}.vtkhdf" for step in STEPS),
        "run.json",
        "series.csv",
        "series.h5",
        "series.vtkhdf",
        "spectra.csv",
        "telemetry.jsonl",
    ]


@pytest.mark.parametrize("step", STEPS)
def test_snapshot_in_h5py(samples, step):
    with h5py.File(snapshot(samples, step)) as file:
        vtk = file["VTKHDF"]
        assert vtk.attrs["Type"] == b"ImageData"
        assert vtk.attrs["Type"].dtype.kind == "S"
        assert list(vtk.attrs["Version"]) == [2, 2]
        assert list(vtk.attrs["WholeExtent"]) == [0, 5, 0, 4, 0, 3]
        assert vtk.attrs["WholeExtent"].dtype == numpy.int64
        # Points are the cells' centres: the first cell begins half a spacing before the first point.
        assert list(vtk.attrs["Origin"]) == [-0.25, 1 - 0.125, 2 - 0.0625]
        assert list(vtk.attrs["Spacing"]) == [0.5, 0.25, 0.125]
        assert list(vtk.attrs["Direction"]) == [1, 0, 0, 0, 1, 0, 0, 0, 1]
        assert "Steps" not in vtk
        for group in (file["/"], vtk, vtk["CellData"]):
            flags = group.id.get_create_plist().get_link_creation_order()
            assert flags == h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED
        cells = vtk["CellData"]
        assert cells["rho"].shape == (3, 4, 5) and cells["rho"].dtype == numpy.float64
        assert cells["velocity"].shape == (3, 4, 5, 3) and cells["velocity"].dtype == numpy.float32
        for name in ("rho", "velocity"):
            assert file[name] == cells[name]  # one object, two names
            assert h5py.h5o.get_info(file[name].id).rc == 2
            assert file[name].chunks is None
        numpy.testing.assert_allclose(file["rho"][:], rho_at(0.1 * step), rtol=1e-15)
        assert [dimension.keys()[0] for dimension in file["velocity"].dims] == ["z", "y", "x", "component"]
        run = file["run"]
        assert run["input_toml"][()].decode() == '# café\n[case]\nname = "sample"\n'
        assert run.attrs["seed"] == 2**64 - 1
        assert run.attrs["step"] == step and run.attrs["t"] == file["time"][()] == 0.1 * step
        assert run.attrs["devices"] == b"GPU A; GPU B"
        assert run.attrs["L_u"] == 0.5


def test_info_about_damaged_texts_prints_utf8(samples, tmp_path):
    path = tmp_path / "fields_000010.vtkhdf"
    path.write_bytes(snapshot(samples, 10).read_bytes())
    with h5py.File(path, "a") as file:
        name = next(name for name in file if "long_name" in file[name].attrs and "units" in file[name].attrs)
        file[name].attrs["units"] = numpy.bytes_(b"m\xff\x1b[31m")
    program = os.environ.get("WATERSMEET_BINARY", pathlib.Path(os.environ.get("WATERSMEET_BUILD", ROOT / "build")) / "watersmeet")
    shown = subprocess.run([program, "info", path], capture_output=True).stdout
    assert "unit m\ufffd?[31m\n" in shown.decode("utf-8"), shown


@pytest.mark.parametrize("step", STEPS)
def test_snapshot_in_xarray(samples, step):
    with xarray.open_dataset(snapshot(samples, step), engine="netcdf4") as data:
        assert dict(data.sizes) == {"x": 5, "y": 4, "z": 3, "component": 3}
        assert set(data.data_vars) == {"rho", "velocity"}
        assert set(data.coords) == {"x", "y", "z", "component", "time"}
        for name, values in (("x", X), ("y", Y), ("z", Z)):
            numpy.testing.assert_array_equal(data[name], values)
            assert data[name].attrs["units"] == "m"
            assert data[name].attrs["axis"] == name.upper()
        assert data.time.dtype == numpy.float64 and float(data.time) == 0.1 * step
        assert data.time.attrs["units"] == "s"
        assert data.rho.dims == ("z", "y", "x")
        assert data.rho.attrs["units"] == "kg m-3"
        assert data.rho.attrs["standard_name"] == "air_density"
        assert data.rho.attrs["long_name"] == "density"
        numpy.testing.assert_allclose(data.rho, rho_at(0.1 * step), rtol=1e-15)
        assert data.velocity.dims == ("z", "y", "x", "component")
        for component, name in enumerate("xyz"):
            expected, _ = xarray.broadcast(data[name], data.rho)
            numpy.testing.assert_array_equal(
                data.velocity.isel(component=component), expected.transpose("z", "y", "x").astype("f4")
            )
        assert data.attrs["Conventions"] == "CF-1.9"
        assert data.attrs["title"] == "sample µ"
        assert data.attrs["source"] == "watersmeet 0.1.0 (commit 1a2b3c4)"
        assert data.attrs["run_id"] == "sample-001"
        assert float(data.rho.sel(x=1.0, y=1.5, z=2.125).isel()) == pytest.approx(1 + 15 + 212.5 + 100 * step)


def test_snapshots_together_in_xarray(samples):
    parts = [xarray.open_dataset(snapshot(samples, step), engine="netcdf4") for step in STEPS]
    data = xarray.concat(parts, "time")
    assert data.rho.dims == ("time", "z", "y", "x")
    numpy.testing.assert_array_equal(data.time, TIMES)
    numpy.testing.assert_allclose(data.rho[2], rho_at(2.5), rtol=1e-15)


def test_snapshot_in_netcdf4(samples):
    with netCDF4.Dataset(snapshot(samples, 10)) as data:
        assert list(data.dimensions) == ["x", "y", "z", "component"]  # in order of creation, no phony ones
        assert data.variables["velocity"].dimensions == ("z", "y", "x", "component")
        numpy.testing.assert_allclose(data["rho"][:], rho_at(1.0), rtol=1e-15)
        assert data["run"].step == 10
        assert data["VTKHDF"].Type == "ImageData"
        assert data["VTKHDF/CellData/rho"].dimensions == ("z", "y", "x")


def test_series_of_snapshots(samples):
    with h5py.File(samples / "series.vtkhdf") as file:
        steps = file["VTKHDF/Steps"]
        assert steps.attrs["NSteps"] == 3
        numpy.testing.assert_array_equal(steps["Values"], TIMES)
        assert file["VTKHDF/CellData/rho"].is_virtual
        assert {source.file_name for source in file["rho"].virtual_sources()} == {
            f"fields_{step:06}.vtkhdf" for step in STEPS
        }
        for name in ("rho", "velocity"):
            assert list(steps["CellDataOffsets"][name]) == [0, 1, 2]
            assert file[name] == file["VTKHDF/CellData"][name]
        assert file["velocity"].shape == (3, 3, 4, 5, 3)
    with xarray.open_dataset(samples / "series.vtkhdf", engine="netcdf4") as data:
        assert data.rho.dims == ("time", "z", "y", "x")
        numpy.testing.assert_array_equal(data.time, TIMES)
        for number, time in enumerate(TIMES):
            numpy.testing.assert_allclose(data.rho[number], rho_at(time), rtol=1e-15)


def test_xmf_agrees_with_the_files(samples):
    root = xml.etree.ElementTree.parse(samples / "fields.xmf").getroot()
    assert root.tag == "Xdmf" and root.get("Version") == "3.0"
    (collection,) = root.findall("Domain/Grid")
    assert collection.get("CollectionType") == "Temporal"
    grids = collection.findall("Grid")
    assert [float(grid.find("Time").get("Value")) for grid in grids] == TIMES
    for grid, step in zip(grids, STEPS):
        topology = grid.find("Topology")
        assert topology.get("TopologyType") == "3DCoRectMesh"
        assert topology.get("Dimensions") == "4 5 6"
        origin, spacing = ([float(v) for v in item.text.split()] for item in grid.findall("Geometry/DataItem"))
        assert origin == [2 - 0.0625, 1 - 0.125, -0.25]
        assert spacing == [0.125, 0.25, 0.5]
        attributes = {a.get("Name"): a for a in grid.findall("Attribute")}
        assert list(attributes) == ["rho", "velocity"]
        assert attributes["rho"].get("AttributeType") == "Scalar"
        assert attributes["velocity"].get("AttributeType") == "Vector"
        for attribute in attributes.values():
            assert attribute.get("Center") == "Cell"
            item = attribute.find("DataItem")
            name, path = item.text.split(":")
            assert name == f"fields_{step:06}.vtkhdf"  # relative: the folder can be moved
            with h5py.File(samples / name) as file:
                assert file[path].shape == tuple(int(n) for n in item.get("Dimensions").split())
                assert file[path].dtype.itemsize == int(item.get("Precision"))


def test_checkpoint_in_h5py(samples):
    with h5py.File(samples / "checkpoint_000025.h5") as file:
        assert file.attrs["format"] == b"watersmeet checkpoint"
        assert file.attrs["format_version"] == 1
        assert list(file.attrs["n"]) == [5, 4, 3]
        values = file["arrays/lnrho"][:]
        numpy.testing.assert_array_equal(values.ravel(), numpy.sqrt(numpy.arange(60)))
        assert file["arrays/lnrho"].attrs["crc32"] == zlib.crc32(values.tobytes())
        assert file["reals"].attrs["t"] == 0.1
        assert file["integers"].attrs["step"] == 25
        assert file["texts/system"][()] == b"isothermal"
        assert file["run"].attrs["run_id"] == b"sample-001"
        bits = struct.pack(">d", 0.1).hex()
        state = f"n 5 4 3\narray lnrho\nreal t {bits}\ninteger step 25\ntext system 10\nisothermal\n"
        assert file.attrs["state_crc32"] == zlib.crc32(state.encode())


def test_checkpoint_seal_can_be_verified_elsewhere(samples):
    content = (samples / "checkpoint_000025.h5").read_bytes()
    length = int(content[-9:-1])
    body, seal = content[:-length], content[-length:].decode()
    words = dict(word.split("=") for word in seal.splitlines()[0].split())
    assert int(words["size"]) == len(body)
    crc, at = 0, 0
    for text in words["skip"].split(","):
        first, count = map(int, text.split("+"))
        crc = zlib.crc32(body[at:first], crc)
        at = first + count
    crc = zlib.crc32(body[at:], crc)
    crc = zlib.crc32(seal[: seal.index("crc32=")].encode(), crc)
    assert crc == int(words["crc32"], 16)


def test_time_series(samples):
    with open(samples / "series.csv") as file:
        lines = list(csv.reader(file))
    assert lines[0] == ["step", "t", "mass"]
    assert ",".join(lines[1]) == "# units: 1,s,kg"
    assert [[float(v) for v in line] for line in lines[2:]] == [[s, 0.1 * s, 1 / 3 + s] for s in STEPS]
    with xarray.open_dataset(samples / "series.h5", engine="netcdf4") as data:
        assert data.mass.dims == ("t",)
        assert data.mass.attrs["units"] == "kg"
        numpy.testing.assert_array_equal(data.mass, [1 / 3 + s for s in STEPS])
        numpy.testing.assert_array_equal(data.step, STEPS)
        assert data.step.dtype == numpy.int64
    with xarray.open_dataset(samples / "series.h5", engine="netcdf4", group="spectra") as data:
        assert data.E.dims == ("t", "k")
        numpy.testing.assert_array_equal(data.k, [1, 2])
        numpy.testing.assert_array_equal(data.E, [[0.5 + s, 0.25 + s] for s in STEPS])


def test_telemetry_and_record(samples):
    header, record = (json.loads(line) for line in open(samples / "telemetry.jsonl"))
    assert header["units"] == {"dt": "s"}
    assert record == {"step": 10, "dt": 0.1, "power_w": None}
    run = json.loads((samples / "run.json").read_text())
    assert run["run_id"] == "sample-001" and run["exit_status"] == 0 and run["restarts"] == []
