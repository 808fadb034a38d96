"""Tables of the strategies of the schedule with one launch per axis, from results of `watersmeet bench`:

    watersmeet bench shallow_water --device gpu --only "double axes" --output axes.json
    watersmeet bench shallow_water --device gpu --only "double march" --cells 1024x1024x1 --cells 4096x4096x1 \\
        --output march.json
    watersmeet bench atmosphere --device gpu --only "double flat lmars" --cells 484x232x116 --output air.json
    python3 bench/strategies.py axes.json march.json air.json > strategies.md

Prints, for each grid and stencil that has strategies, the rate of each in cell-stages per second, its speed-up over
the base, and the factor F/H of the fastest one with a depot (fully optimised) over tuned launches without one
(hardware-optimised). It also prints that factor of J. Xu et al. (2019), Optimizing Finite Volume Method Solvers on
Nvidia GPUs, table 3, who measured the same strategies on earlier GPUs; they had the transverse term, 1024 x 1024
cells of shallow water and 484 x 232 x 116 of air, and a base with arrays of structures, which nothing here has.
Marching schedules, which solve a face once and read the state once per stage, are in the last rows.
"""
import json
import sys

# Speed-ups over a CPU of 12 cores: hardware-optimised, fully optimised.
PUBLISHED = {
    "shallow_water": {"C2070": (3.53, 3.10), "K40": (9.11, 11.32), "K80": (18.0, 24.42), "P100": (28.9, 32.2),
                      "V100": (64.3, 70.4)},
    "atmosphere": {"C2070": (2.91, 2.02), "K40": (5.50, 10.13), "K80": (15.68, 31.64), "P100": (34.3, 55.4),
                   "V100": (53.0, 93.9)},
}
STRATEGIES = {
    "base": "no depot, compiler defaults",
    "tuned": "no depot, tuned (H)",
    "shared": "shared memory",
    "shared-halo": "shared memory, halo threads",
    "shuffle": "shuffles",
    "shuffle-halo": "shuffles, halo threads",
}
DEPOTS = ("shared", "shared-halo", "shuffle", "shuffle-halo")


def rows_of(path):
    document = document_of(path)
    for row in document["rows"]:
        if row["precision"] == "double" and "strategy" in row:
            yield document["benchmark"], row


def document_of(path):
    with open(path) as file:
        return json.load(file)


def heading(paths):
    """What the tables contain, and the commands of their numbers."""
    lines = ["# Strategies of the schedule with one launch per axis", "",
             'Speeds of the strategies of `device.schedule = "axes"`, with published factors; made by `bench/strategies.py` from the results of the '
             "commands below.",
             "A depot is the memory through which threads read the edge values of neighbouring cells (`device.depot`): shared memory or shuffles. Halo threads",
             "overlap between groups (`device.halo_threads`). Tuned rows set block shapes and register counts (`device.tuned`). F/H is the fastest strategy with a",
             "depot over the tuned one without; published: fully optimised over hardware-optimised, J. Xu et al. (2019), Optimizing Finite Volume Method Solvers on",
             "Nvidia GPUs. The last rows of a table, march, sweeps and tile, are other schedules.",
             ""]
    for path in paths:
        document = document_of(path)
        lines.append(f"- {document['device']}, commit {document.get('commit', 'unknown')}: "
                     f"`{document.get('command', 'command unknown')}`")
    return "\n".join(lines)


def groups_of(paths):
    """Rows that differ in nothing but schedule and strategy, by both."""
    groups = {}
    for path in paths:
        for system, row in rows_of(path):
            key = (system, *row["cells"], *(row.get(label, "") for label in ("mesh", "riemann", "stencil")))
            name = row["strategy"] if row["schedule"] == "axes" else row["schedule"]
            groups.setdefault(key, {})[name] = row
    return {key: rows for key, rows in groups.items() if "base" in rows and "tuned" in rows}


def line(words, row, base):
    rate = 1 / row["ns_per_point_rhs"]
    return f"| {words} | {rate:.2f} | {base['ns_per_point_rhs'] / row['ns_per_point_rhs']:.2f} | {row['registers']} |"


def table(key, rows):
    system, nx, ny, nz, *labels = key
    cells = " x ".join(str(n) for n in (nx, ny, nz) if n > 1)
    base, tuned = rows["base"], rows["tuned"]
    lines = [f"**{system}, {cells} cells, {' '.join(label for label in labels if label)}, double precision**", "",
             "| strategy | G cell-stages/s | over base | registers |", "| --- | --- | --- | --- |"]
    lines += [line(words, rows[name], base) for name, words in STRATEGIES.items() if name in rows]
    lines += [line(name, row, base) for name, row in sorted(rows.items()) if name not in STRATEGIES]
    depots = [name for name in DEPOTS if name in rows]
    if depots:
        best = min(depots, key=lambda name: rows[name]["ns_per_point_rhs"])
        factor = tuned["ns_per_point_rhs"] / rows[best]["ns_per_point_rhs"]
        published = ", ".join(f"{full / hard:.2f} {device}" for device, (hard, full) in PUBLISHED[system].items())
        lines += ["", f"F/H = {factor:.2f} with {STRATEGIES[best]}; published: {published}."]
    return "\n".join(lines)


def main(paths):
    groups = groups_of(paths) if paths else {}
    if not groups:
        sys.exit(__doc__)
    print("\n\n".join([heading(paths), *(table(key, rows) for key, rows in groups.items())]))


if __name__ == "__main__":
    main(sys.argv[1:])
