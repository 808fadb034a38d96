"""Judge a lock exchange: heat is kept, the energy budget closes, and the fronts run.
"""

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
    single = run.setting("numerics.precision") == "single"
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    t = np.asarray(series["t"])
    mean = np.asarray(series["temperature_mean"])
    checks.below("largest drift of the mean temperature", np.max(np.abs(mean - mean[0])), 1e-5 if single else 1e-12)
    # d(kinetic energy)/dt = work of buoyancy - dissipation, both discrete identities: what is left is of the time integral.
    rate = np.asarray(series["buoyancy_work"]) - np.asarray(series["dissipation"])
    gained = float(np.sum(0.5 * (rate[1:] + rate[:-1]) * np.diff(t)))
    energy = np.asarray(series["kinetic_energy"])
    checks.near("kinetic energy against its budget", energy[-1] - energy[0], gained, relative=0.02)
    checks.above("largest speed of the fronts", np.max(series["u_max"]), 3.0)
    # Gravity turns the front over: light fluid lies above heavy one in the middle.
    n = len(last.x)
    middle = np.asarray(last["temperature"][:, :, n // 2 - 1:n // 2 + 1], float).mean(axis=(1, 2))
    checks.above("T above minus below in the middle", middle[-1] - middle[0], 0.5)
    return checks


if __name__ == "__main__":
    main(run_check)
