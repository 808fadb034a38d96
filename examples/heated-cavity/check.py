"""Judge natural convection in a heated cavity: Nusselt numbers and largest velocities against the benchmark, the heat through every plane.

The scheme is of second order, so that the accepted deviation grows with h^2. The same heat passes the hot and the cold side at any time, because
the start is its own mirror image; through the planes between them it does when the flow is steady.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off


# Mean Nusselt number, largest u on x = 1/2, largest w on z = 1/2, largest and smallest Nusselt number of the hot side: validation/reference/cavities.py.
# G. de Vahl Davis (1983) has 1.118, 3.649, 3.697, 1.505, 0.692 and 2.243, 16.18, 19.62, 3.528, 0.586, P. Le Quere (1991) at 1e6 what stands here.
known = {1e3: (1.11779, 3.649448, 3.697438, 1.506307, 0.69125), 1e4: (2.244816, 16.18334, 19.62822, 3.531066, 0.584966),
         1e6: (8.8252, 64.83, 220.6, 17.536, 0.97946)}
names = ("Nusselt number", "largest u on x = 1/2", "largest w on z = 1/2", "largest Nusselt number of the hot side", "smallest Nusselt number of the hot side")
# Accepted relative deviation: this times h^2, and 0.5 %; of the mean Nusselt number and the velocities, and of those at single places.
slope = {1e3: (5.0, 10.0), 1e4: (12.0, 24.0), 1e6: (130.0, 420.0)}


def heat_through_planes(u, temperature) -> np.ndarray:
    """Convection and conduction through the planes x = i h between the cells, from arrays (z, x) at their centres.

    u at a centre is the mean of both faces, that of the side 0: this gives u at every face.
    """
    n, faces = u.shape[1], np.zeros((u.shape[0], u.shape[1] + 1))
    for i in range(n):
        faces[:, i + 1] = 2 * u[:, i] - faces[:, i]
    across = faces[:, 1:-1] * (temperature[:, 1:] + temperature[:, :-1]) / 2 - np.diff(temperature, axis=1) * n
    return across.mean(axis=0)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    last, series = run.fields[-1], run.series
    n, rayleigh = len(last.x), float(run.setting("physics.rayleigh"))
    checks.near("time of the last snapshot", last.time, float(run.setting("time.end")), absolute=1e-9)
    hot = np.asarray(series["nusselt_lower"])
    velocity, temperature = np.asarray(last["velocity"][:, 0], float), np.asarray(last["temperature"][:, 0], float)
    planes = heat_through_planes(velocity[..., 0], temperature)
    checks.below("planes x = i h, heat over that of the side", np.max(np.abs(planes / hot[-1] - 1)), round_off(run.setting("numerics.precision"), 1e-6, 1e-3))
    checks.below("change in the last tenth", abs(hot[-1] / hot[int(0.9 * len(hot))] - 1), 1e-4)
    checks.below("largest divergence times h", np.max(series["divergence_max"]) / n, 1e-9)
    u = np.max(velocity[:, n // 2 - 1:n // 2 + 1, 0].mean(axis=1))
    w = np.max(velocity[n // 2 - 1:n // 2 + 1, :, 2].mean(axis=0))
    local = (0.5 - temperature[:, 0]) * 2 * n
    found = (hot[-1], u, w, local.max(), local.min())
    for name, value, expected in zip(names, found, known.get(rayleigh, [None] * 5)):
        if expected is None:
            checks.note(f"{name} (none known)", value)
        else:
            checks.near(name, value, expected, relative=5e-3 + slope[rayleigh][name.endswith("hot side")] / n**2)
    return checks


if __name__ == "__main__":
    main(run_check)
