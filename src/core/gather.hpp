#pragma once
// Looking up tables at whole numbers that are held as the number type T, one to a lane; on packs in
// core/gather_pack.hpp.

#include <cmath>

#include "core/math.hpp"

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

}  // namespace watersmeet
