#!/usr/bin/env python3
"""Joins what tools/gpu/scaling.sh measured into one file and fits the model of docs/scaling.md to it.

Usage: scaling.py FOLDER [RESULT.json]    FOLDER holds scaling-*.json; prints the tables of docs/scaling.md

Model of a step on n ranks: the step of the part alone on one GPU, and per stage a + b * bytes for the messages, with one
pair (a, b) for messages in turn with the computation and one for messages behind halves.
"""
import json
import math
import pathlib
import sys

STAGES, LAYERS, VARIABLES, NETWORK = 3, 3, 4, 40e9  # NETWORK: bytes/s each way of a GPU's share, an assumption
WORD = {"single": 4, "double": 8}


def bytes_out(cells, precision):
    """What one slab of `cells` sends in an exchange: both faces with the edges that touch them."""
    nx, ny, _ = cells
    layer = (nx + 2 * LAYERS) * (ny + 2 * LAYERS) - 4 * LAYERS**2
    return 2 * LAYERS * layer * VARIABLES * WORD[precision]


def load(folder):
    rows = []
    for path in sorted(pathlib.Path(folder).glob("scaling-*.json")):
        document = json.loads(path.read_text())
        for row in document["rows"]:
            rows.append({**row, "command": document["command"], "commit": document["commit"], "date": document["date"]})
    return rows


def fit(points):
    """Least squares of y = a + b x."""
    n = len(points)
    sx, sy = sum(x for x, _ in points), sum(y for _, y in points)
    sxx, sxy = sum(x * x for x, _ in points), sum(x * y for x, y in points)
    b = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return (sy - b * sx) / n, b


def main():
    rows = load(sys.argv[1])
    alone = {(tuple(r["cells"]), r["precision"]): r["ms_per_step"] for r in rows if r["ranks"] == 1}
    slabs = [r for r in rows if r["ranks"] > 1 and r["ranks_along"][:2] == [1, 1]]
    fits = {}
    for overlap in (False, True):
        points = []
        for r in slabs:
            part = (tuple(r["cells_of_first_rank"]), r["precision"])
            # Parts of a cube: in weak scaling the device's own speed scatters by more than the messages take.
            if r["overlap"] == overlap and part in alone and part[0][2] < part[0][0]:
                points.append((bytes_out(part[0], part[1]), (r["ms_per_step"] - alone[part]) / STAGES * 1e-3))
        fits[overlap] = fit(points)
    for overlap, (a, b) in fits.items():
        print(f"{'halves' if overlap else 'in turn'}: {a * 1e6:.0f} us + {b * 1e12:.2f} us per MB and stage ({1 / b / 1e9:.0f} GB/s)")

    print("\n| GPUs | grid | precision | overlap | G updates/s | efficiency | modelled | difference | scatter |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    worst = 0.0
    for r in sorted(slabs, key=lambda r: (r["precision"] != "single", r["cells"][0], math.prod(r["cells"]), r["ranks"], r["overlap"])):
        part = (tuple(r["cells_of_first_rank"]), r["precision"])
        a, b = fits[r["overlap"]]
        model = alone[part] + STAGES * (a + b * bytes_out(*part)) * 1e3
        difference = model / r["ms_per_step"] - 1
        worst = max(worst, abs(difference))
        one = alone[((r["cells"][0],) * 3, r["precision"])]  # the cube on one GPU
        weak = math.prod(r["cells"]) > r["cells"][0] ** 3
        r["efficiency"] = (one if weak else one / r["ranks"]) / r["ms_per_step"]
        r["modelled_ms_per_step"] = model
        print(f"| {r['ranks']} | {'x'.join(map(str, r['cells']))} | {r['precision']} | {'halves' if r['overlap'] else 'in turn'} "
              f"| {r['gigaupdates_per_s']:.2f} | {100 * r['efficiency']:.1f} % | {model:.3f} of {r['ms_per_step']:.3f} ms "
              f"| {100 * difference:+.1f} % | {100 * r['spread']:.1f} % |")
    print(f"\nlargest difference {100 * worst:.1f} %")

    print("\n| GPUs | cut | precision | ms per stage | of it hidden | efficiency |")
    print("| --- | --- | --- | --- | --- | --- |")
    for precision in ("single", "double"):
        stage = alone[((512, 512, 512), precision)] / STAGES * 1e-3
        face = bytes_out((512, 512, 512), precision) / 2
        latency, per_byte = fits[False]
        for ranks in (1000, 10000):
            reduction = 2 * math.log2(ranks) * 3e-6 / STAGES  # up and down a tree, once a step
            a, b = fits[True]
            slabs_time = stage + a + 2 * b * face + max(0.0, face / NETWORK - stage / 2) * 2 + reduction
            # 2 x 2 x 2 in a host: three faces by NVLink, three by the network, at once; in turn.
            cubes = stage + latency + 20 * 3e-6 + max(3 * face * per_byte, 3 * face / NETWORK) + reduction
            for cut, time, hidden in (("slabs", slabs_time, 2 * face / NETWORK), ("cubes", cubes, 0.0)):
                print(f"| {ranks:,} | {cut} | {precision} | {time * 1e3:.2f} | {hidden * 1e3:.2f} ms | {100 * stage / time:.0f} % |")
    if len(sys.argv) > 2:
        result = {"benchmark": "isothermal on several GPUs", "device": "NVIDIA H200, NVLink", "rows": rows,
                  "model": {("halves" if o else "in_turn"): {"seconds": a, "seconds_per_byte": b} for o, (a, b) in fits.items()}}
        pathlib.Path(sys.argv[2]).write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
