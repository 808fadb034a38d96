// Tables of line_transform.hpp. Angles are reduced to the first octant in whole numbers and
// evaluated in extended precision, so that every entry is correctly rounded.
#include "solve/poisson/line_plan.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/error.hpp"

namespace watersmeet::solve {

namespace {
// cos and sin of 2 pi k / n.
std::pair<long double, long double> turn(std::int64_t k, std::int64_t n) {
  k = (k % n + n) % n;
  if (2 * k > n) {
    const auto [c, s] = turn(n - k, n);
    return {c, -s};
  }
  if (4 * k > n) {
    const auto [c, s] = turn(n - 2 * k, 2 * n);
    return {-c, s};
  }
  if (8 * k > n) {
    const auto [c, s] = turn(n - 4 * k, 4 * n);
    return {s, c};
  }
  const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

bool mixed(PoissonSide lower, PoissonSide upper) { return lower != upper; }
}  // namespace

std::vector<int> radices_of(std::int64_t n) {
  std::vector<int> radices;
  int twos = 0, threes = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  for (; n % 3 == 0; n /= 3) ++threes;
  // As few passes as can be: eights, then what is left of the twos with a three each.
  while (twos >= 3) {
    radices.push_back(8);
    twos -= 3;
  }
  while (twos > 0 && threes > 0 && !(twos == 2 && threes == 1)) {
    radices.push_back(6);
    --twos;
    --threes;
  }
  if (twos == 2) radices.push_back(4);
  if (twos == 1) radices.push_back(2);
  for (; threes > 0; --threes) radices.push_back(3);
  for (std::int64_t p = 5; n > 1; p += 2) {
    if (p * p > n) p = n;  // what is left is a prime
    for (; n % p == 0; n /= p) radices.push_back(static_cast<int>(p));
  }
  return radices;
}

std::int64_t largest_prime_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) largest = p;
  }
  return largest;
}

const char* modes_between(PoissonSide lower, PoissonSide upper) {
  if (lower == PoissonSide::periodic) return "Fourier";
  if (mixed(lower, upper)) return "quarter-wave";
  return lower == PoissonSide::neumann ? "cosine" : "sine";
}

std::vector<double> uniform_eigenvalues(std::int64_t n, double spacing, PoissonSide lower,
                                        PoissonSide upper) {
  std::vector<double> mu(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t eighths = 0;  // the angle is 2 pi eighths / (8 n)
    if (lower == PoissonSide::periodic) {
      eighths = 4 * k;
    } else if (mixed(lower, upper)) {
      eighths = 2 * k + 1;
    } else {
      eighths = lower == PoissonSide::neumann ? 2 * k : 2 * (n - k);
    }
    const long double root = 2.0L / static_cast<long double>(spacing) * turn(eighths, 8 * n).second;
    mu[static_cast<std::size_t>(k)] = static_cast<double>(root * root);
  }
  return mu;
}

template <class R>
LinePlan<R>::LinePlan(std::int64_t n, PoissonSide lower, PoissonSide upper, const Queue& queue)
    : values_(memory::working_space(queue.backend), bytes(n)) {
  const bool periodic = lower == PoissonSide::periodic, quarter = mixed(lower, upper);
  const std::vector<int> radices = radices_of(n);
  require(radices.size() <= static_cast<std::size_t>(most_passes), "a line has too many factors");
  tables_.n = static_cast<int>(n);
  tables_.mirror = static_cast<int>(quarter ? n - 1 : n);
  tables_.reorder = !periodic;
  tables_.reversed = quarter && lower == PoissonSide::dirichlet;
  tables_.odd_sign = lower == PoissonSide::neumann && upper == lower ? R(1) : R(-1);
  tables_.passes = static_cast<int>(radices.size());
  std::uint64_t before = 1;
  for (std::size_t p = 0; p < radices.size(); ++p) {
    tables_.radix[p] = radices[p];
    tables_.magic[p] = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + before - 1) / before);
    before *= static_cast<std::uint64_t>(radices[p]);
  }

  std::vector<R> values(static_cast<std::size_t>(8 * n));
  const auto put = [&](std::int64_t at, std::pair<long double, long double> z, long double scale) {
    values[static_cast<std::size_t>(2 * at)] = static_cast<R>(z.first * scale);
    values[static_cast<std::size_t>(2 * at + 1)] = static_cast<R>(z.second * scale);
  };
  const long double back = 1.0L / static_cast<long double>(n);
  for (std::int64_t k = 0; k < n; ++k) {
    put(k, turn(-k, n), 1);
    put(n + k, turn(-k, 2 * n), 1);
    // Phase of mode k, as e^{-2 pi i phase / (8 n)}.
    const std::int64_t phase = periodic ? (2 * k > n ? 2 * n : 0) : quarter ? 2 * k + 1 : 2 * k;
    put(2 * n + k, turn(-phase, 8 * n), 0.5L);
    // A mode that is its own partner has a real spectrum A: the mode is A times the phase's cosine.
    const bool alone = (tables_.mirror - k) % n == k;
    const auto forward = turn(phase, 8 * n);
    put(3 * n + k, alone ? std::pair(1.0L / forward.first, 0.0L) : forward, back);
  }
  copy_bytes(values_.start(), values.data(), values_.bytes(), queue);
  synchronize(queue);
  const R* const start = values_.template as<R>();
  tables_.roots = start;
  tables_.twist = quarter ? start + 2 * n : nullptr;
  tables_.forward = start + 4 * n;
  tables_.backward = start + 6 * n;
}

template class LinePlan<float>;
template class LinePlan<double>;

}  // namespace watersmeet::solve
