// What a case needs, known before anything is allocated.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

std::unique_ptr<systems::System> make_system() { return std::make_unique<BoussinesqSystem>(); }

std::vector<Variable> BoussinesqSystem::variables() const {
  const auto velocity = [](const char* name, const char* axis, int component, Location location) {
    return Variable{
        name,          std::string("velocity along ") + axis + " on the low " + axis + " face",
        "length/time", Kind::cartesian,
        location,      component};
  };
  std::vector<Variable> all = {velocity("u", "x", 0, Location::x_face),
                               velocity("v", "y", 1, Location::y_face),
                               velocity("w", "z", 2, Location::z_face)};
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    all.push_back({parameters_.scalars[n].name, n == 0 ? "temperature" : "scalar",
                   n == 0 ? "temperature" : "1", Kind::scalar, Location::cell, 0});
  }
  return all;
}

std::vector<systems::FromFields> BoussinesqSystem::from_fields() const {
  std::vector<systems::FromFields> all;
  for (int a = 0; a < 3; ++a)
    all.push_back(systems::same_as_field(std::string(1, "uvw"[a]), "velocity", a));
  for (const Scalar& scalar : parameters_.scalars)
    all.push_back(systems::same_as_field(scalar.name, scalar.name));
  return all;
}

memory::BlockShape BoussinesqSystem::shape(const Index3& cells) const {
  memory::BlockShape shape{cells, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    // x keeps its ghosts even with one cell: packs are loaded along x.
    shape.ghosts[a] = a > 0 && cells[a] == 1 ? 0 : ghost_layers();
  }
  return shape;
}

Index3 BoussinesqSystem::pressure_ghosts(const Index3& cells) const {
  Index3 ghosts{};
  for (std::size_t a = 0; a < 3; ++a) ghosts[a] = cells[a] == 1 ? 0 : 1;
  return ghosts;
}

systems::Streaming BoussinesqSystem::streaming(const Index3&) const {
  return {"the pressure of a stage is solved for in all cells at once", {}};
}

systems::MemoryNeed BoussinesqSystem::memory_needed(const Index3& cells) const {
  const int n = parameters_.variables();
  systems::MemoryNeed need;
  need.working_bytes =
      memory::State::bytes_needed({shape(cells)}, n, has_fields_ ? 4 : 3, precision_) +
      memory::State::bytes_needed({{cells, pressure_ghosts(cells)}}, 1, pressure_registers(),
                                  precision_) +
      TablesOfPart::bytes_needed(cells, limited(), precision_) +
      implicit_.bytes_needed(cells, n, precision_) +
      OpenPlanes::bytes_needed(boundaries_, cells, precision_);
  // Kept the same on both back ends: the larger need.
  need.working_bytes +=
      solve::poisson_bytes(staggered_.problem(), method_, cells, precision_, Backend::cuda);
  return need;
}

// Words of a cell that the divergence and a direct solver move when every array moves once a pass:
// with planes (stages.hpp) the velocity and modes, the modes there and back, modes and phi; else
// the divergence's 4 and five passes of 2.
double BoussinesqSystem::words_of_pressure() const {
  return solver_ && solver_->takes_faces() && !stretched_xy() ? 4 + 2 + 2 : 4 + 10;
}

double BoussinesqSystem::bytes_per_point_step() const {
  // Right-hand side and update 4 words per variable, projection 7.
  const double words = 4.0 * parameters_.variables() + words_of_pressure() + 7 +
                       implicit_.words(parameters_.variables());
  return words * static_cast<double>(scheme_.stages.size() * size_of(precision_));
}

// In every stage u*, the pressure and the new velocity; and what the solver sends.
comm::Traffic BoussinesqSystem::traffic_on(Backend backend, const comm::Domain& domain,
                                           comm::Overlap overlap) const {
  comm::Traffic traffic =
      solve::poisson_traffic(staggered_.problem(), method_, precision_, domain, backend);
  for (auto& of_solve : traffic.exchanges) of_solve.times *= stages();
  traffic.waits *= stages();
  traffic.reductions *= stages();
  if (!iterative() && domain.parts.size() > 1) {
    // Columns that several ranks share are gone through twice: modes in and out once more, as a share of the bytes of a right-hand side.
    std::int64_t largest = 0;
    for (const mesh::Part& part : domain.parts) largest = std::max(largest, part.box.count());
    traffic.repeated += static_cast<double>(largest) * 2 *
                        static_cast<double>(size_of(precision_)) * stages() /
                        bytes_per_point_step();
  }
  traffic.add(2.0 * stages(),
              exchange_size(
                  domain, parameters_.variables(), mesh::GhostReach::edges,
                  [&](const mesh::Block& part) { return shape(part.n).ghosts; }, overlap));
  traffic.add(stages(),
              exchange_size(
                  domain, 1, mesh::GhostReach::faces,
                  [&](const mesh::Block& part) { return pressure_ghosts(part.n); }, overlap));
  for (auto& all : traffic.exchanges) all.each.halves = false;  // nothing is computed meanwhile
  return traffic;
}

systems::RecordedWork BoussinesqSystem::recorded_work() const {
  const std::string row = method_ == solve::PoissonMethod::fft  ? "boussinesq fft"
                          : method_ == solve::PoissonMethod::mg ? "boussinesq mg"
                                                                : "";
  return {row, static_cast<double>(stages())};
}

namespace {
// Largest sin(pi x/L) / h along an axis: thin cells are those at walls, where little flows across them.
double between_walls(const StaggeredGrid& grid, int axis) {
  if (!grid.stretched(axis)) return 1 / grid.smallest_width(axis);
  double largest = 0;
  for (std::int64_t i = 0; i < grid.cells()[static_cast<std::size_t>(axis)]; ++i) {
    const double x = (grid.centre(axis, i) - grid.face(axis, 0)) / grid.length(axis);
    largest = std::max(largest, std::sin(std::numbers::pi * x) / grid.width(axis, i));
  }
  return largest;
}
}  // namespace

double BoussinesqSystem::estimate_step(const config::Input&) const {
  double largest = 0;
  std::vector<double> signals;
  for (int a = 0; a < 3; ++a) {
    if (staggered_.flat(a)) continue;
    const std::vector<double> u = initial_.sample(a, staggered_);
    signals.resize(u.size(), 0.0);
    for (std::size_t p = 0; p < u.size(); ++p) {
      signals[p] += (std::abs(u[p]) + initial_.noise_of(a)) / staggered_.smallest_width(a);
    }
  }
  for (const double signal : signals) largest = std::max(largest, signal);
  // Flow that buoyancy drives reaches about the free-fall velocity.
  if (heated_) {
    const int g = parameters_.gravity_axis;
    const double fall = std::sqrt(std::abs(parameters_.scalars[0].buoyancy * heated_->difference) *
                                  staggered_.length(g));
    for (int a = 0; a < 3; ++a) {
      if (!staggered_.flat(a))
        largest = std::max(largest, 0.3 * fall * between_walls(staggered_, a));
    }
  }
  return step_of(largest);
}

}  // namespace watersmeet::boussinesq
