"""A movie of one field over the snapshots of a run, with the same colours at the same values in all pictures."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from . import figures
from .shown import signed
from .whole_file import whole_file

by_pillow = (".gif", ".png", ".apng", ".webp")
by_ffmpeg = (".mp4", ".mkv", ".webm", ".mov", ".avi")


def movie(run, field, *, slice=None, path=None, limits=None, fps: float = 10.0, snapshots=None) -> Path:
    """See `watersmeet.plot.movie`."""
    chosen = [snapshot for snapshot in (run.fields if snapshots is None else run.fields[snapshots]) if _has(snapshot, field)]
    if len(chosen) < 2:
        raise ValueError(f"a movie needs at least two snapshots with {field}; {run.path} has {len(chosen)}")
    if not 0.1 <= fps <= 240:
        raise ValueError(f"fps = {fps:g} is not between 0.1 and 240 pictures per second")
    path = Path(path) if path is not None else run.path / "plots" / f"{_name(field, slice)}{'.mp4' if shutil.which('ffmpeg') else '.gif'}"
    suffix = path.suffix.lower()
    if suffix not in by_pillow + by_ffmpeg:
        raise ValueError(f"{path.name}: a movie ends in {', '.join(by_ffmpeg + by_pillow)}")
    if suffix in by_ffmpeg and shutil.which("ffmpeg") is None:
        raise OSError(f"{path.name} is made by ffmpeg, which is not on the path: apt install ffmpeg; or name a file that ends in "
                      ".gif or .png (animated)")
    limits = limits if limits is not None else common_limits(chosen, field, slice)
    with whole_file(path) as part:
        (_by_ffmpeg if suffix in by_ffmpeg else _by_pillow)(_pictures(run, chosen, field, slice, limits), part, fps)
    return path


def common_limits(snapshots, field: str, slice=None) -> tuple:
    """The lowest and the highest value that pictures of these snapshots show, (low, high) in units of the field. For a quantity of both
    signs both have the same distance from zero, so that zero is white.

    Raises:
        KeyError, ValueError: no such field or plane; no finite value.
    """
    low, high = np.inf, -np.inf
    for snapshot in snapshots:
        values = figures.shown_values(snapshot, field, slice)
        if np.any(np.isfinite(values)):
            low, high = min(low, float(np.nanmin(values))), max(high, float(np.nanmax(values)))
    if not np.isfinite(low):
        raise ValueError(f"{field} has no finite value in these snapshots")
    if (field in signed or "." in field) and low < 0 < high:
        return -max(high, -low), max(high, -low)
    if low == high:
        reach = 0.5 * max(abs(low), 1e-12)
        return low - reach, low + reach
    room = 0.04 * (high - low) if not hasattr(snapshot, "mesh") and 1 in values.shape else 0.0  # a curve does not touch its frame
    return low - room, high + room


def _has(snapshot, field: str) -> bool:
    """Whether a snapshot has the field, or what it is made from (`slices.read_part`)."""
    base = field.partition(".")[0]
    made_from = {"speed": "velocity", "lnrho": "rho", "rho": "lnrho"}.get(base, base)
    return base in snapshot or made_from in snapshot


def _name(field: str, slice) -> str:
    return field.replace(".", "_") + (f"_{slice.replace('=', '').replace(' ', '')}" if slice else "")


def _pictures(run, snapshots, field, slice, limits):
    """The pictures as PNG, all of one size, one after the other: only one is in memory."""
    place = None
    for snapshot in snapshots:
        figure = figures.field_figure(run, snapshot, field, slice, limits)
        if place is None:
            place = figures.whole_page(figure)  # the same for all pictures: only labels of the colours change, which may extend beyond the page
        buffer = io.BytesIO()
        figure.savefig(buffer, dpi=150, format="png", bbox_inches=place)
        yield buffer.getvalue()


def _by_ffmpeg(pictures, path: Path, fps: float):
    """H.264, or what this ffmpeg uses for the suffix. Most players need even numbers of pixels and colours at half the resolution."""
    line = ["ffmpeg", "-loglevel", "error", "-y", "-f", "image2pipe", "-framerate", f"{fps:g}", "-c:v", "png", "-i", "-",
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p", "-q:v", "2", str(path.absolute())]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
        try:
            for picture in pictures:
                process.stdin.write(picture)
            process.stdin.close()
        except BrokenPipeError:
            pass  # ffmpeg ended early: its status and messages say why
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.wait() != 0:
            said.seek(0)
            raise OSError(f"ffmpeg ended with status {process.returncode}: {said.read().decode('utf-8', 'replace').strip()[-500:]}")


def _by_pillow(pictures, path: Path, fps: float):
    """An animated GIF (256 colours), PNG or WebP that repeats endlessly. Pillow holds all pictures in memory."""
    from PIL import Image

    form = {".gif": "GIF", ".webp": "WEBP"}.get(path.suffix, "PNG")
    images, palette = [], None
    for picture in pictures:
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        if form == "GIF":  # all pictures have the colours of the first one, whose colour bar has all of them
            palette = palette or image.quantize(256)
            image = image.quantize(palette=palette, dither=Image.Dither.NONE)
        images.append(image)
    images[0].save(path, format=form, save_all=True, append_images=images[1:], duration=round(1000 / fps), loop=0)
