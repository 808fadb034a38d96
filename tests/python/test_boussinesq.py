"""Runs of Boussinesq flow: slabs on several ranks against one, a checkpoint of one number of ranks resumed by another, and
what the program says about a case.
"""

import re

import h5py
import numpy as np
import pytest
import watersmeet
from rank_runs import on_ranks, ranks_words, run_in_parts
from runs import call, needs_program, newest, settings, succeed

pytestmark = [needs_program]

# Walls with profiles and flow through two of them, all of which the cuts along z cross; odd sizes.
case = """[case]
system = "boussinesq"
[grid]
cells = [15, 12, 13]
upper = [1, 1, 1]
[physics]
viscosity = 0.01
diffusivity = 0.01
buoyancy = 1
coriolis = [0, 0.2, 0.5]
scalars = { dye = { diffusivity = 0.01 } }
[time]
steps = 24
[[initial]]
temperature = "1 - z + 0.1*sin(2*pi*x)*cos(pi*y)"
velocity = ["sin(pi*z)*cos(pi*y)", "0.2*sin(2*pi*z)", "0.3*cos(2*pi*x)"]
noise = { field = "velocity", amplitude = 0.05, seed = 4 }
scalars = { dye = { value = "x*z" } }
[boundary]
x_lower = { velocity = ["z*(1 - z)*(1 + 0.2*sin(t))", 0, 0], temperature = "1 - z" }
x_upper = { velocity = ["z*(1 - z)*(1 + 0.2*sin(t))", 0, 0], temperature_gradient = "0.1*z" }
y = "periodic"
z_lower = { temperature = 1, scalars = { dye = { value = 0.5 } } }
z_upper = { temperature = 0, velocity = [0, "sin(3*t)", 0] }
[output]
overview = false
series_every_steps = 4
fields = ["velocity", "temperature", "p", "vorticity", "dye"]
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    return tmp_path


def worst_difference(a, b, kind):
    """Over all arrays, relative to the largest value of each."""
    worst = 0.0
    with h5py.File(newest(a, kind)) as one, h5py.File(newest(b, kind)) as other:
        group = "arrays" if "arrays" in one else "VTKHDF/CellData"
        assert sorted(one[group]) == sorted(other[group])
        for name in one[group]:
            x, y = one[group][name][()], other[group][name][()]
            worst = max(worst, np.max(np.abs(x - y)) / np.max(np.abs(x)))
    return worst


@on_ranks
@pytest.mark.parametrize("solver", ["fft", "gemm"])
def test_slabs_give_the_same_numbers(place, solver):
    words = ["--set", f'numerics.pressure.solver="{solver}"']
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    for count in (2, 3, 4):
        result = succeed("run", "flow.toml", "--dir", f"r{count}", *words, *ranks_words(count), cwd=place)
        assert f"1 x 1 x {count}" in result.stdout
        for kind in ("checkpoint", "fields"):
            assert worst_difference(place / "one", place / f"r{count}", kind) < 1e-11


# mg and mgcg take slabs that their levels can halve: 48 planes in proportion would be 7, 17 and 24.
@on_ranks
@pytest.mark.parametrize("solver, planes", [("fft", [7, 17, 24]), ("gemm", [7, 17, 24]), ("mg", [8, 16, 24]), ("mgcg", [8, 16, 24])])
def test_given_weights_cut_slabs_in_proportion(place, solver, planes):
    words = ["--set", f'numerics.pressure.solver="{solver}"', "--set", "grid.cells=[32, 32, 48]", "--set", "time.steps=6"]
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    result = succeed("run", "flow.toml", "--dir", "cut", *words, "--set", "device.weights=[3, 7, 10]", *ranks_words(3), cwd=place)
    assert "cells a rank: " + " ".join(str(32 * 32 * n) for n in planes) in result.stdout, result.stdout
    assert worst_difference(place / "one", place / "cut", "checkpoint") < 1e-11


@on_ranks
def test_planes_are_not_cut_across(place):
    result = call("run", "flow.toml", "--set", "device.ranks_along=[2, 1, 1]", *ranks_words(2), cwd=place)
    assert result.returncode == 2, result.stdout
    assert "Lines of cells along x stay whole" in result.stderr and "2 ranks can be 1 x 1 x 2" in result.stderr


@on_ranks
def test_multigrid_may_be_cut_along_any_axis(place):
    words = ["--set", 'numerics.pressure.solver="mg"', "--set", "grid.cells=[24, 16, 1]", "--set", "time.steps=6"]
    flat = case.replace("z_lower = { temperature = 1, scalars = { dye = { value = 0.5 } } }\n", 'z = "periodic"\n')
    flat = flat.replace('z_upper = { temperature = 0, velocity = [0, "sin(3*t)", 0] }\n', "")
    (place / "flow.toml").write_text(flat)
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    along_x = ["--set", "device.ranks_along=[2, 1, 1]", "--set", "device.weights=[1, 2]"]
    for name, more, layout in (("chosen", [], "[12] x [12] x 1"), ("asked", along_x, "2 x 1 x 1")):
        result = succeed("run", "flow.toml", "--dir", name, *words, *more, *ranks_words(2), cwd=place)
        assert re.search(f"2 on 1 host, {layout}", result.stdout), result.stdout
        assert worst_difference(place / "one", place / name, "checkpoint") == 0


@on_ranks
def test_a_checkpoint_is_resumed_by_other_ranks(place):
    succeed("run", "flow.toml", "--dir", "one", *ranks_words(1), cwd=place)
    for first, second in ((1, 3), (3, 1)):
        folder = f"from{first}"
        run_in_parts(place, folder, [(11, first), (24, second)])
        assert worst_difference(place / "one", place / folder, "checkpoint") < 1e-11


# Open sides that the cuts cross, on both ends of a periodic axis and where three of them meet.
open_sides = {
    "wrapped": """x = "open"
y_lower = { kind = "free_slip" }
y_upper = { kind = "open", velocity = ["x", 0, 0], scalars = { dye = { value = 0.5 } } }
z = "periodic"
""",
    "all": """x_lower = { kind = "open", velocity = [0, "0.1*sin(t)", 0], temperature = "1 - z" }
x_upper = { kind = "open", temperature = "0.1*z" }
y = "open"
z_lower = { kind = "open", temperature = 1 }
z_upper = "open"
"""}


@on_ranks
@pytest.mark.parametrize("sides", open_sides)
@pytest.mark.parametrize("solver", ["fft", "mgcg"])
def test_open_sides_on_slabs_and_after_a_checkpoint(place, sides, solver):
    flow = case[:case.index("[boundary]\n")] + "[boundary]\n" + open_sides[sides] + case[case.index("[output]"):]
    (place / "flow.toml").write_text(flow)
    words = ["--set", f'numerics.pressure.solver="{solver}"']
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "flow.toml", "--dir", "three", *words, *ranks_words(3), cwd=place)
    run_in_parts(place, "half", [(11, 1), (24, 2)], words)
    for other in ("three", "half"):
        assert worst_difference(place / "one", place / other, "checkpoint") < 1e-11
    assert worst_difference(place / "one", place / "three", "fields") < 1e-11
    if solver == "fft":
        assert np.max(watersmeet.open(place / "one").series["divergence_max"]) < 1e-13


def test_the_solver_is_named(place):
    result = succeed("run", "flow.toml", "--dir", "run", "--device", "cpu", "--set", "time.steps=2", cwd=place)
    assert "cosine in x, Fourier in y, tridiagonal in z" in result.stdout


def test_a_ring_of_odd_size_is_not_coloured_red_and_black(place):
    result = succeed("run", "flow.toml", "--dir", "run", "--set", "grid.cells=[16, 11, 12]", "--set", "time.steps=2",
                     "--set", "numerics.pressure.solver=mg", cwd=place)
    assert "damped Jacobi (odd periodic size)" in result.stdout
    # tol_rel is 1e-10 of the largest sum of |u_i|/h_i, taken at the first step; cfl is dt times that of now.
    series = watersmeet.open(place / "run").series
    assert series["divergence_max"][-1] <= 2e-10 * series["cfl"][-1] / series["dt"][-1]


def test_a_tolerance_below_rounding_ends_where_rounding_does(place):
    words = ("--set", "time.steps=3", "--set", "numerics.pressure.solver=mg", "--set")
    result = succeed("run", "flow.toml", "--dir", "below", *words, "numerics.pressure.tol_abs=1e-30", cwd=place)
    assert "the divergence was to fall to 1e-30, but rounding stopped it at" in result.stdout
    series = watersmeet.open(place / "below").series
    assert 0 < series["divergence_max"][-1] < 1e-12 and series["pressure_cycles"][-1] < 60
    result = succeed("run", "flow.toml", "--dir", "above", *words, "numerics.pressure.tol_abs=1e-9", cwd=place)
    assert "rounding stopped it" not in result.stdout


@pytest.mark.parametrize("cells", ["[0, 1, 1]", "[8, 8]", '"x"'])
def test_cells_that_are_none_are_one_fault(place, cells):
    result = call("check", "flow.toml", *settings(grid__cells=cells), cwd=place)
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr


def test_inflow_without_outflow_is_refused(place):
    through = 'velocity = ["z*(1 - z)*(1 + 0.2*sin(t))", 0, 0], temperature_gradient'
    assert case.count(through) == 1
    (place / "flow.toml").write_text(case.replace(through, "temperature_gradient"))
    result = call("check", "flow.toml", cwd=place)
    assert result.returncode == 2
    assert "the inflow exceeds the outflow by" in result.stdout + result.stderr


def test_profiles_are_averages_over_planes_and_add_up_to_the_series(place):
    succeed("run", "flow.toml", "--dir", "run", "--set", "output.profiles_every_steps=8", "--set", "time.steps=20", cwd=place)
    run = watersmeet.open(place / "run")
    profiles, series = run.profiles, run.series
    assert profiles.axis == "z" and profiles.steps.tolist() == [0, 8, 16, 20]
    np.testing.assert_allclose(profiles.along, (np.arange(13) + 0.5) / 13, rtol=1e-14)
    fields = run.fields[-1]
    at_end = {name: values[-1] for name, values in profiles.items()}
    temperature = fields["temperature"][...]
    np.testing.assert_allclose(at_end["temperature_mean"], temperature.mean(axis=(1, 2)), rtol=1e-13)
    np.testing.assert_allclose(at_end["temperature_rms"], temperature.std(axis=(1, 2)), rtol=1e-10)
    np.testing.assert_allclose(at_end["dye_mean"], fields["dye"][...].mean(axis=(1, 2)), rtol=1e-12)
    rows = np.isin(series["step"], profiles.steps)
    for name in ("temperature_mean", "temperature_flux", "dissipation"):
        np.testing.assert_allclose(profiles[name].mean(axis=1), series[name][rows], rtol=1e-12, err_msg=name)
    energy = sum(profiles[name] ** 2 for name in ("u_rms", "v_rms", "w_rms")).mean(axis=1) / 2
    np.testing.assert_allclose(energy, series["kinetic_energy"][rows], rtol=1e-12)
    with h5py.File(place / "run/series.h5") as file:
        np.testing.assert_array_equal(file["profiles/temperature_mean"][()], profiles["temperature_mean"])
        np.testing.assert_array_equal(file["profiles/z"][()], profiles.along)


def test_profiles_go_along_the_heated_axis_and_weigh_planes_of_stretched_cells(place):
    sideways = case.replace("z_lower = { temperature = 1,", "z_lower = { temperature_gradient = 0,").replace(
        "z_upper = { temperature = 0,", "z_upper = { temperature_gradient = 0,").replace(
        'x_lower = { velocity = ["z*(1 - z)*(1 + 0.2*sin(t))", 0, 0], temperature = "1 - z" }', "x_lower = { temperature = 1 }").replace(
        'x_upper = { velocity = ["z*(1 - z)*(1 + 0.2*sin(t))", 0, 0], temperature_gradient = "0.1*z" }', "x_upper = { temperature = 0 }")
    (place / "sideways.toml").write_text(sideways)
    for name, axis, words in (("flow", 2, ("grid.z_stretching=1.5",)), ("sideways", 0, ("grid.z_stretching=1.5",))):
        succeed("run", f"{name}.toml", "--dir", name, "--set", "output.profiles_every_steps=5", "--set", "time.steps=5",
                *(part for word in words for part in ("--set", word)), cwd=place)
        run = watersmeet.open(place / name)
        assert run.profiles.axis == "xyz"[axis] and len(run.profiles.along) == (15, 12, 13)[axis]
        z = np.array([0.5 + 0.5 * np.tanh(1.5 * (2 * k / 13 - 1)) / np.tanh(1.5) for k in range(14)])
        weight = np.diff(z) if axis == 2 else np.full(15, 1 / 15)
        for column in ("temperature_mean", "temperature_flux", "dissipation"):
            mean = run.profiles[column][-1] @ weight
            assert mean == pytest.approx(run.series[column][-1], rel=1e-11), (name, column)


def test_snapshots_of_stretched_cells_know_where_these_are(place):
    faces = 0.5 + 0.5 * np.tanh(1.5 * (2 * np.arange(14) / 13 - 1)) / np.tanh(1.5)
    succeed("run", "flow.toml", "--dir", "uneven", "--set", "grid.z_stretching=1.5", "--set", "time.steps=2", cwd=place)
    succeed("run", "flow.toml", "--dir", "even", "--set", "time.steps=2", cwd=place)
    snapshot, even = (watersmeet.open(place / name).fields[-1] for name in ("uneven", "even"))
    assert even.faces == {} and list(snapshot.faces) == ["z"]
    np.testing.assert_allclose(snapshot.faces["z"], faces, rtol=0, atol=1e-15)
    np.testing.assert_allclose(snapshot.z, (faces[1:] + faces[:-1]) / 2, rtol=0, atol=1e-15)
    np.testing.assert_allclose(snapshot.x, (np.arange(15) + 0.5) / 15, rtol=1e-14)
    # The temperature falls almost evenly with height: the cells are where their values are those of the other run. The
    # outermost ones lie beyond its.
    mean, expected = (s["temperature"][()].mean(axis=(1, 2)) for s in (snapshot, even))
    assert np.abs(np.interp(snapshot.z, even.z, expected) - mean)[1:-1].max() < 1e-3
    # Planes are drawn on the true cells, and the summary of the file has their widths.
    assert watersmeet.open(place / "uneven").plot("temperature", slice="x=mid").exists()
    told = succeed("info", str(snapshot.path), cwd=place).stdout
    assert "z from 0 to 1, cells from" in told and "fields.xmf" in told
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(snapshot.path, engine="netcdf4") as data:
        np.testing.assert_array_equal(data.z_faces.values, snapshot.faces["z"])
        assert data.temperature.dims == ("z", "y", "x")


@on_ranks
def test_profiles_are_the_same_on_slabs(place):
    for ranks in (1, 3):
        succeed("run", "flow.toml", "--dir", f"on-{ranks}", *ranks_words(ranks), "--set", "output.profiles_every_steps=1",
                "--set", "time.steps=1", "--set", "numerics.pressure.solver=mg", cwd=place)
    assert (place / "on-1/profiles.csv").read_text() == (place / "on-3/profiles.csv").read_text()


def test_profiles_go_on_after_a_checkpoint(place):
    keys = ("--set", "output.profiles_every_steps=6")
    succeed("run", "flow.toml", "--dir", "whole", *keys, cwd=place)
    succeed("run", "flow.toml", "--dir", "halves", *keys, "--set", "time.steps=9", cwd=place)
    succeed("resume", "halves", "--set", "time.steps=24", cwd=place)
    whole, halves = (watersmeet.open(place / name).profiles for name in ("whole", "halves"))
    assert halves.steps.tolist() == [0, 6, 9, 12, 18, 24] and whole.steps.tolist() == [0, 6, 12, 18, 24]
    np.testing.assert_array_equal(halves["temperature_mean"][[0, 1, 3, 4, 5]], whole["temperature_mean"])


rossby = """[case]
system = "boussinesq"
[grid]
cells = [{n}, {n}, 1]
lower = [0, -1, 0]
upper = [4, 1, 1]
[boundary]
x = "periodic"
y = "free_slip"
[physics]
viscosity = 0
coriolis = [0, 0, 3]
beta = 2
[constants]
k = "pi/2"
l = "pi/2"
[time]
scheme = "rk3"
dt = 0.02
end = 4
[[initial]]
velocity = ["0.05*l*sin(k*x)*sin(l*y)", "0.05*k*cos(k*x)*cos(l*y)", 0]
[output]
every = 4
overview = false
precision = "same"
fields = ["velocity"]
"""


def test_a_rossby_wave_in_a_channel_goes_west_as_beta_asks(place):
    """psi = cos(l y) sin(k x - w t), w = -beta k/(k^2 + l^2), solves the equations whatever its amplitude; y = +-1 are walls."""
    errors = []
    k = wall = np.pi / 2
    for n in (16, 32):
        (place / "rossby.toml").write_text(rossby.format(n=n))
        succeed("run", "rossby.toml", "--dir", f"n{n}", "--device", "cpu", cwd=place)
        run = watersmeet.open(place / f"n{n}")
        u = np.asarray(run.fields[-1]["velocity"], float)[0]
        x, y = 4 * (np.arange(n) + 0.5) / n, (2 * (np.arange(n) + 0.5) / n - 1)[:, None]
        phase = k * x + 2 * k / (k * k + wall * wall) * run.series["t"][-1]
        exact = np.stack([0.05 * wall * np.sin(phase) * np.sin(wall * y), 0.05 * k * np.cos(phase) * np.cos(wall * y)], -1)
        errors.append(np.sqrt(((u[..., :2] - exact) ** 2).mean() / (exact**2).mean()))
        energy = run.series["kinetic_energy"]
        assert abs(energy[-1] / energy[0] - 1) < 1e-5, energy  # rotation does no work
    # Means and differences slow the wave by about (k h)^2/4 of its frequency, here by 0.025 of a phase of 2.5.
    assert errors[1] < 0.03 and errors[0] / errors[1] > 3.8, errors
    # Without beta the wave stands, except for errors of second order.
    succeed("run", "rossby.toml", "--dir", "still", "--device", "cpu", *settings(physics__beta=0), cwd=place)
    first, last = (np.asarray(one["velocity"], float) for one in (lambda f: (f[0], f[-1]))(watersmeet.open(place / "still").fields))
    assert np.abs(first - last).max() < 0.01 * np.abs(first).max()


def test_open_sides_know_beta_and_drag(place):
    """Their faces advance by the equations of the inner ones: the flow stays finite and without divergence."""
    words = settings(boundary__x='"open"', physics__drag=0.3, time__end=0.5)
    (place / "rossby.toml").write_text(rossby.format(n=16))
    succeed("run", "rossby.toml", "--dir", "open", "--device", "cpu", *words, cwd=place)
    series = watersmeet.open(place / "open").series
    assert np.isfinite(series["kinetic_energy"]).all() and series["divergence_max"][-1] < 1e-8


@pytest.mark.parametrize("scheme, tolerance", [("ab2", 1e-4), ("rk3", 1e-7)])
def test_drag_slows_a_stream_exponentially(place, scheme, tolerance):
    flow = rossby.format(n=8).replace("beta = 2\n", "drag = 0.7\n").replace("coriolis = [0, 0, 3]\n", "")
    (place / "drag.toml").write_text(flow)
    words = settings(initial='[{ velocity = ["1", 0, 0] }]', time__scheme=f'"{scheme}"', time__dt=0.01, time__end=2)
    succeed("run", "drag.toml", "--dir", scheme, "--device", "cpu", *words, cwd=place)
    series = watersmeet.open(place / scheme).series
    assert series["kinetic_energy"][-1] == pytest.approx(0.5 * np.exp(-2 * 0.7 * 2), rel=tolerance)


@pytest.mark.parametrize("words, what", [
    ({"boundary__y": '"periodic"'}, "y is periodic, and the Coriolis parameter of a beta plane would jump"),
    ({"grid__cells": "[16, 1, 16]", "boundary": '{ x = "periodic" }'}, "beta needs y, along which the grid has one cell"),
    ({"physics__beta": 0, "physics__beta_y0": 1}, "physics.beta is 0"),
    ({"physics__drag": 1e4, "time__dt": 0.01}, "diffusion and drag are unstable with dt = 0.01"),
    ({"physics__drag": -1}, "physics.drag: -1; must be 0 or more"),
])  # fmt: skip
def test_beta_and_drag_that_make_no_sense_are_one_fault(place, words, what):
    (place / "rossby.toml").write_text(rossby.format(n=16))
    result = call("check", "rossby.toml", "--device", "cpu", *settings(**words), cwd=place)
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
    assert what in result.stderr, result.stderr


# A heated box whose cells differ along the axis `tall`, z unless axes are exchanged: fields, series and profiles then are the same numbers.
def box_with_walls(tall, solver, extra=""):
    place = {"z": tall, tall: "z"}  # the names of the axes after the exchange
    axes = [place.get(axis, axis) for axis in "xyz"]  # axis n of the case has what axes[n] had

    def order(values):
        named = dict(zip("xyz", values))
        return "[" + ", ".join(str(named[axis]) for axis in axes) + "]"

    def text(expression):
        return "".join(place.get(letter, letter) if letter in "xyz" else letter for letter in expression)

    velocity = order([f'"{text(one)}"' for one in ("0.3*z*(1 - z)", "0.1*(x - y)", "0.2*z*(1 - z)*x")])
    scalars = '[physics.scalars.dye]\ndiffusivity = 0.02\nbuoyancy = 0.4\n'
    return f"""[case]
system = "boussinesq"
[grid]
cells = {order([12, 9, 16])}
lower = {order([0, 0, 0])}
upper = {order([1.5, 1.2, 1])}
{tall}_stretching = 1.6
[physics]
viscosity = 0.01
diffusivity = 0.02
buoyancy = 1.5
gravity = "-{tall}"
coriolis = {order([0, 0, 0.5] if tall == "z" else [0, 0, -0.5])}
{scalars}[boundary]
{place.get("x", "x")} = {{ kind = "no_slip", temperature_gradient = 0.1 }}
{place.get("y", "y")} = "free_slip"
{tall}_lower = {{ kind = "no_slip", temperature = 1 }}
{tall}_upper = {{ kind = "partial_slip", slip = 0.3, temperature = 0 }}
[numerics]
pressure = {{ solver = "{solver}" }}
[time]
scheme = "rk3"
steps = 12
dt = 0.01
[[initial]]
velocity = {velocity}
temperature = "{text('1 - z + 0.1*x*y')}"
scalars = {{ dye = {{ value = "{text('x*z')}" }} }}
[output]
every_steps = 12
series_every_steps = 4
profiles_every_steps = 12
overview = false
precision = "same"
fields = ["velocity", "temperature", "vorticity", "divergence", "dissipation", "thermal_dissipation", "dye", "q_criterion"]
{extra}"""


@pytest.mark.parametrize("tall, solver", [("x", "gemm"), ("y", "gemm"), ("x", "mg"), ("y", "mgcg")])
def test_cells_that_differ_along_x_or_y_are_as_those_along_z(place, tall, solver):
    for name, axis in (("z", "z"), ("other", tall)):
        (place / f"{name}.toml").write_text(box_with_walls(axis, solver))
        succeed("run", f"{name}.toml", "--dir", name, "--device", "cpu", cwd=place)
    one, other = (watersmeet.open(place / name) for name in ("z", "other"))
    column = {"x": 0, "y": 1}[tall]
    exchange = [0, 1, 2]
    exchange[column], exchange[2] = 2, column
    bound = 1e-10 if solver == "gemm" else 1e-7
    for name in ("velocity", "temperature", "vorticity", "divergence", "dissipation", "thermal_dissipation", "dye", "q_criterion"):
        a, b = (np.asarray(run.fields[-1][name], float) for run in (one, other))
        b = np.swapaxes(b, 0, 2 - column)  # arrays are (z, y, x)
        if a.ndim == 4:
            b = b[..., exchange] * (-1 if name == "vorticity" else 1)  # of a mirror image
        scale = max(np.abs(a).max(), 1.0 if name == "divergence" else 0.0)
        assert np.abs(a - b).max() < bound * scale, name
    velocities = {"u_max": exchange[0], "v_max": exchange[1], "w_max": exchange[2]}
    for name in one.series:
        counterpart = name if name not in velocities else ("u_max", "v_max", "w_max")[velocities[name]]
        if name not in ("divergence_max", "pressure_cycles"):
            np.testing.assert_allclose(other.series[counterpart], one.series[name], rtol=100 * bound, atol=bound, err_msg=name)
    profiles = [np.genfromtxt(place / name / "profiles.csv", delimiter=",", skip_header=1, comments="#") for name in ("z", "other")]
    rms = [list("uvw").index(c) for c in "uvw"]
    first = next(n for n, name in enumerate((place / "z/profiles.csv").read_text().splitlines()[0].split(",")) if name == "u_rms")
    order = list(range(profiles[0].shape[1]))
    order[first:first + 3] = [first + exchange[n] for n in rms]
    np.testing.assert_allclose(profiles[1][:, order], profiles[0], rtol=1e-6, atol=1e-8)


def test_faces_of_all_axes_may_be_given(place):
    faces = [0, 0.1, 0.25, 0.5, 0.8, 1.1, 1.3, 1.5]
    words = settings(grid__cells="[7, 9, 16]", grid__x_faces=faces, grid__y_stretching=1)
    (place / "box.toml").write_text(box_with_walls("z", "auto"))
    result = succeed("run", "box.toml", "--dir", "box", "--device", "cpu", *words, cwd=place)
    run = watersmeet.open(place / "box")
    assert "gemm" in result.stdout + (place / "box/resolved.toml").read_text() or "dense" in result.stdout
    with h5py.File(newest(place / "box", "fields")) as file:
        np.testing.assert_allclose(file["x_faces"][()], faces)
        assert file["x_faces"].attrs["uneven"] in ("true", b"true") and file["y_faces"].attrs["uneven"] in ("true", b"true")
    assert run.series["divergence_max"].max() < 1e-10


@pytest.mark.parametrize("words, what", [
    ({"grid__x_stretching": 1, "numerics__pressure__solver": '"fft"'}, "fft needs equal cells along x and y, and those along x are stretched"),
    ({"grid__y_stretching": 1, "boundary__y": '"periodic"'}, "cells along y, which is periodic, must have equal widths"),
    ({"grid__x_faces": "[0, 1, 1.5]"}, "3 faces are given for 12 cells along x"),
    ({"grid__cells": "[2, 9, 16]", "grid__x_faces": "[0, 1, 1]"}, "the faces go from 0 to 1, and the box goes from 0 to 1.5"),
    ({"grid__cells": "[2, 9, 16]", "grid__x_faces": "[0, 1, 1.5]", "grid__x_stretching": 1}, "`grid.x_faces` is given together with grid.x_stretching"),
])  # fmt: skip
def test_uneven_cells_that_cannot_be_are_refused(place, words, what):
    (place / "box.toml").write_text(box_with_walls("z", "auto"))
    result = call("check", "box.toml", "--device", "cpu", *settings(**words), cwd=place)
    assert result.returncode == 2, result.stdout
    assert what in result.stderr, result.stderr


@on_ranks
def test_uneven_cells_may_be_cut_across(place):
    (place / "box.toml").write_text(box_with_walls("z", "mg"))
    words = settings(grid__cells="[16, 8, 16]", grid__x_stretching=1.2, grid__y_stretching=0.7)
    succeed("run", "box.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    succeed("run", "box.toml", "--dir", "cut", *words, *settings(device__ranks_along="[2, 1, 1]"), *ranks_words(2), cwd=place)
    assert worst_difference(place / "one", place / "cut", "checkpoint") < 1e-11
