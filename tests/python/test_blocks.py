"""Runs on curvilinear blocks as Python objects and pictures, made here without the program."""

import h5py
import numpy as np
import pytest
import synthetic
import watersmeet
from watersmeet.blocks import BlockSnapshot


@pytest.fixture
def blocks(tmp_path):
    return synthetic.block_run(tmp_path / "runs" / "cylinder-001")


def test_fields_are_sequences_of_blocks(blocks):
    run = watersmeet.open(blocks)
    assert list(run.times) == [0, 40] and [s.step for s in run.fields] == [0, 40]
    last = run.fields[-1]
    assert sorted(last) == ["mach", "velocity"] and "rho" not in last and len(last["mach"]) == 2
    assert last["mach"][1].shape == (1, 9, 17) and last["mach"][1].dims == ("k", "j", "i")
    assert last["velocity"].components == 3 and last["velocity"].flat().shape == (2 * 9 * 17, 3)
    np.testing.assert_allclose(last["mach"].flat(), np.linalg.norm(last["velocity"].flat(), axis=-1), rtol=1e-14)
    assert last["velocity"].attrs["units"] == "length/time"
    with pytest.raises(KeyError, match="there are: mach, velocity"):
        last["p"]
    with pytest.raises(ValueError, match="curvilinear blocks"):
        run.to_xarray()


def test_a_thousand_blocks_keep_their_order(tmp_path):
    for name, values in (("mesh.h5", "xyz"), ("fields_000000.h5", "rho")):
        with h5py.File(tmp_path / name, "w", track_order=True) as file:
            file.attrs.update({"dimensions": np.int64(2), "mesh": np.bytes_("mesh.h5"), "length_units": np.bytes_("1")})
            file["time"] = 0.0
            file["time"].attrs["units"] = np.bytes_("1")
            file.create_group("run")
            file.create_group("patches")
            for b in range(1002):
                dataset = file.create_dataset(f"blocks/block_{b:03d}/{values}", data=np.full((1, 2, 2, 3)[: 4 if values == "xyz" else 3], b))
                dataset.attrs["units"] = np.bytes_("1")
    snapshot = BlockSnapshot(tmp_path / "fields_000000.h5")
    for b in (0, 100, 101, 999, 1000, 1001):
        assert snapshot["rho"][b][0, 0, 0] == b and snapshot.mesh.xyz(b)[0, 0, 0, 0] == b


def test_patches_pick_their_nodes(blocks):
    mesh = watersmeet.open(blocks).fields[0].mesh
    assert mesh.dimensions == 2 and mesh.shapes == [(1, 9, 17)] * 2
    for patch in mesh.patches:
        radius = np.linalg.norm(mesh.xyz(patch.block)[patch.key], axis=-1)
        assert radius.shape == (1, 17)
        np.testing.assert_allclose(radius, 1 if patch.name == "body" else 8, rtol=1e-14)


def test_surfaces_are_found_by_name_and_step(blocks):
    run = watersmeet.open(blocks)
    assert run.surface("body").rows == 34 and run.surface("body", step=40)["cp"][0] == 1
    for arguments in (("far",), ("body", 0)):
        with pytest.raises(FileNotFoundError, match="there are files of: body"):
            run.surface(*arguments)


def test_the_overview_looks_at_the_body(blocks):
    pytest.importorskip("matplotlib")
    from watersmeet import figures

    run = watersmeet.open(blocks)
    figure = figures.overview_figure(run)
    titles = [ax.get_title() for ax in figure.axes if ax.get_title()]
    assert titles == ["Mach number", "pressure coefficient", "residual over its largest value", "force coefficients"]
    field = figure.axes[0]
    assert np.allclose(field.get_xlim(), (-2, 2)) and np.allclose(field.get_ylim(), (-1.6, 1.6))
    shown = [c.get_array() for c in field.collections]
    assert len(shown) == 2 and shown[0].size == 9 * 17
    # The scale is that of what is seen, which holds the fastest place, twice the speed far away, and the slowest.
    low, high = field.collections[0].get_clim()
    assert low == pytest.approx(0, abs=1e-12) and high == pytest.approx(0.8)
    cp = next(ax for ax in figure.axes if ax.get_title() == "pressure coefficient")
    assert cp.yaxis_inverted() and len(cp.lines[0].get_xdata()) == 34
    assert any("cycle 40" in text.get_text() for text in figure.texts)
    assert any("2 blocks, 306 nodes" in text.get_text() for text in figure.texts)


def test_one_field_is_drawn_on_its_own(blocks):
    pytest.importorskip("matplotlib")
    from watersmeet import plot

    assert plot.plane(blocks, "velocity.y").name == "velocity_y_000040.png"
    assert plot.main([str(blocks), "--field", "mach"]) == 0
    assert plot.main([str(blocks), "--field", "mach", "--slice", "x=0"]) == 2


def test_fields_with_a_sign_have_diverging_colours_on_blocks_too(blocks):
    pytest.importorskip("matplotlib")
    from watersmeet import figures

    run = watersmeet.open(blocks)
    for limits in (None, (-0.5, 2.0)):
        pieces = figures.blocks_figure(run, run.fields[-1], "velocity.y", limits).axes[0].collections
        ends = {piece.get_clim() for piece in pieces}
        assert len(ends) == 1 and all(piece.cmap.name == "RdBu_r" and float(piece.norm(0.0)) == 0.5 for piece in pieces)
        assert limits is None or ends == {limits}
    assert figures.blocks_figure(run, run.fields[-1], "mach").axes[0].collections[0].cmap.name == "viridis"
