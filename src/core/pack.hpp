#pragma once
// Pack<R>: as many neighbouring points in x as one vector register of this CPU holds, with what the
// pointwise formulas ask of a number type. Included by CPU instantiation files only, so nvcc never
// meets vector extensions. Explicit packs, because g++ 12 does not vectorise the loop over points
// of a kernel whose body holds small arrays of states. Each operation is one of the compiler's own
// on vectors, or one instruction by name: with std::experimental::simd in its place GCC 12 made the
// same instructions in three times the time of compilation.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "core/math.hpp"

namespace watersmeet {

#if defined(__AVX512F__)
inline constexpr int pack_bytes = 64;
#elif defined(__AVX__)
inline constexpr int pack_bytes = 32;
#else
inline constexpr int pack_bytes = 16;
#endif

namespace detail {

template <class R>
struct PackTypes {
  typedef R Register __attribute__((vector_size(pack_bytes)));
  typedef R Unaligned __attribute__((vector_size(pack_bytes), aligned(alignof(R)), may_alias));
  using Whole = std::conditional_t<sizeof(R) == 8, std::int64_t, std::int32_t>;
  typedef Whole Wholes __attribute__((vector_size(pack_bytes)));
#if defined(__AVX512F__)
  using Mask = std::conditional_t<sizeof(R) == 8, __mmask8, __mmask16>;  // a bit a lane
#else
  using Mask = Wholes;  // 0 or -1 a lane
#endif
};

#if defined(__AVX512F__)
template <int relation>
WM_HD __mmask16 compared(__m512 a, __m512 b) {
  return _mm512_cmp_ps_mask(a, b, relation);
}
template <int relation>
WM_HD __mmask8 compared(__m512d a, __m512d b) {
  return _mm512_cmp_pd_mask(a, b, relation);
}
WM_HD __m512 chosen(__mmask16 mask, __m512 a, __m512 b) { return _mm512_mask_blend_ps(mask, b, a); }
WM_HD __m512d chosen(__mmask8 mask, __m512d a, __m512d b) {
  return _mm512_mask_blend_pd(mask, b, a);
}
WM_HD void store_where(__mmask16 mask, float* p, __m512 v) { _mm512_mask_storeu_ps(p, mask, v); }
WM_HD void store_where(__mmask8 mask, double* p, __m512d v) { _mm512_mask_storeu_pd(p, mask, v); }
// The forms with a mask, since GCC 12 calls its own _mm512_undefined_pd(), which the others use,
// uninitialised (GCC bug 105593).
WM_HD __m512 least(__m512 a, __m512 b) { return _mm512_maskz_min_ps(0xffff, a, b); }
WM_HD __m512d least(__m512d a, __m512d b) { return _mm512_maskz_min_pd(0xff, a, b); }
WM_HD __m512 most(__m512 a, __m512 b) { return _mm512_maskz_max_ps(0xffff, a, b); }
WM_HD __m512d most(__m512d a, __m512d b) { return _mm512_maskz_max_pd(0xff, a, b); }
WM_HD __m512 root_of(__m512 a) { return _mm512_maskz_sqrt_ps(0xffff, a); }
WM_HD __m512d root_of(__m512d a) { return _mm512_maskz_sqrt_pd(0xff, a); }
WM_HD __m512 floor_of(__m512 a) { return _mm512_maskz_roundscale_ps(0xffff, a, 1); }
WM_HD __m512d floor_of(__m512d a) { return _mm512_maskz_roundscale_pd(0xff, a, 1); }
WM_HD __m512 fused(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
WM_HD __m512d fused(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#elif defined(__AVX__)
WM_HD void store_where(__m256i mask, float* p, __m256 v) { _mm256_maskstore_ps(p, mask, v); }
WM_HD void store_where(__m256i mask, double* p, __m256d v) { _mm256_maskstore_pd(p, mask, v); }
WM_HD __m256 least(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
WM_HD __m256d least(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
WM_HD __m256 most(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
WM_HD __m256d most(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
WM_HD __m256 root_of(__m256 a) { return _mm256_sqrt_ps(a); }
WM_HD __m256d root_of(__m256d a) { return _mm256_sqrt_pd(a); }
WM_HD __m256 floor_of(__m256 a) { return _mm256_floor_ps(a); }
WM_HD __m256d floor_of(__m256d a) { return _mm256_floor_pd(a); }
#if defined(__FMA__)
WM_HD __m256 fused(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
WM_HD __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#endif
#endif

}  // namespace detail

// What a comparison of packs gives.
template <class R>
class PackMask {
 public:
  using Bits = typename detail::PackTypes<R>::Mask;
  WM_HD explicit PackMask(bool all) : bits_(all ? Bits(~Bits{}) : Bits{}) {}
  WM_HD static PackMask of(Bits bits) { return PackMask(bits, 0); }
  WM_HD Bits bits() const { return bits_; }
#if defined(__AVX512F__)
  WM_HD bool operator[](std::integral auto lane) const { return (bits_ >> lane & 1) != 0; }
#else
  WM_HD bool operator[](std::integral auto lane) const { return bits_[lane] != 0; }
#endif
  WM_HD friend PackMask operator&&(PackMask a, PackMask b) { return of(Bits(a.bits_ & b.bits_)); }
  WM_HD friend PackMask operator||(PackMask a, PackMask b) { return of(Bits(a.bits_ | b.bits_)); }
  WM_HD PackMask operator!() const { return of(Bits(~bits_)); }

 private:
  WM_HD PackMask(Bits bits, int) : bits_(bits) {}
  Bits bits_;
};

template <class R>
class Pack {
  using Types = detail::PackTypes<R>;

 public:
  using value_type = R;
  using mask_type = PackMask<R>;
  using Register = typename Types::Register;
  static constexpr int lanes = pack_bytes / static_cast<int>(sizeof(R));
  static constexpr std::size_t size() { return lanes; }

  Pack() = default;
  WM_HD Pack(R all) : v_(all - Register{}) {}  // less 0, which leaves -0 what it is
  WM_HD static Pack of(Register v) {
    Pack p;
    p.v_ = v;
    return p;
  }
  // of(0), of(1) ... in the lanes.
  template <class Of>
  WM_HD static Pack of_lanes(const Of& of) {
    return with_lanes(of, std::make_integer_sequence<int, lanes>{});
  }
  WM_HD static Pack from(const R* p) {
    return of(*reinterpret_cast<const typename Types::Unaligned*>(p));
  }
  WM_HD void copy_to(R* p) const { *reinterpret_cast<typename Types::Unaligned*>(p) = v_; }

  WM_HD Register vector() const { return v_; }
  WM_HD R operator[](std::integral auto lane) const { return v_[lane]; }
  WM_HD void set(int lane, R value) { v_[lane] = value; }

  WM_HD Pack operator-() const { return of(-v_); }
  WM_HD friend Pack operator+(Pack a, Pack b) { return of(a.v_ + b.v_); }
  WM_HD friend Pack operator-(Pack a, Pack b) { return of(a.v_ - b.v_); }
  WM_HD friend Pack operator*(Pack a, Pack b) { return of(a.v_ * b.v_); }
  WM_HD friend Pack operator/(Pack a, Pack b) { return of(a.v_ / b.v_); }
  WM_HD Pack& operator+=(Pack b) { return *this = *this + b; }
  WM_HD Pack& operator-=(Pack b) { return *this = *this - b; }
  WM_HD Pack& operator*=(Pack b) { return *this = *this * b; }
#if defined(__AVX512F__)
  WM_HD friend mask_type operator<(Pack a, Pack b) { return compared<_CMP_LT_OQ>(a, b); }
  WM_HD friend mask_type operator<=(Pack a, Pack b) { return compared<_CMP_LE_OQ>(a, b); }
  WM_HD friend mask_type operator>(Pack a, Pack b) { return compared<_CMP_GT_OQ>(a, b); }
  WM_HD friend mask_type operator>=(Pack a, Pack b) { return compared<_CMP_GE_OQ>(a, b); }
  WM_HD friend mask_type operator==(Pack a, Pack b) { return compared<_CMP_EQ_OQ>(a, b); }
  WM_HD friend mask_type operator!=(Pack a, Pack b) { return compared<_CMP_NEQ_UQ>(a, b); }
#else
  WM_HD friend mask_type operator<(Pack a, Pack b) { return mask_type::of(a.v_ < b.v_); }
  WM_HD friend mask_type operator<=(Pack a, Pack b) { return mask_type::of(a.v_ <= b.v_); }
  WM_HD friend mask_type operator>(Pack a, Pack b) { return mask_type::of(a.v_ > b.v_); }
  WM_HD friend mask_type operator>=(Pack a, Pack b) { return mask_type::of(a.v_ >= b.v_); }
  WM_HD friend mask_type operator==(Pack a, Pack b) { return mask_type::of(a.v_ == b.v_); }
  WM_HD friend mask_type operator!=(Pack a, Pack b) { return mask_type::of(a.v_ != b.v_); }
#endif

 private:
#if defined(__AVX512F__)
  template <int relation>
  WM_HD static mask_type compared(Pack a, Pack b) {
    return mask_type::of(detail::compared<relation>(a.v_, b.v_));
  }
#endif
  template <class Of, int... lane>
  WM_HD static Pack with_lanes(const Of& value, std::integer_sequence<int, lane...>) {
    return of(Register{value(lane)...});
  }
  Register v_;
};

template <class R>
struct Load<Pack<R>> {
  WM_HD static Pack<R> from(const R* p) { return Pack<R>::from(p); }
};

// Stores the lanes of a mask.
template <class R>
WM_HD void store_where(const PackMask<R>& mask, R* p, const Pack<R>& v) {
#if defined(__AVX512F__)
  detail::store_where(mask.bits(), p, v.vector());
#elif defined(__AVX__)
  detail::store_where((__m256i)mask.bits(), p, v.vector());
#else
  for (int l = 0; l < Pack<R>::lanes; ++l) {
    if (mask[l]) p[l] = v[l];
  }
#endif
}
template <class R>
WM_HD bool all_of(const PackMask<R>& mask) {
#if defined(__AVX512F__)
  return mask.bits() == PackMask<R>(true).bits();
#else
  bool all = true;
  for (int l = 0; l < Pack<R>::lanes; ++l) all = all && mask[l];
  return all;
#endif
}

// Stores the first `lanes` values; all of them in the usual case.
template <class R>
WM_HD void store_pack(R* p, const Pack<R>& v, std::int64_t lanes) {
  if (lanes >= Pack<R>::lanes) {
    v.copy_to(p);
  } else {
    for (std::int64_t l = 0; l < lanes; ++l) p[l] = v[l];
  }
}

template <class R>
struct Store<Pack<R>> {
  WM_HD static void to(R* p, const Pack<R>& value, int lanes) { store_pack(p, value, lanes); }
};

// What a loop over packs asks of its number type, for packs and for scalars: the latter are packs
// of one, so that the same loop can be run without vector instructions.
template <class T>
struct Lanes {
  static constexpr int count = 1;
  static T number() { return T(0); }  // 0, 1, 2 ... of the lanes
  static T sum(const T& v) { return v; }
  static T one(const T& v, int) { return v; }
  static void clear_from(T& v, int first) {
    if (first < 1) v = T(0);
  }
};
template <class R>
struct Lanes<Pack<R>> {
  using T = Pack<R>;
  static constexpr int count = T::lanes;
  static T number() {
    return T::of_lanes([](int lane) { return R(lane); });
  }
  static R sum(const T& v) {
    R all = 0;
    for (int l = 0; l < count; ++l) all += one(v, l);
    return all;
  }
  static R one(const T& v, int lane) { return v[lane]; }
  static void clear_from(T& v, int first) {
    for (int l = first; l < count; ++l) v.set(l, R(0));
  }
};
template <class T>
WM_HD void store_all(RealOf<T>* p, const T& v) {
  if constexpr (Lanes<T>::count == 1) {
    *p = v;
  } else {
    v.copy_to(p);
  }
}
WM_HD void store_pack(float* p, float v, std::int64_t lanes) {
  if (lanes > 0) *p = v;
}
WM_HD void store_pack(double* p, double v, std::int64_t lanes) {
  if (lanes > 0) *p = v;
}

template <class R>
WM_HD Pack<R> select(const PackMask<R>& mask, const Pack<R>& a, const Pack<R>& b) {
#if defined(__AVX512F__)
  return Pack<R>::of(detail::chosen(mask.bits(), a.vector(), b.vector()));
#else
  return Pack<R>::of(mask.bits() ? a.vector() : b.vector());
#endif
}
template <class R>
WM_HD Pack<R> max_or_nan(const Pack<R>& largest, const Pack<R>& x) {
  return select(x > largest || x != x, x, largest);
}
// By name, for of a comparison with a constant g++ 12 does not make these instructions.
template <class R>
WM_HD Pack<R> min_(const Pack<R>& a, const Pack<R>& b) {
#if defined(__AVX__)
  return Pack<R>::of(detail::least(a.vector(), b.vector()));
#else
  return select(a < b, a, b);
#endif
}
template <class R>
WM_HD Pack<R> max_(const Pack<R>& a, const Pack<R>& b) {
#if defined(__AVX__)
  return Pack<R>::of(detail::most(a.vector(), b.vector()));
#else
  return select(a > b, a, b);
#endif
}
template <class R>
WM_HD Pack<R> abs_(const Pack<R>& a) {
  using Types = detail::PackTypes<R>;
  using Whole = typename Types::Whole;
  const typename Types::Wholes but_sign =
      std::numeric_limits<Whole>::max() - typename Types::Wholes{};
  return Pack<R>::of((typename Types::Register)((typename Types::Wholes)a.vector() & but_sign));
}
template <class R>
WM_HD Pack<R> sqrt_(const Pack<R>& a) {
#if defined(__AVX__)
  return Pack<R>::of(detail::root_of(a.vector()));
#else
  return Pack<R>::of_lanes([&](int lane) { return sqrt_(a[lane]); });
#endif
}
template <class R>
WM_HD Pack<R> exp_(const Pack<R>& a) {
  return Pack<R>::of_lanes([&](int lane) { return exp_(a[lane]); });
}
template <class R>
WM_HD Pack<R> cbrt_(const Pack<R>& a) {
  return Pack<R>::of_lanes([&](int lane) { return cbrt_(a[lane]); });
}
template <class R>
WM_HD Pack<R> log_(const Pack<R>& a) {
  return Pack<R>::of_lanes([&](int lane) { return log_(a[lane]); });
}
template <class R>
WM_HD Pack<R> pow_(const Pack<R>& a, R b) {
  return exp_(b * log_(a));
}
template <class R>
WM_HD Pack<R> fma_(const Pack<R>& a, const Pack<R>& b, const Pack<R>& c) {
#if defined(__FMA__)
  return Pack<R>::of(detail::fused(a.vector(), b.vector(), c.vector()));
#else
  return a * b + c;
#endif
}
template <class R>
WM_HD Pack<R> rcp_(const Pack<R>& a) {
  return R(1) / a;
}
template <class R>
WM_HD Pack<R> root_(const Pack<R>& a) {
  return sqrt_(a);
}
template <class R>
WM_HD PackMask<R> and_(const PackMask<R>& a, const PackMask<R>& b) {
  return a && b;
}
template <class R>
WM_HD PackMask<R> or_(const PackMask<R>& a, const PackMask<R>& b) {
  return a || b;
}
template <class R>
WM_HD PackMask<R> not_(const PackMask<R>& a) {
  return !a;
}

}  // namespace watersmeet
