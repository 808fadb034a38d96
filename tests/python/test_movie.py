"""Movies: the same limits in all pictures, which snapshots are taken, files without ffmpeg and with it (here a script in its place)."""

import json
import os
import shutil
import stat

import numpy as np
import pytest
import synthetic
import watersmeet

pytest.importorskip("matplotlib")
Image = pytest.importorskip("PIL.Image")
from watersmeet import figures, movie, plot

axes = [0.1 * np.arange(n) for n in (12, 8, 1)]


def write(folder, step, **fields):
    return synthetic.write_snapshot(folder, step, 0.1 * step, axes, {name: np.broadcast_to(f, (1, 8, 12)) for name, f in fields.items()})


@pytest.fixture
def box(tmp_path):
    synthetic.write_texts(tmp_path, '[case]\nsystem = "multicomponent"\n')
    x = axes[0][None, None]
    for step in range(4):
        write(tmp_path, step, p=(1 + step) * x, w=(step - 1) * x)
    write(tmp_path, 4, rho=x)
    return tmp_path


def frames(path):
    image = Image.open(path)
    found = []
    for n in range(image.n_frames):
        image.seek(n)
        found.append(np.array(image.convert("RGB")))
    return found, image.info


def test_limits_are_those_of_all_pictures(box):
    run = watersmeet.open(box)
    assert movie.common_limits(run.fields[:4], "p") == pytest.approx((0.0, 4.4))
    assert movie.common_limits(run.fields[:4], "w") == pytest.approx((-2.2, 2.2))  # of both signs: zero in the middle
    assert movie.common_limits([run.fields[1]], "w") == pytest.approx((-0.5e-12, 0.5e-12))
    assert movie.common_limits(run.fields[:4], "p", "x=0.5") == pytest.approx((0.5 - 0.06, 2.0 + 0.06))  # a curve: with room


@pytest.mark.parametrize("name", ["p.gif", "p.png"])
def test_colours_mean_the_same_in_all_pictures(box, tmp_path, name):
    path = plot.movie(box, "p", path=tmp_path / name, fps=5)
    pictures, info = frames(path)
    assert len(pictures) == 4 and info["duration"] == 200 and info["loop"] == 0
    assert len({p.shape for p in pictures}) == 1
    # the bar of colours, right of the plane, stays; the plane does not
    width = pictures[0].shape[1]
    bar = [p[:, int(0.88 * width):].astype(int) for p in pictures]
    assert all(np.abs(b - bar[0]).max() <= 8 for b in bar)
    assert np.abs(pictures[0].astype(int) - pictures[3]).max() > 60
    assert os.listdir(box / "plots") == [] if (box / "plots").exists() else True


def test_the_same_value_has_the_same_colour(box):
    run = watersmeet.open(box)
    shown = [figures.field_figure(run, s, "p", None, movie.common_limits(run.fields[:4], "p")).axes[0].images[0] for s in run.fields[:4]]
    assert shown[0].to_rgba(1.1)[:3] == shown[3].to_rgba(1.1)[:3]


def test_what_cannot_be_made(box, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="two snapshots with rho"):
        plot.movie(box, "rho")
    with pytest.raises(ValueError, match="two snapshots with nothing"):
        plot.movie(box, "nothing")
    with pytest.raises(ValueError, match=r"ends in \.mp4"):
        plot.movie(box, "p", path="p.xyz")
    with pytest.raises(ValueError, match="first must be below"):
        plot.movie(box, "p", limits=(1, 0))
    with pytest.raises(ValueError, match="pictures per second"):
        plot.movie(box, "p", fps=0)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(OSError, match=r"apt install ffmpeg; or name a file that ends in \.gif"):
        plot.movie(box, "p", path=tmp_path / "p.mp4")
    assert plot.movie(box, "p", snapshots=slice(0, 2)).name == "p.gif"


def script(folder, text):
    folder.mkdir()
    file = folder / "ffmpeg"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return f"{folder}:{os.environ['PATH']}"


def test_ffmpeg_gets_all_pictures(box, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", script(tmp_path / "bin", 'for word in "$@"; do last=$word; done; cat >"$last"; echo "$@" >' + str(tmp_path / "words")))
    path = plot.movie(box, "p", slice="z=mid", limits=(0, 9), fps=25)
    assert path == box / "plots" / "p_zmid.mp4" and path.read_bytes().count(b"\x89PNG\r\n") == 4
    assert "-framerate 25" in (tmp_path / "words").read_text() and os.listdir(box / "plots") == ["p_zmid.mp4"]


def test_what_ffmpeg_says_is_reported(box, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", script(tmp_path / "bin", "echo no encoder >&2; exit 3"))
    with pytest.raises(OSError, match="ffmpeg ended with status 3: no encoder"):
        plot.movie(box, "p", path=tmp_path / "p.mkv")
    assert not [name for name in os.listdir(tmp_path) if "part" in name]


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
@pytest.mark.parametrize("suffix", ["mp4", "webm"])
def test_with_the_real_ffmpeg(box, tmp_path, suffix):
    assert plot.movie(box, "p", path=tmp_path / f"p.{suffix}").stat().st_size > 1000


def test_blocks(tmp_path):
    run = watersmeet.open(synthetic.block_run(tmp_path))
    low, high = movie.common_limits(run.fields, "mach")
    assert low == pytest.approx(0, abs=0.05) and high == pytest.approx(0.8, abs=0.05)
    assert len(frames(plot.movie(run, "mach", path=tmp_path / "m.gif"))[0]) in (1, 2)  # both snapshots are the same flow, at other times
    with pytest.raises(ValueError, match="leave the slice out"):
        plot.movie(run, "mach", slice="z=0")


def test_the_command(box, tmp_path, capsys):
    assert plot.main([box, "--field", "w", "--movie", "--limits", "-1,2", "--fps", "4", "--output", tmp_path / "w.gif", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"picture": str(tmp_path / "w.gif")} and frames(tmp_path / "w.gif")[1]["duration"] == 250
    assert plot.main([box, "--field", "rho", "--limits", "-1", "2", "--output", tmp_path / "rho.png"]) == 0
    for words in (["--limits", "1,2,3"], ["--limits", "a,b"], ["--limits", "2,1"], ["--movie", "--fps", "0"]):
        assert plot.main([box, "--field", "rho", *words]) == 2
    with pytest.raises(SystemExit):
        plot.main([box, "--movie"])
