"""The overview of a run on curvilinear blocks: Mach number around the body, pressure along its surface, residual and forces."""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import MaxNLocator

from .blocks import surface_names
from .provenance import with_unit
from .style import blue, colours, finish, gray, ink, nice, red, symbols

walls = ("slip_wall",)


def _shown_plane(mesh):
    """[(block, key, axes)] of the nodes to show: all nodes of a 2-D mesh, else those on symmetry planes, else those on walls."""
    if mesh.dimensions == 2:
        return [(b, (0,), (0, 1)) for b in range(len(mesh))]
    patches = [p for p in mesh.patches if p.kind == "symmetry"] or [p for p in mesh.patches if p.kind in walls]
    corners = np.concatenate([mesh.xyz(p.block)[p.key].reshape(-1, 3) for p in patches]) if patches else np.zeros((1, 3))
    across = int(np.argmin(np.ptp(corners, axis=0)))
    axes = tuple(a for a in range(3) if a != across)
    return [(p.block, p.key, axes) for p in patches]


def _window(mesh, axes) -> tuple | None:
    """The part of the plane to show, (x0, x1, y0, y1) around the walls; None for all of it, where walls are not small in the plane or there are none."""
    body = [mesh.xyz(p.block)[p.key].reshape(-1, 3)[:, axes] for p in mesh.patches if p.kind in walls]
    if not body:
        return None
    nodes = np.concatenate(body)
    whole = np.concatenate([mesh.xyz(b).reshape(-1, 3)[:, axes] for b in range(len(mesh))])
    size = np.ptp(nodes, axis=0).max()
    if size > 0.25 * np.ptp(whole, axis=0).max():
        return None
    centre = 0.5 * (nodes.min(axis=0) + nodes.max(axis=0))
    return centre[0] - size, centre[0] + size, centre[1] - 0.8 * size, centre[1] + 0.8 * size


def values_of(snapshot, name: str, block: int, key: tuple):
    """Values of a field on the part `key` of a block: of a scalar, the magnitude of a vector, or a component ("velocity.x").

    Raises:
        KeyError: no such field. ValueError: no such component.
    """
    base, _, component = name.partition(".")
    values = snapshot[base][block][key]
    if snapshot[base].components == 1:
        return values
    return values[..., "xyz".index(component)] if component else np.linalg.norm(values, axis=-1)


def shown_parts(snapshot, name: str) -> tuple:
    """What `draw_field` shows.

    Returns:
        [(coordinates in the plane (m, n, 2), values (m, n))] of the blocks; the values inside the window as one array; the two axes of the
        plane (0 = x); and the window (x0, x1, y0, y1) or None.

    Raises:
        KeyError, ValueError: no such field or component; the mesh has no plane to show.
    """
    mesh = snapshot.mesh
    pieces = _shown_plane(mesh)
    if not pieces:
        raise ValueError(f"{snapshot.path.name}: nothing to show: the mesh has no plane of symmetry and no wall")
    axes = pieces[0][2]
    window = _window(mesh, list(axes))
    parts = [(mesh.xyz(b)[key][..., list(axes)], values_of(snapshot, name, b, key)) for b, key, _ in pieces]

    def inside(xy):
        if window is None:
            return np.ones(xy.shape[:-1], bool)
        return ((xy[..., 0] >= window[0]) & (xy[..., 0] <= window[1])
                & (xy[..., 1] >= window[2]) & (xy[..., 1] <= window[3]))

    seen = [values[inside(xy)] for xy, values in parts]
    shown = np.concatenate(seen) if any(s.size for s in seen) else np.concatenate([v.ravel() for _, v in parts])
    return parts, shown, axes, window


def draw_field(ax, snapshot, name: str, limits=None):
    """Draw a field on the blocks of a plane into `ax`, smooth between nodes; only the surroundings of the walls where these are small.

    Args:
        limits: (low, high) of the colours, in units of the field; None: those of the values that are shown.
    """
    parts, shown, axes, window = shown_parts(snapshot, name)
    low, high = limits or (float(np.nanmin(shown)), float(np.nanmax(shown)))
    if not high > low:
        low, high = low - 0.5 * max(abs(low), 1e-12), low + 0.5 * max(abs(low), 1e-12)
        limits = low, high
    scale = colours(name, shown, limits)
    if "norm" not in scale:
        scale = {"vmin": low, "vmax": high, **scale}  # the same for all blocks
    image = None
    for xy, values in parts:
        image = ax.pcolormesh(xy[..., 0], xy[..., 1], values, shading="gouraud", rasterized=True, **scale)
        if name == "mach" and low < 1 < high and min(values.shape) > 1:
            ax.contour(xy[..., 0], xy[..., 1], values, levels=[1.0], colors="white", linewidths=0.8)
    ax.set_aspect("equal")
    if window:
        ax.axis(window)
    ax.xaxis.set_major_locator(MaxNLocator(5, steps=nice))
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=nice))
    bar = ax.figure.colorbar(image, cax=ax.inset_axes([1.03, 0.0, 0.045, 1.0]))
    bar.outline.set_linewidth(0.7)
    bar.ax.tick_params(direction="in", length=3)
    unit = str(snapshot[name.partition(".")[0]].attrs.get("units", "1"))
    labels = [with_unit(f"${'xyz'[a]}$", snapshot.units["xyz"[a]]) for a in axes]
    finish(ax, *labels, with_unit(symbols.get(name, name.replace("_", " ")), unit))
    ax.tick_params(top=False, right=False)


def draw_cp(ax, run, patches: list):
    """Draw the pressure coefficient over x along up to three named surfaces into `ax`, negative values upwards."""
    for patch, colour in zip(patches, (blue, red, gray)):
        surface = run.surface(patch)
        breaks = np.flatnonzero(np.diff(surface["arc"]) < 0) + 1
        for n, part in enumerate(np.split(np.arange(surface.rows), breaks)):
            ax.plot(surface["x"][part], surface["cp"][part], color=colour, label=patch if n == 0 else None)
    ax.invert_yaxis()
    ax.axhline(0, color=ink, lw=0.5)
    if len(patches) > 1:
        ax.legend(loc="best")
    ax.xaxis.set_major_locator(MaxNLocator(5, steps=nice))
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=nice))
    finish(ax, "$x$", "", "pressure coefficient")


def draw_residual(ax, run):
    """Draw the residuals of density, x momentum and energy over the cycles into `ax`, relative to their largest values."""
    series = run.series
    lines = (("residual_rho", r"$\rho$", blue), ("residual_mx", r"$\rho u$", red), ("residual_energy", "$E$", gray))
    for name, label, colour in lines:
        values = np.asarray(series[name])
        top = np.max(values)
        if top > 0:
            ax.semilogy(series["step"], np.where(values > 0, values / top, np.nan), color=colour, label=label)
    ax.legend(loc="upper right")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    finish(ax, "cycle", "", "residual over its largest value")


def draw_forces(ax, run):
    """Draw the coefficients of lift and drag over the cycles of a steady run, else over the time, into `ax`."""
    series = run.series
    steady = run.setting("time.mode", "steady") == "steady"
    t = series["step" if steady else "t"]
    ax.plot(t, series["cl"], color=blue, label="lift")
    ax.plot(t, series["cd"], color=red, label="drag")
    ax.legend(loc="best")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=nice))
    finish(ax, "cycle" if steady else "$t$", "", "force coefficients")


def overview(run) -> list:
    """The panels for which this run has data: functions that draw into given axes."""
    panels = []
    snapshot = run.fields[-1] if len(run.fields) else None
    if snapshot is not None:
        names = [n for n in ("mach", "p", "entropy") if n in snapshot] or list(snapshot)[:2]
        panels += [lambda ax, n=n: draw_field(ax, snapshot, n) for n in names[:2]]
        if snapshot.mesh.dimensions == 2:
            patches = [p for p in surface_names(run.path) if "cp" in run.surface(p)]
            if patches:
                panels.append(lambda ax: draw_cp(ax, run, patches[:3]))
    if (run.path / "series.csv").exists() and run.series.rows > 1:
        if run.setting("time.mode", "steady") == "steady":
            panels.append(lambda ax: draw_residual(ax, run))
        if "cl" in run.series:
            panels.append(lambda ax: draw_forces(ax, run))
    return panels
