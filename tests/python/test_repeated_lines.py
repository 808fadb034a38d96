"""tools/repeated_lines.py on small trees written here."""
import pathlib
import subprocess
import sys

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "repeated_lines.py"
BLOCK = [f"  total += weight[{n}] * value({n});" for n in range(15)]


def run(root, files, *options):
    for name, lines in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    result = subprocess.run([sys.executable, TOOL, "--root", root, *options], capture_output=True, text=True)
    assert result.returncode in (0, 1) and not result.stderr, result.stderr
    return result.returncode, result.stdout.splitlines()


def test_a_block_of_two_systems_fails(tmp_path):
    copied = ["// a copy"] + [line.replace(" ", "") + "  // taken over" for line in BLOCK] + ["int b;"]
    copied.insert(5, "/* a remark\n   of two lines */")
    files = {"src/systems/one/a.cpp": ["#include <cmath>", "int a;"] + BLOCK + ["int c;"], "src/systems/two/b.hpp": copied}
    expected = ["15 lines: src/systems/one/a.cpp:3-17 and src/systems/two/b.hpp:2-18"]
    assert run(tmp_path, files) == (1, expected)
    assert run(tmp_path, files, "--systems") == (1, expected)
    assert run(tmp_path, files, "--lines", "16") == (0, [])
    assert run(tmp_path, files, "src/systems/one") == (0, [])


def test_a_block_of_one_system_or_layer_is_only_reported(tmp_path):
    files = {"src/systems/one/a.cpp": BLOCK, "src/systems/one/b.cpp": BLOCK, "src/mesh/c.cpp": BLOCK[:11]}
    assert run(tmp_path, files) == (0, ["15 lines: src/systems/one/a.cpp:1-15 and src/systems/one/b.cpp:1-15"])
    assert run(tmp_path, files, "--systems") == (0, [])
    assert len(run(tmp_path, files, "--lines", "11")[1]) == 3


def test_other_names_and_texts_are_equal_on_request(tmp_path):
    other = [line.replace("total", "sum").replace("value", "density") for line in BLOCK]
    files = {"src/systems/one/a.cpp": BLOCK, "src/systems/two/b.cpp": other, "src/systems/two/c.cpp": ['say("// no comment");']}
    assert run(tmp_path, files) == (0, [])
    assert run(tmp_path, files, "--fold") == (1, ["15 lines: src/systems/one/a.cpp:1-15 and src/systems/two/b.cpp:1-15"])
    assert run(tmp_path, files, "--fold", "--lines", "1", "src/systems/two/c.cpp") == (0, [])


def test_a_table_whose_rows_are_alike_is_reported_once(tmp_path):
    rows = [f"  {{{n}, name}}," for n in [7] * 20]
    assert len(run(tmp_path, {"src/mesh/a.cpp": rows, "src/exec/b.cpp": rows}, "--fold")[1]) == 1
