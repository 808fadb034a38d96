#pragma once
// How the planes of the ring schedule (cell_ring_cuda.hpp) are copied to shared memory. On devices of compute capability 9.0 or later one
// thread starts the copy of the plane of a whole tile, all variables of an array at once, by a tensor map (the Tensor Memory Accelerator;
// PTX ISA, cp.async.bulk.tensor): no thread keeps addresses in registers, of which kernels in double precision have too few. Right-hand sides
// with an extra variable whose place is no whole 128 bytes, and older devices copy 16 bytes at a time (cp.async), each thread the same places
// of every plane.
//
// Copies and threads meet at one barrier in shared memory. A plane is there, and the slot of the next one is free, when all threads have
// arrived behind their last read of shared memory, and all copies have.

#include <cuda.h>
#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstdint>

#include "exec/cell.hpp"
#include "exec/check_cuda.hpp"
#include "exec/tile_meeting_cuda.hpp"

namespace watersmeet::exec {

// What a launch copies of in whole tiles: cells from `first` on.
struct PlaneMap {
  CUtensorMap tensor, extra;  // of the variables in one array, and the extra one
  int first[3];
};

// Copies of tiles begin at whole 128 bytes.
template <class R, class Shape, class Rhs>
constexpr bool copies_whole_tiles = Rhs::inputs == Rhs::outputs ||
                                    Rhs::outputs* Shape::variable_words * sizeof(R) % 128 == 0;

// The driver's function that encodes tensor maps; null where devices or drivers have none.
inline decltype(&cuTensorMapEncodeTiled) tensor_encoder() {
  return of_device([]() -> decltype(&cuTensorMapEncodeTiled) {
    int device = 0, major = 0;
    check_cuda(cudaGetDevice(&device), "no current device");
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
               "cannot determine the compute capability");
    if (major < 9) return nullptr;
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    const auto status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                         cudaEnableDefault, &found);
#else
    const auto status =
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  });
}

// Of the cells of a launch and their halo, all planes along an axis with a period included.
template <class R, class Shape, class Rhs>
PlaneMap plane_map(const CellArrays<R>& a) {
  PlaneMap m{};
  const auto encode = copies_whole_tiles<R, Shape, Rhs> ? tensor_encoder() : nullptr;
  if (encode == nullptr) return m;
  const int halo[3] = {Shape::side, Rhs::radius, Rhs::radius};
  cuuint64_t counts[4];
  for (int axis = 0; axis < 3; ++axis) {
    int last = a.upper[axis] + halo[axis];
    m.first[axis] = a.lower[axis] - halo[axis];
    if (axis == 2 && a.periods[2] != 0) {
      m.first[2] = std::min(m.first[2], 0);
      last = std::max(last, a.periods[2]);
    }
    counts[axis] = static_cast<cuuint64_t>(last - m.first[axis]);
  }
  const cuuint64_t strides[3] = {a.stride_j * sizeof(R), a.stride_k * sizeof(R),
                                 a.stride_var * sizeof(R)};
  const std::int64_t start = m.first[0] + m.first[1] * a.stride_j + m.first[2] * a.stride_k;
  const auto make = [&](CUtensorMap& tensor, const R* cells, int variables) {
    const cuuint32_t box[4] = {Shape::pitch, Shape::rows, 1, static_cast<cuuint32_t>(variables)};
    const cuuint32_t steps[4] = {1, 1, 1, 1};
    counts[3] = static_cast<cuuint64_t>(variables);
    const CUresult made = encode(
        &tensor, sizeof(R) == 8 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        4, const_cast<R*>(cells + start), counts, strides, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    require(made == CUDA_SUCCESS, "ring schedule: rows that are no whole 16 bytes");
  };
  make(m.tensor, a.in, Rhs::outputs);
  if (Rhs::inputs != Rhs::outputs) make(m.extra, a.extra, 1);
  return m;
}

// Throws Error{device} where a kernel that was compiled to copy whole tiles cannot.
template <class R, class Shape, class Rhs, class Kernel>
void check_whole_copies(Kernel kernel) {
  if (!copies_whole_tiles<R, Shape, Rhs> || tensor_encoder() != nullptr) return;
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, kernel), "a kernel of the ring schedule");
  if (attributes.ptxVersion >= 90)
    check_cuda(cudaErrorInsufficientDriver,
               "this driver makes no tensor maps for the ring schedule");
}

// The copies of one thread block, made by all its threads.
template <class R, class Shape, class Rhs>
class RingCopies {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  static constexpr bool whole = copies_whole_tiles<R, Shape, Rhs>;
#else
  static constexpr bool whole = false;
#endif
  // A place of a plane, in shared memory: the variable in the upper bits, below it the distance from the variable's cell (0, 0, plane) in
  // copies, which may be negative.
  static constexpr int distance_bits = 28;
  static_assert(Rhs::inputs <= 8);
  static constexpr int nowhere = -1;

 public:
  // The tile begins at cell (i0, j0). Ends with __syncthreads().
  __device__ RingCopies(const CellArrays<R>& a, const PlaneMap& map, R* ring, int* places,
                        __mbarrier_t* meeting, int i0, int j0)
      : arrays_(a),
        map_(map),
        ring_(ring),
        places_(places + threadIdx.x),
        meeting_(meeting),
        i0_(i0),
        j0_(j0) {
    if constexpr (!whole) find_places();
    if (threadIdx.x == 0) {
      __mbarrier_init(meeting, whole ? Shape::threads + 1 : 2 * Shape::threads);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // for tensor copies
#endif
    }
    __syncthreads();
  }

  // Starts the copies of so many planes, to that slot and the next ones, all for one meeting.
  template <int planes>
  __device__ void start(int slot, int plane) {
    if constexpr (whole) {
      if (threadIdx.x == 0) copy_whole<planes>(slot, plane);
    } else {
      for (int p = 0; p < planes; ++p) {
        const std::int64_t offset = joined(plane + p) * arrays_.stride_k;
        copy_pieces(arrays_.in + offset, arrays_.extra + offset, arrays_.stride_var, places_,
                    ring_ + (slot + p) * Shape::plane_words + int(threadIdx.x) * Shape::copy_words);
      }
      arrive_with_copies();
    }
  }

 private:
  // A plane beyond an end of z where that is joined to the other one.
  __device__ int joined(int at) const {
    const int period = arrays_.periods[2];
    return period == 0 ? at : at < 0 ? at + period : at >= period ? at - period : at;
  }
  __device__ static unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
  }

  // Copies go to consecutive words of a slot.
  __device__ void find_places() {
    const CellArrays<R>& a = arrays_;
    const int last_row = a.upper[1] + Rhs::radius;
    for (int m = 0; m < Shape::copies_per_thread; ++m) {
      const int copy = int(threadIdx.x) + m * Shape::threads;
      constexpr int per_row = Shape::pitch / Shape::copy_words;
      const int var = copy / (per_row * Shape::rows), row = copy / per_row % Shape::rows,
                column = copy % per_row;
      const std::int64_t distance =
          (j0_ + row - Rhs::radius) * a.stride_j + i0_ - Shape::side + column * Shape::copy_words;
      const bool copied = copy < Shape::copies && j0_ + row - Rhs::radius < last_row;
      places_[m * Shape::threads] =
          copied ? var << distance_bits |
                       (int(distance / Shape::copy_words) & ((1 << distance_bits) - 1))
                 : nowhere;
    }
  }
  // in, extra: cell (0, 0) of a plane, of variable 0 and of the extra one.
  __device__ static void copy_pieces(const R* in, const R* extra, std::int64_t stride_var,
                                     const int* places, R* to) {
    int place[Shape::copies_per_thread];
#pragma unroll
    for (int m = 0; m < Shape::copies_per_thread; ++m) place[m] = places[m * Shape::threads];
#pragma unroll
    for (int m = 0; m < Shape::copies_per_thread; ++m) {
      if (place[m] == nowhere) continue;
      const int var = place[m] >> distance_bits;
      const int distance = place[m] << (32 - distance_bits) >> (32 - distance_bits);
      const R* const base =
          Rhs::inputs > Rhs::outputs && var == Rhs::outputs ? extra : in + var * stride_var;
      __pipeline_memcpy_async(to + m * (Shape::threads * Shape::copy_words),
                              base + std::int64_t(distance) * Shape::copy_words, 16);
    }
  }
  // When the copies of this thread so far are there.
  __device__ void arrive_with_copies() {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(meeting_))
                 : "memory");
  }

  __device__ void copy_box([[maybe_unused]] const CUtensorMap& tensor, [[maybe_unused]] int i,
                           [[maybe_unused]] int j, [[maybe_unused]] int k, [[maybe_unused]] R* to) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(shared_address(to)),
        "l"(&tensor), "r"(i), "r"(j), "r"(k), "r"(0), "r"(shared_address(meeting_))
        : "memory");
#endif
  }
  template <int planes>
  __device__ void copy_whole([[maybe_unused]] int slot, [[maybe_unused]] int plane) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const unsigned meeting = shared_address(meeting_);
    asm volatile(
        "{\n .reg .b64 state;\n mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1;\n}" ::"r"(
            meeting),
        "r"(planes * Shape::copied_words * int(sizeof(R)))
        : "memory");
    const int i = i0_ - Shape::side - map_.first[0], j = j0_ - Rhs::radius - map_.first[1];
    for (int p = 0; p < planes; ++p) {
      const int k = joined(plane + p) - map_.first[2];
      R* const to = ring_ + (slot + p) * Shape::plane_words;
      copy_box(map_.tensor, i, j, k, to);
      if (Rhs::inputs > Rhs::outputs)
        copy_box(map_.extra, i, j, k, to + Rhs::outputs * Shape::variable_words);
    }
#endif
  }

  const CellArrays<R>& arrays_;
  const PlaneMap& map_;
  R* ring_;
  int* places_;  // of this thread, `threads` from one to the next
  __mbarrier_t* meeting_;
  int i0_, j0_;
};

}  // namespace watersmeet::exec
