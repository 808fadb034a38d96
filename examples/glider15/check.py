"""Judge the hypersonic glider: convergence, stagnation pressure, lift and drag, balance of mass."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


def pitot(mach: float, gamma: float) -> float:
    """Stagnation pressure behind a normal shock over the pressure ahead (Rayleigh)."""
    first = (0.5 * (gamma + 1) * mach**2) ** (gamma / (gamma - 1))
    second = ((gamma + 1) / (2 * gamma * mach**2 - (gamma - 1))) ** (1 / (gamma - 1))
    return first * second


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series = run.series
    mach, gamma = float(run.setting("physics.freestream.mach")), float(run.setting("physics.gamma"))
    checks.below("log10 of the residual's fall", series["log_residual"][-1],
                 np.log10(float(run.setting("time.residual_drop"))))
    fine = run.setting("grid.mesh.size") not in ("small", "medium")
    surface = run.surface("vehicle")
    checks.near("stagnation pressure over that ahead", float(np.max(surface["p"])) * gamma, pitot(mach, gamma),
                relative=0.02 if fine else 0.15)
    checks.above("drag coefficient", series["cd"][-1], 0.0)
    if float(run.setting("physics.freestream.alpha_deg")) > 0:
        checks.above("lift coefficient", series["cl"][-1], 0.0)
    # As steady as the residual says.
    checks.below("net mass flux over M times the area", abs(series["flux_mass"][-1]) / (mach * 100.0),
                 3 * float(run.setting("time.residual_drop")))
    return checks


if __name__ == "__main__":
    main(run_check)
