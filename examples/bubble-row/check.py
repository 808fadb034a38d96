"""Judge the collapse of a row of bubbles: one after the other, each with a fall of the Mach number and a peak of the pressure.

Wermelinger and others (`mpcf`, single precision, 128 cells per radius): the first collapse 688 ns after the impact, the others
212 +- 15 ns apart, the last of ten peaks about 100 times the shock's jump. Their instants are those of the peaks of the pressure
("the time interval between two peaks in pressure"), and so are those that are judged here. Each peak is preceded by an immediate
decrease of the largest Mach number, as they note; where that is lowest is printed beside. The volume of the gas shows which decreases are collapses: when a bubble stops shrinking, the rate at which
the whole gas loses volume drops at once. The largest pressure and the largest Mach number do not tell, because they may lie
in the gas that earlier bubbles left behind, which the wave of each collapse compresses and stretches again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off
from watersmeet.shocked_bubbles import cells_per_radius, impact_time, jump

smooth = 15e-9  # s: half the width of the window over which the volume is averaged, twice
apart = 110e-9  # s: least distance of two collapses, half of the published one
bend = 10.0  # initial volumes of a bubble per us^2: least second derivative of the gas volume at the end of a collapse
# Three bubbles about the axis with 16 cells per radius, by validation/reference/two_fluid_problems.py row-of-three 16: first pressure
# peak after the impact and mean distance, ns.
axisymmetric = (691.3, 206.5)
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
    print("  collapse   pressure peak after impact, ns   after the last     p/dp   lowest Mach number, ns   after the last   fall of it")
    for number, (i, share, peak) in enumerate(collapses):
        before, _, peak_before = collapses[number - 1]
        since_peak, since = ((t[peak] - t[peak_before]) * 1e9, (t[i] - t[before]) * 1e9) if number else (np.nan, np.nan)
        print(f"  {number + 1:8d} {(t[peak] - impact) * 1e9:32.1f} {since_peak:16.1f} {p_max[peak]:8.2f} {(t[i] - impact) * 1e9:24.1f} "
              f"{since:16.1f} {100 * share:10.0f} %")
    checks.near("number of collapses", len(collapses), count, absolute=0)
    if not collapses:
        return checks
    instants = np.array([t[peak] for _, _, peak in collapses]) * 1e9
    lowest = np.array([t[i] for i, _, _ in collapses]) * 1e9
    checks.above("least fall of the Mach number, %", 100 * min(share for _, share, _ in collapses), 10)
    around_axis = run.setting("grid.geometry", "cartesian") == "axisymmetric"
    first, distance = axisymmetric if around_axis else (688, 212)
    within = 3 if around_axis else 15
    checks.near("first collapse after the impact, ns", instants[0] - impact * 1e9, first, absolute=within)
    checks.near("mean time between collapses, ns", np.mean(np.diff(instants)), distance, absolute=within)
    for name, times in (("pressure", instants), ("lowest Mach number", lowest)):
        inside = np.count_nonzero(np.abs(np.diff(times) - 212) <= 15)
        checks.note(f"distances within 212 +- 15 ns, by the {name}, of {count - 1}", inside)
    checks.note("first collapse by the lowest Mach number, ns", lowest[0] - impact * 1e9)
    checks.note("mean distance by the lowest Mach number, ns", np.mean(np.diff(lowest)))
    last = p_max[collapses[-1][2]]
    if per_radius >= 128:
        checks.near("last peak over the jump", last, 100, relative=0.3)
    else:
        checks.note("last peak over the jump", last)
    checks.note("last peak over the first", last / p_max[collapses[0][2]])
    checks.note("largest pressure over the jump", np.max(p_max))
    checks.note("faces that fell back", series["fallback_edges"][-1])
    checks.note("cells that the flux limiter changed", series["limited_cells"][-1])
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), round_off(run.setting("numerics.precision", "double"), 1e-12, 1e-4))
    return checks


if __name__ == "__main__":
    main(run_check)
