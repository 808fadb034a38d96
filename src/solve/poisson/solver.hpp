#pragma once
// Solvers of the Poisson problem behind one interface. Direct ones (fft, gemm) diagonalise L along
// x and y and solve a tridiagonal system along z for every mode; iterative ones (mg, mgcg) start
// from the given guess and end by a rule. All of them work on the device, on the parts of
// all ranks, and queue their work: the host waits only in record().

#include <memory>
#include <string>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "comm/traffic.hpp"
#include "exec/clock.hpp"
#include "memory/state.hpp"
#include "mesh/decompose.hpp"
#include "solve/poisson/problem.hpp"

namespace watersmeet::solve {

enum class PoissonMethod : int { automatic, fft, gemm, mg, mgcg };

// When an iteration ends: max |rhs - L phi| <= limit. The norm is over all ranks.
struct PoissonStop {
  double limit = 0;
  int most_cycles = 60;
};

enum class PoissonEnd : int {
  direct,     // no iteration
  converged,  // the limit was reached
  floor,      // round-off: two cycles in turn gained less than a factor 0.7, near eps |L| |phi|
  stalled,    // the same far above round-off
  most_cycles
};

// What the last solve did.
struct PoissonRecord {
  int cycles = 0;
  double first_residual = 0, residual = 0;  // max norms, of the guess and at the end (iterative)
  PoissonEnd end = PoissonEnd::direct;
};

// A velocity on a staggered grid, component a on the low faces along axis a, whose divergence is a
// right-hand side: arrays from cell (0, 0, 0) on, of the precision of the solve. Its upper faces
// are valid. The divergence is ((u_{i+1} - u_i) inverse_x + ...), along z with a table over the
// cells.
struct FaceField {
  const void* component[3] = {};
  std::int64_t stride_j = 0, stride_k = 0;
  double inverse_x = 0, inverse_y = 0;
  const void* inverse_width_z = nullptr;
};

// One variable, one block a rank, shaped like the domain's parts with one ghost layer along every
// axis that is not degenerate. `solution` holds the guess and then phi, of which cells are written
// and no ghosts are valid; `rhs` is read only (a solver may not change it) and its mean, where the
// problem is singular, is taken off inside. phi has zero mean then.
struct PoissonFields {
  memory::State* state = nullptr;
  int solution = 0, rhs = 1;
  // A step that does not happen: null, or the clock whose `active` must be set for phi to change.
  const exec::Clock* clock = nullptr;
  // Instead of `rhs`, for solvers that take it: the divergence is made on the way in.
  const FaceField* faces = nullptr;
  // What `solution` holds is no guess: iterative solvers begin with 0, which they need not read.
  bool from_zero = false;
};

class PoissonSolver {
 public:
  virtual ~PoissonSolver() = default;
  virtual PoissonMethod method() const = 0;
  // "Fourier in x and y, tridiagonal in z", "V(1,2) on 7 levels, red-black, bottom 6 x 6 x 3".
  virtual std::string describe() const = 0;
  bool iterative() const { return method() >= PoissonMethod::mg; }
  virtual bool takes_faces() const { return false; }
  virtual void solve(const PoissonFields& fields, const PoissonStop& stop) = 0;
  // Waits for the queue.
  virtual PoissonRecord record() const = 0;
};

struct PoissonPlace {
  const comm::Domain* domain = nullptr;  // of cells alone; its mesh has what is periodic
  comm::Team* team = nullptr;
  Queue queue;
  Precision precision = Precision::double_;
};

// What `automatic` becomes, and why another method cannot be used: a sentence, or empty.
PoissonMethod choose_method(const PoissonProblem& problem, PoissonMethod wanted);
std::string refusal(const PoissonProblem& problem, PoissonMethod method);
// Between which cells a grid should be cut. Direct solvers do not mind.
std::vector<mesh::CutUnit> poisson_cut_units(const PoissonProblem& problem, PoissonMethod method);
// Bytes that a solver allocates on a rank whose part has these cells.
std::size_t poisson_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                          Precision precision, Backend backend);
// What ranks with these parts send each other in a solve. An iterative solver ends by the solution, which is not known here: the cycles are
// those of multigrid/multigrid.cpp.
comm::Traffic poisson_traffic(const PoissonProblem& problem, PoissonMethod method,
                              Precision precision, const comm::Domain& domain, Backend backend);
// Error{user_input} with refusal() or fault(); Error{resource}.
std::unique_ptr<PoissonSolver> make_poisson_solver(const PoissonProblem& problem,
                                                   PoissonMethod method, const PoissonPlace& place);

// max |rhs - L phi| over all ranks, for judgement and tests; fills the ghosts of `solution`. Waits.
double poisson_residual(const PoissonProblem& problem, const PoissonFields& fields,
                        const PoissonPlace& place);

}  // namespace watersmeet::solve
