"""Scalars of Boussinesq flow: bounded advection, and more of them than one launch advances."""

import h5py
import numpy as np
import pytest
import watersmeet
from rank_runs import on_ranks, ranks_words, run_in_parts
from runs import call, needs_program, newest, settings, succeed

pytestmark = [needs_program]

# Fronts between 0 and 1 in a flow that shears and folds them, driven by the temperature; walls, cells that differ along every axis.
folded = """[case]
system = "boussinesq"
[grid]
cells = [21, 14, 17]
upper = [1, 1, 1]
x_stretching = 1.2
y_stretching = 0.8
z_stretching = 1.5
[physics]
viscosity = 1e-3
diffusivity = 1e-4
buoyancy = 1
scalars = { dye = {}, salt = { diffusivity = 2e-4, buoyancy = -0.5 } }
[numerics]
scalar_advection = "limited3"
[time]
scheme = "ssp-rk3"
end = 3
[[initial]]
velocity = ["sin(pi*x)*cos(pi*y)", "-cos(pi*x)*sin(pi*y)", 0]
temperature = "x < 0.4"
scalars = { dye = { value = "(x - 0.5)^2 + (z - 0.3)^2 < 0.06" }, salt = { value = "z < 0.5 && y > 0.3" } }
[boundary]
x = "free_slip"
y = "free_slip"
z = "no_slip"
[output]
overview = false
series_every_steps = 5
fields = ["temperature", "dye", "salt"]
"""
names = ["temperature", "dye", "salt"]


def extremes(run):
    fields = watersmeet.open(run).fields[-1]
    values = [fields[name][...] for name in names]
    return min(v.min() for v in values), max(v.max() for v in values)


def widths(run):
    """Volumes of the cells of `folded`, [k][j][i]."""
    faces = []
    for n, s in ((21, 1.2), (14, 0.8), (17, 1.5)):
        at = 2 * np.arange(n + 1) / n - 1
        faces.append(np.diff(0.5 + 0.5 * np.tanh(s * at) / np.tanh(s)))
    return faces[2][:, None, None] * faces[1][None, :, None] * faces[0][None, None, :]


def test_fronts_stay_between_0_and_1_and_are_conserved(tmp_path):
    (tmp_path / "flow.toml").write_text(folded)
    succeed("run", "flow.toml", "--dir", "limited", cwd=tmp_path)
    least, most = extremes(tmp_path / "limited")
    assert least >= -1e-13 and most <= 1 + 1e-13
    run = watersmeet.open(tmp_path / "limited")
    assert np.max(run.series["cfl"]) <= 0.5
    assert len(run.fields) > 1
    volume = widths(run)
    for name in names:
        first, last = (np.sum(volume * run.fields[n][name][...]) for n in (0, -1))
        assert abs(last / first - 1) < 1e-12
    # What a flux without limiter does to the same fronts.
    words = settings(numerics__scalar_advection='"centered2"')
    succeed("run", "flow.toml", "--dir", "centred", *words, cwd=tmp_path)
    least, most = extremes(tmp_path / "centred")
    assert least < -0.05 and most > 1.05


# Fluid of the temperature 1 enters and leaves through sides, open ones and such of a given velocity.
through = {
    "given": """x_lower = { velocity = [1, 0, 0], temperature = 1 }
x_upper = { velocity = [1, 0, 0], temperature = 0 }
y = "free_slip"
""",
    "open": """x_lower = { kind = "no_slip", velocity = ["6*y*(1 - y)", 0, 0], temperature = 1 }
x_upper = { kind = "open" }
y_lower = "free_slip"
y_upper = { kind = "open", temperature = 1 }
""",
}


@pytest.mark.parametrize("sides", through)
def test_what_enters_stays_between_bounds(tmp_path, sides):
    text = folded[:folded.index("[boundary]")] + "[boundary]\n" + through[sides] + 'z = "periodic"\n' + folded[folded.index("[output]"):]
    text = text.replace("z_stretching = 1.5\n", "").replace("cells = [21, 14, 17]", "cells = [31, 14, 1]").replace("buoyancy = 1\n", "")
    text = text.replace("buoyancy = -0.5", "buoyancy = 0").replace('"sin(pi*x)*cos(pi*y)", "-cos(pi*x)*sin(pi*y)", 0', '1, "0.3*sin(2*pi*x)", 0')
    (tmp_path / "flow.toml").write_text(text)
    for end in (0.4, 3):
        succeed("run", "flow.toml", "--dir", f"at{end}", *settings(time__end=end), cwd=tmp_path)
        least, most = extremes(tmp_path / f"at{end}")
        assert least >= -1e-13 and most <= 1 + 1e-13
    if sides == "given":
        # The box has been flushed three times.
        assert watersmeet.open(tmp_path / "at3").fields[-1]["temperature"][...].mean() > 0.9


# A profile that a uniform flow carries once around a periodic box.
carried = """[case]
system = "boussinesq"
[grid]
cells = [32, 32, 1]
upper = [1, 1, 1]
[physics]
viscosity = 0
scalars = { SCALARS }
[numerics]
scalar_advection = "limited3"
[time]
scheme = "ssp-rk3"
end = 1
[[initial]]
velocity = [1, -1, 0]
temperature = "sin(2*pi*x)*cos(2*pi*y)"
[boundary]
x = "periodic"
y = "periodic"
[output]
overview = false
fields = ["temperature", "*"]
"""


def with_advection(text, value):
    return text.replace('scalar_advection = "limited3"', f"scalar_advection = {value}")


# Passive scalars in one flow: each moves as it does where all have its advection.
@pytest.mark.parametrize("mixed, own", [
    ('{ kind = "upwind1", dye = "limited3", temperature = "centered2" }', {"temperature": "centered2", "dye": "limited3", "salt": "upwind1"}),
    ('{ dye = "limited3", salt = "upwind1" }', {"temperature": "centered2", "dye": "limited3", "salt": "upwind1"}),
])
def test_each_scalar_has_its_own_advection(tmp_path, mixed, own):
    passive = folded.replace("buoyancy = 1\n", "").replace(", buoyancy = -0.5", "").replace("end = 3", "steps = 40\ndt = 5e-3")
    for name in ("mixed", *own.values()):
        (tmp_path / f"{name}.toml").write_text(with_advection(passive, mixed if name == "mixed" else f'"{name}"'))
        succeed("run", f"{name}.toml", "--dir", name, "--device", "cpu", cwd=tmp_path)
    with h5py.File(newest(tmp_path / "mixed", "checkpoint")) as file:
        for scalar, advection in own.items():
            for other in own.values():
                with h5py.File(newest(tmp_path / other, "checkpoint")) as alike:
                    same = np.array_equal(file["arrays"][scalar][()], alike["arrays"][scalar][()])
                    assert same == (other == advection), (scalar, other)


def test_one_bounded_scalar_among_others(tmp_path):
    (tmp_path / "flow.toml").write_text(with_advection(folded, '{ kind = "centered2", dye = "limited3" }'))
    succeed("run", "flow.toml", "--dir", "run", cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    dye, heat = (run.fields[-1][name][...] for name in ("dye", "temperature"))
    assert dye.min() >= -1e-13 and dye.max() <= 1 + 1e-13
    assert heat.min() < -0.05 and heat.max() > 1.05
    assert np.max(run.series["cfl"]) <= 0.5


# Eight scalars of equal data, and among them one of other.
many = ", ".join(f"s{n} = {{ diffusivity = {0.02 if n == 4 else 0.01} }}" for n in range(8))
eight = (carried.replace("SCALARS", many).replace("viscosity = 0", "viscosity = 0.01\ndiffusivity = 0.01").replace("end = 1", "steps = 20")
         .replace(', "*"', "".join(f', "s{n}"' for n in range(8)))
         .replace("[output]", "".join(f'[[initial]]\nscalars.s{n} = {{ value = "sin(2*pi*x)*cos(2*pi*y)" }}\n' for n in range(8)) + "[output]"))


@pytest.mark.parametrize("scheme, advection", [("ab2", "centered2"), ("rk3", "upwind1"), ("ssp-rk3", "centered2"), ("ssp-rk3", "limited3")])
def test_equal_scalars_have_equal_bits(tmp_path, scheme, advection):
    (tmp_path / "flow.toml").write_text(eight)
    words = settings(time__scheme=f'"{scheme}"', numerics__scalar_advection=f'"{advection}"', output__profiles_every_steps=20)
    succeed("run", "flow.toml", "--dir", "run", *words, cwd=tmp_path)
    run = watersmeet.open(tmp_path / "run")
    fields = run.fields[-1]
    for n in range(8):
        same = np.array_equal(fields[f"s{n}"][...], fields["temperature"][...])
        assert same == (n != 4), n
        assert abs(run.series[f"s{n}_mean"][-1] - np.mean(fields[f"s{n}"][...])) < 1e-15
        assert len(run.profiles[f"s{n}_mean"][-1]) == len(run.profiles["temperature_mean"][-1])


# A scalar that is split off, by its number or by its advection, moves as one that is not; so does the flow that it drives.
def test_split_stages_compute_what_fused_ones_do(tmp_path):
    fused = folded.replace('scalar_advection = "limited3"\n', "").replace('scheme = "ssp-rk3"\n', "").replace("end = 3", "steps = 30")
    (tmp_path / "fused.toml").write_text(fused)
    (tmp_path / "split.toml").write_text(fused.replace("dye = {}", "dye = {}, a = {}, b = {}"))
    for scheme in ("ab2", "rk3"):
        for name in ("fused", "split"):
            succeed("run", f"{name}.toml", "--dir", f"{name}-{scheme}", *settings(time__scheme=f'"{scheme}"'), cwd=tmp_path)
        one, other = (watersmeet.open(tmp_path / f"{name}-{scheme}").fields[-1] for name in ("fused", "split"))
        for name in names:
            np.testing.assert_allclose(one[name][...], other[name][...], rtol=0, atol=1e-12)


def largest_difference(a, b):
    with h5py.File(newest(a, "checkpoint")) as one, h5py.File(newest(b, "checkpoint")) as other:
        assert sorted(one["arrays"]) == sorted(other["arrays"])
        return max(np.max(np.abs(one["arrays"][name][()] - other["arrays"][name][()])) for name in one["arrays"])


@pytest.mark.parametrize("advection", ['"limited3"', '{ kind = "upwind1", dye = "limited3" }'])
def test_a_resumed_run_has_the_same_bits(tmp_path, advection):
    (tmp_path / "flow.toml").write_text(with_advection(folded, advection).replace("end = 3", "steps = 20"))
    succeed("run", "flow.toml", "--dir", "one", *ranks_words(1), cwd=tmp_path)
    run_in_parts(tmp_path, "parts", [(9, 1), (20, 1)])
    assert largest_difference(tmp_path / "one", tmp_path / "parts") == 0


# Multigrid has the same bits on any number of ranks, and so have the scalars.
@on_ranks
def test_ranks_have_the_same_bits(tmp_path):
    flat = folded.replace("cells = [21, 14, 17]", "cells = [24, 16, 1]").replace("z_stretching = 1.5\n", "").replace('z = "no_slip"', 'z = "periodic"')
    flat = flat.replace("x_stretching = 1.2\n", "").replace("y_stretching = 0.8\n", "").replace("end = 3", "steps = 20")
    for name, text in (("walls", flat), ("periodic", flat.replace('x = "free_slip"', 'x = "periodic"').replace("sin(pi*x)", "sin(2*pi*x)")),
                       ("mixed", with_advection(flat, '{ salt = "upwind1", dye = "limited3" }'))):
        (tmp_path / "flow.toml").write_text(text)
        words = settings(numerics__pressure__solver='"mg"')
        succeed("run", "flow.toml", "--dir", f"{name}1", *words, *ranks_words(1), cwd=tmp_path)
        for count in (2, 3):
            succeed("run", "flow.toml", "--dir", f"{name}{count}", *words, *settings(device__ranks_along=f"[{count}, 1, 1]"), *ranks_words(count), cwd=tmp_path)
            assert largest_difference(tmp_path / f"{name}1", tmp_path / f"{name}{count}") == 0


@on_ranks
@pytest.mark.parametrize("sides", through)
def test_slabs_and_open_sides(tmp_path, sides):
    text = folded[:folded.index("[boundary]")] + "[boundary]\n" + through[sides] + 'z = "periodic"\n' + folded[folded.index("[output]"):]
    (tmp_path / "flow.toml").write_text(text.replace("z_stretching = 1.5\n", "").replace("end = 3", "steps = 12"))
    succeed("run", "flow.toml", "--dir", "one", *ranks_words(1), cwd=tmp_path)
    succeed("run", "flow.toml", "--dir", "three", *ranks_words(3), cwd=tmp_path)
    run_in_parts(tmp_path, "parts", [(5, 1), (12, 2)])
    for other in ("three", "parts"):
        assert largest_difference(tmp_path / "one", tmp_path / other) < 1e-11


@pytest.mark.parametrize("keys, words", [
    ({"time__scheme": '"ab2"'}, ["limited3 keeps scalars between bounds only in stages", "those of ab2 are not", 'set time.scheme = "ssp-rk3"']),
    ({"time__scheme": '"rk3"', "numerics__scalar_advection": '{ kind = "upwind1", dye = "limited3" }'}, ["those of rk3 are not", "numerics.scalar_advection"]),
    ({"numerics__scalar_advection": '{ pepper = "limited3" }'}, ["the case has no scalar `pepper`", "temperature, dye, salt"]),
    ({"numerics__scalar_advection": '{ dye = "limited" }'}, ['"limited3"']),
    ({"time__cfl": 0.6}, ["limited3 is not bounded at cfl = 0.6: its limit is 0.5"]),
    ({f"physics__scalars__x{n}__diffusivity": 0 for n in range(7)}, ["the case has 9 scalars besides the temperature; at most 8 are possible"]),
])
def test_what_cannot_be_bounded_is_refused(tmp_path, keys, words):
    (tmp_path / "flow.toml").write_text(folded)
    result = call("check", "flow.toml", *settings(**keys), cwd=tmp_path)
    assert result.returncode == 2, result.stdout
    for text in words:
        assert text in " ".join(result.stderr.split()), result.stderr
