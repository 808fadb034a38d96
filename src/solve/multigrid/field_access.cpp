#include "solve/multigrid/field_access.hpp"

#include <numeric>

#include "comm/exact_reduction.hpp"
#include "core/error.hpp"
#include "core/math.hpp"

namespace watersmeet::solve {

template <class R>
FieldAccess<R>::FieldAccess(const Level& finest, const LevelPart& part, const PoissonPlace& place)
    : finest_(finest),
      part_(part),
      team_(place.team),
      queue_(place.queue),
      result_(memory::working_space(place.queue.backend), measure_bytes) {
  operator_.add(table_, finest, part);
  table_.upload(queue_);
  std::size_t index[3];
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double>& width = finest.axis[a].width;
    index[a] = width_table_.add(width, part.box.lower[a], part.box.size(static_cast<int>(a)), 0);
    volume_ *= std::accumulate(width.begin(), width.end(), 0.0);
  }
  width_table_.upload(queue_);
  for (std::size_t a = 0; a < 3; ++a) widths_.along[a] = width_table_.at(index[a]);
  if (place.domain->parts.size() == 1) return;
  std::vector<memory::BlockShape> shapes;
  for (int b = 0; b < place.domain->blocks(); ++b) {
    shapes.push_back({place.domain->block(b).n, place.domain->block(b).ghosts(1)});
  }
  const memory::State shape(shapes, 1, 0, place.precision, queue_);
  exchange_ = std::make_unique<comm::Exchange>(
      *place.domain, mesh::plan_ghosts(place.domain->mesh, 1, mesh::GhostReach::faces), shape,
      *place.team, queue_);
}

template <class R>
LevelArrays<R> FieldAccess<R>::arrays(memory::State& state, int u, int f) const {
  require(state.blocks() == 1 && size_of(state.precision()) == sizeof(R),
          "fields of a Poisson solve are one block of the problem's precision");
  const BlockLayout& layout = state.layout(0);
  for (int a = 0; a < 3; ++a) {
    require(layout.n[a] == part_.box.size(a), "fields of a Poisson solve are shaped like the part");
  }
  LevelArrays<R> arrays = part_shape<R>(finest_, part_, layout);
  arrays.u = static_cast<R*>(state.start(u)) + layout.first;
  arrays.f = static_cast<R*>(state.start(f)) + layout.first;
  operator_.point(arrays, table_);
  return arrays;
}

template <class R>
void FieldAccess<R>::fill_ghosts(memory::State& state, int reg) {
  if (exchange_) exchange_->fill(state, reg, queue_);
}

template <class R>
Measured FieldAccess<R>::measure(const LevelArrays<R>& a, bool right_side) const {
  return loops<R>().measure(a, widths_, right_side, result_.start(), queue_);
}

template <class R>
typename FieldAccess<R>::MeanAndLargest FieldAccess<R>::right_side(const LevelArrays<R>& a) const {
  if (singular()) return mean_and_largest(a, true);
  return {0, largest_of_all(measure(a, true).largest)};
}

template <class R>
void FieldAccess<R>::settle_mean(const LevelArrays<R>& a) const {
  if (!singular()) return;
  loops<R>().shift(a, mean_and_largest(a, false).mean, queue_);
}

template <class R>
template <class X>
Residual FieldAccess<R>::residual(const LevelArrays<R>& a, double mean, double scale,
                                  const LevelArrays<X>& into) const {
  const Residual mine = loops<X>().residual(a, mean, scale, into, result_.start(), queue_);
  return {largest_of_all(mine.largest), largest_of_all(mine.largest_solution)};
}

template <class R>
template <class X>
void FieldAccess<R>::correct(const LevelArrays<R>& a, const LevelArrays<X>& correction,
                             double scale, bool add, bool reset, memory::State& state, int reg) {
  loops<X>().correct(a, correction, scale, add, reset, queue_);
  fill_ghosts(state, reg);
}

template <class R>
template <class X>
double FieldAccess<R>::dot(const LevelArrays<R>& x, const LevelArrays<X>& y) const {
  return sum_of_all(loops<X>().dot(x, y, widths_, result_.start(), queue_));
}

template <class R>
typename FieldAccess<R>::MeanAndLargest FieldAccess<R>::mean_and_largest(const LevelArrays<R>& a,
                                                                         bool right_side) const {
  const auto measured = [&](double* largest_of) {
    const Measured mine = measure(a, right_side);
    largest_of[0] = max_or_nan(largest_of[0], mine.largest_term);
    largest_of[1] = max_or_nan(largest_of[1], mine.largest);
  };
  const auto count = [&](const exec::SumScale* scale, std::int64_t* high_low) {
    loops<R>().count(a, widths_, right_side, *scale, high_low, result_.start(), queue_);
  };
  double results[2];
  comm::reduce_exactly(team_->communicator(), 1, 1, finest_.cells(), measured, count, results);
  return {results[0] / volume_, results[1]};
}

template <class R>
double FieldAccess<R>::largest_of_all(double mine) const {
  if (exchange_) team_->communicator().all_reduce_max(std::span<double>(&mine, 1));
  return mine;
}

template <class R>
double FieldAccess<R>::sum_of_all(double mine) const {
  if (!exchange_) return mine;
  std::vector<double> all(static_cast<std::size_t>(team_->size()));
  team_->communicator().all_gather(&mine, sizeof mine, all.data());
  return std::accumulate(all.begin(), all.end(), 0.0);
}

template class FieldAccess<float>;
template class FieldAccess<double>;

template Residual FieldAccess<float>::residual(const LevelArrays<float>&, double, double,
                                               const LevelArrays<float>&) const;
template void FieldAccess<float>::correct(const LevelArrays<float>&, const LevelArrays<float>&,
                                          double, bool, bool, memory::State&, int);
template double FieldAccess<float>::dot(const LevelArrays<float>&, const LevelArrays<float>&) const;
template Residual FieldAccess<double>::residual(const LevelArrays<double>&, double, double,
                                                const LevelArrays<float>&) const;
template void FieldAccess<double>::correct(const LevelArrays<double>&, const LevelArrays<float>&,
                                           double, bool, bool, memory::State&, int);
template double FieldAccess<double>::dot(const LevelArrays<double>&,
                                         const LevelArrays<float>&) const;
template Residual FieldAccess<double>::residual(const LevelArrays<double>&, double, double,
                                                const LevelArrays<double>&) const;
template void FieldAccess<double>::correct(const LevelArrays<double>&, const LevelArrays<double>&,
                                           double, bool, bool, memory::State&, int);
template double FieldAccess<double>::dot(const LevelArrays<double>&,
                                         const LevelArrays<double>&) const;

}  // namespace watersmeet::solve
