// Input keys of the Boussinesq system; those of parameters, initial states and boundaries stand
// with the code that reads them.
#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

using config::Key;
using config::KeyType;

namespace {

std::vector<Key> numerics_keys() {
  const std::string pressure = "numerics.pressure";
  return {
      {.path = "grid.z_stretching",
       .default_text = "0.0",
       .lowest = 0.0,
       .highest = 10.0,
       .help = "s of faces clustered at both z sides, tanh(s (2k/n - 1)); 0: uniform."},
      {.path = "grid.z_faces",
       .type = KeyType::reals,
       .unit = "length",
       .help = "The z faces themselves, one more than cells, ascending from grid.lower to "
               "grid.upper."},
      {.path = "numerics.advection",
       .type = KeyType::choice,
       .default_text = "\"centered2\"",
       .choices = {"centered2", "upwind1"},
       .help = "Values at faces: the mean of both sides, of second order and without dissipation, "
               "or that upstream, of first order."},
      {.path = pressure + ".solver",
       .type = KeyType::choice,
       .default_text = "\"auto\"",
       .choices = {"auto", "fft", "gemm", "mg", "mgcg"},
       .help = "Solver of the pressure: Fourier or dense transforms with a tridiagonal system in z "
               "(no iteration), multigrid, or conjugate gradients with multigrid; auto: fft where "
               "it can be used."},
      {.path = pressure + ".tol_rel",
       .lowest = 0.0,
       .highest = 1.0,
       .lowest_open = true,
       .help = "Iterative solvers: largest divergence that is left, over the largest sum of "
               "|u_i|/h_i; 1e-10 in double and 1e-4 in single precision when unset."},
      {.path = pressure + ".tol_abs",
       .unit = "1/time",
       .lowest = 0.0,
       .lowest_open = true,
       .help = "The same as a number; counts instead of tol_rel when given. A solve ends at "
               "what rounding leaves when that is more, and the run says so."},
      {.path = pressure + ".cycles_max",
       .type = KeyType::integer,
       .default_text = "20",
       .lowest = 1,
       .help = "Iterative solvers: most cycles of a solve."},
      {.path = "time.scheme",
       .type = KeyType::choice,
       .default_text = "\"ab2\"",
       .choices = time_scheme_names(),
       .help = "Second-order Adams-Bashforth, one solve of the pressure a step, or Runge-Kutta of "
               "third order, three of them."},
      {.path = "time.cfl_diffusive",
       .default_text = "0.9",
       .lowest = 0.0,
       .lowest_open = true,
       .help = "Limit on dt as a fraction of where diffusion becomes unstable: 1/(4 nu sum 1/h^2) "
               "of ab2, 2.51 times that of rk3."},
      {.path = "time.cfl_buoyancy",
       .default_text = "0.3",
       .lowest = 0.0,
       .lowest_open = true,
       .help = "Limit on dt times the buoyancy frequency, estimated from the range of initial and "
               "prescribed values over the height of the box."},
  };
}

}  // namespace

std::vector<Key> keys() {
  std::vector<Key> all = parameter_keys();
  for (const std::vector<Key>& more : {numerics_keys(), initial_keys(), boundary_keys()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void adjust_schema(config::Schema& schema) {
  schema.set_default("time.cfl", "0.4");
  schema.set_help("device.ranks_along",
                  "Ranks along x, y and z; slabs along z when unset. More than 1 along x or y with "
                  "mg and mgcg alone, and not beside open sides.");
  schema.set_help("device.weights",
                  "Relative speed of each rank, one number per rank; measured when unset and the "
                  "devices differ. Slabs are in proportion to it, with mg and mgcg as thick as "
                  "their levels can halve; parts that are cut along several axes are equal.");
}

}  // namespace watersmeet::boussinesq
