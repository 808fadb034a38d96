"""Checks of an example: one line per check with value, expectation and verdict; the exit status says if all held."""

from __future__ import annotations

import sys


class Checks:
    """Collects checks and prints each as it is made.

    Attributes:
        failed: number of checks that did not hold.

    >>> from watersmeet import Checks
    >>> checks = Checks()
    >>> checks.near("energy at the start", 0.1251, 0.125, relative=0.01)
    energy at the start                               0.1251  expected 0.125 +- 0.00125                    ok
    True
    >>> checks.below("mass drift", 3e-6, 1e-6)
    mass drift                                         3e-06  expected at most 1e-06                       FAILED
    False
    >>> checks.status
    1
    """

    def __init__(self):
        self.made = 0
        self.failed = 0

    def _line(self, name: str, value: float, expectation: str, held: bool) -> bool:
        self.made += 1
        self.failed += not held
        print(f"{name:42s}  {value:>12.7g}  expected {expectation:34s}  {'ok' if held else 'FAILED'}")
        return held

    def near(self, name: str, value: float, expected: float, *, relative: float = 0.0, absolute: float = 0.0) -> bool:
        """|value - expected| <= max(relative |expected|, absolute); not a number fails. Returns the verdict."""
        allowed = max(relative * abs(expected), absolute)
        return self._line(name, value, f"{expected:.9g} +- {allowed:.3g}", abs(value - expected) <= allowed)

    def below(self, name: str, value: float, limit: float) -> bool:
        """value <= limit; not a number fails."""
        return self._line(name, value, f"at most {limit:.6g}", value <= limit)

    def above(self, name: str, value: float, limit: float) -> bool:
        """value >= limit; not a number fails."""
        return self._line(name, value, f"at least {limit:.6g}", value >= limit)

    def note(self, name: str, value: float) -> None:
        """Print a number that is not judged."""
        print(f"{name:42s}  {value:>12.7g}")

    @property
    def status(self) -> int:
        """0 when checks were made and all held, else 1."""
        return 0 if self.made and not self.failed else 1


def round_off(precision: str, double: float, single: float) -> float:
    """The tolerance that belongs to a run's precision ("double" or "single")."""
    return single if precision == "single" else double


def main(run_check) -> None:
    """Body of an example's check.py: `check.py DIR` runs the checks on a run directory and exits with their status.

    Exit status 0: all held; 1: a check failed; 2: the directory cannot be read.
    """
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} RUN_DIRECTORY", file=sys.stderr)
        sys.exit(2)
    try:
        checks = run_check(sys.argv[1])
    except (OSError, ValueError, KeyError, ImportError) as error:
        print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        sys.exit(2)
    print(f"{checks.made - checks.failed} of {checks.made} checks hold")
    sys.exit(checks.status)
