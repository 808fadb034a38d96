#pragma once
// Table of the compiled loops of the isothermal system: plain function pointers, chosen once at
// set-up, so that no key or type is looked at during a step. Variants: back end x precision x
// method x (plain or extended terms); each pair of back end and precision is a file of
// instantiations.

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"
#include "core/view.hpp"
#include "exec/cell.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"
#include "systems/isothermal/diagnostics.hpp"
#include "systems/isothermal/equations.hpp"

namespace watersmeet::isothermal {

enum class Schedule { direct, ring };
const char* name_of(Schedule schedule);

// Physics in double; the kernels round once to their precision. Inverse spacing is 0 along an axis
// of one cell.
struct Physics {
  double sound_speed = 1.0, viscosity = 0.0, bulk_viscosity = 0.0, hyperviscosity = 0.0;
  double reference_density = 1.0;
  bool upwind_density = false, upwind_velocity = false;
  double inverse_spacing[3] = {0, 0, 0};
};

enum class ForcingPlace : int { none, kick, inside };

// How the forcing of a run is drawn (forcing.hpp). Vectors are integer triples in device memory.
struct ForcingCall {
  ForcingPlace place = ForcingPlace::none;
  const std::int32_t* wave_vectors = nullptr;  // [count][3]
  std::int32_t count = 0;
  std::uint64_t seed = 0;
  double amplitude = 0, helicity = 0, mean_wavenumber = 0;
  double sound_speed = 1;
  bool mean_normalisation = true;
  double unit_wavenumber[3] = {1, 1, 1};  // 2 pi / L
  double lower[3] = {0, 0, 0}, spacing[3] = {1, 1, 1};
  std::int32_t n[3] = {1, 1, 1};      // of the whole domain
  std::int64_t first[3] = {0, 0, 0};  // global index of entry 0 of each axis table
  std::int64_t cells_of_all = 1;      // of the whole domain
  std::int64_t table_offset[3] = {0, 0,
                                  0};  // of the axis tables: values of re, then of im at + padded n
  std::int64_t table_size[3] = {0, 0, 0};  // padded lengths
  void* table = nullptr;                   // vector[6], then the tables, in the run's precision
};

struct StageCall {
  const BlockLayout* layout = nullptr;
  const void* in = nullptr;     // registers' starts
  const void* extra = nullptr;  // divergence field (19-point)
  void* out = nullptr;
  void* increment = nullptr;
  const BlockLayout* extra_layout = nullptr;
  Box box;
  exec::StageUpdate<double> update;
  const Physics* physics = nullptr;
  const ForcingCall* forcing = nullptr;
  const void* acceleration =
      nullptr;  // register start of a congruent state of three variables, or null
  const BlockLayout* acceleration_layout = nullptr;
  exec::Clock* clock = nullptr;  // where the kernels run
  Queue queue;
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, const ForcingCall*,
                     exec::Clock*, const Queue&) = nullptr;
  void (*stage)(const StageCall&) = nullptr;
  void (*divergence)(const StageCall&) = nullptr;  // in -> out of a one-variable state
  // The two passes of the time series (comm/exact_reduction.hpp) over a box, on the host:
  // largest[n_sums + n_maxima] is raised, high_low[2 n_sums] added to.
  void (*measure)(const StageCall&, double* largest) = nullptr;
  void (*count)(const StageCall&, const exec::SumScale* scales, std::int64_t* high_low) = nullptr;
  double (*signal)(const StageCall&) = nullptr;  // the largest of a box
  // packed [k][j][i][component] array where the kernels run
  void (*evaluate)(const StageCall&, Quantity, int components, void* packed) = nullptr;
  exec::KernelReport (*describe)() = nullptr;  // of `stage`; registers 0 on the CPU
  Schedule schedule = Schedule::direct;
};

// The tables of one back end and precision, each in a file of instantiations.
Kernels cpu_kernels_f32(Method method, bool extended);
Kernels cpu_kernels_f64(Method method, bool extended);
Kernels cuda_kernels_f32(Method method, bool extended, Schedule schedule);
Kernels cuda_kernels_f64(Method method, bool extended, Schedule schedule);

Kernels cpu_kernels(Precision precision, Method method, bool extended);
// Error{unsupported} in a build without CUDA.
Kernels cuda_kernels(Precision precision, Method method, bool extended, Schedule schedule);

}  // namespace watersmeet::isothermal
