"""Pictures of a run: `overview` (one page), `plane` (one plane of one field), `movie` (a field over all snapshots), `surface` and `volume` (in space),
`cp` (pressure along walls), `polar` (of a study), and the command

    watersmeet plot DIR [--field rho --slice z=0 --limits 0.9,1.1 --movie] [--output FILE]

(or python3 -m watersmeet.plot DIR ...), which prints the path of the picture and exits with 0; 2: DIR or an option is wrong; 3: a package is missing, or a file
cannot be read or written. Drawing needs matplotlib and no display. Only the planes that are drawn are read.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .command import fault
from .whole_file import whole_file



def overview(run, path=None) -> Path:
    """Draw the overview of a run: mid-plane slices of the main fields, spectrum, time series, provenance.

    Args:
        run: a `watersmeet.Run` or the path of a run directory, finished or still going.
        path: file to write (its suffix picks the format); by default DIR/plots/overview.png, drawn again each time.

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


def plane(run, field, *, slice=None, snapshot=-1, path=None, limits=None, average=None) -> Path:
    """Draw one plane of one field of one snapshot or average; arguments and errors as of `watersmeet.Run.plot`.

    Returns:
        The path of the picture, by default DIR/plots/FIELD_PLANE_STEP.png, of an average DIR/plots/AVERAGE_FIELD_PLANE_STEP.png.

    >>> from watersmeet import plot
    >>> plot.plane("runs/forced-turbulence-001", "speed", slice="y=mid").name
    'speed_ymid_000100.png'
    """
    from . import figures
    from .slices import usual_slice

    run, chosen = _chosen(run, snapshot, limits, average)
    figure = figures.field_figure(run, chosen, field, slice, limits)
    if path is None:
        where = "" if hasattr(chosen, "mesh") else "_" + (slice or usual_slice(chosen)).replace("=", "").replace(" ", "")
        of_average = f"{average}_" if average is not None else ""
        path = run.path / "plots" / f"{of_average}{field.replace('.', '_')}{where}_{chosen.step:06d}.png"
    return _save(figure, Path(path))


def movie(run, field, *, slice=None, path=None, limits=None, fps=10.0, snapshots=None) -> Path:
    """Make a movie of a field over the snapshots of a run, with the same colours at the same values in all pictures.

    Args:
        run: a `watersmeet.Run` or the path of a run directory, finished or still going.
        field, slice: as of `watersmeet.Run.plot`. Snapshots that do not have the field are left out.
        path: file to write. .mp4, .mkv, .webm, .mov and .avi are made by ffmpeg; .gif, .png (animated) and .webp without it. By default
            DIR/plots/FIELD_PLANE.mp4, or .gif where ffmpeg is not on the path.
        limits: (low, high), the values at the ends of the colours; None: the lowest and the highest value of all pictures.
        fps: pictures per second.
        snapshots: a Python slice of the snapshots, such as slice(None, None, 10); None: all.

    Returns:
        The path of the movie.

    Raises:
        ImportError: matplotlib is missing.
        KeyError, ValueError: no such field or plane, fewer than two snapshots, another suffix.
        OSError: there is no ffmpeg, which the suffix needs; a snapshot cannot be read, or the movie cannot be written.

    >>> from watersmeet import plot
    >>> plot.movie("runs/forced-turbulence-001", "speed", path="speed.gif", fps=2).name
    'speed.gif'
    """
    from . import movie as movies

    _check_limits(limits)
    return movies.movie(_as_run(run), field, slice=slice, path=path, limits=limits, fps=fps, snapshots=snapshots)


def surface(run, field, levels, *, color_by=None, limits=None, snapshot=-1, view="corner", path=None) -> Path:
    """Draw iso-surfaces of a field in space by PyVista, which needs no display.

    Args:
        run, field, snapshot: as of `plane`. levels: one value or several, in units of the field.
        color_by: another field, whose values are the colours of the surface; None: one colour, or the levels where there are several.
        limits: (low, high), the values at the ends of the colours.
        view: from "corner", or along an axis: "x", "-x", "y", "-y", "z", "-z".
        path: file to write, .png; by default DIR/plots/FIELD_surface_STEP.png.

    Returns:
        The path of the picture.

    Raises:
        ImportError: PyVista is missing. KeyError, ValueError: no such field, no place with such a value, another view.
    """
    from . import space

    run, chosen, path = _in_space(run, field, snapshot, path, "surface", limits)
    return space.surface_picture(run, chosen, field, levels, path, color_by=color_by, limits=limits, view=view)


def volume(run, field, *, limits=None, snapshot=-1, view="corner", path=None) -> Path:
    """Draw a field of a box with even cells as a volume, transparent where its values are low, or near zero where it has both signs.

    Args:
        as of `surface`.

    Returns:
        The path of the picture, by default DIR/plots/FIELD_volume_STEP.png.

    Raises:
        ImportError: PyVista is missing. KeyError, ValueError: no such field, uneven cells, blocks, a plane, another view.
    """
    from . import space

    run, chosen, path = _in_space(run, field, snapshot, path, "volume", limits)
    return space.volume_picture(run, chosen, field, path, limits=limits, view=view)


def _in_space(run, field, snapshot, path, kind, limits) -> tuple:
    run, chosen = _chosen(run, snapshot, limits)
    path = Path(path) if path is not None else run.path / "plots" / f"{field.replace('.', '_')}_{kind}_{chosen.step:06d}.png"
    if path.suffix != ".png":
        raise ValueError(f"{path.name}: pictures in space are written as .png")
    return run, chosen, path


def cp(run, patches=None, *, step=None, cuts=None, path=None) -> Path:
    """Draw the pressure coefficient along walls of a run on curvilinear blocks, negative upwards.

    Args:
        run: a `watersmeet.Run` or the path of a run directory, with "cp" in its output.surface.
        patches: names of walls; None: all. step: of the surface files; None: the newest.
        cuts: sections of walls in space, ("y", [0.2, 0.5]): along these planes.
        path: file to write; by default DIR/plots/cp.png.

    Returns:
        The path of the picture.

    Raises:
        ImportError: matplotlib is missing. FileNotFoundError, ValueError: no such surface file; a wall in space without sections; no section there.
    """
    from . import aero_figures

    run = _as_run(run)
    return _save(aero_figures.cp_figure(run, patches, step, cuts), Path(path) if path is not None else run.path / "plots" / "cp.png")


def polar(study, *, over=None, path=None) -> Path:
    """Draw lift, drag, their polar and the moment of the runs of a study.

    Args:
        study: a `watersmeet.study.Study` or its directory.
        over: the setting along the axis; None: the angle of attack, else the first setting of numbers that varies. Runs that differ in others are other lines.
        path: file to write; by default DIR/polar.png.

    Returns:
        The path of the picture.

    Raises:
        ImportError: matplotlib is missing. FileNotFoundError, ValueError: no study there; no lift and drag; no such setting.
    """
    from . import aero_figures
    from .studies import Study

    study = study if isinstance(study, Study) else Study.load(study)
    return _save(aero_figures.polar_figure(study, over), Path(path) if path is not None else study.directory / "polar.png")


def _chosen(run, snapshot, limits, average=None) -> tuple:
    run = _as_run(run)
    if average is not None:
        averages = run.averages
        if average not in averages:
            raise ValueError(f"{run.path} has no average {average!r} in time (yet); there are: {', '.join(averages) or 'none'}")
        _check_limits(limits)
        return run, averages[average][snapshot]
    snapshots = run.fields
    if len(snapshots) == 0:
        raise ValueError(f"{run.path} has no snapshot (fields_*.vtkhdf) yet")
    _check_limits(limits)
    return run, snapshots[snapshot]


def _check_limits(limits):
    if limits is not None and not limits[0] < limits[1]:
        raise ValueError(f"limits {limits[0]:g} {limits[1]:g}: the first must be below the second")


def _as_run(run):
    from .results import Run

    return run if isinstance(run, Run) else Run(run)


def _save(figure, path: Path) -> Path:
    """Written under another name first: a viewer never sees half a picture."""
    from .figures import whole_page

    with whole_file(path) as part:
        figure.savefig(part, dpi=150, format=path.suffix.lstrip(".") or "png", bbox_inches=whole_page(figure))
    return path


def limits_of(words) -> tuple | None:
    """The two numbers of --limits, which stand apart or with a comma between; None where the flag is not given.

    Raises:
        ValueError: they are no two numbers, or the first is not below the second.
    """
    if words is None:
        return None
    numbers = [part for word in words for part in word.split(",")]
    try:
        low, high = map(float, numbers)
    except ValueError:
        raise ValueError(f"--limits {' '.join(words)}: two numbers, LOW,HIGH") from None
    _check_limits((low, high))
    return low, high


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="watersmeet plot", description="Draw a picture or a movie of a run.")
    parser.add_argument("directory", metavar="DIR", help="run directory, finished or still going")
    parser.add_argument("--field", help="one field instead of the overview, such as rho, speed or velocity.x")
    parser.add_argument("--average", metavar="NAME", help="the field is one of the newest average in time of this name")
    parser.add_argument("--slice", help="its plane, such as z=0 or y=mid (default: across an axis of one cell, else z=mid)")
    parser.add_argument("--limits", nargs="+", metavar="LOW,HIGH",
                        help="values at the ends of the colours (default: the lowest and highest value shown)")
    parser.add_argument("--movie", action="store_true", help="a movie of the field over all snapshots, with the same colours in all pictures")
    parser.add_argument("--fps", type=float, default=10.0, metavar="N", help="pictures of a movie a second (default: 10)")
    parser.add_argument("--iso", metavar="VALUES", help="surfaces in space where the field has these values, with commas between; in a plane lines")
    parser.add_argument("--color-by", metavar="NAME", help="field whose values are the colours of the surfaces")
    parser.add_argument("--volume", action="store_true", help="the field as a transparent volume")
    parser.add_argument("--view", default="corner", help="of surfaces and volumes: corner, x, y, z, -x, -y, -z (default: corner)")
    parser.add_argument("--cp", action="store_true", help="pressure coefficient along the walls; with --slice y=0.2,0.5 along sections of a wing")
    parser.add_argument("--output", metavar="FILE", help="file to write (default: in DIR/plots); surfaces and lines also as .vtp or .vtkhdf")
    parser.add_argument("--json", action="store_true", help="the path, and faults, as JSON")
    parser.add_argument("--quiet", action="store_true", help=argparse.SUPPRESS)  # nothing but the path is printed anyway
    parser.add_argument("--color", help=argparse.SUPPRESS)
    return parser


def _joined(words: list) -> list:
    """argparse takes -1,1 for a flag: `--limits -1,1` becomes one word, and so does `--iso -1`, and `--view -x`."""
    joined = []
    for word in words:
        if joined and joined[-1] in ("--limits", "--iso", "--view") and (joined[-1] != "--limits" or "," in word):
            joined[-1] = f"{joined[-1]}={word}"
        else:
            joined.append(word)
    return joined


def _numbers(text: str, flag: str) -> list:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{flag} {text}: numbers with commas between") from None


def _asked(options, limits) -> Path:
    """Make what the options of the command ask for."""
    directory, field, output = options.directory, options.field, options.output
    if options.cp:
        axis, _, places = (options.slice or "").partition("=")
        if options.slice and (axis not in ("x", "y", "z") or not places):
            raise ValueError(f"--slice {options.slice}: sections such as y=0.2,0.5")
        return cp(directory, cuts=(axis, _numbers(places, "--slice")) if options.slice else None, path=output)
    if options.movie:
        return movie(directory, field, slice=options.slice, path=output, limits=limits, fps=options.fps)
    if options.iso:
        levels = _numbers(options.iso, "--iso")
        if output and Path(output).suffix in (".vtp", ".vtkhdf"):
            return _export(directory, field, levels, options, Path(output))
        return surface(directory, field, levels, color_by=options.color_by, limits=limits, view=options.view, path=output)
    if options.volume:
        return volume(directory, field, limits=limits, view=options.view, path=output)
    if field:
        return plane(directory, field, slice=options.slice, path=output, limits=limits, average=options.average)
    if (Path(directory) / "study.csv").exists():
        return polar(directory, path=output)
    return overview(directory, path=output)


def _export(directory, field: str, levels: list, options, path: Path) -> Path:
    from . import surfaces

    run = _as_run(directory)
    if len(run.fields) == 0:
        raise ValueError(f"{run.path} has no snapshot (fields_*.vtkhdf) yet")
    last = run.fields[-1]
    if options.slice or surfaces.is_flat(last):
        return surfaces.contours(last, field, levels, slice=options.slice).write(path)
    return surfaces.isosurface(last, field, levels, carry=[options.color_by] if options.color_by else []).write(path)


def main(arguments=None) -> int:
    """The command line; returns the exit status."""
    parser = _parser()
    options = parser.parse_args(_joined(list(sys.argv[1:] if arguments is None else map(str, arguments))))
    if options.average and (options.movie or options.iso or options.volume):
        parser.error("--average is for a plane of a field")
    for flag in ("average", "slice", "limits", "movie", "iso", "volume"):
        if getattr(options, flag) and not options.field and not (flag == "slice" and options.cp):
            parser.error(f"--{flag} is for one field: name it with --field")
    if sum(map(bool, (options.movie, options.iso, options.volume, options.cp))) > 1:
        parser.error("one of --movie, --iso, --volume and --cp")
    if options.color_by and not options.iso:
        parser.error("--color-by is for --iso")
    what = "no movie made: " if options.movie else "no picture drawn: "
    try:
        path = _asked(options, limits_of(options.limits))
    except KeyboardInterrupt:
        return 130
    except (ImportError, OSError, ValueError, KeyError) as error:
        return fault(error, what if isinstance(error, ImportError) else "", options.json)
    print(json.dumps({"picture": str(path)}) if options.json else path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
