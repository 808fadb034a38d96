"""Judge a tsunami: off shore against the linear equations, marched here, on shore its run-up against a second scheme, and the volume.

The linear long-wave equations eta_t = -(h u)_x, u_t = -g eta_x are marched here on a staggered grid; the wave is low against the
depth there, so that what they leave out is small. No closed form is known of a bore that runs up a beach with friction.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

length, offshore = 600e3, 480e3
# Highest water on the coast, m, by size of cells, m, and what it converges to: validation/reference/water_runup.py, another scheme.
highest_known, highest_limit = {1500: 2.238, 500: 3.924, 250: 4.407, 125: 4.544}, 4.6


def bed(x):
    km = x / 1000
    return np.select([km < 200, km < 500, km < 560], [-4000.0, -4000 + 1950 * (1 - np.cos(np.pi * (km - 200) / 300)), -100.0],
                     -100 + 3.125 * (km - 560))


def linear_surface(x, t, g, n=4800):
    """The surface at time t at the places x: leapfrog, cliffs at both ends, the sea ending where it is 20 m deep."""
    h = length / n
    centres, faces = (np.arange(n) + 0.5) * h, np.arange(1, n) * h
    depth = np.where(-bed(faces) > 20, -bed(faces), 0.0)
    steps = int(np.ceil(t / (0.5 * h / np.sqrt(g * 4000))))
    dt = t / steps
    eta, u = 2 * np.exp(-(((centres / 1000) - 100) / 30) ** 2), np.zeros(n - 1)
    u -= 0.5 * dt * g * np.diff(eta) / h  # half a step: u lives between the times of eta
    for _ in range(steps):
        flux = np.concatenate([[0.0], depth * u, [0.0]])
        eta = eta - dt * np.diff(flux) / h
        u = u - dt * g * np.diff(eta) / h
    return np.interp(x, centres, eta)


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    g, precision = float(run.setting("physics.gravity")), run.setting("numerics.precision")
    fields, series = run.fields, run.series
    checks.near("time of the last snapshot", fields[-1].time, float(run.setting("time.end")), absolute=1e-6)
    for wanted in (1000.0, 2000.0):
        snapshot = min((fields[n] for n in range(len(fields))), key=lambda f: abs(f.time - wanted))
        t = float(snapshot.time)
        x = np.asarray(snapshot.x, float)
        sea = x < offshore
        surface = np.asarray(snapshot["surface"], float)[0]
        checks.below(f"difference across the plane at {wanted:g} s", np.max(np.abs(surface - surface[:1])),
                     round_off(precision, 1e-11, 1e-3))
        linear = linear_surface(x[sea], t, g)
        error = np.sqrt(np.mean((surface[0, sea] - linear) ** 2) / np.mean(linear**2))
        checks.below(f"distance from linear waves at {wanted:g} s", error, 0.01 * (x[1] - x[0]) / 500)
        # Green's law, of waves that are short against the slope: height times depth^(1/4) is kept.
        crest = np.argmax(np.where(sea, surface[0], 0))
        if wanted == 2000:
            checks.near("crest by Green's law", surface[0, crest] / (4000 / -bed(x[crest])) ** 0.25, 1.0, relative=0.1)
    # The bore that the shelf makes of the wave climbs the beach, higher than it was off shore.
    late = np.asarray(series["t"]) > 6000
    highest, size = np.max(np.asarray(series["surface_max"])[late]), round(float(x[1] - x[0]), 6)
    if size in highest_known:
        # Two schemes of one order are nearer to each other than to the limit.
        known = highest_known[size]
        checks.near("highest water on the coast, m", highest, known, absolute=min(0.25 * known, 0.5 * (highest_limit - known)))
    else:
        checks.note(f"highest water on the coast, m (limit {highest_limit:g})", highest)
    checks.above("least depth", np.min(series["depth_min"]), round_off(precision, -1e-11, -1e-3))
    checks.below("largest drift of the volume", np.max(np.abs(series["volume_drift"])), round_off(precision, 1e-12, 1e-4))
    return checks


if __name__ == "__main__":
    main(run_check)
