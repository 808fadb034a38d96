"""Sources of velocity beside open sides of Boussinesq flow. In a channel of length L with both ends open and a velocity u that is the same
everywhere, fluid leaves with u^2 and enters with p + u^2/2 = 0, so that of a source S

    L du/dt = -u^2/2 + (the mean of S along the channel, half a cell at each end) L
"""

import json

import h5py
import numpy as np
import pytest
import watersmeet
from rank_runs import on_ranks, ranks_words, run_in_parts
from runs import arrays, call, needs_program, newest, settings, succeed

pytestmark = needs_program

length = 6.0


def channel(axis, source, more="", cells=(6, 5, 4), upper=(6.0, 6.0, 6.0), initial=0.0):
    """A channel along an axis, between walls without friction; S of the source is about the velocity along it."""
    along = [source if a == axis else 0 for a in range(3)]
    velocity = [initial if a == axis else 0 for a in range(3)]
    sides = "\n".join(f'{"xyz"[a]} = ' + ('{ kind = "open", temperature = 2 }' if a == axis else '"free_slip"') for a in range(3))
    return f"""[case]
system = "boussinesq"
[grid]
cells = {list(cells)}
upper = {list(upper)}
{more}
[physics]
viscosity = 0
diffusivity = 0
[[initial]]
velocity = {json.dumps(velocity)}
temperature = 2
[boundary]
{sides}
[[source]]
velocity = {json.dumps(along)}
[output]
overview = false
precision = "double"
fields = ["velocity"]
every_steps = 1000
"""


def last(folder):
    return np.asarray(watersmeet.open(folder).fields[-1]["velocity"], dtype=float)


def speed_along(folder, axis, bound=1e-13):
    """Of the last snapshot, which is the same everywhere, and of the faces of open sides."""
    velocity = last(folder)
    with h5py.File(newest(folder)) as file:
        planes = np.moveaxis(file[f"arrays/open_{'uvw'[axis]}"][()].astype(float), 2 - axis, 0)
    here = velocity[..., axis].flat[0]
    for values in (velocity[..., axis], planes[0], planes[-1]):
        assert abs(values - here).max() < bound * max(1, abs(here))
    assert abs(np.delete(velocity, axis, axis=3)).max() < bound
    return float(here)


# A force of 1 sets the fluid in motion: u = sqrt(2 L) tanh(t/sqrt(2 L)).
@pytest.mark.parametrize("axis, more", [(0, ""), (1, ""), (2, ""), (2, "z_stretching = 1.5")])
@pytest.mark.parametrize("scheme, order", [("ab2", 2), ("rk3", 3)])
def test_a_force_moves_the_fluid_in_an_open_channel(axis, more, scheme, order, tmp_path):
    (tmp_path / "case.toml").write_text(channel(axis, "1 + 0*t", more))
    errors = []
    for steps in (40, 80):
        words = settings(time__dt=2 / steps, time__end=2.0, time__scheme=f'"{scheme}"')
        succeed("run", "case.toml", "--dir", f"r{steps}", *words, *ranks_words(1), cwd=tmp_path)
        exact = np.sqrt(2 * length) * np.tanh(2 / np.sqrt(2 * length))
        errors.append(abs(speed_along(tmp_path / f"r{steps}", axis) - exact))
        assert watersmeet.open(tmp_path / f"r{steps}").series["divergence_max"].max() < 1e-13
    assert errors[0] < 1e-3
    assert 2 ** (order - 0.35) < errors[0] / errors[1] < 2 ** (order + 0.5), errors


# Sources of the place, the time and the state: what the ends take is given back, so that the rest of the source is the whole rate. The wave has no
# mean where the ends count half, and 1 there.
balanced = "0.3 + 0.2*cos(2*pi*{0}/6) + 0.05*temperature + 0.1*(t - velocity.{0}/0.4 + 2.5) + velocity.{0}^2/12"


@on_ranks
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("precision, error", [("double", 1e-13), ("single", 3e-6)])
def test_a_source_of_place_time_and_state_in_an_open_channel(axis, precision, error, tmp_path):
    (tmp_path / "case.toml").write_text(channel(axis, balanced.format("xyz"[axis]), initial=1.0, cells=[12, 10, 12]))
    words = settings(time__dt=0.1, time__steps=20, numerics__precision=f'"{precision}"')
    for count in (1, 2, 3):
        succeed("run", "case.toml", "--dir", f"r{count}", *words, *ranks_words(count), cwd=tmp_path)
        assert speed_along(tmp_path / f"r{count}", axis, error) == pytest.approx(1 + 0.4 * 2.0, abs=error)


# An acceleration that varies in space is known on the faces of open sides from tables of its own.
everywhere = """[case]
system = "boussinesq"
[grid]
cells = [15, 12, 13]
upper = [1, 1, 1]
[physics]
viscosity = 0.01
diffusivity = 0.01
buoyancy = 1
coriolis = [0, 0.2, 0.5]
[time]
steps = 24
[[initial]]
temperature = "1 - z + 0.1*sin(2*pi*x)*cos(pi*y)"
velocity = ["sin(pi*z)*cos(pi*y)", "0.2*sin(2*pi*z)", "0.3*cos(2*pi*x)"]
[output]
overview = false
precision = "double"
fields = ["velocity", "temperature", "p"]
[boundary]
"""
sides = {
    "wrapped": 'x = "open"\ny_lower = { kind = "free_slip" }\ny_upper = { kind = "open", velocity = ["x", 0, 0] }\nz = "periodic"\n',
    "all": 'x_lower = { kind = "open", velocity = [0, "0.1*sin(t)", 0], temperature = "1 - z" }\nx_upper = { kind = "open", temperature = "0.1*z" }\n'
           'y = "open"\nz_lower = { kind = "open", temperature = 1 }\nz_upper = "open"\n',
}  # fmt: skip


def worst_difference(a, b):
    """Over all arrays of checkpoints, relative to the largest value of each."""
    with h5py.File(newest(a)) as one, h5py.File(newest(b)) as other:
        assert sorted(one["arrays"]) == sorted(other["arrays"])
        pairs = [(one["arrays"][name][()], other["arrays"][name][()]) for name in one["arrays"]]
    return max(abs(x - y).max() / abs(x).max() for x, y in pairs)


@pytest.mark.parametrize("scheme", ["ab2", "rk3"])
@pytest.mark.parametrize("where", sides)
def test_a_source_of_the_place_is_an_acceleration(where, scheme, tmp_path):
    force = '["0.5*y + x^2", "0.3*sin(3*z)*(1 + y)", "exp(-z) - r"]'
    (tmp_path / "source.toml").write_text(everywhere + sides[where] + f"[[source]]\nvelocity = {force}\n")
    (tmp_path / "force.toml").write_text((everywhere + sides[where]).replace("[physics]\n", f"[physics]\nacceleration = {force}\n"))
    (tmp_path / "none.toml").write_text(everywhere + sides[where])
    for name in ("source", "force", "none"):
        succeed("run", f"{name}.toml", "--dir", name, *settings(time__scheme=f'"{scheme}"'), *ranks_words(1), cwd=tmp_path)
    assert worst_difference(tmp_path / "source", tmp_path / "force") < 1e-11
    assert worst_difference(tmp_path / "source", tmp_path / "none") > 1e-2


@on_ranks
@pytest.mark.parametrize("solver", ["fft", "mgcg"])
@pytest.mark.parametrize("where", sides)
def test_such_runs_on_slabs_and_after_a_checkpoint(where, solver, tmp_path):
    force = '["sin(5*t)*temperature - 0.2*velocity.x", "velocity.z*y", "0.4*speed*cos(3*x + t)"]'
    (tmp_path / "flow.toml").write_text(everywhere + sides[where] + f'[[source]]\nvelocity = {force}\ntemperature = "velocity.z"\n')
    words = settings(numerics__pressure__solver=f'"{solver}"')
    for name, count in (("one", 1), ("two", 2), ("three", 3)):
        succeed("run", "flow.toml", "--dir", name, *words, *ranks_words(count), cwd=tmp_path)
    run_in_parts(tmp_path, "half", [(11, 1), (24, 2)], words, "flow.toml")
    run_in_parts(tmp_path, "again", [(11, 1), (24, 1)], words, "flow.toml")
    assert arrays(newest(tmp_path / "again")) == arrays(newest(tmp_path / "one"))
    for other in ("two", "three", "half"):
        assert worst_difference(tmp_path / "one", tmp_path / other) < 1e-11
    if solver == "fft":
        assert watersmeet.open(tmp_path / "one").series["divergence_max"].max() < 1e-13


def test_faults_of_sources_beside_open_sides_are_told_once(tmp_path):
    (tmp_path / "case.toml").write_text(channel(0, "sin(depth)").replace('fields = ["velocity"]\n', ""))
    said = call("check", "case.toml", *settings(time__steps=1), cwd=tmp_path)
    assert said.returncode == 2 and said.stderr.count("unknown name `depth`") == 1, said.stderr
