#pragma once
// The launches of the atmosphere in a box, and what they are made of: the parameters of a case in double, and the variant that is chosen at
// set-up (flow_parameters.hpp). Those on a cubed sphere: globe_loops.hpp.

#include <memory>

#include "exec/loops.hpp"
#include "systems/atmosphere/diagnostics.hpp"
#include "systems/atmosphere/diffusion.hpp"
#include "systems/atmosphere/exterior.hpp"
#include "systems/atmosphere/flow.hpp"

namespace watersmeet::atmosphere {

struct Case {
  FlowParameters<double> flow;
  double gas_constant = 0;
  TableAddress<double> x;  // of the middles of columns along x
};

// Of column.hpp: registers' starts, congruent with the layout of the stages.
struct SplitCall {
  double gamma = 0, delta = 0;
  bool second = false;
  const void* q = nullptr;
  void *y = nullptr, *first_sum = nullptr;
  const void* second_sum = nullptr;
  void* elimination = nullptr;
};

// How CUDA loops go over the cells: a launch an axis, or one launch of marching tiles, which serves
// three axes without viscosity and alone has the transverse term.
enum class Schedule { sweeps, tile };

struct Choice {
  Variant variant = Variant::flat;
  Choices choices = Choices::all;
  Schedule schedule = Schedule::sweeps;  // on CUDA
};

class BoxLoops : public exec::StagedLoops {
 public:
  // Ghosts of `out` behind the sides that have conditions.
  virtual void fill_boundaries(const exec::Launch& launch, const BoundaryCall& boundaries) = 0;
  // The implicit part of a stage, of split variants.
  virtual void solve_columns(const exec::Launch& launch, const SplitCall& split) = 0;
  // Viscosity over terrain, after `stage` with the same launch, which is not told then that it is the last: this finishes the step.
  // `values`: start of a register of diffusing_values variables, congruent with those of the stages (diffusion.hpp).
  virtual void diffuse(const exec::Launch& launch, void* values) = 0;
};

std::unique_ptr<BoxLoops> make_loops(Backend backend, Precision precision, const Choice& choice,
                                     const Case& of);

// Of one back end and number type: all but the stage; the stage on the CPU, and by sweeps; the stage by tiles. Headers of these names
// define them for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<BoxLoops> make(Variant variant, const Case& of);
};
template <class BackEnd, class R>
struct StageVariants {
  static exec::StageLaunch make(Variant variant, Choices choices, const Case& of);
};
template <class BackEnd, class R>
struct TileVariants {
  static exec::StageLaunch make(Variant variant, Choices choices, const Case& of);
};

}  // namespace watersmeet::atmosphere
