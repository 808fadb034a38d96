"""Judge a forced-turbulence run: energy balance, Parseval, and shape and isotropy of the averaged spectrum.

Averages are over the second half of the run. The balance is sharp: what the kicks did (the series keeps their accumulated
work) must leave as viscous dissipation, as dissipation of the upwinding where it is on, or stay as kinetic energy, within
2 %. Besides, a kick with random phase brings in f0^2 c^3 k_f / 4 per unit mass and time on average; the work of single
kicks scatters, so that no short run shows it: it is judged within 5 % or three standard deviations, the larger, which are 32 % in the
quick size. `watersmeet verify isothermal`, forcing, has the energy of single kicks to 1e-6. For a shell of n wave vectors holding the velocity variance s^2 the work u.f of one kick has the variance
f0^2 c^3 k_f dt s^2 / (4 n), from which the scatter of the mean over the time T follows.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off
from watersmeet.provenance import forcing_vectors


def mean_input(f0: float, c: float, k_f: float) -> float:
    """Expected energy input per unit mass and time."""
    return f0**2 * c**3 * k_f / 4


def scatter_of_input(f0: float, c: float, k_f: float, vectors: int, shell_energy: float, duration: float) -> float:
    """Standard deviation of the input averaged over `duration`; shell_energy = s^2 / 2."""
    return f0 * np.sqrt(c**3 * k_f * 2 * shell_energy / (4 * vectors * duration))


def check_balance(checks: Checks, run, spectra, late) -> None:
    forcing, c = run.setting("forcing"), float(run.setting("physics.sound_speed"))
    vectors, k_f = forcing_vectors(run)
    f0 = float(forcing["amplitude"])
    series = run.series
    used = series["t"] >= 0.5 * series["t"][-1]
    t, dissipation, energy = series["t"][used], series["dissipation"][used], 0.5 * series["u_rms"][used] ** 2
    duration = t[-1] - t[0]
    dissipated = np.sum(0.5 * (dissipation[1:] + dissipation[:-1]) * np.diff(t)) / duration
    expected = mean_input(f0, c, k_f)
    low, high = float(forcing.get("k_min", k_f)), float(forcing.get("k_max", k_f))
    in_shell = (spectra.k >= low - 0.5) & (spectra.k <= high + 0.5)
    shell_energy = spectra["E"][late][:, in_shell].sum(axis=1).mean()
    scatter = scatter_of_input(f0, c, k_f, vectors, shell_energy, duration)
    leaving = dissipated + (energy[-1] - energy[0]) / duration
    damped = series["numerical_dissipation"][used]
    numerical = np.sum(0.5 * (damped[1:] + damped[:-1]) * np.diff(t)) / duration
    if forcing.get("application", "kick") == "kick":
        work = (series["forcing_work"][used][-1] - series["forcing_work"][used][0]) / duration
        checks.near("work of the kicks", work, expected, relative=0.05, absolute=3 * scatter)
        checks.near("losses and growth against that work", leaving + numerical, work, relative=0.02)
        checks.note("share of the upwinding", numerical / work)
    else:
        checks.near("dissipation + upwinding + d(u^2/2)/dt", leaving + numerical, expected, relative=0.05, absolute=3 * scatter)
    nu, u_rms = float(run.setting("physics.viscosity")), np.sqrt(2 * energy.mean())
    checks.note("u_rms", u_rms)
    checks.note("Reynolds number u_rms / (nu k_f)", u_rms / (nu * k_f))
    checks.note("largest Mach number", np.max(series["mach_max"][used]))
    checks.note("k_max eta_K", min(run.setting("grid.cells")) / 2 * (nu**3 / dissipated) ** 0.25)
    checks.above("turnover times 1/(u_rms k_f) averaged", duration * u_rms * k_f, 10)


def check_spectrum(checks: Checks, run, spectra, late) -> None:
    """The box is 2 pi, so that shells are integers."""
    k_f, cells = forcing_vectors(run)[1], min(run.setting("grid.cells"))
    k, mean = spectra.k, spectra["E"][late].mean(axis=0)
    checks.near("peak of the mean spectrum at k", k[np.argmax(mean)], k_f, absolute=1.0)
    isotropic = (k > 2 * k_f) & (k < cells / 2)
    parts = np.array([spectra[name][late].mean(axis=0)[isotropic] for name in ("Ex", "Ey", "Ez")])
    anisotropy = np.max(np.abs(3 * parts / parts.sum(axis=0) - 1))
    checks.below("largest |3 E_i/E - 1|, k > 2 k_f", anisotropy, 0.1 if cells >= 128 else 0.25)
    tail = mean[(k >= 0.78 * cells / 2) & (k <= 0.94 * cells / 2)]
    checks.below("largest E(k+1)/E(k) in the tail", np.max(tail[1:] / tail[:-1]), 1.0)
    if k_f >= 5:
        # Equal energy in all large waves is E ~ k^2 (T. D. Lee, Q. Appl. Math. 10 (1952) 69-74); 1.65 at k_f = 10 on 256^3.
        below = (k >= 1) & (k <= k_f - 1)
        ends = k[below][[0, -1]], mean[below][[0, -1]]
        checks.near("exponent of E(k) from k = 1 to k_f - 1", np.diff(np.log(ends[1]))[0] / np.diff(np.log(ends[0]))[0], 2.0, absolute=0.5)


def check_parseval(checks: Checks, run, spectra) -> None:
    series = run.series
    _, in_series, in_spectra = np.intersect1d(series["step"], spectra.steps, return_indices=True)
    variance = 0.5 * series["u_rms"][in_series] ** 2
    compared = variance > 0
    if not compared.any():
        raise ValueError("no step has both a spectrum and a row of the series: Parseval cannot be checked")
    total = spectra["E"].sum(axis=1)[in_spectra][compared]
    limit = round_off(run.setting("numerics.precision", "double"), 1e-12, 1e-6)
    checks.below("Parseval: largest |sum E / (u_rms^2/2) - 1|", np.max(np.abs(total / variance[compared] - 1)), limit)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    spectra = run.spectra
    late = spectra.times >= 0.5 * spectra.times[-1]
    checks.near("end of the series", run.series["t"][-1], float(run.setting("time.end")), absolute=1e-9)
    check_balance(checks, run, spectra, late)
    check_spectrum(checks, run, spectra, late)
    check_parseval(checks, run, spectra)
    checks.below("largest |mass drift|", np.max(np.abs(run.series["mass_drift"])), 1e-4)
    return checks


if __name__ == "__main__":
    main(run_check)
