#pragma once
// The solver of aerodynamics on the blocks of a CurvilinearReference, with its state as values node
// by node: so that the two can be compared.

#include <memory>
#include <vector>

#include "exec/clock_access.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "mesh/curvilinear/validate.hpp"
#include "support/curvilinear_reference.hpp"
#include "systems/aerodynamics/solver/solver.hpp"

namespace watersmeet::test {

// Blocks must be right-handed. Open faces become the patch "outer"; `periods` as in connect.hpp.
inline mesh::MultiBlockMesh mesh_of(const CurvilinearReference& reference,
                                    const std::vector<Real3>& periods = {}) {
  mesh::MultiBlockMesh mesh;
  for (const auto& block : reference.blocks()) {
    mesh::CurvilinearBlock b(block.nodes.n);
    b.x = {block.nodes.x, block.nodes.y, block.nodes.z};
    mesh.blocks.push_back(b);
  }
  mesh::ConnectOptions options;
  options.periods = periods;
  mesh::connect(mesh, options);
  for (const mesh::OpenFace& open : mesh::open_faces(mesh)) {
    mesh.patches.push_back({"outer", "exact", open.block, open.face, open.box});
  }
  mesh::require_valid(mesh, "the blocks of a test");
  return mesh;
}

// The stream at the boundary named "outer".
inline aerodynamics::Condition farfield(const aerodynamics::Primitive<double>& stream) {
  aerodynamics::Condition c;
  c.patch = "outer";
  c.kind = aerodynamics::SurfaceKind::farfield;
  c.stream = stream;
  return c;
}

// A run of the solver as its system would have it.
class FlowRun {
 public:
  // `ranks`: of every block, with the team that computes them; none: all on one rank.
  FlowRun(mesh::MultiBlockMesh mesh, const aerodynamics::Method& method,
          std::vector<aerodynamics::Condition> conditions,
          const aerodynamics::Primitive<double>& reference, Queue queue,
          std::vector<int> ranks = {}, std::unique_ptr<comm::Team> team = nullptr)
      : mesh_(std::move(mesh)),
        precision_(method.precision),
        queue_(queue),
        team_(team ? std::move(team) : std::make_unique<comm::Team>(queue)) {
    if (ranks.empty()) ranks.assign(mesh_.blocks.size(), 0);
    for (std::size_t b = 0; b < ranks.size(); ++b) {
      if (ranks[b] == team_->rank()) here_.push_back(b);
    }
    solver_ = aerodynamics::Solver::make(mesh_, ranks, method, std::move(conditions), reference,
                                         queue_, team_.get());
  }

  aerodynamics::Solver& solver() { return *solver_; }
  const mesh::MultiBlockMesh& mesh() const { return mesh_; }
  // The blocks of this rank.
  const std::vector<std::size_t>& here() const { return here_; }

  // The values of all blocks, of which those of this rank are taken.
  void set(const std::vector<Values>& w) {
    for (int v = 0; v < aerodynamics::n_variables; ++v) {
      std::vector<double> wide;
      for (const std::size_t block : here_) {
        for (const auto& state : w[block]) wide.push_back(state[v]);
      }
      const std::vector<float> narrow(wide.begin(), wide.end());
      const bool is_double = precision_ == Precision::double_;
      memory::copy_interior_from_host(
          solver_->state(), solver_->current_register(), 0, v,
          is_double ? static_cast<const void*>(wide.data()) : narrow.data(), queue_);
    }
    solver_->state_changed();
  }

  // Of the blocks of this rank.
  std::vector<Values> get() {
    const auto n = static_cast<std::size_t>(solver_->nodes());
    std::vector<double> all;
    for (int v = 0; v < aerodynamics::n_variables; ++v) {
      if (precision_ == Precision::double_) {
        std::vector<double> one(n);
        memory::copy_interior_to_host(solver_->state(), solver_->current_register(), 0, v,
                                      one.data(), queue_);
        all.insert(all.end(), one.begin(), one.end());
      } else {
        std::vector<float> one(n);
        memory::copy_interior_to_host(solver_->state(), solver_->current_register(), 0, v,
                                      one.data(), queue_);
        all.insert(all.end(), one.begin(), one.end());
      }
    }
    return by_block(all);
  }

  // An array [variable][node] of the pool as values of the blocks.
  std::vector<Values> by_block(const std::vector<double>& all) const {
    std::vector<Values> w;
    std::size_t first = 0;
    const std::size_t n = all.size() / aerodynamics::n_variables;
    for (const std::size_t block : here_) {
      const auto size = static_cast<std::size_t>(mesh_.blocks[block].count());
      Values values(size);
      for (std::size_t i = 0; i < size; ++i) {
        for (int v = 0; v < aerodynamics::n_variables; ++v) {
          values[i][v] = all[static_cast<std::size_t>(v) * n + first + i];
        }
      }
      w.push_back(std::move(values));
      first += size;
    }
    return w;
  }

  exec::Clock now() { return exec::read_clock(solver_->clock(), queue_); }
  // Steps until the time, as a run takes them.
  void advance(double t) {
    for (;;) {
      solver_->begin_step(t, true);
      if (!now().active) return;
      solver_->run_stages();
    }
  }
  void cycles(int count) {
    for (int c = 0; c < count; ++c) {
      solver_->begin_step(1e300, true);
      solver_->run_stages();
    }
    solver_->begin_step(1e300, false);
  }

 private:
  mesh::MultiBlockMesh mesh_;
  Precision precision_;
  Queue queue_;
  std::unique_ptr<comm::Team> team_;
  std::vector<std::size_t> here_;
  std::unique_ptr<aerodynamics::Solver> solver_;
};

// Orientations that keep blocks right-handed, other ones for every seed; in two dimensions the
// third axis stays.
inline std::vector<mesh::Orientation> right_handed_turns(std::size_t blocks, bool flat,
                                                         unsigned seed) {
  std::vector<mesh::Orientation> turns;
  unsigned number = seed * 7919u + 17u;
  while (turns.size() < blocks) {
    number = number * 1664525u + 1013904223u;
    const mesh::Orientation o = mesh::Orientation::from_index(static_cast<int>(number >> 16) % 48);
    if (o.determinant() == 1 && (!flat || (o.axis[2] == 2 && o.sign[2] == 1))) turns.push_back(o);
  }
  return turns;
}

// The same bits at all nodes, and there this state within a tolerance.
inline void expect_same_and_uniform(FlowRun& one, FlowRun& other,
                                    const aerodynamics::Conserved<double>& uniform,
                                    double tolerance) {
  const auto a = one.get(), b = other.get();
  for (std::size_t block = 0; block < a.size(); ++block) {
    for (std::size_t i = 0; i < a[block].size(); ++i) {
      for (int v = 0; v < 5; ++v) {
        ASSERT_EQ(a[block][i][v], b[block][i][v]);
        ASSERT_NEAR(a[block][i][v], uniform[v], tolerance);
      }
    }
  }
}

}  // namespace watersmeet::test
