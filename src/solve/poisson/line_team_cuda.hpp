#pragma once
// The thread block of a kernel as the team of line_block.hpp: copies into shared memory that the
// threads do not wait for (cp.async), and barriers.

#include <cuda_pipeline_primitives.h>

#include "solve/poisson/line_loops.hpp"

namespace watersmeet::solve {

struct BlockTeam {
  template <class Body>
  __device__ __forceinline__ void each(const LineShape& shape, bool side_by_side, int count,
                                       const Body& body) const {
    const int thread = int(threadIdx.x);
    if (side_by_side) {
      const int l = thread & ((1 << shape.log2_pairs) - 1);
      for (int i = thread >> shape.log2_pairs; i < count; i += int(blockDim.x) >> shape.log2_pairs)
        body(i, l);
    } else {
      const int l = thread / shape.threads_of_pair;
      if (l >> shape.log2_pairs) return;
      for (int i = thread - l * shape.threads_of_pair; i < count; i += shape.threads_of_pair)
        body(i, l);
    }
  }
  template <class Body>
  __device__ __forceinline__ void flat(int count, const Body& body) const {
    for (int c = int(threadIdx.x); c < count; c += int(blockDim.x)) body(c);
  }
  template <class R>
  __device__ __forceinline__ void copy(R* to, const R* from, int valid) const {
    __pipeline_memcpy_async(to, from, 16, 16 - std::size_t(valid) * sizeof(R));
  }
  template <class R>
  __device__ __forceinline__ void copy_one(R* to, const R* from, bool valid) const {
    __pipeline_memcpy_async(to, from, sizeof(R), valid ? 0 : sizeof(R));
  }
  __device__ __forceinline__ void arrive() const {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  __device__ __forceinline__ void wait() const { __syncthreads(); }
};

}  // namespace watersmeet::solve
