"""Runs whose sums are no numbers, or beyond any range, while the state still is: exit status 4, no checkpoint of such a state, sound
ones kept.
"""

import csv
import math

import pytest
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


def test_the_last_sound_checkpoint_outlives_states_whose_sums_are_no_numbers(tmp_path):
    keys = ["time.dt=0.25", "output.checkpoint_every_steps=1", "output.checkpoints_kept=1"]
    result = call("run", "taylor-green/quick", "--dir", "a", *words_of([*keys, "time.steps=30"]), cwd=tmp_path)
    assert result.returncode == 4 and "not a number in the sums of the whole grid at step 3" in result.stderr, result.stderr
    assert [path.name for path in (tmp_path / "a").glob("checkpoint_*")] == ["checkpoint_000002.h5"]
    assert "last good state: a/checkpoint_000002.h5" in result.stderr
    assert "good" in succeed("info", newest(tmp_path / "a"), cwd=tmp_path).stdout


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
    keys = ["time.dt=0.25", "output.checkpoint_every_steps=1", "output.series_every_steps=1000", "time.steps=1"]
    succeed("run", "taylor-green/quick", "--dir", "a", *words_of(keys), cwd=tmp_path)
    result = call("resume", "a", "--set", "time.steps=30", cwd=tmp_path)
    assert result.returncode == 4 and "not a number in the sums of the whole grid at step 3" in result.stderr, result.stderr
    assert newest(tmp_path / "a").name == "checkpoint_000002.h5"


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
