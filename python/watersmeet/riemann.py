"""Exact solution of the Riemann problem of two stiffened gases, for the checks of shock tubes; and states behind a shock.

A state is (rho, u, p, gamma, p_c) with P = p + p_c in place of p of an ideal gas (E. F. Toro, Riemann Solvers and Numerical
Methods for Fluid Dynamics, 2009, chapter 4). Independent of the program's own solver.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Gas(NamedTuple):
    """One state with its equation of state: density, velocity, pressure, gamma and p_c."""

    rho: float
    u: float
    p: float
    gamma: float = 1.4
    p_c: float = 0.0

    @property
    def sound_speed(self) -> float:
        return math.sqrt(self.gamma * (self.p + self.p_c) / self.rho)


def behind_shock(ahead: Gas, pressure: float) -> tuple:
    """(density, velocity jump, speed relative to the gas ahead) of a shock that raises the pressure to `pressure`.

    >>> from watersmeet.riemann import Gas, behind_shock
    >>> density, jump, speed = behind_shock(Gas(1000.0, 0.0, 1e5, 6.12, 3.43e8), 4.01e7)
    >>> round(density, 6), round(jump, 6), round(speed, 4)
    (1018.163885, 26.713176, 1497.3884)
    """
    ratio, g = (pressure + ahead.p_c) / (ahead.p + ahead.p_c), ahead.gamma
    density = ahead.rho * ((g + 1) * ratio + g - 1) / ((g - 1) * ratio + g + 1)
    speed = ahead.sound_speed * math.sqrt(((g + 1) * ratio + g - 1) / (2 * g))
    return density, (pressure - ahead.p) / (ahead.rho * speed), speed


def _wave(k: Gas, p: float) -> float:
    """Velocity that the wave between the state k and the pressure p gives, its sign left out."""
    if p > k.p:
        return behind_shock(k, p)[1]
    exponent = (k.gamma - 1) / (2 * k.gamma)
    return 2 * k.sound_speed / (k.gamma - 1) * (((p + k.p_c) / (k.p + k.p_c)) ** exponent - 1)


class ExactRiemann:
    """The solution for two states that meet at x = 0.

    Attributes:
        p, u: pressure and velocity between the waves; rho: the two densities there, left and right of the contact.

    >>> from watersmeet.riemann import ExactRiemann, Gas
    >>> sod = ExactRiemann(Gas(1.0, 0.0, 1.0), Gas(0.125, 0.0, 0.1))
    >>> round(sod.p, 6), round(sod.u, 6), tuple(round(rho, 6) for rho in sod.rho)
    (0.30313, 0.927453, (0.426319, 0.265574))
    """

    def __init__(self, left: Gas, right: Gas):
        self.left, self.right = left, right
        lowest = -min(left.p_c, right.p_c)
        span = max(left.p, right.p) - lowest

        def parting(p):
            return _wave(left, p) + _wave(right, p) + right.u - left.u

        low, high = lowest + 1e-14 * span, lowest + 2 * span
        if parting(low) > 0:
            raise ValueError("a vacuum or cavity opens between these states")
        while parting(high) < 0:
            high = lowest + 2 * (high - lowest)
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if parting(middle) < 0 else (low, middle)
        self.p = 0.5 * (low + high)
        self.u = 0.5 * (left.u + right.u + _wave(right, self.p) - _wave(left, self.p))
        self.rho = tuple(self._star_density(k) for k in (left, right))

    def _star_density(self, k: Gas) -> float:
        if self.p > k.p:
            return behind_shock(k, self.p)[0]
        return k.rho * ((self.p + k.p_c) / (k.p + k.p_c)) ** (1 / k.gamma)

    def speeds(self) -> tuple:
        """(head, tail) of the left wave, the contact, (tail, head) of the right wave; head = tail of a shock."""
        found = []
        for k, rho, sign in ((self.left, self.rho[0], -1), (self.right, self.rho[1], 1)):
            if self.p > k.p:
                head = tail = k.u + sign * behind_shock(k, self.p)[2]
            else:
                head = k.u + sign * k.sound_speed
                tail = self.u + sign * math.sqrt(k.gamma * (self.p + k.p_c) / rho)
            found.append((head, tail))
        return found[0], self.u, found[1][::-1]

    def sample(self, xi) -> dict:
        """Density, velocity and pressure on the rays x/t = xi (array)."""
        xi = np.asarray(xi, float)
        on_left = xi < self.u
        values = {name: np.empty_like(xi) for name in ("rho", "u", "p")}
        (left_head, left_tail), _, (right_tail, right_head) = self.speeds()
        for k, rho, sign, head, tail, side in ((self.left, self.rho[0], -1, left_head, left_tail, on_left),
                                               (self.right, self.rho[1], 1, right_head, right_tail, ~on_left)):
            along = sign * xi  # grows from the contact outwards
            g = k.gamma
            c = 2 / (g + 1) * (k.sound_speed + (g - 1) / 2 * (along - sign * k.u))  # in the fan: c = along - u, mirrored
            base = np.maximum(c, 1e-300) / k.sound_speed
            fan = {"rho": k.rho * base ** (2 / (g - 1)), "u": sign * (along - c),
                   "p": (k.p + k.p_c) * base ** (2 * g / (g - 1)) - k.p_c}
            outer, inner = along >= sign * head, along <= sign * tail
            for name, outside, star in (("rho", k.rho, rho), ("u", k.u, self.u), ("p", k.p, self.p)):
                value = np.where(outer, outside, np.where(inner, star, fan[name]))
                values[name][side] = value[side]
        return values
