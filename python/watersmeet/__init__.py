"""Watersmeet: read and draw what a run of the program has written, and run cases.

`watersmeet.open(directory)` gives a `Run` whose fields are read lazily; `watersmeet.plot.overview(directory)` draws the
overview picture. Only numpy and h5py are needed; matplotlib (pictures), xarray and pandas are used when they are there.
Names are imported on first use, so that a missing package is reported by name where it is needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Checks", "Run", "open", "plot"]

if TYPE_CHECKING:
    from .check import Checks
    from .run import Run

_homes = {"Run": "run", "Checks": "check"}
_modules = ("check", "plot", "results", "run", "study", "tables")


def open(directory):
    """Open a run directory, finished or still going.

    Args:
        directory: path of the run directory (text or path object).

    Returns:
        A `Run`. Nothing but the directory's existence is looked at yet.

    Raises:
        FileNotFoundError: there is no such directory.
        ValueError: the directory holds none of the files of a run.
        ImportError: numpy or h5py is missing.

    >>> import watersmeet
    >>> run = watersmeet.open("runs/forced-turbulence-001")
    >>> run.times
    array([0., 2.])
    """
    from .run import Run

    return Run(directory)


def __getattr__(name):
    if name in _modules:
        return importlib.import_module(f".{name}", __name__)
    if name in _homes:
        return getattr(importlib.import_module(f".{_homes[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
