"""Pictures of a run: `overview` (one page), `plane` (one plane of one field), and the command

    python3 -m watersmeet.plot DIR [--field rho --slice z=0 --limits 0.9 1.1] [--output FILE]

which prints the path of the picture and exits with 0; 2: DIR or an option is wrong; 3: a package is missing, or a file
cannot be read or written. Drawing needs matplotlib and no display. Only the planes that are drawn are read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

_packages = {"numpy": "python3-numpy", "h5py": "python3-h5py", "matplotlib": "python3-matplotlib"}


def overview(run, path=None) -> Path:
    """Draw the overview of a run: mid-plane slices of the main fields, spectrum, time series, provenance.

    Args:
        run: a `watersmeet.Run` or the path of a run directory, finished or still going.
        path: file to write (its suffix picks the format); by default DIR/plots/overview.png, drawn anew each time.

    Returns:
        The path of the picture.

    Raises:
        ImportError: matplotlib is missing (Debian and Ubuntu: python3-matplotlib).
        ValueError: the run has written nothing yet that could be drawn.
        FileNotFoundError, OSError: no such run; the picture cannot be written.

    >>> from watersmeet import plot
    >>> plot.overview("runs/forced-turbulence-001").name
    'overview.png'
    """
    from . import figures

    run = _as_run(run)
    path = Path(path) if path is not None else run.path / "plots" / "overview.png"
    return _save(figures.overview_figure(run), path)


def plane(run, field, *, slice=None, snapshot=-1, path=None, limits=None) -> Path:
    """Draw one plane of one field of one snapshot; arguments and errors as of `watersmeet.Run.plot`.

    Returns:
        The path of the picture, by default DIR/plots/FIELD_PLANE_STEP.png.

    >>> from watersmeet import plot
    >>> plot.plane("runs/forced-turbulence-001", "speed", slice="y=mid").name
    'speed_ymid_000100.png'
    """
    from . import figures
    from .slices import parse_slice, usual_slice

    run = _as_run(run)
    snapshots = run.fields
    if len(snapshots) == 0:
        raise ValueError(f"{run.path} has no snapshot (fields_*.vtkhdf) yet")
    if limits is not None and not limits[0] < limits[1]:
        raise ValueError(f"limits {limits[0]:g} {limits[1]:g}: the first must be below the second")
    chosen = snapshots[snapshot]
    if hasattr(chosen, "mesh"):
        if slice is not None:
            raise ValueError(f"{chosen.path.name} is on curvilinear blocks, which have no slices: leave the slice out; the plane "
                             "of the blocks is drawn, or that of symmetry, or a map of the sphere")
        path = path or run.path / "plots" / f"{field.replace('.', '_')}_{chosen.step:06d}.png"
        return _save(figures.blocks_figure(run, chosen, field, limits), Path(path))
    slice = slice or usual_slice(chosen)
    axis, index = parse_slice(chosen, slice)
    if path is None:
        name = f"{field.replace('.', '_')}_{slice.replace('=', '').replace(' ', '')}_{chosen.step:06d}.png"
        path = run.path / "plots" / name
    return _save(figures.plane_figure(run, chosen, field, axis, index, limits), Path(path))


def _as_run(run):
    from .results import Run

    return run if isinstance(run, Run) else Run(run)


def _save(figure, path: Path) -> Path:
    """Written under another name first: a viewer never sees half a picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        figure.savefig(part, dpi=150, format=path.suffix.lstrip(".") or "png", bbox_inches=_whole(figure))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _whole(figure):
    """The figure, in inches, widened where labels of a colour bar stand out of it."""
    from matplotlib.transforms import Bbox

    page = Bbox.from_bounds(0, 0, *figure.get_size_inches())
    return Bbox.union([page, figure.get_tightbbox()])


def main(arguments=None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m watersmeet.plot", description="Draw a picture of a run.")
    parser.add_argument("directory", metavar="DIR", help="run directory, finished or still going")
    parser.add_argument("--field", help="one field instead of the overview, such as rho, speed or velocity.x")
    parser.add_argument("--slice", help="its plane, such as z=0 or y=mid (default: across an axis of one cell, "
                        "else z=mid)")
    parser.add_argument("--limits", nargs=2, type=float, metavar=("LOW", "HIGH"),
                        help="values at the ends of the colours (default: the lowest and highest value shown)")
    parser.add_argument("--output", metavar="FILE", help="file to write (default: in DIR/plots)")
    options = parser.parse_args(arguments)
    for flag in ("slice", "limits"):
        if getattr(options, flag) and not options.field:
            parser.error(f"--{flag} is for one field: name it with --field")
    try:
        if options.field:
            path = plane(options.directory, options.field, slice=options.slice, path=options.output,
                         limits=options.limits)
        else:
            path = overview(options.directory, path=options.output)
    except ImportError as error:
        package = _packages.get((error.name or "").partition(".")[0])
        advice = f"; install it with: apt install {package}" if package else ""
        print(f"error: no picture drawn: {error}{advice}", file=sys.stderr)
        return 3
    except (FileNotFoundError, NotADirectoryError, ValueError, KeyError) as error:
        print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
