"""Collapse of one gas bubble in a slightly compressible liquid: radii and the first minimum.

The equation of Keller and Miksis (J. Acoust. Soc. Am. 68, 1980) without surface tension, viscosity and vapour, in units of R_0, the far
pressure's excess p_far - p_0 and the density of the liquid,

    (1 - U/c) R U' + 3/2 U^2 (1 - U/(3c)) = (1 + U/c) (p - p_far) + R/c dp/dt,   p = p_0 R^(-3 gamma),   U = R'

by the embedded pair of Dormand and Prince (J. Comput. Appl. Math. 6, 1980), whose step follows the error; the minimum is where secants of
the step make U vanish. The program integrates the same equation by the classical scheme of order four in SI units.

    python3 validation/reference/keller_miksis.py       the numbers of tests/unit/schemes/keller_miksis_test.cpp
"""

from __future__ import annotations

import math

a = ((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9), (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
     (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656), (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
fourth = (5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40)


class Bubble:
    """SI units: initial radius and pressure, far pressure, density and sound speed of the liquid."""

    def __init__(self, radius, far, gas=1e5, gamma=1.4, density=1e3, sound=1450.0):
        self.speed = math.sqrt((far - gas) / density)
        self.radius, self.time = radius, radius / self.speed
        self.c, self.gas, self.far, self.gamma = sound / self.speed, gas / (far - gas), far / (far - gas), gamma
        self.rayleigh = math.sqrt(math.pi / 6) * math.gamma(5 / 6) / math.gamma(4 / 3)  # in units of `time`

    def rate(self, state):
        r, u = state
        p = self.gas * r ** (-3 * self.gamma)
        right = (1 + u / self.c) * (p - self.far) - 3 * self.gamma * p * u / self.c - 1.5 * u * u * (1 - u / (3 * self.c))
        return u, right / ((1 - u / self.c) * r)

    def step(self, state, dt):
        """The state after dt and an estimate of its error."""
        k = [self.rate(state)]
        for row in a[1:]:
            here = [s + dt * sum(w * rate[i] for w, rate in zip(row, k)) for i, s in enumerate(state)]
            k.append(self.rate(here))
        error = max(abs(h - s - dt * sum(w * rate[i] for w, rate in zip(fourth, k))) for i, (h, s) in enumerate(zip(here, state)))
        return here, error

    def motion(self, times, tolerance=1e-12):
        """Radii at ascending times, then time and radius of the first minimum, all in units of R_0 and Rayleigh's time."""
        state, t, dt, radii, ends = [1.0, 0.0], 0.0, 1e-3, [], [self.rayleigh * time for time in times]
        while True:
            hit = bool(ends) and dt >= ends[0] - t
            reach = ends[0] - t if hit else dt
            after, error = self.step(state, reach)
            if error <= tolerance:
                if after[1] >= 0 and t > 0:  # beyond the minimum
                    low, high = 0.0, reach
                    while high - low > 1e-15:
                        middle = 0.5 * (low + high)
                        low, high = (low, middle) if self.step(state, middle)[0][1] >= 0 else (middle, high)
                    return radii, (t + low) / self.rayleigh, self.step(state, low)[0][0]
                state, t = after, ends.pop(0) if hit else t + reach
                if hit:
                    radii.append(state[0])
            dt = reach * min(2.0, 0.9 * (tolerance / max(error, 1e-300)) ** 0.2)


def main():
    for ratio in (10, 100):
        bubble = Bubble(1e-3, ratio * 1e5)
        radii, time, least = bubble.motion((0.25, 0.5, 0.75, 0.9, 0.95))
        print(f"1 mm, {ratio:3} bar: Rayleigh's time {1e6 * bubble.rayleigh * bubble.time:.4f} us, radii over R_0",
              *(f"{r:.5f}" for r in radii), f"smallest {least:.5f} after {time:.4f} Rayleigh's times")
    for far in (4e7, 4.01e7):
        bubble = Bubble(125e-6, far)
        print(f"125 um, {far / 1e5:.0f} bar: smallest after {1e9 * bubble.motion(())[1] * bubble.rayleigh * bubble.time:.2f} ns")


if __name__ == "__main__":
    main()
