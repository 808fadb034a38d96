// Reading a case: keys to numbers, and every fault of the case that can be found before anything is
// allocated. Terrain is in terrain.cpp, the reference in reference_case.cpp, a sphere in sphere/configure.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/box.hpp"
#include "schemes/kappa_stability.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/idle_key.hpp"
#include "systems/named_state.hpp"
#include "systems/source_step.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::atmosphere {

using config::FaultKind;

namespace {
// Along an axis of this length.
Sponge sponge_of(config::Input& input, const std::string& name, double length) {
  const std::string width = "physics.sponge." + name + ".width",
                    rate = "physics.sponge." + name + ".rate";
  const Sponge sponge{input.real(width), input.real(rate)};
  // A resolved case gives the defaults.
  if (!(sponge.width > 0) && input.is_set(rate) && sponge.rate != usual_sponge_rate) {
    input.fault(FaultKind::conflict, rate, "there is no sponge: its width is 0",
                "add " + width + ", or remove the rate");
  }
  if (sponge.width > length) {
    input.fault(FaultKind::range, width,
                fmt::format("the sponge is {:g} wide, and the grid is only {:g} long", sponge.width,
                            length),
                fmt::format("a sponge can be at most {:g} wide", length));
  }
  return sponge;
}

// Keys of a sphere alone.
void refuse_globe(config::Input& input) {
  const auto refuse = [&](const char* key) {
    input.fault(FaultKind::conflict, key,
                fmt::format("{} is a key of a sphere, and this grid is a box", key),
                "remove it, or set grid.kind = \"cubed_sphere\"");
  };
  for (const char* const key : {"grid.radius", "grid.top", "physics.rotation.rate"}) {
    if (input.is_set(key)) refuse(key);
  }
  if (input.text("physics.atmosphere") == "deep") refuse("physics.atmosphere");
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string key = fmt::format("initial[{}].state", n);
    if (!input.is_set(key) || !input.is_good(key)) continue;
    input.fault(FaultKind::conflict, key,
                "this state is defined on a sphere, and this grid is a box",
                "remove it, or set grid.kind = \"cubed_sphere\"");
  }
}
}  // namespace

void AtmosphereSystem::configure(config::Input& input) {
  configure_run(input);
  const std::string scheme = input.text("time.scheme");
  const bool round = input.text("grid.kind") == "cubed_sphere";
  scheme_ = scheme == split_scheme_name ? split_scheme() : exec::time_scheme(scheme);
  grid_.cutting.halo = ghosts;
  traits_.sphere = round;
  traits_.split = scheme == split_scheme_name;
  configure_numerics(input);
  configure_initial(input);
  if (round) {
    if (!configure_globe(input)) return;
    if (split()) refuse_with_split(input);
    configure_reference(input);
    configure_step(input);
    request_.top = sponge_of(input, "top", globe_->top());
    configure_terrain(input);
    globe_->set_flow(flow_, request_.reference, request_.top);
    configure_globe_state(input);
    configure_schedule(input);
    configure_user_sources(input);
    return;
  }
  refuse_globe(input);
  check_initial_coordinates(input);
  if (!configure_grid(input)) return;
  boundaries_ = BoundaryConditions(input, cells_);
  configure_reference(input);
  configure_terrain(input);
  configure_sources(input);
  traits_.viscous = flow_.viscosity > 0 && !traits_.terrain && !traits_.split;
  if (split()) refuse_with_split(input);
  configure_step(input);
  if (input.has_faults()) return;
  flow_.mesh.medium = medium_of(request_);
  configure_schedule(input);
  configure_user_sources(input);
  if (input.has_faults()) return;
  grid_.cells = mesh::make_box(cells_, request_.ground.geometry.lower, input.reals3("grid.upper"),
                               boundaries_.periodic(), request_.ground.geometry.offset);
  describe_box();
}

void AtmosphereSystem::describe_box() {
  if (traits_.terrain) {
    grid_.kind = mesh::GridKind::moved_box;
    grid_.corners = [this] { return cell_corners(); };
  }
  grid_.faces[2] = request_.z_faces;
  for (double& z : grid_.faces[2]) z += request_.ground.geometry.lower[2];
  grid_.cutting.whole[2] = split() || diffuses();
}

void AtmosphereSystem::configure_schedule(config::Input& input) {
  const std::string schedule = input.text("device.schedule");
  if (schedule == "sweeps" && looks_across()) {
    input.fault(FaultKind::conflict, "device.schedule",
                "schedule \"sweeps\" does not compute the transverse term of the reconstruction",
                "set schedule = \"auto\"");
  }
  if (!globe_ && schedule == "tile" && !tileable()) {
    input.fault(
        FaultKind::conflict, "device.schedule",
        "schedule \"tile\" needs more than one cell along every axis, and no viscosity over "
        "flat ground",
        "set schedule = \"auto\"");
  }
  std::string refusal;
  if (globe_) {
    refusal = "schedule \"axes\" is for boxes, and this grid is a sphere";
  } else if (traits_.terrain || traits_.viscous || traits_.split || !traits_.equal ||
             !(flow_.transverse() || flow_.lmars_unlimited())) {
    refusal =
        "schedule \"axes\" needs flat ground, levels of equal thickness, an explicit time scheme, "
        "no viscosity, no limiter, and riemann = \"lmars\" or a transverse term";
  } else if (!tileable()) {
    refusal = "schedule \"axes\" needs more than one cell along every axis";
  }
  strategy_ = systems::strategy_of(input, precision_, refusal);
}

// False when there is no usable grid; the fault is recorded then.
bool AtmosphereSystem::configure_grid(config::Input& input) {
  cells_ = input.integers3("grid.cells");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  mesh::Uniform& geometry = request_.ground.geometry;
  geometry.lower = lower;
  for (std::size_t a = 0; a < 3; ++a) {
    if (cells_[a] < 1 || !(upper[a] > lower[a])) return false;
    geometry.spacing[a] = (upper[a] - lower[a]) / static_cast<double>(cells_[a]);
    flow_.mesh.inverse_spacing[int(a)] = cells_[a] > 1 ? 1 / geometry.spacing[a] : 0.0;
    const std::int64_t least = a == 2 ? 4 : 3;
    if (cells_[a] < least && (a == 2 || cells_[a] > 1)) {
      input.fault(
          FaultKind::range, "grid.cells",
          fmt::format("{} cells along {} are too few for the reconstruction", cells_[a], "xyz"[a]),
          a == 2 ? "use 4 levels or more" : "use 1 cell, or at least 3");
      return false;
    }
  }
  request_.ground.cells = cells_;
  request_.z_faces = read_levels(input, cells_[2], lower[2], upper[2], constants_);
  traits_.equal = request_.z_faces.empty();
  if (!traits_.equal && flow_.transverse()) {
    input.fault(FaultKind::conflict, "numerics.reconstruction.transverse",
                "the transverse term needs levels of equal thickness",
                "set transverse = 0, or remove " + stretching_key(input));
  }
  return true;
}

void AtmosphereSystem::configure_sources(config::Input& input) {
  const Real3 wind = input.reals3("physics.wind");
  flow_.wind[0] = wind[0];
  flow_.wind[1] = wind[1];
  if (wind[2] != 0) {
    input.fault(FaultKind::bad_value, "physics.wind[2]",
                "the mean wind is horizontal: its third component must be 0", "set it to 0");
  }
  flow_.coriolis = input.real("physics.coriolis.f");
  flow_.viscosity = input.real("physics.viscosity");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  request_.top = sponge_of(input, "top", upper[2] - lower[2]);
  request_.sides[0] = sponge_of(input, "x", upper[0] - lower[0]);
  request_.sides[1] = sponge_of(input, "y", upper[1] - lower[1]);
}

void AtmosphereSystem::configure_numerics(config::Input& input) {
  const double kappa = input.real("numerics.reconstruction.kappa");
  const std::string limiter = input.text("numerics.reconstruction.limiter");
  const double transverse = input.real("numerics.reconstruction.transverse");
  request_.kappa = kappa;
  flow_.kappa = schemes::kappa_weights(kappa, transverse);
  flow_.limiter = limiter == "minmod"    ? schemes::Limiter::minmod
                  : limiter == "vanleer" ? schemes::Limiter::van_leer
                  : limiter == "tvd"     ? schemes::Limiter::tvd
                                         : schemes::Limiter::none;
  if (flow_.limiter == schemes::Limiter::minmod || flow_.limiter == schemes::Limiter::van_leer) {
    systems::note_idle(input, "numerics.reconstruction.kappa",
                       "the slopes of the limiter " + limiter + " do not depend on it");
  }
  if (transverse != 0 && flow_.limiter != schemes::Limiter::none) {
    input.fault(FaultKind::conflict, "numerics.reconstruction.transverse",
                fmt::format("the limiter {} does not bound the transverse term", limiter),
                "set limiter = \"none\", or transverse = 0");
  }
  riemann_name_ = input.text("numerics.riemann");
  flow_.riemann = riemann_name_ == "ausm"   ? Riemann::ausm
                  : riemann_name_ == "hllc" ? Riemann::hllc
                                            : Riemann::lmars;
  flow_.least_mach = 0.3;
  if (input.is_set("numerics.least_mach")) flow_.least_mach = input.real("numerics.least_mach");
  if (flow_.riemann != Riemann::ausm && input.is_set("numerics.least_mach")) {
    input.fault(FaultKind::conflict, "numerics.least_mach",
                fmt::format("the Riemann solver {} does not use least_mach", riemann_name_),
                "remove it, or set riemann = \"ausm\"");
  }
  reconstruction_name_ = fmt::format(
      "kappa = {:.3g}{}{}", kappa, transverse != 0 ? fmt::format(", c3 = {:.3g}", transverse) : "",
      flow_.limiter == schemes::Limiter::none ? std::string() : ", " + limiter);
}

void AtmosphereSystem::configure_step(config::Input& input) {
  if (split()) rule_.cfl = input.real_or_settled("time.cfl", usual_split_cfl);
  if (!input.is_good("time.cfl") || !input.is_good("numerics.reconstruction.kappa")) return;
  const double kappa = input.real("numerics.reconstruction.kappa");
  stable_cfl_ = schemes::kappa_stability_limit(kappa, scheme_.amplification);
  double limit = stable_cfl_;
  if (flow_.riemann == Riemann::ausm) {
    // Linear about rest the solver is un = mean - d_u [p]/(rho a), p = mean - d_p rho a [un]; with
    // both at most 1/2 it is bounded like the acoustic upwind scheme, else by their ratio.
    const double f = flow_.least_mach * (2 - flow_.least_mach);
    const double alpha = 0.1875 * (5 * f * f - 4);
    const double d_u = 0.25 / f, d_p = (0.75 + alpha) / flow_.gamma + 0.375 * f;
    limit *= 0.5 / std::max({0.5, d_u, d_p});
  }
  // Viscosity's part of the signal is half of its largest eigenvalue.
  double diffusion = 0;
  if (flow_.viscosity > 0) {
    diffusion = 2 * rule_.cfl;
    limit = std::min(limit, 0.5 * schemes::longest_source_step(scheme_.amplification, {1, 0}));
  }
  const double bound = split() ? std::min(limit, highest_split_cfl) : limit;
  if (!(rule_.fixed > 0) && rule_.cfl > bound) {
    input.fault(FaultKind::range, "time.cfl",
                fmt::format("{} with kappa = {:.3g} and {}{} is not known to be stable at cfl = "
                            "{:g}: its bound is {:.3g}",
                            scheme_.name, kappa, riemann_name_,
                            flow_.viscosity > 0 ? " and viscosity" : "", rule_.cfl, bound),
                fmt::format("use time.cfl = {:.2g}", 0.9 * bound));
    return;
  }
  systems::bound_by_sources(input, rule_, {scheme_, kappa, limit, diffusion}, source_rates());
}

// The rates of the sources that stages treat explicitly. Sponges of a sphere are implicit.
schemes::SourceRates AtmosphereSystem::source_rates() const {
  if (globe_) return {0, 2 * std::abs(globe_->planet().rate)};
  schemes::SourceRates rates{0, std::abs(flow_.coriolis)};
  for (const Sponge& sponge : {request_.top, request_.sides[0], request_.sides[1]}) {
    if (sponge.on()) rates.decay += sponge.rate;  // they meet in corners
  }
  return rates;
}

// Later entries over earlier ones; each covers the whole box.
void AtmosphereSystem::configure_initial(config::Input& input) {
  systems::check_perturbed(input);
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}].", n);
    std::string first;
    for (const char* name : {"theta", "temperature", "density"}) {
      const std::string path = entry + name;
      if (!input.is_set(path)) continue;
      if (!first.empty()) {
        input.fault(FaultKind::conflict, path,
                    fmt::format("`{}` is given together with `{}` ({})", name, first,
                                input.origin(entry + first)),
                    "remove one of them");
        continue;
      }
      first = name;
      initial_.theta.clear();
      initial_.temperature.clear();
      initial_.density.clear();
      const std::string text = input.expression(path);
      (first == "theta"         ? initial_.theta
       : first == "temperature" ? initial_.temperature
                                : initial_.density) = text;
      initial_.matter_key = path;
    }
    if (input.is_set(entry + "pressure")) {
      initial_.pressure = input.expression(entry + "pressure");
      initial_.pressure_key = entry + "pressure";
    }
    if (input.is_set(entry + "velocity") && input.is_good(entry + "velocity")) {
      initial_.velocity = input.expressions3(entry + "velocity");
      initial_.velocity_key = entry + "velocity";
    }
    if (input.is_set(entry + "state")) {
      initial_.matter_key = initial_.pressure_key = initial_.velocity_key = entry + "state";
    }
  }
  initial_.matter_place = input.place(FaultKind::range, initial_.matter_key);
  initial_.pressure_place = input.place(FaultKind::range, initial_.pressure_key);
  initial_.velocity_place = input.place(FaultKind::range, initial_.velocity_key);
}

}  // namespace watersmeet::atmosphere
