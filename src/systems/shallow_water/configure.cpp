// Reading a case: keys to numbers, and every fault of the case that can be found before anything is
// allocated; and what is known of a run then.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/box.hpp"
#include "schemes/kappa_stability.hpp"
#include "systems/idle_key.hpp"
#include "systems/named_state.hpp"
#include "systems/shallow_water/boundary/signal.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/source_step.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::shallow_water {

using config::FaultKind;

namespace {
// The text of an expression that is 0 everywhere is as good as none.
std::string text_unless_zero(const std::string& text, const config::Constants& constants) {
  const config::Expression e(text, {"x", "y", "lon", "lat"}, constants);
  return e.is_constant() && e.constant() == 0 ? "" : text;
}
}  // namespace

void ShallowWaterSystem::configure(config::Input& input) {
  configure_run(input);
  grid_.cutting.halo = radius;
  scheme_ = exec::time_scheme(input.text("time.scheme"));
  configure_numerics(input);
  const bool round = input.text("grid.kind") == "cubed_sphere";
  if (round && !configure_sphere(input)) return;
  configure_initial(input);
  if (!round && !configure_grid(input)) return;
  configure_physics(input);
  if (sphere_) {
    configure_sphere_state(input);
  } else {
    boundaries_ = BoundaryConditions(input, cells_);
  }
  configure_step(input);
  configure_schedule(input);
  configure_sources(input);
  if (!sphere_) configure_side_values(input);
  if (input.has_faults() || sphere_) return;
  grid_.cells = mesh::make_box(cells_, geometry_.lower, input.reals3("grid.upper"),
                               boundaries_.periodic(), geometry_.offset);
}

// False when there is no grid; that fault is recorded then.
bool ShallowWaterSystem::configure_grid(config::Input& input) {
  cells_ = input.integers3("grid.cells");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  geometry_.lower = lower;
  for (std::size_t a = 0; a < 3; ++a) {
    if (cells_[a] < 1 || !(upper[a] > lower[a])) return false;
    geometry_.spacing[a] = (upper[a] - lower[a]) / static_cast<double>(cells_[a]);
  }
  if (cells_[2] != 1) {
    input.fault(
        FaultKind::range, "grid.cells",
        "a box of shallow water needs three numbers of cells, of which the last one is 1",
        fmt::format("write [{}, {}, 1]; or choose grid.kind = \"cubed_sphere\" with cells = {}",
                    cells_[0], cells_[1], cells_[0]));
  } else if (cells_[0] == 1 && cells_[1] == 1) {
    input.fault(FaultKind::range, "grid.cells", "a grid of a single cell has no faces",
                "use more cells along at least one axis");
  }
  for (std::size_t a = 0; a < 2; ++a) {
    case_.plane.inverse_spacing[static_cast<int>(a)] =
        cells_[a] > 1 ? 1 / geometry_.spacing[a] : 0.0;
  }
  return true;
}

void ShallowWaterSystem::configure_physics(config::Input& input) {
  flow_.gravity = sphere_ ? sphere_->planet().gravity : input.real("physics.gravity");
  // A bed of other coordinates stays flat here: what follows evaluates it.
  if (input.is_good("physics.bed") &&
      check_coordinates(input, "physics.bed", input.expression("physics.bed"))) {
    bed_text_ = text_unless_zero(input.expression("physics.bed"), constants_);
  }
  if (!sphere_) {
    for (const char* const key :
         {"grid.radius", "physics.rotation.rate", "physics.rotation.tilt"}) {
      if (!input.is_set(key)) continue;
      input.fault(FaultKind::conflict, key,
                  fmt::format("{} is a key of a sphere, and this grid is a plane", key),
                  "remove it, or set grid.kind = \"cubed_sphere\"");
    }
  }
  const double f = input.real("physics.coriolis.f"), beta = input.real("physics.coriolis.beta");
  const double y0 = input.real("physics.coriolis.y0");
  if (!sphere_ && y0 != 0 && !input.is_set("physics.coriolis.beta")) {
    input.fault(FaultKind::conflict, "physics.coriolis.y0",
                "the Coriolis parameter is f everywhere: there is no beta",
                "add physics.coriolis.beta, or remove y0");
  }
  case_.plane.coriolis_first = f + beta * (geometry_.coordinate(1, 0) - y0);
  case_.plane.coriolis_step = beta * geometry_.spacing[1];
  const double n = input.real("physics.friction.manning");
  flow_.friction = {flow_.gravity * n * n, input.real("physics.friction.drag"),
                    input.real("physics.friction.linear")};
}

void ShallowWaterSystem::configure_numerics(config::Input& input) {
  std::string limiter = input.text("numerics.reconstruction.limiter");
  const double kappa = input.real("numerics.reconstruction.kappa");
  const double c3 = input.real("numerics.reconstruction.transverse");
  flow_.kappa = schemes::kappa_weights(kappa, c3);
  const bool wet_dry = input.boolean("numerics.wet_dry");
  const bool transverse = c3 != 0;
  if (limiter == "auto") limiter = wet_dry && !transverse ? "vanleer" : "none";
  flow_.limiter = limiter == "minmod"    ? schemes::Limiter::minmod
                  : limiter == "vanleer" ? schemes::Limiter::van_leer
                  : limiter == "tvd"     ? schemes::Limiter::tvd
                                         : schemes::Limiter::none;
  const bool limited = flow_.limiter != schemes::Limiter::none;
  if (flow_.limiter == schemes::Limiter::minmod || flow_.limiter == schemes::Limiter::van_leer) {
    systems::note_idle(input, "numerics.reconstruction.kappa",
                       "the slopes of the limiter " + limiter + " do not depend on it");
  }
  flow_.dry_depth = precision_ == Precision::double_ ? 1e-8 : 1e-4;
  if (input.is_set("numerics.dry_depth")) flow_.dry_depth = input.real("numerics.dry_depth");
  if (!wet_dry) {
    if (input.is_set("numerics.dry_depth")) {
      input.fault(FaultKind::conflict, "numerics.dry_depth",
                  "dry_depth has no effect: numerics.wet_dry is false",
                  "add numerics.wet_dry = true");
    }
    flow_.dry_depth = 0;
  }
  if (limited && transverse) {
    input.fault(FaultKind::conflict, "numerics.reconstruction.transverse",
                fmt::format("the limiter {} does not bound the transverse term", limiter),
                "set limiter = \"none\", or transverse = 0");
  }
  const bool shocks = limited || wet_dry;
  riemann_name_ = input.text("numerics.riemann");
  if (riemann_name_ == "auto") riemann_name_ = shocks ? "hllc" : "osher";
  flow_.riemann = riemann_name_ == "hllc"         ? Riemann::hllc
                  : riemann_name_ == "linearised" ? Riemann::linearised
                                                  : Riemann::osher;
  if (wet_dry && flow_.riemann == Riemann::linearised) {
    input.fault(FaultKind::conflict, "numerics.riemann",
                "the linearised Riemann solver is undefined beside a dry cell",
                "set riemann = \"hllc\"");
  }
  if (wet_dry && !scheme_.preserves) {
    input.fault(FaultKind::conflict, "time.scheme",
                fmt::format("{} does not keep depths positive", scheme_.name),
                "set scheme = \"ssp-rk3\"");
  }
  flow_.euler_step = scheme_.euler_step;
  const bool usual = !shocks && flow_.riemann == Riemann::osher;
  traits_ = {.general = !usual, .transverse = transverse, .wet_dry = wet_dry};
  reconstruction_name_ =
      fmt::format("kappa = {:.3g}{}{}", kappa, limited ? ", " + limiter : std::string(),
                  transverse ? fmt::format(", c3 = {:.3g}", c3) : "");
}

void ShallowWaterSystem::configure_step(config::Input& input) {
  if (!input.is_good("time.cfl") || !input.is_good("numerics.reconstruction.kappa")) return;
  const double kappa = input.real("numerics.reconstruction.kappa");
  const double limit = schemes::kappa_stability_limit(kappa, scheme_.amplification);
  stable_cfl_ = limit;
  if (!(rule_.fixed > 0) && limit < 0.01) {
    input.fault(
        FaultKind::range, "numerics.reconstruction.kappa",
        fmt::format("{} is unstable with kappa = {:.3g} at any time step", scheme_.name, kappa),
        "set kappa = \"1/3\"");
    return;
  }
  if (!(rule_.fixed > 0) && rule_.cfl > limit) {
    input.fault(FaultKind::range, "time.cfl",
                fmt::format("{} with kappa = {:.3g} is unstable at cfl = {:g}: its limit is {:.3g}",
                            scheme_.name, kappa, rule_.cfl, limit),
                "0.9 is the default, 1.2 a choice for smooth flow with ssp-rk3");
    return;
  }
  // Friction is implicit.
  systems::bound_by_sources(input, rule_, {scheme_, kappa, limit}, {0, fastest_turning()});
  if (sphere_ || rule_.fixed > 0) return;
  // Dry ground has no waves: what flows in over it does, and where nothing does any step is right.
  if (traits_.wet_dry && !(rule_.longest > 0)) rule_.longest = 1e300;
  const double end = input.is_set("time.end") ? input.duration("time.end") : 0;
  const double signal = fastest_signal(
      boundaries_, {geometry_, cells_, flat() ? "0" : bed_text_, flow_.gravity, case_.plane}, end);
  if (!(signal > 0)) return;
  const double longest = rule_.cfl / signal;
  if (!(rule_.longest > 0) || longest < rule_.longest) rule_.longest = longest;
}

// The largest Coriolis parameter that acts on the flow, without its sign.
double ShallowWaterSystem::fastest_turning() const {
  if (sphere_state_ && sphere_state_->advection()) return 0;  // the wind is prescribed
  if (sphere_) return 2 * std::abs(sphere_->planet().rate);
  const auto f_of = [&](std::int64_t row) {
    return std::abs(case_.plane.coriolis(FlatMetric{}, {0, static_cast<int>(row), 0}));
  };
  return std::max(f_of(0), f_of(cells_[1] - 1));
}

void ShallowWaterSystem::configure_schedule(config::Input& input) {
  std::string refusal;
  if (sphere_) refusal = "schedule \"axes\" is for planes, and this grid is a sphere";
  if (traits_.general)
    refusal = "schedule \"axes\" needs riemann = \"osher\", no limiter and no dry cells";
  if (!sphere_ && (cells_[0] == 1 || cells_[1] == 1)) {
    refusal = "schedule \"axes\" needs more than one cell along x and along y";
  }
  strategy_ = systems::strategy_of(input, precision_, refusal);
}

// Later entries over earlier ones; each covers the whole plane.
void ShallowWaterSystem::configure_initial(config::Input& input) {
  systems::check_perturbed(input);
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}]", n);
    if (!sphere_ && input.is_set(entry + ".state") && input.is_good(entry + ".state")) {
      input.fault(FaultKind::conflict, entry + ".state",
                  fmt::format("the state {} is a flow on a sphere, and this grid is a plane",
                              input.text(entry + ".state")),
                  "add grid.kind = \"cubed_sphere\"");
    }
    const std::string surface = entry + ".surface", depth = entry + ".depth",
                      velocity = entry + ".velocity";
    if (input.is_set(surface) && input.is_set(depth)) {
      input.fault(
          FaultKind::conflict, depth,
          fmt::format("`depth` is given together with `surface` ({})", input.origin(surface)),
          "remove one of them");
    } else if (input.is_set(surface)) {
      surface_text_ = input.expression(surface);
      depth_text_.clear();
      surface_key_ = surface;
      if (input.is_good(surface)) check_coordinates(input, surface, surface_text_);
    } else if (input.is_set(depth)) {
      depth_text_ = input.expression(depth);
      surface_key_ = depth;
      if (input.is_good(depth)) check_coordinates(input, depth, depth_text_);
    }
    if (sphere_ && input.is_set(entry + ".state")) surface_key_ = velocity_key_ = entry + ".state";
    if (!input.is_set(velocity) || !input.is_good(velocity)) continue;
    const auto texts = input.expressions3(velocity);
    velocity_text_ = {texts[0], texts[1]};
    velocity_key_ = velocity;
    for (const std::string& text : velocity_text_) check_coordinates(input, velocity, text);
    if (!text_unless_zero(texts[2], constants_).empty()) {
      input.fault(FaultKind::bad_value, velocity + "[2]",
                  "shallow water has no velocity along z: the third component must be 0", "0");
    }
  }
  // The state of another run takes its place: any water is good until then.
  if (input.is_set("start.from") && input.count("initial") == 0) depth_text_ = "1";
  bed_place_ = input.place(FaultKind::range, "physics.bed");
  surface_place_ = input.place(FaultKind::range, surface_key_);
  velocity_place_ = input.place(FaultKind::range, velocity_key_);
}

systems::MemoryNeed ShallowWaterSystem::memory_needed(const Index3& cells) const {
  systems::MemoryNeed need;
  need.working_bytes =
      memory::State::bytes_needed(shapes(cells), n_variables, registers, precision_);
  need.working_bytes +=
      sources_.bytes_per_cell() * static_cast<std::size_t>(cells[0] * cells[1] * cells[2]);
  if (!flat()) need.working_bytes += memory::State::bytes_needed(shapes(cells), 1, 1, precision_);
  if (sphere_) {
    need.working_bytes += Sphere::bytes_needed(sphere_->n(), cells[2], precision_);
    if (sphere_state_ && sphere_state_->exact()) {
      need.working_bytes += memory::State::bytes_needed(shapes(cells), n_variables, 1, precision_);
    }
  }
  return need;
}

systems::Streaming ShallowWaterSystem::streaming(const Index3& cells) const {
  if (sphere_) return {"the panels of a sphere are coupled before every stage", {}};
  stream::Demand demand =
      demand_of(shapes(cells).front(), n_variables + (flat() ? 0 : 1), registers);
  demand.signal_pass = true;
  const bool by_step = case_.flow.friction.any() || traits_.wet_dry;
  return {
      "", demand,
      by_step ? "friction and numerics.wet_dry take the time step into the right-hand sides" : ""};
}

double ShallowWaterSystem::cell_area() const {
  if (sphere_) return sphere_->spacing() * sphere_->spacing();
  return geometry_.spacing[0] * geometry_.spacing[1];
}

}  // namespace watersmeet::shallow_water
