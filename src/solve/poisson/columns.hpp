#pragma once
// The tridiagonal system of one pair of horizontal modes, a column of nz cells:
//
//   (up_k + low_k + leak_k + mu d_k) x_k - low_k x_{k-1} - up_k x_{k+1} = -d_k f_k
//
// where d is the width of a cell, low and up = 1 / distance of neighbouring centres (0 at a side),
// leak = 2 / distance at a Dirichlet side, mu = mu_x + mu_y. It is the exact D G along z, whatever
// the spacing. Elimination never subtracts: with e_k the part of the pivot that is not up_k,
//
//   e_k = leak_k + mu d_k + low_k (e_{k-1} / p_{k-1}),   p_k = up_k + e_k,
//
// all terms positive, so that even the lowest modes lose no figures to cancellation (Grassmann,
// Taksar & Heyman, Oper. Res. 33 (1985) 1107, for a tridiagonal matrix). The singular column, with
// mu = 0 and no leak, is not solved this way but by two sums (singular_column.hpp).
//
// A section of a column between unknowns P below and N above,
//
//        P | first ... last | N        x_first = y_first + v_first P + w_first N,   last alike,
//
// is known by its two ends: y answers to f, v to P, w to N, and u to the rest of the row sums, so
// that u + v + w = 1. Sections join to sections: a rank, a thread of the GPU and a periodic axis
// all use this (the reduced system of Laszlo, Giles & Appleyard, ACM TOMS 42 (2016) 31, here in a
// form without subtractions of like numbers).

#include "core/math.hpp"

namespace watersmeet::solve {

// Numbers of one cell of a column.
template <class R>
struct CellWeights {
  R low, up, leak, width;
};

template <class T>
struct Section {
  T y_first, y_last, u_first, u_last, v_first, v_last, w_first, w_last;
};

// What the elimination carries from cell to cell: the reduced right-hand sides y, u, v and the
// factor of the next cell; and the inverse of the pivot.
template <class T>
struct Elimination {
  T y, u, v, next, inverse;
};

// The first cell of a section. `cut`: its coupling to P counts as v.
template <class T, class R>
WM_HD Elimination<T> begin_column(const CellWeights<R>& c, T mu, T f) {
  const T e = mu * c.width + c.leak;
  const T r = rcp_(e + (c.low + c.up));
  return {f * (-c.width) * r, e * r, r * c.low, r * c.up, r};
}
template <class T, class R>
WM_HD Elimination<T> continue_column(const CellWeights<R>& c, T mu, T f,
                                     const Elimination<T>& before) {
  const T e = mu * c.width + c.leak + before.u * c.low, v = before.v * c.low;
  const T r = rcp_(e + v + c.up);
  return {(before.y * c.low - f * c.width) * r, e * r, v * r, r * c.up, r};
}

// The same without the answer v to a coupled cell below: (u + v) in one.
template <class T, class R>
WM_HD Elimination<T> begin_solve(const CellWeights<R>& c, T mu, T f, T below) {
  const T e = mu * c.width + c.leak + c.low;
  const T r = rcp_(e + c.up);
  return {(below * c.low - f * c.width) * r, e * r, T(R(0)), r * c.up, r};
}
template <class T, class R>
WM_HD Elimination<T> continue_solve(const CellWeights<R>& c, T mu, T f,
                                    const Elimination<T>& before) {
  const T e = mu * c.width + c.leak + before.u * c.low;
  const T r = rcp_(e + c.up);
  return {(before.y * c.low - f * c.width) * r, e * r, T(R(0)), r * c.up, r};
}

// The right-hand side of a cell alone, where the pivots are known from before: they are the same
// whether the coupling to P counts apart or not. `y` is that of the cell before, or P.
template <class T, class R>
WM_HD T solve_again(const CellWeights<R>& c, T f, T y, T inverse) {
  return (y * c.low - f * c.width) * inverse;
}

// Sums up a section while it is eliminated: `through` is the product of the factors so far.
template <class T>
struct SectionSum {
  Section<T> s;
  T through;
};
template <class T>
WM_HD SectionSum<T> begin_section(const Elimination<T>& e) {
  return {{e.y, e.y, e.u, e.u, e.v, e.v, e.next, e.next}, e.next};
}
template <class T>
WM_HD void continue_section(SectionSum<T>& sum, const Elimination<T>& e) {
  Section<T>& s = sum.s;
  s.y_first = s.y_first + sum.through * e.y;
  s.u_first = s.u_first + sum.through * e.u;
  s.v_first = s.v_first + sum.through * e.v;
  sum.through = sum.through * e.next;
  s.w_first = sum.through;
  s.y_last = e.y;
  s.u_last = e.u;
  s.v_last = e.v;
  s.w_last = e.next;
}

// 1 / (1 - w_last of the lower one * v_first of the upper one), as a sum of positive terms.
template <class T>
WM_HD T joint(const Section<T>& lower, const Section<T>& upper) {
  return rcp_(lower.v_last + lower.u_last + lower.w_last * (upper.w_first + upper.u_first));
}

// Two sections as one.
template <class T>
WM_HD Section<T> join(const Section<T>& a, const Section<T>& b) {
  const T r = joint(a, b);
  // Last cell of the lower one, first cell of the upper one.
  const T py = (a.y_last + a.w_last * b.y_first) * r, qy = (b.y_first + b.v_first * a.y_last) * r;
  const T pu = (a.u_last + a.w_last * b.u_first) * r, qu = (b.u_first + b.v_first * a.u_last) * r;
  const T pv = a.v_last * r, qv = b.v_first * pv;
  const T qw = b.w_first * r, pw = a.w_last * qw;
  return {a.y_first + a.w_first * qy,
          b.y_last + b.v_last * py,
          a.u_first + a.w_first * qu,
          b.u_last + b.v_last * pu,
          a.v_first + a.w_first * qv,
          b.v_last * pv,
          a.w_first * qw,
          b.w_last + b.v_last * pw};
}

// The two unknowns at a joint, given the ones beyond: x_last of the lower section, x_first of the
// upper one.
template <class T>
struct Pair {
  T lower, upper;
};
template <class T>
WM_HD Pair<T> at_joint(const Section<T>& a, const Section<T>& b, T below, T above) {
  const T r = joint(a, b);
  const T p = a.y_last + a.v_last * below, q = b.y_first + b.w_first * above;
  return {(p + a.w_last * q) * r, (q + b.v_first * p) * r};
}

// A section that closes on itself: N is its first cell and P its last one. lower: the last cell.
template <class T>
WM_HD Pair<T> at_closure(const Section<T>& s) {
  // (1 - v_last) x_last = y_last + w_last x_first and the like, with 1 - v = u + w.
  const T last = s.u_last + s.w_last, first = s.u_first + s.v_first;
  const T r = rcp_(s.u_last * first + s.w_last * s.u_first);
  return {(s.y_last * first + s.w_last * s.y_first) * r,
          (s.y_first * last + s.v_first * s.y_last) * r};
}

// The unknowns just below and above section `mine` of `count` ones; section(s) gives them in order.
// Without a periodic axis nothing is beyond the first and the last.
template <class T, class Sections>
WM_HD Pair<T> around_section(int count, int mine, bool periodic, const Sections& section) {
  using R = RealOf<T>;
  Section<T> lower{}, middle = section(mine), upper{};
  if (mine > 0) {
    lower = section(0);
    for (int s = 1; s < mine; ++s) lower = join(lower, section(s));
  }
  if (mine + 1 < count) {
    upper = section(mine + 1);
    for (int s = mine + 2; s < count; ++s) upper = join(upper, section(s));
  }
  const Section<T> up_to = mine > 0 ? join(lower, middle) : middle;
  const Section<T> from = mine + 1 < count ? join(middle, upper) : middle;
  Pair<T> beyond{T(R(0)), T(R(0))};
  if (periodic) beyond = at_closure(mine + 1 < count ? join(up_to, upper) : up_to);
  Pair<T> around = beyond;
  if (mine > 0) around.lower = at_joint(lower, from, beyond.lower, beyond.upper).lower;
  if (mine + 1 < count) around.upper = at_joint(up_to, upper, beyond.lower, beyond.upper).upper;
  return around;
}

}  // namespace watersmeet::solve
