// Halos of slabs and their exchange.
#include "solve/multigrid/slab_level.hpp"

#include <algorithm>

namespace watersmeet::solve {

namespace {

std::int64_t thinnest(const LevelCut& cut) {
  std::int64_t planes = cut.parts.front().box.size(2);
  for (const LevelPart& part : cut.parts) planes = std::min(planes, part.box.size(2));
  return planes;
}

mesh::GhostPlan plan_of(const comm::Domain& domain, int halo) {
  const std::vector<Index3> widths(domain.parts.size(), Index3{0, 0, halo});
  return mesh::plan_ghosts(domain.mesh, widths, mesh::GhostReach::faces);
}

// Cell (0, 0, 0) is the first of the own planes.
BlockLayout own_layout(const memory::State& state, int below) {
  BlockLayout layout = state.layout(0);
  layout.first += below * layout.stride[2];
  return layout;
}

}  // namespace

int half_sweeps_at_once(int left, std::size_t value_bytes) {
  return left % 4 == 0 && value_bytes == 4 ? 4 : 2;
}

int slab_passes(int half_sweeps, bool up, std::size_t value_bytes) {
  int passes = 0;
  for (int left = half_sweeps; left > 0; ++passes) {
    const int now = up && passes > 0 ? 2 : half_sweeps_at_once(left, value_bytes);
    left -= now;
    if (!up && left > 0 && now == 4) left += 2;
  }
  return passes;
}

int halo_of(const Sweeps& sweeps, std::size_t value_bytes) {
  return slab_halo(half_sweeps_at_once(2 * sweeps.before, value_bytes),
                   half_sweeps_at_once(2 * sweeps.after, value_bytes));
}

std::vector<LevelCut> slab_cuts(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                                const Sweeps& sweeps, std::size_t value_bytes) {
  if (sweeps.before == 0 || sweeps.after == 0) return {};
  const int halo = halo_of(sweeps, value_bytes);
  std::vector<LevelCut> shared;
  for (const LevelPart& part : cuts.front().parts) {
    if (part.cut[0] || part.cut[1]) return {};
  }
  for (std::size_t l = 0; l < cuts.size(); ++l) {
    shared.push_back(cuts[l]);
    // From here on a halo on either side has as many planes as there are own ones, nearly.
    if (thinnest(cuts[l]) <= 3 * halo) break;
    if (levels[l].smoother != Smoother::red_black) return {};
  }
  if (shared.size() < 2 || thinnest(shared.back()) < halo) return {};
  return shared;
}

// As between the GPUs of a host: ranks meet before each pass but the first for a right-hand side, before which they reduced its residual, and at the
// end of the cycles. By messages there is one more exchange on each coarser level, of the solution that is interpolated. The last level is
// gathered by one sum of integers over its cells.
comm::Traffic slab_traffic(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                           const Sweeps& sweeps, std::size_t value_bytes) {
  comm::Traffic traffic;
  const int halo = halo_of(sweeps, value_bytes);
  const int further = slab_passes(2 * sweeps.before, false, value_bytes) +
                      slab_passes(2 * sweeps.after, true, value_bytes) - 2;
  for (std::size_t l = 0; l + 1 < cuts.size(); ++l) {
    const comm::Domain domain = domain_of(levels[l], cuts[l], 0);
    comm::ExchangeSize each =
        comm::size_of_exchange(domain, plan_of(domain, halo), value_bytes, comm::Overlap::off);
    each.stored = true;
    traffic.add(2 + further, each);
  }
  const double words = static_cast<double>(levels[cuts.size() - 1].cells());  // one per cell
  traffic.add(1, {words * sizeof(std::int64_t), 1});
  traffic.repeated = words;
  return traffic;
}

// Slabs are beside each other, or at both ends of a periodic axis.
std::array<SlabNeighbour, 2> slab_neighbours(const Level& level, const LevelCut& cut, int halo,
                                             int rank) {
  struct Slab {
    Box box;
    int below, planes, above;
  };
  const auto slab = [&](const LevelPart& part) {
    const Box all = SlabLevel::with_halo(level, part, halo).box;
    return Slab{part.box, static_cast<int>(part.box.lower[2] - all.lower[2]),
                static_cast<int>(part.box.size(2)),
                static_cast<int>(all.upper[2] - part.box.upper[2])};
  };
  const Slab mine = slab(cut.parts[static_cast<std::size_t>(rank)]);
  const std::int64_t n = level.n()[2];
  const int end = mine.below + mine.planes;
  std::array<SlabNeighbour, 2> beside;
  for (int r = 0; r < static_cast<int>(cut.parts.size()); ++r) {
    const Slab other = slab(cut.parts[static_cast<std::size_t>(r)]);
    if (r == rank) continue;
    if (mine.below > 0 && other.box.upper[2] % n == mine.box.lower[2])
      beside[0] = {r, mine.below, mine.below + other.above,
                   other.below + other.planes - mine.below};
    if (mine.above > 0 && mine.box.upper[2] % n == other.box.lower[2])
      beside[1] = {r, end - other.below, end, other.below - end};
  }
  return beside;
}

LevelPart SlabLevel::with_halo(const Level& level, const LevelPart& part, int halo) {
  LevelPart all = part;
  if (level.axis[2].periodic || part.box.lower[2] > 0) all.box.lower[2] -= halo;
  if (level.axis[2].periodic || part.box.upper[2] < level.n()[2]) all.box.upper[2] += halo;
  return all;
}

SlabLevel::SlabLevel(const Level& level, const LevelCut& cut, int halo, const memory::State& state,
                     comm::Team& team, const Queue& queue)
    : below_([&] {
        const LevelPart& part = cut.parts[static_cast<std::size_t>(team.rank())];
        return static_cast<int>(part.box.lower[2] - with_halo(level, part, halo).box.lower[2]);
      }()),
      above_([&] {
        const LevelPart& part = cut.parts[static_cast<std::size_t>(team.rank())];
        return static_cast<int>(with_halo(level, part, halo).box.upper[2] - part.box.upper[2]);
      }()),
      domain_(domain_of(level, cut, team.rank())),
      exchange_(domain_, plan_of(domain_, halo), {own_layout(state, below_)}, 1, state.precision(),
                team, queue) {
  const Box& box = domain_.box(0);
  for (std::size_t a = 0; a < 3; ++a) {
    place_.first[a] = whole_.first[a] = static_cast<int>(box.lower[a]);
    place_.whole[a] = whole_.whole[a] = static_cast<int>(level.n()[a]);
  }
  whole_.first[2] -= below_;
  neighbours_ = slab_neighbours(level, cut, halo, team.rank());
  first_ = state.layout(0).first;
  plane_stride_ = state.layout(0).stride[2];
}

bool SlabLevel::open(const memory::State& state, comm::Team& team) {
  if (!exchange_.direct()) return false;
  for (int reg = 0; reg < state.registers(); ++reg) registers_.push_back(state.start(reg));
  far_ = team.transport()->reach(registers_, true);
  return far_ != nullptr;
}

}  // namespace watersmeet::solve
