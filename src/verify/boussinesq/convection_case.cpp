#include "verify/boussinesq/convection_case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace watersmeet::verify {

std::string text_of(const ConvectionCase& c) {
  std::string text = box_text("boussinesq", c.cells, c.lower, c.upper) + c.grid + "[physics]\n" +
                     c.physics + "[numerics]\n" + c.numerics;
  text += fmt::format("[time]\nend = 1e9\nscheme = \"{}\"\ncfl = {:.17e}\n", c.scheme, c.cfl);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  text += "[boundary]\n";
  text +=
      c.boundary.empty() ? "x = \"periodic\"\ny = \"periodic\"\nz = \"periodic\"\n" : c.boundary;
  text += fmt::format("[[initial]]\nvelocity = [{}]\ntemperature = \"{}\"\n", c.velocity,
                      c.temperature);
  if (!c.noise.empty()) text += fmt::format("noise = {{ {} }}\n", c.noise);
  if (!c.source.empty()) text += "[[source]]\n" + c.source;
  return text;
}

double settle(Simulation& s, const char* column, const Settling& rule) {
  double before = 0, now = 0;
  do {
    before = now;
    s.advance_to(s.t() + rule.piece);
    now = s.diagnostics().at(column);
  } while ((std::abs(now - before) > rule.change || s.t() < rule.least) && s.t() < rule.most);
  return now;
}

std::string list_along(std::size_t axis, const std::string& item) {
  std::array<std::string, 3> items{"0", "0", "0"};
  items[axis] = item;
  return fmt::format("{}, {}, {}", items[0], items[1], items[2]);
}

std::string turned(const std::string& expression, int turn) {
  std::string result = expression;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const char c = result[i];
    const auto letter = [](char l) { return (l >= 'a' && l <= 'z') || l == '_'; };
    const bool alone = (i == 0 || !letter(expression[i - 1])) &&
                       (i + 1 == result.size() || !letter(expression[i + 1]));
    if (alone && c >= 'x' && c <= 'z') result[i] = static_cast<char>('x' + (c - 'x' + turn) % 3);
  }
  return result;
}

std::array<std::vector<double>, 3> random_solenoidal(const Index3& n, const Real3& h,
                                                     unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const std::size_t cells = static_cast<std::size_t>(n[0] * n[1] * n[2]);
  std::array<std::vector<double>, 3> potential, velocity;
  for (auto& values : potential) {
    values.resize(cells);
    for (double& x : values) x = normal(generator);
  }
  const auto at = [&](Index3 i, std::size_t axis, std::int64_t step) {
    i[axis] = (i[axis] + step) % n[axis];
    return static_cast<std::size_t>((i[2] * n[1] + i[1]) * n[0] + i[0]);
  };
  double square = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    velocity[a].resize(cells);
    Index3 i{};
    for (i[2] = 0; i[2] < n[2]; ++i[2]) {
      for (i[1] = 0; i[1] < n[1]; ++i[1]) {
        for (i[0] = 0; i[0] < n[0]; ++i[0]) {
          // u_a = d_b A_c - d_c A_b, A_c on the edges along c.
          const std::size_t here = at(i, 0, 0);
          const double u = (potential[c][at(i, b, 1)] - potential[c][here]) / h[b] -
                           (potential[b][at(i, c, 1)] - potential[b][here]) / h[c];
          velocity[a][here] = u;
          square += u * u;
        }
      }
    }
  }
  const double scale = 1 / std::sqrt(square / static_cast<double>(cells));
  for (auto& values : velocity) {
    for (double& u : values) u *= scale;
  }
  return velocity;
}

}  // namespace watersmeet::verify
