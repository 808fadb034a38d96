"""Runs the code cells of a notebook in their order, in one namespace and without Jupyter: run_notebook.py FILE. Pictures are drawn and thrown away.
Ends with exit status 1 at the first cell that fails, named as "cell N of FILE" in the traceback."""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(path):
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    plt.show = lambda: plt.close("all")
    namespace = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number} of {path}", "exec"), namespace)


if __name__ == "__main__":
    main(sys.argv[1])
