"""The second solver of the scheme of aerodynamics, in numpy: its operators, the errors of the vortex that other checks expect, and
the forces on a coarse O mesh, which the program must meet to the digits that convergence leaves.
"""

import re
import subprocess

import numpy as np
import pytest
from conftest import root
from example_runs import load_check, load_module
from runs import binary, environment, needs_program, rows

reference = load_module(root / "validation/reference/sbp_euler.py")


@pytest.mark.parametrize("order, compatible", [(1, False), (3, False), (5, False), (5, True)])
def test_operators_are_those_of_summation_by_parts(order, compatible):
    n, (inner, *_) = 25, reference.SCHEMES[order]
    d, norm, _, _ = reference.operators(order, n, compatible)
    q = norm[:, None] * d
    ends = np.zeros((n, n))
    ends[0, 0], ends[-1, -1] = -1, 1
    assert np.abs(q + q.T - ends).max() < 1e-15
    x = np.arange(n) / (n - 1)
    for power in range(inner + 1):  # exact up to half the inner order at the ends, and to all of it inside
        error = (n - 1) * d @ x**power - power * x ** max(power - 1, 0) * (power > 0)
        assert np.abs(error[6:-6]).max() < 1e-12
        assert power > inner // 2 or np.abs(error).max() < 1e-12


def known_errors():
    """Of `watersmeet verify`: order, whether compatible, errors with 20, 40, ... cells."""
    text = (root / "src/verify/aerodynamics/block_vortex.cpp").read_text(encoding="utf-8")
    rows = re.findall(r"\{(\d), (false|true), \{([^}]*)\}", text)
    return {(int(order), compatible == "true"): [float(e) for e in errors.split(",")] for order, compatible, errors in rows}


@pytest.mark.parametrize("order, compatible", [*((n, False) for n in range(1, 7)), (5, True), (6, True)])
def test_errors_of_the_vortex(order, compatible):
    error = reference.vortex_error(order, 20, compatible)
    assert error == pytest.approx(known_errors()[order, compatible][0], rel=1e-4)
    if not compatible:
        assert error == pytest.approx(load_check("vortex").known[order][20], rel=1e-4)


@needs_program
def test_forces_on_a_coarse_o_mesh(tmp_path):
    subprocess.run([binary, "run", str(root / "examples/naca0012/o-grid.toml"), "--dir", str(tmp_path / "run"), "--quiet", "--device",
                    "cpu", "--threads", "1", "--set", "grid.mesh.cells=[16,16]", "--set", "time.residual_drop=1e-8", "--set",
                    "boundary.farfield.vortex=false", "--set", "output.overview=false"], check=True, env=environment())
    table = [row for row in rows(tmp_path / "run/series.csv") if not row[0].startswith("#")]
    last = dict(zip(table[0], table[-1]))
    found = [float(last[name]) for name in ("cl", "cd", "cm")]
    *expected, _, left = reference.airfoil(16, 0.63, 2.0, drop=1e-7)
    assert left < 1e-7 and found == pytest.approx(expected, abs=1e-6)
