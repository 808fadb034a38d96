#pragma once
// Table of the compiled loops of the atmosphere on a cubed sphere, as kernels.hpp has that of a
// box. A register has the levels of the panels here one after the other.

#include "comm/panel_strips.hpp"
#include "systems/atmosphere/globe_diagnostics.hpp"
#include "systems/atmosphere/globe_edges.hpp"
#include "systems/atmosphere/globe_sponge.hpp"
#include "systems/atmosphere/kernels.hpp"

namespace watersmeet::atmosphere {

struct GlobeCall {
  const BlockLayout* layout = nullptr;
  const void* in = nullptr;  // registers' starts
  void* out = nullptr;
  void* increment = nullptr;
  Box box;
  exec::StageUpdate<double> update;
  // Numbers in double, which the loops round once; its pointers are those below.
  const GlobeParameters<double>* flow = nullptr;
  TableAddresses tables;
  const void *tan_centre = nullptr, *cos2_centre = nullptr, *tan_face = nullptr,
             *cos2_face = nullptr, *line = nullptr;
  void* rims = nullptr;
  const BeyondSide* beyond = nullptr;  // 24
  const std::int8_t* owner = nullptr;  // 12
  int edges = 0;
  mesh::PanelPart part;  // cells here
  comm::StripCall strips;
  const void* sponge = nullptr;  // rates by level, or none; of levels from `sponge_level` on
  int sponge_level = 0;
  exec::Clock* clock = nullptr;  // where the kernels run
  Queue queue;
};

struct GlobeKernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  void (*stage)(const GlobeCall&) = nullptr;
  // Ghosts of call.in and the records of all rims.
  void (*couple)(const GlobeCall&) = nullptr;
  // Cells of call.in into the strips before couple() where one rank has them all; null where
  // couple() reads the cells as fast.
  void (*copy_lines)(const GlobeCall&) = nullptr;
  // Cells of call.in into the strips and a message, a message into the strips: before couple()
  // where there are several ranks.
  void (*pack)(const GlobeCall&, void* message) = nullptr;
  void (*unpack)(const GlobeCall&, const void* message) = nullptr;
  // The implicit part of a stage; null where the variant is not split.
  void (*solve_columns)(const GlobeCall&, const SplitCall&) = nullptr;
  // The sponge, on call.in.
  void (*damp)(const GlobeCall&) = nullptr;
  void (*measure)(const GlobeCall&, const GlobeProbeParameters&, double* largest) = nullptr;
  void (*count)(const GlobeCall&, const GlobeProbeParameters&, const exec::SumScale* scales,
                std::int64_t* high_low) = nullptr;
  double (*signal)(const GlobeCall&) = nullptr;  // the largest of a box
  void (*evaluate)(const GlobeCall&, const GlobeProbeParameters&, GlobeQuantity, int components,
                   void* packed) = nullptr;
  std::vector<exec::KernelReport> (*describe)() = nullptr;  // of `stage`, a launch each
  Schedule schedule = Schedule::sweeps;
};

// What no variant changes; what of a variant with equally thick levels, and with stretched ones.
GlobeKernels cpu_globe_kernels_f32();
GlobeKernels cpu_globe_kernels_f64();
void use_equal_levels_f32(GlobeKernels& kernels, GlobeVariant variant, Choices choices);
void use_equal_levels_f64(GlobeKernels& kernels, GlobeVariant variant, Choices choices);
void use_stretched_levels_f32(GlobeKernels& kernels, GlobeVariant variant, Choices choices);
void use_stretched_levels_f64(GlobeKernels& kernels, GlobeVariant variant, Choices choices);

// The same of CUDA loops, instantiated by kernels_globe_{f32,f64}_{sweeps,tile,stretched}_cuda.cu.
// What no variant changes:
template <class R>
GlobeKernels cuda_globe_kernels();
// The rest, with the stage by sweeps, where levels are equally thick.
template <class R>
void use_globe_sweeps(GlobeKernels& kernels, GlobeVariant variant);
// Puts the tile's stage in place of the sweeps; with the transverse term, which sweeps have not,
// also the coupling of panels.
template <class R>
void use_globe_tile(GlobeKernels& kernels, GlobeVariant variant, Choices choices);
// On stretched levels, which sweeps have not either, all that a variant changes.
template <class R>
void use_stretched_globe(GlobeKernels& kernels, GlobeVariant variant, Choices choices);

GlobeKernels cpu_globe_kernels(Precision precision, GlobeVariant variant, Choices choices);
// Error{unsupported} in a build without CUDA. Stretched levels go by tiles whatever the schedule.
GlobeKernels cuda_globe_kernels(Precision precision, GlobeVariant variant, Schedule schedule,
                                Choices choices);

}  // namespace watersmeet::atmosphere
