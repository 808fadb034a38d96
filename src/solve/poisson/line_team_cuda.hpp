#pragma once
// The thread block of a kernel as the team of line_block.hpp: copies into shared memory that the
// threads do not wait for (cp.async), and barriers.

#include <cuda_pipeline_primitives.h>

#include "solve/poisson/line_loops.hpp"

namespace watersmeet::solve {

// Where lines are rows, the thread's pair and its first item are found once: that takes a division.
template <bool side_by_side>
struct BlockTeam {
  const LineShape& shape;
  int pair = 0, first = 0;
  __device__ __forceinline__ explicit BlockTeam(const LineShape& of) : shape(of) {
    if constexpr (!side_by_side) {
      const int thread = int(threadIdx.x);
      pair = thread / shape.threads_of_pair;
      // Threads that are left over have no item.
      first = pair >> shape.log2_pairs ? 1 << 30 : thread - pair * shape.threads_of_pair;
    }
  }
  template <class Body>
  __device__ __forceinline__ void each(int count, const Body& body) const {
    if constexpr (side_by_side) {
      const int l = int(threadIdx.x) & ((1 << shape.log2_pairs) - 1);
      for (int i = int(threadIdx.x) >> shape.log2_pairs; i < count;
           i += int(blockDim.x) >> shape.log2_pairs)
        body(i, l);
    } else {
      for (int i = first; i < count; i += shape.threads_of_pair) body(i, pair);
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
