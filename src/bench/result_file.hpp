#pragma once
// Results of a benchmark as JSON, to be kept and compared with: see `--output` and `--compare`.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace watersmeet::bench {

// An object with the machine, the build and one object per row. The labels of a row are keys of
// its object.
std::string result_json(const std::string& system, const std::string& unit,
                        const BenchMachine& machine, int ranks,
                        const std::vector<BenchResult>& results, const std::string& command_line,
                        int indent);

// The rows of an earlier result.
class EarlierResults {
 public:
  EarlierResults() = default;
  // Error{user_input} when the file is none.
  explicit EarlierResults(const std::string& path);
  bool empty() const { return rows_.empty(); }
  // ns per point and step of the same grid, precision, kernel and labels; a label that the earlier
  // result does not have is not compared.
  std::optional<double> ns_of(const BenchResult& result) const;
  // Nanoseconds of the fastest row with these cells and this precision and label, whatever else it says.
  std::optional<double> fastest_ns(const Index3& cells, const std::string& precision,
                                   const std::string& label, const std::string& value) const;

 private:
  struct Row {
    Index3 cells{};
    std::map<std::string, std::string> texts;  // every member that is a text
    double ns = 0;
  };
  std::vector<Row> rows_;
};

}  // namespace watersmeet::bench
