#!/usr/bin/env python3
"""Writes the tables of the page of a paper, validation/papers/NAME/README.md, from its results/*.json.

    python3 validation/papers/page.py [NAME...] [--check]

A table is between the lines <!-- table NAME --> and <!-- end -->; pieces.py of the paper makes its rows from what there is. A picture stands between
<!-- figure FILE: WORDS --> and <!-- end -->, where figures/FILE is there; those that need no more than the results are drawn again. Two tables are
those of every page: `origin`, the commit, device and date of each piece, and `not-run`, the pieces without a result. --check changes nothing and
exits with 1 where a page is not what its results give; 2: a table of pieces.py has no place on the page, or a place no table.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from paper import Table, load, results_in, values

PICTURE = re.compile(r"(<!-- figure ([\w.-]+): (.*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
PLACE = re.compile(r"(<!-- table ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def tables_of(name) -> dict:
    module, results = load(name), results_in(HERE / name / "results")
    small = [piece for piece, document in results.items() if document.get("small")]
    if small:
        raise ValueError(f"{name}: results of --small are not those of the page: {', '.join(small)}")
    origin = {}
    for piece, document in results.items():
        origin.setdefault((document["commit"], document["device"], document["date"]), []).append(f"`{piece}`")
    made = {table.name: table for table in module.tables(values(results))}
    made["origin"] = Table("origin", ["pieces", "commit", "device", "date"], [[", ".join(pieces), *key] for key, pieces in sorted(origin.items())])
    made["not-run"] = Table("not-run", ["piece", "what"], [[f"`{piece.name}`", piece.about] for piece in module.pieces(False) if piece.name not in results])
    return made


def page_of(name, text) -> str:
    tables, used = tables_of(name), set()

    def filled(found):
        if found[2] not in tables:
            raise ValueError(f"{name}/README.md has a place for the table {found[2]!r}; there are {', '.join(tables)}")
        used.add(found[2])
        table = tables[found[2]]
        return f"{found[1]}\n{table.markdown() if table.rows else 'None.'}\n\n{found[4]}"

    def pictured(found):
        there = (HERE / name / "figures" / found[2]).exists()
        return found[1] + (f"\n![{found[3]}](figures/{found[2]})\n\n" if there else "") + found[5]

    text = PICTURE.sub(pictured, PLACE.sub(filled, text))
    if set(tables) - used:
        raise ValueError(f"{name}/README.md has no place for the tables {', '.join(sorted(set(tables) - used))}")
    return text


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description="Writes the tables of the pages of papers from their results.")
    parser.add_argument("names", metavar="NAME", nargs="*", help="folders of validation/papers; all when not given")
    parser.add_argument("--check", action="store_true", help="only say whether a page is what its results give")
    given = parser.parse_args(arguments)
    status = 0
    for name in given.names or sorted(path.parent.name for path in HERE.glob("*/pieces.py")):
        page = HERE / name / "README.md"
        try:
            if not given.check:
                load(name).figures(values(results_in(HERE / name / "results")), HERE / name / "figures")
            text = page.read_text(encoding="utf-8")
            made = page_of(name, text)
        except (ValueError, OSError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        if made != text and given.check:
            print(f"{name}/README.md is not what its results give: run validation/papers/page.py {name}")
            status = 1
        elif made != text:
            page.write_text(made, encoding="utf-8")
            print(page)
    return status


if __name__ == "__main__":
    sys.exit(main())
