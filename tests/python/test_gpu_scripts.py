"""tools/gpu/check.sh without a GPU: what it gives to compute-sanitizer runs on the CPU, so that its cases and settings are taken."""

import re
import subprocess
from pathlib import Path

import pytest
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
    assert result.stdout.count("memcheck") == result.stdout.count("racecheck") > 3, result.stdout
