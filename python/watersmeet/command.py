"""What the commands of the package share: how a fault becomes one message and an exit status."""

from __future__ import annotations

import json
import sys

_packages = {"numpy", "h5py", "matplotlib"}


def _how_to_install(package: str) -> str:
    """What to type, in a virtual environment for its own pip."""
    if package not in _packages:
        return ""
    return f"apt install python3-{package}" if sys.prefix == sys.base_prefix else f"{sys.executable} -m pip install {package}"


def fault(error: Exception, prefix: str = "", as_json: bool = False) -> int:
    """Print an exception that a command ended with; returns the exit status.

    Args:
        error: an ImportError (status 3, with how to install the package), a wrong directory or option (2), another OSError (3).
        prefix: what was not done, such as "no picture drawn: ".
        as_json: as the list of faults that `watersmeet --json` prints, on the standard output.
    """
    text, suggestion, kind, status = str(error), "", "bad-value", 2
    if isinstance(error, KeyError):
        text = str(error.args[0]) if error.args else ""
    elif isinstance(error, ImportError):
        suggestion, kind, status = _how_to_install((error.name or "").partition(".")[0]), "resource", 3
    elif isinstance(error, OSError) and not isinstance(error, (FileNotFoundError, NotADirectoryError)):
        kind, status = "io", 3
    elif isinstance(error, OSError):
        kind = "missing-file"
    if as_json:
        entry = {"file": "", "line": 0, "column": 0, "key": "", "found": "", "allowed": "", "suggestion": suggestion, "kind": kind,
                 "message": prefix + text}
        print(json.dumps([entry], indent=2))
    else:
        print(f"error: {prefix}{text}{f'; install it with: {suggestion}' if suggestion else ''}", file=sys.stderr)
    return status
