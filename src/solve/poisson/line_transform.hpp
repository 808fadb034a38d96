#pragma once
// The real transforms that diagonalise the second difference along a uniform axis, one code for the
// CPU (T a pack of lines) and the GPU (T a number). The eigenvalue of a mode is
// -(2/h sin(angle))^2.
// The modes on n cell centres x_j, one line for each pair of sides:
//
//   sides              mode                         angle
//   periodic           cos, sin 2 pi k j / n        pi k / n
//   Neumann, Neumann   cos pi k (2j+1) / 2n         pi k / 2n              (DCT-II)
//   Dirichlet, D.      sin pi (n-k) (2j+1) / 2n     pi (n-k) / 2n          (DST-II, backwards)
//   Neumann, D.        cos pi (2k+1) (2j+1) / 4n    pi (2k+1) / 4n         (DCT-IV)
//   Dirichlet, N.      the same of n-1-j            the same
//
// Two lines a, b travel as one complex line z = a + i b of n points, whatever n is:
//
//   enter     z_slot(i) = sign_i (a_i + i b_i) twist_slot     even points up, then odd ones down
//             (Makhoul, IEEE Trans. ASSP 28 (1980) 27); the sign of odd points turns cosines into
//             sines, the twist e^{-i pi j/n} moves the frequencies by a half
//   transform Z = FFT(z): self-sorting passes of radices 2 .. 8 (Stockham), any other prime as a
//             sum
//   part      A_k = (Z_k + conj Z_k') / 2,  B_k = (Z_k - conj Z_k') / 2i,  k' = mirror - k mod n
//   leave     mode k of a is Re(phase_k A_k), of b Re(phase_k B_k)
//
// and back the same way: A_k = conj(phase_k) (a_k - i a_k'). The modes of a periodic axis above n/2
// hold the imaginary parts.

#include <cstdint>

#include "core/math.hpp"

namespace watersmeet::solve {

constexpr int most_passes = 24;  // of a line: 2^24 points

// Tables in the memory of the back end; complex ones as (re, im) pairs.
template <class R>
struct LineTables {
  int n = 1;
  int mirror = 1;         // n, or n - 1 for quarter waves
  bool reorder = false;   // all but periodic
  bool reversed = false;  // points counted from the upper side
  R odd_sign = R(1);
  int passes = 0;
  int radix[most_passes] = {};
  std::uint32_t magic[most_passes] = {};  // quotients by the product of the radices before
  const R* roots = nullptr;               // e^{-2 pi i k/n}
  const R* twist = nullptr;               // e^{-i pi j/n}, or null
  const R* forward = nullptr;             // phase_k / 2
  const R* backward = nullptr;            // conj(phase_k) / n
};

template <class T>
struct ComplexNumber {
  T re, im;
};
// A complex line in memory: element j at [j * pitch]. Anything else with get() and put() serves as
// well.
template <class T>
struct ComplexLine {
  T* re = nullptr;
  T* im = nullptr;
  int pitch = 1;
  WM_HD ComplexNumber<T> get(int j) const { return {re[j * pitch], im[j * pitch]}; }
  WM_HD void put(int j, const ComplexNumber<T>& z) const {
    re[j * pitch] = z.re;
    im[j * pitch] = z.im;
  }
};

// Values of two lines at one point, or of one mode.
template <class T>
struct Twin {
  T a, b;
};

// Entry m of a table of complex numbers.
template <class R>
WM_HD ComplexNumber<R> table_entry(const R* table, int m) {
#if defined(__CUDA_ARCH__)
  struct alignas(2 * sizeof(R)) Entry {  // one access of memory
    R re, im;
  };
  const Entry e = reinterpret_cast<const Entry*>(table)[m];
  return {e.re, e.im};
#else
  return {table[2 * m], table[2 * m + 1]};
#endif
}

// Where point i of a line stands in the complex line, and its sign.
template <class R>
WM_HD int slot_of(const LineTables<R>& t, int i, R& sign) {
  const int j = t.reversed ? t.n - 1 - i : i;
  sign = t.reorder && (j & 1) ? t.odd_sign : R(1);
  return t.reorder ? ((j & 1) ? t.n - 1 - (j - 1) / 2 : j / 2) : j;
}
// The point that stands at a slot.
template <class R>
WM_HD int point_at(const LineTables<R>& t, int slot, R& sign) {
  int j = slot;
  if (t.reorder) j = slot < (t.n + 1) / 2 ? 2 * slot : 2 * (t.n - 1 - slot) + 1;
  sign = t.reorder && (j & 1) ? t.odd_sign : R(1);
  return t.reversed ? t.n - 1 - j : j;
}
template <class R>
WM_HD int partner_of(const LineTables<R>& t, int k) {
  const int p = t.mirror - k;
  return p == t.n ? 0 : p;
}

// Value at a slot for a point of both lines.
template <class T, class R>
WM_HD ComplexNumber<T> entered(const LineTables<R>& t, int slot, R sign, const Twin<T>& point) {
  const T re = point.a * sign, im = point.b * sign;
  if (!t.twist) return {re, im};
  const ComplexNumber<R> w = table_entry(t.twist, slot);
  return {re * w.re - im * w.im, re * w.im + im * w.re};
}

// Mode k of both lines from the elements k and k' of their transform, q and p.
template <class T, class R>
WM_HD Twin<T> mode_from(const LineTables<R>& t, int k, const ComplexNumber<T>& q,
                        const ComplexNumber<T>& p) {
  const ComplexNumber<R> w = table_entry(t.forward, k);
  return {(q.re + p.re) * w.re - (q.im - p.im) * w.im, (q.im + p.im) * w.re - (p.re - q.re) * w.im};
}

template <class T, class R, class Line>
WM_HD Twin<T> mode_of(const LineTables<R>& t, int k, const Line& z) {
  return mode_from<T>(t, k, z.get(k), z.get(partner_of(t, k)));
}

// The spectrum's element k from the modes k and k' of both lines, real and imaginary part
// exchanged: the forward transform of that is the inverse one, exchanged.
template <class T, class R>
WM_HD ComplexNumber<T> entered_mode(const LineTables<R>& t, int k, const Twin<T>& at,
                                    const Twin<T>& at_partner) {
  const ComplexNumber<R> w = table_entry(t.backward, k);
  const R other = partner_of(t, k) == k ? R(0) : R(1);
  const T pa = at_partner.a * other, pb = at_partner.b * other;
  // A = (c + i s)(a - i a'), B alike; Z = A + i B
  return {(at.a * w.im - pa * w.re) + (at.b * w.re + pb * w.im),
          (at.a * w.re + pa * w.im) - (at.b * w.im - pb * w.re)};
}

// Point i of both lines from the transform of what entered_mode() gives.
template <class T, class R, class Line>
WM_HD Twin<T> point_of(const LineTables<R>& t, int i, const Line& z) {
  R sign;
  const int slot = slot_of(t, i, sign);
  const ComplexNumber<T> exchanged = z.get(slot);
  T re = exchanged.im, im = exchanged.re;
  if (t.twist) {  // undone: times the conjugate
    const ComplexNumber<R> w = table_entry(t.twist, slot);
    const T turned = re * w.re + im * w.im;
    im = im * w.re - re * w.im;
    re = turned;
  }
  return {re * sign, im * sign};
}

// What a transform begins with, element by element: the points of two lines on their slots, or
// their modes. `raw(i)` gives the twin i.
template <class T, class R, class Raw>
struct EnteringPoints {
  const LineTables<R>& t;
  Raw raw;
  WM_HD ComplexNumber<T> get(int slot) const {
    R sign;
    const int i = point_at(t, slot, sign);
    return entered<T>(t, slot, sign, raw(i));
  }
};
template <class T, class R, class Raw>
struct EnteringModes {
  const LineTables<R>& t;
  Raw raw;
  WM_HD ComplexNumber<T> get(int k) const {
    return entered_mode<T>(t, k, raw(k), raw(partner_of(t, k)));
  }
};

}  // namespace watersmeet::solve
