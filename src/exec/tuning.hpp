#pragma once
// Shapes of the schedules. A number here changes only together with the file under bench/results/
// that justifies it.

namespace watersmeet::exec {

// Direct schedule: 32 x 8 threads, whole 128-byte lines in x. Other shapes have not been tried.
struct DirectTuning {
  static constexpr int x = 32, y = 8, threads = x * y;
};

// Thread blocks of the ring schedule that messages under way are supposed to displace: without
// room for them a launch that fills the device in two rounds would need a third. Measured in
// docs/scaling.md.
constexpr int blocks_displaced_by_messages = 32;

// Ring schedule: a block of x * y threads marches in k over a tile of x * y columns; `slots` planes
// of the tile and its halo are in shared memory, one of them in flight. `blocks` per multiprocessor
// bounds the registers (a `heavy` right-hand side needs more of them). Shared memory, in words:
//   slots * inputs * (y + 2 radius) * (x + 2 side), `side` being the radius in whole 16-byte copies,
//   with own_below radius * inputs * x * y more,
// and 4 bytes for each 16-byte copy of a plane.
// `reads_ahead`: the old values of a plane are read before the threads wait for it; `prefetches`: they are brought to the second-level
// cache a plane ahead. `columns`, `sums` and `own_below`: see Ring in exec/cell_ring.hpp.
template <class R, int inputs, bool heavy, int radius = 3>
struct RingTuning;
struct PlainRing {
  static constexpr int slots = 8, columns = 0;
  static constexpr bool sums = false, own_below = false, reads_ahead = false, prefetches = true;
};
template <>
struct RingTuning<float, 4, false> : PlainRing {
  static constexpr int x = 32, y = 20, blocks = 1, columns = 4;  // 135 KiB, 96 registers
  static constexpr bool sums = true, reads_ahead = true;
};
template <>
struct RingTuning<float, 4, true> : PlainRing {
  static constexpr int x = 32, y = 16, blocks = 1, columns = 4;  // 128 registers, 44 bytes spilled
  static constexpr bool sums = true;
};
template <bool heavy>
struct RingTuning<float, 5, heavy> : PlainRing {
  static constexpr int x = 32, y = 16, blocks = 1, columns = 5;  // 138 KiB, 116 registers
};
template <>
struct RingTuning<double, 4, false> : PlainRing {
  static constexpr int x = 32, y = 8, blocks = 1, columns = 4;  // 140 KiB, 248 registers
  static constexpr bool sums = true;
};
template <>
struct RingTuning<double, 4, true> : PlainRing {
  static constexpr int x = 32, y = 8, blocks = 1, columns = 4;  // 255 registers, 64 bytes spilled
  static constexpr bool sums = true;
};
template <bool heavy>
struct RingTuning<double, 5, heavy> : PlainRing {
  static constexpr int x = 32, y = 8, blocks = 1,
                       columns = heavy ? 4 : 5;  // 175 KiB, 223 registers
};

// The 7 variables of isothermal magnetohydrodynamics, and the 8 with the entropy; with more terms the sums of seven variables would spill.
// Trials: docs/performance.md.
template <>
struct RingTuning<float, 7, false> : PlainRing {
  static constexpr int x = 32, y = 12, blocks = 1, columns = 7;  // 164 KiB, 168 registers
  static constexpr bool sums = true, reads_ahead = true;
};
template <>
struct RingTuning<float, 8, false> : RingTuning<float, 7, false> {
  static constexpr int columns = 8;  // 186 KiB, 168 registers
};
template <>
struct RingTuning<float, 7, true> : PlainRing {
  static constexpr int x = 32, y = 12, blocks = 1, columns = 4;  // 168 registers
};
template <>
struct RingTuning<float, 8, true> : PlainRing {
  static constexpr int x = 32, y = 12, blocks = 1, columns = 4;  // 168 registers
  static constexpr bool sums = true;
};
template <>
struct RingTuning<double, 7, false> : PlainRing {
  static constexpr int x = 16, y = 16, slots = 5,
                       blocks = 1;  // 194 KiB, 255 registers, 44 bytes spilled
  static constexpr bool sums = true, own_below = true, prefetches = false;
};
template <bool heavy>
struct RingTuning<double, 8, heavy> : PlainRing {
  static constexpr int x = 16, y = 16, slots = 5,
                       blocks = 1;  // 222 KiB, 255 registers, 4 bytes spilled
  static constexpr bool sums = true, own_below = true, prefetches = false;
};
template <>
struct RingTuning<double, 7, true> : PlainRing {
  static constexpr int x = 16, y = 14, blocks = 1, columns = 1;  // 255 registers, 88 bytes spilled
  static constexpr bool prefetches = false;
};

// Radius 1: 4 variables in double take 46 KiB a block, in single 26 KiB. In double three blocks, 80
// registers, would spill (nvcc 13, sm_90: 104 bytes of stack). Nothing is timed yet.
template <class R, int inputs, bool heavy>
struct RingTuning<R, inputs, heavy, 1> : PlainRing {
  static constexpr int x = 32, y = 8, slots = 4, blocks = sizeof(R) == 4 ? 4 : 2;
};

// Sweeps of the face form: threads of a block, and blocks per multiprocessor, which bound the
// registers. Shared memory: exec/face_sweep_cuda.hpp.
template <class R, bool heavy>
struct SweepTuning;
template <bool heavy>
struct SweepTuning<float, heavy> {
  static constexpr int row_threads = 128, row_blocks = 5;      // 96 registers
  static constexpr int march_threads = 128, march_blocks = 4;  // 128 registers, 43 KiB a block
};
template <bool heavy>
struct SweepTuning<double, heavy> {
  static constexpr int row_threads = 128, row_blocks = 3;      // 168 registers
  static constexpr int march_threads = 128, march_blocks = 2;  // 255 registers, 86 KiB a block
};

// Tile schedule of the face form for edges of three cells: a block of 32 x `rows` threads, `blocks`
// of them per multiprocessor, which bounds the registers; `split`: threads arrive early at where
// they meet and wait late, else all wait there. Shared memory: face_compact_cuda.hpp. On an H200
// `bench_atmosphere_tiles 484 232 116 40` gives these 18.1 (double) and 29.9 (single) G
// cell-stages/s over flat ground; in double 8 rows have 17.1, and without `split` 14.1; in single
// four blocks have 28.6, three without `split` 27.0. They are the fastest over terrain too, 11.0
// and 21.2.
template <class R>
struct CompactTuning;
template <>
struct CompactTuning<float> {
  static constexpr int rows = 8, blocks = 3;  // 49 KiB a block, 80 registers
  static constexpr bool split = true;
};
template <>
struct CompactTuning<double> {
  static constexpr int rows = 16, blocks = 1;  // 157 KiB, 128 registers
  static constexpr bool split = true;
};

// March of the face form on a plane: threads of a block, whose warps are independent,
// and blocks per multiprocessor, which bound the registers. Chosen so that shallow water spills
// next to nothing (nvcc 13 -Xptxas -v, sm_90: 163 registers in double and 80 in single with 9
// points); no other choice has been timed.
template <class R, bool heavy>
struct PlaneTuning;
template <bool heavy>
struct PlaneTuning<float, heavy> {
  static constexpr int threads = 128, blocks = heavy ? 5 : 6;  // 96 or 80 registers
};
template <bool heavy>
struct PlaneTuning<double, heavy> {
  static constexpr int threads = 128, blocks = heavy ? 2 : 3;  // 255 or 168 registers
};

}  // namespace watersmeet::exec
