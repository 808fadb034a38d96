#!/usr/bin/env python3
"""Check the include rule of docs/architecture.md on src/, include/ and python/, and that no comment breaks a formula.

Usage: check_includes.py [ROOT]      prints every offence as file:line: text, and exits 1 when there is any

A layer is a folder of src/. A file may include its own layer and those below; systems never see each other, the layers
above see of the systems only their interface, and the shells (cli, python) see only the public headers. Besides, some
libraries are confined to few files, and pure headers stay free of everything a kernel cannot use. A formula in a comment is not cut
after =, + or -, in tests/, bench/ and examples/ neither.
"""
import pathlib
import posixpath
import re
import sys

LEVEL = {"core": 0, "memory": 1, "config": 1, "schemes": 1, "mesh": 2, "exec": 2, "comm": 3,
         "solve": 4, "stream": 4, "io": 4, "launch": 5, "systems": 5, "run": 6, "verify": 7, "bench": 7, "commands": 8,
         "cli": 9, "python": 9}
PUBLIC = "watersmeet"  # headers in include/watersmeet/
SYSTEMS_INTERFACE = {f"systems/{name}.hpp" for name in ("system", "set_up", "stepping", "observation", "registry")}
SOURCES = {".hpp", ".h", ".cpp", ".cu", ".cuh"}
PURE_CORE = {f"core/{name}.hpp" for name in ("finished", "host_device", "math", "table_address", "vec", "view")}
PURE_SYSTEM = re.compile(r"systems/\w+/(equations|boundaries|riemann|entropy|dissipation|penalty)\.hpp")
# Headers of the standard library that a pure header may use: what also compiles for a device and at run time.
PURE_STANDARD = {"array", "bit", "cmath", "concepts", "cstddef", "cstdint", "limits", "numbers", "type_traits",
                 "utility"}

CUT_FORMULA = re.compile(r"^[ \t]*//.* [=+*/-]\n[ \t]*//", re.MULTILINE)
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
CUDA = re.compile(r"(cuda|cub|thrust|nv|cooperative_groups)/|cuda\w*\.h|cu(fft|blas|rand|sparse|solver)\w*\.h"
                  r"|cooperative_groups\.h|device_launch_parameters\.h|driver_types\.h|vector_types\.h|mma\.h"
                  r"|nvrtc\.h|nvml\.h|nvtx3?/|nvToolsExt\.h|math_constants\.h")
HDF5_HEADER = "io/hdf5_call.hpp"  # private to the .cpp files of the HDF5 layer
MPI = re.compile(r"mpi\w*\.h|mpi/")
NCCL = re.compile(r"nccl\w*\.h")
CGNS = re.compile(r"cgns\w*\.h|cgns_io\.h")
CUDA_MACRO_KNOWN = re.compile(r"systems/\w+/loops\.cpp|exec/choose_loops\.hpp")  # as cmake/layers.cmake has it
HOST_LIBRARY = re.compile(r"(fmt|toml\+\+|CLI|nlohmann|Eigen)/|toml\.hpp|muParser\w*\.h|png\w*\.h|hdf5\w*\.h|H5\w+\.h")


def layer_of(name):
    """Layer (or PUBLIC) that an include-style path such as mesh/box.hpp belongs to, None when it is no part of us."""
    top = name.split("/")[0]
    return top if "/" in name and (top in LEVEL or top == PUBLIC) else None


def is_pure(name, root):
    """Whether the header holds pointwise code. A scheme header with a .cpp beside it is host code."""
    if name.startswith("schemes/") and name.endswith(".hpp"):
        return not (root / "src" / name).with_suffix(".cpp").exists()
    return name in PURE_CORE or PURE_SYSTEM.fullmatch(name) is not None


def may_use_cuda(name):
    stem = posixpath.basename(name).split(".")[0]
    return (re.search(r"_cuda(_|$)", stem) is not None or name.startswith("memory/")
            or name == "comm/nccl.cpp")


def project_offence(name, layer, target, to):
    """Why file `name` of `layer` must not include our header `target` of layer `to`; None when it may."""
    if to == PUBLIC:
        return None if layer in (PUBLIC, "io", "launch") or LEVEL[layer] >= LEVEL["run"] else f"{layer} lies below the public headers"
    if layer in (PUBLIC, "cli", "python"):
        if to == layer or (layer == PUBLIC and to == "core"):
            return None
        return "public headers may include only each other and core" if layer == PUBLIC else \
            f"{layer} may include only include/watersmeet/ and its own headers"
    if to == "systems" and LEVEL[layer] > LEVEL["systems"]:
        return None if target in SYSTEMS_INTERFACE else f"{layer} sees of the systems only their interfaces and registry.hpp"
    if layer == to == "systems":
        if target.count("/") == 1 or name == "systems/registry.cpp" or name.split("/")[:2] == target.split("/")[:2]:
            return None
        return "a system never includes another system; only registry.cpp lists them"
    if target == "exec/choose_loops.hpp" and not CUDA_MACRO_KNOWN.fullmatch(name):
        return "only loops.cpp of a system chooses loops: no other file knows whether the build has CUDA"
    if to == layer or LEVEL[to] < LEVEL[layer]:
        return None
    return f"{layer} (level {LEVEL[layer]}) may not include {to} (level {LEVEL[to]})"


def library_offence(name, target):
    """Why file `name` must not include the header `target` of a library; None when it may."""
    if CUDA.match(target) and not may_use_cuda(name):
        return "CUDA only in *_cuda* files, memory/ and comm/nccl.cpp"
    if MPI.match(target) and not name.startswith("comm/") and name != "io/hdf5_file.cpp":
        return "MPI only in comm/ and io/hdf5_file.cpp"
    if NCCL.match(target) and not name.startswith("comm/"):
        return "NCCL only in comm/"
    if CGNS.match(target) and not name.startswith("mesh/files/cgns_file."):
        return "CGNS only in mesh/files/cgns_file.hpp"
    if HOST_LIBRARY.match(target) and not name.endswith(".cpp") and name != HDF5_HEADER:
        return "fmt, toml++, CLI11, muParser, libpng, HDF5, nlohmann and Eigen only in .cpp files"
    return None


def resolve(target, name, path):
    """Include-style path of a quoted include: beside the file first, as the compiler looks it up."""
    beside = target.startswith(".") or (path.parent / target).exists()
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) if beside else target


def cut_formulas(root):
    """Comment lines that end in =, +, -, * or / before another one, as (file, line, text)."""
    for folder in ("bench", "examples", "include", "python", "src", "tests"):
        for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in SOURCES):
            text = path.read_text(encoding="utf-8")
            for match in CUT_FORMULA.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield path.relative_to(root).as_posix(), line, "a formula is cut at the end of the line; move it to one line"


def offences(root):
    """All offences of the tree under `root` as (file, line, text), in file order."""
    found = []
    for folder, prefix in (("include", ""), ("python", "python/"), ("src", "")):
        base = root / folder
        for path in sorted(p for p in base.rglob("*") if p.suffix in SOURCES):
            name = prefix + path.relative_to(base).as_posix()
            layer = layer_of(name)
            shown = path.relative_to(root).as_posix()
            if layer is None:
                found.append((shown, 1, "not in a folder of the layer list"))
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.search(r"\bWATERSMEET_CUDA\b", line) and not CUDA_MACRO_KNOWN.fullmatch(name):
                    found.append((shown, number, "WATERSMEET_CUDA is known only where systems choose kernels (cmake/layers.cmake)"))
                match = INCLUDE.match(line)
                if not match:
                    continue
                target = match[2]
                if match[1] == '"':
                    target = resolve(target, name, path)
                to = layer_of(target)
                why = project_offence(name, layer, target, to) if to else library_offence(name, target)
                if not why and is_pure(name, root):
                    allowed = is_pure(target, root) or to == "core" if to else target in PURE_STANDARD
                    why = None if allowed else "a pure header includes only pure headers, core and what kernels can use"
                if why:
                    found.append((shown, number, f"{target}: {why}"))
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    found = [*offences(root), *cut_formulas(root)]
    for file, line, text in found:
        print(f"{file}:{line}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
