"""The judgement of a shock tube, for the checks of the examples."""

from __future__ import annotations

import numpy as np

from .check import Checks
from .riemann import ExactRiemann, Gas


def check_tube(run, left: Gas, right: Gas, place: float, expected_error: dict) -> Checks:
    """Density against the exact solution, the states beside the contact, conservation.

    `run`: an open one of a tube along x with the states `left` and `right` of `place` at its start. `expected_error`: mean |rho - exact| at the cell centres, by
    reconstruction and number of cells, met within 1 %.
    """
    checks = Checks()
    last, series, exact = run.fields[-1], run.series, ExactRiemann(left, right)
    rho, p, u = last["rho"][0, 0], last["p"][0, 0], last["velocity"][0, 0, :, 0]
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    error = float(np.mean(np.abs(rho - exact.sample((last.x - place) / last.time)["rho"])))
    known = expected_error.get(run.setting("numerics.reconstruction", "weno5-js"), {}).get(len(last.x))
    if known:
        checks.near("mean |rho - exact|", error, known, relative=0.01)
    else:
        checks.note("mean |rho - exact|, none known for this", error)
    (_, tail), contact, (shock, _) = exact.speeds()
    middles = 0.5 * (tail + contact), 0.5 * (contact + shock)
    for side, value, expected in zip(("left", "right"), middles, exact.rho):
        cell = int(np.argmin(np.abs(last.x - place - value * last.time)))
        checks.near(f"density {side} of the contact", rho[cell], expected, relative=0.01)
        checks.near(f"pressure {side} of the contact", p[cell], exact.p, relative=0.01)
        checks.near(f"velocity {side} of the contact", u[cell], exact.u, relative=0.01)
    checks.below("largest |mass drift|", np.max(np.abs(series["mass_drift"])), 1e-13)
    checks.below("largest |energy drift|", np.max(np.abs(series["energy_drift"])), 1e-13)
    checks.below("faces that fell back", series["fallback_edges"][-1], 0)
    return checks
