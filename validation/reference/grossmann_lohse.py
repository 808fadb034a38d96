"""Nusselt and Reynolds number of turbulent convection by the theory of S. Grossmann and D. Lohse, J. Fluid Mech. 407 (2000) 27.

    (Nu - 1) Ra / Pr^2 = c1 Re^2 / g(s) + c2 Re^3
    Nu - 1 = c3 sqrt(Re Pr f(x)) + c4 Pr Re f(x),   x = 2 a Nu g(s) / sqrt(Re_c)
    s = sqrt(Re_c / Re),   f(x) = (1 + x^4)^(-1/4),   g(s) = s f(s)

with the constants of R. J. A. M. Stevens, E. P. van der Poel, S. Grossmann and D. Lohse, J. Fluid Mech. 730 (2013) 295, which are fitted to experiments in cylinders as
wide as high: nothing of a box with periodic sides. Solved by Newton's method for ln Nu and ln Re with differences for derivatives.

    python3 validation/reference/grossmann_lohse.py RAYLEIGH PRANDTL
"""

from __future__ import annotations

import sys

import numpy as np

C1, C2, C3, C4 = 8.05, 1.38, 0.487, 0.0252
A, CRITICAL = 0.922, 3.401  # Re_c = (2 a)^2


def remainder(logs, rayleigh, prandtl):
    """Both equations as logarithms of the ratio of their sides."""
    nusselt, reynolds = np.exp(logs)
    fall = lambda x: (1 + x**4) ** -0.25
    s = np.sqrt(CRITICAL / reynolds)
    g = s * fall(s)
    f = fall(2 * A * nusselt * g / np.sqrt(CRITICAL))
    return np.array([np.log((nusselt - 1) * rayleigh / prandtl**2 / (C1 * reynolds**2 / g + C2 * reynolds**3)),
                     np.log((nusselt - 1) / (C3 * np.sqrt(reynolds * prandtl * f) + C4 * prandtl * reynolds * f))])


def nusselt_and_reynolds(rayleigh, prandtl):
    logs = np.log([0.15 * rayleigh**0.29, 0.3 * rayleigh**0.45 / prandtl**0.7])
    for _ in range(50):
        now, step = remainder(logs, rayleigh, prandtl), 1e-6
        slopes = np.column_stack([(remainder(logs + step * unit, rayleigh, prandtl) - now) / step for unit in np.eye(2)])
        change = -np.linalg.solve(slopes, now)
        logs = logs + change
        if np.max(np.abs(change)) < 1e-12:
            return tuple(np.exp(logs))
    raise ArithmeticError(f"no solution at Ra = {rayleigh}, Pr = {prandtl}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print("Nu = {:.4f}, Re = {:.2f}".format(*nusselt_and_reynolds(float(sys.argv[1]), float(sys.argv[2]))))
