"""Judge the gas-liquid shock tube: density against the exact solution, the states beside the contact, conservation.

The expected errors are those of the numpy program validation/reference/two_fluid_problems.py with the same scheme (WENO5-JS, HLLC, cfl 0.6), met within 1 %.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main
from watersmeet.riemann import Gas
from watersmeet.shock_tube import check_tube

left, right, place = Gas(1.241, 0.0, 2.753), Gas(0.991, 0.0, 3.059e-4, 5.5, 1.505), 0.0
# Mean |rho - exact| at the cell centres, by number of cells; weno5-z with the same epsilon of 1e-6.
expected_error = {
    "weno5-js": {100: 6.14e-3, 200: 3.15e-3, 400: 1.74e-3},
    "weno5-z": {100: 5.03e-3, 200: 2.65e-3, 400: 1.40e-3},
}


def run_check(directory) -> Checks:
    return check_tube(watersmeet.open(directory), left, right, place, expected_error)


if __name__ == "__main__":
    main(run_check)
