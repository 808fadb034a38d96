#include "systems/aerodynamics/surface/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/error.hpp"
#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::aerodynamics {

namespace {

// A surface before it is sorted to its node.
struct Found {
  std::int32_t at;
  int face;  // 2 direction + side
  Surface surface;
};

// The part of the cells around a node of a face that lies in a rectangle of the face.
double part_of_face(const Index3& node, const Box& rectangle, const Index3& n, int direction) {
  double part = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (static_cast<int>(a) == direction || n[a] == 1) continue;
    int around = 0, within = 0;
    for (const std::int64_t cell : {node[a] - 1, node[a]}) {
      if (cell < 0 || cell > n[a] - 2) continue;
      ++around;
      within += cell >= rectangle.lower[a] && cell < rectangle.upper[a] - 1 ? 1 : 0;
    }
    part *= static_cast<double>(within) / around;
  }
  return part;
}

int face_number(mesh::Face face) {
  return 2 * face.axis + (face.side == mesh::Side::upper ? 1 : 0);
}

bool varies(const Condition& c) {
  return c.outside != nullptr || c.vortex.has_value() || c.reads_state;
}
bool has_outer_state(const Condition& c) {
  return c.kind == SurfaceKind::farfield || c.kind == SurfaceKind::supersonic_inflow;
}

}  // namespace

RankBlocks::RankBlocks(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, int rank)
    : local(mesh.blocks.size(), -1) {
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    if (ranks[b] != rank) continue;
    local[b] = static_cast<int>(number.size());
    number.push_back(static_cast<int>(b));
    first.push_back(nodes);
    nodes += mesh.blocks[b].count();
  }
}

double norm_along(const exec::NodeOperators<double>& operators, int order, int i, int n) {
  if (order == 0) return 1;
  switch (schemes::scheme_order(order).inner) {
    case 2:
      return schemes::sbp_norm(operators.two, i, n);
    case 4:
      return schemes::sbp_norm(operators.four, i, n);
    default:
      return schemes::sbp_norm(operators.six, i, n);
  }
}

namespace {

class Builder {
 public:
  Builder(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, int rank,
          const RankBlocks& blocks, std::span<const exec::NodeBlock> orders,
          const exec::NodeOperators<double>& operators, std::span<const Condition> conditions)
      : mesh_(mesh),
        ranks_(ranks),
        rank_(rank),
        blocks_(blocks),
        orders_(orders),
        operators_(operators),
        conditions_(conditions),
        shared_(conditions.size(), -1) {}

  SurfaceTables make() {
    plan_messages();
    for (const mesh::NodeLink& link : mesh_.links) add_link(link);
    for (const mesh::BoundaryPatch& patch : mesh_.patches) add_patch(patch);
    sort();
    return std::move(tables_);
  }

 private:
  int rank_of(int block) const { return ranks_[static_cast<std::size_t>(block)]; }
  int local_of(int block) const { return blocks_.local[static_cast<std::size_t>(block)]; }
  std::int32_t place(int block, const Index3& node) const {
    const auto local = static_cast<std::size_t>(local_of(block));
    return static_cast<std::int32_t>(blocks_.first[local] +
                                     static_cast<std::int64_t>(mesh_.block(block).offset(node)));
  }

  // Every rank goes through the links of the whole mesh in their order: sender and receiver agree
  // without a message.
  void plan_messages() {
    std::map<int, Peer> peers;
    for (const mesh::NodeLink& link : mesh_.links) {
      const int to = rank_of(link.block), from = rank_of(link.neighbour);
      if (to == from || (to != rank_ && from != rank_)) continue;
      Peer& peer = peers[to == rank_ ? from : to];
      if (to == rank_) {
        peer.received += link.box.count();
      } else {
        const mesh::IndexMap map = link.map();
        mesh::for_each_node(link.box, [&](const Index3& node) {
          peer.send.push_back(place(link.neighbour, map.cell(node)));
        });
      }
    }
    for (auto& [rank, peer] : peers) {
      peer.rank = rank;
      peer.first_received = tables_.received;
      tables_.received += peer.received;
      next_received_[rank] = peer.first_received;
      tables_.peers.push_back(std::move(peer));
    }
  }

  Surface surface_of(int block, mesh::Face face) const {
    const exec::NodeBlock& b = orders_[static_cast<std::size_t>(local_of(block))];
    Surface s;
    s.direction = static_cast<std::int8_t>(face.axis);
    s.sign = static_cast<std::int8_t>(face.outward());
    s.factor = 1 / norm_along(operators_, b.order[face.axis], 0, b.n[face.axis]);
    return s;
  }

  void add_link(const mesh::NodeLink& link) {
    if (local_of(link.block) < 0) return;
    const int from = rank_of(link.neighbour);
    const mesh::IndexMap map = link.map();
    const Surface whole = surface_of(link.block, link.face);
    const Index3& n = mesh_.block(link.block).n;
    mesh::for_each_node(link.box, [&](const Index3& node) {
      Surface s = whole;
      s.kind = SurfaceKind::interface;
      if (from == rank_) {
        s.partner = place(link.neighbour, map.cell(node));
      } else {
        s.partner = static_cast<std::int32_t>(blocks_.nodes + next_received_[from]++);
      }
      s.factor *= part_of_face(node, link.box, n, link.face.axis);
      found_.push_back({place(link.block, node), face_number(link.face), s});
    });
  }

  std::int32_t outer_place(int condition, const Real3& x) {
    const auto c = static_cast<std::size_t>(condition);
    if (!has_outer_state(conditions_[c])) return -1;
    if (!varies(conditions_[c]) && shared_[c] >= 0) return shared_[c];
    const auto at = static_cast<std::int32_t>(tables_.outer.size());
    tables_.outer.push_back({condition, x});
    return shared_[c] = at;
  }

  int condition_of(const std::string& name) const {
    for (std::size_t c = 0; c < conditions_.size(); ++c) {
      if (conditions_[c].patch == name) return static_cast<int>(c);
    }
    throw Error(ErrorKind::internal, "no condition for the boundary '" + name + "'");
  }

  void add_patch(const mesh::BoundaryPatch& patch) {
    // A face without area gives no penalty.
    if (local_of(patch.block) < 0 || patch.kind == "degenerate") return;
    const int condition = condition_of(patch.name);
    const mesh::CurvilinearBlock& block = mesh_.block(patch.block);
    const exec::NodeBlock& orders = orders_[static_cast<std::size_t>(local_of(patch.block))];
    const Surface whole = surface_of(patch.block, patch.face);
    begin_run(condition);
    mesh::for_each_node(patch.box, [&](const Index3& node) {
      PatchNode p{condition, patch.block, node, place(patch.block, node), whole, 1, {}};
      const double part = part_of_face(node, patch.box, block.n, patch.face.axis);
      p.weight = part;
      for (int a = 0; a < 3; ++a) {
        if (a == patch.face.axis) continue;
        p.weight *= norm_along(operators_, orders.order[a],
                               static_cast<int>(node[static_cast<std::size_t>(a)]), orders.n[a]);
      }
      p.surface.kind = conditions_[static_cast<std::size_t>(condition)].kind;
      p.surface.given = condition;
      p.surface.outside = outer_place(condition, block.at(node));
      add_to_run(p, block.at(node));
      p.surface.factor *= part;
      found_.push_back({p.at, face_number(patch.face), p.surface});
      tables_.patches.push_back(p);
    });
  }

  bool reads_state(int condition) const {
    return conditions_[static_cast<std::size_t>(condition)].reads_state;
  }
  // The nodes of a patch follow each other in all tables.
  void begin_run(int condition) {
    if (!reads_state(condition)) return;
    SideRun run;
    run.condition = condition;
    run.outer = has_outer_state(conditions_[static_cast<std::size_t>(condition)]);
    run.first = static_cast<std::int64_t>(tables_.side_nodes.size());
    run.row = static_cast<std::int64_t>(
        run.outer ? tables_.outer.size() : conditions_.size() + 1 + tables_.side_given.size());
    tables_.side_runs.push_back(run);
  }
  void add_to_run(PatchNode& p, const Real3& x) {
    if (!reads_state(p.condition)) return;
    SideRun& run = tables_.side_runs.back();
    tables_.side_nodes.push_back(p.at);
    tables_.side_places.push_back(x);
    if (!run.outer) {
      p.surface.given = static_cast<std::int32_t>(run.row + run.count);
      tables_.side_given.push_back(p.condition);
    }
    ++run.count;
  }

  // To their nodes: along a node's list by face, then as the mesh has them, whatever the ranks are.
  void sort() {
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.at != b.at ? a.at < b.at : a.face < b.face;
    });
    for (const Found& f : found_) {
      if (tables_.node.empty() || tables_.node.back() != f.at) {
        tables_.node.push_back(f.at);
        tables_.first.push_back(static_cast<std::int32_t>(tables_.surfaces.size()));
      }
      tables_.surfaces.push_back(f.surface);
    }
    tables_.first.push_back(static_cast<std::int32_t>(tables_.surfaces.size()));
  }

  const mesh::MultiBlockMesh& mesh_;
  std::span<const int> ranks_;
  int rank_;
  const RankBlocks& blocks_;
  std::span<const exec::NodeBlock> orders_;
  const exec::NodeOperators<double>& operators_;
  std::span<const Condition> conditions_;
  std::vector<std::int32_t> shared_;  // of conditions with one outer state
  std::map<int, std::int64_t> next_received_;
  std::vector<Found> found_;
  SurfaceTables tables_;
};

}  // namespace

SurfaceTables make_surfaces(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, int rank,
                            const RankBlocks& blocks, std::span<const exec::NodeBlock> orders,
                            const exec::NodeOperators<double>& operators,
                            std::span<const Condition> conditions) {
  return Builder(mesh, ranks, rank, blocks, orders, operators, conditions).make();
}

std::string outer_state_fault(const Primitive<double>& flow, SurfaceKind kind,
                              const Gas<double>& gas) {
  if (!admissible(flow, 0.0, 0.0))
    return fmt::format("the density {:g} and pressure {:g} must be above 0", flow.rho, flow.p);
  const double mach = std::sqrt(dot(flow.u, flow.u) * flow.rho / (gas.gamma * flow.p));
  if (kind == SurfaceKind::supersonic_inflow && !(mach > 1))
    return fmt::format(
        "the Mach number {:g} of a supersonic_inflow must be above 1; a farfield may be slower",
        mach);
  return {};
}

std::vector<double> outer_states(std::span<const OuterPlace> places,
                                 std::span<const Condition> conditions, const Gas<double>& gas,
                                 double t) {
  const std::size_t n = places.size();
  std::vector<double> states(n * n_variables);
  for (std::size_t i = 0; i < n; ++i) {
    const Condition& c = conditions[static_cast<std::size_t>(places[i].condition)];
    const Real3& x = places[i].x;
    const Primitive<double> flow = c.outside  ? c.outside(x, t)
                                   : c.vortex ? vortex_state(*c.vortex, x[0], x[1], gas)
                                              : c.stream;
    const std::string fault = c.outside ? outer_state_fault(flow, c.kind, gas) : "";
    if (!fault.empty()) {
      throw Error(ErrorKind::user_input,
                  fmt::format("beyond the boundary `{}`, at (x, y, z) = {}, t = {:g}: {}", c.patch,
                              mesh::point_text(x), t, fault));
    }
    const Conserved<double> w = conserved_of(flow, gas);
    for (std::size_t v = 0; v < n_variables; ++v) states[v * n + i] = w[static_cast<int>(v)];
  }
  return states;
}

}  // namespace watersmeet::aerodynamics
