"""Judge the channel with a bump: convergence, entropy, what flows in and out, drag.

An order of 4 with closures of order 2 makes an error of the entropy of at most the cube of the spacing, in bump widths (0.2), times a
factor of order 0.1 for the strength of the disturbance, 0.0625 high.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import numpy as np
import watersmeet
from watersmeet.check import Checks, main


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series = run.series
    cells = run.setting("grid.mesh.cells")
    spacing = 3.0 / cells[0] / 0.2  # in widths of the bump
    checks.below("log10 of the residual's fall", series["log_residual"][-1],
                 np.log10(float(run.setting("time.residual_drop"))))
    checks.below("entropy error", series["entropy_error"][-1], 0.1 * spacing**3)
    # rho u height at M 0.5 with density and speed of sound 1.
    checks.below("net mass flux over that of the channel", abs(series["flux_mass"][-1]) / (0.5 * 0.8), 1e-6)
    checks.below("|drag coefficient|", abs(series["cd"][-1]), 1e-3)
    checks.below("nodes faster than sound", series["supersonic"][-1], 0)
    return checks


if __name__ == "__main__":
    main(run_check)
