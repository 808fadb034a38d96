"""Measures the processor time of a step beside that of other programs, CaNS, Athena++ and the Pencil Code, on one thread each.

    python3 bench/peers.py PROGRAM [--cans EXECUTABLE] [--athena EXECUTABLE] [--athena-scalars EXECUTABLE] [--pencil FOLDER] [--repeats 5] [--only WORDS]
                                   [--output FILE]

The others must be there: CaNS as it is; Athena++ with the problem `kh`, HLLC and 3 ghost cells, and for --athena-scalars two scalars; FOLDER with the run
directories hydro64, hydro128, mhd64 and mhd128 of the Pencil Code, compiled in double precision for so many points a side, without MPI, forcing and entropy (Makefile.local:
HYDRO, DENSITY, VISCOSITY, for mhd MAGNETIC). Programs that are not given are left out.

convection     boussinesq beside CaNS: velocity, pressure and temperature between two plates, second order, one direct solve of the pressure a stage,
               Rayleigh number 1e7; CaNS has Wray's Runge-Kutta scheme of three stages, boussinesq that (rk3) and Adams-Bashforth of one (ab2)
shear          multicomponent (7 variables) beside Athena++ (5, and 7 with two scalars): two shear layers of a gas in a periodic box, WENO5-Z, HLLC,
               Runge-Kutta of three stages by Shu and Osher, no viscosity
turbulence     isothermal (density and velocity), and magnetic: mhd with a vector potential, beside the Pencil Code: a periodic box, differences of sixth order,
               Runge-Kutta of three stages by Williamson, constant viscosity and resistivity, the step set anew each time

A sample is the user time of a run less that of a run of fewer steps, over the steps between. The programs take turns, and each sample is of a fresh copy of
the program: where its pages lie in memory counted for up to 10 %. Every run has the same settings of malloc, so that large arrays are not given back
to the kernel in each step (CaNS allocates some in each), and as large a stack as is allowed. Prints the median and the smallest and largest sample, in ns per
cell and stage, the median per variable, and both over those of the first row.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "MALLOC_MMAP_THRESHOLD_": str(4 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
               "MALLOC_TOP_PAD_": str(256 << 20)}

CONVECTION = """
[case]
system = "boussinesq"
name = "convection"
units = "code"
[grid]
cells = {cells}
lower = [-1, -1, -0.5]
upper = [1, 1, 0.5]
[physics]
rayleigh = 1e7
prandtl = 0.71
[numerics]
precision = "double"
[time]
scheme = "{scheme}"
steps = {steps}
[[initial]]
temperature = "-z"
velocity = ["sin(pi*x)*cos(pi*y)*cos(2*pi*z)", "-cos(pi*x)*sin(pi*y)*cos(2*pi*z)", 0]
[boundary]
x = "periodic"
y = "periodic"
z_lower = {{ kind = "no_slip", temperature = 0.5 }}
z_upper = {{ kind = "no_slip", temperature = -0.5 }}
"""

SHEAR = """
[case]
system = "multicomponent"
name = "shear"
units = "code"
[grid]
cells = {cells}
lower = [-0.5, -1, -0.5]
upper = [0.5, 1, 0.5]
[physics.fluids]
one = {{ gamma = 1.4 }}
other = {{ gamma = 1.4 }}
[numerics]
precision = "double"
reconstruction = "weno5-z"
[time]
scheme = "{scheme}"
cfl = 0.3
steps = {steps}
[[initial]]
fluid = "one"
density = "1 + 0.5*(tanh((y + 0.5)/0.05) - tanh((y - 0.5)/0.05))"
pressure = 10
velocity = ["tanh((y + 0.5)/0.05) - tanh((y - 0.5)/0.05) - 1", "0.01*sin(2*pi*x)*(exp(-(y + 0.5)^2/0.04) + exp(-(y - 0.5)^2/0.04))", 0]
[boundary]
x = "periodic"
y = "periodic"
z = "periodic"
"""

# Viscosity and diffusivity are (Pr/Ra)^(1/2) and (Pr Ra)^(-1/2).
CANS = """
&dns
ng(1:3) = {cells[0]}, {cells[1]}, {cells[2]}
l(1:3) = 2., 2., 1.
gtype = 1, gr = 0.
cfl = 0.95, dtmax = 1.e5, dt_f = -1.
visci = 3752.9331
inivel = 'tgv'
is_wallturb = F
nstep = {steps}, time_max = 1.e9, tw_max = 100.
stop_type(1:3) = T, F, F
restart = F, is_overwrite_save = T, nsaves_max = 0
icheck = 10, iout0d = 10, iout1d = 0, iout2d = 0, iout3d = 0, isave = 0
cbcvel(0:1,1:3,1) = 'P','P', 'P','P', 'D','D'
cbcvel(0:1,1:3,2) = 'P','P', 'P','P', 'D','D'
cbcvel(0:1,1:3,3) = 'P','P', 'P','P', 'D','D'
cbcpre(0:1,1:3) = 'P','P', 'P','P', 'N','N'
bcvel(0:1,1:3,1) = 0.,0., 0.,0., 0.,0.
bcvel(0:1,1:3,2) = 0.,0., 0.,0., 0.,0.
bcvel(0:1,1:3,3) = 0.,0., 0.,0., 0.,0.
bcpre(0:1,1:3) = 0.,0., 0.,0., 0.,0.
bforce(1:3) = 0., 0., 0.
is_forced(1:3) = F, F, F
velf(1:3) = 0., 0., 0.
gacc(1:3) = 0., 0., -1.
nscal = 1
dims(1:2) = 1, 1, ipencil_axis = 1
/
&scalar
iniscal(:) = 'cou'
alphai(:) = 2664.5825
beta = 1.
cbcscal(0:1,1:3,:) = 'P','P', 'P','P', 'D','D'
bcscal(0:1,1:3,:) = 0.,0., 0.,0., 0.5,-0.5
ssource(:) = 0.
is_sforced(:) = F
scalf(:) = 0.
is_boussinesq_buoyancy = T
/
&numerics
is_impdiff = F, is_impdiff_1d = F
is_poisson_dtdma = F
/
&other_options
is_debug = F, is_timing = F
/
&io
io_backend = 'mpiio'
/
"""

ATHENA = """
<job>
problem_id = shear
<time>
cfl_number = 0.3
nlim = {steps}
tlim = 1000.0
integrator = rk3
xorder = wenoz
ncycle_out = 0
<mesh>
nx1 = {cells[0]}
x1min = -0.5
x1max = 0.5
ix1_bc = periodic
ox1_bc = periodic
nx2 = {cells[1]}
x2min = -1.0
x2max = 1.0
ix2_bc = periodic
ox2_bc = periodic
nx3 = {cells[2]}
x3min = -0.5
x3max = 0.5
ix3_bc = periodic
ox3_bc = periodic
<hydro>
gamma = 1.4
<problem>
iprob = 4
amp = 0.01
vflow = 1.0
vboost = 0.0
drho_rho0 = 1.0
"""


WAVES = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
TURBULENCE = """
[case]
system = "{system}"
name = "turbulence"
units = "code"
[grid]
cells = {cells}
lower = [0, 0, 0]
upper = ["2*pi", "2*pi", "2*pi"]
[physics]
sound_speed = 1.0
viscosity = 5e-3
{resistivity}
[numerics]
precision = "double"
[time]
scheme = "rk3-williamson"
steps = {steps}
[[initial]]
density = 1
velocity = {waves}
{potential}
"""

# The time steps of both follow the same limits but for a factor, which does not change the work. No row of the series is written.
PENCIL = """
&run_pars
  nt={steps}, it1=1000000, cdt=0.4, cdtv=0.08, isave=0, itorder=3, dsnap=1e9, dvid=1e9, d2davg=1e9
/
&eos_run_pars
/
&hydro_run_pars
/
&density_run_pars
/
{magnetic}
&viscosity_run_pars
  nu=5e-3
/
"""
PENCIL_START = """
&init_pars
/
&eos_init_pars
  gamma=1.
/
&hydro_init_pars
  inituu='gaussian-noise', ampluu=0.1
/
&density_init_pars
/
"""


class Runner:
    """Runs of one program in one setting. `start`: a program that writes the initial state, and its files; its time does not count."""

    def __init__(self, name, stages, variables, command, file, text, start=None, **words):
        self.name, self.stages, self.variables, self.command, self.file, self.text, self.words = name, stages, variables, command, file, text, words
        self.start, self.samples = start, []

    def seconds(self, program, cells, steps):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "data/proc0").mkdir(parents=True)  # where CaNS and the Pencil Code write
            Path(folder, "data/allprocs").mkdir()
            Path(folder, self.file).write_text(self.text.format(cells=list(cells), steps=steps, **self.words))
            if self.start:
                program_of_start, files = self.start
                for name, text in files.items():
                    Path(folder, name).write_text(text)
                subprocess.run([program_of_start], cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True, preexec_fn=unlimited)
            started = subprocess.Popen([program, *self.command[1:]], cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=unlimited)
            said = started.stdout.read()
            _, status, usage = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
            if started.returncode:
                sys.exit(f"{self.name} ended with {started.returncode}:\n{said.decode(errors='replace')[-2000:]}")
            return usage.ru_utime

    def sample(self, cells, first, steps):
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy(self.command[0], folder)
            begun = self.seconds(program, cells, first)
            per_step = (self.seconds(program, cells, first + steps) - begun) / steps
        self.samples.append(per_step / (self.stages * cells[0] * cells[1] * cells[2]) * 1e9)


def unlimited():
    resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)


def ours(options, name, stages, variables, text, scheme, **words):
    return Runner(name, stages, variables, [options.program, "run", "case.toml", "--dir", "run", "--device", "cpu", "--threads", "1", "--quiet", "--set",
                                            "output.overview=false", "--set", "output.series_every_steps=1000000"], "case.toml", text, scheme=scheme, **words)


def cases(options):
    """(name, cells, steps of a sample, runners) of each comparison; the first runner is the one that the others are compared with."""
    for cells, steps in (((128, 128, 64), 20), ((128, 128, 128), 10)):
        runners = [ours(options, "boussinesq, rk3", 3, 4, CONVECTION, "rk3"), ours(options, "boussinesq, ab2", 1, 4, CONVECTION, "ab2")]
        if options.cans:
            runners.append(Runner("CaNS", 3, 4, [options.cans], "input.nml", CANS))
        yield "convection", cells, steps, runners
    for size, steps in ((64, 12), (128, 3)):
        cells = (size,) * 3
        runners = [ours(options, "multicomponent", 3, 7, SHEAR, "ssp-rk3")]
        for name, variables, program in (("Athena++", 5, options.athena), ("Athena++, two scalars", 7, options.athena_scalars)):
            if program:
                runners.append(Runner(name, 3, variables, [program, "-i", "input"], "input", ATHENA))
        yield "shear", cells, steps, runners
    for name, system, folder, variables in (("turbulence", "isothermal", "hydro", 4), ("magnetic", "mhd", "mhd", 7)):
        magnetic = system == "mhd"
        for size, steps in ((64, 20), (128, 10)):
            text = {"resistivity": "resistivity = 5e-3" if magnetic else "", "potential": f"potential = {WAVES}" if magnetic else ""}
            runners = [ours(options, system, 3, variables, TURBULENCE, "", system=system, waves=WAVES, **text)]
            if options.pencil:
                place = Path(options.pencil, f"{folder}{size}", "src")
                start = PENCIL_START + ("&magnetic_init_pars\n  initaa='gaussian-noise', amplaa=1e-4\n/\n" if magnetic else "")
                runners.append(Runner("Pencil Code", 3, variables, [str(place / "run.x")], "run.in", PENCIL, (str(place / "start.x"), {"start.in": start, "print.in": "it(i9)\n"}),
                                      magnetic="&magnetic_run_pars\n  eta=5e-3\n/" if magnetic else ""))
            yield name, (size,) * 3, steps, runners


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    for name in ("--cans", "--athena", "--athena-scalars", "--pencil"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="comparisons whose name has all these words, as in 'shear 64'")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = []
    print(f"{'':<26} {'ns/cell/stage':>13} {'range':>15} {'per variable':>12} {'times':>6} {'per variable':>12}")
    for name, cells, steps, runners in cases(options):
        title = f"{name} {'x'.join(map(str, cells))}"
        if not all(word in title for word in options.only.split()):
            continue
        for _ in range(options.repeats):
            for runner in runners:
                runner.sample(cells, 2, steps)
        print(title)
        base = statistics.median(runners[0].samples)
        for runner in runners:
            median = statistics.median(runner.samples)
            extent = f"{min(runner.samples):.1f} to {max(runner.samples):.1f}"
            print(f"  {runner.name:<24} {median:>13.1f} {extent:>15} {median / runner.variables:>12.2f} {median / base:>6.2f} "
                  f"{median / runner.variables / (base / runners[0].variables):>12.2f}", flush=True)
            rows.append({"case": name, "cells": cells, "program": runner.name, "stages": runner.stages, "variables": runner.variables, "steps": steps,
                         "ns_per_cell_and_stage": sorted(runner.samples)})
    if options.output:
        options.output.write_text(json.dumps({"command": sys.argv, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
