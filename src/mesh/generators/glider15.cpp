// Layout of the fifteen blocks over surfaces that glider_shape.hpp describes.

#include "mesh/generators/glider15.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/glider_shape.hpp"
#include "mesh/generators/spacing.hpp"

namespace watersmeet::mesh {

namespace {

// Cells of the parts. 720k and 1500k: found by search, so that the fifteen blocks have 720 000 and
// 1 500 000 nodes, the smallest of 1500k about 10 000 and the largest about 200 000.
struct Sizes {
  std::int64_t bottom, side, out, nose, ring1, ring2, core1, core2;
};
Sizes sizes_of(const std::string& size) {
  if (size == "1500k") return {31, 62, 63, 20, 49, 49, 4, 33};
  if (size == "720k") return {23, 47, 51, 14, 28, 39, 5, 33};
  if (size == "medium") return {8, 16, 17, 5, 9, 13, 3, 11};
  return {5, 10, 9, 4, 6, 7, 3, 5};
}

// Tangents of equal angles from 0 to 45 degrees. The centre of the nose and the patches around it
// take the same numbers, so that they share their nodes to the last bit.
double edge_tangent(std::int64_t i, std::int64_t cells) {
  if (i == cells) return 1;
  return std::tan(M_PI / 4 * static_cast<double>(i) / static_cast<double>(cells));
}

// Azimuths of the half section, from the lower symmetry plane (sine -1) over the side to the upper
// one: the edges of the front face of the cube from its centre line, bottom - side - top.
std::vector<NoseDirection> azimuths_of(const Sizes& n) {
  std::vector<NoseDirection> all;
  for (std::int64_t i = 0; i < n.bottom; ++i)
    all.push_back(nose_direction(edge_tangent(i, n.bottom), -1));
  for (std::int64_t i = 0; i <= n.side; ++i) {
    all.push_back(nose_direction(1, side_tangent(i, n.side)));
  }
  for (std::int64_t i = n.bottom - 1; i >= 0; --i) {
    all.push_back(nose_direction(edge_tangent(i, n.bottom), 1));
  }
  return all;
}

class Builder {
 public:
  Builder(const Glider15& o, const GliderShape& shape)
      : shape_(shape), n_(sizes_of(o.size)), azimuths_(azimuths_of(n_)) {
    out_ = stretched(n_.out, 0.4 / static_cast<double>(n_.out));
    // Along the body cells begin as long as those at the end of the nose, and again behind it.
    const double body = o.length - 1;
    const auto body_cells = n_.ring1 + n_.ring2;
    const double first =
        std::min(0.6 / static_cast<double>(n_.nose) / body, 0.9 / static_cast<double>(body_cells));
    for (const double s : stretched(body_cells, first)) along_.push_back(1 + s * body);
    const auto wake_cells = n_.core1 + n_.core2;
    const double last = along_.back() - along_[along_.size() - 2];
    const double share = std::min(0.5 * last / o.wake, 0.9 / static_cast<double>(wake_cells));
    for (const double s : stretched(wake_cells, share)) wake_.push_back(o.length + s * o.wake);
  }

  MultiBlockMesh build() {
    centre();
    for (int patch = 0; patch < 3; ++patch) nose(patch);
    for (int patch = 0; patch < 3; ++patch) ring(patch, 0, n_.ring1);
    for (int patch = 0; patch < 3; ++patch) ring(patch, n_.ring1, n_.ring1 + n_.ring2);
    for (int patch = 0; patch < 3; ++patch) shell(patch);
    core(0, n_.core1);
    core(n_.core1, n_.core1 + n_.core2);
    return std::move(mesh_);
  }

 private:
  // Azimuths of a patch: bottom, side, top.
  std::pair<std::int64_t, std::int64_t> range(int patch) const {
    const std::int64_t ends[] = {0, n_.bottom, n_.bottom + n_.side, 2 * n_.bottom + n_.side};
    return {ends[patch], ends[patch + 1]};
  }
  const NoseDirection& azimuth(std::int64_t a) const {
    return azimuths_[static_cast<std::size_t>(a)];
  }
  // The nodes from a body to the outer boundary, k outward; ends(i, j): a node of either.
  template <class Ends>
  void fill(CurvilinearBlock& block, const Ends& ends) const {
    std::vector<std::pair<Real3, Real3>> lines;
    for (std::int64_t j = 0; j < block.n[1]; ++j) {
      for (std::int64_t i = 0; i < block.n[0]; ++i) lines.push_back(ends(i, j));
    }
    for_each_node(block.nodes(), [&](const Index3& node) {
      const auto& [body, outer] = lines[static_cast<std::size_t>(node[0] + block.n[0] * node[1])];
      const double part = out_[static_cast<std::size_t>(node[2])];
      block.set(node, sum_of(scaled(1 - part, body), scaled(part, outer)));
    });
  }
  std::pair<Real3, Real3> nose_ends(const NoseDirection& d, double polar) const {
    return {shape_.nose(d, polar), shape_.outer_nose(d, polar)};
  }

  int add(CurvilinearBlock&& block) {
    mesh_.blocks.push_back(std::move(block));
    return static_cast<int>(mesh_.blocks.size()) - 1;
  }
  // Where y = 0: the first azimuth of the bottom and the last of the top.
  void add_symmetry(int b, int patch) {
    if (patch == 0) mesh_.add_patch("symmetry", "symmetry", b, {0, Side::lower});
    if (patch == 2) mesh_.add_patch("symmetry", "symmetry", b, {0, Side::upper});
  }

  // i from below upwards, j from the symmetry plane sideways, k outward: right-handed.
  void centre() {
    CurvilinearBlock block({n_.side + 1, n_.bottom + 1, n_.out + 1});
    fill(block, [&](std::int64_t i, std::int64_t j) {
      const NoseDirection d = nose_direction(edge_tangent(j, n_.bottom), side_tangent(i, n_.side));
      return nose_ends(d, d.polar);
    });
    const int b = add(std::move(block));
    mesh_.add_patch("symmetry", "symmetry", b, {1, Side::lower});
    body_and_inflow(b);
  }
  void body_and_inflow(int b) {
    mesh_.add_patch("vehicle", "slip_wall", b, {2, Side::lower});
    mesh_.add_patch("inflow", "supersonic_inflow", b, {2, Side::upper});
  }

  // i along the azimuth, j backwards, k outward; ends(direction, j) as in fill(). The number of the block.
  template <class Ends>
  int around(int patch, std::int64_t cells, const Ends& ends) {
    const auto [first, last] = range(patch);
    const std::int64_t from = first;
    CurvilinearBlock block({last - first + 1, cells + 1, n_.out + 1});
    fill(block, [&](std::int64_t i, std::int64_t j) { return ends(azimuth(from + i), j); });
    const int b = add(std::move(block));
    add_symmetry(b, patch);
    return b;
  }
  void nose(int patch) {
    const int b = around(patch, n_.nose, [&](const NoseDirection& d, std::int64_t j) {
      const double part = static_cast<double>(j) / static_cast<double>(n_.nose);
      return nose_ends(d, j == n_.nose ? M_PI / 2 : d.polar + (M_PI / 2 - d.polar) * part);
    });
    body_and_inflow(b);
  }

  void ring(int patch, std::int64_t begin, std::int64_t end) {
    const int b = around(patch, end - begin, [&](const NoseDirection& d, std::int64_t j) {
      if (begin == 0 && j == 0) return nose_ends(d, M_PI / 2);  // with the numbers of the nose
      const double x = along_[static_cast<std::size_t>(begin + j)];
      return std::pair{shape_.body(d, x), shape_.outer(d, x)};
    });
    body_and_inflow(b);
  }

  void shell(int patch) {
    const int b = around(patch, n_.core1 + n_.core2, [&](const NoseDirection& d, std::int64_t j) {
      const double x = wake_[static_cast<std::size_t>(j)];
      return std::pair{shape_.wake(d, x), shape_.outer(d, x)};
    });
    mesh_.add_patch("inflow", "supersonic_inflow", b, {2, Side::upper});
    mesh_.add_patch("outflow", "supersonic_outflow", b, {1, Side::upper});
  }

  // i sideways, j upwards as in the centre of the nose, k backwards. Inside the section nodes are
  // interpolated between its four sides (Gordon & Hall 1973).
  void core(std::int64_t begin, std::int64_t end) {
    CurvilinearBlock block({n_.bottom + 1, n_.side + 1, end - begin + 1});
    const std::int64_t top = 2 * n_.bottom + n_.side;
    std::vector<Real3> edge;  // of each azimuth, in the plane of the nodes
    double x = 0;
    const auto at = [&](std::int64_t a) { return edge[static_cast<std::size_t>(a)]; };
    for_each_node(block.nodes(), [&](const Index3& node) {
      const auto [i, j, k] = node;
      if (i == 0 && j == 0) {
        x = wake_[static_cast<std::size_t>(begin + k)];
        edge.clear();
        for (const NoseDirection& d : azimuths_) edge.push_back(shape_.wake(d, x));
      }
      const double s = static_cast<double>(i) / static_cast<double>(n_.bottom);
      const double t = static_cast<double>(j) / static_cast<double>(n_.side);
      const Real3 low = at(0), high = at(top);
      const Real3 middle = sum_of(scaled(1 - t, low), scaled(t, high));
      const Real3 side = at(n_.bottom + j);
      const Real3 below = at(i), above = at(top - i);
      const Real3 low_side = at(n_.bottom), high_side = at(n_.bottom + n_.side);
      if (i == n_.bottom || j == 0 || j == n_.side) {
        block.set(node, i == n_.bottom ? side : j == 0 ? below : above);
        return;
      }
      Real3 p{x, 0, 0};
      for (std::size_t m = 1; m < 3; ++m) {
        p[m] = (1 - s) * middle[m] + s * side[m] + (1 - t) * below[m] + t * above[m] -
               (1 - s) * (1 - t) * low[m] - s * (1 - t) * low_side[m] - (1 - s) * t * high[m] -
               s * t * high_side[m];
      }
      if (i == 0) p[1] = 0;
      block.set(node, p);
    });
    const int b = add(std::move(block));
    mesh_.add_patch("symmetry", "symmetry", b, {0, Side::lower});
    if (begin == 0) mesh_.add_patch("base", "slip_wall", b, {2, Side::lower});
    if (begin != 0) mesh_.add_patch("outflow", "supersonic_outflow", b, {2, Side::upper});
  }

  const GliderShape& shape_;
  Sizes n_;
  std::vector<NoseDirection> azimuths_;
  std::vector<double> out_, along_, wake_;
  MultiBlockMesh mesh_;
};

}  // namespace

MultiBlockMesh make_glider15(const Glider15& o) {
  demand(o.mach > 1.5, "glider15", "mach must be more than 1.5, where the correlation holds");
  demand(o.length > 3, "glider15", "the length must be more than 3 nose radii");
  for (const double angle : {o.side_angle_deg, o.upper_angle_deg, o.lower_angle_deg}) {
    demand(angle + o.margin_deg < 60, "glider15",
           "an angle of the body and margin_deg must not exceed 60 degrees together");
  }
  demand(o.exponent >= 2 && o.exponent <= 6, "glider15", "exponent must be between 2 and 6");
  const GliderShape shape(o);
  MultiBlockMesh mesh = Builder(o, shape).build();
  finish(mesh, "glider15");
  return mesh;
}

}  // namespace watersmeet::mesh
