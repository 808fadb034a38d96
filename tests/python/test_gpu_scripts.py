"""Scripts of tools/gpu without a GPU: what check.sh gives to compute-sanitizer runs on the CPU, so that its cases and settings are taken;
what libraries.sh collects lets the program start where nothing but its base is installed; ranks.sh on CPU ranks; faults.sh with faults of
host memory, and its library below a driver that does nothing; soak.sh for some seconds."""

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
    assert "equal in every bit: limiter-double-2 limiter-single-2\n6 passed, 0 failed\n" in ranks_script(tmp_path, "limiter", binary)
    other = tmp_path / "program"  # two ranks that take other steps
    other.write_text(f'#!/bin/sh\ncase "$*" in *--ranks*) set -- "$@" --set time.cfl=0.31;; esac\nexec {binary} "$@"\n')
    other.chmod(0o755)
    assert "4 passed, 2 failed" in ranks_script(tmp_path, "plane", other)


driver = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
int cuMemAlloc_v2(void** p, unsigned long bytes) { *p = (void*)bytes; return 0; }
int cuLaunchKernel(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k) {
  return a + b + c + d + e + f + g + h + i + j + 2 * k == 77 ? 0 : 1;
}
int cuMemcpyAsync(void* to, const void* from, unsigned long bytes, void* stream) { return memcpy(to, from, bytes) == stream ? 1 : 0; }
int cuStreamSynchronize(void* stream) { return stream == 0 ? 0 : 1; }
int cuGetProcAddress_v2(const char* name, void** found, int version, unsigned long flags, int* result) {
  *found = !strcmp(name, "cuMemAlloc") ? (void*)cuMemAlloc_v2 : !strcmp(name, "cuLaunchKernel") ? (void*)cuLaunchKernel
         : !strcmp(name, "cuMemcpyAsync") ? (void*)cuMemcpyAsync : !strcmp(name, "cuStreamSynchronize") ? (void*)cuStreamSynchronize : 0;
  *result = version + (int)flags;
  return *found == 0;
}
"""
uses_driver = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int n, char** words) {
  void* const library = dlopen(words[n - 1], RTLD_NOW);
  int (*address)(const char*, void**, int, unsigned long, int*) = dlsym(library, "cuGetProcAddress_v2");
  int (*allocate)(void**, unsigned long), (*launch)(long, long, long, long, long, long, long, long, long, long, long);
  int (*copy)(void*, const void*, unsigned long, void*), (*wait)(void*), result = 0;
  void* p = 0;
  char from[] = "abc", to[] = "xyz";
  if (address("cuMemAlloc", (void**)&allocate, 12000, 7, &result) || address("cuLaunchKernel", (void**)&launch, 12000, 0, &result)) return 2;
  if (address("cuMemcpyAsync", (void**)&copy, 12000, 0, &result) || address("cuStreamSynchronize", (void**)&wait, 12000, 0, &result)) return 2;
  if (address("cuNothing", &p, 12000, 5, &result) != 1 || result != 12005) return 2;
  printf("%d ", allocate(&p, 4096));
  for (int k = 0; k < 2; ++k) printf("%d ", launch(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  launch = dlsym(library, "cuLaunchKernel");
  printf("%d ", launch(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  printf("%d %d %s %p", copy(to, from, 3, 0), wait(0), to, p);
}
"""


def test_calls_of_the_driver_fail_as_they_are_told_to(tmp_path):
    for name, text, words in (("libcuda.so.1", driver, ["-shared", "-fPIC"]), ("program", uses_driver, ["-w"])):
        (tmp_path / "text.c").write_text(text)
        subprocess.run(["cc", "-o", tmp_path / name, tmp_path / "text.c", *words], check=True, capture_output=True, text=True)
    source, library = script.parents[2] / "tests/faults/device.c", tmp_path / "device.so"
    line = ["cc", "-std=c11", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source]
    subprocess.run(line, check=True, capture_output=True, text=True)

    def said(**more):
        variables = environment(LD_PRELOAD=str(library), DEVICE_FAULT_LOG=str(tmp_path / "log"), **{f"DEVICE_FAULT_{key}": value for key, value in more.items()})
        result = subprocess.run([tmp_path / "program", tmp_path / "libcuda.so.1"], env=variables, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        return result.stdout, (tmp_path / "log").read_text().splitlines()

    counts = ["allocate 1", "launch 3", "copy 1", "fill 0", "wait 1", "host 0"]
    assert said() == ("0 0 0 0 0 0 abc 0x1000", counts)
    assert said(CALLS="launch", AT="3", ERROR="719") == ("0 0 0 719 0 0 abc 0x1000", [*counts, "failed cuLaunchKernel 3"])
    assert said(CALLS="launch,wait", AT="2", ERROR="719", LASTS="1")[0] == "0 0 719 719 719 719 xyz 0x1000"
    assert said(CALLS="copy", AT="1", ERROR="700")[0] == "0 0 0 0 700 0 xyz 0x1000"
    assert said(AT="1", ERROR="2") == ("2 0 0 0 0 0 abc (nil)", [*counts, "failed cuMemAlloc 1"])


def faults_script(place, program):
    variables = environment(FAULT_ROUNDS="2", FAULT_SECONDS="100000")
    line = ["bash", script.parent / "faults.sh", program, place, "cpu", "plane"]
    result = subprocess.run(line, env=variables, capture_output=True, text=True, timeout=300)
    return result.returncode, result.stdout


def test_runs_whose_memory_is_refused_end_well_and_go_on(tmp_path):
    status, text = faults_script(tmp_path, binary)
    assert status == 0 and re.search(r"^host +0 +2 +2 +0\n2 tried in \d+ s, 0 wrong", text, re.MULTILINE), text + (tmp_path / "faults.log").read_text()
    other = tmp_path / "program"  # a program that says nothing
    other.write_text(f'#!/bin/sh\n[ -z "$DEVICE_FAULT_AT" ] || {{ {binary} "$@" >/dev/null 2>&1; exit $?; }}\nexec {binary} "$@"\n')
    other.chmod(0o755)
    status, text = faults_script(tmp_path, other)
    assert status == 1 and text.count("the message does not say what failed") == 2 and "2 wrong" in text, text


def soak_script(place, program, **variables):
    line = ["bash", script.parent / "soak.sh", program, place, "--device", "cpu", "3s", "plane"]
    result = subprocess.run(line, env=environment() | variables, capture_output=True, text=True, timeout=500)
    return result.returncode, result.stdout


@pytest.mark.parametrize("variables", [{}, {"PARTS_GPU": "0"}], ids=["in turn", "at the same time"])
def test_a_long_run_and_its_parts_have_the_same_bits(tmp_path, variables):
    status, text = soak_script(tmp_path, binary, **variables)
    assert status == 0 and "0 faults" in text and re.search(r"plane: \d+ steps without a stop and in \d+ parts", text), text
    assert all(re.search(rf"^plane +{quantity} +[0-9.]+ +[0-9.]+$", text, re.MULTILINE) for quantity in ("host memory, MB", "descriptors")), text
    other = tmp_path / "program"  # parts that take other steps
    other.write_text(f'#!/bin/sh\ncase "$*" in *"--dir parts"*) set -- "$@" --set time.cfl=0.31;; esac\nexec {binary} "$@"\n')
    other.chmod(0o755)
    status, text = soak_script(tmp_path, other, **variables)
    assert status == 1 and "the bits differ" in text and "1 faults" in text, text
    mark = tmp_path / "failed"  # the first part fails, and the one that resumes it would not
    other.write_text(f'#!/bin/sh\ncase "$*" in *"--dir parts"*) [ -e {mark} ] || {{ touch {mark}; exit 5; }};; esac\nexec {binary} "$@"\n')
    status, text = soak_script(tmp_path, other, **variables)
    assert status == 1 and "plane: part 1 ended with status 5" in text and "1 faults" in text, text
