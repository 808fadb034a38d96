#include "verify/atmosphere/globe_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "verify/bit_rows.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void globe_rest_row(Verification& v, const GlobeChoice& choice, const char* grid) {
  Simulation s = start(v, case_of(choice, grid));
  s.step(v.at_least(Extent::quick) ? 1000 : 20);
  v.zero(fmt::format("mountains at rest, {}: numbers that are not 0", choice.name),
         count_nonzero(s));
}

// The momentum of curved axes is not kept, and work is done by what is not.
void globe_conserved_rows(Verification& v, const std::string& name, const GlobeChoice& choice,
                          const char* grid) {
  const std::int64_t steps = v.by_extent(50, 1000, 10000);
  GlobeCase c = case_of(choice, grid);
  c.initial = globe_bubble;
  Simulation s = start(v, c);
  s.step(steps);
  conserved_rows(v, fmt::format("{}{}, {} steps, ", name, choice.name, steps), s, 5);
}

void globe_steady_deep_rows(Verification& v, const char* grid, bool finer) {
  for (const GlobeChoice& choice : {GlobeChoice{""}, GlobeChoice{"hevi", false, false, true},
                                    GlobeChoice{"c3", false, false, false, true}}) {
    GlobeCase c = steady_deep_globe();
    c.grid = grid;
    c.time = case_of(choice).time;
    c.numerics = case_of(choice).numerics;
    const double first = globe_steady_error(v, c, 8, 6), second = globe_steady_error(v, c, 16, 12);
    const std::string name = fmt::format("air turning in a deep atmosphere{}{}, ",
                                         *choice.name ? ", " : "", choice.name);
    v.below(name + "N = 16, error after 200 s", second, 0.015);
    v.above(name + "order from N = 8 to 16", order_of(first, second), 1.7);
    if (!finer) continue;
    v.above(name + "order from N = 16 to 32", order_of(second, globe_steady_error(v, c, 32, 24)),
            1.7);
  }
}

void globe_split_rows(Verification& v, const std::string& name, const char* grid) {
  const auto apart = [&](int finer) {
    GlobeCase c;
    c.n *= finer;
    c.levels *= finer;
    c.grid = grid;
    const auto theta = [&](const char* scheme, double dt, double end) {
      return globe_warm_air(v, c, fmt::format("dt = {}\nscheme = \"{}\"\n", dt, scheme), end);
    };
    const std::vector<double> steps = theta("ssp-rk3", 1.0 / finer, 96);
    return rms_difference(theta("hevi", 2.0 / finer, 96), steps) /
           rms_difference(steps, theta("ssp-rk3", 1, 0));
  };
  const double coarse = apart(1), fine = apart(2);
  v.below(name + "hevi against explicit, N = 24, theta', over its change", fine, 0.05);
  v.above(name + "order of what they are apart from N = 12 to 24", order_of(coarse, fine), 1.5);
}

void globe_bit_rows(Verification& v, const std::string& name, const GlobeChoice& choice,
                    const char* grid) {
  GlobeCase c = case_of(choice, grid);
  c.n = 13;
  c.levels = 7;
  c.initial = globe_bubble;
  bit_rows(v, name, {.on_threads = 6, .before = 3, .after = 4, .threads = {3}}, text_of(c));
}

SpongeStep globe_sponge_step(const Verification& v, GlobeCase c, const std::vector<double>& z) {
  c.initial = globe_bubble;
  Simulation without = start(v, c);
  c.physics += "sponge.top = { width = 5000, rate = 0.5 }\n";
  Simulation with = start(v, c);
  without.step(1);
  with.step(1);
  SpongeStep result;
  for (const std::string& name : with.variables()) {
    const std::vector<double> a = with.variable(name), b = without.variable(name);
    for (std::size_t p = 0; p < a.size(); ++p) {
      const double inside = std::max(0.0, 1 - (12e3 - z[p]) / 5000);
      const double sine = std::sin(0.5 * std::numbers::pi * inside);
      const double expected = b[p] / (1 + 0.5 * with.dt() * sine * sine);
      result.error =
          max_or_nan(result.error, std::abs(a[p] - expected) / (std::abs(expected) + 1e-30));
      result.values += inside > 0 && b[p] != 0 ? 1 : 0;
      result.changed += a[p] != b[p] ? 1 : 0;
      result.outside += inside == 0 && a[p] != b[p] ? 1 : 0;
    }
  }
  return result;
}

}  // namespace watersmeet::verify
