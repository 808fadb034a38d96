#include "solve/spectra.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "memory/buffer.hpp"
#include "mesh/box_algebra.hpp"

namespace watersmeet::solve {

namespace {
// Signed wave number of entry i of n.
std::int64_t signed_number(std::int64_t i, std::int64_t n) { return i <= n / 2 ? i : i - n; }

// Wave numbers in units of the smallest one: of axis a, unit[a] times a whole number.
Real3 units_of(const Index3& n, const Real3& length) {
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (n[a] > 1) longest = std::max(longest, length[a]);
  }
  Real3 unit{};
  for (std::size_t a = 0; a < 3; ++a) unit[a] = n[a] > 1 ? longest / length[a] : 0.0;
  return unit;
}
}  // namespace

double number_of_shells(const Index3& n, const Real3& length) {
  const Real3 unit = units_of(n, length);
  double largest2 = 0;
  for (std::size_t a = 0; a < 3; ++a)
    largest2 += std::pow(unit[a] * static_cast<double>(n[a] / 2), 2);
  return std::floor(std::sqrt(largest2) + 0.5) + 1;
}

namespace {
using memory::Buffer;
using mesh::intersection;

// Rank r of `size` has planes (or columns) first(r) .. first(r + 1) of n.
std::int64_t first_of(std::int64_t n, int size, int r) { return n * r / size; }

// Power of one component of the grid by the ranks of a team.
class SpreadTransform {
 public:
  SpreadTransform(const SpectrumInput& input, const Queue& queue)
      : input_(input),
        queue_(queue),
        steps_(queue.backend == Backend::cuda ? detail::fourier_steps_cuda()
                                              : detail::fourier_steps_cpu()),
        half_(input.n[0] / 2 + 1) {
    if (input.team == nullptr || input.team->size() == 1) return;
    size_ = input.team->size();
    rank_ = input.team->rank();
    boxes_.resize(static_cast<std::size_t>(size_));
    input.team->all_gather(&input.mine, sizeof input.mine, boxes_.data());
  }

  int size() const { return size_; }
  int rank() const { return rank_; }
  // The columns of this rank are those at j = first_column() .. first_column() + columns().
  std::int64_t first_column(int r) const { return first_of(input_.n[1], size_, r); }
  std::int64_t columns(int r) const { return first_column(r + 1) - first_column(r); }

  // |u_n|^2 / points^2 of this rank's columns [k][j][0 .. nx/2].
  std::vector<double> power(std::size_t component) const {
    const Index3& n = input_.n;
    const std::int64_t modes = n[2] * columns(rank_) * half_;
    const double scale = 1.0 / (double(n[0]) * double(n[1]) * double(n[2]));
    Buffer values;
    if (size_ == 1) {
      values = numbers(2 * modes);
      steps_.pack(input_, component, n, values.as<double>(), 2 * half_, queue_);
      steps_.transform_planes(values.as<double>(), n, queue_);
    } else {
      values = on_device(columns_of(planes_of(component)));
    }
    if (modes == 0) return {};
    steps_.transform_columns(values.as<double>(), n[2], columns(rank_) * half_, queue_);
    return steps_.power(values.as<double>(), modes, scale, queue_);
  }

 private:
  Box planes(int r) const {
    return {{0, 0, first_of(input_.n[2], size_, r)},
            {input_.n[0], input_.n[1], first_of(input_.n[2], size_, r + 1)}};
  }
  Buffer numbers(std::int64_t count) const {
    return {memory::working_space(queue_.backend),
            static_cast<std::size_t>(count) * sizeof(double)};
  }
  Buffer on_device(const std::vector<double>& host) const {
    Buffer there = numbers(std::ssize(host));
    copy_bytes(there.start(), host.data(), there.bytes(), queue_);
    synchronize(queue_);
    return there;
  }
  std::vector<double> on_host(const Buffer& there) const {
    std::vector<double> host(there.bytes() / sizeof(double));
    copy_bytes(host.data(), there.start(), there.bytes(), queue_);
    synchronize(queue_);
    return host;
  }

  // What `outgoing(r)` and `incoming(r)` name for every rank; messages without values are left out.
  void exchange(const std::function<std::span<const double>(int)>& outgoing,
                const std::function<std::span<double>(int)>& incoming) const {
    std::vector<comm::Outgoing> out;
    std::vector<comm::Incoming> in;
    for (int r = 0; r < size_; ++r) {
      const std::span<const double> there = outgoing(r);
      const std::span<double> here = incoming(r);
      if (!there.empty()) out.push_back({r, there.data(), there.size_bytes()});
      if (!here.empty()) in.push_back({r, here.data(), here.size_bytes()});
    }
    input_.team->exchange(out, in);
  }

  // The boxes of all ranks to whole planes, transformed: complex numbers [k][n_y][half].
  std::vector<double> planes_of(std::size_t component) const {
    const Box& mine = input_.mine;
    const Index3 cells = {mine.size(0), mine.size(1), mine.size(2)};
    const Buffer packed = numbers(mine.count());
    if (!mine.empty()) {
      steps_.pack(input_, component, cells, packed.as<double>(), cells[0], queue_);
    }
    const std::vector<double> box = on_host(packed);
    const Box slab = planes(rank_);
    std::vector<std::vector<double>> arrived(static_cast<std::size_t>(size_));
    exchange(
        [&](int r) -> std::span<const double> {
          const Box part = intersection(mine, planes(r));
          if (part.empty()) return {};
          return {box.data() + (part.lower[2] - mine.lower[2]) * cells[0] * cells[1],
                  static_cast<std::size_t>(part.count())};
        },
        [&](int r) -> std::span<double> {
          std::vector<double>& a = arrived[static_cast<std::size_t>(r)];
          a.resize(static_cast<std::size_t>(
              intersection(boxes_[static_cast<std::size_t>(r)], slab).count()));
          return a;
        });
    const Index3 n = {input_.n[0], input_.n[1], slab.size(2)};
    std::vector<double> rows(static_cast<std::size_t>(n[2] * n[1] * 2 * half_));
    for (int r = 0; r < size_; ++r) {
      const Box part = intersection(boxes_[static_cast<std::size_t>(r)], slab);
      if (part.empty()) continue;
      const double* from = arrived[static_cast<std::size_t>(r)].data();
      for (std::int64_t k = part.lower[2] - slab.lower[2]; k < part.upper[2] - slab.lower[2]; ++k) {
        for (std::int64_t j = part.lower[1]; j < part.upper[1]; ++j, from += part.size(0)) {
          std::copy_n(from, part.size(0), rows.data() + (k * n[1] + j) * 2 * half_ + part.lower[0]);
        }
      }
    }
    if (rows.empty()) return rows;
    const Buffer values = on_device(rows);
    steps_.transform_planes(values.as<double>(), n, queue_);
    return on_host(values);
  }

  // Planes of all ranks to whole columns: complex numbers [n_z][j][half].
  std::vector<double> columns_of(const std::vector<double>& modes) const {
    const std::int64_t here = planes(rank_).size(2), row = 2 * half_;
    std::vector<std::vector<double>> leaving(static_cast<std::size_t>(size_));
    std::vector<double> whole(static_cast<std::size_t>(input_.n[2] * columns(rank_) * row));
    exchange(
        [&](int r) -> std::span<const double> {
          std::vector<double>& out = leaving[static_cast<std::size_t>(r)];
          out.reserve(static_cast<std::size_t>(here * columns(r) * row));
          for (std::int64_t k = 0; k < here; ++k) {
            const auto from = modes.begin() + (k * input_.n[1] + first_column(r)) * row;
            out.insert(out.end(), from, from + columns(r) * row);
          }
          return out;
        },
        [&](int r) -> std::span<double> {
          const Box theirs = planes(r);
          return {whole.data() + theirs.lower[2] * columns(rank_) * row,
                  static_cast<std::size_t>(theirs.size(2) * columns(rank_) * row)};
        });
    return whole;
  }

  const SpectrumInput& input_;
  const Queue& queue_;
  const detail::FourierSteps& steps_;
  std::int64_t half_;
  int size_ = 1, rank_ = 0;
  std::vector<Box> boxes_;  // of the cells of all ranks
};

// The contributions of the modes at each j of this rank to every shell.
std::vector<double> shells_of_columns(const SpectrumInput& input, const SpreadTransform& transform,
                                      std::size_t component, std::size_t shells, int threads) {
  const std::vector<double> power = transform.power(component);
  const std::int64_t nx = input.n[0], ny = input.n[1], nz = input.n[2], half = nx / 2 + 1;
  const std::int64_t first = transform.first_column(transform.rank());
  const std::int64_t columns = transform.columns(transform.rank());
  const Real3 unit = units_of(input.n, input.length);
  std::vector<double> sums(static_cast<std::size_t>(columns) * shells, 0.0);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t j = 0; j < columns; ++j) {
    double* const bins = sums.data() + static_cast<std::size_t>(j) * shells;
    const double ky = unit[1] * static_cast<double>(signed_number(first + j, ny));
    for (std::int64_t k = 0; k < nz; ++k) {
      const double kz = unit[2] * static_cast<double>(signed_number(k, nz));
      for (std::int64_t i = 0; i < half; ++i) {
        const double kx = unit[0] * static_cast<double>(i);
        const bool alone = i == 0 || 2 * i == nx;  // no conjugate partner in the other half
        const double energy =
            (alone ? 0.5 : 1.0) * power[static_cast<std::size_t>((k * columns + j) * half + i)];
        // Round-off must not lift the corner mode over the last shell.
        const double shell = std::floor(std::sqrt(kx * kx + ky * ky + kz * kz) + 0.5);
        bins[std::min(static_cast<std::size_t>(shell), shells - 1)] += energy;
      }
    }
  }
  return sums;
}

// The values of all ranks one after the other on rank 0; nothing on the others.
std::vector<double> gather(const SpectrumInput& input, const SpreadTransform& transform,
                           std::size_t shells, std::vector<double> mine) {
  if (transform.size() == 1) return mine;
  if (transform.rank() != 0) {
    const comm::Outgoing out[1] = {{0, mine.data(), mine.size() * sizeof(double)}};
    input.team->exchange({out, mine.empty() ? 0u : 1u}, {});
    return {};
  }
  std::vector<double> all(static_cast<std::size_t>(input.n[1]) * shells);
  std::copy(mine.begin(), mine.end(), all.begin());
  std::vector<comm::Incoming> in;
  for (int r = 1; r < transform.size(); ++r) {
    const std::size_t count = static_cast<std::size_t>(transform.columns(r)) * shells;
    if (count == 0) continue;
    in.push_back({r, all.data() + static_cast<std::size_t>(transform.first_column(r)) * shells,
                  count * sizeof(double)});
  }
  input.team->exchange({}, in);
  return all;
}
}  // namespace

ShellSpectra shell_spectra(const SpectrumInput& input, const Queue& queue) {
  const auto shells = static_cast<std::size_t>(number_of_shells(input.n, input.length));
  const SpreadTransform transform(input, queue);
  ShellSpectra result;
  for (std::size_t s = 0; s < shells; ++s) result.k.push_back(static_cast<double>(s));
  result.total.assign(shells, 0.0);
  for (std::size_t c = 0; c < input.components.size(); ++c) {
    const std::vector<double> columns = gather(
        input, transform, shells, shells_of_columns(input, transform, c, shells, queue.threads));
    // Every j by itself, then all in order, so that neither threads nor ranks change the sums.
    std::vector<double> spectrum(shells, 0.0);
    for (std::size_t at = 0; at < columns.size(); ++at) spectrum[at % shells] += columns[at];
    for (std::size_t s = 0; s < shells; ++s) result.total[s] += spectrum[s];
    result.component.push_back(std::move(spectrum));
  }
  if (transform.rank() != 0) return {};
  return result;
}

}  // namespace watersmeet::solve
