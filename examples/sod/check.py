"""Judge Sod's shock tube: density against the exact solution, the states beside the contact, conservation.

The accepted errors are 1.15 times those of an independent program with the same scheme (WENO5-JS, HLLC, cfl 0.6).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.riemann import ExactRiemann, Gas

left, right, place = Gas(1.0, 0.0, 1.0), Gas(0.125, 0.0, 0.1), 0.5
# Mean |rho - exact| at the cell centres, by number of cells; weno5-z with the same epsilon of 1e-6.
expected_error = {
    "weno5-js": {100: 4.76e-3, 200: 2.43e-3, 400: 1.31e-3},
    "weno5-z": {100: 4.44e-3, 200: 2.16e-3, 400: 1.17e-3},
}


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series, exact = run.fields[-1], run.series, ExactRiemann(left, right)
    rho, p, u = last["rho"][0, 0], last["p"][0, 0], last["velocity"][0, 0, :, 0]
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    error = float(np.mean(np.abs(rho - exact.sample((last.x - place) / last.time)["rho"])))
    limit = expected_error.get(run.setting("numerics.reconstruction", "weno5-js"), {}).get(len(last.x))
    if limit:
        checks.below("mean |rho - exact|", error, 1.15 * limit)
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


if __name__ == "__main__":
    main(run_check)
