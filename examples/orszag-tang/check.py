"""Judge an Orszag-Tang run: energies against a pseudo-spectral solver, their balance, entropy, and div B.

Expected energies are those of `python3 validation/reference/mhd_spectral.py --cells 96 --end 1 --every 0.5 --dt 0.0025`, whose 64 and 96
modes agree to 4e-7. The finite differences converge with the sixth power of the spacing: 2.6e-5 of the kinetic energy at 64^2, 4e-7 at 128^2.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

# t: kinetic, magnetic and internal energy per volume
expected = {0.5: (1.3127083841, 0.47323217391, 2.6029483308), 1.0: (0.96952158625, 0.53914597995, 2.8802213178)}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, cells = run.series, min(run.setting("grid.cells")[:2])
    precision = run.setting("numerics.precision", "double")
    checks.near("end of the series", series["t"][-1], float(run.setting("time.end")), absolute=1e-9)
    error = 1e-4 * max(64 / cells, 1 / 3) ** 6 + round_off(precision, 0, 2e-5)
    gamma = float(run.setting("physics.gamma"))
    for (t, energies), snapshot in zip(expected.items(), list(run.fields)[1:], strict=True):
        checks.near(f"time of the snapshot, t = {t}", snapshot.time, t, absolute=1e-9)
        rho, p, u, b = (snapshot[name][...].astype(float) for name in ("rho", "p", "velocity", "magnetic_field"))
        found = np.mean(rho * np.sum(u**2, axis=-1)) / 2, np.mean(np.sum(b**2, axis=-1)) / 2, np.mean(p) / (gamma - 1)
        for name, measured, value in zip(("kinetic", "magnetic", "internal"), found, energies):
            checks.near(f"{name} energy, t = {t}", measured, value, relative=error)
    checks.below("largest |energy drift|", float(np.max(np.abs(series["energy_drift"]))), max(1e-4 * (64 / cells) ** 6, 2e-6) + round_off(precision, 0, 1e-5))
    checks.below("largest |mass drift|", float(np.max(np.abs(series["mass_drift"]))), 2e-5 * max(64 / cells, 0.1) ** 6 + round_off(precision, 1e-9, 1e-5))
    checks.above("least growth of the entropy from row to row", float(np.min(np.diff(series["entropy"]))), 0.0)
    spectra = run.spectra
    parseval = [abs(np.sum(spectra[name][-1]) / (series[rms][-1] ** 2 / 2) - 1) for name, rms in (("E", "u_rms"), ("M", "b_rms"))]
    checks.below("Parseval: sums of E and M at the end against u_rms, b_rms", max(parseval), round_off(precision, 1e-12, 1e-6))
    checks.below("largest |div B|", float(np.max(series["div_b_max"])), round_off(precision, 1e-10, 1e-3))
    return checks


if __name__ == "__main__":
    main(run_check)
