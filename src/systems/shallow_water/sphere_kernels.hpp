#pragma once
// Table of the compiled loops of shallow water on a cubed sphere, as kernels.hpp has that of a
// plane; both share what a stage is called with. A register is n x n x panels cells with ghosts
// around each panel.

#include "comm/panel_strips.hpp"
#include "systems/shallow_water/kernels.hpp"
#include "systems/shallow_water/panel_edges.hpp"
#include "systems/shallow_water/sphere_diagnostics.hpp"

namespace watersmeet::shallow_water {

// Geometry and coupling of the panels, arrays in the precision of the loops (geometry.hpp,
// panel_edges.hpp).
struct SphereCall {
  // Element 0 of the panel's cell 0.
  const void *tan_centre = nullptr, *cos2_centre = nullptr, *tan_face = nullptr,
             *cos2_face = nullptr;
  void* rims = nullptr;
  std::int64_t rim_pitch = 0;
  double radius = 1;
  mesh::PanelPart part;  // cells here
  double rotation[6][3] = {};
  bool advection = false;
  double wind[6][3] = {};
  BeyondSide beyond[24];
  std::int8_t owner[12] = {};
  int edges = 0;
  const void* line = nullptr;
  comm::StripCall strips;  // filled by pack and unpack
};

struct SphereKernels {
  void (*stage)(const StageCall&, const SphereCall&) = nullptr;
  // Ghosts of call.in and the records of all rims; or the ghosts of the bed alone.
  void (*couple)(const StageCall&, const SphereCall&, bool bed_alone) = nullptr;
  // The cells here that lie in strips, into the strips and a message; a message into the strips.
  void (*pack)(const StageCall&, const SphereCall&, void* message) = nullptr;
  void (*unpack)(const StageCall&, const SphereCall&, const void* message) = nullptr;
  void (*measure)(const StageCall&, const SphereCall&, const SphereProbeParameters&,
                  double* largest) = nullptr;
  void (*count)(const StageCall&, const SphereCall&, const SphereProbeParameters&,
                const exec::SumScale* scales, std::int64_t* high_low) = nullptr;
  double (*signal)(const StageCall&, const SphereCall&) = nullptr;
  void (*evaluate)(const StageCall&, const SphereCall&, const SphereProbeParameters&,
                   SphereQuantity, int components, void* packed) = nullptr;
  exec::KernelReport (*describe)() = nullptr;  // of `stage`
};

SphereKernels cpu_sphere_kernels_f32(Variant variant);
SphereKernels cpu_sphere_kernels_f64(Variant variant);
SphereKernels cuda_sphere_kernels_f32(Variant variant);
SphereKernels cuda_sphere_kernels_f64(Variant variant);

SphereKernels cpu_sphere_kernels(Precision precision, Variant variant);
// Error{unsupported} in a build without CUDA.
SphereKernels cuda_sphere_kernels(Precision precision, Variant variant);

}  // namespace watersmeet::shallow_water
