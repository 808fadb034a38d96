#!/usr/bin/env python3
"""Draws the lowest pressure on the ground and the fastest rise of baroclinic-wave.csv: python3 validation/atmosphere/wave.py

The file has every third row of the run's series.csv, in SI units, and the columns that tell something.
"""
import csv
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
EXPECTED = (930, 970)  # hPa on day 9, the range that the example's check.py accepts


def main():
    with open(HERE / "baroclinic-wave.csv", newline="", encoding="utf-8") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    days = [row["t"] / 86400 for row in rows]
    figure, (pressure, rise) = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True, layout="constrained")
    pressure.plot(days, [row["surface_pressure_min"] / 100 for row in rows])
    pressure.plot([9, 9], EXPECTED, color="tab:red", lw=3, solid_capstyle="butt", label="expected on day 9")
    pressure.set(ylabel="lowest ground pressure, hPa", xlim=(0, 9.1))
    pressure.legend(fontsize=8, loc="lower left")
    rise.semilogy(days[1:], [row["w_max"] for row in rows[1:]])
    rise.set(xlabel="days", ylabel="largest w, m/s")
    figure.savefig(HERE / "baroclinic-wave.png", dpi=110)


if __name__ == "__main__":
    main()
