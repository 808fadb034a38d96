"""Pictures that runs draw, [[output.picture]]: the colour of a cell is where the cell is, in every system, and that of its value; they do not depend on
ranks and interruptions; files, texts, movies and faults."""

import json
import stat

import numpy as np
import pytest
import watersmeet

from conftest import root
from rank_runs import files_of_a_killed_run, on_ranks, ranks_words
from runs import arrays, call, list_of, needs_program, newest, settings, succeed
from test_averages import case_of
from test_parts import flow
from watersmeet.pictures import Picture, read_texts

Image = pytest.importorskip("PIL.Image")
pytestmark = needs_program

colours = 253  # of values; then no cell, ink, and no number
no_cell = 253
sides = {"x": (0, 4), "y": (0, 3), "z": (0, 2)}  # of the box of `flow`, whose first points are at its lower ends


def pixels(path, width, height):
    """Places in the palette of the cells of a picture, the lowest row first."""
    image = Image.open(path)
    assert image.mode == "P" and image.width > width and image.height > height
    return np.array(image)[:height, :width][::-1]


def places(values, limits):
    """The place in the palette of values."""
    low, high = (0.5 * end for end in limits)
    return np.clip(np.floor((0.5 * np.asarray(values) - low) / (high - low) * colours), 0, colours - 1)


def rows_of(cells, height):
    """Which cell the middle of each row of pixels lies in."""
    return (2 * np.arange(height) + 1) * cells // (2 * height)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    return tmp_path


# For each picture its keys, what it shows of a snapshot (z, y, x), across and up, and pixels per cell. 400 to 2000 pixels are its own width.
pictures = {
    "density": ({"field": "rho"}, lambda s: s["rho"][5], 10),
    "limited": ({"field": "rho", "limits": [0.95, 1.02], "z": [0.41]}, lambda s: s["rho"][2], 10),
    "upright": ({"field": "velocity.z", "y": [0.7], "colormap": "blue_red", "scale": 3}, lambda s: s["velocity"][:, 3, :, 2], 3),
    "wall": ({"field": "velocity.y", "x": [2.34], "y": [0.5, 2.0], "scale": 7, "colormap": "gray"}, lambda s: s["velocity"][:, 2:9, 23, 1], 7),
    "energy": ({"field": "0.5*rho*(velocity.x^2 + velocity.y^2)", "colormap": "inferno", "scale": 1},
               lambda s: 0.5 * s["rho"][5] * (s["velocity"][5, ..., 0] ** 2 + s["velocity"][5, ..., 1] ** 2), 1),
}
size_of = {"density": (400, 300), "limited": (400, 300), "upright": (120, 60), "wall": (49, 56), "energy": (40, 30)}


def of_pictures(**more):
    return list_of("output.picture", *({"name": name, "every_steps": 4, **keys, **more} for name, (keys, *_) in pictures.items()))


@pytest.mark.parametrize("precision", ["double", "single"])
def test_the_colours_are_those_of_the_snapshots(precision, place):
    succeed("run", "flow.toml", "--dir", "run", "--precision", precision, *of_pictures(), cwd=place)
    run = watersmeet.open(place / "run")
    assert list(run.pictures) == sorted(pictures)
    for name, (keys, shown, scale) in pictures.items():
        drawn = run.pictures[name]
        assert [picture.step for picture in drawn] == [0, 4, 8, 12] and all(isinstance(picture, Picture) for picture in drawn)
        width, height = size_of[name]
        for picture, snapshot in zip(drawn, run.fields):
            doubles = {field: snapshot[field][...].astype(float) for field in ("rho", "velocity")}
            values = shown(doubles)
            limits = picture.limits
            if "limits" in keys:
                assert limits == tuple(keys["limits"])
            elif keys.get("colormap") == "blue_red":
                assert limits == (-np.abs(values).max(), np.abs(values).max())
            else:
                assert limits == pytest.approx((values.min(), values.max()), rel=1e-14)
            rows = rows_of(values.shape[0], height)
            wanted = np.repeat(places(values, limits), scale, axis=1)[rows]
            assert (pixels(picture.path, width, height) == wanted).all(), (name, picture.step)
            assert picture.time == snapshot.time and picture.texts["field"] == keys["field"] and picture.texts["step"] == str(snapshot.step)
            assert picture.texts["colormap"] == keys.get("colormap", "viridis") and picture.texts["Software"].startswith("watersmeet ")
    assert run.pictures["density"][0].texts["plane"] == "z = 1" and run.pictures["wall"][0].texts["plane"] == "x = 2.3"
    assert run.pictures["density"][0].texts["units"] == "mass/length^3" and run.pictures["energy"][0].texts["units"] == "unknown"


def test_colour_maps_are_the_published_ones(place):
    maps = {"viridis": "viridis", "inferno": "inferno", "gray": "gray", "blue_red": "RdBu_r"}
    matplotlib = pytest.importorskip("matplotlib")
    words = list_of("output.picture", *({"name": name, "every_steps": 100, "field": "rho", "colormap": name} for name in maps))
    succeed("run", "flow.toml", "--dir", "run", *words, *settings(time__steps=0), cwd=place)
    for name, other in maps.items():
        palette = np.array(Image.open(place / f"run/picture_{name}_000000.png").getpalette()).reshape(-1, 3)
        known = matplotlib.colormaps[other](np.linspace(0, 1, 256))[:, :3] * 255
        at = np.linspace(0, 1, colours)
        wanted = np.stack([np.interp(at, np.linspace(0, 1, 256), known[:, c]) for c in range(3)], axis=1)
        assert np.abs(palette[:colours] - wanted).max() < 2.5, name
        assert (np.abs(palette[[0, colours - 1]] - wanted[[0, -1]]) <= 0.5).all()
        assert palette[colours:].tolist() == [[255, 255, 255], [34, 34, 34], [255, 0, 255]]
    middle = np.array(Image.open(place / "run/picture_blue_red_000000.png").getpalette()).reshape(-1, 3)[colours // 2]
    assert middle.tolist() == [247, 247, 247]


def cell_places(run, name):
    """Where the cells, or nodes, of a picture of each system have their middles, along its sides; their values of the last snapshot; and the ends of
    the sides."""
    last = run.fields[-1]
    if name == "sphere":
        nodes = [last.mesh.xyz(b)[0] for b in range(6)]
        middles = np.stack([sum(n[j:n.shape[0] - 1 + j, i:n.shape[1] - 1 + i] for j in (0, 1) for i in (0, 1)) for n in nodes]).reshape(-1, 3)
        lon, lat = np.degrees(np.arctan2(middles[:, 1], middles[:, 0])) % 360, np.degrees(np.arcsin(middles[:, 2] / np.linalg.norm(middles, axis=1)))
        return lon, lat, last["depth"].flat(), ((0, 360), (-90, 90))
    if name == "aerodynamics":
        xy = np.concatenate([last.mesh.xyz(b).reshape(-1, 3) for b in range(len(last.mesh))])
        return xy[:, 0], xy[:, 1], last["rho"].flat(), tuple((xy[:, a].min(), xy[:, a].max()) for a in (0, 1))
    if name == "atmosphere":
        corners = last.corners[:, 0, :, :][..., [0, 2]]
        middles = sum(corners[k:corners.shape[0] - 1 + k, i:corners.shape[1] - 1 + i] for k in (0, 1) for i in (0, 1)) / 4
        ends = tuple((corners[..., a].min(), corners[..., a].max()) for a in (0, 1))
        return middles[..., 0].ravel(), middles[..., 1].ravel(), last["rho"][:, 0].ravel(), ends
    across, up = ("x", "z") if name == "boussinesq" else ("x", "y")
    values = last["temperature"][:, 7] if name == "boussinesq" else last["depth" if name == "shallow_water" else "rho"][len(last.z) // 2]

    def ends(axis):
        at = getattr(last, axis)
        faces = last.faces.get(axis, [at[0] - (at[1] - at[0]) / 2, at[-1] + (at[1] - at[0]) / 2])
        return faces[0], faces[-1]

    x, y = np.meshgrid(getattr(last, across), getattr(last, up))
    return x.ravel(), y.ravel(), values.ravel(), (ends(across), ends(up))


systems = ["isothermal", "mhd", "multicomponent", "boussinesq", "shallow_water", "sphere", "aerodynamics", "atmosphere"]
more_of = {"atmosphere": settings(physics__terrain='"800*exp(-(x/20e3)^2)"'), "shallow_water": settings(grid__cells="[24, 10, 1]")}


def picture_words(name, steps, **more):
    words, fields, ranks = case_of(name, steps, more_of.get(name, []))
    keys = {"name": "a", "field": fields[0], "every_steps": 2, **({"y": [0.55]} if name == "boussinesq" else {}), **more}
    return words, fields, ranks, list_of("output.picture", keys)


@pytest.mark.parametrize("name", systems)
def test_every_cell_is_where_it_belongs(name, tmp_path):
    words, _, _, picture = picture_words(name, 4)
    succeed("run", *words, "--dir", "run", *picture, *ranks_words(1), cwd=tmp_path)
    succeed("run", *words, "--dir", "plain", *ranks_words(1), cwd=tmp_path)
    assert arrays(newest(tmp_path / "run")) == arrays(newest(tmp_path / "plain"))  # the run is the same
    run = watersmeet.open(tmp_path / "run")
    assert [drawn.step for drawn in run.pictures["a"]] == [0, 2, 4]
    last = run.pictures["a"][-1]
    x, y, values, (of_x, of_y) = cell_places(run, name)
    image = np.array(Image.open(last.path))
    # What stands at the right of and below the cells is a multiple of the dots of its numbers.
    width, height, dot = next((image.shape[1] - 80 * dot, image.shape[0] - 11 * dot, dot) for dot in (1, 2, 3, 4)
                              if dot == min(max((image.shape[0] - 11 * dot) // 220, 1), 4))
    assert 400 <= width <= 1000 and (image[:height, width + 3 * dot] == 254).all() and (image[:height, width:width + 3 * dot] == no_cell).all()
    shown = pixels(last.path, width, height)
    columns = ((x - of_x[0]) / (of_x[1] - of_x[0]) * width).astype(int)
    rows = ((y - of_y[0]) / (of_y[1] - of_y[0]) * height).astype(int)
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    assert inside.mean() > 0.9
    rows, columns, wanted = rows[inside], columns[inside], places(values[inside], last.limits)
    assert len(set(wanted)) >= 4
    allowed = {}  # blocks that meet have values of their own at the same place
    for row, column, colour in zip(rows, columns, wanted):
        allowed.setdefault((row, column), set()).add(colour)
    assert (max(map(len, allowed.values())) > 1) == (name == "aerodynamics")
    assert all(shown[at] in colours_there for at, colours_there in allowed.items())
    assert (shown == no_cell).any() == (name == "atmosphere")


@on_ranks
@pytest.mark.parametrize("name", [name for name in systems if name not in ("isothermal", "boussinesq")])
def test_other_systems_do_not_depend_on_ranks(name, tmp_path):
    words, _, ranks, picture = picture_words(name, 4)
    assert ranks > 1
    succeed("run", *words, "--dir", "one", *picture, *ranks_words(1), cwd=tmp_path)
    succeed("run", *words, "--dir", "several", *picture, *ranks_words(ranks), cwd=tmp_path)
    files = sorted((tmp_path / "one").glob("picture_*.png"))
    assert len(files) == 3
    for file in files:
        assert file.read_bytes() == (tmp_path / "several" / file.name).read_bytes()


@on_ranks
def test_pictures_do_not_depend_on_ranks(place):
    succeed("run", "flow.toml", "--dir", "one", *of_pictures(), *ranks_words(1), cwd=place)
    for cut in ("[1, 1, 3]", "[3, 1, 1]", "[1, 2, 1]"):
        folder = place / cut.strip("[]").replace(", ", "x")
        succeed("run", "flow.toml", "--dir", folder, *of_pictures(), *settings(device__ranks_along=cut), *ranks_words(2 if "2" in cut else 3), cwd=place)
        for file in sorted((place / "one").glob("picture_*.png")):
            assert file.read_bytes() == (folder / file.name).read_bytes(), (cut, file.name)


@on_ranks
def test_a_run_that_was_killed_has_the_pictures_of_one_that_was_not(place):
    words = [*list_of("output.picture", {"name": "a", "field": "velocity.x", "every_steps": 3, "scale": 1}), *settings(time__steps=400)]
    files = files_of_a_killed_run(place, words, "picture_a_*.png", "picture_a_000999.png")
    assert len(files) == 134
    for one, killed in files:
        assert one.read_bytes() == killed.read_bytes()
    assert not list((place / "killed").glob("*.part"))
    assert "picture     a, 134 files to t = " in succeed("info", "one", cwd=place).stdout
    listed = json.loads(succeed("info", "one", "--json", cwd=place).stdout)["pictures"]["a"]
    assert len(listed) == 134 and listed[-1] == {"file": "picture_a_000399.png", "step": 399, "t": watersmeet.open(place / "one").pictures["a"][-1].time}


def test_streamed_solutions_have_pictures(place):
    stream = settings(device__memory='"stream"', device__kind='"cpu"', grid__cells="[40, 12, 48]")
    for folder, words in (("streamed", [*stream, *settings(stream__fused_steps=1)]), ("resident", settings(grid__cells="[40, 12, 48]"))):
        succeed("run", "flow.toml", "--dir", folder, *words, *of_pictures(), cwd=place)
    files = sorted((place / "resident").glob("picture_*.png"))
    assert len(files) == 20
    for file in files:
        assert file.read_bytes() == (place / "streamed" / file.name).read_bytes(), file.name


def test_check_says_how_many_and_how_large(place):
    told = json.loads(succeed("check", "flow.toml", "--json", *of_pictures(), cwd=place).stdout)["disk"]
    succeed("run", "flow.toml", "--dir", "run", *of_pictures(), cwd=place)
    files = [picture.path for named in watersmeet.open(place / "run").pictures.values() for picture in named]
    sizes = [Image.open(path).size for path in files]
    assert told["pictures"] == len(files) == 20 and told["picture_bytes"] == sum(width * height for width, height in sizes)
    assert sum(path.stat().st_size for path in files) < told["picture_bytes"]
    assert "  pictures   20 files, " in succeed("check", "flow.toml", *of_pictures(), cwd=place).stdout


def test_intervals_of_time_are_met(place):
    words = list_of("output.picture", {"name": "a", "field": "p", "every": 0.001, "scale": 1})
    succeed("run", "flow.toml", "--dir", "run", *words, *settings(time__end=0.01), cwd=place)
    assert [picture.time for picture in watersmeet.open(place / "run").pictures["a"]] == pytest.approx(np.arange(11) * 0.001, abs=1e-15)


def test_large_planes_have_fewer_pixels_than_cells(tmp_path):
    words, _, _ = case_of("shallow_water", 1)
    words = [*words, *settings(grid__cells="[5000, 8, 1]"), *list_of("output.picture", {"name": "a", "field": "depth", "every_steps": 10})]
    told = json.loads(succeed("check", *words, "--json", cwd=tmp_path).stdout)["disk"]
    assert 2000 * 250 < told["picture_bytes"] < 2300 * 1100


# A program in the place of ffmpeg: what it was told and given, and a film of eight bytes.
film = """#!/bin/sh
echo "$*" > "$KEPT.words"
cat > "$KEPT"
for last; do :; done
printf 'filmfilm' > "$last"
"""


def with_ffmpeg(place, text):
    folder = place / "bin"
    folder.mkdir()
    if text:
        (folder / "ffmpeg").write_text(text)
        (folder / "ffmpeg").chmod(stat.S_IRWXU)
    return {"PATH": f"{folder}:/usr/sbin:/bin" if text else str(folder), "KEPT": str(place / "kept")}


movie_words = [*list_of("output.picture", {"name": "a", "field": "rho", "every_steps": 4}, {"name": "once", "field": "rho", "every_steps": 400})]


def test_pictures_become_a_movie_where_ffmpeg_is(place):
    result = succeed("run", "flow.toml", "--dir", "run", *movie_words, cwd=place, env=with_ffmpeg(place, film))
    assert "movie      run/picture_a.mp4" in result.stdout and "once" not in result.stdout.split("done ")[1]
    assert (place / "run/picture_a.mp4").read_bytes() == b"filmfilm" and not list((place / "run").glob("*.part"))
    files = sorted((place / "run").glob("picture_a_*.png"))
    assert len(files) == 4 and (place / "kept").read_bytes() == b"".join(file.read_bytes() for file in files)
    words = (place / "kept.words").read_text()
    assert "-framerate 10" in words and words.endswith("-f mp4 run/picture_a.mp4.part\n")


@pytest.mark.parametrize("text, said", [
    ("#!/bin/sh\necho 'no such codec' >&2\nexit 3\n", "no movie of a: ffmpeg ended with status 3: no such codec"),
    ("#!/bin/sh\ncat > /dev/null\nkill -9 $$\n", "no movie of a: ffmpeg ended with status 1"),
    ("", "no movie of a: ffmpeg is not on the path; its 4 pictures are run/picture_a_*.png")])
def test_a_movie_that_cannot_be_made_does_not_fail_the_run(text, said, place):
    result = succeed("run", "flow.toml", "--dir", "run", *movie_words, cwd=place, env=with_ffmpeg(place, text))
    assert said in result.stdout and not list((place / "run").glob("picture_a.mp4*"))
    assert len(watersmeet.open(place / "run").pictures["a"]) == 4


def test_what_is_no_number_has_a_colour_of_its_own(place):
    words = list_of("output.picture", {"name": "a", "field": "sqrt(velocity.z)", "every_steps": 12, "scale": 1},
                    {"name": "none", "field": "sqrt(-rho)", "every_steps": 12, "scale": 1}, {"name": "same", "field": "rho*0+3", "every_steps": 12})
    succeed("run", "flow.toml", "--dir", "run", *words, cwd=place)
    run = watersmeet.open(place / "run")
    shown = pixels(run.pictures["a"][-1].path, 40, 30)
    negative = run.fields[-1]["velocity"][5, ..., 2] < 0
    assert ((shown == 255) == negative[rows_of(12, 30)]).all() and 0.1 < negative.mean() < 0.9
    assert (pixels(run.pictures["none"][-1].path, 40, 30) == 255).all() and run.pictures["none"][-1].limits == (0, 1)
    assert (pixels(run.pictures["same"][-1].path, 400, 300) == colours // 2).all() and run.pictures["same"][-1].limits == (1.5, 4.5)


refused = {
    "no interval": ({"every_steps": None}, "picture `a` has no interval"),
    "no field": ({"field": None}, "output.picture[0].field"),
    "an unknown field": ({"field": "rh"}, "in `rh`: "),
    "a vector": ({"field": "velocity"}, "in `velocity`: "),
    "not an expression": ({"field": "rho +"}, "in `rho +`: "),
    "a number": ({"field": "1+1"}, "`1+1` names no field"),
    "limits the wrong way": ({"limits": [1, 0]}, "limits are two values, the lower one first"),
    "one limit": ({"limits": [1]}, "limits are two values, the lower one first"),
    "an unknown colour map": ({"colormap": "jet"}, "jet"),
    "a plane outside": ({"z": [2.5]}, "picture `a` lies outside the grid"),
    "a box": ({"z": [0.5, 1.5]}, "picture `a` is no plane"),
    "a line": ({"z": [0.5], "y": [1.0]}, "picture `a` would be one row of cells"),
    "a range without cells": ({"y": [0.3, 0.4]}, "no cell of picture `a` has its centre in this range"),
    "a scale of nothing": ({"scale": 0}, "greater than 0"),
    "a scale that is too large": ({"scale": 1000}, "picture `a` would have 40000 x 30000 pixels"),
    "a scale that is too small": ({"scale": 0.001}, "picture `a` would have 0 x 0 pixels"),
    "not a name": ({"name": "a b"}, "`a b` is not a name"),
}


@pytest.mark.parametrize("what", refused)
def test_what_is_no_picture_is_refused(what, place):
    keys, message = refused[what]
    table = {key: value for key, value in {"name": "a", "field": "rho", "every_steps": 1, **keys}.items() if value is not None}
    (place / "flow.toml").write_text(flow + "[[output.picture]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
    result = call("check", "flow.toml", cwd=place)
    assert result.returncode == 2 and message in result.stderr, result.stderr
    assert f"flow.toml:{flow.count(chr(10)) + 1}" in result.stderr or "flow.toml:2" in result.stderr or ":18:" in result.stderr or ":19:" in result.stderr


def test_two_pictures_of_one_name_are_refused(place):
    keys = {"name": "a", "field": "rho", "every_steps": 1}
    result = call("check", "flow.toml", *list_of("output.picture", keys, keys), cwd=place)
    assert result.returncode == 2 and "two pictures are called `a`" in result.stderr


@pytest.mark.parametrize("name, keys, message", [
    ("sphere", {"x": [0, 1]}, "a sphere is drawn whole"), ("sphere", {"z": [10]}, "this sphere has one level of cells"),
    ("aerodynamics", {"scale": 2}, "have no common size"), ("aerodynamics", {"x": [1]}, "the lower and the upper end of what is shown")])
def test_keys_that_other_grids_do_not_have_are_refused(name, keys, message, tmp_path):
    words, fields, _, picture = picture_words(name, 2, **keys)
    result = call("check", *words, *picture, cwd=tmp_path)
    assert result.returncode == 2 and message in result.stderr, result.stderr


@pytest.mark.parametrize("example, message", [("glider15", "blocks in space have no plane of nodes to draw"), ("sod", "would be one row of cells")])
def test_what_has_no_plane_is_refused(example, message, tmp_path):
    picture = list_of("output.picture", {"name": "a", "field": "p", "every_steps": 1})
    result = call("check", root / "examples" / example / "quick.toml", *picture, cwd=tmp_path)
    assert result.returncode == 2 and message in result.stderr, result.stderr


def test_files_that_are_no_pictures(place):
    succeed("run", "flow.toml", "--dir", "run", *list_of("output.picture", {"name": "a", "field": "rho", "every_steps": 4}), cwd=place)
    path = place / "run/picture_a_000012.png"
    whole = path.read_bytes()
    for damaged in (whole[:100], b"", b"GIF89a" + whole, whole[:33] + b"\xff\xff\xff\xfftEXt" + whole[33:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="picture_a_000012.png"):
            read_texts(path)
        with pytest.raises(ValueError, match="picture_a_000012.png"):
            watersmeet.open(place / "run").pictures["a"][-1].time
        told = succeed("info", "run", cwd=place).stdout
        assert "damaged     " in told and "picture     a, 3 files" in told
    with pytest.raises(ValueError, match="not named like a picture"):
        Picture(place / "flow.png")


def test_the_page_of_watch_shows_the_newest(place):
    succeed("run", "flow.toml", "--dir", "run", *list_of("output.picture", {"name": "a", "field": "rho", "every_steps": 4}), cwd=place)
    from watersmeet.watch import Watch

    text = Watch(place / "run").page(place / "page.html").read_text()
    assert "<figcaption>picture_a_000012.png</figcaption>" in text and "picture_a_000008" not in text
