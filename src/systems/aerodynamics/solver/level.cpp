#include "systems/aerodynamics/solver/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/rounded.hpp"
#include "exec/node_gather.hpp"
#include "memory/rounded.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "mesh/metrics.hpp"
#include "systems/aerodynamics/surface/sum_tables.hpp"

namespace watersmeet::aerodynamics {

namespace {

// A pack of the widest register may read past the last node, and so may a stencil.
constexpr std::size_t slack_bytes = 256;

// On larger grids the registers and the divergence of penalties cost more than a launch of their
// own before (surface/sums.hpp).
constexpr std::int64_t most_joined = 131072;

// Nodes from which columns march. A box of 275 thousand takes 0.23 ms a step either way on an H200
// (`watersmeet bench aerodynamics --only "double wavybox 1 1"`), larger vehicles less.
constexpr std::int64_t least_marched = 200000;

// Threads of the direct schedule with gathered stencils; times on one H200. Where all nodes find
// room at the same time a warp more for each tile hides penalties: of 50 thousand nodes they took
// 0.5 us a stage so and 2.6 without. Large grids go in larger tiles: of 1.5 million nodes stage 3
// took 197 us with 256 threads, 215 with 128 and 212 with 512.
exec::JoinedThreads gathered_threads(std::int64_t nodes) {
  if (nodes <= 32768) return {128, 32};
  if (nodes <= 55000) return {224, 32};
  return nodes <= most_joined ? exec::JoinedThreads{128, 0} : exec::JoinedThreads{256, 0};
}

// The same with matrix dissipation, whose kernel has 128 registers: the nodes of a section find
// room at the same time in tiles of 224. Stages of 50 thousand nodes take 17 us with dissipation
// and 12 without on an H200; a thread that did not gather took 27 and 17 (ncu, `watersmeet run
// examples/naca0012/case.toml`).
exec::JoinedThreads matrix_threads(std::int64_t nodes, bool joins) {
  return {nodes <= 55000 ? 224 : 128, joins ? 32 : 0};
}

// To the device; waits.
template <class T>
memory::Buffer uploaded(const std::vector<T>& items, const Queue& queue) {
  const std::size_t bytes = items.size() * sizeof(T);
  memory::Buffer buffer(memory::working_space(queue.backend), std::max<std::size_t>(bytes, 1));
  if (bytes > 0) copy_bytes(buffer.start(), items.data(), bytes, queue);
  synchronize(queue);
  return buffer;
}

template <class T>
std::span<const T> list_in(const memory::Buffer& buffer, const std::vector<T>& items) {
  return {buffer.as<T>(), items.size()};
}

}  // namespace

std::int64_t pool_pitch(std::int64_t nodes, Precision precision) {
  return memory::make_layout({{nodes, 1, 1}, {0, 0, 0}}, n_variables, precision).stride_var;
}

memory::Buffer pool_buffer(std::int64_t nodes, int numbers, Precision precision,
                           const Queue& queue) {
  const auto elements = static_cast<std::size_t>(pool_pitch(nodes, precision) * numbers);
  memory::Buffer buffer(memory::working_space(queue.backend),
                        elements * size_of(precision) + slack_bytes);
  fill_bytes(buffer.start(), 0, buffer.bytes(), queue);
  return buffer;
}

void upload(const memory::Buffer& to, std::size_t first, std::span<const double> numbers,
            Precision precision, const Queue& queue) {
  memory::copy_rounded(to.as<char>() + first * size_of(precision), numbers, precision, queue);
}

Level::Level(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks,
             const LevelOptions& options, std::span<const Condition> conditions,
             Precision precision, const Queue& queue, comm::Team* team)
    : options_(options), precision_(precision), blocks_(mesh, ranks, team->rank()) {
  parameters_.model = options.model;
  parameters_.operators = exec::node_operators(options.sbp6_x1);
  require(blocks_.nodes < std::numeric_limits<std::int32_t>::max() / 2,
          "nodes of a rank are counted in 32 bits");
  int on_faces = 0;
  for (std::size_t b = 0; b < blocks_.number.size(); ++b) {
    exec::NodeBlock block;
    block.first = blocks_.first[b];
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t n = mesh.block(blocks_.number[b]).n[a];
      block.n[a] = static_cast<int>(n);
      block.order[a] = schemes::order_for(options.order, n);
    }
    exec::number_faces(block, on_faces);
    on_faces += exec::face_nodes_of(block);
    node_blocks_.push_back(block);
  }
  tables_ = make_surfaces(mesh, ranks, team->rank(), blocks_, node_blocks_, parameters_.operators,
                          conditions);
  set_metrics(mesh, queue);
  set_tiles(queue);
  set_surfaces(conditions, queue);
  if (sums_penalties(queue)) set_sums(queue);
  messages_ = StateMessages(tables_, precision, team, queue);
  parameters_.surfaces.received = {messages_.received()};
  loops_ = make_loops(queue.backend, precision, parameters_);
}

void Level::set_metrics(const mesh::MultiBlockMesh& mesh, const Queue& queue) {
  const auto nodes = static_cast<std::size_t>(blocks_.nodes);
  inverse_volumes_.resize(nodes);
  node_volumes_.resize(nodes);
  area_ = pool_buffer(blocks_.nodes, 9, precision_, queue);
  inverse_volume_ = pool_buffer(blocks_.nodes, 1, precision_, queue);
  local_step_ = pool_buffer(blocks_.nodes, 1, precision_, queue);
  if (options_.sensor) {
    sensor_ = pool_buffer(blocks_.nodes, 3, precision_, queue);
    shock_memory_ = memory::State({{{blocks_.nodes, 1, 1}, {0, 0, 0}}}, 4, 1, precision_, queue);
    if (options_.damps) share_ = pool_buffer(blocks_.nodes, 1, precision_, queue);
    if (queue.backend == Backend::cuda) {
      pressure_ = pool_buffer(blocks_.nodes, 1, precision_, queue);
    }
  }
  const auto pitch = static_cast<std::size_t>(pool_pitch(blocks_.nodes, precision_));
  if (sums_penalties(queue)) surface_areas_.resize(tables_.surfaces.size());
  for (std::size_t b = 0; b < node_blocks_.size(); ++b) {
    const mesh::CurvilinearBlock& block = mesh.block(blocks_.number[b]);
    const exec::NodeBlock& orders = node_blocks_[b];
    mesh::MetricOperators derivatives;
    derivatives.sbp6_x1 = options_.sbp6_x1;
    for (std::size_t a = 0; a < 3; ++a) {
      const int order = orders.order[a];
      derivatives.inner_order[a] = order == 0 ? 0 : schemes::scheme_order(order).inner;
    }
    mesh::Metrics metrics;
    try {
      metrics = mesh::metrics_of({block.n, block.x[0], block.x[1], block.x[2]}, derivatives);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("block {}: {}", blocks_.number[b], error.what()));
    }
    require(metrics.handedness == 1, "blocks are right-handed");
    floored_ += metrics.floored;
    const auto first = static_cast<std::size_t>(blocks_.first[b]);
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t m = 0; m < 3; ++m) {
        upload(area_, (3 * d + m) * pitch + first, metrics.area[d][m], precision_, queue);
      }
    }
    mesh::for_each_node(block.nodes(), [&](const Index3& node) {
      const std::size_t here = block.offset(node);
      double weight = 1;
      for (int a = 0; a < 3; ++a) {
        weight *= norm_along(parameters_.operators, orders.order[a],
                             static_cast<int>(node[static_cast<std::size_t>(a)]), orders.n[a]);
      }
      inverse_volumes_[first + here] = 1 / metrics.volume[here];
      node_volumes_[first + here] = weight * metrics.volume[here];
    });
    for (PatchNode& p : tables_.patches) {
      if (p.block != blocks_.number[b]) continue;
      const auto& area = metrics.area[static_cast<std::size_t>(p.surface.direction)];
      for (std::size_t m = 0; m < 3; ++m) {
        p.area[static_cast<int>(m)] = p.surface.sign * area[m][block.offset(p.node)];
      }
    }
    if (sums_penalties(queue)) set_areas(surface_areas_, tables_, orders, metrics);
  }
  upload(inverse_volume_, 0, inverse_volumes_, precision_, queue);
  block_table_ = uploaded(node_blocks_, queue);
  LevelParameters& p = parameters_;
  p.pool.blocks = list_in(block_table_, node_blocks_);
  set_schedule(mesh.dimensions() == 3, queue);
  p.nodes = p.surfaces.nodes = blocks_.nodes;
  p.pitch = p.surfaces.pitch = static_cast<std::int64_t>(pitch);
  p.area = p.surfaces.area = {area_.start()};
  p.inverse_volume = {inverse_volume_.start()};
  p.local_step = {local_step_.start()};
  p.sensor = {sensor_.start()};
  p.share = {share_.start()};
  p.pressure = {pressure_.start()};
  if (options_.sensor) {
    p.troubled = {static_cast<char*>(shock_memory_.start(0)) +
                  troubled_variable * pitch * size_of(precision_)};
  }
}

void Level::observe(double enthalpy, const StreamScale<double>& scale, const Queue& queue) {
  node_volume_ = pool_buffer(blocks_.nodes, 1, precision_, queue);
  upload(node_volume_, 0, node_volumes_, precision_, queue);
  parameters_.node_volume = {node_volume_.start()};
  parameters_.enthalpy = enthalpy;
  parameters_.scale = scale;
}

// How nodes fall to the threads of a GPU, and what these do at faces of small grids.
void Level::set_tiles(const Queue& queue) {
  if (queue.backend != Backend::cuda) return;
  // Gathered stencils have kernels for tiles of any size.
  const Features features = features_of(options_.model);
  const int gathered_order = parameters_.gathered_order;
  exec::NodePool& pool = parameters_.pool;
  const bool by_matrix = matrix_alone(options_.model) && gathered_order == 3;
  const bool gathered = features == Features::plain
                            ? gathered_order > 0
                            : features == Features::shocks && gathered_order == 1;
  const bool joins = pool.columns.empty() && blocks_.nodes <= most_joined;
  pool.threads = gathered    ? gathered_threads(blocks_.nodes)
                 : by_matrix ? matrix_threads(blocks_.nodes, joins)
                             : exec::JoinedThreads{128, joins ? 32 : 0};
  std::vector<exec::NodeTile> tiles = exec::node_tiles(node_blocks_, false, pool.threads.tile);
  if (joins) {
    const std::vector<std::int32_t>& listed = tables_.node;
    const auto entries = [&](std::int64_t node) {
      // In the order of the pool. A node of degenerate faces only is not listed.
      const auto at = std::lower_bound(listed.begin(), listed.end(), node);
      if (at == listed.end() || *at != node) return std::pair<std::int32_t, std::int32_t>{0, 0};
      const auto number = static_cast<std::size_t>(at - listed.begin());
      return std::pair{tables_.first[number], tables_.first[number + 1]};
    };
    sides_ = uploaded(exec::face_nodes(node_blocks_, tiles, entries), queue);
    pool.sides = sides_.as<exec::FaceNode>();
  }
  tiles_ = uploaded(tiles, queue);
  pool.tiles = list_in(tiles_, tiles);
  const std::vector<exec::NodeTile> rows = exec::node_tiles(node_blocks_, true);
  rows_ = uploaded(rows, queue);
  pool.rows = list_in(rows_, rows);
}

// Beside the direct schedule cubes for solid blocks of one order, and columns that march.
void Level::set_schedule(bool solid, const Queue& queue) {
  const int order = parameters_.uniform_order = exec::uniform_order(node_blocks_);
  if (options_.gathers) parameters_.gathered_order = exec::gathered_order(node_blocks_);
  if (!solid) return;
  exec::NodePool& pool = parameters_.pool;
  const bool scalar = features_of(options_.model) != Features::general;
  if (options_.marches && scalar && exec::can_march(node_blocks_) &&
      (options_.always_marches || blocks_.nodes >= least_marched)) {
    const exec::MarchPlan plan = exec::march_plan(node_blocks_);
    columns_ = uploaded(plan.tiles, queue);
    pool.columns = list_in(columns_, plan.tiles);
    pool.column_work = plan.work;
  }
  if (options_.cubes && order > 0) {
    const auto cubes = exec::node_cubes(node_blocks_, order);
    cubes_ = uploaded(cubes, queue);
    pool.cubes = list_in(cubes_, cubes);
  }
}

void Level::set_surfaces(std::span<const Condition> conditions, const Queue& queue) {
  surface_node_ = uploaded(tables_.node, queue);
  surface_first_ = uploaded(tables_.first, queue);
  surfaces_ = uploaded(tables_.surfaces, queue);
  // For stages that do their penalties themselves.
  if (options_.lists) {
    std::vector<std::int32_t> lists(static_cast<std::size_t>(blocks_.nodes), -1);
    for (std::size_t s = 0; s < tables_.node.size(); ++s) {
      lists[static_cast<std::size_t>(tables_.node[s])] = static_cast<std::int32_t>(s);
    }
    surface_of_ = uploaded(lists, queue);
    parameters_.surface_of = surface_of_.as<std::int32_t>();
  }
  for (const Condition& c : conditions) given_host_.push_back(c.given);
  given_host_.emplace_back();  // of interfaces, which read nothing
  for (const int condition : tables_.side_given)
    given_host_.push_back(conditions[static_cast<std::size_t>(condition)].given);
  std::vector<Given<float>> narrow;
  for (const Given<double>& g : given_host_) narrow.push_back(rounded_to<Given<float>>(g));
  given_ =
      precision_ == Precision::double_ ? uploaded(given_host_, queue) : uploaded(narrow, queue);
  side_nodes_ = uploaded(tables_.side_nodes, queue);
  side_states_ = memory::Buffer(
      memory::working_space(queue.backend),
      std::max<std::size_t>(tables_.side_nodes.size() * n_variables * size_of(precision_), 1));
  SurfaceArrays<double>& s = parameters_.surfaces;
  s.node = surface_node_.as<std::int32_t>();
  s.first = surface_first_.as<std::int32_t>();
  s.surfaces = surfaces_.as<Surface>();
  s.given = {given_.start()};
  s.outside_pitch = static_cast<std::int64_t>(tables_.outer.size());
  parameters_.surface_nodes = static_cast<std::int64_t>(tables_.node.size());
  const double start = 0;
  tabulate(conditions, {&start, 1}, queue);
}

// On a GPU, on one rank and on several: the same sums, so that the bits of a node do not depend on
// the ranks.
bool Level::sums_penalties(const Queue& queue) const { return queue.backend == Backend::cuda; }

void Level::set_sums(const Queue& queue) {
  const SumTables tables = make_sums(tables_, surface_areas_, node_blocks_);
  surface_areas_ = {};
  if (tables.entries.empty()) return;
  sum_entries_ = uploaded(tables.entries, queue);
  sum_areas_ = memory::rounded_buffer(tables.areas, precision_, queue);
  sum_factors_ = memory::rounded_buffer(tables.factors, precision_, queue);
  const exec::NodeBlock& last = node_blocks_.back();
  const auto nodes = static_cast<std::size_t>(last.first_face + exec::face_nodes_of(last));
  sums_ = memory::Buffer(memory::working_space(queue.backend), nodes * sizeof(NodeSum<double>));
  fill_bytes(sums_.start(), 0, sums_.bytes(), queue);
  SurfaceSums<double>& s = parameters_.sums;
  s.entries = sum_entries_.as<SumEntry>();
  s.count = static_cast<std::int64_t>(tables.entries.size());
  s.areas = {sum_areas_.start()};
  s.factors = {sum_factors_.start()};
  s.sums = {sums_.start()};
}

const ProgramNode* Level::places(const Queue& queue) {
  if (places_.bytes() == 0) {
    std::vector<ProgramNode> places;
    for (std::size_t b = 0; b < node_blocks_.size(); ++b) {
      const exec::NodeBlock& block = node_blocks_[b];
      for (int k = 0; k < block.n[2]; ++k) {
        for (int j = 0; j < block.n[1]; ++j) {
          for (int i = 0; i < block.n[0]; ++i) {
            places.push_back({static_cast<std::int32_t>(b), {i, j, k}});
          }
        }
      }
    }
    places_ = uploaded(places, queue);
  }
  return places_.as<ProgramNode>();
}

void Level::tabulate(std::span<const Condition> conditions, std::span<const double> times,
                     const Queue& queue) {
  const std::size_t size = tables_.outer.size() * n_variables;
  const std::size_t bytes = std::max<std::size_t>(size * times.size() * size_of(precision_), 1);
  if (outside_.bytes() < bytes) {
    outside_ = memory::Buffer(memory::working_space(queue.backend), bytes);
  }
  for (std::size_t c = 0; c < times.size(); ++c) {
    outside_host_ = outer_states(tables_.outer, conditions, options_.model.gas, times[c]);
    if (size > 0) upload(outside_, c * size, outside_host_, precision_, queue);
  }
  use_outside(0);
}

void Level::hold_sensor() {
  require(options_.sensor, "a sensor to hold");
  parameters_.sensor = {shock_memory_.start(0)};
  parameters_.hold_sensor = true;
}

void Level::forget_sensor(const Queue& queue) {
  require(parameters_.hold_sensor, "a held sensor to forget");
  const std::vector<double> nothing(static_cast<std::size_t>(blocks_.nodes), 0.0);
  for (int direction = 0; direction < troubled_variable; ++direction) {  // zero in any precision
    memory::copy_interior_from_host(shock_memory_, 0, 0, direction, nothing.data(), queue);
  }
}

void Level::use_outside(int number) {
  const std::size_t size = tables_.outer.size() * n_variables * size_of(precision_);
  outside_number_ = number;
  parameters_.surfaces.outside = {outside_.as<char>() + static_cast<std::size_t>(number) * size};
}

}  // namespace watersmeet::aerodynamics
