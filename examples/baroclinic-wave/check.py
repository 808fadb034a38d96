"""Judge a baroclinic wave: the jet and the pressure it begins with, mass and energy. The depth of the lows on day 9 is reported, not judged: no
value of it was found in print that holds for this case, and models differ by what they dissipate.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # a checkout works without installation

import watersmeet
from watersmeet.check import Checks, main, round_off

jet = 27.907  # m/s, of the balanced state: closed form of P. A. Ullrich et al. (2014), in tests/python/test_reference_air.py
push = 1.0  # m/s, at most, where it adds to the jet


def run_check(directory) -> Checks:
    run, checks = watersmeet.open(directory), Checks()
    precision, last, series = run.setting("numerics.precision"), run.fields[-1], run.series
    text = str(run.setting("time.end")).split()
    end = float(text[0]) * {"d": 86400, "h": 3600}[text[1]]
    checks.near("time of the last snapshot, s", float(last.time), end, absolute=1e-3)
    early = series["t"] <= 21600
    checks.near("fastest air in the first hours, m/s", series["speed_max"][early].max(), jet, absolute=push)
    # 1000 hPa everywhere at first; the isothermal half of the lowest cell makes it up to 0.2 % more or less.
    checks.near("lowest ground pressure, first hours, hPa", series["surface_pressure_min"][early].min() / 100, 1000, absolute=3)
    if end >= 9 * 86400:
        checks.note("lowest ground pressure on day 9, hPa", series["surface_pressure_min"][-1] / 100)
    else:
        checks.below("fastest rise of the balanced flow, m/s", series["w_max"].max(), 0.05)
    for name in ("mass", "energy"):
        checks.below(f"drift of the {name}", np.abs(series[f"{name}_drift"]).max(), round_off(precision, 1e-13, 1e-6))
    return checks


if __name__ == "__main__":
    main(run_check)
