// The residual of a Poisson problem, on the host from a copy of both registers: the definition of
// the operator written out a second time, cell by cell, for judging the solvers.
#include <cmath>

#include "comm/exchange.hpp"
#include "core/math.hpp"
#include "solve/poisson/solver.hpp"

namespace watersmeet::solve {

namespace {
// A register's values on the host; on the CPU the register itself.
class HostCopy {
 public:
  HostCopy(const memory::State& state, int reg, const Queue& queue) : start_(state.start(reg)) {
    if (queue.backend == Backend::cpu) return;
    copy_ = memory::Buffer(MemorySpace::pinned, state.register_bytes());
    copy_bytes(copy_.start(), start_, copy_.bytes(), queue);
    start_ = copy_.start();
  }
  const void* start() const { return start_; }

 private:
  memory::Buffer copy_;
  const void* start_;
};

// The two-point flux through one face and the parts of L that it is in.
class Operator {
 public:
  Operator(const PoissonProblem& problem, const Box& box, const BlockLayout& layout)
      : problem_(problem), box_(box), layout_(layout) {}

  template <class R>
  double at(const R* phi, const Index3& cell) const {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t n = problem_.cells[static_cast<std::size_t>(a)];
      if (n == 1 && flat(a)) continue;
      const std::int64_t c = cell[static_cast<std::size_t>(a)] + box_.lower[a];
      sum += (flux(phi, cell, a, c + 1, n) - flux(phi, cell, a, c, n)) / problem_.width(a, c);
    }
    return sum;
  }

 private:
  bool flat(int axis) const {
    const std::size_t s = static_cast<std::size_t>(2 * axis);
    return problem_.sides[s] != PoissonSide::dirichlet &&
           problem_.sides[s + 1] != PoissonSide::dirichlet;
  }
  // Through a face of the cell, in the direction of the axis.
  template <class R>
  double flux(const R* phi, const Index3& cell, int axis, std::int64_t face, std::int64_t n) const {
    const std::size_t a = static_cast<std::size_t>(axis);
    const bool upper = face > cell[a] + box_.lower[a];
    const R* const here = phi + layout_.at(cell[0], cell[1], cell[2]);
    const double inside = static_cast<double>(*here);
    double outside = 0;
    if ((face == 0 || face == n) && !problem_.periodic(axis)) {
      const PoissonSide side = problem_.sides[2 * a + (upper ? 1 : 0)];
      outside = side == PoissonSide::neumann ? inside : -inside;
    } else {
      outside = static_cast<double>(here[upper ? layout_.stride[axis] : -layout_.stride[axis]]);
    }
    const double step = (outside - inside) / problem_.distance(axis, face);
    return upper ? step : -step;
  }

  const PoissonProblem& problem_;
  Box box_;
  BlockLayout layout_;
};

// Mean of the right-hand side, which a solver takes off, and then the largest residual.
template <class R>
double largest(const PoissonProblem& problem, const PoissonFields& fields,
               const PoissonPlace& place) {
  const HostCopy phi(*fields.state, fields.solution, place.queue);
  const HostCopy rhs(*fields.state, fields.rhs, place.queue);
  synchronize(place.queue);
  const BlockLayout& layout = fields.state->layout(0);
  const Box box = place.domain->box(0);
  const Operator l(problem, box, layout);
  const R* const p = static_cast<const R*>(phi.start()) + layout.first;
  const R* const f = static_cast<const R*>(rhs.start()) + layout.first;
  double sums[2] = {0, 0};
  if (problem.singular()) {
    for (std::int64_t k = 0; k < layout.n[2]; ++k) {
      for (std::int64_t j = 0; j < layout.n[1]; ++j) {
        for (std::int64_t i = 0; i < layout.n[0]; ++i) {
          const double volume = problem.width(0, box.lower[0] + i) *
                                problem.width(1, box.lower[1] + j) *
                                problem.width(2, box.lower[2] + k);
          sums[0] += volume * static_cast<double>(f[layout.at(i, j, k)]);
          sums[1] += volume;
        }
      }
    }
  }
  std::vector<double> all(2 * static_cast<std::size_t>(place.team->size()));
  place.team->communicator().all_gather(sums, sizeof sums, all.data());
  double total = 0, volume = 0;
  for (std::size_t r = 0; r < all.size(); r += 2) {
    total += all[r];
    volume += all[r + 1];
  }
  const double mean = volume > 0 ? total / volume : 0.0;
  double result[1] = {0};
  for (std::int64_t k = 0; k < layout.n[2]; ++k) {
    for (std::int64_t j = 0; j < layout.n[1]; ++j) {
      for (std::int64_t i = 0; i < layout.n[0]; ++i) {
        const double value = static_cast<double>(f[layout.at(i, j, k)]) - mean - l.at(p, {i, j, k});
        result[0] = max_or_nan(result[0], std::fabs(value));
      }
    }
  }
  place.team->communicator().all_reduce_max(std::span<double>(result));
  return result[0];
}
}  // namespace

double poisson_residual(const PoissonProblem& problem, const PoissonFields& fields,
                        const PoissonPlace& place) {
  const comm::Domain& domain = *place.domain;
  const mesh::GhostPlan plan = mesh::plan_ghosts(domain.mesh, 1, mesh::GhostReach::faces);
  comm::Exchange(domain, plan, *fields.state, *place.team, place.queue)
      .fill(*fields.state, fields.solution, place.queue);
  return fields.state->precision() == Precision::single_ ? largest<float>(problem, fields, place)
                                                         : largest<double>(problem, fields, place);
}

}  // namespace watersmeet::solve
