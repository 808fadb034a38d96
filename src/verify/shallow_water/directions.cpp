// No direction differs from another: the transposed and the mirrored problem have the transposed
// and the mirrored bits, with a bed, dry cells and rotation.
#include <fmt/format.h>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr std::int64_t n = 45, m = 34;

struct Choice {
  const char* name;
  double transverse;
  const char *limiter, *riemann;
  bool islands;
};

enum class Image { none, transposed, mirrored };

Simulation image_of(const Verification& v, const Choice& choice, Image image) {
  WaterCase c;
  const bool turned = image == Image::transposed;
  c.cells = turned ? Index3{m, n, 1} : Index3{n, m, 1};
  // Powers of two: centres of cells lie symmetric to the last bit.
  c.upper = turned ? Real3{m / 2.0, n / 2.0, 1} : Real3{n / 2.0, m / 2.0, 1};
  c.lower = {0, 0, 0};
  const std::string x = turned                     ? "y"
                        : image == Image::mirrored ? "(22.5 - x)"
                                                   : "x",
                    y = turned ? "x" : "y";
  c.bed = fmt::format("{}*sin({})*cos({}*0.75) - {}", choice.islands ? 1.1 : 0.4, x, y,
                      choice.islands ? 0.5 : 1.25);
  c.surface = fmt::format("0.25*sin({}*0.5) + 0.125*cos({})", x, y);
  const std::string u = fmt::format("0.5*cos({})", y), w = fmt::format("0.25*sin({})", x);
  c.velocity = turned                     ? std::array<std::string, 2>{w, u}
               : image == Image::mirrored ? std::array<std::string, 2>{"-(" + u + ")", w}
                                          : std::array<std::string, 2>{u, w};
  c.transverse = choice.transverse;
  c.limiter = choice.limiter;
  c.riemann = choice.riemann;
  c.wet_dry = choice.islands;
  // Both images turn the other way.
  c.physics = fmt::format("coriolis = {{ f = {} }}\nfriction = {{ drag = 0.01 }}\n",
                          image == Image::none ? 0.125 : -0.125);
  c.boundary = turned ? "x = \"periodic\"\ny = \"wall\"\n" : "x = \"wall\"\ny = \"periodic\"\n";
  Simulation s = start(v, c);
  s.step(40);
  return s;
}

double different(const Simulation& a, const Simulation& b, Image image) {
  const bool turned = image == Image::transposed;
  double count = a.t() == b.t() ? 0 : 1;
  const char* const names[3] = {"eta", "hu", "hv"};
  for (int q = 0; q < 3; ++q) {
    const std::vector<double> mine = a.variable(names[q]);
    const std::vector<double> theirs = b.variable(names[turned && q > 0 ? 3 - q : q]);
    const double sign = image == Image::mirrored && q == 1 ? -1 : 1;
    for (std::int64_t j = 0; j < m; ++j) {
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t there = turned                     ? i * m + j
                                   : image == Image::mirrored ? j * n + (n - 1 - i)
                                                              : j * n + i;
        count += mine[static_cast<std::size_t>(j * n + i)] !=
                 sign * theirs[static_cast<std::size_t>(there)];
      }
    }
  }
  return count;
}
}  // namespace

void verify_water_directions(Verification& v) {
  const Choice choices[] = {{"9 points", 0, "none", "osher", false},
                            {"13 points", -1.0 / 24, "none", "osher", false},
                            {"linearised", -1.0 / 24, "none", "linearised", false},
                            {"vanleer, hllc, islands", 0, "vanleer", "hllc", true},
                            {"tvd, osher, islands", 0, "tvd", "osher", true},
                            {"13 points, islands", -1.0 / 24, "none", "hllc", true}};
  for (const Choice& choice : choices) {
    const Simulation first = image_of(v, choice, Image::none);
    v.zero(fmt::format("{}, transposed: values that differ", choice.name),
           different(first, image_of(v, choice, Image::transposed), Image::transposed));
    v.zero(fmt::format("{}, mirrored: values that differ", choice.name),
           different(first, image_of(v, choice, Image::mirrored), Image::mirrored));
  }
}

}  // namespace watersmeet::verify
