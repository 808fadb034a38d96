"""tools/check_docs.py on small trees written here."""
import pathlib
import subprocess
import sys

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_docs.py"


def check(root, *more):
    done = subprocess.run([sys.executable, TOOL, *more, root], capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_links(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "here.md").write_text("# The way, in short\n[up](../README.md) [self](#the-way-in-short)\n")
    (tmp_path / "README.md").write_text(
        "[a](docs/here.md) [b](docs/here.md#the-way-in-short) [c](https://example.org/x) `[code](nowhere.md)`\n"
        "```\n[fenced](nowhere.md)\n```\n")
    assert check(tmp_path) == (0, [])
    (tmp_path / "README.md").write_text("fine\n[a](docs/gone.md)\n[b](docs/here.md#other)\n[c](#none)\n")
    status, lines = check(tmp_path)
    assert status == 1
    assert [line.split(": ")[0] for line in lines] == ["README.md:2", "README.md:3", "README.md:4"]
    assert "no such file" in lines[0] and "no such heading" in lines[1] and "no such heading" in lines[2]


def test_commands(tmp_path):
    program = tmp_path / "watersmeet"
    program.write_text("#!/bin/sh\necho 'Usage: watersmeet COMMAND'\necho 'Commands:'\necho '  run   runs'\n")
    program.chmod(0o755)
    (tmp_path / "README.md").write_text(
        "watersmeet fly\n```\n$ watersmeet run case.toml\n./wm run x\n./wm test\n./wm swim\nwatersmeet test\n```\n")
    status, lines = check(tmp_path, "--program", program)
    assert status == 1
    assert [line.split(": ")[0] for line in lines] == ["README.md:6", "README.md:7"]


def test_names_in_backticks(tmp_path):
    (tmp_path / "src" / "run").mkdir(parents=True)
    (tmp_path / "src" / "run" / "table_file.cpp").write_text("int read_table(); class SampleFile; // \"wall_\" + name, --fast\n")
    right = ("`run/table_file` `src/run/*.cpp` `run/NAME.cpp` `read_table()` `SampleFile` `wall_pressure` `run --fast` `GB/s` `x_NAME`\n"
             "```\n`run/gone.cpp` `gone_name`\n```\n")
    (tmp_path / "README.md").write_text(right)
    assert check(tmp_path) == (0, [])
    wrong = ["run/gone.cpp", "gone.cpp", "gone_name", "System::gone", "gone()", "GoneName", "run --gone"]
    (tmp_path / "README.md").write_text(right + "".join(f"`{name}`\n" for name in wrong))
    status, lines = check(tmp_path)
    assert status == 1 and len(lines) == len(wrong), lines
    assert all(f"`{name}`" in line for name, line in zip(wrong, lines)), lines


def test_names_of_other_programs(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("| their input | their other | our key |\n| --- | --- | --- |\n| `their_name` | `other_name` | `README` |\n\n| key |\n| --- |\n| x |\n")
    assert check(tmp_path) == (0, [])
    page.write_text(page.read_text().replace("`README`", "`our_name`").replace("| x |", "| `a_name` |"))
    status, lines = check(tmp_path)
    assert status == 1 and [line.split(": ")[0] for line in lines] == ["README.md:3", "README.md:7"]


def test_names_of_one_system_and_of_every_one(tmp_path):
    for folder in ("src/systems/air/side", "src/systems/water", "tests/unit/x"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src/systems/air/equations.hpp").write_text("struct Air { void blow(); };\n")
    (tmp_path / "src/systems/water/equations.hpp").write_text("struct Water { void flow(); };\n")
    (tmp_path / "src/systems/air/side/keys.cpp").write_text("")
    (tmp_path / "tests/unit/x/side_test.cpp").write_text("")
    (tmp_path / "README.md").write_text("`systems/<name>/equations.hpp` `systems/air/side/keys.cpp` `side_test.cpp` `Air::blow()`\n")
    (tmp_path / "src/systems/air/README.md").write_text("`side/keys.cpp` `keys.cpp` `equations.hpp`\n")
    assert check(tmp_path) == (0, [])
    (tmp_path / "src/systems/water/README.md").write_text("`side/keys.cpp`\n`keys.cpp`\n")  # the other system's
    (tmp_path / "README.md").write_text("`systems/<name>/side/keys.cpp`\n`side_*.cpp`\n`Air::flow()`\n")
    status, lines = check(tmp_path)
    assert status == 1
    assert [line.split(": `")[0] for line in lines] == [f"{page}README.md:{n}" for page, last in (("", 3), ("src/systems/water/", 2)) for n in range(1, last + 1)]


def test_the_list_of_folders(tmp_path):
    for folder in ("src/io", "src/systems/mhd", "docs"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file.hpp").write_text("")
    page = tmp_path / "docs" / "architecture.md"
    right = "# Plan\n```\ncmake/     a build\nsrc/       all of it\n  io/      files\n  systems/\n    mhd/   fields\n```\n"
    page.write_text(right)
    assert check(tmp_path) == (0, [])
    page.write_text(right.replace("  systems/\n    mhd/   fields\n", "  systems/mhd/, systems/, solve/   several\n"))
    status, lines = check(tmp_path)
    assert status == 1 and lines == ["docs/architecture.md:6: src/solve/ is no folder of the tree"]
    page.write_text(right.replace("    mhd/   fields\n", ""))
    status, lines = check(tmp_path)
    assert status == 1 and lines == ["docs/architecture.md:4: the list of folders lacks src/systems/mhd/"]


def test_listings(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "flux.hpp").write_text("struct Flux {\n  int a;\n\n  int b;\n};\n")
    page = tmp_path / "README.md"
    right = "# Flux\n```cpp src/flux.hpp\nint a;\n\nint b;\n```\n```cpp\nint c;\n```\n"
    page.write_text(right)
    assert check(tmp_path) == (0, [])
    for wrong in (right.replace("int b;", "int  b;"), right.replace("\n\n", "\n"), right.replace("int b;", "  int b;")):
        page.write_text(wrong)
        assert check(tmp_path) == (1, ["README.md:2: listing of src/flux.hpp: these are not consecutive lines of the file"])
    page.write_text(right.replace("flux.hpp", "gone.hpp"))
    assert check(tmp_path) == (1, ["README.md:2: listing of src/gone.hpp: no such file"])
