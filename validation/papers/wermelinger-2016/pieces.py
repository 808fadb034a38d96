"""The cases of F. Wermelinger et al., An Efficient Compressible Multicomponent Flow Solver for Heterogeneous CPU/GPU Architectures, PASC 2016: pieces, tables,
pictures. The cases are those of examples/."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
from paper import ROOT, Piece, Table, drawn, module_of
from watersmeet.shocked_bubbles import impact_time, jump

HERE = Path(__file__).resolve().parent
PAPER = tomllib.loads((HERE / "paper.toml").read_text(encoding="utf-8"))
SYSTEM = "multicomponent"
EXAMPLES = ROOT / "examples"

keller_miksis = module_of(ROOT / "validation/reference/keller_miksis.py", "keller_miksis")
row_check = module_of(EXAMPLES / "bubble-row/check.py", "check_bubble_row")

MODELS = ("mpcf", "mpcf-k")
RADII = (16, 32, 64, 128)  # cells per radius
IMAGES = (1.78e-6, 2.11e-6)  # s: of Figure 11 and of Figure 10
END = 3.16e-6
WORDS = "mpcf weno5-js early"


def rayleigh_plesset_ns(radius=125e-6, far=4.01e7):
    """Time of the first minimum of Rayleigh and Plesset's equation: that of Keller and Miksis with a liquid that does not yield."""
    bubble = keller_miksis.Bubble(radius, far, sound=1e12)
    return bubble.motion([])[-2] * bubble.time * bubble.rayleigh * 1e9


def bubble(model, per_radius):
    """A quarter in three dimensions; 16 cells about the axis."""
    def make(machine):
        if per_radius == 16:
            case, settings = EXAMPLES / "single-bubble/quick.toml", {}
        else:
            case, settings = EXAMPLES / "single-bubble/case.toml", {"grid.cells": [12 * per_radius, 4 * per_radius, 4 * per_radius]}
        if machine.small:
            settings = {"grid.cells": [96, 32, 1]}
        # Up to 40 ns after the collapse is enough.
        run = machine.run("run", case, {**settings, "physics.model": model, "time.end": 0.9e-6, "output.every": 0.9e-6, "output.fields": ["p"]})
        t, p, volume = run.series["t"], run.series["p_max"] / jump, run.series["gas_volume"]
        peak, impact = int(np.argmax(p)), impact_time(run)
        return {"collapse_ns": float(t[peak] - impact) * 1e9, "peak": float(p[peak]), "least_volume": float(np.min(volume) / volume[0]),
                "least_volume_ns": float(t[int(np.argmin(volume))] - impact) * 1e9, "steps": int(run.series["step"][-1])}
    return make


def series_picture(machine, run, name):
    """Figure 9: pressure amplification and largest Mach number."""
    t = run.series["t"] * 1e6
    with drawn(machine.figures / name, size=(8, 3.6)) as (_, axes):
        axes.plot(t, run.series["p_max"] / jump, "k", lw=0.8)
        axes.set(xlabel="t, us", ylabel="pressure over the jump of the shock", xlim=(0, END * 1e6))
        other = axes.twinx()
        other.plot(t, run.series["mach_max"], "tab:red", lw=0.8)
        other.set_ylabel("largest Mach number", color="tab:red")
        axes.axvline(IMAGES[1] * 1e6, color="0.6", ls="--", lw=0.8)


def waves_picture(machine, snapshot, name):
    """Figure 10: gradient of the pressure and of the volume fraction in the plane z = 0; the other half is its mirror image."""
    k = int(np.argmin(np.abs(snapshot.z)))
    h = float(snapshot.x[1] - snapshot.x[0])
    x, y = snapshot.x * 1e3, snapshot.y * 1e3
    with drawn(machine.figures / name, 2, size=(10, 5.4)) as (_, axes):
        for axis, field, title, strength in zip(axes, ("p", "alpha"), ("pressure waves", "interfaces"), (60, 1)):
            size = np.hypot(*np.gradient(np.asarray(snapshot[field][k], float), h))
            shade = np.exp(-strength * size / size.max())
            axis.imshow(np.concatenate([shade[::-1], shade]), origin="lower", cmap="gray", extent=(x[0], x[-1], -y[-1], y[-1]))
            axis.set(title=f"{title}, t = {snapshot.time * 1e6:.2f} us", xlabel="x, mm", ylabel="y, mm")


# Figure 11, drawn by the run itself: the interfaces, coloured by the pressure, of the quarter that is computed.
INTERFACES = [{"name": "interfaces", "field": "alpha", "values": [0.5], "every": IMAGES[0], "x": [1.3e-3, 2.5e-3], "y": [0, 0.3e-3], "z": [0, 0.3e-3],
               "view": [-1, 2, 1], "color": "p"}]


def row(model, per_radius):
    """The row of ten, a quarter with planes of symmetry, to 3.16 us, or as far as it runs."""
    def make(machine):
        files = {16: "quick", 32: "quarter-32", 64: "quarter-64", 128: "quarter-64"}
        settings = {"physics.model": model, "output.fields": ["p", "alpha"], "output.precision": "single"}
        if per_radius == 128:
            settings["grid.cells"] = [4096, 512, 512]
        case, name = EXAMPLES / "bubble-row" / f"{files[per_radius]}.toml", f"row-{per_radius}-{model}"
        times = [1.0e-6, 1.5e-6] if per_radius == 16 else [*IMAGES, END]
        if machine.small:
            settings["grid.cells"] = [96, 20, 1]
        if per_radius > 16:
            settings["output.isosurface"] = INTERFACES
        # Checkpoints of the run on 128 cells are large: two are kept, and one is written where a call ends.
        run = machine.run("to-0", case, {**settings, "time.end": times[0], "output.every": times[0], "output.checkpoint_every": 1.0}, may_fail=True)
        for number, (before, end) in enumerate(zip(times, times[1:]), 1):
            if float(run.series["t"][-1]) < 0.999 * before:
                break
            if number == 1 and per_radius > 16:
                machine.keep(sorted(run.path.glob("picture_interfaces_*.png"))[-1], f"{name}-surfaces.png")
            if number == 2:
                waves_picture(machine, run.fields[-1], f"{name}-waves.png")
            run = machine.go_on(run.path, f"to-{number}", {"time.end": end, "output.every": end, "output.checkpoint_every": 1.0}, may_fail=True)
            machine.shrink(f"to-{number - 1}")
        series_picture(machine, run, f"{name}-series.png")
        if per_radius == 16:
            waves_picture(machine, run.fields[-1], f"{name}-waves.png")
        t, p, mach = run.series["t"], run.series["p_max"] / jump, run.series["mach_max"]
        count = int(run.setting("initial")[2]["shape"]["count"])
        impact = impact_time(run) * 1e9
        found = row_check.collapses_of(t, p, mach, count * run.series["gas_volume"] / run.series["gas_volume"][0])
        instants = [float(t[peak]) * 1e9 - impact for _, _, peak in found]
        return {"model": model, "impact_ns": impact, "end_us": float(t[-1]) * 1e6, "steps": int(run.series["step"][-1]), "peaks_ns": instants,
                "peaks": [float(p[peak]) for _, _, peak in found], "largest": float(p.max()), "limited_cells": float(run.series["limited_cells"][-1]),
                "mass_drift": float(np.max(np.abs(run.series["mass_drift"]))), "fields": len(run.fields)}
    return make


def speeds(machine):
    """Table 3 and Figures 4 to 6: kernels of a step of 512^3 cells, the same streamed from host memory a stage at a time, and the CPU of the host."""
    n = "16" if machine.small else "512x512x512"
    short = ["--repeats", "1", "--seconds", "0.01"] if machine.small else ["--repeats", "3", "--seconds", "0.05"]
    devices = ["gpu", "cpu"] if machine.device == "gpu" else ["cpu"]
    result = {}
    for device in devices:
        cells = n if device == "gpu" or machine.small else "128"
        document = machine.bench("multicomponent", "--cells", cells, "--only", f"single {WORDS}", *short, seconds=120, device=device)
        row = min(document["rows"], key=lambda row: row["ns_per_point_rhs"])
        result[device] = {"ns": row["ns_per_point_rhs"], "gflops": row["gigaflops"], "registers": row["registers"], "warps": row["warps_per_multiprocessor"],
                          "schedule": row.get("schedule", ""), "bandwidth": document["copy_bandwidth_bytes_per_s"], "name": document["device"],
                          "kernels": [{key: kernel.get(key) for key in ("name", "flops_per_byte", "gigaflops", "share_of_roofline", "share_of_step")}
                                      for kernel in row["kernels"]]}
    if machine.device == "gpu" and not machine.small:  # windows of planes need a grid of some height
        for scheme in ("stage", "blocks"):
            sets = ["--set", "device.memory=stream", *(["--set", "stream.scheme=stage"] if scheme == "stage" else [])]
            document = machine.bench("multicomponent", "--cells", n, "--only", f"single {WORDS}", *sets, *short, seconds=120)
            result[f"stream {scheme}"] = min(row["ns_per_point_rhs"] for row in document["rows"])
    return result


def weak(gpus):
    """Figure 7: 512^3 cells per GPU, on one and on several."""
    def make(machine):
        result = {}
        for count in (1, gpus):
            flags = ["--gpus", str(count)] if count > 1 else []
            document = machine.bench("multicomponent", "--cells", f"512x512x{512 * count}", "--only", f"single {WORDS}", *flags, "--repeats", "3", "--seconds", "0.1",
                                     seconds=150)
            result[str(count)] = min(1e-3 * row["ms_per_step"] for row in document["rows"])
        return result
    return make


def pieces(small):
    made = [Piece(f"bubble-{per_radius}-{model}", bubble(model, per_radius), f"Table 4, one bubble, {per_radius} cells per radius, {model}", seconds,
                  "any" if per_radius == 16 else "gpu", asked=per_radius == 128) for per_radius, seconds in zip(RADII, (5, 15, 110, 1400)) for model in MODELS]
    made += [Piece(f"row-{per_radius}-{model}", row(model, per_radius), f"Figures 9 to 11, the row, {per_radius} cells per radius, {model}", seconds,
                   "any" if per_radius == 16 else "gpu", asked=per_radius == 128) for per_radius, seconds in zip(RADII, (5, 90, 1200, 15000)) for model in MODELS]
    made.append(Piece("speeds", speeds, "Table 3, Figures 4 to 6", 200, timed=True))
    made += [Piece(f"weak-{gpus}", weak(gpus), f"Figure 7, {gpus} GPUs", 120, "gpu", gpus, timed=True) for gpus in (2, 4, 8)]
    if small:
        made = [piece for piece in made if piece.name in ("bubble-16-mpcf", "bubble-16-mpcf-k", "row-16-mpcf-k", "speeds")]
    return made


def bubble_rows(found):
    rows = []
    for model in MODELS:
        for per_radius in RADII:
            here = found.get(f"bubble-{per_radius}-{model}")
            if here:
                rows.append([model, str(per_radius), str(PAPER["table_4"]["single_ns"]) if model == "mpcf" and per_radius >= 64 else "", f"{here['collapse_ns']:.1f}",
                             f"{here['peak']:.1f}", f"{100 * here['least_volume']:.2f}", f"{here['least_volume_ns']:.1f}", str(here["steps"])])
    rows.append(["Rayleigh and Plesset", "", str(PAPER["table_4"]["rayleigh_plesset_ns"]), f"{rayleigh_plesset_ns():.1f}", "", "", "", ""])
    return rows


def row_rows(found):
    paper, rows = PAPER["section_5"], []
    rows.append(["paper, mpcf", "128", str(paper["impact_ns"]), "10", str(paper["first_ns"]), f"{paper['interval_ns']} +- {paper['interval_spread_ns']}", str(paper["last_peak"]), "",
                 str(paper["end_us"]), str(paper["steps"])])
    for model in MODELS:
        for per_radius in RADII:
            here = found.get(f"row-{per_radius}-{model}")
            if here:
                apart = np.diff(here["peaks_ns"])
                rows.append([f"here, {model}", str(per_radius), f"{here['impact_ns']:.1f}", str(len(here["peaks"])), f"{here['peaks_ns'][0]:.0f}" if here["peaks"] else "none",
                             f"{apart.mean():.0f} +- {apart.std():.0f}" if len(apart) else "none", f"{here['peaks'][-1]:.0f}" if here["peaks"] else "none",
                             f"{here['largest']:.0f}", f"{here['end_us']:.2f}", str(here["steps"])])
    return rows


def peak_rows(found):
    """Each collapse of the rows of ten."""
    rows = []
    for per_radius in RADII[1:]:
        for model in MODELS:
            here = found.get(f"row-{per_radius}-{model}")
            if here and here["peaks"]:
                rows += [[model, str(per_radius), str(number + 1), f"{t:.0f}", f"{t - here['peaks_ns'][number - 1]:.0f}" if number else "", f"{p:.0f}"]
                         for number, (t, p) in enumerate(zip(here["peaks_ns"], here["peaks"]))]
    return rows


def kernel_rows(found):
    rows = [["paper, K20X", name, f"{intensity:g}", f"{rate:g}", f"{share:g}", "", f"{PAPER['table_3']['kernels'].get(name, ['', ''])[0]}",
             f"{PAPER['table_3']['kernels'].get(name, ['', ''])[1]}"] for name, (intensity, rate, share) in PAPER["figure_4"]["kernels"].items()]
    here = found.get("speeds", {})
    for device in ("gpu", "cpu"):
        if device in here:
            for kernel in here[device]["kernels"]:
                rows.append([f"here, {here[device]['name']}", kernel["name"], f"{kernel['flops_per_byte']:.1f}" if kernel["flops_per_byte"] else "",
                             f"{kernel['gigaflops']:.0f}" if kernel["gigaflops"] else "", f"{100 * kernel['share_of_roofline']:.0f}" if kernel["share_of_roofline"] else "",
                             f"{100 * kernel['share_of_step']:.1f}" if kernel["share_of_step"] is not None else "", "", ""])
            rows.append([f"here, {here[device]['name']}", "right-hand side", "", f"{here[device]['gflops']:.0f}", "", "100", str(here[device]["registers"] or ""),
                         f"{100 * here[device]['warps'] / 64:.0f}" if device == "gpu" else ""])
    return rows


def speed_rows(found):
    here = found.get("speeds", {})
    rows = []
    if "cpu" in here:
        paper = PAPER["figure_4"]
        rows.append(["paper, K20X over CUBISM-MPCF on 8 cores", "", f"{paper['kernels']['right-hand side'][1]} over {paper['cpu_gflops']}",
                     f"{paper['kernels']['right-hand side'][1] / paper['cpu_gflops']:.1f}"])
        rows.append([f"here, {here['cpu']['name']}", f"{here['cpu']['ns']:.3g}", f"{here['cpu']['gflops']:.0f}", ""])
    if "gpu" in here:
        rows.append([f"here, {here['gpu']['name']}, resident", f"{here['gpu']['ns']:.3g}", f"{here['gpu']['gflops']:.0f}", f"{here['cpu']['ns'] / here['gpu']['ns']:.1f}"])
        rows += [[f"the same, streamed by {words}", f"{here[key]:.3g}", "", f"{here['cpu']['ns'] / here[key]:.1f}"]
                 for key, words in (("stream stage", "stages, as in the paper"), ("stream blocks", "steps, the program's own choice"))]
    return rows


def weak_rows(found):
    rows = []
    for gpus in (2, 4, 8):
        here = found.get(f"weak-{gpus}")
        if here:
            rows.append([str(gpus), f"{1e3 * here['1']:.4g}", f"{1e3 * here[str(gpus)]:.4g}", f"{100 * here['1'] / here[str(gpus)]:.1f}"])
    return rows


def figures(found, folder):
    """Figure 4: kernels below the roofline of the card; Figures 5 and 6: their parts of a step."""
    here = found.get("speeds", {})
    device = here.get("gpu") or here.get("cpu")
    if not device:
        return
    with drawn(folder / "kernels.png", 1, 2, size=(10, 4)) as (_, (roof, parts)):
        intensity = np.logspace(-1, 2, 50)
        peak = max((kernel["gigaflops"] / kernel["share_of_roofline"] for kernel in device["kernels"] if kernel["share_of_roofline"] and kernel["gigaflops"]), default=math.inf)
        roof.loglog(intensity, np.minimum(1e-9 * device["bandwidth"] * intensity, peak), "k", label=f"copy bandwidth, {device['name']}")
        roof.loglog(intensity, np.minimum(PAPER["figure_4"]["bandwidth"] * intensity, 3510), "0.6", label="paper, K20X")
        for kernel in device["kernels"]:
            if kernel["gigaflops"]:
                roof.loglog(kernel["flops_per_byte"], kernel["gigaflops"], "o", label=kernel["name"])
        for name, (flops, rate, _) in PAPER["figure_4"]["kernels"].items():
            roof.loglog(flops, rate, "x", color="0.6")
        roof.set(xlabel="flop / byte", ylabel="Gflop/s")
        roof.legend(fontsize=7)
        shares = [(kernel["name"], 100 * kernel["share_of_step"]) for kernel in device["kernels"] if kernel["share_of_step"]]
        parts.barh([name for name, _ in shares], [share for _, share in shares])
        parts.set(xlabel="part of a step, %")


def tables(found):
    return [
        Table("table-4", ["model", "cells per radius", "paper, ns", "peak of the pressure after the impact, ns", "peak over the jump", "least gas volume, %", "its time, ns", "steps"],
              bubble_rows(found)),
        Table("row", ["run", "cells per radius", "impact, ns", "collapses", "first after the impact, ns", "apart, ns", "last peak over the jump", "largest", "end, us", "steps"],
              row_rows(found)),
        Table("collapses", ["model", "cells per radius", "collapse", "after the impact, ns", "after the one before", "peak over the jump"], peak_rows(found)),
        Table("kernels", ["device", "kernel", "flop/byte", "Gflop/s", "of the roofline, %", "of a step, %", "registers", "occupancy, %"], kernel_rows(found)),
        Table("speed", ["run", "ns per cell and right-hand side", "Gflop/s", "over the CPU"], speed_rows(found)),
        Table("weak", ["GPUs", "one GPU, ms per step", "all, ms per step", "efficiency, %"], weak_rows(found)),
    ]
