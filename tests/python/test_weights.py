"""Ranks of unequal speed: weights that a case gives and weights that are measured change no bit of any system's answer on ranks of one
kind. Cases and comparison are those of tools/gpu/hybrid.sh, which puts a GPU in the place of the first rank.
"""

import re
import subprocess
from pathlib import Path

import pytest
import test_atmosphere
import test_boussinesq
import test_globe_ranks
import test_shallow_water
import test_sphere
from rank_runs import assert_same_run, on_ranks, ranks_words
from runs import binary, environment, needs_program, succeed
from test_boussinesq import worst_difference
from test_ranks import by_hand

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
