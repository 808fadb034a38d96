#include "systems/aerodynamics/surface/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::aerodynamics {

namespace {

struct Column {
  const char* name;
  const char* unit;
  double (*of)(const SurfaceNode&, const FreeStream&);
};

// |u|/c of the node.
double mach_of(const SurfaceNode& n, const FreeStream& s) {
  return mesh::length_of(n.velocity) / std::sqrt(s.gas.gamma * n.pressure / n.density);
}
// Pressure coefficient: (p - p_inf)/(rho_inf |u_inf|^2/2).
double cp_of(const SurfaceNode& n, const FreeStream& s) {
  return (n.pressure - s.flow.p) * s.scale().inverse_dynamic;
}
// p/rho^gamma relative to the free stream, minus 1.
double entropy_of(const SurfaceNode& n, const FreeStream& s) {
  return n.pressure / std::pow(n.density, s.gas.gamma) / s.entropy() - 1;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"cp", "1", cp_of},
      {"mach", "1", mach_of},
      {"entropy", "1", entropy_of},
      {"p", "mass/(length time^2)",
       [](const SurfaceNode& n, const FreeStream&) { return n.pressure; }},
      {"rho", "mass/length^3", [](const SurfaceNode& n, const FreeStream&) { return n.density; }},
      {"u", "length/time", [](const SurfaceNode& n, const FreeStream&) { return n.velocity[0]; }},
      {"v", "length/time", [](const SurfaceNode& n, const FreeStream&) { return n.velocity[1]; }},
      {"w", "length/time", [](const SurfaceNode& n, const FreeStream&) { return n.velocity[2]; }},
  };
  return all;
}

// Whether the second node follows the first along one line of a block.
bool adjacent(const SurfaceNode& a, const SurfaceNode& b) {
  if (a.block != b.block) return false;
  std::int64_t steps = 0;
  for (std::size_t m = 0; m < 3; ++m) steps += std::abs(a.node[m] - b.node[m]);
  return steps == 1;
}

using Run = std::vector<SurfaceNode>;

// The nodes as lines of neighbours, one for each piece of a face of a block.
std::vector<Run> runs_of(const std::vector<SurfaceNode>& nodes) {
  std::vector<Run> runs;
  for (const SurfaceNode& node : nodes) {
    if (runs.empty() || !adjacent(runs.back().back(), node)) runs.emplace_back();
    runs.back().push_back(node);
  }
  return runs;
}

}  // namespace

const std::vector<std::string>& surface_values() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Column& c : columns()) list.emplace_back(c.name);
    return list;
  }();
  return names;
}

std::vector<SurfaceNode> gather_surface(comm::Communicator& ranks,
                                        const std::vector<SurfaceNode>& mine) {
  if (ranks.size() == 1) return mine;
  const std::uint64_t count = mine.size();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&count, sizeof count, counts.data());
  if (ranks.rank() != 0) {
    const comm::Outgoing out[1] = {{0, mine.data(), mine.size() * sizeof(SurfaceNode)}};
    if (!mine.empty()) ranks.exchange(out, {});
    return {};
  }
  std::vector<SurfaceNode> all = mine;
  for (int r = 1; r < ranks.size(); ++r) {
    const auto theirs = static_cast<std::size_t>(counts[static_cast<std::size_t>(r)]);
    if (theirs == 0) continue;
    all.resize(all.size() + theirs);
    const comm::Incoming in[1] = {
        {r, all.data() + all.size() - theirs, theirs * sizeof(SurfaceNode)}};
    ranks.exchange({}, in);
  }
  return all;
}

std::vector<ArcNode> along_curve(const std::vector<SurfaceNode>& nodes) {
  std::vector<Run> runs = runs_of(nodes);
  double extent = 0;
  for (const SurfaceNode& n : nodes)
    extent = std::max(extent, mesh::distance(n.x, nodes.front().x));
  // Blocks that touch both have the node that they share.
  const auto meet = [&](const SurfaceNode& a, const SurfaceNode& b) {
    return mesh::distance(a.x, b.x) <= 1e-9 * extent;
  };
  // The first run of a curve, and whether it is followed from its back: from an end that no other
  // run shares or, where the curve is closed, from the end farthest downstream. Two runs may meet
  // there; the lower one is the first.
  const auto begin_of_chain = [&]() {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      for (const bool back : {false, true}) {
        const SurfaceNode& end = back ? runs[r].back() : runs[r].front();
        const bool free = std::none_of(runs.begin(), runs.end(), [&](const Run& other) {
          return &other != &runs[r] && (meet(other.front(), end) || meet(other.back(), end));
        });
        if (free && runs[r].size() > 1 && !meet(runs[r].front(), runs[r].back()))
          return std::pair{r, back};
      }
    }
    std::pair<std::size_t, bool> best{0, false};
    double furthest = -1e300, lowest = 1e300;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      for (const bool back : {false, true}) {
        const double x = (back ? runs[r].back() : runs[r].front()).x[0];
        const double y = runs[r][runs[r].size() / 2].x[1];
        const bool better =
            x > furthest + 1e-9 * extent || (x > furthest - 1e-9 * extent && y < lowest);
        if (!better) continue;
        furthest = std::max(x, furthest);
        lowest = y;
        best = {r, back};
      }
    }
    return best;
  };
  std::vector<ArcNode> curve;
  while (!runs.empty()) {
    auto [r, back] = begin_of_chain();
    double arc = 0;
    bool more = true;
    while (more) {
      Run run = std::move(runs[r]);
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(r));
      if (back) std::reverse(run.begin(), run.end());
      for (std::size_t n = 0; n < run.size(); ++n) {
        if (n > 0) arc += mesh::distance(run[n].x, run[n - 1].x);
        curve.push_back({run[n], arc});
      }
      more = false;
      for (std::size_t next = 0; next < runs.size() && !more; ++next) {
        const bool at_front = meet(runs[next].front(), run.back());
        if (!at_front && !meet(runs[next].back(), run.back())) continue;
        r = next;
        back = !at_front;
        more = true;
      }
    }
  }
  return curve;
}

std::string surface_text(const std::vector<SurfaceNode>& nodes,
                         const std::vector<std::string>& values, const FreeStream& stream,
                         int dimensions) {
  const bool plane = dimensions == 2;
  std::string names = "block,i,j,k,x,y,z";
  std::string units = "1,1,1,1,length,length,length";
  if (plane) names += ",arc", units += ",length";
  std::vector<const Column*> selected;
  for (const std::string& value : values) {
    for (const Column& c : columns()) {
      if (c.name != value) continue;
      selected.push_back(&c);
      names += "," + value;
      units += std::string(",") + c.unit;
    }
  }
  std::vector<ArcNode> rows;
  if (plane && !nodes.empty()) {
    rows = along_curve(nodes);
  } else {
    for (const SurfaceNode& n : nodes) rows.push_back({n, 0});
  }
  std::string text = names + "\n# units: " + units + "\n";
  for (const ArcNode& row : rows) {
    const SurfaceNode& n = row.node;
    text += fmt::format("{},{},{},{},{:.17g},{:.17g},{:.17g}", n.block, n.node[0], n.node[1],
                        n.node[2], n.x[0], n.x[1], n.x[2]);
    if (plane) text += fmt::format(",{:.17g}", row.arc);
    for (const Column* c : selected) text += fmt::format(",{:.17g}", c->of(n, stream));
    text += "\n";
  }
  return text;
}

}  // namespace watersmeet::aerodynamics
