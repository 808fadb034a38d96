"""Implicit diffusion: ranks, a resumed run, single precision, axes that the program chooses, refusals."""

import h5py
import numpy as np
import pytest
import watersmeet
from rank_runs import on_ranks, ranks_words
from runs import arrays, call, needs_program, newest, settings, succeed

pytestmark = [needs_program]

# Twice the limit of explicit diffusion along x and y, walls of several kinds, a scalar that drives nothing.
case = """[case]
system = "boussinesq"
[grid]
cells = [16, 12, 9]
upper = [1, 1, 1]
z_stretching = 0.8
[physics]
viscosity = 0.5
diffusivity = 0.5
buoyancy = 1
coriolis = [0, 0.2, 0.5]
scalars = { dye = { diffusivity = 0.2 } }
[numerics]
diffusion = "implicit"
implicit_axes = "xy"
[time]
dt = 3e-3
steps = 24
[[initial]]
temperature = "1 - z + 0.1*sin(2*pi*x)*cos(pi*y)"
velocity = ["sin(pi*z)*cos(pi*y)", "0.2*sin(2*pi*z)", "0.3*cos(2*pi*x)"]
noise = { field = "velocity", amplitude = 0.05, seed = 4 }
scalars = { dye = { value = "x*z" } }
[boundary]
x_lower = { velocity = [0, "z", 0], temperature = "1 - z" }
x_upper = { kind = "free_slip", temperature_gradient = "0.1*z" }
y = "periodic"
z_lower = { temperature = 1, scalars = { dye = { value = 0.5 } } }
z_upper = { temperature = 0, velocity = [0, "sin(3*t)", 0] }
[output]
overview = false
series_every_steps = 4
fields = ["velocity", "temperature", "p", "dye"]
"""
along_z = settings(grid__cells="[16, 12, 18]", grid__z_stretching=1.8, time__dt=1e-3, numerics__implicit_axes='"z"', boundary__z_upper='{ temperature = 0, velocity = [0, 0.5, 0] }')


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    return tmp_path


def worst_difference(a, b):
    """Over all arrays of the newest checkpoints, relative to the largest value of each."""
    with h5py.File(newest(a, "checkpoint")) as one, h5py.File(newest(b, "checkpoint")) as other:
        assert sorted(one["arrays"]) == sorted(other["arrays"])
        pairs = [(one["arrays"][name][()], other["arrays"][name][()]) for name in one["arrays"]]
    return max(np.max(np.abs(x - y)) / np.max(np.abs(x)) for x, y in pairs)


# The transforms of the pressure leave z to be cut, multigrid what is not implicit.
@on_ranks
@pytest.mark.parametrize("solver, words", [("fft", []), ("mg", along_z)])
def test_ranks_give_the_same_numbers(place, solver, words):
    solver_words = [*words, *settings(numerics__pressure__solver=f'"{solver}"')]
    succeed("run", "flow.toml", "--dir", "one", *solver_words, *ranks_words(1), cwd=place)
    for count in (2, 3):
        result = succeed("run", "flow.toml", "--dir", f"r{count}", *solver_words, *ranks_words(count), cwd=place)
        assert f"{count} on 1 host, " + (f"1 x 1 x {count}" if solver == "fft" else f"{count} x 1 x 1") in result.stdout
        assert worst_difference(place / "one", place / f"r{count}") < 1e-11


@on_ranks
def test_lines_are_not_cut(place):
    result = call("run", "flow.toml", *along_z, *ranks_words(2), *settings(device__ranks_along="[1, 1, 2]", numerics__pressure__solver='"mg"'), cwd=place)
    assert result.returncode == 2 and "Lines of cells along z stay whole in this case: ask for 1 rank along z." in result.stderr
    # The transforms of the pressure keep x and y whole.
    result = succeed("run", "flow.toml", "--dir", "alone", *along_z, *ranks_words(2), *settings(time__steps=1), cwd=place)
    assert "Lines of cells stay whole in this case along x and y and z." in result.stdout + result.stderr


@pytest.mark.parametrize("solver", ["fft", "mg"])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_a_run_goes_on_with_the_same_bits(place, solver, precision):
    words = settings(numerics__pressure__solver=f'"{solver}"', numerics__precision=f'"{precision}"')
    succeed("run", "flow.toml", "--dir", "whole", "--device", "cpu", *words, cwd=place)
    succeed("run", "flow.toml", "--dir", "half", "--device", "cpu", *words, *settings(time__steps=11), cwd=place)
    succeed("resume", "half", "--device", "cpu", *settings(time__steps=24), cwd=place)
    assert arrays(newest(place / "whole", "checkpoint")) == arrays(newest(place / "half", "checkpoint"))


def test_single_precision_stays_close(place):
    for precision in ("double", "single"):
        succeed("run", "flow.toml", "--dir", precision, "--device", "cpu", *settings(numerics__precision=f'"{precision}"'), cwd=place)
    for name in ("velocity", "temperature", "dye"):
        one, other = (np.asarray(watersmeet.open(place / p).fields[-1][name], dtype=float) for p in ("double", "single"))
        assert np.abs(one - other).max() < 1e-5 * np.abs(one).max()


def test_axes_are_those_whose_cells_bound_the_step(place):
    chosen = []
    for stretching in (0, 2.5):
        words = settings(grid__cells="[16, 12, 18]", grid__z_stretching=stretching, physics__viscosity=2e-3, physics__diffusivity=2e-3, physics__scalars__dye__diffusivity=0)
        text = (place / "flow.toml").read_text().replace('implicit_axes = "xy"\n', "").replace("dt = 3e-3\n", "").replace("sin(3*t)", "0.5")
        (place / "auto.toml").write_text(text)
        result = succeed("run", "auto.toml", "--dir", f"s{stretching}", "--device", "cpu", *words, cwd=place)
        chosen.append([line.split("implicit along ")[1] for line in result.stdout.splitlines() if "implicit along" in line])
        assert ("diffusion stays explicit" in result.stdout + result.stderr) == (not chosen[-1])
    assert chosen == [[], ["z"]]


@pytest.mark.parametrize("changes, words", [
    ({"time__scheme": '"rk3"'}, "implicit diffusion is a part of steps of ab2, and the scheme is rk3"),
    ({"boundary__x_upper": '{ kind = "open" }'}, "implicit diffusion does not know open sides"),
    ({"numerics__implicit_axes": '"xz"'}, "diffusion along z cannot be implicit: boundary.z_upper.velocity depends on t"),
    ({"grid__cells": "[16, 1, 9]"}, "diffusion along y cannot be implicit: the grid has one cell along y"),
    ({"numerics__diffusion": '"explicit"'}, "numerics.implicit_axes has no effect: diffusion is explicit"),
])  # fmt: skip
def test_what_is_not_possible_is_refused(place, changes, words):
    result = call("check", "flow.toml", *settings(**changes), cwd=place)
    assert result.returncode == 2 and words in result.stderr + result.stdout


def test_a_limit_of_explicit_diffusion_that_counts_nowhere_is_noted(place):
    everywhere = settings(numerics__implicit_axes='"xyz"', boundary__z_upper="{ temperature = 0 }")
    for words, noted in ((everywhere, True), ([], False)):
        result = succeed("check", "flow.toml", *words, *settings(time__cfl_diffusive=0.5), cwd=place)
        assert ("time.cfl_diffusive has no effect: diffusion is implicit along every axis" in result.stdout + result.stderr) == noted


# A step that is carried out twice begins twice with the pressure of the one before.
@pytest.mark.parametrize("solver", ["fft", "mg"])
def test_repeated_steps_have_the_same_bits(place, solver):
    words = ["--device", "cpu", *settings(numerics__pressure__solver=f'"{solver}"')]
    succeed("run", "flow.toml", "--dir", "once", *words, cwd=place)
    succeed("run", "flow.toml", "--dir", "twice", *words, *settings(device__verify_every=5), cwd=place)
    assert arrays(newest(place / "once", "checkpoint")) == arrays(newest(place / "twice", "checkpoint"))
