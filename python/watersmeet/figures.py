"""Pages of pictures: the overview of a run, and one field on a page of its own."""

from __future__ import annotations

from contextlib import contextmanager

import matplotlib
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from . import block_panels, map_panels
from .panels import (
    axis_names, draw_line, draw_plane, on_blocks, on_sphere, overview_panels, place_of, plane_values, shown_axis, span,
)
from .provenance import provenance_line, system_of, title, with_value
from .shown import field_names
from .slices import parse_slice, thick_axes, usual_slice
from .sphere import is_sphere
from .style import blue, ink, style, symbols


def whole_page(figure) -> Bbox:
    """The figure, in inches, widened where labels of a colour bar stand out of it."""
    page = Bbox.from_bounds(0, 0, *figure.get_size_inches())
    return Bbox.union([page, figure.get_tightbbox()])


def wide_planes(run) -> tuple:
    """Number of planes at the beginning of the panels that are at least twice as wide as high, and their width over height."""
    if not len(run.fields) or (on_blocks(run) and not on_sphere(run)):
        return 0, 1.0
    snapshot = run.fields[-1]
    if on_sphere(run):
        return len(field_names(snapshot, system_of(run))), 2.0
    thick = thick_axes(snapshot)
    if len(thick) < 2:
        return 0, 1.0
    axis = shown_axis(run, thick)
    across, up = (span(snapshot, a) for a in range(3) if a != axis)
    ratio = (across[1] - across[0]) / (up[1] - up[0])
    return (len(field_names(snapshot, system_of(run))), ratio) if ratio >= 2 else (0, 1.0)


def overview_figure(run) -> Figure:
    """Wide planes first, a row each, or two a row where they are less than four times as wide as high; then three equal
    panels per row; title above, provenance below."""
    panels = overview_panels(run)
    if not panels:
        raise ValueError(f"{run.path} holds no snapshot and no series yet: nothing to draw")
    wide, ratio = wide_planes(run)
    rows = -(-(len(panels) - wide) // 3)
    with matplotlib.rc_context(style):
        side, gap_x, gap_y, left, top, bottom = 2.75, 1.25, 0.85, 0.6, 0.85, 0.85
        length = 3 * side + 2 * gap_x
        beside = 2 if wide > 1 and ratio < 4 else 1
        broad = (length - (beside - 1) * gap_x) / beside
        flat, wide_rows = broad / ratio, -(-wide // beside)
        squares = rows * side + max(rows - 1, 0) * gap_y
        width = left + length + 0.4
        height = top + wide_rows * (flat + gap_y) + squares + bottom - (0 if rows else gap_y)
        figure = Figure(figsize=(width, height), facecolor="white")
        for count, draw in enumerate(panels):
            if count < wide:
                row, column = divmod(count, beside)
                place = [left + column * (broad + gap_x), height - top - (row + 1) * flat - row * gap_y, broad - 0.3, flat]
            else:
                row, column = divmod(count - wide, 3)
                place = [left + column * (side + gap_x), bottom + (rows - 1 - row) * (side + gap_y), side, side]
            draw(figure.add_axes([place[0] / width, place[1] / height, place[2] / width, place[3] / height]))
        name, when = title(run)
        figure.text(left / width, 1 - 0.3 / height, name, size=13, weight="bold", color=ink, va="center")
        figure.text(1 - 0.4 / width, 1 - 0.3 / height, when, size=10, color=ink, va="center", ha="right")
        figure.text(left / width, 0.2 / height, provenance_line(run), size=7.5, color="#666666", va="center")
    return figure


@contextmanager
def _page(run, snapshot, width: float, height: float, share: float):
    """The figure and axes of one picture on width x height inches, the axes a share of the width; adds the time and the provenance."""
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(width, height), facecolor="white")
        ax = figure.add_axes([0.65 / width, 0.75 / height, share, 1 - 1.25 / height])
        yield figure, ax
        ax.set_title(f"{ax.get_title()},  {with_value('t', snapshot.time, snapshot.units['time'])}", color=ink)
        figure.text(0.1 / width, 0.12 / height, provenance_line(run, snapshot), size=6.5, color="#666666")


def line_figure(run, snapshot, name: str, axis: int, at: dict, limits=None) -> Figure:
    """A field along one direction on a page of its own; `at` as of `draw_line`."""
    with _page(run, snapshot, 6.4, 4.4, 5.4 / 6.4) as (figure, ax):
        draw_line(ax, snapshot, [(name, symbols.get(name, name.replace("_", " ")), blue, "-")], axis, at, limits)
        places = [text for a in at for text in place_of(snapshot, a, at[a], "xyz"[a])]
        ax.set_title(",  ".join([ax.get_title(), *places]))
    return figure


def plane_figure(run, snapshot, name: str, axis: int, index: int, limits=None) -> Figure:
    """One plane on a page of its own; a line where another axis of the plane has one cell."""
    resolved = [a for a in range(3) if a != axis and len(getattr(snapshot, "xyz"[a])) > 1]
    if len(resolved) == 1:
        return line_figure(run, snapshot, name, resolved[0], {axis: index}, limits)
    sides = [high - low for low, high, _ in (span(snapshot, a) for a in range(3) if a != axis)]
    height = 1.25 + 4.8 * min(max(sides[1] / sides[0], 0.15), 1.5)
    with _page(run, snapshot, 6.4, height, 4.8 / 6.4) as (figure, ax):
        draw_plane(ax, snapshot, name, axis, index, axis_names(run), limits)
    return figure


def field_figure(run, snapshot, name: str, slice: str | None = None, limits=None) -> Figure:
    """One field on a page of its own: a plane or a line of a box, the plane of blocks, a map of a sphere; `slice` as of `watersmeet.Run.plot`.

    Raises:
        KeyError, ValueError: no such field or plane; a slice of blocks.
    """
    if hasattr(snapshot, "mesh"):
        _refuse_slice(snapshot, slice)
        return blocks_figure(run, snapshot, name, limits)
    return plane_figure(run, snapshot, name, *parse_slice(snapshot, slice or usual_slice(snapshot)), limits)


def shown_values(snapshot, name: str, slice: str | None = None):
    """The values that `field_figure` shows, as one array; errors as there."""
    if hasattr(snapshot, "mesh"):
        _refuse_slice(snapshot, slice)
        return map_panels.map_values(snapshot, name) if is_sphere(snapshot) else block_panels.shown_parts(snapshot, name)[1]
    return plane_values(snapshot, name, *parse_slice(snapshot, slice or usual_slice(snapshot)))[0]


def _refuse_slice(snapshot, slice):
    if slice is not None:
        raise ValueError(f"{snapshot.path.name} is on curvilinear blocks, which have no slices: leave the slice out; the plane "
                         "of the blocks is drawn, or that of symmetry, or a map of the sphere")


def blocks_figure(run, snapshot, name: str, limits=None) -> Figure:
    """One field on curvilinear blocks on a page of its own; on a sphere a map."""
    round_ = is_sphere(snapshot)
    width, height = (9.4, 4.9) if round_ else (6.4, 6.0)
    with _page(run, snapshot, width, height, 1 - 1.6 / width) as (figure, ax):
        (map_panels.draw_map if round_ else block_panels.draw_field)(ax, snapshot, name, limits)
    return figure
