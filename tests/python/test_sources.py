"""Source terms as expressions, [[source]]: closed forms with the order of the scheme in every system, the same bits however a run is cut,
streamed or interrupted, and what is wrong with a case."""

import json

import numpy as np
import pytest
import watersmeet

from rank_runs import on_ranks, ranks_words, run_in_parts, assert_same_on_ranks
from runs import arrays, assert_same_end, call, needs_program, newest, settings, succeed

pytestmark = needs_program


def last(folder):
    return watersmeet.open(folder).fields[-1]


def value(folder, field, component=None):
    """Of a uniform field, the value that all cells have."""
    found = last(folder)[field]
    values = np.asarray(found if hasattr(found, "shape") else found.flat(), dtype=float)  # of blocks: all nodes
    values = values if component is None else values[..., component]
    assert np.ptp(values) <= 1e-13 * max(1, np.abs(values).max()), f"{field} is not uniform"
    return float(values.flat[0])


air = "[physics.fluids.air]\ngamma = 1.4\ndensity = 1.0\n"
flat = "[grid]\ncells = [6, 5, 1]\nupper = [60.0, 50.0, 1.0]\n"
box = "[grid]\ncells = [6, 5, 4]\nupper = [6.0, 5.0, 4.0]\n"
periodic = '[boundary]\nx = "periodic"\ny = "periodic"\n'
# Wide cells: sound and waves do not bound the steps of 1/20.
air_box = "[grid]\ncells = [6, 5, 4]\nupper = [6e4, 5e4, 4e4]\n" + periodic

# Wavy blocks, whose nodes are far apart.
blocks = '[grid]\nmesh = { kind = "wavybox", cells = [5, 4], periodic = true, length = 1e4 }\n[physics]\nfreestream = { mach = 0.0 }\n[time]\nmode = "unsteady"\n'

# A system, its case without sources, a source, the field that follows an ordinary differential equation, its value at t = 1, and schemes with
# their orders. c_v = 717.5 of the atmosphere.
relaxation = 1 + np.exp(-2.0)  # p' = -2 (p - 1), p(0) = 2
driven = (2 * np.sin(3) - 3 * np.cos(3) + 3 * np.exp(-2)) / 13  # u' = sin 3t - 2u, u(0) = 0
closed = {
    "isothermal, time": ("isothermal", box, 'velocity = ["cos(3*t)", 0, 0]', ("velocity", 0), np.sin(3) / 3,
                         {"rk3-williamson": 3, "rk2": 2, "rk4-carpenter-kennedy": 4}),
    "isothermal, state": ("isothermal", box, 'velocity = [0, "sin(3*t) - 2*velocity.y", 0]', ("velocity", 1), driven,
                          {"rk3-williamson": 3, "rk3-cubism": 3, "rk2": 2, "rk4-carpenter-kennedy": 4}),
    "isothermal, density": ("isothermal", box + '[[initial]]\ndensity = 2\n', 'density = "-2*(rho - 1)"', ("rho", None), relaxation, {"rk3-williamson": 3}),
    "mhd, potential": ("mhd", box, 'potential = [0, 0, "sin(3*t) - 2*vector_potential.z"]', ("vector_potential", 2), driven, {"rk3-williamson": 3}),
    # T = T_0 exp(gamma q) at rho = 1, and the heat rho c_v T' = Q; c_p = 1, gamma = 1.5.
    "mhd, heating": ("mhd", box + '[physics]\nenergy = "entropy"\ngamma = 1.5\n', 'heating = "(sin(3*t) - 2*(temperature - 2))/1.5"',
                     ("temperature", None), 2 + driven, {"rk3-williamson": 3}),
    "multicomponent, energy": ("multicomponent", box + air + '[[initial]]\nfluid = "air"\npressure = 2\n', 'energy = "-2*(p - 1)*Gamma"', ("p", None),
                               relaxation, {"rk3-cubism": 3, "ssp-rk3": 3}),
    "multicomponent, momentum": ("multicomponent", box + air + '[[initial]]\nfluid = "air"\npressure = 2\n',
                                 'momentum = [0, 0, "rho*(sin(3*t) - 2*velocity.z)"]', ("velocity", 2), driven, {"rk3-cubism": 3}),
    "shallow water, rain": ("shallow_water", flat + periodic + '[[initial]]\nsurface = 2\n', 'surface = "-2*(depth - 1)"', ("depth", None), relaxation,
                            {"ssp-rk3": 3, "rk4-carpenter-kennedy": 4}),
    "shallow water, stress": ("shallow_water", flat + periodic + '[[initial]]\nsurface = 1\n', 'discharge = ["depth*(sin(3*t) - 2*velocity.x)", 0, 0]',
                              ("velocity", 0), driven, {"ssp-rk3": 3}),
    # The friction of the system itself takes the place of half of the term.
    "shallow water, friction": ("shallow_water", flat + periodic + '[physics]\nfriction = { linear = 1.0 }\n[[initial]]\nsurface = 1\n',
                                'discharge = [0, "sin(3*t) - velocity.y", 0]', ("velocity", 1), driven, {"ssp-rk3": 3}),
    "boussinesq, velocity": ("boussinesq", box + "[physics]\nviscosity = 0\n" + periodic + 'z = "periodic"\n', 'velocity = [0, 0, "sin(3*t) - 2*velocity.z"]', ("velocity", 2),
                             driven, {"ab2": 2, "rk3": 3}),
    "boussinesq, temperature": ("boussinesq", box + "[physics]\nviscosity = 0\n" + periodic + 'z = "periodic"\n', 'temperature = "sin(3*t) - 2*temperature"',
                                ("temperature", None), driven, {"ab2": 2, "rk3": 3}),
    "boussinesq, scalar": ("boussinesq", box + '[physics]\nviscosity = 0\nscalars.salt = { diffusivity = 0.0 }\n', 'scalars.salt = "sin(3*t) - 2*salt"', ("salt", None),
                           driven, {"rk3": 3}),
    "aerodynamics, density": ("aerodynamics", blocks + '[[initial]]\ndensity = 2\n', 'density = "-2*(rho - 1)"', ("rho", None), relaxation, {"rk4": 4}),
    "aerodynamics, energy": ("aerodynamics", blocks + '[[initial]]\npressure = 2\n', 'energy = "-2*(p - 1)/0.4"', ("p", None), relaxation, {"rk4": 4}),
    "aerodynamics, momentum": ("aerodynamics", blocks + '[[initial]]\npressure = 2\n', 'momentum = [0, "rho*(sin(3*t) - 2*velocity.y)", 0]', ("velocity", 1), driven, {"rk4": 4}),
    "atmosphere, energy": ("atmosphere", air_box + '[physics]\ngravity = 0\nreference = { kind = "isothermal", temperature = 300 }\n',
                           'energy = "-2*(temperature - 299)*717.5*rho"', ("temperature", None), 299 + np.exp(-2.0),
                           {"ssp-rk3": 3, "hevi": 2}),
    "atmosphere, momentum": ("atmosphere", air_box + '[physics]\ngravity = 0\nreference = { kind = "isothermal", temperature = 300 }\n',
                             'momentum = ["rho*(sin(3*t) - 2*velocity.x)", 0, 0]', ("velocity", 0), driven, {"ssp-rk3": 3, "hevi": 2}),
}  # fmt: skip


@pytest.mark.parametrize("name, scheme", [(name, scheme) for name in closed for scheme in closed[name][5]])
def test_sources_have_the_order_of_the_scheme(name, scheme, tmp_path):
    system, head, source, (field, component), exact, orders = closed[name]
    (tmp_path / "case.toml").write_text(f'[case]\nsystem = "{system}"\n{head}[[source]]\n{source}\n')
    errors = []
    for steps in (40, 80):
        words = settings(time__scheme=f'"{scheme}"', time__dt=1 / steps, time__end=1.0, output__overview="false", output__every=1.0,
                         output__precision='"double"', output__fields=json.dumps([field]))
        succeed("run", "case.toml", "--dir", f"r{steps}", *words, *ranks_words(1), cwd=tmp_path)
        errors.append(abs(value(tmp_path / f"r{steps}", field, component) - exact))
    assert errors[0] < 0.005 * max(1, abs(exact))
    assert 2 ** (orders[scheme] - 0.35) < errors[0] / errors[1] < 2 ** (orders[scheme] + 1.35), errors


@pytest.mark.parametrize("storage", ["two", "stored", "stored-full"])
@pytest.mark.parametrize("precision, error", [("double", 1e-12), ("single", 2e-6)])
def test_every_storage_gives_the_same(storage, precision, error, tmp_path):
    (tmp_path / "case.toml").write_text('[case]\nsystem = "isothermal"\n' + box + '[[source]]\nvelocity = ["cos(3*t)", 0, 0]\n')
    words = settings(time__dt=0.1, time__end=1.0, output__overview="false", output__every=1.0, output__precision='"double"')
    succeed("run", "case.toml", "--dir", "r", *words, *settings(numerics__storage=f'"{storage}"', numerics__precision=f'"{precision}"'), cwd=tmp_path)
    # Weights 1/6, 3/10, 8/15 of the rates at 0, 1/3 and 3/4 of a step: a rule of third order.
    t = 0.1 * np.arange(10)
    exact = 0.1 * sum(w * np.cos(3 * (t + 0.1 * c)) for w, c in ((1 / 6, 0), (3 / 10, 1 / 3), (8 / 15, 3 / 4))).sum()
    assert value(tmp_path / "r", "velocity", 0) == pytest.approx(exact, abs=error)


def test_sources_of_several_entries_add_up(tmp_path):
    (tmp_path / "case.toml").write_text('[case]\nsystem = "isothermal"\n' + box + """[constants]
a = 0.25
rho = 7
[time]
dt = 0.125
steps = 8
[output]
overview = false
[[source]]
velocity = ["a", 0, 0]
[[source]]
velocity = ["2*a", "a*(t < 0.5)", 3]
""")
    succeed("run", "case.toml", "--dir", "r", cwd=tmp_path)
    assert [value(tmp_path / "r", "velocity", c) for c in range(3)] == pytest.approx([0.75, 0.125, 3.0], rel=1e-6)


def test_values_of_a_staggered_grid_are_means_at_the_points_of_the_equation(tmp_path):
    (tmp_path / "case.toml").write_text("""[case]
system = "boussinesq"
[grid]
cells = [8, 6, 5]
upper = [8.0, 6.0, 5.0]
z_stretching = 1.0
[physics]
viscosity = 0
[boundary]
x = "periodic"
y = "periodic"
z = "free_slip"
[time]
dt = 1e-3
steps = 1
[[initial]]
velocity = [0, "sin(2*pi*x/8)", 0]
temperature = "cos(2*pi*x/8)"
[[source]]
velocity = [0, "y*0 + temperature*x", 0]
temperature = "speed^2 + 10*x"
[output]
overview = false
precision = "double"
fields = ["velocity", "temperature"]
""")
    succeed("run", "case.toml", "--dir", "r", cwd=tmp_path)
    fields = last(tmp_path / "r")
    x = np.arange(8) + 0.5
    v, temperature = np.sin(2 * np.pi * x / 8), np.cos(2 * np.pi * x / 8)
    # A transverse flow that carries nothing: what is left is Euler's step of the sources.
    assert np.asarray(fields["velocity"])[..., 1] == pytest.approx(np.broadcast_to(v + 1e-3 * temperature * x, (5, 6, 8)), abs=1e-12)
    assert np.asarray(fields["temperature"]) == pytest.approx(np.broadcast_to(temperature + 1e-3 * (v**2 + 10 * x), (5, 6, 8)), abs=1e-12)


# Whole cases of every system with sources of place, time and state.
wavy = 'upper = [6.0, 5.0, 4.0]\n[time]\nsteps = 12\n[output]\noverview = false\nevery_steps = 4\n'
whole = {
    "isothermal": f'[case]\nsystem = "isothermal"\n[grid]\ncells = [14, 12, 16]\n{wavy}[[initial]]\ndensity = "1 + 0.1*sin(2*pi*x/6)"\n'
    '[[source]]\nvelocity = ["0.3*sin(2*pi*z/4)*cos(2*t)", "-0.2*velocity.y", "0.1*p - 0.1*rho*exp(-r)"]\ndensity = "0.1*(1 - rho)*sin(2*pi*y/5)"\n',
    "mhd": f'[case]\nsystem = "mhd"\n[grid]\ncells = [14, 12, 16]\n{wavy}[physics]\nenergy = "entropy"\nshock_viscosity = 1.0\n[[initial]]\npotential = ["0.1*cos(2*pi*z/4)", 0, 0]\n'
    '[[source]]\npotential = [0, "0.05*sin(2*pi*x/6)", "-0.1*vector_potential.z"]\nheating = "0.2*(temperature - 1.2)*sin(2*pi*z/4)"\n',
    "multicomponent": f'[case]\nsystem = "multicomponent"\n[grid]\ncells = [16, 12, 14]\n{wavy}[physics.fluids.air]\ngamma = 1.4\ndensity = 1.0\n[physics.fluids.water]\ngamma = 4.4\np_c = 6.0\ndensity = 2.0\n'
    '[boundary]\nx = "absorbing"\n[[initial]]\nfluid = "air"\npressure = "1.0"\n[[initial]]\nfluid = "water"\nshape = { kind = "sphere", centre = [3.0, 2.5, 2.0], radius = 1.2 }\n'
    '[[source]]\nmomentum = ["0.1*sin(2*pi*z/4)*rho", "-0.1*velocity.y*mach", 0]\nenergy = "0.3*(1 - p)*alpha + 0.1*exp(-(y - 2)^2 - 10*t)"\n',
    "shallow water": '[case]\nsystem = "shallow_water"\n[grid]\ncells = [16, 24, 1]\n' + wavy + '[physics]\nbed = "-1 + 0.1*cos(2*pi*x/6)"\nfriction = { drag = 0.01 }\n[boundary]\nx_lower = "wall"\nx_upper = "open"\n[[initial]]\nsurface = "0.05*sin(2*pi*y/5)"\n'
    '[[source]]\nsurface = "0.1*exp(-x^2) - 0.01*depth"\ndischarge = ["0.1*sin(y)*depth*cos(t)", "-0.2*velocity.y*froude + 0.01*bed", 0]\n',
    "water on a sphere": '[case]\nsystem = "shallow_water"\n[grid]\nkind = "cubed_sphere"\ncells = 8\n[time]\nsteps = 12\n[output]\noverview = false\nevery_steps = 4\n[[initial]]\nstate = "williamson-6"\n'
    '[[source]]\nsurface = "1e-2*cos(lat)"\ndischarge = ["1e-1*depth*sin(lon)*cos(lat)", "-1e-5*depth*velocity_north", 0]\n',
    "atmosphere": '[case]\nsystem = "atmosphere"\n[grid]\ncells = [12, 14, 8]\nupper = [6e3, 5e3, 4e3]\n[time]\nsteps = 12\n[output]\noverview = false\nevery_steps = 4\n[physics]\nreference = { kind = "stratified", brunt_vaisala = 0.01 }\n'
    '[boundary]\ny = "periodic"\n[[initial]]\ntheta = "exp(-((x - 3e3)^2 + (z - 2e3)^2)/1e6)"\n[[source]]\nmomentum = ["-1e-3*rho*velocity.x", "1e-3*rho*sin(y/800)", "1e-4*w"]\nenergy = "-0.1*rho*(temperature - 280 + 0.006*z)"\n',
    "air on a sphere": '[case]\nsystem = "atmosphere"\n[grid]\nkind = "cubed_sphere"\ncells = [8, 8, 6]\ntop = 1e4\n[time]\nsteps = 12\n[output]\noverview = false\nevery_steps = 4\n[[initial]]\nstate = "dcmip31"\n'
    '[[source]]\nmomentum = ["-1e-5*rho*velocity_east", "1e-3*rho*cos(lat)*sin(lon)", 0]\nenergy = "-1e-3*rho*(temperature - 280 + 0.006*z)"\n',
}  # fmt: skip


whole["atmosphere over terrain"] = whole["atmosphere"].replace("[physics]\n", '[physics]\nterrain = "60*sin(x/1e3)"\n')
whole["multicomponent, strict"] = whole["multicomponent"].replace("[time]\n", '[numerics]\npositivity = "strict"\n[time]\n', 1)
whole["boussinesq"] = """[case]
system = "boussinesq"
[grid]
cells = [12, 10, 8]
upper = [6.0, 5.0, 4.0]
[physics]
viscosity = 0.02
buoyancy = 1.0
[boundary]
x = "no_slip"
y = "periodic"
z_lower = { kind = "no_slip", temperature = 0.5 }
z_upper = { kind = "no_slip", temperature = -0.5 }
[time]
steps = 12
[output]
overview = false
every_steps = 4
[[source]]
velocity = ["0.3*sin(2*pi*z/4)*cos(2*t)", "-0.2*velocity.y*speed", "0.1*temperature*exp(-r)"]
temperature = "0.1*(z - 2) - 0.2*temperature*velocity.z"
"""


air_on_blocks = """[case]
system = "aerodynamics"
[grid]
mesh = { kind = "wavybox", cells = [12, 8], blocks = [2, 2] }
[physics]
freestream = { mach = 0.4, alpha_deg = 10 }
[boundary]
outer = "farfield"
[output]
overview = false
every_steps = 4
[time]
steps = 12
"""
# Cycles of multigrid: two on each coarse grid, two of first order, the rest of the order of the case.
whole["aerodynamics, steady"] = air_on_blocks + """first_order_cycles = 2
[[source]]
density = "0.01*(1 - rho)"
momentum = ["0.02*sin(2*pi*y/10)*rho", "-0.01*velocity.y*mach", 0]
energy = "0.05*exp(-(x - 5)^2 - (y - 5)^2) - 0.01*p*speed"
"""
whole["aerodynamics in time"] = air_on_blocks + """mode = "unsteady"
[[source]]
momentum = ["0.02*sin(2*pi*y/10)*cos(3*t)", "-0.01*velocity.y*temperature", 0]
energy = "0.05*exp(-(x - 5)^2 - (y - 5)^2 - t) - 0.01*(total_enthalpy - 2.5) + 0.01*entropy*energy"
"""


@on_ranks
@pytest.mark.parametrize("name", [name for name in whole if name != "boussinesq"])
def test_sources_have_the_same_bits_on_any_number_of_ranks(name, tmp_path):
    (tmp_path / "flow.toml").write_text(whole[name])
    assert_same_on_ranks(tmp_path, [2, 3])


@pytest.mark.parametrize("name", ["isothermal", "multicomponent", "multicomponent, strict", "shallow water", "atmosphere", "atmosphere over terrain"])
@pytest.mark.parametrize("fused", [1, 2])
def test_sources_of_a_streamed_run_are_those_of_a_resident_one(name, fused, tmp_path):
    planes = 61 if "strict" in name else 41  # a stage of the limiter reaches over three more
    (tmp_path / "flow.toml").write_text(whole[name].replace("cells = [14, 12, 16]", f"cells = [14, 12, {planes}]").replace("[16, 12, 14]", f"[16, 12, {planes}]")
                                        .replace("[16, 24, 1]", "[16, 45, 1]").replace("[12, 14, 8]", "[12, 41, 8]"))
    dt = 0.2 if name.startswith("atmosphere") else 0.01
    words = settings(output__checkpoint_every_steps=5, time__dt=dt)
    succeed("run", "flow.toml", "--dir", "a", *words, *ranks_words(1), cwd=tmp_path)
    succeed("run", "flow.toml", "--dir", "b", *words, *ranks_words(1),
            *settings(device__memory='"stream"', stream__segments=4, stream__fused_steps=fused), cwd=tmp_path)
    assert_same_end(tmp_path / "a", tmp_path / "b")


@pytest.mark.parametrize("name", whole)
def test_a_resumed_run_with_sources_has_the_same_bits(name, tmp_path):
    (tmp_path / "flow.toml").write_text(whole[name])
    words = settings(output__checkpoint_every_steps=5)
    succeed("run", "flow.toml", "--dir", "a", *words, *ranks_words(1), cwd=tmp_path)
    run_in_parts(tmp_path, "b", [(5, 1), (12, 1)], words)
    assert arrays(newest(tmp_path / "a")) == arrays(newest(tmp_path / "b"))


@pytest.mark.parametrize("name", whole)
def test_sources_change_every_equation_that_they_name(name, tmp_path):
    """And a step that is carried out twice has the same bits."""
    (tmp_path / "flow.toml").write_text(whole[name])
    (tmp_path / "bare.toml").write_text(whole[name].partition("[[source]]")[0])
    for case in ("flow", "bare"):
        succeed("run", f"{case}.toml", "--dir", case, *settings(time__steps=2), *ranks_words(1), cwd=tmp_path)
    succeed("run", "flow.toml", "--dir", "twice", *settings(time__steps=2, device__verify_every=1), *ranks_words(1), cwd=tmp_path)
    a, b, twice = (arrays(newest(tmp_path / folder)) for folder in ("flow", "bare", "twice"))
    assert a == twice
    assert any(a[field] != b[field] for field in a)


def test_a_table_may_be_called(tmp_path):
    import h5py

    with h5py.File(tmp_path / "heat.h5", "w") as file:
        file["y"] = np.linspace(0, 5, 6)
        file["heat"] = np.linspace(0, 5, 6) ** 2
        file["y"].make_scale("y")
        file["heat"].dims[0].attach_scale(file["y"])
    (tmp_path / "case.toml").write_text('[case]\nsystem = "isothermal"\n[grid]\ncells = [4, 5, 1]\nupper = [4.0, 5.0, 1.0]\n'
                                        '[tables.heat]\nfile = "heat.h5"\n[time]\ndt = 1e-3\nsteps = 1\n[output]\noverview = false\nprecision = "double"\n[physics]\nviscosity = 0\n'
                                        '[[source]]\nvelocity = ["heat(y)", 0, "heat(1.5)"]\n')
    succeed("run", "case.toml", "--dir", "r", cwd=tmp_path)
    velocity = np.asarray(last(tmp_path / "r")["velocity"])[0, :, 0]
    # Linear between the squares; cells lie at the points of a periodic grid.
    y = np.arange(5.0)
    assert velocity[:, 0] == pytest.approx(1e-3 * y**2, rel=1e-5, abs=1e-8)
    assert velocity[:, 2] == pytest.approx(1e-3 * 2.5, rel=1e-9)


def test_a_source_that_is_not_finite_ends_the_run(tmp_path):
    (tmp_path / "case.toml").write_text('[case]\nsystem = "isothermal"\n' + box + "[time]\ndt = 0.1\nsteps = 20\n[output]\noverview = false\n"
                                        '[[source]]\nvelocity = ["sqrt(0.95 - t)", 0, 0]\n')
    said = call("run", "case.toml", "--dir", "r", cwd=tmp_path)
    assert said.returncode not in (0, 2) and "not a number in ux at step 10" in said.stderr


def test_a_steady_flow_starts_on_coarse_grids_with_its_sources(tmp_path):
    """A gas at rest whose density relaxes to 2: the coarse grids alone bring it there, and without sources they would keep 1."""
    (tmp_path / "case.toml").write_text('[case]\nsystem = "aerodynamics"\n[grid]\nmesh = { kind = "wavybox", cells = [12, 12], periodic = true }\n[physics]\nfreestream = { mach = 0.0 }\n'
                                        '[time]\nsteps = 40\nfirst_order_cycles = 40\nresidual_drop = 0\n[output]\noverview = false\nprecision = "double"\n[[source]]\ndensity = "2 - rho"\n')
    said = succeed("run", "case.toml", "--dir", "r", *ranks_words(1), cwd=tmp_path).stdout
    assert "grids, W cycle" in said
    assert last(tmp_path / "r")["rho"].flat() == pytest.approx(2, abs=5e-3)


def test_the_residual_of_a_flow_in_time_has_the_sources_of_its_own_time(tmp_path):
    (tmp_path / "case.toml").write_text('[case]\nsystem = "aerodynamics"\n[grid]\nmesh = { kind = "wavybox", cells = [12, 12], periodic = true }\n[physics]\nfreestream = { mach = 0.0 }\n'
                                        '[time]\nmode = "unsteady"\ndt = 0.25\nsteps = 4\n[output]\noverview = false\nseries_every_steps = 1\n[[source]]\ndensity = "1 + t"\n')
    succeed("run", "case.toml", "--dir", "r", *ranks_words(1), cwd=tmp_path)
    assert watersmeet.open(tmp_path / "r").series["residual_rho"] == pytest.approx([1, 1.25, 1.5, 1.75, 2], rel=1e-12)


faults = {
    "velocity = [\"0.1*velocty.x\", 0, 0]": ("isothermal", ["unknown name `velocty.x`", "did you mean `velocity.x`?"]),
    "velocity = [0, \"temperature\", 0]": ("isothermal", ["unknown name `temperature`", "known here: x, y, z, r, t, rho"]),
    "velocity = [\"0.1\", 0]": ("isothermal", ["2 values", "3 numbers or expressions in x, y, z, r, t, rho"]),
    "velocity = \"sin(x)\"": ("isothermal", ["3 numbers or expressions"]),
    "energy = \"1\"": ("isothermal", ["energy"]),
    "velocity = [\"velocity\", 0, 0]": ("isothermal", ["`velocity` is a vector", "write velocity.x"]),
    "": ("isothermal", ["this source changes nothing", "velocity"]),
    "velocity = [\"((((((((((((x+1)*2+y)*3+z)*4+x)*5+(y+(z+(x+(y+(z+(x+(y+(z+(x+(y+(z+(x+1))))))))))))))))))))\", 0, 0]": ("isothermal", ["parenthes"]),
    "heating = \"1\"": ("mhd", ["heating", "physics.energy is \"isothermal\""]),
    "potential = [\"entropy\", 0, 0]": ("mhd", ["unknown name `entropy`"]),
    "discharge = [0, 0, \"0.1*x\"]": ("shallow_water", ["there is no discharge along z here"]),
    "surface = \"lon\"": ("shallow_water", ["unknown name `lon`"]),
    "density = 1": ("boussinesq", ["density"]),
    "scalars.salt = 1": ("boussinesq", ["the case has no scalar `salt`"]),
    "temperature = \"salt\"": ("boussinesq", ["unknown name `salt`", "known here: t, x, y, z, r, velocity.x"]),
    "momentum = [0, 0, 1]": ("aerodynamics", ["there is no momentum along z here"]),
    "momentum = [\"sin(t)\", 0, 0]": ("aerodynamics", ["a run to a steady state counts cycles", "remove t"]),
    "energy = \"vorticity.z\"": ("aerodynamics", ["unknown name `vorticity.z`"]),
}  # fmt: skip


@pytest.mark.parametrize("source", faults)
def test_faults_of_sources_name_the_line(source, tmp_path):
    system, said = faults[source]
    flat_box = flat + ("[physics]\nviscosity = 0\n" if system == "boussinesq" else "")
    grid = '[grid]\nmesh = { kind = "bump", cells = [32, 16] }\n[physics.freestream]\nmach = 0.5\n' if system == "aerodynamics" else flat_box
    text = f'[case]\nsystem = "{system}"\n{grid}[time]\nsteps = 1\n[[source]]\n{source}\n'
    (tmp_path / "case.toml").write_text(text)
    result = call("check", "case.toml", cwd=tmp_path)
    assert result.returncode == 2, result.stdout + result.stderr
    for words in said:
        assert words in result.stderr
    line = text.splitlines().index("[[source]]") + 1
    assert f"case.toml:{line}" in result.stderr or f"case.toml:{line + 1}" in result.stderr


def test_a_constant_may_have_the_name_of_a_field_that_is_not_used(tmp_path):
    text = '[case]\nsystem = "isothermal"\n' + box + '[constants]\np = 3\n[time]\nsteps = 1\n[[source]]\nvelocity = ["{}", 0, 0]\n'
    (tmp_path / "good.toml").write_text(text.format("rho*x"))
    succeed("check", "good.toml", cwd=tmp_path)
    (tmp_path / "bad.toml").write_text(text.format("p*x"))
    said = call("check", "bad.toml", cwd=tmp_path)
    assert said.returncode == 2 and "`p` is a field and a constant" in said.stderr
