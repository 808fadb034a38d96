"""Judge a dynamo of helical forcing: balances of helicity and energy, and the large-scale field that the alpha effect makes.

Without a mean field and with mu_0 = 1, H = <A.B> and j = curl B, dH/dt = -2 eta <j.B> whatever the flow and its forcing do. Positive helicity of the
flow makes a field of the size of the box whose helicity is negative and nearly the largest that its energy allows, |H| k_1 <= <B^2>, and which
has most of the magnetic energy (A. Brandenburg, Astrophys. J. 550 (2001) 824-840). While it is weak it grows with alpha k_1 - (eta + eta_t) k_1^2; for a
helical flow alpha = u_rms/3 and eta_t = u_rms/(3 k_f) once Rm is above 1 (S. Sur, A. Brandenburg and K. Subramanian, Mon. Not. R. Astron. Soc. 385 (2008)
L15-L19). This is an estimate: 40 % are allowed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off
from watersmeet.provenance import forcing_vectors


def integral(t, f):
    """From the first row to each, by trapezoids."""
    return np.concatenate([[0.0], np.cumsum(np.diff(t) * (f[1:] + f[:-1]) / 2)])


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, spectra, precision = run.series, run.spectra, run.setting("numerics.precision", "double")
    eta = float(run.setting("physics.resistivity"))
    t, helicity = series["t"], series["magnetic_helicity"]
    checks.near("end of the series", t[-1], float(run.setting("time.end")), absolute=1e-9)
    taken = 2 * eta * integral(t, series["current_helicity"])
    scale = 2 * eta * integral(t, np.abs(series["current_helicity"]))[-1]
    checks.below("helicity left over / moved by diffusion", float(np.max(np.abs(helicity - helicity[0] + taken)) / scale), 1e-3)
    energy = series["kinetic_energy"] + series["magnetic_energy"]
    lost = integral(t, series["dissipation"] + series["ohmic_dissipation"])
    work = series["forcing_work"]
    checks.near("losses and growth / work of the kicks", (lost[-1] + energy[-1] - energy[0]) / (work[-1] - work[0]), 1.0, absolute=0.02)
    large = spectra["M"][:, np.searchsorted(spectra.k, 1)]
    late = spectra.times >= 0.75 * t[-1]
    checks.above("growth of the energy at k = 1", float(large[-1] / large[0]), 1e3)
    checks.above("least share of k = 1, last quarter", float(np.min(large[late] / spectra["M"][late].sum(axis=1))), 0.5)
    last = t >= 0.75 * t[-1]
    checks.above("least kinetic helicity, last quarter", float(np.min(series["helicity"][last])), 0.0)
    checks.below("largest H k_1 / <B^2>, last quarter", float(np.max(helicity[last] / series["b_rms"][last] ** 2)), -0.5)
    checks.below("largest |H| k_1 / <B^2>", float(np.max(np.abs(helicity) / series["b_rms"] ** 2)), 1.0)
    checks.below("largest |div B|", float(np.max(series["div_b_max"])), round_off(precision, 1e-11, 1e-4))
    checks.below("largest |mass drift|", float(np.max(np.abs(series["mass_drift"]))), 1e-3)
    checks.note("u_rms, mean of the last quarter", float(np.mean(series["u_rms"][last])))
    checks.note("b_rms, the same", float(np.mean(series["b_rms"][last])))
    growing = (large > 30 * large[0]) & (large < 0.03 * large.max()) & (np.cumsum(large >= 0.03 * large.max()) == 0)
    if np.sum(growing) < 3:
        raise ValueError("the field at k = 1 has no stage of exponential growth")
    ends = spectra.times[growing][[0, -1]]
    u = float(np.mean(series["u_rms"][(t >= ends[0]) & (t <= ends[1])]))
    rate = float(np.polyfit(spectra.times[growing], np.log(large[growing]) / 2, 1)[0])
    checks.near("growth rate / that of alpha^2", rate / (u / 3 * (1 - 1 / forcing_vectors(run)[1]) - eta), 1.0, absolute=0.4)
    checks.note("growth rate of the field at k = 1", rate)
    return checks


if __name__ == "__main__":
    main(run_check)
