#pragma once
// The launches of shallow water on a plane and on a cubed sphere, and what they are made of: the parameters of a case in double, and the
// variant that is chosen at set-up (flow.hpp). `extra` of every launch is the bed, or null where it is flat at 0.

#include <memory>

#include "comm/panel_strips.hpp"
#include "exec/loops.hpp"
#include "memory/buffer.hpp"
#include "systems/shallow_water/boundaries.hpp"
#include "systems/shallow_water/diagnostics.hpp"
#include "systems/shallow_water/flow.hpp"
#include "systems/shallow_water/outflow.hpp"
#include "systems/shallow_water/panel_edges.hpp"
#include "systems/shallow_water/sphere_diagnostics.hpp"

namespace watersmeet::shallow_water {

// The panels of a sphere in one part. Tables are where the kernels run, in the run's precision; element table_lead of those along a panel
// belongs to its cell 0 (geometry.hpp, panel_edges.hpp).
struct Panels {
  RotatingSphere<double> sphere;
  PanelFrames<double> frame{};
  PanelLinks links;
  memory::Buffer tan_centre, cos2_centre, tan_face, cos2_face;
  memory::Buffer line, rims;
  std::int64_t rim_pitch = 0;
  comm::StripCall strips;  // filled by pack and unpack
};

struct Case {
  FlowParameters<double> flow;
  // Of a sphere.
  const Panels* panels = nullptr;
  KnownFlow<double> known;
};

class PlaneLoops : public exec::Loops {
 public:
  // Ghosts of `out` behind the sides that have conditions, and of the bed.
  virtual void fill_boundaries(const exec::Launch& launch, const PlaneSides<double>& sides) = 0;
  // Ghosts of a bed, `out`, as if it were level there, until fill_boundaries continues it.
  virtual void fill_bed(const exec::Launch& launch, const PlaneSides<double>& sides) = 0;
  // Adds what the stage that reads `in` lets out through sides that have conditions.
  virtual void count_outflow(const exec::Launch& launch, const PlaneSides<double>& sides,
                             const OutflowLedger& ledger) = 0;
};

// A register is n x n x panels cells with ghosts around each panel.
class SphereLoops : public exec::Loops {
 public:
  // Ghosts of `out` and the records of all rims; or the ghosts of the bed alone.
  virtual void couple(const exec::Launch& launch, bool bed_alone) = 0;
  // The cells of `out` that lie in strips, into the strips and a message; a message into the strips.
  virtual void pack(const exec::Launch& launch, void* message) = 0;
  virtual void unpack(const exec::Launch& launch, const void* message) = 0;
};

std::unique_ptr<PlaneLoops> make_plane_loops(Backend backend, Precision precision, Variant variant,
                                             const Case& of);
std::unique_ptr<SphereLoops> make_sphere_loops(Backend backend, Precision precision,
                                               Variant variant, const Case& of);

// Of one back end and number type; variants.hpp and sphere_variants.hpp define them for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<PlaneLoops> make(Variant variant, const Case& of);
};
template <class BackEnd, class R>
struct SphereVariants {
  static std::unique_ptr<SphereLoops> make(Variant variant, const Case& of);
};

}  // namespace watersmeet::shallow_water
