#include "verify/central_waves.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::verify {

double first_symbol(double k, double h) {
  const double t = k * h;
  return (45 * std::sin(t) - 9 * std::sin(2 * t) + std::sin(3 * t)) / (30 * h);
}

double second_symbol(double k, double h) {
  const double t = k * h;
  return (490 - 540 * std::cos(t) + 54 * std::cos(2 * t) - 4 * std::cos(3 * t)) / (180 * h * h);
}

std::complex<double> coefficient(const Simulation& s, const std::string& variable, double k,
                                 int axis) {
  const std::vector<double> f = s.variable(variable);
  const std::size_t nx = static_cast<std::size_t>(s.cells()[0]),
                    ny = static_cast<std::size_t>(s.cells()[1]);
  const double h = s.spacing()[static_cast<std::size_t>(axis)];
  std::complex<double> sum = 0;
  for (std::size_t q = 0; q < f.size(); ++q) {
    const std::size_t index[3] = {q % nx, q / nx % ny, q / (nx * ny)};
    sum += f[q] * std::exp(std::complex<double>(0, -k * h * static_cast<double>(index[axis])));
  }
  return sum / static_cast<double>(f.size());
}

std::string vector_of(const std::array<std::string, 3>& texts) {
  return fmt::format("[\"{}\", \"{}\", \"{}\"]", texts[0], texts[1], texts[2]);
}

}  // namespace watersmeet::verify
