"""The notebooks: each runs to its end in a process of its own, what it asserts holds, and the files are kept in one form."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import root

pytest.importorskip("matplotlib")

NOTEBOOKS = sorted((root / "notebooks").glob("*.ipynb"))
RUNNER, TOOL = Path(__file__).with_name("run_notebook.py"), root / "tools" / "check_notebooks.py"


def code_of(path):
    return "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code")


def run(path, folder):
    return subprocess.run([sys.executable, "-W", "error::DeprecationWarning:__main__", RUNNER, path], cwd=folder, capture_output=True, text=True,
                          timeout=300, env={**os.environ, "OMP_NUM_THREADS": "1"})


def test_every_system_has_a_notebook_and_is_linked():
    systems = {path.name for path in (root / "src" / "systems").iterdir() if path.is_dir()}
    assert {path.stem for path in NOTEBOOKS} == systems
    for page in ("notebooks/README.md", "docs/start/{}.md"):
        for system in systems:
            assert f"{system}.ipynb)" in (root / page.format(system)).read_text()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_notebook_asserts_holds(path, tmp_path):
    pytest.importorskip("watersmeet._engine", reason="no module watersmeet._engine: the build found no nanobind (tools/nanobind.sh)")
    assert code_of(path).count("assert ") >= 3
    result = run(path, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert not any(tmp_path.iterdir())


def notebook(*sources):
    cells = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Title"]}]
    cells += [{"cell_type": "code", "execution_count": None, "id": f"b{i}", "metadata": {}, "outputs": [], "source": source.splitlines(keepends=True)}
              for i, source in enumerate(sources)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def written(folder, content):
    path = folder / "one.ipynb"
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    return path


def test_a_cell_that_fails_is_named(tmp_path):
    result = run(written(tmp_path, notebook("x = 1", "assert x == 1", "assert x == 2, 'two'", "print('after')")), tmp_path)
    assert result.returncode == 1 and "cell 3 of" in result.stderr and "AssertionError: two" in result.stderr and "after" not in result.stdout


def check(*words):
    return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True)


def test_the_notebooks_have_the_form():
    result = check()
    assert result.returncode == 0, result.stdout + result.stderr


def outputs(content):
    content["cells"][1]["outputs"] = [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}]


def count(content):
    content["cells"][1]["execution_count"] = 7


def magic(content):
    content["cells"][1]["source"] = ["%matplotlib inline"]


def raw(content):
    content["cells"][1]["cell_type"] = "raw"


def untitled(content):
    content["cells"][0]["source"] = ["Title"]


def metadata(content):
    content["cells"][1]["metadata"] = {"collapsed": True}


def same_identifier(content):
    content["cells"][2]["id"] = "b0"


@pytest.mark.parametrize("change, words", [(outputs, "has outputs"), (count, "count of execution"), (magic, "no Python alone"), (raw, "of the kind 'raw'"),
                                           (untitled, "has a title"), (metadata, "--fix writes"), (same_identifier, "--fix writes")])
def test_other_forms_are_found(change, words, tmp_path):
    content = notebook("x = 1", "y = 2")
    assert check(written(tmp_path, content)).returncode == 0
    change(content)
    result = check(written(tmp_path, content))
    assert result.returncode == 1 and words in result.stdout, result.stdout


def test_files_of_jupyter_are_put_into_the_form(tmp_path):
    content = notebook("x = 'é'", "y = 2")
    wanted = written(tmp_path, content).read_text()
    for change in (outputs, count, metadata):
        change(content)
    content["metadata"]["language_info"]["version"] = "3.11"
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps(content))
    assert check(path).returncode == 1
    result = check("--fix", path)
    assert result.returncode == 0, result.stdout
    assert path.read_text() == wanted
    path.write_text("{}")
    result = check(path)
    assert result.returncode == 1 and "not a notebook" in result.stdout
