"""Maps of the level and of the vorticity at the end of a run on a sphere, from the last file that `output.latlon` wrote.

    python3 validation/shallow_water/maps.py level RUN PICTURE.png
    python3 validation/shallow_water/maps.py vorticity RUN PICTURE.png

The level (Williamson et al. 1992, test 5): every 50 m from 5050 to 5950 m, with the foot of the mountain. The vorticity (Galewsky, Scott
and Polvani 2004): lines every 2e-5 1/s, none at zero, dashed where negative, from 10 to 80 degrees north.
"""

from __future__ import annotations

import sys
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def read(path: Path, name: str):
    """Longitudes and latitudes in degrees, the field (lat, lon), and the days since the beginning."""
    with h5py.File(path) as file:
        if name not in file:
            raise SystemExit(f"{path} has no field {name}; set output.fields = [..., \"{name}\"]")
        lon, field = file["lon"][()], file[name][0]
        lon = np.concatenate([lon[-1:] - 360, lon, lon[:1] + 360])  # one more on each side closes the circle
        field = np.concatenate([field[:, -1:], field, field[:, :1]], axis=1)
        return lon, file["lat"][()], field, float(file["time"][0]) / 86400


def finish(figure, axes, title: str, path: Path) -> None:
    axes.set_xlabel("longitude [degrees]")
    axes.set_ylabel("latitude [degrees]")
    axes.set_xticks(np.arange(0, 361, 60))
    axes.set_xlim(0, 360)
    axes.set_title(title, fontsize=10)
    figure.savefig(path, dpi=130, bbox_inches="tight")
    plt.close(figure)


def draw_level(source: Path, path: Path) -> None:
    lon, lat, level, days = read(source, "surface")
    figure, axes = plt.subplots(figsize=(9, 4.2))
    lines = axes.contour(lon, lat, level, np.arange(5050, 5951, 50), colors="black", linewidths=0.7)
    axes.clabel(lines, lines.levels[3::3], fontsize=6, fmt="%d")
    angle = np.linspace(0, 2 * np.pi, 200)
    axes.plot(270 + 20 * np.cos(angle), 30 + 20 * np.sin(angle), color="tab:red", linewidth=0.8)
    axes.set_aspect("equal")
    finish(figure, axes, f"level [m] on day {days:g}, every 50 m; red: foot of the mountain", path)


def draw_vorticity(source: Path, path: Path) -> None:
    lon, lat, vorticity, days = read(source, "vorticity")
    figure, axes = plt.subplots(figsize=(9, 3))
    step = 2e-5
    levels = np.arange(-10.5, 11) * step  # half steps: none at zero
    reach = 7 * step  # of the colours
    axes.contourf(lon, lat, vorticity, levels, cmap="RdBu_r", vmin=-reach, vmax=reach, extend="both")
    axes.contour(lon, lat, vorticity, levels, colors="black", linewidths=0.4)
    axes.set_ylim(10, 80)
    axes.set_aspect("equal")
    finish(figure, axes, f"relative vorticity on day {days:g}, every 2e-5 1/s", path)


if __name__ == "__main__":
    kinds = {"level": draw_level, "vorticity": draw_vorticity}
    if len(sys.argv) != 4 or sys.argv[1] not in kinds:
        raise SystemExit(__doc__)
    kinds[sys.argv[1]](max(Path(sys.argv[2]).glob("latlon_*.nc")), Path(sys.argv[3]))
