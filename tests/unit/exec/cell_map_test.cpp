// The cell form without a time update: which array a functor reads as the extra variable, through the
// accessor that the loops of both back ends make.
#include "exec/cell_map_cpu.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace watersmeet;

namespace {
// The second variable is that of another array.
struct SumOfBoth {
  static constexpr int extra_index = 1;
  template <class S>
  WM_HD typename S::value_type operator()(const S& s) const {
    return s(0, 0, 0, 0) + s(1, 0, 0, 0);
  }
};
// Both variables are of the solution.
struct Difference {
  template <class S>
  WM_HD typename S::value_type operator()(const S& s) const {
    return s(1, 0, 0, 0) - s(0, 0, 0, 0);
  }
};

constexpr int n = 7;
struct Arrays {
  std::vector<double> in = std::vector<double>(2 * n), extra = std::vector<double>(n, 100),
                      out = std::vector<double>(n + 16);
  Arrays() {
    std::iota(in.begin(), in.begin() + n, 0);
    std::fill(in.begin() + n, in.end(), 10);
    in.resize(in.size() + 16);  // packs read beyond the last cell
    extra.resize(extra.size() + 16);
  }
  exec::CellArrays<double> view(bool with_extra) {
    exec::CellArrays<double> a;
    a.in = in.data();
    a.out = out.data();
    a.extra = with_extra ? extra.data() : nullptr;
    a.stride_j = a.stride_k = a.stride_var = n;
    a.upper[0] = n;
    a.upper[1] = a.upper[2] = 1;
    return a;
  }
};
}  // namespace

TEST(CellMap, AFunctorThatNamesAnIndexReadsTheExtraArrayThere) {
  Arrays arrays;
  const auto a = arrays.view(true);
  EXPECT_EQ((exec::accessor_for<double, SumOfBoth>(a, 3, 0, 0)(1, 0, 0, 0)), 100);
  exec::Clock clock;
  clock.active = true;
  exec::cell_store(exec::OnCpu{}, a, SumOfBoth{}, &clock, Queue{});
  for (int i = 0; i < n; ++i) EXPECT_EQ(arrays.out[std::size_t(i)], 100 + i);
}

TEST(CellMap, AFunctorThatNamesNoneReadsTheSolutionAlone) {
  for (const bool with_extra : {false, true}) {
    Arrays arrays;
    const auto a = arrays.view(with_extra);
    EXPECT_EQ((exec::accessor_for<double, Difference>(a, 3, 0, 0)(1, 0, 0, 0)), 10);
    exec::Clock clock;
    clock.active = true;
    exec::cell_store(exec::OnCpu{}, a, Difference{}, &clock, Queue{});
    for (int i = 0; i < n; ++i) EXPECT_EQ(arrays.out[std::size_t(i)], 10 - i);
  }
}
