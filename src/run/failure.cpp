#include "run/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "mesh/cubed_sphere.hpp"
#include "mesh/curvilinear/share_blocks.hpp"

namespace watersmeet::run {

namespace {
constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

// Plain bytes, so that ranks can send them to each other.
struct Found {
  std::int64_t bad_cell = nowhere, variable = nowhere;  // not finite; cells count in the whole grid
  double value = 0;
  std::int64_t odd_cell = nowhere;  // inadmissible
  char words[1000] = "";
};

// Planes at a time, so that all variables of a slab are some tens of MB. A row of nodes is one
// slab.
std::int64_t planes_at_once(const StatePart& part) {
  const std::int64_t plane = part.mine.size(0) * part.mine.size(1);
  return std::max<std::int64_t>(1, (std::int64_t{1} << 20) / std::max<std::int64_t>(plane, 1));
}

// values[variable][cell] of planes lower <= k < upper of the part.
class Slab {
 public:
  Slab(const StatePart& part, const Queue& queue) : part_(part), queue_(queue) {}

  void read(std::int64_t lower, std::int64_t upper) {
    const Box box{{0, 0, lower}, {part_.mine.size(0), part_.mine.size(1), upper}};
    count_ = static_cast<std::size_t>(box.count());
    const std::size_t word = size_of(part_.state.precision());
    raw_.resize(count_ * word);
    values_.resize(count_ * part_.variables.size());
    for (std::size_t v = 0; v < part_.variables.size(); ++v) {
      memory::copy_box_to_host(part_.state, part_.reg, 0, static_cast<int>(v), box, raw_.data(),
                               queue_, &staging_);
      double* const out = values_.data() + v * count_;
      if (word == sizeof(double)) {
        const auto* const d = reinterpret_cast<const double*>(raw_.data());
        std::copy(d, d + count_, out);
      } else {
        const auto* const f = reinterpret_cast<const float*>(raw_.data());
        std::copy(f, f + count_, out);
      }
    }
  }
  std::size_t count() const { return count_; }
  void cell(std::size_t p, std::vector<double>& values) const {
    for (std::size_t v = 0; v < values.size(); ++v) values[v] = values_[v * count_ + p];
  }

 private:
  const StatePart& part_;
  Queue queue_;
  memory::Buffer staging_;
  std::vector<char> raw_;
  std::vector<double> values_;
  std::size_t count_ = 0;
};

// Looks at one cell; says whether the search is over.
bool look(std::int64_t cell, const std::vector<double>& values,
          const std::function<std::string(std::span<const double>)>& inadmissible, Found& found) {
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (std::isfinite(values[v])) continue;
    found.bad_cell = cell;
    found.variable = static_cast<std::int64_t>(v);
    found.value = values[v];
    return true;
  }
  if (found.odd_cell == nowhere && inadmissible) {
    const std::string words = inadmissible(values);
    if (!words.empty()) {
      found.odd_cell = cell;
      words.copy(found.words, sizeof found.words - 1);
    }
  }
  return false;
}

Found search(const StatePart& part, const Queue& queue,
             const std::function<std::string(std::span<const double>)>& inadmissible) {
  Found found;
  Slab slab(part, queue);
  std::vector<double> values(part.variables.size());
  const Box& mine = part.mine;
  const std::int64_t planes = planes_at_once(part);
  for (std::int64_t k = 0; k < mine.size(2); k += planes) {
    slab.read(k, std::min(k + planes, mine.size(2)));
    for (std::size_t p = 0; p < slab.count(); ++p) {
      const std::int64_t q = static_cast<std::int64_t>(p);
      const std::int64_t i = mine.lower[0] + q % mine.size(0);
      const std::int64_t j = mine.lower[1] + q / mine.size(0) % mine.size(1);
      const std::int64_t plane = mine.lower[2] + k + q / (mine.size(0) * mine.size(1));
      slab.cell(p, values);
      if (look((plane * part.grid.n()[1] + j) * part.grid.n()[0] + i, values, inadmissible, found))
        return found;
    }
  }
  return found;
}

std::string place_text(const StatePart& part, std::int64_t cell) {
  const mesh::GridDescription& grid = part.grid;
  if (grid.blocks) return "\n  first in " + mesh::place_text(*grid.blocks, cell);
  const Index3& n = grid.n();
  const mesh::Uniform& geometry = grid.geometry();
  const std::int64_t i = cell % n[0], j = cell / n[0] % n[1], k = cell / (n[0] * n[1]);
  if (grid.levels > 0) {
    const std::int64_t panel = k / grid.levels, level = k % grid.levels;
    const auto [lon, lat] = mesh::lon_lat(mesh::panel_position(
        static_cast<int>(panel), geometry.coordinate(0, i), geometry.coordinate(1, j)));
    return fmt::format(
        "\n  first at cell ({}, {}) of {} x {} of panel {}{}, lon = {:.6g}, lat = {:.6g}", i, j,
        n[0], n[1], panel, grid.levels > 1 ? fmt::format(", level {}", level) : std::string(), lon,
        lat);
  }
  const auto place = [&](std::size_t a, std::int64_t at) {
    const std::vector<double>& faces = grid.faces[a];
    const std::size_t face = static_cast<std::size_t>(at);
    return faces.empty() ? geometry.coordinate(static_cast<int>(a), at)
                         : 0.5 * (faces[face] + faces[face + 1]);
  };
  return fmt::format(
      "\n  first at cell ({}, {}, {}) of {} x {} x {}, x = {:.6g}, y = {:.6g}, z = {:.6g}", i, j, k,
      n[0], n[1], n[2], place(0, i), place(1, j), place(2, k));
}
}  // namespace

std::string describe_failure(
    const StatePart& part, std::int64_t step, double t,
    const std::function<std::string(std::span<const double>)>& inadmissible,
    const std::string& otherwise, comm::Communicator& ranks, const Queue& queue) {
  const Found mine = search(part, queue, inadmissible);
  std::vector<Found> all(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&mine, sizeof mine, all.data());
  const Found& bad = *std::min_element(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return std::tie(a.bad_cell, a.variable) < std::tie(b.bad_cell, b.variable);
  });
  const Found& odd = *std::min_element(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return a.odd_cell < b.odd_cell;
  });
  const std::string when = fmt::format("at step {}, t = {:.9g}", step, t);
  if (bad.bad_cell != nowhere) {
    return fmt::format("not a number in {} {}{}; value {}",
                       part.variables[static_cast<std::size_t>(bad.variable)].name, when,
                       place_text(part, bad.bad_cell), bad.value);
  }
  if (odd.odd_cell != nowhere) {
    return fmt::format("inadmissible values {}: {}{}", when, odd.words,
                       place_text(part, odd.odd_cell));
  }
  return otherwise;
}

}  // namespace watersmeet::run
