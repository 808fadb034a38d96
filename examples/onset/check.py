"""Judge the onset of convection: a perturbation grows above the critical Rayleigh number of the grid, and decays below.

Between plates with free slip the growth rate on the grid is known in closed form; else its sign is.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


# Critical Rayleigh numbers of this discretisation, by cells along z: validation/reference/convection_rolls.py and conducting_cube.py.
critical = {"onset-no-slip": {16: 1674.020, 32: 1699.057, 64: 1705.575, 128: 1707.222},
            "onset-cube": {16: 6636.30, 24: 6722.79, 32: 6754.88}}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, n = run.series, len(run.fields[-1].z)
    t, w = np.asarray(series["t"]), np.asarray(series["w_max"])
    checks.near("time of the last row", t[-1], float(run.setting("time.end")), absolute=1e-9)
    late = t >= 0.6 * t[-1]
    rate = np.polyfit(t[late], np.log(w[late]), 1)[0]
    rayleigh, name = float(run.setting("constants.Ra")), run.setting("case.name")
    checks.below("largest velocity, still in the linear regime", w[-1], 1.0)
    if name in critical:
        limit = critical[name].get(n)
        checks.note("growth rate", rate)
        if limit is not None:
            checks.above("growth rate with the sign of Ra - Ra_c", rate * np.sign(rayleigh - limit), 1e-4)
        return checks
    angle, length = np.pi / (2 * n), np.sqrt(2)
    kx, kz = 2 * n / length * np.sin(angle), 2 * n * np.sin(angle)
    k2 = kx * kx + kz * kz
    known = np.sqrt(rayleigh / k2) * kx * np.cos(angle) - k2
    checks.near("growth rate", rate, known, absolute=1e-5)
    return checks


if __name__ == "__main__":
    main(run_check)
