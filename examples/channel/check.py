"""Judge the channel: what enters leaves, and the flow leaves as the developed profile of the scheme, with its pressure.

Developed, u = F/(2 nu) z (1 - z) + F h^2/(8 nu) solves the discrete equations, h being the height of a cell. Its mean is
F (1 + 2 h^2)/(12 nu), which is 1 here, and p = F (L - x), 0 on the open side.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


def entrance(reynolds: float) -> float:
    """Where the middle has 99 % of its velocity, over the height (Durst et al. 2005)."""
    return (0.631 ** 1.6 + (0.0442 * reynolds) ** 1.6) ** (1 / 1.6)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    nu = float(run.setting("physics.viscosity"))
    x, z = np.asarray(last.x), np.asarray(last.z)
    h, dx = z[1] - z[0], x[1] - x[0]
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    checks.below("largest divergence", np.max(series["divergence_max"]), 1e-10)
    energy = np.asarray(series["kinetic_energy"])
    checks.below("change of the energy in the last tenth", abs(energy[-1] / energy[int(0.9 * len(energy))] - 1), 1e-5)
    velocity, p = np.asarray(last["velocity"][:, 0], float), np.asarray(last["p"][:, 0], float)
    u = velocity[:, :, 0]
    checks.below("volume lost on the way", np.max(np.abs(u.mean(axis=0) - 1)), 1e-10)
    # What is left of the entrance falls exponentially: 3.5e-7 at its 3.4 lengths (4 heights at Re = 20), not measured at 2.2 (10 at Re = 100).
    left = 1e-5 if x[-1] > 3 * entrance(1 / nu) else 2e-3
    slope = 12 * nu / (1 + 2 * h**2)
    profile = slope / (2 * nu) * (z * (1 - z) + h**2 / 4)
    checks.below("deviation from the developed profile at the end", np.max(np.abs(u[:, -1] - profile)), left)
    checks.near("slope of the pressure at the end", np.mean(p[:, -2] - p[:, -1]) / dx, slope, relative=left)
    checks.near("pressure of the last cells", np.mean(p[:, -1]), slope * dx / 2, relative=2.5 * left)
    checks.below("velocity across at the end", np.max(np.abs(velocity[:, -1, 2])), 0.5 * left)
    # Length of development: the last place below 99 % of the final velocity in the middle.
    middle = u[len(z) // 2 - 1:len(z) // 2 + 1].mean(axis=0)
    goal = 0.99 * profile[len(z) // 2]
    below = np.flatnonzero(middle < goal)[-1]
    length = x[below] + dx * (goal - middle[below]) / (middle[below + 1] - middle[below])
    checks.near("length of development", length, entrance(1 / nu), relative=0.1)
    return checks


if __name__ == "__main__":
    main(run_check)
