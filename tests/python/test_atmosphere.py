"""Runs of the atmosphere on several ranks: the same bits on any number of them and however they are laid out, over terrain too;
checkpoints of one number of ranks resumed by another; what does not go with implicit sound; a run that fails; true coordinates over
terrain.
"""

from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
import watersmeet
from rank_runs import assert_same_on_ranks, on_ranks, ranks_words, run_in_parts
from runs import call, needs_program, settings, succeed
from watersmeet import figures
from watersmeet.slices import parse_slice, read_part

pytestmark = [needs_program]

case = """[case]
system = "atmosphere"
[grid]
cells = [23, 14, 13]
upper = [2300, 1400, 1300]
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
wind = [8, 3, 0]
coriolis = { f = 1e-3 }
sponge.top = { width = 500 }
sponge.x = { width = 300 }
[time]
steps = 6
[[initial]]
theta = "2*exp(-((x - 900)^2 + (y - 600)^2 + (z - 600)^2)/300^2)"
[boundary]
x_lower = "open"
y = "periodic"
[output]
overview = false
every_steps = 3
series_every_steps = 2
fields = ["theta_perturbation", "velocity", "height"]
"""
terrain = {"physics__terrain": '"200*sin(x/300)*cos(2*pi*y/1400)"'}
choices = {"flat": {}, "terrain": {**terrain, "numerics__riemann": '"ausm"'}, "viscous": {"physics__viscosity": "10"},
           "single": {**terrain, "numerics__precision": '"single"'},
           "stretched": {**terrain, "grid__z_mapping": '"s + s^2"'},
           "transverse": {**terrain, "numerics__reconstruction__transverse": '"-1/24"'}}
hevi = {"time__scheme": '"hevi"', "time__cfl": "0.8"}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(case)
    return tmp_path


@on_ranks
@pytest.mark.parametrize("name", choices)
@pytest.mark.parametrize("along", [[2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2, 1]], ids=str)
def test_the_layout_of_the_ranks_changes_no_bit(place, name, along):
    assert_same_on_ranks(place, [along], settings(**choices[name]))


@on_ranks
@pytest.mark.parametrize("ground", [{}, terrain], ids=["flat", "terrain"])
@pytest.mark.parametrize("along", [[2, 1, 1], [1, 2, 1], [2, 2, 1]], ids=str)
def test_columns_are_solved_on_any_layout_of_ranks(place, ground, along):
    assert_same_on_ranks(place, [along], settings(**ground, **hevi))


@on_ranks
@pytest.mark.parametrize("along", [[2, 1, 1], [1, 2, 1], [2, 2, 1]], ids=str)
def test_viscosity_over_terrain_on_any_layout_of_ranks(place, along):
    assert_same_on_ranks(place, [along], settings(**terrain, physics__viscosity="10", grid__z_mapping='"s + s^2"'))


@on_ranks
@pytest.mark.parametrize("scheme", [hevi, {**terrain, "physics__viscosity": "10"}], ids=["hevi", "viscous over terrain"])
def test_columns_are_never_cut(place, scheme):
    words = settings(**scheme, grid__cells="[6, 6, 64]")
    result = call("run", "flow.toml", "--dir", "cut", *words, *settings(device__ranks_along="[1, 1, 2]"), *ranks_words(2), cwd=place)
    assert result.returncode == 2, result.stdout
    assert "along z stay whole" in result.stderr
    succeed("run", "flow.toml", "--dir", "free", *words, *ranks_words(2), cwd=place)


faces = list(range(0, 1400, 100))


@pytest.mark.parametrize("key, what", [
    ({"grid__z_faces": str([*faces[:2], 300, 200, *faces[4:]])}, ["grid.z_faces", "do not ascend", "z = 200 of face 3"]),
    ({"grid__z_faces": str(faces[:-1])}, ["grid.z_faces", "13 faces are given for 13 levels", "give 14 faces"]),
    ({"grid__z_faces": str([*faces[:-1], 1301])}, ["grid.z_faces", "from 0 to 1301"]),
    ({"grid__z_faces": str([0, 20, *faces[2:]])}, ["grid.z_faces", "level 1 is 180 thick", "factor of at most 2"]),
    ({"grid__z_faces": str(faces), "grid__z_mapping": '"s"'}, ["grid.z_mapping", "given together with"]),
    ({"grid__z_mapping": '"-s"'}, ["grid.z_mapping", "rises with s"]),
    ({"grid__z_mapping": '"s + 0.5*sin(2*pi*s)"'}, ["grid.z_mapping", "do not ascend"]),
    ({"grid__z_mapping": '"s + x"'}, ["grid.z_mapping", "x"]),
    ({"grid__z_mapping": '"s + s^2"', "numerics__reconstruction__transverse": '"-1/24"'},
     ["numerics.reconstruction.transverse", "levels of equal thickness"]),
    ({"grid__z_mapping": '"s + s^2"', "device__schedule": '"axes"'}, ["device.schedule", "levels of equal thickness"]),
])  # fmt: skip
def test_levels_that_make_no_sense_are_refused(place, key, what):
    result = call("check", "flow.toml", "--device", "cpu", *settings(**key), cwd=place)
    assert result.returncode == 2, result.stdout
    for words in what:
        assert words in result.stderr, result.stderr


def test_stretched_levels_are_shown_from_the_thinnest_to_the_thickest(place):
    plain = call("check", "flow.toml", "--device", "cpu", cwd=place).stdout
    assert "dx = dy = dz = 100" in plain or "dx = 100 (cubic)" in plain, plain
    told = call("check", "flow.toml", "--device", "cpu", *settings(grid__z_mapping='"s + s^2"'), cwd=place).stdout
    # Faces at 1300 (s + s^2)/2 for s = k/13: the first level is 53.85 thick, the last 146.2.
    assert "dx = dy = 100, dz from 53.85 to 146.2" in told, told


def test_a_sponge_that_changes_the_initial_wind_is_noted(place):
    note = "draws the flow to physics.wind = (8, 3, 0), not to the velocity of [[initial]]"
    for velocity, noted in (('["8 + z/100", "3", "0"]', True), ("[8, 3, 0]", False)):
        words = settings(initial="[{ velocity = " + velocity + " }]")
        told = call("check", "flow.toml", "--device", "cpu", *words, cwd=place)
        assert told.returncode == 0 and (note in told.stdout) == noted, told.stdout + told.stderr
    words = settings(initial='[{ velocity = ["8 + z/100", "3", "0"] }]', physics__sponge="{}")
    assert note not in call("check", "flow.toml", "--device", "cpu", *words, cwd=place).stdout


@pytest.mark.parametrize("reference, what", [
    ({"kind": '"table"', "heights": '"a"', "thetas": "[300, 310]"}, "physics.reference.heights"),
    ({"kind": '"table"', "heights": "[0, nan]", "thetas": "[300, 310]"}, "physics.reference.heights"),
    ({"kind": '"table"', "heights": "[0, 1e3]", "thetas": '[300, "q"]'}, "unknown name `q`"),
    ({"kind": '"table"', "heights": "[0, 1e3]", "thetas": "[300]"}, "2 heights and 1 potential temperatures"),
    ({"kind": '"table"', "heights": "[0, 1e3]"}, "needs thetas"),
    ({"kind": '"table"', "thetas": "[300, 310]"}, "needs heights"),
    ({"kind": '"table"'}, "needs thetas, temperatures, theta_table or temperature_table"),
    ({"kind": '"table"', "heights": "[0, 1e3]", "thetas": "[300, 310]", "temperatures": "[280, 270]"}, "`temperatures` is given together with thetas"),
    ({"kind": '"table"', "heights": "[0, 1e3]", "temperatures": "[280, -3]"}, "2 heights and 2 temperatures"),
    ({"kind": '"table"', "heights": "[0, 1e3]", "theta_table": '"air"'}, "`heights` is given together with theta_table"),
    ({"kind": '"table"', "theta_table": '"air"'}, "the case has no table `air`"),
    ({"kind": '"neutral"', "theta_table": '"air"'}, "a reference of kind neutral has no theta_table of its own"),
    ({"kind": '"tabel"', "heights": "[0, 1e3]", "thetas": "[300, 310]"}, 'did you mean "table"?'),
], ids=lambda value: value if isinstance(value, str) else None)  # fmt: skip
def test_a_bad_reference_is_one_fault(place, reference, what):
    words = "{ " + ", ".join(f"{key} = {value}" for key, value in reference.items()) + " }"
    result = call("check", "flow.toml", *settings(physics__reference=words), cwd=place)
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
    assert what in result.stderr, result.stderr


def test_a_sounding_of_a_file_is_the_reference(place):
    """Temperatures of a file are those of lists; the file is kept with the run; winds of the same file are those of the case."""
    heights, celsius, knots = [0, 500, 1500, 9000], [15.0, 13.0, 2.0, -40.0], [5, 10, 20, 60]
    rows = "".join(f"{1013 - z / 12:.1f} {z / 1000} {t} {v}\n" for z, t, v in zip(heights, celsius, knots))
    (place / "sounding.txt").write_text("# a station\nPRES HGHT TEMP SPED\nhPa km C kt\n" + rows)
    table = '{ file = "sounding.txt", field = "%s", over = "HGHT", over_unit = "km", unit = "%s" }'
    base = {"case__units": "SI", "tables__air": table % ("TEMP", "degC"), "tables__wind": table % ("SPED", "kt"), "physics__sponge": "{}",
            "initial": '[{ velocity = ["wind(z)", 0, 0] }]', "output__precision": '"same"',
            "output__fields": '["temperature", "p", "velocity", "height"]'}  # fmt: skip
    of_file = {**base, "physics__reference": '{ kind = "table", temperature_table = "air" }'}
    kelvin = [t + 273.15 for t in celsius]
    of_lists = {**base, "physics__reference": f'{{ kind = "table", heights = {heights}, temperatures = {kelvin} }}'}
    for name, keys in (("file", of_file), ("lists", of_lists)):
        succeed("run", "flow.toml", "--dir", name, "--device", "cpu", *settings(**keys), cwd=place)
    (place / "sounding.txt").unlink()
    first, other = (watersmeet.open(place / name).fields for name in ("file", "lists"))
    for name in ("temperature", "p", "velocity"):
        np.testing.assert_array_equal(np.asarray(first[-1][name]), np.asarray(other[-1][name]), err_msg=name)
    z = np.asarray(first[0]["height"])
    np.testing.assert_allclose(np.asarray(first[0]["temperature"]), np.interp(z, heights, kelvin), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(first[0]["velocity"])[..., 0], np.interp(z, heights, knots) * 1852 / 3600, rtol=1e-6)
    assert (place / "file/inputs/sounding.txt").exists()
    steps = watersmeet.open(place / "file").setting("time.steps")
    succeed("resume", "file", "--device", "cpu", *settings(time__steps=steps + 2), cwd=place)


@pytest.mark.parametrize("key, value, what", [
    ("unit", "furlong", "`furlong` is not a unit that can be converted"),
    ("over_unit", "km", 'numbers in km need units = "SI"'),
    ("field", "T9", "no column `T9`"),
])  # fmt: skip
def test_a_sounding_that_cannot_be_read_is_one_fault(place, key, value, what):
    (place / "sounding.txt").write_text("z T\n0 290\n9000 230\n")
    table = {"file": "sounding.txt", "field": "T", key: value}
    words = "{ " + ", ".join(f'{name} = "{text}"' for name, text in table.items()) + " }"
    reference = '{ kind = "table", temperature_table = "air" }'
    result = call("check", "flow.toml", *settings(tables__air=words, physics__reference=reference), cwd=place)
    assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
    assert what in result.stderr, result.stderr


def test_a_state_that_is_none_is_one_fault(place):
    for more in ({}, {"grid__kind": '"cubed_sphere"', "grid__top": "1e4", "grid__cells": "[8, 8, 5]"}):
        plain = {"physics": '{ reference = { kind = "neutral" } }', "boundary": "{}", "grid__upper": '["2*pi", "2*pi", "2*pi"]'}
        words = settings(**plain, **more, initial='[{state="dcmip32"}]', output__fields='["velocity"]')
        result = call("check", "flow.toml", *words, cwd=place)
        assert result.returncode == 2 and result.stderr.count("error[") == 1, result.stderr
        assert "initial[0].state" in result.stderr, result.stderr


def test_levels_by_a_list_are_those_of_a_mapping(place):
    heights = [1300 * (k / 13 + (k / 13) ** 2) / 2 for k in range(14)]
    succeed("run", "flow.toml", "--dir", "list", "--device", "cpu", *settings(grid__z_faces=str(heights)), cwd=place)
    succeed("run", "flow.toml", "--dir", "mapping", "--device", "cpu", *settings(grid__z_mapping='"s + s^2"'), cwd=place)
    lists, maps = (watersmeet.open(place / name).fields[-1] for name in ("list", "mapping"))
    np.testing.assert_allclose(np.asarray(lists["velocity"]), np.asarray(maps["velocity"]), atol=1e-9)
    with h5py.File(lists.path) as file:
        np.testing.assert_allclose(file["z_faces"][:], heights, atol=1e-9)
    middles = (np.array(heights[1:]) + heights[:-1]) / 2
    np.testing.assert_allclose(np.asarray(lists["height"])[:, 0, 0], middles, atol=1e-9)
    assert lists.corners is None


@pytest.mark.parametrize("key, what", [
    ({"physics__viscosity": "10"}, "physics.viscosity"),
    ({"numerics__reconstruction__transverse": '"-1/24"'}, "numerics.reconstruction.transverse"),
    ({"grid__cells": "[1, 1, 13]"}, "time.scheme"),
    ({"device__schedule": '"axes"'}, "device.schedule"),
    ({"time__cfl": "1.2"}, "time.cfl"),
])  # fmt: skip
def test_what_implicit_sound_does_not_go_with_is_refused(place, key, what):
    result = call("check", "flow.toml", "--device", "cpu", *settings(**{**hevi, **key}), cwd=place)
    assert result.returncode == 2, result.stdout
    assert what in result.stderr


@on_ranks
@pytest.mark.parametrize("scheme", [{}, hevi], ids=["explicit", "hevi"])
def test_a_checkpoint_goes_on_with_other_ranks(place, scheme):
    words = settings(**terrain, **scheme, output__checkpoint_every_steps=2)
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    run_in_parts(place, "many", [(2, 2), (4, 1), (6, 3)], words)
    succeed("diff", "one", "many", cwd=place)


def test_an_impossible_beginning_names_the_cell(place):
    (place / "hot.toml").write_text(case.replace('theta = "2*exp', 'pressure = "-3e5*exp'))
    result = call("run", "hot.toml", "--dir", "hot", "--device", "cpu", cwd=place)
    assert result.returncode == 2, result.stdout
    assert "initial[0].pressure" in result.stderr and "in cell (" in result.stderr and "positive" in result.stderr


def test_a_beginning_whose_energy_is_infinite_is_told_before_any_step(place):
    words = settings(initial='[{pressure="1e300"}]', grid__upper="[2300e3, 1400e3, 1300]")
    result = call("run", "flow.toml", "--dir", "hot", "--device", "cpu", *words, cwd=place)
    assert result.returncode == 4 and "initial_energy of the whole grid is inf at step 0" in result.stderr, result.stderr
    assert "before any step" in result.stderr and "checkpoint not written" not in result.stderr


def test_a_run_that_fails_names_the_cell(place):
    result = call("run", "flow.toml", "--dir", "fast", "--device", "cpu", *settings(time__dt=2.0, time__steps=200), cwd=place)
    assert result.returncode not in (0, 2), result.stdout
    assert "first at cell (" in result.stderr


@pytest.mark.parametrize("stretched", [False, True], ids=["equal", "stretched"])
def test_snapshots_over_terrain_have_the_true_corners(place, stretched):
    mapping = {"grid__z_mapping": '"s + s^2"'} if stretched else {}
    words = settings(**terrain, **mapping, grid__cells="[23, 14, 12]", time__steps=3)
    succeed("run", "flow.toml", "--dir", "hill", "--device", "cpu", *words, cwd=place)
    last = watersmeet.open(place / "hill").fields[-1]
    corners = np.asarray(last.corners)
    assert corners.shape == (13, 15, 24, 3)
    x, y, z = np.moveaxis(corners, -1, 0)
    ground = 200 * np.sin(x / 300) * np.cos(2 * np.pi * y / 1400)
    ground[..., -1, :] = ground[..., 0, :]  # periodic along y
    zeta = np.linspace(0, 1, 13)[:, None, None]
    zeta = 1300 * ((zeta + zeta**2) / 2 if stretched else zeta)
    np.testing.assert_allclose(x, np.broadcast_to(np.linspace(0, 2300, 24), x.shape), atol=1e-9)
    np.testing.assert_allclose(y, np.broadcast_to(np.linspace(0, 1400, 15)[:, None], y.shape), atol=1e-9)
    np.testing.assert_allclose(z, zeta + ground * (1 - zeta / 1300), atol=1e-9)
    middle = sum(z[k : 12 + k, j : 14 + j, i : 23 + i] for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8
    np.testing.assert_allclose(middle, np.asarray(last["height"]), atol=1e-9)
    assert np.ptp(middle[0]) > 100
    with h5py.File(last.path) as file:
        assert file["theta_perturbation"].attrs["coordinates"].decode() == "time height"
        assert file["height"].attrs["coordinates"].decode() == "time"
    for item in ElementTree.parse(place / "hill" / "fields.xmf").iter("Geometry"):
        name, _, inside = item.find("DataItem").text.partition(":")
        with h5py.File(place / "hill" / name) as file:
            assert list(file[inside].shape) == [int(n) for n in item.find("DataItem").get("Dimensions").split()]
    topologies = {t.get("TopologyType") for t in ElementTree.parse(place / "hill" / "fields.xmf").iter("Topology")}
    assert topologies == {"3DSMesh"}
    run = watersmeet.open(place / "hill")
    assert run.plot("velocity.z", slice="y=mid").exists()
    assert run.plot("velocity.z", slice="z=500").name == "velocity_z_z500_000003.png"
    # What is linear in the height comes back: the height itself.
    axis, index = parse_slice(last, "z=500")
    found = read_part(last, "height", (index, slice(None), slice(None)))[0]
    assert axis == 2 and found.shape == (14, 23)
    np.testing.assert_allclose(found, 500, atol=1e-9)
    low = read_part(last, "height", (parse_slice(last, "z=100")[1], slice(None), slice(None)))[0]
    under = (z[0, :-1, :-1] + z[0, 1:, :-1] + z[0, :-1, 1:] + z[0, 1:, 1:]) / 4 > 100
    assert under.any() and (np.isnan(low) == under).all()
    for words, said in (("z=500", "z = 500"), ("z=500", "interpolated"), ("level=3", "level 3, along the terrain"), ("z=mid", "level 6")):
        title = figures.plane_figure(run, last, "velocity.z", *parse_slice(last, words)).axes[0].get_title()
        assert said in title.replace("$", ""), title
    for wrong in ("z=1301", "z=-300", "level=12", "level=a"):
        with pytest.raises(ValueError, match="heights are|levels are"):
            parse_slice(last, wrong)


def test_snapshots_over_flat_ground_have_none(place):
    succeed("run", "flow.toml", "--dir", "plain", "--device", "cpu", *settings(time__steps=3), cwd=place)
    assert watersmeet.open(place / "plain").fields[-1].corners is None
    assert not (place / "plain" / "mesh.h5").exists()
