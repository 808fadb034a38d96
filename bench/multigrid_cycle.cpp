// One multigrid cycle on a GPU, queued kernel by kernel and not as a graph, so that a profiler sees
// its kernels: periodic along x and y, walls along z, cubic cells, cycles in single precision.
// Prints the time of a cycle for several schedules.
//
//   cmake --build build/cuda --target bench_multigrid_cycle
//   build/cuda/bench/bench_multigrid_cycle [NX NY NZ [CYCLES]]
//
// 384 384 192 and 20 cycles when not given.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "core/error.hpp"
#include "exec/recorded_work.hpp"
#include "solve/multigrid/device_cycle.hpp"

int main(int argc, char** argv) {
  using namespace watersmeet;
  using namespace watersmeet::solve;
  const auto number = [&](int n, std::int64_t otherwise) {
    return argc > n ? std::strtoll(argv[n], nullptr, 10) : otherwise;
  };
  try {
    PoissonProblem problem;
    problem.cells = {number(1, 384), number(2, 384), number(3, 192)};
    problem.sides = {PoissonSide::periodic, PoissonSide::periodic, PoissonSide::periodic,
                     PoissonSide::periodic, PoissonSide::neumann,  PoissonSide::neumann};
    const int cycles = static_cast<int>(number(4, 20));
    select_cuda_device(0);
    Queue queue = make_cuda_queue();
    for (const Sweeps& sweeps : {Sweeps{2, 2}, Sweeps{1, 2}, Sweeps{2, 1}, Sweeps{1, 1}}) {
      HierarchyOptions options;
      options.sweeps = sweeps;
      const Hierarchy hierarchy = make_hierarchy(problem, options);
      for (const int half_sweeps : {4, 2}) {
        if (sweeps.before + sweeps.after == 2 && half_sweeps == 4) continue;  // it has fewer
        DeviceCycle<float> cycle(hierarchy.levels, {sweeps, half_sweeps, 0}, queue);
        const auto once = [&] { cycle.queue_cycle(Start::zero, {}, queue); };
        once();
        // Each call searches for the shapes of passes again: what is timed must not wait for the host.
        exec::RecordedWork recorded;
        recorded.record(queue, once);
        recorded.replay(queue);
        synchronize(queue);
        const double seconds = seconds_of(queue, [&] {
          for (int c = 0; c < cycles; ++c) recorded.replay(queue);
        });
        fmt::print("V({},{}) {} half sweeps a pass: {:.3f} ms a cycle\n", sweeps.before,
                   sweeps.after, half_sweeps, seconds / cycles * 1e3);
      }
    }
    destroy_queue(queue);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
