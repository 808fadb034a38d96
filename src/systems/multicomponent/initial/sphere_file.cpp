// Reading a file of bubbles. Numbers are read by from_chars, which knows neither locales nor
// trailing letters.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "systems/multicomponent/initial/shapes.hpp"

namespace watersmeet::multicomponent {
namespace {

constexpr std::size_t most_faults = 5;

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view space = " \t\r\f\v";
  std::vector<std::string_view> fields;
  for (std::size_t at = line.find_first_not_of(space); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(space, at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(space, end);
  }
  return fields;
}

// The fault of the fields of a line; empty when they are a sphere.
std::string read_line(const std::vector<std::string_view>& fields, Sphere& sphere) {
  if (fields.size() != 4) return fmt::format("{} numbers", fields.size());
  double numbers[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string_view field = fields[i].substr(fields[i][0] == '+' ? 1 : 0);
    const auto [end, error] =
        std::from_chars(field.data(), field.data() + field.size(), numbers[i]);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(numbers[i]))
      return fmt::format("`{}`, which is not a number", fields[i]);
  }
  if (!(numbers[3] > 0)) return fmt::format("the radius {}, which is not above 0", fields[3]);
  sphere = {{numbers[0], numbers[1], numbers[2]}, numbers[3]};
  return "";
}

}  // namespace

SphereFile read_spheres(const std::string& path) {
  SphereFile file;
  std::ifstream stream(path);
  // A folder opens, but has no first character.
  if (!stream || (stream.peek(), stream.bad())) {
    file.faults.push_back(fmt::format("the file `{}` cannot be read", path));
    return file;
  }
  std::size_t wrong = 0, number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::vector<std::string_view> fields =
        words_of(std::string_view(line).substr(0, line.find('#')));
    if (fields.empty()) continue;
    Sphere sphere;
    const std::string found = read_line(fields, sphere);
    if (found.empty()) {
      file.spheres.push_back(sphere);
    } else if (++wrong <= most_faults) {
      file.faults.push_back(fmt::format(
          "{}, line {}: found {}; a line holds four numbers, x y z radius", path, number, found));
    }
  }
  if (wrong > most_faults)
    file.faults.push_back(fmt::format("{}: {} more such lines", path, wrong - most_faults));
  if (wrong == 0 && file.spheres.empty())
    file.faults.push_back(fmt::format("the file `{}` holds no bubble", path));
  return file;
}

}  // namespace watersmeet::multicomponent
