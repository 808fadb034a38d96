#pragma once
// Kernels of the tridiagonal systems of all modes. A thread block takes neighbouring columns and
// cuts each into sections of a few cells, one a thread, so that a column lies in registers and is
// read and written once, 16 B a cell in double precision:
//
//   1. every thread eliminates its section and knows its ends            (columns.hpp)
//   2. sections join in pairs to one, and back: a tree, in shared memory
//   3. every thread solves its section between its neighbours' cells
//
// Columns of more sections than most_sections_cuda are solved by one thread each, marching through
// memory: 32 B a cell and 16 B for the factors. A block of its own does the singular column.

#include "solve/poisson/section_tree_cuda.hpp"
#include "solve/poisson/singular_column_cuda.hpp"
#include "solve/poisson/slab_exchange.hpp"

namespace watersmeet::solve {

constexpr int wanted_column_threads = 384;

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

template <class R>
__device__ Pair<R> cells_beyond(const ColumnArguments<R>& a, ColumnTask task, std::int64_t mode,
                                const Section<R>& all) {
  if (task == ColumnTask::finish) return {a.beyond[mode], a.beyond[a.pitch * a.ny + mode]};
  return a.periodic ? at_closure(all) : Pair<R>{R(0), R(0)};
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

// depth: cells of a section at most. With 80 registers two blocks of 24 sections of 16 columns
// share a multiprocessor, or three of 16 sections; 16 cells in double need more.
template <class R, int depth>
__global__ void __maxnreg__(depth == 16 && sizeof(R) == 8 ? 112 : 80)
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

  R f[depth], inverse[depth];
#pragma unroll
  for (int k = 0; k < depth; ++k) f[k] = there && k < count ? values[k * a.stride_k] : R(0);
  Elimination<R> e = begin_column(cells[0], mu, f[0]);
  SectionSum<R> sum = begin_section(e);
  inverse[0] = e.inverse;
#pragma unroll
  for (int k = 1; k < depth; ++k) {
    if (k < count) {
      e = continue_column(cells[k], mu, f[k], e);
      continue_section(sum, e);
      inverse[k] = e.inverse;
    }
  }
  table.put(s, s, c, sum.s);
  const std::int64_t mode = j * a.pitch + i;
  join_sections(table, s, c, task != ColumnTask::ends, [&](const Section<R>& all) -> Pair<R> {
    if (!there) return {R(0), R(0)};
    if (task != ColumnTask::ends) return cells_beyond(a, task, mode, all);
    a.ends[mode] = all.y_first;
    a.ends[a.pitch * a.ny + mode] = all.y_last;
    return {R(0), R(0)};
  });
  if (task == ColumnTask::ends || !there || apart) return;
  R x = table.at(table.above, s, c), y = table.at(table.below, s, c);
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    if (k < count) f[k] = y = solve_again(cells[k], f[k], y, inverse[k]);
  }
#pragma unroll
  for (int k = depth - 1; k >= 0; --k) {
    if (k < count) {
      x = f[k] + inverse[k] * cells[k].up * x;
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

}  // namespace watersmeet::solve
