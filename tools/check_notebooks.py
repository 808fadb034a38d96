#!/usr/bin/env python3
"""Check that the notebooks are kept in one form: without results, so that a change of one is a change of its text or its code.

Usage: check_notebooks.py [--fix] [FILE...]        all notebooks of notebooks/ unless files are named

The form is what Jupyter writes of a notebook whose outputs were cleared: JSON of nbformat 4.5 with an indent of 1, keys sorted, letters as they
are, and a newline at the end; cells of text or code, each with an identifier of its own; no outputs, no counts of execution, no metadata but the
kernel python3. Prints every offence as file: text, and exits 1 when there is any. With --fix, puts the files into this form.
"""
import argparse
import ast
import json
import pathlib
import re
import sys

METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,64}")


def text_of(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def cleaned(notebook):
    """The notebook in the form, its text and its code as they are."""
    cells, taken = [], set()
    for number, cell in enumerate(notebook["cells"]):
        identifier = cell.get("id", "")
        if not IDENTIFIER.fullmatch(identifier):
            identifier = f"cell-{number}"
        while identifier in taken:
            identifier += "-"
        taken.add(identifier)
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        kept = {"cell_type": cell["cell_type"], "id": identifier, "metadata": {}, "source": source.splitlines(keepends=True)}
        if cell["cell_type"] == "code":
            kept.update(execution_count=None, outputs=[])
        cells.append(kept)
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def offences(text):
    """What is wrong with the text of a notebook."""
    try:
        notebook = json.loads(text)
        cells = notebook["cells"]
        wanted = text_of(cleaned(notebook))
    except (ValueError, KeyError, TypeError) as error:
        yield f"not a notebook: {error!r}"
        return
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] not in ("markdown", "code"):
            yield f"cell {number}: of the kind {cell['cell_type']!r}; allowed are markdown and code"
        if cell.get("outputs") or cell.get("execution_count") is not None:
            yield f"cell {number}: has outputs or a count of execution"
        if cell["cell_type"] == "code":
            try:
                ast.parse(source)
            except SyntaxError as error:
                yield f"cell {number}: no Python alone, line {error.lineno}: {error.msg}"
    if not cells or cells[0]["cell_type"] != "markdown" or not "".join(cells[0]["source"]).startswith("# "):
        yield "does not begin with a cell of text that has a title"
    if text != wanted:
        yield "is not in the form that tools/check_notebooks.py --fix writes"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[1]
    files = arguments.files or sorted((root / "notebooks").glob("*.ipynb"))
    found = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        if arguments.fix:
            text = text_of(cleaned(json.loads(text)))
            path.write_text(text, encoding="utf-8")
        for offence in offences(text):
            print(f"{path}: {offence}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
