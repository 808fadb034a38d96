// The initial state: point values in the middle of cells, departures from the reference of the
// loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "memory/rounded.hpp"
#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

namespace {

// Expressions of x, y and z along the rows of a box, one parser a thread.
class Rows {
 public:
  Rows(const std::vector<std::string>& texts, const config::Constants& constants) {
    for (const std::string& text : texts) {
      expressions_.emplace_back(text, std::vector<std::string>{"x", "y", "z"}, constants);
    }
  }
  void evaluate(std::size_t which, const std::vector<double>& x, const std::vector<double>& y,
                const double* z, double* out) {
    const double* const columns[3] = {x.data(), y.data(), z};
    expressions_[which].evaluate_row(x.size(), columns, out);
  }

 private:
  std::vector<config::Expression> expressions_;
};

}  // namespace

AtmosphereSystem::Fields AtmosphereSystem::initial_fields(const Box& box, int threads) const {
  const mesh::Uniform& g = request_.ground.geometry;
  const Index3 n = {box.upper[0] - box.lower[0], box.upper[1] - box.lower[1],
                    box.upper[2] - box.lower[2]};
  const std::size_t nx = static_cast<std::size_t>(n[0]);
  const std::size_t cells = nx * static_cast<std::size_t>(n[1] * n[2]);
  Fields f(cells);
  const std::vector<double> h =
      request_.ground.corners({box.lower[0], box.lower[1]}, {box.upper[0] + 1, box.upper[1] + 1});
  std::vector<double> x(nx);
  for (std::size_t i = 0; i < nx; ++i) {
    x[i] = g.coordinate(0, box.lower[0] + static_cast<std::int64_t>(i));
  }
  const auto [matter_text, pressure_text] = initial_texts();
  std::vector<std::string> texts = {matter_text, pressure_text};
  const bool wind = initial_.velocity[0].empty();
  for (std::size_t a = 0; a < 3 && !wind; ++a) texts.push_back(initial_.velocity[a]);
  const double depth = flow_.mesh.medium.depth;
  const Levels levels = request_.levels();
#pragma omp parallel num_threads(threads)
  {
    Rows rows(texts, constants_);
    std::vector<double> y(nx), matter(nx);
#pragma omp for collapse(2) schedule(static)
    for (std::int64_t k = 0; k < n[2]; ++k) {
      for (std::int64_t j = 0; j < n[1]; ++j) {
        const std::size_t row = static_cast<std::size_t>(k * n[1] + j) * nx;
        const double zeta = levels.middle(box.lower[2] + k);
        std::fill(y.begin(), y.end(), g.coordinate(1, box.lower[1] + j));
        for (std::size_t i = 0; i < nx; ++i) {
          const double* const corner = h.data() + static_cast<std::size_t>(j) * (nx + 1) + i;
          const double ground =
              0.25 * ((corner[0] + corner[nx + 1]) + (corner[1] + corner[nx + 2]));
          f.z[row + i] = g.lower[2] + zeta + ground * (1 - zeta / depth);
        }
        const double* const z = f.z.data() + row;
        rows.evaluate(0, x, y, z, matter.data());
        rows.evaluate(1, x, y, z, f.p.data() + row);
        for (std::size_t a = 0; a < 3; ++a) {
          double* const out = f.velocity[a].data() + row;
          if (wind) {
            std::fill(out, out + nx, a < 2 ? flow_.wind[int(a)] : 0.0);
          } else {
            rows.evaluate(2 + a, x, y, z, out);
          }
        }
        for (std::size_t i = 0; i < nx; ++i) {
          f.rho[row + i] = density_departure(matter[i], f.p[row + i], z[i]);
        }
      }
    }
  }
  check_fields(f, [&](std::size_t c) {
    const std::size_t i = c % nx, j = c / nx % static_cast<std::size_t>(n[1]),
                      k = c / nx / static_cast<std::size_t>(n[1]);
    const std::int64_t row = box.lower[1] + static_cast<std::int64_t>(j);
    const double y = g.coordinate(1, row);
    return CellPlace{fmt::format("cell ({}, {}, {}), x = {:g}, y = {:g}, z = {:g}",
                                 box.lower[0] + static_cast<std::int64_t>(i), row,
                                 box.lower[2] + static_cast<std::int64_t>(k), x[i], y, f.z[c]),
                     {x[i], y, f.z[c]}};
  });
  return f;
}

std::array<std::string, 2> AtmosphereSystem::initial_texts() const {
  return {!initial_.density.empty()       ? initial_.density
          : !initial_.temperature.empty() ? initial_.temperature
                                          : initial_.theta,
          initial_.pressure};
}

// rho/rho_r - 1 from theta/theta_r or T/T_r, in terms that vanish where nothing departs.
double AtmosphereSystem::density_departure(double matter, double p, double z) const {
  if (!initial_.density.empty()) return matter;
  const ReferenceState& ref = request_.reference;
  const bool by_temperature = !initial_.temperature.empty();
  const double theta = ref.theta(z), pressure = std::log1p(p / ref.p(z));
  const double whole = by_temperature ? theta * ref.exner(z) : theta;
  const double exponent = by_temperature ? 1 : 1 / ref.gas.gamma();
  return ref.rho(z) * std::expm1(exponent * pressure - std::log1p(matter / whole));
}

// theta', T' or rho' of the case in the middle of a cell.
double AtmosphereSystem::matter_at(const CellPlace& place) const {
  const bool round = globe_ != nullptr;
  config::Expression e(
      initial_texts()[0],
      round ? std::vector<std::string>{"lon", "lat", "z"} : std::vector<std::string>{"x", "y", "z"},
      constants_);
  const double* const columns[3] = {&place.at[0], &place.at[1], &place.at[2]};
  double value = 0;
  e.evaluate_row(1, columns, &value);
  return value;
}

void AtmosphereSystem::check_fields(const Fields& f,
                                    const std::function<CellPlace(std::size_t)>& place) const {
  const ReferenceState& ref = request_.reference;
  const auto n = static_cast<std::int64_t>(f.rho.size());
  std::int64_t first_bad = n;
  ReferenceAt here(ref);
#pragma omp parallel for num_threads(queue_.threads) reduction(min                           \
                                                               : first_bad) schedule(static) \
    firstprivate(here)
  for (std::int64_t i = 0; i < n; ++i) {
    const auto c = static_cast<std::size_t>(i);
    const bool finite = std::isfinite(f.rho[c]) && std::isfinite(f.p[c]) &&
                        std::isfinite(f.velocity[0][c] + f.velocity[1][c] + f.velocity[2][c]);
    here.move_to(f.z[c]);
    if (finite && f.rho[c] + here.rho() > 0 && f.p[c] + here.p() > 0) continue;
    first_bad = std::min(first_bad, i);
  }
  if (first_bad == n) return;
  using config::error_at;
  using config::shown;
  const auto c = static_cast<std::size_t>(first_bad);
  const CellPlace cell = place(c);
  const double z = f.z[c], rho = ref.rho(z), p = ref.p(z);
  if (!std::isfinite(f.velocity[0][c] + f.velocity[1][c] + f.velocity[2][c])) {
    throw error_at(
        initial_.velocity_place,
        fmt::format("{} is ({}, {}, {}) in {}", initial_.velocity_key, shown(f.velocity[0][c]),
                    shown(f.velocity[1][c]), shown(f.velocity[2][c]), cell.words),
        "finite numbers");
  }
  if (!(std::isfinite(f.p[c]) && f.p[c] + p > 0)) {
    throw error_at(initial_.pressure_place,
                   fmt::format("{} is {} in {}", initial_.pressure_key, shown(f.p[c]), cell.words),
                   fmt::format("a finite number above {:g}: the reference has p = {:g} there, and "
                               "their sum must be positive",
                               -p, p));
  }
  if (globe_state_) {
    throw error_at(initial_.matter_place,
                   fmt::format("{} gives rho' = {} in {}, where the reference has rho = {:g}",
                               initial_.matter_key, shown(f.rho[c]), cell.words, rho),
                   "a planet and gas for which the sum is positive");
  }
  const auto [name, whole] = !initial_.density.empty() ? std::pair{"rho", rho}
                             : !initial_.temperature.empty()
                                 ? std::pair{"T", ref.theta(z) * ref.exner(z)}
                                 : std::pair{"theta", ref.theta(z)};
  throw error_at(
      initial_.matter_place,
      fmt::format("{} is {} in {}", initial_.matter_key, shown(matter_at(cell)), cell.words),
      fmt::format("a finite number above {:g}: the reference has {} = {:g} there, and "
                  "their sum must be positive",
                  -whole, name, whole));
}

systems::Transfer AtmosphereSystem::transfer() const {
  const ReferenceState& ref = request_.reference;
  std::string words = fmt::format(
      "kind {}, R_d {:.17g}, c_p {:.17g}, p_0 {:.17g}, g {:.17g}, p(0) {:.17g}, 1/a {:.17g}",
      static_cast<int>(ref.kind), ref.gas.r_d, ref.gas.c_p, ref.gas.p_0, ref.gravity, ref.pressure,
      ref.inverse_radius);
  switch (ref.kind) {
    case ReferenceKind::isothermal:
      words += fmt::format(", T {:.17g}", ref.temperature);
      break;
    case ReferenceKind::table:
    case ReferenceKind::sounding:
      for (std::size_t n = 0; n < ref.heights.size(); ++n)
        words +=
            fmt::format(", {}({:.17g}) {:.17g}", ref.kind == ReferenceKind::table ? "theta" : "T",
                        ref.heights[n], ref.thetas[n]);
      break;
    default:
      words += fmt::format(", theta_0 {:.17g}, N {:.17g}", ref.theta_0,
                           ref.kind == ReferenceKind::stratified ? ref.frequency : 0.0);
  }
  systems::Transfer values;
  values.averages = true;
  values.basis = {{"the reference state, of which the state holds departures", words},
                  {"physics.terrain, over which the levels rise",
                   request_.ground.text.empty() ? "no terrain" : request_.ground.text}};
  return values;
}

// On a sphere states have components along the angles of panels.
std::vector<systems::FromFields> AtmosphereSystem::from_fields() const {
  const bool globe = globe_ != nullptr;
  const std::string velocity = globe ? mesh::panel_velocity : "velocity";
  const ReferenceState ref = request_.reference;
  const double c_v = 1 / (ref.gas.gamma() - 1);
  std::vector<systems::FromFields> all = {
      systems::same_as_field("rho", "density_perturbation"),
      {"rho", {{"rho", 0}, {"height", 0}}, [=](const double* v) { return v[0] - ref.rho(v[1]); }}};
  for (int a = 0; a < 3; ++a) {
    all.push_back({std::string("m") + (globe ? "uvw" : "xyz")[a],
                   {{"rho", 0}, {velocity, a}},
                   [](const double* v) { return v[0] * v[1]; }});
  }
  // p'/(gamma - 1) + rho |u|^2/2 + rho' g z, with departures where the file has them.
  std::vector<std::pair<std::string, int>> moving = {{"rho", 0}, {"height", 0}};
  if (globe) {
    moving.push_back({velocity, mesh::squared_speed});
  } else {
    for (int a = 0; a < 3; ++a) moving.push_back({velocity, a});
  }
  const std::size_t p = moving.size();
  const auto energy = [=](const double* v, double p_off, double rho_off) {
    double speed2 = globe ? v[2] : 0;
    for (std::size_t a = 2; a < p && !globe; ++a) speed2 += v[a] * v[a];
    return c_v * p_off + 0.5 * v[0] * speed2 + rho_off * ref.geopotential(v[1]);
  };
  auto departures = moving, whole = moving;
  departures.insert(departures.end(), {{"pressure_perturbation", 0}, {"density_perturbation", 0}});
  whole.push_back({"p", 0});
  all.push_back({"energy", departures, [=](const double* v) { return energy(v, v[p], v[p + 1]); }});
  all.push_back({"energy", whole, [=](const double* v) {
                   return energy(v, v[p] - ref.p(v[1]), v[0] - ref.rho(v[1]));
                 }});
  return all;
}

void AtmosphereSystem::initialise(const config::Input&) {
  if (globe_) {
    initialise_globe();
    return;
  }
  // Some rows at once: what the host holds besides the state stays small.
  constexpr std::int64_t cells_at_once = std::int64_t{1} << 22;
  const Box part = domain_->box(0);
  const std::int64_t rows =
      std::max<std::int64_t>(1, cells_at_once / (part.size(0) * part.size(2)));
  memory::Buffer staging;
  for (std::int64_t j = part.lower[1]; j < part.upper[1]; j += rows) {
    Box slab = part, here = domain_->block(0).interior();
    slab.lower[1] = j;
    slab.upper[1] = std::min(j + rows, part.upper[1]);
    here.lower[1] = slab.lower[1] - part.lower[1];
    here.upper[1] = slab.upper[1] - part.lower[1];
    store_fields(
        initial_fields(slab, queue_.threads), here,
        [&](std::size_t, const Primitive<double>& w, const Reference<double>& reference) {
          return conserved_of(FlatMetric{}, w, reference, flow_.gamma);
        },
        staging);
  }
}

void AtmosphereSystem::store_fields(Fields f, const Box& box, const StoredAt& stored,
                                    memory::Buffer& staging) {
  const ReferenceState& ref = request_.reference;
  std::vector<double> energy(f.rho.size());
  ReferenceAt reference(ref);
#pragma omp parallel for num_threads(queue_.threads) schedule(static) firstprivate(reference)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(f.rho.size()); ++i) {
    const auto c = static_cast<std::size_t>(i);
    reference.move_to(f.z[c]);
    const Reference<double> here{reference.rho(), 0, ref.geopotential(f.z[c])};
    const Primitive<double> w{
        {f.rho[c], f.velocity[0][c], f.velocity[1][c], f.velocity[2][c], f.p[c]}};
    const Conserved<double> s = stored(c, w, here);
    for (std::size_t a = 0; a < 3; ++a) f.velocity[a][c] = s[s_mx + static_cast<int>(a)];
    energy[c] = s[s_energy];
  }
  memory::State& solution = state();
  const auto store = [&](int variable, const std::vector<double>& values) {
    memory::store_rounded(solution, 0, variable, values, queue_, box, &staging);
  };
  store(s_rho, f.rho);
  for (int a = 0; a < 3; ++a) store(s_mx + a, f.velocity[a]);
  store(s_energy, energy);
  beginning_.reset();
}

// From rows of up to 16 levels, of which up to 16 stretches.
double AtmosphereSystem::estimate_step(const config::Input&) const {
  if (globe_) return estimate_globe_step();
  const ReferenceState& ref = request_.reference;
  double largest = 0;
  const std::int64_t levels = std::min<std::int64_t>(cells_[2], 16);
  // `share`: the part of the sound across levels that counts (flow.hpp).
  const Levels heights = request_.levels();
  for (std::int64_t n = 0; n < levels; ++n) {
    const std::int64_t k = n * cells_[2] / levels, j = cells_[1] / 2;
    const Real3 per = {flow_.mesh.inverse_spacing[0], flow_.mesh.inverse_spacing[1],
                       1 / heights.thickness(k)};
    const double share = split() ? std::min(0.5 * std::max(per[0], per[1]) / per[2], 1.0) : 1.0;
    for (const auto [begin, end] : systems::stretches(cells_[0], 256, 16)) {
      const Fields f = initial_fields({{begin, j, k}, {end, j + 1, k + 1}}, 1);
      for (std::size_t c = 0; c < f.z.size(); ++c) {
        const double a =
            std::sqrt(flow_.gamma * (ref.p(f.z[c]) + f.p[c]) / (ref.rho(f.z[c]) + f.rho[c]));
        double signal = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          signal += (std::abs(f.velocity[axis][c]) + a * (axis == 2 ? share : 1)) * per[axis];
          signal += 2 * flow_.viscosity * per[axis] * per[axis];
        }
        largest = std::max(largest, signal);
      }
    }
  }
  return step_of(largest);
}

}  // namespace watersmeet::atmosphere
