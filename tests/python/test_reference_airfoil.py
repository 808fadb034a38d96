"""The full potential solution that lift and moment of NACA 0012 are judged by: against the series of the circle, the section itself,
and its own two ways to the lift; and the numbers of the check and of `watersmeet verify` are its own.
"""

import re

import numpy as np
import pytest
from conftest import root
from example_runs import load_check, load_module

reference = load_module(root / "validation/reference/airfoil_potential.py")


@pytest.fixture(scope="module")
def section():
    return reference.Section()


# Largest speed on a circle over that of the stream in powers of M^2, gamma = 1.4: M. D. Van Dyke and A. J. Guttmann,
# J. Austral. Math. Soc. B 24 (1983) 243-261.
series = (2, 1.16667, 2.57833, 7.51465, 25.69)


@pytest.mark.parametrize("mach, left_out", [(0.1, 1e-6), (0.2, 3e-5)])
def test_the_flow_around_a_circle_is_that_of_its_series(mach, left_out):
    tops = []
    for around in (64, 128):
        flow = reference.Flow(mach, 0.0, around, reference.Circle()).solve()
        assert abs(flow.circulation) < 1e-12
        speed = np.sqrt(flow.speed2()[around // 4 - 2: around // 4 + 2])  # the top is in their middle
        tops.append(np.dot([-1, 9, 9, -1], speed) / 16 / mach)
    limit = tops[1] + (tops[1] - tops[0]) / 3
    assert limit == pytest.approx(sum(c * mach ** (2 * n) for n, c in enumerate(series)), abs=left_out + 2e-5)


def test_the_map_is_conformal_and_ends_on_the_section(section):
    theta = np.linspace(0.001, 2 * np.pi - 0.001, 301)
    z = section.at(theta, np.ones_like(theta))[0]
    assert np.abs(np.abs(z.imag) - reference.half_thickness(np.maximum(z.real, 0), 0.12)).max() < 1e-6
    assert section.at(np.array([1e-9]), np.ones(1))[0][0] == pytest.approx(1, abs=1e-9)
    h, t = 1e-6, np.full_like(theta, 0.7)
    step = (section.at(theta + h, t)[0] - section.at(theta - h, t)[0]) / (2 * h)
    assert step == pytest.approx(section.at(theta, t)[1] * 1j * np.exp(1j * theta) / t, rel=1e-7)
    assert section.at(theta, np.full_like(theta, 1e-4))[1] == pytest.approx(section.scale, rel=1e-4)


def test_lift_of_slow_flow_is_that_of_the_map(section):
    # Gamma = 4 pi C M sin(alpha) without compressibility.
    flow = reference.Flow(0.001, 3.0, 64, section).solve()
    assert flow.coefficients()["cl"] == pytest.approx(8 * np.pi * section.scale * np.sin(np.radians(3)), rel=1e-5)


@pytest.mark.parametrize("mach, alpha", [(0.5, 1.25), (0.63, 2.0)])
def test_the_numbers_of_the_checks(mach, alpha, section):
    coarse, fine = (reference.Flow(mach, alpha, around, section).solve().coefficients() for around in (64, 128))
    limit = reference.limits(coarse, fine)
    # Both ways to the lift, and no drag.
    assert limit["cl_pressure"] == pytest.approx(limit["cl"], abs=2e-5) and abs(limit["cd_pressure"]) < 5e-6
    assert coarse["fastest"] < fine["fastest"] < 1
    known = load_check("naca0012").potential[mach, alpha]
    assert (limit["cl"], limit["cm"]) == pytest.approx(known, abs=3e-5)
    text = (root / "src/verify/aerodynamics/sections.cpp").read_text(encoding="utf-8")
    rows = re.findall(r"\{([\d.]+), ([\d.]+), ([\d.]+), (-[\d.]+)\}", text)
    assert (mach, alpha, *known) in [tuple(float(x) for x in row) for row in rows]
