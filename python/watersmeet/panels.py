"""What the pictures of a run on a box consist of: one function per panel, drawing into given axes; and which panels a run has."""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from . import block_panels, map_panels
from .provenance import forcing_wave_number, number, system_of, with_unit, with_value
from .shown import field_names, probed_scalars, series_names, series_shown
from .slices import Height, read_part, thick_axes
from .style import angle_ticks, blue, colour_bar, colours, components, finish, gray, ink, lines_of_probes, nice, red, symbols


def box(coordinates) -> tuple:
    """Ends of an axis whose points are the centres of equal cells: the period of a periodic box."""
    h = coordinates[1] - coordinates[0] if len(coordinates) > 1 else 1.0
    return float(coordinates[0]), float(coordinates[-1] + h), float(h)


def span(snapshot, axis: int) -> tuple:
    """`box()` of an axis of a snapshot, whose cells may be uneven: then the narrowest is the third."""
    faces = snapshot.faces.get("xyz"[axis])
    if faces is None:
        return box(getattr(snapshot, "xyz"[axis]))
    return float(faces[0]), float(faces[-1]), float(np.diff(faces).min())


def edges(snapshot, axis: int) -> np.ndarray:
    """The faces of the cells along an axis, even or not."""
    name = "xyz"[axis]
    if name in snapshot.faces:
        return snapshot.faces[name]
    start, end, h = box(getattr(snapshot, name))
    return np.linspace(start - h / 2, end - h / 2, len(getattr(snapshot, name)) + 1)


def corners_of(snapshot, axis: int, index: int):
    """Corners of the cells of a plane that the terrain bends, both coordinates (n + 1, m + 1); None where nothing is bent."""
    if snapshot.corners is None or axis == 2:
        return None
    key = [slice(None)] * 3
    key[2 - axis] = slice(index, index + 2)
    xyz = snapshot.corners[tuple(key)].mean(axis=2 - axis)
    return xyz[..., 1 - axis], xyz[..., 2]


def axis_names(run) -> dict:
    """What the axes are called where they are not x, y, z: the radius of an axisymmetric run lies along its y axis."""
    return {"y": "r"} if run.setting("grid.geometry") == "axisymmetric" else {}


def place_of(snapshot, axis: int, index, letter: str) -> list:
    """Where a plane across an axis lies, for a title: one text, or none where the axis has one cell."""
    along = getattr(snapshot, "xyz"[axis])
    if len(along) == 1:
        return []
    if isinstance(index, Height):
        return [f"{with_value(letter, index, snapshot.units['z'], 4)}, interpolated"]
    if axis == 2 and snapshot.corners is not None:  # a level has no one height
        return [f"level {index}, along the terrain"]
    # A coordinate of 1e-16 is the round-off of a zero.
    position = 0.0 if abs(along[index]) < 1e-9 * np.ptp(along) else along[index]
    return [with_value(letter, position, snapshot.units["x"], 3)]


def plane_values(snapshot, name: str, axis: int, index) -> tuple:
    """What `draw_plane` shows of a field: an array over the plane, vertical axis first, and the unit."""
    key = [slice(None)] * 3
    key[2 - axis] = index
    values, unit = read_part(snapshot, name, tuple(key))
    if name == "surface" and "depth" in snapshot:  # dry land, whose surface is the ground, would hide the waves
        depth, _ = read_part(snapshot, "depth", tuple(key))
        values = np.where(depth > 1e-6 * depth.max(), values, np.nan)
    return values, unit


def draw_plane(ax, snapshot, name: str, axis: int, index: int, names=None, limits=None):
    """A plane of a field. names: letters of axes that are not x, y, z; limits: (low, high) of the colours."""
    letter = [(names or {}).get(a, a) for a in "xyz"]
    values, unit = plane_values(snapshot, name, axis, index)
    across, up = [a for a in range(3) if a != axis]
    (x0, x1, hx), (y0, y1, hy) = (box(getattr(snapshot, "xyz"[a])) for a in (across, up))
    scale = colours(name, values, limits)
    limits = [x0 - hx / 2, x1 - hx / 2, y0 - hy / 2, y1 - hy / 2]
    extent = list(limits)
    sides = corners_of(snapshot, axis, index)
    uneven = sides is not None or any("xyz"[a] in snapshot.faces for a in (across, up))
    if uneven:
        sides = sides or [edges(snapshot, a) for a in (across, up)]
        limits = [limit for ends in sides for limit in (np.min(ends), np.max(ends))]
        for direction in (ax.xaxis, ax.yaxis):
            direction.set_major_locator(MaxNLocator(5, steps=nice))
    elif angle_ticks(ax.xaxis, x0, x1):  # periodic: repeat the first points at the end and show exactly one period
        values, extent[1], limits[:2] = np.pad(values, ((0, 0), (0, 1)), mode="wrap"), x1 + hx / 2, (x0, x1)
    if not uneven and angle_ticks(ax.yaxis, y0, y1):
        values, extent[3], limits[2:] = np.pad(values, ((0, 1), (0, 0)), mode="wrap"), y1 + hy / 2, (y0, y1)
    locators = [(direction, direction.get_major_locator()) for direction in (ax.xaxis, ax.yaxis)]
    if uneven:
        image = ax.pcolormesh(*sides, values, **scale)
        ax.set_aspect("equal")
    else:
        image = ax.imshow(values, origin="lower", extent=extent, aspect="equal", interpolation="nearest", **scale)
    ax.axis(limits)
    for direction, locator in locators:
        direction.set_major_locator(locator)
    shape = ax.bbox.width / ax.bbox.height
    bar = colour_bar(ax, image, [1 + 0.035 / max(shape, 1), 0.0, 0.05 / max(shape, 1), 1.0])
    bar.ax.yaxis.get_offset_text().set(size=8, ha="left", position=(0.0, 0.0))
    length = snapshot.units["x"]
    heading = ",  ".join([with_unit(symbols.get(name, name.replace("_", " ")), unit), *place_of(snapshot, axis, index, letter[axis])])
    finish(ax, with_unit(f"${letter[across]}$", length), with_unit(f"${letter[up]}$", length), heading)
    ax.tick_params(top=False, right=False)


def draw_line(ax, snapshot, names, axis: int, at=None, limits=None):
    """Fields along one direction, in the middle of the others, or at the indices {axis: index} of `at`."""
    n = (len(snapshot.z), len(snapshot.y), len(snapshot.x))
    key = tuple(slice(None) if d == 2 - axis else (at or {}).get(2 - d, n[d] // 2) for d in range(3))
    coordinates = getattr(snapshot, "xyz"[axis])
    unit = "1"
    for name, label, colour, line in names:
        values, unit = read_part(snapshot, name, key)
        ax.plot(coordinates, values, line, color=colour, label=label)
    lower, upper, _ = span(snapshot, axis)
    ax.set_xlim(lower, upper)
    angle_ticks(ax.xaxis, lower, upper)
    ax.ticklabel_format(axis="y", scilimits=(-2, 3), useMathText=True)
    if len(names) > 1:
        ax.legend(loc="upper right", handlelength=1.4, ncol=3, columnspacing=1.0)
        ax.margins(y=0.18)
        heading = with_unit(names[0][0].partition(".")[0].replace("_", " "), unit)
    else:
        heading = with_unit(names[0][1], unit)
    if limits is not None:
        ax.set_ylim(limits)
    finish(ax, with_unit(f"${'xyz'[axis]}$", snapshot.units["xyz"[axis]]), "", heading)


def draw_spectrum(ax, run):
    """E(k) of the last report and its mean over the second half, with a -5/3 line, and k_f of a forced run."""
    spectra = run.spectra
    finest = max(np.pi / box(getattr(run.fields[-1], a))[2] for a in "xyz") if len(run.fields) else np.inf
    shown = (spectra.k > 0) & (spectra.k <= 1.001 * finest)  # beyond, shells are only corners of the cube of modes
    k, energy = spectra.k[shown], spectra["E"][:, shown]
    end = spectra.times[-1]
    half = 0.5 * (spectra.times[0] + end)
    mean = energy[spectra.times >= half].mean(axis=0)
    k_f = forcing_wave_number(run)
    if not np.any(mean > 0):
        raise ValueError("the spectrum is zero")
    lower, upper = 1e-8 * mean.max(), mean.max()
    with np.errstate(invalid="ignore"):
        ax.loglog(k, np.where(energy[-1] > 0, energy[-1], np.nan), color=gray, lw=0.9, label=f"$t = {number(end)}$")
        ax.loglog(k, np.where(mean > 0, mean, np.nan), color=blue, lw=1.6, label=f"mean of $t > {number(half)}$")
    start = max(k[0], 1.3 * k_f if k_f else 2.0)
    guide = np.array([start, min(max(4 * start, 10.0), 0.5 * k[-1])])
    if guide[1] > 1.5 * guide[0]:
        inside = (k >= guide[0]) & (k <= guide[1]) & (mean > 0)
        height = 2.2 * np.max(mean[inside] * k[inside] ** (5 / 3)) if inside.any() else np.nan
        if np.isfinite(height):
            ax.loglog(guide, height * guide ** (-5 / 3), color=ink, lw=0.9, ls="--")
            middle = np.sqrt(guide[0] * guide[1])
            ax.annotate(r"$k^{-5/3}$", (middle, height * middle ** (-5 / 3)), xytext=(4, 4), textcoords="offset points")
            upper = max(upper, height * guide[0] ** (-5 / 3))
    ax.set_ylim(max(lower, 0.3 * np.min(mean[mean > 0])), (8 if k_f else 3) * upper)
    ax.set_xlim(0.9 * k[0], 1.1 * k[-1])
    if k_f:
        ax.axvline(k_f, color=red, lw=0.9, ls=":")
        ax.annotate(rf"$k_f = {k_f:.3g}$", (k_f, 0.94), xycoords=("data", "axes fraction"), color=red,
                    xytext=(4, 0), textcoords="offset points")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_locator(LogLocator(numticks=8))
    ax.legend(loc="lower left", handlelength=1.4)
    finish(ax, with_unit("$k$", spectra.units["k"]), "", with_unit("energy spectrum $E(k)$", spectra.units["E"]))


def draw_series(ax, run, name: str):
    series = run.series
    t, values = series["t"], series[name]
    ax.plot(t, values, color=blue)
    if len(t) > 1 and t[-1] > t[0]:
        ax.set_xlim(t[0], t[-1])
    if np.all(values >= 0):
        ax.set_ylim(bottom=0, top=1.08 * np.max(values) or 1.0)
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=nice))
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=nice))
    ax.ticklabel_format(axis="y", scilimits=(-2, 3), useMathText=True)
    label = series_names.get(name, name.replace("_", " "))
    if name == "u_max" and "v_max" in series:
        label = "largest $|u_x|$"
    if name == "p_amplification" and has_shock(run):
        label = r"$p_\mathrm{max}\,/\,\Delta p$ of the shock"
    finish(ax, with_unit("$t$", series.units["t"]), "", with_unit(label, series.units[name]))


def draw_probes(ax, run, field: str, names: list):
    """A field at all probes that have it."""
    series = run.series
    for number_, name in enumerate(names):
        ax.plot(series["t"], series[f"{name}_{field}"], color=lines_of_probes[number_ % len(lines_of_probes)], label=name)
    if series["t"][-1] > series["t"][0]:
        ax.set_xlim(series["t"][0], series["t"][-1])
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=nice))
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=nice))
    ax.ticklabel_format(axis="y", scilimits=(-2, 3), useMathText=True)
    ax.legend(loc="best", handlelength=1.4)
    unit = series.units[f"{names[0]}_{field}"]
    finish(ax, with_unit("$t$", series.units["t"]), "", with_unit(f"{symbols.get(field, field.replace('_', ' '))} at probes", unit))


def has_shock(run) -> bool:
    """Whether the initial state has an entry of the kind shock."""
    return any(shape_kind(entry) == "shock" for entry in run.setting("initial", []))


def shape_kind(entry) -> str:
    shape = entry.get("shape", {})
    return str(shape.get("kind", "")) if isinstance(shape, dict) else ""


def line_panel(snapshot, name: str, axis: int):
    """A field along the only resolved direction; of a vector, and instead of the speed, the components."""
    base = "velocity" if name == "speed" and "velocity" in snapshot else name
    if base in snapshot and snapshot[base].ndim == 4:
        symbol = "u" if base == "velocity" else rf"\mathrm{{{base.replace('_', ' ')}}}"
        lines = [(f"{base}.{c}", f"${symbol}_{c}$", colour, line) for c, colour, line in components]
    else:
        lines = [(base, symbols.get(base, base.replace("_", " ")), blue, "-")]
    return lambda ax: draw_line(ax, snapshot, lines, axis)


def is_mirrored(run, axis: int) -> bool:
    """Whether the lower side of an axis is a plane of symmetry: what there is to see lies there, not in the middle."""
    side = run.setting(f"boundary.{'xyz'[axis]}_lower")
    return (side.get("kind") if isinstance(side, dict) else side) == "symmetry"


def shown_axis(run, thick: list) -> int:
    """The axis across the planes of the overview: the thin one; in three dimensions planes stand upright where something rises."""
    upright = system_of(run) in ("boussinesq", "atmosphere") and "y" not in str(run.setting("physics.gravity", ""))
    return next((a for a in range(3) if a not in thick), 1 if upright else 2)


def on_blocks(run) -> bool:
    """Whether the run's grid are curvilinear blocks, or the panels of a sphere; not a box whose levels follow the terrain."""
    over_ground = run.setting("physics.terrain") is not None and run.setting("grid.kind") != "cubed_sphere"
    return (run.path / "mesh.h5").exists() and not over_ground


def on_sphere(run) -> bool:
    return on_blocks(run) and run.setting("grid.kind") == "cubed_sphere"


def overview_panels(run) -> list:
    """The panels that this run has something to show in, as functions of the axes: fields, spectrum, series."""
    if on_blocks(run) and not on_sphere(run):
        return block_panels.overview(run)
    fields, below = [], []
    system = system_of(run)
    if len(run.fields):
        snapshot = run.fields[-1]
        names = field_names(snapshot, system)
        thick = [] if on_sphere(run) else thick_axes(snapshot)
        if on_sphere(run):
            fields += [lambda ax, n=n: map_panels.draw_map(ax, snapshot, n) for n in names]
        elif len(thick) == 1:
            fields += [line_panel(snapshot, name, thick[0]) for name in names]
        else:
            axis = shown_axis(run, thick)
            middle = 0 if is_mirrored(run, axis) else len(getattr(snapshot, "xyz"[axis])) // 2
            called = axis_names(run)
            fields += [lambda ax, n=n: draw_plane(ax, snapshot, n, axis, middle, called) for n in names]
    spectra = run.spectra if (run.path / "spectra.csv").exists() else {}
    if "E" in spectra and np.any(spectra["E"][:, spectra.k > 0] > 0):
        fields.append(lambda ax: draw_spectrum(ax, run))
    if (run.path / "series.csv").exists() and run.series.rows:
        probed = probed_scalars(run)
        names = series_shown(run.series, system, 3 + max(0, 3 - len(fields) - len(probed)), probed)
        below = [lambda ax, f=f, n=n: draw_probes(ax, run, f, n) for f, n in list(probed.items())[:3]]
        below += [lambda ax, n=n: draw_series(ax, run, n) for n in names]
    return fields + below
