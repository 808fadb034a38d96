// Diagnostics of the solver: residuals, sums over nodes, forces and surface states. Sums
// are exact (comm/exact_reduction.hpp), so that ranks and threads leave no trace in them.
#include <algorithm>
#include <cmath>

#include "comm/exact_reduction.hpp"
#include "exec/clock_access.hpp"
#include "systems/aerodynamics/solver/flow_solver.hpp"

namespace watersmeet::aerodynamics {

namespace {

// Sums over all ranks of lists of values, one list a sum.
std::vector<double> sum_exactly(comm::Communicator& world, std::int64_t values_of_all,
                                const std::vector<std::vector<double>>& lists) {
  std::vector<double> sums(lists.size(), 0.0);
  if (values_of_all == 0) return sums;
  comm::reduce_exactly(
      world, static_cast<int>(lists.size()), 0, values_of_all,
      [&](double* largest) {
        for (std::size_t s = 0; s < lists.size(); ++s) {
          for (const double v : lists[s]) largest[s] = max_or_nan(largest[s], std::abs(v));
        }
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        for (std::size_t s = 0; s < lists.size(); ++s) {
          for (const double v : lists[s]) {
            const exec::MagicCount c = exec::count_with_magic(scales[s], v);
            exec::add_modulo(high_low[2 * s], c.high - exec::round_magic_bits);
            exec::add_modulo(high_low[2 * s + 1], c.low - exec::round_magic_bits);
          }
        }
      },
      sums.data());
  return sums;
}

}  // namespace

void FlowSolver::prepare_patches() {
  for (const mesh::BoundaryPatch& p : mesh_.patches) all_patch_nodes_ += p.box.count();
  std::vector<std::int32_t> nodes;
  for (const PatchNode& p : fine_->tables().patches) nodes.push_back(p.at);
  if (nodes.empty()) return;
  const std::size_t bytes = nodes.size() * sizeof(std::int32_t);
  patch_nodes_ = memory::Buffer(memory::working_space(queue_.backend), bytes);
  copy_bytes(patch_nodes_.start(), nodes.data(), bytes, queue_);
  synchronize(queue_);
  patch_packed_ = memory::Buffer(memory::working_space(queue_.backend),
                                 nodes.size() * n_variables * size_of(method_.precision));
}

std::vector<PatchState> FlowSolver::patch_states() {
  const std::vector<PatchNode>& nodes = fine_->tables().patches;
  std::vector<PatchState> states(nodes.size());
  if (nodes.empty()) return states;
  const std::size_t numbers = nodes.size() * n_variables;
  fine_->loops().gather({{state_.start(0)},
                         fine_->parameters().pitch,
                         patch_nodes_.as<std::int32_t>(),
                         {patch_packed_.start()}},
                        static_cast<std::int64_t>(nodes.size()), queue_);
  std::vector<double> packed(numbers);
  if (method_.precision == Precision::double_) {
    copy_bytes(packed.data(), patch_packed_.start(), numbers * sizeof(double), queue_);
    synchronize(queue_);
  } else {
    std::vector<float> single(numbers);
    copy_bytes(single.data(), patch_packed_.start(), numbers * sizeof(float), queue_);
    synchronize(queue_);
    packed.assign(single.begin(), single.end());
  }
  const std::vector<double>& outside = fine_->outside();
  const std::size_t places = fine_->tables().outer.size();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    states[i].node = &nodes[i];
    for (std::size_t v = 0; v < n_variables; ++v) {
      const int c = static_cast<int>(v);
      states[i].w[c] = packed[i * n_variables + v];
      if (nodes[i].surface.outside >= 0) {
        states[i].outside[c] =
            outside[v * places + static_cast<std::size_t>(nodes[i].surface.outside)];
      } else {
        states[i].outside[c] = 0;
      }
    }
  }
  return states;
}

// p* on walls, which is what the penalties conserve with; else that of the fluid.
double FlowSolver::patch_pressure(const PatchState& p) const {
  const Primitive<double> f = primitive_of(p.w, model_.gas);
  return p.node->surface.kind == SurfaceKind::slip_wall
             ? wall_pressure(model_.coupling.wall, f, p.node->area, model_.gas)
             : f.p;
}

std::vector<PatchForce> FlowSolver::forces(const Real3& about) {
  const std::size_t names = conditions_.size();
  std::vector<std::vector<double>> parts(6 * names);
  for (const PatchState& p : patch_states()) {
    const double push = (patch_pressure(p) - reference_.p) * p.node->weight;
    const Real3 x = mesh_.block(p.node->block).at(p.node->node);
    Vec<double, 3> force, arm;
    for (int m = 0; m < 3; ++m) {
      force[m] = push * p.node->area[m];
      arm[m] = x[static_cast<std::size_t>(m)] - about[static_cast<std::size_t>(m)];
    }
    const Vec<double, 3> moment = cross(arm, force);
    const std::size_t first = 6 * static_cast<std::size_t>(p.node->condition);
    for (std::size_t m = 0; m < 3; ++m) {
      parts[first + m].push_back(force[static_cast<int>(m)]);
      parts[first + 3 + m].push_back(moment[static_cast<int>(m)]);
    }
  }
  const std::vector<double> sums = sum_exactly(team_->communicator(), all_patch_nodes_, parts);
  std::vector<PatchForce> forces;
  for (std::size_t c = 0; c < names; ++c) {
    PatchForce f;
    f.patch = conditions_[c].patch;
    for (std::size_t m = 0; m < 3; ++m) {
      f.force[m] = sums[6 * c + m];
      f.moment[m] = sums[6 * c + 3 + m];
    }
    forces.push_back(f);
  }
  return forces;
}

std::vector<SurfaceNode> FlowSolver::surface(const std::string& patch) {
  std::vector<SurfaceNode> nodes;
  for (const PatchState& p : patch_states()) {
    if (conditions_[static_cast<std::size_t>(p.node->condition)].patch != patch) continue;
    const Primitive<double> f = primitive_of(p.w, model_.gas);
    SurfaceNode s;
    s.block = p.node->block;
    s.node = p.node->node;
    s.x = mesh_.block(s.block).at(s.node);
    s.pressure = patch_pressure(p);
    s.density = f.rho;
    for (std::size_t m = 0; m < 3; ++m) {
      s.area[m] = p.node->weight * p.node->area[static_cast<int>(m)];
      s.velocity[m] = f.u[static_cast<int>(m)];
    }
    nodes.push_back(s);
  }
  return nodes;
}

// One variable of a register, in double.
std::vector<double> FlowSolver::to_host(int reg, int variable) const {
  return to_host(state_, reg, variable);
}
std::vector<double> FlowSolver::to_host(const memory::State& state, int reg, int variable) const {
  const auto n = static_cast<std::size_t>(fine_->nodes());
  std::vector<double> values(n);
  if (method_.precision == Precision::double_) {
    memory::copy_interior_to_host(state, reg, 0, variable, values.data(), queue_);
  } else {
    std::vector<float> single(n);
    memory::copy_interior_to_host(state, reg, 0, variable, single.data(), queue_);
    values.assign(single.begin(), single.end());
  }
  return values;
}

std::vector<double> FlowSolver::residual() {
  evaluate_residual();
  std::vector<double> all;
  for (int v = 0; v < n_variables; ++v) {
    const std::vector<double> one = to_host(2, v);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

std::vector<double> FlowSolver::diagnose() {
  // The pool as rows for the reduce form: whole rows, and a last one with the rest.
  constexpr std::int64_t row = 1024;
  const std::int64_t rows = nodes() / row, rest = nodes() % row;
  BlockLayout layout = state_.layout(0);
  layout.n[0] = layout.stride[1] = row;
  layout.n[1] = rows + 1;
  std::vector<exec::Launch> parts;
  for (const Box& box : {Box{{0, 0, 0}, {row, rows, 1}}, Box{{0, rows, 0}, {rest, rows + 1, 1}}}) {
    if (box.count() == 0) continue;
    exec::Launch& part = parts.emplace_back();
    part.registers.layout = part.registers.extra_layout = &layout;
    part.registers.in = state_.start(0);
    part.registers.extra = state_.start(2);
    part.box = box;
    part.queue = queue_;
  }
  FlowLoops& loops = fine_->loops();
  std::vector<double> results(diagnosis::sums + diagnosis::maxima);
  comm::reduce_exactly(
      team_->communicator(), diagnosis::sums, diagnosis::maxima, all_nodes_,
      [&](double* largest) {
        for (const exec::Launch& part : parts) loops.measure(part, largest);
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        for (const exec::Launch& part : parts) loops.count(part, scales, high_low);
      },
      results.data());
  return results;
}

void FlowSolver::evaluate(Quantity quantity, int components, const Box& nodes, void* packed) {
  exec::Launch launch;
  launch.registers.layout = &state_.layout(0);
  launch.registers.in = state_.start(0);
  launch.box = nodes;
  launch.queue = queue_;
  fine_->loops().evaluate(launch, static_cast<int>(quantity), components, packed);
}

Monitor FlowSolver::monitor() {
  evaluate_residual();
  const std::vector<double> found = diagnose();
  Monitor m;
  for (std::size_t v = 0; v < n_variables; ++v) {
    m.residual[v] = std::sqrt(found[v] / static_cast<double>(all_nodes_));
  }
  m.residual_ratio = first_residual_ > 0 ? m.residual[s_rho] / first_residual_ : 1.0;
  m.supersonic = static_cast<std::int64_t>(found[diagnosis::supersonic]);
  m.mass = found[diagnosis::mass];
  m.energy = found[diagnosis::energy];
  m.entropy = found[diagnosis::entropy];
  m.enthalpy_error = found[diagnosis::sums + static_cast<int>(diagnosis::enthalpy_error)];

  // The node of the largest residual: the first one in the pool of all ranks.
  const std::vector<double> density = to_host(2, s_rho);
  const std::vector<double>& inverse = fine_->inverse_volumes();
  double largest = 0;
  std::int64_t at = -1;
  for (std::size_t i = 0; i < density.size(); ++i) {
    const double rate = std::abs(density[i]) * inverse[i];
    if (!(rate > largest)) continue;
    largest = rate;
    at = nodes_before_ + static_cast<std::int64_t>(i);
  }
  m.largest_residual = largest;
  comm::Communicator& world = team_->communicator();
  world.all_reduce_max(std::span<double>(&m.largest_residual, 1));
  double minus = at >= 0 && largest == m.largest_residual ? -static_cast<double>(at) : -1e300;
  world.all_reduce_max(std::span<double>(&minus, 1));
  m.largest_at = minus > -1e300 ? static_cast<std::int64_t>(-minus) : 0;

  std::int64_t events = exec::read_clock(clock(), queue_).events;
  world.all_reduce_sum(std::span<std::int64_t>(&events, 1));
  m.limited = events + limited_before_;

  fine_->read_sides(queue_);
  std::vector<std::vector<double>> fluxes(n_variables);
  for (const PatchState& p : patch_states()) {
    const Surface& s = p.node->surface;
    const Given<double>& given = fine_->given(s);
    const Conserved<double> own = flux(p.w, primitive_of(p.w, model_.gas), p.node->area);
    const Conserved<double> bracket =
        surface_penalty(s.kind, p.w, p.outside, p.node->area, given, model_.gas, model_.coupling);
    for (std::size_t v = 0; v < n_variables; ++v) {
      const int c = static_cast<int>(v);
      fluxes[v].push_back(p.node->weight * (own[c] + bracket[c]));
    }
  }
  const std::vector<double> sums = sum_exactly(world, all_patch_nodes_, fluxes);
  std::copy(sums.begin(), sums.end(), m.boundary_flux.begin());
  return m;
}

}  // namespace watersmeet::aerodynamics
