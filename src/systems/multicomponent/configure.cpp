// Reading a case: keys to numbers, and every fault of the case, found before anything is
// allocated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "mesh/box.hpp"
#include "systems/idle_key.hpp"
#include "systems/multicomponent/system.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/stretching.hpp"

namespace watersmeet::multicomponent {

using config::FaultKind;

void MulticomponentSystem::configure(config::Input& input) {
  configure_run(input);
  schlieren_contrast_ = input.real("output.schlieren_contrast");
  scheme_ = exec::time_scheme(input.text("time.scheme"));
  fluids_ = read_fluids(input);
  configure_model(input);
  check_fields(input);
  if (!configure_grid(input)) return;
  configure_scheme(input);
  initial_ = std::make_unique<InitialState>(input, fluids_, cell_grid_);
  boundaries_ = BoundaryConditions(input, fluids_, cell_grid_, axisymmetric_);
  if (!input.has_faults()) {
    const auto& periodic = boundaries_.periodic();
    Real3 upper{};
    for (std::size_t a = 0; a < 3; ++a) {
      upper[a] = cell_grid_.geometry.lower[a] + length(static_cast<int>(a));
    }
    grid_.cells = mesh::make_box(cell_grid_.cells, cell_grid_.geometry.lower, upper, periodic,
                                 cell_grid_.geometry.offset);
    grid_.faces = cell_grid_.faces;
    grid_.cutting.halo = radius;
    boundaries_.check(input, initial_->reader());
    configure_scales(input);
  }
  configure_reconstruction(input);
  configure_sources(input);
  configure_side_values(input);
}

// The state in terms of what is stored (equations.hpp), which is scaled.
systems::SourceModel MulticomponentSystem::local_state() const {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const std::string rho = number(scales_.density), u = number(scales_.speed),
                    p = number(pressure_scale()), stored_energy = flow_.split ? "E_minus_Pi" : "E";
  systems::SourceModel model;
  model.variables = variables();
  const auto velocity = [&](char axis) { return fmt::format("{}*stored.m{}/stored.rho", u, axis); };
  const std::string internal = fmt::format(
      "stored.{} - 0.5*(stored.mx^2 + stored.my^2 + stored.mz^2)/stored.rho", stored_energy);
  model.names = {
      {"rho", 1, {rho + "*stored.rho"}},
      {"velocity", 3, {velocity('x'), velocity('y'), velocity('z')}},
      {"speed", 1, {u + "*sqrt(stored.mx^2 + stored.my^2 + stored.mz^2)/stored.rho"}},
      {"p",
       1,
       {fmt::format("{}*({}{})/stored.Gamma", p, internal, flow_.split ? "" : " - stored.Pi")}},
      {"energy",
       1,
       {fmt::format("{}*(stored.{}{})", p, stored_energy, flow_.split ? " + stored.Pi" : "")}},
      {"Gamma", 1, {"stored.Gamma"}},
      {"Pi", 1, {p + "*stored.Pi"}},
      {"sound_speed", 1, {"sqrt(((Gamma + 1)*p + Pi)/(Gamma*rho))"}},
      {"mach", 1, {"speed/sound_speed"}}};
  if (two_fluids())
    model.names.push_back(
        {"alpha",
         1,
         {fmt::format("min(max((stored.Gamma - {})*{}, 0), 1)", number(mixture_.gamma_l),
                      number(mixture_.one_over_jump))}});
  return model;
}

void MulticomponentSystem::configure_sources(config::Input& input) {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const std::string rho = number(scales_.density), u = number(scales_.speed),
                    p = number(pressure_scale());
  systems::SourceModel model = local_state();
  model.targets = {{"density", s_rho, -1, "1/" + rho}, {"energy", s_energy, -1, "1/" + p}};
  for (int a = 0; a < 3; ++a)
    model.targets.push_back({"momentum", s_mx + a, a, fmt::format("1/{}/{}", rho, u)});
  sources_.configure(input, model);
}

// False without a valid grid; that fault is recorded then.
bool MulticomponentSystem::configure_grid(config::Input& input) {
  axisymmetric_ = input.text("grid.geometry") == "axisymmetric";
  cell_grid_.cells = input.integers3("grid.cells");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  if (!input.is_good("grid.lower") || !input.is_good("grid.upper")) return false;
  cell_grid_.geometry.lower = lower;
  for (std::size_t a = 0; a < 3; ++a) {
    if (cell_grid_.cells[a] < 1 || !(upper[a] > lower[a])) return false;
    cell_grid_.geometry.spacing[a] =
        (upper[a] - lower[a]) / static_cast<double>(cell_grid_.cells[a]);
  }
  if (cell_grid_.cells == Index3{1, 1, 1}) {
    input.fault(FaultKind::range, "grid.cells", "a grid of a single cell has no faces",
                "use more cells along at least one axis");
  }
  if (axisymmetric_) {
    if (cell_grid_.cells[2] != 1) {
      input.fault(
          FaultKind::conflict, "grid.cells",
          fmt::format(
              "an axisymmetric grid is a half plane of x and y, and this one has {} cells along z",
              cell_grid_.cells[2]),
          "use one cell along z");
    }
    if (cell_grid_.cells[1] == 1) {
      input.fault(FaultKind::conflict, "grid.cells",
                  "an axisymmetric grid needs several cells along y, the distance from the axis, "
                  "and this one has one",
                  "use more cells along y");
    }
    if (lower[1] != 0) {
      input.fault(
          FaultKind::conflict, "grid.lower",
          fmt::format(
              "an axisymmetric grid must begin on its axis, y = 0, and this one begins at y = {:g}",
              lower[1]),
          "set lower[1] = 0");
    }
    refuse_swirl(input);
  }
  return configure_widths(input);
}

// Rings have no force of a flow around the axis, rho w^2/r and -rho v w/r: such a flow is refused where it is given. What is proportional to the
// velocity of the state stays 0 with it.
void MulticomponentSystem::refuse_swirl(config::Input& input) {
  const auto vanishes = [&](const std::string& text) {
    return text.find("velocity.z") != std::string::npos ||
           systems::is_zero(text, input.constants());
  };
  const auto check = [&](const std::string& path) {
    if (!input.is_set(path) || !input.is_good(path) || vanishes(input.expressions3(path)[2]))
      return;
    input.fault(FaultKind::conflict, path + "[2]",
                "this is along z, which in an axisymmetric grid is around the axis, and the "
                "equations there are those of a flow without swirl",
                "set it to 0");
  };
  for (const char* const list : {"initial", "boundary.patch", "source"}) {
    const std::string vector = list == std::string("source") ? "].momentum" : "].velocity";
    for (std::size_t n = 0; n < input.count(list); ++n)
      check(fmt::format("{}[{}{}", list, n, vector));
  }
  for (const char* const side : {"x", "x_lower", "x_upper", "y_upper"})
    check(fmt::format("boundary.{}.velocity", side));
}

// Cells of different widths. False where what is given are no faces.
bool MulticomponentSystem::configure_widths(config::Input& input) {
  std::array<systems::AxisFaces, 3> axes;
  if (!systems::read_faces(input, axes)) return false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (axes[a].faces.empty() || cell_grid_.cells[a] == 1) continue;
    if (axisymmetric_) {
      input.fault(FaultKind::conflict, axes[a].key,
                  "the volumes of rings about an axis are those of equal cells",
                  "leave it out, or set grid.geometry = \"cartesian\"");
    }
    cell_grid_.stretch(a, std::move(axes[a].faces));
  }
  if (cell_grid_.stretched() && input.text("numerics.positivity") == "strict") {
    input.fault(FaultKind::conflict, "numerics.positivity",
                "the flux limiter of \"strict\" serves equal cells, and those of this grid have "
                "different widths",
                "set positivity = \"fallback\" or \"scaling\"");
  }
  return true;
}

void MulticomponentSystem::configure_model(config::Input& input) {
  const auto lighter = [](const Fluid& a, const Fluid& b) { return a.Gamma() < b.Gamma(); };
  if (fluids_.empty()) return;
  gas_ = static_cast<std::size_t>(std::max_element(fluids_.begin(), fluids_.end(), lighter) -
                                  fluids_.begin());
  liquid_ = static_cast<std::size_t>(std::min_element(fluids_.begin(), fluids_.end(), lighter) -
                                     fluids_.begin());
  const Fluid &g = fluids_[gas_], &l = fluids_[liquid_];
  const bool differ = g.Gamma() > l.Gamma();
  mixture_.gamma_l = l.Gamma();
  mixture_.one_over_jump = differ ? 1 / (g.Gamma() - l.Gamma()) : 0;
  mixture_.density_ratio = g.density && l.density ? *l.density / *g.density : 1;
  flow_.compaction = input.text("physics.model") == "mpcf-k";
  if (!flow_.compaction) return;
  if (fluids_.size() != 2 || !differ) {
    input.fault(FaultKind::conflict, "physics.model",
                fluids_.size() == 2 ? fmt::format("model mpcf-k distinguishes fluids by their "
                                                  "gamma, and {} and {} have the same gamma",
                                                  g.name, l.name)
                                    : fmt::format("model mpcf-k is for two fluids, the case has {}",
                                                  fluids_.size()),
                "set model = \"mpcf\"");
  }
  flow_.gamma_g = g.Gamma();
  flow_.gamma_l = l.Gamma();
}

void MulticomponentSystem::configure_scheme(config::Input& input) {
  reconstruction_name_ = input.text("numerics.reconstruction");
  const std::string riemann = input.text("numerics.riemann");
  const std::string positivity = input.text("numerics.positivity");
  const std::string energy = input.text("numerics.energy");
  flow_.reconstruction = reconstruction_name_ == "weno5-z"       ? Reconstruction::weno5_z
                         : reconstruction_name_ == "weno3"       ? Reconstruction::weno3
                         : reconstruction_name_ == "first-order" ? Reconstruction::first_order
                                                                 : Reconstruction::weno5_js;
  flow_.riemann = riemann == "hllc-lm"   ? Riemann::hllc_lm
                  : riemann == "hll"     ? Riemann::hll
                  : riemann == "rusanov" ? Riemann::rusanov
                                         : Riemann::hllc;
  flow_.roe_speeds = input.text("numerics.wave_speeds") == "roe";
  flow_.positivity = positivity == "off"       ? Positivity::off
                     : positivity == "scaling" ? Positivity::scaling
                                               : Positivity::fallback;
  strict_ = positivity == "strict";
  flow_.faces_source = input.text("numerics.phi_source") == "faces";
  flow_.axisymmetric = axisymmetric_;
  flow_.split = energy == "split" || (energy == "auto" && precision_ == Precision::single_);
  finish_.split = flow_.split;
  finish_.clip = input.boolean("numerics.clip");
  if (!fluids_.empty()) {
    finish_.gamma_lowest = fluids_[liquid_].Gamma();
    finish_.gamma_highest = fluids_[gas_].Gamma();
  }
  const bool usual = flow_.riemann == Riemann::hllc && !flow_.roe_speeds && !flow_.faces_source &&
                     !axisymmetric_ && flow_.positivity == Positivity::fallback;
  const bool js = flow_.reconstruction == Reconstruction::weno5_js,
             z = flow_.reconstruction == Reconstruction::weno5_z;
  variant_ = cell_grid_.stretched() ? Variant::stretched
             : usual && js          ? Variant::js
             : usual && z           ? Variant::z
                                    : Variant::general;

  finish_.sum_norm = input.text("time.cfl_norm") == "sum";
  // Linear stability of fifth-order upwind reconstruction with three stages of third order.
  stable_cfl_ = 1.434;
  if (input.is_good("time.cfl") && rule_.cfl > stable_cfl_ && !(rule_.fixed > 0)) {
    input.fault(FaultKind::range, "time.cfl",
                fmt::format("the scheme is unstable at cfl = {:g}: its limit is {:g}", rule_.cfl,
                            stable_cfl_),
                "0.9 is the default, 0.5 a choice for strong shocks");
  }
}

// The units of the numbers of the state. Those chosen here are powers of two, so that dividing by
// them is exact.
void MulticomponentSystem::configure_scales(config::Input& input) {
  const Reference& largest = initial_->reference();
  if (precision_ == Precision::single_) {
    const auto round = [](double x) { return std::exp2(std::round(std::log2(x))); };
    scales_.density = round(largest.rho);
    scales_.speed = round(std::sqrt(std::max(largest.p, largest_p_c()) / scales_.density));
  }
  if (input.is_set("physics.scales.density"))
    scales_.density = input.real("physics.scales.density");
  if (input.is_set("physics.scales.speed")) scales_.speed = input.real("physics.scales.speed");
  double smallest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double inverse =
        cell_grid_.cells[a] > 1 ? scales_.speed / cell_grid_.geometry.spacing[a] : 0.0;
    flow_.inverse_spacing[int(a)] = finish_.inverse_spacing[int(a)] = inverse;
    if (cell_grid_.active(a))
      smallest = std::max(smallest, scales_.speed / cell_grid_.smallest_width(a));
  }
  finish_.inverse_smallest = smallest;
  const Fluid &g = fluids_[gas_], &l = fluids_[liquid_];
  flow_.pi_g = g.Pi() / pressure_scale();
  flow_.pi_l = l.Pi() / pressure_scale();
  flow_.p_c_g = g.p_c / pressure_scale();
  flow_.p_c_l = l.p_c / pressure_scale();
}

void MulticomponentSystem::configure_reconstruction(config::Input& input) {
  const bool z = flow_.reconstruction == Reconstruction::weno5_z;
  const bool single = precision_ == Precision::single_;
  const double otherwise = !z ? 1e-6 : single ? 1e-20 : 1e-40;
  const bool given = input.is_set("numerics.weno_epsilon");
  const double epsilon = given ? input.real("numerics.weno_epsilon") : otherwise;
  // Below, powers of epsilon leave the range of the precision (schemes/weno.hpp): the fourth of
  // weno5-js and weno3, the square of its reciprocal of weno5-z.
  const double least = z ? (single ? 1e-36 : 1e-150) : single ? 1e-8 : 1e-70;
  if (given && input.is_good("numerics.weno_epsilon") && epsilon < least) {
    input.fault(FaultKind::range, "numerics.weno_epsilon",
                fmt::format("{:g} is too small for {} in {} precision", epsilon,
                            reconstruction_name_, name_of(precision_)),
                fmt::format("use {:g} or more", least));
  }
  if (input.has_faults()) return;
  const Reference& largest = initial_->reference();
  const auto scale = [&](const char* what, double from_state) {
    const std::string path = std::string("numerics.weno_scales.") + what;
    return input.is_set(path) ? input.real(path) : from_state;
  };
  // Where nothing moves at first, the speed to which that pressure accelerates that density.
  const double p = largest.p > 0 ? largest.p : std::max(largest_p_c(), pressure_scale());
  const double speed = largest.u > 0 ? largest.u : std::sqrt(p / largest.rho);
  const double s_rho = scale("density", largest.rho) / scales_.density;
  const double s_u = scale("speed", speed) / scales_.speed;
  const double s_p = scale("pressure", p) / pressure_scale();
  const double s_gamma = scale("Gamma", largest.Gamma);
  const double s_pi = scale("Pi", largest.Pi > 0 ? largest.Pi : p) / pressure_scale();
  const double scales[n_variables] = {s_rho, s_u, s_u, s_u, s_p, s_gamma, s_pi};
  for (int v = 0; v < n_variables; ++v) {
    flow_.weno[v] = {epsilon, 1 / (4 * scales[v] * scales[v])};
  }
}

void MulticomponentSystem::check_fields(config::Input& input) const {
  std::vector<std::string> keys = {"output.fields"};
  for (std::size_t p = 0; p < input.count("output.probe"); ++p)
    keys.push_back(fmt::format("output.probe[{}].fields", p));
  const auto has = [&](const std::string& key, const char* field) {
    if (!input.is_set(key) || !input.is_good(key)) return false;
    const std::vector<std::string> fields = input.texts(key);
    return std::find(fields.begin(), fields.end(), field) != fields.end();
  };
  if (std::none_of(keys.begin(), keys.end(),
                   [&](const std::string& key) { return has(key, "schlieren"); })) {
    systems::note_idle(input, "output.schlieren_contrast", "the field schlieren is not written");
  }
  if (two_fluids() || fluids_.empty()) return;
  for (const std::string& key : keys) {
    if (!has(key, "alpha")) continue;
    input.fault(FaultKind::conflict, key,
                "a case without two fluids of different gamma has no volume fraction `alpha`",
                "leave it out");
  }
}

CellStates MulticomponentSystem::cell_states(int threads) const {
  return [this, threads](const Box& box, const std::array<double*, n_variables>& out) {
    initial_->evaluate(box, threads, out);
  };
}

bool MulticomponentSystem::has_boundaries() const {
  const auto& periodic = boundaries_.periodic();
  return !(periodic[0] && periodic[1] && periodic[2]);
}

double MulticomponentSystem::largest_p_c() const {
  double largest = 0;
  for (const Fluid& fluid : fluids_) largest = std::max(largest, fluid.p_c);
  return largest;
}

}  // namespace watersmeet::multicomponent
