"""A simulation in this process: `watersmeet.Simulation`.

Fields are the memory that the program computes with. A `LiveField` reads and writes it where it lies; `numpy.asarray(field)` and DLPack give it
away without a copy. Steps leave the solution elsewhere in memory, so that a step raises BufferError while such an array is in use: an array
never shows anything but the present solution.
"""

from __future__ import annotations

import difflib
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .case_text import GridFunction, case_text, evaluate, value_text

try:
    from . import _engine
except ImportError as _failure:
    raise ImportError(f"simulations in Python need the compiled module watersmeet._engine, which cannot be imported ({_failure}). `pip install .` "
                      "in the source tree builds it; with a build folder, put build/PRESET/python on PYTHONPATH, beside the folder python") \
        from _failure

_never = sys.float_info.max
_no_end = 2**62


class Spectra(NamedTuple):
    """Shell-averaged spectra of the velocity: wave numbers in units of 2 pi over the longest side, and energies, arrays (shells,).

    The sum of `total` is the mean of |u|^2 / 2; x, y and z are the parts of the components.
    """

    k: np.ndarray
    total: np.ndarray
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray


class LiveField(np.lib.mixins.NDArrayOperatorsMixin):
    """A stored variable of a simulation, of the shape (z, y, x) of its cells without ghosts, in the precision of the run.

    `field[...]` is a copy of a part, as with files of h5py; `field[...] = values` and `field *= 2` write. `numpy.asarray(field)` is the memory
    itself (on a GPU a copy), `torch.from_dlpack(field)`, `jax.dlpack.from_dlpack(field)` and `cupy.from_dlpack(field)` too, where it is: on
    the CPU or a GPU. A field itself is always the present one; arrays of its memory must be deleted before the next step. What was written
    takes effect before anything is computed.

    >>> import numpy as np, watersmeet
    >>> s = watersmeet.Simulation("sine-decay/quick", set={"grid.cells": [8, 8, 8]})
    >>> ux = s.fields["ux"]
    >>> ux.shape, ux.dtype, ux[0, 0].shape
    ((8, 8, 8), dtype('float64'), (8,))
    >>> ux[...] = 0.25
    >>> ux *= 2
    >>> float(np.mean(ux))
    0.5
    """

    def __init__(self, live: _engine.Live, name: str):
        self._live = live
        self.name = name

    @property
    def shape(self) -> tuple[int, int, int]:
        return tuple(reversed(self._live.cells))

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(np.float32 if self._live.single_precision else np.float64)

    @property
    def ndim(self) -> int:
        return 3

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def coordinates(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the values are, along x, y and z, three arrays: points or middles of cells, or lower faces in the direction in which the
        variable is staggered.

        Raises:
            UnsupportedError: the cells do not lie along x, y and z.
        """
        return tuple(np.asarray(c) for c in self._live.coordinates_of(self.name))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<field {self.name} {self.shape} {self.dtype} {'on the GPU' if self._live.on_gpu else 'in memory'}>"

    def _array(self, read_only: bool) -> np.ndarray:
        if self._live.on_gpu:
            return self._live.variable(self.name).astype(self.dtype)
        return self._live.memory(self.name, read_only)

    def __array__(self, dtype=None, copy=None):
        if dtype is None or dtype == self.dtype:
            return self._array(True).copy() if copy else self._array(False)
        if copy is False:
            raise ValueError(f"the field {self.name} is {self.dtype}; as {np.dtype(dtype)} it is a copy")
        return self._array(True).astype(dtype)

    def __dlpack__(self, **how):
        return self._live.memory(self.name, False).__dlpack__(**how)

    def __dlpack_device__(self):
        return self._live.memory(self.name, True).__dlpack_device__()

    def __getitem__(self, part) -> np.ndarray:
        return np.array(self._array(True)[part])

    def __setitem__(self, part, values) -> None:
        array = self._array(False)
        array[part] = values
        if self._live.on_gpu:
            self._live.set_variable(self.name, array)

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **how):
        arrays = [one[...] if isinstance(one, LiveField) else one for one in inputs]
        if out:
            how["out"] = tuple(one[...] if isinstance(one, LiveField) else one for one in out)
        result = getattr(ufunc, method)(*arrays, **how)
        if not out:
            return result
        for target, values in zip(out, how["out"]):
            if isinstance(target, LiveField):
                target[...] = values
        return out[0] if len(out) == 1 else out


class LiveFields(Mapping):
    """The stored variables of a simulation by name. `fields[name] = values` writes: an array that broadcasts to (z, y, x), a number, or a
    function of x, y and z, which is called once with arrays that broadcast against each other.

    Raises:
        KeyError: there is no such variable.

    >>> import numpy as np, watersmeet
    >>> s = watersmeet.Simulation("sine-decay/quick", set={"grid.cells": [8, 8, 8]})
    >>> list(s.fields)
    ['lnrho', 'ux', 'uy', 'uz']
    >>> s.fields["uz"] = lambda x, y, z: np.sin(x) * np.cos(y)
    """

    def __init__(self, live: _engine.Live):
        self._live = live
        self._names = live.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, name: str) -> LiveField:
        if name not in self._names:
            near = difflib.get_close_matches(str(name), self._names, 1)
            raise KeyError(f"no stored variable {name!r}{f'; did you mean {near[0]!r}?' if near else ';'} There are: {', '.join(self._names)}")
        return LiveField(self._live, name)

    def __setitem__(self, name: str, values) -> None:
        field = self[name]
        field[...] = evaluate(values, list(field.coordinates)) if callable(values) else values


class LiveAverage(Mapping):
    """An average in time from the beginning of a window to the time at which it was asked for: arrays by name, of the shape (z, y, x), of vectors
    (z, y, x, 3), as in the files of a run.

    Attributes:
        t_begin: where the window begins. averaged_over: length of time. samples: number of states.
        along, profile: where the case has `profile`, coordinates of the planes, and arrays (planes,) by name, as the columns of profile_NAME.csv;
            else empty.
    """

    def __init__(self, found: dict):
        self.t_begin, self.averaged_over, self.samples = found["t_begin"], found["averaged_over"], found["samples"]
        self.along, self.profile = found["along"], found["profile"]
        self._fields = found["fields"]

    def __getitem__(self, name: str) -> np.ndarray:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"<average over {self.averaged_over:g} from t = {self.t_begin:g}: {', '.join(self)}>"


class LiveAverages(Mapping):
    """The averages in time of a case, [[output.average]], by name. Each is computed up to the present state when it is asked for, and changes no
    bit of what comes. A window that has ended is there until the next step.

    Raises:
        KeyError: there is none of this name. InputError: no step was taken in a window of it yet.

    >>> import watersmeet
    >>> average = {"name": "wave", "mean": ["velocity"], "variance": ["velocity.x"]}
    >>> s = watersmeet.Simulation("sine-decay/quick", set={"grid.cells": [8, 8, 8], "output.average": [average]})
    >>> s.step(10)
    >>> wave = s.averages["wave"]
    >>> wave.samples, list(wave), wave["velocity_mean"].shape
    (11, ['velocity_mean', 'velocity_x_variance'], (8, 8, 8, 3))
    """

    def __init__(self, live: _engine.Live):
        self._live = live
        self._names = live.averages

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, name: str) -> LiveAverage:
        if name not in self._names:
            near = difflib.get_close_matches(str(name), self._names, 1)
            raise KeyError(f"no average {name!r}{f'; did you mean {near[0]!r}?' if near else ';'} There are: {', '.join(self._names) or 'none'}")
        return LiveAverage(self._live.average(name))


class _Callback:
    """A function that is called every `every` of time or every `every_steps` steps from now on."""

    def __init__(self, call, every, every_steps, t, steps):
        self.call, self.every, self.every_steps = call, every, every_steps
        self.begin, self.calls = t, 0
        self.next_step = steps + every_steps if every_steps else _no_end

    @property
    def next_t(self):
        return self.begin + (self.calls + 1) * self.every if self.every else _never

    def call_if_due(self, simulation, t, steps):
        if t >= self.next_t:
            while t >= self.next_t:
                self.calls += 1
        elif steps >= self.next_step:
            while steps >= self.next_step:
                self.next_step += self.every_steps
        else:
            return
        self.call(simulation)


class Simulation:
    """A case that is computed in this process, on the CPU or a GPU.

    Args:
        case: path of a case file; the name of an example, "sod" or "sod/quick"; the text of a case (with line ends in it); a dict of its
            sections, {"case": {"system": ...}, "initial": [{...}]}, in which `GridFunction` may stand for expressions; path of a checkpoint
            (*.h5), which is resumed; or another Simulation, whose case and state are copied.
        device: "cpu", "gpu" or "auto"; empty: as the case has it. precision: "single" or "double". threads: of the CPU; 0: all processors.
        set: keys of the case with other values, {"time.cfl": 0.5}, as --set of the command line.
        initial: stored variables by name with their values at the beginning, as `fields[name] = values` takes them.

    Attributes:
        t, dt, steps: time, last time step, number of steps. fields: the stored variables, `LiveFields`.
        cells: numbers of cells (nx, ny, nz). lower, spacing: of the box, along x, y and z. device: in words.
        quantities: names that `quantity()` takes. averages: averages in time, `LiveAverages`.

    Raises:
        InputError: with all faults of the case at once. ResourceError: memory, a device or a file is missing. UnsupportedError.
        DivergedError: by steps, `diagnostics()` and `save()`: the text names the first bad cell.
        BufferError: by steps and `restore()`, while arrays of the memory of fields are in use.

    Other threads run while it computes; a simulation itself is used by one thread at a time (RuntimeError). Ctrl-C ends steps after a whole
    one with KeyboardInterrupt, and the simulation can continue.

    >>> import watersmeet
    >>> s = watersmeet.Simulation("sod/quick")
    >>> s.step(10)
    >>> s.advance_to(0.1)
    >>> s.t, s.fields["rho"].shape
    (0.1, (1, 1, 100))
    """

    def __init__(self, case, *, device: str = "", precision: str = "", threads: int = 0, set: Mapping[str, Any] | None = None,
                 initial: Mapping[str, Any] | None = None):
        options = _engine.Options()
        options.device, options.precision, options.threads = device, precision, threads
        options.set = [f"{key}={value_text(value)}" for key, value in (set or {}).items()]
        self._callbacks: list[_Callback] = []
        self._functions: dict[str, GridFunction] = {}
        self._live = self._made(case, options)
        self.fields = LiveFields(self._live)
        self.averages = LiveAverages(self._live)
        for name, values in (initial or {}).items():
            self.fields[name] = values

    def _made(self, case, options: _engine.Options) -> _engine.Live:
        text = None
        if isinstance(case, Simulation):
            self._functions = case._functions
        elif isinstance(case, Mapping):
            text, self._functions = case_text(case)
        elif not isinstance(case, (str, Path)):
            raise TypeError(f"a case is a path, an example's name, a text, a dict or a Simulation, not a {type(case).__name__}")
        elif "\n" in str(case):
            text = str(case)
        for name, f in self._functions.items():
            options.add_function(name, [c.tolist() for c in f.coordinates.values()], f.periods, f.values)
        if text is not None:
            return _engine.from_text(text, "case", options)
        if isinstance(case, Simulation):
            with tempfile.TemporaryDirectory() as folder:
                path = str(Path(folder) / "state.h5")
                case.save(path)
                return _engine.from_checkpoint(path, options)
        if str(case).endswith(".h5"):
            return _engine.from_checkpoint(str(case), options)
        return _engine.from_file(_engine.case_file(str(case)), options)

    def __repr__(self) -> str:
        if self._live.closed:
            return "<Simulation, closed>"
        return f"<Simulation of {' x '.join(map(str, self.cells))} cells at t = {self.t:g}, step {self.steps}, {self.device}>"

    t = property(lambda self: self._live.t)
    dt = property(lambda self: self._live.dt)
    steps = property(lambda self: self._live.steps)
    cells = property(lambda self: tuple(self._live.cells))
    lower = property(lambda self: tuple(self._live.lower))
    spacing = property(lambda self: tuple(self._live.spacing))
    device = property(lambda self: self._live.device)
    quantities = property(lambda self: self._live.quantities)

    def step(self, n: int = 1) -> None:
        """Carry out n steps; fewer where a steady flow has converged. One call for many steps costs nothing between them."""
        if n < 0:
            raise ValueError(f"{n} steps; it must be 0 or more")
        self._advance(_never, self.steps + n)

    def advance_to(self, t: float) -> None:
        """Step until t, which the last step is shortened to hit."""
        self._advance(t, _no_end)

    def on(self, call: Callable[[Simulation], Any], *, every: float | None = None, every_steps: int | None = None) -> _Callback:
        """Have a function called with this simulation while it steps: at every multiple of a time from now on, which steps are shortened
        to hit, or an interval in steps. What it raises ends the steps.

        Returns:
            What `off()` takes.

        >>> import watersmeet
        >>> s = watersmeet.Simulation("sod/quick")
        >>> times = []
        >>> handle = s.on(lambda s: times.append(s.t), every=0.05)
        >>> s.advance_to(0.1)
        >>> times
        [0.05, 0.1]
        """
        if (every is None) == (every_steps is None) or (every or every_steps) <= 0:
            raise ValueError("give either every, a time above 0, or every_steps, a number above 0")
        self._callbacks.append(_Callback(call, every, every_steps, self.t, self.steps))
        return self._callbacks[-1]

    def off(self, handle: _Callback) -> None:
        """Call this function no more."""
        self._callbacks.remove(handle)

    def _advance(self, t_end: float, last_step: int) -> None:
        while self.t < t_end and self.steps < last_step:
            before = self.steps
            t = min([t_end, *(c.next_t for c in self._callbacks)])
            step = min([last_step, *(c.next_step for c in self._callbacks)])
            self._live.advance(t, step - before)
            for callback in list(self._callbacks):
                callback.call_if_due(self, self.t, self.steps)
            if self.steps == before:
                return  # converged

    def quantity(self, name: str) -> np.ndarray:
        """A derived quantity such as "rho", "velocity" or "p" in double precision, of the shape (z, y, x), of vectors (z, y, x, 3), as in
        snapshots. Units and definitions: docs/reference/outputs.md.

        >>> import watersmeet
        >>> watersmeet.Simulation("sod/quick").quantity("velocity").shape
        (1, 1, 100, 3)
        """
        return self._live.quantity(name)

    def blocks(self) -> list[np.ndarray]:
        """Points of a grid that is no box of straight cells, arrays (nk, nj, ni, 3), x, y, z: of curvilinear blocks the nodes, where the values
        are; of a box over terrain and of the panels of a sphere the corners of the cells. Of other grids none.

        >>> import watersmeet
        >>> s = watersmeet.Simulation("naca0012/quick", set={"grid.mesh.cells": [32, 16]})
        >>> len(s.blocks()), s.blocks()[0].shape
        (4, (1, 17, 9, 3))
        """
        return self._live.blocks()

    def in_blocks(self, values) -> list[np.ndarray]:
        """A field or a quantity, (z, y, x) or (z, y, x, 3), as arrays (nk, nj, ni) or (nk, nj, ni, 3), one for each block or panel.

        >>> import watersmeet
        >>> s = watersmeet.Simulation("naca0012/quick", set={"grid.mesh.cells": [32, 16]})
        >>> s.in_blocks(s.quantity("mach"))[0].shape
        (1, 17, 9)
        """
        values, blocks = np.asarray(values), self.blocks()
        sizes = [block.size // 3 for block in blocks]
        if values.shape[:3] == (1, 1, sum(sizes)):
            further = values.shape[3:]
            return [part.reshape(block.shape[:3] + further) for part, block in zip(np.split(values[0, 0], np.cumsum(sizes)[:-1]), blocks)]
        return np.split(values, max(len(blocks), 1))

    def diagnostics(self) -> dict[str, float]:
        """Integrals, means and extrema by name, the columns of series.csv at the present time (docs/reference/outputs.md).

        >>> import watersmeet
        >>> abs(watersmeet.Simulation("sine-decay/quick").diagnostics()["mass_drift"]) < 1e-14
        True
        """
        return self._live.diagnostics()

    def spectra(self) -> Spectra:
        """Spectra of the velocity.

        Raises:
            UnsupportedError: the system has none.
        """
        return Spectra(**self._live.spectra())

    def save(self, path) -> None:
        """Write a checkpoint, from which `restore()`, `Simulation(path)` and the command line continue with the same bits."""
        self._live.save(str(path))

    def restore(self, path) -> None:
        """Go on from a checkpoint of the same grid and system."""
        self._live.restore(str(path))

    def close(self) -> None:
        """Give its memory back now; anything but closing it again is a ValueError from then on."""
        self._live.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *failure) -> None:
        self.close()
