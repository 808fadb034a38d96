#pragma once
// Looking up tables at whole numbers that are held as the number type T, one to a lane; on packs in
// core/gather_pack.hpp.

#include <cmath>

#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet {

WM_HD float floor_(float a) { return floorf(a); }
WM_HD double floor_(double a) { return floor(a); }

template <class T>
struct Gather {
  WM_HD static T from(const T* table, const T& index) { return table[static_cast<int>(index)]; }
};
template <class T>
WM_HD T gather_as(const RealOf<T>* table, const T& index) {
  return Gather<T>::from(table, index);
}

// Four numbers in a row from an index on, which begin at a multiple of 16 bytes: on a GPU one or
// two loads.
template <class T>
WM_HD Vec<T, 4> gather_four(const RealOf<T>* table, const T& index) {
#if defined(__CUDA_ARCH__)
  struct alignas(16) Piece {
    T of[16 / sizeof(T)];
  };
  constexpr int width = 16 / int(sizeof(T));
  const auto* const pieces = reinterpret_cast<const Piece*>(table + static_cast<int>(index));
  Vec<T, 4> r;
#pragma unroll
  for (int n = 0; n < 4 / width; ++n) {
    const Piece piece = pieces[n];
#pragma unroll
    for (int m = 0; m < width; ++m) r[n * width + m] = piece.of[m];
  }
  return r;
#else
  return {{gather_as<T>(table, index), gather_as<T>(table + 1, index),
           gather_as<T>(table + 2, index), gather_as<T>(table + 3, index)}};
#endif
}

}  // namespace watersmeet
