"""Functions that all runs of bubbles under a shock share, for the checks of the examples: entry 1 of [[initial]] is the shock, entry 2
the bubble or the row of them.
"""

from __future__ import annotations

from .riemann import Gas, behind_shock

jump = 4e7  # of the shock's pressure, dp


def impact_time(run) -> float:
    """When the shock reaches the near end of the (first) bubble, by the jump conditions; in s."""
    water = run.setting("physics.fluids.water")
    shock, bubble = (entry["shape"] for entry in run.setting("initial")[1:3])
    centre = bubble.get("centre") or bubble["first"]
    ahead = Gas(water["density"], 0.0, float(run.setting("initial")[0]["pressure"]), water["gamma"], water["p_c"])
    speed = behind_shock(ahead, ahead.p + shock["pressure_jump"])[2]
    return (centre[0] - bubble["radius"] - shock["x"]) / speed


def cells_per_radius(run) -> int:
    lower, upper = run.setting("grid.lower"), run.setting("grid.upper")
    h = (float(upper[0]) - float(lower[0])) / run.setting("grid.cells")[0]
    return round(float(run.setting("initial")[2]["shape"]["radius"]) / h)
