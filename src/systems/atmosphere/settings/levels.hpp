#pragma once
// The levels of a grid: faces above its bottom, equally far apart or as a case asks (grid.z_faces,
// grid.z_mapping). Levels below the ground and above the lid are the mirror images of those inside.
//
//   face(-1)     face(0) = 0     face(1)          face(2)
//      |----o-------|------o------|--------o--------|        o middle(k), above face(k)
//     mirror image  ground

#include <cstdint>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "config/input.hpp"
#include "config/schema.hpp"
#include "core/types.hpp"

namespace watersmeet::atmosphere {

class Levels {
 public:
  Levels() = default;
  Levels(std::int64_t count, double spacing) : count_(count), spacing_(spacing) {}
  // count + 1 of them, from 0 upwards.
  explicit Levels(std::vector<double> faces);

  bool stretched() const { return !faces_.empty(); }
  std::int64_t count() const { return count_; }
  double depth() const { return face(count_); }
  double face(std::int64_t k) const;
  double middle(std::int64_t k) const;
  double thickness(std::int64_t k) const;
  // How far so many levels beyond the ground or the lid reach, the farther of both.
  double reach(std::int64_t levels) const;

  // StretchValue of the levels first <= k < end, for the kappa scheme.
  std::vector<double> stretch_table(std::int64_t first, std::int64_t end, double kappa) const;

 private:
  std::int64_t count_ = 1;
  double spacing_ = 1;  // the mean one where levels are stretched
  std::vector<double> faces_;
};

// Between two levels that touch, the thicker over the thinner one: beyond it a case is refused.
constexpr double greatest_growth = 2;

std::vector<config::Key> level_keys();
// Whether a case has keys for them; the first key that does.
std::string stretching_key(const config::Input& input);
// Faces above the bottom of the grid as the case gives them; empty: equally far apart, also where
// something is wrong, which the input knows then.
std::vector<double> read_levels(config::Input& input, std::int64_t count, double lower,
                                double upper, const config::Constants& constants);

}  // namespace watersmeet::atmosphere
