#!/usr/bin/env python3
"""Draws the Nusselt numbers of rayleigh-benard-256.csv: python3 validation/boussinesq/nusselt.py

The file has every sixth row of the run's series.csv, and the columns that the picture shows.
"""
import csv
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
NAMES = {
    "nusselt_lower": "lower plate",
    "nusselt_upper": "upper plate",
    "nusselt_flux": r"$1 + \langle wT\rangle H/(\kappa\,\Delta T)$",
    "nusselt_thermal": r"$\langle\kappa|\nabla T|^2\rangle$",
    "nusselt_kinetic": r"$\langle\nu|\nabla u|^2\rangle$",
}
# 0.186 Ra^0.276 at Ra = 1e7 (Kerr, 1996, J. Fluid Mech. 310).
LITERATURE = 0.186 * 1e7**0.276
SPIN_UP = 100.0  # means are over what comes after


def main():
    with open(HERE / "rayleigh-benard-256.csv", newline="", encoding="utf-8") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    t = [row["t"] for row in rows]
    figure, axes = plt.subplots(figsize=(8, 4.2), layout="constrained")
    for column, label in NAMES.items():
        axes.plot(t, [row[column] for row in rows], lw=0.9, label=label)
    axes.axhline(LITERATURE, color="black", lw=0.8, ls="--", label=r"$0.186\,Ra^{0.276}$")
    axes.axvspan(SPIN_UP, t[-1], color="0.94", zorder=0, label="averaged")
    axes.set(xlabel="t, free-fall times", ylabel="Nusselt number", xlim=(0, t[-1]), ylim=(0, 30))
    axes.legend(ncols=2, fontsize=8)
    figure.savefig(HERE / "rayleigh-benard-256.png", dpi=110)


if __name__ == "__main__":
    main()
