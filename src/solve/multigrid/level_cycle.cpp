// A cycle on the levels of one rank, one kernel a step.
#include "solve/multigrid/level_cycle.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "mesh/box.hpp"

namespace watersmeet::solve {

namespace {

std::size_t slot(int a) { return static_cast<std::size_t>(a); }

// Arrays besides solution and right-hand side: new values of damped sweeps, and the ratios that the
// GPU's lines eliminate with.
std::vector<int> scratch_of(const std::vector<Level>& levels, std::size_t count) {
  std::vector<int> scratch;
  for (std::size_t l = 0; l < count; ++l) {
    const Smoother s = levels[l].smoother;
    const bool lines = s == Smoother::zebra_z || s == Smoother::jacobi_lines_z;
    scratch.push_back(s == Smoother::red_black ? 0 : lines ? 2 : 1);
  }
  return scratch;
}

std::vector<LevelPart> parts_of(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                                int rank) {
  std::vector<LevelPart> parts;
  if (cuts.front().parts.size() == 1) {
    for (const Level& level : levels) parts.push_back(whole_level(level));
  } else {
    for (const LevelCut& cut : cuts) parts.push_back(cut.parts[slot(rank)]);
  }
  return parts;
}

}  // namespace

std::vector<LevelCut> cut_levels(const Hierarchy& hierarchy, const std::vector<Box>& finest) {
  LevelCut cut;
  for (const Box& box : finest) {
    LevelPart part{box, {}};
    for (std::size_t a = 0; a < 3; ++a) {
      part.cut[a] = box.size(static_cast<int>(a)) != hierarchy.levels[0].n()[a];
    }
    cut.parts.push_back(part);
  }
  std::vector<LevelCut> cuts{cut};
  if (finest.size() == 1) return cuts;
  for (std::size_t l = 0; l + 1 < hierarchy.levels.size(); ++l) {
    const Level& level = hierarchy.levels[l];
    bool divisible = level.cells() > largest_gathered_level;
    for (const LevelPart& part : cuts.back().parts) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (level.transfer[a].coarsened) {
          divisible = divisible && part.box.lower[a] % 2 == 0 && part.box.upper[a] % 2 == 0;
        }
      }
    }
    if (!divisible) break;
    LevelCut next;
    for (const LevelPart& part : cuts.back().parts) next.parts.push_back(coarser_part(part, level));
    cuts.push_back(next);
  }
  return cuts;
}

comm::Domain domain_of(const Level& level, const LevelCut& cut, int rank) {
  Real3 upper{};
  for (std::size_t a = 0; a < 3; ++a) upper[a] = static_cast<double>(level.n()[a]);
  const mesh::Mesh box =
      mesh::make_box(level.n(), {0, 0, 0}, upper,
                     {level.axis[0].periodic, level.axis[1].periodic, level.axis[2].periodic});
  std::vector<mesh::Part> parts;
  for (const LevelPart& part : cut.parts) {
    parts.push_back({0, part.box, static_cast<int>(parts.size())});
  }
  return comm::Domain(box, parts, rank);
}

template <class R>
void gather_right_side(const LevelLoops<R>& loops, const LevelArrays<R>& own,
                       const PartPlace& place, const memory::Buffer& words,
                       const LevelArrays<R>& whole, comm::Team& team, const Queue& queue) {
  std::int64_t* const all = words.as<std::int64_t>();
  const std::size_t count = words.bytes() / sizeof(std::int64_t);
  fill_bytes(all, 0, words.bytes(), queue);
  loops.to_words(own, place, all, queue);
  team.all_reduce({}, {all, count}, queue);
  loops.from_words(whole, all, queue);
}
template void gather_right_side(const LevelLoops<float>&, const LevelArrays<float>&,
                                const PartPlace&, const memory::Buffer&, const LevelArrays<float>&,
                                comm::Team&, const Queue&);
template void gather_right_side(const LevelLoops<double>&, const LevelArrays<double>&,
                                const PartPlace&, const memory::Buffer&, const LevelArrays<double>&,
                                comm::Team&, const Queue&);

// Exchange of the ghosts of a level between the ranks.
template <class R>
struct LevelCycle<R>::Shared {
  comm::Domain domain;
  comm::Exchange exchange;
  PartPlace place;

  static mesh::GhostPlan plan(const comm::Domain& domain, const Level& level) {
    std::vector<Index3> widths(domain.parts.size());
    for (Index3& w : widths) {
      for (std::size_t a = 0; a < 3; ++a) w[a] = level.n()[a] > 1 ? 1 : 0;
    }
    return mesh::plan_ghosts(domain.mesh, widths, mesh::GhostReach::corners);
  }

  Shared(const Level& level, const LevelCut& cut, const memory::State& state, comm::Team& team,
         const Queue& queue)
      : domain(domain_of(level, cut, team.rank())),
        exchange(domain, plan(domain, level), state, team, queue) {
    for (int a = 0; a < 3; ++a) {
      place.first[a] = static_cast<int>(domain.box(0).lower[slot(a)]);
      place.whole[a] = static_cast<int>(level.n()[slot(a)]);
    }
  }
};

template <class R>
LevelCycle<R>::LevelCycle(std::vector<Level> levels, const std::vector<LevelCut>& cuts,
                          Sweeps sweeps, comm::Team* team, const Queue& queue)
    : SharedCycle<R>(team, queue),
      levels_(std::move(levels)),
      sweeps_(sweeps),
      loops_(level_loops<R>(queue.backend)),
      store_(levels_, parts_of(levels_, cuts, team == nullptr ? 0 : team->rank()),
             scratch_of(levels_, cuts.front().parts.size() == 1 ? levels_.size() : cuts.size()),
             cuts.front().parts.size() == 1, queue) {
  if (cuts.front().parts.size() == 1) return;
  require(team != nullptr && team->transport() != nullptr, "a cut level needs several ranks");
  for (std::size_t l = 0; l < cuts.size(); ++l) {
    shared_.push_back(std::make_unique<Shared>(levels_[l], cuts[l],
                                               store_.state(static_cast<int>(l)), *team, queue));
  }
  std::vector<Level> rest(levels_.begin() + static_cast<std::ptrdiff_t>(cuts.size()) - 1,
                          levels_.end());
  const LevelCut whole{{whole_level(rest.front())}};
  words_ = memory::Buffer(memory::working_space(queue.backend),
                          static_cast<std::size_t>(rest.front().cells()) * sizeof(std::int64_t));
  whole_ = std::make_unique<LevelCycle<R>>(std::move(rest), std::vector<LevelCut>{whole}, sweeps,
                                           nullptr, queue);
}

template <class R>
LevelCycle<R>::~LevelCycle() = default;

template <class R>
std::size_t LevelCycle<R>::bytes(const std::vector<Level>& levels,
                                 const std::vector<LevelCut>& cuts, int rank) {
  const std::vector<LevelPart> parts = parts_of(levels, cuts, rank);
  const bool one = cuts.front().parts.size() == 1;
  std::size_t sum = LevelStore<R>::bytes(levels, parts, scratch_of(levels, parts.size()), one);
  if (one) return sum;
  const std::vector<Level> rest(levels.begin() + static_cast<std::ptrdiff_t>(cuts.size()) - 1,
                                levels.end());
  sum += static_cast<std::size_t>(rest.front().cells()) * sizeof(std::int64_t);
  return sum + bytes(rest, {LevelCut{{whole_level(rest.front())}}}, 0);
}

// The last of the cut levels is gathered by one sum of integers over its cells.
template <class R>
comm::Traffic LevelCycle<R>::traffic(const std::vector<Level>& levels,
                                     const std::vector<LevelCut>& cuts, Sweeps sweeps) {
  comm::Traffic traffic;
  if (cuts.front().parts.size() == 1) return traffic;
  for (std::size_t l = 0; l + 1 < cuts.size(); ++l) {
    const bool damped =
        levels[l].smoother == Smoother::jacobi || levels[l].smoother == Smoother::jacobi_lines_z;
    const int of_sweeps = (damped ? 1 : 2) * (sweeps.before + sweeps.after);
    const comm::Domain domain = domain_of(levels[l], cuts[l], 0);
    // Before the residual, and before the finer level takes the correction.
    traffic.add(of_sweeps + 1 + (l > 0 ? 1 : 0),
                comm::size_of_exchange(domain, Shared::plan(domain, levels[l]), sizeof(R),
                                       comm::Overlap::off));
  }
  const double words = static_cast<double>(levels[cuts.size() - 1].cells());  // one per cell
  traffic.add(1, {words * sizeof(std::int64_t), 1});
  traffic.repeated = words;
  return traffic;
}

// Damped sweeps change the arrays that a level has its values in.
template <class R>
bool LevelCycle<R>::same_each_time() const {
  return std::none_of(levels_.begin(), levels_.end(), [](const Level& level) {
    return level.smoother == Smoother::jacobi || level.smoother == Smoother::jacobi_lines_z;
  });
}

template <class R>
void LevelCycle<R>::queue_cycle(Start start) {
  // Gathered from the finest level on: its cycles begin where the last one ended.
  gathered_start_ = coarsest() == 0 ? start : Start::zero;
  v_cycle(*this, 0, start);
}
template <class R>
void LevelCycle<R>::fill_ghosts(int level) {
  if (shared_.empty()) return;
  shared_[slot(level)]->exchange.fill(store_.state(level), 0, queue_);
}

template <class R>
void LevelCycle<R>::smooth(int level, int sweeps, const std::array<double, 4>& omega) {
  smooth_level(loops_, store_, level, levels_[slot(level)].smoother, sweeps, omega, {}, queue_,
               [&] { fill_ghosts(level); });
}

template <class R>
void LevelCycle<R>::descend(int level, Start start) {
  if (start == Start::zero) loops_.clear(store_.level(level), {}, queue_);
  smooth(level, sweeps_.before, levels_[slot(level)].relaxation.before);
  fill_ghosts(level);
  loops_.restrict_residual(store_.level(level), store_.transfer(level), store_.level(level + 1), {},
                           queue_);
}

template <class R>
void LevelCycle<R>::solve_coarsest() {
  if (whole_) {
    gather_right_side(loops_, store_.level(coarsest()), shared_.back()->place, words_,
                      whole_->finest(), *team_, queue_);
    whole_->run(gathered_start_);
    loops_.take_part(store_.level(coarsest()), shared_.back()->place, whole_->finest(), queue_);
  } else {
    loops_.solve_bottom(store_.level(coarsest()), store_.bottom(), {}, queue_);
  }
}

template <class R>
void LevelCycle<R>::ascend(int level) {
  // The coarse level's last half sweep came after its last exchange. The gathered level has its
  // ghosts from the whole.
  if (!(whole_ && level + 1 == coarsest())) fill_ghosts(level + 1);
  loops_.add_interpolated(store_.level(level), store_.transfer(level), store_.level(level + 1), {},
                          queue_);
  smooth(level, sweeps_.after, levels_[slot(level)].relaxation.after);
}

template class LevelCycle<float>;
template class LevelCycle<double>;

}  // namespace watersmeet::solve
