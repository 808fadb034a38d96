#pragma once
// A Poisson problem with its grid, fields and team, as a system would set them up.

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/math.hpp"
#include "mesh/box.hpp"
#include "solve/poisson/solver.hpp"

namespace watersmeet::test {

using solve::PoissonProblem;
using solve::PoissonSide;

// The pairs of sides that an axis can have.
inline const std::vector<std::pair<PoissonSide, PoissonSide>>& side_pairs() {
  using enum PoissonSide;
  static const std::vector<std::pair<PoissonSide, PoissonSide>> all = {{periodic, periodic},
                                                                       {neumann, neumann},
                                                                       {dirichlet, dirichlet},
                                                                       {neumann, dirichlet},
                                                                       {dirichlet, neumann}};
  return all;
}

inline PoissonProblem uniform_problem(const Index3& cells, const Real3& spacing,
                                      const std::array<int, 3>& pairs) {
  PoissonProblem p;
  p.cells = cells;
  p.spacing = spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto& pair = side_pairs()[static_cast<std::size_t>(pairs[a])];
    p.sides[2 * a] = pair.first;
    p.sides[2 * a + 1] = pair.second;
  }
  return p;
}

// Faces that crowd at both ends: (1 + tanh(s (2 f / n - 1)) / tanh s) / 2 of the length.
inline std::vector<double> crowded_faces(std::int64_t n, double length, double s) {
  std::vector<double> faces;
  for (std::int64_t f = 0; f <= n; ++f) {
    const double x = 2 * static_cast<double>(f) / static_cast<double>(n) - 1;
    faces.push_back(0.5 * length * (1 + std::tanh(s * x) / std::tanh(s)));
  }
  return faces;
}

// Text for SCOPED_TRACE.
inline std::string text_of(const PoissonProblem& p) {
  std::string text;
  for (std::size_t a = 0; a < 3; ++a) {
    text += std::to_string(p.cells[a]) + " cells ";
    for (const std::size_t s : {2 * a, 2 * a + 1}) text += "PND"[static_cast<int>(p.sides[s])];
    text += p.faces[a].empty() ? "; " : " stretched; ";
  }
  return text;
}

inline mesh::Mesh mesh_of(const PoissonProblem& p) {
  std::array<bool, 3> periodic{};
  for (int a = 0; a < 3; ++a) periodic[static_cast<std::size_t>(a)] = p.periodic(a);
  Real3 upper{};
  for (std::size_t a = 0; a < 3; ++a) upper[a] = p.spacing[a] * static_cast<double>(p.cells[a]);
  return mesh::make_box(p.cells, {0, 0, 0}, upper, periodic);
}

// Two registers, the solution and the right-hand side, on the parts of a team (of one, by default).
class PoissonCase {
 public:
  PoissonCase(const PoissonProblem& p, Precision precision, const Queue& queue)
      : PoissonCase(p, precision, queue, std::make_unique<comm::Team>(queue),
                    {mesh::Part{0, {{0, 0, 0}, p.cells}, 0}}) {}
  PoissonCase(const PoissonProblem& p, Precision precision, const Queue& queue,
              std::unique_ptr<comm::Team> its_team, const std::vector<mesh::Part>& parts)
      : problem(p),
        team(std::move(its_team)),
        domain(mesh_of(p), parts, team->rank()),
        place{&domain, team.get(), queue, precision} {
    std::vector<memory::BlockShape> shapes;
    for (int b = 0; b < domain.blocks(); ++b)
      shapes.push_back({domain.block(b).n, domain.block(b).ghosts(1)});
    state = memory::State(shapes, 1, 2, precision, queue);
    fields = {&state, 0, 1, nullptr};
  }

  // Cells of this rank, [k][j][i].
  std::size_t size() const { return static_cast<std::size_t>(domain.box(0).count()); }
  // f(i, j, k) of the whole grid's cells.
  void set(int reg, const std::function<double(const Index3&)>& f) {
    std::vector<double> values;
    const Box& box = domain.box(0);
    for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
      for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
        for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) values.push_back(f({i, j, k}));
    put(reg, values);
  }
  void put(int reg, const std::vector<double>& values) {
    if (place.precision == Precision::double_) {
      memory::copy_interior_from_host(state, reg, 0, 0, values.data(), place.queue);
    } else {
      const std::vector<float> rounded(values.begin(), values.end());
      memory::copy_interior_from_host(state, reg, 0, 0, rounded.data(), place.queue);
    }
  }
  std::vector<double> get(int reg) const {
    std::vector<double> values(size());
    if (place.precision == Precision::double_) {
      memory::copy_interior_to_host(state, reg, 0, 0, values.data(), place.queue);
      return values;
    }
    std::vector<float> rounded(size());
    memory::copy_interior_to_host(state, reg, 0, 0, rounded.data(), place.queue);
    return {rounded.begin(), rounded.end()};
  }
  std::vector<double> solve(solve::PoissonMethod method) {
    const auto solver = solve::make_poisson_solver(problem, method, place);
    solver->solve(fields, {});
    solver->record();
    return get(fields.solution);
  }
  double residual() { return solve::poisson_residual(problem, fields, place); }

  PoissonProblem problem;
  std::unique_ptr<comm::Team> team;
  comm::Domain domain;
  solve::PoissonPlace place;
  memory::State state;
  solve::PoissonFields fields;
};

// Independent numbers in (-1, 1), one for each cell of the whole grid, less their mean.
inline std::vector<double> random_cells(const PoissonProblem& p, unsigned seed) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> values(static_cast<std::size_t>(p.cells[0] * p.cells[1] * p.cells[2]));
  double sum = 0, volume = 0;
  std::size_t c = 0;
  const auto each = [&](const auto& f) {
    c = 0;
    for (std::int64_t k = 0; k < p.cells[2]; ++k)
      for (std::int64_t j = 0; j < p.cells[1]; ++j)
        for (std::int64_t i = 0; i < p.cells[0]; ++i)
          f(values[c++], p.width(0, i) * p.width(1, j) * p.width(2, k));
  };
  each([&](double& v, double w) {
    v = number(bits);
    sum += v * w;
    volume += w;
  });
  each([&](double& v, double) { v -= sum / volume; });
  return values;
}

inline double largest(const std::vector<double>& values) {
  double m = 0;
  for (const double v : values) m = max_or_nan(m, std::fabs(v));
  return m;
}
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double m = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c) {
    m = max_or_nan(m, std::fabs(a[c] - b[c]));
  }
  return m;
}

}  // namespace watersmeet::test
