#pragma once
// The launches of the Boussinesq system, and what they are made of: the parameters of a case in double, and the variant that is chosen at
// set-up.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "exec/box_ghosts.hpp"
#include "exec/loops.hpp"
#include "systems/boussinesq/diagnostics.hpp"
#include "systems/boussinesq/equations.hpp"

namespace watersmeet::boussinesq {

// Tables of one part on the device, in the run's precision; entry 0 is that of the part's
// first cell (grid_tables.hpp).
struct GridTables {
  // Along each axis; along x and y where cells differ there.
  const void *inverse_width[3] = {}, *inverse_distance[3] = {}, *weight[3] = {};
  const void *first_of_row = nullptr, *last_of_row = nullptr;
  const void* planetary = nullptr;  // beta (y - y_0) of y faces; null without beta
  // Weights of flow to the cell above and to that below (limited.hpp), the tables `toward` and `away` each; of limited scalars alone.
  const void *up[3][2] = {}, *down[3][2] = {};
};

// Rules of the ghosts of one part: factors and constants in double, tables in the run's precision.
struct GhostRules {
  exec::SideKind kind[6] = {};
  double factor[6][most_variables] = {}, constant[6][most_variables] = {};
  const void* table[6][most_variables] = {};
  const void* plane[6] = {};  // velocity across open sides, face (0, 0)
  std::int64_t plane_stride[6] = {};
};

// Open sides of one part (boundary/open_faces.hpp): face (0, 0) of each array, on the device.
struct OpenArrays {
  struct Side {
    int side = 0;
    int n[2] = {1, 1};
    std::int64_t stride = 0;
    void *now = nullptr, *next = nullptr, *rate = nullptr;
    const void* force = nullptr;
    bool sources =
        false;  // rates of the case's sources stand on these faces in `out` of the launch
  };
  Side side[6];
  int count = 0;
  bool wraps[3] = {false, false, false};
};

// What the loops know of one part of the grid.
struct Case {
  int scalars = 1;
  double inverse_x = 0, inverse_y = 0;
  bool wall[3] = {false, false, false};  // whether the part's lowest faces are walls
  Coefficients<double> coefficients;
  const void* fields = nullptr;  // register start of accelerations and sources, or null
  const BlockLayout* fields_layout = nullptr;
  GridTables tables;
  int watched_scalars = 0;  // whose values, if not finite, end the run
  DiagnoseParameters diagnose;
  double inverse_dt = 0;  // of the pressure p = phi / dt, 0 before the first step
  // With limited scalars the signal of the time step counts both faces of a cell (projection.hpp), and adds this.
  bool both_faces = false;
  double signal_of_diffusion = 0;
};

// The guess of an iterative solver (projection.hpp): phi, which holds that of two solves ago,
// becomes an extrapolation from it and from `before`.
struct Guess {
  const void* before = nullptr;  // register's start
  double ratio = 1;
  bool extrapolate = true, first = true;
};

// Upwind advection, and cells that differ along x or y, have the direct schedule alone; so have stages that are split (split_rates.hpp).
struct Choice {
  int variables = 4;
  Advection advection = Advection::centred;
  std::array<Advection, most_scalars> scalar_advection{};
  exec::CellSchedule schedule = exec::CellSchedule::direct;
  bool stretched_xy = false;
  bool from_beginning = false;  // stages of the form `base`, not `history`
  // More scalars than one launch is built for, or what only split stages have.
  bool split() const {
    const auto end = scalar_advection.begin() + (variables - first_scalar);
    return variables > first_scalar + 3 || from_beginning ||
           std::any_of(scalar_advection.begin(), end, [&](Advection a) { return a != advection; });
  }
};

// In every launch `extra` of the registers is phi, in the layout of the pressure; `increment` keeps the rate of the stage or step before.
class FlowLoops : public exec::Loops {
 public:
  // Velocity across open sides: next <- that of `now` and `in` advanced by a stage; next <- next - G phi; the faces around `now`. `last`
  // of a step: its signal counts.
  virtual void advance_open(const exec::Launch& launch, const OpenArrays& open) = 0;
  virtual void correct_open(const exec::Launch& launch, const OpenArrays& open, bool last) = 0;
  virtual void fill_around_open(const exec::Launch& launch, const GhostRules& rules,
                                const OpenArrays& open) = 0;
  // rhs <- D out, a register of the pressure's state
  virtual void divergence(const exec::Launch& launch, void* rhs) = 0;
  // out <- out - G phi
  virtual void project(const exec::Launch& launch, bool last) = 0;
  // Ghosts and wall faces of `out`: all, or what a divergence needs (exec/box_ghosts.hpp).
  virtual void fill_ghosts(const exec::Launch& launch, const GhostRules& rules,
                           bool faces_only) = 0;
  // Several of these launches where nothing has to happen between them, so that a CPU fills the ends of rows on its way: the ghosts that a
  // divergence needs, and divergence(); ghosts of phi, project() and all ghosts.
  virtual void fill_and_diverge(const exec::Launch& launch, const GhostRules& rules, void* rhs) = 0;
  virtual void project_and_fill(const exec::Launch& launch, bool last, const GhostRules& rules,
                                const GhostRules& pressure_rules) = 0;
  virtual void guess(const exec::Launch& launch, const Guess& guess) = 0;
  // The signal of the time step, of `in` and its upper faces, into the clock. Where `both_faces` of the case; elsewhere the projection leaves
  // it behind.
  virtual void signal_of_step(const exec::Launch& launch) = 0;
  // Ghosts of phi.
  virtual void fill_pressure_ghosts(const exec::Launch& launch, const GhostRules& rules) = 0;
};

std::unique_ptr<FlowLoops> make_loops(Backend backend, Precision precision, const Choice& choice,
                                      const Case& of);

// The loops of one back end and number type; variants.hpp, stretched_variants.hpp and split_variants.hpp define
// them for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<FlowLoops> make(const Choice& choice, const Case& of);
};
template <class BackEnd, class R>
struct StretchedVariants {
  static std::unique_ptr<FlowLoops> make(const Choice& choice, const Case& of);
};
template <class BackEnd, class R>
struct SplitVariants {
  static std::unique_ptr<FlowLoops> make(const Choice& choice, const Case& of);
};

}  // namespace watersmeet::boussinesq
