// Profiles of averages in time: means over the planes across an axis.
#include <cmath>

#include "comm/exact_reduction.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "run/sampling/averages.hpp"

namespace watersmeet::run {
namespace {

// Widths of the cells along an axis over their mean.
std::vector<double> widths_along(const mesh::GridDescription& grid, std::size_t axis) {
  const auto n = static_cast<std::size_t>(grid.n()[axis]);
  const std::vector<double>& faces = grid.faces[axis];
  std::vector<double> widths(n, 1.0);
  for (std::size_t i = 0; i < n && !faces.empty(); ++i)
    widths[i] = (faces[i + 1] - faces[i]) * static_cast<double>(n) / (faces[n] - faces[0]);
  return widths;
}

}  // namespace

// Weighted with the areas of the cells' faces across the axis; exact sums, so that the parts of the grid change no bit.
std::vector<double> Averages::plane_means(int axis,
                                          const std::vector<const double*>& fields) const {
  const mesh::GridDescription& grid = engine_.system().grid();
  const Box mine = engine_.share(nullptr).mine;
  const Index3 n = grid.n();
  const auto a = static_cast<std::size_t>(axis);
  std::array<std::vector<double>, 3> widths;
  for (std::size_t d = 0; d < 3; ++d)
    widths[d] =
        d == a ? std::vector<double>(static_cast<std::size_t>(n[d]), 1.0) : widths_along(grid, d);
  const std::size_t count = fields.size(), planes = static_cast<std::size_t>(n[a]);
  const auto each = [&](const auto& visit) {
    std::size_t cell = 0;
    mesh::for_each_node(mine, [&](const Index3& at) {
      double weight = 1;
      for (std::size_t d = 0; d < 3; ++d) weight *= widths[d][static_cast<std::size_t>(at[d])];
      const std::size_t first = static_cast<std::size_t>(at[a]) * count;
      for (std::size_t f = 0; f < count; ++f) visit(first + f, weight * fields[f][cell]);
      ++cell;
    });
  };
  const std::int64_t of_plane = n[0] * n[1] * n[2] / n[a];
  std::vector<double> sums(planes * count);
  comm::reduce_exactly(
      engine_.team().communicator(), static_cast<int>(sums.size()), 0, of_plane,
      [&](double* largest) {
        each([&](std::size_t sum, double value) {
          const double size = std::abs(value);
          if (!(size <= largest[sum])) largest[sum] = size;
        });
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        each([&](std::size_t sum, double value) {
          const exec::MagicCount c = exec::count_with_magic(scales[sum], value);
          exec::add_modulo(high_low[2 * sum], c.high - exec::round_magic_bits);
          exec::add_modulo(high_low[2 * sum + 1], c.low - exec::round_magic_bits);
        });
      },
      sums.data());
  for (double& sum : sums) sum /= static_cast<double>(of_plane);
  return sums;
}

AverageProfile Averages::profile(std::size_t number, const AverageResult& result) const {
  const AverageCase& one = cases_.cases[number];
  const auto axis = static_cast<std::size_t>(one.profile_axis);
  const Box mine = engine_.share(nullptr).mine;
  const std::size_t expressions = one.expressions.size(), n_pairs = one.pairs.size();
  std::vector<const double*> fields;
  for (const std::vector<double>& mean : result.means) fields.push_back(mean.data());
  const std::vector<double> means = plane_means(one.profile_axis, fields);
  // In each cell the moment about the mean of its plane.
  std::vector<std::vector<double>> moments = result.moments;
  fields.clear();
  for (std::size_t p = 0; p < n_pairs; ++p) {
    const auto a = static_cast<std::size_t>(one.pairs[p].first),
               b = static_cast<std::size_t>(one.pairs[p].second);
    std::size_t cell = 0;
    mesh::for_each_node(mine, [&](const Index3& at) {
      const double* const of_plane =
          means.data() + static_cast<std::size_t>(at[axis]) * expressions;
      moments[p][cell] +=
          (result.means[a][cell] - of_plane[a]) * (result.means[b][cell] - of_plane[b]);
      ++cell;
    });
    fields.push_back(moments[p].data());
  }
  const std::vector<double> of_pairs = plane_means(one.profile_axis, fields);
  AverageProfile profile;
  const mesh::GridDescription& grid = engine_.system().grid();
  const std::vector<double>& faces = grid.faces[axis];
  const auto planes = static_cast<std::size_t>(grid.n()[axis]);
  for (std::size_t k = 0; k < planes; ++k) {
    Index3 cell{};
    cell[axis] = static_cast<std::int64_t>(k);
    profile.at.push_back(faces.empty() ? grid.geometry().position(cell, Location::cell)[axis]
                                       : 0.5 * (faces[k] + faces[k + 1]));
    for (const AverageTerm& term : one.terms) {
      for (const int sum : term.sums) {
        const auto s = static_cast<std::size_t>(sum);
        profile.values.push_back(term.moment ? of_pairs[k * n_pairs + s]
                                             : means[k * expressions + s]);
      }
    }
  }
  return profile;
}

}  // namespace watersmeet::run
