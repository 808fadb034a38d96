"""Pressure along walls and sections, polars of studies; studies as tables."""

import csv

import numpy as np
import pytest
import synthetic
import watersmeet
from watersmeet import plot
from watersmeet.study import Study

pytest.importorskip("matplotlib")
from watersmeet import aero_figures


def lines_of(figure, n=0):
    return [line for line in figure.axes[n].lines if len(line.get_xdata()) > 2 or line.get_marker() == "o"]


def test_cp_of_a_section(tmp_path):
    run = watersmeet.open(synthetic.block_run(tmp_path))
    figure = aero_figures.cp_figure(run)
    curve = next(line for line in figure.axes[0].lines if len(line.get_xdata()) > 2)
    np.testing.assert_array_equal(curve.get_ydata(), run.surface("body")["cp"])
    assert figure.axes[0].yaxis_inverted() and figure.axes[0].get_title() == "cylinder,  cycle 40"
    assert plot.cp(run).name == "cp.png" and plot.main([tmp_path, "--cp", "--output", tmp_path / "c.pdf"]) == 0
    with pytest.raises(FileNotFoundError, match="no surface file of wing"):
        plot.cp(run, ["wing"])
    (tmp_path / "surface_body_000040.csv").unlink()
    with pytest.raises(ValueError, match="output.surface"):
        plot.cp(run)


@pytest.fixture
def wing(tmp_path):
    """A straight elliptic wing of one block: cp = x + 10 y; its tip is another patch of the same block."""
    run = synthetic.block_run(tmp_path)
    (tmp_path / "surface_body_000040.csv").unlink()
    i, k = np.meshgrid(np.arange(21), np.arange(11), indexing="ij")
    angle = 2 * np.pi * i / 20
    x, y, z = np.cos(angle), 0.1 * k, 0.2 * np.sin(angle)
    columns = {"block": 0 * i, "i": i, "j": 0 * i, "k": k, "x": x, "y": y, "z": z, "cp": x + 10 * y}
    synthetic.write_table(tmp_path / "surface_wing_000040.csv", {name: np.ravel(v, order="F") for name, v in columns.items()}, {})
    return watersmeet.open(run)


def test_cp_of_sections_of_a_wing(wing):
    pieces = aero_figures.section(wing.surface("wing"), "y", 0.55)
    assert len(pieces) == 1 and pieces[0].shape == (21, 4)
    np.testing.assert_allclose(pieces[0][:, 1], 0.55)
    np.testing.assert_allclose(pieces[0][:, 3], pieces[0][:, 0] + 5.5, atol=1e-12)
    np.testing.assert_allclose(np.sort(pieces[0][:, 0]), np.sort(np.cos(2 * np.pi * np.arange(21) / 20)), atol=1e-12)
    figure = aero_figures.cp_figure(wing, cuts=("y", [0.25, 0.55]))
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["wing, $y = 0.25$", "wing, $y = 0.55$"]
    with pytest.raises(ValueError, match="name sections"):
        plot.cp(wing)
    with pytest.raises(ValueError, match="y = 7 cuts none of wing"):
        plot.cp(wing, cuts=("y", [7.0]))
    assert plot.main([wing.path, "--cp", "--slice", "y=0.25,0.5"]) == 0
    for word in ("0.25", "w=1", "y=a"):
        assert plot.main([wing.path, "--cp", "--slice", word]) == 2


@pytest.fixture
def polar(tmp_path):
    """Two Mach numbers at three angles; the last run has not converged, one has no folder."""
    settings = [{"a.alpha_deg": alpha, "a.mach": mach} for mach in (0.5, 0.6) for alpha in (2, 0, 1)]
    made = Study(tmp_path / "study", settings)
    for n, (name, one) in enumerate(zip(made.names, settings)):
        if n != 4:
            alpha, mach = one["a.alpha_deg"], one["a.mach"]
            synthetic.write_texts(made.directory / name, "[case]\n", {"converged": n != 5})
            synthetic.write_series(made.directory / name, {"step": [1, 2], "t": [1, 2], "cl": [9.0, 0.1 * alpha + mach], "cd": [9.0, 0.01 * alpha**2]})
        made.statuses.append(3 if n == 4 else 0)
        made.messages.append("")
    made.write()
    return made


def test_polar(polar):
    figure = aero_figures.polar_figure(polar)
    assert [ax.get_title() for ax in figure.axes] == ["lift coefficient", "drag coefficient", "lift against drag"]
    curves = [line for line in figure.axes[0].lines if line.get_marker() != "o"]
    np.testing.assert_allclose(curves[0].get_xdata(), [0, 1, 2])  # in order of the angle
    np.testing.assert_allclose(curves[0].get_ydata(), [0.5, 0.6, 0.7])
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["mach = 0.5", "mach = 0.6"]
    markers = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert [line.get_markerfacecolor() for line in markers].count("white") == 1 and len(markers) == 6
    assert plot.polar(polar.directory).name == "polar.png" and plot.main([polar.directory]) == 0
    other = aero_figures.polar_figure(polar, "a.mach")
    assert other.axes[0].get_xlabel() == "Mach number" and len(other.axes[0].get_legend().get_texts()) == 3
    with pytest.raises(ValueError, match="no setting 'b' of numbers varies"):
        plot.polar(polar, over="b")
    with pytest.raises(FileNotFoundError):
        plot.polar(polar.directory / "nowhere")


def test_a_study_is_read_again(polar, tmp_path):
    again = Study.load(polar.directory)
    assert again.names == polar.names and again.settings == polar.settings and again.statuses == [0, 0, 0, 0, 3, 0]
    np.testing.assert_array_equal(again["cl"], polar["cl"])
    (tmp_path / "study.csv").write_text("step,t\n1,2\n")
    with pytest.raises(ValueError, match="not the table of a study"):
        Study.load(tmp_path)
    mixed = Study(tmp_path / "mixed", [{"grid.cells": [8, 8, 1], "b": "x y"}, {"grid.cells": [16, 8, 1], "b": "z,w"}])
    mixed.directory.mkdir()
    mixed.statuses, mixed.messages = [1, 1], ["", ""]
    mixed.write()
    assert Study.load(mixed.directory).settings == mixed.settings


def test_a_study_in_pandas(polar):
    pytest.importorskip("pandas")
    frame = polar.to_pandas()
    assert list(frame.columns) == ["a.alpha_deg", "a.mach", "exit_status", "converged", "step", "t", "cl", "cd"] and frame.index.name == "run"
    assert list(frame.index) == polar.names and frame["exit_status"].tolist() == [0, 0, 0, 0, 3, 0] and np.isnan(frame["cl"].iloc[4])
    np.testing.assert_allclose(frame["cl"].iloc[:3], [0.7, 0.5, 0.6])
    assert frame.attrs["units"]["t"] == "time" and frame["converged"].iloc[5] is False
    with open(polar.directory / "study.csv") as file:
        assert next(csv.reader(file))[:2] == ["run", "a.alpha_deg"]
    assert Study(polar.directory, polar.settings).to_pandas()["exit_status"].isna().all()  # not done yet
