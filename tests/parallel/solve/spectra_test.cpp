// Spectra of a grid that is spread over the ranks of an MPI launch against those of one process.
#include "solve/spectra.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/parallel.hpp"

namespace watersmeet {
namespace {

using test::world;

// Uneven boxes that cover the cells of n, cut along x, y or z, or along y and z by four ranks.
std::vector<Box> boxes_of(const Index3& n, std::size_t axis, bool both) {
  const int size = world().size();
  std::vector<Box> boxes;
  if (both && size == 4) {
    for (const Box& part : {Box{{0, 0, 0}, {n[0], 1, n[2] - 1}}, Box{{0, 1, 0}, {n[0], n[1], 1}},
                            Box{{0, 1, 1}, n}, Box{{0, 0, n[2] - 1}, {n[0], 1, n[2]}}}) {
      boxes.push_back(part);
    }
    return boxes;
  }
  for (int r = 0; r < size; ++r) {
    Box part{{0, 0, 0}, n};
    // The first one has what is left by one slice for each of the others.
    part.lower[axis] = r == 0 ? 0 : n[axis] - size + r;
    part.upper[axis] = n[axis] - size + r + 1;
    boxes.push_back(part);
  }
  return boxes;
}

template <class R>
class SpectraOfRanks : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(SpectraOfRanks, Precisions);

TYPED_TEST(SpectraOfRanks, HaveTheBitsOfOneProcess) {
  using R = TypeParam;
  const Queue queue{Backend::cpu, nullptr, 2};
  // More planes than ranks, fewer planes, fewer columns, one plane.
  for (const Index3& n : {Index3{8, 9, 11}, {9, 5, 2}, {7, 2, 6}, {6, 8, 1}}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (n[axis] < world().size()) continue;
      SCOPED_TRACE(testing::Message()
                   << n[0] << " " << n[1] << " " << n[2] << " cut along " << axis);
      std::mt19937 generator(7);
      std::uniform_real_distribution<R> uniform(-1, 2);
      std::vector<R> values[2];
      for (auto& v : values) {
        v.resize(static_cast<std::size_t>(n[0] * n[1] * n[2]));
        for (R& value : v) value = uniform(generator);
      }
      solve::SpectrumInput whole;
      whole.n = n;
      whole.length = {1, 2, 3};
      whole.precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
      for (const auto& v : values) whole.components.push_back(v.data());
      whole.stride_j = n[0];
      whole.stride_k = n[0] * n[1];
      const solve::ShellSpectra expected = solve::shell_spectra(whole, queue);

      solve::SpectrumInput part = whole;
      part.team = &world();
      part.mine = boxes_of(n, axis, axis == 1)[static_cast<std::size_t>(world().rank())];
      for (std::size_t c = 0; c < 2; ++c) {
        part.components[c] = values[c].data() + part.mine.lower[0] +
                             part.mine.lower[1] * whole.stride_j +
                             part.mine.lower[2] * whole.stride_k;
      }
      const solve::ShellSpectra s = solve::shell_spectra(part, queue);
      if (world().rank() != 0) {
        EXPECT_TRUE(s.total.empty());
        continue;
      }
      EXPECT_EQ(s.k, expected.k);
      EXPECT_EQ(s.total, expected.total);
      EXPECT_EQ(s.component, expected.component);
    }
  }
}

}  // namespace
}  // namespace watersmeet
