"""Runs whose sums are no numbers, or beyond any range, or whose step is too long, while the state still is: exit status 4, no
checkpoint of such a state, sound ones kept.
"""

import csv
import json
import math
import re

import pytest
from example_runs import examples
from runs import call, needs_program, newest, succeed

pytestmark = needs_program


def words_of(keys):
    return [word for key in (*keys, "output.overview=false") for word in ("--set", key)]


@pytest.mark.parametrize("case, keys, said", [
    ("taylor-green", ['initial=[{velocity=["1e160",0,0]}]', "time.steps=4"], "u_rms is nan"),
    ("heated-cavity", ["boundary.x_lower.temperature=1e300", "time.steps=3"], "nusselt_thermal is nan"),
    ("warm-bubble", ["physics.reference.pressure=1e300", "time.steps=3"], "energy is inf"),
    ("naca0012", ["physics.freestream.mach=1e-300", "time.steps_max=3"], "cl is nan"),
    ("naca0012", ["physics.freestream.density=1e-300", "time.steps_max=3"], "entropy_error is nan"),
    ("dam-break", ['initial=[{depth="1e155"}]', "time.steps=3"], "initial_energy of the whole grid is"),
    ("sod", ['initial=[{fluid="gas", pressure=1.0, velocity=["1e155", 0, 0]}]', "time.steps=3"], "not a number in E at step 0"),
], ids=["isothermal", "boussinesq", "atmosphere", "aerodynamics-mach", "aerodynamics-density", "shallow_water", "multicomponent"])  # fmt: skip
def test_sums_that_are_no_numbers_end_the_run(case, keys, said, tmp_path):
    result = call("run", f"{case}/quick", "--dir", "a", *words_of(keys), cwd=tmp_path)
    assert result.returncode == 4 and said in result.stderr, result.stdout + result.stderr
    assert not list((tmp_path / "a").glob("checkpoint_*"))
    with open(tmp_path / "a/series.csv", encoding="utf-8") as file:
        table = [row for row in csv.reader(file) if not row[0].startswith("#")]
    assert all(math.isfinite(float(number)) for row in table[1:] for number in row)


def test_the_only_checkpoint_that_is_kept_outlives_a_failed_state(tmp_path):
    keys = [*slowly_failing, "output.checkpoints_kept=1"]
    result = call("run", "taylor-green/quick", "--dir", "a", *words_of(keys), cwd=tmp_path)
    assert result.returncode == 4, result.stdout + result.stderr
    step = int(re.search(r"at step (\d+)", result.stderr)[1])
    assert [path.name for path in (tmp_path / "a").glob("checkpoint_*")] == [f"checkpoint_{step - 1:06}.h5"]
    assert f"last good state: a/checkpoint_{step - 1:06}.h5" in result.stderr
    assert "good" in succeed("info", newest(tmp_path / "a"), cwd=tmp_path).stdout


@pytest.mark.parametrize("case, keys", [
    ("lock-exchange", ["time.dt=0.7", "time.steps=14"]),
    ("lock-exchange", ["time.dt=1", "grid.cells=[32,1,32]"]),
    ("taylor-green", ["time.dt=0.25"]),
    ("alfven-wave", ["time.dt=2", "time.end=100"]),
    ("warm-bubble", ["time.dt=2", "time.steps=5"]),
    ("warm-bubble", ["time.dt=1", "time.end=17"]),
    ("dam-break", ["time.dt=0.06"]),
    ("sod", ["time.dt=0.015"]),
], ids=str)  # fmt: skip
def test_a_given_step_that_is_far_too_long_ends_the_run(case, keys, tmp_path):
    """Some of these would come to their end with finite numbers."""
    result = call("run", f"{case}/quick", "--dir", "a", *words_of([*keys, "output.series_every_steps=1"]), cwd=tmp_path)
    assert result.returncode == 4, result.stdout + result.stderr
    said = re.search(r"its Courant number is (\S+), and the scheme is stable up to (\S+)\n", result.stderr)
    assert said and float(said[1]) > 1.15 * float(said[2]), result.stderr
    assert not list((tmp_path / "a").glob("checkpoint_*")) and "--set time.dt=" in result.stderr


def test_a_uniform_flow_may_be_stepped_beyond_any_limit(tmp_path):
    """It has no waves that could grow."""
    keys = ['initial=[{depth="2", velocity=["1", "0", "0"]}]', "time.dt=1", "time.steps=5", "boundary={x=\"periodic\", y=\"periodic\"}"]
    succeed("run", "dam-break/quick", "--dir", "a", *words_of([*keys, "output.series_every_steps=1"]), cwd=tmp_path)


# A step that is too long by less than that: the state is spoiled little by little. Values at the start: u_rms 0.5, Mach number 0.1.
slowly_failing = ["grid.cells=[24,24,24]", "time.dt=0.03", "time.steps=60", "output.checkpoint_every_steps=1"]


def test_a_run_goes_on_from_a_checkpoint_that_later_rows_confirmed(tmp_path):
    result = call("run", "taylor-green/quick", "--dir", "a", *words_of(slowly_failing), cwd=tmp_path)
    assert result.returncode == 4, result.stdout + result.stderr
    failed = int(re.search(r"at step (\d+)", result.stderr)[1])
    names = sorted(path.name for path in (tmp_path / "a").glob("checkpoint_*"))
    assert names == [f"checkpoint_{failed - 3:06}.h5"] + [f"checkpoint_{failed - n:06}.h5.old" for n in (2, 1)]
    assert f"last good state: a/{names[0]}" in result.stderr
    succeed("resume", "a", *words_of(["time.dt=0.01"]), cwd=tmp_path)
    with open(tmp_path / "a/series.csv", encoding="utf-8") as file:
        last = list(csv.DictReader(row for row in file if not row.startswith("#")))[-1]
    assert 0.09 < float(last["mach_max"]) < 0.11 and abs(float(last["mass_drift"])) < 1e-4, last


def test_a_resumed_run_that_fails_at_once_keeps_the_state_it_began_from(tmp_path):
    words = words_of(["time.steps=10", "output.checkpoint_every_steps=5"])
    succeed("run", "taylor-green/quick", "--dir", "a", *words, cwd=tmp_path)
    result = call("resume", "a", "--set", "time.steps=20", "--set", "time.dt=0.25", cwd=tmp_path)
    assert result.returncode == 4 and "last good state: a/checkpoint_000010.h5" in result.stderr, result.stderr
    assert sorted(path.name for path in (tmp_path / "a").glob("checkpoint_*")) == ["checkpoint_000005.h5", "checkpoint_000010.h5"]


def test_mass_that_a_closed_box_cannot_lose_ends_the_run(tmp_path):
    """The step follows from the signal; a flow of twelve times the speed of sound is too much for the grid."""
    keys = ['initial=[{velocity=["60*sin(x)*cos(y)*cos(z)", "-60*cos(x)*sin(y)*cos(z)", 0]}]', "time.steps=60"]
    result = call("run", "taylor-green/quick", "--dir", "a", *words_of([*keys, "output.series_every_steps=1"]), cwd=tmp_path)
    assert result.returncode == 4 and "its magnitude must be at most 0.1" in result.stderr, result.stdout + result.stderr


@pytest.mark.parametrize("case, initial", [
    ("taylor-green", '{{density="exp({}*sin(x))"}}'),
    ("sod", '{{fluid="gas", pressure=1.0, density="exp({}*sin(2*pi*x))"}}'),
], ids=["isothermal", "multicomponent"])  # fmt: skip
def test_a_density_beyond_its_range_ends_the_run(case, initial, tmp_path):
    """All numbers are finite. The ratio of the densities is exp(2 * 15) = 1e13, and exp(2 * 13) = 2e11."""
    words = words_of([f"initial=[{initial.format(15)}]", "time.steps=0"])
    result = call("run", f"{case}/quick", "--dir", "a", *words, cwd=tmp_path)
    assert result.returncode == 4 and "values beyond the range of the equations at step 0" in result.stderr, result.stderr
    assert "its ratio at most 1e+12" in result.stderr and not list((tmp_path / "a").glob("checkpoint_*"))
    succeed("run", f"{case}/quick", "--dir", "b", *words_of([f"initial=[{initial.format(13)}]", "time.steps=0"]), cwd=tmp_path)


def test_a_resumed_run_keeps_no_state_whose_sums_are_no_numbers(tmp_path):
    keys = [*slowly_failing, "output.series_every_steps=1000", "time.steps=1"]
    succeed("run", "taylor-green/quick", "--dir", "a", *words_of(keys), cwd=tmp_path)
    result = call("resume", "a", "--set", "time.steps=30", cwd=tmp_path)
    assert result.returncode == 4, result.stdout + result.stderr
    step = int(re.search(r"at step (\d+)", result.stderr)[1])
    assert newest(tmp_path / "a").name == f"checkpoint_{step - 3:06}.h5"


@pytest.mark.parametrize("scheme, limit", [("rk3-williamson", 1.09), ("rk3-cubism", 1.09), ("rk4-carpenter-kennedy", 2.1), ("rk2", 1.26)])
def test_a_step_beyond_the_limit_of_an_isothermal_scheme_is_refused(scheme, limit, tmp_path):
    for cfl, status in ((limit * 0.99, 0), (limit * 1.02, 2), ("1e30", 2)):
        result = call("check", "taylor-green/quick", "--set", f"time.scheme={scheme}", "--set", f"time.cfl={cfl}", cwd=tmp_path)
        assert result.returncode == status, result.stdout + result.stderr
        assert status == 0 or f"{scheme} is unstable at cfl = " in result.stderr


def test_a_steady_run_that_diverges_ends_as_one(tmp_path):
    result = call("run", "bump/quick", "--dir", "a", *words_of(["time.cfl=3", "time.steps_max=120"]), cwd=tmp_path)
    assert result.returncode == 4 and "times the first one at cycle" in result.stderr, result.stdout + result.stderr
    assert not list((tmp_path / "a").glob("checkpoint_*"))


def test_a_residual_far_above_the_first_confirms_no_state(tmp_path):
    keys = ["time.cfl=2.2", "output.checkpoint_every_steps=1", "output.series_every_steps=1"]
    result = call("run", "bump/quick", "--dir", "a", *words_of(keys), cwd=tmp_path)
    assert result.returncode == 4, result.stdout + result.stderr
    with open(tmp_path / "a/series.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(row for row in file if not row.startswith("#")))
    sound = [int(row["step"]) for row in table if float(row["log_residual"]) <= 2]
    assert newest(tmp_path / "a").name == f"checkpoint_{sound[-3]:06}.h5"


@pytest.mark.parametrize("example", ["taylor-green", "magnetised-decay"])
def test_five_stages_have_longer_steps_by_default(example, tmp_path):
    """By 1.7 / 0.9 where waves bound the step, 0.45 / 0.25 where diffusion does; what is given stays."""
    text = re.sub("(?m)^cfl = .*\n", "", (examples / example / "quick.toml").read_text(encoding="utf-8"))
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    steps = []
    for number, keys in enumerate(([], ["time.scheme=rk4-carpenter-kennedy"], ["time.scheme=rk4-carpenter-kennedy", "time.cfl=0.9", "time.cfl_viscous=0.25"])):
        succeed("run", "a.toml", "--dir", f"{number}", *words_of(["time.steps=4", *keys]), cwd=tmp_path)
        lines = [json.loads(line) for line in (tmp_path / f"{number}/telemetry.jsonl").read_text(encoding="utf-8").splitlines()]
        steps.append([line["t"] for line in lines if "t" in line][-1])
    assert steps[2] == pytest.approx(steps[0], rel=1e-3)
    assert steps[1] == pytest.approx(1.85 * steps[0], rel=0.05)
