"""Fields of live simulations on a GPU as arrays of PyTorch, CuPy and JAX: same address, same values, what is written arrives, and a step while an
array is in use is refused. One row a system and precision; a package that is missing is said.

    PYTHONPATH=python:BUILD/python python3 tools/gpu/live.py

Exit status 1 when something did not hold. JAX takes compact arrays alone: "strided" says that it refused one whose rows have ghosts.
"""

import os
import sys

import numpy as np

import watersmeet

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

CASES = {
    "isothermal": "sine-decay/quick",
    "mhd": "alfven-wave/quick",
    "multicomponent": "sod/quick",
    "boussinesq": "rayleigh-benard/quick",
    "aerodynamics": "naca0012/quick",
    "atmosphere": "warm-bubble/quick",
    "shallow_water": "williamson-2/quick",
}


def torch_row(simulation, field) -> tuple[str, int]:
    import torch

    array = torch.from_dlpack(field)
    address, before = array.data_ptr(), np.array(field[...])
    same = array.is_cuda and bool((array.cpu().numpy() == before).all())
    try:
        simulation.step(1)
        refused = False
    except BufferError:
        refused = True
    array.mul_(1.0001)
    torch.cuda.synchronize()
    del array
    written = np.allclose(field[...], before * 1.0001, rtol=1e-6)
    return "ok" if same and refused and written else f"FAILED: same {same}, step refused {refused}, written {written}", address


def cupy_row(field, address: int) -> str:
    import cupy

    array = cupy.from_dlpack(field)
    same = array.data.ptr == address and bool((cupy.asnumpy(array) == np.array(field[...])).all())
    return "ok" if same else "FAILED"


def jax_row(field, address: int) -> str:
    import jax

    jax.config.update("jax_enable_x64", True)
    try:
        array = jax.dlpack.from_dlpack(field)
    except Exception as error:  # JaxRuntimeError is no public name
        return "strided" if "striding" in str(error) else f"FAILED: {error}"
    same = array.unsafe_buffer_pointer() == address and bool((np.asarray(array) == np.array(field[...])).all())
    return "ok" if same else "FAILED"


def main() -> int:
    failed = False
    print(f"{'system':15} {'precision':10} {'PyTorch':10} {'CuPy':10} {'JAX':10}")
    for system, case in CASES.items():
        for precision in ("single", "double"):
            simulation = watersmeet.Simulation(case, device="gpu", precision=precision)
            simulation.step(2)
            field = simulation.fields[list(simulation.fields)[0]]
            words, address = [], 0
            for row in (lambda: torch_row(simulation, field), lambda: cupy_row(field, address), lambda: jax_row(field, address)):
                try:
                    word = row()
                except ImportError as error:
                    word = f"no {error.name}"
                if isinstance(word, tuple):
                    word, address = word
                words.append(word)
            simulation.step(1)
            failed = failed or any("FAILED" in word for word in words)
            print(f"{system:15} {precision:10} " + " ".join(f"{word:10}" for word in words), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
