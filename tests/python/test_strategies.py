"""Launches an axis with a thread a cell (device.schedule = "axes"): where their strategies do not serve, the keys are refused with what
does; on a CPU they change nothing. Their table against a publication's factors.
"""

import json
import pathlib
import subprocess
import sys

import pytest
from runs import call, needs_program, settings, succeed

pytestmark = [needs_program]

water = """[case]
system = "shallow_water"
[grid]
cells = [16, 12, 1]
[time]
steps = 4
[[initial]]
surface = "1 + 0.01*sin(6.283185307*x)"
[boundary]
x = "periodic"
y = "periodic"
[output]
overview = false
"""
air = """[case]
system = "atmosphere"
[grid]
cells = [12, 10, 8]
upper = [1200, 1000, 800]
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
[time]
steps = 2
[boundary]
x = "periodic"
y = "periodic"
[output]
overview = false
"""
axes = {"device__schedule": '"axes"'}
faults = {
    "single": ("water", {**axes, "numerics__precision": '"single"'}, "double precision only"),
    "limiter": ("water", {**axes, "numerics__reconstruction__limiter": '"minmod"'}, "no limiter"),
    "one row": ("water", {**axes, "grid__cells": "[16, 1, 1]"}, "more than one cell along x and along y"),
    "halo threads without a depot": ("water", {**axes, "device__halo_threads": "true"}, "halo_threads has no effect"),
    "a depot that is not tuned": ("water", {**axes, "device__depot": '"shared"', "device__tuned": "false"}, "compiled with tuned = true only"),
    "a depot of a march": ("water", {"device__depot": '"shuffle"'}, 'this key has no effect with schedule = "auto"'),
    "terrain": ("air", {**axes, "physics__terrain": '"10*sin(2*pi*x/1200)"'}, "needs flat ground"),
    "solver": ("air", {**axes, "numerics__riemann": '"ausm"'}, "needs flat ground"),
    "viscosity": ("air", {**axes, "physics__viscosity": "1"}, "needs flat ground"),
    "one column": ("air", {**axes, "grid__cells": "[1, 10, 8]"}, "more than one cell along every axis"),
    "halo threads of a tile": ("air", {"device__halo_threads": "true"}, 'this key has no effect with schedule = "auto"'),
}  # fmt: skip


@pytest.fixture
def place(tmp_path):
    (tmp_path / "water.toml").write_text(water)
    (tmp_path / "air.toml").write_text(air)
    return tmp_path


@pytest.mark.parametrize("name", faults)
def test_what_no_launch_an_axis_serves_is_refused(place, name):
    case, keys, words = faults[name]
    result = call("check", case + ".toml", *settings(**keys), cwd=place)
    assert result.returncode == 2 and words in result.stderr, result.stderr


def test_another_system_names_whose_keys_they_are(place):
    (place / "gas.toml").write_text('[case]\nsystem = "isothermal"\n[grid]\ncells = [8, 8, 8]\n[time]\nsteps = 1\n')
    result = call("check", "gas.toml", *settings(device__depot='"shared"'), cwd=place)
    assert result.returncode == 2 and "shallow_water" in result.stderr and "atmosphere" in result.stderr, result.stderr


@pytest.mark.parametrize("case", ["water", "air"])
def test_they_are_accepted_and_a_cpu_does_what_it_does(place, case):
    keys = settings(**axes, device__depot='"shuffle"', device__halo_threads="true")
    succeed("check", case + ".toml", *keys, cwd=place)
    succeed("run", case + ".toml", "--dir", "one", "--device", "cpu", cwd=place)
    succeed("run", case + ".toml", "--dir", "other", "--device", "cpu", *keys, cwd=place)
    same = call("diff", "one", "other", cwd=place)
    assert same.returncode == 0, same.stdout + same.stderr


@pytest.mark.parametrize("case", ["water", "air"])
def test_measured_needs_nothing_on_a_cpu_and_defaults_stand_beside_any_schedule(place, case):
    succeed("run", case + ".toml", "--dir", "one", "--device", "cpu", cwd=place)
    cache = {"XDG_CACHE_HOME": str(place / "cache")}
    succeed("run", case + ".toml", "--dir", "other", "--device", "cpu", *settings(device__schedule='"measured"'), cwd=place, env=cache)
    same = call("diff", "one", "other", cwd=place)
    assert same.returncode == 0, same.stdout + same.stderr
    assert not (place / "cache").exists()
    # Every key with its value is a case too.
    succeed("check", "one/resolved.toml", cwd=place)
    succeed("check", "other/resolved.toml", cwd=place)


def row(strategy, nanoseconds, schedule="axes", cells=(1024, 1024, 1), stencil="9-point"):
    return {"cells": list(cells), "precision": "double", "stencil": stencil, "schedule": schedule, "strategy": strategy,
            "ns_per_point_step": 3 * nanoseconds, "ns_per_point_rhs": nanoseconds, "stages": 3, "registers": 64}  # fmt: skip


def test_the_table_has_the_factors_of_the_publication_beside_ours(place):
    rows = [row("base", 0.2), row("tuned", 0.16), row("shared", 0.15), row("shared-halo", 0.12), row("shuffle", 0.14),
            row("shuffle-halo", 0.1), row("-", 0.05, "march"), row("tuned", 0.3, cells=(64, 64, 1))]  # fmt: skip
    (place / "rows.json").write_text(json.dumps({"benchmark": "shallow_water", "device": "a device", "rows": rows}))
    script = pathlib.Path(__file__).parents[2] / "bench" / "strategies.py"
    result = subprocess.run([sys.executable, str(script), "rows.json"], cwd=place, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    text = result.stdout
    # F/H: the fastest depot over the tuned launches without one, 0.16/0.1; the publication's V100 has 70.4/64.3.
    assert "1.60" in text and "1.09" in text and "V100" in text, text
    # The ratio to base, 0.2/0.05, for the march.
    assert "4.00" in text and "march" in text, text
