"""tools/check_sources.py: the tree keeps its rules, and each of them can be broken."""

import subprocess
import sys

import pytest
from conftest import root

TOOL = root / "tools" / "check_sources.py"

SMALL = {
    "src/verify/waves.cpp": '// 1.234 in a comment\nconstexpr double known[] = {1.25e-3, 7.77};\nv.near("5.678", error, 0.4321, 512);\n',
    "examples/waves/check.py": "expected = {64: (2.345, 128), 32: (86400, 0.1)}\n",
    "validation/data/waves.csv": "1,2\n",
    "validation/reference/wave.py": "",
    "tests/python/test_waves.py": "import wave\n",
    "validation/README.md": "1 expected number is of programs that nobody has.\n",
    "validation/sources.md": "| file | numbers | kind | source |\n| --- | --- | --- | --- |\n"
                             "| `src/verify/waves.cpp` | @known | script | `wave.py` |\n"
                             "| `src/verify/waves.cpp` | 0.4321 | nobody | a program of 1999 |\n"
                             "| `examples/waves/check.py` | @expected | formula | sin x |\n"
                             "| `validation/data/waves.csv` | - | publication | Euler (1757), Table 1 |\n",
}  # fmt: skip

# (file, text, what takes its place, words of the message)
WRONG = [
    ("src/verify/waves.cpp", "0.4321", "0.4321, 0.999", "src/verify/waves.cpp:3: the number 0.999 has no row"),
    ("src/verify/waves.cpp", "0.4321", "0.4322", "has no number 0.4321"),
    ("examples/waves/check.py", "0.1)}", "0.1)}\nmore = 3.333", "examples/waves/check.py:2: the number 3.333 has no row"),
    ("validation/sources.md", "`wave.py`", "a script", "no script of validation/reference is named"),
    ("validation/sources.md", "`wave.py`", "`other.py`", "validation/reference/other.py does not exist"),
    ("validation/sources.md", "formula | sin x", "formula |", "no source"),
    ("validation/sources.md", "formula", "guess", "the kind `guess` is none of"),
    ("validation/sources.md", "`validation/data/waves.csv`", "`validation/data/tides.csv`", "validation/data/waves.csv: has no row"),
    ("validation/README.md", "1 expected number is", "No expected numbers are", "must say that 1 expected numbers"),
    ("tests/python/test_waves.py", "import wave", "", "validation/reference/wave.py: no test in tests/python runs it"),
]


def run(tree):
    return subprocess.run([sys.executable, TOOL, tree], capture_output=True, text=True)


@pytest.fixture
def small(tmp_path):
    for name, text in SMALL.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_every_expected_number_of_the_tree_has_a_source():
    result = run(root)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_tree_that_keeps_the_rules(small):
    result = run(small)
    assert result.returncode == 0 and "2 script" in result.stdout and "1 nobody" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize("file, text, wrong, message", WRONG)
def test_a_broken_rule_is_named(small, file, text, wrong, message):
    path = small / file
    assert text in path.read_text()
    path.write_text(path.read_text().replace(text, wrong))
    result = run(small)
    assert result.returncode == 1 and message in result.stdout, result.stdout + result.stderr
