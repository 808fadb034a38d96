"""Judge the Rossby-Haurwitz wave: the level against a spectral solution, and what is conserved."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet import sphere
from watersmeet.check import Checks, main, round_off

reference = Path(__file__).resolve().parents[2] / "validation" / "data" / "williamson6-spectral.csv"
# Relative l2 of the level on day 7: about twice what the damping of the scheme takes out of the reference.
bounds = {32: 1.04e-2, 64: 4.0e-3, 128: 1.44e-3}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, snapshots = run.setting("numerics.precision"), run.fields
    n = sphere.values_of(snapshots[-1], "surface").shape[-1]
    bound = bounds.get(n, bounds[32] * (32 / n) ** 2)
    days = float(str(run.setting("time.end")).split()[0])
    checks.near("days until the last snapshot", snapshots[-1].time / 86400, days, absolute=1e-6)
    for day in (7, 14):
        near = [s for s in (snapshots[m] for m in range(len(snapshots))) if abs(s.time - day * 86400) < 1]
        if not near:
            continue
        rows = sphere.read_reference(reference, day)
        level = sphere.at(near[0], "surface", rows[:, 1], rows[:, 0])
        distance = sphere.relative_l2(level, rows[:, 2], rows[:, 0])
        if day <= 7:
            checks.below(f"relative l2 of the level on day {day}", distance, bound)
        else:
            checks.note(f"relative l2 of the level on day {day}", distance)
        speed = np.hypot(*(sphere.at(near[0], f"velocity_{way}", rows[:, 1], rows[:, 0]) for way in ("east", "north")))
        wind = sphere.relative_l2(speed, np.hypot(rows[:, 3], rows[:, 4]), rows[:, 0])
        checks.note(f"relative l2 of the speed on day {day}", wind)
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    checks.below("gain of energy", np.max(run.series["energy_drift"]), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
