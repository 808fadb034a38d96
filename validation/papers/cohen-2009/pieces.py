"""The cases of J. M. Cohen and M. J. Molemaker, A fast double precision CFD code using CUDA, Parallel CFD 2009: pieces, tables, pictures."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
from paper import Failed, Piece, Table, drawn, speed

HERE = Path(__file__).resolve().parent
PAPER = tomllib.loads((HERE / "paper.toml").read_text(encoding="utf-8"))
SYSTEM = "boussinesq"

ONSET_CELLS = (16, 32, 64, 128)
CUBE_CELLS = (16, 24, 32, 48, 64)
CONVECTION_CELLS = ((64, 64, 32), (128, 128, 64), (256, 256, 128), (384, 384, 192))
LOCK_CELLS = (64, 128, 256)
LEVEL_CELLS = (4, 8, 12, 16, 24, 32, 64, 128)
# The paper's 1e-8 in units of diffusion is sqrt(Ra Pr) times less in free-fall units.
TOLERANCE = 1e-8 / math.sqrt(1e7 * 0.71)
NUSSELT = ("nusselt_lower", "nusselt_upper", "nusselt_flux", "nusselt_thermal", "nusselt_kinetic")


def growth_rate(run, since):
    """Of the largest w, over the time from `since` on; with the spread of the rates of its two halves."""
    t, w = np.asarray(run.series["t"]), np.asarray(run.series["w_max"])
    late = t >= since
    t, log = t[late], np.log(w[late])
    middle = len(t) // 2
    halves = [np.polyfit(t[part], log[part], 1)[0] for part in (slice(None, middle), slice(middle, None))]
    return np.polyfit(t, log, 1)[0], abs(halves[1] - halves[0])


def critical(machine, case, settings, rough, since):
    """The Rayleigh number of no growth, on the line through the rates at 0.15 % below and above a rough value."""
    numbers, rates, drifts = [0.9985 * rough, 1.0015 * rough], [], []
    for side, number in zip(("below", "above"), numbers):
        run = machine.run(side, HERE / case, {**settings, "constants.Ra": number})
        rate, drift = growth_rate(run, since)
        rates.append(rate)
        drifts.append(drift)
    a, b = numbers
    return {"critical": a - rates[0] * (b - a) / (rates[1] - rates[0]), "rates": rates, "drift": max(drifts)}


def free_slip_critical(n):
    """The critical number of the differences on N x N cells between plates with free slip: their eigenfunctions are known."""
    angle = math.pi / (2 * n)
    kx, kz = 2 * n / math.sqrt(2) * math.sin(angle), 2 * n * math.sin(angle)
    return (kx**2 + kz**2) ** 3 / (kx * math.cos(angle)) ** 2


def onset(n, slip):
    def make(machine):
        length = "sqrt(2)" if slip else "pi/3.11"
        settings = {"grid.cells": [n, n // 2, n], "grid.upper": [length, 0.5, 1], "constants.L": length}
        if not slip:
            settings |= {"boundary.z_lower.kind": "no_slip", "boundary.z_upper.kind": "no_slip"}
        if machine.small:
            settings |= {"grid.cells": [n, 1, n], "time.end": 0.8}
        paper = PAPER["table_2"]["free_slip" if slip else "no_slip"][ONSET_CELLS.index(n)]
        return critical(machine, "onset.toml", settings, paper, 0.6 if machine.small else 0.8)
    return make


def cube_onset(n):
    def make(machine):
        settings = {"grid.cells": [n] * 3} | ({"time.end": 0.8} if machine.small else {})
        return critical(machine, "cube-onset.toml", settings, 6797.5 - 41267 / n**2, 0.6 if machine.small else 3.0)
    return make


def cube_roll(n):
    def make(machine):
        # On 16^3 cells the roll settles slowly, and gives way to another state from t = 6 on.
        end = 0.5 if machine.small else 5.0 if n == 16 else 3.0
        run = machine.run("roll", HERE / "cube-roll.toml", {"grid.cells": [n] * 3, "time.end": end, "output.every": end})
        series, t = run.series, np.asarray(run.series["t"])
        lower = np.asarray(series["nusselt_lower"])
        tenth = np.searchsorted(t, t[-1] - 0.1)
        return {"nusselt_lower": lower[-1], "nusselt_upper": float(series["nusselt_upper"][-1]), "change": abs(lower[-1] - lower[tenth]),
                **{name: float(series[name][-1]) for name in ("u_max", "v_max", "w_max")}}
    return make


def table_3(cells):
    """The same turbulent flow continued by the paper's multigrid, by this program's own choice, and by the paper's multigrid on the CPU."""
    def make(machine):
        grid = [24, 24, 12] if machine.small else list(cells)
        spun = machine.run("spin-up", HERE / "convection.toml", {"grid.cells": grid, "time.end": 4 if machine.small else 30})
        last = int(spun.series["step"][-1])
        multigrid = {"numerics.pressure.solver": "mg", "numerics.pressure.tol_abs": TOLERANCE}
        steps, every = (60, 10) if machine.small else (300, 20)
        result = {"step": last}
        for name, device, settings, count in (("mg", None, multigrid, steps), ("fft", None, {}, steps), ("cpu", "cpu", multigrid, 20 if machine.small else 12)):
            batch = min(every, count // 3)
            run = machine.go_on(spun.path, name, {**settings, "time.end": 1e6, "time.steps": last + count, "output.report_every_steps": batch,
                                                  "output.series_every_steps": batch}, device=device)
            # The first rows have the start of the program in them, and too few earlier solutions for the start of the cycles.
            result[name] = speed(run, last + 2 * batch if device is None else last + batch)["seconds_per_step"]
            result[f"{name}_cycles"] = float(np.median(np.asarray(run.series["pressure_cycles"])[-3:]))
            if device:
                result["threads"] = run.info["restarts"][-1]["threads"]
            machine.shrink(name)
        return result
    return make


def mean(t, values):
    return float(np.sum((values[1:] + values[:-1]) * np.diff(t)) / 2 / (t[-1] - t[0]))


def temperature_pictures(machine, run, name):
    """Figure 6: the temperature on the plane y = 0 at the times of the snapshots that are there."""
    shown = [snapshot for snapshot in run.fields if snapshot.time > 0]
    with drawn(machine.figures / name, len(shown), size=(7, 3.4 * len(shown)), squeeze=False) as (figure, axes):
        for axis, snapshot in zip(axes[:, 0], shown):
            plane = np.asarray(snapshot["temperature"][:, len(snapshot.y) // 2, :])
            picture = axis.imshow(plane, origin="lower", extent=(-1, 1, -0.5, 0.5), cmap="RdBu_r", vmin=-0.5, vmax=0.5)
            axis.set(title=f"t = {snapshot.time:.3g}", xlabel="x", ylabel="z")
        figure.colorbar(picture, ax=axes, label="temperature", shrink=0.5)


def statistics(cells):
    """Means over time of the five Nusselt numbers, from t = 100 to 200."""
    def make(machine):
        grid, end = ([24, 24, 12], 12) if machine.small else (list(cells), 200)
        early = machine.run("early", HERE / "convection.toml", {"grid.cells": grid, "time.end": 9, "output.every": 3})
        temperature_pictures(machine, early, f"temperature-{cells[0]}.png")
        run = machine.go_on(early.path, "late", {"time.end": end, "output.every": 1000})
        t = np.asarray(run.series["t"])
        settled = t >= end / 2
        numbers = {name: mean(t[settled], np.asarray(run.series[name])[settled]) for name in NUSSELT}
        halves = [mean(t[part], np.asarray(run.series["nusselt_flux"])[part]) for part in (settled & (t <= 0.75 * end), t >= 0.75 * end)]
        average = float(np.mean(list(numbers.values())))
        return {**numbers, "mean": average, "halves": abs(halves[1] - halves[0]), "thermal_layer_cells": grid[2] / (2 * average),
                "steps": int(run.series["step"][-1]), "from": end / 2, "to": end}
    return make


# The cube of the text and that of the authors' program.
LOCK_CUBES = {"unit cube": {"grid.upper": [1, 1, 1], "initial[0].temperature": "2*tanh(x)"}, "cube of 100": {}}


def lock_exchange(n):
    def make(machine):
        cells, steps = ([16] * 3, 30) if machine.small else ([n] * 3, 60)
        result = {}
        for cube, settings in LOCK_CUBES.items():
            for precision in ("double", "single"):
                name = f"{cube}, {precision}".replace(" ", "-").replace(",", "")
                run = machine.run(name, HERE / "lock-exchange.toml",
                                  {**settings, "grid.cells": cells, "numerics.precision": precision, "time.steps": steps,
                                   "output.report_every_steps": steps // 6})
                result[f"{cube}, {precision}"] = speed(run, steps // 2)["seconds_per_step"]
                result[f"{cube}, {precision}, cycles"] = float(run.series["pressure_cycles"][-1])
                machine.shrink(name)
        return result
    return make


# What the rows of `bench` are in the groups of the paper's Table V.
PART_OF = {"right-hand side and update": "terms", "pressure from nothing": "pressure", "divergence": "pressure", "ghosts of the pressure": "pressure",
           "projection": "projection", "projection and ghosts": "projection", "wall faces": "sides", "ghosts": "sides"}  # with ghosts: on the CPU


def table_5(machine):
    cells = "24x24x12" if machine.small else "256x256x128"
    document = machine.bench("boussinesq", "--cells", cells, "--only", "double mg", "--repeats", "1" if machine.small else "5", seconds=60)
    row = document["rows"][0]
    shares = {"pressure": 0.0, "terms": 0.0, "projection": 0.0, "sides": 0.0}
    for kernel in row["kernels"]:
        if kernel["name"] not in PART_OF:
            raise Failed(f"bench has a part that Table V does not know: {kernel['name']}")
        shares[PART_OF[kernel["name"]]] += kernel["seconds"]
    total = sum(shares.values())
    return {name: 100 * seconds / total for name, seconds in shares.items()} | {"step_s": 1e-9 * row["ns_per_point_step"] * math.prod(row["cells"])}


def figure_2(machine):
    """A solve of the pressure from zero by multigrid on cubes of cells, on the GPU and on the CPU."""
    result = {}
    devices = ["cpu"] if machine.device == "cpu" else ["gpu", "cpu"]
    for n in LEVEL_CELLS[:3] if machine.small else LEVEL_CELLS:
        for device in devices:
            document = machine.bench("boussinesq", "--cells", f"{n}x{n}x{n}", "--only", "double mg", "--repeats", "3", "--seconds", "0.05", seconds=30, device=device)
            kernels = {kernel["name"]: kernel["seconds"] for kernel in document["rows"][0]["kernels"]}
            result[f"{device}_{n}"] = kernels["pressure from nothing"]
    return result


def pieces(small):
    made = [Piece(f"onset-{'free-slip' if slip else 'no-slip'}-{n}", onset(n, slip), f"Table II, {n} x {n // 2} x {n} cells", seconds)
            for n, seconds in zip(ONSET_CELLS, (5, 10, 20, 80)) for slip in (True, False)]
    made += [Piece(f"cube-onset-{n}", cube_onset(n), f"critical number of the cube, {n}^3 cells", seconds)
             for n, seconds in zip(CUBE_CELLS, (5, 8, 12, 25, 40))]
    made += [Piece(f"cube-roll-{n}", cube_roll(n), f"Nusselt number of the cube at Ra = 4.4e4, {n}^3 cells", seconds)
             for n, seconds in zip(CUBE_CELLS, (3, 4, 6, 10, 15))]
    made += [Piece(f"table-3-{cells[0]}", table_3(cells), f"Table III, {' x '.join(map(str, cells))} cells", seconds, "gpu" if cells[0] > 64 else "any", timed=True)
             for cells, seconds in zip(CONVECTION_CELLS, (10, 15, 50, 150))]
    made += [Piece(f"lock-exchange-{n}", lock_exchange(n), f"Table IV, {n}^3 cells", seconds, "gpu" if n > 64 else "any", timed=True)
             for n, seconds in zip(LOCK_CELLS, (3, 4, 15))]
    made += [Piece("table-5", table_5, "Table V, parts of a step on 256 x 256 x 128 cells", 20, timed=True),
             Piece("figure-2", figure_2, "Figure 2, solves on small cubes on the GPU and the CPU", 60, timed=True)]
    made += [Piece(f"statistics-{cells[0]}", statistics(cells), f"Figure 6 and Nusselt numbers, {' x '.join(map(str, cells))} cells", seconds, "gpu")
             for cells, seconds in zip(CONVECTION_CELLS[2:], (120, 450))]
    if small:
        chosen = {"onset-free-slip-16", "onset-free-slip-32", "cube-onset-16", "cube-roll-16", "table-3-64", "lock-exchange-64", "table-5", "figure-2", "statistics-256"}
        made = [piece for piece in made if piece.name in chosen]
        for piece in made:
            piece.device = "any"
    return made


def limit(coarse, fine, ratio=2.0):
    """Richardson's extrapolation with order 2."""
    return fine + (fine - coarse) / (ratio**2 - 1)


def limit_of_three(n, values):
    """a of a + b h^2 + c h^4 through three grids."""
    matrix = [[1, m**-2.0, m**-4.0] for m in n]
    return float(np.linalg.solve(matrix, values)[0])


def table_2_rows(found):
    paper, rows = PAPER["table_2"], []
    for name, key in (("free slip", "free_slip"), ("no slip", "no_slip")):
        here = {n: found[f"onset-{key.replace('_', '-')}-{n}"]["critical"] for n in ONSET_CELLS if f"onset-{key.replace('_', '-')}-{n}" in found}
        for n, published in zip(ONSET_CELLS, paper[key]):
            if n in here:
                exact = f"{free_slip_critical(n):.3f}" if key == "free_slip" else ""
                change = f"{here[n] - here[n // 2]:+.3f}" if n // 2 in here else ""
                rows.append([name, f"{n} x {n // 2} x {n}", f"{published:.2f}", f"{here[n]:.3f}", exact, change])
        if 64 in here and 128 in here:
            known = "657.511 = 27 pi^4/4" if key == "free_slip" else "1707.772 at k = 3.11"
            rows.append([name, "limit of 64 and 128", f"{paper[key + '_limit']:.2f}", f"{limit(here[64], here[128]):.3f}", known, ""])
    return rows


def cube_rows(found):
    onset_of = {n: found[f"cube-onset-{n}"]["critical"] for n in CUBE_CELLS if f"cube-onset-{n}" in found}
    roll = {n: found[f"cube-roll-{n}"] for n in CUBE_CELLS if f"cube-roll-{n}" in found}
    rows = []
    for n in CUBE_CELLS:
        if n in onset_of or n in roll:
            rows.append([f"{n}^3", str(PAPER["text"]["cube_critical"]) if n == 32 else "", f"{onset_of[n]:.2f}" if n in onset_of else "",
                         f"{roll[n]['nusselt_lower']:.5f}" if n in roll else "",
                         f"{roll[n]['change']:.0e}" if n in roll else "",
                         f"{roll[n]['u_max']:.3f}, {roll[n]['v_max']:.3f}, {roll[n]['w_max']:.3f}" if n in roll else ""])
    if all(n in onset_of for n in (16, 24, 32)):
        finest = ", ".join(f"{limit_of_three(three, [onset_of[n] for n in three]):.2f} of {three[0]}, {three[1]}, {three[2]}"
                           for three in ((16, 24, 32), (32, 48, 64)) if all(n in onset_of for n in three))
        nusselt = f"{limit_of_three((32, 48, 64), [roll[n]['nusselt_lower'] for n in (32, 48, 64)]):.4f}" if all(n in roll for n in (32, 48, 64)) else ""
        rows.append(["limit of three", "", finest, nusselt, "", ""])
    orders = []
    for values in (onset_of, {n: row["nusselt_lower"] for n, row in roll.items()}):
        orders.append(f"{math.log2((values[16] - values[32]) / (values[32] - values[64])):.2f}" if all(n in values for n in (16, 32, 64)) else "")
    if any(orders):
        rows.append(["order of 16, 32, 64", "2", orders[0], orders[1], "", ""])
    return rows


def table_3_rows(found):
    paper, rows, before = PAPER["table_3"], [], None
    for i, cells in enumerate(CONVECTION_CELLS):
        here = found.get(f"table-3-{cells[0]}")
        if here:
            count = math.prod(cells)
            per_cell = here["mg"] / count
            rows.append([" x ".join(map(str, cells)), f"{paper['cpu_ms'][i]}", f"{paper['gpu_ms'][i]}", f"{1e3 * here['cpu']:.4g} ({here['threads']})",
                         f"{1e3 * here['mg']:.4g}", f"{here['mg_cycles']:.0f}", f"{1e3 * here['fft']:.4g}", f"{1e12 * per_cell:.3g}",
                         f"{per_cell / before:.2f}" if before else "", f"{here['cpu'] / here['mg']:.1f} ({paper['cpu_ms'][i] / paper['gpu_ms'][i]:.1f})"])
            before = per_cell
    return rows


def table_4_rows(found):
    paper, rows = PAPER["table_4"], []
    for i, n in enumerate(LOCK_CELLS):
        here = found.get(f"lock-exchange-{n}")
        for cube in LOCK_CUBES if here else ():
            double, single = here[f"{cube}, double"], here[f"{cube}, single"]
            rows.append([f"{n}^3", cube, f"{paper['double_s'][i]:.6f}", f"{double:.6f}", f"{paper['single_s'][i]:.6f}", f"{single:.6f}",
                         f"{paper['double_s'][i] / paper['single_s'][i]:.2f}", f"{double / single:.2f}",
                         f"{here[f'{cube}, double, cycles']:.0f}, {here[f'{cube}, single, cycles']:.0f}"])
    return rows


def table_5_rows(found):
    here, paper = found.get("table-5"), PAPER["table_5"]
    if not here:
        return []
    return [["solving for the pressure", f"{paper['pressure']:.1f}", f"{here['pressure']:.1f}"],
            ["advection, diffusion, buoyancy", f"{paper['terms']:.1f}", f"{here['terms']:.1f}"],
            ["combinations of fields", f"{paper['combinations']:.1f}", "in the row above"],
            ["gradient of the pressure", "not in the ten", f"{here['projection']:.1f}"],
            ["sides of the box", "not in the ten", f"{here['sides']:.1f}"],
            ["largest values", f"{paper['reduction']:.1f}", "within the others"]]


def figure_2_rows(found):
    here = found.get("figure-2", {})
    rows = []
    for n in LEVEL_CELLS:
        if f"cpu_{n}" in here:
            gpu = here.get(f"gpu_{n}")
            rows.append([f"{n}^3", f"{1e6 * here[f'cpu_{n}']:.4g}", f"{1e6 * gpu:.4g}" if gpu else "", f"{here[f'cpu_{n}'] / gpu:.3g}" if gpu else ""])
    return rows


def statistics_rows(found):
    rows = []
    for cells in CONVECTION_CELLS:
        here = found.get(f"statistics-{cells[0]}")
        if here:
            rows.append([" x ".join(map(str, cells)), *(f"{here[name]:.2f}" for name in NUSSELT), f"{here['mean']:.2f}", f"{here['thermal_layer_cells']:.1f}",
                         f"{here['halves']:.2f}", f"{here['steps']}"])
    return rows


def figures(found, folder):
    """Figure 2: a solve on small cubes on both devices."""
    here = found.get("figure-2", {})
    if not here:
        return
    with drawn(folder / "figure-2.png") as (_, axes):
        for device, words in (("cpu", "CPU"), ("gpu", "GPU")):
            n = [n for n in LEVEL_CELLS if f"{device}_{n}" in here]
            if n:
                axes.loglog(n, [1e6 * here[f"{device}_{m}"] for m in n], "o-", label=words)
        axes.set_xscale("log", base=2)
        axes.set(xlabel="cells along each axis", ylabel="solve of the pressure, us")
        axes.legend()


def tables(found):
    return [
        Table("table-2", ["sides", "cells", "paper", "here", "exact for the differences", "change"], table_2_rows(found)),
        Table("cube", ["cells", "critical Ra, paper", "critical Ra, here", "Nusselt number", "its change in the last 0.1", "largest u, v, w"], cube_rows(found)),
        Table("table-3", ["cells", "paper, CPU ms", "paper, GPU ms", "multigrid on the CPU, ms (threads)", "multigrid, ms", "cycles", "transforms, ms",
                          "ps per cell", "to the row above", "CPU over GPU (paper)"], table_3_rows(found)),
        Table("table-4", ["cells", "cube", "paper, double s", "double s", "paper, single s", "single s", "paper, ratio", "ratio", "cycles"], table_4_rows(found)),
        Table("table-5", ["part", "paper, %", "here, %"], table_5_rows(found)),
        Table("figure-2", ["cells", "CPU, us", "GPU, us", "CPU over GPU"], figure_2_rows(found)),
        Table("statistics", ["cells", *(name.removeprefix("nusselt_") for name in NUSSELT), "mean", "cells in the thermal layer", "halves differ by", "steps"],
              statistics_rows(found)),
    ]
