"""Iso-surfaces that runs write, [[output.isosurface]]: their values on them, against scikit-image and exact shapes, on all grids; ranks, resume, faults."""

import json

import h5py
import numpy as np
import pytest
import watersmeet

from conftest import root
from rank_runs import files_of_a_killed_run, on_ranks, ranks_words
from runs import arrays, call, list_of, needs_program, newest, settings, succeed
from test_averages import case_of
from test_parts import flow
from watersmeet import surfaces

pytestmark = needs_program

keys = {"name": "a", "field": "rho", "values": [1.0], "every_steps": 4}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    return tmp_path


def content(path):
    """Every array of the poly data as bytes."""
    found = {}
    with h5py.File(path) as file:
        file["VTKHDF"].visititems(lambda name, item: found.update({name: item[()].tobytes()}) if isinstance(item, h5py.Dataset) else None)
    return found


def interpolated(snapshot, name, places):
    """A field of a box at places, linear along x, y and z."""
    axes = [snapshot.z, snapshot.y, snapshot.x]
    at = [np.interp(places[:, 2 - a], axis, np.arange(len(axis))) for a, axis in enumerate(axes)]
    low = [np.clip(p.astype(int), 0, len(axis) - 2) for p, axis in zip(at, axes)]
    values, result = snapshot[name][...], 0
    for corner in np.ndindex(2, 2, 2):
        weight = np.prod([np.where(c, p - l, 1 - (p - l)) for c, p, l in zip(corner, at, low)], axis=0)
        result = result + weight * values[tuple(l + c for l, c in zip(low, corner))]
    return result


def test_surfaces_are_those_of_the_snapshots(place):
    pytest.importorskip("skimage")
    succeed("run", "flow.toml", "--dir", "run", *list_of("output.isosurface", {**keys, "values": [0.98, 1.03], "fields": ["velocity", "p"]}), cwd=place)
    run = watersmeet.open(place / "run")
    assert [file.step for file in run.isosurfaces["a"]] == [0, 4, 8, 12]
    for file, snapshot in zip(run.isosurfaces["a"], run.fields):
        data = file.read()
        assert file.time == data.time == snapshot.time and data.time_units == data.units == "1"
        assert set(data.values["rho"]) == {0.98, 1.03} and data.value_units == {"rho": "mass/length^3", "velocity": "length/time", "p": "mass/(length time^2)"}
        # Points lie on edges of cells and diagonals of them: on edges along an axis the field is linear there.
        assert data.values["velocity"].shape == (len(data.points), 3) and data.values["p"].shape == (len(data.points),)
        spans = [(np.abs(data.points[:, a:a + 1] - axis).min(axis=1) < 1e-12) for a, axis in enumerate((snapshot.x, snapshot.y, snapshot.z))]
        along = sum(span.astype(int) for span in spans) >= 2
        assert along.mean() > 0.2
        assert interpolated(snapshot, "rho", data.points[along]) == pytest.approx(data.values["rho"][along], rel=1e-12)
        assert np.abs(interpolated(snapshot, "rho", data.points) - data.values["rho"]).max() < 0.02  # linear along a diagonal, not along three edges
        # An isothermal gas: the pressure is a multiple of the density.
        assert data.values["p"] / data.values["rho"] == pytest.approx(snapshot["p"][0, 0, 0] / snapshot["rho"][0, 0, 0] if "p" in snapshot else 1.0, rel=1e-2)
        other = surfaces.isosurface(snapshot, "rho", [0.98, 1.03])
        assert data.area == pytest.approx(other.area, rel=0.05)  # of cubes, on few cells; exact shapes are below
        wide = max(len(snapshot.x), len(snapshot.y))
        assert len(data.triangles) > 4 * wide


def test_a_sphere_has_its_area_and_a_circle_its_length(tmp_path):
    gauss = flow.replace("[40, 12, 10]", "[32, 32, 32]").replace("upper = [4.0, 3.0, 2.0]", "upper = [1.0, 1.0, 1.0]")
    gauss = "\n".join('density = "1 + 0.1*exp(-((x-0.5)^2 + (y-0.5)^2 + (z-0.5)^2)/0.1)"' if line.startswith("density") else line for line in gauss.split("\n"))
    (tmp_path / "ball.toml").write_text(gauss)
    value = 1 + 0.1 * np.exp(-0.3**2 / 0.1)
    words = list_of("output.isosurface", {**keys, "values": [value]}, {**keys, "name": "circle", "values": [value], "z": [0.5]},
                    {**keys, "name": "expression", "field": "(rho - 1)*10", "values": [10 * (value - 1)]},
                    {**keys, "name": "half", "values": [value], "x": [0.5, 1.0]}, {**keys, "name": "coarse", "values": [value], "stride": [2, 2, 2]})
    succeed("run", "ball.toml", "--dir", "run", *words, *settings(time__steps=0), cwd=tmp_path)
    found = {name: files[0].read() for name, files in watersmeet.open(tmp_path / "run").isosurfaces.items()}
    area = 4 * np.pi * 0.3**2
    assert found["a"].area == pytest.approx(area, rel=5e-3) and found["expression"].area == pytest.approx(found["a"].area, rel=1e-9)
    assert list(found["expression"].values) == ["expression"] and found["expression"].value_units["expression"] == "unknown"
    assert found["half"].area == pytest.approx(area / 2, rel=5e-3) and found["half"].points[:, 0].min() == pytest.approx(0.5, abs=1e-12)
    assert found["coarse"].area == pytest.approx(area, rel=0.02) and len(found["coarse"].triangles) < len(found["a"].triangles) / 3
    assert found["circle"].length == pytest.approx(2 * np.pi * 0.3, rel=5e-3) and not len(found["circle"].triangles)
    assert (found["circle"].points[:, 2] == 0.5).all() and all(len(line) == 2 for line in found["circle"].lines)
    radii = np.linalg.norm(found["a"].points - 0.5, axis=1)
    assert np.abs(radii - 0.3).max() < 2e-3
    # Normals go outwards, where the density is lower.
    p, q, r = (found["a"].points[found["a"].triangles[:, n]] for n in range(3))
    assert (np.einsum("ij,ij->i", np.cross(q - p, r - p), p + q + r - 1.5) > 0).all()


def check_lines_on_a_sphere(data, last, level):
    """Of the depth: chords between middles of cells of 11 degrees, next to cells that have the level between them."""
    radius = np.linalg.norm(last.mesh.xyz(0)[0, 0, 0])
    at = np.linalg.norm(data.points, axis=1) / radius
    assert 0.98 < at.min() and at.max() < 1 + 1e-12 and len(data.lines) > 20
    middles = np.concatenate([sum(n[0, j:n.shape[1] - 1 + j, i:n.shape[2] - 1 + i] for j in (0, 1) for i in (0, 1)).reshape(-1, 3)
                              for n in (last.mesh.xyz(b) for b in range(6))])
    middles /= np.linalg.norm(middles, axis=1)[:, None]
    depth = last["depth"].flat()
    for point in data.points / radius:
        near = depth[np.argsort(-(middles @ point))[:4]]
        assert near.min() - 1e-9 <= level <= near.max() + 1e-9


systems = ["mhd", "multicomponent", "boussinesq", "shallow_water", "sphere", "aerodynamics", "atmosphere"]


@pytest.mark.parametrize("name", systems)
def test_other_systems(name, tmp_path):
    more = {"shallow_water": settings(grid__cells="[24, 10, 1]"), "atmosphere": settings(physics__terrain='"800*exp(-(x/20e3)^2)"')}
    words, fields, ranks = case_of(name, 4, more.get(name, []))
    scalar = fields[0]
    succeed("run", *words, "--dir", "plain", *ranks_words(1), cwd=tmp_path)
    last = watersmeet.open(tmp_path / "plain").fields[-1]
    flat = last[scalar].flat() if hasattr(last[scalar], "flat") else last[scalar][...].ravel()
    level = float(0.4 * flat.min() + 0.6 * flat.max())
    picture = list_of("output.isosurface", {**keys, "field": scalar, "values": [level], "every_steps": 2, "fields": ["velocity"]})
    succeed("run", *words, "--dir", "run", *picture, *ranks_words(1), cwd=tmp_path)
    assert arrays(newest(tmp_path / "run")) == arrays(newest(tmp_path / "plain"))  # the run is the same
    files = watersmeet.open(tmp_path / "run").isosurfaces["a"]
    assert [file.step for file in files] == [0, 2, 4]
    data = files[-1].read()
    assert (data.values[scalar] == level).all() and data.values["velocity"].shape == (len(data.points), 3)
    if ranks > 1 and "no MPI" not in succeed("--version", cwd=tmp_path).stdout:
        succeed("run", *words, "--dir", "several", *picture, *ranks_words(ranks), cwd=tmp_path)
        for file in files:
            assert content(file.path) == content(tmp_path / "several" / file.path.name)
    if name == "sphere":
        check_lines_on_a_sphere(data, last, level)
        return
    other = (surfaces.contours if surfaces.is_flat(last) else surfaces.isosurface)(last, scalar, level)
    if surfaces.is_flat(last):
        assert data.length == pytest.approx(other.length, rel=0.03) and len(data.lines) > 4
    else:
        assert data.area == pytest.approx(other.area, rel=0.05) and len(data.triangles) > 4
    assert data.points.min(axis=0) == pytest.approx(other.points.min(axis=0), abs=0.03 * np.ptp(other.points, axis=0).max())
    assert data.points.max(axis=0) == pytest.approx(other.points.max(axis=0), abs=0.03 * np.ptp(other.points, axis=0).max())


@on_ranks
def test_a_run_that_was_killed_has_the_surfaces_of_one_that_was_not(place):
    words = [*list_of("output.isosurface", {**keys, "every_steps": 5, "fields": ["p"]}), *settings(time__steps=300)]
    files = files_of_a_killed_run(place, words, "isosurface_a_*.vtkhdf", "isosurface_a_000999.vtkhdf")
    assert len(files) == 61
    for one, killed in files:
        assert content(one) == content(killed)
    assert "surface     a, 61 files to t = " in succeed("info", "one", cwd=place).stdout
    assert len(json.loads(succeed("info", "one", "--json", cwd=place).stdout)["isosurfaces"]["a"]) == 61


def test_a_value_that_is_nowhere_gives_an_empty_file(place):
    words = list_of("output.isosurface", {**keys, "values": [7.0]}, {**keys, "name": "one", "values": [7.0], "z": [1.0]})
    told = json.loads(succeed("check", "flow.toml", "--json", *words, cwd=place).stdout)["disk"]
    assert told["isosurfaces"] == 8 and "  surfaces   8 files" in succeed("check", "flow.toml", *words, cwd=place).stdout
    succeed("run", "flow.toml", "--dir", "run", *words, cwd=place)
    for files in watersmeet.open(place / "run").isosurfaces.values():
        assert len(files) == 4 and not files[-1].read().points.size


def test_what_is_written_by_python_is_read_back(place):
    data = surfaces.PolyData(np.random.default_rng(1).random((4, 3)), np.array([[0, 1, 2], [0, 2, 3]]), values={"rho": np.arange(4.0)},
                             value_units={"rho": "kg"}, time=2.5, units="m")
    again = surfaces.read(data.write(place / "a.vtkhdf"))
    assert (again.points == data.points).all() and (again.triangles == data.triangles).all() and (again.values["rho"] == data.values["rho"]).all()
    assert again.time == 2.5 and again.units == "m" and again.value_units == {"rho": "kg"} and again.lines == []
    lines = surfaces.PolyData(data.points, lines=[np.array([0, 1, 2]), np.array([2, 3])])
    assert [line.tolist() for line in surfaces.read(lines.write(place / "b.vtkhdf")).lines] == [[0, 1, 2], [2, 3]]
    succeed("run", "flow.toml", "--dir", "run", *settings(time__steps=0), cwd=place)
    with pytest.raises(ValueError, match="is not a VTKHDF file of poly data"):
        surfaces.read(place / "run/fields_000000.vtkhdf")


def test_vtk_reads_them(place):
    vtk = pytest.importorskip("vtkmodules.vtkIOHDF")
    succeed("run", "flow.toml", "--dir", "run", *list_of("output.isosurface", {**keys, "fields": ["velocity"]}), cwd=place)
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(place / "run/isosurface_a_000012.vtkhdf"))
    reader.Update()
    found, data = reader.GetOutput(), watersmeet.open(place / "run").isosurfaces["a"][-1].read()
    assert found.GetNumberOfPoints() == len(data.points) and found.GetNumberOfPolys() == len(data.triangles)
    assert found.GetPointData().GetArray("velocity").GetNumberOfComponents() == 3


frame = (700, 900)  # rows and columns of a view


def seen(picture):
    """Pixels of a view, the top row first, without the scales beside it; and which of them show the surface: neither white nor the edges of the box."""
    image = np.array(image_of(picture))
    assert image.shape[2] == 3
    image = image[:frame[0], :frame[1]].astype(int)
    return image, ~((image == 255).all(axis=2) | (image == 34).all(axis=2))


def image_of(picture):
    return pytest.importorskip("PIL.Image").open(picture.path)


def test_a_ball_is_seen_as_a_lit_disc_of_its_size(tmp_path):
    gauss = flow.replace("[40, 12, 10]", "[40, 40, 40]").replace("upper = [4.0, 3.0, 2.0]", "lower = [-1.0, -1.0, -1.0]\nupper = [1.0, 1.0, 1.0]")
    gauss = "\n".join({"density": 'density = "1 + 0.1*exp(-x^2 - y^2 - z^2)"', "velocity": 'velocity = ["x", "y", "z"]'}.get(line.split(" ")[0], line)
                      for line in gauss.split("\n"))
    (tmp_path / "ball.toml").write_text(gauss)
    radius, views = 0.6, {"front": [0, -1, 0], "back": [0, 3, 0], "top": [0, 0, 1], "right": [2, 0, 0]}
    value = 1 + 0.1 * np.exp(-radius**2)
    words = [{**keys, "name": name, "values": [value], "view": view, "color": "velocity.y", "limits": [-1, 1]} for name, view in views.items()]
    plain = {**keys, "name": "plain", "field": "rho*rho", "values": [value], "view": [1, 1, 1]}
    succeed("run", "ball.toml", "--dir", "run", *list_of("output.isosurface", *words, plain), *settings(time__steps=0), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    assert set(run.isosurfaces) == set(run.pictures) == {*views, "plain"}
    # Without `color` those of the surface: one value, about which the limits lie.
    assert run.pictures["plain"][0].limits == pytest.approx((value / 2, 1.5 * value), rel=1e-12)
    palette = pytest.importorskip("matplotlib").colormaps["viridis"]
    # Points lie at -1 + 0.05 n, so that the box is 1.95 wide about -0.025; it fills 96 % of the height.
    scale, across = 0.96 * 700 / 1.95, {"front": (1, 1), "back": (-1, 1), "top": (1, 1), "right": (1, 1)}
    light = np.array([-0.25, 0.5, 1.0]) / np.linalg.norm([-0.25, 0.5, 1.0])  # to the right, upwards, to the viewer
    for name in views:
        picture = run.pictures[name][0]
        assert picture.limits == (-1, 1) and picture.texts["field"] == "velocity.y" and picture.texts["surface"] == f"rho = {value:.6g}"
        image, shown = seen(picture)
        assert shown.sum() == pytest.approx(np.pi * (scale * radius) ** 2, rel=0.01)
        rows, columns = np.nonzero(shown)
        centre = np.array([450 + across[name][0] * scale * 0.025, 350 - scale * 0.025])
        for found, axis in ((columns, 0), (rows, 1)):
            assert (found.min() + found.max() + 1) / 2 == pytest.approx(centre[axis], abs=1.5)
            assert found.max() - found.min() + 1 == pytest.approx(2 * scale * radius, abs=3)
        # At some points of the disc: the colour of velocity.y, which is y there, times the light on the ball.
        for right, up in ((0, 0), (0.3, 0.2), (-0.4, 0.1), (0.1, -0.45), (-0.2, 0.4)):
            near = np.sqrt(radius**2 - right**2 - up**2)
            y = {"front": -near, "back": near, "top": up, "right": right}[name]
            lit = 0.4 + 0.6 * max(0, light @ np.array([right, up, near]) / radius)
            pixel = image[int(centre[1] - scale * up), int(centre[0] + scale * right)]
            assert pixel == pytest.approx(255 * lit * np.array(palette((y + 1) / 2)[:3]), abs=6), (name, right, up)


@pytest.mark.parametrize("name", ["mhd", "multicomponent", "boussinesq", "atmosphere", "layers", "wing"])
def test_views_of_other_systems(name, tmp_path):
    """They show their surface, whatever the number of ranks with the same bytes."""
    if name == "wing":
        words, fields, ranks = [str(root / "examples/glider15/quick.toml"), *settings(time__steps=2, output__overview="false")], ["p"], 2
    elif name == "layers":
        words, fields, ranks = [str(root / "examples/dcmip31/quick.toml"), *settings(time__steps=2, output__overview="false")], ["theta_perturbation"], 2
    else:
        more = {"mhd": settings(grid__cells="[24,20,6]"), "multicomponent": settings(grid__cells="[40,16,6]"),
                "atmosphere": settings(grid__cells="[24,6,12]", physics__terrain='"800*exp(-(x/20e3)^2)"')}
        words, fields, ranks = case_of(name, 4, more.get(name, []))
    plain = succeed("check", *words, "--json", cwd=tmp_path).stdout
    assert json.loads(plain)["disk"].get("pictures", 0) == 0
    succeed("run", *words, "--dir", "plain", *ranks_words(1), cwd=tmp_path)
    last = watersmeet.open(tmp_path / "plain").fields[-1]
    flat = last[fields[0]].flat() if hasattr(last[fields[0]], "flat") else last[fields[0]][...].ravel()
    surface = list_of("output.isosurface", {**keys, "field": fields[0], "values": [float(0.4 * flat.min() + 0.6 * flat.max())], "every_steps": 2,
                                            "view": [1, -2, 0.7], "color": "velocity.x"})
    told = json.loads(succeed("check", *words, "--json", *surface, cwd=tmp_path).stdout)["disk"]
    assert told["pictures"] == told["isosurfaces"] > 0
    succeed("run", *words, "--dir", "run", *surface, *ranks_words(1), cwd=tmp_path)
    pictures = watersmeet.open(tmp_path / "run").pictures["a"]
    shown = seen(pictures[-1])[1]
    assert 0.002 < shown.mean() < 0.95
    assert arrays(newest(tmp_path / "run")) == arrays(newest(tmp_path / "plain"))
    if "no MPI" in succeed("--version", cwd=tmp_path).stdout:
        return
    succeed("run", *words, "--dir", "several", *surface, *ranks_words(ranks), cwd=tmp_path)
    for picture in pictures:
        assert picture.path.read_bytes() == (tmp_path / "several" / picture.path.name).read_bytes()


def test_the_nearest_of_two_surfaces_is_seen(place):
    """The inner of two shells is hidden by the outer one, and is seen where that is open."""
    text = flow.replace("[40, 12, 10]", "[32, 32, 32]").replace("upper = [4.0, 3.0, 2.0]", "lower = [-1, -1, -1]\nupper = [1, 1, 1]")
    text = "\n".join('density = "1 + 0.1*exp(-x^2 - y^2 - z^2)"' if line.startswith("density") else line for line in text.split("\n"))
    (place / "shells.toml").write_text(text)
    values = [1 + 0.1 * np.exp(-(r**2)) for r in (0.3, 0.6)]
    both = {**keys, "values": values, "limits": [min(values), max(values)]}
    words = list_of("output.isosurface", {**both, "view": [0, -1, 0]}, {**both, "name": "open", "view": [0, -1, 0], "y": [0.0, 1.0]})
    succeed("run", "shells.toml", "--dir", "run", *words, *settings(time__steps=0), cwd=place)
    pictures = watersmeet.open(place / "run").pictures
    facing = 0.4 + 0.6 / np.linalg.norm([-0.25, 0.5, 1.0])  # the light on what faces the viewer
    viridis = pytest.importorskip("matplotlib").colormaps["viridis"]
    for name, colour in (("a", viridis(0.0)), ("open", viridis(1.0))):
        assert seen(pictures[name][0])[0][345, 455] == pytest.approx(255 * facing * np.array(colour[:3]), abs=12), name


refused = {
    "no interval": ({"every_steps": None}, "iso-surface `a` has no interval"),
    "no values": ({"values": []}, "iso-surface `a` has no value"),
    "an unknown field": ({"field": "rh"}, "in `rh`: "),
    "a number": ({"field": "2"}, "`2` names no field"),
    "an unknown field beside": ({"fields": ["rh"]}, "no field `rh` to write"),
    "a field beside twice": ({"fields": ["p", "p"]}, "field `p` would be written more than once"),
    "the field itself": ({"fields": ["rho"]}, "field `rho` would be written more than once"),
    "a row": ({"y": [1.0], "z": [1.0]}, "iso-surface `a` would be of one row of cells"),
    "a plane outside": ({"z": [2.5]}, "iso-surface `a` lies outside the grid"),
    "not a name": ({"name": "a b"}, "`a b` is not a name"),
    "a view from nowhere": ({"view": [0, 0, 0]}, "a view is the direction of the viewer"),
    "a view of two numbers": ({"view": [1, 2]}, "output.isosurface[0].view: 2 values; must be 3 numbers"),
    "a view of a line": ({"view": [1, 2, 1], "z": [1.0]}, "lines in a plane cannot be seen in space"),
    "colours without a view": ({"color": "p"}, "this is a key of a picture, and there is none"),
    "limits without a view": ({"limits": [0, 1]}, "this is a key of a picture, and there is none"),
    "an unknown colour": ({"view": [1, 2, 1], "color": "q"}, "in `q`: "),
    "limits the wrong way round": ({"view": [1, 2, 1], "limits": [2, 1]}, "limits are two values, the lower one first"),
}


@pytest.mark.parametrize("what", refused)
def test_what_is_no_surface_is_refused(what, place):
    table = {key: value for key, value in {**keys, **refused[what][0]}.items() if value is not None}
    (place / "flow.toml").write_text(flow + "[[output.isosurface]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
    result = call("check", "flow.toml", cwd=place)
    assert result.returncode == 2 and refused[what][1] in result.stderr and "flow.toml:" in result.stderr, result.stderr


def test_a_picture_and_a_view_of_one_name_are_refused(place):
    words = [*list_of("output.isosurface", {**keys, "view": [1, 2, 1]}), *list_of("output.picture", {"name": "a", "field": "rho", "every_steps": 4})]
    result = call("check", "flow.toml", *words, cwd=place)
    assert result.returncode == 2 and "a picture is called `a` too" in result.stderr, result.stderr


@pytest.mark.parametrize("example, more, message", [("vortex", {"x": [0, 1]}, "curvilinear blocks are taken whole"),
                                                    ("williamson-5", {"stride": [2, 2, 1]}, "a sphere is taken whole"),
                                                    ("sod", {}, "would be of one row of cells")])
def test_keys_that_other_grids_do_not_have_are_refused(example, more, message, tmp_path):
    field = "depth" if example == "williamson-5" else "rho"
    result = call("check", root / "examples" / example / "quick.toml", *list_of("output.isosurface", {**keys, "field": field, **more}), cwd=tmp_path)
    assert result.returncode == 2 and message in result.stderr, result.stderr
