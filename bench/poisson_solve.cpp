// Whole solves of the Poisson problem on one GPU: multigrid from a zero guess to a residual of
// 1e-10 (in single precision 1e-4) of a random right-hand side, and the direct solver, from a
// right-hand side and from the faces of a velocity. Cubic cells between two walls, periodic along x
// and y or walls all round.
//
//   cmake --build build/cuda --target bench_poisson_solve
//   build/cuda/bench/bench_poisson_solve [NX NY NZ [SOLVES [SIDES [METHODS [PRECISIONS]]]]]
//
// 384 384 192 20 periodic,walls mg,fft double,single when not given.
//
// "mg" are the choice of make_poisson_solver() and other cycles beside it, V(before, after), so
// many for a residual at most; "given a guess": of zeros, which the solver reads as any other.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "core/error.hpp"
#include "memory/state.hpp"
#include "mesh/box.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/poisson/solver.hpp"

namespace {

using namespace watersmeet;
using namespace watersmeet::solve;

struct Setting {
  Index3 cells;
  int solves = 20;
};

PoissonProblem problem_of(const Index3& cells, bool walls) {
  PoissonProblem p;
  p.cells = cells;
  const PoissonSide across = walls ? PoissonSide::neumann : PoissonSide::periodic;
  p.sides = {across, across, across, across, PoissonSide::neumann, PoissonSide::neumann};
  return p;
}

// Independent numbers in (-1, 1), less their mean.
std::vector<double> random_cells(const Index3& cells) {
  std::mt19937_64 bits(11);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> values(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]));
  double sum = 0;
  for (double& v : values) sum += v = number(bits);
  for (double& v : values) v -= sum / static_cast<double>(values.size());
  return values;
}

void store(memory::State& state, int reg, int variable, const std::vector<double>& values,
           const Queue& queue) {
  if (state.precision() == Precision::double_) {
    memory::copy_interior_from_host(state, reg, 0, variable, values.data(), queue);
    return;
  }
  const std::vector<float> rounded(values.begin(), values.end());
  memory::copy_interior_from_host(state, reg, 0, variable, rounded.data(), queue);
}

void measure(const Setting& s, bool walls, PoissonMethod method, Precision precision,
             const Queue& queue) {
  const PoissonProblem problem = problem_of(s.cells, walls);
  comm::Team team(queue);
  const mesh::Mesh box = mesh::make_box(problem.cells, {0, 0, 0}, {1, 1, 1},
                                        {problem.periodic(0), problem.periodic(1), false});
  const std::vector<mesh::Part> parts{{0, {{0, 0, 0}, problem.cells}, 0}};
  const comm::Domain domain(box, parts, 0);
  const memory::BlockShape shape{domain.block(0).n, domain.block(0).ghosts(1)};
  memory::State state({shape}, 1, 2, precision, queue);
  const std::vector<double> right_side = random_cells(s.cells);
  store(state, 1, 0, right_side, queue);
  const PoissonPlace place{&domain, &team, queue, precision};
  auto solver = make_poisson_solver(problem, method, place);
  PoissonFields fields{&state, 0, 1, nullptr, nullptr};
  const auto time = [&](const char* what, const PoissonStop& stop) {
    const auto once = [&] {
      if (solver->iterative() && !fields.from_zero) {
        fill_bytes(state.start(0), 0, state.register_bytes(), queue);
      }
      solver->solve(fields, stop);
    };
    once();
    synchronize(queue);
    const double seconds = seconds_of(queue, [&] {
      for (int n = 0; n < s.solves; ++n) once();
    });
    const PoissonRecord r = solver->record();
    fmt::print("{:>4} x {} x {}  {:8}  {:6}  {:20} {:8.4f} ms", s.cells[0], s.cells[1], s.cells[2],
               walls ? "walls" : "periodic", precision == Precision::double_ ? "double" : "single",
               what, seconds / s.solves * 1e3);
    if (solver->iterative()) {
      fmt::print("  {} cycles, residual {:.1e} of {:.1e}", r.cycles, r.residual, r.first_residual);
    }
    fmt::print("\n");
  };
  const double limit = precision == Precision::double_ ? 1e-10 : 1e-4;
  fields.from_zero = true;
  time(solver->iterative() ? "multigrid" : "direct", {limit, 60});
  // What a solve costs besides its cycles, and a few of them for one residual.
  for (int cycles = 0; solver->iterative() && cycles <= 3; ++cycles) time("of them", {0, cycles});
  if (solver->iterative()) {
    fields.from_zero = false;
    time("given a guess", {limit, 60});
    time("0 cycles, so", {0, 0});
    fields.from_zero = true;
    for (const Sweeps& sweeps : {Sweeps{1, 1}, Sweeps{1, 2}, Sweeps{2, 1}, Sweeps{2, 2}}) {
      for (const int inner : {2, 3, 4}) {
        MultigridOptions options;
        options.sweeps = sweeps;
        options.most_inner = inner;
        solver = make_multigrid(problem, method, place, options);
        time(fmt::format("V({},{}) {} a residual", sweeps.before, sweeps.after, inner).c_str(),
             {limit, 60});
      }
    }
  }
  if (!solver->takes_faces()) return;
  memory::State velocity({shape}, 3, 1, precision, queue);
  for (int v = 0; v < 3; ++v) store(velocity, 0, v, right_side, queue);
  // Widths of 1: the same table of ones serves both precisions' sizes.
  memory::State ones({{{s.cells[2], 1, 1}, {0, 0, 0}}}, 1, 1, precision, queue);
  store(ones, 0, 0, std::vector<double>(static_cast<std::size_t>(s.cells[2]), 1.0), queue);
  const BlockLayout& layout = velocity.layout(0);
  const std::size_t word = size_of(precision);
  FaceField faces;
  for (int a = 0; a < 3; ++a) {
    faces.component[a] = static_cast<const char*>(velocity.start(0)) +
                         static_cast<std::size_t>(layout.first + a * layout.stride_var) * word;
  }
  faces.stride_j = layout.stride[1];
  faces.stride_k = layout.stride[2];
  faces.inverse_x = faces.inverse_y = 1;
  faces.inverse_width_z = static_cast<const char*>(ones.start(0)) +
                          static_cast<std::size_t>(ones.layout(0).first) * word;
  fields.faces = &faces;
  time("direct, from faces", {});
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int n, std::int64_t otherwise) {
    return argc > n ? std::strtoll(argv[n], nullptr, 10) : otherwise;
  };
  const auto named = [&](int n, const char* word) {
    return argc <= n || std::string(argv[n]).find(word) != std::string::npos;
  };
  try {
    const Setting s{{number(1, 384), number(2, 384), number(3, 192)},
                    static_cast<int>(number(4, 20))};
    select_cuda_device(0);
    Queue queue = make_cuda_queue();
    for (const bool walls : {false, true}) {
      if (!named(5, walls ? "walls" : "periodic")) continue;
      for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::fft}) {
        if (!named(6, method == PoissonMethod::mg ? "mg" : "fft")) continue;
        for (const Precision precision : {Precision::double_, Precision::single_}) {
          if (!named(7, precision == Precision::double_ ? "double" : "single")) continue;
          measure(s, walls, method, precision, queue);
        }
      }
    }
    destroy_queue(queue);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
