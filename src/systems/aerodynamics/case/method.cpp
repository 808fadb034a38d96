// Choices that depend on the free stream: matrix dissipation up to Mach 2 and scalar beyond, where
// its larger dissipation keeps strong shocks stable; first differences at shocks from Mach 0.7 on,
// when they become possible on usual bodies; floors of Roe's eigenvalues and the wall pressure of
// the exact Riemann problem where starts are violent.

#include "systems/aerodynamics/case/method.hpp"

#include <fmt/format.h>

#include "config/usual_keys.hpp"
#include "systems/idle_key.hpp"

namespace watersmeet::aerodynamics {

using config::bounded_key;
using config::choice_key;
using config::count_key;
using config::FaultKind;
using config::flag_key;
using config::Key;
using config::KeyType;

namespace {

constexpr double shocks_begin = 0.7, strong_shocks = 3, exact_walls = 2, scalar_begins = 2;

void only_for(config::Input& input, bool allowed, const std::string& key, const char* what) {
  if (allowed || !input.is_set(key)) return;
  input.fault(
      FaultKind::conflict, key,
      fmt::format("`{}` is a key of {} (time.mode, {})", key, what, input.origin("time.mode")),
      key == "time.end" ? "remove it, or set time.steps_max, the most cycles of a steady run"
                        : "remove it");
}

int integer_or(const config::Input& input, const std::string& key, int otherwise) {
  return input.is_good(key) ? static_cast<int>(input.integer(key)) : otherwise;
}

void read_dissipation(config::Input& input, const FreeStream& stream, Method& m) {
  m.dissipation = stream.mach < scalar_begins ? Dissipation::matrix : Dissipation::scalar;
  if (input.is_good("numerics.dissipation.kind")) {
    m.dissipation = input.text("numerics.dissipation.kind") == "matrix" ? Dissipation::matrix
                                                                        : Dissipation::scalar;
  }
  // Cycles of multigrid around sections need twice the dissipation of orders 4 to 6; in time it is
  // the scheme's own.
  m.dissipation_scale = m.steady && m.order >= 4 ? 2 : 1;
  if (input.is_good("numerics.dissipation.scale")) {
    m.dissipation_scale = input.real("numerics.dissipation.scale");
  }
  const std::string energy = "numerics.dissipation.energy";
  if (!input.is_set(energy) || !input.is_good(energy)) return;
  m.dissipate_enthalpy = input.text(energy) == "enthalpy";
  if (m.dissipate_enthalpy && m.dissipation == Dissipation::matrix) {
    input.fault(FaultKind::conflict, energy,
                "matrix dissipation acts on the conserved quantities only",
                "set numerics.dissipation.kind = \"scalar\"");
  }
}

void read_shocks(config::Input& input, const FreeStream& stream, Method& m) {
  std::string kind = input.text("numerics.shocks.kind");
  if (kind == "auto") {
    // Order 1 has first differences everywhere: only transfers between grids would look at it.
    const bool read = m.order > 1 || m.levels != 1;
    // The dissipation of order 6 alone does not hold a sharp trailing edge: a section at M 0.63
    // goes to a flow with Cl 0.40 and a residual that stays. With a weak sensor it converges.
    const bool possible = m.steady && ((read && stream.mach >= shocks_begin) || m.order == 6);
    kind = !possible ? "none" : stream.mach < strong_shocks ? "pressure" : "pressure-density";
  }
  const bool set = input.is_set("numerics.shocks.k2") && input.is_good("numerics.shocks.k2");
  if (kind == "none") {
    if (set) {
      input.fault(FaultKind::conflict, "numerics.shocks.k2",
                  "k2 is the strength of the shock sensor, and this case has no sensor",
                  "remove it, or set numerics.shocks.kind = \"pressure\"");
    }
    return;
  }
  // The sensor at which corrections of multigrid end: at half of its range.
  m.transfer_damping = stream.mach < strong_shocks ? 0 : 2;
  m.shock_k2 = set                           ? input.real("numerics.shocks.k2")
               : stream.mach < shocks_begin  ? 0.5
               : stream.mach < strong_shocks ? 1
                                             : 2;
  m.density_sensor = kind == "pressure-density";
}

void read_coupling(const config::Input& input, const FreeStream& stream, Method& m) {
  const std::string upwinding = input.text("numerics.coupling.kind");
  m.coupling.upwinding = upwinding == "roe"       ? Upwinding::roe
                         : upwinding == "hlle"    ? Upwinding::hlle
                         : upwinding == "rusanov" ? Upwinding::rusanov
                                                  : Upwinding::central;
  m.coupling.entropy_fix = !m.steady ? 0 : stream.mach < strong_shocks ? 0.05 : 0.2;
  if (input.is_good("numerics.coupling.entropy_fix")) {
    m.coupling.entropy_fix = input.real("numerics.coupling.entropy_fix");
  }
  m.coupling.wall = stream.mach > exact_walls ? WallPressure::exact : WallPressure::linear;
  if (input.is_good("numerics.coupling.wall")) {
    m.coupling.wall = input.text("numerics.coupling.wall") == "exact" ? WallPressure::exact
                                                                      : WallPressure::linear;
  }
}

void read_steady(config::Input& input, Method& m) {
  const std::string scheme = input.is_set("time.scheme") ? input.text("time.scheme") : "rk5";
  if (scheme == "rk4") {
    input.fault(
        FaultKind::conflict, "time.scheme",
        "rk4 advances all nodes by the same time step, and a steady run uses local time steps",
        "set scheme = \"rk5\", or time.mode = \"unsteady\"");
  }
  m.blended = scheme != "rk5-plain";
  // From order 4 on cycles of multigrid grow beyond about 0.8, single grids only beyond 1.5.
  m.cfl = input.real_or_settled("time.cfl", m.order >= 4 ? 0.7 : 1.5);
  m.ramp = integer_or(input, "time.cfl_ramp", 10);
  m.residual_drop = input.is_good("time.residual_drop") ? input.real("time.residual_drop") : 1e-8;
  m.force_window = integer_or(input, "time.force_window", 100);
  m.first_order_cycles = integer_or(input, "time.first_order_cycles", 20);
  const std::string grid = "numerics.multigrid.";
  m.levels = integer_or(input, grid + "levels", 0);
  m.cycle =
      input.is_good(grid + "cycle") && input.text(grid + "cycle") == "V" ? Cycle::v : Cycle::w;
  m.pre = integer_or(input, grid + "pre", 1);
  m.post = integer_or(input, grid + "post", 2);
  m.grid_sequencing = !input.is_good(grid + "sequencing") || input.boolean(grid + "sequencing");
  if (m.levels == 1) {
    for (const char* const key : {"cycle", "pre", "post", "sequencing"})
      systems::note_idle(input, grid + key, "numerics.multigrid.levels = 1 is a single grid");
  }
  if (m.pre + m.post == 0) {
    input.fault(FaultKind::range, grid + "post",
                "a multigrid cycle needs at least one step before or after the coarser grid: pre + "
                "post must be 1 or more");
  }
}

void read_unsteady(config::Input& input, Method& m) {
  if (input.is_set("time.scheme") && input.text("time.scheme") != "rk4") {
    input.fault(FaultKind::conflict, "time.scheme",
                "the five-stage scheme rk5 is for steady flow: it is of second order in time only",
                "set scheme = \"rk4\", or time.mode = \"steady\"");
  }
  m.levels = 1;
  m.residual_drop = 0;
  m.force_window = 0;
  m.first_order_cycles = 0;
  m.grid_sequencing = false;
  m.rule.cfl = input.real_or_settled("time.cfl", 1.0);
  m.rule.fixed = input.is_set("time.dt") ? input.real("time.dt") : 0.0;
  if (!input.is_set("time.end") && !input.is_set("time.steps")) {
    input.fault(FaultKind::conflict, "time.end", "the run has no end: give time.end or time.steps",
                "for example end = 10.0");
  }
}

}  // namespace

std::vector<Key> method_keys() {
  const std::string grid = "numerics.multigrid.";
  return {
      {.path = "numerics.order",
       .type = KeyType::integer,
       .default_text = "3",
       .choices = {"1", "2", "3", "4", "5", "6"},
       .help = "Order inside the blocks: odd ones have upwind-biased dissipation, even ones less. "
               "Directions of fewer than 12 nodes have 4 at most, of fewer than 8 nodes 2."},
      choice_key(
          "numerics.sbp6", "accurate", {"accurate", "compatible"},
          "Member of the operators of orders 5 and 6: that of the least error, or that which "
          "goes with a narrow second derivative."),
      {.path = "numerics.dissipation.kind",
       .type = KeyType::choice,
       .choices = {"scalar", "matrix"},
       .help =
           "Scaled by the spectral radius, or by |A|; matrix below Mach 2 and scalar above when "
           "unset."},
      bounded_key(
          "numerics.dissipation.scale", "1", "", 0, 10,
          "Factor of the dissipation that belongs to the order; 2 in steady runs from order 4 "
          "on, else "
          "1 when unset."),
      {.path = "numerics.dissipation.energy",
       .type = KeyType::choice,
       .choices = {"energy", "enthalpy"},
       .help =
           "What scalar dissipation of the energy equation acts on: E, or E + p, which keeps the "
           "total enthalpy of a steady flow through shocks; energy when unset."},
      choice_key("numerics.shocks.kind", "auto", {"auto", "none", "pressure", "pressure-density"},
                 "Sensor that turns on first differences at shocks; auto: none in unsteady runs, "
                 "with order 1 on one grid, and below Mach 0.7 but for order 6, which needs it at "
                 "sharp edges; the density too from Mach 3 on."),
      {.path = "numerics.shocks.k2",
       .lowest = 0,
       .highest = 16,
       .lowest_open = true,
       .help =
           "Strength of the sensor; 0.5 below Mach 0.7, 1 below Mach 3 and 2 above when unset."},
      choice_key("numerics.flux", "", {"divergence", "entropy-conservative"},
                 "Derivatives of the flux inside the blocks, or two-point fluxes that conserve "
                 "entropy; these in unsteady runs of order 5 and 6, else divergence, when unset."),
      choice_key("numerics.coupling.kind", "roe", {"roe", "hlle", "rusanov", "central"},
                 "Numerical flux between blocks and at boundaries; central only between blocks "
                 "dissipates nothing."),
      bounded_key(
          "numerics.coupling.entropy_fix", "1", "", 0, 1,
          "Floor of the eigenvalues of Roe's flux; 0 in unsteady runs, else 0.05, from Mach 3 "
          "on 0.2 when unset."),
      choice_key("numerics.coupling.wall", "", {"linear", "exact"},
                 "Pressure on walls by the linear or the exact Riemann problem; exact above Mach 2 "
                 "when unset."),
      {.path = grid + "levels",
       .type = KeyType::integer,
       .lowest = 0,
       .highest = 20,
       .help = "Number of grids of a steady run; 1 for a single grid, 0 for as many as are useful; "
               "0 when unset."},
      choice_key(grid + "cycle", "", {"V", "W"},
                 "Multigrid cycle: V visits each coarser grid once, W twice; W when unset."),
      {.path = grid + "pre",
       .type = KeyType::integer,
       .lowest = 0,
       .highest = 10,
       .help = "Time steps before the coarse-grid correction; 1 when unset."},
      {.path = grid + "post",
       .type = KeyType::integer,
       .lowest = 0,
       .highest = 10,
       .help = "Time steps after the coarse-grid correction; 2 when unset."},
      flag_key(grid + "sequencing", "",
               "Start on the coarsest grid and continue on finer ones; true when unset."),
      choice_key("time.mode", "steady", {"steady", "unsteady"},
                 "steady: iterate to the steady flow, with t counting cycles; unsteady: advance in "
                 "time."),
      choice_key(
          "time.scheme", "", {"rk5", "rk5-plain", "rk4"},
          "Runge-Kutta scheme: steady runs have five stages with blended dissipation (rk5) or "
          "without blending, unsteady runs the classical four stages (rk4). rk5 or rk4 when "
          "unset."),
      count_key("time.cfl_ramp", 0, "",
                "Steady: cycles over which the CFL number grows from a quarter; 10 when unset."),
      {.path = "time.residual_drop",
       .lowest = 0,
       .highest = 1,
       .highest_open = true,
       .help = "Steady: the run has converged when the residual of the density has fallen by this "
               "factor; 1e-8 when unset, 0 for never."},
      count_key("time.force_window", 0, "",
                "Steady: the run has also converged when no force coefficient has changed by 1e-6 "
                "over this number of cycles; 100 when unset, 0 for never."),
      count_key("time.steps_max", 1, "", "Steady: largest number of cycles; 20000 when unset."),
      {.path = "time.first_order_cycles",
       .type = KeyType::integer,
       .lowest = 0,
       .help =
           "Steady: number of first-order cycles before those of numerics.order; 20 when unset."},
  };
}

Method read_method(config::Input& input, const FreeStream& stream) {
  Method m;
  m.precision =
      input.text("numerics.precision") == "single" ? Precision::single_ : Precision::double_;
  m.gas = stream.gas;
  m.scale = stream.scale();
  m.order = static_cast<int>(input.integer("numerics.order"));
  m.compatible_sbp6 = input.text("numerics.sbp6") == "compatible";
  if (m.order < 5)
    input.refuse_idle(
        "numerics.sbp6",
        "it is a choice of orders 5 and 6, and this case has order " + std::to_string(m.order));
  m.steady = input.text("time.mode") == "steady";
  // In divergence form the wide closures of 6(3) let entropy grow where a vortex crosses an
  // interface (`verify aerodynamics`, long time).
  m.entropy_conservative = input.is_good("numerics.flux")
                               ? input.text("numerics.flux") == "entropy-conservative"
                               : !m.steady && m.order >= 5;
  read_dissipation(input, stream, m);
  read_coupling(input, stream, m);
  for (const char* const key :
       {"time.residual_drop", "time.force_window", "time.steps_max", "time.first_order_cycles",
        "time.cfl_ramp", "numerics.multigrid.levels", "numerics.multigrid.cycle",
        "numerics.multigrid.pre", "numerics.multigrid.post", "numerics.multigrid.sequencing"}) {
    only_for(input, m.steady, key, "steady runs");
  }
  for (const char* const key : {"time.end", "time.dt", "output.every", "output.checkpoint_every"})
    only_for(input, !m.steady, key, "unsteady runs");
  m.steady ? read_steady(input, m) : read_unsteady(input, m);
  read_shocks(input, stream, m);
  return m;
}

std::string method_text(const Method& m) {
  std::string text = fmt::format("order {}, {} dissipation", m.order,
                                 m.dissipation == Dissipation::matrix ? "matrix" : "scalar");
  if (m.dissipate_enthalpy) text += " that keeps enthalpy";
  if (m.dissipation_scale != 1) text += fmt::format(" x {:g}", m.dissipation_scale);
  if (m.shock_k2 > 0) text += fmt::format(", shock sensor {:g}", m.shock_k2);
  if (m.entropy_conservative) text += ", entropy-conservative fluxes";
  return text;
}

}  // namespace watersmeet::aerodynamics
