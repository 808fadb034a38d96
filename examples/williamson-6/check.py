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
# Relative l2 of the level on the days that are judged by validation/reference/water_sphere.py, the same scheme in numpy, by cells.
judged = (7,)
known = {32: (4.261e-3,), 64: (1.012e-3,)}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, snapshots = run.setting("numerics.precision"), run.fields
    days = float(str(run.setting("time.end")).split()[0])
    checks.near("days until the last snapshot", snapshots[-1].time / 86400, days, absolute=1e-6)
    sphere.judge_levels(checks, snapshots, reference, known, judged, relative=round_off(precision, 0.02, 0.1))
    checks.below("largest drift of the volume", np.max(np.abs(run.series["volume_drift"])), round_off(precision, 1e-12, 1e-5))
    checks.below("gain of energy", np.max(run.series["energy_drift"]), round_off(precision, 1e-12, 1e-5))
    return checks


if __name__ == "__main__":
    main(run_check)
