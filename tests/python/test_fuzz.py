"""tools/fuzz.sh with the fuzzer of this build, which changes inputs at random where libFuzzer would look at what they reach: a second of each
reader, and a fault that is made on purpose."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import root
from fault_runs import interposer
from runs import environment

build = os.environ.get("WATERSMEET_BUILD")
fuzzer = Path(build or "", "tests/fuzz/fuzzer")
corpus = root / "tests/fuzz/corpus"
readers = sorted(path.name for path in corpus.iterdir())
pytestmark = pytest.mark.skipif(build is None or not fuzzer.exists(), reason="no build with tests: set WATERSMEET_BUILD")


def fuzzed(place, program, *words):
    variables = environment(WATERSMEET_FUZZER=str(program), WATERSMEET_FUZZ_OUT=str(place), WATERSMEET_FUZZ_TIMEOUT="60")
    return subprocess.run([root / "tools/fuzz.sh", *words], env=variables, capture_output=True, text=True, timeout=300)


def test_a_second_of_each_reader(tmp_path):
    result = fuzzed(tmp_path, fuzzer, "1")
    assert result.returncode == 0, result.stdout + result.stderr
    numbers = dict(re.findall(r"^(\w+): ([1-9]\d*) executions", result.stdout, re.MULTILINE))
    assert sorted(numbers) == readers
    assert not list((tmp_path / "found").iterdir())


def test_a_fault_is_counted_and_its_input_is_kept(tmp_path):
    # The program is killed when it writes the file that it reads for the 20th time.
    killed = tmp_path / "fuzzer"
    killed.write_text(f'#!/bin/sh\nexport LD_PRELOAD="{interposer(tmp_path)}" FAULT_FOLDER="$WATERSMEET_FUZZ_FOLDER" FAULT_AT=20 FAULT_ERROR=kill FAULT_CALLS=write\nexec "{fuzzer}" "$@"\n')
    killed.chmod(0o755)
    result = fuzzed(tmp_path / "out", killed, "10", "mesh_file")
    assert result.returncode == 1, result.stdout + result.stderr
    assert result.stdout.endswith(" 1 faults\n")
    (kept,) = (tmp_path / "out/found").iterdir()
    assert kept.name.startswith("mesh_file-") and kept.stat().st_size > 0


def test_the_corpus_is_small():
    assert sum(path.stat().st_size for path in corpus.rglob("*") if path.is_file()) <= 2e6
