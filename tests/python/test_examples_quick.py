"""Small examples as users start them, by name, each with the verdict of its own check. In a file of their own, because
files of tests are what goes side by side.
"""

import re

import pytest
from runs import call, needs_program, settings, succeed

pytestmark = needs_program


@pytest.mark.parametrize("name", ["sine-decay", "sound-wave", "explosion", "alfven-wave", "orszag-tang", "sod", "gas-liquid-tube", "shu-osher",
                                  "interface-advection", "helium-cylinder", "rayleigh-collapse", "single-bubble",
                                  "bubble-row"])
def test_the_small_examples_run_to_their_end(place, name):
    result = call("run", f"{name}/quick", "--device", "cpu", cwd=place, timeout=900)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "done   t = " in result.stdout
    verdicts = result.stdout.split("checks     ")[1]
    number, total = re.search(r"^(\d+) of (\d+) checks hold$", verdicts, re.MULTILINE).groups()
    assert number == total != "0", verdicts


def test_an_example_with_changed_settings_is_not_judged(place):
    changed = succeed("run", "sine-decay/quick", *settings(time__steps=2, output__overview="false"), cwd=place)
    assert "checks     " not in changed.stdout
