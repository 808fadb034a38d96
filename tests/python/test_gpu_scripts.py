"""Scripts of tools/gpu without a GPU: what check.sh gives to compute-sanitizer runs on the CPU, so that its cases and settings are taken;
what libraries.sh collects lets the program start where nothing but its base is installed; ranks.sh on CPU ranks."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rank_runs import on_ranks
from runs import binary, environment, needs_program

pytestmark = [needs_program]
script = Path(__file__).resolve().parents[2] / "tools/gpu/check.sh"
systems = re.findall(r"^case_of\[(\w+)\]=", script.read_text(), re.MULTILINE)

# compute-sanitizer --tool TOOL --error-exitcode 9 PROGRAM run CASE --device gpu ...
sanitizer = """#!/bin/sh
[ "$2" = memcheck ] || exit 0
program=$5 command=$6 case=$7
shift 9
exec "$program" "$command" "$case" --device cpu "$@"
"""


@pytest.mark.parametrize("system", systems)
def test_cases_for_the_sanitizers_run(tmp_path, system):
    for name, text in (("tools/compute-sanitizer", sanitizer), ("pack/bin/watersmeet", f'#!/bin/sh\nexec {binary} "$@"\n')):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    variables = environment()
    variables["PATH"] = f"{tmp_path / 'tools'}:{variables['PATH']}"
    line = ["bash", script, tmp_path / "pack", tmp_path, f"sanitizer-{system}"]
    result = subprocess.run(line, env=variables, capture_output=True, text=True, timeout=120)
    log = tmp_path / f"sanitizer-{system}.log"
    assert "FAILED" not in result.stdout and "exit 0" in result.stdout, result.stdout + log.read_text()
    assert result.stdout.count("memcheck") == result.stdout.count("racecheck") >= 3, result.stdout


def in_bare_root(root, *line):
    variables = {"LD_LIBRARY_PATH": "/pack/lib"}
    return subprocess.run([shutil.which("chroot"), root, *line], env=variables, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root")
def test_packed_libraries_are_enough_on_a_bare_machine(tmp_path):
    collect = script.parent / "libraries.sh"
    base = subprocess.run([collect, "--base", binary], capture_output=True, text=True, check=True).stdout.split()
    loader = re.search(r"interpreter: (\S+)\]", subprocess.run(["readelf", "-l", binary], capture_output=True, text=True, check=True).stdout)[1]
    for file in [*base, loader]:
        place = tmp_path / file.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(Path(file).resolve(), place)  # the CUDA toolkit's libraries take a gigabyte
        except OSError:
            shutil.copy(file, place)
    (tmp_path / "pack").mkdir()
    shutil.copy(binary, tmp_path / "pack/watersmeet")
    assert in_bare_root(tmp_path, "/pack/watersmeet", "--version").returncode != 0  # nothing collected: the test can fail
    subprocess.run([collect, tmp_path / "pack/lib", binary], check=True)
    started = in_bare_root(tmp_path, "/pack/watersmeet", "--version")
    assert started.returncode == 0 and "watersmeet" in started.stdout, started.stdout + started.stderr


def ranks_script(place, name, program):
    line = ["bash", script.parent / "ranks.sh", script.parents[2], place, "cpu", "2", name]
    return subprocess.run(line, env=environment(WATERSMEET_BINARY=str(program)), capture_output=True, text=True, timeout=120).stdout


@on_ranks
def test_cases_on_two_ranks_have_the_bits_of_one(tmp_path):
    assert "equal in every bit: plane-double-2 plane-single-2\n6 passed, 0 failed\n" in ranks_script(tmp_path, "plane", binary)
    other = tmp_path / "program"  # two ranks that take other steps
    other.write_text(f'#!/bin/sh\ncase "$*" in *--ranks*) set -- "$@" --set time.cfl=0.31;; esac\nexec {binary} "$@"\n')
    other.chmod(0o755)
    assert "4 passed, 2 failed" in ranks_script(tmp_path, "plane", other)
