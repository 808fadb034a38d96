"""Runs whose solution is streamed from host memory: files, an end by SIGKILL, what the command line says."""

import json

import pytest
import watersmeet

from rank_runs import on_ranks, ranks_words
from runs import Running, arrays, assert_no_part_files, assert_same_end, call, flow, list_of, needs_program, newest, settings, succeed

pytestmark = needs_program
streamed = settings(device__memory='"stream"')
long_flow = flow.replace("[12, 10, 8]", "[12, 10, 41]").replace("4.0]", "20.0]")


shore = """[case]
system = "shallow_water"
[grid]
cells = [13, 45, 1]
upper = [2.0, 6.0, 1.0]
[physics]
bed = "-0.5 + 0.4*x + 0.1*cos(2*y)"
[numerics]
wet_dry = true
[boundary]
x_lower = { kind = "level", surface = "0.05*sin(9*t + 2*y)" }
y_upper = "open"
[time]
steps = 20
[[initial]]
velocity = ["0.1*sin(2*y)", 0.1, 0]
[output]
overview = false
"""
hills = """[case]
system = "atmosphere"
[grid]
cells = [9, 41, 6]
upper = [2e3, 6e3, 1e3]
[physics]
reference = { kind = "stratified", theta = 300, brunt_vaisala = 0.01 }
wind = [5, 3, 0]
terrain = "60*exp(-((x - 900)/400)^2)"
[boundary]
y = "periodic"
[time]
steps = 20
[[initial]]
theta = "sin(x/300)*cos(2*pi*y/6e3)"
[output]
overview = false
"""


gas = """[case]
system = "multicomponent"
[grid]
cells = [13, 9, 41]
upper = [1.0, 1.0, 3.0]
[physics.fluids]
light = { gamma = 1.4, density = 1.0 }
heavy = { gamma = 1.6, density = 3.0 }
[boundary]
z = "absorbing"
[time]
steps = 20
[[initial]]
fluid = "light"
pressure = 1.0
velocity = [0.3, 0.1, 0.2]
[[initial]]
fluid = "heavy"
pressure = 3.0
shape = { kind = "sphere", centre = [0.5, 0.4, 1.2], radius = 0.4, smoothing = 2 }
[output]
overview = false
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(long_flow)
    return tmp_path


@pytest.mark.parametrize(
    "case, at, fields",
    [(long_flow, "[3.1, 2.2, 11.0]", '"rho", "velocity"'), (shore, "[0.9, 3.1, 0.5]", '"surface", "vorticity"'),
     (hills, "[900.0, 3.1e3, 400.0]", '"theta_perturbation", "velocity"')],
    ids=["flow", "shore", "hills"])
def test_a_streamed_run_writes_what_a_resident_one_writes(place, case, at, fields):
    (place / "flow.toml").write_text(case)
    probe = ("--set", f'output.probe=[{{name="p", at={at}, fields=[{fields}]}}]', "--set", f"output.fields=[{fields}]")
    words = settings(output__every_steps=7, output__series_every_steps=2, output__checkpoint_every_steps=5)
    succeed("run", "flow.toml", "--dir", "a", *words, *probe, cwd=place)
    said = succeed("run", "flow.toml", "--dir", "b", *words, *probe, *streamed, *settings(stream__segments=4, stream__fused_steps=1), cwd=place)
    assert "streamed from host memory in 4 segments" in said.stdout and "for the window" in said.stdout
    assert_same_end(place / "a", place / "b")
    assert_no_part_files(place)
    assert "streamed from host memory" in succeed("check", "flow.toml", *streamed, cwd=place).stdout


@pytest.mark.parametrize("system", ["isothermal", "mhd"])  # the one has spectra of stored variables, the other of the field too
@pytest.mark.parametrize("fused", [1, 2])
def test_spectra_of_a_streamed_run_are_those_of_a_resident_one(place, system, fused):
    words = settings(case__system=f'"{system}"', output__spectra_every_steps=4, time__steps=10, time__dt=0.01)
    if system == "mhd":
        words += ("--set", 'physics.background_field=[0.1, 0, 0.2]')
    succeed("run", "flow.toml", "--dir", "a", *words, cwd=place)
    succeed("run", "flow.toml", "--dir", "b", *words, *streamed, *settings(stream__segments=4, stream__fused_steps=fused), cwd=place)
    assert len((place / "a" / "spectra.csv").read_text().splitlines()) > 40
    assert_same_end(place / "a", place / "b")


@pytest.mark.parametrize("width", [12, 32])  # rows of the host's array are with padding, and without
def test_a_killed_streamed_run_goes_on_to_the_bit(place, width):
    words = settings(output__checkpoint_every_steps=4, output__every_steps=6, output__series_every_steps=1, time__dt=0.01)
    words += settings(grid__cells=f"[{width},10,41]")
    start = ("run", "flow.toml", "--dir", "a", "--resume=auto", *words, *streamed)
    with Running(*start, *settings(time__steps=20000), cwd=place) as run:
        run.wait_for(lambda: len(list((place / "a").glob("checkpoint_*.h5"))) > 1)
        run.kill()
    last = int(newest(place / "a").stem[-6:]) + 9
    succeed(*start, *settings(time__steps=last), cwd=place)
    succeed("run", "flow.toml", "--dir", "b", *words, *settings(time__steps=last), cwd=place)
    assert_same_end(place / "a", place / "b")


def test_keys_without_effect_and_cases_that_cannot_be_streamed_are_told(place):
    for command in (("check", "flow.toml"), ("run", "flow.toml", "--dir", "c")):
        said = succeed(*command, *settings(stream__segments=4, stream__fused_steps=2), cwd=place)
        assert said.stdout.count("not used: the solution is not streamed from host memory") == 2
        assert "stream.segments" in said.stdout and "stream.fused_steps" in said.stdout
    result = call("run", "flow.toml", "--dir", "d", *streamed, *settings(device__verify_every=2), cwd=place)
    assert result.returncode == 2 and "this case cannot be streamed: device.verify_every" in result.stderr
    result = call("check", "flow.toml", *streamed, *settings(stream__segments=40), cwd=place)
    assert result.returncode == 2 and "segments at most" in result.stderr and "--> --set stream.segments=40" in result.stderr
    thin = settings(grid__cells="[12,10,20]", time__scheme='"rk4-carpenter-kennedy"', physics__shock_viscosity=2)
    result = call("check", "flow.toml", *streamed, *thin, cwd=place)
    assert result.returncode == 2 and "too few to be streamed" in result.stderr and "--> --set device.memory" in result.stderr
    assert not (place / "d").exists()


def test_a_resumed_run_has_no_note_of_keys_that_nobody_gave(place):
    succeed("run", "flow.toml", "--dir", "a", *settings(time__steps=2), cwd=place)
    assert "note" not in succeed("resume", "a", *settings(time__steps=4), cwd=place).stdout


def test_check_predicts_the_seconds_of_a_step(place):
    def estimate(*words):
        return json.loads(succeed("check", "flow.toml", "--json", *words, cwd=place).stdout)

    resident, kept = estimate(), estimate(*streamed)
    for one in (resident, kept):
        assert 0 < one["seconds_per_step"] < 10
        assert one["seconds"] == pytest.approx(one["seconds_per_step"] * one["steps"])
    assert "GB/s each way" in succeed("check", "flow.toml", *streamed, cwd=place).stdout


# Cases with a scalar of each system that is streamed, and a number of ranks that leaves their planes whole.
averaged = {
    "isothermal": (long_flow, "rho"),
    "shock viscosity": (long_flow.replace("41]", "121]").replace("20.0]", "60.0]").replace("viscosity = 0.02", "viscosity = 0.02\nshock_viscosity = 1.0"), "rho"),
    "mhd": (long_flow.replace("isothermal", "mhd").replace("viscosity = 0.02", "viscosity = 0.02\nresistivity = 0.02"), "rho"),
    "multicomponent": (gas, "p"),
    "shallow_water": (shore, "depth"),
    "atmosphere": (hills, "rho"),
}


def average(scalar, **more):
    return list_of("output.average", {"name": "a", "mean": [scalar, "velocity"], "variance": ["velocity.x"], "covariance": [f"{scalar}, velocity.y"],
                                      **more})


def files_of(run):
    found = {file.path.name: ([file.attrs[key] for key in ("t_begin", "averaged_over", "samples")], arrays(file.path))
             for file in watersmeet.open(run).averages["a"]}
    assert found
    return found


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("name", averaged)
def test_averages_of_a_streamed_run_have_the_bits_of_a_resident_one(name, precision, place):
    """Steps one by one have the same length. Of visits of several steps it is given; a visit ends with each state that is taken."""
    case, scalar = averaged[name]
    (place / "case.toml").write_text(case)
    window = {"from": 0.0, "every": {"shallow_water": 0.05, "atmosphere": 2.0}.get(name, 0.1)}
    one = ("--precision", precision, *average(scalar, **window, **({} if name == "atmosphere" else {"profile": "y"})))
    succeed("run", "case.toml", "--dir", "a", *one, cwd=place)
    succeed("run", "case.toml", "--dir", "b", *one, *streamed, *settings(stream__segments=4, stream__fused_steps=1), cwd=place)
    assert files_of(place / "a") == files_of(place / "b") and len(files_of(place / "a")) > 1
    steps = watersmeet.open(place / "a").series["dt"]
    fixed = settings(time__dt=steps[steps > 0].min() / 2)
    for stride in (1, 2, 3):
        third = ("--precision", precision, *average(scalar, sample_every_steps=stride), *fixed)
        succeed("run", "case.toml", "--dir", f"c{stride}", *third, cwd=place)
        said = succeed("run", "case.toml", "--dir", f"d{stride}", *third, *streamed, *settings(stream__segments=3, stream__fused_steps=2), cwd=place)
        assert "2 steps a visit" in said.stdout
        assert files_of(place / f"c{stride}") == files_of(place / f"d{stride}")


@on_ranks
def test_averages_of_streamed_ranks_go_on_with_the_same_bits(place):
    words = (*average("rho", sample_every_steps=2, profile="x"), *settings(time__steps=9, time__dt=0.01))
    succeed("run", "flow.toml", "--dir", "a", *words, cwd=place)
    succeed("run", "flow.toml", "--dir", "b", *words, *streamed, *settings(stream__fused_steps=2, time__steps=4), *ranks_words(2), cwd=place)
    succeed("resume", "b", *settings(time__steps=7, device__memory='"resident"'), cwd=place)
    succeed("resume", "b", *settings(time__steps=9, device__memory='"stream"'), *ranks_words(2), cwd=place)
    assert files_of(place / "a") == files_of(place / "b")
    assert (place / "a/profile_a.csv").read_text() == (place / "b/profile_a.csv").read_text()
