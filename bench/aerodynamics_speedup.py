"""Puts two results of `watersmeet bench aerodynamics` together, of a GPU and of one core:

    watersmeet bench aerodynamics --device gpu --output gpu.json
    watersmeet bench aerodynamics --device cpu --threads 1 --output cpu.json
    python3 bench/aerodynamics_speedup.py gpu.json cpu.json

Prints for each row that both have the time of a step or cycle, the rate in residuals of nodes a
second, how many times faster the GPU is, and for cycles over two grids how many steps of one grid
they take on each (median and spread of pairs that were measured in turn) and the share of the
speed-up of one grid that they keep: steps a cycle on the core over those on the GPU. Beside them stand the speed-ups of P. LeGresley, Case Study: CFD (2008), of
a Tesla C1060 over one core of a Xeon 5160; the vehicle there is another one of the same size, and
the order of its rows is not told.
"""
import json
import sys

# (mesh, order, grids): speed-up.
PUBLISHED = {
    ("naca0012", "1", "1"): 24.5,
    ("naca0012", "3", "1"): 18.6,
    ("naca0012", "1", "2V"): 19.3,
    ("naca0012", "3", "2V"): 18.1,
    ("glider15-720k", "1", "1"): 19.3,
    ("glider15-720k", "1", "2V"): 14.4,
    ("glider15-1500k", "1", "1"): 26.9,
    ("glider15-1500k", "1", "2V"): 20.2,
}


def rows_of(path):
    with open(path) as file:
        document = json.load(file)
    rows = {}
    for row in document["rows"]:
        if "mesh" not in row:  # of a result from before meshes had names
            continue
        key = (row["mesh"], tuple(row["cells"]), row["precision"], row["order"], row["grids"])
        rows[key] = row
    return rows


def steps_per_cycle(row):
    if "steps_per_cycle" not in row:  # one grid, or its row was not measured with that of cycles
        return ""
    return f"{row['steps_per_cycle']:.3f} ({100 * row['steps_per_cycle_spread']:.1f} %)"


def table(gpu, cpu):
    lines = [f"{'mesh':<16} {'prec.':<7} {'order':<6} {'grids':<6} {'GPU ms':>9} {'core ms':>10} "
             f"{'Gres./s':>8} {'times':>8} {'GPU steps/cycle':>15} {'core steps/c.':>15} {'kept':>6} {'2008':>6}"]
    for key, row in gpu.items():
        if key not in cpu:
            continue
        mesh, _, precision, order, grids = key
        other = cpu[key]
        times = other["ms_per_step"] / row["ms_per_step"]
        kept = ""
        if "steps_per_cycle" in row and "steps_per_cycle" in other:
            kept = f"{other['steps_per_cycle'] / row['steps_per_cycle']:.2f}"
        rate = f"{1 / row['ns_per_point_rhs']:.2f}" if grids == "1" else ""
        published = PUBLISHED.get((mesh, order, grids), "")
        lines.append(f"{mesh:<16} {precision:<7} {order:<6} {grids:<6} {row['ms_per_step']:>9.4f} "
                     f"{other['ms_per_step']:>10.2f} {rate:>8} {times:>8.1f} "
                     f"{steps_per_cycle(row):>15} {steps_per_cycle(other):>15} {kept:>6} "
                     f"{published:>6}")
    return "\n".join(lines)


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    gpu, cpu = (rows_of(path) for path in arguments)
    if not any(key in cpu for key in gpu):
        sys.exit("the two results have no row in common")
    print(table(gpu, cpu))


if __name__ == "__main__":
    main(sys.argv[1:])
