"""Runs on curvilinear blocks: files and what reads them, ranks, resumption, meshes from files, and what the program says
about a case.
"""

import csv
import json
import os
import re
import xml.etree.ElementTree as xml

import h5py
import numpy as np
import pytest
from rank_runs import on_ranks, ranks_words
from runs import binary, call, needs_program, newest, rows, succeed

import watersmeet
from watersmeet.study import study

pytestmark = [needs_program]

# Four turned blocks of sizes that no power of two divides.
vortex = """[case]
system = "aerodynamics"
[grid]
mesh = { kind = "wavybox", cells = [13, 11], blocks = [2, 2], seed = 2 }
[physics]
freestream = { mach = 0.5, alpha_deg = 20 }
[numerics]
order = 4
[time]
mode = "unsteady"
steps = 12
[[initial]]
flow = { kind = "vortex", centre = [4, 4.5, 0], strength = 0.2 }
[boundary]
outer = "exact"
[output]
overview = false
every_steps = 6
series_every_steps = 3
fields = ["rho", "velocity", "mach"]
"""

foil = """[case]
system = "aerodynamics"
[grid]
mesh = { kind = "naca4", cells = [32, 12], far = 20.0 }
[physics]
freestream = { mach = 0.6, alpha_deg = 2 }
[time]
steps_max = 8
[output]
overview = false
series_every_steps = 2
"""


# A free stream through turned blocks of the highest order, and a flow in a periodic box, where mass and energy stay.
stream = (vortex.replace("order = 4", "order = 6").replace("cells = [13, 11]", "cells = [13, 12]")
          .replace('flow = { kind = "vortex", centre = [4, 4.5, 0], strength = 0.2 }', 'flow = "freestream"'))
periodic = (vortex.replace("seed = 2 }", "seed = 2, periodic = true }").replace('outer = "exact"\n', "")
            .replace('flow = { kind = "vortex", centre = [4, 4.5, 0], strength = 0.2 }', 'density = "1 + 0.2*sin(2*pi*x/10)*cos(4*pi*y/10)"'))
cases = {"vortex": vortex, "foil": foil, "stream": stream, "periodic": periodic}


@pytest.fixture
def place(tmp_path):
    for name in ("vortex", "foil"):
        (tmp_path / f"{name}.toml").write_text(cases[name])
    return tmp_path


def blocks_of(path):
    """All arrays of a block snapshot as bytes."""
    found = {}
    with h5py.File(path) as file:
        file["blocks"].visititems(lambda name, item: found.update({name: item[()].tobytes()}
                                                                  if isinstance(item, h5py.Dataset) else {}))
    assert found
    return found


def last_snapshot(folder):
    return sorted(folder.glob("fields_*.h5"))[-1]


def test_snapshots_and_mesh_are_read(place):
    succeed("run", "vortex.toml", "--dir", "out", cwd=place)
    run = watersmeet.open(place / "out")
    assert [s.step for s in run.fields] == [0, 6, 12] and len(run.fields[0].mesh) == 4
    snapshot = run.fields[0]
    assert snapshot.mesh.dimensions == 2 and set(snapshot.mesh.shapes) <= {(1, 12, 14), (1, 14, 12)}
    assert sorted(snapshot) == ["mach", "rho", "velocity"] and snapshot["velocity"].components == 3
    # The initial density is the vortex's, whatever the turns of the blocks.
    for b in range(4):
        xyz = snapshot.mesh.xyz(b)
        r2 = (xyz[..., 0] - 4) ** 2 + (xyz[..., 1] - 4.5) ** 2
        ratio = 1 - 0.2 * 0.2**2 * np.exp(1 - r2)
        np.testing.assert_allclose(snapshot["rho"][b][...], ratio**2.5, rtol=1e-13)
        # Patches lie on the sides of the box.
        for patch in (p for p in snapshot.mesh.patches if p.block == b):
            nodes = xyz[patch.key].reshape(-1, 3)[:, :2]
            assert any(np.ptp(nodes[:, a]) < 1e-12 and min(abs(nodes[0, a]), abs(nodes[0, a] - 10)) < 1e-12 for a in (0, 1))
    assert snapshot["rho"].flat().shape == (4 * 14 * 12,)
    assert run.series["error_rho"][0] < 1e-13 < run.series["error_rho"][-1] < 0.05
    with pytest.raises(KeyError, match="no field 'p'"):
        snapshot["p"]
    with pytest.raises(FileNotFoundError, match="no surface file of airfoil"):
        run.surface("airfoil")


def test_the_index_names_arrays_that_are_there(place):
    succeed("run", "vortex.toml", "--dir", "out", cwd=place)
    root = xml.parse(place / "out" / "fields.xmf").getroot()
    times = root.findall("./Domain/Grid/Grid")
    assert root.get("Version") == "3.0" and len(times) == 3
    assert [t.get("CollectionType") for t in times] == ["Spatial"] * 3
    for time in times:
        blocks = time.findall("Grid")
        assert len(blocks) == 4 and float(time.find("Time").get("Value")) >= 0
        for block in blocks:
            assert block.find("Topology").get("TopologyType") == "3DSMesh"
            size = tuple(int(n) for n in block.find("Topology").get("Dimensions").split())
            items = block.findall(".//DataItem")
            assert len(items) == 4
            for item in items:
                file, path = item.text.split(":")
                shape = tuple(int(n) for n in item.get("Dimensions").split())
                with h5py.File(place / "out" / file) as data:
                    assert data[path].shape == shape and shape[:3] == size
                    assert data[path].dtype.itemsize == int(item.get("Precision"))


def test_viewers_read_the_index(place):
    """Both XDMF readers of VTK, where that is installed."""
    modules = pytest.importorskip("vtkmodules.vtkIOXdmf2")
    succeed("run", "vortex.toml", "--dir", "out", cwd=place)
    reader = modules.vtkXdmfReader()
    reader.SetFileName(str(place / "out" / "fields.xmf"))
    reader.UpdateInformation()
    reader.Update()
    blocks = reader.GetOutputDataObject(0)
    assert blocks.GetNumberOfBlocks() == 4
    for b in range(4):
        grid = blocks.GetBlock(b)
        assert grid.GetNumberOfPoints() == 14 * 12
        assert {grid.GetPointData().GetArrayName(a) for a in range(3)} == {"rho", "velocity", "mach"}


def test_surfaces_and_forces(place):
    succeed("run", "foil.toml", "--dir", "out", cwd=place)
    run = watersmeet.open(place / "out")
    surface = run.surface("airfoil")
    assert surface.rows == 34 and list(surface)[:8] == ["block", "i", "j", "k", "x", "y", "z", "arc"]
    # From the trailing edge along the lower side around the nose and back.
    assert surface["x"][0] == pytest.approx(1) and surface["x"][-1] == pytest.approx(1)
    assert surface["y"][5] < 0 < surface["y"][-6] and np.all(np.diff(surface["arc"]) >= 0)
    assert 2.0 < surface["arc"][-1] < 2.1
    # The sum of cp over the surface is the force in the series, up to the rule of the quadrature.
    x, y, cp = (surface[name] for name in ("x", "y", "cp"))
    middle = 0.5 * (cp[1:] + cp[:-1])
    alpha = np.radians(2)
    fx, fy = -np.sum(middle * -np.diff(y)), np.sum(-middle * np.diff(x))
    lift = fy * np.cos(alpha) - fx * np.sin(alpha)
    assert run.series["cl"][-1] == pytest.approx(lift, rel=0.05, abs=0.01)
    assert run.series["log_residual"].shape == (5,)


def test_a_run_that_does_not_converge_says_so(place):
    text = succeed("run", "foil.toml", "--dir", "out", cwd=place).stdout
    assert "\nended  not converged" in text and "after 8 cycles" in text
    assert "done" not in text
    # Where a user shall look: the node of the series' residual_max.
    assert re.search(r"of the first one, largest in block [0-3], node \(\d+, \d+, 0\) of \d+ x 13 x 1, \(x, y, z\) = \(", text), text
    assert "4 blocks" in text and "naca4" in text and "M 0.6, alpha 2 deg" in text


def ends(place, folder, told):
    """What a program can read of the end of a run: the result of `run --json`, run.json, `info --json` and Python."""
    record = json.loads((place / folder / "run.json").read_text())
    info = json.loads(succeed("info", folder, "--json", cwd=place).stdout)
    last = (record["restarts"] or [record])[-1]
    return [json.loads(told)["converged"], last["converged"], info["converged"], watersmeet.open(place / folder).converged]


def test_programs_can_tell_whether_a_run_converged(place):
    """The exit status is 0 where all cycles were done, and is no measure of it."""
    converging = ["--set", "time.residual_drop=0.9", "--set", "time.first_order_cycles=1", "--set", "time.steps_max=2000"]
    told = succeed("run", "foil.toml", "--dir", "no", "--json", cwd=place).stdout
    assert ends(place, "no", told) == [False] * 4
    assert "finished    yes, but not converged (" in succeed("info", "no", cwd=place).stdout
    # Also asked again of a run that has ended.
    assert json.loads(succeed("resume", "no", "--json", cwd=place).stdout)["converged"] is False
    told = succeed("run", "foil.toml", "--dir", "yes", "--json", *converging, cwd=place).stdout
    assert ends(place, "yes", told) == [True] * 4
    assert "finished    yes, converged (" in succeed("info", "yes", cwd=place).stdout
    told = succeed("resume", "yes", "--json", cwd=place).stdout
    assert ends(place, "yes", told) == [True] * 4
    # A vortex in time converges to nothing.
    told = succeed("run", "vortex.toml", "--dir", "vortex", "--json", cwd=place).stdout
    assert ends(place, "vortex", told) == [None] * 4
    assert "finished    yes (" in succeed("info", "vortex", cwd=place).stdout
    # Nor does a run that failed.
    assert call("run", "foil.toml", "--dir", "failed", "--json", "--set", "time.cfl=1e9", "--set", "numerics.multigrid.levels=1",
                cwd=place).returncode == 4
    assert json.loads((place / "failed/run.json").read_text())["converged"] is False


def test_a_study_tells_which_runs_converged(place, monkeypatch):
    monkeypatch.setenv("WATERSMEET_BINARY", os.path.abspath(binary))
    settings = [{"time.residual_drop": 0.9, "time.steps_max": 2000, "time.first_order_cycles": 1},
                {"time.residual_drop": 1e-12, "time.steps_max": 4, "time.first_order_cycles": 1}]
    made = study(place / "foil.toml", settings, directory=place / "study")
    assert made.statuses == [0, 0] and made.converged == [True, False]
    table = list(csv.reader((place / "study/study.csv").read_text().splitlines()))
    column = table[0].index("converged")
    assert [row[column] for row in table[2:]] == ["true", "false"] and len(table[1]) == len(table[0]) == len(table[2])


def test_a_run_that_converges_stops(place):
    text = succeed("run", "foil.toml", "--dir", "out", "--set", "time.residual_drop=0.9", "--set",
                   "time.first_order_cycles=1", "--set", "time.steps_max=2000", cwd=place).stdout
    assert "\ndone   converged: residual" in text and "not converged" not in text
    steps = int(rows(place / "out" / "series.csv")[-1][0])
    assert 1 < steps < 2000
    again = succeed("resume", "out", cwd=place).stdout
    assert "converged" in again or "is finished" in again


@on_ranks
@pytest.mark.parametrize("case", list(cases))
def test_ranks_give_the_same_bits(place, case):
    (place / f"{case}.toml").write_text(cases[case])
    succeed("run", f"{case}.toml", "--dir", "one", cwd=place)
    for ranks in (2, 4):
        succeed("run", f"{case}.toml", "--dir", f"on{ranks}", *ranks_words(ranks), cwd=place)
        assert blocks_of(last_snapshot(place / "one")) == blocks_of(last_snapshot(place / f"on{ranks}"))
        assert rows(place / "one" / "series.csv") == rows(place / f"on{ranks}" / "series.csv")
        assert call("diff", "one", f"on{ranks}", cwd=place).returncode == 0
    last = dict(zip(*(rows(place / "one" / "series.csv")[n] for n in (0, -1))))
    first = dict(zip(*(rows(place / "one" / "series.csv")[n] for n in (0, 2))))
    if case == "stream":
        assert float(last["error_rho"]) < 1e-13 and float(last["residual_max"]) < 1e-12
    if case == "periodic":
        for name in ("mass", "energy"):
            assert float(last[name]) == pytest.approx(float(first[name]), rel=1e-13)
    if case == "foil":
        assert ((place / "one" / "surface_airfoil_000008.csv").read_text()
                == (place / "on4" / "surface_airfoil_000008.csv").read_text())


@on_ranks
def test_ranks_without_blocks_are_left_out(place):
    text = succeed("run", "vortex.toml", "--dir", "out", *ranks_words(5), cwd=place).stdout
    assert "a block is computed by one rank: 4 blocks give work to 4 ranks" in text and "1 rank is left out" in text


def test_resumed_runs_have_the_same_bits(place):
    succeed("run", "vortex.toml", "--dir", "whole", cwd=place)
    succeed("run", "vortex.toml", "--dir", "half", "--set", "time.steps=6", cwd=place)
    succeed("resume", "half", "--set", "time.steps=12", cwd=place)
    assert blocks_of(last_snapshot(place / "whole")) == blocks_of(last_snapshot(place / "half"))
    assert call("diff", newest(place / "whole"), newest(place / "half"), cwd=place).returncode == 0


def test_a_mesh_file_gives_the_same_run(place):
    succeed("mesh", "naca4", "--set", "cells=[32,12]", "--set", "far=20.0", "--output", "foil-mesh", cwd=place)
    case = foil.replace('mesh = { kind = "naca4", cells = [32, 12], far = 20.0 }', 'file = "foil-mesh.toml"')
    (place / "file.toml").write_text(case)
    succeed("run", "foil.toml", "--dir", "made", cwd=place)
    succeed("run", "file.toml", "--dir", "read", cwd=place)
    assert blocks_of(last_snapshot(place / "made")) == blocks_of(last_snapshot(place / "read"))
    # The run resumes from any folder, because the resolved case holds the whole path.
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    succeed("resume", place / "read", "--set", "time.steps_max=10", cwd=elsewhere)
    # With other coordinates in the file it does not, and leaves the folder as it was.
    kept = {path.name: path.read_bytes() for path in (place / "read").glob("*.[hc]*")}
    succeed("mesh", "naca4", "--set", "cells=[32,12]", "--set", "far=21.0", "--output", "other", cwd=place)
    (place / "foil-mesh.xyz").write_bytes((place / "other.xyz").read_bytes())
    refused = call("resume", place / "read", "--set", "time.steps_max=12", cwd=elsewhere)
    assert refused.returncode == 2 and "the mesh is not the one that this run began with" in refused.stderr, refused.stderr
    assert "a node of block 0 was at (20, 0, 0) and is now at (21, 0, 0)" in refused.stderr
    assert kept == {path.name: path.read_bytes() for path in (place / "read").glob("*.[hc]*")}


# `kind` of the mesh in the case, and the same for `mesh --set`. A case of turned blocks, and one with several boundaries.
@pytest.mark.parametrize("case, kind, words", [
    (vortex, 'mesh = { kind = "wavybox", cells = [13, 11], blocks = [2, 2], seed = 2 }',
     ["wavybox", "--set", "cells=[13,11]", "--set", "seed=2"]),
    (foil, 'mesh = { kind = "naca4", cells = [32, 12], far = 20.0 }',
     ["naca4", "--set", "cells=[32,12]", "--set", "far=20.0"]),
])
def test_a_cgns_file_gives_the_same_run(place, case, kind, words):
    made = call("mesh", *words, "--output", "m.cgns", cwd=place)
    if "built without the CGNS library" in made.stderr:
        pytest.skip("built without the CGNS library")
    assert made.returncode == 0 and "wrote m.cgns" in made.stdout, made.stderr
    assert sorted(f.name for f in place.iterdir()) == ["foil.toml", "m.cgns", "vortex.toml"]
    assert kind in case
    (place / "made.toml").write_text(case)
    (place / "read.toml").write_text(case.replace(kind, 'file = "m.cgns"'))
    succeed("run", "made.toml", "--dir", "made", cwd=place)
    text = succeed("run", "read.toml", "--dir", "read", cwd=place).stdout
    assert "found by coordinates" not in text
    assert blocks_of(last_snapshot(place / "made")) == blocks_of(last_snapshot(place / "read"))
    assert rows(place / "made" / "series.csv") == rows(place / "read" / "series.csv")


def test_a_boundary_value_that_is_no_number_names_the_section(place):
    (place / "foil.toml").write_text(foil + '[boundary]\nfarfield = { kind = "outflow_pressure", pressure = "1/(x - x)" }\n')
    result = call("run", "foil.toml", "--dir", "nothing", "--device", "cpu", cwd=place)
    assert result.returncode == 4 and "before any step" in result.stderr and ", [boundary] and lengths" in result.stderr, result.stderr


def test_a_residual_that_is_no_number_ends_the_run(place):
    (place / "bump.toml").write_text(foil.replace('mesh = { kind = "naca4", cells = [32, 12], far = 20.0 }', 'mesh = { kind = "bump", cells = [16, 8] }'))
    words = [w for key in ("time.cfl=1e30", "time.steps_max=40", "numerics.multigrid.sequencing=false") for w in ("--set", key)]
    result = call("run", "bump.toml", "--dir", "fast", "--device", "cpu", *words, cwd=place)
    assert result.returncode == 4, result.stdout
    assert re.search(r"the residual is not a number at cycle \d+\n  largest in block 0, node \(", result.stderr), result.stderr
    assert "time.cfl=5e+29" in result.stderr and "checkpoint not written" not in result.stderr


def test_a_flow_without_a_kind_is_refused(place):
    (place / "flow.toml").write_text(vortex.replace('kind = "vortex", ', ""))
    result = call("check", "flow.toml", cwd=place)
    assert result.returncode == 2 and "is a key of a vortex, and the flow has no kind" in result.stderr, result.stderr
    assert 'add kind = "vortex"' in result.stderr


def test_meshes_that_cannot_be_used_are_refused(place):
    succeed("mesh", "naca4", "--set", "cells=[32,12]", "--output", "bad", cwd=place)
    text = (place / "bad.toml").read_text()
    case = foil.replace('mesh = { kind = "naca4", cells = [32, 12], far = 20.0 }', 'file = "bad.toml"')
    (place / "bad-case.toml").write_text(case)
    head, *entries = text.split("\n[[")
    missing = next(n for n, entry in enumerate(entries) if entry.startswith("boundary") and "farfield" in entry)
    (place / "bad.toml").write_text("\n[[".join([head, *entries[:missing], *entries[missing + 1:]]))
    result = call("check", "bad-case.toml", cwd=place)
    assert result.returncode == 2 and "bad-case.toml:4" in result.stderr, result.stderr
    assert "j_upper" in result.stderr and "block" in result.stderr, result.stderr
    # Faults in the text of the mesh file are shown with its lines, once, and before anything is made.
    (place / "bad.toml").write_text(text.replace('kind = "slip_wall"', 'kind = "slip_wal"', 1))
    line = 1 + (place / "bad.toml").read_text().splitlines().index('kind = "slip_wal"')
    result = call("run", "bad-case.toml", cwd=place)
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
    assert f"bad.toml:{line}:8" in result.stderr and "did you mean `slip_wall`?" in result.stderr
    assert "`airfoil` on block 1, j_lower, nodes (0, 0, 0) to (16, 0, 0) from (1, 0, 0) to (0, " in result.stderr
    found = json.loads(call("run", "bad-case.toml", "--json", cwd=place).stdout)
    assert [(fault["file"], fault["line"], fault["key"]) for fault in found] == [("bad.toml", line, "boundary[4].kind")]
    # No name at all.
    (place / "bad.toml").write_text(text.replace('name = "airfoil"', 'name = ""'))
    result = call("run", "bad-case.toml", cwd=place)
    assert result.returncode == 2 and 'boundary "" on block 1, j_lower' in result.stderr, result.stderr
    assert not (place / "runs").exists()
    # Names of other programs become those that cases, columns and files can have.
    (place / "bad.toml").write_text(text.replace('name = "airfoil"', 'name = "Air/foil, inner"'))
    (place / "bad-case.toml").write_text(case + '[boundary]\nAir_foil__inner = "slip_wall"\n')
    shown = succeed("run", "bad-case.toml", "--dir", "named", cwd=place).stdout
    assert 'boundary "Air/foil, inner" is called `Air_foil__inner`' in shown, shown
    assert (place / "named" / "surface_Air_foil__inner_000008.csv").exists()
    assert "force_Air_foil__inner_x" in rows(place / "named" / "series.csv")[0]


def test_flows_beyond_a_boundary_need_density_and_pressure(place):
    kind = 'outer={kind="exact",state={density="1 - x/8"}}'
    result = call("run", "vortex.toml", "--dir", "out", "--set", f"boundary.{kind}", cwd=place)
    assert result.returncode == 2 and "beyond the boundary `outer`, at (x, y, z) = (" in result.stderr and "must be above 0" in result.stderr, result.stderr
    assert not (place / "out").exists()


def test_cycles_of_a_steady_run_are_no_time_for_a_flow_beyond_a_boundary(place):
    kind = 'farfield={kind="exact",state={pressure="1/1.4 + 0*t"}}'
    result = call("run", "foil.toml", "--dir", "out", "--set", f"boundary.{kind}", cwd=place)
    assert result.returncode == 2 and "a run to a steady state counts cycles" in result.stderr, result.stderr
    assert "remove t, or set time.mode" in result.stderr and not (place / "out").exists()


def test_check_and_info_describe_the_blocks(place):
    text = succeed("check", "foil.toml", "--device", "cpu", cwd=place).stdout
    assert "4 blocks" in text and "2-D, naca4" in text and "order 3, matrix dissipation" in text
    assert "farfield farfield" in text and "airfoil slip_wall" in text
    succeed("run", "foil.toml", "--dir", "out", cwd=place)
    assert "curvilinear blocks" in succeed("info", last_snapshot(place / "out"), cwd=place).stdout
    assert "4 blocks" in succeed("info", "foil.toml", cwd=place).stdout
    assert "fields.xmf" in succeed("info", "out", cwd=place).stdout
    told = json.loads(succeed("info", "out/mesh.h5", "--json", cwd=place).stdout)
    assert told["kind"] == "mesh" and told["dimensions"] == 2 and len(told["blocks"]) == 4
    assert told["nodes"] == sum(i * j * k for i, j, k in told["blocks"])
    assert {(p["name"], p["kind"]) for p in told["boundaries"]} == {("farfield", "farfield"), ("airfoil", "slip_wall")}
    shown = succeed("info", "out/mesh.h5", cwd=place).stdout
    assert "2-D" in shown and re.search(r"^boundary +airfoil +slip_wall", shown, re.MULTILINE)
    # The same mesh as a file that cases read.
    succeed("mesh", "naca4", "--output", "written", cwd=place)
    described = succeed("info", "written.toml", cwd=place).stdout
    assert re.search(r"^boundary +airfoil +slip_wall", described, re.MULTILINE) and "4 of 50052 nodes" in described
    coordinates = succeed("info", "written.xyz", cwd=place).stdout
    assert "4 of 50052 nodes" in coordinates and "none is named" in coordinates
    refused = call("info", "out", "--series", cwd=place)
    assert refused.returncode == 2 and "fields.xmf" in refused.stderr


def test_the_overview_shows_field_pressure_residual_and_forces(place):
    pytest.importorskip("matplotlib")
    from watersmeet import figures, plot

    succeed("run", "foil.toml", "--dir", "out", cwd=place)
    figure = figures.overview_figure(watersmeet.open(place / "out"))
    titles = [ax.get_title() for ax in figure.axes if ax.get_title()]
    assert titles == ["Mach number", "$p$", "pressure coefficient", "residual over its largest value", "force coefficients"]
    cp = next(ax for ax in figure.axes if ax.get_title() == "pressure coefficient")
    assert len(cp.lines[0].get_xdata()) == 34 and cp.yaxis_inverted()
    mach = figure.axes[0]
    assert len(mach.collections) >= 4  # one mesh a block
    assert mach.get_xlim()[0] > -1.5 and mach.get_xlim()[1] < 2.5  # around the body, not the far field
    assert plot.plane(place / "out", "velocity.x").name == "velocity_x_000008.png"
    with pytest.raises(ValueError, match="no slice"):
        plot.plane(place / "out", "mach", slice="x=0")


def test_a_failed_run_names_block_and_node(place):
    result = call("run", "vortex.toml", "--dir", "out", "--set", "time.cfl=40", "--set", "time.steps=400", cwd=place)
    assert result.returncode == 4, result.stdout + result.stderr
    assert "block" in result.stderr and "node (" in result.stderr and "(x, y, z)" in result.stderr


def test_surface_files_are_plain_tables(place):
    succeed("run", "foil.toml", "--dir", "out", "--set", 'output.surface=["p","u","v"]', cwd=place)
    table = list(csv.reader((place / "out" / "surface_airfoil_000008.csv").read_text().splitlines()))
    assert table[0] == ["block", "i", "j", "k", "x", "y", "z", "arc", "p", "u", "v"]
    assert all(len(row) == 11 for row in table[2:])
    assert table[1] == ["# units: 1", "1", "1", "1", *4 * ["length"], "mass/(length time^2)", "length/time", "length/time"]
    succeed("run", "foil.toml", "--dir", "si", "--set", 'output.surface=["p","u","v"]', "--set", "case.units=SI", cwd=place)
    in_si = list(csv.reader((place / "si" / "surface_airfoil_000008.csv").read_text().splitlines()))
    assert in_si[1] == ["# units: 1", "1", "1", "1", *4 * ["m"], "Pa", "m/s", "m/s"]
    assert in_si[2:] == table[2:] and in_si[0] == table[0]
    succeed("run", "foil.toml", "--dir", "none", "--set", "output.surface=[]", cwd=place)
    assert not list((place / "none").glob("surface_*"))
