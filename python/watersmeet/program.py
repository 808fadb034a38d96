"""The command `watersmeet` of an installed wheel: the program lies in the package, beside its libraries."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main():
    """Becomes the program; pictures are drawn by this interpreter, whose packages were installed with it."""
    program = Path(__file__).parent / "bin" / "watersmeet"
    os.environ.setdefault("WATERSMEET_PYTHON", sys.executable)
    try:
        os.execv(program, ["watersmeet", *sys.argv[1:]])
    except FileNotFoundError:
        sys.exit(f"error: there is no {program}: a checkout is built, and its program run, by ./wm")
