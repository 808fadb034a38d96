"""Runs that start from a state of another grid (start.from): what is kept and how well, the same bits on the same grid and on any number of
ranks, and what is refused."""

import json
import shutil

import h5py
import numpy as np
import pytest
from rank_runs import on_ranks, ranks_words
from runs import arrays, call, needs_program, newest, settings, succeed

pytestmark = [needs_program]

end = """
[time]
steps = 0
[output]
overview = false
every_steps = 1
"""
isothermal = '''[case]
system = "isothermal"
[grid]
cells = [16, 12, 8]
upper = [6.0, 5.0, 4.0]
[physics]
viscosity = 0.02
[[initial]]
density = "1 + 0.1*sin(2*pi*(x/6 + y/5))*cos(2*pi*z/4)"
velocity = ["0.3*sin(2*pi*(x/6 - z/4))", "0.2*cos(2*pi*(y/5 + x/6))", "0.1*sin(2*pi*(z/4 + y/5))"]
''' + end
mhd = isothermal.replace("isothermal", "mhd").replace("[time]", '''potential = [
  "0.2*cos(2*pi*(y/5 - z/4))", "0.1*sin(2*pi*(z/4 + x/6))", "0.3*cos(2*pi*(x/6 + y/5))"]
[time]''')
multicomponent = '''[case]
system = "multicomponent"
[grid]
cells = [24, 16, 12]
upper = [1.5, 1.0, 0.75]
[physics.fluids]
air = { gamma = 1.4, density = 1.0 }
water = { gamma = 4.4, p_c = 60.0, density = 10.0 }
[[initial]]
fluid = "water"
pressure = 10.0
velocity = ["0.1*sin(2*pi*y)", "0.2*cos(2*pi*x/1.5)", 0]
[[initial]]
fluid = "air"
pressure = 1.0
shape = { kind = "sphere", centre = [0.7, 0.5, 0.4], radius = 0.25 }
[boundary]
x = "periodic"
y = "periodic"
z = "reflecting"
''' + end
shallow_water = '''[case]
system = "shallow_water"
[grid]
cells = [24, 16, 1]
upper = [12, 8, 1]
[physics]
gravity = 9.81
[[initial]]
surface = "1 + 0.1*sin(2*pi*x/12)*cos(pi*y/8)"
velocity = ["0.2*cos(2*pi*x/12)", "0.1*sin(pi*y/8)", 0]
[boundary]
x = "periodic"
y = "wall"
''' + end
boussinesq = '''[case]
system = "boussinesq"
[grid]
cells = [16, 12, 16]
lower = [0, 0, -0.5]
upper = [2, 1.5, 0.5]
z_stretching = 1.5
[physics]
rayleigh = 1e5
prandtl = 0.71
[[initial]]
temperature = "-z + 0.05*sin(pi*x)*cos(pi*z)"
velocity = ["0.2*sin(pi*x)*cos(pi*z)", "0.1*sin(pi*x)", "-0.2*cos(pi*x)*(0.25 - z^2)"]
[boundary]
x = "periodic"
y = "periodic"
z_lower = { kind = "no_slip", temperature = 0.5 }
z_upper = { kind = "no_slip", temperature = -0.5 }
''' + end
atmosphere = '''[case]
system = "atmosphere"
units = "SI"
[grid]
cells = [20, 8, 12]
upper = [20e3, 8e3, 10e3]
z_mapping = "10e3*(0.7*s + 0.3*s^2)"
[physics]
gravity = 9.81
reference = { kind = "neutral", theta = 300 }
[[initial]]
theta = "2*exp(-((x - 9e3)/4e3)^2 - ((y - 4e3)/3e3)^2 - ((z - 3e3)/2e3)^2)"
velocity = ["5*sin(2*pi*x/20e3)", "2*cos(2*pi*y/8e3)", 0]
''' + end
sphere = '''[case]
system = "shallow_water"
[grid]
kind = "cubed_sphere"
cells = 16
[[initial]]
surface = "8000 + 200*cos(3*lon)*cos(lat)^3 + 100*sin(lat)"
velocity = ["40*cos(lat) + 10*sin(2*lon)*cos(lat)^2", "10*cos(lon)*sin(2*lat)", 0]
''' + end
globe = '''[case]
system = "atmosphere"
units = "SI"
[grid]
kind = "cubed_sphere"
cells = [12, 12, 6]
radius = 6371220
top = 12e3
[physics]
gravity = 9.81
reference = { kind = "isothermal", temperature = 250, pressure = 1e5 }
[[initial]]
theta = "2*cos(lat)^2*cos(2*lon)*sin(pi*z/12e3)"
velocity = ["20*cos(lat)", "2*sin(2*lat)", 0.5]
''' + end
aerodynamics = '''[case]
system = "aerodynamics"
[grid]
mesh = { kind = "wavybox", cells = [13, 11], blocks = [2, 2], seed = 2 }
[physics]
freestream = { mach = 0.5, alpha_deg = 20 }
[numerics]
order = 4
[[initial]]
flow = { kind = "vortex", centre = [4, 4.5, 0], strength = 0.2 }
[boundary]
outer = "exact"
''' + end.replace("[time]", '[time]\nmode = "unsteady"')
cases = {name: globals()[name] for name in
         ("isothermal", "mhd", "multicomponent", "shallow_water", "boussinesq", "atmosphere", "sphere", "globe", "aerodynamics")}
mesh = 'grid.mesh={{kind="wavybox",cells=[{},{}],blocks=[2,2],seed=2}}'


@pytest.fixture
def place(tmp_path):
    for name, text in cases.items():
        (tmp_path / f"{name}.toml").write_text(text)
    return tmp_path


def cells(*n):
    return settings(grid__cells=json.dumps(n))


def run(place, case, folder, words=(), start=None, **options):
    more = settings(start__from=start) if start else []
    return succeed("run", f"{case}.toml", "--dir", folder, *words, *more, cwd=place, **options)


def state(folder):
    with h5py.File(newest(folder)) as file:
        return {name: array[()].astype(float) for name, array in file["arrays"].items()}


def largest_difference(a, b):
    return {name: np.abs(a[name] - b[name]).max() for name in b}


def widths(folder, axis):
    with h5py.File(newest(folder, "fields")) as file:
        if f"{axis}_faces" in file:
            return np.diff(file[f"{axis}_faces"][()])
        n = file[axis].size
        return np.full(n, np.diff(file[axis][()]).mean() if n > 1 else 1.0)


def sums(folder, weights=None):
    """Of every variable over the cells, times their volumes."""
    if weights is None:
        weights = widths(folder, "z")[:, None, None] * widths(folder, "y")[:, None] * widths(folder, "x")
    return {name: (values * weights).sum() for name, values in state(folder).items()}, {
        name: (abs(values) * weights).sum() for name, values in state(folder).items()}


def assert_same_sums(a, b, names=None, bound=2e-15, weights=(None, None)):
    (before, scale), (after, _) = sums(a, weights[0]), sums(b, weights[1])
    for name in names or before:
        assert abs(after[name] - before[name]) <= bound * scale[name] + 1e-300, name


# Errors of point values: the error of one grid and of one twice as fine, both against the formula on a third.
@pytest.mark.parametrize("case", ["isothermal", "mhd"])
@pytest.mark.parametrize("target", [(40, 30, 21), (12, 9, 7)])
def test_point_values_are_of_sixth_order(place, case, target):
    run(place, case, "exact", cells(*target))
    errors = []
    for n in (1, 2):
        run(place, case, f"from{n}", cells(16 * n, 12 * n, 12 * n))
        run(place, case, f"to{n}", cells(*target), start=f"from{n}")
        errors.append(largest_difference(state(place / f"to{n}"), state(place / "exact")))
    for name, error in errors[0].items():
        assert np.log2(error / errors[1][name]) > 5.4, (name, error, errors[1][name])


def test_a_magnetic_field_has_no_divergence(place):
    run(place, "mhd", "from")
    run(place, "mhd", "to", cells(20, 17, 13), start="from")
    run(place, "mhd", "exact", cells(20, 17, 13))
    column = (place / "to/series.csv").read_text().splitlines()
    names = column[0].split(",")
    at = next(n for n, name in enumerate(names) if name.startswith("div_b"))
    b_max = float(column[-1].split(",")[names.index("b_max")])
    assert float(column[-1].split(",")[at]) < 1e-13 * b_max * 20 / 6


# Gas and liquid at different pressures, cut by a sharp interface.
@pytest.mark.parametrize("target", [(12, 8, 6), (48, 32, 24), (31, 9, 17)])
def test_sums_of_two_fluids_are_kept(place, target):
    run(place, "multicomponent", "from")
    result = run(place, "multicomponent", "to", [*cells(*target), *settings(time__steps=3)], start="from")
    assert "averaged over cells from 24 x 16 x 12" in result.stdout
    run(place, "multicomponent", "begin", cells(*target), start="from")
    assert_same_sums(place / "from", place / "begin", bound=1e-14)
    before, after = state(place / "from"), state(place / "begin")
    for name in ("rho", "Gamma"):  # except for a few hundredths of the jump where few cells lie between interface and wall
        low, high = before[name].min(), before[name].max()
        assert low - 0.03 * (high - low) <= after[name].min() and after[name].max() <= high + 0.03 * (high - low)


def test_cells_that_are_put_together_have_their_mean(place):
    run(place, "multicomponent", "from")
    run(place, "multicomponent", "to", cells(12, 8, 6), start="from")
    before, after = state(place / "from"), state(place / "to")
    for name, values in before.items():
        mean = values.reshape(6, 2, 8, 2, 12, 2).mean(axis=(1, 3, 5))
        assert np.allclose(after[name], mean, rtol=1e-15, atol=1e-15 * abs(values).max())


# Single precision stores E - Pi in units of the largest density and speed, double precision E.
@pytest.mark.parametrize("target", [(24, 16, 12), (30, 20, 15)])
def test_another_precision_stores_other_variables(place, target):
    run(place, "multicomponent", "double")
    run(place, "multicomponent", "single", [*cells(*target), "--precision", "single"], start="double")
    result = run(place, "multicomponent", "back", start="single")
    assert ("converted" if target == (24, 16, 12) else "averaged") in result.stdout
    assert set(state(place / "single")) ^ set(state(place / "back")) == {"E", "E_minus_Pi"}
    assert_same_sums(place / "double", place / "back", bound=3e-7)


def test_sums_about_an_axis_are_kept(place):
    keys = [*settings(grid__geometry='"axisymmetric"'), *cells(24, 16, 1), "--set", 'boundary={x="periodic",y_upper="reflecting",z="periodic"}']
    run(place, "multicomponent", "from", [*keys, "--set", 'initial[1].shape={kind="sphere",centre=[0.7,0,0],radius=0.25}'])
    run(place, "multicomponent", "to", [*keys, *cells(37, 41, 1), "--set", 'initial[1].shape={kind="sphere",centre=[0.7,0,0],radius=0.25}'],
        start="from")
    rings = [(widths(place / f, "y") * (np.arange(widths(place / f, "y").size) + 0.5) * widths(place / f, "y"))[None, :, None]
             * widths(place / f, "x") for f in ("from", "to")]
    assert_same_sums(place / "from", place / "to", ["rho", "E", "mx"], bound=1e-14, weights=rings)


@pytest.mark.parametrize("target", [(12, 8, 1), (37, 41, 1)])
def test_water_is_kept(place, target):
    run(place, "shallow_water", "from")
    run(place, "shallow_water", "to", cells(*target), start="from")
    run(place, "shallow_water", "exact", cells(*target))
    assert_same_sums(place / "from", place / "to", bound=1e-14)
    error = largest_difference(state(place / "to"), state(place / "exact"))
    assert max(error.values()) < 3e-3  # averages are point values to second order


@pytest.mark.parametrize("case", ["shallow_water", "sphere"])
def test_water_of_another_run_needs_no_initial_water(place, case):
    run(place, case, "from")
    run(place, case, "to", start="from")
    text = cases[case]
    (place / f"{case}.toml").write_text(text[: text.index("[[initial]]")] + (text[text.index("[boundary]") :] if "[boundary]" in text else end))
    run(place, case, "bare", start="from")
    assert not any(largest_difference(state(place / "to"), state(place / "bare")).values())


def test_land_that_another_bed_has_is_dry(place):
    keys = settings(physics__bed='"0.1*x"', numerics__wet_dry="true", **{"initial[0]": '{surface=0.55}', "boundary__x": '"wall"'})
    run(place, "shallow_water", "from", keys)
    run(place, "shallow_water", "to", [*keys, *cells(35, 16, 1)], start="from")
    run(place, "shallow_water", "on", [*keys, *cells(35, 16, 1), *settings(time__steps=20)], start="from")
    after, on = state(place / "to"), state(place / "on")
    bed = 0.1 * (np.arange(35) + 0.5) * 12 / 35
    assert (after["eta"] >= bed - 1e-12).all() and (after["hu"] == 0).all()
    # The shore is at x = 5.5; cells of the other grid about it have averages of wet and dry ones.
    assert abs(after["eta"][0, :, bed < 0.45] - 0.55).max() < 1e-14 and abs(after["eta"] - bed)[0, :, bed > 0.65].max() < 1e-14
    assert abs(on["hu"]).max() < 0.01 * 0.55 * np.sqrt(9.81 * 0.55)


@pytest.mark.parametrize("target", [(8, 6, 8), (24, 18, 24), (20, 12, 13)])
def test_a_velocity_on_faces_has_no_divergence(place, target):
    run(place, "boussinesq", "from")
    run(place, "boussinesq", "to", cells(*target), start="from")
    run(place, "boussinesq", "exact", cells(*target))
    assert_same_sums(place / "from", place / "to", ["temperature"], bound=1e-14)
    after = state(place / "to")
    u, v, w = after["u"], after["v"], after["w"]
    x, y, z = (widths(place / "to", axis) for axis in "xyz")
    above = np.concatenate([w[1:], np.zeros_like(w[:1])])
    divergence = (np.roll(u, -1, 2) - u) / x + (np.roll(v, -1, 1) - v) / y[:, None] + (above - w) / z[:, None, None]
    assert abs(divergence).max() < 1e-12 * (abs(u).max() / x.min())
    error = largest_difference(after, state(place / "exact"))
    assert max(error[name] for name in "uvw") < 0.02 * abs(u).max() and error["temperature"] < 0.02


@pytest.mark.parametrize("target", [(10, 4, 6), (33, 16, 25)])
def test_departures_of_an_atmosphere_are_kept(place, target):
    run(place, "atmosphere", "from")
    run(place, "atmosphere", "to", cells(*target), start="from")
    assert_same_sums(place / "from", place / "to", bound=1e-13)


def test_levels_over_a_hill(place):
    keys = settings(physics__terrain='"500*exp(-((x - 10e3)/3e3)^2)"')
    run(place, "atmosphere", "from", keys)
    run(place, "atmosphere", "to", [*keys, *cells(30, 8, 18)], start="from")
    run(place, "atmosphere", "exact", [*keys, *cells(30, 8, 18)])
    after, exact = state(place / "to"), state(place / "exact")
    assert abs(after["rho"] - exact["rho"]).max() < 0.1 * abs(exact["rho"]).max()
    assert "physics.terrain, over which the levels rise differs" in refusal(place, "atmosphere", start__from='"from"')


def refusal(place, case, *words, **keys):
    result = call("check", f"{case}.toml", *words, *settings(**keys), cwd=place)
    assert result.returncode == 2, result.stdout + result.stderr
    assert "start.from" in result.stderr
    return result.stderr


def areas(folder):
    with h5py.File(newest(folder, "fields")) as file:
        return file["cell_area"][()]


@pytest.mark.parametrize("target", [8, 24, 33])
def test_water_on_a_sphere_is_kept(place, target):
    run(place, "sphere", "from")
    run(place, "sphere", "to", settings(grid__cells=target), start="from")
    run(place, "sphere", "exact", settings(grid__cells=target))
    assert_same_sums(place / "from", place / "to", ["eta"], weights=(areas(place / "from"), areas(place / "to")))
    error = largest_difference(state(place / "to"), state(place / "exact"))
    assert error["eta"] < 3 and error["hu"] < 0.03 * abs(state(place / "exact")["hu"]).max()


def test_water_at_rest_on_a_sphere_stays_at_rest(place):
    keys = settings(physics__bed='"800 + 700*sin(5*lon)*cos(3*lat)*cos(lat)"', **{"initial[0]": "{surface=8000}"})
    run(place, "sphere", "from", keys)
    run(place, "sphere", "to", [*keys, *settings(grid__cells=29, time__steps=4)], start="from")
    after = state(place / "to")
    assert (after["eta"] == 8000).all() and (after["hu"] == 0).all()


@pytest.mark.parametrize("target", [(8, 8, 4), (18, 18, 11)])
def test_an_atmosphere_on_a_sphere_is_kept(place, target):
    run(place, "globe", "from")
    run(place, "globe", "to", cells(*target), start="from")
    weights = []
    for folder, levels in (("from", 6), ("to", target[2])):
        area = areas(place / folder)
        weights.append(np.repeat(area, levels, axis=0) * (12e3 / levels))
    assert_same_sums(place / "from", place / "to", ["rho", "energy"], bound=1e-14, weights=weights)


# Blocks whose nodes lie on other curves of the same family.
@pytest.mark.parametrize("target", [(17, 19), (7, 9)])
def test_nodes_of_blocks_are_of_high_order(place, target):
    run(place, "aerodynamics", "exact", ["--set", mesh.format(*target)])
    errors = []
    for n in (1, 2):
        run(place, "aerodynamics", f"from{n}", ["--set", mesh.format(24 * n, 24 * n)])
        run(place, "aerodynamics", f"to{n}", ["--set", mesh.format(*target)], start=f"from{n}")
        errors.append(largest_difference(state(place / f"to{n}"), state(place / "exact")))
    for name in ("rho", "mx", "my", "energy"):
        assert np.log2(errors[0][name] / errors[1][name]) > 3.5, (name, errors)
        assert errors[1][name] < 1e-3


@pytest.mark.parametrize("case", cases)
def test_the_same_grid_has_the_same_bits(place, case):
    run(place, case, "from", settings(time__steps=3))
    result = run(place, case, "to", start="from")
    assert "copied from" in result.stdout
    before, after = arrays(newest(place / "from")), arrays(newest(place / "to"))
    for name in state(place / "to"):
        if not name.startswith(("phi", "rate_before")):  # of the step before
            assert after[name] == before[name], name


@on_ranks
@pytest.mark.parametrize("case", cases)
def test_the_number_of_ranks_changes_no_bit(place, case):
    target = {"shallow_water": cells(37, 41, 1), "sphere": settings(grid__cells=24), "globe": cells(18, 18, 7),
              "aerodynamics": ["--set", mesh.format(17, 19)]}.get(case, cells(20, 17, 16))
    run(place, case, "from")
    for count in (1, 2, 3):
        run(place, case, f"on{count}", [*target, *settings(time__steps=2), *ranks_words(count)], start="from")
        if case != "boussinesq":
            assert arrays(newest(place / f"on{count}")) == arrays(newest(place / "on1"))
            continue
        one, many = state(place / "on1"), state(place / f"on{count}")  # transforms differ by round-off (several-devices.md)
        for name, values in one.items():
            assert abs(many[name] - values).max() < 1e-11 * max(abs(values).max(), 1), name


def test_a_run_starts_at_the_time_of_the_file_where_it_shall(place):
    run(place, "isothermal", "from", settings(time__steps=5))
    run(place, "isothermal", "zero", cells(20, 12, 8), start="from")
    run(place, "isothermal", "file", [*cells(20, 12, 8), *settings(start__time='"file"', time__steps=1)], start="from")
    times = []
    for folder in ("from", "zero", "file"):
        with h5py.File(newest(place / folder)) as file:
            times.append((file["reals"].attrs["t"], file["reals"].attrs["dt"]))
    assert times[1][0] == 0 and times[2][0] == times[0][0] + times[2][1] > times[0][0]


def test_such_a_run_goes_on_where_its_source_is_gone(place):
    run(place, "isothermal", "from", settings(time__steps=5))
    run(place, "isothermal", "whole", [*cells(20, 12, 8), *settings(time__steps=6)], start="from")
    run(place, "isothermal", "parts", [*cells(20, 12, 8), *settings(time__steps=3)], start="from")
    shutil.rmtree(place / "from")
    succeed("resume", "parts", *settings(time__steps=6), cwd=place)
    assert arrays(newest(place / "parts")) == arrays(newest(place / "whole"))


# A part of a box, one of several periods, and one with an axis more.
def test_boxes_that_are_covered(place):
    run(place, "isothermal", "from")
    run(place, "isothermal", "twice", [*cells(32, 12, 8), *settings(grid__upper="[12, 5, 4]")], start="from")
    result = succeed("check", "isothermal.toml", *cells(20, 12, 8), *settings(start__from="from"), cwd=place)
    assert "The first state is that of from/checkpoint_000000.h5, interpolated from 16 x 12 x 8" in result.stdout
    assert (state(place / "twice")["ux"] == np.concatenate(2 * [state(place / "from")["ux"]], axis=2)).all()
    run(place, "isothermal", "plane", cells(16, 12, 1))
    run(place, "isothermal", "space", cells(16, 12, 5), start="plane")
    assert (state(place / "space")["ux"] == state(place / "plane")["ux"]).all()
    keys = settings(grid__lower="[1, 1, 0]", grid__upper="[5, 6, 1]", boundary__x='"wall"', boundary__y='"wall"')
    run(place, "shallow_water", "water", settings(boundary__x='"wall"'))
    run(place, "shallow_water", "part", [*keys, *cells(16, 20, 1)], start="water")
    exact = 1 + 0.1 * np.sin(2 * np.pi * (1 + (np.arange(16) + 0.5) / 4) / 12) * np.cos(np.pi * (1 + (np.arange(20)[:, None] + 0.5) / 4) / 8)
    assert abs(state(place / "part")["eta"][0] - exact).max() < 2e-3


def test_what_cannot_be_mapped_is_refused(place):
    run(place, "isothermal", "from")
    run(place, "shallow_water", "water")
    run(place, "sphere", "ball")
    run(place, "aerodynamics", "blocks")
    assert "it belongs to the system isothermal, and the case to mhd" in refusal(place, "mhd", start__from="from")
    assert "its period along x is 6, and the case has 7 there" in refusal(place, "isothermal", start__from="from", grid__upper="[7,5,4]")
    assert "it has 8 cells along z, and the case has one" in refusal(place, "isothermal", *cells(16, 12, 1), start__from="from")
    assert "the box is not covered" in refusal(place, "shallow_water", start__from="water", grid__upper="[12, 9, 1]")
    assert "the case is periodic along y, and it is not" in refusal(place, "shallow_water", start__from="water", boundary__y='"periodic"')
    assert "its grid is a cubed sphere, and that of the case a box" in refusal(place, "shallow_water", start__from="ball")
    assert "its sphere has the radius" in refusal(place, "sphere", start__from="ball", grid__radius=1e6)
    assert "physics.reference_density differs" in refusal(place, "isothermal", start__from="from", physics__reference_density=2)
    assert "its mesh has 4 blocks, and that of the case 2" in refusal(
        place, "aerodynamics", "--set", mesh.format(13, 11).replace("[2,2]", "[2,1]"), start__from="blocks")
    with h5py.File(place / "numbers.h5", "w") as file:
        file["rho"] = [1.0, 2.0]
    assert "fields of other files are read by [tables]" in refusal(place, "isothermal", start__from="numbers.h5")
    assert "holds no checkpoint" in refusal(place, "isothermal", start__from=".")
    result = call("check", "isothermal.toml", *settings(start__from="nowhere"), cwd=place)
    assert "there is no `nowhere`" in result.stderr and "--> --set start.from=nowhere" in result.stderr
    result = call("check", "isothermal.toml", *settings(start__time="file"), cwd=place)
    assert result.returncode == 2 and "start.from is not given" in result.stderr


def test_a_damaged_file_is_refused(place):
    run(place, "isothermal", "from")
    with h5py.File(newest(place / "from"), "r+") as file:
        file["arrays/ux"][3, 4, 5] += 1
    result = call("run", "isothermal.toml", "--dir", "to", *cells(20, 12, 8), *settings(start__from="from"), cwd=place)
    assert result.returncode == 2 and "is damaged" in result.stderr, result.stderr
    assert not (place / "to/resolved.toml").exists()


# Fields from which the state of each system follows, the second ones in place of stored variables.
fields_of_state = {
    "isothermal": (["lnrho", "velocity"], ["rho", "velocity"]),
    "mhd": (["lnrho", "velocity", "vector_potential"], ["rho", "velocity", "vector_potential"]),
    "multicomponent": (["rho", "velocity", "p", "Gamma", "Pi"], ["rho", "velocity", "p", "alpha"]),
    "shallow_water": (["surface", "discharge"], ["depth", "bed", "velocity"]),
    "atmosphere": (["density_perturbation", "pressure_perturbation", "rho", "velocity", "height"], ["rho", "p", "velocity", "height"]),
    "aerodynamics": (["rho", "velocity", "p"],),
    "boussinesq": (["velocity", "temperature"],),
    "sphere": (["surface", "depth", "velocity"], ["depth", "bed", "velocity_east", "velocity_north"]),
    "globe": (["density_perturbation", "pressure_perturbation", "rho", "velocity", "height"],
              ["rho", "p", "velocity_east", "velocity_north", "w", "height"]),
}
ways = [(case, names) for case, all_names in fields_of_state.items() for names in all_names]


def written(place, case, names, *words, folder="from"):
    """A run of 3 steps, and its last snapshot, of these fields."""
    keys = settings(time__steps=3, output__every_steps=3, output__precision='"same"', output__fields=json.dumps(names))
    run(place, case, folder, [*keys, *words])
    return newest(place / folder, "fields")


@pytest.mark.parametrize("case, names", ways, ids=lambda v: v if isinstance(v, str) else v[0])
def test_a_snapshot_is_a_state(place, case, names):
    snapshot = written(place, case, names)
    result = run(place, case, "to", start=str(snapshot))
    before, after = state(place / "from"), state(place / "to")
    assert ("interpolated" if case == "boussinesq" else "made of the fields") in result.stdout.replace("averaged over cells", "interpolated"), result.stdout
    for name, values in before.items():
        if name in ("phi", "phi_before") or name.startswith("rate"):
            continue
        scale = max(abs(before[other]).max() for other in before if other[0] == name[0])
        # Velocities on faces come from their means at centres, to second order in the cells.
        # alpha is cut to 0 to 1, which Gamma and Pi overshoot a little.
        bound = 0.03 if case == "boussinesq" and name in "uvw" else 1e-4 if "alpha" in names else 1e-11
        assert abs(after[name] - values).max() <= bound * max(scale, 1e-3), name


other_cells = {"multicomponent": cells(31, 9, 17), "sphere": settings(grid__cells=27), "globe": cells(17, 17, 9),
               "aerodynamics": ["--set", mesh.format(17, 19)]}


@pytest.mark.parametrize("case", other_cells)
def test_a_snapshot_is_mapped_like_a_checkpoint(place, case):
    snapshot = written(place, case, fields_of_state[case][0])
    for name, start in (("state", "from"), ("fields", str(snapshot))):
        run(place, case, name, other_cells[case], start=start)
    one, other = state(place / "state"), state(place / "fields")
    for name, values in one.items():
        assert abs(other[name] - values).max() <= 1e-9 * abs(values).max(), name


# Upwards over hills and in a deep atmosphere, whose reference is of the geopotential height. Loops have it from cubics there, so that whole
# densities and pressures give departures to the digits of the whole (c_v p is 2.5e5 Pa at the ground).
@pytest.mark.parametrize("kind, names", [("shallow", 0), ("deep", 0), ("deep", 1)])
def test_a_snapshot_of_an_atmosphere_over_mountains_is_a_state(place, kind, names):
    keys = settings(physics__terrain='"1500*cos(lat)^2*cos(2*lon)^2"', physics__atmosphere=json.dumps(kind))
    snapshot = written(place, "globe", fields_of_state["globe"][names], *keys)
    run(place, "globe", "to", keys, start=str(snapshot))
    before, after = state(place / "from"), state(place / "to")
    for name, values in before.items():
        whole = {"rho": 1, "energy": 2.5e5}.get(name, 0) if names else 0
        assert abs(after[name] - values).max() < 1e-11 * max(abs(values).max(), whole), name


@on_ranks
@pytest.mark.parametrize("case", ["sphere", "globe", "aerodynamics"])
def test_the_number_of_ranks_changes_no_bit_of_a_start_from_a_snapshot(place, case):
    snapshot = written(place, case, fields_of_state[case][-1])
    for count in (1, 2, 3):
        run(place, case, f"on{count}", [*other_cells[case], *settings(time__steps=2), *ranks_words(count)], start=str(snapshot))
        assert arrays(newest(place / f"on{count}")) == arrays(newest(place / "on1"))


def test_the_time_of_a_snapshot_may_be_that_of_the_run(place):
    snapshot = written(place, "isothermal", ["rho", "velocity"])
    run(place, "isothermal", "on", settings(start__time='"file"', start__from=f'"{snapshot}"'))
    with h5py.File(snapshot) as file, h5py.File(newest(place / "on", "fields")) as later:
        assert file["time"][()] == later["time"][()] > 0


@pytest.mark.parametrize("case", ["isothermal", "sphere", "globe"])
def test_single_precision_of_a_snapshot_is_what_the_state_has(place, case):
    names = ["rho", "velocity"] if case == "isothermal" else fields_of_state[case][0]
    snapshot = written(place, case, names, *settings(output__precision='"single"'))
    run(place, case, "to", start=str(snapshot))
    before, after = state(place / "from"), state(place / "to")
    for name, values in before.items():
        assert 0 < abs(after[name] - values).max() < 1e-6 * max(abs(values).max(), 1), name


@pytest.mark.parametrize("case, names, what", [
    ("isothermal", ["velocity", "p"], "the variable lnrho of the state follows from the fields lnrho; or rho, and the snapshot has velocity, p"),
    ("isothermal", ["rho", "speed"], "the variable ux of the state follows from the fields velocity, and the snapshot has rho, speed"),
    ("mhd", ["rho", "velocity", "magnetic_field"], "the variable ax of the state follows from the fields vector_potential"),
    ("atmosphere", ["rho", "p", "velocity"], "the variable rho of the state follows from the fields density_perturbation; or rho, height"),
    ("sphere", ["surface", "velocity"], "the variable hu of the state follows from the fields depth, velocity (or velocity_east and velocity_north); or surface, bed, velocity"),
    ("sphere", ["depth", "bed", "velocity_east"], "(or velocity_east and velocity_north), and the snapshot has depth, bed, velocity_east"),
    ("globe", ["rho", "p", "height", "velocity_east", "velocity_north"],
     "the variable mu of the state follows from the fields rho, velocity (or velocity_east, velocity_north and w), and the snapshot has"),
])  # fmt: skip
def test_what_a_snapshot_lacks_is_named(place, case, names, what):
    snapshot = written(place, case, names)
    assert what in refusal(place, case, start__from=f'"{snapshot}"')


def test_a_part_of_the_grid_is_no_state(place):
    part = '[{name="half", fields=["rho","velocity"], x=[0, 3], every_steps=3}]'
    written(place, "isothermal", ["rho", "velocity"], "--set", f"output.part={part}")
    snapshot = sorted((place / "from").glob("part_half_*.vtkhdf"))[-1]
    told = refusal(place, "isothermal", start__from=f'"{snapshot}"')
    assert "a part of it is no state" in told, told
