#include "solve/multigrid/conjugate.hpp"

#include <limits>
#include <utility>

#include "solve/multigrid/host_solver.hpp"
#include "solve/multigrid/vectors.hpp"

namespace watersmeet::solve {

namespace {
memory::State make_work(const PoissonPlace& place, int registers) {
  const mesh::Block& block = place.domain->block(0);
  return memory::State({{block.n, block.ghosts(1)}}, 1, registers, place.precision, place.queue);
}
std::size_t place_of(const std::vector<LevelCut>& cuts, const PoissonPlace& place) {
  return static_cast<std::size_t>(cuts.front().parts.size() == 1 ? 0 : place.team->rank());
}
}  // namespace

template <class R, class C>
ConjugateGradients<R, C>::ConjugateGradients(Hierarchy hierarchy, const PoissonPlace& place,
                                             const MultigridOptions& options)
    : hierarchy_(std::move(hierarchy)),
      cuts_(cut_levels(hierarchy_, boxes_of(place))),
      place_(place),
      options_(options),
      cycle_(hierarchy_.levels, cuts_, options.sweeps, place.team, place.queue),
      access_(hierarchy_.levels.front(), cuts_.front().parts[place_of(cuts_, place)], place),
      work_(make_work(place, registers)),
      result_(memory::working_space(place.queue.backend), (1 + measure_blocks) * sizeof(Measured)) {
  control_.round_off = static_cast<double>(std::numeric_limits<R>::epsilon());
  control_.operator_norm = operator_norm(hierarchy_.levels.front());
  control_.most_inner = 1;
}

template <class R, class C>
std::string ConjugateGradients<R, C>::describe() const {
  std::string text = "conjugate gradients with V(" + std::to_string(options_.sweeps.before) + "," +
                     std::to_string(options_.sweeps.after) + ") on " + hierarchy_.describe();
  if (sizeof(C) < sizeof(R)) text += ", cycles in single precision";
  return text;
}

template <class R, class C>
LevelArrays<R> ConjugateGradients<R, C>::vector(int u, int f, int v) {
  LevelArrays<R> a = access_.arrays(work_, u, f);
  a.v = static_cast<R*>(work_.start(v)) + work_.layout(0).first;
  return a;
}

template <class R, class C>
Residual ConjugateGradients<R, C>::residual(const LevelArrays<R>& a) {
  const Queue& queue = place_.queue;
  const LevelArrays<R> r = vector(direction, residual_register, image);
  Residual mine;
  if (queue.backend == Backend::cuda) {
    detail::residual_cuda(a, control_.mean, 1, r, result_.as<Residual>(), queue);
    copy_bytes(&mine, result_.start(), sizeof mine, queue);
    synchronize(queue);
  } else {
    mine = detail::residual_cpu(a, control_.mean, 1, r, queue.threads);
  }
  return {access_.largest_of_all(mine.largest), access_.largest_of_all(mine.largest_solution)};
}

template <class R, class C>
void ConjugateGradients<R, C>::add_to_solution(const LevelArrays<R>& a, const PoissonFields& fields,
                                               double alpha, bool reset) {
  const LevelArrays<R> p = vector(direction, residual_register, image);
  if (place_.queue.backend == Backend::cuda) {
    detail::correct_cuda(a, p, alpha, alpha != 0, reset, place_.queue);
  } else {
    detail::correct_cpu(a, p, alpha, alpha != 0, reset, place_.queue.threads);
  }
  access_.fill_ghosts(*fields.state, fields.solution);
}

template <class R, class C>
double ConjugateGradients<R, C>::dot(const LevelArrays<R>& x, const LevelArrays<R>& y) {
  const Queue& queue = place_.queue;
  Measured mine;
  if (queue.backend == Backend::cuda) {
    detail::dot_cuda(x, y, access_.widths(), result_.as<Measured>(), queue);
    copy_bytes(&mine, result_.start(), sizeof mine, queue);
    synchronize(queue);
  } else {
    mine.sum = detail::dot_cpu(x, y, access_.widths(), queue.threads);
  }
  return access_.sum_of_all(mine.sum);
}

// With z as the cycle left it, in its own number type and without its scale.
template <class R, class C>
double ConjugateGradients<R, C>::dot_with_correction(const LevelArrays<R>& x) {
  const Queue& queue = place_.queue;
  Measured mine;
  if (queue.backend == Backend::cuda) {
    detail::dot_cuda(x, cycle_.finest(), access_.widths(), result_.as<Measured>(), queue);
    copy_bytes(&mine, result_.start(), sizeof mine, queue);
    synchronize(queue);
  } else {
    mine.sum = detail::dot_cpu(x, cycle_.finest(), access_.widths(), queue.threads);
  }
  return access_.sum_of_all(mine.sum);
}

template <class R, class C>
void ConjugateGradients<R, C>::precondition(double norm) {
  const LevelArrays<R> r = vector(direction, residual_register, image);
  if (place_.queue.backend == Backend::cuda) {
    detail::hand_over_cuda(r, cycle_.finest(), 1 / norm, place_.queue);
  } else {
    detail::hand_over_cpu(r, cycle_.finest(), 1 / norm, place_.queue.threads);
  }
  cycle_.run(Start::zero);
}

template <class R, class C>
void ConjugateGradients<R, C>::solve(const PoissonFields& fields, const PoissonStop& stop) {
  if (!is_active(fields.clock, place_.queue)) return;
  const Queue& queue = place_.queue;
  const bool cuda = queue.backend == Backend::cuda;
  const bool singular = hierarchy_.levels.front().problem.singular();
  const LevelArrays<R> a = access_.arrays(*fields.state, fields.solution, fields.rhs);
  if (singular) {
    const auto right_side = access_.mean_and_largest(a, true);
    begin_solve(control_, stop.limit, stop.most_cycles, right_side.mean, right_side.largest);
  } else {
    begin_solve(control_, stop.limit, stop.most_cycles, 0, access_.largest(a, true));
  }

  control_.reset = fields.from_zero ? 1 : 0;
  double alpha = 0, product_before = 0;
  bool fresh = true;  // no direction yet
  for (;;) {
    if (control_.reset != 0) fresh = true;
    add_to_solution(a, fields, alpha, control_.reset != 0);
    const Residual now = residual(a);
    const double norm = now.largest;
    judge(control_, norm, now.largest_solution);
    if (!control_.running) break;
    if (control_.inner == 0) continue;

    precondition(norm);
    const LevelArrays<R> p = vector(direction, residual_register, image);
    const LevelArrays<R> q = vector(image, residual_register, direction);
    const LevelArrays<R> r = vector(residual_register, residual_register, image);
    const double product = norm * dot_with_correction(r);
    // r - r_old = -alpha q
    const double beta =
        fresh || product_before == 0 ? 0 : -alpha * norm * dot_with_correction(q) / product_before;
    if (cuda) {
      detail::combine_cuda(p, cycle_.finest(), norm, beta, queue);
    } else {
      detail::combine_cpu(p, cycle_.finest(), norm, beta, queue.threads);
    }
    access_.fill_ghosts(work_, direction);
    if (cuda) {
      detail::apply_cuda(p, queue);
    } else {
      detail::apply_cpu(p, queue.threads);
    }
    alpha = product / dot(p, q);
    product_before = product;
    fresh = false;
  }
  if (singular) {
    const double mean = access_.mean_and_largest(a, false).mean;
    if (cuda) {
      detail::shift_cuda(a, mean, queue);
    } else {
      detail::shift_cpu(a, mean, queue.threads);
    }
  }
  fields.state->set_valid_ghosts(fields.solution, 0);
  solved_ = true;
}

template <class R, class C>
PoissonRecord ConjugateGradients<R, C>::record() const {
  PoissonRecord r;
  if (!solved_) return r;
  r.cycles = control_.cycles;
  r.first_residual = control_.first;
  r.residual = control_.residual;
  r.end = end_of(control_);
  return r;
}

template class ConjugateGradients<float, float>;
template class ConjugateGradients<double, float>;
template class ConjugateGradients<double, double>;

}  // namespace watersmeet::solve
