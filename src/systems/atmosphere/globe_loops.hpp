#pragma once
// The launches of the atmosphere on a cubed sphere, and what they are made of, as loops.hpp has those of a box. A register has the levels of
// the panels here one after the other.

#include "comm/panel_strips.hpp"
#include "systems/atmosphere/globe_diagnostics.hpp"
#include "systems/atmosphere/globe_edges.hpp"
#include "systems/atmosphere/globe_sponge.hpp"
#include "systems/atmosphere/loops.hpp"

namespace watersmeet::atmosphere {

struct GlobeCase {
  GlobeParameters<double> flow;          // of the columns here
  GlobeParameters<double> whole_panels;  // the same, counted from the first cell of panel 0
  // Edges between panels (globe_edges.hpp).
  PanelLinks links;
  TableAddress<double> line;
  void* rims = nullptr;         // those of `flow`, where they are written
  comm::StripCall strips;       // filled by pack and unpack, or by copy_lines
  TableAddress<double> sponge;  // rates by level, of levels from `sponge_level` on
  int sponge_level = 0;
  double gas_constant = 0;
  PanelFrames<double> frame{};
};

struct GlobeChoice {
  GlobeVariant variant = GlobeVariant::flat;
  Choices choices = Choices::all;
  Schedule schedule = Schedule::sweeps;  // on CUDA; stretched levels go by tiles whatever it is
};

class GlobeLoops : public exec::StagedLoops {
 public:
  // Ghosts of `in` and the records of all rims.
  virtual void couple(const exec::Launch& launch) = 0;
  // Cells of `in` into the strips before couple() where one rank has them all; on the CPU couple() reads the cells as fast.
  virtual void copy_lines(const exec::Launch& launch) = 0;
  // Cells of `in` into the strips and a message, a message into the strips: before couple() where there are several ranks.
  virtual void pack(const exec::Launch& launch, void* message) = 0;
  virtual void unpack(const exec::Launch& launch, const void* message) = 0;
  // The implicit part of a stage, of split variants.
  virtual void solve_columns(const exec::Launch& launch, const SplitCall& split) = 0;
  // The sponge, on `in`.
  virtual void damp(const exec::Launch& launch) = 0;
};

std::unique_ptr<GlobeLoops> make_globe_loops(Backend backend, Precision precision,
                                             const GlobeChoice& choice, const GlobeCase& of);

// Of one back end and number type: all but the stage; the stage where levels are equally thick on the CPU, and by sweeps; the same by tiles;
// the stage on stretched levels.
template <class BackEnd, class R>
struct GlobeVariants {
  static std::unique_ptr<GlobeLoops> make(GlobeVariant variant, Choices choices,
                                          const GlobeCase& of);
};
template <class BackEnd, class R>
struct GlobeStageVariants {
  static exec::StageLaunch make(GlobeVariant variant, Choices choices, const GlobeCase& of);
};
template <class BackEnd, class R>
struct GlobeTileVariants {
  static exec::StageLaunch make(GlobeVariant variant, Choices choices, const GlobeCase& of);
};
template <class BackEnd, class R>
struct GlobeStretchedVariants {
  static exec::StageLaunch make(GlobeVariant variant, Choices choices, const GlobeCase& of);
};

}  // namespace watersmeet::atmosphere
