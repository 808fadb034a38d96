#pragma once
// Where the cells of two copies of a solution differ in a bit.

#include <cstdint>

#include "core/block_layout.hpp"
#include "core/device.hpp"
#include "core/types.hpp"

namespace watersmeet::exec {

// Both lie on the device and have this layout; ghosts and padding are not compared.
struct TwoCopies {
  const void *one = nullptr, *other = nullptr;  // where registers start
  BlockLayout layout;
  int variables = 0;
  Precision precision = Precision::double_;

  WM_HD std::int64_t values() const { return variables * layout.n[2] * layout.n[1] * layout.n[0]; }
  // Element of value v, which are numbered [variable][k][j][i].
  WM_HD std::int64_t at(std::int64_t v) const {
    const std::int64_t i = v % layout.n[0], row = v / layout.n[0];
    const std::int64_t j = row % layout.n[1], plane = row / layout.n[1];
    return layout.first + plane / layout.n[2] * layout.stride_var +
           layout.at(i, j, plane % layout.n[2]);
  }
  template <class Word>
  WM_HD bool differs(std::int64_t v) const {
    const std::int64_t e = at(v);
    return static_cast<const Word*>(one)[e] != static_cast<const Word*>(other)[e];
  }
};

struct Difference {
  std::int64_t count = 0;
  std::int64_t first = -1;  // the smallest number of a value that differs
};

// Waits for the queue.
Difference find_difference(const TwoCopies& copies, const Queue& queue);

namespace detail {
Difference find_difference_cuda(const TwoCopies& copies, const Queue& queue);
}

}  // namespace watersmeet::exec
