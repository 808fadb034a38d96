#pragma once
// The launches of the atmosphere in a box and on a cubed sphere, and what they are made of: the
// parameters of a case in double. Which are compiled: built.hpp.

#include <memory>

#include "comm/panel_strips.hpp"
#include "exec/loops.hpp"
#include "systems/atmosphere/diagnostics.hpp"
#include "systems/atmosphere/diffusion.hpp"
#include "systems/atmosphere/exterior.hpp"
#include "systems/atmosphere/flow.hpp"
#include "systems/atmosphere/sphere/edges.hpp"
#include "systems/atmosphere/sphere/sponge.hpp"

namespace watersmeet::atmosphere {

using BoxParameters = FlowParameters<double, BoxMesh<double>>;
using SphereParameters = FlowParameters<double, PanelMesh<double>>;

struct BoxCase {
  BoxParameters flow;
  double gas_constant = 0;
  TableAddress<double> x;  // of the middles of columns along x
};

struct SphereCase {
  SphereParameters flow;          // of the columns here
  SphereParameters whole_panels;  // the same, counted from the first cell of panel 0
  // Edges between panels (sphere/edges.hpp).
  PanelLinks links;
  TableAddress<double> line;
  void* rims = nullptr;         // those of `flow`, where they are written
  comm::StripCall strips;       // filled by pack and unpack, or by copy_lines
  TableAddress<double> sponge;  // rates by level, of levels from `sponge_level` on
  int sponge_level = 0;
  double gas_constant = 0;
  PanelFrames<double> frame{};
};

// Arguments of column.hpp: registers' starts, congruent with the layout of the stages.
struct SplitCall {
  double gamma = 0, delta = 0;
  bool second = false;
  const void* q = nullptr;
  void *y = nullptr, *first_sum = nullptr;
  const void* second_sum = nullptr;
  void* elimination = nullptr;
};

class AirLoops : public exec::StagedLoops {
 public:
  // The implicit part of a stage, of split variants.
  virtual void solve_columns(const exec::Launch& launch, const SplitCall& split) = 0;
};

class BoxLoops : public AirLoops {
 public:
  // Ghosts of `out` behind the sides that have conditions.
  virtual void fill_boundaries(const exec::Launch& launch, const BoundaryCall& boundaries) = 0;
  // Viscosity over terrain, after `stage` with the same launch, which is not marked as the last then: this finishes the step.
  // `values`: start of a register of diffusing_values variables, congruent with those of the stages (diffusion.hpp).
  virtual void diffuse(const exec::Launch& launch, void* values) = 0;
};

// A register has the levels of the panels here one after the other.
class SphereLoops : public AirLoops {
 public:
  // Ghosts of `in` and the records of all rims.
  virtual void couple(const exec::Launch& launch) = 0;
  // Cells of `in` into the strips before couple() where one rank has them all; on the CPU couple() reads the cells as fast.
  virtual void copy_lines(const exec::Launch& launch) = 0;
  // Cells of `in` into the strips and a message, a message into the strips: before couple() where there are several ranks.
  virtual void pack(const exec::Launch& launch, void* message) = 0;
  virtual void unpack(const exec::Launch& launch, const void* message) = 0;
  // The sponge, on `in`.
  virtual void damp(const exec::Launch& launch) = 0;
};

// `tile`: on CUDA by one launch of marching tiles, which alone has the transverse term, else by a
// launch an axis. The case must outlive the loops.
std::unique_ptr<BoxLoops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                     bool tile, const BoxCase& of);
std::unique_ptr<SphereLoops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                        bool tile, const SphereCase& of);

// The loops of one back end and number type: all but the stage; the stage on the CPU, and by sweeps; the stage
// by tiles, on a sphere with equally thick levels, and with stretched ones. Headers of these names define them for the
// files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<BoxLoops> make(const Traits& traits, const BoxCase& of);
  static std::unique_ptr<SphereLoops> make(const Traits& traits, const SphereCase& of);
};
template <class BackEnd, class R>
struct StageVariants {
  static exec::StageLaunch make(const Traits& traits, const BoxCase& of);
  static exec::StageLaunch make(const Traits& traits, const SphereCase& of);
};
template <class BackEnd, class R>
struct TileVariants {
  static exec::StageLaunch make(const Traits& traits, const BoxCase& of);
  static exec::StageLaunch make(const Traits& traits, const SphereCase& of);
};
template <class BackEnd, class R>
struct StretchedSphereVariants {
  static exec::StageLaunch make(const Traits& traits, const SphereCase& of);
};

}  // namespace watersmeet::atmosphere
