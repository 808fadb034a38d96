#include "solve/multigrid/conjugate.hpp"

#include <utility>

namespace watersmeet::solve {

namespace {
memory::State make_work(const PoissonPlace& place, int registers) {
  const mesh::Block& block = place.domain->block(0);
  return memory::State({{block.n, block.ghosts(1)}}, 1, registers, place.precision, place.queue);
}
}  // namespace

template <class R, class C>
ConjugateGradients<R, C>::ConjugateGradients(Hierarchy hierarchy, const PoissonPlace& place,
                                             const MultigridOptions& options)
    : hierarchy_(std::move(hierarchy)),
      cuts_(cut_levels(hierarchy_, boxes_of(*place.domain))),
      place_(place),
      loops_(outer_loops<R, C>(place.queue.backend)),
      options_(options),
      cycle_(hierarchy_.levels, cuts_, options.sweeps, place.team, place.queue),
      access_(hierarchy_.levels.front(), own_part(cuts_, place), place),
      work_(make_work(place, registers)),
      control_(control_of(hierarchy_.levels.front(), place.precision, 1)) {}

template <class R, class C>
std::string ConjugateGradients<R, C>::describe() const {
  return "conjugate gradients with " + words_of(options_.sweeps, hierarchy_, sizeof(C) < sizeof(R));
}

template <class R, class C>
LevelArrays<R> ConjugateGradients<R, C>::vector(int u, int f, int v) {
  LevelArrays<R> a = access_.arrays(work_, u, f);
  a.v = static_cast<R*>(work_.start(v)) + work_.layout(0).first;
  return a;
}

template <class R, class C>
void ConjugateGradients<R, C>::precondition(double norm) {
  loops_.hand_over(vector(direction, residual_register, image), cycle_.finest(), 1 / norm,
                   place_.queue);
  cycle_.run(Start::zero);
}

template <class R, class C>
void ConjugateGradients<R, C>::solve(const PoissonFields& fields, const PoissonStop& stop) {
  const Queue& queue = place_.queue;
  if (!is_active(fields.clock, queue)) return;
  const LevelArrays<R> a = access_.arrays(*fields.state, fields.solution, fields.rhs);
  const LevelArrays<R> p = vector(direction, residual_register, image);
  const LevelArrays<R> q = vector(image, residual_register, direction);
  const LevelArrays<R> r = vector(residual_register, residual_register, image);
  const auto right_side = access_.right_side(a);
  begin_solve(control_, stop.limit, stop.most_cycles, right_side.mean, right_side.largest);

  control_.reset = fields.from_zero ? 1 : 0;
  double alpha = 0, product_before = 0;
  bool fresh = true;  // no direction yet
  for (;;) {
    if (control_.reset != 0) fresh = true;
    access_.correct(a, p, alpha, alpha != 0, control_.reset != 0, *fields.state, fields.solution);
    const Residual now = access_.residual(a, control_.mean, 1, p);
    const double norm = now.largest;
    judge(control_, norm, now.largest_solution);
    if (!control_.running) break;
    if (control_.inner == 0) continue;

    // The cycle leaves z in its own number type and without its scale.
    precondition(norm);
    const double product = norm * access_.dot(r, cycle_.finest());
    // r - r_old = -alpha q
    const double beta = fresh || product_before == 0
                            ? 0
                            : -alpha * norm * access_.dot(q, cycle_.finest()) / product_before;
    loops_.combine(p, cycle_.finest(), norm, beta, queue);
    access_.fill_ghosts(work_, direction);
    loops_.apply(p, queue);
    alpha = product / access_.dot(p, q);
    product_before = product;
    fresh = false;
  }
  access_.settle_mean(a);
  fields.state->set_valid_ghosts(fields.solution, 0);
  record_ = record_of(control_);
}

template class ConjugateGradients<float, float>;
template class ConjugateGradients<double, float>;
template class ConjugateGradients<double, double>;

}  // namespace watersmeet::solve
