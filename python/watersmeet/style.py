"""The look of all pictures: equal square panels, thin lines, perceptually uniform colour maps (viridis for magnitudes, RdBu_r
centred for quantities with a sign), units on the axes. In code units the names length, time, mass and temperature say nothing,
so labels then carry no unit and the last line of the page says "code units".
"""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator, ScalarFormatter

from .shown import signed

style = {
    "font.family": "sans-serif", "font.size": 9, "axes.labelsize": 9.5, "axes.titlesize": 10, "axes.linewidth": 0.7,
    "xtick.labelsize": 8.5, "ytick.labelsize": 8.5, "xtick.direction": "in", "ytick.direction": "in",
    "xtick.major.width": 0.7, "ytick.major.width": 0.7, "legend.frameon": False, "legend.fontsize": 8.5,
    "lines.linewidth": 1.3, "mathtext.fontset": "dejavusans",
}
nice = [1, 2, 2.5, 5, 10]  # steps of ticks
ink, blue, red, gray = "#222222", "#1f5a94", "#b5442c", "#8a8a8a"
lines_of_probes = (blue, red, "#3c7d4d", gray, "#7a4fa0", "#b8860b")
components = (("x", blue, "-"), ("y", red, "-"), ("z", "#3c7d4d", "--"))
symbols = {
    "speed": r"$|\mathbf{u}|$", "velocity": r"$|\mathbf{u}|$", **{f"velocity.{c}": f"$u_{c}$" for c in "xyz"},
    "magnetic_field": r"$|\mathbf{B}|$", "rho": r"$\rho$", "lnrho": r"$\ln\,\rho$", "pressure": "$p$", "p": "$p$", "alpha": r"$\alpha$",
    "w": "$w$", "Gamma": r"$\Gamma$", "Pi": r"$\Pi$", "mach": "Mach number", "sound_speed": "$c$",
    "vorticity": r"$|\nabla\times\mathbf{u}|$", "divergence": r"$\nabla\cdot\mathbf{u}$", "q_criterion": "$Q$", "cp": "$c_p$",
    "dissipation": r"$\varepsilon$", "enstrophy": r"$|\nabla\times\mathbf{u}|^2/2$", "helicity": r"$\mathbf{u}\cdot\nabla\times\mathbf{u}$",
}
colour_maps = {"schlieren": "gray"}


def finish(ax, xlabel: str, ylabel: str = "", heading: str = ""):
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.set_title(heading, color=ink, pad=7)
    ax.tick_params(which="both", top=True, right=True, color=ink)
    if isinstance(ax.xaxis.get_major_formatter(), ScalarFormatter):
        ax.ticklabel_format(axis="x", scilimits=(-2, 4), useMathText=True)
    if ax.images and isinstance(ax.yaxis.get_major_formatter(), ScalarFormatter):
        ax.ticklabel_format(axis="y", scilimits=(-2, 4), useMathText=True)


def angle_ticks(axis, lower: float, upper: float) -> bool:
    """Ticks at multiples of pi where the box is one: the box of a periodic system with a point at its lower end."""
    turns = (upper - lower) / np.pi
    whole = abs(turns - round(turns)) < 1e-6 and abs(lower / np.pi - round(lower / np.pi)) < 1e-6
    if 0.5 < turns <= 8 and whole:
        names = {-1: r"$-\pi$", 0: "0", 1: r"$\pi$"}
        axis.set_major_locator(MultipleLocator(np.pi * (1 if turns <= 4 else 2)))
        axis.set_major_formatter(FuncFormatter(lambda v, _: names.get(round(v / np.pi), rf"${round(v / np.pi)}\pi$")))
        return True
    axis.set_major_locator(MaxNLocator(5, steps=nice))
    return False


def colours(name: str, values, limits=None) -> dict:
    """Colour map and limits: diverging where a quantity with a sign has both signs, or is made of small differences.

    Args:
        limits: (low, high) of the colours; None: those of the values.
    """
    low, high = (np.nanmin(values), np.nanmax(values)) if limits is None else limits
    if (name in signed or "." in name) and low < 0 < high:
        if limits is not None and low != -high:
            return {"cmap": "RdBu_r", "norm": TwoSlopeNorm(0, low, high)}  # zero stays white
        reach = max(high, -low)
        return {"cmap": "RdBu_r", "vmin": -reach, "vmax": reach}
    return {"cmap": colour_maps.get(name, "viridis"), **({} if limits is None else {"vmin": low, "vmax": high})}


def colour_bar(ax, image, place: list):
    """The colours of an image beside it: `place` is [left, bottom, width, height], in parts of the axes."""
    bar = ax.figure.colorbar(image, cax=ax.inset_axes(place))
    bar.outline.set_linewidth(0.7)
    bar.locator = MaxNLocator(6, steps=nice)
    bar.formatter.set_powerlimits((-2, 3))
    bar.formatter.set_useMathText(True)
    bar.update_ticks()
    bar.ax.tick_params(direction="in", length=3)
    return bar
