"""Judge a Taylor-Green run: energy and dissipation against incompressible spectral solutions, and the energy balance.

Re = 1600: validation/data/taylor-green-re1600-spectral-384.csv (384^3), which a run needs 256^3 points to follow.
Re = 100: validation/reference/taylor_green_spectral.py. Other Reynolds numbers: start values, balance, decay, mass.
The solver is compressible at Mach number 0.1, which changes the energies by less than 1 %, at Re = 100 by less than 0.1 %.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

reference_1600 = Path(__file__).resolve().parents[2] / "validation" / "data" / "taylor-green-re1600-spectral-384.csv"
# (t, kinetic energy) at Re = 100: validation/reference/taylor_green_spectral.py --cells 96; --cells 64 differs by less than 3e-5 of each.
energy_100 = ((2.5, 0.1041670), (5.0, 0.0739629), (7.5, 0.0445785), (10.0, 0.0261991))


def energy_balance_error(t, energy, dissipation) -> float:
    """Largest |E(0) - E(t) - integral of the dissipation| over the energy lost in the whole run.

    The integral form leaves out the exchange with compression, which goes to and fro with the sound.
    """
    lost = np.concatenate(([0.0], np.cumsum(0.5 * (dissipation[1:] + dissipation[:-1]) * np.diff(t))))
    return float(np.max(np.abs(energy[0] - energy - lost)) / (energy[0] - energy[-1]))


def check_against_reference(checks: Checks, t, energy, dissipation, cells: int) -> None:
    """Re = 1600; the tolerances are those of the resolution."""
    t_known, energy_known, dissipation_known = np.loadtxt(reference_1600, usecols=(0, 1, 2), unpack=True)
    fine = cells >= 512
    inside = (t_known > 0) & (t_known <= t[-1] + 1e-9)
    ratio = np.interp(t_known[inside], t, energy) / energy_known[inside]
    checks.below("largest |E/E_reference - 1|", np.max(np.abs(ratio - 1)), 0.005 if fine else 0.01)
    peak, known = np.argmax(dissipation), np.argmax(dissipation_known)
    checks.near("peak of the dissipation", dissipation[peak], dissipation_known[known], relative=0.01 if fine else 0.03)
    checks.near("time of the peak", t[peak], t_known[known], absolute=0.1 if fine else 0.2)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, nu = run.series, float(run.setting("physics.viscosity"))
    cells = min(run.setting("grid.cells"))
    exact = round_off(run.setting("numerics.precision", "double"), 1e-12, 1e-6)
    t, energy, dissipation = series["t"], series["kinetic_energy"], series["dissipation"]
    checks.near("end of the series", t[-1], float(run.setting("time.end")), absolute=1e-9)
    checks.near("kinetic energy at t = 0", energy[0], 0.125, relative=exact)
    checks.near("dissipation at t = 0, over nu", dissipation[0] / nu, 0.75, relative=0.005)
    checks.below("energy balance: largest error", energy_balance_error(t, energy, dissipation), 0.01)
    checks.below("largest rise of the energy in a row", np.max(np.diff(energy)), 1e-4 * energy[0])
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), 1e-6)
    if abs(1600 * nu - 1) < 1e-9:
        if cells >= 256:
            check_against_reference(checks, t, energy, dissipation, cells)
        else:
            checks.note("cells per side, too few for the reference", cells)
    elif abs(100 * nu - 1) < 1e-9:
        for when, expected in energy_100:
            if when <= t[-1] + 1e-9:
                checks.near(f"kinetic energy at t = {when:g}", np.interp(when, t, energy), expected, relative=0.002)
    return checks


if __name__ == "__main__":
    main(run_check)
