"""Averages in time, [[output.average]]: they are those of the states of the run, in every system, and of a formula; they do not depend on
interruptions and ranks, and do not change the run."""

import json

import numpy as np
import pytest
import watersmeet

from conftest import root
from rank_runs import on_ranks, ranks_words
from runs import Running, arrays, call, list_of, needs_program, newest, settings, succeed

pytestmark = needs_program


def averages(*tables):
    """--set words of averages, each a dict."""
    return list_of("output.average", *tables)


# A transverse wave that a uniform flow carries along, without viscosity: u_y = A sin(x - t/2), u_z = A sin(x - t/2 + 1).
wave = """[case]
system = "isothermal"
[grid]
cells = [32, 8, 8]
[physics]
viscosity = 0
[time]
end = "4*pi"
dt = "4*pi/400"
[[initial]]
velocity = [0.5, "0.1*sin(x)", "0.1*sin(x + 1)"]
[output]
overview = false
[[output.average]]
name = "period"
mean = ["velocity", "0.5*velocity.y^2 + 1000"]
variance = ["velocity", "velocity.y + 1000"]
covariance = ["velocity.y, velocity.z"]
profile = "y"
"""


@pytest.mark.parametrize("precision, error", [("double", 1e-5), ("single", 2e-5)])
def test_a_travelling_wave_has_the_moments_of_its_formula(precision, error, tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    succeed("run", "wave.toml", "--dir", "run", "--precision", precision, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    (last,) = run.averages["period"]
    assert last.attrs["t_begin"] == 0 and last.attrs["averaged_over"] == pytest.approx(4 * np.pi, rel=1e-12) and last.attrs["samples"] == 401
    power = 0.1**2 / 2  # A^2/2
    mean, variance = last["velocity_mean"][...], last["velocity_variance"][...]
    assert np.abs(mean - [0.5, 0, 0]).max() < 0.1 * error
    assert np.abs(variance - [0, power, power]).max() < power * error
    # Numbers ten thousand times as large as their deviations: of a variance of single numbers their round-off, 6e-5/sqrt(12), is left.
    beside = last["velocity_y_1000_variance"][...]
    assert np.abs(beside - power).max() < power * error
    assert np.abs(last["0_5_velocity_y_2_1000_mean"][...] - (1000 + power / 2)).max() < 1e-4
    assert np.abs(last["velocity_y_velocity_z_covariance"][...] - power * np.cos(1)).max() < power * error
    # Over the planes across y, in which the wave lies, and over time.
    profile = run.average_profile("period")
    assert profile.axis == "y" and profile["velocity_mean_x"] == pytest.approx(0.5, abs=0.1 * error)
    assert profile["velocity_y_velocity_z_covariance"] == pytest.approx(power * np.cos(1), rel=error)
    assert last["velocity_variance"].attrs["units"] == "(length/time)^2"
    assert last["0_5_velocity_y_2_1000_mean"].attrs["units"] == "unknown"


# For every system an example, words that make it short, fields with a scalar first, and a number of ranks on which it has the bits of one
# (docs/several-devices.md: boussinesq has those on none). Fields that need ghosts are among them.
systems = {
    "isothermal": ("taylor-green", {"grid__cells": "[12, 10, 8]"}, ["rho", "velocity", "vorticity"], 3),
    "mhd": ("orszag-tang", {"grid__cells": "[24, 20, 1]"}, ["rho", "velocity"], 2),
    "multicomponent": ("helium-cylinder", {"grid__cells": "[40, 16, 1]"}, ["rho", "velocity", "vorticity"], 2),
    "boussinesq": ("rayleigh-benard", {"grid__cells": "[12, 10, 8]", "grid__z_stretching": "1.5"}, ["temperature", "velocity", "p"], 1),
    "shallow_water": ("dam-break", {}, ["depth", "velocity"], 2),
    "sphere": ("williamson-5", {"grid__cells": "8"}, ["depth", "velocity"], 2),
    "aerodynamics": ("vortex", {}, ["rho", "velocity", "vorticity"], 2),
    "atmosphere": ("agnesi-mountain", {"grid__cells": "[24, 1, 12]"}, ["rho", "velocity"], 2),
}


def case_of(name, steps, more=()):
    example, short, fields, ranks = systems[name]
    words = {**short, "time__steps": steps, "output__overview": "false", "output__series_every_steps": 2, "output__precision": '"double"',
             "output__fields": json.dumps(fields)}
    return [root / "examples" / example / "quick.toml", *settings(**words), *more], fields, ranks


def flat(field):
    """All values of a field, also on blocks: (cells, components)."""
    values = field.flat() if hasattr(field, "flat") else np.asarray(field)
    return values.reshape(-1, 3) if field.attrs["units"] and values.ndim > 1 and values.shape[-1] == 3 else values.reshape(-1, 1)


def table_of(fields):
    scalar = fields[0]
    return {"name": "all", "mean": [*fields, f"{scalar}*velocity.x"], "variance": ["velocity"], "covariance": [f"{scalar}, velocity.x"]}


@pytest.mark.parametrize("name", systems)
def test_averages_are_those_of_the_states(name, tmp_path):
    words, fields, _ = case_of(name, 7)
    succeed("run", *words, "--dir", "with", *averages(table_of(fields), {**table_of(fields), "name": "third", "sample_every_steps": 3}),
            *settings(output__every_steps=1), *ranks_words(1), cwd=tmp_path)
    succeed("run", *words, "--dir", "without", *settings(output__every_steps=7), *ranks_words(1), cwd=tmp_path)
    # The run is the same with averages and without.
    plain, summed = arrays(newest(tmp_path / "without")), arrays(newest(tmp_path / "with"))
    assert plain == {array: values for array, values in summed.items() if not array.startswith("average.")}
    assert len(summed) > len(plain)
    run = watersmeet.open(tmp_path / "with")
    steps = [snapshot for snapshot in run.fields]
    assert [snapshot.step for snapshot in steps] == list(range(8))
    before = np.diff(run.times, prepend=run.times[0])
    weights = (before + np.append(before[1:], 0)) / 2  # half the step before and half the one after
    for average, stride in (("all", 1), ("third", 3)):
        (last,) = run.averages[average]
        taken = list(range(0, 8, stride))
        w = weights[taken] / weights[taken].sum()
        assert last.attrs["averaged_over"] == pytest.approx(weights[taken].sum(), rel=1e-9) and last.attrs["samples"] == len(taken)
        values = {field: np.array([flat(steps[s][field]) for s in taken]) for field in fields}

        def mean(x):
            return np.tensordot(w, x, 1)

        def near(found, wanted, scale):
            assert np.abs(flat(found) - wanted).max() <= 1e-12 * max(scale, 1e-300), found.name

        for field in fields:
            near(last[f"{field}_mean"], mean(values[field]), np.abs(values[field]).max())
        scalar, u = values[fields[0]][..., 0], values["velocity"]
        near(last[f"{fields[0]}_velocity_x_mean"], mean(scalar * u[..., 0])[:, None], np.abs(scalar).max() * np.abs(u).max())
        deviation = u - mean(u)
        near(last["velocity_variance"], mean(deviation**2), np.abs(u).max() ** 2)
        other = scalar - mean(scalar)
        near(last[f"{fields[0]}_velocity_x_covariance"], mean(other * deviation[..., 0])[:, None], np.abs(scalar).max() * np.abs(u).max())


def test_profiles_of_uneven_cells_are_those_of_the_states(tmp_path):
    words, fields, _ = case_of("boussinesq", 6)
    pair = {"mean": ["temperature"], "covariance": ["temperature, velocity.z"]}
    succeed("run", *words, "--dir", "run", *settings(output__every_steps=1),
            *averages({"name": "z", **pair, "profile": "z", "fields": False}, {"name": "x", **pair, "profile": "x"}), cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    assert list(run.averages) == ["x"]
    before = np.diff(run.times, prepend=run.times[0])
    w = (before + np.append(before[1:], 0)) / 2 / run.times[-1]
    temperature = np.array([s["temperature"][...] for s in run.fields])
    upward = np.array([s["velocity"][..., 2] for s in run.fields])
    widths = np.diff(run.fields[0].faces["z"])
    for axis, weights in (("z", np.ones((8, 10, 12)) / 120), ("x", np.ones((8, 10, 12)) * widths[:, None, None] / widths.sum() / 10)):
        others = tuple(d for d in range(4) if "tzyx"[d] != axis)
        whole = w[:, None, None, None] * weights
        mean = (whole * temperature).sum(axis=others, keepdims=True)
        up = (whole * upward).sum(axis=others, keepdims=True)
        covariance = (whole * (temperature - mean) * (upward - up)).sum(axis=others)
        profile = run.average_profile(axis)
        assert profile.axis == axis and profile["temperature_mean"][0] == pytest.approx(mean.ravel(), abs=1e-12)
        assert profile["temperature_velocity_z_covariance"][0] == pytest.approx(covariance, abs=1e-12 * np.abs(upward).max())


def assert_same_averages(a, b, name):
    one, other = watersmeet.open(a).averages[name], watersmeet.open(b).averages[name]
    assert [s.path.name for s in one] == [s.path.name for s in other]
    for left, right in zip(one, other):
        assert arrays(left.path) == arrays(right.path)
        assert [left.attrs[key] for key in ("t_begin", "averaged_over", "samples")] == [
            right.attrs[key] for key in ("t_begin", "averaged_over", "samples")]


@on_ranks
@pytest.mark.parametrize("name", systems)
def test_a_run_in_parts_on_other_ranks_has_the_same_bits(name, tmp_path):
    words, fields, ranks = case_of(name, 11)
    table = {**table_of(fields), "sample_every_steps": 2}
    succeed("run", *words, "--dir", "one", *averages(table), *ranks_words(1), cwd=tmp_path)
    succeed("run", *words, "--dir", "parts", *averages(table), *settings(time__steps=4), *ranks_words(ranks), cwd=tmp_path)
    succeed("resume", "parts", *settings(time__steps=7), *ranks_words(1), cwd=tmp_path)
    succeed("resume", "parts", *settings(time__steps=11), *ranks_words(ranks), cwd=tmp_path)
    assert arrays(newest(tmp_path / "one")) == arrays(newest(tmp_path / "parts"))
    assert_same_averages(tmp_path / "one", tmp_path / "parts", "all")
    # What the ends of the first parts wrote is set aside.
    assert len(list((tmp_path / "parts").glob("average_all_*.old"))) == 2


@on_ranks
def test_windows_through_a_kill_on_other_ranks_have_the_same_bits(tmp_path):
    (tmp_path / "wave.toml").write_text(wave.replace('dt = "4*pi/400"', "cfl = 0.2").replace("[32, 8, 8]", "[32, 12, 10]"))
    windows = averages({"name": "w", "mean": ["velocity"], "variance": ["rho"], "covariance": ["rho, velocity.x"], "from": 0.3, "every": 1.1,
                        "sample_every_steps": 3, "profile": "z"})
    often = settings(output__checkpoint_every_steps=5, output__series_every_steps=1)
    succeed("run", "wave.toml", "--dir", "one", *windows, *often, *ranks_words(1), cwd=tmp_path)
    with Running("run", "wave.toml", "--dir", "killed", *windows, *often, *ranks_words(1), cwd=tmp_path) as run:
        run.wait_for_rows(tmp_path / "killed", 40)
        run.kill()
    assert not (tmp_path / "killed" / "series.h5").exists()
    succeed("resume", "killed", *ranks_words(3), cwd=tmp_path)
    assert_same_averages(tmp_path / "one", tmp_path / "killed", "w")
    assert len(watersmeet.open(tmp_path / "one").averages["w"]) == 12
    assert (tmp_path / "one/profile_w.csv").read_text() == (tmp_path / "killed/profile_w.csv").read_text()
    result = succeed("diff", "one", "killed", cwd=tmp_path)
    assert "average_w_" in result.stdout


def test_values_that_are_not_finite_stay_where_they_are(tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    words = settings(time__steps=6, output__checkpoint_every_steps=2)
    succeed("run", "wave.toml", "--dir", "run", *words, *averages({"name": "a", "mean": ["log(velocity.y)", "rho"]}), cwd=tmp_path)
    (last,) = watersmeet.open(tmp_path / "run").averages["a"]
    logarithm = last["log_velocity_y_mean"][...]
    assert np.isnan(logarithm).any() and np.isfinite(logarithm).any() and np.isfinite(last["rho_mean"][...]).all()


refused = {
    "an unknown field": ({"mean": ["velocty.x"]}, "unknown name `velocty.x`; known here: rho, lnrho, velocity.x"),
    "a vector in a formula": ({"mean": ["2*velocity"]}, "`velocity` is a vector, and an expression needs one of its components"),
    "a name of its own making": ({"mean": ["velocity_x"]}, "did you mean `velocity.x`?"),
    "a coordinate": ({"mean": ["x*rho"]}, "unknown name `x`"),
    "an expression without its end": ({"variance": ["rho*"]}, "the expression ends too early"),
    "half a pair": ({"covariance": ["rho"]}, "`rho` is not two expressions with a comma between"),
    "nothing": ({}, "average `a` has nothing to average"),
    "a field twice": ({"mean": ["rho", " rho"]}, "would have two fields of the name `rho_mean`"),
    "nowhere": ({"mean": ["rho"], "fields": False}, "would be written nowhere"),
    "too many": ({"mean": [f"rho + {n}" for n in range(25)]}, "25 different expressions"),
    "a deep one": ({"mean": ["1+(" * 12 + "rho" + ")" * 12]}, "holds more than 12 numbers"),
    "not a name": ({"name": "a b", "mean": ["rho"]}, "`a b` is not a name"),
}


@pytest.mark.parametrize("what", refused)
def test_what_cannot_be_averaged_is_refused(what, tmp_path):
    keys, message = refused[what]
    (tmp_path / "wave.toml").write_text(wave)
    result = call("check", "wave.toml", *averages({"name": "a", **keys}), cwd=tmp_path)
    assert result.returncode == 2 and message in result.stdout + result.stderr, result.stdout + result.stderr


def test_an_average_that_would_begin_after_the_end_is_noted(tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    late = averages({"name": "late", "mean": ["rho"], "from": 20.0})
    message = "average `late` would begin when the run has ended, at time.end = 12.5664 (line 8)"
    assert message in succeed("check", "wave.toml", *late, cwd=tmp_path).stdout
    succeed("run", "wave.toml", "--dir", "run", *late, *settings(time__end=0.1), cwd=tmp_path)
    assert watersmeet.open(tmp_path / "run").averages == {}


def test_the_place_of_a_fault_is_shown(tmp_path):
    (tmp_path / "wave.toml").write_text(wave.replace('"0.5*velocity.y^2 + 1000"', '"velocity.y*rh"'))
    result = call("check", "wave.toml", cwd=tmp_path)
    text = result.stdout + result.stderr
    line = 1 + wave[: wave.index("0.5*velocity.y^2")].count("\n")
    assert result.returncode == 2 and f"wave.toml:{line}:" in text and '"velocity.y*rh"' in text and "did you mean `rho`?" in text


@pytest.mark.parametrize("case, message", [
    ("sphere", "a sphere has no planes across an axis"),
    ("aerodynamics", "curvilinear blocks have no planes across an axis"),
    ("atmosphere", "the levels of this grid follow the terrain"),
])
def test_profiles_of_grids_without_planes_are_refused(case, message, tmp_path):
    case_words, _, _ = case_of(case, 3)
    table = {"name": "a", "mean": ["rho" if case != "sphere" else "depth"], "profile": "z"}
    result = call("run", *case_words, "--dir", "run", *averages(table), cwd=tmp_path)
    assert result.returncode == 2 and message in result.stdout + result.stderr, result.stdout + result.stderr


def test_a_steady_run_has_no_time_to_average_over(tmp_path):
    result = call("check", root / "examples/bump/quick.toml", *averages({"name": "a", "mean": ["rho"]}), cwd=tmp_path)
    assert result.returncode == 2 and "the case looks for a steady state" in result.stdout + result.stderr


def test_sums_of_something_else_are_not_gone_on_with(tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    succeed("run", "wave.toml", "--dir", "run", *settings(time__steps=3), cwd=tmp_path)
    result = call("resume", "run", *settings(time__steps=5), *averages({"name": "period", "mean": ["p"]}), cwd=tmp_path)
    assert result.returncode == 2 and "has sums of the average `period` with another definition" in result.stdout + result.stderr
    result = succeed("resume", "run", *settings(time__steps=5), *averages({"name": "new", "mean": ["p"]}), cwd=tmp_path)
    assert "average new: the checkpoint has no sums of it" in result.stdout
    (new,) = watersmeet.open(tmp_path / "run").averages["new"]
    assert new.attrs["samples"] == 3 and new.attrs["t_begin"] == pytest.approx(3 * 4 * np.pi / 400)


def test_check_predicts_memory_and_files(tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    without = json.loads(succeed("check", "wave.toml", "--json", "--set", "output.average=[]", cwd=tmp_path).stdout)
    table = {"name": "a", "mean": ["velocity"], "variance": ["velocity.x"], "covariance": ["p, velocity.x"], "every": 1.0}
    result = json.loads(succeed("check", "wave.toml", "--json", *averages(table), cwd=tmp_path).stdout)
    cells = 32 * 8 * 8
    host = [json.loads(succeed("check", "wave.toml", "--json", *words, *settings(grid__cells="[32, 8, 32]", device__memory='"stream"'), cwd=tmp_path)
                       .stdout)["memory"] for words in (["--set", "output.average=[]"], averages(table))]
    # Streamed, with copies of the sums for a checkpoint.
    assert host[1]["host"] - host[0]["host"] == 4 * cells * (6 * 8 + 4 * 8 + 6 * 8)
    assert host[1]["device"] == host[0]["device"]
    # Four expressions and two pairs, and the fields velocity and p where they are evaluated.
    assert result["memory"]["device"] - without["memory"]["device"] == cells * (6 * 8 + 4 * 8)
    assert result["disk"]["checkpoint_bytes"] - without["disk"]["checkpoint_bytes"] == cells * 6 * 8
    assert (result["disk"]["averages"], result["disk"]["average_bytes"]) == (13, 13 * cells * 5 * 8)
    succeed("run", "wave.toml", "--dir", "run", *averages(table), cwd=tmp_path)
    files = watersmeet.open(tmp_path / "run").averages["a"]
    assert len(files) == 13 and sum(np.asarray(field).nbytes for file in files for field in file.values()) == 13 * cells * 5 * 8


def test_info_and_plot_know_averages(tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    succeed("run", "wave.toml", "--dir", "run", *settings(time__steps=4), cwd=tmp_path)
    assert "average     period, 1 file to t = 0.125664: velocity_mean" in succeed("info", "run", cwd=tmp_path).stdout
    text = succeed("info", "run/average_period_000004.vtkhdf", cwd=tmp_path).stdout
    assert "average     from t = 0 to 0.125663706, 5 samples" in text
    assert json.loads(succeed("info", "run", "--json", cwd=tmp_path).stdout)["averages"]["period"][0]["step"] == 4
    pytest.importorskip("matplotlib")
    run = watersmeet.open(tmp_path / "run")
    assert run.plot("velocity_mean.y", average="period").name == "period_velocity_mean_y_zmid_000004.png"
    with pytest.raises(ValueError, match="no average 'other' in time"):
        run.plot("velocity_mean.y", average="other")
