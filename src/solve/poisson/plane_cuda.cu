// Both transforms of the planes of a part in one launch on the GPU. Thread blocks take numbers, and
// a number says what lines to transform (line_block.hpp): those of a plane along its first axis,
// or, some planes later, those of a plane along its second axis,
//
//   first axis   0 1 2 ... lag   lag+1   lag+2  ...
//   second axis              0       1       2  ...       planes, in the order of the numbers
//
// so that a plane is read from the cache the second time. A block of the second axis waits until
// all of the first one of its plane are done; these have lower numbers and wait for no other, so that
// they are all under way. The last block to finish sets the counters back.
#include <algorithm>

#include "memory/buffer.hpp"
#include "solve/poisson/line_launch_cuda.hpp"
#include "solve/poisson/line_plan.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

namespace {
// In device memory: the next number, blocks that have finished, and of each plane those of the
// first axis that have.
struct PlaneCounters {
  unsigned* next;
  unsigned* finished;
  unsigned* done;
};

// The divergence of a velocity on the faces, for lines along rows: a pair of rows at a time, which
// share the faces between them.
template <class R>
struct FaceSource {
  const R *u = nullptr, *v = nullptr, *w = nullptr;
  std::int64_t stride_j = 0, stride_k = 0;
  R inverse_x = 0, inverse_y = 0;
  const R* inverse_width = nullptr;
  LineShape shape;
  int n = 1;
  __device__ void bring(R* raw, std::int64_t k, std::int64_t first, std::int64_t count) const {
    const int l = int(threadIdx.x) / shape.threads_of_pair;
    if (l >> shape.log2_pairs) return;
    const bool lower = 2 * l < count, upper = 2 * l + 1 < count;
    const std::int64_t at = k * stride_k + (lower ? first + 2 * l : 0) * stride_j;
    const std::int64_t above = upper ? stride_j : 0;
    const R inverse_z = inverse_width[k];
    R* const to = raw + 2 * l * shape.row;
#pragma unroll 2
    for (int i = int(threadIdx.x) - l * shape.threads_of_pair; i < n; i += shape.threads_of_pair) {
      const R *const pu = u + at + i, *const pv = v + at + i, *const pw = w + at + i;
      const R between = pv[stride_j];
      const R a = (pu[1] - pu[0]) * inverse_x + (between - pv[0]) * inverse_y +
                  (pw[stride_k] - pw[0]) * inverse_z;
      const R b = (pu[above + 1] - pu[above]) * inverse_x +
                  (pv[above + stride_j] - between) * inverse_y +
                  (pw[above + stride_k] - pw[above]) * inverse_z;
      to[i] = lower ? a : R(0);
      to[i + shape.row] = upper ? b : R(0);
    }
  }
};

template <class R>
struct PlaneArguments {
  LineArguments<R> x, y;
  FaceSource<R> faces;
  PlaneCounters counters;
  int planes = 1, lag = 1;
};

struct PlaneTask {
  bool second;
  int plane, group;
};
// Task of a number, with so many groups of lines a plane along the first and the second axis.
__device__ __forceinline__ PlaneTask task_of(int number, int planes, int lag, int first,
                                             int second) {
  if (number < lag * first) return {false, number / first, number % first};
  number -= lag * first;
  const int both = first + second, paired = planes - lag;
  if (number < paired * both) {
    const int plane = number / both, group = number - plane * both;
    return group < first ? PlaneTask{false, plane + lag, group}
                         : PlaneTask{true, plane, group - first};
  }
  number -= paired * both;
  return {true, paired + number / second, number % second};
}

template <class R, LineDirection direction, bool from_faces>
__global__ void __launch_bounds__(256, sizeof(R) == 4 ? 4 : 3)
    plane_kernel(const __grid_constant__ PlaneArguments<R> p, const exec::Clock* clock) {
  if (clock && !clock->active) return;
  extern __shared__ __align__(16) unsigned char block_memory[];
  R* const fast = reinterpret_cast<R*>(block_memory);
  constexpr bool forward = direction == LineDirection::forward;
  const int groups_x = int(p.x.groups), groups_y = int(p.y.groups);
  const int groups_first = forward ? groups_x : groups_y;
  __shared__ int number;
  if (threadIdx.x == 0) number = int(atomicAdd(p.counters.next, 1u));
  __syncthreads();
  const PlaneTask task =
      task_of(number, p.planes, p.lag, groups_first, forward ? groups_y : groups_x);
  if (task.second) {
    if (threadIdx.x == 0) {
      const volatile unsigned* const done = p.counters.done + task.plane;
      while (*done < unsigned(groups_first)) __nanosleep(100);
      __threadfence();
    }
    __syncthreads();
  }
  if (task.second != forward) {  // along x
    const BlockTeam<false> team(p.x.shape);
    const LineBlock<R, false, BlockTeam<false>> block(
        p.x, fast, std::int64_t(task.plane) * groups_x + task.group, team);
    if constexpr (from_faces) {
      block.forward(p.faces);
    } else if constexpr (forward) {
      block.forward(ArraySource<R, false, BlockTeam<false>>{p.x, team});
    } else {
      block.backward(ArraySource<R, false, BlockTeam<false>>{p.x, team});
    }
  } else {
    const BlockTeam<true> team(p.y.shape);
    const LineBlock<R, true, BlockTeam<true>> block(
        p.y, fast, std::int64_t(task.plane) * groups_y + task.group, team);
    const ArraySource<R, true, BlockTeam<true>> source{p.y, team};
    if constexpr (forward) {
      block.forward(source);
    } else {
      block.backward(source);
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (!task.second) atomicAdd(p.counters.done + task.plane, 1u);
  if (atomicAdd(p.counters.finished, 1u) + 1 < gridDim.x) return;
  for (int plane = 0; plane < p.planes; ++plane) p.counters.done[plane] = 0;
  *p.counters.next = *p.counters.finished = 0;
}

template <class R>
class PlanesCuda final : public PlaneTransform {
 public:
  PlanesCuda(const PoissonProblem& problem, const Index3& cells, const Queue& queue)
      : cells_(cells),
        queue_(queue),
        x_(problem.cells[0], problem.sides[0], problem.sides[1], queue),
        y_(problem.cells[1], problem.sides[2], problem.sides[3], queue),
        shape_x_(LinesCuda<R>::plan(problem.cells[0], false)),
        shape_y_(LinesCuda<R>::plan(problem.cells[1], true)),
        counters_(MemorySpace::device, static_cast<std::size_t>(cells[2] + 2) * sizeof(unsigned)) {
    fill_bytes(counters_.start(), 0, counters_.bytes(), queue);
    threads_ = static_cast<unsigned>(std::max(shape_x_.threads, shape_y_.threads));
    shared_ = std::max(shape_x_.shared_bytes, shape_y_.shared_bytes);
    using enum LineDirection;
    prepare(plane_kernel<R, forward, false>);
    prepare(plane_kernel<R, forward, true>);
    prepare(plane_kernel<R, backward, false>);
    int device = 0, processors = 1, blocks = 1;
    exec::check_cuda(cudaGetDevice(&device), "cannot ask for the device");
    exec::check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                     "cannot ask for the device");
    exec::check_cuda(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plane_kernel<R, forward, true>,
                                                      static_cast<int>(threads_), shared_),
        "cannot compute a kernel's occupancy");
    resident_ = std::max(1, blocks) * processors;
  }

  void forward(const CellArray& from, const CellArray& to) override {
    PlaneArguments<R> p = arguments(from, to, to);
    launch(plane_kernel<R, LineDirection::forward, false>, p, p.x.groups, nullptr);
  }

  void forward(const FaceField& faces, const CellArray& to) override {
    PlaneArguments<R> p = arguments(to, to, to);
    const auto array = [](const void* start) { return static_cast<const R*>(start); };
    p.faces = {array(faces.component[0]),
               array(faces.component[1]),
               array(faces.component[2]),
               faces.stride_j,
               faces.stride_k,
               R(faces.inverse_x),
               R(faces.inverse_y),
               array(faces.inverse_width_z),
               shape_x_,
               p.x.t.n};
    launch(plane_kernel<R, LineDirection::forward, true>, p, p.x.groups, nullptr);
  }

  // Along y into the target, and there along x: the modes are read and not written.
  void backward(const CellArray& modes, const CellArray& to, const exec::Clock* clock) override {
    const CellArray& middle = to;
    PlaneArguments<R> p = arguments(middle, to, middle);
    p.y = along_y(modes, middle);
    launch(plane_kernel<R, LineDirection::backward, false>, p, p.y.groups, clock);
  }

 private:
  template <class Kernel>
  void prepare(Kernel kernel) const {
    exec::allow_shared(kernel, shared_, "cannot reserve shared memory for planes");
  }
  LineArguments<R> along_x(const CellArray& from, const CellArray& to) const {
    const auto lines = [&](const CellArray& a) {
      return LineSet{cells_[1], cells_[2], a.stride_j, a.stride_k, 1};
    };
    return line_arguments(x_.tables(), shape_x_, static_cast<const R*>(from.start), lines(from),
                          static_cast<R*>(to.start), lines(to), false);
  }
  LineArguments<R> along_y(const CellArray& from, const CellArray& to) const {
    const auto lines = [&](const CellArray& a) {
      return LineSet{cells_[0], cells_[2], 1, a.stride_k, a.stride_j};
    };
    return line_arguments(y_.tables(), shape_y_, static_cast<const R*>(from.start), lines(from),
                          static_cast<R*>(to.start), lines(to), true);
  }
  PlaneArguments<R> arguments(const CellArray& from, const CellArray& to,
                              const CellArray& of_y) const {
    PlaneArguments<R> p;
    p.x = along_x(from, to);
    p.y = along_y(of_y, of_y);
    unsigned* const counters = counters_.template as<unsigned>();
    p.counters = {counters, counters + 1, counters + 2};
    p.planes = static_cast<int>(cells_[2]);
    return p;
  }
  // The second axis begins when all blocks that can be under way are a little past its first plane.
  template <class Kernel>
  void launch(Kernel kernel, PlaneArguments<R>& p, std::int64_t groups_first,
              const exec::Clock* clock) const {
    const std::int64_t lag = resident_ * 5 / 4 / groups_first + 1;
    p.lag = static_cast<int>(std::min<std::int64_t>(lag, p.planes));
    const auto blocks = static_cast<unsigned>((p.x.groups + p.y.groups) * p.planes);
    kernel<<<blocks, threads_, shared_, static_cast<cudaStream_t>(queue_.stream)>>>(p, clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch a transform of planes");
  }

  Index3 cells_;
  Queue queue_;
  LinePlan<R> x_, y_;
  LineShape shape_x_, shape_y_;
  memory::Buffer counters_;
  unsigned threads_ = 64;
  std::size_t shared_ = 0;
  int resident_ = 1;
};
}  // namespace

std::unique_ptr<PlaneTransform> make_plane_transform(const PoissonProblem& problem,
                                                     const Index3& cells, Precision precision,
                                                     const Queue& queue) {
  if (precision == Precision::single_)
    return std::make_unique<PlanesCuda<float>>(problem, cells, queue);
  return std::make_unique<PlanesCuda<double>>(problem, cells, queue);
}

}  // namespace watersmeet::solve
