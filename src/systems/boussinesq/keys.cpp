// Input keys of the Boussinesq system; those of parameters, initial states and boundaries stand
// with the code that reads them.
#include "config/usual_keys.hpp"
#include "systems/boussinesq/system.hpp"
#include "systems/stretching.hpp"

namespace watersmeet::boussinesq {

using config::choice_key;
using config::count_key;
using config::Key;
using config::positive_key;

namespace {

std::vector<Key> numerics_keys() {
  const std::string pressure = "numerics.pressure";
  std::vector<Key> all = systems::stretching_keys();
  const std::vector<Key> others = {
      choice_key(
          "numerics.advection", "centered2", {"centered2", "upwind1"},
          "Advected values at faces: centered2 takes the mean of both sides (second order, no "
          "dissipation), upwind1 the upstream value (first order)."),
      choice_key(
          "numerics.scalar_advection.kind", "", {"centered2", "upwind1", "limited3"},
          "Advected values of the temperature and of scalars at faces; that of "
          "numerics.advection when unset. limited3 takes the upwind-biased value of third order "
          "between bounds (Koren's limiter): without sources no value leaves the range of those "
          "before and of those at the sides. It needs scheme = \"ssp-rk3\" and a cfl of at most "
          "0.5."),
      choice_key("numerics.scalar_advection.*", "", {"centered2", "upwind1", "limited3"},
                 "The same of the temperature, or of the scalar of this name, alone."),
      choice_key(
          "numerics.diffusion", "explicit", {"explicit", "implicit"},
          "implicit takes diffusion along numerics.implicit_axes by Crank and Nicolson, so that "
          "thin cells along these no longer bound dt. It needs scheme = \"ab2\" and no open "
          "sides; ranks do not cut these axes."),
      choice_key("numerics.implicit_axes", "", {"x", "y", "z", "xy", "xz", "yz", "xyz"},
                 "With implicit diffusion: along which axes. When unset those whose cells would "
                 "bound dt more than the flow at the start is estimated to. What is prescribed on "
                 "their sides must not depend on t."),
      choice_key(
          pressure + ".solver", "auto", {"auto", "fft", "gemm", "mg", "mgcg"},
          "Solver of the pressure: Fourier or dense transforms with a tridiagonal system in z "
          "(no iteration), multigrid, or conjugate gradients with multigrid; auto: fft where "
          "it can be used. fft needs equal cells along x and y."),
      {.path = pressure + ".tol_rel",
       .lowest = 0.0,
       .highest = 1.0,
       .lowest_open = true,
       .help = "Iterative solvers: largest divergence that is left, over the largest sum of "
               "|u_i|/h_i; 1e-10 in double and 1e-4 in single precision when unset."},
      positive_key(
          pressure + ".tol_abs", "1/time", "",
          "Iterative solvers: largest divergence that is left, as an absolute number; used in "
          "place of tol_rel when given. If rounding errors are larger, the solve ends there, "
          "and the run reports it."),
      count_key(pressure + ".cycles_max", 1, "20",
                "Iterative solvers: largest number of cycles in a solve."),
      choice_key(
          "time.scheme", "ab2", time_scheme_names(),
          "Time scheme: ab2 is second-order Adams-Bashforth with one pressure solve per step, "
          "rk3 third-order Runge-Kutta with three, ssp-rk3 the strong-stability-preserving one, "
          "for numerics.scalar_advection = \"limited3\"."),
      positive_key(
          "time.cfl_diffusive", "1", "0.9",
          "Limit on dt as a fraction of where diffusion becomes unstable: 1/(4 nu sum 1/h^2) "
          "of ab2, 2.51 times that of rk3 and ssp-rk3. Axes of implicit diffusion do not count."),
      positive_key(
          "time.cfl_buoyancy", "1", "0.3",
          "Limit on dt times the buoyancy frequency, estimated from the range of initial and "
          "prescribed values over the height of the box."),
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

const std::vector<systems::SourceEquation> source_equations = {
    {"velocity", 3, "length/time^2",
     "Adds to the rate of change of the velocity: an acceleration."},
    {"temperature", 1, "temperature/time", "Adds to the rate of change of the temperature."},
    {"scalars.*", 1, "1/time", "Adds to the rate of change of this scalar."}};

}  // namespace

std::vector<Key> keys() {
  return config::joined(
      {parameter_keys(), numerics_keys(), initial_keys(), boundary_keys(),
       systems::source_keys(source_equations, "x y z r",
                            "velocity.x velocity.y velocity.z speed temperature *")});
}

void adjust_schema(config::Schema& schema) {
  schema.set_default("time.cfl", "0.4");
  schema.set_help("device.ranks_along",
                  "Ranks along x, y and z; slabs along z when unset. More than 1 along x or y is "
                  "possible with mg and mgcg only, and not with open sides.");
  schema.set_help(
      "device.weights",
      "Relative speed of each rank, one number per rank; measured when unset and the "
      "devices differ. Slabs have thicknesses in proportion to it; with mg and mgcg they must "
      "remain divisible by the coarser grids. Parts are equal where several axes are cut.");
}

}  // namespace watersmeet::boussinesq
