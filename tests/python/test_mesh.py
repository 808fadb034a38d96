"""`watersmeet mesh` as users meet it: reports, files, and what it refuses."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from runs import binary, needs_program

pytestmark = needs_program

root = Path(__file__).resolve().parents[2]


def mesh(*words, cwd, status=0):
    result = subprocess.run([binary, "mesh", *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=120)
    assert result.returncode == status, result.stdout + result.stderr
    return result.stdout if status == 0 else result.stderr


def report(*words, cwd):
    return json.loads(mesh(*words, "--json", cwd=cwd))


def kinds():
    return [row["kind"] for row in json.loads(mesh("--list", "--json", cwd="."))]


def blocks_of(path, dimensions):
    """Coordinates of a file as the command writes it, read by numpy alone."""
    content = path.read_bytes()
    count = np.frombuffer(content, "<i4", 1)[0]
    sizes = np.frombuffer(content, "<i4", dimensions * count, 4).reshape(count, dimensions)
    at, blocks = 4 + sizes.nbytes, []
    for size in sizes:
        values = np.frombuffer(content, "<f8", dimensions * size.prod(), at)
        blocks.append(values.reshape(dimensions, *size[::-1]))
        at += values.nbytes
    assert at == len(content)
    return blocks


def test_a_generated_mesh_is_written_and_read_back(tmp_path):
    made = report("naca4", "--set", "cells=[32,16]", "--set", "far=20", cwd=tmp_path)
    assert made["files"] == ["naca4.xyz", "naca4.toml"]
    assert made["blocks"] == [[9, 17, 1], [17, 17, 1], [17, 17, 1], [9, 17, 1]]
    assert made["links"] == 4 and made["smallest_volume"]["value"] > 0
    assert {(b["name"], b["kind"]) for b in made["boundaries"]} == {("airfoil", "slip_wall"), ("farfield", "farfield")}
    lower, upper = blocks_of(tmp_path / "naca4.xyz", 2)[1:3]
    assert np.allclose(lower[0, 0], upper[0, 0, ::-1], atol=1e-14)  # the section is symmetric
    assert np.allclose(lower[1, 0], -upper[1, 0, ::-1], atol=1e-14)
    read = report("naca4.toml", cwd=tmp_path)
    assert read["files"] == []
    for key in ("blocks", "nodes", "links", "boundaries", "smallest_volume", "smallest_angle_deg", "first_cells"):
        assert read[key] == made[key]


def test_cgns_files_are_written_and_read_back(tmp_path):
    result = subprocess.run([binary, "mesh", "glider15", "--set", 'size="small"', "--output", "g.cgns", "--json"],
                            cwd=tmp_path, capture_output=True, text=True, timeout=120)
    if "built without the CGNS library" in result.stdout:
        assert result.returncode == 2 and not list(tmp_path.iterdir())
        return
    assert result.returncode == 0, result.stderr
    made = json.loads(result.stdout)
    assert made["files"] == ["g.cgns"] and [f.name for f in tmp_path.iterdir()] == ["g.cgns"]
    assert "nothing is overwritten" in mesh("bump", "--output", "g.cgns", cwd=tmp_path, status=2)
    read = report("g.cgns", cwd=tmp_path)
    assert read["mesh"] == "CGNS" and read["notes"] == [] and read["blocks_with_complete_faces"] == 18
    same = ("blocks", "nodes", "links", "boundaries", "smallest_volume", "largest_volume", "smallest_angle_deg",
            "skewness", "stretching", "aspect_ratio", "first_cells", "levels")
    for key in same:
        assert read[key] == made[key], key
    # Cut and written again: all links of complete faces.
    cut = report("g.cgns", "--split", "--output", "cut.cgns", cwd=tmp_path)
    assert len(cut["blocks"]) == 18 and report("cut.cgns", cwd=tmp_path)["blocks"] == cut["blocks"]
    # Its tree is that of the standard, seen without its library.
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "g.cgns") as file:
        x = np.concatenate([z["GridCoordinates/CoordinateX/ data"][()].ravel() for name, z in file["Base"].items()
                            if name.startswith("Block")])
        assert len(x) == made["nodes"] and x.dtype == np.float64
        assert set(file["Base"]) >= {"vehicle", "base", "symmetry", "inflow", "outflow"}  # the families


def test_coordinates_name_the_mesh_file_beside_them(tmp_path):
    mesh("naca4", "--output", "foil", cwd=tmp_path)
    note = "foil.toml beside them may have both: use it instead"
    assert note in mesh("foil.xyz", cwd=tmp_path, status=2)
    report("foil.toml", cwd=tmp_path)
    (tmp_path / "foil.toml").unlink()
    assert "beside them" not in mesh("foil.xyz", cwd=tmp_path, status=2)


@pytest.mark.parametrize("command", ["check", "run"])
@pytest.mark.parametrize("name, content, said", [
    ("a.xyz", b"1\n2 2 1\n0 1 0 1 0 0 1 1 0 0 0 0\n", ["coordinates of a mesh (Plot3D), not a case", "watersmeet mesh a.xyz"]),
    ("a.p3d", b"\x04\0\0\0\xff\xff", ["coordinates of a mesh (Plot3D), not a case", "watersmeet mesh a.p3d"]),
    ("a.cgns", b"\x89HDF\r\n\x1a\n\0\0", ["a mesh (CGNS), not a case", "watersmeet mesh a.cgns"]),
    ("a.h5", b"\x89HDF\r\n\x1a\n\0\0", ["an HDF5 file, not a case", "watersmeet info a.h5"]),
    ("a.msh", b"$MeshFormat\n4.1 0 8\n", ["a Gmsh mesh, not a case"]),
    ("a.txt", b'[case]\nsystem = "isothermul"\n', ["isothermul"]),
], ids=lambda value: value if isinstance(value, str) else None)  # fmt: skip
def test_a_file_of_another_kind_is_named_as_what_it_is(tmp_path, command, name, content, said):
    (tmp_path / name).write_bytes(content)
    result = subprocess.run([binary, command, name], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2 and all(words in result.stderr for words in said), result.stderr
    assert "UTF-8" not in result.stderr


def test_every_generator_makes_a_mesh_from_its_defaults(tmp_path):
    for kind in kinds():
        made = report(kind, "--dry-run", cwd=tmp_path)
        assert made["mesh"] == kind and made["smallest_volume"]["value"] > 0 and made["folded_corners"] == 0
    assert not list(tmp_path.iterdir())


def test_a_plot3d_file_of_another_program_gets_links_and_boundaries(tmp_path):
    # Fortran records, big-endian, 4-byte numbers: two boxes side by side, the second turned half round in x and y.
    def coordinates(lower, n, sign):
        x, y, z = (np.arange(m) for m in n)
        grid = np.meshgrid(lower[0] + sign * x, lower[1] + sign * y, lower[2] + z, indexing="ij")
        return [g.ravel(order="F") for g in grid]

    def record(*arrays):
        data = b"".join(arrays)
        mark = np.array(len(data), ">i4").tobytes()
        return mark + data + mark

    sizes = [(4, 3, 5), (3, 3, 5)]
    content = record(np.array(2, ">i4").tobytes()) + record(np.array(sizes, ">i4").tobytes())
    for lower, n, sign in (((0, 0, 0), sizes[0], 1), ((5, 2, 0), sizes[1], -1)):
        content += record(*(c.astype(">f4").tobytes() for c in coordinates(lower, n, sign)))
    (tmp_path / "box.p3d").write_bytes(content)

    text = mesh("box.p3d", cwd=tmp_path, status=2)
    assert re.search(r"block 1, i_lower, nodes \(0, 0, 0\) to \(0, 2, 4\) from \(5, 2, 0\) to \(5, 0, 4\) has no boundary", text)

    entries = "".join(
        f'[[boundary]]\nname = "outer"\nkind = "farfield"\nblock = {block}\nface = "{face}"\n'
        for block in (0, 1)
        for face in ("i_lower", "j_lower", "j_upper", "k_lower", "k_upper")
    )
    (tmp_path / "box.toml").write_text('[mesh]\nfile = "box.p3d"\n' + entries)
    read = report("box.toml", cwd=tmp_path)
    assert read["mesh"] == "Plot3D: unformatted, several blocks, 3-D, 4-byte big-endian coordinates"
    assert read["links"] == 1 and read["notes"] == ["1 link was found by coordinates"]
    assert read["smallest_volume"]["value"] == read["largest_volume"]["value"] == 1

    text = mesh("box.toml", "--set", "connect=false", cwd=tmp_path, status=2)
    assert "block 0, i_upper" in text and "has no boundary" in text


def test_partial_faces_are_split_on_request(tmp_path):
    x = np.arange(5.0)
    grid = [np.tile(x, 3), np.repeat(np.arange(3.0), 5)]
    half = [np.tile(np.arange(a, a + 3), 3) for a in (0.0, 2.0)]
    rows = np.repeat(np.arange(2.0, 5.0), 3)
    numbers = ["3", "5 3", "3 3", "3 3"]
    for block in (grid, [half[0], rows], [half[1], rows]):
        numbers += [" ".join(map(str, c)) for c in block]
    (tmp_path / "t.fmt").write_text("\n".join(numbers) + "\n")
    sides = [(0, f) for f in ("i_lower", "i_upper", "j_lower")]
    sides += [(1, "i_lower"), (1, "j_upper"), (2, "i_upper"), (2, "j_upper")]
    entries = "".join(
        f'[[boundary]]\nname = "all"\nkind = "farfield"\nblock = {b}\nface = "{f}"\n' for b, f in sides
    )
    (tmp_path / "t.toml").write_text('[mesh]\nfile = "t.fmt"\n' + entries)
    whole = report("t.toml", cwd=tmp_path)
    assert len(whole["blocks"]) == 3 and whole["blocks_with_complete_faces"] == 4
    split = report("t.toml", "--split", "--output", "s", cwd=tmp_path)
    assert len(split["blocks"]) == 4 and split["links"] == 4
    assert report("s.toml", cwd=tmp_path)["blocks_with_complete_faces"] == 4


def test_shares_and_levels(tmp_path):
    row = report("naca4", "--set", "cells=[64,32]", "--output", "f", cwd=tmp_path)
    # 17, 33, 33 and 17 by 33 nodes; then 9 and 17 by 17, 5 and 9 by 9, 3 and 5 by 5.
    assert row["levels"][:4] == [3300, 884, 252, 80] and row["shares"] == []
    text = mesh("f.toml", "--shares", "4", "--output", "g", cwd=tmp_path)
    assert re.search(r"levels +\d of [\d, ]+ nodes; the next", text)
    assert re.search(r"shares +\d+, \d+, \d+, \d+ nodes", text) and "note: cut from 4 blocks to " in text
    row = report("g.toml", "--shares", "4", "--dry-run", cwd=tmp_path)
    assert sum(row["shares"]) == row["nodes"] and max(row["shares"]) * 4 * 0.9 <= row["nodes"]
    assert row["cells"] == 3072 and row["notes"] == []  # balanced already, so not cut again
    assert "cannot be cut for 99 ranks" in mesh("f.toml", "--shares", "99", cwd=tmp_path, status=2)
    assert "`--shares` must be a whole number" in mesh("f.toml", "--shares", "0", cwd=tmp_path, status=2)


def test_what_is_refused(tmp_path):
    mesh("bump", cwd=tmp_path)
    assert "nothing is overwritten" in mesh("bump", cwd=tmp_path, status=2)
    assert "did you mean `naca4`?" in mesh("naka4", cwd=tmp_path, status=2)
    assert "did you mean `far`?" in mesh("naca4", "--set", "farr=3", cwd=tmp_path, status=2)
    assert 'mesh kind "bump" has no key `far`' in mesh("bump", "--set", "far=3", cwd=tmp_path, status=2)
    assert "needs GENERATOR or FILE" in mesh(cwd=tmp_path, status=2)
    for missing in ("wing.cgns", "wing.xyz", "wing.toml"):
        assert f"no file `{missing}`" in mesh(missing, cwd=tmp_path, status=3)
    content = (tmp_path / "bump.xyz").read_bytes()
    (tmp_path / "bump.xyz").write_bytes(content[:-8])
    assert "no form of Plot3D fits" in mesh("bump.toml", cwd=tmp_path, status=2)
    values = np.frombuffer(content[12:], "<f8").copy()
    values[5] = 2.0  # x of a node beyond the others
    (tmp_path / "bump.xyz").write_bytes(content[:12] + values.tobytes())
    text = mesh("bump.toml", cwd=tmp_path, status=2)
    assert "bump.toml is not a valid mesh" in text and re.search(r"block 0, cell \(\d+, 0, 0\) at .* has the area -", text)


def test_the_page_on_meshes_knows_every_generator_and_key():
    page = (root / "docs" / "reference" / "meshes.md").read_text()
    for row in json.loads(mesh("--list", "--json", cwd=".")):
        section = page.split(f"### {row['kind']}\n")[1].split("\n### ")[0]
        for key in row["keys"]:
            line = f"| `{key['key']}` | {key['default'] and '`' + key['default'] + '`'} |"
            assert line in section, line
