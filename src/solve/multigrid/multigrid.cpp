// Which solver serves a problem, and what it needs.
#include "solve/multigrid/multigrid.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "solve/multigrid/conjugate.hpp"
#include "solve/multigrid/device_solver.hpp"
#include "solve/multigrid/host_control.hpp"
#include "solve/multigrid/host_solver.hpp"
#include "solve/multigrid/slab_level.hpp"

namespace watersmeet::solve {

namespace {

// Cycles of a solve in a step. In developed turbulence on 384 x 384 x 192 cells 6 to 8 were counted (systems/boussinesq/README.md).
constexpr int usual_cycles = 6;

// Along an axis of the coarsest level: matrices of 32 MB in double precision.
constexpr std::int64_t most_bottom_cells = 2048;

template <template <class, class> class Solver>
std::unique_ptr<PoissonSolver> make(Hierarchy hierarchy, const PoissonPlace& place,
                                    const MultigridOptions& options) {
  if (place.precision == Precision::single_) {
    return std::make_unique<Solver<float, float>>(std::move(hierarchy), place, options);
  }
  if (options.cycles == Precision::single_) {
    return std::make_unique<Solver<double, float>>(std::move(hierarchy), place, options);
  }
  return std::make_unique<Solver<double, double>>(std::move(hierarchy), place, options);
}

bool on_device(PoissonMethod method, const MultigridOptions& options, Backend backend) {
  return backend == Backend::cuda && method == PoissonMethod::mg && options.fused &&
         device_solver_built();
}

}  // namespace

std::string multigrid_refusal(const PoissonProblem& problem, PoissonMethod method) {
  // Nothing but odd factors keeps an axis long: less than a level is made for this answer.
  for (std::size_t a = 0; a < 3; ++a) {
    std::int64_t least = problem.cells[a];
    while (least % 2 == 0) least /= 2;
    if (least <= most_bottom_cells) continue;
    return fmt::format(
        "{} halves the number of cells along an axis while it is even: {} along {} end at {}, and "
        "the coarsest level may have {}; choose a size with more factors of 2",
        method == PoissonMethod::mg ? "mg" : "mgcg", problem.cells[a], "xyz"[a], least,
        most_bottom_cells);
  }
  return {};
}

std::unique_ptr<PoissonSolver> make_multigrid(const PoissonProblem& problem, PoissonMethod method,
                                              const PoissonPlace& place,
                                              const MultigridOptions& options) {
  const std::string fault = problem.fault();
  if (!fault.empty()) throw Error(ErrorKind::user_input, fault);
  const std::string refused = multigrid_refusal(problem, method);
  if (!refused.empty()) throw Error(ErrorKind::user_input, refused);
  require(method == PoissonMethod::mg || method == PoissonMethod::mgcg, "multigrid is mg or mgcg");
  HierarchyOptions levels;
  levels.omega = options.omega;
  levels.sweeps = options.sweeps;
  levels.lines = options.lines;
  Hierarchy hierarchy = make_hierarchy(problem, levels);
  if (on_device(method, options, place.queue.backend)) {
    if (auto solver = make_device_solver(hierarchy, place, options)) return solver;
  }
  return method == PoissonMethod::mg
             ? make<HostMultigrid>(std::move(hierarchy), place, options)
             : make<ConjugateGradients>(std::move(hierarchy), place, options);
}

MultigridOptions multigrid_options(const PoissonProblem& problem, PoissonMethod method) {
  MultigridOptions options;
  if (method != PoissonMethod::mg) return options;
  const Hierarchy hierarchy = make_hierarchy(problem);
  for (int l = 0; l < hierarchy.coarsest(); ++l) {
    const Level& level = hierarchy.levels[static_cast<std::size_t>(l)];
    if (level.smoother != Smoother::red_black) return options;
  }
  // Three sweeps gain 1.5 digits, four 1.65 (tests/exact/multigrid/contraction_test.cpp), and on a
  // GPU passes of one sweep have narrower halos than those of two.
  options.sweeps = {1, 2};
  options.most_inner = 3;
  return options;
}

std::vector<mesh::CutUnit> multigrid_cut_units(const PoissonProblem& problem) {
  std::vector<mesh::CutUnit> units;
  Index3 cells{1, 1, 1};
  for (const Level& level : make_hierarchy(problem).levels) {
    units.push_back({cells, static_cast<double>(level.cells())});
    if (level.cells() <= largest_gathered_level) break;
    for (std::size_t a = 0; a < 3; ++a) cells[a] *= level.transfer[a].coarsened ? 2 : 1;
  }
  return units;
}

// A solve of several ranks: residuals, each with its ghosts and two maxima, and the cycles between them.
comm::Traffic multigrid_traffic(const PoissonProblem& problem, PoissonMethod method,
                                Precision precision, const comm::Domain& domain, Backend backend) {
  const MultigridOptions options = multigrid_options(problem, method);
  HierarchyOptions of_levels;
  of_levels.sweeps = options.sweeps;
  const Hierarchy hierarchy = make_hierarchy(problem, of_levels);
  const std::vector<LevelCut> cuts = cut_levels(hierarchy, boxes_of(domain));
  const bool single = precision == Precision::single_ || options.cycles == Precision::single_;
  const std::size_t value_bytes = single ? sizeof(float) : sizeof(double);
  const std::vector<LevelCut> slabs =
      backend == Backend::cuda && method == PoissonMethod::mg && cuts.front().parts.size() > 1
          ? slab_cuts(hierarchy.levels, cuts, options.sweeps, value_bytes)
          : std::vector<LevelCut>{};
  comm::Traffic traffic =
      !slabs.empty() ? slab_traffic(hierarchy.levels, slabs, options.sweeps, value_bytes)
      : single       ? LevelCycle<float>::traffic(hierarchy.levels, cuts, options.sweeps)
                     : LevelCycle<double>::traffic(hierarchy.levels, cuts, options.sweeps);
  for (auto& of_cycle : traffic.exchanges) of_cycle.times *= usual_cycles;
  const int most_inner = method == PoissonMethod::mg ? options.most_inner : 1;
  const double residuals = 1 + (usual_cycles + most_inner - 1) / most_inner;
  // Between the GPUs of a host the device counts the cycles of slabs, and computes the ghosts of phi (residual_march.hpp).
  if (!slabs.empty()) traffic.reductions = residuals + (problem.singular() ? 2 : 1);
  traffic.add(
      slabs.empty() ? residuals : 1,
      comm::size_of_exchange(domain, mesh::plan_ghosts(domain.mesh, 1, mesh::GhostReach::faces),
                             size_of(precision), comm::Overlap::off));
  traffic.waits = 2 * residuals + (problem.singular() ? 4 : 1);
  return traffic;
}

std::size_t multigrid_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                            Precision precision, Backend backend) {
  const MultigridOptions options;
  const Hierarchy hierarchy = make_hierarchy(problem);
  const bool single = precision == Precision::single_ || options.cycles == Precision::single_;
  std::size_t sum = 0;
  if (on_device(method, options, backend) && part == problem.cells) {
    sum = device_solver_bytes(hierarchy, precision, options);
  } else {
    // A rank's share of the levels is like its share of the cells; what is gathered is on all.
    const std::vector<LevelCut> whole{LevelCut{{whole_level(hierarchy.levels.front())}}};
    sum = single ? LevelCycle<float>::bytes(hierarchy.levels, whole, 0)
                 : LevelCycle<double>::bytes(hierarchy.levels, whole, 0);
    const double share = static_cast<double>(part[0] * part[1] * part[2]) /
                         static_cast<double>(hierarchy.levels.front().cells());
    const std::size_t gathered =
        part == problem.cells ? 0 : std::size_t{20} * largest_gathered_level;
    double here = static_cast<double>(sum) * share;
    if (backend == Backend::cuda && method == PoissonMethod::mg && part != problem.cells) {
      // Halos of slabs, and a third array besides solution and right-hand side.
      const double planes = static_cast<double>(part[2]);
      const int halo = halo_of(multigrid_options(problem, method).sweeps,
                               single ? sizeof(float) : sizeof(double));
      here *= 1.5 * (planes + 2 * halo) / planes;
      // The other array of the solution.
      here +=
          planes * static_cast<double>(part[0] * part[1]) * static_cast<double>(size_of(precision));
    }
    sum = static_cast<std::size_t>(here) + gathered;
  }
  if (method == PoissonMethod::mgcg) {
    memory::BlockShape shape{part, {1, 1, 1}};
    sum += memory::State::bytes_needed({shape}, 1, 3, precision);
  }
  return sum;
}

}  // namespace watersmeet::solve
