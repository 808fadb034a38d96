"""Judge the hypersonic glider: convergence, stagnation pressure, lift and drag, balance of mass.

Lift and drag are judged twice: by the integral of the pressure coefficient of the surface file over the surface, and within 20 %
by Newton's modified theory, cp = cp_max sin^2 of the angle between stream and surface and 0 in the lee (L. Lees, 5th International
Aeronautical Conference, Los Angeles (1955) 241-276), which is 7 to 15 % below Euler's equations for this slender body at Mach 6.
"""

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


def surface_cells(surface):
    """Of every cell of a surface: its area times the normal out of the body, and the mean pressure coefficient. All blocks."""
    areas, means = [], []
    for block in np.unique(surface["block"]):
        here = surface["block"] == block
        counts = [len(np.unique(surface[axis][here])) for axis in "kji"]  # i is fastest; one of them is 1
        x = np.stack([surface[axis][here].reshape(counts).squeeze() for axis in "xyz"], axis=-1)
        cp = surface["cp"][here].reshape(counts).squeeze()
        corners = x[1:, 1:], x[:-1, :-1], x[1:, :-1], x[:-1, 1:]
        area = 0.5 * np.cross(corners[0] - corners[1], corners[2] - corners[3])
        away = sum(corners) / 4  # from the axis, and from (1, 0, 0) on the nose
        away[..., 0] = np.minimum(away[..., 0] - 1, 0)
        area *= np.sign(np.sum(area * away, axis=-1))[..., None]
        areas.append(area.reshape(-1, 3))
        means.append(0.25 * (cp[1:, 1:] + cp[:-1, :-1] + cp[1:, :-1] + cp[:-1, 1:]).ravel())
    return np.concatenate(areas), np.concatenate(means)


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
    alpha = np.radians(float(run.setting("physics.freestream.alpha_deg")))
    areas, cp = surface_cells(surface)
    along = np.array([np.cos(alpha), 0, np.sin(alpha)])
    largest = (pitot(mach, gamma) - 1) / (0.5 * gamma * mach**2)
    towards = np.maximum(-(areas @ along), 0) / np.linalg.norm(areas, axis=1).clip(min=1e-300)
    reference = float(run.setting("output.forces.area"))
    for name, column, direction in (("drag", "cd", along), ("lift", "cl", np.array([-np.sin(alpha), 0, np.cos(alpha)]))):
        if name == "lift" and alpha <= 0:
            continue
        found = float(series[column][-1])
        checks.near(f"{name} coefficient, of the surface file", found, -(cp @ areas @ direction) / reference, relative=1e-6)
        checks.near(f"{name} coefficient, of Newton's theory", found, -((largest * towards**2) @ areas @ direction) / reference,
                    relative=0.2)
    # As steady as the residual says.
    checks.below("net mass flux over M times the area", abs(series["flux_mass"][-1]) / (mach * reference),
                 3 * float(run.setting("time.residual_drop")))
    return checks


if __name__ == "__main__":
    main(run_check)
