"""Values of boundaries of blocks as expressions of the flow at their nodes: the reflection of a wave by boundaries of a given impedance, steady flow
between a reservoir and an outlet that follow the flow, the same numbers as values of place and time, the same bits however a run is cut or
interrupted, and faults."""

import json
import re

import numpy as np
import pytest
import watersmeet
from rank_runs import assert_same_on_ranks, on_ranks, run_case, run_in_parts
from runs import arrays, assert_refused, assert_same_end, call, needs_program, newest, settings

pytestmark = needs_program

output = """[output]
overview = false
precision = "double"
every_steps = 1000
"""


def nodes(folder, field):
    """A field of the last snapshot at the nodes of all blocks, one after the other."""
    values = watersmeet.open(folder).fields[-1][field]
    return np.concatenate([np.asarray(block, dtype=float).reshape(-1, *np.shape(block)[3:]) for block in values])


def channel(boundary, cells=(24, 8), blocks=(3, 1), mode="unsteady", more="", length=3.0, height=0.8, mach=0.3):
    """A channel without a bump, of the given conditions at its ends."""
    return f"""[case]
system = "aerodynamics"
[grid]
mesh = {{ kind = "bump", cells = {list(cells)}, blocks = {list(blocks)}, length = {length}, height = {height}, amplitude = 1e-13 }}
[physics]
freestream = {{ mach = {mach} }}
[boundary]
{boundary}
[time]
mode = "{mode}"
{more}{output}fields = ["rho", "velocity", "p", "mach"]
"""


# A wave that arrives at a boundary with p - p_0 = Z u_n comes back (Z - rho c)/(Z + rho c) times; rho = 1 and c = 1. Given as the flow beyond the
# boundary, of which what comes in counts, or as the pressure there.
ends = {
    "inflow": ("inflow", -1, '{{ kind = "exact", state = {{ density = "rho", pressure = "p", velocity = ["-(p - 1/1.4)/{0}", 0, 0] }} }}'),
    "outflow": ("outflow", 1, '{{ kind = "exact", state = {{ density = "rho", pressure = "p", velocity = ["(p - 1/1.4)/{0}", 0, 0] }} }}'),
    "farfield": ("outflow", 1, '{{ kind = "farfield", state = {{ density = "rho", pressure = "p", velocity = ["(p - 1/1.4)/{0}", 0, 0] }} }}'),
    "pressure": ("outflow", 1, '{{ kind = "outflow_pressure", pressure = "1/1.4 + {0}*velocity.x" }}'),
}


@pytest.mark.parametrize("end", ends)
@pytest.mark.parametrize("ratio", [0.5, 3.0])
@pytest.mark.parametrize("precision, error", [("double", 2e-3), ("single", 0.02)])
def test_an_end_of_an_impedance_reflects_a_wave(end, ratio, precision, error, tmp_path):
    name, sign, law = ends[end]
    pulse = "1e-4*exp(-(x/0.25)^2)"
    other = {"inflow": "outflow", "outflow": "inflow"}[name]
    case = channel(f'{name} = {law.format(ratio)}\n{other} = "farfield"', (160, 4), (2, 1), length=4.0, height=0.1, mach=0, more="end = 4\ncfl = 0.5\n")
    case += f'[numerics]\norder = 6\n[[initial]]\ndensity = "1 + {pulse}"\npressure = "1/1.4 + {pulse}"\nvelocity = ["{sign}*{pulse}", 0, 0]\n'
    run = run_case(case, "r", *settings(numerics__precision=f'"{precision}"'), place=tmp_path)
    p = nodes(run, "p").ravel() - 1 / 1.4
    mesh = watersmeet.open(run).fields[-1].mesh
    x = np.concatenate([mesh.xyz(block)[..., 0].ravel() for block in range(len(mesh))])
    exact = 1e-4 * (ratio - 1) / (ratio + 1) * np.exp(-((x / 0.25) ** 2))
    assert abs(p - exact).max() < error * 1e-4


def flow_between(total, back):
    """The Mach number of uniform flow with p (1 + M^2/5)^3.5 = total(p, M) and p = back(u/c^2); the reservoir has T_0 = 1.018 of the stream."""
    low, high = 0.0, 1.0
    for _ in range(80):
        mach = 0.5 * (low + high)
        warm = 1.018 / (1 + 0.2 * mach**2)
        p = back(mach / np.sqrt(warm))
        low, high = (mach, high) if p * (1 + 0.2 * mach**2) ** 3.5 < total(p, mach) else (low, mach)
    return low


@pytest.mark.parametrize("order", [2, 4])
@pytest.mark.parametrize("start", [0, 10])
def test_a_reservoir_with_a_loss_and_a_valve(order, start, tmp_path):
    """p_0 = 0.8 - 0.5 rho u^2/2 comes in, and a valve makes p = 0.7 + 0.05 rho u. Found by cycles over several grids, after those of first order."""
    case = channel(
        'inflow = { kind = "inflow_total", total_pressure = "0.8 - 0.5*0.5*rho*speed^2" }\noutflow = { kind = "outflow_pressure", pressure = "0.7 + 0.05*rho*velocity.x" }',
        mode="steady", more=f"residual_drop = 1e-11\nforce_window = 0\nsteps_max = 3000\nfirst_order_cycles = {start}\n",
    )  # fmt: skip
    mach = nodes(run_case(case + f"[numerics]\norder = {order}\n", "r", place=tmp_path), "mach")
    exact = flow_between(lambda p, m: 0.8 - 0.25 * 1.4 * p * m**2, lambda m: 0.7 / (1 - 0.05 * 1.4 * m))
    assert abs(mach - exact).max() < 1e-10


def test_temperature_and_direction_of_a_reservoir(tmp_path):
    """Warmer the faster it flows out, T_0 = 1 + M^2, and turned by the flow itself, which is straight in the channel in the end."""
    case = channel(
        'inflow = { kind = "inflow_total", total_pressure = 0.8, total_temperature = "1 + mach^2", direction = ["1 + 0*p", "-0.5*velocity.y/speed", 0] }\noutflow = { kind = "outflow_pressure", pressure = 0.7 }',
        mode="steady", more="residual_drop = 1e-11\nforce_window = 0\nsteps_max = 3000\n",
    )  # fmt: skip
    run = run_case(case, "r", place=tmp_path)
    mach2 = 5 * ((0.8 / 0.7) ** (1 / 3.5) - 1)
    assert abs(nodes(run, "mach") ** 2 - mach2).max() < 1e-10
    assert abs(1.4 * nodes(run, "p") / nodes(run, "rho") - (1 + mach2) / (1 + 0.2 * mach2)).max() < 1e-10


def test_what_flows_through_boundaries_is_that_of_these_values(tmp_path):
    """The balance of mass of a steady run is that of its boundaries, whose values the last residual has written."""
    case = channel(
        'inflow = { kind = "inflow_total", total_pressure = "0.8 - 0.25*rho*speed^2" }\noutflow = { kind = "exact", state = { density = "rho", velocity = ["velocity.x", "velocity.y", 0], pressure = "0.5*p + 0.35" } }',
        mode="steady", more="residual_drop = 1e-10\nforce_window = 0\nsteps_max = 3000\n",
    ).replace("1e-13", "0.05")  # fmt: skip
    series = watersmeet.open(run_case(case, "r", place=tmp_path)).series
    assert abs(series["flux_mass"][-1]) < 1e-8


expressions = {"D": "1 + 0.02*sin(2*x + y + t)", "P": "(1 + 0.03*cos(3*y - 2*t))/1.4", "U": "0.3 + 0.02*x*sin(5*y + 3*t)", "V": "0.05*cos(r + t)"}
states = 'inflow = { kind = "exact", state = { density = "D", pressure = "P", velocity = ["U", "V", 0] } }\noutflow = { kind = "exact", state = { pressure = "P", velocity = ["U", "V", 0] } }'


def with_values(text, values):
    for name, expression in values.items():
        text = text.replace(f'"{name}"', json.dumps(expression))
    return text


@pytest.mark.parametrize("kind", ["exact", "farfield", "supersonic_inflow"])
@pytest.mark.parametrize("mode", ["unsteady", "steady"])
def test_states_that_only_name_the_flow_are_those_of_place_and_time(kind, mode, tmp_path):
    """Tables of the times of all stages, and of the nodes of all grids, against expressions that are evaluated at every stage."""
    fast = kind == "supersonic_inflow"
    boundary = states.replace("exact", kind)
    if fast:
        boundary = re.sub("outflow = .*", 'outflow = "supersonic_outflow"', boundary)
    case = channel(boundary, mach=2 if fast else 0.3, mode=mode, more={"unsteady": "dt = 0.02\nsteps = 20\n", "steady": "steps = 12\nfirst_order_cycles = 3\n"}[mode])
    given = {name: text if mode == "unsteady" else re.sub(r" [+-] \d?\*?t\b", "", text) for name, text in expressions.items()}
    if fast:
        given["U"] = "1.7 + " + given["U"]
    runs = [
        run_case(with_values(case, {name: text + more for name, text in given.items()}), folder, place=tmp_path)
        for folder, more in (("place", ""), ("flow", " + 0*rho"), ("late", " + 1e-9*p"))
    ]
    for field in ("rho", "velocity", "p"):
        place, flow, late = (nodes(run, field) for run in runs)
        assert abs(place - flow).max() < 1e-12 < 1e-11 < abs(place - late).max(), field


@pytest.mark.parametrize("kind", ["exact", "farfield"])
def test_the_same_on_all_faces_of_blocks_in_space(kind, tmp_path):
    case = """[case]
system = "aerodynamics"
[grid]
mesh = { kind = "wavybox", cells = [8, 6, 6], blocks = [2, 1, 2] }
[physics]
freestream = { mach = 0.4 }
[boundary]
outer = { kind = "KIND", state = { density = "1 + 0.02*sin(x + y + t)MORE", pressure = "(1 + 0.03*cos(z - 2*t))/1.4", velocity = ["0.4 + 0.02*sin(z)", "0.05*cos(r)MORE", "0.1*sin(x*y)"] } }
[time]
mode = "unsteady"
dt = 0.02
steps = 6
""" + output
    runs = [run_case(case.replace("MORE", more).replace("KIND", kind), folder, place=tmp_path) for folder, more in (("place", ""), ("flow", " + 0*rho"), ("late", " + 1e-9*p"))]
    place, flow, late = (nodes(run, "velocity") for run in runs)
    assert abs(place - flow).max() < 1e-13 < 1e-11 < abs(place - late).max()


no_states = {
    "farfield": (0.4, "outer", 'mesh = { kind = "wavybox", cells = [12, 10], blocks = [2, 1] }', ""),
    "supersonic_inflow": (2.0, "inflow", 'mesh = { kind = "wedge", cells = [24, 16] }', ""),
}


@pytest.mark.parametrize("kind", no_states)
@pytest.mark.parametrize("mode", ["unsteady", "steady"])
def test_a_state_that_is_the_free_stream_changes_nothing(kind, mode, tmp_path):
    """Numbers and expressions of place give the same bits, coefficients and residuals too; expressions that name the flow the same to rounding."""
    mach, name, mesh, more = no_states[kind]
    case = f"""[case]
system = "aerodynamics"
[grid]
{mesh}
[physics]
freestream = {{ mach = {mach} }}
[boundary]
{name} = {{ kind = "{kind}"STATE }}
[time]
mode = "{mode}"
steps = 12
[[initial]]
density = "1 + 0.1*exp(-10*((x - 1)^2 + (y - 1)^2))"
{more}{output}fields = ["rho", "velocity", "p"]
"""
    states = {
        "none": "",
        "numbers": f", state = {{ density = 1, pressure = {1 / 1.4!r}, velocity = [{mach}, 0, 0] }}",
        "place": f', state = {{ velocity = ["{mach} + 0*x", 0, 0] }}',
        "flow": f', state = {{ density = "1 + 0*rho", velocity = ["{mach} + 0*mach", 0, 0] }}',
        "other": f', state = {{ density = "1 + 1e-6*y", pressure = "{1 / 1.4!r} + 1e-6*y" }}',
    }
    runs = {folder: run_case(case.replace("STATE", text), folder, place=tmp_path) for folder, text in states.items()}
    for folder in ("numbers", "place"):
        assert_same_end(runs["none"], runs[folder])
    for field in ("rho", "velocity", "p"):
        none, flow, other = (nodes(runs[folder], field) for folder in ("none", "flow", "other"))
        assert abs(flow - none).max() < 1e-12 < 1e-9 < abs(other - none).max(), field


@pytest.mark.parametrize("kind, mach", [("farfield", 0.5), ("exact", 0.5), ("supersonic_inflow", 1.5)])
def test_a_warm_layer_that_comes_in_moves_with_the_flow(kind, mach, tmp_path):
    """rho(x - u t, y) at constant pressure and velocity is a solution of the Euler equations: what passes the inflow at x = -1 arrives unchanged."""
    layer = "1 + 0.2*exp(-((WAY - 0.2*y)/0.25)^2)"
    way = f"(x + 2 - {mach}*t)"
    outflow = "supersonic_outflow" if mach > 1 else "farfield"
    case = channel(
        f'inflow = {{ kind = "{kind}", state = {{ density = "{layer.replace("WAY", way)}" }} }}\noutflow = "{outflow}"\ntop = "symmetry"',
        (80, 16), (2, 1), length=2.0, height=0.8, mach=mach, more=f"end = {1.9 / mach}\n",
    ).replace(" - 0.2*y", "") + f'[numerics]\norder = 6\n'  # fmt: skip
    run = run_case(case, "r", place=tmp_path)
    mesh = watersmeet.open(run).fields[-1].mesh
    x = np.concatenate([mesh.xyz(block)[..., 0].ravel() for block in range(len(mesh))])
    exact = 1 + 0.2 * np.exp(-(((x + 2 - 1.9) / 0.25) ** 2))
    assert exact.max() > 1.15
    assert abs(nodes(run, "rho").ravel() - exact).max() < 2e-3
    assert abs(nodes(run, "velocity")[..., 0] - mach).max() < 2e-3


def test_a_shear_profile_that_comes_in_is_steady(tmp_path):
    """u(y) at constant density and pressure, from a jet in a duct of walls: the same profile everywhere in the end."""
    profile = "2 + 0.3*tanh((y - 0.4)/0.2)"
    case = channel(
        f'inflow = {{ kind = "supersonic_inflow", state = {{ velocity = ["{profile}", 0, 0] }} }}\noutflow = "supersonic_outflow"\ntop = "symmetry"',
        (16, 24), mach=2, mode="steady", more="residual_drop = 1e-9\nforce_window = 0\nsteps_max = 2000\n",
    ) + "[numerics]\norder = 4\n"  # fmt: skip
    run = run_case(case, "r", place=tmp_path)
    mesh = watersmeet.open(run).fields[-1].mesh
    y = np.concatenate([mesh.xyz(block)[..., 1].ravel() for block in range(len(mesh))])
    assert abs(nodes(run, "velocity")[..., 0] - (2 + 0.3 * np.tanh((y - 0.4) / 0.2))).max() < 0.02
    assert abs(nodes(run, "p") - 1 / 1.4).max() < 5e-3


def test_numbers_and_expressions_of_numbers(tmp_path):
    given = 'inflow = { kind = "inflow_total", total_pressure = 0.78, total_temperature = 1.02, direction = [2, 0.2, 0] }\noutflow = { kind = "outflow_pressure", pressure = 0.7 }'
    written = 'inflow = { kind = "inflow_total", total_pressure = "0.78 + 0*rho", total_temperature = "1.02 + 0*x", direction = ["2 + 0*p", "0.2 + 0*t", 0] }\noutflow = { kind = "outflow_pressure", pressure = "0.7 + 0*mach" }'
    a, b = (run_case(channel(text, more="dt = 0.02\nsteps = 20\n"), name, place=tmp_path) for name, text in (("a", given), ("b", written)))
    for field in ("rho", "velocity", "p"):
        assert np.ptp(nodes(a, field)) > 1e-3 and abs(nodes(a, field) - nodes(b, field)).max() < 1e-13, field


def test_steps_have_the_order_of_the_scheme(tmp_path):
    """Fourth order: values are those at the time, and of the flow, of every stage."""
    case = channel(
        'inflow = { kind = "inflow_total", total_pressure = "0.78 + 0.02*sin(3*t) - 0.1*rho*speed^2" }\noutflow = { kind = "outflow_pressure", pressure = "0.69 + 0.05*rho*speed + 0.01*sin(2*t + y)" }',
        cells=(9, 4), more="end = 1.6\n",
    )  # fmt: skip
    runs = [nodes(run_case(case, f"r{n}", *settings(time__dt=0.1 / 2**n), place=tmp_path), "p") for n in range(3)]
    errors = [abs(runs[n + 1] - runs[n]).max() for n in range(2)]
    assert 1e-9 < errors[0] < 1e-3 and 12 < errors[0] / errors[1] < 24, errors


of_flow = {
    "unsteady": channel(
        'inflow = { kind = "inflow_total", total_pressure = "0.78 + 0.02*sin(3*t + 5*y) - 0.1*rho*speed^2", direction = ["1", "0.1*sin(4*y) + 0.2*velocity.y", 0] }\noutflow = { kind = "outflow_pressure", pressure = "0.69 + 0.05*rho*speed + 0.1*temperature*(total_enthalpy - 2.5)*0.1" }\n'
        'top = { kind = "exact", state = { density = "0.9*rho + 0.1", velocity = ["velocity.x", "0.5*velocity.y + 0.01*entropy", 0], pressure = "0.5*p + 0.5/1.4 + 0.001*energy*x" } }',
        more="steps = 12\n",
    ).replace("1e-13", "0.05").replace("every_steps = 1000", "every_steps = 4"),
    "steady": channel(
        'inflow = { kind = "inflow_total", total_pressure = "0.78 + 0.02*sin(5*y) - 0.1*rho*speed^2" }\noutflow = { kind = "outflow_pressure", pressure = "0.69 + 0.05*rho*speed" }\n'
        'top = { kind = "exact", state = { density = "0.9*rho + 0.1", velocity = ["velocity.x", "0.5*velocity.y", 0], pressure = "0.5*p + 0.5/1.4 + 0.001*energy*x" } }',
        mode="steady", more="steps = 12\nfirst_order_cycles = 2\n",
    ).replace("1e-13", "0.05").replace("every_steps = 1000", "every_steps = 4"),
    "gust": channel(
        'inflow = { kind = "farfield", state = { velocity = ["0.3 + 0.02*sin(5*y + 3*t)", "0.05*cos(4*t) + 0.3*velocity.y", 0] } }\noutflow = { kind = "farfield", state = { density = "1 + 0.1*sin(x - t)" } }\n',
        more="steps = 12\n",
    ).replace("1e-13", "0.05").replace("every_steps = 1000", "every_steps = 4"),
    "jet": channel(
        'inflow = { kind = "supersonic_inflow", state = { density = "1 + 0.02*(mach - 2)", velocity = ["2 + 0.3*tanh((y - 0.4)/0.2)", 0, 0] } }\noutflow = "supersonic_outflow"\n',
        mach=2, mode="steady", more="steps = 12\nfirst_order_cycles = 2\n",
    ).replace("1e-13", "0.05").replace("every_steps = 1000", "every_steps = 4"),
}  # fmt: skip


@on_ranks
@pytest.mark.parametrize("name", of_flow)
@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks_and_interruptions_change_no_bit(name, precision, tmp_path):
    (tmp_path / "flow.toml").write_text(of_flow[name])
    words = settings(numerics__precision=f'"{precision}"')
    assert_same_on_ranks(tmp_path, [2, 3], words)
    run_in_parts(tmp_path, "parts", ((4, 1), (7, 3), (12, 2)), words)
    assert arrays(newest(tmp_path / "flow-one", "checkpoint")) == arrays(newest(tmp_path / "parts", "checkpoint"))


faults = {
    "a name that is not known": ('outflow = { kind = "outflow_pressure", pressure = "pressure" }', "pressure"),
    "a wrong parenthesis": ('outflow = { kind = "outflow_pressure", pressure = "0.7*(rho" }', "`(` is never closed"),
    "a number that is too small": ('outflow = { kind = "outflow_pressure", pressure = "1 - 1.5" }', "must be greater than 0"),
    "time in a steady run": ('outflow = { kind = "outflow_pressure", pressure = "0.7 + 0.1*sin(t)" }', "t has no meaning"),
    "the same in a state": ('outflow = { kind = "exact", state = { pressure = "0.7 + 0.1*sin(t)*rho" } }', "t has no meaning"),
    "a direction out of the plane": ('inflow = { kind = "inflow_total", direction = [1, 0, "0.1*mach"] }', "no flow along z"),
    "the same of a far field": ('outflow = { kind = "farfield", state = { density = "1 + 0.1*sin(t)" } }', "t has no meaning"),
    "a vortex about a state": ('outflow = { kind = "farfield", vortex = true, state = { density = "1 + 0.1*x" } }', "this boundary has a `state`"),
    "numbers below 0": ('outflow = { kind = "farfield", state = { pressure = -1 } }', "the density 1 and pressure -1 must be above 0"),
    "numbers of a slow flow": ('inflow = { kind = "supersonic_inflow", state = { velocity = [0.8, 0, 0] } }', "the Mach number 0.8 of a supersonic_inflow must be above 1"),
    "a state of another kind": ('outflow = { kind = "outflow_pressure", state = { density = 1 } }', "has no `state`"),
    "a value of another kind": ('outflow = { kind = "inflow_total", pressure = "p" }', "has no `pressure`"),
}


@pytest.mark.parametrize("name", faults)
def test_faults(name, tmp_path):
    boundary, words = faults[name]
    assert_refused(tmp_path, channel(boundary, mode="steady"), words)


def test_a_slow_flow_somewhere_beyond_a_supersonic_inflow_is_refused(tmp_path):
    (tmp_path / "case.toml").write_text(channel('inflow = { kind = "supersonic_inflow", state = { velocity = ["1.15 - y", 0, 0] } }', mach=2, mode="steady"))
    result = call("run", "case.toml", "--dir", "r", cwd=tmp_path)
    assert result.returncode == 2 and "beyond the boundary `inflow`, at (x, y, z) = (-1.5, 0.2, 0), t = 0: the Mach number 0.95 of a supersonic_inflow must be above 1" in result.stderr, result.stderr


def test_a_jet_needs_no_free_stream(tmp_path):
    """Density, pressure and velocity of the state are all that the boundary has."""
    jet = 'inflow = { kind = "supersonic_inflow", state = { density = 1, pressure = "1/1.4", velocity = [2, 0, 0] } }\noutflow = "supersonic_outflow"\ntop = "symmetry"'
    given = channel('inflow = "supersonic_inflow"\noutflow = "supersonic_outflow"\ntop = "symmetry"', mach=2, more="steps = 5\n")
    free = channel(jet, mach=2, more="steps = 5\n").replace("freestream = { mach = 2 }\n", "") + "[[initial]]\nvelocity = [2, 0, 0]\n"
    a, b = (run_case(text, name, place=tmp_path) for name, text in (("a", given), ("b", free)))
    assert abs(nodes(a, "velocity") - nodes(b, "velocity")).max() < 1e-13 and abs(nodes(a, "p") - nodes(b, "p")).max() < 1e-13
    assert_refused(tmp_path, free.replace("density = 1, ", ""), "needs the Mach number of the free stream")


def test_a_value_that_is_not_finite_ends_the_run(tmp_path):
    (tmp_path / "case.toml").write_text(channel('outflow = { kind = "outflow_pressure", pressure = "0.7 + 0.01*sqrt(0.3 - t)" }', more="steps = 50\n"))
    result = call("run", "case.toml", "--dir", "r", cwd=tmp_path)
    assert result.returncode != 0 and "the values of [boundary] that depend on the state" in result.stderr, result.stderr
