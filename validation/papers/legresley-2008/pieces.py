"""The cases of P. LeGresley, Case Study: Computational Fluid Dynamics, Dresden 2008: a section, a hypersonic vehicle in fifteen blocks, speed-ups; and a wing."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
from paper import ROOT, Piece, Table, drawn, module_of

HERE = Path(__file__).resolve().parent
PAPER = tomllib.loads((HERE / "paper.toml").read_text(encoding="utf-8"))
SYSTEM = "aerodynamics"
EXAMPLES = ROOT / "examples"

speedup = module_of(ROOT / "bench/aerodynamics_speedup.py", "aerodynamics_speedup")
study = module_of(ROOT / "validation/aerodynamics/study.py", "aerodynamics_study")

FLOWS = [(flow["mach"], flow["alpha_deg"]) for flow in PAPER["published"]]
CELLS = (64, 128, 256, 512)
ORDERS = (1, 2, 3, 4)
SECTIONS = (0.44, 0.65, 0.9)  # parts of the half span
HALF_SPAN = 1.1963
MESHES = ("naca0012", "glider15-720k", "glider15-1500k")


def name_of(mach, alpha):
    return f"section-{mach:g}-{alpha:g}"


def section(mach, alpha, n):
    def make(machine):
        case = EXAMPLES / "naca0012" / ("case.toml" if mach < 0.7 else "transonic.toml")
        settings = {"grid.mesh.cells": [n, n // 2], "physics.freestream.mach": mach, "physics.freestream.alpha_deg": alpha, "numerics.multigrid.cycle": "V",
                    "time.steps_max": 5000}
        if mach > 1:
            settings["boundary.farfield.vortex"] = False  # the circulation in the far field is of subsonic flow
        if machine.small:
            settings |= {"time.residual_drop": 0.03, "time.steps_max": 200, "grid.mesh.far": 20.0}
        run = machine.run("run", case, settings)
        last = {key: float(run.series[key][-1]) for key in ("cl", "cd", "cm", "log_residual", "step", "enthalpy_error")}
        surface = run.surface("airfoil")
        upper = np.asarray(surface["y"]) >= 0
        places = np.linspace(0, 1, 21)
        lines = {}
        for side, chosen in (("upper", upper), ("lower", ~upper)):
            x, cp = np.asarray(surface["x"])[chosen], np.asarray(surface["cp"])[chosen]
            order = np.argsort(x)
            lines[side] = [float(value) for value in np.interp(places, x[order], cp[order])]
        pressure_picture(machine, surface, f"{name_of(mach, alpha)}-{n}.png", f"M {mach:g}, {alpha:g} degrees, {n} x {n // 2} cells")
        return {**last, "cp": lines}
    return make


def pressure_picture(machine, surface, name, title):
    x, y, cp = (np.asarray(surface[key]) for key in ("x", "y", "cp"))
    with drawn(machine.figures / name) as (_, axes):
        for side, chosen in (("upper", y >= 0), ("lower", y <= 0)):
            order = np.argsort(x[chosen])
            axes.plot(x[chosen][order], cp[chosen][order], lw=1, label=side)
        axes.invert_yaxis()
        axes.set(xlabel="x / chord", ylabel="cp", title=title)
        axes.legend(fontsize=8)


def vehicle(size, order):
    """The residual is to fall by 1e-4; orders from 2 on need first differences at shocks, which the program sets by itself from Mach 3 on."""
    def make(machine):
        settings = {"grid.mesh.size": "small" if machine.small else size, "numerics.order": order, "output.surface": [], "time.steps_max": 40 if machine.small else 3000,
                    "time.residual_drop": 0.3 if machine.small else 1e-4}
        run = machine.run("run", EXAMPLES / "glider15/case.toml", settings, may_fail=True)
        result = {key: float(run.series[key][-1]) for key in ("cl", "cd", "log_residual", "step", "limited")}
        inflow = 6.0 * 100.0  # Mach number times the area of reference
        enthalpy = 1 / 0.4 + 0.5 * 36
        return result | {"mass": float(run.series["flux_mass"][-1]) / inflow, "energy": float(run.series["flux_energy"][-1]) / (inflow * enthalpy),
                         "converged": run.info["exit_status"] == 0 and result["log_residual"] <= math.log10(settings["time.residual_drop"]) + 1e-9}
    return make


def wing(cells):
    def make(machine):
        from watersmeet.aero_figures import section as cut

        settings = {"grid.mesh.cells": cells} | ({"grid.mesh.cells": [24, 8, 8], "time.residual_drop": 0.1, "time.steps_max": 100} if machine.small else {})
        run = machine.run("run", HERE / "wing.toml", settings)
        surface, lines = run.surface("wing"), {}
        for part in SECTIONS:
            points = np.concatenate(cut(surface, "y", part * HALF_SPAN))
            chord = np.ptp(points[:, 0])
            lines[part] = ((points[:, 0] - points[:, 0].min()) / chord, points[:, 3])
        wing_picture(machine, lines, f"wing-{'x'.join(map(str, cells))}.png")
        return {**{key: float(run.series[key][-1]) for key in ("cl", "cd", "log_residual", "step")},
                "sections": {str(part): {"least_cp": float(cp.min()), "at": float(x[np.argmin(cp)]), "largest_cp": float(cp.max())} for part, (x, cp) in lines.items()}}
    return make


def wing_picture(machine, lines, name):
    with drawn(machine.figures / name, 1, len(lines), size=(11, 3.6), sharey=True) as (_, axes):
        for axis, (part, (x, cp)) in zip(axes, lines.items()):
            axis.plot(x, cp, ".", ms=3)
            axis.set(xlabel="x / chord", title=f"{part:g} of the half span")
        axes[0].set_ylabel("cp")
        axes[0].invert_yaxis()


def speeds(mesh):
    """Steps and cycles of the slides on the GPU and on one core."""
    def make(machine):
        short = ["--repeats", "1", "--seconds", "0.01"] if machine.small else ["--repeats", "3", "--seconds", "0.03"]
        words, cells = (("wavybox", ["--cells", "17"]) if machine.small else (mesh, []))
        result = {}
        for device in ("gpu", "cpu") if machine.device == "gpu" else ("cpu",):
            core = ["--threads", "1"] if device == "cpu" else []
            for precision in ("single", "double") if device == "gpu" else ("double",):
                document = machine.bench("aerodynamics", "--only", f"{precision} {words}", *cells, *core, *short, seconds=200, device=device)
                for row in document["rows"]:
                    if row.get("mesh", "wavybox") == words:
                        result[f"{device} {precision} {row['order']} {row['grids']}"] = 1e-3 * row["ms_per_step"]
        return result
    return make


def pieces(small):
    made = []
    for mach, alpha in FLOWS:
        made += [Piece(f"{name_of(mach, alpha)}-{n}", section(mach, alpha, n), f"NACA 0012, M {mach:g}, {alpha:g} degrees, {n} x {n // 2} cells", seconds,
                       "any" if n < 256 else "gpu") for n, seconds in zip(CELLS, (4, 5, 8, 25))]
    made += [Piece(f"vehicle-{size}-{order}", vehicle(size, order), f"vehicle of {size} nodes, order {order}", seconds, "gpu")
             for size, seconds in (("720k", 60), ("1500k", 120)) for order in ORDERS]
    made += [Piece(f"wing-{n}", wing([n, n // 3, n // 3]), f"wing, {n} x {n // 3} x {n // 3} cells", seconds, "gpu") for n, seconds in ((96, 30), (192, 120))]
    made += [Piece(f"speeds-{mesh}", speeds(mesh), f"speed-ups of {mesh}", seconds, "gpu", timed=True) for mesh, seconds in zip(MESHES, (60, 240, 400))]
    if small:
        chosen = {f"{name_of(0.63, 2.0)}-64", f"{name_of(1.2, 0.0)}-64", "vehicle-720k-1", "wing-96", "speeds-naca0012"}
        made = [piece for piece in made if piece.name in chosen]
        for piece in made:
            piece.device = "any"
    return made


def section_rows(found):
    rows = []
    for published in PAPER["published"]:
        mach, alpha = published["mach"], published["alpha_deg"]
        here = {n: found[f"{name_of(mach, alpha)}-{n}"] for n in CELLS if f"{name_of(mach, alpha)}-{n}" in found}
        words = f"M {mach:g}, {alpha:g} degrees"
        spans = [f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in (published["cl"], published["cd"])]
        rows += [[words, f"{n} x {n // 2}", spans[0], f"{row['cl']:.5f}", spans[1], f"{row['cd']:.5f}", f"{row['cm']:.5f}", f"{row['log_residual']:.1f}",
                  f"{row['step']:.0f}"] for n, row in here.items()]
        if all(n in here for n in CELLS[1:]):
            limits = [study.richardson(*(here[n][key] for n in CELLS[1:])) for key in ("cl", "cd", "cm")]
            rows.append([words, "limit of the last three", spans[0], f"{limits[0][1]:.5f}" if limits[0] else "no order", spans[1],
                         f"{limits[1][1]:.5f}" if limits[1] else "no order", f"{limits[2][1]:.5f}" if limits[2] else "no order", "", ""])
    return rows


def vehicle_rows(found):
    rows = []
    for size in PAPER["vehicle"]["nodes"]:
        for order in ORDERS:
            here = found.get(f"vehicle-{size}-{order}")
            if here:
                rows.append([size, str(order), "yes" if here["converged"] else "no", f"{here['log_residual']:.2f}", f"{here['step']:.0f}", f"{here['cl']:.5f}",
                             f"{here['cd']:.5f}", f"{here['mass']:.1e}", f"{here['energy']:.1e}"])
    return rows


def wing_rows(found):
    rows = []
    for n in (96, 192):
        here = found.get(f"wing-{n}")
        if here:
            rows += [[f"{n} x {n // 3} x {n // 3}", f"{here['cl']:.4f}", f"{here['cd']:.4f}", part, f"{line['least_cp']:.3f}", f"{line['at']:.3f}", f"{line['largest_cp']:.3f}"]
                     for part, line in here["sections"].items()]
    return rows


def speed_rows(found):
    rows = []
    for mesh in MESHES:
        here = found.get(f"speeds-{mesh}", {})
        for order in ("1", "3"):
            for grids in ("1", "2V"):
                published = speedup.PUBLISHED.get((mesh, order, grids))
                core = here.get(f"cpu double {order} {grids}")
                if core is None:
                    continue
                double, single = (here.get(f"gpu {precision} {order} {grids}") for precision in ("double", "single"))
                rows.append([mesh, order, "one grid" if grids == "1" else "V over two", f"{published:g}" if published else "", f"{1e3 * core:.4g}",
                             f"{1e3 * double:.4g}" if double else "", f"{1e3 * single:.4g}" if single else "", f"{core / double:.0f}" if double else ""])
    return rows


def figures(found, folder):
    """Cl and Cd of the section over the spacing, beside what others have."""
    shown = [published for published in PAPER["published"] if any(f"{name_of(published['mach'], published['alpha_deg'])}-{n}" in found for n in CELLS)]
    if not shown:
        return
    with drawn(folder / "sections.png", 1, 2, size=(10, 4)) as (_, axes):
        for published in shown:
            name = name_of(published["mach"], published["alpha_deg"])
            n = [n for n in CELLS if f"{name}-{n}" in found]
            for axis, key in zip(axes, ("cl", "cd")):
                line, = axis.plot([1 / m for m in n], [found[f"{name}-{m}"][key] for m in n], "o-", label=f"M {published['mach']:g}, {published['alpha_deg']:g} deg")
                axis.axhspan(*published[key], color=line.get_color(), alpha=0.25)
                axis.axhline(sum(published[key]) / 2, color=line.get_color(), lw=0.6, ls=":")
                axis.set(xlabel="1 / cells around the section", ylabel=key[0].upper() + key[1])
        axes[0].legend(fontsize=8)


def tables(found):
    return [
        Table("sections", ["flow", "cells", "Cl by others", "Cl", "Cd by others", "Cd", "Cm", "log10 residual", "cycles"], section_rows(found)),
        Table("speed-ups", ["mesh", "order", "grids", "paper, times", "one core, ms", "double, ms", "single, ms", "times"], speed_rows(found)),
        Table("vehicle", ["nodes", "order", "converged", "log10 residual", "cycles", "Cl", "Cd", "net mass flux", "net energy flux"], vehicle_rows(found)),
        Table("wing", ["cells", "Cl", "Cd", "part of the half span", "least cp", "at x / chord", "largest cp"], wing_rows(found)),
    ]
