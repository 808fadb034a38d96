"""Judge a freely decaying helical field: its helicity and energy against what diffusion takes, and the bound of the helicity.

Without a mean field and with mu_0 = 1, H = <A.B> and j = curl B,

    dH/dt = -2 eta <j.B>,        d/dt [ <rho u^2>/2 + <B^2>/2 + c^2 <rho ln(rho/rho_0)> ] = -dissipation - ohmic dissipation

(A. Brandenburg and K. Subramanian, Phys. Rep. 417 (2005) 1-209, section 3). The first holds for the finite differences too, since the first
derivatives that make curl A are antisymmetric: what is left is the error of the time step and of the integral over rows. The second has errors of
sixth order in the spacing. |H| k_1 <= <B^2>, k_1 the smallest wave number (U. Frisch, A. Pouquet, J. Leorat and A. Mazure, J. Fluid Mech. 68 (1975)
769-778).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off


def integral(t, f):
    """From the first row to each, by trapezoids."""
    return np.concatenate([[0.0], np.cumsum(np.diff(t) * (f[1:] + f[:-1]) / 2)])


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, precision = run.series, run.setting("numerics.precision", "double")
    eta, c = float(run.setting("physics.resistivity")), float(run.setting("physics.sound_speed"))
    t, helicity = series["t"], series["magnetic_helicity"]
    checks.near("end of the series", t[-1], float(run.setting("time.end")), absolute=1e-9)
    left = helicity - helicity[0] + 2 * eta * integral(t, series["current_helicity"])
    checks.below("helicity left over / H(0)", float(np.max(np.abs(left)) / abs(helicity[0])), round_off(precision, 1e-4, 3e-4))
    lost = integral(t, series["dissipation"] + series["ohmic_dissipation"])
    energy = series["kinetic_energy"] + series["magnetic_energy"]
    snapshots = list(run.fields)
    for snapshot in snapshots:
        rho = snapshot["rho"][...].astype(float)
        row = int(np.argmin(np.abs(t - snapshot.time)))
        total = energy[row] + c * c * float(np.mean(rho * np.log(rho)))
        if snapshot is snapshots[0]:
            first = total
            continue
        checks.near(f"energy and losses / E(0), t = {snapshot.time:g}", (total + lost[row]) / first, 1.0, absolute=1e-3)
    length = np.abs(helicity) / series["b_rms"] ** 2  # the mean of 1/k, weighted by <B^2>, of a field of one helicity
    checks.below("largest |H| k_1 / <B^2>", float(np.max(length)), 1.0)
    checks.above("|H| / <B^2>, end over start", float(length[-1] / length[0]), 1.0)
    spectra = run.spectra
    _, in_series, in_spectra = np.intersect1d(series["step"], spectra.steps, return_indices=True)
    parseval = np.abs(spectra["M"].sum(axis=1)[in_spectra] / (series["b_rms"][in_series] ** 2 / 2) - 1)
    checks.below("Parseval: sum of M against b_rms", float(np.max(parseval)), round_off(precision, 1e-12, 1e-6))
    checks.below("largest |div B|", float(np.max(series["div_b_max"])), round_off(precision, 1e-12, 1e-4))
    checks.note("energy left", float(energy[-1] / energy[0]))
    checks.note("helicity left", float(helicity[-1] / helicity[0]))
    return checks


if __name__ == "__main__":
    main(run_check)
