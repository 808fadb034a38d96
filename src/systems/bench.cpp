#include "systems/bench.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace watersmeet::systems {

const std::string& BenchVariant::label(const std::string& name) const {
  for (const BenchLabel& own : labels) {
    if (own.first == name) return own.second;
  }
  throw Error(ErrorKind::internal, "a row of the benchmark has no label " + name);
}

Bench usual_bench(Backend backend, const std::string& system, const std::string& choice,
                  const std::vector<std::string>& values, const std::string& lines) {
  Bench result;
  result.grids = backend == Backend::cuda ? std::vector<Index3>{{256, 256, 256}, {512, 512, 512}}
                                          : std::vector<Index3>{{64, 64, 64}, {128, 128, 128}};
  const std::string label = choice.substr(choice.rfind('.') + 1);
  for (const char* precision : {"single", "double"}) {
    for (const std::string& value : values)
      result.variants.push_back({precision, {{label, value}}});
  }
  result.case_text = [=](const BenchVariant& variant, const Index3& cells) {
    return fmt::format(
        "case.system = \"{}\"\ngrid.cells = [{}, {}, {}]\nnumerics.precision = \"{}\"\n"
        "time.steps = 1000000000\n{} = \"{}\"\n{}",
        system, cells[0], cells[1], cells[2], variant.precision, choice, variant.label(label),
        lines);
  };
  return result;
}

}  // namespace watersmeet::systems
