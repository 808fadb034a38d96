"""A case as a dict, written as the TOML text that the program reads; arrays in it become functions of the case."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

_bare_key = re.compile(r"[A-Za-z0-9_-]+")


class GridFunction:
    """Numbers at the crossings of coordinates, for a dict case, wherever a case has an expression.

    Args:
        values: an array whose last axis belongs to the first coordinate given, (y.size, x.size) for x and y; or a function that
            makes one, called once with the coordinates as arrays that broadcast against each other.
        period: by the name of a coordinate, its period. Along other coordinates the outermost values continue.
        coordinates: one to three, by the names that the expression of the case has: x, y, z, or lon, lat. Each is one-dimensional and
            rises or falls throughout.

    Between coordinates values are interpolated linearly; at them they are the given ones to the last bit.

    Raises:
        ValueError: the values do not have the shape of the coordinates.

    >>> import numpy as np, watersmeet
    >>> x = np.linspace(0, 1, 5)
    >>> watersmeet.GridFunction(lambda x: np.sin(np.pi * x), x=x, period={"x": 1}).values.shape
    (5,)
    """

    def __init__(self, values, *, period: Mapping[str, float] | None = None, **coordinates):
        self.coordinates = {name: np.asarray(c, dtype=float) for name, c in coordinates.items()}
        if not 1 <= len(self.coordinates) <= 3:
            raise ValueError(f"{len(self.coordinates)} coordinates; a function of a grid has one to three, such as x=, y=")
        for name, c in self.coordinates.items():
            if c.ndim != 1 or c.size == 0:
                raise ValueError(f"the coordinate {name} has the shape {c.shape}; it must be one-dimensional and not empty")
        unknown = set(period or {}) - set(self.coordinates)
        if unknown:
            raise ValueError(f"a period of {sorted(unknown)[0]}, which is not one of the coordinates {', '.join(self.coordinates)}")
        self.periods = [float((period or {}).get(name, 0.0)) for name in self.coordinates]
        shape = tuple(c.size for c in reversed(self.coordinates.values()))
        if callable(values):
            values = evaluate(values, list(self.coordinates.values()))
        self.values = np.ascontiguousarray(values, dtype=float)
        if self.values.shape != shape:
            raise ValueError(f"values of the shape {self.values.shape}; {', '.join(self.coordinates)} ask for {shape}")


def evaluate(function: Callable, coordinates: list[np.ndarray]) -> np.ndarray:
    """The values of a function at the crossings of coordinates, the first of which belongs to the last axis of the result."""
    n = len(coordinates)
    spread = [c.reshape([-1 if n - 1 - a == axis else 1 for axis in range(n)]) for a, c in enumerate(coordinates)]
    return np.broadcast_to(np.asarray(function(*spread), dtype=float), tuple(c.size for c in reversed(coordinates)))


def value_text(value) -> str:
    """A value of a case as TOML writes it.

    >>> value_text({"kind": "no_slip", "temperature": 0.5}), value_text([8, "2*pi", True])
    ('{ kind = "no_slip", temperature = 0.5 }', '[8, "2*pi", true]')
    """
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"a case has no number {value}")
        return repr(float(value))
    if isinstance(value, (str, Path)):
        return _quoted(str(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {value_text(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim == 1 and value.size <= 16):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    if isinstance(value, np.ndarray):
        raise ValueError(f"an array of the shape {value.shape} in a case; where it lies is said by watersmeet.GridFunction(values, x=...)")
    raise ValueError(f"a case has no value of the type {type(value).__name__}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")  # which TOML takes for a control character and JSON does not


def _key(name) -> str:
    return name if _bare_key.fullmatch(name) else _quoted(name)


def case_text(case: Mapping) -> tuple[str, dict[str, GridFunction]]:
    """The text of a case, and by name the functions that its expressions call.

    >>> print(case_text({"case": {"system": "mhd"}, "initial": [{"density": 2.0}]})[0])
    [case]
    system = "mhd"
    [[initial]]
    density = 2.0
    """
    functions: dict[str, GridFunction] = {}

    def replaced(value):
        if isinstance(value, GridFunction):
            name = f"array_{len(functions) + 1}"
            functions[name] = value
            return f"{name}({', '.join(value.coordinates)})"
        if isinstance(value, Mapping):
            return {k: replaced(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [replaced(v) for v in value]
        return value

    lines = []
    for section, content in replaced(case).items():
        is_list = isinstance(content, list) and all(isinstance(one, Mapping) for one in content)
        if not is_list and not isinstance(content, Mapping):
            raise ValueError(f"the section {section} of a case is a {type(content).__name__}; it must be a dict, or a list of dicts")
        for one in content if is_list else [content]:
            lines.append(f"[[{_key(section)}]]" if is_list else f"[{_key(section)}]")
            lines += [f"{_key(k)} = {value_text(v)}" for k, v in one.items()]
    return "\n".join(lines), functions
