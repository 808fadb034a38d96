"""Judge the bow shock of a cylinder or sphere: its distance from the nose, and the pressure there."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


# Over the radius, gamma 1.4: `validation/reference/shock_fit.py`, six digits that hardly change with its nodes.
fitted_stand_off = {("cylinder", 4.0): 0.542939, ("cylinder", 8.0): 0.415346, ("sphere", 4.0): 0.175215, ("sphere", 8.0): 0.139790}


def pitot(mach: float, gamma: float) -> float:
    """Stagnation pressure behind a normal shock over the pressure ahead (Rayleigh)."""
    first = (0.5 * (gamma + 1) * mach**2) ** (gamma / (gamma - 1))
    second = ((gamma + 1) / (2 * gamma * mach**2 - (gamma - 1))) ** (1 / (gamma - 1))
    return first * second


def axis(snapshot, names) -> list[np.ndarray]:
    """Distances from the centre of the nodes upstream of the body that are nearest to the axis, and the fields named there."""
    best = None
    for b in range(len(snapshot.mesh)):
        xyz = snapshot.mesh.xyz(b)
        # Lines run outward along one axis of a block: the one along which the direction from the centre stays.
        direction = xyz / np.linalg.norm(xyz, axis=-1, keepdims=True)
        outward = int(np.argmin([np.abs(np.diff(direction, axis=a)).max() if xyz.shape[a] > 1 else 2 for a in range(3)]))
        lines = np.moveaxis(xyz, outward, 0).reshape(xyz.shape[outward], -1, 3)
        off_axis = np.hypot(lines[0, :, 1], lines[0, :, 2]) + np.where(lines[0, :, 0] < 0, 0, 1e9)
        n = int(np.argmin(off_axis))
        if best is None or off_axis[n] < best[0]:
            fields = [np.moveaxis(np.asarray(snapshot[name][b][...]), outward, 0).reshape(xyz.shape[outward], -1) for name in names]
            best = off_axis[n], [np.linalg.norm(lines[:, n], axis=-1), *(f[:, n] for f in fields)]
    columns = best[1]
    return columns if columns[0][0] < columns[0][-1] else [c[::-1] for c in columns]


def stand_off(r: np.ndarray, p: np.ndarray, radius: float, middle: float) -> tuple[float, float]:
    """Distance from the nose of the shock, where the pressure is the one given, and the spacing of nodes there; in radii."""
    j = int(np.flatnonzero((p[:-1] >= middle) & (p[1:] < middle))[-1])
    place = r[j] + (p[j] - middle) / (p[j] - p[j + 1]) * (r[j + 1] - r[j])
    return place / radius - 1, (r[j + 1] - r[j]) / radius


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    mach, gamma = float(run.setting("physics.freestream.mach")), float(run.setting("physics.gamma"))
    body, radius = run.setting("grid.mesh.kind"), float(run.setting("grid.mesh.radius"))
    p1 = 1 / gamma
    behind = 1 + 2 * gamma / (gamma + 1) * (mach**2 - 1)
    r, p, mach_number = axis(run.fields[-1], ("p", "mach"))
    found, spacing = stand_off(r, p, radius, 0.5 * (1 + behind) * p1)
    # The middle of a captured shock lies within one spacing of where the shock is.
    fitted = fitted_stand_off[(body, mach)]
    checks.near("stand-off over the radius", found, fitted, absolute=spacing)
    factor, rise = (0.143, 3.24) if body == "sphere" else (0.386, 4.67)
    checks.note("stand-off of Billig's correlation", factor * np.exp(rise / mach**2))
    surface, expected = run.surface(body), pitot(mach, gamma)
    checks.near("stagnation pressure over that ahead", float(np.max(surface["p"])) / p1, expected, relative=0.005)
    # Where it is lost: a captured shock makes more entropy than a shock, the rest comes on the way from there to the body.
    total = p / p1 * (1 + 0.5 * (gamma - 1) * mach_number**2) ** (gamma / (gamma - 1)) / expected - 1
    checks.note("loss of total pressure half way to shock", -total[int(np.argmin(np.abs(r / radius - 1 - 0.5 * fitted)))])
    checks.note("loss of total pressure at the nose", -total[0])
    if run.setting("numerics.dissipation.energy", "energy") == "enthalpy":
        checks.below("largest change of total enthalpy", run.series["enthalpy_error"][-1], 0.01)
    return checks


if __name__ == "__main__":
    main(run_check)
