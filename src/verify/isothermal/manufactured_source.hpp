#pragma once
// Steady manufactured solution of the isothermal equations, written by
// tools/manufactured_isothermal.py (SymPy): ln rho = l and u = m exp(-l) with div m = 0, and the
// body acceleration that keeps them. Expressions of an input file in x, y, z and the constants a,
// p, q, s (amplitudes), c, nu, zeta.
// clang-format off

namespace watersmeet::verify {

constexpr const char* manufactured_log_density =
    "a*sin(x)*cos(y-z)";

constexpr const char* manufactured_velocity_x =
    "exp(-(a*sin(x)*cos(y-z)))*(p*sin(z)+s*cos(y))";

constexpr const char* manufactured_velocity_y =
    "exp(-(a*sin(x)*cos(y-z)))*(p*cos(z)+q*sin(x))";

constexpr const char* manufactured_velocity_z =
    "exp(-(a*sin(x)*cos(y-z)))*(q*cos(x)+s*sin(y))";

constexpr const char* manufactured_acceleration_x =
    "exp(-2*(a*sin(x)*cos(y-z)))*(a*(p^2*sin(x)*sin(z)*sin(y-z)*cos(z)-p^2*sin(z)^2*cos(x)*cos("
    "y-z)+p*q*sin(x)^2*sin(z)*sin(y-z)-p*q*sin(x)*sin(z)*sin(y-z)*cos(x)-p*s*sin(x)*sin(y)*sin("
    "z)*sin(y-z)+p*s*sin(x)*sin(y-z)*cos(y)*cos(z)-2*p*s*sin(z)*cos(x)*cos(y)*cos(y-z)+q*s*sin("
    "x)^2*sin(y-z)*cos(y)-q*s*sin(x)*sin(y-z)*cos(x)*cos(y)-s^2*sin(x)*sin(y)*sin(y-z)*cos(y)-s"
    "^2*cos(x)*cos(y)^2*cos(y-z))+p*q*cos(x)*cos(z)-q*s*sin(x)*sin(y))+a*c^2*cos(x)*cos(y-z)-ex"
    "p(-(a*sin(x)*cos(y-z)))*(nu*(a*(10*p*sin(x)*sin(z)*cos(y-z)-3*p*sin(x)*sin(y-z)*cos(z)+p*s"
    "in(y-z)*cos(x)*cos(z)-2*q*sin(x)^2*sin(y-z)-q*sin(x)*sin(y-z)*cos(x)-q*sin(y-z)*cos(x)^2-3"
    "*s*sin(x)*sin(y)*sin(y-z)+10*s*sin(x)*cos(y)*cos(y-z)-s*sin(y)*sin(y-z)*cos(x))/3-p*sin(z)"
    "-s*cos(y))+zeta*(a*(p*sin(x)*sin(z)*cos(y-z)+p*sin(y-z)*cos(x)*cos(z)+q*sin(x)^2*sin(y-z)+"
    "2*q*sin(x)*sin(y-z)*cos(x)-q*sin(y-z)*cos(x)^2+s*sin(x)*cos(y)*cos(y-z)-s*sin(y)*sin(y-z)*"
    "cos(x))))";

constexpr const char* manufactured_acceleration_y =
    "exp(-2*(a*sin(x)*cos(y-z)))*(a*(p^2*sin(x)*sin(y-z)*cos(z)^2-p^2*sin(z)*cos(x)*cos(z)*cos("
    "y-z)+2*p*q*sin(x)^2*sin(y-z)*cos(z)-p*q*sin(x)*sin(z)*cos(x)*cos(y-z)-p*q*sin(x)*sin(y-z)*"
    "cos(x)*cos(z)-p*s*sin(x)*sin(y)*sin(y-z)*cos(z)-p*s*cos(x)*cos(y)*cos(z)*cos(y-z)+q^2*sin("
    "x)^3*sin(y-z)-q^2*sin(x)^2*sin(y-z)*cos(x)-q*s*sin(x)^2*sin(y)*sin(y-z)-q*s*sin(x)*cos(x)*"
    "cos(y)*cos(y-z))-p*s*sin(y)*sin(z)+q*s*cos(x)*cos(y))+-a*c^2*sin(x)*sin(y-z)-exp(-(a*sin(x"
    ")*cos(y-z)))*(nu*(a*(3*p*sin(x)*sin(z)*sin(y-z)+10*p*sin(x)*cos(z)*cos(y-z)+p*sin(z)*sin(y"
    "-z)*cos(x)+10*q*sin(x)^2*cos(y-z)-q*sin(x)*cos(x)*cos(y-z)-3*q*cos(x)^2*cos(y-z)-s*sin(x)*"
    "sin(y)*cos(y-z)+2*s*sin(x)*sin(y-z)*cos(y)-2*s*sin(y)*cos(x)*cos(y-z)+s*sin(y-z)*cos(x)*co"
    "s(y))/3-p*cos(z)-q*sin(x))+zeta*(a*(p*sin(x)*cos(z)*cos(y-z)+p*sin(z)*sin(y-z)*cos(x)+q*si"
    "n(x)^2*cos(y-z)-q*sin(x)*cos(x)*cos(y-z)-s*sin(x)*sin(y)*cos(y-z)-s*sin(x)*sin(y-z)*cos(y)"
    "+s*sin(y)*cos(x)*cos(y-z)+s*sin(y-z)*cos(x)*cos(y))))";

constexpr const char* manufactured_acceleration_z =
    "exp(-2*(a*sin(x)*cos(y-z)))*(a*(p*q*sin(x)*sin(y-z)*cos(x)*cos(z)-p*q*sin(z)*cos(x)^2*cos("
    "y-z)+p*s*sin(x)*sin(y)*sin(y-z)*cos(z)-p*s*sin(y)*sin(z)*cos(x)*cos(y-z)+q^2*sin(x)^2*sin("
    "y-z)*cos(x)-q^2*sin(x)*sin(y-z)*cos(x)^2+q*s*sin(x)^2*sin(y)*sin(y-z)-2*q*s*sin(x)*sin(y)*"
    "sin(y-z)*cos(x)-q*s*cos(x)^2*cos(y)*cos(y-z)-s^2*sin(x)*sin(y)^2*sin(y-z)-s^2*sin(y)*cos(x"
    ")*cos(y)*cos(y-z))-p*q*sin(x)*sin(z)+p*s*cos(y)*cos(z))+a*c^2*sin(x)*sin(y-z)-exp(-(a*sin("
    "x)*cos(y-z)))*(nu*(a*(2*p*sin(x)*sin(z)*sin(y-z)-p*sin(x)*cos(z)*cos(y-z)-p*sin(z)*sin(y-z"
    ")*cos(x)+2*p*cos(x)*cos(z)*cos(y-z)-q*sin(x)^2*cos(y-z)+13*q*sin(x)*cos(x)*cos(y-z)+10*s*s"
    "in(x)*sin(y)*cos(y-z)+3*s*sin(x)*sin(y-z)*cos(y)-s*sin(y-z)*cos(x)*cos(y))/3-q*cos(x)-s*si"
    "n(y))+zeta*(a*(-p*sin(x)*sin(z)*sin(y-z)-p*sin(x)*cos(z)*cos(y-z)-p*sin(z)*sin(y-z)*cos(x)"
    "-p*cos(x)*cos(z)*cos(y-z)-q*sin(x)^2*cos(y-z)+q*sin(x)*cos(x)*cos(y-z)+s*sin(x)*sin(y)*cos"
    "(y-z)-s*sin(y-z)*cos(x)*cos(y))))";

}  // namespace watersmeet::verify
// clang-format on
