// Automatic links: a hash table of the centres of face cells, then growth of rectangles.

#include "mesh/curvilinear/connect.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "mesh/box_algebra.hpp"
#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::mesh {

namespace {

// A cell of a face and what it was found to touch.
struct FaceCell {
  int block = 0;
  Face face;
  Index3 cell{};  // lower node of the cell
  Real3 centre{};
  double spacing = 0;  // shortest edge that has a length, at its nodes
  bool no_area = false;
  bool assigned = false;
  int partner = -1;  // number of another face cell
  IndexMap map;      // to the partner's block
  Real3 shift{};
};

Box nodes_of(const FaceCell& c, int dimensions) {
  Box cell{c.cell, {c.cell[0] + 1, c.cell[1] + 1, c.cell[2] + 1}};
  return face_nodes(cell, c.face, dimensions);
}

bool without_area(const CurvilinearBlock& block, const Box& nodes, double extent) {
  // The diagonals' cross product is twice the area; in 2-D the edge's length counts.
  Index3 last{nodes.upper[0] - 1, nodes.upper[1] - 1, nodes.upper[2] - 1};
  if (block.dimensions() == 2) {
    return distance(block.at(nodes.lower), block.at(last)) <= 1e-14 * extent;
  }
  Index3 side = nodes.lower, other = last;
  for (int a = 0; a < 3; ++a) {
    if (nodes.size(a) == 1) continue;
    side[a] = last[a];
    other[a] = nodes.lower[a];
    break;
  }
  const Real3 first = difference_of(block.at(last), block.at(nodes.lower));
  const Real3 second = difference_of(block.at(side), block.at(other));
  const double longest = std::max(length_of(first), length_of(second));
  return length_of(cross_product(first, second)) <= 1e-12 * longest * longest;
}

// The cells with an area by their centres: places of equal width, and lists of cells with the same hash.
class Table {
 public:
  Table(const std::vector<FaceCell>& cells, double width)
      : width_(width), first_(std::bit_ceil(cells.size()), -1), next_(cells.size(), -1) {
    keys_.reserve(cells.size());
    for (const FaceCell& c : cells) keys_.push_back(key(place(c.centre)));
    for (std::size_t c = cells.size(); c-- > 0;) {
      if (cells[c].no_area) continue;
      int& first = first_[keys_[c] & (first_.size() - 1)];
      next_[c] = std::exchange(first, static_cast<int>(c));
    }
  }

  // Calls f(number) for the cells whose centres lie no further than `reach` along each axis, and for some more.
  template <class F>
  void near(const Real3& point, double reach, const F& f) const {
    const Real3 most{reach, reach, reach};
    Box places{place(difference_of(point, most)), place(sum_of(point, most))};
    for (std::int64_t& upper : places.upper) ++upper;
    for_each_node(places, [&](const Index3& at) {
      const std::uint64_t wanted = key(at);
      for (int number = first_[wanted & (first_.size() - 1)]; number >= 0;) {
        const auto c = static_cast<std::size_t>(number);
        if (keys_[c] == wanted) f(number);
        number = next_[c];
      }
    });
  }

 private:
  Index3 place(const Real3& p) const {
    // Within what whole numbers hold, also beside the place: coordinates may be any number.
    const auto whole = [this](double x) {
      constexpr double most = 4e18;
      return std::llround(x / width_ > -most ? std::min(x / width_, most) : -most);
    };
    return {whole(p[0]), whole(p[1]), whole(p[2])};
  }
  // Different places may share a key: corners are compared anyway, only twice for such a cell.
  static std::uint64_t key(const Index3& at) {
    std::uint64_t h = 0;
    for (const std::int64_t a : at) {
      h = (h ^ static_cast<std::uint64_t>(a)) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 29;
    }
    return h;
  }

  double width_;
  std::vector<int> first_, next_;  // of each list, and after each cell; -1: none
  std::vector<std::uint64_t> keys_;
};

class Connector {
 public:
  Connector(MultiBlockMesh& mesh, const ConnectOptions& options)
      : mesh_(mesh),
        options_(options),
        dimensions_(mesh.dimensions()),
        numbers_(6 * mesh.blocks.size()) {
    collect();
  }

  std::vector<std::string> run() {
    const double width = table_width();
    if (width > 0) {
      const Table table(cells_, width);
      match(table, {0, 0, 0});
      for (const Real3& period : options_.periods) {
        match(table, period);
        match(table, scaled(-1, period));
      }
    }
    for (std::size_t first = 0; first < cells_.size(); ++first) grow(static_cast<int>(first));
    return faults_;
  }

 private:
  void collect() {
    Real3 lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
    for (const CurvilinearBlock& block : mesh_.blocks) {
      for (std::size_t m = 0; m < 3; ++m) {
        for (const double x : block.x[m]) {
          lower[m] = std::min(lower[m], x);
          upper[m] = std::max(upper[m], x);
        }
      }
    }
    const double extent = distance(lower, upper);
    for (const OpenFace& open : open_faces(mesh_)) {
      const CurvilinearBlock& block = mesh_.block(open.block);
      for_each_node(face_cells(open.box, open.face), [&](const Index3& at) {
        FaceCell c;
        c.block = open.block;
        c.face = open.face;
        c.cell = at;
        const Box nodes = nodes_of(c, dimensions_);
        for_each_node(nodes, [&](const Index3& node) {
          c.centre =
              sum_of(c.centre, scaled(1.0 / static_cast<double>(nodes.count()), block.at(node)));
          const double spacing = local_spacing(block, node);
          if (spacing > 0 && (c.spacing == 0 || spacing < c.spacing)) c.spacing = spacing;
        });
        c.no_area = without_area(block, nodes, extent);
        *place_of(c) = static_cast<int>(cells_.size());
        cells_.push_back(c);
      });
    }
  }

  // One place of the table is as wide as the largest distance that may count as none.
  double table_width() const {
    double largest = 0;
    for (const FaceCell& c : cells_) largest = std::max(largest, c.spacing);
    return 2 * options_.tolerance * largest;
  }

  // Where the number of a cell stands; null outside its face.
  int* place_of(const FaceCell& c) {
    const Box layer = face_cells(face_layer(mesh_.block(c.block).n, c.face), c.face);
    if (!contains(layer, {c.cell, {c.cell[0] + 1, c.cell[1] + 1, c.cell[2] + 1}})) return nullptr;
    std::vector<int>& numbers = numbers_[static_cast<std::size_t>(6 * c.block + 2 * c.face.axis +
                                                                  static_cast<int>(c.face.side))];
    if (numbers.empty()) numbers.assign(static_cast<std::size_t>(layer.count()), -1);
    Index3 at = c.cell;
    at[c.face.axis] = 0;
    return &numbers[static_cast<std::size_t>(at[0] +
                                             layer.size(0) * (at[1] + layer.size(1) * at[2]))];
  }
  int number_of(const FaceCell& c) {
    const int* const found = place_of(c);
    return found ? *found : -1;
  }

  void match(const Table& table, const Real3& shift) {
    for (std::size_t number = 0; number < cells_.size(); ++number) {
      FaceCell& c = cells_[number];
      if (c.partner >= 0 || c.no_area) continue;
      std::vector<int> seen;
      // Twice as far as corners may be apart, for centres are rounded.
      const double reach = 2 * options_.tolerance * c.spacing;
      table.near(sum_of(c.centre, shift), reach, [&](int other) {
        if (other == static_cast<int>(number)) return;
        if (std::find(seen.begin(), seen.end(), other) != seen.end()) return;
        FaceCell& d = cells_[static_cast<std::size_t>(other)];
        IndexMap map;
        if ((d.partner >= 0 && d.partner != static_cast<int>(number)) ||
            !same_corners(c, d, shift, map)) {
          return;
        }
        seen.push_back(other);
        if (seen.size() > 1) {
          report_third(c, cells_[static_cast<std::size_t>(seen[0])], d);
          return;
        }
        c.partner = other;
        c.map = map;
        c.shift = shift;
        d.partner = static_cast<int>(number);
        d.map = map.inverse();
        d.shift = scaled(-1, shift);
        for (double& s : d.shift) s += 0.0;  // no -0
      });
    }
  }

  // The map of indices that brings the corners of c onto those of d; only maps between
  // right-handed axes count.
  bool same_corners(const FaceCell& c, const FaceCell& d, const Real3& shift, IndexMap& map) const {
    const CurvilinearBlock& block = mesh_.block(c.block);
    const CurvilinearBlock& other = mesh_.block(d.block);
    const double near = options_.tolerance * std::min(c.spacing, d.spacing);
    const Box here = nodes_of(c, dimensions_), there = nodes_of(d, dimensions_);
    for (int number = 0; number < (dimensions_ == 2 ? 2 : 8); ++number) {
      // In 2-D the second tangential axis is k, which always lies along k.
      const Orientation o = face_orientation(
          c.face, d.face, number / 4 == 1, number % 2 == 0 ? 1 : -1, number / 2 % 2 == 0 ? 1 : -1);
      if (o.determinant() != 1) continue;
      const IndexMap candidate = IndexMap::onto(o, here, there);
      bool same = true;
      for_each_node(here, [&](const Index3& node) {
        same =
            same && distance(sum_of(block.at(node), shift), other.at(candidate.cell(node))) <= near;
      });
      if (!same) continue;
      map = candidate;
      return true;
    }
    return false;
  }

  void report_third(const FaceCell& a, const FaceCell& b, const FaceCell& c) {
    if (faults_.size() >= 8) return;  // a doubled block would give thousands
    const auto text = [](const FaceCell& f) {
      return "block " + std::to_string(f.block) + ", " + face_name(f.face);
    };
    faults_.push_back("three faces meet at " + point_text(a.centre) + ": " + text(a) + ", " +
                      text(b) + " and " + text(c));
  }

  // Whether the cell at `at` of the face of `seed` is free and continues in the same way.
  bool goes_on(const FaceCell& seed, const Index3& at) {
    FaceCell probe = seed;
    probe.cell = at;
    const int number = number_of(probe);
    if (number < 0) return false;
    const FaceCell& c = cells_[static_cast<std::size_t>(number)];
    if (c.assigned || c.no_area != seed.no_area) return false;
    if (seed.no_area) return true;
    if (c.partner < 0) return false;
    const FaceCell& own = cells_[static_cast<std::size_t>(seed.partner)];
    const FaceCell& other = cells_[static_cast<std::size_t>(c.partner)];
    return other.block == own.block && other.face == own.face && c.map == seed.map &&
           c.shift == seed.shift && !other.assigned;
  }

  void assign(const FaceCell& seed, const Box& cells) {
    for_each_node(cells, [&](const Index3& at) {
      FaceCell probe = seed;
      probe.cell = at;
      FaceCell& c = cells_[static_cast<std::size_t>(number_of(probe))];
      c.assigned = true;
      if (c.partner >= 0) cells_[static_cast<std::size_t>(c.partner)].assigned = true;
    });
  }

  // The rectangle from the cell on, along the first tangential axis and then the second.
  void grow(int number) {
    const FaceCell seed = cells_[static_cast<std::size_t>(number)];
    if (seed.assigned || (seed.partner < 0 && !seed.no_area)) return;
    Box cells{seed.cell, {seed.cell[0] + 1, seed.cell[1] + 1, seed.cell[2] + 1}};
    assign(seed, cells);
    for (int a = 0; a < dimensions_; ++a) {
      if (a == seed.face.axis) continue;
      for (;;) {
        Box next = cells;
        next.lower[a] = cells.upper[a];
        next.upper[a] = cells.upper[a] + 1;
        bool all = true;
        for_each_node(next, [&](const Index3& at) { all = all && goes_on(seed, at); });
        // A face folded onto itself must not be joined beyond its fold.
        if (all && !seed.no_area) all = !folds(seed, next);
        if (!all) break;
        assign(seed, next);
        cells.upper[a] = next.upper[a];
      }
    }
    const Box nodes = face_nodes(cells, seed.face, dimensions_);
    if (seed.no_area) {
      mesh_.patches.push_back({"degenerate", "degenerate", seed.block, seed.face, nodes});
      return;
    }
    const FaceCell& other = cells_[static_cast<std::size_t>(seed.partner)];
    mesh_.add_link({seed.block, seed.face, nodes, other.block, other.face, seed.map.box(nodes),
                    seed.map.orientation, seed.shift});
  }

  bool folds(const FaceCell& seed, const Box& row) const {
    const FaceCell& other = cells_[static_cast<std::size_t>(seed.partner)];
    if (other.block != seed.block || !(other.face == seed.face)) return false;
    const Box image = face_cells(seed.map.box(face_nodes(row, seed.face, dimensions_)), seed.face);
    return !intersection(image, row).empty();
  }

  MultiBlockMesh& mesh_;
  const ConnectOptions& options_;
  int dimensions_;
  std::vector<FaceCell> cells_;
  std::vector<std::vector<int>> numbers_;  // of the cells of each face that was open; -1: none
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> connect(MultiBlockMesh& mesh, const ConnectOptions& options) {
  return Connector(mesh, options).run();
}

}  // namespace watersmeet::mesh
