#include "systems/boussinesq/initial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/usual_keys.hpp"
#include "schemes/philox.hpp"

namespace watersmeet::boussinesq {

using config::choice_key;
using config::count_key;
using config::expression_key;
using config::expressions_key;
using config::FaultKind;
using config::Key;

InitialState::InitialState(config::Input& input, const Parameters& parameters)
    : constants_(input.constants()), given_(static_cast<std::size_t>(parameters.variables())) {
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}]", n);
    if (input.is_set(entry + ".velocity")) {
      const auto texts = input.expressions3(entry + ".velocity");
      for (std::size_t a = 0; a < 3; ++a)
        given_[a] = {input.place(FaultKind::range, entry + ".velocity"), texts[a]};
    }
    const auto take = [&](const std::string& key, std::size_t variable) {
      if (!input.is_set(key)) return;
      given_[variable] = {input.place(FaultKind::range, key), input.expression(key)};
    };
    take(entry + ".temperature", temperature);
    check_scalar_names(input, entry + ".scalars", parameters.scalars);
    for (std::size_t s = 1; s < parameters.scalars.size(); ++s) {
      take(entry + ".scalars." + parameters.scalars[s].name + ".value", first_scalar + s);
    }
    const std::string noise = entry + ".noise";
    if (!input.is_set(noise)) continue;
    noises_.push_back({input.text(noise + ".field") == "velocity", input.real(noise + ".amplitude"),
                       static_cast<std::uint64_t>(input.integer(noise + ".seed"))});
  }
}

systems::GridCoordinates points_of(const StaggeredGrid& grid, const Box& box, int variable) {
  systems::GridCoordinates at;
  std::vector<double>* const axes[3] = {&at.x, &at.y, &at.z};
  for (int a = 0; a < 3; ++a) {
    const std::size_t n = static_cast<std::size_t>(a);
    for (std::int64_t i = box.lower[n]; i < box.upper[n]; ++i)
      axes[n]->push_back(variable == a ? grid.face(a, i) : grid.centre(a, i));
  }
  return at;
}

std::vector<double> tabulated(const std::string& expression, const config::Constants& constants,
                              const config::Fault& key, const systems::GridCoordinates& at,
                              int threads) {
  std::vector<double> values(at.x.size() * at.y.size() * at.z.size());
  systems::tabulate(expression, constants, at, threads, values.data());
  systems::require_finite(key, values, [&](std::size_t p) { return systems::point_text(at, p); });
  return values;
}

std::vector<double> InitialState::evaluate(int variable, const StaggeredGrid& grid, const Box& box,
                                           int threads) const {
  const Given& given = given_[static_cast<std::size_t>(variable)];
  const systems::GridCoordinates at = points_of(grid, box, variable);
  std::vector<double> values = tabulated(given.expression, constants_, given.place, at, threads);
  const std::size_t nx = at.x.size(), ny = at.y.size();
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::size_t i = p % nx, j = p / nx % ny, k = p / (nx * ny);
    for (const Noise& noise : noises_) {
      if (noise.velocity ? variable > 2 : variable != temperature) continue;
      const Index3& n = grid.cells();
      const std::int64_t cell = ((box.lower[2] + static_cast<std::int64_t>(k)) * n[1] +
                                 box.lower[1] + static_cast<std::int64_t>(j)) *
                                    n[0] +
                                box.lower[0] + static_cast<std::int64_t>(i);
      const schemes::Philox4 random =
          schemes::philox4x32(noise.seed, static_cast<std::uint64_t>(cell));
      // Along an axis of one cell nothing moves of itself.
      if (variable < 3 && grid.flat(variable)) continue;
      values[p] += noise.amplitude * (2 * schemes::to_unit_interval(random.v[variable]) - 1);
    }
  }
  return values;
}

std::vector<double> InitialState::sample(int variable, const StaggeredGrid& grid) const {
  constexpr std::int64_t most = 16;  // along each axis
  systems::GridCoordinates at;
  std::vector<double>* const axes[3] = {&at.x, &at.y, &at.z};
  for (int a = 0; a < 3; ++a) {
    const std::size_t axis = static_cast<std::size_t>(a);
    const std::int64_t n = grid.cells()[axis], samples = std::min(n, most);
    for (std::int64_t s = 0; s < samples; ++s) {
      const std::int64_t i = samples > 1 ? s * (n - 1) / (samples - 1) : 0;
      axes[axis]->push_back(variable == a ? grid.face(a, i) : grid.centre(a, i));
    }
  }
  const Given& given = given_[static_cast<std::size_t>(variable)];
  return tabulated(given.expression, constants_, given.place, at, 1);
}

double InitialState::noise_of(int variable) const {
  double sum = 0;
  for (const Noise& noise : noises_) {
    if (noise.velocity ? variable < 3 : variable == temperature) sum += noise.amplitude;
  }
  return sum;
}

std::vector<Key> initial_keys() {
  return {
      expressions_key(
          "initial[].velocity", "length/time", "", "x y z r",
          "Initial velocity, each component evaluated at its own faces; its divergence is "
          "removed by a projection. When unset, that of the previous entry, or 0."),
      expression_key("initial[].temperature", "temperature", "", "x y z r",
                     "Initial temperature. When unset, that of the previous entry, or 0."),
      expression_key("initial[].scalars.*.value", "1", "", "x y z r",
                     "Initial value of a scalar. When unset, that of the previous entry, or 0."),
      choice_key("initial[].noise.field", "temperature", {"temperature", "velocity"},
                 "Initial field to which uniformly distributed random numbers are added; for noise "
                 "on both fields give two entries."),
      {.path = "initial[].noise.amplitude",
       .required = true,
       .lowest = 0.0,
       .help = "Amplitude of the noise: the numbers lie between -amplitude and amplitude, in the "
               "unit of the field."},
      count_key("initial[].noise.seed", 0, "1",
                "Seed of the noise; the same seed gives the same noise on any machine."),
  };
}

}  // namespace watersmeet::boussinesq
