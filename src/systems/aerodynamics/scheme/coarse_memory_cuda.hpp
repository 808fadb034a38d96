#pragma once
// What the threads of a program of coarse_program.hpp share on CUDA, and its operations on that: see coarse_program_cuda.hpp.

#include <cooperative_groups.h>

#include "exec/back_end.hpp"
#include "systems/aerodynamics/scheme/coarse_program.hpp"

namespace watersmeet::aerodynamics {

// GPUs of compute capability 9.0 and later have clusters. Earlier ones get a kernel without
// instructions, which `program_room()` never lets run.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WATERSMEET_CLUSTERS 1
#else
#define WATERSMEET_CLUSTERS 0
#endif

constexpr int program_threads = 512;  // of a thread block, which leaves them 128 registers

// The shared memory of a cluster, seen from a thread.
template <class R>
struct ProgramMemory {
  using Share = ProgramShare;
  const CoarseProgram<R>& program;
  char* mine;
  unsigned rank;

  __device__ R* numbers(const Share& s, int number, int slot) const {
    return reinterpret_cast<R*>(mine + s.numbers) + number * s.chunk + slot;
  }
  __device__ ProgramNeighbours* neighbours(const Share& s) const {
    return reinterpret_cast<ProgramNeighbours*>(mine + s.neighbours);
  }
  __device__ ProgramSide* sides(const Share& s) const {
    return reinterpret_cast<ProgramSide*>(mine + s.sides);
  }
  __device__ Surface* surfaces(const Share& s) const {
    return reinterpret_cast<Surface*>(mine + s.surfaces);
  }
  // A number of a node anywhere in the cluster.
  __device__ const R* numbers_at(const Share& s, int number, unsigned location) const {
    // Whatever is computed ahead of a decision asks for a thread block that exists.
    const unsigned owner = (location >> Share::slot_bits) & unsigned(program.blocks - 1);
    const char* theirs = mine;
#if WATERSMEET_CLUSTERS
    if (owner != rank) {
      theirs = cooperative_groups::this_cluster().map_shared_rank(mine, owner);
    }
#endif
    const unsigned slot = location & ((1u << Share::slot_bits) - 1);
    return reinterpret_cast<const R*>(theirs + s.numbers) + number * s.chunk + slot;
  }
  __device__ static Conserved<R> conserved_of(const R* at, int chunk) {
    Conserved<R> w;
#pragma unroll
    for (int v = 0; v < n_variables; ++v) w[v] = at[v * chunk];
    return w;
  }
  __device__ static CoarseFlow<R> primitive_of(const R* at, int chunk) {
    return {{at[0], {{at[chunk], at[2 * chunk], at[3 * chunk]}}, at[4 * chunk]}, at[5 * chunk]};
  }
  __device__ static void store(const CoarseFlow<R>& f, R* at, int chunk) {
    at[0] = f.flow.rho;
#pragma unroll
    for (int m = 0; m < 3; ++m) at[(1 + m) * chunk] = f.flow.u[m];
    at[4 * chunk] = f.flow.p;
    at[5 * chunk] = f.sound;
  }
  __device__ static void store(const Conserved<R>& w, R* at, int chunk) {
#pragma unroll
    for (int v = 0; v < n_variables; ++v) at[v * chunk] = w[v];
  }
  // `flow`: which of the two.
  __device__ CoarseNode<R> node(const Share& s, unsigned location, int flow, int d) const {
    const R* const at = numbers_at(s, 0, location);
    const R* const area = at + (Share::area + Share::area_size * d) * s.chunk;
    return {primitive_of(at + flow * Share::flow_size * s.chunk, s.chunk),
            {{area[0], area[s.chunk], area[2 * s.chunk]}},
            area[3 * s.chunk]};
  }

  // Nodes of a grid that this block has.
  __device__ int count(int g) const {
    const std::int64_t rest = program.grids[g].nodes - std::int64_t(rank) * share(g).chunk;
    return int(max(std::int64_t{0}, min(rest, std::int64_t(share(g).chunk))));
  }
  __device__ const Share& share(int g) const { return program.grids[g].share; }
  __device__ std::int64_t node_of(int g, int slot) const {
    return std::int64_t(rank) * share(g).chunk + slot;
  }
  __device__ exec::NodePoint point(int g, int slot) const {
    ProgramOp op;
    op.grid = static_cast<std::uint8_t>(g);
    return program.point(op, std::int32_t(node_of(g, slot)));
  }

  // From the arrays of a level.
  __device__ void bring(int g) const {
    const ProgramGrid<R>& grid = program.grids[g];
    const Share& s = grid.share;
    for (int slot = int(threadIdx.x); slot < count(g); slot += int(blockDim.x)) {
      const exec::NodePoint p = point(g, slot);
      ProgramNeighbours near;
      for (int d = 0; d < 3; ++d) {
        for (int up = 0; up < 2; ++up) {
          const bool there = up ? p.index[d] < p.block->n[d] - 1 : p.index[d] > 0;
          const std::int64_t away = !there ? 0 : up ? p.stride[d] : -p.stride[d];
          near.at[2 * d + up] = static_cast<std::uint16_t>(s.location(p.node + away));
          if (there) near.exists |= static_cast<std::uint16_t>(1 << (2 * d + up));
        }
        if (d >= program.directions) continue;
        Area<R> area;
        for (int m = 0; m < 3; ++m) area[m] = grid.area[(3 * d + m) * grid.pitch + p.node];
        R* const at = numbers(s, Share::area + Share::area_size * d, slot);
        for (int m = 0; m < 3; ++m) at[m * s.chunk] = area[m];
        at[3 * s.chunk] = sqrt_(fused_dot(area, area));
      }
      if (grid.surface_of[p.node] >= 0) near.exists |= 1 << ProgramNeighbours::side_bit;
      neighbours(s)[slot] = near;
      if (g > 0) continue;
      Conserved<R> w, forcing;
      for (int v = 0; v < n_variables; ++v) {
        w[v] = grid.registers[0][v * grid.pitch + p.node];
        forcing[v] = grid.registers[CoarseProgram<R>::forcing][v * grid.pitch + p.node];
      }
      store(w, numbers(s, Share::base, slot), s.chunk);
      store(forcing, numbers(s, Share::forcing, slot), s.chunk);
      store(coarse_flow_of(w, program.model.gas), numbers(s, Share::flow, slot), s.chunk);
    }
    const std::int32_t first = s.first_side[rank], sides_here = s.first_side[rank + 1] - first;
    const std::int32_t* const lists = grid.surfaces.first + first;
    for (int n = int(threadIdx.x); n < sides_here; n += int(blockDim.x)) {
      const std::int64_t node = grid.surfaces.node[first + n];
      sides(s)[n] = {int(node - node_of(g, 0)), lists[n] - lists[0], lists[n + 1] - lists[0]};
      for (int e = lists[n]; e < lists[n + 1]; ++e) {
        Surface surface = grid.surfaces.surfaces[e];
        if (surface.partner >= 0) surface.partner = std::int32_t(s.location(surface.partner));
        surfaces(s)[e - lists[0]] = surface;
      }
    }
  }

  // The sum of penalties of a side, where its node will write its next flow.
  __device__ void penalise(int g, int number, int flow, int out,
                           const CoarseScheme<R>& scheme) const {
    const ProgramGrid<R>& grid = program.grids[g];
    const Share& s = grid.share;
    const ProgramSide side = sides(s)[number];
    const R* const at = numbers(s, 0, side.slot);
    const Conserved<R> w =
        scheme.conserved_of(primitive_of(at + flow * Share::flow_size * s.chunk, s.chunk).flow);
    Conserved<R> sum;
    for (int v = 0; v < n_variables; ++v) sum[v] = R(0);
#pragma unroll 1
    for (int e = side.first; e < side.last; ++e) {
      const Surface& surface = surfaces(s)[e];
      Conserved<R> beyond = w;
      if (surface.partner >= 0) {
        const R* const there = numbers_at(s, flow * Share::flow_size, unsigned(surface.partner));
        beyond = scheme.conserved_of(primitive_of(there, s.chunk).flow);
      } else if (surface.outside >= 0) {
        beyond =
            grid.surfaces.load(grid.surfaces.outside, grid.surfaces.outside_pitch, surface.outside);
      }
      Area<R> area;
      for (int m = 0; m < 3; ++m) {
        area[m] = R(surface.sign) *
                  at[(Share::area + Share::area_size * surface.direction + m) * s.chunk];
      }
      Given<R> given;
      if (surface.kind == SurfaceKind::inflow_total ||
          surface.kind == SurfaceKind::outflow_pressure) {
        given = grid.surfaces.given[surface.given];
      }
      const Conserved<R> bracket = surface_penalty(surface.kind, w, beyond, area, given,
                                                   program.model.gas, program.model.coupling);
      for (int v = 0; v < n_variables; ++v) sum[v] = sum[v] + R(surface.factor) * bracket[v];
    }
    store(sum, numbers(s, out * Share::flow_size, side.slot), s.chunk);
  }

  __device__ typename CoarseProgram<R>::Sum rates(const ProgramOp& op, int slot, int flow,
                                                  const ProgramNeighbours& near,
                                                  const CoarseScheme<R>& scheme) const {
    const Share& s = share(op.grid);
    const unsigned own = rank << Share::slot_bits | unsigned(slot);
    const bool dissipates = parts_of(program.update_of(op)).dissipation;
    const bool steps = CoarseProgram<R>::makes_steps(op);
    typename CoarseProgram<R>::Sum sum;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      const bool below = near.exists >> (2 * d) & 1, above = near.exists >> (2 * d + 1) & 1;
      if (!below && !above) continue;
      add_first_order(sum.rates, scheme, node(s, near.at[2 * d], flow, d), node(s, own, flow, d),
                      node(s, near.at[2 * d + 1], flow, d), below, above, dissipates,
                      steps ? &sum.largest : nullptr);
    }
    return sum;
  }

  // What follows a right-hand side; 1 where something was limited.
  __device__ int update(const ProgramOp& op, int slot, int flow, bool is_side,
                        typename CoarseProgram<R>::Sum& sum) const {
    const Share& s = share(op.grid);
    R* const next = numbers(s, (1 - flow) * Share::flow_size, slot);
    if (is_side) {
      const Conserved<R> penalties = conserved_of(next, s.chunk);
      for (int v = 0; v < n_variables; ++v) sum.rates.flux[v] = sum.rates.flux[v] + penalties[v];
    }
    if (CoarseProgram<R>::makes_steps(op)) {
      *numbers(s, Share::step, slot) = program.cfl * rcp_(sum.largest);
    }
    StageArrays<R> arrays;
    const int out = op.kind == ProgramKind::stage      ? (1 - flow) * Share::flow_size
                    : op.kind == ProgramKind::residual ? Share::kept
                                                       : Share::forcing;
    arrays.out = {numbers(s, out, 0)};
    arrays.base = {numbers(s, Share::base, 0)};
    arrays.kept = {numbers(s, Share::kept, 0)};
    if (op.forced) arrays.forcing = {numbers(s, Share::forcing, 0)};
    arrays.local_step = {numbers(s, Share::step, 0)};
    arrays.inverse_volume = arrays.local_step;  // of a form that programs do not have
    arrays.pitch = s.chunk;
    exec::NodePoint p;
    p.node = slot;
    const StageEpilogue<R> epilogue{program.update_of(op), arrays, program.model, program.clock,
                                    true};
    const int limited = epilogue(p, sum.rates, 1) != R(0) ? 1 : 0;
    if (op.kind != ProgramKind::stage) return 0;
    const Conserved<R> w = conserved_of(next, s.chunk);
    store(coarse_flow_of(w, program.model.gas), next, s.chunk);
    if (op.stage == CoarseProgram<R>::n_stages - 1) {
      store(w, numbers(s, Share::base, slot), s.chunk);
    }
    return limited;
  }

  __device__ void descend(const ProgramOp& op, int slot) const {
    const Share &s = share(op.grid), &fine = share(op.grid - 1);
    const exec::NodePoint p = point(op.grid, slot);
    Restrict<R> body{};
    body.tables = program.grids[op.grid].transfer;
    const Conserved<R> residual = body.restricted(p, [&](std::int64_t from) {
      return conserved_of(numbers_at(fine, Share::kept, fine.location(from)), fine.chunk);
    });
    store(residual, numbers(s, Share::forcing, slot), s.chunk);
    const std::int64_t from = detail::kept_place(body.tables, p);
    const Conserved<R> w =
        conserved_of(numbers_at(fine, Share::base, fine.location(from)), fine.chunk);
    store(w, numbers(s, Share::base, slot), s.chunk);
    store(w, numbers(s, Share::injected, slot), s.chunk);
    store(coarse_flow_of(w, program.model.gas), numbers(s, op.solution * Share::flow_size, slot),
          s.chunk);
  }

  __device__ int ascend(const ProgramOp& op, int slot) const {
    const Share &s = share(op.grid), &coarse = share(op.grid + 1);
    const exec::NodePoint p = point(op.grid, slot);
    Correct<R> body{};
    body.tables = program.grids[op.grid + 1].transfer;
    body.model = program.model;
    const Conserved<R> change = body.change_at(p, [&](std::int64_t from) {
      const R* const at = numbers_at(coarse, 0, coarse.location(from));
      Conserved<R> d = conserved_of(at + Share::base * coarse.chunk, coarse.chunk);
      const Conserved<R> before = conserved_of(at + Share::injected * coarse.chunk, coarse.chunk);
      for (int v = 0; v < n_variables; ++v) d[v] = d[v] - before[v];
      return d;
    });
    R* const base = numbers(s, Share::base, slot);
    Conserved<R> w = conserved_of(base, s.chunk);
    const R theta = body.share_taken(w, change);
    for (int v = 0; v < n_variables; ++v) w[v] = w[v] + theta * change[v];
    store(w, base, s.chunk);
    store(coarse_flow_of(w, program.model.gas), numbers(s, op.solution * Share::flow_size, slot),
          s.chunk);
    return theta < R(1) ? 1 : 0;
  }

  // All nodes and sides of this block.
  __device__ int run(const ProgramOp& op, const CoarseScheme<R>& scheme) const {
    const int thread = int(threadIdx.x), threads = int(blockDim.x), nodes = count(op.grid);
    int limited = 0;
    if (op.kind == ProgramKind::descend || op.kind == ProgramKind::ascend) {
      for (int slot = thread; slot < nodes; slot += threads) {
        if (op.kind == ProgramKind::descend) {
          descend(op, slot);
        } else {
          limited += ascend(op, slot);
        }
      }
      return limited;
    }
    // The flow that the operation reads: of stages by turns, from the solution on.
    const int flow =
        op.kind == ProgramKind::stage && op.stage % 2 == 1 ? 1 - op.solution : op.solution;
    const Share& s = share(op.grid);
    const int sides_here = s.first_side[rank + 1] - s.first_side[rank];
    for (int n = threads - 1 - thread; n < sides_here; n += threads) {
      penalise(op.grid, n, flow, 1 - flow, scheme);
    }
    const int rounds = (s.chunk + threads - 1) / threads;
    for (int round = 0; round < rounds; ++round) {
      const int slot = thread + round * threads;
      const bool has_node = slot < nodes;
      ProgramNeighbours near;
      typename CoarseProgram<R>::Sum sum;
      if (has_node) {
        near = neighbours(s)[slot];
        sum = rates(op, slot, flow, near, scheme);
      }
      if (round == 0) __syncthreads();  // for the penalties
      if (has_node) {
        const bool is_side = near.exists >> ProgramNeighbours::side_bit & 1;
        limited += update(op, slot, flow, is_side, sum);
      }
    }
    return limited;
  }

  __device__ void take_back() const {
    const ProgramGrid<R>& grid = program.grids[0];
    R* const solution = grid.registers[program.solution];
    for (int slot = int(threadIdx.x); slot < count(0); slot += int(blockDim.x)) {
      const Conserved<R> w = conserved_of(numbers(grid.share, Share::base, slot), grid.share.chunk);
      for (int v = 0; v < n_variables; ++v) solution[v * grid.pitch + node_of(0, slot)] = w[v];
    }
  }
};

}  // namespace watersmeet::aerodynamics
