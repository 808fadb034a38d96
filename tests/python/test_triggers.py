"""Triggers, [[trigger]]: they act where the states of the run say so, in every system; they do not depend on interruptions and ranks, and do
not change the run."""

import json
import re

import numpy as np
import pytest
import watersmeet

from rank_runs import on_ranks, ranks_words
from runs import Running, arrays, call, list_of, needs_program, newest, rows, settings, succeed
from test_averages import case_of, flat, systems

pytestmark = needs_program

# Waves that a uniform flow carries along: u_y at the probe goes up and down.
wave = """[case]
system = "isothermal"
[grid]
cells = [32, 8, 8]
[physics]
viscosity = 0
[time]
steps = 90
dt = "pi/20"
[constants]
limit = -0.05
[[initial]]
velocity = [0.5, "0.1*sin(x)", "0.1*sin(x + 1)"]
[output]
overview = false
[[output.probe]]
name = "here"
at = [0, 0, 0]
fields = ["velocity"]
"""
up = {"name": "up", "when": "here_velocity_y > limit", "then": ["snapshot"], "every_steps": 1}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "wave.toml").write_text(wave)
    return tmp_path


def triggers(*tables):
    return list_of("trigger", *tables)


def acted(result, name):
    """The steps at which a trigger acted."""
    return [int(step) for step in re.findall(rf"^trigger {name}: .* at step (\d+), t = ", result.stdout, re.MULTILINE)]


def steps_of(folder):
    return [snapshot.step for snapshot in watersmeet.open(folder).fields]


@pytest.mark.parametrize("precision", ["double", "single"])
def test_modes_say_when_a_condition_that_holds_acts(precision, place):
    words = ["--precision", precision, *settings(output__series_every_steps=1)]
    succeed("run", "wave.toml", "--dir", "without", *words, cwd=place)
    high = watersmeet.open(place / "without").series["here_velocity_y"] > -0.05
    holds = [step for step in range(91) if high[step]]
    begins = [step for step in holds if step == 0 or not high[step - 1]]
    assert 5 < len(holds) < 85 and len(begins) == 2
    for mode, wanted in (("level", holds), ("edge", begins), ("latched", begins[:1])):
        result = succeed("run", "wave.toml", "--dir", mode, *words, *triggers({**up, "mode": mode}), cwd=place)
        assert steps_of(place / mode) == sorted({0, 90, *wanted}), mode
        assert acted(result, "up") == wanted
        # The run is the same with triggers and without.
        assert arrays(newest(place / "without")) == arrays(newest(place / mode))
        assert rows(place / "without/series.csv") == rows(place / mode / "series.csv")


def test_conditions_are_evaluated_when_the_case_says(place):
    always = {"name": "a", "when": "t >= 0", "then": ["snapshot"], "mode": "level"}
    for folder, keys, wanted in (("default", {}, range(0, 91, 10)), ("steps", {"every_steps": 7}, [*range(0, 91, 7), 90]),
                                 ("time", {"every": float(np.pi)}, [*range(0, 90, 20), 90])):
        succeed("run", "wave.toml", "--dir", folder, *triggers({**always, **keys}), cwd=place)
        assert steps_of(place / folder) == list(wanted), folder


# Each of the four reductions at a step of its own: extrema are equal to those of the states, sums as far as the order of adding lets them be.
@pytest.mark.parametrize("name", systems)
def test_reductions_are_those_of_the_states(name, tmp_path):
    words, fields, _ = case_of(name, 7)
    succeed("run", *words, "--dir", "states", *settings(output__every_steps=1), *ranks_words(1), cwd=tmp_path)
    scalar = fields[0]
    states = [flat(s[scalar])[:, 0] * flat(s["velocity"])[:, 0] for s in watersmeet.open(tmp_path / "states").fields]
    text, scale = f"{scalar}*velocity.x", max(np.abs(s).max() for s in states)
    tables, wanted = [], {}
    for step, (kind, numpy_of) in enumerate([("max", np.max), ("min", np.min), ("mean", np.mean), ("sum", np.sum)], start=2):
        values = np.array([numpy_of(s) for s in states])
        within = 0 if kind in ("max", "min") else 1e-13 * scale * (len(states[0]) if kind == "sum" else 1)
        tables.append({"name": kind, "when": f"abs({kind}({text}) - {float(values[step])!r}) <= {within!r}", "then": ["snapshot"],
                       "mode": "level", "every_steps": 1})
        wanted[kind] = np.flatnonzero(np.abs(values - values[step]) <= within).tolist()
    assert {2} == set(wanted["max"]) or {3} == set(wanted["min"])  # not everything is at rest
    result = succeed("run", *words, "--dir", "with", *triggers(*tables), *ranks_words(1), cwd=tmp_path)
    for kind, steps in wanted.items():
        assert acted(result, kind) == steps, kind
        assert set(steps) <= set(steps_of(tmp_path / "with"))
    assert arrays(newest(tmp_path / "with")) == arrays(newest(tmp_path / "states"))


@on_ranks
@pytest.mark.parametrize("name", [name for name in systems if systems[name][3] > 1])
def test_a_run_in_parts_on_other_ranks_acts_at_the_same_steps(name, tmp_path):
    words, fields, ranks = case_of(name, 11)
    text = f"{fields[0]}*velocity.x^2"
    succeed("run", *words, "--dir", "first", *settings(time__steps=1), *ranks_words(1), cwd=tmp_path)
    last = watersmeet.open(tmp_path / "first").fields[-1]
    total = np.sum(flat(last[fields[0]])[:, 0] * flat(last["velocity"])[:, 0] ** 2)
    # Acts where one of the last bits of the sum is not set: sums that differ in them act elsewhere.
    bit = f"mod(sum({text})*2^({50 - int(np.floor(np.log2(total)))}), 2) < 1"
    tables = triggers({"name": "bit", "when": bit, "then": ["snapshot"], "mode": "level", "every_steps": 1},
                      {"name": "once", "when": f"mean({text}) > 0 && step > 3", "then": ["checkpoint", "snapshot"], "every_steps": 1},
                      {"name": "edge", "when": f"mod(step, 6) < 3 && min({text}) >= 0", "then": ["snapshot"], "mode": "edge", "every_steps": 1})
    one = succeed("run", *words, "--dir", "one", *tables, *ranks_words(1), cwd=tmp_path)
    parts = [succeed("run", *words, "--dir", "parts", *tables, *settings(time__steps=5), *ranks_words(ranks), cwd=tmp_path),
             succeed("resume", "parts", *settings(time__steps=8), *ranks_words(1), cwd=tmp_path),
             succeed("resume", "parts", *settings(time__steps=11), *ranks_words(ranks), cwd=tmp_path)]
    assert 0 < len(acted(one, "bit")) < 12 and acted(one, "once") == [4] and acted(one, "edge") == [0, 6]
    for trigger in ("bit", "once", "edge"):
        assert sum((acted(part, trigger) for part in parts), []) == acted(one, trigger)
    assert arrays(newest(tmp_path / "one")) == arrays(newest(tmp_path / "parts"))


@on_ranks
def test_what_has_acted_is_remembered_through_a_kill_on_other_ranks(place):
    slow = settings(time__steps=400, output__checkpoint_every_steps=5, output__series_every_steps=1)
    tables = triggers({**up, "mode": "edge"}, {**up, "name": "first"}, {**up, "name": "fields", "when": "max(velocity.y*rho) < 0.0999", "mode": "edge"})
    succeed("run", "wave.toml", "--dir", "one", *slow, *tables, *ranks_words(1), cwd=place)
    with Running("run", "wave.toml", "--dir", "killed", *slow, *tables, *ranks_words(2), cwd=place) as run:
        run.wait_for_rows(place / "killed", 30)
        run.kill()
    result = succeed("resume", "killed", *ranks_words(3), cwd=place)
    assert acted(result, "first") == []
    assert steps_of(place / "killed") == steps_of(place / "one")
    assert len(steps_of(place / "one")) > 5


def test_a_trigger_of_another_condition_begins_anew(place):
    tables = triggers({**up, "when": "t > 0.1"})
    succeed("run", "wave.toml", "--dir", "run", *tables, *settings(time__steps=5), cwd=place)
    result = succeed("resume", "run", *settings(time__steps=10), cwd=place)
    assert "trigger" not in result.stdout
    result = succeed("resume", "run", *triggers({**up, "when": "t > 0.2"}), *settings(time__steps=15), cwd=place)
    assert "trigger up: the checkpoint does not know this condition" in result.stdout
    assert "trigger up: t > 0.2 at step 11" in result.stdout


def test_a_run_that_a_trigger_stops_has_ended_and_can_go_on(place):
    stop = triggers({"name": "rise", "when": "max(velocity.y) < 0.0999 && u_rms > 0", "then": ["stop"], "every_steps": 1})
    result = succeed("run", "wave.toml", "--dir", "run", *stop, cwd=place)
    ended = steps_of(place / "run")[-1]
    assert 0 < ended < 90 and f"at step {ended}, t = " in result.stdout and "stopped by trigger rise" in result.stdout
    assert json.loads((place / "run/run.json").read_text())["stopped_by"] == "rise"
    assert f"finished    yes, stopped by trigger rise (step {ended}" in succeed("info", "run", cwd=place).stdout
    assert newest(place / "run").name == f"checkpoint_{ended:06d}.h5" and (place / "run/series.h5").exists()
    succeed("resume", "run", cwd=place)
    succeed("run", "wave.toml", "--dir", "whole", cwd=place)
    assert arrays(newest(place / "run")) == arrays(newest(place / "whole"))
    assert json.loads((place / "run/run.json").read_text())["restarts"][0]["stopped_by"] is None


def test_the_first_state_can_stop_a_run(place):
    succeed("run", "wave.toml", "--dir", "run", *triggers({"name": "now", "when": "min(rho) > 0", "then": ["stop"]}), cwd=place)
    assert steps_of(place / "run") == [0]


def test_what_is_no_number_holds_for_no_condition(place):
    tables = triggers({**up, "when": "max(log(velocity.y)) < 5 || min(log(velocity.y)) > -99 || sum(log(velocity.y)) < 5"},
                      {**up, "name": "number", "when": "max(log(velocity.y)) + 1 > 0 ? 1 : sum(log(velocity.y))"})
    succeed("run", "wave.toml", "--dir", "run", *tables, *settings(time__steps=3), cwd=place)
    assert steps_of(place / "run") == [0, 3]


refused = {
    "an unknown field": ({"when": "max(rh) > 1"}, "unknown name `rh`; known here: rho, lnrho, velocity.x"),
    "an unknown column": ({"when": "masss > 1"}, "unknown name `masss`; known here: t, step, dt, mass, "),
    "a field": ({"when": "rho > 1"}, "write max(rho), min(rho), mean(rho) or sum(rho)"),
    "a component": ({"when": "velocity.x > 1"}, "write max(velocity.x), min(velocity.x)"),
    "a vector": ({"when": "max(velocity) > 1"}, "`velocity` is a vector, and an expression needs one of its components"),
    "a coordinate": ({"when": "max(x*rho) > 1"}, "unknown name `x`"),
    "no condition": ({"when": "max(rho)"}, "this is a number and no condition"),
    "nothing that changes": ({"when": "limit < 1"}, "this does not depend on the solution or the time"),
    "a reduction of a reduction": ({"when": "max(mean(rho)) > 1"}, "unknown function `mean`"),
    "an unknown function": ({"when": "maxx(rho) > 1"}, "did you mean `max`?"),
    "a missing parenthesis": ({"when": "max(rho > 1"}, "`(` is never closed"),
    "a missing sign": ({"when": "2max(rho) > 1"}, "did you mean `2*max(rho)`?"),
    "not an action": ({"then": ["halt"]}, '"snapshot", "checkpoint", "stop"'),
    "no action": ({"then": []}, "trigger `a` does nothing"),
    "not a name": ({"name": "a b"}, "`a b` is not a name"),
    "not a mode": ({"mode": "once"}, '"latched", "edge", "level"'),
}


@pytest.mark.parametrize("what", refused)
def test_what_is_no_trigger_is_refused(what, place):
    keys, message = refused[what]
    result = call("check", "wave.toml", *triggers({"name": "a", "when": "t > 1", "then": ["stop"], **keys}), cwd=place)
    assert result.returncode == 2 and message in result.stdout + result.stderr, result.stdout + result.stderr
    assert "reduction_" not in result.stdout + result.stderr


def test_the_place_of_a_fault_is_shown(place):
    text = wave + '[[trigger]]\nname = "a"\nwhen = "max(rh) > 1"\nthen = ["stop"]\n[[trigger]]\nname = "a"\nwhen = "t > 1"\nthen = ["stop"]\n'
    (place / "wave.toml").write_text(text)
    result = call("check", "wave.toml", cwd=place)
    line = 1 + text[: text.index("max(rh)")].count("\n")
    assert result.returncode == 2 and f"wave.toml:{line}:" in result.stderr and "did you mean `rho`?" in result.stderr
    assert f"wave.toml:{line + 3}:" in result.stderr and "two triggers are called `a`" in result.stderr


def test_triggers_of_a_streamed_solution_act_where_those_of_a_resident_one_do(place):
    stream = settings(device__memory='"stream"', device__kind='"cpu"', grid__cells="[8, 8, 64]")
    words = [*triggers({**up, "mode": "edge"}, {"name": "field", "mode": "edge", "when": "max(velocity.x) + mean(rho) - min(rho) > 1.002", "then": ["snapshot"]}), *settings(grid__cells="[8, 8, 64]")]
    succeed("run", "wave.toml", "--dir", "resident", *words, cwd=place)
    assert len(steps_of(place / "resident")) > 2
    for fused in (1, 3):
        succeed("run", "wave.toml", "--dir", f"streamed-{fused}", *stream, *words, *settings(stream__fused_steps=fused), cwd=place)
        assert steps_of(place / f"streamed-{fused}") == steps_of(place / "resident")
    said = succeed("check", "wave.toml", *stream, *words, cwd=place).stdout
    assert "  triggers   2, 128 KiB of the memory of the host" in said  # 4096 cells x 4 numbers


def test_check_counts_the_memory_of_triggers(place):
    words = triggers({"name": "a", "when": "max(rho) > 1 && max(velocity.x) > 1", "then": ["stop"]})
    result = succeed("check", "wave.toml", *words, cwd=place).stdout
    assert "  triggers   1, 64.0 KiB of the memory; what they write is not in the disk use below" in result  # 2048 cells x 4 numbers
    memory = [json.loads(succeed("check", "wave.toml", "--json", *more, cwd=place).stdout)["memory"]["device"] for more in (words, [])]
    assert memory[0] - memory[1] == 2048 * 4 * 8
