"""Pictures of aerodynamics: the pressure along walls, also along sections of a wing, and polars of a study."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .blocks import surface_names
from .provenance import provenance_line, title
from .style import finish, ink, lines_of_probes, nice, style


def section(surface, axis: str, at: float, name: str = "cp") -> list:
    """Where a plane cuts a surface of a run in space: what stands at the nodes, along the cut.

    Args:
        surface: a `Table` of `Run.surface`.
        axis, at: the plane, "y" and its place in units of length.
        name: column of values.

    Returns:
        Arrays (points, 4) of x, y, z and the value, one for each connected piece of each block; linear between nodes.

    Raises:
        KeyError: no such column.
    """
    from contourpy import contour_generator

    pieces = []
    for block in np.unique(surface["block"]):
        of = surface["block"] == block
        ijk = np.stack([surface[a][of].astype(int) for a in "ijk"], axis=1)
        for across in range(3):  # faces of the block lie across an axis, at one index
            for index in np.unique(ijk[:, across]):
                on = ijk[:, across] == index
                rest = [a for a in range(3) if a != across]
                u, v = (np.unique(ijk[on][:, a]) for a in rest)
                if len(u) < 2 or len(v) < 2 or len(u) * len(v) != np.count_nonzero(on):
                    continue
                order = np.lexsort((ijk[on][:, rest[0]], ijk[on][:, rest[1]]))
                grid = np.stack([surface[c][of][on][order] for c in ("x", "y", "z", name)], axis=-1).reshape(len(v), len(u), 4)
                pieces += _cut(contour_generator, grid, "xyz".index(axis), at)
    return pieces


def _cut(contour_generator, grid, axis: int, at: float) -> list:
    from .places import trilinear

    lines = contour_generator(z=grid[..., axis]).lines(at)
    return [trilinear(grid[None], np.column_stack([np.zeros(len(line)), line[:, 1], line[:, 0]])) for line in lines]


def cp_figure(run, patches=None, step: int | None = None, cuts=None) -> Figure:
    """See `watersmeet.plot.cp`."""
    known = [name for name in surface_names(run.path) if "cp" in run.surface(name)]
    if not known:
        raise ValueError(f"{run.path} has no surface file with cp: put \"cp\" into output.surface")
    chosen = list(patches) if patches else known
    axis, places = cuts if cuts else ("", [None])
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(6.4, 4.6), facecolor="white")
        ax = figure.add_axes([0.12, 0.15, 0.84, 0.75])
        drawn = 0
        for name in chosen:
            surface = run.surface(name, step)
            if places == [None] and "arc" not in surface:
                raise ValueError(f"{surface.path.name} is a surface in space: name sections, such as y=0.5")
            for place in places:
                colour, label = lines_of_probes[drawn % len(lines_of_probes)], name if place is None else f"{name}, ${axis} = {place:g}$"
                for n, piece in enumerate(_curves(surface, axis, place)):
                    ax.plot(piece[:, 0], piece[:, 1], color=colour, label=label if n == 0 else None)
                    drawn += n == 0
        if not drawn:
            raise ValueError(f"no section: {axis} = {', '.join(f'{p:g}' for p in places)} cuts none of {', '.join(chosen)}")
        ax.invert_yaxis()
        ax.axhline(0, color=ink, lw=0.5)
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=nice))
        ax.yaxis.set_major_locator(MaxNLocator(7, steps=nice))
        if drawn > 1:
            ax.legend(loc="best")
        finish(ax, "$x$", "$c_p$", f"{title(run)[0]},  {_when(run, chosen[0], step)}")
        figure.text(0.015, 0.02, provenance_line(run), size=6.5, color="#666666")
    return figure


def _when(run, patch: str, step: int | None) -> str:
    step = int(run.surface(patch, step).path.stem.rpartition("_")[2])
    return f"cycle {step}" if run.setting("time.mode", "steady") == "steady" else f"step {step}"


def _curves(surface, axis: str, place):
    """Arrays (points, 2) of x and cp."""
    if place is not None:
        return [piece[:, [0, 3]] for piece in section(surface, axis, place)]
    breaks = np.flatnonzero(np.diff(surface["arc"]) < 0) + 1
    return [np.column_stack([surface["x"][part], surface["cp"][part]]) for part in np.split(np.arange(surface.rows), breaks)]


def polar_figure(study, over: str | None = None) -> Figure:
    """See `watersmeet.plot.polar`."""
    if "cl" not in study or "cd" not in study:
        raise ValueError(f"{study.directory}: no run has lift and drag (columns cl and cd)")
    keys = [key for key in (study.settings[0] if study.settings else {}) if len({str(one[key]) for one in study.settings}) > 1]
    numeric = [key for key in keys if all(isinstance(one[key], (int, float)) and not isinstance(one[key], bool) for one in study.settings)]
    if over is not None and over not in numeric:
        raise ValueError(f"no setting {over!r} of numbers varies in {study.directory}; there are: {', '.join(numeric) or 'none'}")
    over = over or next((key for key in numeric if "alpha" in key), numeric[0] if numeric else None)
    if over is None:
        raise ValueError(f"{study.directory}: no setting of numbers varies")
    others = [key for key in keys if key != over]
    groups = {}
    for n, one in enumerate(study.settings):
        groups.setdefault(tuple(str(one[key]) for key in others), []).append(n)
    x, cl, cd = (np.asarray(study[name], float) for name in (over, "cl", "cd"))
    cm = np.asarray(study["cm"], float) if "cm" in study else None
    name = over.rpartition(".")[2]
    label = {"alpha_deg": r"$\alpha$ [degrees]", "mach": "Mach number"}.get(name, name)
    with matplotlib.rc_context(style):
        panels = [(x, cl, label, "lift coefficient"), (x, cd, label, "drag coefficient"), (cd, cl, "drag coefficient", "lift against drag")]
        panels += [(x, cm, label, "moment coefficient")] if cm is not None and np.any(np.isfinite(cm)) else []
        width = 0.6 + 3.6 * len(panels)
        figure = Figure(figsize=(width, 3.9), facecolor="white")
        for p, (a, b, below, heading) in enumerate(panels):
            ax = figure.add_axes([(0.6 + 3.6 * p) / width, 0.2, 2.75 / width, 0.65])
            for g, (words, members) in enumerate(groups.items()):
                order = sorted(members, key=lambda n: x[n])
                text = ", ".join(f"{key.rpartition('.')[2]} = {value}" for key, value in zip(others, words))
                colour = lines_of_probes[g % len(lines_of_probes)]
                ax.plot(a[order], b[order], "-", color=colour, label=text or None)
                # runs that looked for a steady state and did not find one are hollow
                for n in order:
                    ax.plot(a[n], b[n], "o", ms=4.5, color=colour, mfc="white" if study.converged[n] is False else colour)
            ax.xaxis.set_major_locator(MaxNLocator(5, steps=nice))
            ax.yaxis.set_major_locator(MaxNLocator(6, steps=nice))
            if p == 0 and others:
                ax.legend(loc="best")
            finish(ax, below, "", heading)
        hollow = any(value is False for value in study.converged)
        figure.text(0.6 / width, 0.02, str(study.directory) + ("     hollow: not converged" if hollow else ""), size=7.5, color="#666666")
    return figure
