// include/watersmeet/poisson.hpp: a box as a mesh of one part, one team of one process, and the
// solvers of src/solve behind it.
#include "watersmeet/poisson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/nearest.hpp"
#include "core/error.hpp"
#include "core/own_queue.hpp"
#include "memory/state.hpp"
#include "mesh/box.hpp"
#include "solve/poisson/solver.hpp"

namespace watersmeet {

namespace {
using solve::PoissonMethod;

[[noreturn]] void refuse_input(const std::string& text) {
  throw Error(ErrorKind::user_input, text);
}

// The place of a word in a list, or an error with the list.
std::size_t choice(const char* what, const std::string& word,
                   const std::vector<std::string>& allowed) {
  const auto found = std::find(allowed.begin(), allowed.end(), word);
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  refuse_input(
      fmt::format("{} is \"{}\", not one of \"{}\"", what, word, config::join(allowed, "\", \"")));
}

const std::vector<std::string> methods = {"auto", "fft", "gemm", "mg", "mgcg"};

solve::PoissonProblem problem_of(const PoissonBox& box) {
  solve::PoissonProblem problem;
  problem.cells = box.cells;
  problem.faces = box.faces;
  for (std::size_t a = 0; a < 3; ++a) {
    if (box.faces[a].empty() && box.cells[a] >= 1 && !(box.length[a] > 0)) {
      refuse_input(fmt::format("the length along {} must be a positive number, not {}", "xyz"[a],
                               box.length[a]));
    }
    problem.spacing[a] =
        box.length[a] / static_cast<double>(std::max<std::int64_t>(box.cells[a], 1));
  }
  for (std::size_t s = 0; s < 6; ++s) {
    problem.sides[s] = static_cast<solve::PoissonSide>(static_cast<int>(box.sides[s]));
  }
  if (const std::string text = problem.fault(); !text.empty()) refuse_input(text);
  return problem;
}

// The mesh only says what is joined to what; distances are the problem's.
mesh::Mesh mesh_of(const solve::PoissonProblem& problem) {
  std::array<bool, 3> periodic{};
  Real3 upper{};
  for (std::size_t a = 0; a < 3; ++a) {
    periodic[a] = problem.periodic(static_cast<int>(a));
    upper[a] = static_cast<double>(problem.cells[a]);
  }
  return mesh::make_box(problem.cells, {0, 0, 0}, upper, periodic);
}

Queue queue_of(const PoissonOptions& options) {
  choice("device", options.device, {"auto", "cpu", "gpu"});
  if (options.threads < 0) {
    refuse_input(fmt::format("threads is {}; it must be 0 (all) or more", options.threads));
  }
  const bool found = options.device != "cpu" && !cuda_devices().empty();
  if (options.device == "gpu" && !found) {
    throw Error(ErrorKind::resource, "no GPU was found; device \"cpu\" needs none");
  }
  Queue queue = found ? make_cuda_queue() : Queue{};
  queue.threads =
      options.threads > 0 ? options.threads : comm::find_locality(*comm::make_self()).threads;
  return queue;
}
}  // namespace

struct Poisson::Parts {
  Parts(const PoissonBox& box, const PoissonOptions& chosen)
      : options(chosen),
        method(static_cast<PoissonMethod>(choice("method", chosen.method, methods))),
        problem(problem_of(box)),
        own(queue_of(chosen)),
        team(own.queue),
        domain(mesh_of(problem), whole(), 0),
        place{&domain, &team, own.queue,
              chosen.single_precision ? Precision::single_ : Precision::double_},
        solver(solve::make_poisson_solver(problem, method, place)),
        state({{domain.block(0).n, domain.block(0).ghosts(1)}}, 1, 2, place.precision, own.queue) {
    count = static_cast<std::size_t>(box.cells[0] * box.cells[1] * box.cells[2]);
    fields = {&state, 0, 1, nullptr};
    if (place.precision == Precision::single_) rounded.resize(count);
    held.resize(count);
  }
  std::vector<mesh::Part> whole() const { return {{0, {{0, 0, 0}, problem.cells}, 0}}; }

  void put(int reg, std::span<const double> values) {
    const void* from = values.data();
    if (!rounded.empty()) {
      std::transform(values.begin(), values.end(), rounded.begin(),
                     [](double v) { return static_cast<float>(v); });
      from = rounded.data();
    }
    memory::copy_interior_from_host(state, reg, 0, 0, from, own.queue);
  }
  void get(int reg, std::span<double> values) {
    if (rounded.empty()) {
      memory::copy_interior_to_host(state, reg, 0, 0, values.data(), own.queue);
    } else {
      memory::copy_interior_to_host(state, reg, 0, 0, rounded.data(), own.queue);
      std::copy(rounded.begin(), rounded.end(), values.begin());
    }
  }
  // Largest size of a right-hand side; its mean is judged where constants are free.
  double judge(std::span<const double> rhs) const;

  PoissonOptions options;
  PoissonMethod method;
  solve::PoissonProblem problem;
  OwnQueue own;
  comm::Team team;
  comm::Domain domain;
  solve::PoissonPlace place;
  std::unique_ptr<solve::PoissonSolver> solver;
  memory::State state;
  solve::PoissonFields fields;
  std::size_t count = 0;
  std::vector<float> rounded;  // in single precision
  std::vector<double> held;    // phi until it is known to be good
};

double Poisson::Parts::judge(std::span<const double> rhs) const {
  double largest = 0, sum = 0, volume = 0;
  std::size_t c = 0;
  for (std::int64_t k = 0; k < problem.cells[2]; ++k) {
    for (std::int64_t j = 0; j < problem.cells[1]; ++j) {
      const double area = problem.width(1, j) * problem.width(2, k);
      double row = 0;
      for (std::int64_t i = 0; i < problem.cells[0]; ++i, ++c) {
        if (!std::isfinite(rhs[c])) {
          throw Error(
              ErrorKind::diverged,
              fmt::format("the right-hand side is {} in cell ({}, {}, {})", rhs[c], i, j, k));
        }
        largest = std::max(largest, std::fabs(rhs[c]));
        row += rhs[c] * problem.width(0, i) * area;
        volume += problem.width(0, i) * area;
      }
      sum += row;
    }
  }
  const double mean = sum / volume, allowed = (options.single_precision ? 1e-5 : 1e-12) * largest;
  if (problem.singular() && !options.remove_mean && std::fabs(mean) > allowed) {
    refuse_input(fmt::format(
        "the right-hand side has the mean {:.6g}, and without a Dirichlet side the problem has a "
        "solution only for the mean 0 (here up to {:.3g}); remove_mean subtracts it",
        mean, allowed));
  }
  return largest;
}

Poisson::Poisson(const PoissonBox& box, const PoissonOptions& options)
    : parts_(std::make_unique<Parts>(box, options)) {}
Poisson::~Poisson() = default;
Poisson::Poisson(Poisson&&) noexcept = default;
Poisson& Poisson::operator=(Poisson&&) noexcept = default;

PoissonReport Poisson::solve(std::span<const double> rhs, std::span<double> phi) {
  Parts& p = *parts_;
  for (const auto& [name, size] : {std::pair("rhs", rhs.size()), std::pair("phi", phi.size())}) {
    if (size == p.count) continue;
    refuse_input(fmt::format("{} has {} values, not {} x {} x {} = {}", name, size,
                             p.problem.cells[0], p.problem.cells[1], p.problem.cells[2], p.count));
  }
  const double largest = p.judge(rhs);
  p.put(p.fields.rhs, rhs);
  if (p.solver->iterative()) p.put(p.fields.solution, phi);
  p.solver->solve(p.fields, {p.options.tolerance * largest, p.options.most_cycles});
  const solve::PoissonRecord record = p.solver->record();
  p.get(p.fields.solution, p.held);
  PoissonReport report;
  report.cycles = record.cycles;
  report.residual = solve::poisson_residual(p.problem, p.fields, p.place);
  if (largest > 0) report.residual /= largest;
  const bool unfinished =
      record.end == solve::PoissonEnd::stalled || record.end == solve::PoissonEnd::most_cycles;
  if (!std::isfinite(report.residual) || unfinished) {
    throw Error(ErrorKind::diverged,
                fmt::format("{} ended after {} cycles with the residual {:.3g} of the largest "
                            "right-hand side; {:.3g} was asked for",
                            method(), report.cycles, report.residual, p.options.tolerance));
  }
  std::copy(p.held.begin(), p.held.end(), phi.begin());
  return report;
}

std::string Poisson::method() const {
  return methods[static_cast<std::size_t>(static_cast<int>(parts_->solver->method()))];
}
std::string Poisson::describe() const { return parts_->solver->describe(); }

}  // namespace watersmeet
