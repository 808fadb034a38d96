#!/usr/bin/env python3
"""Draws the potential temperature of a density current at the end of a run, as Straka et al. (1993) show it.

    PYTHONPATH=python python3 validation/atmosphere/current.py RUN PICTURE.png

Lines of theta' every kelvin from -1 K on, to 19.2 km from the plane of symmetry and 4.8 km up.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import watersmeet


def main(folder: Path, picture: Path) -> None:
    run = watersmeet.open(folder)
    snapshot = run.fields[-1]
    theta = np.asarray(snapshot["theta_perturbation"])[:, 0, :]  # (z, x)
    nz, nx = theta.shape
    x, z = 25.6 * (np.arange(nx) + 0.5) / nx, 6.4 * (np.arange(nz) + 0.5) / nz
    figure, axes = plt.subplots(figsize=(9, 2.9), layout="constrained")
    lines = np.arange(-10, 0)
    shades = axes.contourf(x, z, theta, np.append(lines, 0.5), cmap="Blues_r")
    axes.contour(x, z, theta, lines, colors="black", linewidths=0.5, linestyles="solid")
    figure.colorbar(shades, ax=axes, label="theta', K", ticks=lines[1::3])
    axes.set(xlabel="x, km", ylabel="z, km", xlim=(0, 19.2), ylim=(0, 4.8), aspect="equal")
    axes.set_title(f"t = {snapshot.time:g} s, cells of {25600 / nx:g} m: theta' from {theta.min():.2f} K", fontsize=10)
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
