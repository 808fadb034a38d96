#include "solve/multigrid/field_access.hpp"

#include <numeric>

#include "comm/exact_reduction.hpp"
#include "core/error.hpp"
#include "core/math.hpp"
#include "solve/multigrid/vectors.hpp"

namespace watersmeet::solve {

template <class R>
FieldAccess<R>::FieldAccess(const Level& finest, const LevelPart& part, const PoissonPlace& place)
    : finest_(finest),
      part_(part),
      team_(place.team),
      queue_(place.queue),
      result_(memory::working_space(place.queue.backend), (1 + measure_blocks) * sizeof(Measured)) {
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
  if (queue_.backend == Backend::cpu) {
    return detail::measure_cpu(a, widths_, right_side, queue_.threads);
  }
  detail::measure_cuda(a, widths_, right_side, result_.as<Measured>(), queue_);
  return result<Measured>();
}

template <class R>
template <class Number>
Number FieldAccess<R>::result() const {
  Number mine;
  copy_bytes(&mine, result_.start(), sizeof mine, queue_);
  synchronize(queue_);
  return mine;
}

template <class R>
typename FieldAccess<R>::MeanAndLargest FieldAccess<R>::right_side(const LevelArrays<R>& a) const {
  if (singular()) return mean_and_largest(a, true);
  return {0, largest_of_all(measure(a, true).largest)};
}

template <class R>
void FieldAccess<R>::settle_mean(const LevelArrays<R>& a) const {
  if (!singular()) return;
  const double mean = mean_and_largest(a, false).mean;
  if (queue_.backend == Backend::cuda) {
    detail::shift_cuda(a, mean, queue_);
  } else {
    detail::shift_cpu(a, mean, queue_.threads);
  }
}

template <class R>
template <class X>
Residual FieldAccess<R>::residual(const LevelArrays<R>& a, double mean, double scale,
                                  const LevelArrays<X>& into) const {
  Residual mine;
  if (queue_.backend == Backend::cuda) {
    detail::residual_cuda(a, mean, scale, into, result_.as<Residual>(), queue_);
    mine = result<Residual>();
  } else {
    mine = detail::residual_cpu(a, mean, scale, into, queue_.threads);
  }
  return {largest_of_all(mine.largest), largest_of_all(mine.largest_solution)};
}

template <class R>
template <class X>
void FieldAccess<R>::correct(const LevelArrays<R>& a, const LevelArrays<X>& correction,
                             double scale, bool add, bool reset, memory::State& state, int reg) {
  if (queue_.backend == Backend::cuda) {
    detail::correct_cuda(a, correction, scale, add, reset, queue_);
  } else {
    detail::correct_cpu(a, correction, scale, add, reset, queue_.threads);
  }
  fill_ghosts(state, reg);
}

template <class R>
template <class X>
double FieldAccess<R>::dot(const LevelArrays<R>& x, const LevelArrays<X>& y) const {
  if (queue_.backend == Backend::cpu) {
    return sum_of_all(detail::dot_cpu(x, y, widths_, queue_.threads));
  }
  detail::dot_cuda(x, y, widths_, result_.as<Measured>(), queue_);
  return sum_of_all(result<Measured>().sum);
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
    if (queue_.backend == Backend::cpu) {
      detail::count_cpu(a, widths_, right_side, *scale, high_low, queue_.threads);
      return;
    }
    fill_bytes(result_.start(), 0, 2 * sizeof(std::int64_t), queue_);
    detail::count_cuda(a, widths_, right_side, *scale, result_.as<std::int64_t>(), queue_);
    copy_bytes(high_low, result_.start(), 2 * sizeof(std::int64_t), queue_);
    synchronize(queue_);
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
