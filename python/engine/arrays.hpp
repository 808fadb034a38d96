#pragma once
// Arrays of NumPy that own their values.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace watersmeet::python {

using OwnArray = nanobind::ndarray<nanobind::numpy, double>;

inline OwnArray own_array(std::vector<double>&& values, const std::vector<std::size_t>& shape) {
  auto* const kept = new std::vector<double>(std::move(values));
  const nanobind::capsule owner(
      kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return OwnArray(kept->data(), shape.size(), shape.data(), owner);
}

// What functions take: values in double on the host, in C order; others are converted.
using GivenArray = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;

}  // namespace watersmeet::python
