"""Judge the oblique shock on a wedge: pressure on the ramp, angle of the shock, Mach number behind it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


def weak_shock(mach: float, deflection: float, gamma: float) -> tuple:
    """Angle of the weak shock, p2/p1 and the Mach number behind it."""

    def turned(beta):
        s = (mach * np.sin(beta)) ** 2
        return np.arctan(2 / np.tan(beta) * (s - 1) / (mach**2 * (gamma + np.cos(2 * beta)) + 2))

    low = np.arcsin(1 / mach)
    high = low
    while turned(high) < deflection:  # the deflection rises with the angle up to the largest one
        high += 1e-3
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if turned(middle) < deflection else (low, middle)
    s = (mach * np.sin(high)) ** 2
    ratio = 1 + 2 * gamma / (gamma + 1) * (s - 1)
    behind = np.sqrt((1 + 0.5 * (gamma - 1) * s) / (gamma * s - 0.5 * (gamma - 1))) / np.sin(high - deflection)
    return high, ratio, behind


def shock_angle(snapshot, pressure: float) -> float:
    """Slope of the line through the places where the pressure passes the mean of both sides, on columns over the ramp."""
    mesh, points = snapshot.mesh, []
    for b in range(len(mesh)):
        xyz, p = mesh.xyz(b)[0], snapshot["p"][b][0]
        for column in range(xyz.shape[1]):
            x, y, values = xyz[:, column, 0], xyz[:, column, 1], p[:, column]
            inside = np.flatnonzero((values[:-1] >= pressure) & (values[1:] < pressure))
            if inside.size == 0 or not 0.2 < x[0] < 0.9:
                continue
            j = inside[-1]
            share = (values[j] - pressure) / (values[j] - values[j + 1])
            points.append((x[j] + share * (x[j + 1] - x[j]), y[j] + share * (y[j + 1] - y[j])))
    points = np.array(points)
    return float(np.arctan(np.polyfit(points[:, 0], points[:, 1], 1)[0]))


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    mach, gamma = float(run.setting("physics.freestream.mach")), float(run.setting("physics.gamma"))
    beta, ratio, behind = weak_shock(mach, np.radians(float(run.setting("grid.mesh.angle_deg"))), gamma)
    surface = run.surface("wedge")
    away = (surface["x"] > 0.4) & (surface["x"] < 0.9)
    p1 = 1 / gamma
    pressures = surface["p"][away] / p1
    fine = run.setting("grid.mesh.cells")[0] >= 100
    close = 0.01 if fine else 0.001  # 1.6e-4 on the 50 x 40 cells of the quick size; not measured on those of case.toml
    checks.near("p2/p1 on the ramp, lowest", float(np.min(pressures)), ratio, relative=close)
    checks.near("p2/p1 on the ramp, highest", float(np.max(pressures)), ratio, relative=close)
    checks.near("Mach number on the ramp", float(np.mean(surface["mach"][away])), behind, relative=0.005)
    angle = shock_angle(run.fields[-1], 0.5 * (1 + ratio) * p1)
    checks.near("angle of the shock, degrees", np.degrees(angle), np.degrees(beta), absolute=0.3)
    return checks


if __name__ == "__main__":
    main(run_check)
