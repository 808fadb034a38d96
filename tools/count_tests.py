#!/usr/bin/env python3
"""Count the tests in JUnit reports of CTest, GoogleTest and pytest.

Usage: count_tests.py REPORT.xml...     prints three numbers: passed failed skipped
A report that is missing or cannot be read counts as one failure: a test program that died is not a pass.
"""
import sys
import xml.etree.ElementTree as xml


def count(path):
    """Return (passed, failed, skipped) of one report."""
    try:
        cases = list(xml.parse(path).getroot().iter("testcase"))
    except (OSError, xml.ParseError):
        return 0, 1, 0
    passed = failed = skipped = 0
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
            failed += 1
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


if __name__ == "__main__":
    print(*(sum(column) for column in zip((0, 0, 0), *map(count, sys.argv[1:]))))
