#!/usr/bin/env python3
"""Makes the pictures of pages by the pages' own commands, on the grids that the pages have.

Usage: doc_pictures.py [--program PROGRAM] PAGE...

The comment <!-- picture: FILE --> in a page stands before the line of the picture, ![...](NAME.png): FILE is copied there when all blocks of the
page have run. Prints what the runs print, from which the numbers of the page come.
"""
import argparse
import pathlib
import re
import shutil
import tempfile

import doc_blocks

PICTURE = re.compile(r"<!-- picture: (\S+) -->\n!\[[^\]]*\]\((\S+)\)")

parser = argparse.ArgumentParser(description="Make the pictures of pages by their commands.")
parser.add_argument("--program", default=shutil.which("watersmeet"))
parser.add_argument("pages", nargs="+", type=pathlib.Path, metavar="PAGE")
given = parser.parse_args()
root = pathlib.Path(__file__).resolve().parents[1]
for page in given.pages:
    with tempfile.TemporaryDirectory() as folder:
        reader = doc_blocks.Reader(pathlib.Path(given.program).resolve(), folder, root, shrunk=False, timeout=1800)
        for block in doc_blocks.blocks_of(page):
            if block.language in ("sh", "toml", "python"):
                reader.take(block)
                if block.language != "toml" and reader.output:
                    print(f"--- {page}:{block.line}\n{reader.output}")
        for made, name in PICTURE.findall(page.read_text(encoding="utf-8")):
            shutil.copyfile(pathlib.Path(folder) / made, page.parent / name)
