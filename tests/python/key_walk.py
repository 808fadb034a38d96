"""Every key of every system, changed in a small case: the resolved case must show it, and either the results differ, or the key is
refused or noted by name. A key that does none of these is silent, which is a fault.

test_key_walk.py walks a part of the keys on every change, tools/trials.py all of them. Keys of lists of sections ([[output.part]]) are walked
in cases that have such entries, "SYSTEM with entries", and those of tables where one is read.
"""

import fnmatch
import json
import re
import shutil
import subprocess
import tomllib

import h5py
from runs import arrays, binary, environment

wave = '"1 + 0.1*sin(2*pi*(x/6 + y/5))*cos(2*pi*z/4)"'
swirl = '["0.3*sin(2*pi*(x/6 - z/4))", "0.2*cos(2*pi*(y/5 + x/6))", "0.1*sin(2*pi*(z/4 + y/5))"]'
box = "[grid]\ncells = [12, 10, 8]\nupper = [6.0, 5.0, 4.0]\n"
short = "[time]\nsteps = 3\n[output]\noverview = false\n"
globe = '[grid]\nkind = "cubed_sphere"\n'

# Names of fluids, scalars and boundaries stand for the * of a key, in the order in which they are tried.
cases = {
    "isothermal": f'[case]\nsystem = "isothermal"\n[constants]\nnew = 0.01\n{box}{short}[physics]\nviscosity = "2*new"\n[[initial]]\ndensity = {wave}\nvelocity = {swirl}\n',
    "isothermal forced": f'[case]\nsystem = "isothermal"\n{box}{short}[physics]\nhyperviscosity = 1e-4\n[forcing]\nkind = "helical"\nk_min = 1.0\nk_max = 3.0\n[[initial]]\n',
    "mhd": f'[case]\nsystem = "mhd"\n{box}{short}[physics]\nviscosity = 0.02\n[[initial]]\ndensity = {wave}\nvelocity = {swirl}\npotential = {swirl}\n',
    "mhd entropy": f'[case]\nsystem = "mhd"\n{box}{short}[physics]\nenergy = "entropy"\nconductivity = 0.01\n[[initial]]\ndensity = {wave}\nvelocity = {swirl}\npotential = {swirl}\nentropy = "0.1*sin(2*pi*x/6)"\n',
    "multicomponent": f'[case]\nsystem = "multicomponent"\n[grid]\ncells = [12, 10, 1]\nupper = [6.0, 5.0, 4.0]\n{short}[physics.fluids.air]\ngamma = 1.4\ndensity = 1.0\n[physics.fluids.water]\ngamma = 4.4\np_c = 6.0\ndensity = 2.0\n'
    f'[[initial]]\nfluid = "air"\npressure = "1.0 + 0.1*sin(2*pi*x/6)"\nvelocity = {swirl}\n[[initial]]\nfluid = "water"\nshape = {{ kind = "sphere", centre = [3.0, 2.5, 2.0], radius = 1.2 }}\n',
    "boussinesq": f'[case]\nsystem = "boussinesq"\n{box}{short}[physics]\nviscosity = 0.02\ndiffusivity = 0.03\nbuoyancy = 1.5\n[physics.scalars.salt]\ndiffusivity = 0.01\nbuoyancy = 0.5\n'
    f'[[initial]]\nvelocity = {swirl}\ntemperature = "0.1*sin(2*pi*x/6) + z"\nscalars.salt = {{ value = "0.2*cos(2*pi*y/5)" }}\n',
    "shallow water": '[case]\nsystem = "shallow_water"\n[grid]\ncells = [20, 14, 1]\nupper = [6.0, 5.0, 1.0]\n' + short
    + '[physics]\nbed = "-1 + 0.1*cos(2*pi*x/6)"\ncoriolis = { f = 0.1, beta = 0.02 }\n[[initial]]\nsurface = "0.05*sin(2*pi*x/6)*cos(2*pi*y/5)"\nvelocity = ["0.1*sin(2*pi*y/5)", "0.2*cos(2*pi*x/6)", "0"]\n',
    "shallow water shore": '[case]\nsystem = "shallow_water"\n[grid]\ncells = [20, 14, 1]\nupper = [6.0, 5.0, 1.0]\n' + short
    + '[physics]\nbed = "0.5*(x - 4)"\n[numerics]\nwet_dry = true\n[[initial]]\nsurface = "0.1*sin(2*pi*y/5)"\n',
    "shallow water sphere": f'[case]\nsystem = "shallow_water"\n{globe}cells = 12\n{short}[[initial]]\nstate = "williamson-6"\n',
    "atmosphere": '[case]\nsystem = "atmosphere"\n[grid]\ncells = [12, 10, 8]\nupper = [6e3, 5e3, 4e3]\n' + short
    + '[physics.reference]\nkind = "stratified"\nbrunt_vaisala = 0.01\n[[initial]]\ntheta = "2*exp(-((x - 3e3)^2 + (z - 2e3)^2)/1e6)"\nvelocity = ["5*sin(2*pi*y/5e3)", "3", "0"]\n',
    "atmosphere sphere": f'[case]\nsystem = "atmosphere"\n{globe}cells = [8, 8, 6]\ntop = 1e4\n{short}[[initial]]\nstate = "dcmip31"\n',
    "aerodynamics": '[case]\nsystem = "aerodynamics"\n[grid]\nmesh = { kind = "bump", cells = [32, 16] }\n[time]\nsteps_max = 4\nfirst_order_cycles = 1\n[output]\noverview = false\n[physics.freestream]\nmach = 0.5\n[[initial]]\n',
    "aerodynamics unsteady": '[case]\nsystem = "aerodynamics"\n[grid]\nmesh = { kind = "wavybox", cells = [12, 12] }\n[time]\nmode = "unsteady"\nsteps = 4\n[output]\noverview = false\n[physics.freestream]\nmach = 0.5\n[[initial]]\nflow = "vortex"\n',
}  # fmt: skip

# One entry of each list of sections that every system has, all of which write something within five steps: u is a scalar, v a vector. The trigger
# acts at steps 1, 3 and 4: each of its modes differently.
entries = """[[output.probe]]
name = "a"
at = [1.0, 2.0, 1.5]
fields = ["u"]
[[output.average]]
name = "b"
mean = ["u", "v.x"]
variance = ["u"]
covariance = ["v.x, v.y"]
profile = "x"
[[output.part]]
name = "c"
fields = ["u", "v"]
every_steps = 2
[[output.picture]]
name = "d"
field = "u"
every_steps = 2
[[output.isosurface]]
name = "e"
field = "v.x"
values = [1e-4]
fields = ["u"]
view = [1.0, -2.0, 1.0]
every_steps = 2
[[trigger]]
name = "f"
when = "step > 0 && step != 2"
then = ["snapshot"]
every_steps = 1
"""
patch = """[[boundary.patch]]
side = "x_lower"
lower = [0.0, 1.0, 0.0]
upper = [0.0, 3.0, 4.0]
kind = "inflow"
density = 1.2
pressure = 1.1
velocity = [0.2, 0.0, 0.0]
"""
lists = re.compile(r"(output\.(?:probe|average|part|picture|isosurface)|trigger|boundary\.patch)\[\]")
scalars = {"isothermal": "rho", "mhd": "rho", "multicomponent": "p", "boussinesq": "temperature", "shallow water": "surface", "atmosphere": "theta", "aerodynamics unsteady": "p"}
tables = '[tables.new]\nfile = "new.csv"\nfield = "bed"\nover = "place"\nunit = "cm"\nover_unit = "cm"\nperiod = [6.0]\n'


def with_entries(text, u):
    return text.replace("steps = 3\n", "steps = 5\n").replace("steps = 4\n", "steps = 5\n") + entries.replace('"u', f'"{u}').replace('"v', '"velocity').replace(", v.", ", velocity.")


cases |= {f"{name} with entries": with_entries(cases[name], u) for name, u in scalars.items()}
cases["atmosphere with entries"] = cases["atmosphere with entries"].replace("at = [1.0, 2.0, 1.5]", "at = [1e3, 2e3, 1.5e3]")
for name in ("multicomponent", "shallow water"):  # lines in a plane are not seen in space
    cases[f"{name} with entries"] = re.sub("^view = .*\n", "", cases[f"{name} with entries"], flags=re.MULTILINE)
cases["multicomponent with entries"] += patch
# What blocks do not have.
cases["aerodynamics unsteady with entries"] = re.sub(r'profile = .*\n|\[\[output\.(part|picture|isosurface)\]\]\n[^[]*(\[[^[][^[]*)*(?=\[\[)', "", cases["aerodynamics unsteady with entries"])
cases["isothermal with a table"] = f'[case]\nsystem = "isothermal"\nunits = "SI"\n{box}{short}[physics]\nviscosity = 0.02\n[[initial]]\ndensity = "1 + new(x)"\n{tables}'

# Keys that change how, not what, is computed or said; other tests are named where there are some.
without_result = {
    "case.name": "name of the run folder (test_run.py)",
    "time.wall": "when a run stops (test_run.py)",
    "output.report_every_steps": "lines on the terminal (test_run.py)",
    "output.overview": "the picture (test_plot.py)",
    "output.checkpoints_kept": "how many files are kept (test_run.py)",
    "numerics.coupling.entropy_fix": "speeds near zero, which these cases do not have",
    "grid.mesh.turns": "the axes of blocks, which change no bit where there is one block",
    "time.residual_drop": "when a search for a steady state ends (test_aerodynamics.py)",
    "time.force_window": "when a search for a steady state ends (test_aerodynamics.py)",
    "numerics.positivity": "what is done with values out of range (test_multicomponent.py)",
    "trigger[].name": "what the log and checkpoints call it (test_triggers.py)",
    "output.part[].deflate": "how its numbers are stored (test_parts.py)",
    "constants.*": "numbers for expressions: of the case that uses one it is tried",
    "physics.scales.mass": "units that files name (test_outputs.py)",
    "physics.scales.length": "units that files name (test_outputs.py)",
    "physics.scales.time": "units that files name (test_outputs.py)",
    "device.kind": "where it is computed",
    "device.threads": "the same bits on any number of threads (test_run.py)",
    "device.schedule": "the same bits by any schedule (test_exact_*)",
    "device.transport": "how messages travel (test_ranks.py)",
    "device.overlap": "when messages travel (test_ranks.py)",
    "device.share": "whether ranks may share a GPU (test_launch.py)",
    "device.slower_ranks": "whether slow GPUs are refused (test_prediction.py)",
    "device.cpu_ranks": "where ranks compute (test_launch.py)",
    "device.balance_window": "which rank computes what (test_weights.py)",
    "device.verify_every": "the same bits unless a memory fails (repeated_step_test.cpp)",
    "device.peer_timeout": "when ranks are given up (test_ranks.py)",
    "device.memory": "the same bits where the solution is streamed (test_stream.py)",
    "device.depot": "the same bits by any schedule",
    "device.halo_threads": "the same bits by any schedule",
    "device.tuned": "the same bits by any schedule",
}

values = {
    "case.name": ['"other"'],
    "boundary.patch[].fluid": ['"water"'],
    "boundary.patch[].lower": ["[0, 2.0, 0]"],
    "boundary.patch[].upper": ["[0, 2.0, 4]"],
    "boundary.ground.stress": ['["0.02", "0.01", 0]'],
    "boundary.lid.stress": ['["0.02", "0.01", 0]'],
    "boundary.*.fluid": ['"air"'],
    "grid.file": ['"none.xyz"'],
    "grid.map": ['"none.nmf"'],
    "grid.mesh.blocks": ["[2, 1]"],
    "grid.mesh.cells": ["[36, 12]"],
    "grid.mesh.digits": ['"0015"'],
    "grid.x_faces": ["[0, 0.4, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6]"],
    "grid.y_faces": ["[0, 0.4, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]"],
    "grid.z_faces": ["[0, 0.4, 1, 1.5, 2, 2.5, 3, 3.5, 4]", "[0, 0.4e3, 1e3, 1.5e3, 2e3, 2.5e3, 3e3, 3.5e3, 4e3]"],
    "initial[].fluid": ['"air"'],
    "initial[].shape.file": ['"none.txt"'],
    "output.forces.patches": ['["lower"]'],
    "output.probe[].fields": ['["velocity"]'],
    "output.average[].mean": ['["velocity.y"]'],
    "output.average[].variance": ['["velocity.y"]'],
    "output.average[].covariance": ['["velocity.y, velocity.z"]'],
    "output.average[].every": ["1e-3"],
    "output.part[].fields": ['["velocity"]'],
    "output.part[].every": ["1e-3"],
    "output.picture[].field": ['"velocity.y"'],
    "output.picture[].every": ["1e-3"],
    "output.isosurface[].field": ['"velocity.y"'],
    "output.isosurface[].fields": ['["velocity"]'],
    "output.isosurface[].color": ['"velocity.y"'],
    "output.isosurface[].values": ["[2e-4]"],
    "output.isosurface[].every": ["1e-3"],
    "output.*[].limits": ["[0.1, 0.2]"],
    "output.*[].name": ['"other"'],
    "output.*[].[xyz]": ["[1.0, 1.9]"],
    "output.*[].stride": ["[2, 2, 1]"],
    "physics.reference.heights": ["[0, 4e3]"],
    "physics.reference.temperatures": ["[300, 280]"],
    "physics.reference.thetas": ["[300, 310]"],
    "physics.reference.*_table": ['"new"'],
    "start.from": ['"usual"'],
    "tables.*.file": ['"case.toml"'],
    "tables.*.field": ['"other"'],
    "tables.*.over": ['"other"'],
    "tables.*.*unit": ['"mm"'],
    "tables.*.period": ["[5.0]"],
    "trigger[].name": ['"other"'],
    "trigger[].when": ['"step == 2"'],
    "trigger[].every": ["1e-3"],
    "case.system": [],  # another system has other keys
    "output.fields": ['["rho"]', '["velocity"]', '["temperature"]', '["eta"]', '["p"]'],
    "output.latlon": ["[8, 4]"],
    "physics.sponge.top.width": ["1000"],
    "physics.sponge.x.width": ["1000"],
    "physics.sponge.y.width": ["1000"],
    "physics.reference.theta": ["290"],
    "time.cfl_diffusive": ["1e-3"],
    "time.cfl_buoyancy": ["1e-3"],
    "output.precision": ['"single"'],  # double is that of the cases
    "numerics.storage": ['"stored"', '"stored-full"'],  # auto is two in double precision
    "forcing.k_min": ["2.0"],
    "output.every": ["1e-3"],
    "output.spectra_every": ["1e-3"],
    "output.profiles_every": ["1e-3"],
    "output.checkpoint_every": ["1e-3"],
    "output.every_steps": ["1"],
    "output.series_every_steps": ["1"],
    "output.spectra_every_steps": ["1"],
    "output.profiles_every_steps": ["1"],
    "output.checkpoint_every_steps": ["1"],
    "time.end": ["1e-3"],
    "time.wall": ["\"1 h\""],
    "time.dt": ["1e-3"],
    "time.cfl": ["0.01"],
    "device.weights": ["[2.0, 1.0]"],
    "device.ranks_along": ["[2, 1, 1]"],
    "forcing.wavevectors": ["[[1, 1, 0], [0, 1, 1]]"],
    "numerics.multigrid.levels": ["2"],
    "numerics.multigrid.sequencing": ["false"],
    "numerics.order": [],  # one choice
}  # fmt: skip


# Keys that no case of the system tries.
untried = {
    ("*", "case.system"): "another system has other keys",
    ("*", "numerics.order"): "one choice",
    ("aerodynamics", "output.part[[][]].*"): "refused with blocks",
    ("aerodynamics", "output.picture[[][]].*"): "refused with blocks",
    ("aerodynamics", "output.isosurface[[][]].*"): "refused with blocks",
}


def is_untried(system, key):
    return any(fnmatch.fnmatchcase(system, s) and fnmatch.fnmatchcase(key, k) for s, k in untried)


# Values that the case has already: what is unset or "auto" stands for them.
usual = {
    "numerics.energy": ["total"],
    "numerics.pressure.solver": ["fft"],
    "numerics.scalar_advection.kind": ["centered2"],
    "numerics.scalar_advection.*": ["centered2"],
    "numerics.reconstruction.limiter": ["none", "vanleer"],
    "numerics.riemann": ["osher", "hllc"],
    "numerics.dissipation.kind": ["matrix"],
    "numerics.dissipation.energy": ["energy"],
    "numerics.shocks.kind": ["none"],
    "numerics.flux": ["divergence"],
    "numerics.scalar_advection": ["centered2"],  # as numerics.advection, which stands for it
    "numerics.coupling.wall": ["linear"],
    "numerics.multigrid.cycle": ["W"],
    "time.scheme": ["rk5", "rk4"],
    "boundary.*.kind": ["slip_wall"],
    "initial[].shape.kind": ["cylinder"],  # a sphere on a plane of cells
}
# Where the water does not reach a side, its condition does nothing.
# Along an axis of one cell "periodic" is what counts; other kinds get a note.
dry = {("shallow water shore", "boundary.x_upper"), ("multicomponent", "boundary.z.kind")}
usual_sides = {"multicomponent": "absorbing", "boussinesq": "no_slip", "shallow_water": "wall", "atmosphere": "wall"}


def keys_of(system):
    line = [binary, "keys", "--json"]
    return [key for key in json.loads(subprocess.run(line, capture_output=True, check=True, text=True).stdout) if key["system"] == system]


def paths_of(pattern, text):
    """The paths of a pattern of keys in this case."""
    path = pattern.replace("initial[]", f"initial[{text.count('[[initial]]') - 1}]").replace("source[]", "source[0]")
    path = lists.sub(r"\1[0]", path)
    while "*" in path:
        section = path[: path.index(".*")]
        if re.fullmatch(r"boundary(\..*)?|.*scalars|numerics\.scalar_advection", section) and section != "boundary":
            path = path.replace("*", "salt", 1)
        elif section == "physics.fluids":
            path = path.replace("*", "water", 1)
        else:
            path = path.replace("*", "bump" if "bump" in text else "upper" if section == "boundary" else "new", 1)
    return [path]


def value_at(resolved, path):
    table = resolved
    for part in re.findall(r"[^.\[\]]+|\[\d+\]", path):
        try:
            table = table[int(part[1:-1])] if part.startswith("[") else table[part]
        except (KeyError, IndexError, TypeError):
            return None
    return table


def others(key, path, current):
    """Values that differ from the one that the case has, as TOML texts."""
    for pattern, texts in values.items():
        if key["key"] == pattern or fnmatch.fnmatchcase(key["key"], pattern.replace("[]", "[[][]]")):
            return texts
    kind, now = key["type"], current
    if key["key"] == "output.probe[].at":
        return [json.dumps([1.9 * x for x in now])]  # in another cell
    if kind == "choice":
        same = usual.get(key["key"], []) if now in (None, "auto", "sphere") else []
        if re.fullmatch(r"boundary\.[xyz](_lower|_upper)?\.kind", key["key"]):
            same = [usual_sides[key["system"]]]
        return [json.dumps(choice) for choice in key["choices"] if choice != now and choice not in same]
    if kind == "boolean":
        return ["false" if now else "true"]
    if kind == "integer":
        return [str(now + 1 if isinstance(now, int) else 3)]
    if kind in ("real", "duration"):
        return [repr(now * 0.75) if isinstance(now, (int, float)) and now != 0 else "0.05"]
    if kind == "reals3":
        numbers = now and all(isinstance(x, (int, float)) for x in now)
        return [json.dumps([x + 0.25 for x in now] if numbers else [4.25, 4.5, 4.125])]
    if kind == "integers3":
        return [json.dumps([n + 4 if n > 1 else n for n in now] if isinstance(now, list) else 16)]
    if kind == "expression":
        return [json.dumps(f"({now})*1.01 + 0.001" if now is not None else "0.01")]
    if kind == "expressions3":
        return [json.dumps([f"({text})*1.1 + 0.01" for text in now] if now else ["0.02", "0.01", "0.01"])]
    if kind == "texts" and key["choices"]:
        return [json.dumps([choice]) for choice in key["choices"] if [choice] != now]
    return []


class Walk:
    def __init__(self, place, name):
        self.place, self.name, self.text = place.resolve(), name, cases[name]
        self.place.mkdir(parents=True, exist_ok=True)
        (self.place / "case.toml").write_text(self.text)
        (self.place / "new.csv").write_text("place,bed,other\n" + "".join(f"{x}00,{x % 3},{x}\n" for x in range(7)))
        result, self.usual = self.run("usual")
        assert result.returncode == 0, f"{name}: {result.stderr}"
        self.resolved = tomllib.loads((self.place / "usual" / "resolved.toml").read_text())
        self.system = re.search(r'system = "(\w+)"', self.text)[1]
        self.keys = keys_of(self.system)

    def run(self, folder, *words):
        line = [binary, "run", "case.toml", "--device", "cpu", "--dir", folder, *words]
        result = subprocess.run(line, cwd=self.place, env=environment(), capture_output=True, text=True, timeout=120)
        return result, self.outcome(self.place / folder) if result.returncode == 0 else None

    def outcome(self, folder):
        """What a run leaves, without times of the clock and the case itself."""
        found = {}
        for path in sorted(folder.iterdir()):
            if path.name.startswith(("fields_", "checkpoint_")) and path.suffix in (".h5", ".vtkhdf"):
                found[path.name] = arrays(path)
            elif path.name.startswith("latlon_"):
                found[path.name] = path.stat().st_size
            elif path.suffix in (".h5", ".vtkhdf") and path.name.startswith(("average_", "part_", "isosurface_")):
                found[path.name] = datasets(path)
            elif path.name.startswith("picture_"):
                found[path.name] = path.read_bytes() if path.suffix == ".png" else b""
            elif path.suffix == ".csv":
                found[path.name] = path.read_text()
        return found

    def trials(self, wanted=lambda key: True):
        """(pattern, path, value) of every changed value of every key: of lists where the case has an entry, and there of nothing else."""
        for key in self.keys:
            of_list = lists.match(key["key"])
            if not wanted(key["key"]) or (of_list is None) == self.name.endswith("with entries"):
                continue
            if of_list and f"[[{of_list[1]}]]" not in self.text:
                continue
            for path in paths_of(key["key"], self.text):
                for value in others(key, path, value_at(self.resolved, path)):
                    yield key["key"], path, value

    def silent(self, number, pattern, path, value):
        """What is wrong with the answer to this value; empty when it is sound."""
        folder = f"walk-{number}"
        word = f"{path}={value}"
        if path.startswith("source[0]."):  # the cases have no entry yet
            word = f"source=[{{{path.removeprefix('source[0].')} = {value}}}]"
        result, outcome = self.run(folder, "--set", word)
        said = result.stdout + result.stderr
        leaf = re.sub(r"\[\d+\]", "", path).split(".")[-1]
        setting = f"{self.name}: {path} = {value}"
        if "not the name of a key" in result.stderr or re.search(r"has no \[\[.*\]\] entries", result.stderr):
            return f"{setting} is not tried: {result.stderr.strip()}"
        if result.returncode == 2:
            named = leaf in result.stderr or value.strip('"').replace("_", " ") in result.stderr
            return "" if named else f"{setting} is refused without its name: {result.stderr.strip()}"
        if result.returncode not in (0, 3, 4):
            return f"{setting} ends with {result.returncode}: {result.stderr.strip()}"
        if result.returncode != 0:
            return "" if result.stderr.startswith("error") else f"{setting} ends with {result.returncode} and no message"
        resolved = tomllib.loads((self.place / folder / "resolved.toml").read_text())
        shutil.rmtree(self.place / folder)
        if value_at(resolved, path) == value_at(self.resolved, path):
            return f"{setting} is not in the resolved case"
        noted = any(leaf in line for line in said.splitlines() if line.startswith(("note", "  -->")))
        idle = pattern in without_result or any(self.name == name and path.startswith(side) for name, side in dry)
        if outcome == self.usual and not noted and not idle:
            return f"{setting} changes nothing and nothing is said of it"
        if bad := not_finite(outcome):
            return f"{setting}: {bad}"
        return ""


def datasets(path):
    """All that a file of HDF5 holds but its attributes and the case that it comes from, with types and shapes."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: (item.dtype.str, item.shape, item[()].tobytes())}) if isinstance(item, h5py.Dataset) and not name.startswith("run/") else None)
    return found


def not_finite(outcome):
    for name, text in outcome.items():
        if name.startswith("series") and re.search(r",-?(nan|inf)\b", text):
            return f"{name} has values that are not finite"
    return ""
