#pragma once
// Loops of the levels on the CPU: rows of packs along x. A colour is a mask over the lanes: both
// colours of a row are computed and one is stored, which costs less than taking the row apart.
// Included by CPU instantiation files only.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/rows_cpu.hpp"

namespace watersmeet::solve::detail {

template <class R>
void red_black_row(const LevelArrays<R>& a, int j, int k, int colour) {
  using T = Pack<R>;
  constexpr int width = int(T::size());
  const Row<R> row = make_row(a, j, k);
  const auto colour_mask = every_second<T>((j + k + colour + a.parity) & 1);
  const T lane = Lanes<T>::number();
  R* const out = row_at(a, a.u, j, k);
  // A pack is stored after the next one's neighbours are loaded: they overlap, and a load of what
  // was just stored in part waits for the cache. The neighbours are of the other colour.
  T pending = R(0);
  for (int i = 0; i < a.n[0]; i += width) {
    const Neighbours<T> around = neighbours_at<T>(row, i);
    const T own = load_as<T>(row.own + i);
    if (i > 0) store_where(colour_mask, out + i - width, pending);
    pending = relaxed(weights_at<T>(a, row, i), around, own, load_as<T>(row.f + i), T(a.omega));
  }
  const int last = (a.n[0] - 1) / width * width;
  store_where(colour_mask && lane < R(a.n[0] - last), out + last, pending);
  wrap_row(a, out);
}

template <class R>
void residual_row(const LevelArrays<R>& a, int j, int k, R factor, R* sum) {
  using T = Pack<R>;
  constexpr int width = int(T::size());
  const Row<R> row = make_row(a, j, k);
  for (int i = 0; i < a.n[0]; i += width) {
    const T value = residual_of(weights_at<T>(a, row, i), neighbours_at<T>(row, i),
                                load_as<T>(row.own + i), load_as<T>(row.f + i));
    store_pack(sum + i, fma_(T(factor), value, load_as<T>(sum + i)), a.n[0] - i);
  }
}

// out[.., to, ..] = sum over from of matrix[from * n + to] in[.., from, ..], where an array is seen
// as [outer][n][inner].
template <class R>
void transform_cpu(const R* in, R* out, const R* matrix, int n, std::int64_t outer,
                   std::int64_t inner, int threads) {
  const bool many = outer * n * inner > cells_worth_threads;
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads) if (many)
  for (std::int64_t o = 0; o < outer; ++o) {
    for (int to = 0; to < n; ++to) {
      R* const line = out + (o * n + to) * inner;
      std::fill(line, line + inner, R(0));
      for (int from = 0; from < n; ++from) {
        const R w = matrix[std::int64_t(from) * n + to];
        const R* const values = in + (o * n + from) * inner;
        for (std::int64_t i = 0; i < inner; ++i) line[i] += w * values[i];
      }
    }
  }
}

// The same along the fastest axis.
template <class R>
void transform_x_cpu(const R* in, R* out, const R* matrix, int n, std::int64_t outer, int threads) {
  const bool many = outer * n > cells_worth_threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (many)
  for (std::int64_t o = 0; o < outer; ++o) {
    R* const line = out + o * n;
    std::fill(line, line + n, R(0));
    for (int from = 0; from < n; ++from) {
      const R w = in[o * n + from];
      const R* const row = matrix + std::int64_t(from) * n;
      for (int to = 0; to < n; ++to) line[to] += w * row[to];
    }
  }
}

// A value's bits in a word, so that a sum of words over the ranks, of which one alone has a value
// at a place, gathers the level without rounding.
template <class R>
using Bits = std::conditional_t<sizeof(R) == 8, std::int64_t, std::int32_t>;

// The loops of kernels.hpp.
template <class R>
class LevelLoopsCpu final : public LevelLoops<R> {
 public:
  void clear(const LevelArrays<R>& a, const When&, const Queue& queue) const override {
    const int gx = a.ghosts[0], gy = a.ghosts[1], gz = a.ghosts[2];
    const int rows_j = a.n[1] + 2 * gy, rows_k = a.n[2] + 2 * gz;
#pragma omp parallel for collapse(2) schedule(static) \
    num_threads(queue.threads) if (worth_threads(a))
    for (int k = 0; k < rows_k; ++k) {
      for (int j = 0; j < rows_j; ++j) {
        R* const row = row_at(a, a.u, j - gy, k - gz) - gx;
        std::fill(row, row + a.n[0] + 2 * gx, R(0));
      }
    }
  }

  void red_black(const LevelArrays<R>& a, int colour, const When&,
                 const Queue& queue) const override {
    for_rows(a, queue.threads, [&](int j, int k) { red_black_row(a, j, k, colour); });
  }

  void jacobi(const LevelArrays<R>& a, const When&, const Queue& queue) const override {
    using T = Pack<R>;
    constexpr int width = int(T::size());
    for_rows(a, queue.threads, [&](int j, int k) {
      const Row<R> row = make_row(a, j, k);
      R* const out = row_at(a, a.v, j, k);
      for (int i = 0; i < a.n[0]; i += width) {
        const T value = relaxed(weights_at<T>(a, row, i), neighbours_at<T>(row, i),
                                load_as<T>(row.own + i), load_as<T>(row.f + i), T(a.omega));
        store_pack(out + i, value, a.n[0] - i);
      }
      wrap_row(a, out);
    });
  }

  void restrict_residual(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                         const LevelArrays<R>& coarse, const When&,
                         const Queue& queue) const override {
    const int children_y = t.coarsened[1] ? 2 : 1, children_z = t.coarsened[2] ? 2 : 1;
#pragma omp parallel num_threads(queue.threads) if (worth_threads(fine))
    {
      std::vector<R> sum(std::size_t(fine.n[0]) + Pack<R>::size());
#pragma omp for collapse(2) schedule(static)
      for (int kc = 0; kc < coarse.n[2]; ++kc) {
        for (int jc = 0; jc < coarse.n[1]; ++jc) {
          std::fill(sum.begin(), sum.end(), R(0));
          for (int ck = 0; ck < children_z; ++ck) {
            for (int cj = 0; cj < children_y; ++cj) {
              const int j = children_y * jc + cj, k = children_z * kc + ck;
              residual_row(fine, j, k, t.share[1][j] * t.share[2][k], sum.data());
            }
          }
          R* const out = row_at(coarse, coarse.f, jc, kc);
          const R *const in = sum.data(), *const share = t.share[0];
          if (t.coarsened[0]) {
            for (int i = 0; i < coarse.n[0]; ++i) {
              out[i] = share[2 * i] * in[2 * i] + share[2 * i + 1] * in[2 * i + 1];
            }
          } else {
            std::copy(in, in + coarse.n[0], out);
          }
        }
      }
    }
  }

  void add_interpolated(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                        const LevelArrays<R>& coarse, const When&,
                        const Queue& queue) const override {
    // The coarse cells beside fine cell i along an axis: its own, and the one beyond the nearer face.
    const auto beside = [&](int axis, int i, int(&index)[2], R(&weight)[2]) {
      const int own = t.coarsened[axis] ? i / 2 : i;
      const int far = own + (i % 2 == 0 ? -1 : 1);
      index[0] = own;
      index[1] = !t.coarsened[axis]      ? own
                 : far < 0               ? coarse.below[axis]
                 : far >= coarse.n[axis] ? coarse.above[axis]
                                         : far;
      weight[0] = t.near[axis][i];
      weight[1] = t.far[axis][i];
    };
#pragma omp parallel num_threads(queue.threads) if (worth_threads(fine))
    {
      // Interpolated along y and z; element 1 + i is coarse cell i.
      std::vector<R> line(std::size_t(coarse.n[0]) + 2);
#pragma omp for collapse(2) schedule(static)
      for (int k = 0; k < fine.n[2]; ++k) {
        for (int j = 0; j < fine.n[1]; ++j) {
          int jc[2], kc[2];
          R wy[2], wz[2];
          beside(1, j, jc, wy);
          beside(2, k, kc, wz);
          std::fill(line.begin(), line.end(), R(0));
          for (int b = 0; b < 2; ++b) {
            for (int a = 0; a < 2; ++a) {
              const R w = wy[a] * wz[b];
              if (w == R(0)) continue;
              const R* const from = row_at(coarse, coarse.u, jc[a], kc[b]);
              line[0] += w * from[coarse.below[0]];
              for (int i = 0; i < coarse.n[0]; ++i) line[std::size_t(i) + 1] += w * from[i];
              line[std::size_t(coarse.n[0]) + 1] += w * from[coarse.above[0]];
            }
          }
          R* const out = row_at(fine, fine.u, j, k);
          const R *const in = line.data() + 1, *const near = t.near[0], *const far = t.far[0];

          if (t.coarsened[0]) {
            for (int i = 0; i < coarse.n[0]; ++i) {
              const int e = 2 * i, o = e + 1;
              out[e] = out[e] + (near[e] * in[i] + far[e] * in[i - 1]);
              out[o] = out[o] + (near[o] * in[i] + far[o] * in[i + 1]);
            }
          } else {
            for (int i = 0; i < fine.n[0]; ++i) out[i] += in[i];
          }
          wrap_row(fine, out);
        }
      }
    }
  }

  // Thomas' algorithm for as many columns at a time as a pack has lanes.
  void lines_z(const LevelArrays<R>& a, int colour, const When&,
               const Queue& queue) const override {
    using T = Pack<R>;
    constexpr int width = int(T::size());
    const int nz = a.n[2];
    const T lane = Lanes<T>::number();
#pragma omp parallel num_threads(queue.threads) if (worth_threads(a))
    {
      std::vector<T> ratio(std::size_t(nz) + 1), value(std::size_t(nz) + 1);
#pragma omp for schedule(static)
      for (int j = 0; j < a.n[1]; ++j) {
        const auto mask =
            colour < 0 ? typename T::mask_type(true) : every_second<T>((j + colour + a.parity) & 1);
        for (int i = 0; i < a.n[0]; i += width) {
          T last_ratio = R(0), last_value = R(0);
          for (int k = 0; k < nz; ++k) {
            const Row<R> row = make_row(a, j, k);
            PointWeights<T> w = weights_at<T>(a, row, i);
            const T lower = w.z_lower, upper = w.z_upper;
            w.z_lower = w.z_upper = R(0);
            // lower u_{k-1} - diagonal u_k + upper u_{k+1} = -(neighbours across - f)
            const T right = neighbour_sum(w, neighbours_at<T>(row, i), load_as<T>(row.f + i));
            const T pivot = R(1) / (w.diagonal - lower * last_ratio);
            last_ratio = upper * pivot;
            last_value = fma_(lower, last_value, right) * pivot;
            ratio[std::size_t(k)] = last_ratio;
            value[std::size_t(k)] = last_value;
          }
          const auto store = mask && lane < R(a.n[0] - i);
          T u = R(0);
          for (int k = nz - 1; k >= 0; --k) {
            u = fma_(ratio[std::size_t(k)], u, value[std::size_t(k)]);
            const T own = load_as<T>(row_at(a, a.u, j, k) + i);
            store_where(store, row_at(a, colour < 0 ? a.v : a.u, j, k) + i,
                        fma_(T(a.omega), u - own, own));
          }
        }
        for (int k = 0; k < nz; ++k) wrap_row(a, row_at(a, colour < 0 ? a.v : a.u, j, k));
      }
    }
  }

  void solve_bottom(const LevelArrays<R>& a, const BottomArrays<R>& bottom, const When&,
                    const Queue& queue) const override {
    const std::int64_t nx = bottom.n[0], ny = bottom.n[1], nz = bottom.n[2];
    R *const first = bottom.work[0], *const second = bottom.work[1];
    for_rows(a, queue.threads, [&](int j, int k) {
      const R* const row = row_at(a, a.f, j, k);
      std::copy(row, row + nx, first + (k * ny + j) * nx);
    });
    transform_x_cpu(first, second, bottom.forward[0], bottom.n[0], ny * nz, queue.threads);
    transform_cpu(second, first, bottom.forward[1], bottom.n[1], nz, nx, queue.threads);
    transform_cpu(first, second, bottom.forward[2], bottom.n[2], 1, nx * ny, queue.threads);
    for_rows(a, queue.threads, [&](int j, int k) {
      const R yz = bottom.eigenvalue[1][j] + bottom.eigenvalue[2][k];
      R* const row = second + (k * ny + j) * nx;
      for (int i = 0; i < bottom.n[0]; ++i) {
        const R sum = bottom.eigenvalue[0][i] + yz;
        row[i] = sum != R(0) ? row[i] / sum : R(0);
      }
    });
    transform_cpu(second, first, bottom.back[2], bottom.n[2], 1, nx * ny, queue.threads);
    transform_cpu(first, second, bottom.back[1], bottom.n[1], nz, nx, queue.threads);
    transform_x_cpu(second, first, bottom.back[0], bottom.n[0], ny * nz, queue.threads);
    for_rows(a, queue.threads, [&](int j, int k) {
      const R* const from = first + (k * ny + j) * nx;
      R* const row = row_at(a, a.u, j, k);
      std::copy(from, from + nx, row);
      wrap_row(a, row);
    });
  }

  void to_words(const LevelArrays<R>& part, const PartPlace& place, std::int64_t* words,
                const Queue& queue) const override {
    for_rows(part, queue.threads, [&](int j, int k) {
      const R* const row = row_at(part, part.f, j, k);
      const std::int64_t first =
          (std::int64_t(place.first[2] + k) * place.whole[1] + place.first[1] + j) *
              place.whole[0] +
          place.first[0];
      for (int i = 0; i < part.n[0]; ++i) words[first + i] = std::bit_cast<Bits<R>>(row[i]);
    });
  }

  void from_words(const LevelArrays<R>& whole, const std::int64_t* words,
                  const Queue& queue) const override {
    for_rows(whole, queue.threads, [&](int j, int k) {
      R* const row = row_at(whole, whole.f, j, k);
      const std::int64_t* const from = words + (std::int64_t(k) * whole.n[1] + j) * whole.n[0];
      for (int i = 0; i < whole.n[0]; ++i) row[i] = std::bit_cast<R>(static_cast<Bits<R>>(from[i]));
    });
  }

  void take_part(const LevelArrays<R>& part, const PartPlace& place, const LevelArrays<R>& whole,
                 const Queue& queue) const override {
    // Cell of the whole for one of the part or its ghosts; what lies beyond a side is not looked at.
    const auto at = [&](int axis, int i) {
      const int g = place.first[axis] + i;
      return g < 0 ? whole.below[axis] : g >= whole.n[axis] ? whole.above[axis] : g;
    };
    const int rows = part.n[1] + 2 * part.ghosts[1], planes = part.n[2] + 2 * part.ghosts[2];
#pragma omp parallel for schedule(static) num_threads(queue.threads) if (worth_threads(part))
    for (int row = 0; row < rows * planes; ++row) {
      const int j = row % rows - part.ghosts[1], k = row / rows - part.ghosts[2];
      const R* const from = row_at(whole, whole.u, at(1, j), at(2, k));
      R* const to = row_at(part, part.u, j, k);
      for (int i = -part.ghosts[0]; i < part.n[0] + part.ghosts[0]; ++i) to[i] = from[at(0, i)];
    }
  }
};

}  // namespace watersmeet::solve::detail
