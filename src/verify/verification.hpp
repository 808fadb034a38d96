#pragma once
// A verification in progress: rows of measured values against known truths, and the simulations
// they are measured on. The functions of groups.hpp write the rows; `watersmeet verify` prints them
// and the tests expect every one to pass.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet::verify {

inline constexpr double two_pi = 6.283185307179586;

// How much is measured: what the test suite can afford, a few minutes, or everything.
enum class Extent { brief, quick, full };

enum class Outcome { pass, fail, reported };

struct VerifyRow {
  std::string group, name;
  double measured = 0;
  std::string expected;  // "6 +- 0.1", "below 1e-12"
  double tolerance = 0;  // accepted deviation from the expected value, or the bound itself
  Outcome outcome = Outcome::reported;
};

class Verification {
 public:
  // `on_row` is called with every row as soon as it is known; `options` are those of every simulation.
  Verification(SimulationOptions options, Extent extent,
               std::function<void(const VerifyRow&)> on_row = {});

  Extent extent() const { return extent_; }
  bool at_least(Extent extent) const { return extent_ >= extent; }
  // The value of the extent that is measured.
  std::int64_t by_extent(std::int64_t brief, std::int64_t quick, std::int64_t full) const {
    return extent_ == Extent::full ? full : extent_ == Extent::quick ? quick : brief;
  }
  bool single() const { return options_.precision == "single"; }
  bool on_gpu() const;  // where the simulations run
  const SimulationOptions& options() const { return options_; }

  // A simulation of the text of an input file. A precision in `precision` takes the place of the
  // chosen one, as do `threads`.
  Simulation start(const std::string& case_text, const std::string& precision = "",
                   int threads = 0) const;

  // Rows that follow belong to this group; groups.hpp's are begun by who measures them.
  void begin_group(const std::string& name) { group_ = name; }

  // One row each. A value that is not a number fails.
  void near(const std::string& name, double measured, double expected, double tolerance);
  void near_relative(const std::string& name, double measured, double expected, double tolerance);
  void below(const std::string& name, double measured, double bound);
  void above(const std::string& name, double measured, double bound);
  void within(const std::string& name, double measured, double lowest, double highest);
  void zero(const std::string& name, double measured);  // "0 bits differ" and the like
  void report(const std::string& name, double measured, const std::string& remark);
  // A measurement that came to no end.
  void failed(const std::string& name, const std::string& reason);
  // A part that is not measured this time, and why.
  void leave_out(const std::string& what, const std::string& why);

  const std::vector<VerifyRow>& rows() const { return rows_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  void add(const std::string& name, double measured, const std::string& expected, double tolerance,
           Outcome outcome);

  SimulationOptions options_;
  Extent extent_;
  std::function<void(const VerifyRow&)> on_row_;
  std::string group_;
  std::vector<VerifyRow> rows_;
  std::vector<std::string> left_out_;
};

const char* name_of(Outcome outcome);

// The first lines of an input file: the system, and a box of cells.
std::string box_text(const char* system, const Index3& cells, const Real3& lower,
                     const Real3& upper);

// A simulation of a case that text_of() makes the text of an input file of.
template <class Case>
Simulation start(const Verification& v, const Case& c, const std::string& precision = "",
                 int threads = 0) {
  return v.start(text_of(c), precision, threads);
}

}  // namespace watersmeet::verify
