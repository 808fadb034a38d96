#include "mesh/metrics.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "schemes/sbp.hpp"

namespace watersmeet::mesh {

namespace {

using Field = std::vector<double>;

// Below this share of the dual volume the volume of the derivatives is not trusted.
constexpr double smallest_share = 0.05;

template <int order>
void differentiate_along(const schemes::Sbp<double, order>& table, const Index3& n, int axis,
                         std::span<const double> field, std::span<double> result) {
  std::int64_t stride = 1;
  for (int a = 0; a < axis; ++a) stride *= n[static_cast<std::size_t>(a)];
  const int length = static_cast<int>(n[static_cast<std::size_t>(axis)]);
  const std::int64_t count = n[0] * n[1] * n[2];
  // Runs of `stride` neighbours have the same index along the axis.
  for (std::int64_t start = 0; start < count; start += stride) {
    const int at = static_cast<int>(start / stride % length);
    for (std::int64_t node = start; node < start + stride; ++node) {
      const double* const f = field.data() + node;
      result[static_cast<std::size_t>(node)] =
          schemes::sbp_first(table, at, length, [&](int m) { return f[m * stride]; });
    }
  }
}

// Products and differences of fields, node by node.
Field product(const Field& a, std::span<const double> b) {
  Field result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] * b[i];
  return result;
}

struct Calculus {
  const Index3& n;
  const MetricOperators& operators;

  Field d(int axis, std::span<const double> field) const {
    Field result(field.size());
    differentiate(n, axis, operators, field, result);
    return result;
  }
};

// Two dimensions: the derivatives themselves, with their signs.
void flat_areas(const Calculus& c, const NodeCoordinates& nodes, Metrics& metrics) {
  const std::size_t size = nodes.x.size();
  const auto negated = [](Field f) {
    for (double& v : f) v = -v;
    return f;
  };
  metrics.area[0] = {c.d(1, nodes.y), negated(c.d(1, nodes.x)), Field(size, 0.0)};
  metrics.area[1] = {negated(c.d(0, nodes.y)), c.d(0, nodes.x), Field(size, 0.0)};
  for (Field& component : metrics.area[2]) component.assign(size, 0.0);
}

void solid_areas(const Calculus& c, const NodeCoordinates& nodes, Metrics& metrics) {
  const std::span<const double> coordinate[3] = {nodes.x, nodes.y, nodes.z};
  for (int m = 0; m < 3; ++m) {
    const std::span<const double> a = coordinate[(m + 1) % 3], b = coordinate[(m + 2) % 3];
    Field ab[3], ba[3];  // (D_k a) b and (D_k b) a
    for (int k = 0; k < 3; ++k) {
      ab[k] = product(c.d(k, a), b);
      ba[k] = product(c.d(k, b), a);
    }
    for (int k = 0; k < 3; ++k) {
      const int e = (k + 1) % 3, f = (k + 2) % 3;
      Field area = c.d(f, ab[e]);
      const Field second = c.d(e, ab[f]), third = c.d(e, ba[f]), fourth = c.d(f, ba[e]);
      // Exchanging e and f negates both brackets, and with them every bit of the sum.
      for (std::size_t i = 0; i < area.size(); ++i) {
        area[i] = 0.5 * ((area[i] - second[i]) + (third[i] - fourth[i]));
      }
      metrics.area[static_cast<std::size_t>(k)][static_cast<std::size_t>(m)] = std::move(area);
    }
  }
}

void add_volumes(const Calculus& c, const NodeCoordinates& nodes, int dimensions,
                 Metrics& metrics) {
  const std::size_t size = nodes.x.size();
  metrics.volume.assign(size, 0.0);
  Field flux(size);
  for (int k = 0; k < dimensions; ++k) {
    const auto& area = metrics.area[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < size; ++i) {
      flux[i] = nodes.x[i] * area[0][i] + nodes.y[i] * area[1][i];
      if (dimensions == 3) flux[i] += nodes.z[i] * area[2][i];
    }
    const Field divergence = c.d(k, flux);
    for (std::size_t i = 0; i < size; ++i) metrics.volume[i] += divergence[i] / dimensions;
  }
}

Index3 node_of(std::size_t at, const Index3& n) {
  const auto node = static_cast<std::int64_t>(at);
  return {node % n[0], node / n[0] % n[1], node / (n[0] * n[1])};
}

// Replaces volumes that the closures made useless, and refuses cells that are turned inside out.
void floor_volumes(const NodeCoordinates& nodes, std::span<const double> dual, Metrics& metrics) {
  for (std::size_t i = 0; i < dual.size(); ++i) {
    const double volume = metrics.handedness * dual[i];
    if (!(volume > 0)) {
      const Index3 at = node_of(i, nodes.n);
      throw Error(
          ErrorKind::user_input,
          fmt::format("the cells around node ({}, {}, {}) at ({:g}, {:g}, {:g}) have a mean "
                      "volume of {:g}, which must be above 0 (nodes count from 0)",
                      at[0], at[1], at[2], nodes.x[i], nodes.y[i],
                      nodes.n[2] == 1 ? 0.0 : nodes.z[i], volume));
    }
    // Written so that a volume that is not a number is replaced too.
    if (metrics.volume[i] > smallest_share * volume) continue;
    metrics.volume[i] = volume;
    if (metrics.floored++ == 0) metrics.first_floored = node_of(i, nodes.n);
  }
}

void check(const NodeCoordinates& nodes, const MetricOperators& operators) {
  const auto size = static_cast<std::size_t>(nodes.n[0] * nodes.n[1] * nodes.n[2]);
  require(nodes.n[0] > 1 && nodes.n[1] > 1 && nodes.n[2] > 0, "a block is a plane or a solid");
  require(nodes.x.size() == size && nodes.y.size() == size, "coordinates of every node");
  require(nodes.n[2] == 1 || nodes.z.size() == size, "three coordinates in three dimensions");
  for (std::size_t k = 0; k < 3; ++k) {
    if (nodes.n[k] == 1) continue;
    const int order = operators.inner_order[k];
    require(order == 2 || order == 4 || order == 6, "an operator of order 2, 4 or 6");
    require(nodes.n[k] >= schemes::sbp_minimum(order), "enough nodes for both closures");
  }
}

}  // namespace

void differentiate(const Index3& n, int axis, const MetricOperators& operators,
                   std::span<const double> field, std::span<double> result) {
  switch (operators.inner_order[static_cast<std::size_t>(axis)]) {
    case 2:
      return differentiate_along(schemes::make_sbp<double, 2>(), n, axis, field, result);
    case 4:
      return differentiate_along(schemes::make_sbp<double, 4>(), n, axis, field, result);
    default:
      return differentiate_along(schemes::make_sbp<double, 6>(operators.sbp6_x1), n, axis, field,
                                 result);
  }
}

Metrics metrics_of(const NodeCoordinates& nodes, const MetricOperators& operators) {
  check(nodes, operators);
  Metrics metrics;
  metrics.n = nodes.n;
  const int dimensions = nodes.n[2] == 1 ? 2 : 3;
  const Calculus calculus{nodes.n, operators};
  if (dimensions == 2) {
    flat_areas(calculus, nodes, metrics);
  } else {
    solid_areas(calculus, nodes, metrics);
  }
  add_volumes(calculus, nodes, dimensions, metrics);
  const Field dual = dual_volumes(nodes);
  double total = 0;
  for (const double volume : dual) total += volume;
  if (total < 0) {
    metrics.handedness = -1;
    for (auto& direction : metrics.area) {
      for (Field& component : direction) {
        for (double& v : component) v = -v;
      }
    }
    for (double& v : metrics.volume) v = -v;
  }
  floor_volumes(nodes, dual, metrics);
  return metrics;
}

}  // namespace watersmeet::mesh
