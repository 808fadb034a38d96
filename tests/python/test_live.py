"""Simulations in this process: fields are the program's memory, steps give the bits of the command line, errors its text."""

import doctest
import importlib
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import runs
from conftest import root
from runs import call, needs_program, newest, settings, succeed

import watersmeet

pytest.importorskip("watersmeet._engine", reason="no module watersmeet._engine: the build found no nanobind (tools/nanobind.sh)")


def small(**options):
    return watersmeet.Simulation(runs.flow, device="cpu", threads=1, **options)


def bits(simulation):
    return {name: field[...].tobytes() for name, field in simulation.fields.items()}


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_field_is_the_memory_of_the_program(precision):
    s = small(precision=precision)
    ux = s.fields["ux"]
    one, other = np.asarray(ux), np.from_dlpack(ux)
    assert one.shape == ux.shape == (8, 10, 12) and one.dtype == ux.dtype == (np.float32 if precision == "single" else np.float64)
    assert address(one) == address(other) and not one.flags.owndata and np.shares_memory(one, other)
    # Rows of 12 values lie further apart than these: ghosts and padding are between them.
    assert one.strides[2] == one.itemsize and one.strides[1] > 12 * one.itemsize and one.strides[0] > 10 * one.strides[1]
    assert address(np.asarray(s.fields["uy"])) - address(one) >= 8 * one.strides[0]
    one[3, 4, 5] = 0.75
    assert other[3, 4, 5] == ux[3, 4, 5] == s.quantity("velocity")[3, 4, 5, 0] == 0.75
    assert not np.shares_memory(ux[...], one)


def test_a_step_is_refused_while_an_array_of_the_memory_is_in_use(tmp_path):
    s = small()
    s.save(tmp_path / "state.h5")
    row = np.asarray(s.fields["ux"])[2, 3]  # what is sliced from an array keeps its memory too
    before = row.copy()
    for moves in (s.step, lambda: s.advance_to(1), lambda: s.restore(tmp_path / "state.h5"), s.close):
        with pytest.raises(BufferError, match=r"^1 array of this simulation's memory in use"):
            moves()
    assert s.steps == 0
    np.testing.assert_array_equal(row, before)
    del row
    s.step()
    kept = s.fields["ux"]  # a field is no array of the memory
    first = kept[...]
    s.step()
    assert s.steps == 2 and (kept[...] != first).any()
    s.close()
    for use in (lambda: s.t, lambda: kept[...], s.step):
        with pytest.raises(ValueError, match="was closed"):
            use()
    s.close()


@pytest.mark.parametrize("case", [runs.flow, "rayleigh-benard/quick"])  # the second has a multistep scheme: its past must be kept
@pytest.mark.parametrize("precision", ["single", "double"])
def test_reading_changes_no_bits_and_one_step_after_the_other_is_many(case, precision):
    cells = {"grid.cells": [12, 10, 8]}
    together, one_by_one = (watersmeet.Simulation(case, device="cpu", threads=1, precision=precision, set=cells) for _ in range(2))
    together.step(10)
    for _ in range(10):
        one_by_one.step()
        for field in one_by_one.fields.values():
            np.asarray(field)[...] += 0  # the same values
            np.mean(field)
        one_by_one.diagnostics()
    assert bits(together) == bits(one_by_one) and together.t == one_by_one.t and together.dt == one_by_one.dt


def test_what_is_written_counts_from_the_next_call_on():
    """Of two simulations one begins with a state and the other one is given it: ghosts and signal are those of the new state."""
    s = small(initial={"ux": lambda x, y, z: 2 * np.cos(2 * np.pi * (x / 6 + y / 5)), "lnrho": 0.25})
    x, y, z = s.fields["ux"].coordinates
    assert x.shape == (12,) and x[0] == 0 and y[-1] == 4.5 and z[1] == 0.5
    np.testing.assert_array_equal(s.fields["ux"][3, :, 4], 2 * np.cos(2 * np.pi * (x[4] / 6 + y / 5)))
    np.testing.assert_allclose(s.diagnostics()["mass"], np.exp(0.25) * 120, rtol=1e-14)
    other = small()
    array = np.asarray(other.fields["ux"])
    array[...] = s.fields["ux"]
    del array
    other.fields["lnrho"][...] = 0
    other.fields["lnrho"] += 0.25
    calm = small()
    for each in (s, other, calm):
        each.step()
    assert s.dt < 0.8 * calm.dt  # the larger velocity counts at once
    assert bits(s) == bits(other) and s.dt == other.dt


examples = ["sine-decay/quick", "alfven-wave/quick", "sod/quick", "heated-cavity/quick", "naca0012/quick", "warm-bubble/quick",
            "williamson-2/quick"]  # one of each system


@needs_program
@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("example", examples)
def test_steps_give_the_bits_of_the_command_line(example, precision, tmp_path):
    limit = "time__steps_max" if example.startswith("naca") else "time__steps"
    result = call("run", example, "--device", "cpu", "--precision", precision, "--dir", "run", "--quiet",
                  *settings(**{limit: 3}, output__overview="false"), cwd=tmp_path)
    if result.returncode == 2:
        with pytest.raises((watersmeet.InputError, watersmeet.UnsupportedError)):
            watersmeet.Simulation(example, device="cpu", precision=precision)
        return
    assert result.returncode == 0, result.stdout + result.stderr
    s = watersmeet.Simulation(example, device="cpu", precision=precision)
    s.step(3)
    checkpoint = sorted((tmp_path / "run").glob("checkpoint_*.h5"))[-1]
    of_run = watersmeet.Simulation(checkpoint)
    assert s.steps == of_run.steps == 3 and s.t == of_run.t
    assert bits(s) == bits(of_run)
    assert list(s.diagnostics()) and s.quantity(s.quantities[0]).size % s.fields[list(s.fields)[0]].size == 0


def test_coordinates_are_those_of_the_formulas_of_a_case():
    """Velocities on faces without a divergence, which the projection of the beginning leaves as they are, and levels of unequal height."""
    case = {"case": {"system": "boussinesq"}, "grid": {"cells": [8, 8, 6], "upper": ["2*pi", "2*pi", 1], "z_faces": [0, 0.1, 0.3, 0.5, 0.6, 0.9, 1]},
            "physics": {"rayleigh": 1e4, "prandtl": 1}, "time": {"steps": 1},
            "initial": [{"velocity": ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0], "temperature": "z"}], "boundary": {"z": "free_slip"}}
    s = watersmeet.Simulation(case, device="cpu", threads=1)
    temperature, u, v, w = (s.fields[name] for name in list(s.fields)[-1:] + list(s.fields)[:3])
    x, y, z = u.coordinates
    np.testing.assert_allclose(u[2], np.sin(x) * np.cos(y)[:, None], atol=1e-12)
    x, y, z = v.coordinates
    np.testing.assert_allclose(v[3], -np.cos(x) * np.sin(y)[:, None], atol=1e-12)
    np.testing.assert_allclose(w.coordinates[2], [0, 0.1, 0.3, 0.5, 0.6, 0.9])
    np.testing.assert_allclose(temperature[:, 1, 1], temperature.coordinates[2], atol=1e-15)
    for example in ("naca0012/quick", "williamson-2/quick"):
        with pytest.raises(watersmeet.UnsupportedError, match="do not lie along x, y and z"):
            field = next(iter(watersmeet.Simulation(example, device="cpu").fields.values()))
            field.coordinates


def test_a_dict_is_the_same_case_as_its_text():
    case = {"case": {"system": "isothermal"}, "grid": {"cells": [12, 10, 8], "upper": np.array([6.0, 5.0, 4.0])},
            "physics": {"viscosity": 0.02}, "time": {"steps": 20},
            "initial": [{"density": "1 + 0.1*sin(2*pi*(x/6 + y/5))*cos(2*pi*z/4)",
                         "velocity": ["0.3*sin(2*pi*(x/6 - z/4))", "0.2*cos(2*pi*(y/5 + x/6))", "0.1*sin(2*pi*(z/4 + y/5))"]}]}
    made = watersmeet.Simulation(case, device="cpu", threads=1)
    assert bits(made) == bits(small())


def test_arrays_in_a_case_are_body_forces_and_initial_states():
    """A uniform acceleration alone: the velocity grows as a*t; a shear of the initial velocity given by numbers is that of the formula."""
    y = np.arange(10) * 0.5
    shear = np.sin(2 * np.pi * y / 5)
    case = {"case": {"system": "isothermal"}, "grid": {"cells": [12, 10, 8], "upper": [6, 5, 4]}, "physics": {"viscosity": 0.0},
            "time": {"end": 1.0}, "initial": [{"velocity": [watersmeet.GridFunction(shear, y=y), 0, 0]}]}
    s = watersmeet.Simulation(case, device="cpu", threads=1)
    np.testing.assert_array_equal(s.fields["ux"][2, :, 7], shear)
    push = watersmeet.GridFunction(lambda x, y: 0.125 + 0 * x * y, x=[0.0, 1.0], y=[0.0, 5.0])
    case["physics"]["acceleration"] = [0, push, 0]
    case["initial"] = [{}]
    pushed = watersmeet.Simulation(case, device="cpu", threads=1)
    pushed.advance_to(0.5)
    np.testing.assert_allclose(pushed.fields["uy"][...], 0.0625, rtol=1e-13)
    again = watersmeet.Simulation(pushed)  # the functions belong to the case
    again.step(2)
    pushed.step(2)
    assert bits(again) == bits(pushed)


def test_wrong_arrays_of_a_case_are_named():
    with pytest.raises(ValueError, match=r"values of the shape \(3,\); x, y ask for \(4, 3\)"):
        watersmeet.GridFunction([1, 2, 3], x=[0, 1, 2], y=[0, 1, 2, 3])
    with pytest.raises(ValueError, match="a period of z"):
        watersmeet.GridFunction([1.0], x=[0], period={"z": 1})
    case = {"case": {"system": "isothermal"}, "grid": {"cells": [8, 8, 8]}, "time": {"steps": 1}}
    falls = watersmeet.GridFunction([1, 2, 3], x=[0, 1, 0.5])
    with pytest.raises(watersmeet.InputError, match="must rise or fall throughout"):
        watersmeet.Simulation({**case, "initial": [{"density": falls}]})
    with pytest.raises(ValueError, match=r"an array of the shape \(8, 8, 8\) in a case; .*GridFunction"):
        watersmeet.Simulation({**case, "initial": [{"density": np.ones((8, 8, 8))}]})
    with pytest.raises(ValueError, match="the section time of a case is a int"):
        watersmeet.Simulation({"time": 3})


@needs_program
@pytest.mark.parametrize("name, error, status", [
    ("faulty.toml", watersmeet.InputError, 2), ("missing.toml", watersmeet.FileError, 3), ("no-such-example", watersmeet.ResourceError, 3)])
def test_errors_have_the_text_of_the_command_line(name, error, status, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "faulty.toml").write_text(runs.flow.replace("cells =", "cels =").replace("0.02", '"0.02 +"'))
    with pytest.raises(watersmeet.Error) as raised:
        watersmeet.Simulation(name)
    assert isinstance(raised.value, error) and raised.value.exit_status == status
    said = call("check", name, "--color", "never", cwd=tmp_path)
    assert said.returncode == status and said.stderr.strip() == str(raised.value).strip()
    assert all(fault["message"] for fault in raised.value.faults)
    if name == "faulty.toml":
        assert [(fault["line"], fault["key"]) for fault in raised.value.faults] == [(4, "grid.cels"), (7, "physics.viscosity")]


def test_names_that_are_not_there_are_refused_with_those_that_are():
    s = small()
    with pytest.raises(KeyError, match="no stored variable 'lnro'; did you mean 'lnrho'"):
        s.fields["lnro"]
    with pytest.raises(watersmeet.InputError, match="no quantity `velocty`\n.*did you mean `velocity`"):
        s.quantity("velocty")
    with pytest.raises(TypeError, match="not a int"):
        watersmeet.Simulation(3)
    with pytest.raises(ValueError, match="-1 steps"):
        s.step(-1)


def test_a_state_that_is_not_finite_ends_the_steps_with_its_cell():
    s = small()
    s.fields["uy"][2, 3, 4] = np.nan
    with pytest.raises(watersmeet.DivergedError, match=r"cell \(4, 3, 2\)"):
        s.step(5)


def test_ctrl_c_stops_between_steps_and_the_simulation_goes_on():
    s = small()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            s.step(10**7)
    finally:
        signal.signal(signal.SIGALRM, before)
    stopped = s.steps
    assert 0 < stopped < 10**7
    s.step(3)
    other = small()
    other.step(stopped + 3)
    assert s.steps == other.steps and bits(s) == bits(other)


def test_other_threads_run_and_may_not_use_a_simulation_that_computes():
    s = small()
    refused = []

    def compute():
        while True:
            try:
                return s.step(3000)
            except RuntimeError:
                pass  # the other one was there first

    thread = threading.Thread(target=compute)
    thread.start()
    while thread.is_alive():  # turns that this thread gets because the other one does not hold the interpreter
        try:
            s.diagnostics()
        except RuntimeError as error:
            refused.append(str(error))
    assert len(refused) > 10 and set(refused) == {"the simulation is computing in another thread"}
    assert s.steps == 3000


def test_functions_are_called_every_so_often():
    s = small()
    steps, times, both = [], [], []
    by_steps = s.on(lambda s: steps.append(s.steps), every_steps=3)
    by_time = s.on(lambda s: times.append(s.t), every=0.25)
    s.advance_to(1.0)
    assert times == [0.25, 0.5, 0.75, 1.0] and s.t == 1.0
    assert steps == list(range(3, s.steps + 1, 3)) and steps
    s.off(by_steps)
    s.off(by_time)
    s.on(lambda s: both.append(s.fields["ux"][0, 0, 0]), every_steps=1)
    s.step(2)
    assert len(both) == 2 and len(times) == 4

    def fails(s):
        raise OSError("no more")

    s.on(fails, every_steps=2)
    with pytest.raises(OSError, match="no more"):
        s.step(5)
    with pytest.raises(ValueError, match="either every"):
        s.on(fails)
    plain = small()
    plain.step(s.steps - 2)  # steps that no time shortened are those without any functions
    assert plain.steps == s.steps - 2


def test_a_checkpoint_and_a_copy_go_on_with_the_same_bits(tmp_path):
    s = small()
    s.step(4)
    s.fields["uy"] *= 3  # what was written is in the checkpoint, and its signal too
    s.save(tmp_path / "state.h5")
    copy = watersmeet.Simulation(s)
    s.step(3)
    copy.step(3)
    again = watersmeet.Simulation(tmp_path / "state.h5")
    assert again.steps == 4
    again.step(3)
    back = small()
    back.restore(tmp_path / "state.h5")
    back.step(3)
    assert bits(s) == bits(copy) == bits(again) == bits(back) and s.t == copy.t == again.t == back.t
    thicker = watersmeet.Simulation(s, set={"physics.viscosity": 0.5})
    assert bits(thicker) == bits(s)
    thicker.step()
    s.step()
    assert bits(thicker) != bits(s)
    (tmp_path / "other.h5").write_text("no checkpoint")
    with pytest.raises(watersmeet.FileError):
        watersmeet.Simulation(tmp_path / "other.h5")


def test_spectra_add_up_to_the_energy():
    s = small()
    spectra = s.spectra()
    energy = np.mean(sum(s.fields[name][...] ** 2 for name in ("ux", "uy", "uz"))) / 2
    np.testing.assert_allclose(spectra.total.sum(), energy, rtol=1e-12)
    np.testing.assert_allclose(spectra.x + spectra.y + spectra.z, spectra.total, rtol=1e-12)
    with pytest.raises(watersmeet.UnsupportedError, match="no spectra"):
        watersmeet.Simulation("sod/quick").spectra()


def as_bytes(average):
    return {name: average[name].tobytes() for name in average}


def bytes_of_file(file):
    return {name: np.asarray(field.flat() if hasattr(field, "flat") else field).tobytes() for name, field in file.items()}


averaged = {  # of each system an example, words that make it small, and a scalar
    "isothermal": ("taylor-green/quick", {"grid.cells": [12, 10, 8]}, "rho"),
    "mhd": ("orszag-tang/quick", {"grid.cells": [24, 20, 1], "output.every": 9, "output.spectra_every": 9}, "rho"),
    "multicomponent": ("sod/quick", {}, "p"),
    "boussinesq": ("rayleigh-benard/quick", {"grid.cells": [12, 10, 8]}, "temperature"),
    "shallow_water": ("dam-break/quick", {}, "depth"),
    "sphere": ("williamson-5/quick", {"grid.cells": 8}, "depth"),
    "aerodynamics": ("vortex/quick", {}, "rho"),
    "atmosphere": ("agnesi-mountain/quick", {"grid.cells": [24, 1, 12]}, "rho"),
}


@needs_program
@pytest.mark.parametrize("system", averaged)
def test_averages_are_those_of_the_files_of_a_run(system, tmp_path):
    example, small_grid, scalar = averaged[system]
    every = {"name": "every", "mean": [scalar, "velocity"], "variance": ["velocity"], "covariance": [f"{scalar}, velocity.x"]}
    third = {**every, "name": "third", "sample_every_steps": 3}
    words = [word for key, value in small_grid.items() for word in ("--set", f"{key}={value}")]
    succeed("run", example, "--device", "cpu", "--dir", "run", "--quiet", *words, *runs.list_of("output.average", every, third),
            *settings(time__steps=8, output__overview="false", output__precision='"double"'), cwd=tmp_path)
    s = watersmeet.Simulation(example, device="cpu", threads=1, set={**small_grid, "output.average": [every, third]})
    for _ in range(8):
        s.step()
        s.averages["third"], s.averages["every"]  # changes nothing
    run = watersmeet.open(tmp_path / "run")
    for name in ("every", "third"):
        (file,) = run.averages[name]
        found = s.averages[name]
        assert as_bytes(found) == bytes_of_file(file)
        assert (found.t_begin, found.averaged_over, found.samples) == tuple(file.attrs[key] for key in ("t_begin", "averaged_over", "samples"))
    of_run = watersmeet.Simulation(newest(tmp_path / "run"))
    assert bits(s) == bits(of_run)


windows = {"name": "w", "mean": ["velocity"], "variance": ["rho"], "from": 0.15, "every": 0.3, "sample_every_steps": 2, "profile": "z"}


@needs_program
def test_windows_end_where_those_of_a_run_do(place):
    succeed("run", "flow.toml", "--dir", "run", "--quiet", *runs.list_of("output.average", windows), "--set", "time.steps=1000", "--set",
            "time.end=1.5", "--set", 'output.precision="double"', cwd=place)
    files, profile = watersmeet.open(place / "run").averages["w"], watersmeet.open(place / "run").average_profile("w")
    s, at_once = (small(set={"output.average": [windows]}) for _ in range(2))
    for number, file in enumerate(files):
        s.advance_to(file.time)
        found = s.averages["w"]
        assert s.steps == file.step and as_bytes(found) == bytes_of_file(file)
        assert (found.t_begin, found.samples) == (file.attrs["t_begin"], file.attrs["samples"])
        np.testing.assert_array_equal(found.along, profile.along)
        for column, values in found.profile.items():
            np.testing.assert_allclose(values, profile[column][number], rtol=1e-12)
    assert [file.time for file in files] == pytest.approx([0.45, 0.75, 1.05, 1.35, 1.5])
    at_once.advance_to(1.5)
    assert as_bytes(at_once.averages["w"]) == as_bytes(s.averages["w"])
    s.step()
    assert s.averages["w"].t_begin == files[-1].attrs["t_begin"] == pytest.approx(1.35)


@needs_program
def test_averages_go_on_from_checkpoints_with_the_same_bits(place):
    table = {"name": "w", "mean": ["velocity"], "variance": ["rho"], "sample_every_steps": 3, "profile": "z"}
    words = ["--quiet", *runs.list_of("output.average", table)]
    succeed("run", "flow.toml", "--dir", "run", *words, *settings(time__steps=4), cwd=place)
    s = small(set={"output.average": [table]})
    s.step(4)
    s.save(place / "state.h5")
    begun = [watersmeet.Simulation(place / "state.h5"), watersmeet.Simulation(s), watersmeet.Simulation(newest(place / "run"))]
    later = watersmeet.Simulation(s)
    later.step(5)
    later.restore(place / "state.h5")
    s.step(7)
    for each in (*begun, later):
        each.step(7)
        assert each.averages["w"].samples == s.averages["w"].samples == 4
        assert as_bytes(each.averages["w"]) == as_bytes(s.averages["w"])
    plain = small()
    plain.step(4)
    plain.save(place / "plain.h5")
    s.restore(place / "plain.h5")  # of a case without averages: they begin here
    s.step(3)
    assert s.averages["w"].samples == 2 and s.averages["w"].t_begin > 0


def test_averages_that_are_not_there_are_named():
    s = small(set={"output.average": [{**windows, "from": 5.0}]})
    assert list(s.averages) == ["w"] and not small().averages
    s.step(3)
    with pytest.raises(KeyError, match="no average 'ww'; did you mean 'w'"):
        s.averages["ww"]
    with pytest.raises(KeyError, match="There are: none"):
        small().averages["w"]
    with pytest.raises(watersmeet.InputError, match="the average `w` has no samples yet: .* begins at t = 5"):
        s.averages["w"]
    with pytest.raises(watersmeet.InputError, match="fields of the name|no field|unknown name"):
        small(set={"output.average": [{"name": "w", "mean": ["velocty"]}]})


def test_what_is_written_counts_in_averages_from_then_on():
    s = small(set={"output.average": [{"name": "w", "mean": ["velocity.x"]}]})
    s.step()
    first = s.dt
    s.fields["ux"], s.fields["uy"], s.fields["uz"], s.fields["lnrho"] = 0.5, 0, 0, 0
    s.step()
    assert s.averages["w"]["velocity_x_mean"][2, 3, 4] != 0.5
    before = s.averages["w"]
    assert before.averaged_over == pytest.approx(s.t) and s.t > first


def test_blocks_are_the_places_of_the_values():
    vortex = watersmeet.Simulation("naca0012/quick", set={"grid.mesh.cells": [32, 16]})
    parts = vortex.in_blocks(vortex.quantity("velocity"))
    assert [part.shape for part in parts] == [block.shape for block in vortex.blocks()]
    np.testing.assert_array_equal(np.concatenate([part.reshape(-1, 3) for part in parts]), vortex.quantity("velocity")[0, 0])
    globe = watersmeet.Simulation("williamson-2/quick", set={"grid.cells": 8})
    corners = globe.blocks()
    assert [block.shape for block in corners] == [(1, 9, 9, 3)] * 6
    np.testing.assert_allclose(np.linalg.norm(corners[0], axis=-1), np.linalg.norm(corners[3][0, 2, 5]), rtol=1e-12)
    assert [part.shape for part in globe.in_blocks(globe.quantity("depth"))] == [(1, 8, 8)] * 6
    mountain = watersmeet.Simulation("agnesi-mountain/quick", set={"grid.cells": [24, 1, 12]})
    (over,) = mountain.blocks()
    assert over.shape == (13, 1, 25, 3) or over.shape == (13, 2, 25, 3)
    height = 0.25 * (over[1:, 0, 1:, 2] + over[:-1, 0, 1:, 2] + over[1:, 0, :-1, 2] + over[:-1, 0, :-1, 2])
    np.testing.assert_allclose(height, mountain.quantity("height")[:, 0], atol=0.02)
    assert mountain.in_blocks(mountain.quantity("height"))[0].shape == (12, 1, 24)
    box = small()
    assert box.blocks() == [] and box.in_blocks(box.fields["ux"])[0].shape == (8, 10, 12)


def test_the_poisson_solver_balances_the_fluxes_of_cells():
    rng = np.random.default_rng(1)
    rhs = rng.standard_normal((5, 7, 6))
    z = np.array([0, 0.1, 0.3, 0.6, 0.8, 1.0])
    poisson = watersmeet.Poisson((6, 7, 5), length=(3, 2, 1), faces={"z": z}, sides={"y": "neumann", "z": ("neumann", "dirichlet")})
    phi = poisson.solve(rhs)
    dx, dy, dz = 0.5, 2 / 7, np.diff(z)
    flux_x = (np.roll(phi, -1, 2) - phi) / dx
    flux_y = np.zeros((5, 8, 6))
    flux_y[:, 1:-1] = np.diff(phi, axis=1) / dy
    flux_z = np.zeros((6, 7, 6))
    flux_z[1:-1] = np.diff(phi, axis=0) / (0.5 * (dz[1:] + dz[:-1]))[:, None, None]
    flux_z[-1] = -phi[-1] / (0.5 * dz[-1])
    balance = (flux_x - np.roll(flux_x, 1, 2)) / dx + np.diff(flux_y, axis=1) / dy + np.diff(flux_z, axis=0) / dz[:, None, None]
    np.testing.assert_allclose(balance, rhs, atol=1e-11)
    assert poisson.method and poisson.residual < 1e-12
    with pytest.raises(watersmeet.InputError, match="mean"):
        watersmeet.Poisson((6, 7, 5)).solve(rhs)
    with pytest.raises(ValueError, match=r"rhs has the shape \(6,\)"):
        poisson.solve(np.zeros(6))
    with pytest.raises(ValueError, match="'slip'; it must be one of periodic, neumann, dirichlet"):
        watersmeet.Poisson((6, 7, 5), sides={"x": "slip"})
    with pytest.raises(watersmeet.InputError, match='method is "fast"'):
        watersmeet.Poisson((6, 7, 5), method="fast")


def test_results_are_read_without_the_compiled_module(tmp_path, run_path):
    program = ("import watersmeet, sys\n"
               f"print(len(watersmeet.open({str(run_path)!r}).times))\n"
               "try:\n    watersmeet.Simulation\nexcept ImportError as error:\n    print(error)\n")
    result = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root / "python")},
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("2\nsimulations in Python need the compiled module watersmeet._engine") and "pip install" in result.stdout


@pytest.mark.parametrize("name", ["live", "errors", "case_text", "poisson"])
def test_examples_in_the_documentation_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(f"watersmeet.{name}"))
    assert result.attempted > 0 and result.failed == 0


def test_the_stub_names_what_the_module_has():
    """Made from the module by the build; a type checker reads it instead of the module."""
    import watersmeet._engine as engine

    stub = os.path.join(os.path.dirname(engine.__file__), "_engine.pyi")
    text = open(stub).read()
    assert all(f"def {name}(" in text or f"class {name}" in text for name in dir(engine) if not name.startswith("_"))


@needs_program
def test_a_run_and_a_simulation_agree_on_snapshots(place):
    succeed("run", "flow.toml", "--dir", "run", "--quiet", cwd=place)
    s = watersmeet.Simulation(place / "flow.toml")
    s.step(20)
    last = watersmeet.open(place / "run").fields[-1]
    np.testing.assert_array_equal(s.quantity("velocity"), last["velocity"][...])
