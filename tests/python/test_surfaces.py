"""Iso-surfaces and contour lines: their places, values and files; pictures in space where PyVista is there."""

import base64
import re
import xml.etree.ElementTree as xml

import h5py
import numpy as np
import pytest
import synthetic
import watersmeet
from runs import needs_program, succeed
from watersmeet import places, plot, surfaces

pytest.importorskip("contourpy")
try:
    import skimage  # noqa: F401

    has_library = True
except ImportError:
    try:
        import pyvista  # noqa: F401

        has_library = True
    except ImportError:
        has_library = False
in_space = pytest.mark.skipif(not has_library, reason="neither scikit-image nor PyVista")


@pytest.fixture
def ball(tmp_path):
    """Distance from (1, 0.5, 0.25) on cells of other widths along each axis."""
    synthetic.write_texts(tmp_path, '[case]\nsystem = "isothermal"\n')
    axes = [np.linspace(-1, 3, 41), np.linspace(-1.5, 2.5, 33), np.linspace(-1.75, 2.25, 37)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    r = np.sqrt((x - 1) ** 2 + (y - 0.5) ** 2 + (z - 0.25) ** 2)
    synthetic.write_snapshot(tmp_path, 3, 1.5, axes, {"r": r, "rho": x, "velocity": np.stack([x, y, z], -1)})
    return watersmeet.open(tmp_path)


def test_places_and_values(ball, tmp_path):
    last = ball.fields[-1]
    xyz = places.coordinates(last)
    assert xyz.shape == (37, 33, 41, 3) and np.array_equal(xyz[3, 4, 5], [last.x[5], last.y[4], last.z[3]])
    np.testing.assert_allclose(places.values(last, "velocity.y")[0], xyz[..., 1])
    np.testing.assert_allclose(places.values(last, "velocity")[0], np.linalg.norm(xyz, axis=-1))
    at = np.array([[0.25, 3.5, 7.75], [36, 32, 40], [0, 0, 0]])
    np.testing.assert_allclose(places.trilinear(xyz, at)[0], [-1 + 7.75 * 0.1, -1.5 + 3.5 / 8, -1.75 + 0.25 / 9])  # linear: exact
    np.testing.assert_allclose(places.trilinear(xyz, at)[1:], xyz[[-1, 0], [-1, 0], [-1, 0]])
    blocks = watersmeet.open(synthetic.block_run(tmp_path / "blocks")).fields[-1]
    with pytest.raises(ValueError, match="mach has no components"):
        places.values(blocks, "mach.x")
    np.testing.assert_allclose(places.middles(np.arange(8.0).reshape(2, 2, 2)), [[[3.5]]])


@in_space
def test_a_sphere(ball):
    found = surfaces.isosurface(ball.fields[-1], "r", 1.0, carry=["rho", "velocity.z"])
    distance = np.linalg.norm(found.points - [1, 0.5, 0.25], axis=1)
    assert np.abs(distance - 1).max() < 0.003 and found.area == pytest.approx(4 * np.pi, rel=0.01)
    np.testing.assert_allclose(found.values["rho"], found.points[:, 0], atol=1e-6)  # a linear field is met
    np.testing.assert_allclose(found.values["velocity.z"], found.points[:, 2], atol=1e-6)
    assert set(found.values["r"]) == {1.0} and found.value_units["rho"] == "mass/length^3" and found.time == 1.5
    # closed: each edge has two triangles
    edges = np.sort(found.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)
    two = surfaces.isosurface(ball.fields[-1], "r", [0.5, 1.0])
    assert set(two.values["r"]) == {0.5, 1.0} and two.area == pytest.approx(5 * np.pi, rel=0.01) and two.triangles.max() == len(two.points) - 1


@in_space
def test_no_surface(ball, tmp_path):
    with pytest.raises(ValueError, match=r"no surface: r of fields_000003.vtkhdf is between 0 and 3\.46.*, not 9"):
        surfaces.isosurface(ball.fields[-1], "r", 9.0)
    with pytest.raises(KeyError, match="no field 'q'"):
        surfaces.isosurface(ball.fields[-1], "q", 1.0)
    synthetic.write_snapshot(tmp_path / "..", 0, 0.0, [np.arange(4.0), np.arange(4.0), np.zeros(1)], {"p": np.zeros((1, 4, 4))})
    flat = watersmeet.results.Snapshot(tmp_path / ".." / "fields_000000.vtkhdf")
    assert surfaces.is_flat(flat) and not surfaces.is_flat(ball.fields[-1])
    with pytest.raises(ValueError, match="contour lines, no surfaces"):
        surfaces.isosurface(flat, "p", 1.0)


def test_libraries_that_are_missing_are_named(ball, monkeypatch):
    for name in ("skimage", "skimage.measure", "pyvista"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ImportError, match="python3-skimage"):
        surfaces.isosurface(ball.fields[-1], "r", 1.0)
    with pytest.raises(ImportError, match="pip install pyvista"):
        plot.volume(ball, "r")


@pytest.mark.skipif(not has_library, reason="neither scikit-image nor PyVista")
def test_both_libraries_have_the_same_surface(ball, monkeypatch):
    pytest.importorskip("pyvista")
    pytest.importorskip("skimage")
    one = surfaces.isosurface(ball.fields[-1], "r", 1.0)
    monkeypatch.setattr(surfaces, "_marched", surfaces._contoured)
    other = surfaces.isosurface(ball.fields[-1], "r", 1.0)
    assert one.area == pytest.approx(other.area, rel=2e-3) and len(one.points) == pytest.approx(len(other.points), rel=0.02)


def test_lines(ball, tmp_path):
    found = surfaces.contours(ball.fields[-1], "r", [0.5, 1.0], slice="z=0.25")
    height = found.points[0, 2]
    assert np.all(found.points[:, 2] == height) and len(found.lines) == 2
    for line in found.lines:
        level = found.values["r"][line[0]]
        assert np.abs(np.linalg.norm(found.points[line] - [1, 0.5, 0.25], axis=1) - level).max() < 0.006
        np.testing.assert_allclose(found.points[line[0]], found.points[line[-1]])
    radii = [np.sqrt(level**2 - (height - 0.25) ** 2) for level in (0.5, 1.0)]
    assert found.length == pytest.approx(2 * np.pi * sum(radii), rel=0.01)
    with pytest.raises(ValueError, match="no line: r of this plane"):
        surfaces.contours(ball.fields[-1], "r", 9.0)
    blocks = watersmeet.open(synthetic.block_run(tmp_path / "blocks")).fields[-1]
    lines = surfaces.contours(blocks, "mach", 0.4)
    z = lines.points[:, 0] + 1j * lines.points[:, 1]
    assert np.abs(0.4 * np.abs(1 - 1 / z**2) - 0.4).max() < 0.05 and surfaces.is_flat(blocks)
    with pytest.raises(ValueError, match="without a slice"):
        surfaces.contours(blocks, "mach", 0.4, slice="z=0")


def read_vtp(path):
    root = xml.parse(path).getroot()
    assert root.get("header_type") == "UInt64" and root.get("byte_order") == "LittleEndian"
    arrays = {}
    for node in root.iter("DataArray"):
        header, body = node.text[:12], node.text[12:]
        values = np.frombuffer(base64.b64decode(body), {"Float64": "<f8", "Int64": "<i8"}[node.get("type")])
        assert np.frombuffer(base64.b64decode(header), "<u8")[0] == values.nbytes
        arrays.setdefault(node.get("Name"), []).append(values.reshape(-1, int(node.get("NumberOfComponents"))).squeeze(-1) if node.get("NumberOfComponents") == "1" else values.reshape(-1, 3))
    return root.find("PolyData/Piece"), arrays


@pytest.fixture
def data():
    return surfaces.PolyData(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), np.array([[0, 1, 2], [0, 1, 3]]), [np.array([0, 1, 2, 0]), np.array([2, 3])],
                             {"p": np.arange(4.0), "velocity": np.arange(12.0).reshape(4, 3)}, {"p": "Pa"}, 2.5, "s", "m")


def test_the_file_in_xml(data, tmp_path):
    piece, arrays = read_vtp(data.write(tmp_path / "new" / "a.vtp"))
    assert [piece.get(f"NumberOf{what}") for what in ("Points", "Lines", "Polys")] == ["4", "2", "2"]
    np.testing.assert_array_equal(arrays["Points"][0], data.points)
    np.testing.assert_array_equal(arrays["connectivity"][0], [0, 1, 2, 0, 2, 3])
    np.testing.assert_array_equal(arrays["offsets"][0], [4, 6])
    np.testing.assert_array_equal(arrays["connectivity"][1], [0, 1, 2, 0, 1, 3])
    np.testing.assert_array_equal(arrays["velocity"][0], data.values["velocity"])
    assert arrays["TimeValue"][0] == [2.5] and [p.name for p in (tmp_path / "new").iterdir()] == ["a.vtp"]
    with pytest.raises(ValueError, match=r"\.vtp or \.vtkhdf"):
        data.write(tmp_path / "a.stl")


def test_the_file_in_hdf5(data, tmp_path):
    with h5py.File(data.write(tmp_path / "a.vtkhdf")) as file:
        root = file["VTKHDF"]
        assert root.attrs["Type"] == b"PolyData" and list(root.attrs["Version"]) == [2, 0]
        assert root["NumberOfPoints"][0] == 4 and root["Points"].attrs["units"] == b"m" and root["PointData/p"].attrs["units"] == b"Pa"
        for name, cells, ids in (("Vertices", 0, 0), ("Lines", 2, 6), ("Polygons", 2, 6), ("Strips", 0, 0)):
            group = root[name]
            assert (group["NumberOfCells"][0], group["NumberOfConnectivityIds"][0], len(group["Connectivity"]), len(group["Offsets"])) == (cells, ids, ids, cells + 1)
        np.testing.assert_array_equal(root["Polygons/Offsets"], [0, 3, 6])


@pytest.mark.parametrize("ending", ["vtp", "vtkhdf"])
def test_vtk_reads_the_files(data, tmp_path, ending):
    pyvista = pytest.importorskip("pyvista")
    mesh = pyvista.read(data.write(tmp_path / f"a.{ending}"))
    np.testing.assert_array_equal(mesh.points, data.points)
    assert mesh.n_cells == 4 and mesh.area == pytest.approx(data.area) == 1.0 and mesh.n_lines == 2
    np.testing.assert_array_equal(mesh["velocity"], data.values["velocity"])


def test_pictures_in_space(ball, tmp_path):
    pytest.importorskip("pyvista")
    image = pytest.importorskip("PIL.Image")
    one = image.open(plot.surface(ball, "r", 1.0, path=tmp_path / "one.png"))
    assert one.size == (1200, 900) and plot.surface(ball, "r", [0.5, 1.0], color_by="rho", view="-x").name == "r_surface_000003.png"
    colours = np.array(one.convert("RGB")).reshape(-1, 3).astype(int)
    blue = np.count_nonzero(colours[:, 2] > colours[:, 0] + 20)
    assert 0.02 * len(colours) < blue < 0.3 * len(colours)  # the ball, and not the page
    volume = np.array(image.open(plot.volume(ball, "velocity.x", limits=(-3, 3))).convert("RGB")).reshape(-1, 3).astype(int)
    assert np.any(volume[:, 0] > volume[:, 2] + 60) and np.any(volume[:, 2] > volume[:, 0] + 60)  # red and blue
    with pytest.raises(ValueError, match="view 'up'"):
        plot.surface(ball, "r", 1.0, view="up")
    with pytest.raises(ValueError, match=r"written as \.png"):
        plot.surface(ball, "r", 1.0, path=tmp_path / "a.pdf")


def test_volumes_that_cannot_be_drawn(tmp_path):
    blocks = watersmeet.open(synthetic.block_run(tmp_path))
    with pytest.raises(ValueError, match="boxes with even cells"):
        plot.volume(blocks, "mach")


@in_space
def test_the_command(ball, tmp_path, capsys):
    folder = str(ball.path)
    assert plot.main([folder, "--field", "r", "--iso", "0.5,1", "--color-by", "rho", "--output", str(tmp_path / "a.vtp")]) == 0
    assert "rho" in read_vtp(tmp_path / "a.vtp")[1]
    assert plot.main([folder, "--field", "velocity.x", "--iso", "-0.5", "--slice", "z=mid", "--output", str(tmp_path / "a.vtkhdf")]) == 0
    with h5py.File(tmp_path / "a.vtkhdf") as file:
        assert file["VTKHDF/Lines/NumberOfCells"][0] == 1
    assert plot.main([folder, "--field", "r", "--iso", "a", "--output", str(tmp_path / "a.vtp")]) == 2
    assert re.search("--iso a: numbers", capsys.readouterr().err)
    for words in (["--iso", "1"], ["--field", "r", "--iso", "1", "--volume"], ["--field", "r", "--color-by", "rho"]):
        with pytest.raises(SystemExit):
            plot.main([folder, *words])


@needs_program
def test_contours_on_a_sphere_of_one_level(tmp_path):
    """Water that the latitude alone changes: lines of its surface are circles of latitude on every panel that they pass."""
    (tmp_path / "water.toml").write_text('[case]\nsystem = "shallow_water"\n[grid]\nkind = "cubed_sphere"\ncells = 16\nradius = 2.0\n[time]\nsteps = 1\n'
                                         '[physics]\ngravity = 1\n[[initial]]\nsurface = "1 + 1e-3*sin(lat)"\n[output]\noverview = false\nprecision = "double"\n')
    succeed("run", "water.toml", "--dir", "run", cwd=tmp_path)
    first = watersmeet.open(tmp_path / "run").fields[0]
    centres = places.coordinates(first)
    assert centres.shape == (1, 16, 16, 3)
    found = surfaces.contours(first, "surface", 1.0003)
    latitude = np.arcsin(found.points[:, 2] / np.linalg.norm(found.points, axis=1))
    assert len(found.lines) >= 4 and np.linalg.norm(found.points, axis=1) == pytest.approx(2, rel=0.01)
    assert latitude == pytest.approx(np.arcsin(0.3), abs=0.005)
