"""Judge a shock over a helium cylinder: velocities of waves and surfaces on the axis, in the windows of the literature.

Positions are those of the first 2 % of pressure rise and of alpha = 1/2, in a snapshot every 4 us; velocities are the slopes
of straight lines through them. They are compared with validation/reference/two_fluid_problems.py helium-cylinder 2, a numpy program with
the same scheme at h = 0.5 mm (7 %), the incident shock with the jump conditions. Printed beside: what a plane shock on a plane surface does, by exact gas dynamics, and
the numbers of Haas and Sturtevant and of Quirk and Karni.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.riemann import ExactRiemann, Gas, behind_shock

# Name, window in us after the first contact, velocity in m/s of that program.
windows = (("refracted shock", "front", 24, 44, 941.7), ("transmitted shock", "front", 64, 164, 372.9),
           ("upstream surface", "upstream", 4, 44, 173.8), ("upstream edge, outermost", "edge", 144, 234, 108.9),
           ("downstream surface, early", "downstream", 64, 104, 95.5), ("downstream surface", "downstream", 124, 164, 128.6),
           ("downstream surface, late", "downstream", 164, 234, 149.5))
literature = (("refracted shock", 900, 943), ("transmitted shock", 393, 377), ("upstream surface", 170, 178),
              ("upstream surface, final", 113, 146), ("downstream surface", 145, 146))
p_0 = 101325.0


def crossings(x, values, level) -> np.ndarray:
    """Places where a row crosses a level, between cell centres by straight lines."""
    below = values < level
    i = np.flatnonzero(below[1:] != below[:-1])
    return x[i] + (level - values[i]) / (values[i + 1] - values[i]) * (x[i + 1] - x[i])


def places(snapshot, p_2) -> dict:
    p, alpha = snapshot["p"][0].astype(float), snapshot["alpha"][0].astype(float)
    x, found = snapshot.x, {}
    front, surface = crossings(x, p[0], 1.02 * p_0), crossings(x, alpha[0], 0.5)
    incident = crossings(x, p[-1], 0.5 * (p_0 + p_2))
    outermost = [crossings(x, row, 0.5).max(initial=-1.0) for row in alpha]
    for name, values in (("front", front[:1]), ("downstream", surface[:1]), ("upstream", surface[-1:]),
                         ("incident", incident[:1]), ("edge", [max(outermost)])):
        found[name] = values[0] if len(values) else np.nan
    return found


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    air, bubble = run.setting("physics.fluids.air"), run.setting("physics.fluids.helium")
    ahead = Gas(air["density"], 0.0, p_0, air["gamma"])
    p_2 = p_0 * (1 + 2 * 1.4 / 2.4 * (1.22**2 - 1))
    rho_2, u_2, speed = behind_shock(ahead, p_2)
    cylinder = run.setting("initial")[2]["shape"]
    contact = (run.setting("initial")[1]["shape"]["x"] - cylinder["centre"][0] - cylinder["radius"]) / speed
    times, found = [], []
    for snapshot in run.fields:
        times.append((snapshot.time - contact) * 1e6)
        found.append(places(snapshot, p_2))
    times = np.array(times)
    checks.above("last snapshot, us after the contact", times[-1], 233)

    def velocity(name, begin, end) -> float:
        inside = (times > begin - 0.5) & (times < end + 0.5)
        return -float(np.polyfit(times[inside] * 1e-6, np.array([f[name] for f in found])[inside], 1)[0])

    checks.near("incident shock along the wall", velocity("incident", -8, 28), speed, relative=0.02)
    star = ExactRiemann(Gas(bubble["density"], 0.0, p_0, bubble["gamma"]), Gas(rho_2, -u_2, p_2, air["gamma"]))
    checks.note("refracted shock, plane, exact", -star.speeds()[0][0])
    checks.note("upstream surface at first, plane, exact", -star.u)
    for name, what, begin, end, expected in windows:
        checks.near(f"{name}, {begin}-{end} us", velocity(what, begin, end), expected, relative=0.07)
    for name, experiment, other in literature:
        print(f"  {name:28s} experiment {experiment} +- 10 %, Quirk and Karni {other} m/s")
    series = run.series
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), 1e-12)
    checks.below("largest |energy drift|", np.max(np.abs(series["energy_drift"])), 1e-12)
    return checks


if __name__ == "__main__":
    main(run_check)
