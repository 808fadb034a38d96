"""Judge an explosion run: the cube's symmetries to round-off, and the values at four directions of equal radius.

The radii are 9 and 18 times 2 pi/64, met by the lattice points (9,0,0), (8,4,1), (7,4,4), (6,6,3) and their doubles: a
grid of 64 m points holds all of them. The reference values come from validation/reference/explosion.py: 64^3, both methods,
viscosity 0.05, t = 0.5, with the program's time step; a difference between the directions is truncation error.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

directions = np.array([(9, 0, 0), (8, 4, 1), (7, 4, 4), (6, 6, 3)])
# Method and radius in units of 9 (2 pi/64): rho and u_r along the four directions, at 64^3.
reference = {
    ("55-point", 1): {"rho": (0.70097362, 0.70075431, 0.70050928, 0.70041851),
                      "u_r": (-0.10825974, -0.10816403, -0.10808733, -0.10807808)},
    ("55-point", 2): {"rho": (1.06919018, 1.06906824, 1.06903885, 1.06902081),
                      "u_r": (0.08632987, 0.08630696, 0.08633624, 0.08633166)},
    ("19-point", 1): {"rho": (0.70073227, 0.70072492, 0.70053128, 0.70046644),
                      "u_r": (-0.10794311, -0.10812037, -0.10811178, -0.10812098)},
    ("19-point", 2): {"rho": (1.06912867, 1.06905608, 1.06904562, 1.06903706),
                      "u_r": (0.08626031, 0.08629257, 0.08634288, 0.08635048)},
}
# Largest |u|, smallest and largest rho, relative drift of the mass at the end, by the same script.
extremes_known, drift_known = (0.35911255, 0.30958115, 1.15755564), 8.76446e-8


def symmetry_errors(rho, velocity) -> dict:
    """Largest difference under exchange of two axes and under reflection of one; arrays (z, y, x[, component])."""
    exchanges, reflections = [], []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        order = [0, 1, 2]
        order[a], order[b] = b, a
        axes = tuple(2 - d for d in reversed(order))
        exchanges.append(np.max(np.abs(rho - rho.transpose(axes))))
        exchanges.append(np.max(np.abs(velocity - velocity.transpose(*axes, 3)[..., order])))
    for a in range(3):
        mirrored = np.roll(np.flip(velocity, 2 - a), 1, 2 - a)  # node i goes to node -i about the origin at n/2
        sign = np.where(np.arange(3) == a, -1.0, 1.0)
        reflections.append(np.max(np.abs(rho - np.roll(np.flip(rho, 2 - a), 1, 2 - a))))
        reflections.append(np.max(np.abs(velocity - sign * mirrored)))
    return {"exchange of axes": np.max(exchanges), "reflection": np.max(reflections)}


def along_directions(rho, velocity, scale: int) -> tuple:
    """rho and the radial velocity at the four lattice points, `scale` times (9,0,0) ... from the origin."""
    origin, found = len(rho) // 2, []
    for point in scale * directions:
        node = tuple(origin + point[::-1])
        found.append((rho[node], velocity[node] @ point / np.linalg.norm(point)))
    return tuple(np.array(column) for column in zip(*found))


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, method = run.setting("numerics.precision", "double"), run.setting("numerics.method", "55-point")
    last = run.fields[-1]
    rho, velocity = last["rho"][...].astype(float), last["velocity"][...].astype(float)
    n = len(last.x)
    if rho.shape != (n, n, n) or n % 64:
        raise ValueError("this check needs a cube of 64, 128, 192 ... cells per side")
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    checks.near("coordinate of node n/2", last.x[n // 2], 0.0, absolute=1e-14)
    for name, value in symmetry_errors(rho, velocity).items():
        checks.below(f"asymmetry: {name}", value, round_off(precision, 1e-14, 1e-6))
    tolerance = round_off(precision, 2e-8, 5e-6)
    as_reference = float(run.setting("physics.viscosity")) == 0.05 and last.time == 0.5
    for ring in (1, 2):
        found = dict(zip(("rho", "u_r"), along_directions(rho, velocity, ring * n // 64)))
        radius = ring * 9 * 2 * np.pi / 64
        if as_reference and n == 64:
            for name, values in reference.get((method, ring), {}).items():
                for value, expected, point in zip(found[name], values, ring * directions):
                    checks.near(f"{name} at {tuple(map(int, point))}", value, expected, absolute=tolerance)
        elif as_reference:  # finer grids: closer together, and near the values of 64^3
            for name, values in reference["55-point", ring].items():
                checks.below(f"spread of {name} at r = {radius:.5f}", np.ptp(found[name]), np.ptp(values) / 16)
                checks.near(f"mean {name} at r = {radius:.5f}", np.mean(found[name]), np.mean(values), absolute=4e-4)
    if as_reference and n == 64 and method == "55-point":
        extremes = np.sqrt(np.max(np.sum(velocity**2, axis=-1))), rho.min(), rho.max()
        for name, value, expected in zip(("largest |u|", "smallest rho", "largest rho"), extremes, extremes_known):
            checks.near(name, value, expected, absolute=tolerance)
        if precision != "single":
            checks.near("|mass drift| at the end", abs(run.series["mass_drift"][-1]), drift_known, relative=1e-3)
    checks.below("largest |mass drift|", np.max(np.abs(run.series["mass_drift"])), 1e-6)
    return checks


if __name__ == "__main__":
    main(run_check)
