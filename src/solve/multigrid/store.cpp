#include "solve/multigrid/store.hpp"

#include <utility>

#include "core/error.hpp"

namespace watersmeet::solve {

namespace {
template <class R>
constexpr Precision precision_of = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
// The widest pack reads this far beyond the last cell of an axis.
constexpr std::size_t pad = 64;

std::size_t z(int a) { return static_cast<std::size_t>(a); }
}  // namespace

LevelPart whole_level(const Level& level) { return {{{0, 0, 0}, level.n()}, {}}; }

LevelPart coarser_part(const LevelPart& part, const Level& fine) {
  LevelPart coarse = part;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!fine.transfer[a].coarsened) continue;
    require(part.box.lower[a] % 2 == 0 && part.box.upper[a] % 2 == 0,
            "parts of a level that is coarsened begin and end at even cells");
    coarse.box.lower[a] /= 2;
    coarse.box.upper[a] /= 2;
  }
  return coarse;
}

memory::BlockShape block_shape(const Level& level, const LevelPart& part) {
  memory::BlockShape shape;
  for (int a = 0; a < 3; ++a) {
    shape.n[z(a)] = part.box.size(a);
    shape.ghosts[z(a)] = level.n()[z(a)] > 1 ? 1 : 0;
  }
  return shape;
}

template <class R>
LevelArrays<R> part_shape(const Level& level, const LevelPart& part, const BlockLayout& layout) {
  LevelArrays<R> a;
  for (int d = 0; d < 3; ++d) {
    const int n = static_cast<int>(part.box.size(d));
    a.n[d] = n;
    a.ghosts[d] = static_cast<int>(layout.ghosts[d]);
    a.stride[d] = d == 0 ? (layout.ghosts[0] > 0 || n > 1 ? 1 : 0) : layout.stride[d];
    const bool ring = level.axis[z(d)].periodic && !part.cut[z(d)];
    a.below[d] = part.cut[z(d)] ? -1 : ring ? n - 1 : 0;
    a.above[d] = part.cut[z(d)] ? n : ring ? 0 : n - 1;
    // A cut axis ends at the sides of the box too, where there is nothing beyond.
    if (part.cut[z(d)] && !level.axis[z(d)].periodic) {
      if (part.box.lower[z(d)] == 0) a.below[d] = 0;
      if (part.box.upper[z(d)] == level.n()[z(d)]) a.above[d] = n - 1;
    }
    a.parity += static_cast<int>(part.box.lower[z(d)] & 1);
  }
  a.omega = R(level.omega);
  return a;
}
template LevelArrays<float> part_shape(const Level&, const LevelPart&, const BlockLayout&);
template LevelArrays<double> part_shape(const Level&, const LevelPart&, const BlockLayout&);

template <class R>
std::size_t Table<R>::add(const std::vector<double>& numbers, std::int64_t first,
                          std::int64_t count, double padding) {
  const std::size_t index = host_.size();
  const std::int64_t n = std::ssize(numbers);
  for (std::int64_t i = first; i < first + count; ++i) {
    host_.push_back(static_cast<R>(numbers[static_cast<std::size_t>((i % n + n) % n)]));
  }
  host_.resize((host_.size() + 2 * pad) / pad * pad, static_cast<R>(padding));
  return index;
}

template <class R>
void Table<R>::upload(const Queue& queue) {
  buffer_ = memory::Buffer(memory::working_space(queue.backend), host_.size() * sizeof(R));
  copy_bytes(buffer_.start(), host_.data(), buffer_.bytes(), queue);
  synchronize(queue);
  host_ = {};
}
template class Table<float>;
template class Table<double>;

template <class R>
void OperatorTable<R>::add(Table<R>& table, const Level& level, const LevelPart& part) {
  for (int a = 0; a < 3; ++a) {
    const AxisOperator& o = level.axis[z(a)];
    const std::int64_t first = part.box.lower[z(a)], count = part.box.size(a);
    lower[a] = table.add(o.lower, first, count, 0);
    upper[a] = table.add(o.upper, first, count, 0);
    diagonal[a] = table.add(o.diagonal, first, count, 1);
  }
}
template <class R>
void OperatorTable<R>::point(LevelArrays<R>& arrays, const Table<R>& table) const {
  for (int a = 0; a < 3; ++a) {
    arrays.lower[a] = table.at(lower[a]);
    arrays.upper[a] = table.at(upper[a]);
    arrays.diagonal[a] = table.at(diagonal[a]);
  }
}
template struct OperatorTable<float>;
template struct OperatorTable<double>;

template <class R>
LevelStore<R>::LevelStore(const std::vector<Level>& levels, const std::vector<LevelPart>& parts,
                          const std::vector<int>& scratch, bool with_bottom, const Queue& queue) {
  struct Places {
    OperatorTable<R> op;
    std::size_t share[3], near[3], far[3];
  };
  std::vector<Places> places(parts.size());
  std::size_t forward[3] = {}, back[3] = {}, eigenvalue[3] = {};
  for (std::size_t l = 0; l < parts.size(); ++l) {
    places[l].op.add(table_, levels[l], parts[l]);
    if (l + 1 == parts.size()) continue;
    for (int a = 0; a < 3; ++a) {
      const AxisTransfer& t = levels[l].transfer[z(a)];
      const std::int64_t first = parts[l].box.lower[z(a)], count = parts[l].box.size(a);
      places[l].share[a] = table_.add(t.share, first, count, 0);
      places[l].near[a] = table_.add(t.near, first, count, 0);
      places[l].far[a] = table_.add(t.far, first, count, 0);
    }
  }
  BottomModes modes;
  if (with_bottom) {
    modes = make_bottom_modes(levels[parts.size() - 1]);
    for (std::size_t a = 0; a < 3; ++a) {
      forward[a] = table_.add(modes.axis[a].forward);
      back[a] = table_.add(modes.axis[a].back);
      eigenvalue[a] = table_.add(modes.axis[a].eigenvalue);
    }
  }
  table_.upload(queue);

  for (std::size_t l = 0; l < parts.size(); ++l) {
    states_.push_back(std::make_unique<memory::State>(
        std::vector<memory::BlockShape>{block_shape(levels[l], parts[l])}, 1, 2 + scratch[l],
        precision_of<R>, queue, std::nullopt, !with_bottom));
    memory::State& state = *states_.back();
    const BlockLayout& layout = state.layout(0);
    LevelArrays<R> a = part_shape<R>(levels[l], parts[l], layout);
    a.u = static_cast<R*>(state.start(0)) + layout.first;
    a.f = static_cast<R*>(state.start(1)) + layout.first;
    if (scratch[l] > 0) a.v = static_cast<R*>(state.start(2)) + layout.first;
    if (scratch[l] > 1) a.w = static_cast<R*>(state.start(3)) + layout.first;
    places[l].op.point(a, table_);
    arrays_.push_back(a);
    TransferArrays<R> t;
    for (int d = 0; d < 3 && l + 1 < parts.size(); ++d) {
      t.coarsened[d] = levels[l].transfer[z(d)].coarsened;
      t.share[d] = table_.at(places[l].share[d]);
      t.near[d] = table_.at(places[l].near[d]);
      t.far[d] = table_.at(places[l].far[d]);
    }
    transfers_.push_back(t);
  }
  if (!with_bottom) return;
  const Level& last = levels[parts.size() - 1];
  const std::size_t cells = static_cast<std::size_t>(last.cells());
  bottom_work_ = memory::Buffer(memory::working_space(queue.backend), 2 * cells * sizeof(R));
  for (int a = 0; a < 3; ++a) {
    bottom_.n[a] = static_cast<int>(last.n()[z(a)]);
    bottom_.forward[a] = table_.at(forward[a]);
    bottom_.back[a] = table_.at(back[a]);
    bottom_.eigenvalue[a] = table_.at(eigenvalue[a]);
  }
  bottom_.work[0] = bottom_work_.template as<R>();
  bottom_.work[1] = bottom_.work[0] + cells;
}

template <class R>
void LevelStore<R>::swap_scratch(int l) {
  LevelArrays<R>& a = arrays_[static_cast<std::size_t>(l)];
  std::swap(a.u, a.v);
  state(l).swap(0, 2);
}

template <class R>
std::size_t LevelStore<R>::bytes(const std::vector<Level>& levels,
                                 const std::vector<LevelPart>& parts,
                                 const std::vector<int>& scratch, bool with_bottom) {
  std::size_t sum = 0;
  for (std::size_t l = 0; l < parts.size(); ++l) {
    sum += memory::State::bytes_needed({block_shape(levels[l], parts[l])}, 1, 2 + scratch[l],
                                       precision_of<R>);
    for (int a = 0; a < 3; ++a) {
      sum += 6 * (static_cast<std::size_t>(parts[l].box.size(a)) + 2 * pad) * sizeof(R);
    }
  }
  if (with_bottom) {
    const Level& last = levels[parts.size() - 1];
    sum += 2 * static_cast<std::size_t>(last.cells()) * sizeof(R);
    for (const std::int64_t n : last.n()) {
      sum += (2 * static_cast<std::size_t>(n * n) + 3 * 2 * pad) * sizeof(R);
    }
  }
  return sum;
}
template class LevelStore<float>;
template class LevelStore<double>;

}  // namespace watersmeet::solve
