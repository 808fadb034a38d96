#include "systems/tabulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace watersmeet::systems {

GridCoordinates coordinates_of(const mesh::Mesh& mesh, int block) {
  const mesh::Block& b = mesh.block(block);
  GridCoordinates grid;
  std::vector<double>* const axes[3] = {&grid.x, &grid.y, &grid.z};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::int64_t i = 0; i < b.n[a]; ++i) {
      axes[a]->push_back(mesh.geometry().coordinate(static_cast<int>(a), b.origin[a] + i));
    }
  }
  return grid;
}

GridCoordinates coarse_coordinates(const GridCoordinates& all, std::size_t most) {
  const auto choose = [most](const std::vector<double>& from) {
    const std::size_t n = std::min(most, from.size());
    std::vector<double> chosen;
    for (std::size_t i = 0; i < n; ++i) chosen.push_back(from[i * from.size() / n]);
    return chosen;
  };
  return {choose(all.x), choose(all.y), choose(all.z)};
}

void tabulate(const std::string& expression, const config::Constants& constants,
              const GridCoordinates& grid, int threads, double* out) {
  const config::Expression parsed(expression, {"x", "y", "z", "r"}, constants);
  const std::size_t nx = grid.x.size(), ny = grid.y.size(), nz = grid.z.size();
  if (parsed.is_constant()) {
    std::fill(out, out + nx * ny * nz, parsed.constant());
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    config::Expression mine = parsed;
    std::vector<double> y(nx), z(nx), r(nx);
    const double* const columns[4] = {grid.x.data(), y.data(), z.data(), r.data()};
#pragma omp for collapse(2) schedule(static)
    for (std::size_t k = 0; k < nz; ++k) {
      for (std::size_t j = 0; j < ny; ++j) {
        for (std::size_t i = 0; i < nx; ++i) {
          y[i] = grid.y[j];
          z[i] = grid.z[k];
          r[i] = std::sqrt(grid.x[i] * grid.x[i] + grid.y[j] * grid.y[j] + grid.z[k] * grid.z[k]);
        }
        mine.evaluate_row(nx, columns, out + (k * ny + j) * nx);
      }
    }
  }
}

bool check_coordinates(config::Input& input, const std::string& key, const std::string& text,
                       const config::Constants& constants, const CoordinateKind& grid) {
  const config::Expression e(text, {"x", "y", "z", "lon", "lat"}, constants);
  const std::array<const char*, 2> flat = {"x", "y"}, round = {"lon", "lat"};
  const std::string own = grid.sphere    ? "use lon and lat, in radians"
                          : grid.heights ? "use x, y and z"
                                         : "use x and y";
  for (const char* const name : grid.sphere ? flat : round) {
    if (!e.depends_on(name)) continue;
    input.fault(config::FaultKind::bad_value, key,
                fmt::format("`{}` is no coordinate of a {}", name,
                            grid.sphere    ? "sphere"
                            : grid.heights ? "box"
                                           : "plane"),
                own + (!grid.sphere   ? ", or set grid.kind = \"cubed_sphere\""
                       : grid.heights ? ", and z"
                                      : ""));
    return false;
  }
  return true;
}

void require_finite(const config::Fault& key, std::span<const double> values,
                    const std::function<std::string(std::size_t)>& place) {
  const auto bad = std::find_if(values.begin(), values.end(),
                                [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  throw config::error_at(key,
                         fmt::format("{} is {} at {}", key.key, config::shown(*bad),
                                     place(static_cast<std::size_t>(bad - values.begin()))),
                         "finite numbers");
}

std::string point_text(const GridCoordinates& grid, std::size_t number) {
  const std::size_t nx = grid.x.size(), ny = grid.y.size();
  return fmt::format("x = {:g}, y = {:g}, z = {:g}", grid.x[number % nx], grid.y[number / nx % ny],
                     grid.z[number / (nx * ny)]);
}

std::vector<Stretch> stretches(std::int64_t n, std::int64_t width, std::int64_t most) {
  const std::int64_t wide = std::min(n, width);
  const std::int64_t count = n > wide ? std::min((n - 2) / (wide - 1) + 1, most) : 1;
  std::vector<Stretch> all;
  for (std::int64_t s = 0; s < count; ++s) {
    const std::int64_t begin = count > 1 ? s * (n - wide) / (count - 1) : 0;
    all.push_back({begin, begin + wide});
  }
  return all;
}

}  // namespace watersmeet::systems
