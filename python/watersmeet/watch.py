"""Look at a run while it goes, or after its end: in the terminal, and as one self-contained page of HTML:

    watersmeet watch DIR [--every S] [--series NAME,NAME] [--html FILE] [--field NAME] [--once]

(or python3 -m watersmeet.watch DIR ...), which ends with the run, or by Ctrl-C. Exit status: that of the run where it has ended (1 where it was killed), 0 after Ctrl-C and with
--once; 2: DIR or an option is wrong; 3: a package is missing, or a file cannot be read or written. Only pictures need matplotlib.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import itertools
import json
import math
import os
import re
import shutil
import sys
import time
from pathlib import Path

import numpy as np

from .command import fault
from .curves import svg_plot, text_plot
from .progress import Follower, Progress
from .provenance import provenance_line, system_of
from .results import Run
from .shown import chosen_series, field_names, series_shown
from .whole_file import whole_file

_colours = {"running": "32", "starting": "32", "finished": "32", "converged": "32", "suspended": "33", "paused": "33",
            "not converged": "33", "unknown": "33", "failed": "31", "killed": "31"}
_series_of_blocks = ("residual_rho", "cl", "cd")


class Watch:
    """What is shown of one run.

    Args:
        run: a `Run` or the path of a run directory.
        names: columns of the time series to show; None: those of the overview.
        field: field of the pictures on the page; None: those of the overview.

    Raises:
        FileNotFoundError, ValueError: no such directory, or none of a run.

    >>> from watersmeet.watch import Watch
    >>> print(Watch("runs/forced-turbulence-001").text(plain=True).splitlines()[0])
    forced-turbulence: finished
    """

    def __init__(self, run, names=None, field: str | None = None):
        self.run = run if isinstance(run, Run) else Run(run)
        self.names, self.field = names, field
        self._follower = Follower(self.run)
        self._pictures = (None, [])
        self.look()

    def look(self) -> Progress:
        """Read what is new; `progress` and `series` hold it.

        Raises:
            OSError: the folder has gone, or a file cannot be read. ValueError: a line of the series is not a row.
        """
        if not self.run.path.is_dir():
            raise OSError(f"the folder {self.run.path} has gone")
        self.progress = self._follower.progress()
        self.series = self._follower.series()
        return self.progress

    def shown(self, count: int) -> list:
        """Names of the columns to show, `count` at most.

        Raises:
            KeyError: a column that was asked for is not there.
        """
        series = self.series
        if series is None or not series.rows:
            return []
        if self.names is not None:
            return [name for name in self.names if series[name] is not None]
        system = self._system()
        if system == "aerodynamics":
            return [name for name in _series_of_blocks if name in series][:count]
        if system in chosen_series:
            return [name for name in chosen_series[system] if name in series][:count]
        return series_shown(series, system, count)

    def _system(self) -> str:
        try:
            return self.progress.system or system_of(self.run)
        except (OSError, KeyError, ValueError):
            return ""  # no run.json, and a snapshot that cannot be read

    def _is_steady(self) -> bool:
        """Whether t counts cycles."""
        try:
            return self.run.setting("time.mode") == "steady"
        except (ImportError, ValueError):
            return False

    def text(self, *, width: int = 80, height: int = 24, plain: bool = False, colour: bool = False) -> str:
        """The state of the run, its newest values and a curve, in `width` x `height` characters.

        Args:
            plain: ASCII alone; else the curve is of Braille patterns.
            colour: whether the state is coloured (ANSI).
        """
        now = self.progress
        state = f"\033[{_colours[now.state]}m{now.state}\033[0m" if colour else now.state
        lines = [f"{now.name}: {state}{', ' + now.detail if now.detail else ''}"]
        devices = [(len(list(same)), name) for name, same in itertools.groupby(sorted(now.devices))]
        about = [now.system, ", ".join(name if n == 1 else f"{n} x {name}" for n, name in devices), f"{now.ranks} ranks" if now.ranks > 1 else "",
                 f"{now.launches} launches" if now.launches > 1 else ""]
        lines.append("   ".join(part for part in about if part))
        lines += [_bar(now, width), *_rates(now), ""]
        lines += [f"  {line}"[:width] for line in now.log]
        names = self.shown(max(3, min(8, height - 14)))
        if names:
            series = self.series
            wide = max(map(len, names))
            lines += [f"{name:<{wide}}  {_brief(series[name][-1])}  {_unit(series.units[name])}".rstrip() for name in names]
            lines.append("")
            room = max(3, min(10, height - len(lines) - 4))
            first = names[0]
            # a falling residual is seen on a logarithmic axis alone
            logarithmic = first.startswith("residual") and np.any(np.asarray(series[first]) > 0)
            with np.errstate(divide="ignore", invalid="ignore"):
                values = np.log10(series[first]) if logarithmic else series[first]
            over = "cycles" if self._is_steady() else "t ="
            lines.append(f"{'log10 ' if logarithmic else ''}{first} over {over} {_brief(series['t'][0])} to {_brief(series['t'][-1])}")
            lines += text_plot(series["t"], values, width=max(20, min(100, width - 14)), height=room, plain=plain)
        else:
            lines.append("no row of the time series yet")
        return "\n".join(lines)

    def as_dict(self) -> dict:
        """The state of the run for JSON, and the last row of its time series under "series"."""
        series = self.series
        last = {name: series[name][-1].item() for name in series} if series is not None and series.rows else {}
        return {**self.progress.as_dict(), "ended": self.progress.ended,
                "series": {name: value if math.isfinite(value) else None for name, value in last.items()}}

    def page(self, path, *, refresh: float | None = None) -> Path:
        """Write one page of HTML with the state, the time series as SVG and the newest pictures; it needs no other file.

        Args:
            path: file to write; a browser never sees half of it.
            refresh: seconds after which a browser reads it again during the run; None: never.

        Raises:
            OSError: it cannot be written.
        """
        now = self.progress
        names, series = self.shown(12), self.series
        units = series.units if series is not None else {}
        steady = self._is_steady()
        along = "step" if steady else "t"
        label = "cycle" if steady else f"t {_in_brackets(_unit(units.get('t', '1')))}".rstrip()
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{_brief(series[name][-1])}</td><td>{html.escape(_unit(units[name]))}</td></tr>"
                       for name in names)
        curves = "".join(svg_plot(series[along], series[name], f"{name} {_in_brackets(_unit(units[name]))}".rstrip(), x_label=label,
                                  log=name.startswith("residual"))
                         for name in names)
        pictures, note = self._newest_pictures()
        images = "".join(f'<figure><img src="data:image/png;base64,{data}" alt="{html.escape(name)}">'
                         f"<figcaption>{html.escape(name)}</figcaption></figure>" for name, data in pictures)
        again = f'<meta http-equiv="refresh" content="{max(1, round(refresh))}">' if refresh and not now.ended else ""
        share = f"{100 * now.done:.1f}" if math.isfinite(now.done) else "0"
        facts = [*_rates(now), f"written {time.strftime('%Y-%m-%d %H:%M:%S')}, {'read again every ' + f'{refresh:g} s' if again else 'not read again'}"]
        log = f"<pre>{html.escape(chr(10).join(now.log))}</pre>" if now.log else ""
        text = _template.format(
            again=again, name=html.escape(now.name), state=html.escape(now.state), kind=now.state.replace(" ", "-"), detail=html.escape(now.detail),
            share=share, bar=html.escape(_counts(now)), facts="\n".join(map(html.escape, filter(None, facts))), log=log, rows=rows,
            curves=curves, images=images, note=html.escape(note), made=html.escape(self._made_by()))
        path = Path(path)
        with whole_file(path) as part:
            part.write_text(text, encoding="utf-8")
        return path

    def _made_by(self) -> str:
        try:
            return provenance_line(self.run)
        except (OSError, KeyError, ValueError):
            return ""  # as in _newest_pictures

    def _newest_pictures(self) -> tuple:
        """[(name, PNG in base64)] of the newest snapshot, of the pictures that the run draws, and of the files of the last steps in plots/; what there
        is to say of missing ones."""
        found, note, kept = [], "", []
        try:  # a resume renames snapshots, and users remove files, between a look at the folder and the reading
            snapshots = self.run.fields
            if len(snapshots):
                last = snapshots[-1]
                stamp = (last.path, last.path.stat().st_mtime_ns)
                if self._pictures[0] != stamp:
                    self._pictures = (stamp, self._drawn(last))
                found, note = self._pictures[1]
            kept = [(pictures[-1].path.name, _in_base64(pictures[-1].path)) for pictures in self.run.pictures.values()]
            files = _by_step(p for p in (self.run.path / "plots").glob("*.png") if p.name != "overview.png")
            kept += [(p.name, _in_base64(p)) for p in reversed(files[-3:])]
        except (OSError, KeyError, ValueError) as error:
            note = f"no pictures: {error}"
        return found + kept, note

    def _drawn(self, snapshot) -> tuple:
        try:
            from . import figures
        except ImportError as error:
            return [], f"no pictures: {error}"
        drawn, notes = [], []
        for name in [self.field] if self.field else field_names(snapshot, self._system()):
            buffer = io.BytesIO()
            try:
                figures.field_figure(self.run, snapshot, name).savefig(buffer, dpi=90, format="png", bbox_inches="tight")
            except (KeyError, ValueError) as error:
                notes.append(f"no picture of {name}: {error.args[0] if error.args else error}")
                continue
            drawn.append((f"{name}, step {snapshot.step}", base64.b64encode(buffer.getvalue()).decode()))
        return drawn, "; ".join(notes)


def _by_step(pictures) -> list:
    """Paths by the steps at the ends of their names; those without one count as of the last step. Times of files decide within a step only: a
    copy of a folder has others."""
    def place(path):
        step = re.search(r"_(\d+)$", path.stem)
        return math.inf if step is None else int(step[1]), path.stat().st_mtime_ns, path.name

    return sorted(pictures, key=place)


def _in_base64(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def _in_brackets(unit: str) -> str:
    return f"[{unit}]" if unit else ""


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit


def _brief(value: float) -> str:
    return f"{value:.6g}"


def clock_text(seconds: float) -> str:
    """A duration as minutes and seconds, beyond an hour with hours, beyond two days with days.

    >>> from watersmeet.watch import clock_text
    >>> clock_text(75), clock_text(3675), clock_text(200000)
    ('1:15', '1:01:15', '2 d 7:33:20')
    """
    if not math.isfinite(seconds):
        return "unknown"
    s = round(seconds)
    if s < 3600:
        return f"{s // 60}:{s % 60:02d}"
    clock = f"{s // 3600 % 24 if s >= 172800 else s // 3600}:{s // 60 % 60:02d}:{s % 60:02d}"
    return f"{s // 86400} d {clock}" if s >= 172800 else clock


def _counts(now: Progress) -> str:
    step = f"step {now.step}" + (f" of {now.end_step:.0f}" if math.isfinite(now.end_step) else "")
    t = f"t = {_brief(now.t)}" + (f" of {_brief(now.end_t)}" if math.isfinite(now.end_t) else "") if math.isfinite(now.t) else ""
    share = f"{100 * now.done:.0f} %" if math.isfinite(now.done) else ""
    return "   ".join(part for part in (share, step, t) if part)


def _bar(now: Progress, width: int) -> str:
    counts = _counts(now)
    length = max(10, min(40, width - len(counts) - 5))
    full = round(length * now.done) if math.isfinite(now.done) else 0
    return f"[{'#' * full}{'.' * (length - full)}]  {counts}"


def _rates(now: Progress) -> list:
    """Times and speed, in lines of text."""
    if not math.isfinite(now.wall):
        return ["no report yet"]
    parts = [f"wall {clock_text(now.wall)}"]
    if now.state == "running":
        parts += [f"left {clock_text(now.left)}", f"last report {clock_text(now.age)} ago"]
    if math.isfinite(now.dt):
        parts.append(f"dt {now.dt:.4g}")
    if now.grind_ns > 0:
        parts.append(f"{now.grind_ns:.4g} ns/point/step")
    if now.wall > 0 and math.isfinite(now.io_s):
        parts.append(f"{100 * now.io_s / now.wall:.0f} % in output")
    return ["   ".join(parts)]


_template = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">{again}<title>{name}: {state}</title><style>
body {{ font: 14px/1.45 sans-serif; color: #222; background: #fff; margin: 1.5em auto; max-width: 1180px; padding: 0 1em }}
h1 {{ font-size: 1.35em; margin: 0 0 .5em }} .state {{ padding: .1em .5em; border-radius: .3em; color: #fff; background: #3c7d4d }}
.suspended, .paused, .not-converged, .unknown {{ background: #b8860b }} .failed, .killed {{ background: #b5442c }}
.bar {{ background: #e4e4e4; height: .7em; border-radius: .35em; overflow: hidden; margin: .4em 0 }}
.bar div {{ background: #1f5a94; height: 100% }} td {{ padding: .1em 1em .1em 0 }} td:nth-child(2) {{ text-align: right }}
.text {{ white-space: pre-wrap }} .row {{ display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0 }} figure {{ margin: 0 }} figure img {{ max-width: 560px }}
figcaption, footer, .note {{ color: #666; font-size: .9em }} pre {{ background: #f6f6f6; padding: .7em; overflow-x: auto }}
svg .title {{ font: 13px sans-serif }} svg .tick {{ font: 10.5px sans-serif; fill: #444 }} svg .grid {{ stroke: #e4e4e4 }}
svg .frame {{ fill: none; stroke: #888 }} svg .curve {{ fill: none; stroke: #1f5a94; stroke-width: 1.4 }}
</style></head><body>
<h1>{name} <span class="state {kind}">{state}</span></h1>
<div>{detail}</div><div class="bar"><div style="width: {share}%"></div></div><div class="text">{bar}</div><div class="text">{facts}</div>{log}
<div class="row"><table>{rows}</table></div><div class="row">{curves}</div><div class="row">{images}</div>
<div class="note">{note}</div><footer>{made}</footer>
</body></html>
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="watersmeet watch", description="Follow a run in progress, or look at one that has ended.")
    parser.add_argument("directory", metavar="DIR", help="run directory, finished or still going")
    parser.add_argument("--every", type=float, default=2.0, metavar="S", help="seconds between two looks (default: 2)")
    parser.add_argument("--series", metavar="NAMES", help="columns of the time series, with commas between: u_rms,mach_max; the first is drawn")
    parser.add_argument("--field", help="field of the pictures on the page (default: those of the overview)")
    parser.add_argument("--html", metavar="FILE", help="also write a page for a browser, at every look")
    parser.add_argument("--once", action="store_true", help="look once and end")
    parser.add_argument("--json", action="store_true", help="an object of JSON a look instead of text")
    parser.add_argument("--quiet", action="store_true", help="no text: for --html")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours of the state (default: auto)")
    return parser


def _show(watch: Watch, options, screen: bool, seen: list):
    """One look on the standard output: the whole screen of a terminal, else only what is new."""
    if options.html:
        watch.page(options.html, refresh=None if options.once else options.every)
    if options.json:
        print(json.dumps(watch.as_dict()), flush=True)
        return
    if options.quiet:
        return
    size = shutil.get_terminal_size()
    encoding = (sys.stdout.encoding or "ascii").lower()
    colour = options.color == "always" or (options.color == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
                                           and os.environ.get("TERM") != "dumb")
    form = {"width": size.columns, "height": size.lines, "plain": not encoding.startswith("utf"), "colour": colour}
    if screen:
        # From the upper corner, each line cleared to its end: the screen does not flicker.
        print("\033[H" + watch.text(**form).replace("\n", "\033[K\n") + "\033[K\n\033[J", end="", flush=True)
    elif options.once or watch.progress.ended:
        print(watch.text(**form), flush=True)
    else:
        now = watch.progress
        line = f"{now.state}   {_counts(now)}   left {clock_text(now.left)}"
        if (now.state, now.step) != (seen[0] if seen else None):
            print(line, flush=True)
        seen[:] = [(now.state, now.step)]


def main(arguments=None) -> int:
    """The command line; returns the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not 0.1 <= options.every <= 86400:
        parser.error(f"--every {options.every:g}: from 0.1 to 86400 seconds")
    if options.field and not options.html:
        parser.error("--field is for the pictures of a page: name it with --html")
    try:
        watch = Watch(options.directory, options.series.split(",") if options.series else None, options.field)
        screen = sys.stdout.isatty() and not (options.once or options.json or options.quiet)
        seen = []
        if screen:
            print("\033[2J", end="")
        while True:
            _show(watch, options, screen, seen)
            if options.once:
                return 0
            if watch.progress.ended:
                status = watch.progress.exit_status
                return 1 if status is None else status
            time.sleep(options.every)
            watch.look()
    except KeyboardInterrupt:
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what reads the output has ended: so does this
        return 0
    except (ImportError, OSError, ValueError, KeyError) as error:
        return fault(error, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
