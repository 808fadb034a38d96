"""Ranks of unequal speed: weights that a case gives, weights that are measured, and parts that are corrected during a run change no bit of
any system's answer on ranks of one kind. Cases and comparison are those of tools/gpu/hybrid.sh, which puts a GPU in the place of the first
rank.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import h5py
import pytest
import test_atmosphere
import test_boussinesq
import test_globe_ranks
import test_shallow_water
import test_sphere
from rank_runs import assert_same_run, on_ranks, ranks_words
from runs import Running, arrays, assert_same_end, binary, environment, flow, list_of, needs_program, newest, rows, settings, succeed
from test_averages import assert_same_averages
from test_boussinesq import worst_difference
from test_ranks import by_hand, ranks_of
from test_triggers import acted

pytestmark = [needs_program, on_ranks]
root = Path(__file__).resolve().parents[2]
script, listed = root / "tools/gpu/hybrid.sh", root / "tools/gpu/cases.sh"
cases = re.search(r'^cases="(.*)"$', listed.read_text(), re.MULTILINE)[1].split()


def hybrid(place, name, program=binary):
    line = ["bash", script, root, place, "cpu", name]
    return subprocess.run(line, env=environment(WATERSMEET_BINARY=str(program)), capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("name", cases)
def test_given_weights_change_no_bit(tmp_path, name):
    result = hybrid(tmp_path, name)
    assert result.returncode == 0 and result.stdout.endswith("5 passed, 0 failed\n"), result.stdout + result.stderr


def test_the_comparison_sees_a_difference(tmp_path):
    """Ranks that take other steps than one rank alone."""
    other = tmp_path / "program"
    other.write_text(f'#!/bin/sh\ncase "$*" in *--ranks*) set -- "$@" --set time.cfl=0.31;; esac\nexec {binary} "$@"\n')
    other.chmod(0o755)
    result = hybrid(tmp_path, "plane", other)
    assert result.returncode == 1 and result.stdout.endswith("3 passed, 2 failed\n"), result.stdout + result.stderr


tall = """[case]
system = "atmosphere"
[grid]
cells = [6, 5, 130]
upper = [600, 500, 1300]
z_faces = """ + str(list(range(0, 1310, 10))) + """
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
[time]
steps = 2
[[initial]]
theta = "2*exp(-((x - 300)^2 + (z - 600)^2)/300^2)"
[output]
overview = false
every_steps = 1
"""
measured = {"plane": test_shallow_water.case, "panels": test_sphere.case, "box": test_atmosphere.case, "globe": test_globe_ranks.case,
            "more levels than the measurement has": tall, "slabs": test_boussinesq.case}  # fmt: skip


@pytest.mark.parametrize("name", measured)
def test_nor_do_measured_ones(tmp_path, name):
    """Ranks of one and of two threads are unequal devices."""
    (tmp_path / "flow.toml").write_text(measured[name])
    succeed("run", "flow.toml", "--dir", "one", *ranks_words(1), cwd=tmp_path)
    rank = tmp_path / "rank"
    rank.write_text(f'#!/bin/sh\nOMP_NUM_THREADS=$((1 + ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}})) exec {binary} "$@"\n')
    rank.chmod(0o755)
    result = by_hand(2, rank, "run", "flow.toml", "--dir", "cut", "--device", "cpu", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"cells a rank: .*; measured speeds: ", result.stdout), result.stdout
    if name == "slabs":  # columns of the pressure are cut
        assert worst_difference(tmp_path / "one", tmp_path / "cut", "checkpoint") < 1e-11
    else:
        assert_same_run(tmp_path / "one", tmp_path / "cut")


@contextlib.contextmanager
def slowed(process):
    """A rank that is suspended for three quarters of the time, in short turns."""
    end = threading.Event()

    def pulse():
        while not end.is_set():
            os.kill(process, signal.SIGSTOP)
            time.sleep(0.015)
            os.kill(process, signal.SIGCONT)
            time.sleep(0.005)

    turns = threading.Thread(target=pulse)
    turns.start()
    try:
        yield
    finally:
        end.set()
        turns.join()


def content(path):
    """What parts, surfaces and pictures show."""
    if path.suffix == ".png":
        return path.read_bytes().partition(b"IDAT")[2]
    if path.name.startswith("part"):
        return arrays(path)
    with h5py.File(path) as file:
        return {name: file["VTKHDF"][name][()].tobytes() for name in ("Points", "Polygons/Connectivity", "PointData/rho")}


def divisions(folder):
    return json.loads((folder / "run.json").read_text())["divisions"]


def test_parts_are_corrected_during_a_run(tmp_path):
    """Ranks that are alike, so that none is measured, until one of them is slowed. What a run has open goes on: rows, windows of averages, a
    trigger that has acted, parts and surfaces of the grid, a request to stop."""
    (tmp_path / "flow.toml").write_text(flow)
    often = {f"output__{what}_every_steps": steps for what, steps in (("series", 20), ("spectra", 100))}
    words = [*settings(grid__cells="[16,16,48]", grid__upper="[6.0,6.0,18.0]", **often),
             *list_of("output.probe", {"name": "here", "at": [3.0, 3.0, 14.0], "fields": ["velocity"]}),
             *list_of("output.average", {"name": "w", "mean": ["velocity"], "variance": ["rho"], "every": 25.0, "sample_every_steps": 3}),
             *list_of("trigger", {"name": "once", "when": "step > 30 && mean(rho) > 0", "then": ["snapshot"]}),
             *list_of("output.part", {"name": "c", "fields": ["rho", "velocity"], "every_steps": 200}),
             *list_of("output.picture", {"name": "d", "field": "rho", "every_steps": 200}),
             *list_of("output.isosurface", {"name": "e", "field": "velocity.x", "values": [0.01], "fields": ["rho"], "view": [1.0, -2.0, 1.0],
                                            "every_steps": 200})]  # fmt: skip
    cut = tmp_path / "cut"
    more = settings(time__steps=1000000, device__balance_window=0.3)
    with Running("run", "flow.toml", "--dir", "cut", *words, *more, *ranks_words(2), cwd=tmp_path) as run:
        run.wait_for_rows(cut, 4)
        assert divisions(cut) == []
        with slowed(ranks_of(tmp_path, "cut", 2)[1]):
            run.wait_for(lambda: divisions(cut))
        run.wait_for_rows(cut, max(len(rows(cut / "series.csv")) + 20, 31))  # to step 600, the fourth file of each kind
        (cut / "STOP").touch()
        status, text = run.end()
    assert status == 75, text
    first = divisions(cut)[0]
    assert first["before"] == [6144, 6144] and sum(first["after"]) == 12288 and first["after"][1] < 6144, first
    cells = "{} {} -> {} {}".format(*first["before"], *first["after"])
    assert f"step {first['step']}: cells a rank {cells}, for steps that take " in text, text
    assert (cut / f"checkpoint_{first['step']:06}.h5").exists() or len(divisions(cut)) > 1
    last = settings(time__steps=int(newest(cut).stem[-6:]) + 5)
    resumed = succeed("resume", "cut", *last, *ranks_words(1), cwd=tmp_path)
    one = succeed("run", "flow.toml", "--dir", "one", *words, *last, *ranks_words(1), cwd=tmp_path)
    assert_same_end(tmp_path / "one", cut)
    assert_same_averages(tmp_path / "one", cut, "w")
    for kind in ("part_c_*.vtkhdf", "isosurface_e_*.vtkhdf", "picture_[de]_*.png"):
        names = [sorted(path.name for path in folder.glob(kind)) for folder in (tmp_path / "one", cut)]
        assert names[0] == names[1] and len(names[0]) > 3, names
        for name in names[0]:
            assert content(tmp_path / "one" / name) == content(cut / name), name
    log = subprocess.CompletedProcess([], 0, text)
    assert acted(one, "once") == [40] and acted(log, "once") + acted(resumed, "once") == [40]
