"""What `watersmeet check --gpus N` predicts, against the efficiencies of docs/scaling.md; where the numbers of its model come from."""

import json
import pathlib
import subprocess
import sys

import pytest
from runs import call, needs_program, settings, succeed

root = pathlib.Path(__file__).parents[2]
no_gpu = {"CUDA_VISIBLE_DEVICES": ""}

# Rows of scaling-systems.json: a case of the same system, size and method.
glider = """[case]
system = "aerodynamics"
[numerics]
precision = "double"
order = {order}
dissipation = "scalar"
multigrid = {{ levels = {levels}, cycle = "V", pre = 1, post = 1, sequencing = false }}
[time]
first_order_cycles = 0
steps_max = 10
[grid]
mesh = {{ kind = "glider15", size = "1500k" }}
[physics]
freestream = {{ mach = 6.0, alpha_deg = 5.0 }}
[boundary]
vehicle = "slip_wall"
base = "slip_wall"
symmetry = "symmetry"
inflow = "supersonic_inflow"
outflow = "supersonic_outflow"
"""
water = """[case]
system = "shallow_water"
[grid]
cells = [8192, 8192, 1]
lower = [0, 0, 0]
upper = [1, 1, 1]
[time]
steps = 1
[[initial]]
surface = "1 + 0.1*sin(2*pi*x)"
"""
fields = """[case]
system = "mhd"
[grid]
cells = [256, 256, 256]
[physics]
energy = "entropy"
viscosity = 1e-3
resistivity = 1e-3
[time]
steps = 1
[[initial]]
potential = ["sin(y)", "sin(z)", "sin(x)"]
"""
convection = ["rayleigh-benard/quick", *settings(grid__cells="[384,384,192]")]
cube = settings(grid__cells="[512,512,512]")
cases = {
    "isothermal-single": ["taylor-green/quick", "--precision", "single", *cube],
    "isothermal-double": ["taylor-green/quick", *cube],
    "isothermal-small": ["taylor-green/quick", "--precision", "single", *settings(grid__cells="[256,256,256]")],
    "mhd-double": ["fields.toml"],
    "multicomponent": ["gas-liquid-tube/quick", "--precision", "single", *cube],
    "shallow-water": ["water.toml"],
    "atmosphere-flat": ["warm-bubble/quick", *settings(grid__cells="[1024,512,128]")],
    "atmosphere-sphere": ["dcmip31/quick", *settings(grid__cells="[296,296,128]")],
    "boussinesq-fft": [*convection, *settings(numerics__pressure__solver='"fft"')],
    "boussinesq-mg": [*convection, *settings(numerics__pressure__solver='"mg"')],
    "aerodynamics 1 1": ["glider-1-1.toml"],
    "aerodynamics 1 2V": ["glider-1-2.toml"],
    "aerodynamics 3 1": ["glider-3-1.toml"],
    "aerodynamics 3 2V": ["glider-3-2.toml"],
}


# Measured in turn before stages stored the ghosts of other GPUs, and while hosts counted the cycles of several GPUs.
outdated = [("isothermal-small", 4), ("boussinesq-mg", 4)]


def measured():
    """(name, GPUs): row of strong scaling, by the transport that a run takes."""
    rows = json.loads((root / "bench/results/nvidia-h200/scaling-systems.json").read_text())["rows"]
    return {(" ".join([r["name"], *(r[k] for k in ("order", "grids") if k in r)]), r["ranks"]): r
            for r in rows if r.get("scaling") == "strong" and r["transport"] == "peer"}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "water.toml").write_text(water)
    (tmp_path / "fields.toml").write_text(fields)
    for order, levels in ((1, 1), (1, 2), (3, 1), (3, 2)):
        (tmp_path / f"glider-{order}-{levels}.toml").write_text(glider.format(order=order, levels=levels))
    return tmp_path


def predicted(*words, cwd):
    told = json.loads(call("check", *words, "--json", cwd=cwd, env=no_gpu).stdout)
    return told["prediction"]


def test_every_row_of_strong_scaling_has_a_case():
    assert {name for name, gpus in measured()} == set(cases)


@needs_program
@pytest.mark.parametrize("name, gpus", [(n, g) for n in cases for g in (2, 4) if (n, g) not in outdated])
def test_efficiencies_are_within_15_percent_of_the_measured_ones(place, name, gpus):
    row = measured()[name, gpus]
    efficiency = row["efficiency"]
    overlap = settings(device__overlap='"on"') if row["overlap"] else []  # rows in halves, which are no longer chosen
    told = predicted(*cases[name], *overlap, "--gpus", gpus, cwd=place)
    assert told["recorded"] and told["gpus"] and told["computing"] == gpus
    assert abs(told["efficiency"] / efficiency - 1) < 0.15
    # Slower than one GPU only where that was measured.
    assert (told["fastest_ranks"] == 1) == (efficiency < 1 / gpus)


@needs_program
def test_check_prints_how_the_grid_is_cut_and_what_that_gains(place):
    words = ["taylor-green/quick", *settings(grid__cells="[256,256,256]")]
    text = succeed("check", *words, "--gpus", 4, cwd=place, env=no_gpu).stdout
    told = predicted(*words, "--gpus", 4, cwd=place)
    assert told["ranks_along"] == [1, 1, 4] and told["exchanges_per_step"] == 3
    # Both faces of a slab with the edges that touch them, three layers of four fields in double, three times.
    assert told["bytes_per_step"] == 3 * 2 * 3 * (262 * 262 - 4 * 9) * 4 * 8
    [line] = [line for line in text.splitlines() if line.startswith("  ranks")]
    assert line.startswith("  ranks      4 GPUs, 1 x 1 x 4: ")
    assert f"{1e3 * told['seconds_per_step']:.3g} ms a step" in line
    assert f"{told['speed_up']:.3g} times as fast as one, efficiency {100 * told['efficiency']:.0f} %" in line
    assert f"{1e3 * told['message_seconds_per_step']:.3g} ms of it for 3 exchanges of " in text
    assert "all as recorded on NVIDIA H200 (docs/scaling.md)" in text and " on 4 GPUs, as predicted" in text
    assert "MiB on each GPU" in text and "slower" not in text
    assert json.loads(call("check", *words, "--json", cwd=place, env=no_gpu).stdout)["prediction"] is None


@needs_program
def test_check_names_gpus_that_are_slower_than_fewer(place):
    words = ["taylor-green/quick", *settings(grid__cells="[32,32,32]"), "--gpus", 4]
    result = succeed("check", *words, cwd=place, env=no_gpu)  # certain only on the recorded GPU
    told = predicted(*words, cwd=place)
    assert told["fastest_ranks"] == 1 and told["efficiency"] < 0.25
    assert f"note: 4 GPUs are predicted to be slower than 1: {1e3 * told['seconds_per_step']:.3g} ms a step instead of " in result.stdout
    assert f"an efficiency of {100 * told['efficiency']:.0f} %" in result.stdout and "device.slower_ranks=true" in result.stdout
    assert "slower" not in succeed("check", *words, *settings(device__slower_ranks="true"), cwd=place, env=no_gpu).stdout


@needs_program
def test_methods_without_a_record_are_said_to_have_none(place):
    words = ["taylor-green/quick", *settings(grid__cells="[128,128,128]", physics__shock_viscosity=2.0), "--gpus", 2]
    assert "none was recorded with these methods" in succeed("check", *words, cwd=place, env=no_gpu).stdout
    assert not predicted(*words, cwd=place)["recorded"]


@needs_program
def test_ranks_of_the_cpu_share_its_processors(place):
    words = ["taylor-green/quick", *settings(grid__cells="[32,32,32]"), "--device", "cpu", "--ranks", 2]
    text = succeed("check", *words, cwd=place).stdout
    assert "  ranks      2 CPU ranks, 1 x 1 x 2: " in text and "times as fast as one with all threads" in text
    assert "an assumption; steps as measured here" in text and "slower" not in text
    told = predicted(*words, cwd=place)
    assert told["efficiency"] == told["speed_up"] <= 1 and not told["gpus"]


@needs_program
def test_prediction_is_refused_for_what_no_host_has(place):
    for words, expected in ((["--gpus", 2, "--ranks", 2], "give one of them"), (["--gpus", 2000], "at most 1024; not `2000`")):
        result = call("check", "taylor-green/quick", *words, cwd=place, env=no_gpu)
        assert result.returncode == 2 and expected in result.stderr
    # As a run would.
    along = settings(device__ranks_along="[1,1,3]")
    result = call("check", "taylor-green/quick", "--gpus", 2, *along, cwd=place, env=no_gpu)
    assert result.returncode == 2 and "must be the number of ranks, 2" in result.stderr


def test_recorded_speeds_are_those_of_the_result_files():
    tool = [sys.executable, root / "tools/recorded_speeds.py", root / "bench/results/nvidia-h200"]
    lines = subprocess.run(tool, capture_output=True, text=True, check=True).stdout.splitlines()
    table = (root / "src/run/recorded_speeds.cpp").read_text()
    assert len(lines) > 20
    numbers = [line.strip().split("  //")[0] for line in lines]
    assert [line for line in numbers if line not in table] == [] and table.count("Precision::") == len(numbers)
    links = json.loads((root / "bench/results/nvidia-h200/scaling.json").read_text())["model"]
    wanted = [links[way][key] for way in ("in_turn", "halves") for key in ("seconds", "seconds_per_byte")]
    text = (root / "src/run/recorded_speeds.hpp").read_text()
    given = text.split("Link gpu_link{")[1].split("}")[0].split(",")[:4]
    assert [float(number) for number in given] == pytest.approx(wanted, rel=1e-3)
