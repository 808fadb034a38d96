#include "systems/boussinesq/grid_tables.hpp"

#include <vector>

#include "memory/rounded.hpp"

namespace watersmeet::boussinesq {

namespace {
// The last pack of a row reads beyond its last cell; planes one beyond the part are read too.
constexpr std::int64_t row_padding = 32, plane_padding = 4;

std::int64_t elements(const Index3& part) {
  return 3 * (part[2] + plane_padding) + 2 * (part[0] + row_padding) + part[1] + plane_padding;
}
}  // namespace

std::size_t TablesOfPart::bytes_needed(const Index3& part, Precision precision) {
  return static_cast<std::size_t>(elements(part)) * size_of(precision);
}

TablesOfPart::TablesOfPart(const StaggeredGrid& grid, const Box& part, double beta, double y_0,
                           Precision precision, const Queue& queue)
    : word_(size_of(precision)), on_beta_plane_(beta != 0) {
  const Index3 n{part.size(0), part.size(1), part.size(2)};
  std::vector<double> values(static_cast<std::size_t>(elements(n)), 0.0);
  const std::size_t planes = static_cast<std::size_t>(n[2] + plane_padding),
                    row = static_cast<std::size_t>(n[0] + row_padding);
  width_ = 1;  // of cell 0: the entry before is that of cell -1
  distance_ = planes + 1;
  weight_ = 2 * planes + 1;
  first_ = 3 * planes;
  last_ = first_ + row;
  const double mean = grid.length(2) / static_cast<double>(grid.cells()[2]);
  for (std::int64_t k = -1; k <= n[2] + 1; ++k) {
    const std::size_t at = static_cast<std::size_t>(k + 1);
    const std::int64_t whole = part.lower[2] + k;
    if (!grid.flat(2)) {
      values[at] = 1 / grid.width(2, whole);
      values[planes + at] = 1 / grid.distance(2, whole);
    }
    values[2 * planes + at] = grid.stretched() ? grid.width(2, whole) / mean : 1.0;
  }
  values[first_] = 1;
  values[last_ + static_cast<std::size_t>(n[0] - 1)] = 1;
  planetary_ = last_ + row;  // of face 0
  for (std::int64_t j = 0; j <= n[1]; ++j) {
    values[planetary_ + static_cast<std::size_t>(j)] =
        beta * (grid.face(1, part.lower[1] + j) - y_0);
  }
  buffer_ = memory::rounded_buffer(values, precision, queue);
}

const char* TablesOfPart::entry(std::size_t index) const {
  return buffer_.as<char>() + index * word_;
}

GridTables TablesOfPart::arrays() const {
  return {entry(width_), entry(distance_), entry(weight_),
          entry(first_), entry(last_),     on_beta_plane_ ? entry(planetary_) : nullptr};
}

}  // namespace watersmeet::boussinesq
