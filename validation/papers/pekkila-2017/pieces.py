"""The cases of J. Pekkila et al., Methods for compressible fluid simulation on GPUs using high-order finite differences, Comput. Phys. Commun. 217 (2017) 11: pieces,
tables, pictures. The cases are those of examples/."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
from paper import ROOT, Piece, Table, drawn
from watersmeet.provenance import forcing_vectors

HERE = Path(__file__).resolve().parent
PAPER = tomllib.loads((HERE / "paper.toml").read_text(encoding="utf-8"))
SYSTEM = "isothermal"
EXAMPLES = ROOT / "examples"

METHODS, PRECISIONS = ("55-point", "19-point"), ("double", "single")
DECAY_CELLS = (32, 64, 128, 256, 512)
EXPLOSION_CELLS = (64, 128, 256)
VISCOSITIES = (0.16, 0.08, 0.04, 0.02, 0.01)
SHELL = 0.8  # radius of the shell
# The files of examples/forced-turbulence by the paper's k_f, and the ends of their runs.
FORCED = {1.53: "case", 2.23: "kf-2.23", 3.13: "kf-3.13", 4.12: "kf-4.09", 10.0: "kf-10"}
ENDS = {1.53: 220.0, 2.23: 170.0, 3.13: 135.0, 4.12: 115.0, 10.0: 65.0}
AMPLITUDES = (1.0, 0.5, 0.25)  # of central differences alone, over that of the example: the largest that lives counts


def second_derivative(k, h):
    """What the 7-point second derivative makes of exp(i k x), with the sign turned."""
    t = k * h
    return (490 - 540 * math.cos(t) + 54 * math.cos(2 * t) - 4 * math.cos(3 * t)) / (180 * h * h)


def decay_error(n, t=1.5, viscosity=1e-3, amplitude=0.1):
    """The rms error that the differences have in exact arithmetic."""
    k = PAPER["figure_5"]["wave_number"]
    return amplitude / math.sqrt(2) * abs(math.exp(-viscosity * second_derivative(k, 2 * math.pi / n) * t) - math.exp(-viscosity * k * k * t))


def decay(machine):
    """Figure 5 in a box four points thick: nothing depends on y and z."""
    result = {}
    for n in DECAY_CELLS[:2] if machine.small else DECAY_CELLS:
        for method in METHODS:
            for precision in PRECISIONS:
                side = f"8*pi/{n}"
                run = machine.run(f"{n}-{method}-{precision}", EXAMPLES / "sine-decay/case.toml",
                                  {"grid.cells": [n, 4, 4], "grid.upper": ["2*pi", side, side], "numerics.method": method, "numerics.precision": precision,
                                   "output.every": 1.5})
                last, k = run.fields[-1], PAPER["figure_5"]["wave_number"]
                exact = 0.1 * np.sin(k * last.x) * math.exp(-1e-3 * k * k * last.time)
                result[f"{n} {method} {precision}"] = float(np.sqrt(np.mean((np.asarray(last["velocity"], float)[..., 1] - exact) ** 2)))
                machine.forget(f"{n}-{method}-{precision}")
    return result


def axes_through(field, start):
    """Values along x, y, z and the four diagonals of the cube, arrays (7, n); `start`: 0 where a node is the centre, whose diagonals begin at node 0 or 1."""
    n = len(field)
    i, middle = np.arange(n), n // 2
    back = (n - i) % n if start == 0 else n - 1 - i
    lines = [(middle, middle, i), (middle, i, middle), (i, middle, middle), (i, i, i), (i, i, back), (i, back, i), (back, i, i)]
    return np.array([field[line] for line in lines])


def spread(lines, weights, rest=0.0):
    """Standard deviation over the axes of their weighted sums, over the mean of these. `rest`: the value far from the centre, which is left out of the deviation,
    so that the place where a sum ends does not count."""
    return float(((lines - rest) * weights).sum(axis=1).std() / (lines * weights).sum(axis=1).mean())


def asymmetry(snapshot, centred):
    """Both measures of the asymmetry of density and speed: `plain` sums all points of each axis, as the paper does; `radial` has weights h and sqrt(3) h up to a
    common radius, so that sums along a diagonal are integrals over the same radii."""
    rho, speed = np.asarray(snapshot["rho"], float), np.linalg.norm(np.asarray(snapshot["velocity"], float), axis=-1)
    n, h = len(rho), 2 * math.pi / len(rho)
    steps = np.arange(n) - (n // 2 if centred else (n - 1) / 2)
    # Off the node the lines along x, y and z pass h/2 beside the centre along both other axes.
    off = 0.0 if centred else h / 2
    radius = np.array([np.hypot(steps * h, math.sqrt(2) * off)] * 3 + [abs(steps) * math.sqrt(3) * h] * 4)
    weights = np.where(radius <= 0.95 * math.pi, np.array([h] * 3 + [math.sqrt(3) * h] * 4)[:, None], 0.0)
    result = {}
    for name, field in (("rho", rho), ("speed", speed)):
        lines = axes_through(field, 0 if centred else 1)
        result[f"plain {name}"] = spread(lines, np.ones_like(lines))
        result[f"radial {name}"] = spread(lines, weights, 1.0 if name == "rho" else 0.0)
    return result


def explosion(n):
    def make(machine):
        result = {}
        cells = 32 if machine.small else n
        for viscosity in VISCOSITIES[:2] if machine.small else VISCOSITIES:
            for name, method, shift in (("19-point", "19-point", 0.0), ("55-point", "55-point", 0.0), ("19-point, between nodes", "19-point", 0.5)):
                h = 2 * math.pi / cells
                folder = f"{viscosity}-{method}-{shift}"
                run = machine.run(folder, EXAMPLES / "explosion/case.toml",
                                  {"grid.cells": [cells] * 3, "grid.lower": [-math.pi + shift * h] * 3, "grid.upper": [math.pi + shift * h] * 3,
                                   "numerics.method": method, "physics.viscosity": viscosity, "output.every": 0.5})
                result[f"{viscosity} {name}"] = asymmetry(run.fields[-1], shift == 0)
                machine.forget(folder)
        return result
    return make


def slope(k, energy, low, high):
    """Exponent of E(k) by least squares of the logarithms between two wave numbers."""
    chosen = (k >= low) & (k <= high)
    return float(np.polyfit(np.log(k[chosen]), np.log(energy[chosen]), 1)[0])


def numbers_of(run):
    """Means over the second half of a forced run, and its mean spectrum."""
    series, spectra, nu = run.series, run.spectra, float(run.setting("physics.viscosity"))
    vectors, k_f = forcing_vectors(run)
    late, t = spectra.times >= 0.5 * spectra.times[-1], np.asarray(series["t"])
    half = t >= 0.5 * t[-1]
    k = np.asarray(spectra.k)
    parts = {name: spectra[name][late].mean(axis=0) for name in ("E", "Ex", "Ey", "Ez")}
    energy = parts["E"]
    u_rms = math.sqrt(np.mean(np.asarray(series["u_rms"])[half] ** 2))
    dissipated = float(np.mean(np.asarray(series["dissipation"])[half]))
    work = float((np.asarray(series["forcing_work"])[half][-1] - np.asarray(series["forcing_work"])[half][0]) / (t[half][-1] - t[half][0]))
    cells = min(run.setting("grid.cells"))
    tail = (k > 2 * k_f) & (k < cells / 2)
    shares = np.array([parts[name][tail] for name in ("Ex", "Ey", "Ez")])
    result = {"k_f": k_f, "u_rms": u_rms, "reynolds": u_rms / (nu * k_f), "mach": float(np.max(np.asarray(series["mach_max"])[half])),
              "resolution": cells / 2 * (nu**3 / dissipated) ** 0.25, "peak": float(k[np.argmax(energy)]),
              "anisotropy": float(np.max(np.abs(3 * shares / shares.sum(axis=0) - 1))), "turnovers": float((t[half][-1] - t[half][0]) * u_rms * k_f),
              "upwinding": float(np.mean(np.asarray(series["numerical_dissipation"])[half]) / work) if "numerical_dissipation" in series else 0.0}
    if k_f < 5:
        result["slope"] = slope(k, energy, 2 * k_f, 6 * k_f)
    else:
        result["slope_below"] = slope(k, energy, 1, k_f - 1)
    return result, k, parts


def spectrum_picture(machine, k, parts, k_f, name):
    """Figure 7: the mean spectrum, normalised to 1, and those of the components."""
    total = parts["E"].sum()
    shown = (k >= 1) & (parts["E"] > 0)
    ruler = np.array([2, 6]) * k_f if k_f < 5 else np.array([k_f, 3 * k_f])
    with drawn(machine.figures / name, size=(6, 4.5)) as (_, axes):
        axes.loglog(k[shown], parts["E"][shown] / total, "k", label="E")
        for component, words in (("Ex", "3 E_x"), ("Ey", "3 E_y"), ("Ez", "3 E_z")):
            axes.loglog(k[shown], 3 * parts[component][shown] / total, lw=0.8, label=words)
        axes.loglog(ruler, np.interp(ruler[0], k, parts["E"]) / total * (ruler / ruler[0]) ** (-5 / 3) * 1.5, "k--", lw=0.8, label="k^(-5/3)")
        axes.set(xlabel="k", ylabel="E(k) / sum E", title=f"k_f = {k_f:.3g}", ylim=(1e-10, 1))
        axes.legend(fontsize=8)


def forced_settings(machine, k_f):
    settings = {"numerics.method": "19-point", "output.every": 1e6, "output.fields": ["rho"]}
    return settings | ({"grid.cells": [24] * 3, "physics.viscosity": 5e-3, "time.end": 8} if machine.small else {})


def upwinded(k_f):
    def make(machine):
        run = machine.run("run", EXAMPLES / "forced-turbulence" / f"{FORCED[k_f]}.toml",
                          forced_settings(machine, k_f) | {"numerics.upwind": ["rho", "velocity"]})
        result, k, parts = numbers_of(run)
        spectrum_picture(machine, k, parts, k_f, f"spectrum-{k_f:g}-upwinded.png")
        return result
    return make


def central(k_f):
    """Central differences alone: with the amplitude of the upwinded run, else with smaller ones. Turnover times grow as the power -2/3 of the amplitude."""
    def make(machine):
        case, failed = EXAMPLES / "forced-turbulence" / f"{FORCED[k_f]}.toml", {}
        for factor in AMPLITUDES:
            settings = forced_settings(machine, k_f)
            end = settings.get("time.end", ENDS[k_f]) * factor ** (-2 / 3)
            amplitude = tomllib.loads(case.read_text(encoding="utf-8"))["forcing"]["amplitude"] * factor
            run = machine.run(f"amplitude-{factor}", case, settings | {"numerics.upwind": [], "forcing.amplitude": amplitude, "time.end": end}, may_fail=True)
            last = float(run.series["t"][-1])
            if last < 0.999 * end:
                failed[str(factor)] = last
                continue
            result, k, parts = numbers_of(run)
            spectrum_picture(machine, k, parts, k_f, f"spectrum-{k_f:g}-central.png")
            return {"factor": factor, "failed": failed, **result}
        return {"failed": failed}
    return make


def speeds(machine):
    """Tables 2 and 3 and Figure 4: kernels on the paper's two grids, and the same program on the host's CPU."""
    grids = ("24",) if machine.small else ("128", "256")
    short = ["--repeats", "1", "--seconds", "0.01"] if machine.small else ["--repeats", "5", "--seconds", "0.05"]
    result = {}
    for device in ["gpu", "cpu"] if machine.device == "gpu" else ["cpu"]:
        for n in grids:
            document = machine.bench("isothermal", "--cells", n, *short, seconds=100, device=device)
            for row in document["rows"]:
                rate, copied = 1e9 / row["ns_per_point_step"], 0.0
                stages = [kernel for kernel in row["kernels"] if kernel["name"].startswith("stage")]
                copied = sum(kernel["bytes"] for kernel in stages) / sum(kernel["seconds"] for kernel in stages)
                result[f"{device} {n} {row['method']} {row['precision']} {row['storage']} {row['schedule']}"] = {
                    "rate": rate, "bandwidth": copied, "registers": row["registers"], "shared": row["shared_bytes"], "warps": row["warps_per_multiprocessor"],
                    "share_of_floor": row["share_of_floor"]}
            result[f"{device} name"] = document["device"]
            result[f"{device} copy"] = document["copy_bandwidth_bytes_per_s"]
    return result


def pieces(small):
    made = [Piece("decay", decay, "Figure 5, decay of a sine wave", 60)]
    made += [Piece(f"explosion-{n}", explosion(n), f"Figure 6, {n}^3 points", seconds, "any" if n < 256 else "gpu")
             for n, seconds in ((64, 20), (128, 40), (256, 200))]
    for k_f, seconds in zip(FORCED, (120, 90, 75, 65, 40)):
        made += [Piece(f"turbulence-{k_f:g}-upwinded", upwinded(k_f), f"Figure 7, k_f = {k_f:g} with upwinding", seconds, "gpu"),
                 Piece(f"turbulence-{k_f:g}-central", central(k_f), f"Figure 7, k_f = {k_f:g}, central differences alone", 2 * seconds, "gpu")]
    made.append(Piece("speeds", speeds, "Tables 2 and 3, Figure 4", 120, timed=True))
    if small:
        made = [piece for piece in made if piece.name in ("decay", "explosion-64", "turbulence-2.23-upwinded", "turbulence-1.53-central", "speeds")]
        for piece in made:
            piece.device = "any"
    return made


def decay_rows(found):
    here, rows = found.get("decay", {}), []
    for n in DECAY_CELLS:
        if f"{n} 55-point double" in here:
            double = here[f"{n} 55-point double"]
            before = here.get(f"{n // 2} 55-point double")
            rows.append([str(n), f"{decay_error(n):.5e}", *(f"{here[f'{n} {method} {precision}']:.5e}" for precision in PRECISIONS for method in METHODS),
                         f"{math.log2(before / double):.2f}" if before else ""])
    first, last = (here.get(f"{n} 55-point double") for n in (32, 512))
    if first and last:
        rows.append(["mean exponent", "", "", "", "", "", f"{math.log2(first / last) / 4:.2f} (paper: {PAPER['figure_5']['halving_exponent']})"])
    return rows


def explosion_rows(found):
    rows = []
    for n in EXPLOSION_CELLS:
        here = found.get(f"explosion-{n}", {})
        for viscosity in VISCOSITIES:
            for name in ("19-point", "55-point", "19-point, between nodes"):
                row = here.get(f"{viscosity} {name}")
                if row:
                    rows.append([f"{n}^3", f"{SHELL / viscosity:.0f}", name, *(f"{row[f'{sums} {field}']:.2e}" for sums in ("plain", "radial") for field in ("rho", "speed"))])
    return rows


def turbulence_rows(found):
    rows = []
    for k_f in FORCED:
        for kind in ("upwinded", "central"):
            here = found.get(f"turbulence-{k_f:g}-{kind}")
            if not here:
                continue
            died = ", ".join(f"{factor}: t = {t:.1f}" for factor, t in here.get("failed", {}).items())
            if "u_rms" not in here:
                rows.append([f"{k_f:g}", kind, "none lives", *[""] * 8, died])
                continue
            exponent = f"{here['slope']:.2f}" if "slope" in here else f"{here['slope_below']:.2f} below k_f"
            rows.append([f"{k_f:g}", kind, f"{here.get('factor', 1.0):g}", f"{here['k_f']:.3f}", f"{here['u_rms']:.4f}", f"{here['reynolds']:.0f}", f"{here['mach']:.2f}",
                         f"{here['resolution']:.2f}", f"{here['peak']:.0f}", exponent, f"{100 * here['upwinding']:.1f}", died])
    return rows


def best(found, device, n, method, precision):
    """The fastest row of a method; its words and numbers."""
    here = found.get("speeds", {})
    rows = {key: row for key, row in here.items() if key.startswith(f"{device} {n} {method} {precision} ")}
    return max(rows.items(), key=lambda item: item[1]["rate"]) if rows else None


def figure_4_rows(found):
    rows, paper = [], PAPER["figure_4"]
    n = 256 if best(found, "gpu", 256, "55-point", "single") or best(found, "cpu", 256, "55-point", "single") else 24
    for precision in reversed(PRECISIONS):
        for method in METHODS:
            gpu, cpu = best(found, "gpu", n, method, precision), best(found, "cpu", n, method, precision)
            if gpu or cpu:
                rows.append([method, precision, f"{paper['gpu'][f'{method} {precision}']}", f"{1e-6 * gpu[1]['rate']:.0f}" if gpu else "",
                             f"{paper['cpu_12_cores']}, {paper['cpu_24_cores']}" if precision == "single" else "", f"{1e-6 * cpu[1]['rate']:.3g}" if cpu else "",
                             f"{gpu[1]['rate'] / cpu[1]['rate']:.1f}" if gpu and cpu else ""])
    return rows


def kernel_rows(found):
    """Tables 2 and 3: the paper's kernels, and ours of both schedules."""
    rows, here = [], found.get("speeds", {})
    for precision in reversed(PRECISIONS):
        for method in METHODS:
            paper = PAPER["tables_2_and_3"][f"{method} {precision}"]
            rows.append([method, precision, "paper, K40t", paper[2], paper[1], paper[4], paper[3], "", paper[5]])
            for schedule in ("ring", "direct"):
                row = here.get(f"gpu 128 {method} {precision} two {schedule}")
                if row:
                    rows.append([method, precision, f"here, {schedule}", str(row["registers"]), str(row["shared"]), f"{100 * row['warps'] / 64:.0f}",
                                 f"{1e-9 * row['bandwidth']:.0f}", f"{1e-6 * row['rate']:.0f}", f"{100 * row['share_of_floor']:.0f} % of the floor"])
            row = best(found, "cpu", 128, method, precision)
            if row:
                rows.append([method, precision, "here, CPU", "", "", "", f"{1e-9 * row[1]['bandwidth']:.3g}", f"{1e-6 * row[1]['rate']:.3g}",
                             f"{100 * row[1]['share_of_floor']:.0f} % of the floor"])
    return rows


def figures(found, folder):
    """Figure 5, the error over the spacing, and Figure 6, the asymmetry over Re."""
    decayed = found.get("decay", {})
    if decayed:
        with drawn(folder / "figure-5.png") as (_, axes):
            for method in METHODS:
                for precision in PRECISIONS:
                    n = [n for n in DECAY_CELLS if f"{n} {method} {precision}" in decayed]
                    axes.loglog([2 * math.pi / m for m in n], [decayed[f"{m} {method} {precision}"] for m in n], "o-" if method == "55-point" else "x--",
                                label=f"{method}, {precision}")
            h = np.array([2 * math.pi / n for n in DECAY_CELLS])
            axes.loglog(h, decay_error(128) * (h / h[2]) ** 6, "k:", label="h^6")
            axes.set(xlabel="spacing", ylabel="rms error of u_y", ylim=(1e-10, 1e-1))
            axes.legend(fontsize=8)
    exploded = {n: found[f"explosion-{n}"] for n in EXPLOSION_CELLS if f"explosion-{n}" in found}
    if exploded:
        with drawn(folder / "figure-6.png", 2, 2, size=(9, 6.5), sharex=True) as (_, axes):
            for line, sums in zip(axes, ("plain", "radial")):
                for axis, field in zip(line, ("rho", "speed")):
                    for n, here in exploded.items():
                        known = [viscosity for viscosity in VISCOSITIES if f"{viscosity} 19-point" in here]
                        axis.loglog([SHELL / viscosity for viscosity in known], [here[f"{viscosity} 19-point"][f"{sums} {field}"] for viscosity in known], "o-", label=f"{n}^3")
                    axis.set(title=f"{sums} sums of the {'density' if field == 'rho' else 'speed'}", ylabel="deviation over the mean")
            for axis in axes[1]:
                axis.set_xlabel("Re")
            axes[0, 0].legend(fontsize=8)


def tables(found):
    return [
        Table("figure-5", ["points", "rms error by formula", "55-point double", "19-point double", "55-point single", "19-point single", "exponent"], decay_rows(found)),
        Table("figure-6", ["grid", "Re", "method", "plain sums: rho", "speed", "radial sums: rho", "speed"], explosion_rows(found)),
        Table("figure-7", ["k_f", "differences", "amplitude", "mean k of the shell", "u_rms", "Re", "largest Mach number", "k_max eta_K", "peak at k", "exponent",
                           "upwinding, %", "amplitudes that failed"], turbulence_rows(found)),
        Table("figure-4", ["method", "precision", "paper, K40t", "here", "Pencil Code, 12 and 24 cores", "here, CPU", "GPU over CPU"], figure_4_rows(found)),
        Table("tables-2-3", ["method", "precision", "kernel", "registers", "shared memory, bytes", "occupancy, %", "GB/s", "million updates/s", "bound by"],
              kernel_rows(found)),
    ]
