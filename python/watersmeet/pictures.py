"""Pictures that a run drew on its way (`[[output.picture]]`), and what their texts say."""

from __future__ import annotations

import re
import struct
from functools import cached_property
from pathlib import Path

picture_name = re.compile(r"picture_(\w+)_(\d{6,})\.png")
_most_text = 1 << 16


class Picture:
    """One `picture_NAME_NNNNNN.png`.

    Attributes:
        path: the file; name, step: of its name.
        texts: the texts in the file, by keyword: field, units, step, t, "t units", lowest, highest, colormap, Software, and plane where there
            is a choice of planes.

    >>> import watersmeet
    >>> {name: len(pictures) for name, pictures in watersmeet.open("runs/forced-turbulence-001").pictures.items()}
    {}
    """

    def __init__(self, path: Path):
        self.path = path
        match = picture_name.fullmatch(path.name)
        if match is None:
            raise ValueError(f"{path.name} is not named like a picture of a run, picture_NAME_NNNNNN.png")
        self.name, self.step = match[1], int(match[2])

    @cached_property
    def texts(self) -> dict:
        """Raises ValueError where the file is no picture of a run."""
        return read_texts(self.path)

    @property
    def time(self) -> float:
        """In units of time."""
        return self._number("t")

    @property
    def limits(self) -> tuple:
        """The values of the first and the last colour."""
        return self._number("lowest"), self._number("highest")

    def _number(self, keyword: str) -> float:
        try:
            return float(self.texts[keyword])
        except KeyError:
            raise ValueError(f"{self.path.name} has no text {keyword!r} of a picture of a run") from None

    def __repr__(self):
        return f"<Picture {self.path.name}>"


def read_texts(path) -> dict:
    """The texts of a PNG that stand before its pixels, {keyword: text}.

    Raises:
        ValueError: the file is no PNG. OSError: it cannot be read.
    """
    texts = {}
    with open(path, "rb") as file:
        if file.read(8) != b"\x89PNG\r\n\x1a\n":
            raise ValueError(f"{path} is no PNG")
        while True:
            head = file.read(8)
            if len(head) < 8:
                raise ValueError(f"{path} ends early")
            length, kind = struct.unpack(">I4s", head)
            if kind == b"IDAT":
                return texts
            if length > _most_text or kind == b"IEND":
                raise ValueError(f"{path} has no pixels where they should be")
            content = file.read(length + 4)[:length]  # without the checksum
            keyword, separator, text = content.partition(b"\0")
            if kind == b"tEXt" and separator:
                texts[keyword.decode("latin-1")] = text.decode("latin-1")


class Named(dict):
    """What a run wrote of a kind, by name; for another name a KeyError with those there are."""

    def __init__(self, directory: Path, entries):
        super().__init__(entries)
        self._directory = directory

    def __missing__(self, name):
        raise KeyError(f"nothing of this kind is called {name!r} in {self._directory}; there are: {', '.join(self) or 'none'}")


def numbered(directory: Path, form, kind) -> dict:
    """The files of a run whose names have a form, as objects of a kind with a name and a step: lists by name, the oldest first."""
    named = {}
    for path in directory.iterdir():
        if form.fullmatch(path.name):
            one = kind(path)
            named.setdefault(one.name, []).append(one)
    return Named(directory, {name: sorted(named[name], key=lambda one: one.step) for name in sorted(named)})
