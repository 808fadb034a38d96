"""Cases with absurd numbers are refused, or answered for, at once: grids, places, widths and lists that no machine holds. What a
check looks at may not grow with them.
"""

import resource

import pytest
from runs import call, needs_program

pytestmark = needs_program

# Case, settings, part of what is said. A grid that a larger machine may hold is a note, and the exit status 3.
refused = [
    ("single-bubble/quick", ["initial[2].shape.centre=[1e300, 0, 0]"], "a centre at x = 1e+300 is too large"),
    ("single-bubble/quick", ["initial[2].shape.centre=[-9223372036854775808, 0, 0]"], "a centre at x = -9.22337e+18"),
    ("single-bubble/quick", ["initial[2].shape.smoothing=1.7e308"], "a half width of inf"),
    ("single-bubble/quick", ["initial[2].shape.radius=1.7e308"], "the radius 1.7e+308"),
    ("helium-cylinder/quick", ["initial[2].shape.centre=[1e300, 0, 0]"], "a centre at x = 1e+300"),
    ("bubble-row/quick", ["initial[2].shape.gap=1e300"], "a centre at x = 1e+300"),
    ("heated-cavity/quick", ["grid.cells=[32,2147483647,32]"], "2147483647 in y; must be 10000000 or less along each axis"),
    ("williamson-5/quick", ["grid.cells=2147483647"], "2147483647 in x; must be 10000000 or less"),
    ("williamson-5/quick", ["grid.cells=2147483647", "source[].surface=1"], "2147483647 in x; must be 10000000 or less"),  # beside what cannot be read
    ("taylor-green/quick", ["output.spectra_every=0.1", "grid.upper=[1,1,4e9]"], "spectra of this box would have 1.81e+11 shells"),
    ("naca0012/quick", ["grid.mesh.cells=[1000000,1000000]"], "the coordinates of so many nodes alone take"),
]  # fmt: skip
answered = [
    ("bubble-row/quick", ["initial[2].shape.count=1000000"]),
    ("bubble-row/quarter-32", ["grid.cells=[128,100000,100000]"]),
    ("heated-cavity/quick", ["grid.cells=[20000,20000,20000]"]),
    ("rayleigh-benard/quick", ["grid.cells=[10000000,2,2]"]),
    ("warm-bubble/quick", ["grid.cells=[10000000,1,64]"]),
    ("schar-mountain/quick", ["grid.cells=[10000,10000,64]"]),
]  # fmt: skip


def timed(case, settings, folder):
    """The result and the processor time of the check, which another load of the machine does not change."""
    words = [word for setting in settings for word in ("--set", setting)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = call("check", case, *words, cwd=folder, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("case, settings, words", refused, ids=str)
def test_what_no_machine_holds_is_refused_at_once(case, settings, words, tmp_path):
    result, seconds = timed(case, settings, tmp_path)
    assert result.returncode == 2 and words in result.stderr, result.stderr[-2000:]
    assert seconds < 1


@pytest.mark.parametrize("case, settings", answered, ids=str)
def test_what_is_only_large_is_answered_at_once(case, settings, tmp_path):
    result, seconds = timed(case, settings, tmp_path)
    assert result.returncode in (0, 3) and ": ok" in result.stdout, result.stderr[-2000:]
    assert seconds < 2
