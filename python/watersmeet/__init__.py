"""Watersmeet: read and draw what a run of the program has written, run cases, and compute in this process.

`watersmeet.open(directory)` gives a `Run` whose fields are read lazily; `watersmeet.plot.overview(directory)` draws the
overview picture. `watersmeet.Simulation(case)` computes here, and `watersmeet.Poisson` solves Poisson problems: these two need the compiled module
of the package. Only numpy and h5py are needed; matplotlib (pictures), xarray and pandas are used when they are there.
Names are imported on first use, so that a missing package is reported by name where it is needed.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from .errors import (CommunicationError, DeviceError, DivergedError, Error, FileError, InputError, InternalError, ResourceError,
                     UnsupportedError)

__version__ = "0.1.0"
__all__ = ["Checks", "CommunicationError", "DeviceError", "DivergedError", "Error", "FileError", "GridFunction", "InputError", "InternalError",
           "Poisson", "ResourceError", "Run", "Simulation", "UnsupportedError", "open", "plot"]

if TYPE_CHECKING:
    from .case_text import GridFunction
    from .check import Checks
    from .live import Simulation
    from .poisson import Poisson
    from .run import Run

# The compiled module of a build folder lies in a folder of its own: build/PRESET/python beside this one on the path.
__path__ = pkgutil.extend_path(__path__, __name__)

_homes = {"Run": "run", "Checks": "check", "Simulation": "live", "Poisson": "poisson", "GridFunction": "case_text"}
_modules = ("check", "live", "plot", "poisson", "results", "run", "study", "tables")


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
