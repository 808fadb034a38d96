// The parts of a stage, each timed by itself, for `bench`.
#include <algorithm>
#include <chrono>

#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

std::vector<exec::KernelTime> BoussinesqSystem::time_kernels(int repeats) {
  exec::Clock now;
  now.active = 1;
  now.dt = now.dt_before = rule_.longest;
  set_clock(now);
  const FlowCall c = call(0, 1);
  const double cells = static_cast<double>(c.box.count());
  const double word = static_cast<double>(size_of(precision_)) * cells;
  const double n = parameters_.variables();
  constexpr int launches = 20;  // of a sample, so that waiting for them counts little
  std::vector<exec::KernelTime> times;
  const auto measure = [&](const char* name, double words, const auto& launch) {
    std::vector<double> seconds;
    launch();
    for (int r = 0; r < repeats; ++r) {
      synchronize(queue_);
      const auto begin = std::chrono::steady_clock::now();
      for (int l = 0; l < launches; ++l) launch();
      synchronize(queue_);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      seconds.push_back(took.count() / launches);
    }
    std::sort(seconds.begin(), seconds.end());
    times.push_back({name, seconds[seconds.size() / 2], words * word,
                     static_cast<double>(scheme_.stages.size())});
  };
  measure("right-hand side and update", 4 * n, [&] {
    FlowCall stage = c;
    stage.update = scheme_.stages.back();
    kernels_.stage(stage);
  });
  measure("wall faces", 0, [&] { kernels_.fill_ghosts(c, tables_.rules(), true); });
  measure("divergence", 4, [&] { kernels_.divergence(c); });
  measure("pressure", iterative() ? 0 : 10, [&] {
    solver_->solve({&pressure_, 0, 1, clock_.as<exec::Clock>()}, stop_);
  });
  measure("ghosts of the pressure", 0,
          [&] { kernels_.fill_pressure_ghosts(c, tables_.pressure_rules()); });
  measure("projection", 7, [&] { kernels_.project(c); });
  measure("ghosts", 0, [&] { kernels_.fill_ghosts(c, tables_.rules(), false); });
  return times;
}

}  // namespace watersmeet::boussinesq
