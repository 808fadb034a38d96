#!/usr/bin/env python3
"""Derive the body acceleration of the steady manufactured solution of the isothermal system.

Usage: manufactured_isothermal.py > src/verify/isothermal/manufactured_source.hpp      (needs SymPy)

The solution is ln rho = l(x, y, z) and u = m exp(-l) with div m = 0, so that dl/dt = -div(rho u)/rho = 0 holds exactly and the
continuity equation needs no source. The momentum equation gets f = -(right-hand side without f); every term of it is active.
"""
import textwrap

import sympy as sp

x, y, z, a, p, q, s, c, nu, zeta = sp.symbols("x y z a p q s c nu zeta", real=True)
axes = (x, y, z)

l = a * sp.sin(x) * sp.cos(y - z)
# A Beltrami (ABC) flow: div m = 0 and curl m = m.
m = (p * sp.sin(z) + s * sp.cos(y), q * sp.sin(x) + p * sp.cos(z), s * sp.sin(y) + q * sp.cos(x))
u = [mi * sp.exp(-l) for mi in m]


def acceleration(i):
    """-(du_i/dt without f), isothermal equations with shear and bulk viscosity, split by powers of exp(-l)."""
    div = sum(sp.diff(u[j], axes[j]) for j in range(3))
    gradient_l = [sp.diff(l, axes[j]) for j in range(3)]

    def strain(j):
        trace = sp.Rational(1, 3) * div if i == j else 0
        return sp.Rational(1, 2) * (sp.diff(u[i], axes[j]) + sp.diff(u[j], axes[i])) - trace

    advection = sum(u[j] * sp.diff(u[i], axes[j]) for j in range(3))
    shear = (sum(sp.diff(u[i], axes[j], 2) for j in range(3)) + sp.Rational(1, 3) * sp.diff(div, axes[i])
             + 2 * sum(strain(j) * gradient_l[j] for j in range(3)))
    bulk = sp.diff(div, axes[i]) + div * gradient_l[i]
    one = sp.exp(-l)
    parts = (sp.expand(sp.expand(advection / one**2)), c**2 * gradient_l[i],
             sp.expand(sp.expand(shear / one)), sp.expand(sp.expand(bulk / one)))
    source = one**2 * parts[0] + parts[1] - one * (nu * parts[2] + zeta * parts[3])
    # The split must be the same function.
    numbers = {x: 0.3, y: 1.1, z: -0.7, a: 0.2, p: 0.5, q: 0.3, s: 0.4, c: 1.3, nu: 0.07, zeta: 0.03}
    direct = advection + c**2 * gradient_l[i] - nu * shear - zeta * bulk
    assert abs((source - direct).subs(numbers).evalf()) < 1e-13
    assert abs(sum(sp.diff(sp.exp(l) * u[j], axes[j]) for j in range(3)).subs(numbers).evalf()) < 1e-13
    return [sp.factor_terms(sp.collect(part, a)) for part in parts]


def text(expression):
    return sp.sstr(expression, order="lex").replace("**", "^").replace(" ", "")


def quoted(name, value):
    lines = textwrap.wrap(value, 90, break_long_words=True, break_on_hyphens=False)
    body = "\n".join(f'    "{line}"' for line in lines)
    return f"constexpr const char* {name} =\n{body};\n"


print("""#pragma once
// Steady manufactured solution of the isothermal equations, written by tools/manufactured_isothermal.py (SymPy):
// ln rho = l and u = m exp(-l) with div m = 0, and the body acceleration that keeps them. Expressions of an input file in x, y, z
// and the constants a, p, q, s (amplitudes), c, nu, zeta.
// clang-format off

namespace watersmeet::run {
""")
print(quoted("manufactured_log_density", text(l)))
names = ("x", "y", "z")
for i in range(3):
    print(quoted(f"manufactured_velocity_{names[i]}", f"exp(-({text(l)}))*({text(m[i])})"))
for i in range(3):
    advection, pressure, shear, bulk = (text(part) for part in acceleration(i))
    print(quoted(f"manufactured_acceleration_{names[i]}",
                 f"exp(-2*({text(l)}))*({advection})+{pressure}-exp(-({text(l)}))*(nu*({shear})+zeta*({bulk}))"))
print("""}  // namespace watersmeet::run
// clang-format on""")
