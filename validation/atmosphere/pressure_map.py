#!/usr/bin/env python3
"""Map of the pressure on the ground at the end of a run, from the last file of `output.latlon`, with the field pressure_below.

    python3 validation/atmosphere/pressure_map.py RUN PICTURE.png

Lines every 5 hPa, from 0 to 80 degrees north, where the baroclinic wave grows.
"""

import sys
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def main(source: Path, picture: Path) -> None:
    with h5py.File(source) as file:
        if "pressure_below" not in file:
            raise SystemExit(f"{source} has no field pressure_below; set output.fields = [\"pressure_below\"]")
        lon, lat = file["lon"][()], file["lat"][()]
        pressure = file["pressure_below"][0, 0] / 100  # of the lowest level, hPa
        days = float(file["time"][0]) / 86400
    lon = np.concatenate([lon, lon[:1] + 360])  # closes the circle
    pressure = np.concatenate([pressure, pressure[:, :1]], axis=1)
    figure, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
    levels = np.arange(940, 1041, 5)
    shades = axes.contourf(lon, lat, pressure, levels, cmap="viridis", extend="both")
    axes.contour(lon, lat, pressure, levels, colors="black", linewidths=0.4)
    figure.colorbar(shades, ax=axes, label="hPa", shrink=0.9)
    axes.set(xlabel="longitude [degrees]", ylabel="latitude [degrees]", xlim=(0, 360), ylim=(0, 80), xticks=np.arange(0, 361, 60))
    axes.set_title(f"pressure on the ground on day {days:g}: {pressure.min():.1f} to {pressure.max():.1f} hPa", fontsize=10)
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(max(Path(sys.argv[1]).glob("latlon_*.nc")), Path(sys.argv[2]))
