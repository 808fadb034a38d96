// Transforms of lines on the CPU: two packs of lines at a time, the first as real and the second as
// imaginary parts (line_transform.hpp). Lines side by side in memory are read as packs; others are
// first laid side by side.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/pack.hpp"
#include "solve/poisson/line_fft.hpp"
#include "solve/poisson/line_loops.hpp"
#include "solve/poisson/thread_number.hpp"

namespace watersmeet::solve {

namespace {
template <class R>
constexpr std::int64_t lanes = static_cast<std::int64_t>(Pack<R>::size());

// Pairs of packs of neighbouring lines: point i at start + i * stride.
template <class R>
struct SideBySide {
  R* start;
  std::int64_t stride;
  Twin<Pack<R>> load(std::int64_t i) const {
    const R* const p = start + i * stride;
    return {load_as<Pack<R>>(p), load_as<Pack<R>>(p + lanes<R>)};
  }
  void store(std::int64_t i, const Twin<Pack<R>>& v) const {
    R* const p = start + i * stride;
    v.a.copy_to(p);
    v.b.copy_to(p + lanes<R>);
  }
};

// Memory of one thread: two complex lines and a block of lines laid side by side.
template <class R>
struct Workspace {
  ComplexLine<Pack<R>> line[2];
  R* block;
  Workspace(void* start, std::int64_t n) {
    auto* const p = static_cast<Pack<R>*>(start);
    line[0] = {p, p + n, 1};
    line[1] = {p + 2 * n, p + 3 * n, 1};
    block = reinterpret_cast<R*>(p + 4 * n);
  }
};

// Rows and columns of a square of numbers exchanged, a register a row.
template <class R>
struct Square {
  static constexpr int edge = static_cast<int>(lanes<R>);
  typedef R Row __attribute__((vector_size(sizeof(Pack<R>))));
  typedef R Unaligned __attribute__((vector_size(sizeof(Pack<R>)), aligned(alignof(R)), may_alias));
  Row row[edge];

  // Element l of a row and of the one `step` below trade places: halves of pairs of squares.
  template <int step, int... l>
  static void trade(Row& above, Row& below, std::integer_sequence<int, l...>) {
    const Row a = above, b = below;
    above = __builtin_shufflevector(a, b, ((l & step) ? edge + l - step : l)...);
    below = __builtin_shufflevector(a, b, ((l & step) ? edge + l : l + step)...);
  }
  template <int step>
  void exchange_from() {
    if constexpr (step < edge) {
      WM_UNROLL
      for (int r = 0; r < edge; ++r)
        if ((r & step) == 0)
          trade<step>(row[r], row[r + step], std::make_integer_sequence<int, edge>());
      exchange_from<2 * step>();
    }
  }
  static void transpose(const R* from, std::int64_t from_stride, R* to, std::int64_t to_stride) {
    Square s;
    WM_UNROLL
    for (int r = 0; r < edge; ++r)
      s.row[r] = *reinterpret_cast<const Unaligned*>(from + r * from_stride);
    s.template exchange_from<1>();
    WM_UNROLL
    for (int r = 0; r < edge; ++r) *reinterpret_cast<Unaligned*>(to + r * to_stride) = s.row[r];
  }
};

// A block [i][line] from lines along rows, and back; `rows` of them are there.
template <class R>
void lay_side_by_side(const R* from, std::int64_t line_stride, std::int64_t stride, R* block,
                      std::int64_t n, std::int64_t rows) {
  constexpr std::int64_t edge = lanes<R>, width = 2 * edge;
  const std::int64_t squares = stride == 1 && rows == width ? n / edge * edge : 0;
  for (std::int64_t i = 0; i < squares; i += edge)
    for (std::int64_t l = 0; l < width; l += edge)
      Square<R>::transpose(from + l * line_stride + i, line_stride, block + i * width + l, width);
  for (std::int64_t l = 0; l < width; ++l)
    for (std::int64_t i = squares; i < n; ++i)
      block[i * width + l] = l < rows ? from[l * line_stride + i * stride] : R(0);
}
template <class R>
void lay_along_rows(const R* block, R* to, std::int64_t line_stride, std::int64_t stride,
                    std::int64_t n, std::int64_t rows) {
  constexpr std::int64_t edge = lanes<R>, width = 2 * edge;
  const std::int64_t squares = stride == 1 && rows == width ? n / edge * edge : 0;
  for (std::int64_t l = 0; l < width && squares > 0; l += edge)
    for (std::int64_t i = 0; i < squares; i += edge)
      Square<R>::transpose(block + i * width + l, width, to + l * line_stride + i, line_stride);
  for (std::int64_t l = 0; l < rows; ++l)
    for (std::int64_t i = squares; i < n; ++i)
      to[l * line_stride + i * stride] = block[i * width + l];
}

// Returns where the result is.
template <class R>
const ComplexLine<Pack<R>>& run_passes(const LineTables<R>& t, Workspace<R>& w) {
  int s = 1, at = 0;
  for (int pass = 0; pass < t.passes; ++pass, at = 1 - at) {
    const int pieces = pieces_of_pass(t.n, t.radix[pass]);
    for (int i = 0; i < pieces; ++i)
      piece_of_pass<Pack<R>>(t, pass, i, s, w.line[at], w.line[1 - at]);
    s *= t.radix[pass];
  }
  return w.line[at];
}

template <class R>
void transform_group(const LineTables<R>& t, LineDirection direction, const SideBySide<R>& from,
                     const SideBySide<R>& to, Workspace<R>& w) {
  if (direction == LineDirection::forward) {
    for (int i = 0; i < t.n; ++i) {
      R sign;
      const int slot = slot_of(t, i, sign);
      w.line[0].put(slot, entered<Pack<R>>(t, slot, sign, from.load(i)));
    }
    const auto& z = run_passes(t, w);
    for (int k = 0; k < t.n; ++k) to.store(k, mode_of<Pack<R>>(t, k, z));
  } else {
    for (int k = 0; k < t.n; ++k)
      w.line[0].put(k, entered_mode<Pack<R>>(t, k, from.load(k), from.load(partner_of(t, k))));
    const auto& z = run_passes(t, w);
    for (int i = 0; i < t.n; ++i) to.store(i, point_of<Pack<R>>(t, i, z));
  }
}
}  // namespace

template <class R>
std::size_t LinesCpu<R>::buffer_bytes(std::int64_t n) {
  return static_cast<std::size_t>(6 * n) * sizeof(Pack<R>);
}

template <class R>
void LinesCpu<R>::transform(const LineTables<R>& tables, LineDirection direction, const R* from,
                            const LineSet& from_lines, R* to, const LineSet& to_lines, void* buffer,
                            int threads) {
  const LineSet in = simplified(from_lines), out = simplified(to_lines);
  const std::int64_t n = tables.n, width = 2 * lanes<R>;
  const std::int64_t groups = (in.inner + width - 1) / width;
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
  for (std::int64_t o = 0; o < in.outer; ++o) {
    for (std::int64_t g = 0; g < groups; ++g) {
      Workspace<R> w(static_cast<char*>(buffer) + thread_number() * buffer_bytes(n), n);
      const std::int64_t first = g * width, count = std::min(width, in.inner - first);
      const R* const source = from + o * in.outer_stride + first * in.inner_stride;
      R* const target = to + o * out.outer_stride + first * out.inner_stride;
      const SideBySide<R> block{w.block, width};
      const bool full = count == width;
      const bool read_packs = full && in.inner_stride == 1;
      const bool write_packs = full && out.inner_stride == 1;
      if (!read_packs) lay_side_by_side(source, in.inner_stride, in.stride, w.block, n, count);
      // SideBySide of a source is only read.
      const SideBySide<R> reads =
          read_packs ? SideBySide<R>{const_cast<R*>(source), in.stride} : block;
      const SideBySide<R> writes = write_packs ? SideBySide<R>{target, out.stride} : block;
      transform_group(tables, direction, reads, writes, w);
      if (!write_packs) lay_along_rows(w.block, target, out.inner_stride, out.stride, n, count);
    }
  }
}

template struct LinesCpu<float>;
template struct LinesCpu<double>;

}  // namespace watersmeet::solve
