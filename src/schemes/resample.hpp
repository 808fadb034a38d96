#pragma once
// From one grid to another along one axis, of which several make the map of a box: averages over cells to averages over other cells, and
// values at points to values at other points. An axis may be periodic; it is then continued as often as the other grid needs.
//
// Averages. The faces of both grids cut each cell into pieces:
//
//     from    |-----0-----|-----1-----|-----2-----|
//     to      |---0---|---1---|---2---|---3---|---4---|
//     pieces  |---|---|...
//
// The average of a piece is that of the polynomial of degree 4 whose averages over five cells about it are the given ones (Colella and
// Woodward 1984, section 1, with one more degree): of fifth order where cells vary smoothly in width. The pieces of a cell have its average
// together, so that sums are kept; a cell that is not cut is its own piece. Beside a jump the departures of the pieces from their cell are
// made smaller by a factor until they lie within the averages of the cells beside it, widened by a quarter of the least of three second
// differences of one sign, which does not touch smooth extrema (after Suresh and Huynh 1997, section 2). Variables may have one factor
// together: what is linear in them, such as a uniform pressure across the interface of two gases, stays so.
//
// Points. The polynomial of degree 5 through six points, of sixth order; a point that both grids have keeps its value.
//
// tests/unit/schemes/resample_test.cpp checks order, sums, bounds and copies.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace watersmeet::schemes {

// first <= i < end along an axis.
struct IndexRange {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

// Arrays [outer][along the axis][inner] of each variable.
struct Lines {
  std::int64_t outer = 1, inner = 1;
};
using Arrays = std::vector<std::vector<double>>;  // a variable each

// What the pieces of a cell are held to.
struct Limits {
  // Variables, of all, that have one factor, the least of theirs; the others have none that is larger. Empty: each has its own.
  std::vector<bool> together = {};
  // Whether the equations have the values of a cell, of all variables. Pieces of a cell where they do not are what the cell is.
  std::function<bool(std::span<const double>)> admissible = {};
};

class AverageMap {
 public:
  // Faces rise. Those of the other grid lie within these, but for round-off, unless the axis is periodic. One cell stands for all there are.
  AverageMap(std::vector<double> from_faces, const std::vector<double>& to_faces, bool periodic);

  // The cells that these depend on: the whole axis where they are on both of its ends.
  IndexRange needed(IndexRange to) const;
  // `from` holds the cells `have`, which must be the needed ones, `to` gets the others. The values do not depend on the ranges.
  void apply(const Arrays& from, IndexRange have, IndexRange to, const Lines& lines,
             const Limits& limits, int threads, Arrays& out) const;

 private:
  static constexpr int widest = 5;
  struct Piece {
    std::int64_t to = 0, from = 0;
    double share = 1;   // of the width of `to`
    bool whole = true;  // the cell `from`
    std::array<double, widest> weights{};
  };
  void add_pieces(std::int64_t to, double lower, double upper);
  double face(std::int64_t i) const;
  std::int64_t index(std::int64_t i) const;
  std::int64_t first_of_stencil(std::int64_t cell) const;
  std::array<double, widest> weights_of(std::int64_t cell, double lower, double upper) const;
  double bound(const double* values, std::int64_t cell, int side) const;

  std::vector<double> faces_;
  std::int64_t cells_ = 1;
  int width_ = 1;  // of stencils
  bool periodic_ = false;
  double period_ = 0;
  std::vector<Piece> pieces_;  // by the cell that they are of
  std::vector<std::size_t> first_piece_;
};

class PointMap {
 public:
  // Points rise. period: 0 where the axis is not periodic; then points beyond the last lie on the straight line through the last two.
  PointMap(const std::vector<double>& from, const std::vector<double>& to, double period);

  IndexRange needed(IndexRange to) const;
  void apply(const Arrays& from, IndexRange have, IndexRange to, const Lines& lines, int threads,
             Arrays& out) const;

 private:
  static constexpr int widest = 6;
  struct Point {
    std::array<std::int64_t, widest> from{};
    std::array<double, widest> weights{};
    int count = 1;
  };
  std::int64_t points_ = 1;
  std::vector<Point> to_;
};

// Weights at x of the polynomial through these points.
void lagrange_weights(std::span<const double> points, double x, std::span<double> weights);

}  // namespace watersmeet::schemes
