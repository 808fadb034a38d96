"""Writes small run directories of the documented layout (user interface, section 5; snapshot files, section 2.4).

The reader is tested against files made here with h5py alone, so the tests need neither the compiled program nor a run.
"""

from __future__ import annotations

import json
from pathlib import Path

import h5py
import numpy as np

SERIES_UNITS = {"step": "1", "t": "time", "dt": "time", "mass": "mass", "u_rms": "length/time",
                "kinetic_energy": "length^2/time^2", "dissipation": "length^2/time^3"}
FIELD_UNITS = {"rho": "mass/length^3", "velocity": "length/time", "lnrho": "1"}


def write_snapshot(directory, step, t, axes, fields, *, case="[case]\nsystem = \"isothermal\"\n", system="isothermal"):
    """One fields_NNNNNN.vtkhdf; axes = (x, y, z), fields in (nz, ny, nx[, 3]) order."""
    x, y, z = axes
    path = Path(directory) / f"fields_{step:06d}.vtkhdf"
    with h5py.File(path, "w", track_order=True) as file:
        vtk = file.create_group("VTKHDF", track_order=True)
        vtk.attrs["Version"] = np.array([2, 2])
        vtk.attrs["Type"] = np.bytes_("ImageData")
        cell_data = vtk.create_group("CellData")
        for name, values in (("x", x), ("y", y), ("z", z)):
            file[name] = np.asarray(values, float)
            file[name].attrs["units"] = np.bytes_("length")
            file[name].attrs["axis"] = np.bytes_(name.upper())
            file[name].make_scale(name)
        file["time"] = float(t)
        file["time"].attrs["units"] = np.bytes_("time")
        for name, values in fields.items():
            dataset = cell_data.create_dataset(name, data=values)
            dataset.attrs["units"] = np.bytes_(FIELD_UNITS.get(name, "1"))
            file[name] = dataset
        run = file.create_group("run")
        run.attrs.update({"program": "watersmeet", "version": "0.1.0", "commit": "1a2b3c4d5e", "system": system,
                          "step": step, "t": float(t), "precision": "double"})
        run["input_toml"] = np.bytes_(case)
    return path


def write_table(path, columns, units):
    """A CSV file as the program writes it: names, `# units:` line, rows with 17 digits."""
    names = list(columns)
    lines = [",".join(names), "# units: " + ",".join(units.get(name, "1") for name in names)]
    for row in zip(*columns.values()):
        lines.append(",".join(str(int(v)) if n in ("step", "k") else f"{v:.17g}" for n, v in zip(names, row)))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_series(directory, columns):
    write_table(Path(directory) / "series.csv", columns, SERIES_UNITS)


def write_spectra(directory, steps, times, k, components):
    """components: array (time, k, 3) of Ex, Ey, Ez; E is their sum."""
    components = np.asarray(components, float)
    n_t, n_k = components.shape[:2]
    flat = components.reshape(n_t * n_k, 3)
    write_table(Path(directory) / "spectra.csv",
                {"step": np.repeat(steps, n_k), "t": np.repeat(np.asarray(times, float), n_k), "k": np.tile(k, n_t),
                 "E": flat.sum(axis=1), "Ex": flat[:, 0], "Ey": flat[:, 1], "Ez": flat[:, 2]},
                {"t": "time", "E": "length^3/time^2", "Ex": "length^3/time^2", "Ey": "length^3/time^2",
                 "Ez": "length^3/time^2"})


def write_texts(directory, case, info=None):
    """case.toml, resolved.toml (the same keys) and run.json."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "case.toml").write_text(case, encoding="utf-8")
    (directory / "resolved.toml").write_text(case, encoding="utf-8")
    info = info or {"program": "watersmeet", "version": "0.1.0", "commit": "1a2b3c4d5e6f7a8b", "dirty": False,
                    "devices": ["NVIDIA H200"], "ranks": 1, "start": "2026-11-20T10:00:00Z",
                    "end": "2026-11-20T10:05:00Z", "exit_status": 0}
    (directory / "run.json").write_text(json.dumps(info), encoding="utf-8")
    (directory / "log.txt").write_text("watersmeet 0.1.0\n", encoding="utf-8")


FORCED_CASE = """[case]
system = "isothermal"
name = "forced-turbulence"
units = "code"
[grid]
cells = [16, 12, 8]
lower = [0, 0, 0]
upper = [6.283185307179586, 6.283185307179586, 6.283185307179586]
[physics]
sound_speed = 1.0
viscosity = 0.01
[forcing]
kind = "nonhelical"
amplitude = 0.03
k_min = 1.0
k_max = 2.0
[numerics]
precision = "double"
"""


def sample_run(directory):
    """A 16 x 12 x 8 run with two snapshots, 40 rows of series and five spectra; returns its path."""
    directory = Path(directory)
    write_texts(directory, FORCED_CASE)
    n = (16, 12, 8)
    axes = [2 * np.pi * np.arange(m) / m for m in n]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    for step, t in ((0, 0.0), (100, 2.0)):
        a = 1.0 + 0.5 * t
        velocity = np.stack([a * np.sin(x) * np.cos(y) * np.cos(z), -a * np.cos(x) * np.sin(y) * np.cos(z), 0 * x], -1)
        rho = np.exp(0.1 * np.cos(x + y) + 0.01 * t)
        write_snapshot(directory, step, t, axes, {"rho": rho, "velocity": velocity}, case=FORCED_CASE)
    t = np.linspace(0, 2, 40)
    step = np.linspace(0, 100, 40).astype(int)
    write_series(directory, {"step": step, "t": t, "dt": 0.02 + 0 * t, "mass": 248.0 + 0 * t, "mass_drift": 1e-15 * t,
                             "u_rms": 0.5 + 0.1 * t, "speed_max": 1.0 + t, "mach_max": 1.0 + t, "rho_min": 0.9 + 0 * t,
                             "rho_max": 1.1 + 0 * t, "kinetic_energy": 0.5 * (0.5 + 0.1 * t) ** 2,
                             "dissipation": 0.01 * (1 + t), "enstrophy": 1.0 + t})
    k = np.arange(0, 9)
    times = np.linspace(0, 2, 5)
    shape = np.where(k > 0, np.maximum(k, 1) ** (-5 / 3) * np.exp(-0.1 * k), 0)
    components = 0.05 * (1 + times[:, None, None]) * shape[None, :, None] * np.array([1.0, 1.05, 0.95])
    write_spectra(directory, [0, 25, 50, 75, 100], times, k, components)
    (directory / "telemetry.jsonl").write_text('{"units":{"t":"time"}}\n{"step":0,"t":0.0}\n', encoding="utf-8")
    return directory


CYLINDER_CASE = """[case]
system = "aerodynamics"
name = "cylinder"
[grid]
mesh = { kind = "cylinder" }
[time]
mode = "steady"
[numerics]
precision = "double"
"""


def block_run(directory, n=(17, 9)):
    """Potential flow around a cylinder of radius 1 on two blocks, their layout that of docs/reference/files.md."""
    directory = Path(directory)
    write_texts(directory, CYLINDER_CASE)
    ni, nj = n
    with h5py.File(directory / "mesh.h5", "w", track_order=True) as file:
        file.attrs["dimensions"] = np.int64(2)
        for b in range(2):
            angle = np.pi * (b + np.arange(ni) / (ni - 1))
            radius = 8 ** (np.arange(nj) / (nj - 1))
            r, a = np.meshgrid(radius, -angle, indexing="ij")
            xyz = np.stack([r * np.cos(a), r * np.sin(a), 0 * r], -1)[None]
            file[f"blocks/block_{b:03d}/xyz"] = xyz
        for p, (name, kind, b, face, j) in enumerate([("body", "slip_wall", 0, "j_lower", 0), ("body", "slip_wall", 1, "j_lower", 0),
                                                      ("far", "farfield", 0, "j_upper", nj - 1),
                                                      ("far", "farfield", 1, "j_upper", nj - 1)]):
            group = file.create_group(f"patches/patch_{p:03d}")
            group.attrs.update({"name": np.bytes_(name), "kind": np.bytes_(kind), "block": np.int64(b), "face": np.bytes_(face),
                                "begin": np.array([0, j, 0]), "end": np.array([ni - 1, j, 0])})
        meshes = [file[f"blocks/block_{b:03d}/xyz"][()] for b in range(2)]
    for step in (0, 40):
        with h5py.File(directory / f"fields_{step:06d}.h5", "w", track_order=True) as file:
            file.attrs.update({"mesh": np.bytes_("mesh.h5"), "length_units": np.bytes_("1")})
            file["time"] = float(step)
            file["time"].attrs["units"] = np.bytes_("1")
            for b, xyz in enumerate(meshes):
                z = xyz[..., 0] + 1j * xyz[..., 1]
                w = 0.4 * (1 - 1 / z**2)
                group = file.create_group(f"blocks/block_{b:03d}")
                group.attrs["nodes"] = np.array([ni, nj, 1])
                for name, values in (("mach", np.abs(w)), ("velocity", np.stack([w.real, -w.imag, 0 * w.real], -1))):
                    group[name] = values
                    group[name].attrs["units"] = np.bytes_("1" if name == "mach" else "length/time")
            run = file.create_group("run")
            run.attrs.update({"program": "watersmeet", "version": "0.1.0", "system": "aerodynamics", "step": step})
    body = np.concatenate([xyz[0, 0] for xyz in meshes])
    arc = np.r_[np.pi * np.arange(ni) / (ni - 1), np.pi * (1 + np.arange(ni) / (ni - 1))]
    columns = {"x": body[:, 0], "y": body[:, 1], "z": body[:, 2], "arc": arc, "cp": 1 - 4 * np.sin(arc) ** 2}
    write_table(directory / "surface_body_000040.csv", columns, {"x": "length", "arc": "length"})
    step = np.arange(0, 41, 10)
    residual = 10.0 ** (-0.1 * step)
    write_series(directory, {"step": step, "t": step, "dt": 0 * step + 1, "residual_rho": residual, "residual_mx": residual,
                             "residual_energy": residual, "cl": 0 * residual, "cd": residual})
    return directory
