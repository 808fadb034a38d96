#pragma once
// Two files of the same kind, number by number: what `watersmeet diff` prints.

#include <cstdint>
#include <string>
#include <vector>

namespace watersmeet::commands {

// One array of both files. Norms are over all values (all components of a vector together):
// largest |a - b|, and L2 = sqrt(mean (a - b)^2). Relative means over the same norm of a.
struct ArrayDifference {
  std::string name;
  double largest = 0, largest_of_a = 0;
  double l2 = 0, l2_of_a = 0;
  std::int64_t count = 0;      // values
  std::int64_t differing = 0;  // values that differ in any bit (or in the type they are stored in)
  std::int64_t left_out = 0;   // of the norms: values not finite in a or b
  bool same_type = true;       // false: single in one file, double in the other

  bool bitwise_equal() const { return differing == 0 && same_type; }
  double relative_largest() const;
  double relative_l2() const;
};

struct Comparison {
  std::string a, b;              // paths
  std::string kind;              // "snapshot" or "checkpoint"
  std::string about_a, about_b;  // "step 100, t = 1"
  std::vector<ArrayDifference> arrays;
  std::vector<std::string> remarks;  // every other difference: grids, times, missing fields

  bool equal() const;
};

// Error{io} when one cannot be read. Arrays are compared only where both grids have the same number
// of cells.
Comparison compare_snapshots(const std::string& a, const std::string& b);
Comparison compare_checkpoints(const std::string& a, const std::string& b);

}  // namespace watersmeet::commands
