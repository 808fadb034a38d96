// The tridiagonal systems of all modes on the CPU: a line of 128 bytes of modes at a time, several
// packs whose divisions overlap.
#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/pack.hpp"
#include "memory/buffer.hpp"
#include "solve/poisson/columns_loops.hpp"
#include "solve/poisson/singular_column.hpp"
#include "solve/poisson/thread_number.hpp"

namespace watersmeet::solve {

namespace {
template <class R>
class ColumnsCpu final : public ColumnSolver {
 public:
  ColumnsCpu(const ColumnPlan& plan, const Queue& queue)
      : plan_(plan), threads_(queue.threads), nz_(plan.here()) {
    const std::int64_t nx = static_cast<std::int64_t>(plan.mu_x.size());
    lines_ = (nx + block - 1) / block;
    // Modes that are not there: any positive number.
    mu_x_.assign(static_cast<std::size_t>(lines_ * block), R(1));
    for (std::size_t i = 0; i < plan.mu_x.size(); ++i) mu_x_[i] = static_cast<R>(plan.mu_x[i]);
    first_row_ = mu_x_;
    if (plan.singular) first_row_[0] = R(1);  // solved apart
    for (std::int64_t k = plan.first[std::size_t(plan.mine)]; std::ssize(cells_) < nz_; ++k) {
      const CellWeights<double>& c = plan.cells[static_cast<std::size_t>(k)];
      cells_.push_back({static_cast<R>(c.low), static_cast<R>(c.up), static_cast<R>(c.leak),
                        static_cast<R>(c.width)});
    }
    factors_.resize(static_cast<std::size_t>(threads_));
    for (auto& f : factors_) f.resize(static_cast<std::size_t>(nz_) * packs);
    column_.resize(static_cast<std::size_t>(nz_));
  }

  void solve(const CellArray& modes) override {
    R* const start = static_cast<R*>(modes.start);
    if (plan_.singular) {
      for (std::int64_t k = 0; k < nz_; ++k)
        column_[std::size_t(k)] = static_cast<double>(start[k * modes.stride_k]);
      solve_singular_column(column_.data(), column_.data(), plan_.widths.data(),
                            plan_.distances.data(), nz_, plan_.periodic);
    }
    const std::int64_t ny = std::ssize(plan_.mu_y);
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
    for (std::int64_t j = 0; j < ny; ++j) {
      for (std::int64_t l = 0; l < lines_; ++l) {
        R* const line = start + j * modes.stride_j + l * block;
        const std::vector<R>& along_x = plan_.singular && j == 0 ? first_row_ : mu_x_;
        Block mu;
        for (std::size_t u = 0; u < packs; ++u) {
          mu[u] = load_as<Pack<R>>(&along_x[static_cast<std::size_t>(l * block) + u * lanes]) +
                  static_cast<R>(plan_.mu_y[static_cast<std::size_t>(j)]);
        }
        Block below{}, above{};
        if (plan_.periodic) close(line, modes.stride_k, mu, below, above);
        solve_line(line, modes.stride_k, mu, below, above);
      }
    }
    for (std::int64_t k = 0; plan_.singular && k < nz_; ++k)
      start[k * modes.stride_k] = static_cast<R>(column_[std::size_t(k)]);
  }

 private:
  static constexpr std::size_t lanes = Pack<R>::size();
  static constexpr std::size_t packs = 128 / sizeof(Pack<R>);
  static constexpr std::int64_t block = static_cast<std::int64_t>(lanes * packs);
  using Block = std::array<Pack<R>, packs>;

  // Ends of columns that close on themselves.
  void close(const R* line, std::int64_t stride, const Block& mu, Block& below,
             Block& above) const {
    for (std::size_t u = 0; u < packs; ++u) {
      const R* f = line + u * lanes;
      Elimination<Pack<R>> e = begin_column(cells_[0], mu[u], load_as<Pack<R>>(f));
      SectionSum<Pack<R>> sum = begin_section(e);
      for (std::size_t k = 1; k < cells_.size(); ++k) {
        f += stride;
        e = continue_column(cells_[k], mu[u], load_as<Pack<R>>(f), e);
        continue_section(sum, e);
      }
      const Pair<Pack<R>> ends = at_closure(sum.s);
      below[u] = ends.lower;
      above[u] = ends.upper;
    }
  }

  void solve_line(R* line, std::int64_t stride, const Block& mu, const Block& below,
                  const Block& above) {
    Pack<R>* const factors = factors_[thread_number()].data();
    std::array<Elimination<Pack<R>>, packs> e;
    for (std::int64_t k = 0; k < nz_; ++k) {
      R* const values = line + k * stride;
      const CellWeights<R>& c = cells_[static_cast<std::size_t>(k)];
      for (std::size_t u = 0; u < packs; ++u) {
        const Pack<R> f = load_as<Pack<R>>(values + u * lanes);
        e[u] = k == 0 ? begin_solve(c, mu[u], f, below[u]) : continue_solve(c, mu[u], f, e[u]);
        e[u].y.copy_to(values + u * lanes, stdx::element_aligned);
        factors[static_cast<std::size_t>(k) * packs + u] = e[u].next;
      }
    }
    Block x = above;
    for (std::int64_t k = nz_ - 1; k >= 0; --k) {
      R* const values = line + k * stride;
      for (std::size_t u = 0; u < packs; ++u) {
        x[u] = load_as<Pack<R>>(values + u * lanes) +
               factors[static_cast<std::size_t>(k) * packs + u] * x[u];
        x[u].copy_to(values + u * lanes, stdx::element_aligned);
      }
    }
  }

  ColumnPlan plan_;
  int threads_;
  std::int64_t nz_, lines_ = 0;
  std::vector<R> mu_x_, first_row_;
  std::vector<CellWeights<R>> cells_;
  std::vector<std::vector<Pack<R>>> factors_;  // of each thread
  std::vector<double> column_;
};
}  // namespace

std::unique_ptr<ColumnSolver> make_columns_cpu(const ColumnPlan& plan, Precision precision,
                                               const Queue& queue) {
  if (precision == Precision::single_) return std::make_unique<ColumnsCpu<float>>(plan, queue);
  return std::make_unique<ColumnsCpu<double>>(plan, queue);
}

}  // namespace watersmeet::solve
