#pragma once
// Streamed cases on all ranks of an MPI launch: the bits of one rank whose solution stays on the device.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>

#include "run/engine.hpp"
#include "support/parallel.hpp"
#include "support/stream_cases.hpp"

namespace watersmeet::test {

inline void expect_part(const std::vector<double>& whole, const std::vector<double>& part,
                        const Box& box, const Index3& n, const std::string& name) {
  const std::size_t components = whole.size() / static_cast<std::size_t>(n[0] * n[1] * n[2]);
  ASSERT_EQ(part.size(), static_cast<std::size_t>(box.count()) * components) << name;
  std::size_t at = 0;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) {
        const std::size_t cell = static_cast<std::size_t>((k * n[1] + j) * n[0] + i);
        for (std::size_t c = 0; c < components; ++c) {
          ASSERT_EQ(part[at++], whole[cell * components + c])
              << name << ' ' << i << ' ' << j << ' ' << k;
        }
      }
    }
  }
}

// Some steps of a case on all ranks, streamed as `more` says, against one rank; that one streams too if `one_streams`, for time steps that follow
// from the visits.
inline void expect_ranks_like_one(const StreamCase& c, const std::string& device,
                                  const std::string& precision,
                                  const std::vector<std::string>& more, bool one_streams = false) {
  const int steps = one_streams ? 6 : 3;
  std::vector<std::string> words = {"device.share=true", "device.memory=stream"};
  words.insert(words.end(), more.begin(), more.end());
  Simulation one = start_case(c, device, precision,
                              one_streams ? words : std::vector<std::string>{"device.share=true"});
  one.step(steps);
  // Before the other run, whose device may be another one of this process.
  std::map<std::string, std::vector<double>> variables, quantities;
  for (const std::string& name : one.variables()) variables[name] = one.variable(name);
  for (const std::string& name : one.quantities()) quantities[name] = one.field(name);
  const auto alone = one.diagnostics();
  const double t = one.t(), dt = one.dt();
  SimulationOptions options{device, precision, 1, c.set};
  options.set.insert(options.set.end(), words.begin(), words.end());
  run::Case loaded = run::load_case_text(c.text, c.name, options);
  run::Placement placement = run::place_case(loaded, world());
  if (!placement.ranks) return;  // the grid has no part for this rank
  const Index3 n = loaded.system->grid().n();
  const Box box = placement.share(n).mine;
  run::Engine together(std::move(loaded), std::move(placement));
  ASSERT_TRUE(together.streaming());
  together.series();
  together.advance(std::numeric_limits<double>::max(), steps);
  EXPECT_EQ(t, together.clock().t);
  EXPECT_EQ(dt, together.clock().dt);
  for (const auto& [name, values] : variables)
    expect_part(values, together.variable_as_doubles(name), box, n, name);
  for (const auto& [name, values] : quantities)
    expect_part(values, together.quantity_as_doubles(name), box, n, name);
  const std::vector<double> sums = together.series();
  const auto columns = together.system().series_columns();
  for (std::size_t s = 0; s < columns.size(); ++s) {
    const double expected = alone.at(columns[s].name);
    EXPECT_NEAR(expected, sums[s], unit_of_sum(columns[s].name, expected)) << columns[s].name;
  }
}

inline void expect_all_ranks_like_one(const std::string& device, const std::string& precision) {
  int number = 0;
  for (const StreamCase& c : stream_cases()) {
    SCOPED_TRACE(c.name + ", " + precision);
    const int fused = precision == "double" ? std::min(c.most_fused, 2) : 1;
    const int segments = fused == 1 ? c.many_segments - 4 : 3;
    expect_ranks_like_one(c, device, precision,
                          {"stream.fused_steps=" + std::to_string(fused),
                           "stream.segments=" + std::to_string(segments)});
    if (number++ % 3 != 0) continue;
    SCOPED_TRACE("stage by stage");
    expect_ranks_like_one(c, device, precision, {"stream.scheme=stage", "stream.segments=4"});
  }
  for (const StreamCase& c : host_update_cases()) {
    if (rounds_apart(c, device, precision)) continue;
    SCOPED_TRACE(c.name + ", updated on the host, " + precision);
    expect_ranks_like_one(c, device, precision, updated_on_host(4));
  }
}

}  // namespace watersmeet::test
