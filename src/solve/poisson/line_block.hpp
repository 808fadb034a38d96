#pragma once
// One thread block's share of the transforms of lines: a few pairs of lines, brought into fast
// memory as they are, and taken from one array there to another pass by pass. The first pass reads
// what was brought (EnteringPoints, EnteringModes), so that a line goes through fast memory once a
// pass and once more on its way out. Every value is read and written once in global memory.
//
//   lines side by side      raw [point][line]; two neighbouring lines are one complex number there
//   lines along rows        raw [line][point]
//   work arrays             [point][pair] or [pair][point], with one element left out after every
//                           eight points, so that strides of 8 points are no bank conflicts
//
// The code is that of a team of threads, which a kernel or, in tests, a loop may be:
//
//   team.each(count, body)           body(item, pair), items 0 .. count - 1 of all pairs, in any
//                                    order
//   team.flat(count, body)           body(index)
//   team.copy(to, from, valid)       16 bytes, of which `valid` elements are read and the others
//                                    become 0; done after arrive()
//   team.copy_one(to, from, valid)   the same with one element
//   team.arrive(), team.wait()       all have come by; arrive() also ends the copies

#include "solve/poisson/line_fft.hpp"
#include "solve/poisson/line_loops.hpp"

namespace watersmeet::solve {

template <class R>
struct LineArguments {
  LineTables<R> t;
  LineShape shape;
  const R* from = nullptr;
  R* to = nullptr;
  LineSet in, out;
  std::int64_t groups = 1;  // thread blocks of a set of inner lines
  bool wide = false;        // 16 bytes at a time: `from` is aligned
  bool wide_pairs = false;  // two neighbouring lines at a time: `to` is aligned
};

template <class R>
struct alignas(2 * sizeof(R)) AlignedPair {
  R re, im;
};

// The values of an array.
template <class R, bool side_by_side, class Team>
struct ArraySource {
  const LineArguments<R>& a;
  const Team& team;
  WM_HD void bring(R* raw, std::int64_t outer, std::int64_t first, std::int64_t count) const {
    const LineSet& in = a.in;
    const R* const source = a.from + outer * in.outer_stride + first * in.inner_stride;
    constexpr int wide = 16 / int(sizeof(R));
    const int n = a.t.n, lines = 2 << a.shape.log2_pairs, row = a.shape.row;
    // How many of the elements from e on one copy brings.
    const auto valid_of = [&](std::int64_t all, int e) {
      const std::int64_t left = all - e, most = a.wide ? wide : 1;
      return left < 0 ? 0 : int(left < most ? left : most);
    };
    if constexpr (side_by_side) {
      constexpr int log2_wide = sizeof(R) == 8 ? 1 : 2;
      const int log2_copies = a.shape.log2_pairs + 1 - (a.wide ? log2_wide : 0);
      team.flat(n << log2_copies, [&](int c) {
        const int i = c >> log2_copies, e = (c - (i << log2_copies)) * (a.wide ? wide : 1);
        const int valid = valid_of(count, e);
        const R* const p = source + i * in.stride + (valid > 0 ? e : 0);
        if (a.wide) {
          team.copy(raw + i * lines + e, p, valid);
        } else {
          team.copy_one(raw + i * lines + e, p, valid > 0);
        }
      });
    } else {
      const int copies = a.wide ? row / wide : n;
      team.flat(lines * copies, [&](int c) {
        const int line = a.shape.line_of(c, copies, a.wide);
        const int e = (c - line * copies) * (a.wide ? wide : 1);
        const int valid = line < count ? valid_of(n, e) : 0;
        const R* const p = source + (valid > 0 ? line * in.inner_stride + e * in.stride : 0);
        if (a.wide) {
          team.copy(raw + line * row + e, p, valid);
        } else {
          team.copy_one(raw + line * row + e, p, valid > 0);
        }
      });
    }
  }
};

template <class R, bool side_by_side, class Team>
class LineBlock {
 public:
  // block: number of the group of lines.
  WM_HD LineBlock(const LineArguments<R>& a, R* fast, std::int64_t block, const Team& team)
      : a_(a), team_(team), pairs_(1 << a.shape.log2_pairs) {
    outer_ = block / a.groups;
    first_ = (block - outer_ * a.groups) * 2 * pairs_;
    count_ = a.in.inner - first_;  // the last group may be smaller
    target_ = a.to + outer_ * a.out.outer_stride + first_ * a.out.inner_stride;
    line_step_ = int(a.out.inner_stride);
    point_step_ = int(a.out.stride);
    work_ = reinterpret_cast<Element*>(fast);
    raw_ = reinterpret_cast<R*>(work_ + a.shape.pitch * pairs_);
  }

  // source.bring(raw, outer, first, count): the points of the lines; values of lines that are not
  // there are 0.
  template <class Source>
  WM_HD void forward(const Source& source) const {
    const LineTables<R>& t = a_.t;
    source.bring(raw_, outer_, first_, count_);
    team_.arrive();
    // Points of a periodic axis enter as they are.
    const int last = t.reorder ? passes([&](int l) {
      return EnteringPoints<R, R, Raw>{t, raw(l)};
    })
                               : passes([&](int l) { return raw(l); });
    // Modes and their partners: the first of each two. Where 0 and n / 2 are their own partners
    // they go together, so that the pieces are half of n and no one more.
    const bool two_alone = t.mirror == t.n && t.n % 2 == 0;
    const int half = two_alone ? t.n / 2 : t.mirror == t.n ? t.n / 2 + 1 : (t.n + 1) / 2;
    team_.each(half, [&](int k, int l) {
      const bool alone = two_alone && k == 0;
      const int p = alone ? t.n / 2 : partner_of(t, k);
      const Line z = line(last, l);
      const ComplexNumber<R> at_k = z.get(k), at_p = z.get(p);
      store(k, l, mode_from<R>(t, k, at_k, alone ? at_k : at_p));
      if (p != k) store(p, l, mode_from<R>(t, p, at_p, alone ? at_p : at_k));
    });
  }

  template <class Source>
  WM_HD void backward(const Source& source) const {
    const LineTables<R>& t = a_.t;
    source.bring(raw_, outer_, first_, count_);
    team_.arrive();
    const int last = passes([&](int l) { return EnteringModes<R, R, Raw>{t, raw(l)}; });
    team_.each(t.n, [&](int i, int l) { store(i, l, point_of<R>(t, i, line(last, l))); });
  }

 private:
  using Element = AlignedPair<R>;
  WM_HD static int padded(int j) { return j + (j >> 3); }

  struct Line {
    Element* start;
    int log2_pitch;
    WM_HD ComplexNumber<R> get(int j) const {
      const Element e = start[padded(j) << log2_pitch];
      return {e.re, e.im};
    }
    WM_HD void put(int j, const ComplexNumber<R>& z) const {
      start[padded(j) << log2_pitch] = {z.re, z.im};
    }
  };
  WM_HD Line line(int buffer, int l) const {
    Element* const start = work_ + buffer * (a_.shape.pitch * pairs_);
    if constexpr (side_by_side) return {start + l, a_.shape.log2_pairs};
    return {start + l * a_.shape.pitch, 0};
  }

  struct Raw {
    const R* start;
    int log2_pairs, row;
    WM_HD ComplexNumber<R> get(int i) const {
      const Twin<R> z = (*this)(i);
      return {z.a, z.b};
    }
    WM_HD Twin<R> operator()(int i) const {
      if constexpr (side_by_side) {
        const Element e = reinterpret_cast<const Element*>(start)[i << log2_pairs];
        return {e.re, e.im};
      }
      return {start[i], start[i + row]};
    }
  };
  WM_HD Raw raw(int l) const {
    return {raw_ + 2 * l * (side_by_side ? 1 : a_.shape.row), a_.shape.log2_pairs, a_.shape.row};
  }

  // entering(l) gives what pair l begins with. Returns the number of the buffer that the transform
  // ends in.
  template <class Entering>
  WM_HD int passes(const Entering& entering) const {
    const LineTables<R>& t = a_.t;
    if (t.passes == 0) {  // lines of one point
      team_.each(1, [&](int, int l) { line(0, l).put(0, entering(l).get(0)); });
      team_.wait();
      return 0;
    }
    team_.each(pieces_of_pass(t.n, t.radix[0]), [&](int index, int l) {
      piece_of_pass<R>(t, 0, index, 1, entering(l), line(0, l));
    });
    team_.wait();
    int s = t.radix[0], at = 0;
    for (int pass = 1; pass < t.passes; ++pass, at = 1 - at) {
      team_.each(pieces_of_pass(t.n, t.radix[pass]), [&](int index, int l) {
        piece_of_pass<R>(t, pass, index, s, line(at, l), line(1 - at, l));
      });
      team_.wait();
      s *= t.radix[pass];
    }
    return at;
  }

  WM_HD void store(int i, int l, const Twin<R>& v) const {
    R* const p = target_ + (std::int64_t(2 * l) * line_step_ + std::int64_t(i) * point_step_);
    if (side_by_side && a_.wide_pairs && 2 * l + 1 < count_) {
      *reinterpret_cast<Element*>(p) = {v.a, v.b};
      return;
    }
    if (2 * l < count_) p[0] = v.a;
    if (2 * l + 1 < count_) p[line_step_] = v.b;
  }

  const LineArguments<R>& a_;
  const Team& team_;
  int pairs_;
  std::int64_t outer_ = 0, first_ = 0, count_ = 0;
  R* target_;
  int line_step_ = 1, point_step_ = 1;
  Element* work_;  // two arrays
  R* raw_;         // in the place of the second one
};

}  // namespace watersmeet::solve
