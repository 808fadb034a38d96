#!/usr/bin/env python3
"""Joins what tools/gpu/scaling.sh measured into one file, and prints the tables of docs/scaling.md.

Usage: scaling.py FOLDER [RESULT.json]    FOLDER holds scaling-NAME-GPUS-TRANSPORT-CELLS.json

Rows of an existing RESULT.json that FOLDER does not have stay as they are: each has its commit.

Efficiency: of n GPUs on the grid that one GPU had, its time over n times theirs; on a larger one, its time over theirs where the points of
each GPU are as many as the one had.
"""
import json
import math
import pathlib
import sys

METHODS = ("method", "solver", "model", "riemann", "stencil", "mesh", "order", "grids", "schedule", "storage", "forcing", "state")


def load(folder):
    rows = []
    for path in sorted(pathlib.Path(folder).glob("scaling-*.json")):
        document = json.loads(path.read_text())
        name = path.stem.removeprefix("scaling-").rsplit("-", 3)[0]
        for row in document["rows"]:
            more = {key: document[key] for key in ("command", "commit", "date", "device")}
            rows.append({"name": name, "system": document["benchmark"], **row, **more})
    return rows


def methods_of(row):
    return {key: row[key] for key in METHODS if key in row}


def identity(row):
    return [row[key] for key in ("name", "precision", "ranks", "transport", "cells")], methods_of(row)


def judge(rows):
    """Adds `efficiency` to rows of several GPUs that have a counterpart on one."""
    alone = [r for r in rows if r["ranks"] == 1]
    for row in rows:
        for one in alone if row["ranks"] > 1 else []:
            if (one["name"], one["precision"], methods_of(one)) != (row["name"], row["precision"], methods_of(row)):
                continue
            share = math.prod(row["cells"]) / math.prod(one["cells"])
            if share in (1, row["ranks"]):
                row["scaling"] = "strong" if share == 1 else "weak"
                row["efficiency"] = one["ms_per_step"] * share / row["ranks"] / row["ms_per_step"]
                row["ms_per_step_of_one"] = one["ms_per_step"]


def main():
    rows = load(sys.argv[1])
    judge(rows)
    result = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if result is not None and result.exists():
        measured = [identity(row) for row in rows]
        rows += [row for row in json.loads(result.read_text())["rows"] if identity(row) not in measured]
        rows.sort(key=lambda row: (row["name"], row["ranks"]))
    print("| system | methods | grid | GPUs | by | one | several | efficiency | scatter | commit |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        if "efficiency" not in row:
            continue
        methods = ", ".join([row["precision"], *(f"{key} {value}" if key in ("order", "grids") else str(value) for key, value in methods_of(row).items())])
        overlap = ", halves" if row.get("overlap") else ""
        print(f"| {row['system']} | {methods} | {' x '.join(map(str, row['cells']))} | {row['ranks']} | {row['transport']}{overlap} | "
              f"{row['ms_per_step_of_one']:.3g} ms | {row['ms_per_step']:.3g} ms | {100 * row['efficiency']:.0f} % {row['scaling']} | "
              f"{100 * row['spread']:.1f} % | {row['commit'][:8]} |")
    if result is not None:
        oldest = min(rows, key=lambda row: row["date"])["commit"]  # each row has its own
        document = {"benchmark": "scaling over several GPUs", "commit": oldest, "device": rows[0]["device"], "rows": rows}
        result.write_text(json.dumps(document, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
