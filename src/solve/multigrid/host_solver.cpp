#include "solve/multigrid/host_solver.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "exec/clock_access.hpp"

namespace watersmeet::solve {

std::vector<Box> boxes_of(const PoissonPlace& place) {
  std::vector<Box> boxes;
  for (const mesh::Part& part : place.domain->parts) {
    require(part.rank == static_cast<int>(boxes.size()), "one part a rank, in their order");
    boxes.push_back(part.box);
  }
  return boxes;
}

double operator_norm(const Level& level) {
  double sum = 0;
  for (const AxisOperator& o : level.axis) {
    sum += *std::max_element(o.diagonal.begin(), o.diagonal.end());
  }
  return 2 * sum;
}

PoissonEnd end_of(const SolveControl& control) {
  switch (control.end) {
    case SolveEnd::converged:
      return PoissonEnd::converged;
    case SolveEnd::floor:
      return PoissonEnd::floor;
    case SolveEnd::stalled:
      return PoissonEnd::stalled;
    case SolveEnd::most_cycles:
      return PoissonEnd::most_cycles;
  }
  return PoissonEnd::most_cycles;
}

bool is_active(const exec::Clock* clock, const Queue& queue) {
  return clock == nullptr || exec::read_clock(clock, queue).active != 0;
}

template <class R, class C>
HostMultigrid<R, C>::HostMultigrid(Hierarchy hierarchy, const PoissonPlace& place,
                                   const MultigridOptions& options)
    : hierarchy_(std::move(hierarchy)),
      cuts_(cut_levels(hierarchy_, boxes_of(place))),
      place_(place),
      options_(options),
      cycle_(hierarchy_.levels, cuts_, options.sweeps, place.team, place.queue),
      access_(hierarchy_.levels.front(),
              cuts_.front().parts[static_cast<std::size_t>(
                  cuts_.front().parts.size() == 1 ? 0 : place.team->rank())],
              place),
      result_(memory::working_space(place.queue.backend), (1 + measure_blocks) * sizeof(Measured)) {
  control_.round_off = static_cast<double>(std::numeric_limits<R>::epsilon());
  control_.operator_norm = operator_norm(hierarchy_.levels.front());
  control_.most_inner = options.most_inner;
}

template <class R, class C>
std::string HostMultigrid<R, C>::describe() const {
  std::string text = "V(" + std::to_string(options_.sweeps.before) + "," +
                     std::to_string(options_.sweeps.after) + ") on " + hierarchy_.describe();
  if (sizeof(C) < sizeof(R)) text += ", cycles in single precision";
  if (options_.full) text += ", beginning with full multigrid";
  if (cuts_.size() > 1 || cuts_.front().parts.size() > 1) {
    text += ", gathered from level " + std::to_string(cuts_.size());
  }
  return text;
}

template <class R, class C>
Residual HostMultigrid<R, C>::residual(const LevelArrays<R>& a) {
  const Queue& queue = place_.queue;
  Residual mine;
  if (queue.backend == Backend::cuda) {
    detail::residual_cuda(a, control_.mean, control_.next_scale, cycle_.finest(),
                          result_.as<Residual>(), queue);
    copy_bytes(&mine, result_.start(), sizeof mine, queue);
    synchronize(queue);
  } else {
    mine =
        detail::residual_cpu(a, control_.mean, control_.next_scale, cycle_.finest(), queue.threads);
  }
  return {access_.largest_of_all(mine.largest), access_.largest_of_all(mine.largest_solution)};
}

template <class R, class C>
void HostMultigrid<R, C>::correct(const LevelArrays<R>& a, const PoissonFields& fields) {
  const bool add = control_.inner > 0, reset = control_.reset != 0;
  if (place_.queue.backend == Backend::cuda) {
    detail::correct_cuda(a, cycle_.finest(), control_.scale, add, reset, place_.queue);
  } else {
    detail::correct_cpu(a, cycle_.finest(), control_.scale, add, reset, place_.queue.threads);
  }
  access_.fill_ghosts(*fields.state, fields.solution);
}

template <class R, class C>
void HostMultigrid<R, C>::solve(const PoissonFields& fields, const PoissonStop& stop) {
  if (!is_active(fields.clock, place_.queue)) return;
  const bool singular = hierarchy_.levels.front().problem.singular();
  const LevelArrays<R> a = access_.arrays(*fields.state, fields.solution, fields.rhs);
  if (singular) {
    const auto right_side = access_.mean_and_largest(a, true);
    begin_solve(control_, stop.limit, stop.most_cycles, right_side.mean, right_side.largest);
  } else {
    begin_solve(control_, stop.limit, stop.most_cycles, 0, access_.largest(a, true));
  }
  control_.reset = fields.from_zero ? 1 : 0;
  bool first = true;
  for (;;) {
    correct(a, fields);
    const Residual r = residual(a);
    judge(control_, r.largest, r.largest_solution);
    if (!control_.running) break;
    for (int c = 0; c < control_.inner; ++c) {
      if (first && options_.full) {
        cycle_.run_full();
      } else {
        cycle_.run(c == 0 ? Start::zero : Start::current);
      }
      first = false;
    }
  }
  if (singular) {
    const double mean = access_.mean_and_largest(a, false).mean;
    if (place_.queue.backend == Backend::cuda) {
      detail::shift_cuda(a, mean, place_.queue);
    } else {
      detail::shift_cpu(a, mean, place_.queue.threads);
    }
  }
  fields.state->set_valid_ghosts(fields.solution, 0);
  solved_ = true;
}

template <class R, class C>
PoissonRecord HostMultigrid<R, C>::record() const {
  PoissonRecord r;
  if (!solved_) return r;
  r.cycles = control_.cycles;
  r.first_residual = control_.first;
  r.residual = control_.residual;
  r.end = end_of(control_);
  return r;
}

template class HostMultigrid<float, float>;
template class HostMultigrid<double, float>;
template class HostMultigrid<double, double>;

}  // namespace watersmeet::solve
