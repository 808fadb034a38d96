"""What a picture says about where it comes from: title, provenance line, and the forcing's wave number."""

from __future__ import annotations

import itertools
import math
import re


def _settings(run) -> dict:
    """Settings, or nothing where they cannot be read (Python 3.10 without tomli): a picture does not fail for that."""
    try:
        return run.settings
    except ImportError:
        return {}


def _last_launch(run) -> dict:
    """The last launch of the program on this folder: run.json holds the first at its top, later ones in `restarts`."""
    info = run.info
    return {**info, **(info.get("restarts") or [{}])[-1]}


def system_of(run) -> str:
    """The system of equations of the run; empty where nothing says it."""
    attributes = run.fields[-1].attrs if len(run.fields) else {}
    case = _settings(run).get("case", {})
    return str(attributes.get("system") or _last_launch(run).get("system") or case.get("system") or "")


def provenance_line(run, snapshot=None) -> str:
    """Program, version, commit, device, grid, precision, date and unit system, as far as they are known."""
    if snapshot is None and len(run.fields):
        snapshot = run.fields[-1]
    launch, attributes, settings = _last_launch(run), snapshot.attrs if snapshot else {}, _settings(run)
    known = {**attributes, **{key: value for key, value in launch.items() if value not in (None, "", [])}}
    commit = str(known.get("commit", ""))[:10]
    if commit and known.get("dirty"):
        commit += " + changes"
    devices = known.get("devices") or known.get("backend") or ""
    if isinstance(devices, str):
        devices = devices.split("; ")
    counted = [f"{len(list(same))} x {name}" for name, same in itertools.groupby(sorted(devices))]
    device = ", ".join(counted).removeprefix("1 x ") if len(counted) == 1 else ", ".join(counted)
    grid = ""
    if snapshot:
        if getattr(snapshot, "in_cells", False):  # panels of a sphere, all alike
            k, j, i = (n - 1 for n in snapshot.mesh.shapes[0])
            grid = f"{len(snapshot.mesh)} panels of {i} x {j}{f' x {k}' if k > 1 else ''} cells"
        elif hasattr(snapshot, "mesh"):
            nodes = sum(math.prod(shape) for shape in snapshot.mesh.shapes)
            grid = f"{len(snapshot.mesh)} blocks, {nodes} nodes"
        else:
            grid = " x ".join(str(len(getattr(snapshot, axis))) for axis in "xyz")
    precision = str(known.get("precision") or settings.get("numerics", {}).get("precision", ""))
    date = str(known.get("start", ""))[:10]
    units = settings.get("case", {}).get("units", "")
    parts = [
        f"{known.get('program', 'watersmeet')} {known.get('version', '')}".strip(),
        f"commit {commit}" if commit else "",
        device,
        grid,
        f"{precision} precision" if precision in ("single", "double") else "",
        date,
        f"{units} units" if units else "",
    ]
    return "   |   ".join(part for part in parts if part)


def number(value: float, digits: int = 4) -> str:
    """A number as mathematical text.

    >>> from watersmeet.provenance import number
    >>> number(2.5), number(1.2e-6)
    ('2.5', '1.2 \\\\times 10^{-6}')
    """
    mantissa, _, exponent = f"{float(value):.{digits}g}".partition("e")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else mantissa


def with_unit(label: str, unit: str) -> str:
    """The label with its unit, unless that is a pure number or a product of the code's own units."""
    words = set(re.findall("[^\\W\\d_]+", unit))
    return label if not words or words <= {"length", "time", "mass", "temperature", "field", "pi"} else f"{label} [{unit}]"


def with_value(symbol: str, value: float, unit: str, digits: int = 4) -> str:
    """"symbol = value unit" as mathematical text; the unit as in `with_unit`.

    >>> from watersmeet.provenance import with_value
    >>> with_value("t", 2.5, "s"), with_value("t", 2.5, "time")
    ('$t = 2.5$ s', '$t = 2.5$')
    """
    text = f"${symbol} = {number(value, digits)}$"
    return text if with_unit("", unit) == "" else f"{text} {unit}"


def title(run) -> tuple:
    """Name of the case, and the time that the picture shows."""
    name = str(_settings(run).get("case", {}).get("name", "") or run.path.resolve().name)
    if len(run.fields):
        steady = hasattr(run.fields[-1], "mesh") and _settings(run).get("time", {}).get("mode") == "steady"
        last = run.fields[-1]
        return name, f"cycle {last.step}" if steady else with_value("t", last.time, last.units["time"])
    if (run.path / "series.csv").exists() and run.series.rows:
        return name, with_value("t", run.series["t"][-1], run.series.units["t"])
    return name, ""


def shell(k_min: float, k_max: float) -> tuple:
    """Number and mean length of the integer vectors n with k_min <= |n| <= k_max, zero left out.

    >>> from watersmeet.provenance import shell
    >>> count, mean = shell(1, 2)
    >>> count, round(mean, 3)
    (32, 1.526)
    """
    reach = range(-math.floor(k_max), math.floor(k_max) + 1)
    lengths = [math.sqrt(a * a + b * b + c * c) for a in reach for b in reach for c in reach]
    lengths = [n for n in lengths if n > 0 and k_min <= n <= k_max]
    return len(lengths), math.fsum(lengths) / len(lengths) if lengths else 0.0


def forcing_vectors(run) -> tuple:
    """Number of wave vectors of a forced run and their mean length in units of 2 pi / box; (0, 0.0) without forcing."""
    forcing = _settings(run).get("forcing", {})
    if forcing.get("kind", "none") == "none":
        return 0, 0.0
    vectors = forcing.get("wavevectors") or []
    if vectors:
        return len(vectors), math.fsum(math.hypot(*vector) for vector in vectors) / len(vectors)
    if "k_min" not in forcing or "k_max" not in forcing:
        return 0, 0.0
    return shell(float(forcing["k_min"]), float(forcing["k_max"]))


def forcing_wave_number(run) -> float | None:
    """Mean angular wave number k_f of the forcing, or None; the box is taken as the cube of its side along x."""
    mean = forcing_vectors(run)[1]
    if not mean or not len(run.fields):
        return mean or None
    x = run.fields[-1].x
    side = len(x) * float(x[1] - x[0]) if len(x) > 1 else 2 * math.pi
    return mean * 2 * math.pi / side
