#include "run/grid_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "memory/rounded.hpp"
#include "mesh/box_algebra.hpp"
#include "mesh/cubed_sphere.hpp"
#include "mesh/curvilinear/block_place.hpp"
#include "mesh/orientation.hpp"

namespace watersmeet::run {

using schemes::Arrays;
using schemes::IndexRange;

namespace {
std::string names_of(const std::vector<Variable>& variables) {
  std::string names;
  for (const Variable& v : variables) names += (names.empty() ? "" : ", ") + v.name;
  return names;
}

// Where values of this location lie along an axis.
std::vector<double> points_of(const mesh::GridDescription& grid, std::size_t axis,
                              Location location) {
  std::vector<double> points = faces_of(grid, axis);
  points.pop_back();
  if (mesh::staggered(location, static_cast<int>(axis))) return points;
  const double half = grid.geometry().offset * grid.geometry().spacing[axis];
  for (double& x : points) x += half;
  return points;
}

// Pieces of a box, each with about this number of cells: some planes of it, or of wide ones some rows, several of both so that cells beside a
// piece are few.
std::vector<Box> pieces_of(const Box& box) {
  constexpr std::int64_t cells_at_once = std::int64_t{1} << 21, fewest = 16;
  if (box.empty()) return {};
  const std::int64_t rows =
      std::clamp(cells_at_once / (box.size(0) * fewest), fewest, std::max(fewest, box.size(1)));
  const std::int64_t row = box.size(0) * std::min(rows, box.size(1));
  const std::int64_t planes = std::max(fewest, cells_at_once / row);
  return mesh::pieces(box, rows, planes);
}

Box shifted(Box box, const Index3& by) {
  for (std::size_t a = 0; a < 3; ++a) {
    box.lower[a] += by[a];
    box.upper[a] += by[a];
  }
  return box;
}

Box within(const Box& box, const Box& part) {
  return shifted(box, {-part.lower[0], -part.lower[1], -part.lower[2]});
}

// The areas of the cells of a box of a panel of n x n, over the products of the angles that they span: [j][i].
std::vector<double> areas_of(const mesh::GridDescription& grid, const Box& box) {
  const std::vector<double> alpha = faces_of(grid, 0), beta = faces_of(grid, 1);
  std::vector<double> areas;
  for (auto j = static_cast<std::size_t>(box.lower[1]); j < static_cast<std::size_t>(box.upper[1]);
       ++j) {
    for (auto i = static_cast<std::size_t>(box.lower[0]);
         i < static_cast<std::size_t>(box.upper[0]); ++i) {
      areas.push_back(mesh::panel_area(alpha[i], alpha[i + 1], beta[j], beta[j + 1]) /
                      ((alpha[i + 1] - alpha[i]) * (beta[j + 1] - beta[j])));
    }
  }
  return areas;
}
}  // namespace

bool periodic(const mesh::GridDescription& grid, std::size_t axis) {
  return !grid.cells.links(0, {static_cast<int>(axis), mesh::Side::lower}).empty();
}

std::vector<double> faces_of(const mesh::GridDescription& grid, std::size_t axis) {
  if (!grid.faces[axis].empty()) return grid.faces[axis];
  std::vector<double> faces;
  const mesh::Uniform& geometry = grid.geometry();
  for (std::int64_t i = 0; i <= grid.n()[axis]; ++i)
    faces.push_back(geometry.lower[axis] + static_cast<double>(i) * geometry.spacing[axis]);
  return faces;
}

std::vector<Source> sources(const systems::SetUp& before, const systems::SetUp& now) {
  const std::vector<Variable> theirs = before.variables(), ours = now.variables();
  const systems::Transfer from = before.transfer(), to = now.transfer();
  const auto find = [&](const std::string& name) {
    return std::find_if(theirs.begin(), theirs.end(),
                        [&](const Variable& v) { return v.name == name; });
  };
  std::vector<Source> all;
  for (std::size_t v = 0; v < ours.size(); ++v) {
    if (std::count(to.prescribed.begin(), to.prescribed.end(), ours[v].name) > 0) continue;
    std::vector<std::pair<std::string, double>> terms = {{ours[v].name, 1.0}};
    if (find(ours[v].name) == theirs.end()) {
      for (const systems::Transfer::Sum& sum : to.sums) {
        if (sum.of == ours[v].name) terms = sum.terms;
      }
    }
    for (auto& [name, factor] : terms) {
      const auto found = find(name);
      if (found == theirs.end() || theirs.size() != ours.size()) {
        throw Error(ErrorKind::user_input,
                    fmt::format("its state has the variables {}, and that of the case {}",
                                names_of(theirs), names_of(ours)));
      }
      const auto number = static_cast<std::size_t>(found - theirs.begin());
      if (!from.units.empty() && from.units[number] != to.units[v])
        factor *= from.units[number] / to.units[v];
    }
    all.push_back({static_cast<int>(v), terms});
  }
  return all;
}

std::vector<double> read_source(const StateFile& reader, const Source& source, const Box& box) {
  std::vector<double> sum;
  for (const auto& [name, factor] : source.terms) {
    std::vector<double> values = reader.read_box(name, box);
    if (factor != 1.0) {
      for (double& value : values) value *= factor;
    }
    if (sum.empty()) {
      sum = std::move(values);
    } else {
      for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += values[p];
    }
  }
  return sum;
}

IndexRange GridMap::AxisMap::needed(IndexRange to) const {
  return averages ? averages->needed(to) : points ? points->needed(to) : to;
}

void GridMap::AxisMap::apply(Arrays& values, IndexRange have, IndexRange to,
                             const schemes::Lines& lines, const schemes::Limits& limits,
                             int threads) const {
  if (!averages && !points) return;
  Arrays mapped;
  if (averages) {
    averages->apply(values, have, to, lines, limits, threads, mapped);
  } else {
    points->apply(values, have, to, lines, threads, mapped);
  }
  values = std::move(mapped);
}

GridMap::GridMap(const systems::System& before, const systems::System& now, bool centred)
    : from_(before.grid()), to_(now.grid()) {
  const std::vector<Variable> variables = now.variables();
  for (const Source& source : sources(before, now)) {
    const Location location = variables[static_cast<std::size_t>(source.variable)].location;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& g) { return g.location == location; });
    if (group == groups_.end()) {
      group = groups_.insert(groups_.end(), Group{location, {}, {}});
      for (std::size_t a = 0; a < 3 && to_.kind != mesh::GridKind::curvilinear_blocks; ++a)
        group->maps[a] = map_of(a, location, now.transfer(), centred);
    }
    group->sources.push_back(source);
  }
}

GridMap::AxisMap GridMap::map_of(std::size_t axis, Location location,
                                 const systems::Transfer& transfer, bool centred) const {
  AxisMap map;
  const bool staggered = mesh::staggered(location, static_cast<int>(axis));
  // Levels of all panels, one above the other, are those of one.
  if (to_.levels > 0 && axis == 2 && to_.faces[2].empty()) return map;
  std::vector<double> from = faces_of(from_, axis), to = faces_of(to_, axis);
  if (from == to && !(staggered && centred)) return map;
  const bool round = periodic(from_, axis);
  if (transfer.averages && !staggered) {
    if (transfer.radial && axis == 1) {
      for (std::vector<double>* const faces : {&from, &to}) {
        for (double& y : *faces) y = y * y;  // in which cells of equal volume are equally wide
      }
    }
    map.averages.emplace(from, to, round);
  } else {
    map.points.emplace(points_of(from_, axis, centred ? Location::cell : location),
                       points_of(to_, axis, location), round ? from.back() - from.front() : 0.0);
  }
  return map;
}

Box GridMap::needed(const Group& group, const Box& to) {
  Box from;
  for (std::size_t a = 0; a < 3; ++a) {
    const IndexRange range = group.maps[a].needed({to.lower[a], to.upper[a]});
    from.lower[a] = range.begin;
    from.upper[a] = range.end;
  }
  return from;
}

void GridMap::along_axes(Arrays& values, const Group& group, const Box& have, const Box& want,
                         const schemes::Limits& limits, int threads) {
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    schemes::Lines lines;
    for (int b = 0; b < a; ++b) lines.inner *= want.size(b);
    for (int b = a + 1; b < 3; ++b) lines.outer *= have.size(b);
    group.maps[axis].apply(values, {have.lower[axis], have.upper[axis]},
                           {want.lower[axis], want.upper[axis]}, lines, limits, threads);
  }
}

Arrays GridMap::map_piece(const StateFile& reader, const Group& group, const Box& to,
                          const schemes::Limits& limits, int threads) const {
  const Box have = needed(group, to);
  Arrays values;
  for (const Source& source : group.sources) values.push_back(read_source(reader, source, have));
  along_axes(values, group, have, to, limits, threads);
  return values;
}

// `to`: cells and levels of the panel.
Arrays GridMap::map_panel_piece(const StateFile& reader, const Group& group, int panel,
                                const Box& to, int threads) const {
  const Box have = needed(group, to);
  const std::vector<double> before = areas_of(from_, have), now = areas_of(to_, to);
  Arrays values;
  std::vector<double> ground;  // a value of each variable, of which departures are mapped
  for (const Source& source : group.sources) {
    ground.push_back(read_source(reader, source, {{0, 0, 0}, {1, 1, 1}}).front());
    values.push_back(read_source(reader, source, shifted(have, {0, 0, panel * from_.levels})));
    for (std::size_t p = 0; p < values.back().size(); ++p)
      values.back()[p] = (values.back()[p] - ground.back()) * before[p % before.size()];
  }
  along_axes(values, group, have, to, {}, threads);
  for (std::size_t v = 0; v < values.size(); ++v) {
    for (std::size_t p = 0; p < values[v].size(); ++p)
      values[v][p] = values[v][p] / now[p % now.size()] + ground[v];
  }
  return values;
}

// Ranks have whole blocks.
void GridMap::fill_blocks(const StateFile& reader, systems::System& now, const Box& part,
                          const Queue& queue) const {
  // Boundaries that curve are chords of a coarse block: nodes may lie a little beyond it.
  constexpr double most_cells_off = 1;
  const std::vector<Source>& all = groups_.front().sources;
  std::int64_t theirs = 0, ours = 0;  // the first node of a block
  for (std::size_t b = 0; b < to_.blocks->blocks.size(); ++b) {
    const mesh::CurvilinearBlock &from = from_.blocks->blocks[b], &to = to_.blocks->blocks[b];
    const std::int64_t first = ours, nodes = to.count();
    const Box read{{theirs, 0, 0}, {theirs + from.count(), 1, 1}};
    theirs += from.count();
    ours += nodes;
    if (first < part.lower[0] || first >= part.upper[0]) continue;
    Arrays before, values;
    for (const Source& source : all) before.push_back(read_source(reader, source, read));
    values.assign(all.size(), std::vector<double>(static_cast<std::size_t>(nodes)));
    std::int64_t lost = nodes, wrong = nodes;
#pragma omp parallel for num_threads(queue.threads) schedule(dynamic, 256) \
    reduction(min                                                          \
              : lost, wrong)
    for (std::int64_t node = 0; node < nodes; ++node) {
      const Index3 index{node % to.n[0], node / to.n[0] % to.n[1], node / (to.n[0] * to.n[1])};
      Real3 guess{};
      for (std::size_t a = 0; a < 3; ++a) {
        if (to.n[a] > 1) {
          guess[a] =
              static_cast<double>(index[a] * (from.n[a] - 1)) / static_cast<double>(to.n[a] - 1);
        }
      }
      const mesh::BlockPlace place = mesh::place_in(from, to.at(index), guess);
      if (!(place.cells_off <= most_cells_off)) lost = std::min(lost, node);
      std::vector<double> here(all.size());
      bool good = false;
      // Beside a shock a polynomial may leave what the equations have; values between those of the nodes around do not.
      for (const int width : {mesh::NodeWeights::widest, 2}) {
        for (std::size_t v = 0; v < all.size(); ++v)
          here[v] = mesh::value_at(from.n, before[v], place.index, width);
        good = now.inadmissible(here).empty();
        if (good) break;
      }
      if (!good) wrong = std::min(wrong, node);
      for (std::size_t v = 0; v < all.size(); ++v)
        values[v][static_cast<std::size_t>(node)] = here[v];
    }
    const auto refuse = [&](std::int64_t node, const char* why) {
      const Index3 index{node % to.n[0], node / to.n[0] % to.n[1], node / (to.n[0] * to.n[1])};
      throw Error(ErrorKind::user_input,
                  fmt::format("start.from: node {} of block {}, at {}, {}", mesh::index_text(index),
                              b, mesh::point_text(to.at(index)), why));
    };
    if (lost < nodes) refuse(lost, "lies outside this block of the mesh that the state is on");
    if (wrong < nodes) refuse(wrong, "gets a state that the equations do not allow");
    for (std::size_t v = 0; v < all.size(); ++v) {
      memory::store_rounded(now.state(), now.current_register(), all[v].variable, values[v], queue,
                            {{first - part.lower[0], 0, 0}, {first - part.lower[0] + nodes, 1, 1}});
    }
  }
}

void GridMap::fill(const StateFile& reader, systems::System& now, const Box& part,
                   const Queue& queue) const {
  if (to_.blocks) return fill_blocks(reader, now, part, queue);
  memory::Buffer staging;
  for (const Group& group : groups_) {
    const auto store = [&](const Arrays& values, const Box& piece) {
      for (std::size_t v = 0; v < values.size(); ++v) {
        memory::store_rounded(now.state(), now.current_register(), group.sources[v].variable,
                              values[v], queue, within(piece, part), &staging);
      }
    };
    if (to_.kind == mesh::GridKind::cubed_sphere) {
      for (int panel = 0; panel < mesh::panels; ++panel) {
        const std::int64_t first = panel * to_.levels;
        Box here = part;
        here.lower[2] = std::max(here.lower[2], first);
        here.upper[2] = std::min(here.upper[2], first + to_.levels);
        for (const Box& piece : pieces_of(here)) {
          store(
              map_panel_piece(reader, group, panel, shifted(piece, {0, 0, -first}), queue.threads),
              piece);
        }
      }
      continue;
    }
    schemes::Limits limits;
    if (now.transfer().together) {
      for (const Source& source : group.sources) {
        const Kind kind = now.variables()[static_cast<std::size_t>(source.variable)].kind;
        limits.together.push_back(kind == Kind::scalar);
      }
    }
    if (group.sources.size() == now.variables().size()) {
      limits.admissible = [&now](std::span<const double> values) {
        return now.inadmissible(values).empty();
      };
    }
    for (const Box& piece : pieces_of(part))
      store(map_piece(reader, group, piece, limits, queue.threads), piece);
  }
}

void GridMap::copy(const StateFile& reader, systems::System& now, const Box& part,
                   const Queue& queue) const {
  memory::Buffer staging;
  for (const Group& group : groups_) {
    for (const Source& source : group.sources) {
      for (const Box& piece : pieces_of(part)) {
        memory::store_rounded(now.state(), now.current_register(), source.variable,
                              read_source(reader, source, piece), queue, within(piece, part),
                              &staging);
      }
    }
  }
}

}  // namespace watersmeet::run
