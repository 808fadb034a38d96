"""What `watersmeet check` says of a case before it is run: initial states that are not finite, sides of which nothing is said, more
threads or ranks than processors, and folders that hold no files.
"""

import os

import pytest
from runs import call, flow, needs_program, settings, succeed

pytestmark = needs_program

box = "[grid]\ncells = [16, 16, 16]\nupper = [4.0, 4.0, 4.0]\n[time]\nend = 1.0\n[output]\noverview = false\n"
infinite = "exp(1e4*x)"
states = {
    "isothermal": f'velocity = ["{infinite}", "0", "0"]',
    "mhd": f'velocity = ["0", "{infinite}", "0"]',
    "boussinesq": f'temperature = "{infinite}"',
    "atmosphere": f'theta = "{infinite}"',
}


@pytest.mark.parametrize("system", states)
def test_an_infinite_initial_state_is_refused(system, tmp_path):
    more = {"boussinesq": "[physics]\nviscosity = 0.1\n", "atmosphere": '[physics.reference]\nkind = "neutral"\n'}.get(system, "")
    (tmp_path / "case.toml").write_text(f'[case]\nsystem = "{system}"\n{box}{more}[[initial]]\n{states[system]}\n')
    for command in ("check", "run"):
        result = call(command, "case.toml", cwd=tmp_path)
        assert result.returncode == 2, (command, result.stdout)
        assert f"initial[0].{states[system].split()[0]} is inf" in result.stderr and "--> case.toml" in result.stderr
    assert not (tmp_path / "runs").exists()


def test_an_infinite_density_is_found_where_the_step_does_not_see_it(tmp_path):
    (tmp_path / "case.toml").write_text(f'[case]\nsystem = "isothermal"\n{box}[[initial]]\ndensity = "{infinite}"\n')
    result = call("check", "case.toml", cwd=tmp_path)
    assert result.returncode == 2 and "initial[0].density is inf" in result.stderr, result.stdout
    # On a grid that is too large for the trial the coarse one shows it: a note, for its cells are others.
    result = succeed("check", "case.toml", *settings(grid__cells="[128,128,128]"), cwd=tmp_path)
    assert "note: the trial steps on 32 x 32 x 32 cells failed: initial[0].density is inf" in result.stdout, result.stdout


def test_a_trial_takes_no_steps_that_the_case_has_not(tmp_path):
    """This flow is not resolved, and its density falls below what numbers hold some 90 steps after the end of the case."""
    (tmp_path / "case.toml").write_text(
        '[case]\nsystem = "isothermal"\n[grid]\ncells = [12, 12, 12]\n[physics]\nviscosity = 0.02\n'
        '[[initial]]\nvelocity = ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0]\n'
    )
    result = succeed("check", "case.toml", "--device", "cpu", *settings(time__steps=4), cwd=tmp_path)
    assert "note" not in result.stdout and "measured in trial steps" in result.stdout, result.stdout


# A larger one, which takes about a tenth of a second, is for runs of more than a minute.
def test_a_run_that_is_soon_over_has_a_small_trial(tmp_path):
    (tmp_path / "case.toml").write_text(flow)
    said = succeed("check", "case.toml", "--device", "cpu", *settings(grid__cells="[128,128,128]", time__steps=1), cwd=tmp_path).stdout
    assert "trial steps of 32 x 32 x 32 cells" in said, said


sides = {
    "multicomponent": ("absorbing", '[physics.fluids.air]\ngamma = 1.4\ndensity = 1.0\n[[initial]]\nfluid = "air"\npressure = "1"\n'),
    "boussinesq": ("no_slip", "[physics]\nviscosity = 0.1\n"),
    "atmosphere": ("wall", '[physics.reference]\nkind = "neutral"\n'),
}


@pytest.mark.parametrize("system", sides)
def test_sides_of_which_nothing_is_said_are_named(system, tmp_path):
    usual, more = sides[system]
    (tmp_path / "case.toml").write_text(f'[case]\nsystem = "{system}"\n{box}{more}')

    def line(*words):
        text = succeed("check", "case.toml", *words, cwd=tmp_path).stdout
        return next(row.split(None, 1)[1] for row in text.splitlines() if row.split()[0] == "boundary")

    axes = "xy" if system == "atmosphere" else "xyz"
    assert line() == ", ".join(f"{axis} {usual} (default)" for axis in axes) + "        (others: watersmeet keys boundary)"
    given = {"multicomponent": "reflecting", "boussinesq": "free_slip", "atmosphere": "open"}[system]
    text = line("--set", f'boundary.x_lower="{given}"', "--set", 'boundary.y="periodic"')
    assert text.startswith(f"x_lower {given}, x_upper {usual} (default), y periodic"), text
    every = [word for axis in axes for word in ("--set", f'boundary.{axis}="periodic"')]
    assert line(*every) == ", ".join(f"{axis} periodic" for axis in axes)


def test_more_threads_than_processors_are_noted(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    count = len(os.sched_getaffinity(0))
    words = f"{count + 1} threads take turns on {count} processor"
    assert words in succeed("check", "flow.toml", "--threads", count + 1, cwd=tmp_path).stdout
    assert f"note: {words}" in succeed("run", "flow.toml", *settings(time__steps=1), "--threads", count + 1, cwd=tmp_path).stdout
    assert "take turns" not in succeed("check", "flow.toml", "--threads", count, cwd=tmp_path).stdout
    result = call("check", "flow.toml", "--threads", 0, cwd=tmp_path)
    assert result.returncode == 2 and "`--threads` must be a whole number greater than 0, at most 4096; not `0`" in result.stderr


def test_a_folder_that_holds_no_files_cannot_be_written(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    result = call("run", "flow.toml", "--dir", "/proc/x", cwd=tmp_path)
    assert result.returncode == 3 and "error: cannot write into /proc:" in result.stderr, result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_another_number_is_not_suggested(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    result = call("check", "flow.toml", "--set", 'time.scheme="rk4"', cwd=tmp_path)
    assert result.returncode == 2 and 'did you mean "rk4-carpenter-kennedy"?' in result.stderr, result.stderr
    assert '"rk3-williamson", "rk3-cubism", "rk2", "rk4-carpenter-kennedy"' in result.stderr
