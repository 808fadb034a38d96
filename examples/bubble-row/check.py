"""Judge the collapse of a row of bubbles: one after the other, each with a fall of the Mach number and a peak of the pressure.

Wermelinger and others, 128 cells per radius: the first collapse 688 ns after the impact, the others 212 +- 15 ns apart, the
last of ten peaks about 100 times the shock's jump. A collapse ends with an immediate decrease of the largest Mach number, as
they note; the pressure alone does not tell, because the wave that a collapse sends back compresses the gas that the bubble
before it left behind, on a few cells and for some ns, as highly as a collapse does.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.shocked_bubbles import cells_per_radius, impact_time, jump

near, lasts = 60e-9, 100e-9  # s: a Mach number that is lowest so long to both sides; the most that a fall may take
fall = 0.2  # least share by which the Mach number falls in a collapse


def collapses_of(t, p, mach) -> list:
    """(time of the lowest Mach number, share by which it fell, index of the pressure peak) of each collapse."""

    def between(begin, end):
        return slice(np.searchsorted(t, begin), np.searchsorted(t, end, "right"))

    found = []
    for i in range(len(t)):
        beside = between(t[i] - near, t[i] + near)
        if t[i] + near > t[-1] or beside.start + int(np.argmin(mach[beside])) != i:
            continue
        share = 1 - mach[i] / mach[between(t[i] - lasts, t[i])].max()
        if share >= fall and not (found and t[i] - found[-1][0] < lasts):  # else the same fall, in two steps
            around = between(t[i] - near, t[i] + near / 4)
            found.append((t[i], share, around.start + int(np.argmax(p[around]))))
    return found


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, per_radius = run.series, cells_per_radius(run)
    t, p_max, mach = series["t"], series["p_max"] / jump, series["mach_max"]
    impact, count = impact_time(run), int(run.setting("initial")[2]["shape"]["count"])
    collapses = collapses_of(t, p_max, mach)
    peaks = [peak for _, _, peak in collapses]
    checks.near("impact on the first bubble, ns", impact * 1e9, 160.3, absolute=0.1)
    checks.near("end of the series, us", t[-1] * 1e6, float(run.setting("time.end")) * 1e6, absolute=1e-6)
    print("  collapse  peak at t [us]   after impact [ns]   after the last [ns]   p/dp   fall of the Mach number, lowest at t [us]")
    for number, (lowest, share, i) in enumerate(collapses):
        since = (t[i] - t[peaks[number - 1]]) * 1e9 if number else np.nan
        print(f"  {number + 1:8d} {t[i] * 1e6:15.4f} {(t[i] - impact) * 1e9:19.1f} {since:21.1f} {p_max[i]:6.2f} {100 * share:14.0f} % "
              f"{lowest * 1e6:16.4f}")
    checks.near("number of collapses", len(peaks), count, absolute=0)
    if not peaks:
        return checks
    gaps = np.diff(t[peaks]) * 1e9
    if per_radius >= 64:
        checks.near("first peak, us", t[peaks[0]] * 1e6, 0.848, absolute=0.015)
        checks.near("mean time between peaks, ns", np.mean(gaps), 212, absolute=15)
    else:  # too few cells for the published times: a little early or late
        checks.near("first peak, us", t[peaks[0]] * 1e6, 0.848, absolute=0.04)
        checks.near("mean time between peaks, ns", np.mean(gaps), 212, absolute=25)
    if per_radius >= 128:
        checks.near("last peak over the jump", p_max[peaks[-1]], 100, relative=0.3)
    else:
        checks.note("last peak over the jump", p_max[peaks[-1]])
    checks.note("last peak over the first", p_max[peaks[-1]] / p_max[peaks[0]])
    checks.note("largest pressure over the jump", np.max(p_max))
    checks.note("faces that fell back", series["fallback_edges"][-1])
    checks.note("cells that the flux limiter changed", series["limited_cells"][-1])
    around_axis = run.setting("grid.geometry", "cartesian") == "axisymmetric"  # there mass is conserved to truncation
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), 1e-3 if around_axis else 1e-4)
    return checks


if __name__ == "__main__":
    main(run_check)
