"""Judge the collapse of a row of bubbles: the pressure peaks of the collapses, one after the other, and what precedes them.

Wermelinger and others, 128 cells per radius: the first collapse 688 ns after the impact, the others 212 +- 15 ns apart, the
last of ten peaks about 100 times the shock's jump; the largest Mach number falls before each peak.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.shocked_bubbles import cells_per_radius, impact_time, jump

near = 90e-9  # a peak is the highest pressure within this time to both sides, s


def peaks_of(t, p) -> list:
    """Indices of the peaks of p above 2."""
    left = np.searchsorted(t, t - near, "left")
    right = np.searchsorted(t, t + near, "right")
    inner = (i for i in range(1, len(t) - 1) if p[i] > 2 and t[i] + near / 2 < t[-1])
    return [i for i in inner if p[i] == p[left[i] : right[i]].max()]


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, per_radius = run.series, cells_per_radius(run)
    t, p_max, mach = series["t"], series["p_max"] / jump, series["mach_max"]
    impact, count = impact_time(run), int(run.setting("initial")[2]["shape"]["count"])
    peaks = peaks_of(t, p_max)
    checks.near("impact on the first bubble, ns", impact * 1e9, 160.3, absolute=0.1)
    checks.near("end of the series, us", t[-1] * 1e6, float(run.setting("time.end")) * 1e6, absolute=1e-6)
    print("  peak   t [us]   after impact [ns]   after the last [ns]   p/dp     Mach: largest since it, at the peak")
    drops, start = [], 0
    for number, i in enumerate(peaks):
        largest = float(np.max(mach[start : i + 1]))
        drops.append(1 - mach[i] / largest)
        since = (t[i] - t[peaks[number - 1]]) * 1e9 if number else np.nan
        print(f"  {number + 1:4d} {t[i] * 1e6:8.4f} {(t[i] - impact) * 1e9:15.1f} {since:20.1f} {p_max[i]:14.2f} "
              f"{largest:12.3f} {mach[i]:10.3f}")
        start = i
    if per_radius >= 64:
        checks.near("number of peaks", len(peaks), count, absolute=0)
    else:  # shocks from bubble to bubble make a few of their own
        checks.above("number of peaks", len(peaks), count - 1)
    peaks = peaks[:count]
    if not peaks:
        return checks
    gaps = np.diff(t[peaks]) * 1e9
    if per_radius >= 64:
        checks.near("first peak, us", t[peaks[0]] * 1e6, 0.848, absolute=0.015)
        checks.near("mean time between peaks, ns", np.mean(gaps), 212, absolute=15)
    else:  # too few cells for the published times: a little late
        checks.near("first peak, us", t[peaks[0]] * 1e6, 0.848, absolute=0.04)
        checks.near("mean time between peaks, ns", np.mean(gaps), 212, absolute=25)
    if per_radius >= 128:
        checks.near("last peak over the jump", p_max[peaks[-1]], 100, relative=0.3)
    else:
        checks.note("last peak over the jump", p_max[peaks[-1]])
    checks.note("last peak over the first", p_max[peaks[-1]] / p_max[peaks[0]])
    checks.above("smallest fall of the Mach number to a peak", np.min(drops), 0.05)
    checks.note("faces that fell back", series["fallback_edges"][-1])
    checks.note("cells that the flux limiter changed", series["limited_cells"][-1])
    around_axis = run.setting("grid.geometry", "cartesian") == "axisymmetric"  # there mass is conserved to truncation
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), 1e-3 if around_axis else 1e-4)
    return checks


if __name__ == "__main__":
    main(run_check)
