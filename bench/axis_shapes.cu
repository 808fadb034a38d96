// One stage by launches an axis with blocks of several shapes and bounds of registers, of shallow
// water (9 points) and of the atmosphere (flat ground, 13 points) in double precision: what chooses
// the numbers of AxisTuning (exec/axis_tuning.hpp). The second stage of ssp-rk3, which reads two
// solutions and writes one; fields are smooth waves, ghosts are nothing in particular.
//
//   cmake --build build/cuda --target bench_axis_shapes
//   build/cuda/bench/bench_axis_shapes [REPEATS]
//
// 1024 x 1024 cells of water and 484 x 232 x 116 of air; 20 repeats when not given.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "exec/face_axis_cuda.hpp"
#include "exec/plane_axis_cuda.hpp"
#include "exec/time_scheme.hpp"
#include "memory/state.hpp"
#include "schemes/kappa.hpp"
#include "systems/atmosphere/functors.hpp"
#include "systems/atmosphere/tables.hpp"
#include "systems/shallow_water/functors.hpp"

namespace {

using namespace watersmeet;
using exec::NeighbourSource;

template <int threads_, int row_, int beside_, int blocks_>
struct Tuning {
  static constexpr int threads = threads_, row = row_, beside = beside_, blocks = blocks_;
};

// Registers with waves of these sizes about these means in all variables.
struct Fields {
  Index3 cells;
  memory::State state;
  memory::Buffer clock;
  Queue queue;

  Fields(const Index3& n, const Index3& ghosts, const std::vector<double>& mean,
         const std::vector<double>& size, double dt, const Queue& q)
      : cells(n), queue(q) {
    memory::BlockShape shape{n, {}};
    shape.ghosts = ghosts;
    const int variables = int(mean.size());
    state = memory::State({shape}, variables, 3, Precision::double_, queue);
    std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
    for (int v = 0; v < variables; ++v) {
      std::size_t at = 0;
      for (std::int64_t k = 0; k < n[2]; ++k)
        for (std::int64_t j = 0; j < n[1]; ++j)
          for (std::int64_t i = 0; i < n[0]; ++i)
            values[at++] = mean[std::size_t(v)] +
                           size[std::size_t(v)] *
                               std::sin(0.1 * double(i) + 0.2 * double(j) + 0.15 * double(k));
      for (const int reg : {0, 2})
        memory::copy_interior_from_host(state, reg, 0, v, values.data(), queue);
    }
    clock = memory::Buffer(memory::working_space(queue.backend), sizeof(exec::Clock));
    exec::Clock running;
    running.active = 1;
    running.dt = dt;
    exec::write_clock(clock.as<exec::Clock>(), running, queue);
  }

  exec::Launch launch() {
    exec::Launch l;
    l.registers.layout = &state.layout(0);
    l.registers.in = state.start(0);
    l.registers.out = state.start(1);
    l.registers.increment = state.start(2);
    l.box = {{0, 0, 0}, cells};
    l.update = exec::time_scheme("ssp-rk3").stages[1];
    l.clock = clock.as<exec::Clock>();
    l.queue = queue;
    return l;
  }
};

template <NeighbourSource source, bool halo_threads, class Given, class Form, class Call>
void measure(const char* system, Fields& fields, const exec::CellArrays<double>& arrays,
             const Form& form, const Call& call, int repeats) {
  using Stage = exec::AxisStage<source, halo_threads, true, Given>;
  const auto once = [&] {
    Stage::run(arrays, exec::rounded<double>(call.update), form, call.clock, call.queue);
  };
  once();
  synchronize(fields.queue);
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < repeats; ++n) once();
  synchronize(fields.queue);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const double cells = double(fields.cells[0]) * double(fields.cells[1]) * double(fields.cells[2]);
  std::printf("%s %-12s threads %3d row %3d beside %2d blocks %d  %6.2f G cell-stages/s ", system,
              exec::name_of({source, halo_threads, true}).c_str(), Given::threads, Given::row,
              Given::beside, Given::blocks, cells * repeats / took.count() * 1e-9);
  for (const exec::KernelReport& r : Stage::template reports<double, Form>()) {
    std::printf(" %3d registers %2zu local %2d warps", r.registers, r.local_bytes,
                r.warps_per_multiprocessor);
  }
  std::printf("\n");
}

// `more`: blocks of 128 threads that a form may have on a multiprocessor beyond four.
template <int more, class Form, class Call>
void measure_shapes(const char* system, Fields& fields, const exec::CellArrays<double>& arrays,
                    const Form& form, const Call& call, int repeats) {
  const auto with = [&](auto source, auto halo, auto given) {
    measure<decltype(source)::value, decltype(halo)::value, decltype(given)>(system, fields, arrays,
                                                                             form, call, repeats);
  };
  using None = std::integral_constant<NeighbourSource, NeighbourSource::none>;
  using Shared = std::integral_constant<NeighbourSource, NeighbourSource::shared>;
  using Shuffle = std::integral_constant<NeighbourSource, NeighbourSource::shuffle>;
  with(None{}, std::false_type{}, Tuning<128, 64, 32, 4 + more>{});
  with(None{}, std::false_type{}, Tuning<128, 128, 16, 4>{});
  with(None{}, std::false_type{}, Tuning<256, 32, 32, 2>{});
  with(Shared{}, std::false_type{}, Tuning<256, 128, 16, 2>{});
  with(Shared{}, std::false_type{}, Tuning<256, 256, 8, 2>{});
  with(Shared{}, std::true_type{}, Tuning<256, 128, 16, 2>{});
  with(Shared{}, std::true_type{}, Tuning<256, 256, 8, 2>{});
  with(Shared{}, std::true_type{}, Tuning<256, 128, 16, 3>{});
  with(Shared{}, std::true_type{}, Tuning<256, 256, 8, 3>{});
  with(Shuffle{}, std::false_type{}, Tuning<128, 32, 4, 4 + more>{});
  with(Shuffle{}, std::false_type{}, Tuning<128, 32, 2, 4>{});
  with(Shuffle{}, std::true_type{}, Tuning<128, 32, 4, 4 + more>{});
  with(Shuffle{}, std::true_type{}, Tuning<128, 32, 2, 4 + more>{});
  with(Shuffle{}, std::true_type{}, Tuning<128, 32, 1, 4>{});
}

void measure_water(const Queue& queue, int repeats) {
  using namespace shallow_water;
  Fields fields({1024, 1024, 1}, {2, 2, 0}, {0, 0, 0}, {1, 100, 50}, 1, queue);
  // Water of 1000 m over a flat bed.
  memory::BlockShape shape{fields.cells, {}};
  shape.ghosts = {2, 2, 0};
  memory::State bed({shape}, 1, 1, Precision::double_, queue);
  const BlockLayout& layout = bed.layout(0);
  const std::vector<double> depth(std::size_t(fields.cells[0] * fields.cells[1]), -1000.0);
  memory::copy_interior_from_host(bed, 0, 0, 0, depth.data(), queue);
  Flow<double, Traits{}> flow;
  flow.p.gravity = 9.81;
  flow.mesh.inverse_spacing[0] = flow.mesh.inverse_spacing[1] = 1e-3;
  flow.p.kappa = schemes::kappa_weights(1.0 / 3.0);
  exec::Launch launch = fields.launch();
  launch.registers.extra = bed.start(0);
  launch.registers.extra_layout = &layout;
  using Form = exec::PlaneByAxes<double, Flow<double, Traits{}>>;
  measure_shapes<1>("water", fields, exec::arrays_of<double>(launch), Form{flow}, launch, repeats);
}

void measure_air(const Queue& queue, int repeats) {
  using namespace atmosphere;
  const Index3 cells{484, 232, 116};
  Fields fields(cells, {ghosts, ghosts, ghosts}, {0, 0, 0, 0, 0}, {1e-3, 10, 5, 0.1, 300}, 0.01,
                queue);
  TableRequest request;
  request.ground.cells = cells;
  request.ground.periodic = {true, true, false};
  request.ground.geometry.spacing = {100, 100, 100};
  request.reference.kind = ReferenceKind::stratified;
  Case air;
  for (int a = 0; a < 3; ++a) air.flow.inverse_spacing[a] = 0.01;
  air.flow.gamma = request.reference.gas.gamma();
  air.flow.kappa = schemes::kappa_weights(1.0 / 3.0);
  air.flow.medium = medium_of(request);
  const Tables tables(request, {{0, 0, 0}, cells}, Precision::double_, queue, air);
  air.flow.ground = 0;
  air.flow.lid = int(cells[2]);
  const exec::Launch launch = fields.launch();
  using F = Functors<double, Variant::flat>;
  using Scheme = Flow<double, Variant::flat, Choices::lmars_unlimited>;
  using Form = exec::FaceByAxes<double, Scheme, Finish<Scheme>>;
  measure_shapes<0>(
      "air  ", fields, exec::arrays_of<double>(launch),
      Form{F::flow<Choices::lmars_unlimited>(air), F::finish<Choices::lmars_unlimited>(air)},
      launch, repeats);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 20;
  try {
    select_cuda_device(0);
    Queue queue = make_cuda_queue();
    measure_water(queue, repeats);
    measure_air(queue, repeats);
    destroy_queue(queue);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
