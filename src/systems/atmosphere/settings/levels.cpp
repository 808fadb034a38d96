#include "systems/atmosphere/settings/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/usual_keys.hpp"
#include "schemes/kappa.hpp"
#include "systems/atmosphere/medium.hpp"

namespace watersmeet::atmosphere {

using config::FaultKind;

namespace {
const char* const faces_key = "grid.z_faces";
const char* const mapping_key = "grid.z_mapping";

std::vector<double> listed_faces(config::Input& input, std::int64_t count, double lower,
                                 double upper) {
  std::vector<double> faces = input.reals(faces_key);
  if (static_cast<std::int64_t>(faces.size()) != count + 1) {
    input.fault(FaultKind::bad_value, faces_key,
                fmt::format("{} faces are given for {} levels", faces.size(), count),
                fmt::format("give {} faces", count + 1));
    return {};
  }
  const double slack = 1e-12 * std::max({std::abs(lower), std::abs(upper), upper - lower});
  if (!(std::abs(faces.front() - lower) <= slack) || !(std::abs(faces.back() - upper) <= slack)) {
    input.fault(FaultKind::bad_value, faces_key,
                fmt::format("the faces go from {:g} to {:g}, and the grid goes from {:g} to {:g}",
                            faces.front(), faces.back(), lower, upper),
                "make the ends of the grid the first and the last face");
    return {};
  }
  for (double& face : faces) face -= lower;
  faces.back() = upper - lower;
  return faces;
}

// The mapping, scaled so that s = 0 is the bottom and s = 1 the lid.
std::vector<double> mapped_faces(config::Input& input, std::int64_t count, double depth,
                                 const config::Constants& constants) {
  const std::size_t n = static_cast<std::size_t>(count) + 1;
  std::vector<double> s(n), faces(n);
  for (std::size_t k = 0; k < n; ++k) s[k] = static_cast<double>(k) / static_cast<double>(count);
  config::Expression mapping(input.expression(mapping_key), {"s"}, constants);
  const double* const columns[1] = {s.data()};
  mapping.evaluate_row(n, columns, faces.data());
  const double first = faces.front(), rise = faces.back() - first;
  if (!std::isfinite(rise) || !(rise > 0)) {
    input.fault(
        FaultKind::bad_value, mapping_key,
        fmt::format("the mapping goes from {:g} at s = 0 to {:g} at s = 1, and it must rise", first,
                    faces.back()),
        "use one that rises with s, such as \"s + s^2\"");
    return {};
  }
  for (double& face : faces) face = (face - first) / rise * depth;
  faces.back() = depth;
  return faces;
}

bool are_levels(config::Input& input, const std::string& key, const std::vector<double>& faces,
                double lower) {
  for (std::size_t k = 1; k < faces.size(); ++k) {
    if (faces[k] > faces[k - 1]) continue;
    input.fault(FaultKind::bad_value, key,
                fmt::format("the faces do not ascend: z = {:g} of face {} follows z = {:g}",
                            lower + faces[k], k, lower + faces[k - 1]),
                "give the faces from the bottom to the lid in ascending order");
    return false;
  }
  for (std::size_t k = 2; k < faces.size(); ++k) {
    const double below = faces[k - 1] - faces[k - 2], above = faces[k] - faces[k - 1];
    if (std::max(below, above) <= greatest_growth * std::min(below, above)) continue;
    input.fault(FaultKind::range, key,
                fmt::format("level {} is {:.4g} thick, and level {} below it is {:.4g} thick",
                            k - 1, above, k - 2, below),
                fmt::format("the thicknesses of neighbouring levels may differ by a factor of at "
                            "most {:g}: beyond it accuracy is lost",
                            greatest_growth));
    return false;
  }
  return true;
}
}  // namespace

Levels::Levels(std::vector<double> faces)
    : count_(static_cast<std::int64_t>(faces.size()) - 1), faces_(std::move(faces)) {
  spacing_ = faces_.back() / static_cast<double>(count_);
}

double Levels::face(std::int64_t k) const {
  if (!stretched()) return static_cast<double>(k) * spacing_;
  if (k < 0) return -face(-k);
  if (k > count_) return 2 * faces_.back() - face(2 * count_ - k);
  return faces_[static_cast<std::size_t>(k)];
}

double Levels::middle(std::int64_t k) const {
  if (!stretched()) return (static_cast<double>(k) + 0.5) * spacing_;
  return 0.5 * (face(k) + face(k + 1));
}

double Levels::thickness(std::int64_t k) const {
  return stretched() ? face(k + 1) - face(k) : spacing_;
}

double Levels::reach(std::int64_t levels) const {
  if (!stretched()) return static_cast<double>(levels) * spacing_;
  return std::max(face(levels), depth() - face(count_ - levels));
}

std::vector<double> Levels::stretch_table(std::int64_t first, std::int64_t end,
                                          double kappa) const {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>((end - first) * stretch_values));
  for (std::int64_t k = first; k < end; ++k) {
    const double below = thickness(k - 1), here = thickness(k), above = thickness(k + 1);
    const double distance = middle(k) - middle(k - 1);
    const auto w = schemes::uneven_kappa_weights(below, here, above, kappa);
    double row[stretch_values];
    row[t_middle] = middle(k);
    row[t_face] = face(k);
    row[t_thickness] = here;
    row[t_inverse] = 1 / here;
    row[t_volume] = here / spacing_;
    row[t_distance] = distance;
    row[t_inverse_distance] = 1 / distance;
    row[t_upper_up] = w.upper_up;
    row[t_upper_down] = w.upper_down;
    row[t_lower_up] = w.lower_up;
    row[t_lower_down] = w.lower_down;
    row[t_share_up] = 2 * here / (here + above);
    row[t_share_down] = 2 * here / (here + below);
    const auto c = schemes::uneven_curvature_weights(below, here, above);
    row[t_curve_up] = c.up;
    row[t_curve_down] = c.down;
    values.insert(values.end(), row, row + stretch_values);
  }
  return values;
}

std::vector<config::Key> level_keys() {
  return {
      {.path = faces_key,
       .type = config::KeyType::reals,
       .unit = "length",
       .help = "Heights of the faces between levels, one more than levels, ascending from "
               "grid.lower to grid.upper, on a sphere from 0 to grid.top. Over terrain they are "
               "those above ground at the bottom of the grid. Neighbouring levels may differ in "
               "thickness by a factor of at most 2. Levels are equally thick when unset."},
      config::expression_key(
          mapping_key, "1", "", "s",
          "In place of z_faces: a function of s = k/levels that rises from the "
          "bottom (s = 0) to the lid (s = 1) like the height of face k, in any unit: "
          "\"s + s^2\" has levels three times as thick at the lid as at the ground."),
  };
}

std::string stretching_key(const config::Input& input) {
  for (const char* const key : {faces_key, mapping_key}) {
    if (input.is_set(key)) return key;
  }
  return {};
}

std::vector<double> read_levels(config::Input& input, std::int64_t count, double lower,
                                double upper, const config::Constants& constants) {
  const std::string key = stretching_key(input);
  if (key.empty() || !input.is_good(key)) return {};
  if (key == faces_key && input.is_set(mapping_key)) {
    input.fault(FaultKind::conflict, mapping_key,
                fmt::format("`{}` is given together with `{}` ({})", mapping_key, faces_key,
                            input.origin(faces_key)),
                "remove one of them");
    return {};
  }
  std::vector<double> faces = key == faces_key
                                  ? listed_faces(input, count, lower, upper)
                                  : mapped_faces(input, count, upper - lower, constants);
  if (faces.empty() || !are_levels(input, key, faces, lower)) return {};
  return faces;
}

}  // namespace watersmeet::atmosphere
