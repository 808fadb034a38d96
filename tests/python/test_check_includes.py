"""tools/check_includes.py: one tree that breaks each rule once, and one that keeps them all."""
import pathlib
import subprocess
import sys

import pytest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_includes.py"

# (file, the include that is wrong there, words of the message)
WRONG = [
    ("src/core/block_layout.hpp", '"mesh/box.hpp"', "core (level 0) may not include mesh"),
    ("src/memory/state.hpp", '"config/input.hpp"', "memory (level 1) may not include config"),
    ("src/mesh/box.cpp", '"exec/boxes.hpp"', "mesh (level 2) may not include exec"),
    ("src/exec/boxes.cpp", '"../comm/exchange.hpp"', "exec (level 2) may not include comm"),
    ("src/solve/fft.cpp", '"systems/system.hpp"', "solve (level 4) may not include systems"),
    ("src/systems/mhd/system.cpp", '"systems/isothermal/kernels.hpp"', "never includes another system"),
    ("src/systems/mhd/terms.cpp", '"../isothermal/kernels.hpp"', "never includes another system"),
    ("src/systems/system.cpp", '"systems/isothermal/kernels.hpp"', "never includes another system"),
    ("src/systems/mhd/system.cpp", '"exec/choose_loops.hpp"', "only loops.cpp of a system chooses loops"),
    ("src/run/simulation.cpp", '"systems/isothermal/kernels.hpp"', "only their interfaces and registry.hpp"),
    ("src/run/simulation.cpp", '"cli/commands.hpp"', "run (level 6) may not include cli (level 9)"),
    ("src/cli/main.cpp", '"run/simulation.hpp"', "cli may include only include/watersmeet/"),
    ("python/bindings.cpp", '"core/error.hpp"', "python may include only include/watersmeet/"),
    ("include/watersmeet/simulation.hpp", '"run/simulation.hpp"', "public headers may include only"),
    ("src/mesh/mesh.cpp", "<watersmeet/simulation.hpp>", "below the public headers"),
    ("src/tricks/trick.hpp", "<vector>", "not in a folder of the layer list"),
    ("src/exec/cell_cpu.hpp", "<cuda_runtime.h>", "CUDA only in"),
    ("src/core/log.cpp", "<cuda_runtime.h>", "CUDA only in"),
    ("src/solve/fft_nocuda.cpp", "<cufft.h>", "CUDA only in"),
    ("src/solve/gemm.cpp", "<cublas_v2.h>", "CUDA only in"),
    ("src/exec/reduce_cpu.hpp", "<cub/cub.cuh>", "CUDA only in"),
    ("src/exec/cell_cpu.hpp", "<cuda/ptx>", "CUDA only in"),
    ("src/io/snapshot.cpp", "<mpi.h>", "MPI only in"),
    ("src/core/device_cuda.cpp", "<nccl.h>", "NCCL only in"),
    ("src/core/log.hpp", "<fmt/format.h>", "only in .cpp files"),
    ("src/exec/cell_cuda.cu", "<fmt/core.h>", "only in .cpp files"),
    ("src/config/input.hpp", "<toml++/toml.h>", "only in .cpp files"),
    ("src/cli/commands.hpp", "<CLI/CLI.hpp>", "only in .cpp files"),
    ("src/config/expression.hpp", "<muParser.h>", "only in .cpp files"),
    ("src/io/hdf5_file.hpp", "<hdf5.h>", "only in .cpp files"),
    ("src/io/png_file.hpp", "<png.h>", "only in .cpp files"),
    ("src/io/telemetry.hpp", "<nlohmann/json.hpp>", "only in .cpp files"),
    ("src/core/math.hpp", "<vector>", "a pure header"),
    ("src/schemes/central.hpp", "<string>", "a pure header"),
    ("src/systems/mhd/equations.hpp", '"systems/mhd/kernels.hpp"', "a pure header"),
    ("src/systems/mhd/boundaries.hpp", '"memory/state.hpp"', "a pure header"),
    ("src/systems/aerodynamics/penalty.hpp", "<vector>", "a pure header"),
]

RIGHT = {
    "src/core/math.hpp": '#include <cmath>\n#include "core/host_device.hpp"\n',
    "src/core/device_cuda.cpp": "#include <cuda_runtime.h>\n#include <fmt/core.h>\n#include <vector>\n",
    "src/core/check_cuda.hpp": "#include <cuda_runtime_api.h>\n",
    "src/memory/buffer.cpp": '#include <cuda_runtime.h>\n#include "buffer.hpp"\n#include "core/error.hpp"\n',
    "src/config/input.cpp": "#include <fmt/format.h>\n#include <muParser.h>\n#include <toml++/toml.h>\n",
    "src/schemes/tableau.hpp": "#include <string>\n",  # host code: a .cpp lies beside it
    "src/schemes/tableau.cpp": '#include "schemes/tableau.hpp"\n',
    "src/schemes/riemann.hpp": '#include "core/vec.hpp"\n#include "schemes/central.hpp"\n',
    "src/exec/reduce_cuda.hpp": '#include <cub/cub.cuh>\n#include "memory/state.hpp"\n',
    "src/comm/nccl.cpp": "#include <cuda_runtime.h>\n#include <mpi.h>\n#include <nccl.h>\n",
    "src/solve/fft_cuda.cpp": "#include <cufft.h>\n",
    "src/systems/registry.cpp": '#include "systems/mhd/system.hpp"\n#include "systems/system.hpp"\n',
    "src/systems/mhd/system.cpp": '#include "systems/mhd/kernels.hpp"\n#include "../system.hpp"\n#include "solve/fft.hpp"\n',
    "src/systems/mhd/equations.hpp": '#include "core/types.hpp"\n#include "schemes/central.hpp"\n',
    "src/io/hdf5_file.cpp": "#include <hdf5.h>\n#include <mpi.h>\n",
    "src/run/simulation.cpp": '#include "systems/registry.hpp"\n#include "systems/stepping.hpp"\n#include "watersmeet/simulation.hpp"\n',
    "src/cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "cli/commands.hpp"\n#include "watersmeet/simulation.hpp"\n',
    "include/watersmeet/simulation.hpp": '#include <memory>\n#include "core/error.hpp"\n',
    "python/bindings.cpp": "#include <nanobind/nanobind.h>\n#include <watersmeet/simulation.hpp>\n",
}


def write(root, file, text):
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def check(root):
    done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def make_right(root):
    write(root, "src/systems/isothermal/kernels.hpp", "#pragma once\n")  # so that relative includes find it
    write(root, "src/comm/exchange.hpp", "#pragma once\n")
    for file, text in RIGHT.items():
        write(root, file, text)


def test_clean_tree(tmp_path):
    make_right(tmp_path)
    assert check(tmp_path) == (0, [], "")


@pytest.mark.parametrize("file, include, message", WRONG, ids=[f"{f} {i}" for f, i, _ in WRONG])
def test_each_offence_is_the_only_one_found(tmp_path, file, include, message):
    make_right(tmp_path)
    write(tmp_path, file, f"// heading\n#include {include}\n")
    status, lines, _ = check(tmp_path)
    assert status == 1
    assert len(lines) == 1, lines
    assert lines[0].startswith(f"{file}:{1 if 'folder' in message else 2}:")
    assert message in lines[0]


def test_few_files_know_whether_a_build_has_cuda(tmp_path):
    make_right(tmp_path)
    write(tmp_path, "src/systems/mhd/loops.cpp", "#if defined(WATERSMEET_CUDA)\n#endif\n")
    assert check(tmp_path) == (0, [], "")
    write(tmp_path, "src/systems/mhd/system.cpp", "\n#if defined(WATERSMEET_CUDA)\n#endif\n")
    status, lines, _ = check(tmp_path)
    assert status == 1
    assert len(lines) == 1 and lines[0].startswith("src/systems/mhd/system.cpp:2: WATERSMEET_CUDA"), lines


@pytest.mark.parametrize("comment, line", [
    ("// First.\n// u = sin x, v =\n// cos x\n", 2), ("  // u -\n  // v\n", 1), ("//   a = b +\n//       c\n", 1),
    ("// h = 2 *\n// w\n", 1), ("// h = w /\n// 2\n", 1),
    ("// u = sin x,\n// v = cos x -\nint i;\n", None), ("// a --\n// b\n", None), ("int i = 1 -\n// why\n 2;\n", None),
])  # fmt: skip
@pytest.mark.parametrize("file", ["src/core/math.hpp", "tests/unit/core/math_test.cpp"])
def test_a_formula_in_a_comment_is_not_cut(tmp_path, file, comment, line):
    make_right(tmp_path)
    write(tmp_path, file, comment)
    status, lines, _ = check(tmp_path)
    assert [text.split(": ")[0] for text in lines] == ([f"{file}:{line}"] if line else []), lines
    assert status == (1 if line else 0)


def test_all_offences_are_listed(tmp_path):
    for number, (_, include, _) in enumerate(WRONG[:3]):
        write(tmp_path, f"src/core/file{number}.hpp", f"#include {include}\n")
    assert len(check(tmp_path)[1]) == 3


def test_this_tree_keeps_the_rule():
    status, lines, _ = check(TOOL.parents[1])
    assert (status, lines) == (0, [])
