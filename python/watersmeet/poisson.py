"""The Poisson problem on a box of cells: `watersmeet.Poisson`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

try:
    from . import _engine
except ImportError as _failure:
    raise ImportError(f"watersmeet.Poisson needs the compiled module watersmeet._engine, which cannot be imported ({_failure})") from _failure

_kinds = {"periodic": 0, "neumann": 1, "dirichlet": 2}


class Poisson:
    """div grad phi = rhs on a box of cells, in the second-order form whose residual is the flux balance of every cell; set up once, solved
    for many right-hand sides.

    Args:
        cells: (nx, ny, nz); 1 in a direction that does not count.
        length: of the box along x, y, z, for axes with equal cells.
        faces: {"z": coordinates}, nz + 1 ascending faces of an axis with other cells.
        sides: what phi does at the sides along each axis, by "x", "y", "z": "periodic" (also where nothing is said), "neumann" (its flux is
            0), "dirichlet" (it is 0 on the face), or a pair of the last two for the lower and the upper side.
        method: "fft", "gemm" (direct), "mg", "mgcg" (iterative), or "auto". device: "cpu", "gpu", or "auto": a GPU if there is one.
        threads: of the CPU; 0: all processors. precision: "double" or "single".
        remove_mean: without a Dirichlet side take the mean of rhs off, instead of refusing one above round-off.
        tolerance, most_cycles: of iterative methods, which end when no residual is larger than the tolerance times the largest |rhs|.

    Attributes:
        method: the one that is used. description: of its steps. cycles, residual: of the last solve.

    Raises:
        InputError: box or options make no sense. ResourceError: memory or a device is missing. UnsupportedError: too many cells for a method.

    >>> import numpy as np, watersmeet
    >>> poisson = watersmeet.Poisson((32, 1, 1), length=(2 * np.pi, 1, 1))
    >>> x = (np.arange(32) + 0.5) * 2 * np.pi / 32
    >>> phi = poisson.solve(-np.sin(x).reshape(1, 1, 32))
    >>> float(abs(phi[0, 0] - np.sin(x)).max()) < 0.01
    True
    """

    def __init__(self, cells, *, length=(1.0, 1.0, 1.0), faces: Mapping | None = None, sides: Mapping | None = None, method: str = "auto",
                 device: str = "auto", threads: int = 0, precision: str = "double", remove_mean: bool = False, tolerance: float = 1e-10,
                 most_cycles: int = 60):
        if precision not in ("double", "single"):
            raise ValueError(f'precision is "{precision}"; it must be "double" or "single"')
        for name, given in (("faces", faces), ("sides", sides)):
            unknown = set(given or {}) - set("xyz")
            if unknown:
                raise ValueError(f"{name} of {sorted(unknown)[0]}; the axes are x, y, z")
        self.cells = tuple(int(n) for n in cells)
        of_axes = [np.asarray((faces or {}).get(axis, ()), dtype=float).tolist() for axis in "xyz"]
        self._box = _engine.BoxPoisson(self.cells, tuple(float(one) for one in length), of_axes, self._sides(sides or {}), method, device, threads,
                                       precision == "single", remove_mean, tolerance, most_cycles)
        self.cycles, self.residual = 0, 0.0

    @staticmethod
    def _sides(sides: Mapping) -> list[int]:
        found = []
        for axis in "xyz":
            given = sides.get(axis, "periodic")
            for kind in (given, given) if isinstance(given, str) else given:
                if kind not in _kinds:
                    raise ValueError(f"a side of {axis} is {kind!r}; it must be one of {', '.join(_kinds)}")
                found.append(_kinds[kind])
        if len(found) != 6:
            raise ValueError("sides of an axis are one word or a pair of them")
        return found

    method = property(lambda self: self._box.method)
    description = property(lambda self: self._box.describe())

    def solve(self, rhs, guess=None) -> np.ndarray:
        """phi of a right-hand side, both (nz, ny, nx) in double precision; without a Dirichlet side phi has the mean 0 by volume.

        Args:
            guess: where iterative methods begin; 0 by default.

        Raises:
            InputError: the shape, or a mean that is not 0. DivergedError: not finite, or an iterative method misses its tolerance.
        """
        shape = tuple(reversed(self.cells))
        arrays = [np.ascontiguousarray(np.zeros(shape) if one is None else one, dtype=float) for one in (rhs, guess)]
        for name, one in zip(("rhs", "guess"), arrays):
            if one.shape != shape:
                raise ValueError(f"{name} has the shape {one.shape}; the box is {shape}, (nz, ny, nx)")
        phi, self.cycles, self.residual = self._box.solve(*arrays)
        return phi
