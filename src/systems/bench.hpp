#pragma once
// What `watersmeet bench` measures of a system: the variants that make the rows of its table, and
// the case of each. A system gives it by a function in its folder, named in registry.cpp.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"

namespace watersmeet::systems {

// Name and value, such as {"method", "55-point"}: a column of the table and a key of the result.
using BenchLabel = std::pair<std::string, std::string>;

struct BenchVariant {
  std::string precision;           // "single" or "double"
  std::vector<BenchLabel> labels;  // the same names in the same order for all variants
  // The grid of a row that has one of its own, whatever the table's grids are; {0, 0, 0}: it has none.
  Index3 cells{};

  bool own_grid() const { return cells[0] > 0; }

  const std::string& label(const std::string& name) const;  // internal error when there is none
};

// Steps of the same case that a publication timed on the processors and on the GPU of its day.
struct PublishedRow {
  Index3 cells{};
  double cpu_ms = 0, gpu_ms = 0;
};
struct Published {
  std::string title, precision;
  std::string label;  // of the variants whose values are rows of their own
  std::vector<PublishedRow> rows;
};

// Rows whose steps are measured in turn (bench/in_turn.hpp), because what counts is how long
// one takes in steps of another. They follow each other and differ in one label.
struct InTurn {
  std::string label;  // empty: every row is measured by itself
  std::string ratio;  // name of the time of a step over that of the first of these rows
};

struct Bench {
  std::string unit = "point";          // what is counted: "ns/point"
  std::vector<Index3> grids;           // measured when --cells names none
  std::vector<BenchVariant> variants;  // rows of each grid, in order; then those with their own
  // An input file whose run lasts for as long as it is measured.
  std::function<std::string(const BenchVariant& variant, const Index3& cells)> case_text;
  // Keys, or sections, that a label stands for without having their name: --set cannot change them, because the
  // row would not say so. A label that has the name of a key follows it.
  std::vector<std::string> fixed = {};
  // Whether a grid has a row of a variant; without it, every grid has.
  std::function<bool(const BenchVariant& variant, const Index3& cells)> on_grid = {};
  InTurn in_turn;
  Published published;  // without rows where there is nothing to compare with
};

// Rows of both precisions and of every value of the key `choice` ("physics.energy"), on the grids that most systems take. `lines` are those
// of the case besides grid, precision, choice and the number of steps: sections with names, or keys with their whole paths.
Bench usual_bench(Backend backend, const std::string& system, const std::string& choice,
                  const std::vector<std::string>& values, const std::string& lines);

}  // namespace watersmeet::systems
