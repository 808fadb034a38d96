#include "solve/multigrid/host_solver.hpp"

#include <utility>

#include "solve/multigrid/slab_level.hpp"

namespace watersmeet::solve {

namespace {
// On several GPUs by marching passes over slabs, where the parts are slabs. CPU ranks beside them exchange other ghosts.
template <class C>
std::unique_ptr<SharedCycle<C>> make_cycle(const std::vector<Level>& levels,
                                           const std::vector<LevelCut>& cuts, const Sweeps& sweeps,
                                           const PoissonPlace& place) {
  if (place.team->all_on_gpus() && cuts.front().parts.size() > 1) {
    if (auto slabs = make_slab_cycle<C>(levels, cuts, sweeps, place.team, place.queue))
      return slabs;
  }
  return std::make_unique<LevelCycle<C>>(levels, cuts, sweeps, place.team, place.queue);
}
}  // namespace

template <class R, class C>
HostMultigrid<R, C>::HostMultigrid(Hierarchy hierarchy, const PoissonPlace& place,
                                   const MultigridOptions& options)
    : hierarchy_(std::move(hierarchy)),
      cuts_(cut_levels(hierarchy_, boxes_of(*place.domain))),
      place_(place),
      options_(options),
      cycle_(make_cycle<C>(hierarchy_.levels, cuts_, options.sweeps, place)),
      access_(hierarchy_.levels.front(), own_part(cuts_, place), place),
      control_(control_of(hierarchy_.levels.front(), place.precision, options.most_inner)) {}

template <class R, class C>
std::string HostMultigrid<R, C>::describe() const {
  return words_of(options_.sweeps, hierarchy_, sizeof(C) < sizeof(R), cycle_->gathered());
}

template <class R, class C>
void HostMultigrid<R, C>::solve(const PoissonFields& fields, const PoissonStop& stop) {
  if (!is_active(fields.clock, place_.queue)) return;
  const LevelArrays<R> a = access_.arrays(*fields.state, fields.solution, fields.rhs);
  const auto right_side = access_.right_side(a);
  begin_solve(control_, stop.limit, stop.most_cycles, right_side.mean, right_side.largest);
  control_.reset = fields.from_zero ? 1 : 0;
  for (;;) {
    access_.correct(a, cycle_->finest(), control_.scale, control_.inner > 0, control_.reset != 0,
                    *fields.state, fields.solution);
    const Residual r = access_.residual(a, control_.mean, control_.next_scale, cycle_->finest());
    judge(control_, r.largest, r.largest_solution);
    if (!control_.running) break;
    for (int c = 0; c < control_.inner; ++c) {
      cycle_->run(c == 0 ? Start::zero : Start::current);
    }
  }
  access_.settle_mean(a);
  fields.state->set_valid_ghosts(fields.solution, 0);
  record_ = record_of(control_);
}

template class HostMultigrid<float, float>;
template class HostMultigrid<double, float>;
template class HostMultigrid<double, double>;

}  // namespace watersmeet::solve
