// A coarse look at the initial state before anything is allocated: faults that need cells, and the
// largest magnitudes. It looks at the whole grid, so that all ranks see the same.
#include <algorithm>
#include <cmath>
#include <set>

#include "systems/multicomponent/initial/state.hpp"

namespace watersmeet::multicomponent {

namespace {

constexpr double most_points = 4096;

void raise(double& largest, double value) {
  if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
}

void raise(Reference& largest, const PointState& s) {
  raise(largest.rho, s.rho);
  raise(largest.u, std::sqrt(s.u * s.u + s.v * s.v + s.w * s.w));
  raise(largest.p, s.p);
  raise(largest.Gamma, s.Gamma);
  raise(largest.Pi, s.Pi);
}

}  // namespace

std::vector<std::int64_t> chosen(std::int64_t first, std::int64_t last, std::int64_t most) {
  const std::int64_t n = std::max<std::int64_t>(last - first, 1), m = std::min(n, most);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < m; ++i) indices.push_back(first + (2 * i + 1) * n / (2 * m));
  return indices;
}

void InitialState::sample(config::Input& input) {
  int dimensions = 0;
  for (std::size_t a = 0; a < 3; ++a) dimensions += grid_.active(a) ? 1 : 0;
  const auto most = static_cast<std::int64_t>(std::pow(most_points, 1.0 / std::max(dimensions, 1)));
  std::array<std::vector<std::int64_t>, 3> indices;
  for (std::size_t a = 0; a < 3; ++a) indices[a] = chosen(0, grid_.cells[a], most);
  Scratch scratch{entries_, {}, {}};
  std::set<std::string> reported;
  for (const std::int64_t k : indices[2]) {
    for (const std::int64_t j : indices[1]) {
      for (const std::int64_t i : indices[0]) {
        raise(reference_, cell_state(scratch, {i, j, k}));
        const std::optional<Complaint> found = complaint(scratch, {i, j, k});
        if (!found || !reported.insert(found->key).second) continue;
        input.fault(config::FaultKind::range, found->key, found->key + " " + found->message);
      }
    }
  }
  for (const Entry& entry : entries_) sample_entry(entry);
}

// What an entry puts into its shape, which may lie between the cells of the coarse sample.
void InitialState::sample_entry(Entry entry) {
  std::array<std::vector<std::int64_t>, 3> indices;
  for (std::size_t a = 0; a < 3; ++a) {
    std::int64_t first = 0, last = grid_.cells[a];
    if (entry.shape) {
      const Bounds bounds = entry.shape->bounds();
      const double n = static_cast<double>(last);
      first = static_cast<std::int64_t>(
          std::clamp(std::floor(grid_.in_cells(a, bounds.lower[a])), 0.0, n - 1));
      last = static_cast<std::int64_t>(
          std::clamp(std::ceil(grid_.in_cells(a, bounds.upper[a])), 0.0, n));
    }
    indices[a] = chosen(first, last, 16);
  }
  PointState numbers;
  const Rows values{&numbers.rho, &numbers.u,     &numbers.v, &numbers.w,
                    &numbers.p,   &numbers.Gamma, &numbers.Pi};
  bool varies = false;
  for (const Given& given : entry.given) {
    *values[given.quantity] = given.number;
    varies = varies || given.expression.has_value();
  }
  if (!varies || entry.covers_all()) {
    // Expressions that cover the whole grid are in the sample of the cells.
    raise(reference_, numbers);
    return;
  }
  for (const std::int64_t k : indices[2]) {
    for (const std::int64_t j : indices[1]) {
      for (const std::int64_t i : indices[0]) {
        const Real3 x{grid_.place(0, i, 0), grid_.place(1, j, 0), grid_.place(2, k, 0)};
        const double distance = entry.shape ? entry.shape->distance(x) : -entry.inside->at(x);
        if (!(smeared(distance, entry.half_width) > 0)) continue;
        for (Given& given : entry.given)
          if (given.expression) *values[given.quantity] = given.expression->at(x);
        raise(reference_, numbers);
      }
    }
  }
}

}  // namespace watersmeet::multicomponent
