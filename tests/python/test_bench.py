"""Rows of a benchmark that are measured in turn, in its result file, and the script that puts a GPU and a core together."""

import json
import pathlib
import subprocess
import sys

import pytest
from runs import call, needs_program, succeed

speedup = pathlib.Path(__file__).parents[2] / "bench" / "aerodynamics_speedup.py"


@needs_program
def test_cycles_are_measured_in_turn_with_steps_of_one_grid(tmp_path):
    words = ("--device", "cpu", "--cells", "9", "--only", "double 1", "--seconds", "1e-3", "--repeats", "3")
    text = succeed("bench", "aerodynamics", *words, "--output", "rows.json", cwd=tmp_path).stdout
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert [(row["order"], row["grids"]) for row in rows] == [("1", "1"), ("1", "2V"), ("3", "1")]
    one, cycle, alone = rows
    assert "steps_per_cycle" not in one and "steps_per_cycle" not in alone
    assert cycle["steps_per_cycle"] > 0 and cycle["steps_per_cycle_spread"] >= 0
    heading, *lines = [line for line in text.splitlines()[:4] if line]
    assert heading.endswith("steps_per_cycle")
    assert [line.endswith(" %)") for line in lines] == [False, True, False], text
    # The row of cycles alone has nothing to be measured in turn with.
    succeed("bench", "aerodynamics", *words[:4], "--only", "double 2V", *words[6:], "--output", "rows.json", cwd=tmp_path)
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert [row["grids"] for row in rows] == ["2V", "2V"] and not any("steps_per_cycle" in row for row in rows)


@needs_program
def test_a_row_that_fails_says_why(tmp_path):
    words = ("bench", "multicomponent", "--device", "cpu", "--cells", "16", "--only", "single mpcf weno5-js early", "--output", "rows.json")
    done = call(*words, "--set", "time.dt=1", "--seconds", "1e-3", cwd=tmp_path)
    assert done.returncode == 4
    assert "16x16x16 single mpcf weno5-js early: the run failed, not a number in rho at step 1" in done.stdout
    assert json.loads((tmp_path / "rows.json").read_text())["rows"] == []


def row(grids, milliseconds, **more):
    return {"mesh": "glider15-1500k", "cells": [1500000, 1, 1], "precision": "double", "order": "1", "grids": grids,
            "ms_per_step": milliseconds, "ns_per_point_rhs": 0.1, **more}  # fmt: skip


def put_together(folder, gpu, cpu):
    (folder / "gpu.json").write_text(json.dumps({"rows": gpu}))
    (folder / "cpu.json").write_text(json.dumps({"rows": cpu}))
    result = subprocess.run([sys.executable, str(speedup), "gpu.json", "cpu.json"], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_what_a_cycle_keeps_follows_from_pairs_and_not_from_rows_minutes_apart(tmp_path):
    pairs = {"steps_per_cycle": 2.5, "steps_per_cycle_spread": 0.002}, {"steps_per_cycle": 2.25, "steps_per_cycle_spread": 0.031}
    # The core was slower by half while its one grid was measured.
    gpu, cpu = [row("1", 0.8), row("2V", 2.0, **pairs[0])], [row("1", 900.0), row("2V", 1350.0, **pairs[1])]
    heading, one, cycle = put_together(tmp_path, gpu, cpu)
    assert heading.split()[-2:] == ["kept", "2008"]
    assert one.split()[-2:] == ["1125.0", "26.9"]
    assert cycle.split()[-9:] == ["675.0", "2.500", "(0.2", "%)", "2.250", "(3.1", "%)", "0.90", "20.2"]
    assert len({len(line) for line in (heading, one, cycle)}) == 1
    # A result without pairs says nothing of it.
    *_, cycle = put_together(tmp_path, gpu, [row("1", 900.0), row("2V", 1350.0)])
    assert cycle.split()[-5:] == ["675.0", "2.500", "(0.2", "%)", "20.2"]


@pytest.mark.parametrize("words", [[], ["gpu.json"]])
def test_the_script_wants_two_results(tmp_path, words):
    result = subprocess.run([sys.executable, str(speedup), *words], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode != 0 and "GPU.json" in result.stderr.replace("gpu.json", "GPU.json")
