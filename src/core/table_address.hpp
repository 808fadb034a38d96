#pragma once
// Where a table of R begins that a host object keeps in the run's precision. In parameters of double precision it stands for the same
// table of whatever precision: rounding them (core/rounded.hpp) leaves the place alone. ArrayAddress: of an array that loops write.

#include "core/host_device.hpp"

namespace watersmeet {

template <class R>
struct TableAddress {
  const void* start = nullptr;
  WM_HD operator const R*() const { return static_cast<const R*>(start); }
  template <class F>
  static TableAddress rounded_from(const TableAddress<F>& same) {
    return {same.start};
  }
};

template <class R>
struct ArrayAddress {
  void* start = nullptr;
  WM_HD operator R*() const { return static_cast<R*>(start); }
  WM_HD operator TableAddress<R>() const { return {start}; }
  template <class F>
  static ArrayAddress rounded_from(const ArrayAddress<F>& same) {
    return {same.start};
  }
};

}  // namespace watersmeet
