#pragma once
// Passes of the complex transform of a line (line_transform.hpp): Stockham's self-sorting form with
// decimation in frequency (Van Loan, Computational Frameworks for the FFT, 1992, section 1.7). With
// s the product of the radices so far, butterfly `index` of n / r takes the points index + j n/r
// and writes to index + p s (r - 1) + k s, p = index / s, times e^{-2 pi i p s k / n}. Small
// transforms are written out; no pass depends on who computes the other butterflies, so that a
// thread block or one thread may run it.

#include "solve/poisson/line_transform.hpp"

namespace watersmeet::solve {

template <class T, int r>
struct Points {
  T re[r], im[r];
};

template <class T>
WM_HD void dft(Points<T, 2>& x) {
  const T re = x.re[0] - x.re[1], im = x.im[0] - x.im[1];
  x.re[0] = x.re[0] + x.re[1];
  x.im[0] = x.im[0] + x.im[1];
  x.re[1] = re;
  x.im[1] = im;
}

template <class T>
WM_HD void dft(Points<T, 3>& x) {
  using R = RealOf<T>;
  const R sine = R(0.86602540378443864676);  // sin 2 pi / 3
  const T sum_re = x.re[1] + x.re[2], sum_im = x.im[1] + x.im[2];
  const T side_re = (x.im[1] - x.im[2]) * sine, side_im = (x.re[2] - x.re[1]) * sine;
  const T mid_re = x.re[0] - sum_re * R(0.5), mid_im = x.im[0] - sum_im * R(0.5);
  x.re[0] = x.re[0] + sum_re;
  x.im[0] = x.im[0] + sum_im;
  x.re[1] = mid_re + side_re;
  x.im[1] = mid_im + side_im;
  x.re[2] = mid_re - side_re;
  x.im[2] = mid_im - side_im;
}

template <class T>
WM_HD void dft(Points<T, 4>& x) {
  const T a = x.re[0] + x.re[2], b = x.im[0] + x.im[2];
  const T c = x.re[0] - x.re[2], d = x.im[0] - x.im[2];
  const T e = x.re[1] + x.re[3], f = x.im[1] + x.im[3];
  const T g = x.re[1] - x.re[3], h = x.im[1] - x.im[3];
  x.re[0] = a + e;
  x.im[0] = b + f;
  x.re[1] = c + h;
  x.im[1] = d - g;
  x.re[2] = a - e;
  x.im[2] = b - f;
  x.re[3] = c - h;
  x.im[3] = d + g;
}

template <class T>
WM_HD void dft(Points<T, 5>& x) {
  using R = RealOf<T>;
  const R c1 = R(0.30901699437494742410), c2 = R(-0.80901699437494742410);  // cos 2 pi/5, 4 pi/5
  const R s1 = R(0.95105651629515357212), s2 = R(0.58778525229247312917);   // sines
  const T p_re = x.re[1] + x.re[4], p_im = x.im[1] + x.im[4];
  const T q_re = x.re[2] + x.re[3], q_im = x.im[2] + x.im[3];
  const T u_re = x.re[1] - x.re[4], u_im = x.im[1] - x.im[4];
  const T v_re = x.re[2] - x.re[3], v_im = x.im[2] - x.im[3];
  const T a_re = x.re[0] + p_re * c1 + q_re * c2, a_im = x.im[0] + p_im * c1 + q_im * c2;
  const T b_re = x.re[0] + p_re * c2 + q_re * c1, b_im = x.im[0] + p_im * c2 + q_im * c1;
  const T e_re = u_im * s1 + v_im * s2, e_im = u_re * s1 + v_re * s2;
  const T f_re = u_im * s2 - v_im * s1, f_im = u_re * s2 - v_re * s1;
  x.re[0] = x.re[0] + (p_re + q_re);
  x.im[0] = x.im[0] + (p_im + q_im);
  x.re[1] = a_re + e_re;
  x.im[1] = a_im - e_im;
  x.re[4] = a_re - e_re;
  x.im[4] = a_im + e_im;
  x.re[2] = b_re + f_re;
  x.im[2] = b_im - f_im;
  x.re[3] = b_re - f_re;
  x.im[3] = b_im + f_im;
}

// 2 x 3 without twiddles (Good and Thomas): input (3 a + 2 b) mod 6, output (3 c + 4 d) mod 6.
template <class T>
WM_HD void dft(Points<T, 6>& x) {
  Points<T, 3> sum{{x.re[0], x.re[2], x.re[4]}, {x.im[0], x.im[2], x.im[4]}};
  Points<T, 3> other{{x.re[3], x.re[5], x.re[1]}, {x.im[3], x.im[5], x.im[1]}};
  dft(sum);
  dft(other);
  constexpr int plus[3] = {0, 4, 2}, minus[3] = {3, 1, 5};
  WM_UNROLL
  for (int d = 0; d < 3; ++d) {
    x.re[plus[d]] = sum.re[d] + other.re[d];
    x.im[plus[d]] = sum.im[d] + other.im[d];
    x.re[minus[d]] = sum.re[d] - other.re[d];
    x.im[minus[d]] = sum.im[d] - other.im[d];
  }
}

template <class T>
WM_HD void dft(Points<T, 8>& x) {
  using R = RealOf<T>;
  const R h = R(0.70710678118654752440);
  Points<T, 4> e{{x.re[0], x.re[2], x.re[4], x.re[6]}, {x.im[0], x.im[2], x.im[4], x.im[6]}};
  Points<T, 4> o{{x.re[1], x.re[3], x.re[5], x.re[7]}, {x.im[1], x.im[3], x.im[5], x.im[7]}};
  dft(e);
  dft(o);
  // Times e^{-i pi k / 4}.
  const T t1_re = (o.re[1] + o.im[1]) * h, t1_im = (o.im[1] - o.re[1]) * h;
  const T t2_re = o.im[2], t2_im = o.re[2] * R(-1);
  const T t3_re = (o.im[3] - o.re[3]) * h, t3_im = (o.re[3] + o.im[3]) * R(-1) * h;
  const Points<T, 4> t{{o.re[0], t1_re, t2_re, t3_re}, {o.im[0], t1_im, t2_im, t3_im}};
  WM_UNROLL
  for (int k = 0; k < 4; ++k) {
    x.re[k] = e.re[k] + t.re[k];
    x.im[k] = e.im[k] + t.im[k];
    x.re[k + 4] = e.re[k] - t.re[k];
    x.im[k + 4] = e.im[k] - t.im[k];
  }
}

// index / s of a pass, by one multiplication on a GPU, whose lines are shorter than 2^16.
template <class R>
WM_HD int quotient(const LineTables<R>& t, int pass, int index, int s) {
#if defined(__CUDA_ARCH__)
  return s == 1 ? index : int(__umulhi(unsigned(index), t.magic[pass]));
#else
  (void)t, (void)pass;
  return index / s;
#endif
}

template <class R>
WM_HD ComplexNumber<R> product(const ComplexNumber<R>& a, const ComplexNumber<R>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// roots^(step k), k = 1 .. r - 1. On a GPU in single precision two of them are read before anything
// else and the others are products of these: loads between the stores of a butterfly are each
// waited for. In double there are too few registers for that: the step of line_shape.cpp went
// from 3.16 to 3.48 ms.
template <int r, class R>
struct Twiddles {
#if defined(__CUDA_ARCH__)
  static constexpr bool products = sizeof(R) == 4;
#else
  static constexpr bool products = false;
#endif
  ComplexNumber<R> power[products ? r : 1];
  const R* roots = nullptr;
  int step = 0;
  WM_HD void make(const LineTables<R>& t, int step_of_one) {
    roots = t.roots;
    step = step_of_one;
    if constexpr (products) {
      power[1] = table_entry(roots, step);
      if constexpr (r > 4) power[4] = table_entry(roots, 4 * step);
      WM_UNROLL
      for (int k = 2; k < r; ++k) {
        if (k < 4) power[k] = product(power[k - 1], power[1]);
        if (k > 4) power[k] = product(power[4], power[k - 4]);
      }
    }
  }
  WM_HD ComplexNumber<R> operator[](int k) const {
    if constexpr (products) {
      return power[k];
    } else {
      return table_entry(roots, step * k);
    }
  }
};

template <int r, class T, class R, class From, class To>
WM_HD void butterfly(const LineTables<R>& t, int pass, int index, int s, const From& from,
                     const To& to) {
  const int apart = t.n / r;
  const int step = quotient(t, pass, index, s) * s;
  const bool last = s * r == t.n;  // all twiddles are 1
  Twiddles<r, R> twiddles;
  twiddles.make(t, last && twiddles.products ? 0 : step);  // entry 0 is 1
  Points<T, r> x;
  WM_UNROLL
  for (int j = 0; j < r; ++j) {
    const ComplexNumber<T> z = from.get(index + j * apart);
    x.re[j] = z.re;
    x.im[j] = z.im;
  }
  dft(x);
  const int first = index + step * (r - 1);
  to.put(first, {x.re[0], x.im[0]});
  WM_UNROLL
  for (int k = 1; k < r; ++k) {
    ComplexNumber<T> z{x.re[k], x.im[k]};
    if (!last) {
      const ComplexNumber<R> w = twiddles[k];
      z = {x.re[k] * w.re - x.im[k] * w.im, x.re[k] * w.im + x.im[k] * w.re};
    }
    to.put(first + k * s, z);
  }
}

// One output of a pass of any radix, as a sum over the r points; `index` counts outputs, n of them.
template <class T, class R, class From, class To>
WM_HD void any_radix(const LineTables<R>& t, int r, int index, int s, const From& from,
                     const To& to) {
  const int apart = t.n / r, k = index / apart, b = index - k * apart, step = b / s * s;
  ComplexNumber<T> sum = from.get(b);
  for (int j = 1; j < r; ++j) {
    // e^{-2 pi i jk/r}
    const ComplexNumber<R> w = table_entry(t.roots, j * k % r * apart);
    const ComplexNumber<T> z = from.get(b + j * apart);
    sum.re = sum.re + (z.re * w.re - z.im * w.im);
    sum.im = sum.im + (z.re * w.im + z.im * w.re);
  }
  const ComplexNumber<R> w = table_entry(t.roots, step * k);
  to.put(b + step * (r - 1) + k * s,
         {sum.re * w.re - sum.im * w.im, sum.re * w.im + sum.im * w.re});
}

// Pieces of work of a pass of radix r, which are independent of each other, and one of them.
WM_HD int pieces_of_pass(int n, int r) { return r <= 6 || r == 8 ? n / r : n; }

// s: the product of the radices of the passes before.
template <class T, class R, class From, class To>
WM_HD void piece_of_pass(const LineTables<R>& t, int pass, int index, int s, const From& from,
                         const To& to) {
  switch (t.radix[pass]) {
    case 2:
      return butterfly<2, T>(t, pass, index, s, from, to);
    case 3:
      return butterfly<3, T>(t, pass, index, s, from, to);
    case 4:
      return butterfly<4, T>(t, pass, index, s, from, to);
    case 5:
      return butterfly<5, T>(t, pass, index, s, from, to);
    case 6:
      return butterfly<6, T>(t, pass, index, s, from, to);
    case 8:
      return butterfly<8, T>(t, pass, index, s, from, to);
    default:
      return any_radix<T>(t, t.radix[pass], index, s, from, to);
  }
}

}  // namespace watersmeet::solve
