"""Judge the collapse of a row of bubbles: one after the other, each with a fall of the Mach number and a peak of the pressure.

Wermelinger and others, 128 cells per radius: the first collapse 688 ns after the impact, the others 212 +- 15 ns apart, the
last of ten peaks about 100 times the shock's jump. A collapse ends with an immediate decrease of the largest Mach number, as
they note. Which decreases are collapses is told by the volume of the gas: when a bubble stops shrinking, the rate at which
the whole gas loses volume drops at once. The largest pressure and the largest Mach number do not tell, because they may lie
in the gas that earlier bubbles left behind, which the wave of each collapse compresses and stretches again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.shocked_bubbles import cells_per_radius, impact_time, jump

smooth = 15e-9  # s: half the width of the window over which the volume is averaged, twice
apart = 110e-9  # s: least distance of two collapses, half of the published one
bend = 10.0  # initial volumes of a bubble per us^2: least second derivative of the gas volume at the end of a collapse
after, near, lasts = 80e-9, 60e-9, 100e-9  # s: the Mach number is lowest that soon; the peak lies that near; the most a fall takes


def bends_of_the_volume(t, volume) -> np.ndarray:
    """Instants at which the volume, in initial volumes of one bubble, bends upward most while the gas as a whole still shrinks."""
    step = 1e-9
    times = np.arange(t[0], t[-1], step)
    half = round(smooth / step)
    window = np.hanning(2 * half + 1)
    window /= window.sum()

    def averaged(values):
        return np.convolve(np.pad(values, half, "edge"), window, "valid")

    rate = np.gradient(averaged(averaged(np.interp(times, t, volume))), step * 1e6)
    second = np.gradient(rate, step * 1e6)
    shrinking = np.roll(rate, round(near / step)) < 0  # the rate `near` earlier
    peaks = np.flatnonzero((second[1:-1] >= second[:-2]) & (second[1:-1] > second[2:]) & (second[1:-1] >= bend)) + 1
    kept: list[int] = []
    for i in sorted(peaks, key=lambda i: -second[i]):
        if shrinking[i] and all(abs(times[i] - times[k]) > apart for k in kept):
            kept.append(i)
    return times[sorted(kept)]


def collapses_of(t, p, mach, volume) -> list:
    """(index of the lowest Mach number, share by which it fell, index of the pressure peak) of each collapse."""

    def between(begin, end):
        return slice(np.searchsorted(t, begin), np.searchsorted(t, end, "right"))

    found = []
    for bent in bends_of_the_volume(t, volume):
        lowest = between(bent, bent + after).start + int(np.argmin(mach[between(bent, bent + after)]))
        share = 1 - mach[lowest] / mach[between(t[lowest] - lasts, t[lowest])].max()
        around = between(t[lowest] - near, t[lowest] + near / 4)
        found.append((lowest, share, around.start + int(np.argmax(p[around]))))
    return found


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, per_radius = run.series, cells_per_radius(run)
    t, p_max, mach = series["t"], series["p_max"] / jump, series["mach_max"]
    impact, count = impact_time(run), int(run.setting("initial")[2]["shape"]["count"])
    collapses = collapses_of(t, p_max, mach, count * series["gas_volume"] / series["gas_volume"][0])
    checks.near("impact on the first bubble, ns", impact * 1e9, 160.3, absolute=0.1)
    checks.near("end of the series, us", t[-1] * 1e6, float(run.setting("time.end")) * 1e6, absolute=1e-6)
    print("  collapse  lowest Mach number at t [us]   after impact [ns]   after the last [ns]   fall of it   peak at t [us]     p/dp")
    for number, (i, share, peak) in enumerate(collapses):
        since = (t[i] - t[collapses[number - 1][0]]) * 1e9 if number else np.nan
        print(f"  {number + 1:8d} {t[i] * 1e6:29.4f} {(t[i] - impact) * 1e9:19.1f} {since:21.1f} {100 * share:10.0f} % "
              f"{t[peak] * 1e6:16.4f} {p_max[peak]:8.2f}")
    checks.near("number of collapses", len(collapses), count, absolute=0)
    if not collapses:
        return checks
    instants = np.array([t[i] for i, _, _ in collapses]) * 1e9
    checks.above("least fall of the Mach number, %", 100 * min(share for _, share, _ in collapses), 10)
    # too few cells for the published times: a little early or late
    first, distance = (15, 15) if per_radius >= 64 else (40, 25)
    checks.near("first collapse after the impact, ns", instants[0] - impact * 1e9, 688, absolute=first)
    checks.near("mean time between collapses, ns", np.mean(np.diff(instants)), 212, absolute=distance)
    last = p_max[collapses[-1][2]]
    if per_radius >= 128:
        checks.near("last peak over the jump", last, 100, relative=0.3)
    else:
        checks.note("last peak over the jump", last)
    checks.note("last peak over the first", last / p_max[collapses[0][2]])
    checks.note("largest pressure over the jump", np.max(p_max))
    checks.note("faces that fell back", series["fallback_edges"][-1])
    checks.note("cells that the flux limiter changed", series["limited_cells"][-1])
    around_axis = run.setting("grid.geometry", "cartesian") == "axisymmetric"  # there mass is conserved to truncation
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), 1e-3 if around_axis else 1e-4)
    return checks


if __name__ == "__main__":
    main(run_check)
