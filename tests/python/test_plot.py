"""Pictures: what they contain (asked of the figure itself), which part of the files they read, and the command."""

import os
import subprocess
import sys
from types import SimpleNamespace
from unittest.mock import patch

import h5py
import numpy as np
import pytest
import synthetic
import watersmeet
from conftest import root
from watersmeet.provenance import provenance_line, shell, title

matplotlib = pytest.importorskip("matplotlib")
from matplotlib.figure import Figure
from watersmeet import figures, panels, provenance, style
from watersmeet.slices import parse_slice


def command(*arguments, **environment):
    path = os.pathsep.join([*filter(None, [environment.pop("before", "")]), str(root / "python")])
    call = [sys.executable, "-m", "watersmeet.plot", *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path, **environment})


def headings(figure):
    return [ax.get_title() for ax in figure.axes if ax.get_title()]


def test_overview_of_a_forced_run(run_path):
    figure = figures.overview_figure(watersmeet.open(run_path))
    titles = headings(figure)
    assert len(titles) == 6 and r"$|\mathbf{u}|$,  $z = 3.14$" in titles[0] and r"\rho" in titles[1]
    assert titles[3:] == [r"$u_\mathrm{rms}$", "kinetic energy", r"dissipation $\varepsilon$"]
    values = np.asarray(figure.axes[0].images[0].get_array())
    speed = np.linalg.norm(watersmeet.open(run_path).fields[-1]["velocity"][4], axis=-1)
    np.testing.assert_allclose(values[:12, :16], speed, rtol=1e-14)
    np.testing.assert_allclose(values[12, :16], speed[0], rtol=1e-14)  # the period is closed
    spectrum = next(ax for ax in figure.axes if "spectrum" in ax.get_title())
    assert any(r"k^{-5/3}" in text.get_text() for text in spectrum.texts)
    assert any("k_f = 1.53" in text.get_text() for text in spectrum.texts)
    line = next(line for line in spectrum.lines if str(line.get_label()).startswith("mean"))
    np.testing.assert_allclose(line.get_ydata()[2], 0.05 * 2.5 * 3 * 3 ** (-5 / 3) * np.exp(-0.3), rtol=1e-12)


def test_only_planes_are_read(run_path, monkeypatch):
    from watersmeet.results import Field

    largest = []
    read = Field.__getitem__

    def spy(self, key):
        values = read(self, key)
        largest.append(values.size)
        return values

    monkeypatch.setattr(Field, "__getitem__", spy)
    figures.overview_figure(watersmeet.open(run_path))
    assert largest and max(largest) == 12 * 16 * 3


@pytest.mark.parametrize("n, lines, images", [((32, 4, 4), 4, 0), ((32, 1, 16), 0, 2), ((8, 8, 8), 0, 2)])
def test_thin_directions(tmp_path, n, lines, images):
    """1-D data give lines along the long axis, 2-D data their own plane."""
    synthetic.write_texts(tmp_path, synthetic.FORCED_CASE)
    rng = np.random.default_rng(1)
    shape = n[::-1]
    axes = [2 * np.pi * np.arange(m) / m for m in n]
    fields = {"lnrho": rng.normal(size=shape), "velocity": rng.normal(size=(*shape, 3))}
    synthetic.write_snapshot(tmp_path, 0, 0.0, axes, fields)
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    assert sum(len(ax.lines) for ax in figure.axes) == lines
    pictures = [image for ax in figure.axes for image in ax.images if ax.get_title()]
    assert len(pictures) == images
    if n[1] == 1:
        np.testing.assert_allclose(pictures[1].get_array()[:16, :32], fields["lnrho"][:, 0, :])


@pytest.mark.parametrize("n", [(32, 16, 1), (32, 1, 1)])
def test_the_overview_of_a_system_without_a_list_of_its_own(tmp_path, n):
    """Its fields, a vector as magnitude or components, then the series that change, known names first."""
    synthetic.write_texts(tmp_path, "[case]\nsystem = \"tides\"\n")
    rng = np.random.default_rng(2)
    fields = {"height": rng.normal(size=n[::-1]), "transport": rng.normal(size=(*n[::-1], 3))}
    axes = [np.arange(m) + 0.5 for m in n]
    synthetic.write_snapshot(tmp_path, 0, 0.0, axes, fields, system="tides")
    t = np.linspace(0, 1, 5)
    synthetic.write_series(tmp_path, {"step": np.arange(5), "t": t, "dt": 0.25 + 0 * t, "volume": 1 + 0 * t,
                                      "flood_area": 1 - t, "broken": t * np.nan, "u_max": 2 * t})
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    titles = headings(figure)
    assert [name.partition(",")[0] for name in titles] == ["height", "transport", "largest speed", "flood area"]
    pictures = [image for ax in figure.axes for image in ax.images if ax.get_title()]
    assert len(pictures) == (2 if n[1] > 1 else 0)
    if pictures:
        magnitude = np.linalg.norm(fields["transport"][0], axis=-1)
        np.testing.assert_allclose(pictures[1].get_array(), magnitude, rtol=1e-14)
    else:
        lines = [line.get_ydata() for ax in figure.axes for line in ax.lines][:4]
        expected = [fields["height"][0, 0], *fields["transport"][0, 0].T]
        for line, values in zip(lines, expected):
            np.testing.assert_array_equal(line, values)


@pytest.mark.parametrize("shape, wide", [((40, 10, 1), True), ((24, 24, 1), False)])
def test_the_overview_of_two_fluids(tmp_path, shape, wide):
    """Pressure, gas and schlieren, then the peaks of pressure and Mach number; wide planes have a row each."""
    kind = "shock" if wide else "sphere"
    case = "[case]\nsystem = \"multicomponent\"\n[[initial]]\nfluid = \"water\"\n[[initial]]\n"
    case += f"shape = {{ kind = \"{kind}\" }}\n"
    synthetic.write_texts(tmp_path, case)
    rng = np.random.default_rng(3)
    fields = {name: rng.uniform(size=shape[::-1]) for name in ("alpha", "rho", "schlieren", "p")}
    synthetic.write_snapshot(tmp_path, 0, 0.0, [1e-4 * np.arange(m) for m in shape], fields, system="multicomponent")
    t = np.linspace(0, 1e-6, 5)
    synthetic.write_series(tmp_path, {"step": np.arange(5), "t": t, "dt": 0 * t + 1, "mach_max": 1 + t,
                                      "p_amplification": 1 + 9 * t, "equivalent_radius": 1 - t, "p_max": 1 + t})
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    titles = headings(figure)
    peak = r"$p_\mathrm{max}\,/\,\Delta p$ of the shock" if wide else r"$p_\mathrm{max}\,/\,p_\mathrm{max}(0)$"
    assert titles == ["$p$", r"$\alpha$", "schlieren", peak, "largest Mach number", "equivalent radius of the gas"]
    planes = [ax for ax in figure.axes if ax.images and ax.get_title()]
    assert len({round(ax.get_position().y0, 6) for ax in planes}) == (3 if wide else 1)
    boxes = [ax.get_position() for ax in figure.axes if ax.get_title()]
    assert all(0 <= b.x0 < b.x1 <= 1 and 0 <= b.y0 < b.y1 <= 1 for b in boxes)
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


@pytest.mark.parametrize("side, shown", [("\"symmetry\"", 0), ("{ kind = \"symmetry\" }", 0), ("\"absorbing\"", 6)])
def test_the_overview_shows_a_plane_of_symmetry(tmp_path, side, shown):
    synthetic.write_texts(tmp_path, f"[case]\nsystem = \"multicomponent\"\n[boundary]\nz_lower = {side}\n")
    p = np.random.default_rng(4).uniform(size=(12, 12, 12))
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(12.0)] * 3, {"p": p}, system="multicomponent")
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    np.testing.assert_array_equal(figure.axes[0].images[0].get_array(), p[shown])


@pytest.mark.parametrize("gravity, axis", [('', 1), ('gravity = "-x"', 1), ('gravity = "-y"', 2)])
def test_the_overview_of_convection_stands_upright(tmp_path, gravity, axis):
    """Temperature first, in a plane along gravity; the Nusselt number before all other series."""
    synthetic.write_texts(tmp_path, f"[case]\nsystem = \"boussinesq\"\n[physics]\n{gravity}\n")
    rng = np.random.default_rng(5)
    fields = {"p": rng.normal(size=(6, 10, 8)), "temperature": rng.normal(size=(6, 10, 8)), "velocity": rng.normal(size=(6, 10, 8, 3))}
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(m) + 0.5 for m in (8, 10, 6)], fields, system="boussinesq")
    t = np.linspace(0, 1, 5)
    synthetic.write_series(tmp_path, {"step": np.arange(5), "t": t, "dt": 0 * t + 1, "kinetic_energy": t, "temperature_rms": t,
                                      "u_max": t, "v_max": t, "nusselt_lower": 1 + t})
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    titles = headings(figure)
    assert [title.partition(",")[0] for title in titles[:3]] == ["temperature", r"$|\mathbf{u}|$", "$p$"]
    assert titles[3:] == ["Nusselt number, lower side", "kinetic energy", r"$T_\mathrm{rms}$"]
    plane = fields["temperature"][3] if axis == 2 else fields["temperature"][:, 5]
    np.testing.assert_array_equal(figure.axes[0].images[0].get_array(), plane)


def test_the_overview_of_an_atmosphere_shows_what_is_in_its_cells(tmp_path):
    synthetic.write_texts(tmp_path, "[case]\nsystem = \"atmosphere\"\n[physics]\ngravity = 9.81\n")
    fields = {name: np.random.default_rng(6).normal(size=(6, 10, 8)) for name in ("height", "theta_perturbation")}
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(m) + 0.5 for m in (8, 10, 6)], fields, system="atmosphere")
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    assert headings(figure) == ["theta perturbation,  $y = 5.5$"]
    image = figure.axes[0].images[0]
    np.testing.assert_array_equal(image.get_array(), fields["theta_perturbation"][:, 5])
    assert image.get_clim()[0] == -image.get_clim()[1]


def test_the_overview_of_mountain_waves_shows_the_wind_upwards(tmp_path):
    synthetic.write_texts(tmp_path, "[case]\nsystem = \"atmosphere\"\n[physics]\ngravity = 9.81\n")
    rng = np.random.default_rng(6)
    fields = {"density": rng.normal(size=(6, 1, 8)), "velocity": rng.normal(size=(6, 1, 8, 3))}
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(m) + 0.5 for m in (8, 1, 6)], fields, system="atmosphere")
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    assert headings(figure) == ["$u_z$", "density"]
    np.testing.assert_array_equal(figure.axes[0].images[0].get_array(), fields["velocity"][:, 0, :, 2])


def test_the_overview_of_a_tsunami_shows_waves_and_gauges(tmp_path):
    """Dry land is left white; a panel for each probed field, a line a probe, before other series."""
    gauges = "".join(f'[[output.probe]]\nname = "{name}"\nat = [1, 1, 0]\nfields = ["surface"]\n' for name in ("near", "far"))
    synthetic.write_texts(tmp_path, '[case]\nsystem = "shallow_water"\n' + gauges)
    depth = np.clip(np.linspace(4.0, -4.0, 12), 0, None)[None, None] * np.ones((1, 12, 1))
    surface = np.where(depth > 0, 0.1, 50.0)
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(12) + 0.5] * 2 + [np.array([0.5])], {"surface": surface, "depth": depth},
                             system="shallow_water")
    t = np.linspace(0, 1, 5)
    synthetic.write_series(tmp_path, {"step": np.arange(5), "t": t, "dt": 0 * t + 1, "volume_drift": t, "kinetic_energy": t,
                                      "surface_max": t, "near_surface": 2 * t, "far_surface": 3 * t})
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    assert headings(figure) == ["surface", "depth", "surface at probes", "kinetic energy", "highest surface", "volume drift"]
    shown = next(ax for ax in figure.axes if ax.get_title() == "surface").images[0].get_array()
    assert shown.min() == shown.max() == 0.1 and (np.ma.getmaskarray(shown) == (depth[0] == 0)).all()
    lines = next(ax for ax in figure.axes if ax.get_title() == "surface at probes").lines
    assert [line.get_label() for line in lines] == ["near", "far"]
    np.testing.assert_array_equal(lines[1].get_ydata(), 3 * t)


def test_signed_fields_are_centred_on_zero(run_path):
    figure = figures.plane_figure(watersmeet.open(run_path), watersmeet.open(run_path).fields[0], "velocity.x", 2, 1)
    low, high = figure.axes[0].images[0].get_clim()
    assert low == -high and high > 0


def test_a_field_of_one_sign_has_no_diverging_colours(run_path):
    assert style.colours("lnrho", np.array([0.5, 2.0]))["cmap"] == "viridis"
    assert style.colours("velocity.x", np.array([-0.5, 2.0])) == {"cmap": "RdBu_r", "vmin": -2.0, "vmax": 2.0}


def test_components_of_every_vector_have_diverging_colours():
    for name in ("magnetic_field.x", "current_density.z", "vector_potential.y"):
        assert style.colours(name, np.array([-0.5, 2.0])) == {"cmap": "RdBu_r", "vmin": -2.0, "vmax": 2.0}


def test_zero_is_white_under_limits_that_are_not_alike(run_path):
    run = watersmeet.open(run_path)
    image = figures.plane_figure(run, run.fields[0], "velocity.x", 2, 1, (-0.5, 3.0)).axes[0].images[0]
    assert image.get_clim() == (-0.5, 3.0) and image.cmap.name == "RdBu_r"
    np.testing.assert_allclose([float(image.norm(v)) for v in (-0.5, 0.0, 3.0)], [0, 0.5, 1])


def test_a_level_over_terrain_is_named_by_its_number(tmp_path):
    """It follows the ground: no height is that of all its cells."""
    axes = [np.arange(m) + 0.5 for m in (8, 6, 5)]
    synthetic.write_texts(tmp_path, "[case]\nsystem = \"atmosphere\"\n")
    synthetic.write_snapshot(tmp_path, 0, 0.0, axes, {"theta": np.random.default_rng(1).uniform(size=(5, 6, 8))}, system="atmosphere")
    run = watersmeet.open(tmp_path)
    snapshot = run.fields[0]
    assert "$z = 2.5$" in figures.plane_figure(run, snapshot, "theta", 2, 2).axes[0].get_title()
    k, j, i = np.meshgrid(np.arange(6.0), np.arange(7.0), np.arange(9.0), indexing="ij")
    bent = SimpleNamespace(corners=np.stack([i, j, k + 0.1 * i * (5 - k)], axis=-1))
    for name in ("x", "y", "z", "faces", "units", "time", "path", "step", "attrs"):
        setattr(bent, name, getattr(snapshot, name))
    with matplotlib.rc_context(style.style):
        ax = Figure().add_axes([0, 0, 1, 1])
        with patch("watersmeet.panels.read_part", lambda *_: (np.ones((6, 8)), "K")):
            panels.draw_plane(ax, bent, "theta", 2, 2)
    assert ax.get_title() == "theta [K],  level 2, along the terrain"


def test_limits_of_colours_and_heights(run_path, tmp_path):
    run = watersmeet.open(run_path)
    snapshot = run.fields[0]
    figure = figures.plane_figure(run, snapshot, "rho", 2, 1, (0.5, 3.0))
    assert figure.axes[0].images[0].get_clim() == (0.5, 3.0)
    with pytest.raises(ValueError, match="limits 3 2"):
        run.plot("rho", limits=(3, 2))
    assert command(run_path, "--limits", "0", "1").returncode == 2
    assert command(run_path, "--field", "rho", "--limits", "0", "1").returncode == 0


def test_a_plane_of_a_plane_run_is_not_a_strip(tmp_path):
    """Without a slice the plane lies across the axis of one cell; across another one a line is drawn."""
    synthetic.write_texts(tmp_path, synthetic.FORCED_CASE)
    rho = np.random.default_rng(7).uniform(size=(6, 1, 8))
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(m) + 0.5 for m in (8, 1, 6)], {"rho": rho})
    run = watersmeet.open(tmp_path)
    assert run.plot("rho").name == "rho_ymid_000000.png"
    figure = figures.plane_figure(run, run.fields[0], "rho", *parse_slice(run.fields[0], "z=2.5"))
    assert not figure.axes[0].images
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), rho[2, 0])
    assert "$z = 2.5$" in figure.axes[0].get_title()


def test_a_slice_outside_the_box_is_refused(run_path):
    run = watersmeet.open(run_path)
    for outside in ("z=9", "z=-1", "x=7"):
        with pytest.raises(ValueError, match="outside the box: cells along [xz] have their middle between 0 and"):
            run.plot("rho", slice=outside)
    assert parse_slice(run.fields[0], f"z={2 * np.pi}") == (2, 7)  # the end of a periodic box


def test_times_of_runs_in_si_units_have_their_unit(run_path):
    for snapshot in run_path.glob("fields_*.vtkhdf"):
        with h5py.File(snapshot, "r+") as file:
            file["time"].attrs["units"] = np.bytes_("s")
    run = watersmeet.open(run_path)
    assert title(run)[1] == "$t = 2$ s"
    figure = figures.plane_figure(run, run.fields[-1], "rho", 2, 1)
    assert figure.axes[0].get_title().endswith("$t = 2$ s")


def test_the_second_axis_of_an_axisymmetric_run_is_its_radius(tmp_path):
    synthetic.write_texts(tmp_path, "[case]\nsystem = \"multicomponent\"\n[grid]\ngeometry = \"axisymmetric\"\n")
    p = np.random.default_rng(8).uniform(size=(1, 24, 24))
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(m) + 0.5 for m in (24, 24, 1)], {"p": p}, system="multicomponent")
    run = watersmeet.open(tmp_path)
    assert figures.overview_figure(run).axes[0].get_ylabel() == "$r$"
    assert figures.plane_figure(run, run.fields[0], "p", 2, 0).axes[0].get_ylabel() == "$r$"


def test_wide_planes_do_not_make_a_page_of_three_metres(tmp_path):
    """Twice as wide as high: two a row, and the page stays below the height of two of its widths."""
    synthetic.write_texts(tmp_path, "[case]\nsystem = \"multicomponent\"\n")
    rng = np.random.default_rng(9)
    fields = {name: rng.uniform(size=(1, 20, 40)) for name in ("alpha", "rho", "schlieren", "p")}
    synthetic.write_snapshot(tmp_path, 0, 0.0, [np.arange(m) + 0.5 for m in (40, 20, 1)], fields, system="multicomponent")
    figure = figures.overview_figure(watersmeet.open(tmp_path))
    assert figure.get_size_inches()[1] < 9
    boxes = [ax.get_position() for ax in figure.axes if ax.get_title()]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_plane_names_and_errors(run_path):
    run = watersmeet.open(run_path)
    assert run.plot("velocity.y", slice="x=3.1").name == "velocity_y_x3.1_000100.png"
    assert run.plot("lnrho", snapshot=0).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(KeyError, match="no field 'temperature'"):
        run.plot("temperature")
    for wrong in ("w=1", "z", "z=one"):
        with pytest.raises(ValueError, match="slice"):
            run.plot("rho", slice=wrong)
    with pytest.raises(ValueError, match="scalar"):
        run.plot("rho.x")


def test_nearest_plane(run_path):
    snapshot = watersmeet.open(run_path).fields[0]
    assert parse_slice(snapshot, "z=0.5") == (2, 1)
    assert parse_slice(snapshot, "x=mid") == (0, 8)


def test_provenance(run_path):
    run = watersmeet.open(run_path)
    line = provenance_line(run)
    for part in ("watersmeet 0.1.0", "commit 1a2b3c4d5e", "NVIDIA H200", "16 x 12 x 8", "double", "2026-11-20",
                 "code units"):
        assert part in line
    first = {"version": "0.1.0", "devices": ["A"]}
    last = {"version": "0.2.0", "commit": "f" * 40, "dirty": True, "devices": ["B", "B"], "start": "2027-01-02T03:04Z"}
    synthetic.write_texts(run_path, synthetic.FORCED_CASE, {**first, "restarts": [first, last]})
    line = provenance_line(run)
    assert "watersmeet 0.2.0" in line and "ffffffffff + changes" in line and "2 x B" in line and "2027-01-02" in line


def test_shells_of_the_published_runs():
    known = {(1, 2): (32, 1.526), (1.5, 2.5): (62, 2.231), (2.5, 3.5): (98, 3.134), (3, 5): (422, 4.090),
             (9.5, 10.5): (1250, 10.093)}
    for limits, (count, mean) in known.items():
        assert shell(*limits)[0] == count and shell(*limits)[1] == pytest.approx(mean, abs=5e-4)


def test_units_on_labels():
    assert provenance.with_unit("p", "Pa") == "p [Pa]" and provenance.with_unit("u", "m/s") == "u [m/s]"
    assert provenance.with_unit("E", "m2/s2") == "E [m2/s2]"
    for silent in ("1", "", "length/time", "mass/length^3", "temperature/time", "field", "field^2 length", "2 pi/length"):
        assert provenance.with_unit("q", silent) == "q"


def test_command(run_path, tmp_path):
    done = command(run_path)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.strip() == str(run_path / "plots" / "overview.png")
    assert (run_path / "plots" / "overview.png").read_bytes().startswith(b"\x89PNG")
    assert [p.name for p in (run_path / "plots").iterdir()] == ["overview.png"]
    done = command(run_path, "--field", "rho", "--slice", "z=0", "--output", tmp_path / "rho.pdf")
    assert done.returncode == 0 and (tmp_path / "rho.pdf").read_bytes().startswith(b"%PDF")


def test_command_says_what_is_wrong(run_path, tmp_path):
    missing = command(tmp_path / "nowhere")
    assert missing.returncode == 2 and "nowhere" in missing.stderr and "Traceback" not in missing.stderr
    assert command(run_path, "--field", "nothing").returncode == 2
    (run_path / "plots").write_text("in the way")
    blocked = command(run_path)
    assert blocked.returncode == 3 and "Traceback" not in blocked.stderr


@pytest.mark.parametrize("package", ["matplotlib", "h5py"])
def test_missing_package_is_named_with_status_3(run_path, tmp_path, package):
    (tmp_path / "hidden").mkdir()
    text = f"raise ModuleNotFoundError('No module named {package}', name='{package}')"
    (tmp_path / "hidden" / f"{package}.py").write_text(text)
    done = command(run_path, before=str(tmp_path / "hidden"))
    assert done.returncode == 3 and f"apt install python3-{package}" in done.stderr and "Traceback" not in done.stderr
