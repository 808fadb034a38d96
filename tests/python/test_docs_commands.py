"""Every command, case and Python block of the documents runs, on small grids where the page would take long, and prints what the
page says. tools/doc_blocks.py says how blocks are written. What is left out is counted in docs/how-to/README.md.
"""
import collections
import fnmatch
import json
import re
import sys

import pytest
import runs
from conftest import root
from runs import binary, needs_program

sys.path.insert(0, str(root / "tools"))
import check_docs
import doc_blocks

run_elsewhere = {root / "docs" / "new-system.md"}  # test_example_system.py
pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]


def name_of(page):
    return page.relative_to(root).as_posix()


def is_run(block):
    return block.language in ("sh", "python", "toml", "text")


@pytest.mark.parametrize("page", pages, ids=name_of)
def test_blocks_name_their_language(page):
    for block in doc_blocks.blocks_of(page):
        assert block.language in doc_blocks.LANGUAGES, f"{name_of(page)}:{block.line}: {block.language or 'no language'}"
        assert block.left_out in (None, *doc_blocks.REASONS), f"{name_of(page)}:{block.line}: {block.left_out}"
    indented = [line for line in page.read_text().splitlines() if re.match(r"    +(\$ )?(watersmeet|\./wm|python3|cmake|mpirun|srun) ", line)]
    fenced = "\n".join(block.text for block in doc_blocks.blocks_of(page)).splitlines()
    assert [line for line in indented if line not in fenced] == [], "commands belong in fenced blocks, so that they are run"


@needs_program
@pytest.mark.parametrize("page", [page for page in pages if any(map(is_run, doc_blocks.blocks_of(page))) and page not in run_elsewhere], ids=name_of)
def test_blocks_do_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # tests run side by side
    monkeypatch.delenv("NO_COLOR", raising=False)
    reader = doc_blocks.Reader(binary, tmp_path, root)
    for block in doc_blocks.blocks_of(page):
        if is_run(block):
            try:
                reader.take(block)
            except AssertionError as error:
                raise AssertionError(f"{name_of(page)}:{block.line}: {error}") from None


@pytest.mark.parametrize("page", sorted((root / "docs" / "errors").glob("*.md")), ids=name_of)
def test_messages_that_no_command_makes_here_stand_in_the_sources(page):
    """The error index shows some messages of other machines, such as those of a build with CUDA."""
    sources = [path.read_text() for suffix in ("cpp", "cu", "hpp") for path in (root / "src").rglob(f"*.{suffix}")]
    texts = " ".join(re.sub(r"\"\s*\"", "", source) for source in sources)  # strings that continue in the next line
    before = None
    for block in doc_blocks.blocks_of(page):
        if block.language == "text" and (before is None or before.language != "sh"):
            for piece in filter(None, re.split(r"\s*\.\.\.\s*|\n", block.text)):
                assert piece in texts, f"{name_of(page)}:{block.line}: {piece}"
        before = block


def test_what_is_left_out_is_counted():
    """The table of docs/how-to/README.md is what the pages hold."""
    blocks = [block for page in pages for block in doc_blocks.blocks_of(page)]
    found = collections.Counter(f"`# not run by the tests: {block.left_out}`" for block in blocks if block.left_out)
    found["a fragment of TOML that names no file"] = sum(block.is_fragment for block in blocks)
    text = (root / "docs/how-to/README.md").read_text().split("| first line | blocks |")[1]
    assert {reason: int(number) for reason, number in re.findall(r"^\| (.+?) \| (\d+) \|$", text, re.MULTILINE)} == dict(found)


def test_output_of_a_page_is_compared(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\necho one; echo 'two  2'; exit 3\n# exit status 3\n```\n```text\none\n... 2\n```\n")
    commands, output = doc_blocks.blocks_of(page)
    reader = doc_blocks.Reader("/bin/true", tmp_path, root)
    reader.take(commands)
    reader.take(output)
    for wrong in ("two 2\none", "thr...", "one 1"):
        output.text, reader.compared = wrong, True
        with pytest.raises(AssertionError, match="the page says"):
            reader.take(output)
    commands.text = "exit 0\n# exit status 3"
    with pytest.raises(AssertionError, match="status 0 in place of 3"):
        reader.take(commands)


def test_small_flags_reach_runs_alone(tmp_path):
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "[$*]"\n')
    program.chmod(0o755)
    reader = doc_blocks.Reader(program, tmp_path, root)
    reader.take(doc_blocks.Block(1, "sh", "", "watersmeet run a.toml\n./wm keys time", small="--set 'grid.cells=[4, 4, 4]'"))
    assert reader.output == "[run a.toml --set grid.cells=[4, 4, 4]]\n[keys time]\n" and not reader.compared
    reader.take(doc_blocks.Block(1, "sh", "", "# not run by the tests: needs a GPU\nfalse"))
    assert reader.output is None


def test_changes_of_a_case_replace_its_tables():
    case = doc_blocks.merged({"a": {"b": 1, "c": [1]}, "d": 2}, {"a": {"c": [{"e": True}]}, "f": "x"})
    assert case == {"a": {"b": 1, "c": [{"e": True}]}, "d": 2, "f": "x"}
    assert doc_blocks.toml_of(case["a"]) == '{"b" = 1, "c" = [{"e" = true}]}'


@needs_program
def test_keys_that_pages_name_exist():
    """Names such as `time.cfl` in the text of the pages are keys, or begin one, of some system."""
    listed = json.loads(runs.call("keys", "--json", cwd=root).stdout)
    keys = {re.sub(r"\bNAME\b", "*", key["key"].replace("[]", "")) for key in listed}
    sections = {key.split(".")[0] for key in keys}
    unknown = []
    for page in pages:
        for number, line, fenced in check_docs.lines_of(page):
            for name in [] if fenced else re.findall(r"`([a-z_]+\.[\w.]+)(?: = [^`]*)?`", line):
                known = any(fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name, f"{pattern}.*") for key in keys
                            for pattern in [".".join(key.split(".")[: name.count(".") + 1])])
                if name.split(".")[0] in sections and not known and not name.endswith(".toml"):
                    unknown.append(f"{name_of(page)}:{number}: {name}")
    assert unknown == []
