#pragma once
// The launches of shallow water, and what they are made of: the parameters of a case in double, and
// the traits that are chosen at set-up. `extra` of every launch is the bed, or null where it is flat
// at 0.

#include <memory>

#include "comm/panel_strips.hpp"
#include "exec/loops.hpp"
#include "systems/shallow_water/boundaries.hpp"
#include "systems/shallow_water/diagnostics.hpp"
#include "systems/shallow_water/flow.hpp"
#include "systems/shallow_water/outflow.hpp"
#include "systems/shallow_water/sphere/panel_edges.hpp"

namespace watersmeet::shallow_water {

// Tables of meshes are on the device, in the run's precision.
struct Case {
  FlowParameters<double> flow;
  PlaneMesh<double> plane;
  // The mesh of a sphere. `panel` counts cells from the first one here, `whole_panel` from the panel's.
  PanelMesh<double> panel, whole_panel;
  SphereFrame<double> frame;
  PanelLinks links;
  TableAddress<double> line;
  comm::StripCall strips;  // filled by pack and unpack
};

// A register is n x n x panels cells of a sphere, with ghosts around each panel. A plane has no
// panels to couple, a sphere has no sides: neither does anything then.
class Loops : public exec::StagedLoops {
 public:
  // Ghosts of `out` behind the sides that have conditions, and of the bed.
  virtual void fill_boundaries(const exec::Launch& launch, const PlaneSides<double>& sides) = 0;
  // Ghosts of a bed, `out`, as if it were level there, until fill_boundaries continues it.
  virtual void fill_bed(const exec::Launch& launch, const PlaneSides<double>& sides) = 0;
  // Adds what the stage that reads `in` lets out through sides that have conditions.
  virtual void count_outflow(const exec::Launch& launch, const PlaneSides<double>& sides,
                             const OutflowLedger& ledger) = 0;

  // Ghosts of `out` behind the edges of panels and the records of all rims; or the ghosts of the bed
  // alone.
  virtual void couple(const exec::Launch& launch, bool bed_alone) = 0;
  // The cells of `out` that lie in strips, into the strips and a message; a message into the strips.
  virtual void pack(const exec::Launch& launch, void* message) = 0;
  virtual void unpack(const exec::Launch& launch, const void* message) = 0;
};

// The traits are some of `built`; the case must outlive the loops.
std::unique_ptr<Loops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                  const Case& of);

// The loops of one back end and number type; variants.hpp defines it for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<Loops> make(const Traits& traits, const Case& of);
};

}  // namespace watersmeet::shallow_water
