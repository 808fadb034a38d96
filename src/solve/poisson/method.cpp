// Which method a problem gets, and why another one cannot be used.
#include <fmt/format.h>

#include "core/enum_name.hpp"
#include "core/error.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/poisson/dense_modes.hpp"
#include "solve/poisson/direct.hpp"

namespace watersmeet::solve {

namespace {
const char* word_of(PoissonMethod method) {
  return enum_name<PoissonMethod::mgcg>({"auto", "fft", "gemm", "mg", "mgcg"}, method);
}
bool stretched_across(const PoissonProblem& problem, int axis) {
  return problem.stretched(axis) && problem.cells[static_cast<std::size_t>(axis)] > 1;
}
}  // namespace

PoissonMethod choose_method(const PoissonProblem& problem, PoissonMethod wanted) {
  if (wanted != PoissonMethod::automatic) return wanted;
  const bool fft = refusal(problem, PoissonMethod::fft).empty();
  if (fft && fast_along_both(problem)) return PoissonMethod::fft;
  if (refusal(problem, PoissonMethod::gemm).empty()) return PoissonMethod::gemm;
  return fft ? PoissonMethod::fft : PoissonMethod::mg;
}

std::string refusal(const PoissonProblem& problem, PoissonMethod method) {
  if (method == PoissonMethod::mg || method == PoissonMethod::mgcg) {
    return multigrid_refusal(problem, method);
  }
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t n = problem.cells[static_cast<std::size_t>(axis)];
    if (method == PoissonMethod::fft && stretched_across(problem, axis)) {
      return fmt::format(
          "fft needs equal cells along x and y, and those along {} are stretched; gemm and mg do "
          "not",
          "xyz"[axis]);
    }
    if (dense_along(problem, method, axis) && n > most_dense_cells) {
      return fmt::format(
          "gemm would need a dense matrix along {}, which has {} cells and may have {}; {}",
          "xyz"[axis], n, most_dense_cells,
          problem.stretched(axis) ? "mg needs none" : "fft and mg need none");
    }
  }
  return {};
}

std::vector<mesh::CutUnit> poisson_cut_units(const PoissonProblem& problem, PoissonMethod method) {
  const PoissonMethod chosen = choose_method(problem, method);
  if (chosen == PoissonMethod::mg || chosen == PoissonMethod::mgcg) {
    return multigrid_cut_units(problem);
  }
  return {mesh::CutUnit{}};
}

std::size_t poisson_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                          Precision precision, Backend backend) {
  const PoissonMethod chosen = choose_method(problem, method);
  if (chosen == PoissonMethod::mg || chosen == PoissonMethod::mgcg) {
    return multigrid_bytes(problem, chosen, part, precision, backend);
  }
  return direct_bytes(problem, chosen, part, precision, backend);
}

comm::Traffic poisson_traffic(const PoissonProblem& problem, PoissonMethod method,
                              Precision precision, const comm::Domain& domain, Backend backend) {
  const PoissonMethod chosen = choose_method(problem, method);
  if (chosen == PoissonMethod::mg || chosen == PoissonMethod::mgcg) {
    return multigrid_traffic(problem, chosen, precision, domain, backend);
  }
  return direct_traffic(problem, precision, domain);
}

std::unique_ptr<PoissonSolver> make_poisson_solver(const PoissonProblem& problem,
                                                   PoissonMethod method,
                                                   const PoissonPlace& place) {
  if (const std::string text = problem.fault(); !text.empty()) {
    throw Error(ErrorKind::user_input, text);
  }
  const PoissonMethod chosen = choose_method(problem, method);
  if (const std::string text = refusal(problem, chosen); !text.empty()) {
    throw Error(ErrorKind::user_input, text);
  }
  require(place.domain != nullptr && place.team != nullptr, "a solver needs a place");
  const comm::Domain& domain = *place.domain;
  require(domain.blocks() == 1, "a solver works on one part a rank");
  if (chosen == PoissonMethod::mg || chosen == PoissonMethod::mgcg) {
    return make_multigrid(problem, chosen, place, multigrid_options(problem, chosen));
  }
  for (const mesh::Part& part : domain.parts) {
    for (const std::size_t a : {0u, 1u}) {
      const std::int64_t n = problem.cells[a];
      if (part.box.lower[a] == 0 && part.box.upper[a] == n) continue;
      throw Error(ErrorKind::user_input,
                  fmt::format("{0} solves whole planes, so that the ranks must lie one above the "
                              "other, and the grid is cut along {1}; set device.ranks_along = [1, "
                              "1, {2}]",
                              word_of(chosen), "xyz"[a], domain.parts.size()));
    }
  }
  return make_direct_solver(problem, chosen, place);
}

}  // namespace watersmeet::solve
