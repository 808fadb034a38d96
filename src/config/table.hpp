#pragma once
// A function of one to three coordinates that is given by numbers at the crossings of lines: a bed,
// a terrain, an initial state from a file. Multilinear between the lines; beyond the outermost ones
// constant, or periodic.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/table_look_up.hpp"

namespace watersmeet::config {

class Table {
 public:
  struct Axis {
    std::vector<double> at;  // coordinates of the lines, rising or falling
    double period = 0;       // 0: constant beyond the outermost lines
  };

  // One axis for each argument; of `values` the first axis is the fastest. Throws Error{user_input}
  // where the lines are not in order, a period is shorter than what they span, or a number is not
  // finite.
  Table(std::vector<Axis> axes, std::vector<double> values);

  std::size_t arguments() const { return axes_.size(); }
  const Axis& axis(std::size_t argument) const { return axes_[argument]; }
  const std::vector<double>& values() const { return values_; }
  // At lines the numbers themselves, to the last bit.
  double at(const double* place) const { return look_up(view(), place); }
  // A view of this table's own numbers, which must outlive it.
  TableView view() const;

 private:
  std::vector<Axis> axes_;
  std::vector<double> values_;
};

// Settings of a table, [tables.NAME].
struct TableSource {
  std::string file, field;
  std::optional<std::size_t> component;   // of a field of vectors
  std::vector<double> periods;            // one for each argument, 0: none; empty: none at all
  std::string over = {};                  // of columns: that of the argument; "": the first one
  std::string unit = {}, over_unit = {};  // of the numbers in the file; "": those of the case
};

// Reads a file; throws Error with what is wrong.
using TableReader = std::function<Table(const TableSource&)>;

}  // namespace watersmeet::config
