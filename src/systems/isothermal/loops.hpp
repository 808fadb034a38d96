#pragma once
// The launches of the isothermal system, and what they are made of: the parameters of a case in double, and the variant that is chosen
// at set-up.

#include <cstdint>
#include <memory>

#include "exec/loops.hpp"
#include "systems/isothermal/diagnostics.hpp"
#include "systems/isothermal/equations.hpp"

namespace watersmeet::isothermal {

// Inverse spacing is 0 along an axis of one cell.
struct Physics {
  double sound_speed = 1.0, viscosity = 0.0, bulk_viscosity = 0.0, hyperviscosity = 0.0;
  double reference_density = 1.0;
  bool upwind_density = false, upwind_velocity = false;
  double inverse_spacing[3] = {0, 0, 0};
};

enum class ForcingPlace : int { none, kick, inside };

// How the forcing of a run is drawn (forcing.hpp). Vectors are integer triples in device memory.
struct Forcing {
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

struct Case {
  Physics physics;
  Forcing forcing;
  // Register start of a congruent state of three variables, or null.
  const void* acceleration = nullptr;
  const BlockLayout* acceleration_layout = nullptr;
};

// What is fixed at compile time, and the schedule on a GPU.
struct Choice {
  Method method = Method::points55;
  bool extended = false;
  exec::CellSchedule schedule = exec::CellSchedule::direct;
};

class IsothermalLoops : public exec::Loops {
 public:
  // div u of `in` into `out`, a register of a state of one variable.
  virtual void divergence(const exec::Launch& launch) = 0;
};

std::unique_ptr<IsothermalLoops> make_loops(Backend backend, Precision precision,
                                            const Choice& choice, const Case& of);

// Of one back end and number type; variants.hpp defines it for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<IsothermalLoops> make(const Choice& choice, const Case& of);
};

}  // namespace watersmeet::isothermal
