"""Files that are the old one or the complete new one, never half of it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path):
    """Make the folder of a file, and give the name to write it under; it takes its own name at the end, and is removed where that is not reached."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
