#pragma once
// The real transforms that diagonalise the second difference along a uniform axis, one code for the
// CPU (T a pack of lines) and the GPU (T a number). The modes on n cell centres x_j:
//
//   sides              mode                         -eigenvalue (2/h sin(angle))^2, angle =
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
//   sum part      A_k = (Z_k + conj Z_k') / 2, B_k = (Z_k - conj Z_k') / 2i,   k' = mirror - k mod
//   n leave     mode k of a is Re(phase_k A_k), of b Re(phase_k B_k)
//
// and back the same way: A_k = conj(phase_k) (a_k - i a_k'). The modes of a periodic axis above n/2
// hold the imaginary parts.

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
  const R* roots = nullptr;     // e^{-2 pi i k/n}
  const R* twist = nullptr;     // e^{-i pi j/n}, or null
  const R* forward = nullptr;   // phase_k / 2
  const R* backward = nullptr;  // conj(phase_k) / n
};

// A complex line in memory: element j at [j * pitch].
template <class T>
struct ComplexLine {
  T* re = nullptr;
  T* im = nullptr;
  int pitch = 1;
};

template <class T>
struct Twin {
  T a, b;
};

// Where point i of a line stands in the complex line, and its sign.
template <class R>
WM_HD int slot_of(const LineTables<R>& t, int i, R& sign) {
  const int j = t.reversed ? t.n - 1 - i : i;
  sign = t.reorder && (j & 1) ? t.odd_sign : R(1);
  return t.reorder ? ((j & 1) ? t.n - 1 - (j - 1) / 2 : j / 2) : j;
}
template <class R>
WM_HD int partner_of(const LineTables<R>& t, int k) {
  const int p = t.mirror - k;
  return p == t.n ? 0 : p;
}

template <class T, class R>
WM_HD void enter(const LineTables<R>& t, int i, T a, T b, const ComplexLine<T>& z) {
  R sign;
  const int slot = slot_of(t, i, sign);
  T re = a * sign, im = b * sign;
  if (t.twist) {
    const R c = t.twist[2 * slot], s = t.twist[2 * slot + 1];
    const T turned = re * c - im * s;
    im = re * s + im * c;
    re = turned;
  }
  z.re[slot * z.pitch] = re;
  z.im[slot * z.pitch] = im;
}

// Mode k of both lines from their transform.
template <class T, class R>
WM_HD Twin<T> mode_of(const LineTables<R>& t, int k, const ComplexLine<T>& z) {
  const int p = partner_of(t, k) * z.pitch, q = k * z.pitch;
  const R c = t.forward[2 * k], s = t.forward[2 * k + 1];
  return {(z.re[q] + z.re[p]) * c - (z.im[q] - z.im[p]) * s,
          (z.im[q] + z.im[p]) * c - (z.re[p] - z.re[q]) * s};
}

// The spectrum's element k from the modes k and k' of both lines, real and imaginary part
// exchanged: the forward transform of that is the inverse one, exchanged.
template <class T, class R>
WM_HD void enter_mode(const LineTables<R>& t, int k, Twin<T> at, Twin<T> at_partner,
                      const ComplexLine<T>& z) {
  const R c = t.backward[2 * k], s = t.backward[2 * k + 1];
  const R other = partner_of(t, k) == k ? R(0) : R(1);
  const T pa = at_partner.a * other, pb = at_partner.b * other;
  // A = (c + i s)(a - i a'), B alike; Z = A + i B
  z.im[k * z.pitch] = (at.a * c + pa * s) - (at.b * s - pb * c);
  z.re[k * z.pitch] = (at.a * s - pa * c) + (at.b * c + pb * s);
}

// Point i of both lines from the transform of what enter_mode() stored.
template <class T, class R>
WM_HD Twin<T> point_of(const LineTables<R>& t, int i, const ComplexLine<T>& z) {
  R sign;
  const int slot = slot_of(t, i, sign);
  T re = z.im[slot * z.pitch], im = z.re[slot * z.pitch];
  if (t.twist) {  // undone: times the conjugate
    const R c = t.twist[2 * slot], s = t.twist[2 * slot + 1];
    const T turned = re * c + im * s;
    im = im * c - re * s;
    re = turned;
  }
  return {re * sign, im * sign};
}

}  // namespace watersmeet::solve
