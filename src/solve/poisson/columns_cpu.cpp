// The tridiagonal systems of all modes on the CPU: a line of 128 bytes of modes at a time, several
// packs whose divisions overlap.
#include <array>
#include <optional>

#include "core/error.hpp"
#include "core/pack.hpp"
#include "solve/poisson/columns_loops.hpp"
#include "solve/poisson/singular_column.hpp"
#include "solve/poisson/slab_exchange.hpp"
#include "solve/poisson/thread_number.hpp"

namespace watersmeet::solve {

namespace {
template <class R>
class ColumnsCpu final : public ColumnSolver {
 public:
  ColumnsCpu(const ColumnPlan& plan, comm::Team& team, const Queue& queue)
      : plan_(plan), queue_(queue), nz_(plan.here()) {
    const std::int64_t nx = std::ssize(plan.mu_x);
    pitch_ = mode_pitch(nx, sizeof(R) == 8 ? Precision::double_ : Precision::single_);
    modes_ = static_cast<std::size_t>(pitch_ * std::ssize(plan.mu_y));
    // Modes that are not there: any positive number.
    mu_x_.assign(static_cast<std::size_t>(pitch_), R(1));
    for (std::size_t i = 0; i < plan.mu_x.size(); ++i) mu_x_[i] = static_cast<R>(plan.mu_x[i]);
    first_row_ = mu_x_;
    if (plan.singular) first_row_[0] = R(1);  // solved apart
    for (std::int64_t k = plan.begin(); k < plan.begin() + nz_; ++k)
      cells_.push_back(rounded<R>(plan.cells[static_cast<std::size_t>(k)]));
    factors_.resize(static_cast<std::size_t>(queue.threads));
    for (auto& f : factors_) f.resize(static_cast<std::size_t>(nz_) * packs);
    column_.resize(plan.cells.size());
    if (plan.slabs() == 1) return;
    const std::size_t elements = 2 * modes_ + static_cast<std::size_t>(plan.most_cells());
    exchange_.emplace(plan, elements * sizeof(R), team, queue);
    for (int s = 0; s < plan.slabs(); ++s)
      answers_.push_back(slab_answers<R>(plan, s, pitch_, queue.threads));
  }

  void solve(const CellArray& modes) override {
    R* const start = static_cast<R*>(modes.start);
    if (exchange_) send_ends(modes);
    if (plan_.singular) {
      collect_column(modes);
      solve_singular_column(column_.data(), column_.data(), plan_.widths.data(),
                            plan_.distances.data(), std::ssize(column_), plan_.periodic);
    }
    for_each_line(modes, [&](R* line, std::size_t mode, const Block& mu) {
      Block below{}, above{};
      if (exchange_ || plan_.periodic) {
        for (std::size_t u = 0; u < packs; ++u) {
          const Pair<Pack<R>> ends =
              exchange_ ? around(mode + u * lanes)
                        : at_closure(section(line + u * lanes, modes.stride_k, mu[u]));
          below[u] = ends.lower;
          above[u] = ends.upper;
        }
      }
      solve_line(line, modes.stride_k, mu, below, above);
    });
    const std::size_t begin = static_cast<std::size_t>(plan_.begin());
    for (std::int64_t k = 0; plan_.singular && k < nz_; ++k)
      start[k * modes.stride_k] = static_cast<R>(column_[begin + static_cast<std::size_t>(k)]);
  }

 private:
  static constexpr std::size_t lanes = Pack<R>::size();
  static constexpr std::size_t packs = 128 / sizeof(Pack<R>);
  static constexpr std::int64_t block = static_cast<std::int64_t>(lanes * packs);
  using Block = std::array<Pack<R>, packs>;

  // work(first value of a line of modes, number of its first mode, mu)
  template <class Work>
  void for_each_line(const CellArray& modes, const Work& work) {
    R* const start = static_cast<R*>(modes.start);
    const std::int64_t ny = std::ssize(plan_.mu_y), lines = pitch_ / block;
#pragma omp parallel for collapse(2) num_threads(queue_.threads) schedule(static)
    for (std::int64_t j = 0; j < ny; ++j) {
      for (std::int64_t l = 0; l < lines; ++l) {
        const std::vector<R>& along_x = j == 0 ? first_row_ : mu_x_;
        Block mu;
        for (std::size_t u = 0; u < packs; ++u) {
          mu[u] = load_as<Pack<R>>(&along_x[static_cast<std::size_t>(l * block) + u * lanes]) +
                  static_cast<R>(plan_.mu_y[static_cast<std::size_t>(j)]);
        }
        work(start + j * modes.stride_j + l * block,
             static_cast<std::size_t>(j * pitch_ + l * block), mu);
      }
    }
  }

  // All cells here as one section of their columns.
  Section<Pack<R>> section(const R* f, std::int64_t stride, const Pack<R>& mu) const {
    Elimination<Pack<R>> e = begin_column(cells_[0], mu, load_as<Pack<R>>(f));
    SectionSum<Pack<R>> sum = begin_section(e);
    for (std::size_t k = 1; k < cells_.size(); ++k) {
      f += stride;
      e = continue_column(cells_[k], mu, load_as<Pack<R>>(f), e);
      continue_section(sum, e);
    }
    return sum.s;
  }

  // Message of a slab: y_first and y_last of every mode, then its part of the singular column.
  const R* message(int slab) const {
    return reinterpret_cast<const R*>(static_cast<const char*>(exchange_->all()) +
                                      static_cast<std::size_t>(slab) * exchange_->stride());
  }
  void send_ends(const CellArray& modes) {
    R* const out = static_cast<R*>(exchange_->mine());
    for_each_line(modes, [&](const R* line, std::size_t mode, const Block& mu) {
      for (std::size_t u = 0; u < packs; ++u) {
        const Section<Pack<R>> s = section(line + u * lanes, modes.stride_k, mu[u]);
        s.y_first.copy_to(out + mode + u * lanes);
        s.y_last.copy_to(out + modes_ + mode + u * lanes);
      }
    });
    for (std::int64_t k = 0; k < nz_; ++k)
      out[2 * modes_ + static_cast<std::size_t>(k)] =
          static_cast<const R*>(modes.start)[k * modes.stride_k];
    exchange_->exchange(queue_);
  }
  Pair<Pack<R>> around(std::size_t mode) const {
    return around_section<Pack<R>>(
        plan_.slabs(), plan_.mine, plan_.periodic, [&](int s) -> Section<Pack<R>> {
          const R* const y = message(s) + mode;
          const R* const a = answers_[static_cast<std::size_t>(s)].data() + mode;
          const auto of = [&](std::size_t array) { return load_as<Pack<R>>(a + array * modes_); };
          return {load_as<Pack<R>>(y),
                  load_as<Pack<R>>(y + modes_),
                  of(0),
                  of(1),
                  of(2),
                  of(3),
                  of(4),
                  of(5)};
        });
  }
  void collect_column(const CellArray& modes) {
    std::size_t c = 0;
    for (int s = 0; s < plan_.slabs(); ++s) {
      for (std::int64_t k = 0; k < plan_.cells_of(s); ++k)
        column_[c++] =
            static_cast<double>(exchange_ ? message(s)[2 * modes_ + static_cast<std::size_t>(k)]
                                          : static_cast<const R*>(modes.start)[k * modes.stride_k]);
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
        e[u].y.copy_to(values + u * lanes);
        factors[static_cast<std::size_t>(k) * packs + u] = e[u].next;
      }
    }
    Block x = above;
    for (std::int64_t k = nz_ - 1; k >= 0; --k) {
      R* const values = line + k * stride;
      for (std::size_t u = 0; u < packs; ++u) {
        x[u] = load_as<Pack<R>>(values + u * lanes) +
               factors[static_cast<std::size_t>(k) * packs + u] * x[u];
        x[u].copy_to(values + u * lanes);
      }
    }
  }

  ColumnPlan plan_;
  Queue queue_;
  std::int64_t nz_, pitch_ = 0;
  std::size_t modes_ = 0;
  std::vector<R> mu_x_, first_row_;
  std::vector<CellWeights<R>> cells_;          // here
  std::vector<std::vector<Pack<R>>> factors_;  // of each thread
  std::vector<double> column_;                 // the singular one, of all slabs
  std::optional<SlabExchange> exchange_;       // with other slabs
  std::vector<std::vector<R>> answers_;        // of all slabs
};
}  // namespace

std::unique_ptr<ColumnSolver> make_columns_cpu(const ColumnPlan& plan, Precision precision,
                                               comm::Team& team, const Queue& queue) {
  if (precision == Precision::single_)
    return std::make_unique<ColumnsCpu<float>>(plan, team, queue);
  return std::make_unique<ColumnsCpu<double>>(plan, team, queue);
}

}  // namespace watersmeet::solve
