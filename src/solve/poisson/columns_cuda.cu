// The tridiagonal systems of all modes on the GPU: tables, memory and launches
// (columns_kernels_cuda.hpp has the kernels).
#include <algorithm>
#include <optional>

#include "exec/check_cuda.hpp"
#include "memory/buffer.hpp"
#include "solve/poisson/columns_kernels_cuda.hpp"
#include "solve/poisson/columns_loops.hpp"

namespace watersmeet::solve {

namespace {
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
    // Up to 16 sections, where 16 cells are deep enough for that.
    depth_ = static_cast<int>(std::clamp<std::int64_t>((a_.nz + 63) / 64 * 4, 4, 16));
    const std::int64_t sections = (a_.nz + depth_ - 1) / depth_;
    if (sections > most_sections_cuda) {
      depth_ = 0;
      return;
    }
    sections_ = static_cast<int>(sections);
    log2_columns_ = sizeof(R) == 8 ? 4 : 5;
    while (log2_columns_ > 0 && (sections_ << log2_columns_) > wanted_column_threads)
      --log2_columns_;
    while ((sections_ << log2_columns_) < 32) ++log2_columns_;  // the singular column takes a warp
  }

  // Memory for the launches of solve(), which must neither allocate nor change a kernel.
  void prepare_launches() {
    const std::size_t column =
        a_.singular ? static_cast<std::size_t>(a_.column.cells) * sizeof(double) : 0;
    shared_ = column;
    if (depth_ > 0) {
      shared_ = std::max(shared_, (static_cast<std::size_t>(SectionTable<R>::fields * sections_)
                                   << log2_columns_) *
                                      sizeof(R));
    } else {
      factors_ =
          memory::Buffer(MemorySpace::device, static_cast<std::size_t>(modes_ * a_.nz) * sizeof(R));
    }
    with_kernel([&](auto kernel) {
      exec::allow_shared(kernel, shared_,
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
      case 12:
        return use(columns_kernel<R, 12>);
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
      if (depth_ == 12) launch(columns_kernel<R, 12>);
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
