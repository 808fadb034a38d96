// One stage of the atmosphere by marching tiles of several shapes, over flat ground and over
// terrain: what chooses the numbers of CompactTuning (exec/tuning.hpp). The second stage of
// ssp-rk3, which reads two solutions and writes one, of a box with periodic sides.
//
//   cmake --build build/cuda --target bench_atmosphere_tiles
//   build/cuda/bench/bench_atmosphere_tiles [NX NY NZ [REPEATS]]
//
// 484 232 116 40 when not given.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "exec/time_scheme.hpp"
#include "memory/state.hpp"
#include "schemes/kappa.hpp"
#include "systems/atmosphere/settings/tables.hpp"
#include "systems/atmosphere/stage_tile_cuda.hpp"
#include "tile_timing.hpp"

namespace {

using namespace watersmeet;
using namespace watersmeet::atmosphere;

template <int rows_, int blocks_, bool split_>
struct Shape {
  static constexpr int rows = rows_, blocks = blocks_;
  static constexpr bool split = split_;
};

struct Setting {
  Index3 cells{484, 232, 116};
  int repeats = 40;
};

// A box of 100 m cells, stratified, with a hill where there is terrain; its fields are a warm
// bubble's in wind, ghosts included.
struct Problem {
  Queue queue;
  TableRequest request;
  BoxCase air;
  memory::State state;
  Tables tables;
  memory::Buffer clock;
  Precision precision;

  Problem(const Setting& s, bool terrain, Precision p, const Queue& q) : queue(q), precision(p) {
    Ground& ground = request.ground;
    ground.cells = s.cells;
    ground.periodic = {true, true, false};
    ground.geometry.spacing = {100, 100, 100};
    if (terrain) ground.text = "500*exp(-((x - 5000)^2 + (y - 5000)^2)/3000^2)";
    request.reference.kind = ReferenceKind::stratified;
    BoxParameters& flow = air.flow;
    for (int a = 0; a < 3; ++a) flow.mesh.inverse_spacing[a] = 0.01;
    flow.gamma = request.reference.gas.gamma();
    flow.kappa = schemes::kappa_weights(1.0 / 3.0);
    flow.mesh.medium = medium_of(request);
    const Box part{{0, 0, 0}, s.cells};
    tables = Tables(request, part, precision, queue, air);
    flow.mesh.ground = 0;
    flow.mesh.lid = static_cast<int>(s.cells[2]);
    memory::BlockShape shape{s.cells, {}};
    shape.ghosts = {ghosts, ghosts, ghosts};
    state = memory::State({shape}, n_variables, 3, precision, queue);
    fill_with_waves(state, s.cells, precision, {1e-3, 10, 5, 0.1, 300}, queue);
    clock = memory::Buffer(memory::working_space(queue.backend), sizeof(exec::Clock));
    exec::Clock running;
    running.active = 1;
    running.dt = 0.01;
    exec::write_clock(clock.as<exec::Clock>(), running, queue);
  }

  Problem(const Problem&) = delete;

  exec::Launch launch(const Setting& s) const {
    exec::Launch l;
    l.registers.layout = &state.layout(0);
    l.registers.in = state.start(0);
    l.registers.out = const_cast<void*>(static_cast<const void*>(state.start(1)));
    l.registers.increment = const_cast<void*>(static_cast<const void*>(state.start(2)));
    l.box = {{0, 0, 0}, s.cells};
    l.update = exec::time_scheme("ssp-rk3").stages[1];
    l.clock = const_cast<exec::Clock*>(clock.as<exec::Clock>());
    l.queue = queue;
    return l;
  }
};

template <class R, bool terrain, class Tuning>
void measure(const Setting& s, const Problem& problem) {
  using F = Functors<R, Traits{.terrain = terrain, .equal = true, .lmars = true}>;
  using Scheme = typename F::Flow;
  using Tile = exec::CompactShape<R, Scheme, Tuning>;
  const exec::Launch l = problem.launch(s);
  const auto once = [&] {
    exec::face_stage_compact<R, Scheme, typename F::Finish, Tile>(
        exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(problem.air),
        F::finish(problem.air), l.clock, l.queue);
  };
  const double cells = double(s.cells[0]) * double(s.cells[1]) * double(s.cells[2]);
  time_tile<R, Tuning>(terrain ? "terrain" : "flat", cells, s.repeats,
                       exec::face_compact_report<R, Scheme, typename F::Finish, Tile>(),
                       problem.queue, once);
}

template <class R, bool terrain>
void measure_shapes(const Setting& s, const Queue& queue) {
  const Problem problem(s, terrain, sizeof(R) == 8 ? Precision::double_ : Precision::single_,
                        queue);
  if constexpr (sizeof(R) == 8) {
    measure<R, terrain, Shape<8, 2, true>>(s, problem);
    measure<R, terrain, Shape<8, 2, false>>(s, problem);
    measure<R, terrain, Shape<16, 1, true>>(s, problem);
    measure<R, terrain, Shape<5, 3, false>>(s, problem);
  } else {
    measure<R, terrain, Shape<8, 3, true>>(s, problem);
    measure<R, terrain, Shape<8, 3, false>>(s, problem);
    measure<R, terrain, Shape<12, 2, false>>(s, problem);
    measure<R, terrain, Shape<8, 4, true>>(s, problem);
    measure<R, terrain, Shape<8, 4, false>>(s, problem);
    measure<R, terrain, Shape<16, 2, false>>(s, problem);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Setting s;
  for (int n = 0; n < 3; ++n) {
    if (argc > n + 1) s.cells[std::size_t(n)] = std::strtoll(argv[n + 1], nullptr, 10);
  }
  if (argc > 4) s.repeats = std::atoi(argv[4]);
  try {
    select_cuda_device(0);
    Queue queue = make_cuda_queue();
    measure_shapes<double, false>(s, queue);
    measure_shapes<double, true>(s, queue);
    measure_shapes<float, false>(s, queue);
    measure_shapes<float, true>(s, queue);
    destroy_queue(queue);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
