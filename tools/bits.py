#!/usr/bin/env python3
"""Checksums of what small cases of every system compute, to see whether a change of the program changed a bit of any of them.

    tools/bits.py PROGRAM --device cpu --ranks 1,3 > before.txt       each case on one rank and on three
    tools/bits.py PROGRAM --device gpu --ranks 1,2 --schedules        each case with every schedule of its system, on one and two GPUs
    tools/bits.py --compare before.txt after.txt                      says what differs; exit status 1 then

Cases are those of tools/gpu/cases and some examples, with the settings below, in both precisions. A line is: case, settings, precision,
schedule, ranks, checksum of all arrays and of the series; or the reason why the run was refused. Needs h5py.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[1]
HILL = "physics.terrain=200*sin(x/300)*cos(2*pi*y/3200)"
ISLANDS = "physics.bed=sin(x/4)*cos(y/5)-0.5"
C3 = "numerics.reconstruction.transverse=-1/24"
ENTROPY = "physics.energy=entropy physics.thermal_diffusivity=1e-3 physics.conductivity=1e-3"
AXISYMMETRIC = "grid.cells=[48,16,1] time.steps=12"

# Per case: its file and the settings with which it runs, each a string of words for --set.
CASES = {
    "isothermal": ("tools/gpu/cases/isothermal.toml", [
        "", "numerics.method=19-point", "numerics.storage=two", "numerics.storage=stored", "numerics.storage=stored-full",
        'numerics.upwind=["rho","velocity"] physics.hyperviscosity=1e-9', "forcing.application=rhs", "physics.bulk_viscosity=1e-3",
        'physics.acceleration=["sin(y)",0,"0.1*cos(x)"]', "time.scheme=rk2", "time.scheme=rk4-carpenter-kennedy",
        "grid.cells=[48,40,1]", "grid.cells=[31,1,1]"]),
    "mhd": ("tools/gpu/cases/mhd.toml", [
        "", "numerics.storage=stored", "physics.gauge=resistive", ENTROPY, ENTROPY + " numerics.storage=stored", "forcing.application=rhs",
        ENTROPY + ' numerics.upwind=["rho","velocity","potential","entropy"] physics.hyperresistivity=1e-9', "grid.cells=[48,40,1]"]),
    "multicomponent": ("tools/gpu/cases/multicomponent.toml", [
        "", "numerics.reconstruction=weno5-z", "numerics.reconstruction=weno3", "numerics.reconstruction=first-order",
        "numerics.riemann=hll", "numerics.riemann=rusanov", "numerics.wave_speeds=roe", "numerics.energy=split", "numerics.energy=total",
        "numerics.phi_source=faces", "physics.model=mpcf-k", "numerics.positivity=strict time.scheme=ssp-rk3 time.cfl=0.9 initial.2.velocity=[-4000,2500,0]", "numerics.positivity=scaling",
        "numerics.positivity=off", "numerics.clip=true", "grid.cells=[64,32,1]"]),
    "bubbles": ("examples/bubble-row/quick.toml", [AXISYMMETRIC, AXISYMMETRIC + " numerics.positivity=fallback physics.model=mpcf"]),
    "boussinesq": ("tools/gpu/cases/boussinesq.toml", [
        "", "numerics.pressure.solver=gemm", "numerics.pressure.solver=mg", "numerics.pressure.solver=mgcg", "time.scheme=rk3",
        "numerics.advection=upwind1", "physics.coriolis=[0.3,0.2,1]", "physics.scalars.salt.diffusivity=1e-3 physics.scalars.salt.buoyancy=-0.5",
        "grid.cells=[48,1,40]", "physics.gravity=-x", "grid.z_stretching=1.5", "grid.z_stretching=1.5 numerics.pressure.solver=mg"]),
    "channel": ("examples/channel/quick.toml", ["time.steps=8"]),
    "lock": ("examples/lock-exchange/quick.toml", ["time.steps=8"]),
    "plane": ("tools/gpu/cases/plane.toml", [
        "", "numerics.reconstruction.transverse=0", C3, "numerics.reconstruction.transverse=0 numerics.reconstruction.limiter=minmod", "numerics.reconstruction.transverse=0 numerics.reconstruction.limiter=tvd",
        "numerics.riemann=hllc", "numerics.riemann=linearised", "time.scheme=ssp-rk43", "numerics.wet_dry=true", f"numerics.wet_dry=true {ISLANDS}",
        f"numerics.wet_dry=true numerics.reconstruction.transverse=0 {ISLANDS}", "grid.cells=[150,1,1]", "physics.friction.manning=0.03"]),
    "sphere": ("tools/gpu/cases/sphere.toml", ["", "numerics.reconstruction.transverse=0", "numerics.riemann=hllc", "numerics.riemann=linearised"]),
    "box": ("tools/gpu/cases/box.toml", [
        "", "numerics.riemann=ausm", "numerics.riemann=hllc", "numerics.reconstruction.limiter=vanleer", C3, HILL, HILL + " numerics.riemann=ausm",
        HILL + " time.scheme=hevi", "time.scheme=hevi", "physics.viscosity=10", HILL + " physics.viscosity=10", "time.scheme=ssp-rk43",
        "grid.cells=[47,1,21]", "grid.z_mapping=exp(s)", "grid.z_mapping=exp(s) " + HILL, "grid.z_mapping=exp(s) time.scheme=hevi"]),
    "globe": ("tools/gpu/cases/globe.toml", [
        "", "physics.terrain=0", "physics.atmosphere=deep", "time.scheme=hevi", C3, "numerics.riemann=hllc", "numerics.riemann=ausm",
        "numerics.reconstruction.limiter=vanleer", "physics.terrain=0 time.scheme=hevi", "grid.z_mapping=exp(s)", "grid.z_mapping=exp(s) time.scheme=hevi",
        "grid.z_mapping=exp(s) physics.atmosphere=deep"]),
    "blocks": ("tools/gpu/cases/blocks.toml", [f"numerics.order={order}" for order in range(1, 7)] + [
        "numerics.order=5 numerics.flux=divergence", "numerics.order=3 numerics.dissipation.kind=scalar", "numerics.order=3 numerics.coupling.kind=hlle",
        "numerics.order=2 numerics.coupling.kind=central"]),
    "section": ("examples/naca0012/quick.toml", [
        "time.steps_max=6", "time.steps_max=6 numerics.order=1", "time.steps_max=6 numerics.order=2", "time.steps_max=6 numerics.multigrid.levels=1",
        "time.steps_max=6 physics.freestream.mach=0.8 numerics.dissipation.kind=scalar"]),
    "glider": ("examples/glider15/quick.toml", ["time.steps_max=6", "time.steps_max=3 numerics.order=3"]),
}
SCHEDULES = {
    "isothermal": ["direct", "ring"], "mhd": ["direct"], "multicomponent": ["sweeps"], "bubbles": ["sweeps"], "boussinesq": ["direct", "ring"],
    "channel": ["direct", "ring"], "lock": ["direct", "ring"], "plane": ["march", "axes"], "sphere": ["march"], "box": ["sweeps", "tile", "axes"],
    "globe": ["sweeps", "tile"], "blocks": ["direct", "cubes", "march"], "section": ["direct", "cubes", "march"], "glider": ["direct", "cubes", "march"],
}


def checksum(folder):
    """Of the arrays of the last checkpoint, by name, and of the bytes of the series."""
    last = sorted(folder.glob("checkpoint_*.h5"))[-1]
    crc = 0
    with h5py.File(last) as file:
        for name in sorted(file["arrays"]):
            crc = zlib.crc32(file["arrays"][name][()].tobytes(), zlib.crc32(name.encode(), crc))
    return f"{last.stem} {crc:08x} {zlib.crc32((folder / 'series.csv').read_bytes()):08x}"


def run(program, device, label, file, settings, precision, schedule, ranks):
    with tempfile.TemporaryDirectory() as place:
        line = [program, "run", ROOT / file, "--dir", f"{place}/run", "--quiet", "--precision", precision]
        if schedule:
            line += ["--set", f"device.schedule={schedule}"]
        for word in settings.split() + ["output.overview=false", "output.series_every_steps=1"]:
            line += ["--set", word]
        if ranks > 1:
            line += ["--gpus", str(ranks), "--set", "device.slower_ranks=true"] if device == "gpu" else ["--device", "cpu", "--ranks", str(ranks)]
        else:
            line += ["--device", device]
        result = subprocess.run(line, capture_output=True, text=True, cwd=place, timeout=900,
                                env={**os.environ, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"), "NCCL_NVLS_ENABLE": "0"})
        if result.returncode == 0:
            text = checksum(pathlib.Path(place) / "run")
        else:
            text = f"status {result.returncode}: " + " ".join((result.stderr or result.stdout).split())[:160]
    return f"{label} | {settings} | {precision} | {schedule or 'auto'} | {ranks} | {text}"


def compare(before, after):
    tables = []
    for file in (before, after):
        rows = [line.rsplit(" | ", 1) for line in pathlib.Path(file).read_text().splitlines()]
        tables.append(dict(row for row in rows if len(row) == 2))
    old, new = tables
    different = [key for key in old if key in new and old[key] != new[key] and not old[key].startswith("status")]
    refused = [key for key in old if key in new and old[key] != new[key] and old[key].startswith("status")]
    for key in different:
        print(f"differs: {key}\n   {old[key]}\n   {new[key]}")
    for key in refused:
        print(f"was refused: {key}\n   {old[key]}\n   {new[key]}")
    for key in old.keys() ^ new.keys():
        print(f"in one file only: {key}")
    print(f"{len(old.keys() & new.keys()) - len(different) - len(refused)} equal, {len(different)} differ, {len(refused)} were refused before")
    return bool(different or old.keys() ^ new.keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--device", default="cpu", choices=["cpu", "gpu"])
    parser.add_argument("--ranks", default="1", help="numbers of ranks, with commas between")
    parser.add_argument("--schedules", action="store_true", help="every schedule of a system instead of auto")
    parser.add_argument("--only", default="", help="cases, with commas between")
    parser.add_argument("-j", type=int, default=2, help="runs at once")
    given = parser.parse_args()
    if given.compare:
        return compare(*given.compare)
    program = str(pathlib.Path(given.program).resolve())
    only = given.only.split(",") if given.only else list(CASES)
    jobs = [(program, given.device, label, CASES[label][0], settings, precision, schedule, int(ranks))
            for ranks in given.ranks.split(",") for label in only for settings in CASES[label][1] for precision in ("double", "single")
            for schedule in (SCHEDULES[label] if given.schedules else [""])]
    with concurrent.futures.ThreadPoolExecutor(given.j) as pool:
        for line in pool.map(lambda job: run(*job), jobs):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
