"""Judge the flow around NACA 0012: convergence, force coefficients, stagnation pressure, total enthalpy.

Lift and moment of flows without shocks are judged by the full potential equation (validation/reference/airfoil_potential.py):
on a C mesh with the circulation in its far field within 0.0005 and 0.00015 with 256 cells around the section, in proportion to
the spacing on others. Their drag is an error of the scheme: one count, 0.0001, is accepted with 256 cells, four times as much
with half of them, and never less than half a count. Scalar dissipation on an O mesh leaves larger errors on coarse meshes, which
fall faster: there lift is accepted within 0.001 and moment within 0.00015 with 256 cells, in proportion to the square of the
spacing, and eight times the drag with half the cells. Meshes with fewer than 64 cells around the section judge nothing.

Total enthalpy and the pressure on the nose are judged by the square of the spacing, and where runs on C meshes of order 3 with matrix dissipation were measured,
by what they had and a margin as well: `measured`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


# Cl and Cm of the full potential equation by Mach number and angle of attack:
# python3 validation/reference/airfoil_potential.py --mach 0.63 --alpha 2
potential = {(0.5, 1.25): (0.178750, -0.001834), (0.63, 2.0): (0.333573, -0.002198)}


# Largest |H/H_inf - 1| and relative deviation of the largest cp on the nose that are accepted by flow and cells around the section: what
# runs had (0.0806 and 0.0747, 0.0057 and 0.0022, 0.0018 with 64, 256 and 512 cells; 0.0692 and 0.1409) and about a tenth. With 128 cells they
# have 0.097 and 0.061, which is a known shortcoming and refused.
measured = {(0.63, 2.0): {64: (0.09, 0.082), 256: (0.0063, 0.0025), 512: (0.002, 0.0025)}, (0.5, 1.25): {64: (0.076, 0.155)}}


def stagnation_cp(mach: float, gamma: float) -> float:
    """Pressure coefficient where the flow comes to rest without loss."""
    ratio = (1 + 0.5 * (gamma - 1) * mach**2) ** (gamma / (gamma - 1))
    return (ratio - 1) / (0.5 * gamma * mach**2)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series = run.series
    mach = float(run.setting("physics.freestream.mach"))
    alpha = float(run.setting("physics.freestream.alpha_deg"))
    around = run.setting("grid.mesh.cells")[0]
    o_mesh = run.setting("grid.mesh.topology") == "o"
    checks.below("log10 of the residual's fall", series["log_residual"][-1],
                 np.log10(float(run.setting("time.residual_drop"))))
    checks.above("cells around the section", around, 64)
    spacing = 256 / around
    lift, drag, moment = (float(series[name][-1]) for name in ("cl", "cd", "cm"))
    if mach < 0.7:
        scalar_o = o_mesh and run.setting("numerics.dissipation.kind") == "scalar"
        faster = 1 if scalar_o else 0  # orders by which its errors fall faster
        known = potential.get((mach, alpha))
        if known and run.setting("boundary.farfield.vortex", False):
            checks.near("lift coefficient", lift, known[0], absolute=(0.001 if scalar_o else 0.0005) * spacing ** (1 + faster))
            checks.near("moment coefficient", moment, known[1], absolute=0.00015 * spacing ** (1 + faster))
        checks.below("|drag coefficient|", abs(drag), max(1e-4 * spacing ** (2 + faster), 5e-5))
        checks.below("nodes faster than sound", series["supersonic"][-1], 0)
    elif abs(mach - 0.8) < 1e-9 and abs(alpha - 1.25) < 1e-9:  # the spread of AGARD AR-211
        checks.near("lift coefficient", lift, 0.3565, absolute=0.0065)
        checks.near("drag coefficient", drag, 0.02285, absolute=0.00075)
    by_spacing = 0.01 * spacing**2
    usual = not o_mesh and int(run.setting("numerics.order")) == 3 and run.setting("numerics.dissipation.kind") == "matrix"
    most_enthalpy, most_cp = measured.get((mach, alpha), {}).get(around, (by_spacing, by_spacing)) if usual else (by_spacing, by_spacing)
    checks.below("largest |H/H_inf - 1|", series["enthalpy_error"][-1], min(most_enthalpy, by_spacing))
    surface = run.surface("airfoil")
    expected = stagnation_cp(mach, float(run.setting("physics.gamma")))
    nose = surface["x"] < 0.1
    checks.near("largest cp on the nose", float(np.max(surface["cp"][nose])), expected,
                relative=min(most_cp, by_spacing))
    return checks


if __name__ == "__main__":
    main(run_check)
