#!/usr/bin/env python3
"""Draws the lowest pressure on the ground and the fastest rise of a baroclinic wave.

    python3 validation/atmosphere/wave.py RUN/series.csv PICTURE.png
"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

EXPECTED = (930, 970)  # hPa on day 9, the range that the example's check.py accepts


def main(series, picture):
    with open(series, newline="", encoding="utf-8") as file:
        rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(line for line in file if not line.startswith("#"))]
    days = [row["t"] / 86400 for row in rows]
    figure, (pressure, rise) = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True, layout="constrained")
    pressure.plot(days, [row["surface_pressure_min"] / 100 for row in rows])
    pressure.plot([9, 9], EXPECTED, color="tab:red", lw=3, solid_capstyle="butt", label="expected on day 9")
    pressure.set(ylabel="lowest ground pressure, hPa", xlim=(0, 9.1))
    pressure.legend(fontsize=8, loc="lower left")
    rise.semilogy(days[1:], [row["w_max"] for row in rows[1:]])
    rise.set(xlabel="days", ylabel="largest w, m/s")
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
