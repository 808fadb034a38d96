"""Steady waves over a low mountain by linear theory, for the checks of the examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import numpy as np


@dataclass(frozen=True)
class MountainWaves:
    """Wind of one speed and air of one Brunt-Vaisala frequency over a ground of small height, without rotation.

    Each wave number k of the ground's height has w = i k U h(k) exp(i m z), its energy upwards or decaying with height, and grows as the
    density to the power -1/2. m^2 = N^2/U^2 - k^2 where air is taken for incompressible in the waves; m^2 = N^2/U^2 - k^2 (1 - U^2/c^2) - 1/(4 H^2)
    in an isothermal atmosphere with the speed of sound c and the scale height H, where it is exact (e.g. C. Eckart, Hydrodynamics of
    Oceans and Atmospheres, 1960, with the frequency -k U). Sums run over a period of the ground.

    Attributes:
        ground: height of the ground, m, of an array of x, m.
        wind, frequency: U, m/s, and N, 1/s.
        density: of the air at rest, kg/m^3, of z, m.
        sound, scale_height: c, m/s, and H, m; infinite where left out.
        length, waves: the period along x, m, and its number of points.
    """

    ground: Callable
    wind: float
    frequency: float
    density: Callable
    sound: float = np.inf
    scale_height: float = np.inf
    length: float = 400e3
    waves: int = 8192

    @property
    def x(self):
        """The points of the period, m; 0 is in the middle."""
        return (np.arange(self.waves) - self.waves // 2) * self.length / self.waves

    def _spectrum(self):
        """Wave numbers, 1/m, the ground's height at each, and the vertical wave numbers."""
        k = 2 * np.pi * np.fft.fftfreq(self.waves, self.length / self.waves)
        squared = (self.frequency / self.wind) ** 2 - k**2 * self._stiffness - 0.25 / self.scale_height**2
        m = np.where(squared > 0, np.sign(k) * np.sqrt(np.abs(squared)), 1j * np.sqrt(np.abs(squared)))
        return k, np.fft.fft(self.ground(self.x)), m

    @property
    def _stiffness(self):
        return 1 - (self.wind / self.sound) ** 2

    def w(self, z: float, x):
        """Vertical velocity, m/s, at one height and the places `x`, both m."""
        k, ground, m = self._spectrum()
        w = np.real(np.fft.ifft(1j * k * self.wind * ground * np.exp(1j * m * z)))
        return np.interp(x, self.x, w) * np.sqrt(self.density(0.0) / self.density(z))

    def drag(self) -> float:
        """Force of the air on a metre of the ground's width, N/m: the flux of momentum downwards, the same at all heights."""
        k, ground, m = self._spectrum()
        power = np.abs(ground / self.waves) ** 2 * self.length
        return float(self.density(0.0) * self.wind**2 * np.sum(np.abs(k) * np.abs(np.real(m)) * power) / self._stiffness)


def stratified_density(theta: float, frequency: float, *, gravity=9.81, gas_constant=287.0, heat_capacity=1004.5) -> Callable:
    """Density, kg/m^3, at the height z, m, of air at rest with one Brunt-Vaisala frequency, 1/s: physics.reference of kind "stratified".

    `theta`: potential temperature at the ground, K, where the pressure is 1e5 Pa. The others are physics.gravity, .gas_constant and
    .heat_capacity, in SI units.
    """
    s = frequency**2 / gravity

    def density(z):
        exner = 1 + gravity / (heat_capacity * s * theta) * np.expm1(-s * z)
        return 1e5 / gas_constant * exner ** (heat_capacity / gas_constant - 1) / (theta * np.exp(s * z))

    return density


def flux_of_momentum(last, wind: float, levels, within: float):
    """Sum of density (u - wind) w along x at heights, N/m; downwards it is negative.

    `last`: a snapshot of a slab with the fields rho, velocity and height. `levels`: heights, m. `within`: |x|, m, that is summed.
    """
    x = np.asarray(last.x, float)
    rho, velocity, height = (np.asarray(last[name], float)[:, 0] for name in ("rho", "velocity", "height"))
    flux = rho * (velocity[:, :, 0] - wind) * velocity[:, :, 2]
    return [float(np.sum(at_height(flux, height, z)[np.abs(x) < within]) * (x[1] - x[0])) for z in levels]


def pressure_drag(last, ground: Callable) -> float:
    """Force of the air on a metre of the ground's width, N/m: the sum along x of pressure times slope.

    `last`: a snapshot of a slab with the fields pressure_perturbation and height. `ground`: its height, m, of an array of x, m.
    """
    x = np.asarray(last.x, float)
    pressure, height = (np.asarray(last[name], float)[:3, 0] for name in ("pressure_perturbation", "height"))
    # From the middles of the lowest three cells on to the ground by a parabola: short waves fall off within a few cells.
    at_ground = np.zeros_like(x)
    for i in range(3):
        others = [j for j in range(3) if j != i]
        at_ground += pressure[i] * np.prod([(ground(x) - height[j]) / (height[i] - height[j]) for j in others], axis=0)
    edges = np.concatenate([x - (x[1] - x[0]) / 2, x[-1:] + (x[1] - x[0]) / 2])
    return float(np.sum(at_ground * np.diff(ground(edges))))


def at_height(values, height, z: float):
    """Values of every column (levels x columns) at one height, on straight lines between the middles of cells."""
    return np.array([np.interp(z, height[:, i], values[:, i]) for i in range(values.shape[1])])
