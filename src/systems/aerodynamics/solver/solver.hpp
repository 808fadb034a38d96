#pragma once
// The flow on the blocks of a rank: state, operators, surfaces, time stepping and multigrid, on the
// CPU or a GPU. Knows nothing of keys and files; the system (system.hpp) makes its parts from a
// case.
//
// The nodes of all blocks of a rank form one pool, block after block, i fastest within a block, the
// blocks in the order of the mesh; the whole pool is that of all ranks in their order. So the pool
// is a grid of one axis to everything that copies, gathers and writes:
//
//        | block 0 ............ | block 1 ...... | block 2 .................. |
//        W[variable][node]        rank 0 <-- whole blocks --> rank 1

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/team.hpp"
#include "exec/clock.hpp"
#include "exec/kernel_report.hpp"
#include "memory/state.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "systems/aerodynamics/penalty.hpp"
#include "systems/aerodynamics/quantities.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::aerodynamics {

enum class Dissipation : int { scalar, matrix };
enum class Cycle : int { v = 1, w = 2 };

// The numerical method of a case, every choice made.
struct Method {
  Precision precision = Precision::double_;
  std::string schedule = "auto";  // of right-hand sides on a GPU: auto | direct | cubes | march
  Gas<double> gas;
  StreamScale<double> scale{};   // of quantities
  int order = 3;                 // 1 to 6, of every direction that has nodes enough for it
  bool compatible_sbp6 = false;  // the member of 6(3) that goes with a narrow second derivative
  Dissipation dissipation = Dissipation::scalar;
  double dissipation_scale = 1;
  bool dissipate_enthalpy = false;  // scalar dissipation of E + p in the energy equation, not of E
  bool entropy_conservative = false;  // two-point fluxes inside the blocks
  double shock_k2 = 0;                // strength of first differences at shocks; 0: none
  bool density_sensor = false;        // the sensor looks at the density, too
  double transfer_damping = 0;        // of what multigrid moves where the sensor is on; 0: none
  Coupling<double> coupling;          // on the finest grid
  // Time: steady with local steps, or one time for all nodes (classical Runge-Kutta of order 4).
  bool steady = true;
  bool blended = true;  // dissipation of the five stages blended
  double cfl = 1.5;
  int ramp = 10;        // steps over which the CFL number grows from a quarter
  exec::StepRule rule;  // unsteady
  // Multigrid and start of a steady run.
  int levels = 0;  // 1: one grid; 0: as many as are useful
  Cycle cycle = Cycle::w;
  int pre = 1, post = 2;  // steps before and after the coarser grid
  int first_order_cycles = 20;
  bool grid_sequencing = true;
  // Coarse grids of at most so many nodes are done by one kernel, on one rank; -1: as many as pay.
  int program_nodes = -1;
  double residual_drop = 1e-8;  // converged when the density residual fell so far; 0: never
  int force_window = 100;       // or when no force changed by 1e-6 over so many cycles; 0
};

// Evaluations of a right-hand side in a step, or a cycle once the start is over, by the grid: the finest one and so many coarser ones.
std::vector<double> evaluations(const Method& method, std::size_t coarse);

// What holds on the patches of one name. `outside` where the state beyond varies; else `stream`.
struct Condition {
  std::string patch;
  SurfaceKind kind = SurfaceKind::slip_wall;
  Primitive<double> stream{};
  Given<double> given{};
  std::optional<VortexFarField<double>> vortex;  // strength follows the lift when `lift_chord` > 0
  double lift_chord = 0;
  std::function<Primitive<double>(const Real3& x, double t)> outside;
  bool varies_in_time = false;
  // Values are expressions of the flow at each node (Solver::set_side_values()); those above stand for what no expression gives.
  bool reads_state = false;
};

// What is watched while a run converges, the same on all ranks.
struct Monitor {
  std::array<double, 5> residual{};  // L2 of R/V over the nodes, per equation
  double residual_ratio = 1;         // of the density, to the first of the order of the case
  double largest_residual = 0;       // |R/V| of the density
  std::int64_t largest_at = 0;       // node of the whole pool
  std::int64_t supersonic = 0;       // nodes
  std::int64_t limited = 0;          // corrections and states that were limited so far
  double enthalpy_error = 0;         // largest |H/H_inf - 1|
  double mass = 0, entropy = 0, energy = 0;  // integrals over the volume (H-norm)
  std::array<double, 5> boundary_flux{};     // sum over all boundaries, outward
};
// Pressure force on the patches of a name (p* - p_inf) N, and moment about a point.
struct PatchForce {
  std::string patch;
  Real3 force{}, moment{};
};
struct SurfaceNode {
  int block = 0;
  Index3 node{};
  Real3 x{}, area{};    // outward from the fluid, of the node's piece: H_tangential N
  double pressure = 0;  // p* on walls
  double density = 0;
  Real3 velocity{};
};

class Solver {
 public:
  // `mesh`: of all ranks, complete faces only (mesh/curvilinear/split.hpp), right-handed; it and
  // `team` outlive the solver. `ranks[b]`: the rank of block b, ascending. Conditions: one for each
  // name of a patch. Throws Error{user_input} naming block and node where metrics fail,
  // Error{resource} where memory is short.
  static std::unique_ptr<Solver> make(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks,
                                      const Method& method, std::vector<Condition> conditions,
                                      const Primitive<double>& reference, const Queue& queue,
                                      comm::Team* team);
  virtual ~Solver() = default;

  // Bytes that `nodes` nodes will take on the device.
  static std::size_t bytes_needed(std::int64_t nodes, const Method& method);

  // Sources of the case: they give -V S in terms of the places x, y, z and node.volume, and outlive the solver.
  virtual void set_sources(systems::UserSources& sources) = 0;

  // Values of the condition number `condition`, which reads the state: of an outer state the stored variables, else GivenNumber. In terms of
  // the places x, y and z; they outlive the solver.
  virtual void set_side_values(int condition, systems::UserSources& values) = 0;

  virtual std::int64_t nodes() const = 0;  // of this rank
  virtual memory::State& state() = 0;      // one block of nodes() x 1 x 1 cells, five variables
  virtual int current_register() const = 0;
  virtual exec::Clock* clock() = 0;
  virtual void set_clock(const exec::Clock& clock) = 0;

  // After the state was set from outside. Collective.
  virtual void state_changed() = 0;
  // A step: one cycle of a steady run, one time step of an unsteady one (systems/system.hpp). The
  // clock of a steady run counts cycles: t is their number. A converged run has the status
  // `converged`, and its next step does not happen.
  virtual void begin_step(double t_limit, bool allowed) = 0;
  virtual void run_stages() = 0;
  virtual void undo_stages() = 0;

  // Residual R of V dW/dt = -R of the current state into a host array [variable][node].
  virtual std::vector<double> residual() = 0;
  virtual Monitor monitor() = 0;
  virtual std::vector<PatchForce> forces(const Real3& moment_about) = 0;
  // This rank's nodes on the patches of a name, in the order of the mesh.
  virtual std::vector<SurfaceNode> surface(const std::string& patch) = 0;
  // Volumes V H_xi H_eta H_zeta of this rank's nodes, on the host: for integrals and error norms.
  virtual std::vector<double> node_volumes() const = 0;
  // Numbers that a resumed run needs to have the same bits.
  virtual std::map<std::string, double> checkpoint_scalars() const = 0;
  virtual void restore_scalars(const std::map<std::string, double>& numbers) = 0;

  // The state of Level::shock_memory(), null where there is no sensor; part of what a resumed run needs.
  virtual memory::State* shock_memory() = 0;
  // A quantity of some of this rank's nodes, [node][component] on the device, in the precision of the state.
  virtual void evaluate(Quantity quantity, int components, const Box& nodes, void* packed) = 0;
  // What the run had to do to converge, ", first differences held since cycle 300"; collective.
  virtual std::string measures_taken() = 0;

  virtual int levels() const = 0;
  virtual int stages() const = 0;  // residuals on the finest grid in a step
  virtual double bytes_per_node_step() const = 0;
  virtual exec::KernelReport kernel() const = 0;
  virtual std::vector<exec::KernelTime> time_kernels(int repeats) = 0;
};

}  // namespace watersmeet::aerodynamics
