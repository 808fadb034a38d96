// The tridiagonal systems of all modes on the GPU. A thread block takes neighbouring columns and
// cuts each into sections of a few cells, one a thread, so that a column lies in registers and is
// read and written once, 16 B a cell in double precision:
//
//   1. every thread eliminates its section and knows its ends            (columns.hpp)
//   2. one thread a column joins the sections, up and down again         (shared memory)
//   3. every thread solves its section between its neighbours' cells
//
// Columns of more sections than most_sections_cuda are solved by one thread each, marching through
// memory: 32 B a cell and 16 B for the factors. A block of its own does the singular column.
#include <algorithm>
#include <optional>

#include "exec/check_cuda.hpp"
#include "memory/buffer.hpp"
#include "solve/poisson/columns_loops.hpp"
#include "solve/poisson/singular_column_cuda.hpp"
#include "solve/poisson/slab_exchange.hpp"

namespace watersmeet::solve {

namespace {
constexpr int most_threads = 512;

// whole: all cells of the columns are here. ends: what these cells answer at both ends, for the
// other slabs; then finish: between the cells beyond.
enum class ColumnTask { whole, ends, finish };

template <class R>
struct ColumnArguments {
  R* modes;
  std::int64_t stride_j, stride_k;
  std::int64_t nx, ny, nz;  // cells here
  const CellWeights<R>* cells;
  const R *mu_x, *mu_y;
  bool periodic, singular;
  std::int64_t pitch;  // of the arrays of ends
  R* ends;             // y_first and y_last of all modes, then this slab's singular column
  const R* beyond;     // x below and above, of all modes
  SingularColumn<R> column;
};

// The ends of all sections of a block: field f of section s and column c at [(f sections + s)
// columns + c], the fields in the order of Section.
template <class R>
struct SectionTable {
  R* start;
  int sections, columns;
  __device__ R& at(int field, int s, int c) const {
    return start[(field * sections + s) * columns + c];
  }
  __device__ void put(int s, int c, const Section<R>& v) const {
    put_first(s, c, v);
    put_last(s, c, v);
  }
  __device__ void put_first(int s, int c, const Section<R>& v) const {
    at(0, s, c) = v.y_first;
    at(2, s, c) = v.u_first;
    at(4, s, c) = v.v_first;
    at(6, s, c) = v.w_first;
  }
  __device__ void put_last(int s, int c, const Section<R>& v) const {
    at(1, s, c) = v.y_last;
    at(3, s, c) = v.u_last;
    at(5, s, c) = v.v_last;
    at(7, s, c) = v.w_last;
  }
  __device__ Section<R> get(int s, int c) const {
    return {at(0, s, c), at(1, s, c), at(2, s, c), at(3, s, c),
            at(4, s, c), at(5, s, c), at(6, s, c), at(7, s, c)};
  }
};

template <class R>
__device__ Pair<R> cells_beyond(const ColumnArguments<R>& a, ColumnTask task, std::int64_t mode,
                                const Section<R>& all) {
  if (task == ColumnTask::finish) return {a.beyond[mode], a.beyond[a.pitch * a.ny + mode]};
  return a.periodic ? at_closure(all) : Pair<R>{R(0), R(0)};
}

// Joins the sections of column c and leaves for each the cells below and above it, in fields 0 and
// 2. On the way up the last cells' fields of section s become those of all sections up to s.
template <class R>
__device__ void join_sections(const ColumnArguments<R>& a, ColumnTask task, std::int64_t mode,
                              bool there, const SectionTable<R>& table, int c) {
  Section<R> all = table.get(0, c);
  for (int s = 1; s < table.sections; ++s) {
    all = join(all, table.get(s, c));
    table.put_last(s, c, all);
  }
  if (task == ColumnTask::ends) {
    if (!there) return;
    a.ends[mode] = all.y_first;
    a.ends[a.pitch * a.ny + mode] = all.y_last;
    return;
  }
  const Pair<R> beyond = there ? cells_beyond(a, task, mode, all) : Pair<R>{R(0), R(0)};
  R above = beyond.upper;
  for (int s = table.sections - 1; s > 0; --s) {
    const Pair<R> joint = at_joint(table.get(s - 1, c), table.get(s, c), beyond.lower, above);
    table.at(0, s, c) = joint.lower;
    table.at(2, s, c) = above;
    above = joint.upper;
  }
  table.at(0, 0, c) = beyond.lower;
  table.at(2, 0, c) = above;
}

// The part of a block beyond those of the columns.
template <class R>
__device__ void singular_block(const ColumnArguments<R>& a, ColumnTask task) {
  if (task == ColumnTask::ends) {
    R* const out = a.ends + 2 * a.pitch * a.ny;
    for (std::int64_t k = threadIdx.x; k < a.nz; k += blockDim.x) out[k] = a.modes[k * a.stride_k];
  } else {
    solve_singular_column_block(a.column, a.modes, a.stride_k, a.nz);
  }
}

// depth: cells of a section at most.
template <class R, int depth>
__global__ void __launch_bounds__(most_threads)
    columns_kernel(const ColumnArguments<R> a, const ColumnTask task, const int log2_columns,
                   const int sections) {
  if (a.singular && blockIdx.x == gridDim.x - 1) return singular_block(a, task);
  extern __shared__ __align__(16) unsigned char block_memory[];
  const int columns = 1 << log2_columns, c = int(threadIdx.x) & (columns - 1);
  const int s = int(threadIdx.x) >> log2_columns;
  const SectionTable<R> table{reinterpret_cast<R*>(block_memory), sections, columns};
  const std::int64_t blocks = (a.nx + columns - 1) >> log2_columns;
  const std::int64_t j = blockIdx.x / blocks, i = (blockIdx.x % blocks) * columns + c;
  const bool there = i < a.nx, apart = a.singular && i == 0 && j == 0;
  const R mu = !there || apart ? R(1) : a.mu_x[i] + a.mu_y[j];
  const int begin = int(s * a.nz / sections), count = int((s + 1) * a.nz / sections) - begin;
  const CellWeights<R>* const cells = a.cells + begin;
  R* const values = a.modes + j * a.stride_j + i + begin * a.stride_k;

  R f[depth], factor[depth];
#pragma unroll
  for (int k = 0; k < depth; ++k) f[k] = there && k < count ? values[k * a.stride_k] : R(0);
  Elimination<R> e = begin_column(cells[0], mu, f[0]);
  SectionSum<R> sum = begin_section(e);
#pragma unroll
  for (int k = 1; k < depth; ++k) {
    if (k < count) {
      e = continue_column(cells[k], mu, f[k], e);
      continue_section(sum, e);
    }
  }
  table.put(s, c, sum.s);
  __syncthreads();
  if (s == 0) join_sections(a, task, j * a.pitch + i, there, table, c);
  if (task == ColumnTask::ends) return;
  __syncthreads();
  R x = table.at(2, s, c);
  e = begin_solve(cells[0], mu, f[0], table.at(0, s, c));
  f[0] = e.y;
  factor[0] = e.next;
#pragma unroll
  for (int k = 1; k < depth; ++k) {
    if (k < count) {
      e = continue_solve(cells[k], mu, f[k], e);
      f[k] = e.y;
      factor[k] = e.next;
    }
  }
  if (!there || apart) return;
#pragma unroll
  for (int k = depth - 1; k >= 0; --k) {
    if (k < count) {
      x = f[k] + factor[k] * x;
      values[k * a.stride_k] = x;
    }
  }
}

template <class R>
__global__ void __launch_bounds__(128)
    march_kernel(const ColumnArguments<R> a, const ColumnTask task, R* factors) {
  if (a.singular && blockIdx.x == gridDim.x - 1) return singular_block(a, task);
  const std::int64_t mode = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t j = mode / a.pitch, i = mode % a.pitch;
  if (i >= a.nx || j >= a.ny || (a.singular && mode == 0)) return;
  const R mu = a.mu_x[i] + a.mu_y[j];
  R* const values = a.modes + j * a.stride_j + i;
  Pair<R> beyond{R(0), R(0)};
  if (task != ColumnTask::whole || a.periodic) {
    SectionSum<R> sum{};
    if (task != ColumnTask::finish) {
      Elimination<R> e = begin_column(a.cells[0], mu, values[0]);
      sum = begin_section(e);
#pragma unroll 4
      for (std::int64_t k = 1; k < a.nz; ++k) {
        e = continue_column(a.cells[k], mu, values[k * a.stride_k], e);
        continue_section(sum, e);
      }
    }
    if (task == ColumnTask::ends) {
      a.ends[mode] = sum.s.y_first;
      a.ends[a.pitch * a.ny + mode] = sum.s.y_last;
      return;
    }
    beyond = cells_beyond(a, task, mode, sum.s);
  }
  factors += j * a.stride_j + i;
  Elimination<R> e = begin_solve(a.cells[0], mu, values[0], beyond.lower);
  values[0] = e.y;
  factors[0] = e.next;
#pragma unroll 4
  for (std::int64_t k = 1; k < a.nz; ++k) {
    e = continue_solve(a.cells[k], mu, values[k * a.stride_k], e);
    values[k * a.stride_k] = e.y;
    factors[k * a.stride_k] = e.next;
  }
  R x = beyond.upper;
#pragma unroll 4
  for (std::int64_t k = a.nz - 1; k >= 0; --k) {
    x = values[k * a.stride_k] + factors[k * a.stride_k] * x;
    values[k * a.stride_k] = x;
  }
}

// The cells beyond this slab, from the messages and the answers of all.
template <class R>
__global__ void __launch_bounds__(128)
    around_kernel(R* beyond, const R* messages, const std::int64_t stride, const R* answers,
                  const std::int64_t modes, const int slabs, const int mine, const bool periodic) {
  const std::int64_t mode = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (mode >= modes) return;
  const auto section = [&](int s) -> Section<R> {
    const R* const y = messages + s * stride + mode;
    const R* const a = answers + std::int64_t(s) * section_answers * modes + mode;
    return {y[0], y[modes], a[0], a[modes], a[2 * modes], a[3 * modes], a[4 * modes], a[5 * modes]};
  };
  const Pair<R> around = around_section<R>(slabs, mine, periodic, section);
  beyond[mode] = around.lower;
  beyond[modes + mode] = around.upper;
}

template <class T>
memory::Buffer on_device(const std::vector<T>& values, const Queue& queue) {
  memory::Buffer buffer(MemorySpace::device, std::max<std::size_t>(values.size(), 1) * sizeof(T));
  copy_bytes(buffer.start(), values.data(), values.size() * sizeof(T), queue);
  synchronize(queue);
  return buffer;
}

template <class R>
class ColumnsCuda final : public ColumnSolver {
 public:
  ColumnsCuda(const ColumnPlan& plan, comm::Team& team, const Queue& queue)
      : queue_(queue), slabs_(plan.slabs()), mine_(plan.mine) {
    a_.nx = std::ssize(plan.mu_x);
    a_.ny = std::ssize(plan.mu_y);
    a_.nz = plan.here();
    a_.periodic = plan.periodic;
    a_.singular = plan.singular;
    a_.pitch = mode_pitch(a_.nx, sizeof(R) == 8 ? Precision::double_ : Precision::single_);
    modes_ = a_.pitch * a_.ny;
    std::vector<CellWeights<R>> cells;
    for (std::int64_t k = plan.begin(); k < plan.begin() + a_.nz; ++k)
      cells.push_back(rounded<R>(plan.cells[static_cast<std::size_t>(k)]));
    const auto keep = [&](const auto& values) {
      tables_.push_back(on_device(values, queue));
      return tables_.back().start();
    };
    a_.cells = static_cast<const CellWeights<R>*>(keep(cells));
    a_.mu_x = static_cast<const R*>(keep(std::vector<R>(plan.mu_x.begin(), plan.mu_x.end())));
    a_.mu_y = static_cast<const R*>(keep(std::vector<R>(plan.mu_y.begin(), plan.mu_y.end())));
    a_.column.widths = static_cast<const double*>(keep(plan.widths));
    a_.column.distances = static_cast<const double*>(keep(plan.distances));
    a_.column.cells = std::ssize(plan.cells);
    a_.column.begin = plan.begin();
    a_.column.periodic = plan.periodic;
    if (slabs_ > 1) prepare_slabs(plan, team, keep);
    choose_cut();
    prepare_launches();
  }

  void solve(const CellArray& modes) override {
    a_.modes = static_cast<R*>(modes.start);
    a_.stride_j = modes.stride_j;
    a_.stride_k = modes.stride_k;
    if (slabs_ == 1) return run(ColumnTask::whole);
    run(ColumnTask::ends);
    exchange_->exchange(queue_);
    const std::size_t stride = exchange_->stride() / sizeof(R);
    around_kernel<<<blocks_of(modes_, 128), 128, 0, stream()>>>(
        beyond_.as<R>(), static_cast<const R*>(exchange_->all()), static_cast<std::int64_t>(stride),
        answers_, modes_, slabs_, mine_, a_.periodic);
    exec::check_cuda(cudaGetLastError(), "cannot launch the system of the slabs");
    run(ColumnTask::finish);
  }

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(queue_.stream); }
  static unsigned blocks_of(std::int64_t items, std::int64_t threads) {
    return static_cast<unsigned>((items + threads - 1) / threads);
  }

  template <class Keep>
  void prepare_slabs(const ColumnPlan& plan, comm::Team& team, const Keep& keep) {
    const std::size_t count = static_cast<std::size_t>(2 * modes_ + plan.most_cells());
    exchange_.emplace(plan, count * sizeof(R), team, queue_);
    beyond_ = memory::Buffer(MemorySpace::device, 2 * static_cast<std::size_t>(modes_) * sizeof(R));
    a_.beyond = beyond_.as<R>();
    std::vector<R> all;
    for (int s = 0; s < slabs_; ++s) {
      const std::vector<R> one = slab_answers<R>(plan, s, a_.pitch, queue_.threads);
      all.insert(all.end(), one.begin(), one.end());
    }
    answers_ = static_cast<const R*>(keep(all));
    a_.ends = static_cast<R*>(exchange_->mine());
    a_.column.gathered = static_cast<const R*>(exchange_->all()) + 2 * modes_;
    a_.column.gathered_stride = static_cast<std::int64_t>(exchange_->stride() / sizeof(R));
    a_.column.first = static_cast<const std::int64_t*>(keep(plan.first));
    a_.column.slabs = slabs_;
  }

  // 16 columns of 8 B fill a line of 128 B; where there are too many sections for that, half a
  // line. Deeper sections join less and take more registers.
  void choose_cut() {
    depth_ = a_.nz <= 48 ? 4 : a_.nz <= 128 ? 8 : 16;
    const std::int64_t sections = (a_.nz + depth_ - 1) / depth_;
    if (sections > most_sections_cuda) {
      depth_ = 0;
      return;
    }
    sections_ = static_cast<int>(sections);
    log2_columns_ = sizeof(R) == 8 ? 4 : 5;
    while (log2_columns_ > 0 && (sections_ << log2_columns_) > most_threads) --log2_columns_;
    while ((sections_ << log2_columns_) < 32) ++log2_columns_;  // the singular column takes a warp
  }

  // Memory for the launches of solve(), which must neither allocate nor change a kernel.
  void prepare_launches() {
    const std::size_t column =
        a_.singular ? static_cast<std::size_t>(a_.column.cells) * sizeof(double) : 0;
    shared_ = column;
    if (depth_ > 0) {
      shared_ =
          std::max(shared_, (static_cast<std::size_t>(8 * sections_) << log2_columns_) * sizeof(R));
    } else {
      factors_ =
          memory::Buffer(MemorySpace::device, static_cast<std::size_t>(modes_ * a_.nz) * sizeof(R));
    }
    with_kernel([&](auto kernel) {
      exec::check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(shared_)),
                       "a column of this many cells does not fit the GPU's shared memory");
    });
  }

  template <class Use>
  void with_kernel(const Use& use) const {
    switch (depth_) {
      case 4:
        return use(columns_kernel<R, 4>);
      case 8:
        return use(columns_kernel<R, 8>);
      case 16:
        return use(columns_kernel<R, 16>);
      default:
        return use(march_kernel<R>);
    }
  }

  void run(ColumnTask task) {
    const unsigned extra = a_.singular ? 1 : 0;
    if (depth_ == 0) {
      march_kernel<R>
          <<<blocks_of(modes_, 128) + extra, 128, shared_, stream()>>>(a_, task, factors_.as<R>());
    } else {
      const unsigned blocks =
          blocks_of(a_.nx, std::int64_t{1} << log2_columns_) * static_cast<unsigned>(a_.ny) + extra;
      const unsigned threads = static_cast<unsigned>(sections_ << log2_columns_);
      const auto launch = [&](auto kernel) {
        kernel<<<blocks, threads, shared_, stream()>>>(a_, task, log2_columns_, sections_);
      };
      if (depth_ == 4) launch(columns_kernel<R, 4>);
      if (depth_ == 8) launch(columns_kernel<R, 8>);
      if (depth_ == 16) launch(columns_kernel<R, 16>);
    }
    exec::check_cuda(cudaGetLastError(), "cannot launch the columns");
  }

  Queue queue_;
  int slabs_, mine_;
  ColumnArguments<R> a_{};
  std::int64_t modes_ = 0;
  int depth_ = 0, sections_ = 1, log2_columns_ = 0;
  std::size_t shared_ = 0;
  std::vector<memory::Buffer> tables_;
  memory::Buffer factors_, beyond_;
  const R* answers_ = nullptr;
  std::optional<SlabExchange> exchange_;
};
}  // namespace

std::unique_ptr<ColumnSolver> make_columns_cuda(const ColumnPlan& plan, Precision precision,
                                                comm::Team& team, const Queue& queue) {
  if (precision == Precision::single_) {
    return std::make_unique<ColumnsCuda<float>>(plan, team, queue);
  }
  return std::make_unique<ColumnsCuda<double>>(plan, team, queue);
}

}  // namespace watersmeet::solve
