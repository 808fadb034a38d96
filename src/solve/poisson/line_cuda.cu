// Transforms of lines on the GPU: a thread block holds a few pairs of lines in shared memory, two
// copies of them, and goes from one to the other pass by pass. Every value is read and written once
// in global memory, 16 B a cell in double precision; a pass moves 32 B a cell and radix through
// shared memory. Of lines side by side a block takes so many that they fill whole 32-byte sectors
// in its real and in its imaginary parts; lines of a row each are read along the row.
//
// Shared memory: element j of pair l at [j * pitch + l], l fastest among the threads. The pitch of
// lines along rows is odd, since neighbouring threads load neighbouring points of one line.
#include <algorithm>

#include "exec/check_cuda.hpp"
#include "solve/poisson/line_fft.hpp"
#include "solve/poisson/line_loops.hpp"

namespace watersmeet::solve {

namespace {
constexpr int most_threads = 256;

std::size_t most_shared_bytes() {
  int device = 0, bytes = 0;
  exec::check_cuda(cudaGetDevice(&device), "cannot ask for the device");
  exec::check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                   "cannot ask for shared memory");
  return static_cast<std::size_t>(bytes);
}

template <class R>
__device__ ComplexLine<R> lane(const ComplexLine<R>& z, int l) {
  return {z.re + l, z.im + l, z.pitch};
}

// f(item, pair) for all items of all pairs of the block.
template <bool side_by_side, class F>
__device__ void for_each_item(int items, int log2_pairs, const F& f) {
  const int total = items << log2_pairs;
  for (int w = int(threadIdx.x); w < total; w += int(blockDim.x)) {
    if constexpr (side_by_side) {
      f(w >> log2_pairs, w & ((1 << log2_pairs) - 1));
    } else {
      f(w % items, w / items);
    }
  }
}

template <class R, bool side_by_side>
__global__ void __launch_bounds__(most_threads)
    transform_lines_kernel(const LineTables<R> t, const LineLaunch launch,
                           const LineDirection direction, const R* from, const LineSet in, R* to,
                           const LineSet out, const std::int64_t groups, const exec::Clock* clock) {
  if (clock && !clock->active) return;
  extern __shared__ __align__(16) unsigned char block_memory[];
  const int n = t.n, pairs = 1 << launch.log2_pairs, size = n * launch.pitch;
  R* const memory = reinterpret_cast<R*>(block_memory);
  ComplexLine<R> now{memory, memory + size, launch.pitch};
  ComplexLine<R> next{memory + 2 * size, memory + 3 * size, launch.pitch};
  const std::int64_t o = blockIdx.x / groups, first = (blockIdx.x % groups) * 2 * pairs;
  const std::int64_t count = in.inner - first;  // the last group may be smaller
  const R* const source = from + o * in.outer_stride + first * in.inner_stride;
  R* const target = to + o * out.outer_stride + first * out.inner_stride;
  const auto load = [&](int i, int l) -> Twin<R> {
    const R* const p = source + l * in.inner_stride + i * in.stride;
    return {l < count ? p[0] : R(0), l + pairs < count ? p[pairs * in.inner_stride] : R(0)};
  };
  const auto store = [&](int i, int l, const Twin<R>& v) {
    R* const p = target + l * out.inner_stride + i * out.stride;
    if (l < count) p[0] = v.a;
    if (l + pairs < count) p[pairs * out.inner_stride] = v.b;
  };
  // Modes and their partners: the first of each two.
  const int half = t.mirror == n ? n / 2 + 1 : (n + 1) / 2;

  if (direction == LineDirection::forward) {
    for_each_item<side_by_side>(n, launch.log2_pairs, [&](int i, int l) {
      const Twin<R> v = load(i, l);
      enter(t, i, v.a, v.b, lane(now, l));
    });
  } else {
    for_each_item<side_by_side>(half, launch.log2_pairs, [&](int k, int l) {
      const int p = partner_of(t, k);
      const Twin<R> at_k = load(k, l), at_p = load(p, l);
      enter_mode(t, k, at_k, at_p, lane(now, l));
      if (p != k) enter_mode(t, p, at_p, at_k, lane(now, l));
    });
  }
  __syncthreads();
  for (int pass = 0, s = 1; pass < t.passes; ++pass) {
    const int r = t.radix[pass];
    for_each_item<true>(pieces_of_pass(n, r), launch.log2_pairs, [&](int index, int l) {
      piece_of_pass(t, r, index, s, lane(now, l), lane(next, l));
    });
    __syncthreads();
    s *= r;
    const ComplexLine<R> done = next;
    next = now;
    now = done;
  }
  if (direction == LineDirection::forward) {
    for_each_item<side_by_side>(half, launch.log2_pairs, [&](int k, int l) {
      const int p = partner_of(t, k);
      const Twin<R> at_k = mode_of(t, k, lane(now, l)), at_p = mode_of(t, p, lane(now, l));
      store(k, l, at_k);
      if (p != k) store(p, l, at_p);
    });
  } else {
    for_each_item<side_by_side>(n, launch.log2_pairs,
                                [&](int i, int l) { store(i, l, point_of(t, i, lane(now, l))); });
  }
}
}  // namespace

template <class R>
LineLaunch plan_lines_cuda(std::int64_t n, bool side_by_side) {
  // Sectors of 32 B in each half of the lines; as few lines as that, so that many blocks share a
  // multiprocessor. Rows need no more than one pair, and two or four give the threads more to do.
  LineLaunch launch;
  const int most = side_by_side ? (sizeof(R) == 8 ? 2 : 3) : 2;
  const std::size_t wanted = (side_by_side ? 113 : 40) * std::size_t{1024};
  for (int log2 = most; log2 >= 0; --log2) {
    launch.log2_pairs = log2;
    launch.pitch = (1 << log2) + (side_by_side || log2 == 0 ? 0 : 1);
    launch.shared_bytes =
        4 * static_cast<std::size_t>(n) * static_cast<std::size_t>(launch.pitch) * sizeof(R);
    if (launch.shared_bytes <= wanted) break;
  }
  const std::size_t most_bytes = most_shared_bytes();
  if (launch.shared_bytes > most_bytes) {
    throw Error(ErrorKind::unsupported, "fft on this GPU takes at most " +
                                            std::to_string(most_bytes / (4 * sizeof(R))) +
                                            " cells along x and y in this precision, not " +
                                            std::to_string(n) + "; mg takes any number");
  }
  const std::int64_t butterflies = std::max<std::int64_t>(n / 8, 1) << launch.log2_pairs;
  launch.threads =
      static_cast<int>(std::clamp<std::int64_t>((butterflies + 31) / 32 * 32, 64, most_threads));
  for (const auto kernel : {transform_lines_kernel<R, true>, transform_lines_kernel<R, false>}) {
    exec::allow_shared(kernel, most_bytes, "cannot reserve shared memory for lines");
  }
  return launch;
}

template <class R>
void transform_lines_cuda(const LineTables<R>& tables, const LineLaunch& launch,
                          LineDirection direction, const R* from, const LineSet& from_lines, R* to,
                          const LineSet& to_lines, const exec::Clock* clock, const Queue& queue) {
  const LineSet in = simplified(from_lines), out = simplified(to_lines);
  const std::int64_t group = std::int64_t{2} << launch.log2_pairs;
  const std::int64_t groups = (in.inner + group - 1) / group;
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  const unsigned blocks = static_cast<unsigned>(groups * in.outer);
  const auto run = [&](auto kernel) {
    kernel<<<blocks, launch.threads, launch.shared_bytes, stream>>>(tables, launch, direction, from,
                                                                    in, to, out, groups, clock);
  };
  if (in.inner_stride == 1 && out.inner_stride == 1) {
    run(transform_lines_kernel<R, true>);
  } else {
    run(transform_lines_kernel<R, false>);
  }
  exec::check_cuda(cudaGetLastError(), "cannot launch a transform of lines");
}

template LineLaunch plan_lines_cuda<float>(std::int64_t, bool);
template LineLaunch plan_lines_cuda<double>(std::int64_t, bool);
template void transform_lines_cuda<float>(const LineTables<float>&, const LineLaunch&,
                                          LineDirection, const float*, const LineSet&, float*,
                                          const LineSet&, const exec::Clock*, const Queue&);
template void transform_lines_cuda<double>(const LineTables<double>&, const LineLaunch&,
                                           LineDirection, const double*, const LineSet&, double*,
                                           const LineSet&, const exec::Clock*, const Queue&);

}  // namespace watersmeet::solve
