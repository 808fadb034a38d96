// Tridiagonal systems along lines: what is left of each equation, for lines side by side in memory and apart, closed and not, of awkward sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "solve/tridiagonal/lines_loops.hpp"

namespace watersmeet::solve {

namespace {
template <class R>
class LinesTest {
 public:
  // apart: lines of cells that are neighbours in memory.
  LinesTest(int cells, int lanes, bool apart, bool periodic) : n_(cells) {
    lines_.count = cells;
    lines_.lanes = lanes;
    lines_.rows = 2;
    lines_.variables = 3;
    lines_.share[0] = R(0.5);
    lines_.share[2] = R(3);  // none of the second variable
    lines_.periodic = periodic;
    const std::int64_t across = lanes + 16;  // a pack may read beyond a row
    lines_.stride = apart ? 1 : across;
    lines_.lane_stride = apart ? cells : 1;
    lines_.row_stride = apart ? std::int64_t{cells} * lanes : across * cells;
    lines_.stride_var = 2 * lines_.row_stride;
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < cells; ++k) weights_.push_back(weights(k));
    }
    values_.resize(static_cast<std::size_t>(3 * lines_.stride_var + 64));
    for (R& value : values_) value = R(number_(generator_) - 0.6);
    lines_.cells = weights_.data();
  }

  double largest_residual() {
    const std::vector<R> before = values_;
    lines_.values = values_.data();
    exec::Clock clock;
    clock.dt = 0.01;
    solve_lines(exec::OnCpu{}, lines_, &clock, queue_);
    EXPECT_EQ(values_, before) << "a step that is not active";
    clock.active = 1;
    solve_lines(exec::OnCpu{}, lines_, &clock, queue_);
    double largest = 0;
    for (int v = 0; v < 3; ++v) {
      for (int row = 0; row < 2; ++row) {
        for (int lane = 0; lane < lines_.lanes; ++lane) {
          for (int k = 0; k < n_; ++k)
            largest = std::max(largest, residual(before, v, row, lane, k));
        }
      }
    }
    return largest;
  }

 private:
  CellWeights<R> weights(int k) {
    CellWeights<R> w{R(number_(generator_) * n_), R(number_(generator_) * n_), 0,
                     R(number_(generator_) / n_)};
    if (lines_.periodic) return w;
    if (k == 0) {
      w.leak = 2 * w.low;
      w.low = 0;
    }
    if (k == n_ - 1) {
      w.leak += w.up / 2;
      w.up = 0;
    }
    return w;
  }
  double residual(const std::vector<R>& before, int v, int row, int lane, int k) const {
    const std::int64_t line =
        v * lines_.stride_var + row * lines_.row_stride + lane * lines_.lane_stride;
    const auto at = [&](const std::vector<R>& of, int cell) {
      return static_cast<double>(
          of[static_cast<std::size_t>(line + (cell + n_) % n_ * lines_.stride)]);
    };
    if (v == 1) return std::abs(at(values_, k) - at(before, k));
    const CellWeights<R>& w = weights_[static_cast<std::size_t>(v * n_ + k)];
    const double mass =
        static_cast<double>(w.width) / (static_cast<double>(lines_.share[v]) * 0.01);
    const double pivot =
        static_cast<double>(w.low) + static_cast<double>(w.up) + static_cast<double>(w.leak) + mass;
    return std::abs(pivot * at(values_, k) - static_cast<double>(w.low) * at(values_, k - 1) -
                    static_cast<double>(w.up) * at(values_, k + 1) - mass * at(before, k)) /
           pivot;
  }

  int n_;
  TridiagonalLines<R> lines_;
  Queue queue_;
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> number_{0.2, 1.0};
  std::vector<CellWeights<R>> weights_;
  std::vector<R> values_;
};

template <class R>
void expect_solved(double bound) {
  for (const bool apart : {false, true}) {
    for (const bool periodic : {false, true}) {
      for (const int cells : {1, 2, 7, 20, 70}) {
        if (periodic && cells < 3) continue;
        for (const int lanes : {1, 3, 16, 37}) {
          EXPECT_LT((LinesTest<R>(cells, lanes, apart, periodic).largest_residual()), bound)
              << cells << " cells, " << lanes << " lanes, apart " << apart << ", periodic "
              << periodic;
        }
      }
    }
  }
}

TEST(TridiagonalLines, AreSolvedInDouble) { expect_solved<double>(2e-15); }
TEST(TridiagonalLines, AreSolvedInSingle) { expect_solved<float>(1e-6); }
}  // namespace

}  // namespace watersmeet::solve
