"""Reading a run directory: values, laziness, units, files that are being written, and messages."""

import doctest
import importlib
import sys

import h5py
import numpy as np
import pytest
import synthetic
import watersmeet


def test_fields_are_in_z_y_x_order_with_units(run_path):
    run = watersmeet.open(run_path)
    assert run.times.tolist() == [0.0, 2.0]
    rho = run.fields[-1]["rho"]
    assert rho.shape == (8, 12, 16) and rho.dims == ("z", "y", "x") and rho.attrs["units"] == "mass/length^3"
    x, y = 2 * np.pi * 10 / 16, 2 * np.pi * np.arange(12) / 12
    plane = rho[:, :, 10]
    assert plane.shape == (8, 12)
    np.testing.assert_allclose(plane[3], np.exp(0.1 * np.cos(x + y) + 0.02), rtol=1e-14)
    assert run.fields[-1]["velocity"].dims == ("z", "y", "x", "component")
    np.testing.assert_array_equal(np.asarray(rho), rho[...])
    assert run.fields[0].attrs["program"] == "watersmeet"


def test_indexing_reads_only_the_part(run_path, monkeypatch):
    asked = []
    read = h5py.Dataset.__getitem__

    def spy(self, key, *rest, **named):
        asked.append((self.name, key))
        return read(self, key, *rest, **named)

    field = watersmeet.open(run_path).fields[-1]["velocity"]
    monkeypatch.setattr(h5py.Dataset, "__getitem__", spy)
    field[2, :, 5]
    assert asked == [("/velocity", (2, slice(None), 5))]


def test_unknown_names_are_answered_with_what_there_is(run_path):
    run = watersmeet.open(run_path)
    with pytest.raises(KeyError, match="no field 'temperature'.*rho, velocity"):
        run.fields[-1]["temperature"]
    with pytest.raises(KeyError, match="no column 'nusselt'.*u_rms"):
        run.series["nusselt"]
    for named in (run.averages, run.parts, run.pictures, run.isosurfaces):
        with pytest.raises(KeyError, match="nothing of this kind is called 'wake' in .*; there are: none"):
            named["wake"]
    with pytest.raises(IndexError, match="snapshot 2 of 2"):
        run.fields[2]
    with pytest.raises(FileNotFoundError, match="no directory"):
        watersmeet.open(run_path / "nowhere")
    (run_path.parent / "empty").mkdir()
    with pytest.raises(ValueError, match="not a run directory"):
        watersmeet.open(run_path.parent / "empty")


def test_series_and_spectra(run_path):
    run = watersmeet.open(run_path)
    series = run.series
    assert series.rows == 40 and series["step"].dtype == np.int64 and series["step"][-1] == 100
    np.testing.assert_allclose(series["u_rms"], 0.5 + 0.1 * series["t"], rtol=1e-15)
    assert series.units["dissipation"] == "length^2/time^3" and series.units["mass_drift"] == "1"
    spectra = run.spectra
    assert spectra.times.tolist() == [0, 0.5, 1, 1.5, 2] and spectra.steps.tolist() == [0, 25, 50, 75, 100]
    assert spectra["E"].shape == (5, 9) and spectra.k.tolist() == list(range(9))
    np.testing.assert_allclose(spectra["E"], spectra["Ex"] + spectra["Ey"] + spectra["Ez"], rtol=1e-14)
    assert spectra["E"][2, 3] == pytest.approx(0.05 * 2 * 3 * 3 ** (-5 / 3) * np.exp(-0.3), rel=1e-14)


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_half_written_last_line_is_left_out(run_path, cut):
    """Cut within the last line: also where the rest would still parse as a row with a shorter number."""
    for name in ("series.csv", "spectra.csv"):
        text = (run_path / name).read_text()
        (run_path / name).write_text(text[:-cut])
    run = watersmeet.open(run_path)
    assert run.series.rows == 39
    assert len(run.spectra.times) == 4 and run.spectra["E"].shape == (4, 9)


def test_damage_in_the_middle_is_reported_with_its_line(run_path):
    lines = (run_path / "series.csv").read_text().splitlines(keepends=True)
    lines[5] = lines[5].replace(",", ";", 1)
    (run_path / "series.csv").write_text("".join(lines))
    with pytest.raises(ValueError, match=r"series.csv:6: not a row of numbers"):
        watersmeet.open(run_path).series


def test_later_rows_of_a_resumed_run_replace_earlier_ones(tmp_path):
    synthetic.write_texts(tmp_path, synthetic.FORCED_CASE)
    synthetic.write_series(tmp_path, {"step": [0, 10, 20, 30, 20, 30, 40], "t": [0.0, 1, 2, 3, 2, 3.5, 4.5]})
    synthetic.write_spectra(tmp_path, [0, 20, 20, 40], [0, 2, 2, 4], [0, 1], np.arange(24).reshape(4, 2, 3))
    run = watersmeet.open(tmp_path)
    assert run.series["step"].tolist() == [0, 10, 20, 30, 40]
    assert run.series["t"].tolist() == [0, 1, 2, 3.5, 4.5]
    assert run.spectra.steps.tolist() == [0, 20, 40] and run.spectra["Ex"][:, 0].tolist() == [0, 12, 18]


def test_a_run_that_goes_on_shows_what_is_new(run_path):
    run = watersmeet.open(run_path)
    assert len(run.fields) == 2 and run.series.rows == 40
    axes = [2 * np.pi * np.arange(m) / m for m in (16, 12, 8)]
    synthetic.write_snapshot(run_path, 150, 3.0, axes, {"rho": np.ones((8, 12, 16))})
    (run_path / "fields_000200.vtkhdf.part").write_bytes(b"half")
    with open(run_path / "series.csv", "a") as file:
        file.write("150,3" + ",1" * 11 + "\n")
    assert run.times.tolist() == [0, 2, 3] and run.series["t"][-1] == 3.0


def test_info_and_settings(run_path):
    run = watersmeet.open(run_path)
    assert run.info["version"] == "0.1.0" and run.setting("forcing.k_max") == 2.0
    assert run.setting("forcing.helicity", 0.5) == 0.5
    (run_path / "resolved.toml").unlink()
    assert run.setting("case.name") == "forced-turbulence"


def test_to_pandas(run_path):
    pandas = pytest.importorskip("pandas")
    frame = watersmeet.open(run_path).series.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 40 and frame.attrs["units"]["t"] == "time"


def test_to_xarray_is_lazy_and_right(run_path, monkeypatch):
    pytest.importorskip("xarray")
    run = watersmeet.open(run_path)
    sizes = []
    from watersmeet.results import Field

    read = Field.__getitem__
    monkeypatch.setattr(Field, "__getitem__", lambda self, key: sizes.append(read(self, key).size) or read(self, key))
    ds = run.to_xarray()
    assert ds.rho.dims == ("time", "z", "y", "x") and ds.velocity.dims == ("time", "z", "y", "x", "component")
    assert sizes == [] and ds.rho.attrs["units"] == "mass/length^3"
    plane = ds.rho.isel(time=-1).sel(z=0, method="nearest")
    np.testing.assert_array_equal(plane.values, np.asarray(read(run.fields[-1]["rho"], 0)))
    assert sizes == [12 * 16]
    velocity = np.stack([read(s["velocity"], ...) for s in run.fields])
    np.testing.assert_array_equal(ds.velocity.sel(component="y").values, velocity[..., 1])
    np.testing.assert_array_equal(ds.velocity[::-1, 6:2:-2, :, ::-1, 2].values, velocity[::-1, 6:2:-2, :, ::-1, 2])
    rho = np.stack([read(s["rho"], ...) for s in run.fields])
    np.testing.assert_array_equal(ds.rho[:, [1, 5], :, 3].values, rho[:, [1, 5]][..., 3])
    assert ds.rho[0:0].shape == (0, 8, 12, 16) and ds.rho[0:0].values.size == 0


def test_missing_xarray_is_named(run_path, monkeypatch):
    for name in [n for n in sys.modules if n == "xarray" or n.startswith(("xarray.", "watersmeet.lazy_xarray"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ImportError, match="python3-xarray"):
        watersmeet.open(run_path).to_xarray()


@pytest.mark.parametrize("name", ["", ".results", ".tables", ".check", ".plot", ".provenance", ".progress", ".curves", ".watch", ".walls"])
def test_examples_in_the_documentation_run(run_path, monkeypatch, name):
    if name in ("", ".plot", ".results"):
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(run_path.parents[1])
    result = doctest.testmod(importlib.import_module(f"watersmeet{name}"))
    assert result.attempted > 0 and result.failed == 0


def test_version_matches_the_package_description():
    tomllib = pytest.importorskip("tomllib")
    from conftest import root

    assert tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"] == watersmeet.__version__
