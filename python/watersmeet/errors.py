"""What can go wrong in the compiled part of the package: a class for each kind of error, all of them `watersmeet.Error`.

The text of an error is what the command line prints for it.

>>> import watersmeet
>>> try:
...     watersmeet.Simulation({"case": {"system": "isothermal"}, "grid": {"cels": [8, 8, 8]}})
... except watersmeet.InputError as error:
...     print(error.faults[0]["key"], error.faults[0]["suggestion"])
grid.cels did you mean `cells`?
"""

from __future__ import annotations

import json


class Error(Exception):
    """An error of the program.

    Attributes:
        faults: what is wrong, one dict for each fault with file, line, column (from 1; 0: no place), key, found, allowed, suggestion,
            kind and message.
        exit_status: that of the command line for the same error.
    """

    faults: list[dict]
    exit_status: int


class InputError(Error):
    """A case, a name or a number that was given is wrong; exit status 2."""


class UnsupportedError(Error):
    """Right, but not possible with this build, system or grid; exit status 2."""


class FileError(Error):
    """A file cannot be read or written; exit status 3."""


class ResourceError(Error):
    """Memory, a device or a named file is missing; exit status 3."""


class DeviceError(Error):
    """A call to the GPU failed; exit status 3."""


class CommunicationError(Error):
    """Another process failed; exit status 1."""


class DivergedError(Error):
    """A value is not a number or not admissible, or a solver does not converge: the text names the first bad cell; exit status 4."""


class InternalError(Error):
    """A fault of the program itself; exit status 1."""


_classes = {"user-input": InputError, "unsupported": UnsupportedError, "io": FileError, "resource": ResourceError, "device": DeviceError,
            "communication": CommunicationError, "diverged": DivergedError, "internal": InternalError}


def _made(kind: str, text: str, faults: str, exit_status: int) -> Error:
    """For the compiled part: the error of this kind."""
    error = _classes[kind](text)
    error.faults = json.loads(faults)
    error.exit_status = exit_status
    return error
