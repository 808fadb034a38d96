#include "schemes/resample.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::schemes {

namespace {
// Faces and points that lie closer than this part of a cell are one.
constexpr double round_off = 1e-9;
// The rounding of values in single precision, which a file may hold.
constexpr double rounding = 2e-7;

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }

double least_of_one_sign(double a, double b, double c) {
  if (a > 0 && b > 0 && c > 0) return std::min({a, b, c});
  if (a < 0 && b < 0 && c < 0) return std::max({a, b, c});
  return 0;
}

// Calls work(line, place of its first value in `from`, the same in `out`).
template <class Work>
void for_each_line(const Lines& lines, std::int64_t from, std::int64_t to, int threads,
                   const Work& work) {
  const std::int64_t all = lines.outer * lines.inner;
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static) if (all * to > 10000)
  for (std::int64_t l = 0; l < all; ++l) {
    const std::int64_t outer = l / lines.inner, inner = l % lines.inner;
    work(outer * from * lines.inner + inner, outer * to * lines.inner + inner);
  }
}

void resize(const Arrays& from, std::int64_t values, Arrays& out) {
  out.resize(from.size());
  for (std::vector<double>& one : out) one.assign(static_cast<std::size_t>(values), 0.0);
}
}  // namespace

void lagrange_weights(std::span<const double> points, double x, std::span<double> weights) {
  for (std::size_t m = 0; m < points.size(); ++m) {
    double product = 1;
    for (std::size_t l = 0; l < points.size(); ++l) {
      if (l != m) product *= (x - points[l]) / (points[m] - points[l]);
    }
    weights[m] = product;
  }
}

AverageMap::AverageMap(std::vector<double> from_faces, const std::vector<double>& to_faces,
                       bool periodic)
    : faces_(std::move(from_faces)),
      cells_(static_cast<std::int64_t>(faces_.size()) - 1),
      periodic_(periodic),
      period_(faces_.back() - faces_.front()) {
  require(cells_ >= 1 && to_faces.size() >= 2, "cells of an axis have faces");
  width_ = periodic_ ? widest : static_cast<int>(std::min<std::int64_t>(widest, cells_));
  if (cells_ == 1) width_ = 1;
  for (std::size_t t = 0; t + 1 < to_faces.size(); ++t)
    add_pieces(static_cast<std::int64_t>(t), to_faces[t], to_faces[t + 1]);
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const Piece& a, const Piece& b) { return a.from < b.from; });
  first_piece_.assign(static_cast<std::size_t>(cells_) + 1, 0);
  for (const Piece& piece : pieces_) ++first_piece_[static_cast<std::size_t>(piece.from) + 1];
  for (std::size_t c = 0; c < static_cast<std::size_t>(cells_); ++c)
    first_piece_[c + 1] += first_piece_[c];
}

double AverageMap::face(std::int64_t i) const {
  const std::int64_t at = wrapped(i, cells_), rounds = (i - at) / cells_;
  if (i == cells_) return faces_.back();
  return faces_[static_cast<std::size_t>(at)] + static_cast<double>(rounds) * period_;
}

std::int64_t AverageMap::index(std::int64_t i) const { return wrapped(i, cells_); }

// An index of the continued axis where it is periodic.
std::int64_t AverageMap::first_of_stencil(std::int64_t cell) const {
  if (width_ == 1) return cell;
  if (periodic_) return cell - width_ / 2;
  return std::clamp<std::int64_t>(cell - width_ / 2, 0, cells_ - width_);
}

void AverageMap::add_pieces(std::int64_t to, double lower, double upper) {
  if (cells_ == 1) {
    pieces_.push_back({to, 0, 1.0, true, {1.0}});
    return;
  }
  std::int64_t cell = 0;
  if (periodic_)
    cell = static_cast<std::int64_t>(std::floor((lower - faces_.front()) / period_)) * cells_;
  while (face(cell) > lower && periodic_) --cell;
  const auto last = [&] { return !periodic_ && cell == cells_ - 1; };
  while (!last() && face(cell + 1) <= lower + round_off * (face(cell + 1) - face(cell))) ++cell;
  const std::size_t first = pieces_.size();
  double sum = 0;
  for (;; ++cell) {
    const double left = face(cell), right = face(cell + 1), slack = round_off * (right - left);
    const bool whole_left = lower <= left + slack, whole_right = upper >= right - slack;
    const double a = whole_left ? left : lower, b = whole_right ? right : upper;
    Piece piece;
    piece.to = to;
    piece.from = index(cell);
    piece.share = b - a;
    piece.whole = whole_left && whole_right;
    if (!piece.whole) piece.weights = weights_of(cell, a, b);
    sum += piece.share;
    pieces_.push_back(piece);
    if (last() || upper <= right + slack) break;
  }
  for (std::size_t p = first; p < pieces_.size(); ++p) pieces_[p].share /= sum;
}

// With W the sum of averages times widths up to a face, the polynomial through W at the faces of the stencil has the averages as those of its
// derivative; the average between a and b is (W(b) - W(a))/(b - a).
std::array<double, AverageMap::widest> AverageMap::weights_of(std::int64_t cell, double lower,
                                                              double upper) const {
  std::array<double, widest> weights{};
  const std::int64_t first = first_of_stencil(cell);
  const double unit = face(cell + 1) - face(cell), origin = face(cell);
  std::array<double, widest + 1> at{}, at_lower{}, at_upper{};
  const auto count = static_cast<std::size_t>(width_);
  for (std::size_t f = 0; f <= count; ++f)
    at[f] = (face(first + static_cast<std::int64_t>(f)) - origin) / unit;
  const std::span<const double> points(at.data(), count + 1);
  const double a = (lower - origin) / unit, b = (upper - origin) / unit;
  lagrange_weights(points, a, {at_lower.data(), count + 1});
  lagrange_weights(points, b, {at_upper.data(), count + 1});
  for (std::size_t m = 0; m < count; ++m) {
    double above = 0;
    for (std::size_t f = m + 1; f <= count; ++f) above += at_upper[f] - at_lower[f];
    weights[m] = (at[m + 1] - at[m]) * above / (b - a);
  }
  return weights;
}

IndexRange AverageMap::needed(IndexRange to) const {
  IndexRange needs{cells_, 0};
  std::int64_t lowest = cells_, highest = -1;
  for (const Piece& piece : pieces_) {
    if (piece.to < to.begin || piece.to >= to.end) continue;
    lowest = std::min(lowest, piece.from);
    highest = std::max(highest, piece.from);
  }
  if (highest < 0) return {0, 0};
  constexpr std::int64_t half = widest / 2;
  if (periodic_ && (lowest < half || highest + half >= cells_)) return {0, cells_};
  // Stencils at the ends of the axis are as wide as those inside.
  needs.begin = std::min(std::max<std::int64_t>(lowest - half, 0), first_of_stencil(lowest));
  needs.end = std::max(std::min(highest + half + 1, cells_), first_of_stencil(highest) + width_);
  return needs;
}

// The largest (side 1) or least (-1) value that a piece of a cell may have. values: of the cell and the two on each of its sides.
double AverageMap::bound(const double* values, std::int64_t cell, int side) const {
  double u[5];
  std::copy(values, values + 5, u);
  double curvature[3];  // about the cells beside it and itself
  for (int c = 0; c < 3; ++c) curvature[c] = u[c] - 2 * u[c + 1] + u[c + 2];
  // Beside an end of the axis, the parabola there.
  const auto at_end = [](double last, double before, double bend) {
    return last + 0.5 * (last - before) + bend / 3;
  };
  if (!periodic_) {
    if (cell == 0) {
      u[1] = at_end(u[2], u[3], curvature[2]);
      curvature[0] = curvature[1] = curvature[2];
    } else if (cell == 1) {
      curvature[0] = curvature[1];
    }
    if (cell == cells_ - 1) {
      u[3] = at_end(u[2], u[1], curvature[0]);
      curvature[2] = curvature[1] = curvature[0];
    } else if (cell == cells_ - 2) {
      curvature[2] = curvature[1];
    }
  }
  // Averages over pieces of a cell of a parabola exceed those of the cells by up to a sixth of a second difference.
  constexpr double widening = 0.25;
  const double bend = least_of_one_sign(curvature[0], curvature[1], curvature[2]);
  if (side > 0) return std::max({u[1], u[2], u[3]}) + widening * std::max(-bend, 0.0);
  return std::min({u[1], u[2], u[3]}) - widening * std::max(bend, 0.0);
}

void AverageMap::apply(const Arrays& from, IndexRange have, IndexRange to, const Lines& lines,
                       const Limits& limits, int threads, Arrays& out) const {
  const std::size_t variables = from.size();
  resize(from, lines.outer * lines.inner * to.size(), out);
  struct Active {
    std::int64_t cell;
    std::size_t first, end;
    bool whole;
  };
  std::vector<Active> active;
  for (std::int64_t c = 0; c < cells_; ++c) {
    const std::size_t first = first_piece_[static_cast<std::size_t>(c)],
                      end = first_piece_[static_cast<std::size_t>(c) + 1];
    bool here = false, whole = true;
    for (std::size_t p = first; p < end; ++p) {
      here = here || (to.begin <= pieces_[p].to && pieces_[p].to < to.end);
      whole = whole && pieces_[p].whole;
    }
    if (here) active.push_back({c, first, end, whole});
  }
  for_each_line(
      lines, have.size(), to.size(), threads, [&](std::int64_t at_from, std::int64_t at_to) {
        const auto value = [&](std::size_t v, std::int64_t cell) {
          const std::int64_t i =
              periodic_ ? index(cell) : std::clamp<std::int64_t>(cell, 0, cells_ - 1);
          return from[v][static_cast<std::size_t>(at_from + (i - have.begin) * lines.inner)];
        };
        const auto add = [&](std::size_t v, const Piece& piece, double average) {
          if (piece.to < to.begin || piece.to >= to.end) return;
          out[v][static_cast<std::size_t>(at_to + (piece.to - to.begin) * lines.inner)] +=
              piece.share * average;
        };
        std::vector<double> departures, mean(variables), factor(variables), tried(variables);
        for (const Active& cell : active) {
          const std::size_t count = cell.end - cell.first;
          departures.assign(variables * count, 0.0);
          for (std::size_t v = 0; v < variables; ++v) {
            mean[v] = value(v, cell.cell);
            factor[v] = 1;
            if (cell.whole) continue;
            const std::int64_t first = first_of_stencil(cell.cell);
            double stencil[widest]{}, around[5];
            double largest = 0;
            for (int m = 0; m < width_; ++m) {
              stencil[m] = value(v, first + m);
              largest = std::max(largest, std::abs(stencil[m]));
            }
            double lowest = 0, highest = 0;
            for (std::size_t p = 0; p < count; ++p) {
              const Piece& piece = pieces_[cell.first + p];
              if (piece.whole) continue;
              double departure = 0;
              for (std::size_t m = 0; m < static_cast<std::size_t>(width_); ++m)
                departure += piece.weights[m] * (stencil[m] - mean[v]);
              departures[v * count + p] = departure;
              lowest = std::min(lowest, departure);
              highest = std::max(highest, departure);
            }
            for (int m = 0; m < 5; ++m) around[m] = value(v, cell.cell + m - 2);
            // Rounding of a uniform variable does not count as a jump of the others.
            const double slack = limits.together.empty() ? 0.0 : rounding * largest;
            const double up = bound(around, cell.cell, 1) - mean[v] + slack,
                         down = bound(around, cell.cell, -1) - mean[v] - slack;
            if (highest > up) factor[v] = std::min(factor[v], std::max(up, 0.0) / highest);
            if (lowest < down) factor[v] = std::min(factor[v], std::min(down, 0.0) / lowest);
          }
          if (!limits.together.empty()) {
            double common = 1;
            for (std::size_t v = 0; v < variables; ++v)
              if (limits.together[v]) common = std::min(common, factor[v]);
            for (std::size_t v = 0; v < variables; ++v)
              factor[v] = limits.together[v] ? common : std::min(common, factor[v]);
          }
          bool good = true;
          for (std::size_t p = 0; p < count && good && !cell.whole && limits.admissible; ++p) {
            for (std::size_t v = 0; v < variables; ++v)
              tried[v] = mean[v] + factor[v] * departures[v * count + p];
            good = limits.admissible(tried);
          }
          for (std::size_t v = 0; v < variables; ++v) {
            for (std::size_t p = 0; p < count; ++p) {
              add(v, pieces_[cell.first + p],
                  good ? mean[v] + factor[v] * departures[v * count + p] : mean[v]);
            }
          }
        }
      });
}

PointMap::PointMap(const std::vector<double>& from, const std::vector<double>& to, double period)
    : points_(static_cast<std::int64_t>(from.size())) {
  require(points_ >= 1, "an axis has points");
  const auto at = [&](std::int64_t i) {
    if (period <= 0) return from[static_cast<std::size_t>(i)];
    const std::int64_t within = wrapped(i, points_);
    return from[static_cast<std::size_t>(within)] +
           static_cast<double>((i - within) / points_) * period;
  };
  for (const double x : to) {
    Point point;
    point.weights[0] = 1;
    if (points_ == 1) {
      to_.push_back(point);
      continue;
    }
    // The last point that is not above x.
    double near = x;
    std::int64_t turns = 0;
    if (period > 0) {
      turns = static_cast<std::int64_t>(std::floor((x - from.front()) / period));
      near = x - static_cast<double>(turns) * period;
    }
    std::int64_t below = std::upper_bound(from.begin(), from.end(), near) - from.begin() - 1;
    if (period <= 0) below = std::clamp<std::int64_t>(below, 0, points_ - 2);
    below += turns * points_;
    const double left = at(below), right = at(below + 1), slack = round_off * (right - left);
    if (std::abs(x - left) <= slack || std::abs(x - right) <= slack) {
      point.from[0] = wrapped(std::abs(x - left) <= slack ? below : below + 1, points_);
      to_.push_back(point);
      continue;
    }
    const bool inside = period > 0 || (x > from.front() && x < from.back());
    point.count = period > 0 ? widest
                  : inside   ? static_cast<int>(std::min<std::int64_t>(widest, points_))
                             : 2;
    std::int64_t first = below - (point.count - 2) / 2;
    if (period <= 0) first = std::clamp<std::int64_t>(first, 0, points_ - point.count);
    std::array<double, widest> places{};
    const auto count = static_cast<std::size_t>(point.count);
    for (std::size_t m = 0; m < count; ++m) {
      const std::int64_t i = first + static_cast<std::int64_t>(m);
      places[m] = (at(i) - left) / (right - left);
      point.from[m] = wrapped(i, points_);
    }
    lagrange_weights({places.data(), count}, (x - left) / (right - left),
                     {point.weights.data(), count});
    to_.push_back(point);
  }
}

IndexRange PointMap::needed(IndexRange to) const {
  IndexRange needs{points_, 0};
  for (std::int64_t t = to.begin; t < to.end; ++t) {
    const Point& point = to_[static_cast<std::size_t>(t)];
    for (std::size_t m = 0; m < static_cast<std::size_t>(point.count); ++m) {
      needs.begin = std::min(needs.begin, point.from[m]);
      needs.end = std::max(needs.end, point.from[m] + 1);
    }
  }
  return needs.end == 0 ? IndexRange{0, 0} : needs;
}

void PointMap::apply(const Arrays& from, IndexRange have, IndexRange to, const Lines& lines,
                     int threads, Arrays& out) const {
  resize(from, lines.outer * lines.inner * to.size(), out);
  for_each_line(
      lines, have.size(), to.size(), threads, [&](std::int64_t at_from, std::int64_t at_to) {
        for (std::size_t v = 0; v < from.size(); ++v) {
          for (std::int64_t t = to.begin; t < to.end; ++t) {
            const Point& point = to_[static_cast<std::size_t>(t)];
            const auto value = [&](std::size_t m) {
              return from[v][static_cast<std::size_t>(at_from +
                                                      (point.from[m] - have.begin) * lines.inner)];
            };
            double sum = point.weights[0] * value(0);
            for (std::size_t m = 1; m < static_cast<std::size_t>(point.count); ++m)
              sum += point.weights[m] * value(m);
            out[v][static_cast<std::size_t>(at_to + (t - to.begin) * lines.inner)] = sum;
          }
        }
      });
}

}  // namespace watersmeet::schemes
