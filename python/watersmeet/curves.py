"""Curves without matplotlib: as characters for a terminal, and as SVG for a page."""

from __future__ import annotations

import html
import math

import numpy as np


def thinned(x, y, bins: int) -> tuple:
    """The finite points of a curve, (points,) each: in each of `bins` parts of x only the lowest and the highest value, in order."""
    keep = np.isfinite(x) & np.isfinite(y)
    x, y = np.asarray(x, float)[keep], np.asarray(y, float)[keep]
    if len(x) <= 2 * bins:
        return x, y
    part = np.minimum((bins * (x - x.min()) / max(np.ptp(x), 1e-300)).astype(int), bins - 1)
    order = np.lexsort((y, part))
    first = np.flatnonzero(np.r_[True, np.diff(part[order]) != 0])
    last = np.r_[first[1:] - 1, len(order) - 1]
    chosen = np.unique(np.r_[0, order[first], order[last], len(x) - 1])
    return x[chosen], y[chosen]


def text_plot(x, y, *, width: int = 60, height: int = 6, plain: bool = False) -> list:
    """A curve as lines of text, the highest value first, with the limits of y before the first and the last line.

    Args:
        x, y: arrays (points,); values that are not finite are left out.
        width, height: of the curve in characters.
        plain: one `*` a character; else Braille patterns, 2 x 4 dots a character.

    Returns:
        `height` texts; one text that says so where there are fewer than two points.

    >>> from watersmeet.curves import text_plot
    >>> for line in text_plot([0, 1, 2, 3], [0, 1, 2, 3], width=4, height=4, plain=True): print(line)
             3 |   *
               |  *
               | *
             0 |*
    """
    x, y = thinned(x, y, 4 * width)
    if len(x) < 2:
        return ["(no curve before the second row)"]
    columns, rows = (width, height) if plain else (2 * width, 4 * height)
    low, high = float(y.min()), float(y.max())
    along = np.linspace(x.min(), x.max(), 8 * columns)
    values = np.concatenate([np.interp(along, x, y), y]) if np.all(np.diff(x) >= 0) else y
    places = np.concatenate([along, x]) if np.all(np.diff(x) >= 0) else x
    i = np.rint((places - x.min()) / max(np.ptp(x), 1e-300) * (columns - 1)).astype(int)
    j = np.rint((values - low) / (high - low) * (rows - 1)).astype(int) if high > low else np.full(len(values), rows // 2)
    dots = np.zeros((rows, columns), bool)
    dots[rows - 1 - j, i] = True
    if plain:
        lines = ["".join("*" if dot else " " for dot in row) for row in dots]
    else:
        bits = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
        cells = dots.reshape(height, 4, width, 2).transpose(0, 2, 1, 3)
        lines = ["".join(chr(0x2800 + int(code)) if code else " " for code in row) for row in (cells * bits).sum(axis=(2, 3))]
    labels = [""] * height
    labels[0], labels[-1] = f"{high:.6g}", f"{low:.6g}" if height > 1 else f"{high:.6g}"
    size = max(10, *map(len, labels))
    return [f"{label:>{size}} |{line}".rstrip() for label, line in zip(labels, lines)]


def ticks(low: float, high: float, count: int = 4) -> list:
    """Round values between two limits, about `count`.

    >>> from watersmeet.curves import ticks
    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not (math.isfinite(low) and math.isfinite(high)) or not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.75)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{n * step:.12g}") for n in range(first, last + 1)]


def svg_plot(x, y, title: str, *, x_label: str = "t", log: bool = False, width: int = 360, height: int = 220) -> str:
    """A curve as an SVG element that needs nothing else.

    Args:
        x, y: arrays (points,); values that are not finite are left out, and on a logarithmic axis those that are not above 0.
        title, x_label: texts above it and below.
        log: whether y is logarithmic.
        width, height: in pixels.
    """
    y = np.asarray(y, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = thinned(x, np.log10(np.where(y > 0, y, np.nan)) if log else y, width)
    left, right, top, bottom = 62, 12, 26, 34
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
             f'<text x="{left}" y="16" class="title">{html.escape(title)}</text>']
    if len(x) < 2:
        return "".join([*parts, f'<text x="{left}" y="{height / 2}" class="tick">no curve before the second row</text></svg>'])
    x0, x1 = float(x.min()), float(x.max())
    y0, y1 = float(y.min()), float(y.max())
    margin = 0.05 * (y1 - y0) or 0.05 * abs(y0) or 1.0
    y0, y1 = y0 - margin, y1 + margin
    x1 = x1 if x1 > x0 else x0 + 1.0

    def across(value):
        return left + (value - x0) / (x1 - x0) * (width - left - right)

    def up(value):
        return height - bottom - (value - y0) / (y1 - y0) * (height - top - bottom)

    for value in ticks(y0, y1):
        label = f"{10**value:.3g}" if log else f"{value:.6g}"
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{up(value):.1f}" y2="{up(value):.1f}" class="grid"/>'
                     f'<text x="{left - 5}" y="{up(value) + 3.5:.1f}" text-anchor="end" class="tick">{label}</text>')
    for value in ticks(x0, x1):
        parts.append(f'<text x="{across(value):.1f}" y="{height - bottom + 14}" text-anchor="middle" class="tick">{value:.6g}</text>')
    points = " ".join(f"{across(a):.1f},{up(b):.1f}" for a, b in zip(x, y))
    parts.append(f'<rect x="{left}" y="{top}" width="{width - left - right}" height="{height - top - bottom}" class="frame"/>'
                 f'<polyline points="{points}" class="curve"/>'
                 f'<text x="{(left + width - right) / 2}" y="{height - 5}" text-anchor="middle" class="tick">{html.escape(x_label)}</text></svg>')
    return "".join(parts)
