"""Judge Ringleb's flow: error of the density, and on the streamlines that are walls their largest speeds."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


def mach_of(q: float) -> float:
    """Mach number at the speed q in units of the stagnation speed of sound."""
    return q / np.sqrt(1 - 0.2 * q * q)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series = run.series
    cells = run.setting("grid.mesh.cells")
    checks.below("log10 of the residual's fall", series["log_residual"][-1],
                 np.log10(float(run.setting("time.residual_drop"))))
    checks.below("error of the initial density", series["error_rho"][0], 1e-12)
    # At least of second order: the density varies by about 1 over the domain of about 2 x 3.
    checks.below("error of the density", series["error_rho"][-1], 0.5 / cells[0] ** 2)
    checks.below("entropy error", series["entropy_error"][-1], 0.5 / cells[0] ** 2)
    for patch, key in (("inner", "grid.mesh.k_max"), ("outer", "grid.mesh.k_min")):
        k = float(run.setting(key))
        checks.near(f"largest Mach number on the {patch} wall", float(np.max(run.surface(patch)["mach"])), mach_of(k),
                    relative=0.02)
    return checks


if __name__ == "__main__":
    main(run_check)
