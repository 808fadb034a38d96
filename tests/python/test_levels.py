"""Fields at heights and on pressure levels, and at walls: against columns whose values are known."""

import h5py
import numpy as np
import pytest
import synthetic
import watersmeet
from runs import needs_program, succeed
from watersmeet import levels, walls

faces = np.array([0.0, 100, 250, 450, 700, 1000])
middle = 0.5 * (faces[:-1] + faces[1:])


def box(folder, ground=None):
    """Columns of uneven cells over the ground, whose field T is linear in z, q quadratic, p exponential with the scale height 800."""
    synthetic.write_texts(folder, '[case]\nsystem = "atmosphere"\n')
    x, y = 10.0 * np.arange(6) + 5, 10.0 * np.arange(4) + 5
    if ground is None:
        z = np.broadcast_to(middle[:, None, None], (5, 4, 6))
    else:
        corner_ground = ground[None, None, :] * np.ones((1, 5, 1))
        corner_z = corner_ground + faces[:, None, None] * (1 - corner_ground / 1000)
        with h5py.File(folder / "mesh.h5", "w") as file:
            yy, xx = np.meshgrid(10.0 * np.arange(5), 10.0 * np.arange(7), indexing="ij")
            xyz = np.stack([np.broadcast_to(xx, corner_z.shape), np.broadcast_to(yy, corner_z.shape), corner_z], -1)
            file["blocks/block_000/xyz"] = xyz
        face_z = 0.5 * (corner_z[:, :, 1:] + corner_z[:, :, :-1])[:, :-1]
        z = 0.5 * (face_z[1:] + face_z[:-1])
    fields = {"T": 300 - 0.01 * z, "q": 1 + z**2 / 1e4, "p": 1e5 * np.exp(-z / 800), "velocity": np.stack([z, 2 * z, 0 * z], -1)}
    path = synthetic.write_snapshot(folder, 7, 70.0, [x, y, middle], fields)
    with h5py.File(path, "a") as file:
        if ground is None:
            file["z_faces"] = faces
            file["z_faces"].attrs["uneven"] = np.bytes_("true")
        else:
            file["z"].attrs["corners"] = np.bytes_("mesh.h5:/blocks/block_000/xyz")
    return watersmeet.open(folder)


@pytest.fixture
def flat(tmp_path):
    return box(tmp_path / "flat")


@pytest.fixture
def hill(tmp_path):
    return box(tmp_path / "hill", np.array([0.0, 20, 120, 200, 120, 20, 0]))


def test_heights_of_columns(flat, tmp_path):
    found, found_faces = levels.heights(flat.fields[-1])
    np.testing.assert_array_equal(found[:, 2, 3], middle)
    np.testing.assert_array_equal(found_faces[:, 2, 3], faces)
    even = synthetic.write_snapshot(tmp_path, 8, 80.0, [np.arange(3.0), np.arange(3.0), np.array([0.5, 1.5])], {"T": np.zeros((2, 3, 3))})
    np.testing.assert_allclose(levels.heights(watersmeet.results.Snapshot(even))[1][:, 0, 0], [0, 1, 2])


def test_at_heights(flat):
    last = flat.fields[-1]
    found = levels.at_heights(last, "T", [50.0, 333.0, 850.0])
    assert found.shape == (3, 4, 6)
    np.testing.assert_allclose(found, (300 - 0.01 * np.array([50, 333, 850.0]))[:, None, None] * np.ones((1, 4, 6)))
    np.testing.assert_allclose(levels.at_heights(last, "T", [0.0, 20.0, 1000.0])[:, 0, 0], [299.5, 299.5, 291.5])  # beyond the outermost centres: their values
    assert np.all(np.isnan(levels.at_heights(last, "T", [-1.0, 1001.0])))
    np.testing.assert_allclose(levels.at_heights(last, "velocity.y", 333.0), 666.0)
    np.testing.assert_allclose(levels.at_heights(last, "velocity", 333.0), 333 * 5**0.5)
    np.testing.assert_allclose(levels.at_heights(last, "height", 333.0), 333.0)
    with pytest.raises(ValueError, match='"sea" or "ground"'):
        levels.at_heights(last, "T", 1.0, above="water")
    with pytest.raises(KeyError, match="no field"):
        levels.at_heights(last, "nothing", 1.0)


def test_over_a_hill(hill):
    last = hill.fields[-1]
    ground = levels.heights(last)[1][0]
    np.testing.assert_allclose(ground[0], [10, 70, 160, 160, 70, 10])
    found = levels.at_heights(last, "T", [150.0])[0]
    np.testing.assert_allclose(found[:, [0, 1, 4, 5]], 298.5)
    assert np.all(np.isnan(found[:, [2, 3]]))  # below the ground
    np.testing.assert_allclose(levels.at_heights(last, "T", [200.0], above="ground")[0], 300 - 0.01 * (ground + 200), rtol=1e-12)


def test_at_pressures(flat, hill):
    for run in (flat, hill):
        last = run.fields[-1]
        wanted = 1e5 * np.exp(-np.array([333.0, 700.0]) / 800)
        np.testing.assert_allclose(levels.at_pressures(last, "height", wanted), np.array([333.0, 700.0])[:, None, None] * np.ones((1, 4, 6)))
        np.testing.assert_allclose(levels.at_pressures(last, "T", wanted)[1], 293.0)
    last = flat.fields[-1]
    low, high, beyond = 1e5 * np.exp(-np.array([10.0, 990.0, 1010.0]) / 800)
    np.testing.assert_allclose(levels.at_pressures(last, "height", [low, high])[:, 0, 0], [10, 990])  # along the slope
    np.testing.assert_allclose(levels.at_pressures(last, "T", [low, high])[:, 0, 0], [299.5, 291.5])
    assert np.all(np.isnan(levels.at_pressures(last, "T", [1.01e5, beyond])))
    with pytest.raises(ValueError, match="must fall with height"):
        levels.at_pressures(last, "T", [3e4], pressure="q")
    with pytest.raises(ValueError, match="above 0"):
        levels.at_pressures(last, "T", [-1.0])


def test_the_dataset(flat):
    xarray = pytest.importorskip("xarray")
    ds = levels.dataset(flat, ["T", "height"], pressures=[8e4, 6e4])
    assert isinstance(ds, xarray.Dataset) and ds.T.dims == ("time", "pressure", "y", "x") and ds.pressure.attrs["positive"] == "down"
    np.testing.assert_allclose(ds.height[0, 0], -800 * np.log(0.8), rtol=1e-6)
    ds = levels.dataset(flat, ["T"], heights=[10.0], above="ground")
    assert ds.height.attrs["long_name"] == "height above ground" and ds.time.values.tolist() == [70.0]
    with pytest.raises(ValueError, match="heights or pressures"):
        levels.dataset(flat, ["T"])


def test_blocks_have_no_columns(tmp_path):
    blocks = watersmeet.open(synthetic.block_run(tmp_path)).fields[-1]
    with pytest.raises(ValueError, match="no columns"):
        levels.heights(blocks)
    place, found = walls.on_patch(blocks, "mach", "body")
    assert place.shape == (34, 3) and np.allclose(np.hypot(place[:, 0], place[:, 1]), 1)
    np.testing.assert_allclose(found, 0.8 * np.abs(place[:, 1]), atol=1e-12)  # potential flow
    with pytest.raises(ValueError, match="there are: body, far"):
        walls.on_patch(blocks, "mach", "wing")
    with pytest.raises(ValueError, match="on_patch"):
        walls.on_side(blocks, "mach", "x_lower")


def test_at_walls(flat, hill):
    last = flat.fields[-1]
    for points, wanted in ((1, 1 + 50**2 / 1e4), (2, 1 - 50 * 175 / 1e4), (3, 1.0), (4, 1.0)):  # two points: the chord at 0
        np.testing.assert_allclose(walls.on_side(last, "q", "z_lower", points=points), wanted, rtol=1e-12)
    np.testing.assert_allclose(walls.on_side(last, "q", "z_upper"), 1 + 1000**2 / 1e4)
    np.testing.assert_allclose(walls.on_side(last, "q", "z_upper", points=1), 1 + 850**2 / 1e4)
    assert walls.on_side(last, "velocity.x", "x_lower").shape == (5, 4) and walls.on_side(last, "q", "y_upper").shape == (5, 6)
    over = walls.on_side(hill.fields[-1], "q", "z_lower")
    np.testing.assert_allclose(over, 1 + levels.heights(hill.fields[-1])[1][0] ** 2 / 1e4, rtol=1e-12)
    for words, match in (({"side": "top"}, "one of x_lower"), ({"side": "z_lower", "points": 9}, "from 1 to 4"), ({"side": "z_lower", "name": "velocity.q"}, "components")):
        with pytest.raises(ValueError, match=match):
            walls.on_side(last, words.pop("name", "q"), **words)
    with pytest.raises(ValueError, match="must not be more"):
        walls.on_side(watersmeet.results.Snapshot(synthetic.write_snapshot(flat.path, 9, 9.0, [np.arange(2.0)] * 3, {"q": np.zeros((2, 2, 2))})), "q", "x_lower")


@needs_program
def test_heights_are_those_that_the_program_writes(tmp_path):
    """`height` of the program on a sphere, with its mountain, and over terrain."""
    more = ["--device", "cpu", "--quiet", "--set", "output.overview=false", "--set", "time.steps=1", "--set", 'output.fields=["p","height"]']
    for case in ("baroclinic-wave", "agnesi-mountain"):
        succeed("run", f"{case}/quick", "--dir", case, *more, cwd=tmp_path)
        last = watersmeet.open(tmp_path / case).fields[-1]
        np.testing.assert_allclose(levels.heights(last)[0], levels.columns(last, "height")[0], atol=1e-6)
        below = levels.at_pressures(last, "height", [9e4])
        assert np.all((below > 500) & (below < 1500))
