// What a thread of the ring schedule carries from plane to plane: the right-hand sides of a march over planes that take each other's places are
// those of direct reads, to the last bit where no derivatives are summed, and do not depend on where the march begins.
#include "exec/cell_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "systems/isothermal/equations.hpp"
#include "systems/mhd/equations.hpp"

using namespace watersmeet;

namespace cell_ring_test {

namespace {

constexpr int computed_planes = 11;

// Planes of a tile and its halo, of all variables.
template <class R, class Shape, int inputs, int radius>
struct Tile {
  static constexpr int planes = computed_planes + 2 * radius;
  std::vector<R> values = std::vector<R>(std::size_t(planes) * Shape::plane_words);

  Tile() {
    std::mt19937 generator(11);
    std::uniform_real_distribution<R> uniform(R(-0.5), R(0.5));
    for (R& value : values) value = uniform(generator);
  }
  const R* plane(int p) const { return values.data() + std::size_t(p) * Shape::plane_words; }
};

template <class R, class Shape>
struct DirectReads {
  using value_type = R;
  const R* cell;  // of variable 0
  int i = 0, j = 0, k = 0;
  std::int64_t offset = 0;
  R operator()(int var, int di, int dj, int dk) const {
    return cell[dk * Shape::plane_words + var * Shape::variable_words + dj * Shape::pitch + di];
  }
};

// Reads the tile around one column, as a thread does; calls see(k, right-hand side) for its planes from `first` on, as in cell_ring_kernel.
template <class R, class Rhs, class Tile, class See>
void march(const Rhs& rhs, const Tile& tile, int tx, int ty, int first, const See& see) {
  using Shape = exec::RingShape<R, Rhs>;
  constexpr int radius = Rhs::radius, span = 2 * radius;
  std::vector<R> shared(std::size_t(Shape::plane_words) * Shape::slots + Shape::own_words,
                        std::numeric_limits<R>::quiet_NaN());
  const auto slot_of = [&](int plane) { return plane % Shape::slots; };
  const auto copy = [&](int plane) {
    std::copy_n(tile.plane(plane), Shape::plane_words,
                shared.begin() + slot_of(plane) * Shape::plane_words);
  };
  const int mine = (ty + radius) * Shape::pitch + tx + Shape::side;
  const auto at = [&](int plane) { return mine + slot_of(plane) * Shape::plane_words; };
  exec::Ring<R, Shape, Rhs> s{};
  s.shared = shared.data();
  for (int p = first; p <= first + span; ++p) s.plane[p - first] = at(p);
  if constexpr (Shape::sums) s.clear_sums();
  for (int p = first; p < first + span; ++p) {
    copy(p);
    if constexpr (Shape::sums) s.add_to_sums(at(p), rhs.c.w);
    if constexpr (Shape::own_below) {
      if (p >= first + radius) continue;
      s.plane[p - first] = Shape::own_at(ty * Shape::x + tx, p - first);
      s.keep_below(p - first, at(p));
    }
  }
  s.begin();
  copy(first + span);
  for (int k = first; k < computed_planes; ++k) {
    s.take_last();
    if (k + 1 < computed_planes) copy(k + span + 1);
    see(k, rhs(s));
    if constexpr (Shape::own_below) {
      Vec<R, Rhs::inputs> values;
      for (int v = 0; v < Rhs::inputs; ++v) values[v] = s(v, 0, 0, 0);
      s.keep_below(values);
    }
    s.go_up(at(k + span + 1));
  }
}

template <class R, class Rhs>
void expect_same_march(const Rhs& rhs, int tx, int ty) {
  using Shape = exec::RingShape<R, Rhs>;
  static const Tile<R, Shape, Rhs::inputs, Rhs::radius> tile;
  const int mine = (ty + Rhs::radius) * Shape::pitch + tx + Shape::side;
  std::vector<Vec<R, Rhs::outputs>> of_all;
  march<R>(rhs, tile, tx, ty, 0, [&](int k, const auto& got) {
    of_all.push_back(got);
    const auto expected = rhs(DirectReads<R, Shape>{tile.plane(k + Rhs::radius) + mine});
    for (int v = 0; v < Rhs::outputs; ++v) {
      // Round-off of sums in another order; values and coefficients are of order 1, the weights of order 10.
      const R tolerance = Shape::sums ? 200 * std::numeric_limits<R>::epsilon() : 0;
      ASSERT_NEAR(got[v], expected[v], tolerance)
          << "variable " << v << ", plane " << k << ", thread " << tx << ", " << ty;
    }
  });
  for (const int first : {1, 4, computed_planes - 1})
    march<R>(rhs, tile, tx, ty, first, [&](int k, const auto& got) {
      for (int v = 0; v < Rhs::outputs; ++v)
        ASSERT_EQ(got[v], of_all[std::size_t(k)][v])
            << "variable " << v << ", plane " << k << " of a march from " << first;
    });
}

template <class R, class Rhs>
void expect_same_marches(const Rhs& rhs) {
  using Shape = exec::RingShape<R, Rhs>;
  for (const int ty : {0, 1, Shape::y - 1})
    for (const int tx : {0, 5, Shape::x - 1}) expect_same_march<R>(rhs, tx, ty);
}

const double inverse_spacing[3] = {1.3, 0.9, 1.1};

template <class R, isothermal::Method method>
void expect_same_isothermal_marches() {
  isothermal::RightHandSide<R, method, schemes::Terms::plain> rhs{};
  rhs.c = {schemes::make_weights6<R>(inverse_spacing), R(1.7), R(0.3), R(0.13), R(-0.21), R(2)};
  expect_same_marches<R>(rhs);
}

template <class R, bool with_entropy, schemes::Terms terms>
void expect_same_magnetic_marches() {
  mhd::RightHandSide<R, with_entropy, terms> rhs{};
  rhs.c = {schemes::make_weights6<R>(inverse_spacing),
           {R(0.2), R(-0.1), R(0.4)},
           R(1.7),
           R(1.4),
           R(0.4),
           R(0.3),
           R(0.2),
           R(0.15),
           R(0.05),
           R(0.8),
           R(0.11),
           R(0.07)};
  for (int group = 0; group < 4; ++group) {
    for (int axis = 0; axis < 3; ++axis) {
      rhs.e.upwind[group][axis] = R(0.01) * R(1 + group);
      rhs.e.hyper[group][axis] = R(0.002) * R(1 + axis);
    }
  }
  expect_same_marches<R>(rhs);
}

}  // namespace

template <class R>
class CellRing : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(CellRing, Precisions);

TYPED_TEST(CellRing, MarchesOfIsothermalFlowReadWhatIsThere) {
  expect_same_isothermal_marches<TypeParam, isothermal::Method::points55>();
  expect_same_isothermal_marches<TypeParam, isothermal::Method::points19>();
}

TYPED_TEST(CellRing, MarchesOfMagneticFlowReadWhatIsThere) {
  expect_same_magnetic_marches<TypeParam, false, schemes::Terms::plain>();
  expect_same_magnetic_marches<TypeParam, true, schemes::Terms::plain>();
  expect_same_magnetic_marches<TypeParam, false, schemes::Terms::extended>();
  expect_same_magnetic_marches<TypeParam, true, schemes::Terms::extended>();
}

}  // namespace cell_ring_test
