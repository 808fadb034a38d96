"""Many runs of one case: folders, table, what has ended is not run again, faults, the command."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import root
from runs import binary, environment, needs_program
from watersmeet.studies import Study, _names, toml_of, value_of
from watersmeet.study import _split, run, study

pytestmark = needs_program


@pytest.fixture(autouse=True)
def program(monkeypatch):
    monkeypatch.setenv("WATERSMEET_BINARY", os.path.abspath(binary))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def test_every_combination_has_a_run_and_a_row(place):
    made = study(place / "flow.toml", {"physics.viscosity": [0.01, 0.05], "time.steps": [2, 4]}, directory=place / "all")
    assert made.names == ["viscosity=0.01,steps=2", "viscosity=0.01,steps=4", "viscosity=0.05,steps=2", "viscosity=0.05,steps=4"]
    assert made.statuses == [0, 0, 0, 0]
    assert [one.setting("physics.viscosity") for one in made.runs] == [0.01, 0.01, 0.05, 0.05]
    assert made["step"].tolist() == made["time.steps"].tolist() == [2, 4, 2, 4]
    # More viscosity, less energy left.
    energy = np.array([one.series["u_rms"][-1] for one in made.runs])
    assert (made["u_rms"] == energy).all() and energy[3] < energy[1]
    lines = [line for line in (place / "all/study.csv").read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert [row["run"] for row in rows] == made.names and {row["exit_status"] for row in rows} == {"0"}
    assert [float(row["u_rms"]) for row in rows] == energy.tolist()
    with pytest.raises(KeyError, match="no setting and no column 'cl'"):
        made["cl"]


def test_a_variant_of_an_example_is_a_case(place):
    made = study("dam-break/dry", {"time.steps": [1, 2]}, directory=place / "dry")
    assert made.statuses == [0, 0] and made["step"].tolist() == [1, 2], made.messages


def test_entries_of_initial_are_settings(place):
    key = "initial[0].velocity"
    flows = [["sin(x)*cos(y)", "-cos(x)*sin(y)", 0], ["0.5*sin(x)*cos(y)", "-0.5*cos(x)*sin(y)", 0]]
    made = study(place / "flow.toml", {key: flows, "initial.0.density": [1, 2]}, directory=place / "starts")
    assert made.statuses == [0] * 4, made.messages
    assert len(set(made.names)) == 4 and [one["initial.0.density"] for one in made.settings] == [1, 2, 1, 2]
    mass, u = made["mass"].reshape(2, 2), np.array([one.series["u_rms"][0] for one in made.runs]).reshape(2, 2)
    np.testing.assert_allclose(mass[:, 1], 2 * mass[:, 0], rtol=1e-12)
    np.testing.assert_allclose(u[1], u[0] / 2, rtol=1e-12)
    again = Study.load(place / "starts")
    assert again.settings == made.settings
    with pytest.raises(ValueError, match=r"initial\[1\]: the case has 1 \[\[initial\]\] entry"):
        study(place / "flow.toml", {"initial[1].density": [1, 2]}, directory=place / "none")


def test_what_has_ended_is_not_run_again(place):
    keys = {"time.steps": [2]}
    study(place / "flow.toml", keys, directory=place / "twice")
    before = (place / "twice/steps=2/run.json").read_bytes()
    keys["time.steps"].append(3)
    made = study(place / "flow.toml", keys, directory=place / "twice")
    assert made.statuses == [0, 0] and made["step"].tolist() == [2, 3]
    assert (place / "twice/steps=2/run.json").read_bytes() == before


def test_a_run_that_fails_is_a_row_and_the_others_go_on(place):
    made = study(place / "flow.toml", {"time.dt": [50.0, 0.01]}, directory=place / "some")
    assert made.statuses == [4, 0] and "step" in made.messages[0]
    assert made["step"][1] == 20 and (place / "some/study.csv").read_text().count("\ndt=") == 2


def test_a_case_that_is_refused_ends_the_study(place):
    with pytest.raises(ValueError, match="viscosty=1: .*(?s:.)*did you mean `viscosity`"):
        study(place / "flow.toml", {"physics.viscosty": [1, 2]}, directory=place / "wrong")
    with pytest.raises(RuntimeError, match="did you mean") as caught:
        run(place / "flow.toml", {"grid.cels": [4, 4, 4]}, directory=place / "one")
    assert caught.value.status == 2
    with pytest.raises(ValueError, match="needs keys and values"):
        study(place / "flow.toml", {}, directory=place / "none")


def test_names_are_folders():
    assert _names([{"grid.cells": [4, 4, 2], "forcing": "helical"}]) == ["cells=4x4x2,forcing=helical"]
    assert _names([{"a.kind": 1, "b.kind": np.float64(0.5)}]) == ["a.kind=1,b.kind=0.5"]
    with pytest.raises(ValueError, match="two runs"):
        _names([{"a": "x/y"}, {"a": "x y"}])


def test_values_are_split_between_commas_of_their_own():
    assert _split('[1,2],[3,4],"a,b",c') == ["[1,2]", "[3,4]", '"a,b"', "c"]


def test_values_become_toml_and_come_back():
    values = [1, 2.5, 1e-6, float("inf"), True, "a \"b\"\n\u00fc", [1, [2.0, "x"]], {"name": "s", "values": [0.5], "view": [-1, -2, 1.5]}, [{"a": {"b": False}}]]
    for value in values:
        again = value_of(toml_of(value))
        assert again == value and type(again) is type(value)
    assert toml_of({"a": [np.float64(1e-6), np.arange(2)]}) == '{"a" = [1e-06, [0, 1]]}'
    assert value_of("2026-11-27") == "2026-11-27" and value_of("5 ms") == "5 ms"
    with pytest.raises(TypeError, match="of type object"):
        toml_of([object()])


def test_lists_of_sections_are_settings(place):
    surfaces = [{"name": "fast", "field": "speed", "values": [0.1], "every_steps": 2}]
    made = run(place / "flow.toml", {"output.isosurface": surfaces, "time.steps": 2}, directory=place / "surfaces")
    assert made.setting("output.isosurface")[0]["values"] == [0.1] and list(made.path.glob("isosurface_fast_*.vtkhdf"))


def test_the_command_runs_and_refuses(place):
    def command(*words):
        line = [sys.executable, "-m", "watersmeet.study", *words]
        path = str(Path(__file__).resolve().parents[2] / "python")
        return subprocess.run(line, cwd=place, env=environment(PYTHONPATH=path, WATERSMEET_BINARY=os.path.abspath(binary)),
                              capture_output=True, text=True)

    done = command("flow.toml", "time.steps=1,2", "grid.cells=[8,8,8]", "--", "--precision", "single")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "flow-study/study.csv" and done.stdout.count(": done\n") == 2
    assert (place / "flow-study/steps=2,cells=8x8x8/resolved.toml").read_text().count('precision = "single"') == 1
    done = command("flow.toml", 'initial.0.velocity=["0.1*sin(x)",0,0],["0.2*sin(x)",0,0]', "--dir", "told")
    assert done.returncode == 0, done.stderr
    u = [one.series["u_rms"][0] for one in Study.load(place / "told").runs]
    assert u[1] == pytest.approx(2 * u[0], rel=1e-12)
    wrong = command("flow.toml", "time.steps")
    assert wrong.returncode == 2 and "not KEY=VALUE,VALUE" in wrong.stderr
    failed = command("flow.toml", "time.dt=50", "--dir", "bad")
    assert failed.returncode == 1 and "failed with status 4" in failed.stdout


def test_help_names_the_flags_that_are_handed_on():
    words = [sys.executable, "-m", "watersmeet.study", "--help"]
    text = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(root / "python")}).stdout
    assert "[-- FLAGS]" in text and "Words after -- are flags of `watersmeet run`" in text
