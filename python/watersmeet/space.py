"""Pictures in space by PyVista, without a display: iso-surfaces, and volumes of boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .places import coordinates, values
from .provenance import provenance_line, title, with_unit
from .shown import signed
from .surfaces import isosurface
from .whole_file import whole_file

views = ("corner", "x", "y", "z", "-x", "-y", "-z")


def _pyvista():
    try:
        import pyvista
    except ImportError as error:
        raise ImportError("surfaces and volumes are drawn by PyVista: pip install pyvista") from error
    pyvista.vtk_verbosity("off")  # that there is no display is no fault
    return pyvista


def surface_picture(run, snapshot, name: str, levels, path: Path, *, color_by=None, limits=None, view: str = "corner", size=(1200, 900)) -> Path:
    """See `watersmeet.plot.surface`."""
    pv = _pyvista()
    found = isosurface(snapshot, name, levels, carry=[color_by] if color_by else [])
    faces = np.column_stack([np.full(len(found.triangles), 3), found.triangles]).ravel()
    mesh = pv.PolyData(found.points, faces)
    plotter = _plotter(pv, size)
    label = color_by or name
    if color_by or len(set(found.values[name])) > 1:
        mesh[label] = found.values[label]
        plotter.add_mesh(mesh, scalars=label, smooth_shading=True, scalar_bar_args=_bar(label, found.value_units[label]), **_colours(label, found.values[label], limits))
    else:
        plotter.add_mesh(mesh, color="#7da2c8", smooth_shading=True, specular=0.3)
    levels_text = ", ".join(f"{level:g}" for level in np.atleast_1d(levels))
    return _finish(pv, plotter, run, snapshot, with_unit(f"{name} = {levels_text}", found.value_units[name]), path, view)


def volume_picture(run, snapshot, name: str, path: Path, *, limits=None, view: str = "corner", size=(1200, 900)) -> Path:
    """See `watersmeet.plot.volume`."""
    if hasattr(snapshot, "mesh") or snapshot.corners is not None or snapshot.faces:
        raise ValueError(f"{snapshot.path.name}: volumes are drawn of boxes with even cells; draw a surface (--iso)")
    if min(len(snapshot.x), len(snapshot.y), len(snapshot.z)) < 2:
        raise ValueError(f"{snapshot.path.name} has one cell along an axis: there is no volume")
    pv = _pyvista()
    found, unit = values(snapshot, name)
    spacing = [float(a[1] - a[0]) for a in (snapshot.x, snapshot.y, snapshot.z)]
    grid = pv.ImageData(dimensions=found.shape[::-1], spacing=spacing, origin=[float(a[0]) for a in (snapshot.x, snapshot.y, snapshot.z)])
    grid[name] = np.asarray(found, np.float32).ravel()
    plotter = _plotter(pv, size)
    scale = _colours(name, found, limits)
    # Values near the ends of the colours hide what is behind them, those in the middle of a quantity with both signs do not.
    opacity = [0.9, 0.3, 0.0, 0.3, 0.9] if scale["cmap"] == "RdBu_r" else [0.0, 0.02, 0.1, 0.4, 0.9]
    plotter.add_volume(grid, scalars=name, opacity=opacity, scalar_bar_args=_bar(name, unit), opacity_unit_distance=min(spacing) * 8, **scale)
    return _finish(pv, plotter, run, snapshot, with_unit(name, unit), path, view)


def _colours(name: str, found, limits) -> dict:
    low, high = limits or (float(np.nanmin(found)), float(np.nanmax(found)))
    if (name in signed or "." in name) and low < 0 < high and limits is None:
        low, high = -max(high, -low), max(high, -low)
    return {"cmap": "RdBu_r" if (name in signed or "." in name) and low < 0 < high else "viridis", "clim": (low, high if high > low else low + 1e-12)}


def _bar(name: str, unit: str) -> dict:
    return {"title": f"{with_unit(name, unit)}\n", "vertical": True, "position_x": 0.87, "position_y": 0.2, "height": 0.6, "width": 0.06, "color": "#222222",
            "title_font_size": 18, "label_font_size": 16, "fmt": "%.3g"}


def _plotter(pv, size):
    plotter = pv.Plotter(off_screen=True, window_size=[int(n) for n in size])
    plotter.set_background("white")
    return plotter


def _finish(pv, plotter, run, snapshot, words: str, path: Path, view: str) -> Path:
    if view not in views:
        raise ValueError(f"view {view!r}: one of {', '.join(views)}")
    ends = [coordinates(snapshot, block).reshape(-1, 3) for block in range(len(snapshot.mesh) if hasattr(snapshot, "mesh") else 1)]
    low, high = np.min([e.min(axis=0) for e in ends], axis=0), np.max([e.max(axis=0) for e in ends], axis=0)
    plotter.add_mesh(pv.Box([v for pair in zip(low, high) for v in pair]).outline(), color="#888888", line_width=1)
    name, _ = title(run)
    t = f"t = {snapshot.time:.6g} {'' if snapshot.units['time'] in ('1', 'time') else snapshot.units['time']}".rstrip()
    plotter.add_text(f"{name}    {words}    {t}", position="upper_left", font_size=11, color="#222222")
    plotter.add_text(provenance_line(run, snapshot), position="lower_left", font_size=6, color="#666666")
    plotter.add_axes(color="#222222")
    if view == "corner":
        plotter.camera_position = [tuple(low + (high - low) * [0.5, 0.5, 0.5] + np.array([0.9, -1.5, 0.8]) * np.linalg.norm(high - low)),
                                   tuple(0.5 * (low + high)), (0, 0, 1)]
    else:
        getattr(plotter, {"x": "view_yz", "y": "view_xz", "z": "view_xy"}[view[-1]])(negative=view.startswith("-"))
    try:
        with whole_file(path) as part:
            plotter.screenshot(str(part))
    finally:
        plotter.close()
    return path
