#!/usr/bin/env python3
"""Makes the old files of this release, tests/old/VERSION: a short run of each system with its case, checkpoint, snapshot and series.

    tools/old_files.py --program PROGRAM

Once a release, before its tag. The file run.json of each folder names the commit. Later versions must read them or say what to do (tests/python/test_old_files.py). Those of earlier releases
stay as they are: this refuses to replace a folder that is there.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# One snapshot of each layout: a box, a box of one cell in z, a box over levels, blocks, panels.
WITH_SNAPSHOT = ("isothermal", "multicomponent", "atmosphere", "aerodynamics", "shallow water sphere")
KEPT = ("case.toml", "resolved.toml", "run.json", "series.csv", "mesh.h5")


def small(text):
    """The case on fewer cells: what is tested is the format."""
    text = text.replace("cells = [12, 10, 8]", "cells = [8, 7, 6]").replace("cells = [12, 10, 1]", "cells = [8, 7, 1]")
    text = text.replace("cells = [20, 14, 1]", "cells = [10, 7, 1]").replace("cells = [8, 8, 6]", "cells = [8, 8, 4]")
    return re.sub(r"cells = 12\b", "cells = 8", text).replace("cells = [32, 16]", "cells = [16, 8]").replace("cells = [12, 12]", "cells = [8, 8]")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    options = parser.parse_args()
    program = str(options.program.resolve())
    os.environ["WATERSMEET_BINARY"] = program
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    from key_walk import cases
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    place = ROOT / "tests" / "old" / said.split()[1]
    if place.exists():
        parser.error(f"{place} is there already")
    for name, text in cases.items():
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work)
            (folder / "case.toml").write_text(small(text))
            subprocess.run([program, "run", "case.toml", "--dir", "run", "--quiet", "--threads", "1"], cwd=folder, check=True)
            record = json.loads((folder / "run/run.json").read_text())
            record["host"] = "host"  # of no use to anybody
            (folder / "run/run.json").write_text(json.dumps(record, indent=2) + "\n")
            kept = place / name.replace(" ", "-")
            kept.mkdir(parents=True)
            files = [folder / "run" / file for file in KEPT] + sorted((folder / "run").glob("checkpoint_*"))[-1:]
            if name in WITH_SNAPSHOT:
                files += sorted((folder / "run").glob("fields_*[0-9].*"))[-1:]
            for path in files:
                if path.exists():
                    shutil.copy(path, kept)
    print(f"{place}: {sum(path.stat().st_size for path in place.rglob('*') if path.is_file())} bytes")


if __name__ == "__main__":
    main()
