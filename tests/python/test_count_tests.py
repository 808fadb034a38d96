"""tools/count_tests.py against reports written here in the three dialects."""
import pathlib
import subprocess
import sys

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "count_tests.py"

CTEST = """<testsuite name="x" tests="4" failures="1" disabled="0" skipped="1">
<testcase name="a" status="run"/><testcase name="b" status="fail"><failure message="Failed"/></testcase>
<testcase name="c" status="notrun"><skipped message="no GPU"/></testcase><testcase name="d" status="run"/></testsuite>"""
GTEST = """<testsuites tests="2"><testsuite name="S"><testcase name="a" status="run"/>
<testcase name="b" status="notrun"/></testsuite></testsuites>"""
PYTEST = """<testsuites><testsuite name="pytest"><testcase name="a"/><testcase name="b"><error message="x"/></testcase>
</testsuite></testsuites>"""


def count(*paths):
    out = subprocess.run([sys.executable, TOOL, *paths], capture_output=True, text=True, check=True).stdout
    return [int(word) for word in out.split()]


def test_each_dialect_and_their_sum(tmp_path):
    paths = []
    for name, text in (("ctest", CTEST), ("gtest", GTEST), ("pytest", PYTEST)):
        paths.append(tmp_path / f"{name}.xml")
        paths[-1].write_text(text)
    assert count(paths[0]) == [2, 1, 1]
    assert count(paths[1]) == [1, 0, 1]
    assert count(paths[2]) == [1, 1, 0]
    assert count(*paths) == [4, 2, 2]


def test_a_missing_or_broken_report_is_a_failure(tmp_path):
    broken = tmp_path / "broken.xml"
    broken.write_text("<testsuite><testcase")
    assert count(tmp_path / "absent.xml") == [0, 1, 0]
    assert count(broken) == [0, 1, 0]
