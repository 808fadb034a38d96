"""The examples of multicomponent flow: each check.py accepts right data and refuses wrong data. Right data are exact solutions and the numbers of the literature, wrong ones differ in one property.
"""

import numpy as np
import pytest
import synthetic
from example_runs import examples, failures, load_check
from watersmeet.riemann import ExactRiemann, Gas, behind_shock

tomllib = pytest.importorskip("tomllib")

no_change = {"mass_drift": 0.0, "energy_drift": 0.0, "fallback_edges": 0.0, "limited_cells": 0.0}


def write_run(directory, example, file, columns, **changes):
    text = (examples / example / f"{file}.toml").read_text()
    for old, new in changes.get("replace", {}).items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    synthetic.write_texts(directory, text)
    n = len(columns["t"])
    full = {"step": np.arange(n), **columns}
    full |= {name: value + np.zeros(n) for name, value in no_change.items() if name not in columns}
    synthetic.write_series(directory, full)
    return directory


def write_line(directory, step, t, x, fields):
    unused = np.array([0.5])
    shaped = {}
    for name, values in fields.items():
        if name == "velocity":
            shaped[name] = np.stack([values, 0 * values, 0 * values], -1).reshape(1, 1, len(x), 3)
        else:
            shaped[name] = values.reshape(1, 1, len(x))
    synthetic.write_snapshot(directory, step, t, (x, unused, unused), shaped, system="multicomponent")


tubes = {"sod": (Gas(1.0, 0.0, 1.0), Gas(0.125, 0.0, 0.1), 0.0, 1.0, 0.5),
         "gas-liquid-tube": (Gas(1.241, 0.0, 2.753), Gas(0.991, 0.0, 3.059e-4, 5.5, 1.505), -1.0, 2.0, 0.0)}


@pytest.mark.parametrize("name", tubes)
@pytest.mark.parametrize("wrong, failed", [
    ({}, []),
    ({"speed": 1.02}, ["mean |rho - exact|"]),
    ({"error": 0.98}, ["mean |rho - exact|"]),
    ({"velocity": 1.02}, ["velocity left of the contact", "velocity right of the contact"]),
    ({"mass_drift": 1e-12}, ["largest |mass drift|"]),
    ({"fallback_edges": 1.0}, ["faces that fell back"]),
])
def test_shock_tube_checks(tmp_path, capsys, name, wrong, failed):
    left, right, lower, length, place = tubes[name]
    series = {k: v for k, v in wrong.items() if k in no_change}
    series = {k: np.full(2, v) for k, v in series.items()}
    directory = write_run(tmp_path, name, "case", {"t": np.array([0.0, 0.2]), **series})
    x = lower + length * (np.arange(400) + 0.5) / 400
    exact = ExactRiemann(left, right).sample((x - place) / 0.2 / wrong.get("speed", 1.0))
    error = load_check(name).expected_error["weno5-js"][400] * wrong.get("error", 1.0) * (-1) ** np.arange(400)
    fields = {"rho": exact["rho"] + error, "p": exact["p"], "velocity": exact["u"] * wrong.get("velocity", 1.0)}
    write_line(directory, 100, 0.2, x, fields)
    assert failures(name, directory, capsys) == failed


@pytest.mark.parametrize("left, right, p, u, rho", [
    (Gas(1, 0, 1), Gas(0.125, 0, 0.1), 0.30313018, 0.92745262, (0.42631943, 0.26557371)),
    (Gas(0.445, 0.698, 3.528), Gas(0.5, 0, 0.571), 2.4660979, 1.528723, (0.34456847, 1.3040845)),
    (Gas(1.241, 0, 2.753), Gas(0.991, 0, 3.059e-4, 5.5, 1.505), 1.8440485, 0.49026512, (0.93209863, 1.1380234)),
    (Gas(1000, 0, 1e9, 4.4, 6e8), Gas(50, 0, 1e5), 14190477, 482.61041, (804.44463, 288.16806)),
])
def test_exact_riemann_problems(left, right, p, u, rho):
    found = ExactRiemann(left, right)
    np.testing.assert_allclose([found.p, found.u, *found.rho], [p, u, *rho], rtol=2e-7)
    mirrored = ExactRiemann(right._replace(u=-right.u), left._replace(u=-left.u))
    xi = np.linspace(-5, 5, 101) * left.sound_speed + 1e-9
    for name, sign in (("rho", 1), ("u", -1), ("p", 1)):
        np.testing.assert_allclose(found.sample(xi)[name], sign * mirrored.sample(-xi)[name], rtol=1e-9, atol=1e-9 * abs(u))
    with pytest.raises(ValueError, match="vacuum"):
        ExactRiemann(left._replace(u=-1e5), right._replace(u=1e5))


def test_interface_advection_check(tmp_path, capsys):
    x = (np.arange(200) + 0.5) / 200
    layer = np.where(abs(x - 0.5) < 0.25, 1.0, 0.0)

    def write(name, pressure=1e5, shift=0, file="case", **changes):
        two = np.ones(2)
        directory = write_run(tmp_path / name, "interface-advection", file,
                              {"t": np.array([0.0, 0.01]), "p_max": 1e5 * two, "p_min": 1e5 * two,
                               "gas_volume": 0.5 * two}, **changes)
        for step, alpha in ((0, layer), (1, np.roll(layer, shift))):
            fields = {"alpha": alpha, "velocity": np.full(200, 100.0), "p": np.full(200, pressure)}
            write_line(directory, step, 0.01 * step, x, fields)
        return failures("interface-advection", directory, capsys)

    assert write("right") == []
    assert write("uneven", 1e5 * (1 + 2e-8)) == ["largest |p/p_0 - 1| at the end"]
    assert write("sharp", 1e5 * (1 + 2e-8), file="sharp") == [] and write("single", 1e5 * 1.005, file="single") == []
    assert write("late", shift=-1) == ["displacement of the layer, cells"]


def keller_miksis_radius(t):
    """Through the published values and the minimum, in t/t_R."""
    known_t = [0, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0788, 1.15]
    return np.interp(t, known_t, [1, 0.97355, 0.88913, 0.72467, 0.55957, 0.48515, 0.28883, 0.4])


@pytest.mark.parametrize("wrong, failed", [
    ({}, []),
    ({"late": 1.03}, ["R/R_0 at 0.9 t_R", "its time over t_R"]),
    ({"stiff": 0.33}, ["smallest R/R_0"]),
    ({"mass_drift": 3e-4}, ["largest |mass drift|"]),
    ({"energy_drift": 3e-4}, ["largest |energy drift|"]),
])
def test_rayleigh_collapse_check(tmp_path, capsys, wrong, failed):
    t = np.linspace(0, 1.15, 2301)
    radius = np.maximum(keller_miksis_radius(t / wrong.get("late", 1.0)), wrong.get("stiff", 0.0))
    if "stiff" in wrong:
        radius -= 1e-3 * np.exp(-(((t - 1.0788) / 0.01) ** 2))
    drifts = {k: np.full(len(t), v) for k, v in wrong.items() if k in no_change}
    columns = {"t": t * 30.4893e-6, "gas_volume": 2 / 3 * np.pi * 1e-9 * radius**3, **drifts}
    assert failures("rayleigh-collapse", write_run(tmp_path, "rayleigh-collapse", "case", columns), capsys) == failed


def hump(t, when, width, height):
    return height * np.exp(-(((t - when) / width) ** 2))


@pytest.mark.parametrize("wrong, failed", [
    ({}, []),
    ({"collapse": 690e-9}, ["collapse after the impact, ns"]),
    ({"volume": 1.05}, ["gas volume at the start, over the sphere's"[:42].strip()]),
    ({"early": True}, ["gas volume before the impact, over the fir"[:42].strip()]),
])
def test_single_bubble_check(tmp_path, capsys, wrong, failed):
    t = np.linspace(0, 1e-6, 4001)
    impact = 0.24e-3 / behind_shock(Gas(1000.0, 0.0, 1e5, 6.12, 3.43e8), 4.01e7)[2]
    start = 0.5 * impact if "early" in wrong else impact
    volume = np.where(t < start, 1.0, 1 - ((t - start) / 1e-6) ** 2) * np.pi / 3 * 125e-6**3 * wrong.get("volume", 1.0003)
    p = 4.01e7 + hump(t, impact + wrong.get("collapse", 654e-9), 5e-9, 6e8)
    columns = {"t": t, "p_max": p, "gas_volume": volume, "mach_max": 1 + 0 * t}
    assert failures("single-bubble", write_run(tmp_path, "single-bubble", "case", columns), capsys) == failed


@pytest.mark.parametrize("wrong, failed", [
    ({}, []),
    ({"count": 9}, ["number of collapses"]),
    ({"count": 11}, ["number of collapses"]),
    ({"gap": 235e-9}, ["mean time between collapses, ns"]),
    ({"first": 0.88e-6}, ["first collapse after the impact, ns"]),
    ({"early": 25e-9}, ["first collapse after the impact, ns"]),  # the pressure alone: the publication's marker
    ({"last": 40}, ["last peak over the jump"]),
    ({"mach": 0.1}, ["least fall of the Mach number, %"]),
    ({"slow": True}, ["number of collapses", "mean time between collapses, ns"]),
])
def test_bubble_row_check(tmp_path, capsys, wrong, failed):
    t = np.linspace(0, 3.16e-6, 12001)
    count, gap, first = wrong.get("count", 10), wrong.get("gap", 212e-9), wrong.get("first", 0.848e-6)
    times = first + gap * np.arange(count)
    heights = np.geomspace(15, wrong.get("last", 100), count)
    rise = wrong.get("mach", 1.0)
    p = np.ones_like(t)
    for when, height in zip(times, heights):
        p += hump(t, when - wrong.get("early", 0), 12e-9, height) + hump(t, when + 40e-9, 8e-9, 0.6 * height)
        p += hump(t, when + 115e-9, 2e-9, 1.2 * height)  # no collapse: the gas continues to shrink
    # The Mach number rises until 40 ns before it is lowest. A bubble shrinks for 0.7 us and stops 10 ns before that.
    corners = np.array([(when - after, mach) for when in times for after, mach in ((40e-9, 2.5 + rise), (0, 2.5 - rise))])
    mach = np.interp(t, *corners.T)
    volume = sum(1 - np.clip((t - when + 710e-9) / 700e-9, 0, 1) * (0.1 if "slow" in wrong and k == 4 else 0.95) for k, when in enumerate(times))
    columns = {"t": t, "p_max": 4e7 * p, "mach_max": mach, "gas_volume": 2e-12 * volume}
    found = failures("bubble-row", write_run(tmp_path, "bubble-row", "case", columns), capsys)
    assert sorted(found) == sorted(failed)


@pytest.mark.parametrize("wrong, failed", [
    ({}, []),
    ({"refracted": 1020}, ["refracted shock, 24-44 us"]),
    ({"upstream": 150}, ["upstream surface, 4-44 us"]),
    ({"incident": 430}, ["incident shock along the wall"]),
])
def test_helium_cylinder_check(tmp_path, capsys, wrong, failed):
    """Fronts and surfaces moved at the published velocities, on the axis and along the wall."""
    contact = 5e-3 / 415.15
    times = 4e-6 * np.arange(63)
    directory = write_run(tmp_path, "helium-cylinder", "case", {"t": times})
    x = 0.267 * (np.arange(1068) + 0.5) / 1068
    p_2 = 159060.0

    def moved(t, start, *parts):
        """From `start` to the left, with the velocity of each part until its end in s."""
        place, begin = start, 0.0
        for velocity, end in parts:
            place -= velocity * max(0.0, min(t, end) - begin)
            begin = end
        return place

    for step, t in enumerate(times):
        s = t - contact
        front = moved(s, 0.172, (wrong.get("refracted", 950), 52.6e-6), (375, 1.0)) if s > 0 else 0.172 - 415.15 * s
        wall = 0.177 - wrong.get("incident", 415.15) * t
        upstream = moved(s, 0.172, (wrong.get("upstream", 174), 100e-6), (111, 1.0))
        downstream = moved(s, 0.122, (0, 62e-6), (95, 110e-6), (129, 164e-6), (150, 1.0))
        rows = []
        for place in (front, wall):
            rows.append(101325 + (p_2 - 101325) * np.clip((x - place) / 1e-3 + 0.5, 0, 1))
        inside = np.clip((x - downstream) / 1e-3 + 0.5, 0, 1) * np.clip((upstream - x) / 1e-3 + 0.5, 0, 1)
        fields = {"p": np.array([rows])[..., :], "alpha": np.array([[1 - inside, 1 + 0 * x]])}
        axes = (x, np.array([1.25e-4, 0.044]), np.array([0.5]))
        synthetic.write_snapshot(directory, step, t, axes, fields, system="multicomponent")
    assert failures("helium-cylinder", directory, capsys) == failed


def test_shu_osher_check(tmp_path, capsys):
    x, rho = np.loadtxt(load_check("shu-osher").reference, delimiter=",", unpack=True)
    assert len(x) == 1600 and rho[(x > 0.5) & (x < 2.3)].max() == pytest.approx(4.680, abs=0.01)
    coarse = -5 + (np.arange(400) + 0.5) / 40
    right = np.interp(coarse, x, rho)
    peak = (coarse > 0.5) & (coarse < 2.3)
    right[peak] *= 4.635 / right[peak].max()
    before = coarse < 0
    rest = 0.0254 * 400 - np.abs(right - np.interp(coarse, x, rho)).sum()  # an integral of 0.254 in all
    error = np.where(before, rest / before.sum() * (-1) ** np.arange(400), 0.0)

    def write(name, rho):
        directory = write_run(tmp_path / name, "shu-osher", "case", {"t": np.array([0.0, 1.8])})
        write_line(directory, 500, 1.8, coarse, {"rho": rho, "velocity": 0 * rho, "p": 1 + 0 * rho})
        return failures("shu-osher", directory, capsys)

    assert write("right", right + error) == []
    assert write("too good", right + 0.7 * error) == write("worse", right + 1.3 * error) == ["integral of |rho - reference|"]
    smooth = right + error
    smooth[peak] = np.minimum(smooth[peak], 4.3)
    assert "largest density of the train" in write("smooth", smooth)
    assert "position of the shock" in write("shifted", np.roll(right + error, 8))


def test_the_published_row_is_the_published_one():
    case = tomllib.loads((examples / "bubble-row/case.toml").read_text())
    assert case["grid"]["cells"] == [4096, 1024, 1024] and case["numerics"]["precision"] == "single"
    assert case["time"] == {"end": 3.16e-6, "cfl": 0.32, "cfl_norm": "max", "scheme": "ssp-rk3"}
    for name in ("quarter-32", "quarter-64"):
        quarter = tomllib.loads((examples / f"bubble-row/{name}.toml").read_text())
        n = [c // (128 // int(name[-2:])) // half for c, half in zip(case["grid"]["cells"], (1, 2, 2))]
        assert quarter["grid"]["cells"] == n and quarter["time"] == case["time"]
