#pragma once
// Extrema and sums of an expression of a packed field on any device, and the same by a loop over the cells.

#include <cmath>
#include <string>
#include <vector>

#include "config/program.hpp"
#include "exec/reduce_program.hpp"
#include "memory/copy_there.hpp"

namespace watersmeet::test {

// A vector in `cells` cells with numbers of many sizes and both signs, in the precision of a run.
inline std::vector<double> rough_vector(std::int64_t cells, Precision precision) {
  std::vector<double> values;
  for (std::int64_t n = 0; n < 3 * cells; ++n) {
    const double x = std::sin(double(n) * 12.9898) * 43758.5453;
    const double value = std::ldexp(x - std::floor(x) - 0.5, static_cast<int>(n % 11) - 5);
    values.push_back(precision == Precision::single_ ? double(float(value)) : value);
  }
  return values;
}

struct Reduced {
  exec::ProgramExtrema extrema;
  double sum = 0;
};

inline Reduced reduce(const std::string& text, const std::vector<double>& values,
                      Precision precision, const Queue& queue) {
  std::vector<config::FieldInput> inputs;
  const auto program = config::compile_program(text, {{"velocity", 3}}, {}, inputs);
  const std::vector<float> rounded(values.begin(), values.end());
  const memory::Buffer packed = precision == Precision::double_
                                    ? memory::copy_there(values, queue)
                                    : memory::copy_there(rounded, queue);
  std::vector<exec::ProgramInput> from;
  for (const config::FieldInput& input : inputs)
    from.push_back({packed.start(), 3, input.component});
  const memory::Buffer of_inputs = memory::copy_there(from, queue),
                       code = memory::copy_there(program, queue);
  const std::int64_t n = std::ssize(values) / 3;
  const exec::ProgramCells cells{n, precision, of_inputs.as<exec::ProgramInput>(),
                                 code.as<Instruction>(), static_cast<int>(program.size())};
  Reduced result{exec::measure_program(cells, queue), 0};
  const exec::SumScale scale =
      exec::make_sum_scale(result.extrema.magnitude, std::max<std::int64_t>(n, 1));
  std::int64_t high_low[2] = {0, 0};
  exec::count_program(cells, scale, high_low, queue);
  result.sum = exec::sum_of(scale, high_low[0], high_low[1]);
  return result;
}

}  // namespace watersmeet::test
