"""The examples: each is complete and understood by the program. Those of isothermal flow: their case files hold known keys only, and
each check.py accepts right data and refuses wrong data; the other systems have files of their own, test_examples_*.py.

Right data are made here from exact or independent solutions: a finite-difference march of the linear equations, closed
formulas, the published tables. Wrong data differ in the one property that a check is there to notice.
"""

import math
import re

import numpy as np
import pytest
import synthetic
from example_runs import case_files, examples, failures, load_check, name_of_file, names_of
from runs import call, needs_program
from watersmeet.provenance import shell

tomllib = pytest.importorskip("tomllib")

keys = {
    "case": {"system", "name", "units"},
    "grid": {"cells", "lower", "upper"},
    "physics": {"sound_speed", "viscosity", "bulk_viscosity", "hyperviscosity", "acceleration", "scales"},
    "forcing": {"kind", "amplitude", "k_min", "k_max", "wavevectors", "helicity", "seed", "normalisation",
                "application"},
    "numerics": {"order", "method", "precision", "storage", "upwind"},
    "time": {"scheme", "end", "steps", "cfl", "cfl_viscous", "cfl_hyper", "dt"},
    "initial": {"density", "velocity"},
    "output": {"every", "every_steps", "fields", "series_every_steps", "spectra_every", "checkpoint_every", "overview"},
}


def case_of(path, **changes):
    """Text of a case file, as resolved (numbers for the expressions that the checks read), with values changed."""
    text = path.read_text()
    for key, value in changes.items():
        text, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
        assert count == 1, key
    return text


def test_every_example_is_complete():
    folders = {path.name: path for path in examples.iterdir() if path.is_dir() and path.name != "systems"}  # systems: code to copy
    assert set(folders) == {name for names in names_of.values() for name in names}
    for folder in folders.values():
        for name in ("case.toml", "quick.toml", "README.md", "check.py"):
            assert (folder / name).is_file(), folder / name
        text = (folder / "README.md").read_text()
        for path in folder.glob("*.toml"):
            assert f"`{path.name}`" in text, path


def test_names_of_cases_differ():
    names = [tomllib.loads(path.read_text())["case"]["name"] for path in examples.glob("*/*.toml")]
    assert len(set(names)) == len(names)


@needs_program
@pytest.mark.parametrize("system, path", [(system, path) for system in names_of for path in case_files(system)],
                         ids=lambda value: value if isinstance(value, str) else name_of_file(value))
def test_the_program_understands_the_case(system, path, tmp_path):
    result = call("check", path, "--device", "cpu", cwd=tmp_path)
    assert result.returncode in (0, 3), result.stderr  # 3: a small machine
    assert tomllib.loads(path.read_text())["case"]["system"] == system


@pytest.mark.parametrize("path", case_files("isothermal"), ids=name_of_file)
def test_case_files_hold_known_keys_only(path):
    case = tomllib.loads(path.read_text())
    assert set(case) <= {*keys, "constants"}
    for section, known in keys.items():
        tables = case.get(section, {})
        for table in tables if isinstance(tables, list) else [tables]:
            assert set(table) <= known, f"[{section}]"
    assert case["case"]["system"] == "isothermal" and len(case["grid"]["cells"]) == 3
    assert set(case["output"]["fields"]) <= {"rho", "velocity", "lnrho", "vorticity", "divergence", "speed", "p"}


def evaluate(expression, **names):
    if not isinstance(expression, str):
        return expression
    known = {"pi": np.pi, "sin": np.sin, "cos": np.cos, "exp": np.exp, "max": np.maximum, **names}
    return eval(expression.replace("^", "**"), {"__builtins__": {}}, known)


@pytest.mark.parametrize("path", case_files("isothermal"), ids=name_of_file)
def test_expressions_can_be_evaluated(path):
    """On the nodes of the box, the origin among them: finite, and positive for the density."""
    case = tomllib.loads(path.read_text())
    lower, upper = ([evaluate(v) for v in case["grid"][side]] for side in ("lower", "upper"))
    x, y, z = np.meshgrid(*(a + (b - a) * np.arange(8) / 8 for a, b in zip(lower, upper)), indexing="ij")
    names = {**case.get("constants", {}), "x": x, "y": y, "z": z, "r": np.sqrt(x * x + y * y + z * z)}
    for initial in case["initial"]:
        density = evaluate(initial["density"], **names)
        assert np.all(np.isfinite(density)) and np.all(density > 0)
        assert all(np.all(np.isfinite(evaluate(component, **names))) for component in initial["velocity"])


@pytest.mark.parametrize("path", sorted((examples / "forced-turbulence").glob("*.toml")), ids=lambda path: path.name)
def test_forcing_amplitudes_resolve_the_dissipation(path):
    """f0 = sqrt(4 nu^3 / (k_f eta^4 c^3)) with eta = 1.2/k_max; at least 20 estimated turnover times."""
    case = tomllib.loads(path.read_text())
    k_f, nu = shell(case["forcing"]["k_min"], case["forcing"]["k_max"])[1], case["physics"]["viscosity"]
    eta = 1.2 / (case["grid"]["cells"][0] / 2)
    assert case["forcing"]["amplitude"] == pytest.approx(math.sqrt(4 * nu**3 / (k_f * eta**4)), rel=5e-3)
    turnover = (nu**3 / eta**4 * k_f**2) ** (-1 / 3)
    assert case["time"]["end"] >= 20 * turnover


def thin_axes(n):
    h = 2 * np.pi / n
    return h * np.arange(n), h * np.arange(4), h * np.arange(4)


def write_sine_decay(directory, n=64, rate=None, leak=0.0):
    path = examples / "sine-decay" / "quick.toml"
    synthetic.write_texts(directory, case_of(path))
    axes = thin_axes(n)
    t = 13 * 2 * np.pi / n
    symbol = (490 - 540 * math.cos(t) + 54 * math.cos(2 * t) - 4 * math.cos(3 * t)) / 180 * (n / (2 * np.pi)) ** 2
    velocity = np.zeros((4, 4, n, 3))
    velocity[..., 1] = 0.1 * np.sin(13 * axes[0]) * math.exp(-1e-3 * (symbol if rate is None else rate) * 1.5)
    velocity[..., 0] = leak
    synthetic.write_snapshot(directory, 72, 1.5, axes, {"rho": np.ones((4, 4, n)), "velocity": velocity})


def test_sine_decay_check(tmp_path, capsys):
    write_sine_decay(tmp_path / "right")
    assert failures("sine-decay", tmp_path / "right", capsys) == []
    write_sine_decay(tmp_path / "exact", rate=169.0)  # no error at all is not what the scheme does
    assert failures("sine-decay", tmp_path / "exact", capsys) == ["rms error of u_y"]
    write_sine_decay(tmp_path / "leak", leak=1e-6)
    assert failures("sine-decay", tmp_path / "leak", capsys) == ["largest |u_x|, |u_z|"]


def test_sine_decay_prediction_is_the_published_one():
    check = load_check("sine-decay")
    for n, rms in ((32, 2.5969e-3), (64, 8.3461e-5), (128, 1.57462e-6), (256, 2.5799e-8)):
        symbol = check.second_derivative_symbol(13, 2 * np.pi / n)
        predicted = 0.1 / math.sqrt(2) * abs(math.exp(-1e-3 * symbol * 1.5) - math.exp(-1e-3 * 169 * 1.5))
        assert predicted == pytest.approx(rms, rel=5e-5)


def march_sound(n, method="55-point", end=np.pi, snapshots=4, nu=0.01):
    """Linear equations on a line by the finite-difference stencils and small steps of third-order Runge-Kutta."""
    h, k, c = 2 * np.pi / n, 4, 1.0
    x = h * np.arange(n)

    def first(f):
        return sum(w * (np.roll(f, -s) - np.roll(f, s)) for s, w in ((1, 45), (2, -9), (3, 1))) / (60 * h)

    def second(f):
        sides = sum(w * (np.roll(f, -s) + np.roll(f, s)) for s, w in ((1, 270), (2, -27), (3, 2)))
        return (sides - 490 * f) / (180 * h * h)

    def rhs(state):
        density, u = state
        extra = second(u) if method == "55-point" else first(first(u))
        return np.array([-first(u), -c * c * first(density) + nu * (second(u) + extra / 3)])

    g = 2 / 3 * nu * k * k
    omega = math.sqrt(c * c * k * k - g * g)
    state = 1e-6 * np.array([np.cos(k * x), (omega * np.cos(k * x) + g * np.sin(k * x)) / k])
    per_snapshot = 128
    dt = end / snapshots / per_snapshot
    yield 0, 0.0, x, state
    for step in range(1, snapshots * per_snapshot + 1):
        register = 0.0
        for alpha, beta in ((0, 1 / 3), (-5 / 9, 15 / 16), (-153 / 128, 8 / 15)):
            register = alpha * register + dt * rhs(state)
            state = state + beta * register
        if step % per_snapshot == 0:
            yield step, step * dt, x, state


def write_sound(directory, n, method, written_as=None, change=lambda state: state):
    path = examples / "sound-wave" / "case.toml"
    synthetic.write_texts(directory, case_of(path, method=f'"{written_as or method}"'))
    for step, t, x, state in march_sound(n, method):
        density, u = change(state)
        velocity = np.zeros((4, 4, n, 3))
        velocity[..., 0] = u
        fields = {"lnrho": np.broadcast_to(density, (4, 4, n)), "velocity": velocity}
        synthetic.write_snapshot(directory, step, t, thin_axes(n), fields)
    synthetic.write_series(directory, {"step": [0, step], "t": [0.0, t]})


@pytest.mark.parametrize("n", [16, 32, 64])
@pytest.mark.parametrize("method", ["55-point", "19-point"])
def test_sound_wave_check_accepts_the_scheme(tmp_path, capsys, n, method):
    write_sound(tmp_path, n, method)
    assert failures("sound-wave", tmp_path, capsys) == []


def test_sound_wave_check_refuses(tmp_path, capsys):
    write_sound(tmp_path / "damped", 32, "55-point", change=lambda state: 0.999 * state)
    assert "damping rate, 0 < t < 3.142" in failures("sound-wave", tmp_path / "damped", capsys)
    write_sound(tmp_path / "shifted", 32, "55-point", change=lambda state: np.roll(state, 1, axis=1))
    assert "phase from the discrete wave, t = 3.142" in failures("sound-wave", tmp_path / "shifted", capsys)
    write_sound(tmp_path / "other", 16, "19-point", written_as="55-point")
    assert "damping rate, 0 < t < 3.142" in failures("sound-wave", tmp_path / "other", capsys)


def symmetric_nodes(point):
    """All images of a lattice point under exchanges and reflections, as offsets (x, y, z)."""
    images = set()
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        for signs in np.ndindex(2, 2, 2):
            images.add(tuple(int((1 - 2 * s) * point[o]) for s, o in zip(signs, order)))
    return images


def write_explosion(directory, change=lambda rho, velocity: None):
    """A field with the cube's symmetry that takes the published values at the published points."""
    check = load_check("explosion")
    synthetic.write_texts(directory, case_of(examples / "explosion" / "quick.toml"))
    n = 64
    x = -np.pi + 2 * np.pi * np.arange(n) / n
    rho, velocity = np.ones((n, n, n)), np.zeros((n, n, n, 3))
    rho[32, 32, 32] = check.extremes_known[1]
    places = [(ring * p, check.reference["55-point", ring]["rho"][i], check.reference["55-point", ring]["u_r"][i])
              for ring in (1, 2) for i, p in enumerate(check.directions)]
    for point, value, radial in [*places, (np.array([1, 1, 1]), check.extremes_known[2], check.extremes_known[0])]:
        for image in symmetric_nodes(point):
            node = tuple(32 + np.array(image)[::-1])
            rho[node] = value
            velocity[node] = radial * np.array(image) / np.linalg.norm(point)
    change(rho, velocity)
    synthetic.write_snapshot(directory, 36, 0.5, (x, x, x), {"rho": rho, "velocity": velocity})
    synthetic.write_series(directory, {"step": [0, 36], "t": [0.0, 0.5], "mass_drift": [0.0, check.drift_known]})


def test_explosion_check(tmp_path, capsys):
    write_explosion(tmp_path / "right")
    assert failures("explosion", tmp_path / "right", capsys) == []

    def uneven(rho, velocity):
        rho[3, 2, 1] += 1e-12

    write_explosion(tmp_path / "uneven", uneven)
    failed = failures("explosion", tmp_path / "uneven", capsys)
    assert failed == ["asymmetry: exchange of axes", "asymmetry: reflection"]

    def turned(rho, velocity):
        velocity[...] = velocity[..., ::-1]

    write_explosion(tmp_path / "turned", turned)
    assert "asymmetry: exchange of axes" in failures("explosion", tmp_path / "turned", capsys)

    def other(rho, velocity):
        rho *= 1 + 1e-7

    write_explosion(tmp_path / "other", other)
    assert "rho at (9, 0, 0)" in failures("explosion", tmp_path / "other", capsys)


def write_taylor_green(directory, path, t, energy, dissipation, drift=0.0):
    synthetic.write_texts(directory, case_of(path))
    synthetic.write_series(directory, {"step": np.arange(len(t)), "t": t, "mass_drift": drift * t / t[-1],
                                       "kinetic_energy": energy, "dissipation": dissipation})


def smooth_energy_100():
    """Polynomial through the reference energies at Re = 100 with the slope -3/4 nu at the start."""
    times, energies = np.array([(0, 0.125), *load_check("taylor-green").energy_100]).T
    rows = np.vstack([np.vander(times, 6, increasing=True), [0, 1, 0, 0, 0, 0]])
    coefficients = np.linalg.solve(rows, [*energies, -0.0075])
    energy = np.polynomial.Polynomial(coefficients)
    return energy, energy.deriv()


def test_taylor_green_check_at_reynolds_100(tmp_path, capsys):
    path = examples / "taylor-green" / "quick.toml"
    energy, slope = smooth_energy_100()
    t = np.linspace(0, 10, 2001)
    write_taylor_green(tmp_path / "right", path, t, energy(t), -slope(t))
    assert failures("taylor-green", tmp_path / "right", capsys) == []
    write_taylor_green(tmp_path / "unbalanced", path, t, energy(t), -slope(t) * (1 + 0.004 * t))
    assert failures("taylor-green", tmp_path / "unbalanced", capsys) == ["energy balance: largest error"]
    write_taylor_green(tmp_path / "drift", path, t, energy(t), -slope(t), drift=-2e-6)
    assert failures("taylor-green", tmp_path / "drift", capsys) == ["largest |mass drift|"]
    slow = energy(0.98 * t), -0.98 * slope(0.98 * t)  # a consistent flow of another viscosity
    failed = failures("taylor-green", write_and_name(tmp_path / "slow", path, t, *slow), capsys)
    assert "dissipation at t = 0, over nu" in failed and "kinetic energy at t = 10" in failed
    short = t <= 9
    write_taylor_green(tmp_path / "short", path, t[short], energy(t[short]), -slope(t[short]))
    assert failures("taylor-green", tmp_path / "short", capsys) == ["end of the series"]


def write_and_name(directory, *arguments):
    write_taylor_green(directory, *arguments)
    return directory


def test_taylor_green_check_at_reynolds_1600(tmp_path, capsys):
    path = examples / "taylor-green" / "case.toml"
    t, energy, dissipation = np.loadtxt(load_check("taylor-green").reference_1600, usecols=(0, 1, 2), unpack=True)
    t, energy, dissipation = (column[t <= 10.0] for column in (t, energy, dissipation))
    assert dissipation.max() == pytest.approx(0.012840, abs=1e-6) and t[np.argmax(dissipation)] == 8.95
    write_taylor_green(tmp_path / "right", path, t, energy, dissipation)
    assert failures("taylor-green", tmp_path / "right", capsys) == []
    bump = 1 + 0.05 * np.exp(-((t - 9) ** 2) / 0.02)
    write_taylor_green(tmp_path / "peak", path, t, energy, dissipation * bump)
    assert failures("taylor-green", tmp_path / "peak", capsys) == ["peak of the dissipation"]
    write_taylor_green(tmp_path / "energy", path, t, energy * (1 - 0.002 * t), dissipation)
    assert "largest |E/E_reference - 1|" in failures("taylor-green", tmp_path / "energy", capsys)


def write_forced(directory, *, power=1.0, work=None, upwinding=0.0, tilt=0.0, peak=None, drift=0.0, leak=0.0, pile=1.0):
    """A statistically steady run: dissipation = expected input, a spectrum with its peak at k_f and a falling tail."""
    path = examples / "forced-turbulence" / "quick.toml"
    synthetic.write_texts(directory, case_of(path))
    case = tomllib.loads(path.read_text())
    k_f = shell(1, 2)[1]
    t = np.linspace(0, case["time"]["end"], 301)
    k = np.arange(0, 28)
    safe = np.maximum(k, 1)
    spectrum = np.where(k > 0, (safe / (peak or k_f)) ** 4 / (1 + (safe / (peak or k_f)) ** 6) * np.exp(-0.3 * k), 0.0)
    spectrum[13:] *= pile ** np.maximum(0, k[13:] - 12)
    spectrum *= 0.0125 / spectrum.sum()
    components = spectrum[None, :, None] * np.array([1 + tilt, 1, 1 - tilt]) / 3 * np.ones((len(t), 1, 1))
    u_rms = np.full(len(t), math.sqrt(2 * spectrum.sum() * (1 + leak)))
    eps = power * case["forcing"]["amplitude"] ** 2 * k_f / 4
    steps = 10 * np.arange(len(t))
    synthetic.write_series(directory, {"step": steps, "t": t, "mass_drift": drift * t / t[-1], "u_rms": u_rms,
                                       "mach_max": 2 * u_rms, "dissipation": np.full(len(t), eps),
                                       "forcing_work": (eps if work is None else work * eps) * t,
                                       "numerical_dissipation": np.full(len(t), upwinding * eps)})
    synthetic.write_spectra(directory, steps, t, k, components)
    return directory


@pytest.mark.parametrize("wrong, failed", [
    ({}, []),
    ({"power": 1.6}, ["work of the kicks"]),
    ({"work": 1.03}, ["losses and growth against that work"]),
    ({"work": 1.1, "upwinding": 0.1}, []),
    ({"upwinding": 0.03}, ["losses and growth against that work"]),
    ({"tilt": 0.3}, ["largest |3 E_i/E - 1|, k > 2 k_f"]),
    ({"peak": 5.0}, ["peak of the mean spectrum at k"]),
    ({"pile": 1.6}, ["largest E(k+1)/E(k) in the tail"]),
    ({"leak": 1e-10}, ["Parseval: largest |sum E / (u_rms^2/2) - 1|"[:42]]),
    ({"drift": 2e-4}, ["largest |mass drift|"]),
])
def test_forced_turbulence_check(tmp_path, capsys, wrong, failed):
    assert failures("forced-turbulence", write_forced(tmp_path, **wrong), capsys) == failed


def test_scatter_of_the_input_by_drawing_kicks():
    """The standard deviation in the check against the work of random kicks on a random velocity in the same shell."""
    check = load_check("forced-turbulence")
    rng = np.random.default_rng(3)
    reach = np.arange(-2, 3)
    n = np.array([v for v in np.stack(np.meshgrid(reach, reach, reach), -1).reshape(-1, 3) if 1 <= v @ v <= 4], float)
    # A solenoidal velocity of one random mode: u = Re(a exp(i n.x)); the work is 0 unless the kick meets that n or -n.
    work = []
    k_f = np.linalg.norm(n, axis=1).mean()
    for _ in range(40000):
        chosen, other = n[rng.integers(len(n), size=2)]
        if not (np.array_equal(chosen, other) or np.array_equal(chosen, -other)):
            work.append(0.0)
            continue
        across = np.cross(chosen, rng.normal(size=3))
        kick = np.cross(other, rng.normal(size=3))
        cosine = across @ kick / np.linalg.norm(across) / np.linalg.norm(kick)
        work.append(0.5 * np.cos(rng.uniform(0, 2 * np.pi)) * cosine)
    # |u|^2 averages to 1/2 (shell energy 1/4); kicks of duration 1 have the amplitude sqrt(k_f) for f0 = c = 1.
    measured = math.sqrt(k_f) * np.std(work)
    assert measured == pytest.approx(check.scatter_of_input(1.0, 1.0, k_f, len(n), 0.25, 1.0), rel=0.05)


def test_command_line_of_a_check(tmp_path):
    import subprocess
    import sys

    write_sine_decay(tmp_path / "right")
    write_sine_decay(tmp_path / "wrong", rate=169.0)
    script = examples / "sine-decay" / "check.py"
    status = {name: subprocess.run([sys.executable, script, tmp_path / name], capture_output=True, text=True)
              for name in ("right", "wrong", "nowhere")}
    assert [status[name].returncode for name in status] == [0, 1, 2]
    assert "3 of 4 checks hold" in status["wrong"].stdout and "no directory" in status["nowhere"].stderr


@pytest.mark.parametrize("exponent, failed", [(2.0, 0), (1.0, 1), (3.0, 1)])
def test_waves_above_the_forcing_share_the_energy(exponent, failed, monkeypatch):
    check = load_check("forced-turbulence")
    monkeypatch.setattr(check, "forcing_vectors", lambda run: (1250, 10.093))
    k = np.arange(64.0)
    energy = np.where(k <= 10, np.maximum(k, 0.1) ** exponent, 10**exponent * np.exp(10 - k))[None]

    class Spectra(dict):
        pass

    spectra = Spectra(E=energy, Ex=energy / 3, Ey=energy / 3, Ez=energy / 3)
    spectra.k = k

    class Run:
        @staticmethod
        def setting(key):
            return [128, 128, 128]

    checks = check.Checks()
    check.check_spectrum(checks, Run, spectra, np.array([True]))
    assert checks.made == 4 and checks.failed == failed
