"""Judge a lake at rest: no velocity, a level surface, islands that stay dry, the same volume."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    level = -0.25  # a number of both precisions
    depth, surface = np.asarray(last["depth"], float), np.asarray(last["surface"], float)
    bed = np.asarray(last["bed"], float)
    checks.below("largest speed", np.max(np.abs(np.asarray(last["velocity"], float))), 1e-12)
    checks.below("largest speed of the time series", np.max(series["speed_max"]), 1e-12)
    checks.below("largest deviation of the level", np.max(np.abs(surface[depth > 0] - level)), 1e-13)
    checks.below("wet cells above the level", float(np.sum((depth > 0) != (bed < level))), 0)
    dry = np.mean(depth == 0)
    checks.above("share of dry cells", dry, 0.1)
    checks.below("share of dry cells", dry, 0.6)
    checks.below("largest drift of the volume", np.max(np.abs(series["volume_drift"])), 1e-14)
    return checks


if __name__ == "__main__":
    main(run_check)
