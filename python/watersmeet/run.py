"""A run as `watersmeet.open` gives it: what `results` reads and `plot` draws."""

from __future__ import annotations

from pathlib import Path

from . import plot, results


class Run(results.Run):
    """A run directory that is read (`watersmeet.results.Run`) and drawn: what `watersmeet.open` gives."""

    def plot(self, field: str | None = None, *, slice: str | None = None, snapshot: int = -1, path=None,
             limits=None, average: str | None = None) -> Path:
        """Draw the overview, or one plane of one field.

        Args:
            field: None for the overview; else a field of the snapshot, or "speed" or "lnrho", made from what is there.
                A vector is drawn as its magnitude; "velocity.x" picks a component.
            slice: plane, "x=..." or "y=..." or "z=...", with a coordinate inside the box or "mid"; the nearest plane is
                drawn, as a line where it is one cell wide. None: across an axis of one cell, else "z=mid".
            snapshot: index into `fields`, or into the files of the average.
            path: file to write; by default one in the run's folder `plots`.
            limits: (low, high), the values at the ends of the colours; None: the lowest and highest value shown.
            average: name of an average in time, of which the field is one; None: a field of a snapshot.

        Returns:
            The path of the picture.

        Raises:
            ImportError: matplotlib is missing (Debian and Ubuntu: python3-matplotlib).
            KeyError, ValueError: no such field or plane.

        >>> import watersmeet
        >>> run = watersmeet.open("runs/forced-turbulence-001")
        >>> run.plot("rho", slice="z=0").name
        'rho_z0_000100.png'
        """
        if field is None:
            return plot.overview(self, path=path)
        return plot.plane(self, field, slice=slice, snapshot=snapshot, path=path, limits=limits, average=average)
