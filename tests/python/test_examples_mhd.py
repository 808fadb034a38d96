"""The examples of mhd that have no wave or vortex to compare with: each check.py accepts a run of the quick size and refuses the same run with one
column of its time series or one field changed.
"""

import shutil

import numpy as np
import pytest
from example_runs import change_run, failures
from runs import needs_program

pytestmark = needs_program

names = ("magnetised-decay", "helical-dynamo", "abc-dynamo")


@pytest.mark.parametrize("name", names)
def test_a_right_run_is_accepted(example_run, name, capsys):
    assert failures(name, example_run(name, "quick"), capsys) == []


@pytest.mark.parametrize("name, what, change, failed", [
    ("magnetised-decay", "current_helicity", lambda h: 1.01 * h, {"helicity left over / H(0)"}),
    ("magnetised-decay", "magnetic_helicity", lambda h: 3 * h, {"largest |H| k_1 / <B^2>"}),
    ("magnetised-decay", "magnetic_helicity", lambda h: h[0] * (h / h[0]) ** 2, {"|H| / <B^2>, end over start"}),
    ("magnetised-decay", "ohmic_dissipation", lambda e: 1.005 * e, {"energy and losses / E(0), t = 10"}),
    ("magnetised-decay", "b_rms", lambda b: 1.00001 * b, {"Parseval: sum of M against b_rms"}),
    ("magnetised-decay", "div_b_max", lambda d: d + 1e-9, {"largest |div B|"}),
    ("helical-dynamo", "current_helicity", lambda h: 1.01 * h, {"helicity left over / moved by diffusion"}),
    ("helical-dynamo", "dissipation", lambda e: 1.05 * e, {"losses and growth / work of the kicks"}),
    ("helical-dynamo", "magnetic_helicity", lambda h: -h, {"largest H k_1 / <B^2>, last quarter"}),
    ("helical-dynamo", "u_rms", lambda u: 0.5 * u, {"growth rate / that of alpha^2"}),
    ("helical-dynamo", "helicity", lambda h: -h, {"least kinetic helicity, last quarter"}),
    ("abc-dynamo", "magnetic_energy", lambda e: e * np.exp(np.linspace(0, 0.2, e.size)), {"growth rate"}),
    ("abc-dynamo", "t", lambda t: np.where(t > t[-1] / 2, t[-1] + 1.01 * (t - t[-1]), t), {"frequency"}),
    ("abc-dynamo", "u_rms", lambda u: u + 1e-9 * np.arange(u.size), {"largest change of u_rms from sqrt(3)"}),
])  # fmt: skip
def test_a_wrong_run_is_refused(example_run, tmp_path, name, what, change, failed, capsys):
    directory = tmp_path / "wrong"
    shutil.copytree(example_run(name, "quick"), directory)
    change_run(directory, what, change)
    assert failed <= set(failures(name, directory, capsys))
