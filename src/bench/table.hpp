#pragma once
// The printed table of a benchmark: a line for each row, a column for each label of the system.

#include <optional>

#include "bench/measure.hpp"

namespace watersmeet::bench {

class BenchTable {
 public:
  // `rows`: all that may come, for the width of the columns. `ratio`: name of a column for rows
  // that were measured in turn; empty: none. `compared`: with a column for the change against an
  // earlier result.
  BenchTable(std::string unit, const std::vector<BenchRow>& rows, std::string ratio, bool compared);

  // The line of a row; before that of the first row the heading.
  // `earlier_ns`: per point and step, of the same row in an earlier result.
  std::string row(const BenchResult& result, std::optional<double> earlier_ns = std::nullopt);
  // In its place where nothing was measured.
  std::string without(const BenchRow& row, const std::string& reason) const;

 private:
  std::string heading(const BenchResult& result) const;

  std::string unit_, ratio_;
  std::vector<std::size_t> widths_;  // of the labels' columns
  bool compared_, begun_ = false, with_flops_ = false;
};

}  // namespace watersmeet::bench
