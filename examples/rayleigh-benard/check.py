"""Judge convection between plates: five ways to the Nusselt number, the energy budget, and the literature.

Time means over the second half of the run, or from t = 100 on. Exact relations of statistically steady convection make all five
Nusselt numbers equal; on the grid they are discrete identities, so that what differs is the length of the mean: they say nothing about the
resolution. That is judged by the cells in the thermal layer, 1/(2 Nu) thick, of which O. Shishkina, R. J. A. M. Stevens, S. Grossmann and
D. Lohse (New J. Phys. 12 (2010) 075022) ask 0.35 Ra^0.15 at Pr = 0.7; the equations by the budget of kinetic energy at all times.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main


names = ("nusselt_lower", "nusselt_upper", "nusselt_flux", "nusselt_thermal", "nusselt_kinetic")


def mean(t, values):
    return float(np.trapezoid(values, t) / (t[-1] - t[0])) if hasattr(np, "trapezoid") else float(
        np.trapz(values, t) / (t[-1] - t[0]))


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series = run.series
    t = np.asarray(series["t"])
    end, rayleigh = float(run.setting("time.end")), float(run.setting("physics.rayleigh"))
    checks.near("time of the last row", t[-1], end, absolute=1e-9)
    settled = t >= (100 if end >= 200 else end / 2)
    t = t[settled]
    numbers = {name: mean(t, np.asarray(series[name])[settled]) for name in names}
    average = float(np.mean(list(numbers.values())))
    # Long runs of resolved grids close to 2 %; the quick one is short.
    resolved = rayleigh <= 1e5 or len(run.fields[-1].z) >= 128
    close = 0.02 if end >= 200 else 0.05
    for name, value in numbers.items():
        if resolved:
            checks.near(name, value, average, relative=close)
        else:
            checks.note(name, value)
    # R. M. Kerr (1996), J. Fluid Mech. 310, 139: fit for wide boxes at Pr = 0.7.
    fit = 0.186 * rayleigh**0.276
    if resolved:
        checks.near("mean of them against 0.186 Ra^0.276", average, fit, relative=0.05 if end >= 200 else 0.1)
    else:
        checks.note("mean of them", average)
        checks.note("0.186 Ra^0.276", fit)
    cells = len(run.fields[-1].z) / (2 * average)
    if resolved:
        checks.above("cells in the thermal layer", cells, 0.35 * rayleigh**0.15)
    else:
        checks.note("cells in the thermal layer", cells)
        checks.note("the same, needed", 0.35 * rayleigh**0.15)
    # What the energy gains up to every row, over what is dissipated until the end.
    rate = np.asarray(series["buoyancy_work"])[settled] - np.asarray(series["dissipation"])[settled]
    lost = np.asarray(series["dissipation"])[settled]
    gained = np.concatenate(([0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(t))))
    energy = np.asarray(series["kinetic_energy"])[settled]
    checks.below("budget of the kinetic energy, largest error over what is dissipated",
                 np.max(np.abs(energy - energy[0] - gained)) / mean(t, lost) / (t[-1] - t[0]), 1e-3)
    checks.below("largest divergence times h", np.max(series["divergence_max"]) / len(run.fields[-1].z), 1e-10)
    checks.below("largest |temperature| beyond the plates'", np.max([np.max(series["temperature_max"]),
                                                                        -np.min(series["temperature_min"])]) - 0.5,
                 0.02 if resolved else 0.5)
    return checks


if __name__ == "__main__":
    main(run_check)
