#!/usr/bin/env python3
"""Writes the inputs that fuzzing starts from into FOLDER/TARGET: cases of the examples and of tests/old, files of old runs, and small files of
each format that the program reads. Those of corpus/ are what was found before.

    tests/fuzz/seeds.py FOLDER
"""
import pathlib
import re
import struct
import sys

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
OLD = sorted((ROOT / "tests" / "old").glob("*/*"))
GENERATORS = {
    "naca4": "cells = [16, 4]\nwake_cells = 4", "bump": "cells = [8, 4]\nblocks = [2, 1]", "wedge": "cells = [8, 8]", "cylinder": "cells = [16, 4]",
    "sphere": "cells = [4, 4]", "wavybox": "cells = [4, 4]\nturns = \"random\"", "ringleb": "cells = [4, 8]", "glider15": 'size = "small"', "wing": "cells = [8, 4, 4]\ncap_cells = 2",
}  # fmt: skip
NMF = """# two blocks side by side
2
1 3 3 2
2 3 3 2
ONE_TO_ONE 1 4 1 3 1 2 2 3 1 3 1 2 FALSE
WALL 1 3 1 3 1 2
TANGENCY 2 4 1 3 1 2
"""


def small(line):
    return re.sub(r"\d+", lambda number: str(min(16, int(number[0]))), line[0])


def texts():
    """(target, name, text) of texts."""
    cases = sorted((ROOT / "examples").glob("*/*.toml")) + [path / name for path in OLD for name in ("case.toml", "resolved.toml")]
    for path in cases:
        text = path.read_text()
        yield "case_text", "-".join(path.parts[-2:]), text
        # Grids of the examples would take most of the time; what fuzzing makes of their sizes does not depend on these.
        yield "case_file", "-".join(path.parts[-2:]), re.sub(r"^cells\s*=[^#\n]*", small, text, flags=re.MULTILINE)
        for number, value in enumerate(re.findall(r'"([^"\n]*[+*/^(][^"\n]*)"', text)):
            yield "expression", f"{path.parts[-2]}-{path.stem}-{number}", value
    yield "expression", "functions", "min(x, y, bed(x, t)) > 0 && sign(z) != 1 ? atan2(U0, n) : mod(-x, 1)^2"
    for kind, keys in GENERATORS.items():
        yield "mesh_file", kind, f'[mesh]\nkind = "{kind}"\n{keys}\n'
    faces = '[[boundary]]\nname = "wall"\nkind = "slip_wall"\nblock = 0\nface = "j_lower"\nbegin = [0, 0, 0]\nend = [2, 0, 1]\n'
    link = '[[link]]\nblock = 0\nface = "i_upper"\nneighbour = 1\nneighbour_face = "i_lower"\naxes = ["i", "j", "k"]\n'
    yield "mesh_file", "blocks", f'[mesh]\nfile = "blocks.xyz"\ntolerance = 1e-9\nconnect = true\n{faces}{link}'
    yield "mesh_file", "map", '[mesh]\nfile = "blocks.xyz"\nmap = "mesh.nmf"\nperiods = [[4.0, 0.0, 0.0]]\n'
    yield "neutral_map", "two", NMF
    yield "site", "example", (ROOT / "packaging/sites/example.toml").read_text()
    for time in ("90", "1-12:00:00", "4 h", "90 min"):
        yield "site", time.replace(" ", ""), time
    commands = re.findall(r"^watersmeet ([^|#>\n]+)", "".join(path.read_text() for path in sorted(ROOT.glob("docs/**/*.md"))), re.MULTILINE)
    for number, line in enumerate(sorted(set(commands))):
        yield "command_line", str(number), "\n".join(line.split())
    for folder in OLD:
        yield "series", folder.name, (folder / "series.csv").read_text()
        yield "run_record", folder.name, (folder / "run.json").read_text()
    yield "series", "spectra", "step,t,k,total\n# units: 1,1,1,1\n" + "".join(f"{s},{s}.5,{k},1e-3\n" for s in (0, 2) for k in (0, 1, 2))


def plot3d():
    """(name, bytes) of a small file in each form: blocks of 3 x 2 (x 2) nodes."""
    for dimensions in (2, 3):
        size = (3, 2, 2)[:dimensions]
        nodes = np.stack(np.meshgrid(*(range(n) for n in reversed(size)), indexing="ij")[::-1]).reshape(dimensions, -1)
        for blocks in (1, 2):
            for precision in ("f", "d"):
                coordinates = b"".join((nodes + np.eye(dimensions)[:, :1] * 2 * b).astype(precision).tobytes() for b in range(blocks))
                sizes = struct.pack(f"<{dimensions * blocks}i", *(size * blocks))
                name = f"{dimensions}d-{blocks}-{precision}"
                count = struct.pack("<i", blocks)
                yield f"binary-{name}", (count if blocks > 1 else b"") + sizes + coordinates
                records = ([count] if blocks > 1 else []) + [sizes]
                records += [coordinates[i * len(coordinates) // blocks : (i + 1) * len(coordinates) // blocks] for i in range(blocks)]
                yield f"fortran-{name}", b"".join(struct.pack("<i", len(r)) + r + struct.pack("<i", len(r)) for r in records)
            text = (f"{blocks}\n" if blocks > 1 else "") + " ".join(map(str, size * blocks)) + "\n"
            for b in range(blocks):
                text += " ".join(f"{v:g}" for v in (nodes + np.eye(dimensions)[:, :1] * 2 * b).ravel()) + "\n"
            yield f"text-{dimensions}d-{blocks}", text.encode()


def table(path, **options):
    with h5py.File(path, "w", libver="earliest") as file:
        for name, size in (("x", 4), ("y", 3)):
            file[name] = np.arange(size, dtype="f8")
            file[name].make_scale(name)
        for name in ("bed", "group/bed"):
            field = file.create_dataset(name, data=np.arange(12, dtype="f4").reshape(3, 4), **options)
            field.attrs["scale_factor"] = 0.5
            field.dims[0].attach_scale(file["y"])
            field.dims[1].attach_scale(file["x"])
        file["wind"] = np.arange(24, dtype="i2").reshape(3, 4, 2)
        file["wind"].dims[0].attach_scale(file["y"])
        file["wind"].dims[1].attach_scale(file["x"])


def main():
    folder = pathlib.Path(sys.argv[1])

    def place(target):
        (folder / target).mkdir(parents=True, exist_ok=True)
        return folder / target

    for target, name, text in texts():
        (place(target) / name).write_text(text)
    for name, content in plot3d():
        (place("plot3d") / name).write_bytes(content)
    table(place("table") / "plain")
    table(place("table") / "chunked", chunks=(2, 2), compression="gzip")
    for run in OLD:
        for path in list(run.glob("checkpoint_*.h5")) + list(run.glob("fields_*")):
            target = "checkpoint" if path.name.startswith("checkpoint") else "snapshot"
            # Without its seal, which the target computes again; the last byte tells it to (hdf5_files.cpp).
            content = path.read_bytes()
            end = content.rfind(b"size=") if target == "checkpoint" else len(content)
            (place(target) / f"{run.name}").write_bytes(content[:end] + (b"\0" if target == "checkpoint" else b""))
    for target in sorted(folder.iterdir()):
        print(f"{target.name}: {sum(1 for _ in target.iterdir())} files, {sum(p.stat().st_size for p in target.iterdir())} bytes")


if __name__ == "__main__":
    main()
