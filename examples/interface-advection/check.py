"""Judge the advection of interfaces: pressure and velocity stay uniform, mass and energy are conserved, the layer comes back.

The bounds are those that a scheme which keeps interfaces clean meets with a margin; one that reconstructs conservative
variables misses them by orders of magnitude.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off


def pressure_bound(run) -> float:
    """Accepted largest |p/p_0 - 1|."""
    if run.setting("numerics.precision", "double") == "single":
        return 1e-4 if float(run.setting("initial", [{}])[0]["pressure"]) == 1.0 else 1e-2
    if float(run.setting("initial", [{}])[0]["pressure"]) == 1.0:
        return 1e-12  # the gases, sharp
    return 1e-8 if run.setting("initial")[1]["shape"].get("smoothing", 1) else 5e-5


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    series, first, last = run.series, run.fields[0], run.fields[-1]
    initial = run.setting("initial")[0]
    p_0, u_0 = float(initial["pressure"]), float(initial["velocity"][0])
    bound = pressure_bound(run)
    exact = round_off(run.setting("numerics.precision", "double"), 1e-13, 1e-4)
    checks.near("velocity times the time of the last snapshot", u_0 * last.time, 1.0, absolute=1e-6)
    deviation = max(np.max(np.abs(series["p_max"] / p_0 - 1)), np.max(np.abs(series["p_min"] / p_0 - 1)))
    checks.below("largest |p/p_0 - 1| at the end", np.max(np.abs(last["p"][0, 0] / p_0 - 1)), bound)
    checks.note("the same at any step", deviation)
    checks.below("largest |u/u_0 - 1| at the end", np.max(np.abs(last["velocity"][0, 0, :, 0] / u_0 - 1)), bound)
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), exact)
    checks.below("largest |energy drift|", np.max(np.abs(series["energy_drift"])), exact)
    drift = np.max(np.abs(series["gas_volume"] / series["gas_volume"][0] - 1))
    checks.below("largest change of the gas volume", drift, bound)
    before, after = first["alpha"][0, 0].astype(float), last["alpha"][0, 0].astype(float)
    checks.near("displacement of the layer, cells", displacement(before, after), 0.0, absolute=0.1)
    checks.note("mean |alpha - alpha_0|", float(np.mean(np.abs(after - before))))
    checks.below("faces that fell back", series["fallback_edges"][-1], 0)
    return checks


def displacement(before, after) -> float:
    """In cells, from the phase of the first mode of a periodic field."""
    turn = np.angle(np.fft.rfft(after)[1] / np.fft.rfft(before)[1])
    return float(-turn * len(before) / (2 * np.pi))


if __name__ == "__main__":
    main(run_check)
