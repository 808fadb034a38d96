"""The cases of J. Xu et al., Optimizing Finite Volume Method Solvers on Nvidia GPUs, IEEE Trans. Parallel Distrib. Syst. 30 (2019): pieces, tables, pictures.

The paper shows speeds alone. The flows are the usual tests of its two systems: those of Williamson et al. and of Galewsky et al. for shallow water on the
sphere, a density current and gravity waves for the regional Euler equations, a baroclinic wave for the global ones; the cases are those of examples/.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
from paper import ROOT, Piece, Table, drawn, judged, speed
from watersmeet import sphere

HERE = Path(__file__).resolve().parent
PAPER = tomllib.loads((HERE / "paper.toml").read_text(encoding="utf-8"))
SYSTEM = "shallow_water"
EXAMPLES = ROOT / "examples"

SPHERE_CELLS = (16, 32, 64, 128, 256)
JET_CELLS = (64, 128, 256, 512)
JET_DAYS = (1, 2, 3, 5)
CURRENT_CELLS = (64, 128, 256, 512, 1024)
WAVE_CELLS = (150, 300, 600)
GLOBE_CELLS = (45, 90, 180)
STRATEGIES = {"base": "no depot, compiler defaults", "tuned": "no depot, tuned", "shared": "shared memory", "shared-halo": "shared memory, halo threads",
              "shuffle": "shuffles", "shuffle-halo": "shuffles, halo threads", "march": "march", "sweeps": "sweeps", "tile": "tile"}
# Names of examples/gravity-wave/check.py.
DISTANCE, LARGEST = "relative l2 distance of theta', linear", "largest theta' of the linear solution, K"
DEPOTS = ("shared", "shared-halo", "shuffle", "shuffle-halo")


def exact_norms(test, n, tilt):
    """Tests whose solution is known: the norms of the last row of the series."""
    def make(machine):
        settings = {"grid.cells": n, "physics.rotation.tilt": tilt * math.pi, "output.fields": ["surface"]}
        run = machine.run("run", EXAMPLES / test / "case.toml", settings)
        return {name: float(run.series[f"error_{name}"][-1]) for name in ("l1", "l2", "linf")} | {"volume_drift": float(np.max(np.abs(run.series["volume_drift"])))}
    return make


def spectral_norms(test, n, days):
    """Tests with a spectral solution on a grid of longitudes and latitudes: relative norms of the level, with the areas of its cells as weights."""
    def make(machine):
        end = days[:1] if machine.small else days
        settings = {"grid.cells": n, "time.end": f"{end[-1]} d", "output.every": f"{end[0]} d", "output.fields": ["surface"], "output.precision": "double"}
        run = machine.run("run", EXAMPLES / test / "case.toml", settings)
        result = {"energy_drift": float(run.series["energy_drift"][-1])}
        for snapshot in run.fields:
            day = round(snapshot.time / 86400)
            if day in end:
                rows = sphere.read_reference(ROOT / "validation/data" / f"{test.replace('-', '')}-spectral.csv", day)
                level, known, weight = sphere.at(snapshot, "surface", rows[:, 1], rows[:, 0]), rows[:, 2], np.cos(rows[:, 0])
                away = np.abs(level - known)
                result[f"day_{day}"] = [float(np.sum(weight * away) / np.sum(weight * known)), sphere.relative_l2(level, known, rows[:, 0]),
                                        float(away.max() / known.max())]
        return result
    return make


def steady_jet(n):
    """The jet without the hump is steady: what is left is the error."""
    def make(machine):
        days = JET_DAYS[:1] if machine.small else JET_DAYS
        settings = {"grid.cells": n, "initial[0].perturbed": False, "time.end": f"{days[-1]} d", "output.every": f"{days[-1]} d", "output.fields": ["surface"]}
        run = machine.run("run", EXAMPLES / "barotropic-jet/case.toml", settings)
        t = np.asarray(run.series["t"]) / 86400
        return {f"day_{day}": float(np.interp(day, t, run.series["velocity_error_l2"])) for day in days}
    return make


def vorticity_picture(machine, snapshot, name):
    """Absolute values on longitudes and latitudes of the northern half."""
    lon, lat = np.meshgrid(np.radians(np.arange(0.25, 360, 0.5)), np.radians(np.arange(10.25, 80, 0.5)))
    values = sphere.at(snapshot, "vorticity", lon, lat)
    with drawn(machine.figures / name, size=(9, 3)) as (figure, axes):
        picture = axes.pcolormesh(np.degrees(lon), np.degrees(lat), values, cmap="RdBu_r", vmin=-1.5e-4, vmax=1.5e-4, rasterized=True)
        axes.set(xlabel="longitude", ylabel="latitude", title=f"vorticity, 1/s, day {snapshot.time / 86400:.3g}")
        figure.colorbar(picture, ax=axes)


def jet(n):
    def make(machine):
        settings = {"grid.cells": n, "time.end": "2 h" if machine.small else "6 d", "output.every": "2 h" if machine.small else "6 d", "output.fields": ["vorticity"]}
        run = machine.run("run", EXAMPLES / "barotropic-jet/case.toml", settings)
        vorticity_picture(machine, run.fields[-1], f"barotropic-jet-{n}.png")
        values = np.concatenate([np.asarray(block[0]).ravel() for block in run.fields[-1]["vorticity"]])
        return {"vorticity_min": float(values.min()), "vorticity_max": float(values.max()), "steps": int(run.series["step"][-1]),
                "energy_drift": float(run.series["energy_drift"][-1])}
    return make


def current(n):
    def make(machine):
        run = machine.run("run", EXAMPLES / "density-current/case.toml", {"grid.cells": [n, 1, n // 4]} | ({"time.end": 300, "output.every": 300} if machine.small else {}))
        last = run.fields[-1]
        theta, velocity = np.asarray(last["theta_perturbation"], float), np.asarray(last["velocity"], float)[..., 2]
        return {"front": float(run.series["front_x"][-1]), "theta_min": float(theta.min()), "w_min": float(velocity.min()), "w_max": float(velocity.max()),
                "mass_drift": float(np.abs(run.series["mass_drift"]).max())}
    return make


def gravity_wave(n):
    def make(machine):
        end = {"time.end": 300, "output.every": 300} if machine.small else {}
        run = machine.run("run", EXAMPLES / "gravity-wave/case.toml", {"grid.cells": [n, 1, n // 3], **end})
        return judged("gravity-wave", run)
    return make


def globe(n):
    def make(machine):
        settings = {"grid.cells": [n, n, 30], "output.every": "9 d", "output.fields": ["pressure_below"]}
        if machine.small:
            settings |= {"grid.cells": [12, 12, 10], "time.end": "6 h", "output.every": "6 h"}
        run = machine.run("run", EXAMPLES / "baroclinic-wave/case.toml", settings)
        pressure = np.asarray(run.series["surface_pressure_min"]) / 100
        return {"lowest": float(pressure[-1]), "fastest": float(run.series["speed_max"][-1]), "mass_drift": float(np.abs(run.series["mass_drift"]).max()),
                "steps": int(run.series["step"][-1])}
    return make


def rates(document, cells=None):
    """Cell-stages per second by schedule or strategy, of rows on these cells alone where they are given."""
    found = {}
    for row in document["rows"]:
        if cells and "x".join(map(str, row["cells"])) != cells:
            continue
        if row.get("mesh", "flat") != "flat":  # the words of --only also choose stretched levels and implicit sound
            continue
        name = row["strategy"] if row.get("schedule") == "axes" else row["schedule"]
        found[name] = 1e9 / row["ns_per_point_rhs"]
    return found


def strategies(system, words):
    """All strategies on the paper's mesh, the program's own schedule, and the CPU of the same host."""
    def make(machine):
        cells = "x".join(map(str, PAPER["table_3"][f"{'euler' if system == 'atmosphere' else system}_cells"]))
        if machine.small:
            cells = "32x16x8" if system == "atmosphere" else "64x64x1"
        short = ["--repeats", "1", "--seconds", "0.01"] if machine.small else ["--repeats", "3", "--seconds", "0.03"]
        found = rates(machine.bench(system, "--cells", cells, "--only", words, *short, seconds=150))
        if system == "shallow_water" and machine.device == "gpu":  # its strategies have grids of their own, among them the paper's
            found |= rates(machine.bench(system, "--only", f"{words} axes", *short, seconds=60), cells)
        cpu = machine.bench(system, "--cells", cells, "--only", words, *short, seconds=60, device="cpu")
        row = cpu["rows"][0]
        return {"rates": found, "cpu": 1e9 / row["ns_per_point_rhs"], "host": cpu["device"]}
    return make


def mesh_speeds(machine):
    """The regional solver in a box and over terrain, and the global one, which the paper profiles and gives no speed of: panels of 137 x 137 columns have as many as its mesh."""
    cells = "32x16x8" if machine.small else "x".join(map(str, PAPER["table_3"]["euler_cells"]))
    short = ["--repeats", "1", "--seconds", "0.01"] if machine.small else ["--repeats", "3", "--seconds", "0.05"]
    result = {}
    for mesh in ("flat", "terrain", "sphere"):
        for stencil in ("13-point", "25-point"):
            if (machine.device, mesh, stencil) == ("cpu", "terrain", "25-point"):
                continue  # `bench` has no such row on the CPU
            document = machine.bench("atmosphere", "--cells", cells, "--only", f"double {mesh} lmars {stencil}", *short, seconds=60)
            result[f"{mesh} {stencil}"] = max(1e9 / row["ns_per_point_rhs"] for row in document["rows"] if row["mesh"] == mesh)
    return result


def hybrid(machine):
    """Steps of the air on the GPU alone and beside a rank on the CPU of the host, whose share of the cells is measured."""
    cells, steps = ([32, 16, 16], 40) if machine.small else ([484, 232, 116], 60)
    settings = {"grid.cells": cells, "grid.lower": [0, 0, 0], "grid.upper": [25.6e3, 12.8e3, 6.4e3], "time.end": 1e6, "time.steps": steps, "output.every": 1e6,
                "output.fields": ["theta_perturbation"], "output.report_every_steps": steps // 6, "output.series_every_steps": steps // 6}
    result = {}
    for name, flags in (("alone", []), ("beside", ["--gpus", "1", "--cpu-ranks", "1"] if machine.device == "gpu" else ["--ranks", "2"])):
        more = {"device.slower_ranks": True} if flags else {}
        run = machine.run(name, EXAMPLES / "density-current/case.toml", {**settings, **more}, flags=flags)
        result[name] = speed(run, steps // 2)["seconds_per_step"]
        machine.shrink(name)
    return result


def pieces(small):
    air = {"system": "atmosphere"}
    made = []
    for n in SPHERE_CELLS[:2] if small else SPHERE_CELLS:
        made += [Piece(f"williamson-{test}-{name}-{n}", exact_norms(f"williamson-{test}", n, tilt), f"norms of test {test}, {name}, 6 x {n}^2 cells", 3 + n // 32)
                 for name, tilt in (("along", 0.0), ("tilted", 0.25)) for test in (1, 2)]
        made += [Piece(f"williamson-5-{n}", spectral_norms("williamson-5", n, (5, 10, 15)), f"norms of test 5, 6 x {n}^2 cells", 3 + n // 16),
                 Piece(f"williamson-6-{n}", spectral_norms("williamson-6", n, (7, 14)), f"norms of test 6, 6 x {n}^2 cells", 3 + n // 16)]
    made += [Piece(f"steady-jet-{n}", steady_jet(n), f"jet without hump, 6 x {n}^2 cells", 3 + n // 16) for n in ((32,) if small else JET_CELLS)]
    made += [Piece(f"jet-{n}", jet(n), f"jet that rolls up, 6 x {n}^2 cells", 15) for n in ((16,) if small else (256,))]
    made += [Piece(f"density-current-{n}", current(n), f"density current, cells of {25600 // n} m", 3 + n // 64, **air) for n in CURRENT_CELLS]
    made += [Piece(f"gravity-wave-{n}", gravity_wave(n), f"gravity waves, cells of {300000 // n} m", 3 + n // 100, **air) for n in WAVE_CELLS]
    made += [Piece(f"globe-{n}", globe(n), f"baroclinic wave, 6 x {n}^2 x 30 cells", seconds, "any" if n < 90 else "gpu", **air)
             for n, seconds in zip(GLOBE_CELLS, (10, 20, 90))]
    made += [Piece("strategies-euler-13", strategies("atmosphere", "double flat lmars 13-point"), "Figures 9 and 12, Table 3, Euler without the transverse term", 90, timed=True, **air),
             Piece("strategies-euler-25", strategies("atmosphere", "double flat lmars 25-point"), "Figures 9 and 12, Table 3, Euler", 90, timed=True, **air),
             Piece("strategies-water-9", strategies("shallow_water", "double 9-point"), "Figures 10 and 12, Table 3, shallow water without the transverse term", 40, timed=True),
             Piece("strategies-water-13", strategies("shallow_water", "double 13-point"), "Figures 10 and 12, Table 3, shallow water", 40, timed=True),
             Piece("meshes", mesh_speeds, "Euler in a box, over terrain and on the sphere", 150, timed=True, **air),
             Piece("hybrid", hybrid, "Algorithm 6, the GPU beside a rank on the CPU", 60, timed=True, **air)]
    if small:
        chosen = {"williamson-1-along-16", "williamson-2-along-16", "williamson-2-along-32", "williamson-5-32", "williamson-6-16", "steady-jet-32", "jet-16", "density-current-64",
                  "gravity-wave-150", "globe-45", "strategies-euler-25", "strategies-water-9", "meshes", "hybrid"}
        made = [piece for piece in made if piece.name in chosen]
    return made


def order(values, n):
    return f"{math.log2(values[n // 2] / values[n]):.2f}" if n in values and n // 2 in values else ""


def exact_rows(found, test):
    rows = []
    for name in ("along", "tilted"):
        here = {n: found[f"williamson-{test}-{name}-{n}"] for n in SPHERE_CELLS if f"williamson-{test}-{name}-{n}" in found}
        l2 = {n: row["l2"] for n, row in here.items()}
        rows += [[name, str(n), *(f"{row[norm]:.3e}" for norm in ("l1", "l2", "linf")), order(l2, n), f"{row['volume_drift']:.1e}"] for n, row in here.items()]
    return rows


def spectral_rows(found, test):
    here = {n: found[f"williamson-{test}-{n}"] for n in SPHERE_CELLS if f"williamson-{test}-{n}" in found}
    rows = []
    for day in (5, 10, 15) if test == 5 else (7, 14):
        l2 = {n: row[f"day_{day}"][1] for n, row in here.items() if f"day_{day}" in row}
        rows += [[str(day), str(n), *(f"{norm:.3e}" for norm in here[n][f"day_{day}"]), order(l2, n)] for n in l2]
    return rows


def jet_rows(found):
    return [[str(n), *(f"{found[f'steady-jet-{n}'][f'day_{day}']:.4g}" if f"day_{day}" in found[f"steady-jet-{n}"] else "" for day in JET_DAYS)]
            for n in (32, *JET_CELLS) if f"steady-jet-{n}" in found]


def regional_rows(found):
    rows = []
    for n in CURRENT_CELLS:
        here = found.get(f"density-current-{n}")
        if here:
            rows.append([f"{25600 // n} m", f"{here['front']:.0f}", f"{here['theta_min']:.3f}", f"{here['w_min']:.2f}", f"{here['w_max']:.2f}", f"{here['mass_drift']:.0e}"])
    return rows


def wave_rows(found):
    rows = []
    for n in WAVE_CELLS:
        here = found.get(f"gravity-wave-{n}")
        if here:
            smallest = here.get("smallest theta', K", here.get("smallest theta' of the linear solution, K"))
            rows.append([f"{300000 // n} m", f"{here[DISTANCE]:.4f}",
                         f"{here['relative l2 distance of w, linear']:.4f}", f"{1e3 * smallest:.3f}",
                         f"{1e3 * here[LARGEST]:.3f}", ", ".join(here["failed"]) or "none"])
    return rows


def globe_rows(found):
    rows = []
    for n in GLOBE_CELLS:
        here = found.get(f"globe-{n}")
        if here:
            rows.append([f"6 x {n}^2 x 30", f"{here['lowest']:.1f}", f"{here['fastest']:.1f}", f"{here['mass_drift']:.0e}", str(here["steps"])])
    return rows


SPEEDS = {"strategies-euler-13": "Euler, 13-point", "strategies-euler-25": "Euler, 25-point", "strategies-water-9": "shallow water, 9-point",
          "strategies-water-13": "shallow water, 13-point"}


def strategy_rows(found):
    rows = []
    for piece, words in SPEEDS.items():
        here = found.get(piece)
        if here:
            slowest = here["rates"].get("base", min(here["rates"].values()))
            rows += [[words, text, f"{1e-9 * here['rates'][name]:.3g}", f"{here['rates'][name] / slowest:.2f}", f"{here['rates'][name] / here['cpu']:.1f}"]
                     for name, text in {**STRATEGIES, "auto": "the CPU's only one"}.items() if name in here["rates"]]
    return rows


def table_3_rows(found):
    paper, rows = PAPER["table_3"], []
    for key, words, piece in (("euler", "Euler", "strategies-euler-25"), ("shallow_water", "shallow water", "strategies-water-13")):
        rows += [[words, device, f"{hardware:.2f}", f"{full:.2f}", f"{full / hardware:.2f}", "", "12-core E5-2697 v2"]
                 for device, (hardware, full) in zip(paper["devices"], paper[key])]
        here = found.get(piece)
        if here and "tuned" in here["rates"]:
            depot = max(here["rates"].get(name, 0) for name in DEPOTS)
            own = max(here["rates"].values())
            rows.append([words, "here", f"{here['rates']['tuned'] / here['cpu']:.1f}", f"{depot / here['cpu']:.1f}", f"{depot / here['rates']['tuned']:.2f}",
                         f"{own / here['cpu']:.1f}", here["host"]])
    return rows


def mesh_rows(found):
    return [[*name.split(), f"{1e-9 * rate:.3g}"] for name, rate in found.get("meshes", {}).items()]


def hybrid_rows(found):
    here = found.get("hybrid")
    return [["one device alone", f"{1e3 * here['alone']:.4g}", "1"],
            ["beside a CPU rank", f"{1e3 * here['beside']:.4g}", f"{here['alone'] / here['beside']:.3f}"]] if here else []


def figures(found, folder):
    """Figures 9, 10 and 12: rates of the strategies; and the norms of the tests on the sphere over the number of cells."""
    shown = {words: found[piece]["rates"] for piece, words in SPEEDS.items() if piece in found}
    if shown:
        with drawn(folder / "strategies.png", 1, len(shown), size=(3.2 * len(shown), 4), squeeze=False) as (_, axes):
            for axis, (words, rates_here) in zip(axes[0], shown.items()):
                names = [name for name in (*STRATEGIES, "auto") if name in rates_here]
                axis.bar(range(len(names)), [1e-9 * rates_here[name] for name in names])
                axis.set_xticks(range(len(names)), names, rotation=60, ha="right")
                axis.set(title=words, ylabel="G cell-stages/s")
    lines = {}
    for piece, row in found.items():
        name, _, n = piece.rpartition("-")
        if piece.startswith("williamson-"):
            lines.setdefault(name.replace("williamson-", "test "), {})[int(n)] = row["l2"] if "l2" in row else row["day_5" if name.endswith("5") else "day_7"][1]
    if lines:
        with drawn(folder / "norms.png", size=(7, 4.5)) as (_, axes):
            for name, values in sorted(lines.items()):
                n = sorted(values)
                axes.loglog(n, [values[m] for m in n], "o-", label=name)
            axes.set_xscale("log", base=2)
            axes.set(xlabel="cells along the edge of a panel", ylabel="relative l2 of the level")
            axes.legend(fontsize=8)


def tables(found):
    norms = ["cells of a panel's edge", "l1", "l2", "linf", "order of l2"]
    made = [Table(f"williamson-{test}", ["axis", *norms, "drift of the volume"], exact_rows(found, test)) for test in (1, 2)]
    made += [Table(f"williamson-{test}", ["day", *norms], spectral_rows(found, test)) for test in (5, 6)]
    return made + [
        Table("steady-jet", ["cells of a panel's edge", *(f"day {day}" for day in JET_DAYS)], jet_rows(found)),
        Table("jet", ["cells of a panel's edge", "smallest vorticity, 1/s", "largest", "steps", "drift of the energy"],
              [[str(n), f"{row['vorticity_min']:.3e}", f"{row['vorticity_max']:.3e}", str(row["steps"]), f"{row['energy_drift']:.1e}"]
               for n in (16, 256) if (row := found.get(f"jet-{n}"))]),
        Table("density-current", ["cells", "front, m", "smallest theta', K", "smallest w, m/s", "largest w", "drift of the mass"], regional_rows(found)),
        Table("gravity-wave", ["cells", "l2 of theta'", "l2 of w", "smallest theta', mK", "largest theta', mK", "failed checks"], wave_rows(found)),
        Table("globe", ["cells", "lowest pressure on day 9, hPa", "fastest air, m/s", "drift of the mass", "steps"], globe_rows(found)),
        Table("strategies", ["solver", "strategy or schedule", "G cell-stages/s", "over the base", "over the host's CPU"], strategy_rows(found)),
        Table("table-3", ["solver", "device", "hardware-optimised", "with a depot", "gain", "own schedule", "CPU of the speed-ups"], table_3_rows(found)),
        Table("meshes", ["mesh", "stencil", "G cell-stages/s"], mesh_rows(found)),
        Table("hybrid", ["run", "ms per step", "gain"], hybrid_rows(found)),
    ]
