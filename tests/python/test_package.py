"""How the modules of the package depend on each other: no circles, and what reads runs knows nothing of drawing.

Imports inside functions count as well.
"""

import ast

import pytest
from conftest import root

folder = root / "python/watersmeet"
drawing = {"style", "panels", "block_panels", "map_panels", "figures", "movie", "plot", "run", "watch", "space", "aero_figures"}
reading = {"fields", "blocks", "results", "slices", "tables", "lazy_xarray", "provenance", "sphere", "check", "shown", "progress", "curves", "command", "places",
           "surfaces", "levels", "walls", "studies"}


def imports_of(path, modules):
    """The modules of the package that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "watersmeet":
            found |= {node.module.split(".")[1]} if "." in node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("watersmeet.")}
    return found & modules


def graph_of(package):
    paths = {path.stem: path for path in package.glob("*.py") if path.stem != "__init__"}
    return {name: imports_of(path, set(paths)) for name, path in paths.items()}


def reached(graph, start):
    """The modules that one needs, itself among them only where it is part of a circle."""
    seen, ahead = set(), list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in seen:
            seen.add(name)
            ahead += graph[name]
    return seen


def offences(graph):
    circles = [name for name in graph if name in reached(graph, name)]
    return circles, {name: reached(graph, name) & drawing for name in reading & set(graph) if reached(graph, name) & drawing}


def test_no_circles_and_reading_without_drawing():
    graph = graph_of(folder)
    assert reading | drawing <= set(graph)
    assert offences(graph) == ([], {})


@pytest.mark.parametrize("line, circles, draws", [
    ("from .run import Run", {"results", "run", "plot"}, True),
    ("def f():\n    from . import style", set(), True),
    ("import watersmeet.figures", {"results", "figures"}, True),
])  # fmt: skip
def test_a_wrong_import_is_found(line, circles, draws, tmp_path):
    for path in folder.glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text())
    (tmp_path / "results.py").write_text((folder / "results.py").read_text() + "\n\n" + line + "\n")
    found, drawn = offences(graph_of(tmp_path))
    assert circles <= set(found) or (line.startswith("import") and drawn)
    assert ("results" in drawn) == draws
