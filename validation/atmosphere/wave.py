#!/usr/bin/env python3
"""Draws the lowest pressure on the ground and the fastest rise of a run of the baroclinic wave, from its series.

    PYTHONPATH=python python3 validation/atmosphere/wave.py RUN PICTURE.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import watersmeet

EXPECTED = (930, 970)  # hPa on day 9, the range that the example's check.py accepts


def main(run, picture):
    series = watersmeet.open(run).series
    days = series["t"] / 86400
    figure, (pressure, rise) = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True, layout="constrained")
    pressure.plot(days, series["surface_pressure_min"] / 100)
    pressure.plot([9, 9], EXPECTED, color="tab:red", lw=3, solid_capstyle="butt", label="expected on day 9")
    pressure.set(ylabel="lowest ground pressure, hPa", xlim=(0, 9.1))
    pressure.legend(fontsize=8, loc="lower left")
    rise.semilogy(days[1:], series["w_max"][1:])
    rise.set(xlabel="days", ylabel="largest w, m/s")
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
