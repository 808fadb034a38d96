#pragma once
// A typed view of the values of one block on the host.

#include <cstdint>

#include "core/block_layout.hpp"

namespace watersmeet::test {

// `data` points at interior cell (0, 0, 0) of variable 0.
template <class R>
struct View {
  R* data = nullptr;
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  R& operator()(int var, std::int64_t i, std::int64_t j, std::int64_t k) const {
    return data[var * stride_var + k * stride_k + j * stride_j + i];
  }
};

template <class R>
View<R> make_view(void* register_start, const BlockLayout& layout) {
  return {static_cast<R*>(register_start) + layout.first, layout.stride[1], layout.stride[2],
          layout.stride_var};
}

}  // namespace watersmeet::test
