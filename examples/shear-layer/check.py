"""Judge the rolling up of two shear layers without viscosity: what advection must keep is kept.

The kinetic energy and the mean of the dye are kept by the scheme; the energy to second order of the time step.
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
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    energy, dye = np.asarray(series["kinetic_energy"]), np.asarray(series["dye_mean"])
    cfl = float(run.setting("time.cfl"))
    checks.below("largest relative drift of the energy", np.max(np.abs(energy / energy[0] - 1)), 2e-3 * cfl**2)
    checks.below("largest relative drift of the dye", np.max(np.abs(dye / dye[0] - 1)), 1e-13)
    checks.below("largest divergence", np.max(series["divergence_max"]), 1e-10)
    # The layers turn into vortices: the velocity across grows by the instability.
    v = np.asarray(series["v_max"])
    checks.above("growth of the velocity across the layers", v[-1] / v[0], 4.0)
    # The sum of the vorticity of a periodic box is 0.
    vorticity = np.asarray(last["vorticity"][0, ..., 2], float)
    checks.below("mean vorticity over its largest", abs(vorticity.mean()) / np.max(np.abs(vorticity)), 1e-12)
    return checks


if __name__ == "__main__":
    main(run_check)
