"""Self-convergence of runs on a sphere: `order.py COARSEST FINER ...`, each with twice the cells of the one before in all directions.

Prints the root mean square difference of the last fields theta_perturbation and w between each run, averaged over eight cells, and the one before it,
and the order that two such differences in a row amount to.
"""

import sys

import numpy as np

import watersmeet


def last(directory, name):
    field = watersmeet.open(directory).fields[-1][name]
    return [np.asarray(field[panel], float) for panel in range(6)]


def means_of_eight(a):
    return sum(a[k::2, j::2, i::2] for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8


for name in ("theta_perturbation", "w"):
    before, coarse = None, last(sys.argv[1], name)
    for directory in sys.argv[2:]:
        fine = last(directory, name)
        difference = np.sqrt(np.mean([np.mean((means_of_eight(f) - c) ** 2) for f, c in zip(fine, coarse)]))
        order = "" if before is None else f"  order {np.log2(before / difference):.2f}"
        print(f"{name}, {fine[0].shape[-1]} columns along an edge: {difference:.3e}{order}")
        before, coarse = difference, fine
