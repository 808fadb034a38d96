// Reading a case: keys to numbers, and every fault of the case that can be found before anything is
// allocated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/box.hpp"
#include "systems/boussinesq/system.hpp"
#include "systems/stretching.hpp"

namespace watersmeet::boussinesq {

using config::FaultKind;

void BoussinesqSystem::configure(config::Input& input) {
  configure_run(input);
  scheme_ = time_scheme(input.text("time.scheme"));
  parameters_ = read_parameters(input);
  configure_advection(input);
  configure_sources();
  initial_ = InitialState(input, parameters_);
  if (!configure_grid(input)) return;
  configure_user_sources(input);
  configure_side_values(input);
  if (input.has_faults()) return;
  boundaries_.check_net_inflow(input, staggered_);
  const Real3 upper = input.reals3("grid.upper");
  grid_.cells = mesh::make_box(staggered_.cells(), staggered_.geometry().lower, upper,
                               boundaries_.periodic(), 0.5);
  grid_.faces = staggered_.problem().faces;
  configure_pressure(input);
  find_heated_axis();
  configure_step(input);
  grid_.cutting = cutting_rule();
}

// The advection of the temperature and of each scalar: by its name, or by the word for all.
void BoussinesqSystem::configure_advection(config::Input& input) {
  const auto advection_of = [&](const std::string& key) {
    const std::string word = input.text(key);
    return word == "upwind1"    ? Advection::upwind
           : word == "limited3" ? Advection::limited
                                : Advection::centred;
  };
  const std::string table = "numerics.scalar_advection";
  check_scalar_names(input, table, parameters_.scalars, 0);
  advection_ = advection_of("numerics.advection");
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    const std::string own = table + "." + parameters_.scalars[n].name, all = table + ".kind";
    scalar_advection_[n] = input.is_set(own)   ? advection_of(own)
                           : input.is_set(all) ? advection_of(all)
                                               : advection_;
  }
}

// Numbers are kept as such; what varies in space is tabulated when the grid is allocated.
void BoussinesqSystem::configure_sources() {
  coefficients_ = parameters_.coefficients();
  has_fields_ = false;
  const auto take = [&](const std::string& text, double& number) {
    const config::Expression e(text, {"x", "y", "z", "r"}, constants_);
    if (e.is_constant()) {
      number = e.constant();
    } else {
      has_fields_ = true;
    }
  };
  for (std::size_t a = 0; a < 3; ++a) {
    take(parameters_.acceleration[a], coefficients_.acceleration[static_cast<int>(a)]);
  }
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    take(parameters_.scalars[n].source, coefficients_.source[static_cast<int>(n)]);
  }
}

// False when there is no grid; that fault is recorded then.
bool BoussinesqSystem::configure_grid(config::Input& input) {
  const Index3 cells = input.integers3("grid.cells");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  std::array<double, 6> side_width{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (cells[a] < 1 || !(upper[a] > lower[a])) return false;
    side_width[2 * a] = side_width[2 * a + 1] =
        (upper[a] - lower[a]) / static_cast<double>(cells[a]);
  }
  if (cells == Index3{1, 1, 1}) {
    input.fault(FaultKind::range, "grid.cells", "a grid of a single cell has no faces",
                "use more cells along at least one axis");
  }
  std::array<systems::AxisFaces, 3> axes;
  if (!systems::read_faces(input, axes)) return false;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double>& faces = axes[a].faces;
    if (faces.empty()) continue;
    side_width[2 * a] = faces[1] - faces[0];
    side_width[2 * a + 1] = faces[faces.size() - 1] - faces[faces.size() - 2];
  }
  boundaries_ = BoundaryConditions(input, parameters_, cells, side_width);
  if (parameters_.beta != 0 && boundaries_.periodic()[1] && cells[1] > 1) {
    input.fault(
        FaultKind::conflict, "physics.beta",
        "y is periodic, and the Coriolis parameter of a beta plane would jump where it is closed",
        "use walls at the y sides");
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if (axes[a].faces.empty() || !boundaries_.periodic()[a]) continue;
    input.fault(FaultKind::conflict, axes[a].key,
                fmt::format("cells along {}, which is periodic, must have equal widths", "xyz"[a]),
                fmt::format("use walls at the {} sides, or uniform cells", "xyz"[a]));
  }
  staggered_ =
      StaggeredGrid(cells, lower, upper, boundaries_.periodic(), boundaries_.open(),
                    {std::move(axes[0].faces), std::move(axes[1].faces), std::move(axes[2].faces)});
  return true;
}

void BoussinesqSystem::configure_pressure(config::Input& input) {
  const std::string word = input.text("numerics.pressure.solver");
  using solve::PoissonMethod;
  const PoissonMethod wanted = word == "fft"    ? PoissonMethod::fft
                               : word == "gemm" ? PoissonMethod::gemm
                               : word == "mg"   ? PoissonMethod::mg
                               : word == "mgcg" ? PoissonMethod::mgcg
                                                : PoissonMethod::automatic;
  method_ = solve::choose_method(staggered_.problem(), wanted);
  const std::string refused = solve::refusal(staggered_.problem(), method_);
  if (!refused.empty()) {
    input.fault(FaultKind::conflict, "numerics.pressure.solver", refused, "set solver = \"auto\"");
  }
  // A case that leaves the choice to the program gets a note in place of a refusal.
  for (const char* const key : {"tol_rel", "tol_abs", "cycles_max"}) {
    const std::string path = std::string("numerics.pressure.") + key;
    const std::string why = fmt::format("\"{}\" solves for the pressure directly, in no cycles",
                                        method_ == PoissonMethod::fft ? "fft" : "gemm");
    if (iterative() || !input.is_changed(path)) continue;
    if (wanted != PoissonMethod::automatic) {
      input.refuse_idle(path, why);
    } else {
      input.note(FaultKind::conflict, path, path + " has no effect: " + why);
    }
  }
  // Rounding of the divergence, relative to the largest sum of |u_i| / h_i.
  const double epsilon = precision_ == Precision::double_ ? 2.2e-16 : 1.2e-7;
  PressureChoice& p = pressure_choice_;
  p.relative_tolerance = precision_ == Precision::double_ ? 1e-10 : 1e-4;
  if (input.is_set("numerics.pressure.tol_rel")) {
    p.relative_tolerance = input.real("numerics.pressure.tol_rel");
    if (iterative() && p.relative_tolerance < 8 * epsilon) {
      input.fault(
          FaultKind::range, "numerics.pressure.tol_rel",
          fmt::format(
              "{:g} is below the divergence that rounding leaves in {} precision, about {:.1g}",
              p.relative_tolerance, name_of(precision_), 8 * epsilon),
          precision_ == Precision::double_ ? "1e-10 is the default" : "1e-4 is the default");
    }
  }
  if (input.is_set("numerics.pressure.tol_abs")) {
    p.absolute_tolerance = input.real("numerics.pressure.tol_abs");
  }
  p.most_cycles = static_cast<int>(input.integer("numerics.pressure.cycles_max"));
}

mesh::CuttingRule BoussinesqSystem::cutting_rule() const {
  mesh::CuttingRule rule;
  rule.halo = 2;  // so that a part of one cell means an axis of one cell
  // Transforms of the pressure along x and y are local, and so are the planes of open sides.
  const bool whole = !iterative() || boundaries_.any_open();
  rule.whole = {whole || implicit_.along(0), whole || implicit_.along(1), implicit_.along(2)};
  rule.usual_axis = staggered_.flat(2) || rule.whole[2] ? -1 : 2;
  rule.units = solve::poisson_cut_units(staggered_.problem(), method_);
  return rule;
}

// The axis along which two prescribed temperatures differ: that of gravity first.
void BoussinesqSystem::find_heated_axis() {
  heated_.reset();
  for (const int axis : {parameters_.gravity_axis, 0, 1, 2}) {
    // Behind an open side the value counts only where fluid enters.
    if (boundaries_.open(2 * axis) || boundaries_.open(2 * axis + 1)) continue;
    const auto lower = boundaries_.mean_value(2 * axis, temperature, staggered_);
    const auto upper = boundaries_.mean_value(2 * axis + 1, temperature, staggered_);
    if (!lower || !upper || *lower == *upper) continue;
    heated_ = HeatedAxis{axis, *lower - *upper};
    return;
  }
}

// sqrt(sum |B_s| (range of s) / height), ranges of the initial state on a coarse sample and of
// prescribed values.
double BoussinesqSystem::buoyancy_frequency() const {
  return std::sqrt(buoyancy_range() / staggered_.length(parameters_.gravity_axis));
}

double BoussinesqSystem::buoyancy_range() const {
  if (staggered_.flat(parameters_.gravity_axis)) return 0;
  double sum = 0;
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    const double b = std::abs(parameters_.scalars[n].buoyancy);
    if (b == 0) continue;
    const int variable = first_scalar + static_cast<int>(n);
    double least = 1e300, most = -1e300;
    const auto include = [&](double value) {
      least = std::min(least, value);
      most = std::max(most, value);
    };
    for (const double value : initial_.sample(variable, staggered_)) include(value);
    for (int side = 0; side < 6; ++side) {
      const auto value = boundaries_.mean_value(side, variable, staggered_);
      if (value) include(*value);
    }
    sum += b * (most - least);
  }
  return sum;
}

// Bounded advection: dt (sum over all faces of a cell of |u|/h + its diffusion) <= 1 in every stage
// (limited.hpp), the signal being half of that sum.
void BoussinesqSystem::configure_limited(config::Input& input) {
  if (scheme_.name != "ssp-rk3" && input.is_good("time.scheme")) {
    const auto first =
        std::find(scalar_advection_.begin(), scalar_advection_.end(), Advection::limited);
    const auto n = static_cast<std::size_t>(first - scalar_advection_.begin());
    const std::string table = "numerics.scalar_advection.",
                      own = table + parameters_.scalars[n].name;
    input.fault(FaultKind::conflict, input.is_set(own) ? own : table + "kind",
                fmt::format("limited3 keeps scalars between bounds only in stages that are convex "
                            "combinations of Euler's steps, which those of {} are not",
                            scheme_.name),
                "set time.scheme = \"ssp-rk3\", or use centered2 or upwind1");
  }
  scheme_.largest_cfl = 0.5;
  // The ghost behind a side with a given value mirrors it: three differences of neighbours in place of two.
  double diffusion = 0;
  for (int a = 0; a < 3; ++a) {
    const double h = staggered_.smallest_width(a);
    if (!staggered_.flat(a)) diffusion += (staggered_.periodic(a) ? 2 : 3) / (h * h);
  }
  double largest = 0;
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    if (scalar_advection_[n] == Advection::limited)
      largest = std::max(largest, parameters_.scalars[n].diffusivity);
  }
  case_.signal_of_diffusion = 0.5 * diffusion * largest;
}

// 1/dt at the limit of explicit diffusion and drag: dt (kappa 4 sum 1/h^2 + d) <= real_limit.
double BoussinesqSystem::diffusion_rate(const std::array<bool, 3>& left_out) const {
  return (4 * parameters_.largest_diffusivity() * staggered_.sum_of_inverse_squares(left_out) +
          parameters_.drag) /
         scheme_.real_limit;
}

void BoussinesqSystem::configure_step(config::Input& input) {
  if (limited()) configure_limited(input);
  stable_cfl_ = scheme_.largest_cfl;
  rule_.even = scheme_.multistep;
  if (input.is_good("time.cfl") && rule_.cfl > stable_cfl_ && !(rule_.fixed > 0)) {
    input.fault(
        FaultKind::range, "time.cfl",
        fmt::format("{} {} at cfl = {:g}: its limit is {:g}", limited() ? "limited3" : scheme_.name,
                    limited() ? "is not bounded" : "is unstable", rule_.cfl, stable_cfl_),
        limited()           ? "0.4 is the default"
        : scheme_.multistep ? "0.4 is the default; scheme = \"rk3\" reaches 1.7"
                            : "use 1.2");
  }
  configure_implicit(input);
  const double diffusion = diffusion_rate(implicit_.axes());
  if (implicit_.any() && !(diffusion > 0) && input.is_changed("time.cfl_diffusive"))
    input.note(FaultKind::conflict, "time.cfl_diffusive",
               "time.cfl_diffusive has no effect: diffusion is implicit along every axis");
  rule_.longest = 1e300;
  if (diffusion > 0) rule_.longest = input.real("time.cfl_diffusive") / diffusion;
  if (rule_.fixed > 0 && rule_.fixed * diffusion > 1.000001) {
    input.fault(
        FaultKind::range, "time.dt",
        fmt::format("{} unstable with dt = {:g}: the limit of {} is {:g}",
                    parameters_.drag > 0 ? "diffusion and drag are" : "diffusion is", rule_.fixed,
                    scheme_.name, 1 / diffusion),
        fmt::format("use {:.4g}, or remove dt: the program then chooses it", 0.9 / diffusion));
  }
  if (input.has_faults()) return;
  const double frequency = buoyancy_frequency();
  if (frequency > 0) {
    rule_.longest = std::min(rule_.longest, input.real("time.cfl_buoyancy") / frequency);
  }
  // The signal is that of the velocity at the beginning of a step: buoyancy adds at most 0.1 to the
  // cfl of its stages, also when the fluid starts from rest.
  if (limited() && frequency > 0) {
    double h = 1e300;
    for (int a = 0; a < 3; ++a) {
      if (!staggered_.flat(a)) h = std::min(h, staggered_.smallest_width(a));
    }
    rule_.longest = std::min(rule_.longest, std::sqrt(0.1 * h / buoyancy_range()));
  }
  if (implicit_.any()) rule_.longest = std::min(rule_.longest, longest_implicit());
}

}  // namespace watersmeet::boussinesq
