#pragma once
// A small flow with boundary conditions on the CPU, put together from the parts that the system
// uses: tables from a case's text, ghosts, ledger and stages, on one rank or several.

#include <gtest/gtest.h>
#include <cstdint>

#include <memory>

#include "comm/exchange.hpp"
#include "config/input.hpp"
#include "exec/stage_weights.hpp"
#include "mesh/box.hpp"
#include "systems/multicomponent/boundary/ledger.hpp"
#include "systems/multicomponent/boundary/tables.hpp"
#include "systems/multicomponent/loops.hpp"

namespace watersmeet::multicomponent {

struct GridOfCase {
  Index3 cells{1, 1, 1};
  Real3 lower{0, 0, 0}, upper{1, 1, 1};
  bool axisymmetric = false;
  mesh::Uniform geometry() const {
    return mesh::make_box(cells, lower, upper, {true, true, true}).geometry();
  }
};

inline std::string case_text(const std::string& boundary) {
  return "[case]\nsystem = \"multicomponent\"\n[grid]\ncells = [1, 1, 1]\n[time]\nsteps = 1\n"
         "[physics.fluids]\nair = { gamma = 1.4, density = 1.25 }\n"
         "water = { gamma = 4.0, p_c = 2.0, density = 10.0 }\noil = { gamma = 3.0 }\n" +
         boundary;
}

inline config::Input checked_input(const std::string& boundary) {
  config::Schema schema = config::common_schema({"multicomponent"});
  schema.add(fluid_keys());
  schema.add(boundary_keys());
  config::Input input = config::Input::from_text(case_text(boundary), "case.toml");
  input.system({"multicomponent"});
  input.validate(schema);
  return input;
}

// The conditions of a case without faults.
inline BoundaryConditions conditions_of(const std::string& boundary, const GridOfCase& grid) {
  config::Input input = checked_input(boundary);
  const BoundaryConditions conditions(input, read_fluids(input), {grid.geometry(), grid.cells},
                                      grid.axisymmetric);
  EXPECT_FALSE(input.has_faults()) << input.faults_text();
  return conditions;
}

// A state as a function of the place, and the cells of a box filled with it.
using StateAt = std::function<Primitive<double>(const Real3&)>;
inline CellStates cells_of(const StateAt& state, const mesh::Uniform& geometry) {
  return [=](const Box& box, const std::array<double*, n_variables>& out) {
    std::size_t n = 0;
    for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
      for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
        for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i, ++n) {
          const Primitive<double> w = state(geometry.position({i, j, k}));
          for (std::size_t v = 0; v < out.size(); ++v) out[v][n] = w[static_cast<int>(v)];
        }
      }
    }
  };
}

inline Primitive<double> gas(double rho, double u, double p, double gamma = 1.4, double p_c = 0) {
  return {{rho, u, 0, 0, p, 1 / (gamma - 1), gamma * p_c / (gamma - 1)}};
}

// The two-register form of rk3-cubism, or the stored one; SSP-RK3 in the base form.
inline std::vector<exec::StageUpdate<double>> updates_of(exec::UpdateForm form) {
  using exec::UpdateForm;
  const double alpha[3] = {0, -17.0 / 32, -32.0 / 27}, beta[3] = {1.0 / 4, 8.0 / 9, 3.0 / 4};
  const double share[3] = {0, 3.0 / 4, 1.0 / 3}, b[3] = {1, 1.0 / 4, 2.0 / 3};
  std::vector<exec::StageUpdate<double>> updates;
  for (int s = 0; s < 3; ++s) {
    exec::StageUpdate<double> u{form, 0, beta[s], s > 0, s < 2, s == 2};
    if (form == UpdateForm::stored) u.a = alpha[s];
    if (form == UpdateForm::two && s > 0) u.a = beta[s] * alpha[s] / beta[s - 1];
    if (form == UpdateForm::base) {
      u.a = share[s];
      u.b = b[s];
    }
    updates.push_back(u);
  }
  return updates;
}

// The times at which these stages read the solution, in units of dt.
inline std::vector<double> times_of(exec::UpdateForm form) {
  if (form == exec::UpdateForm::base) return {0, 1, 0.5};
  return {0, 1.0 / 4, 2.0 / 3};
}

struct FlowChoices {
  Precision precision = Precision::double_;
  exec::UpdateForm form = exec::UpdateForm::stored;
  Variant variant = Variant::js;
  bool split = false;
  FlowParameters<double> parameters = {};  // scales, spacings and `split` are set here
  Primitive<double> scale{{1, 1, 1, 1, 1, 1, 1}};
};

class BoundedFlow {
 public:
  BoundedFlow(const std::string& boundary, const GridOfCase& grid, const StateAt& initial,
              const FlowChoices& choices = {}, comm::Communicator* ranks = nullptr,
              std::vector<mesh::Part> parts = {})
      : choices_(choices),
        conditions_(conditions_of(boundary, grid)),
        whole_(mesh::make_box(grid.cells, grid.lower, grid.upper, conditions_.periodic())),
        self_(comm::make_self()),
        world_(ranks != nullptr ? ranks : self_.get()),
        updates_(updates_of(choices.form)) {
    if (parts.empty()) parts = {{0, whole_.block(0).interior(), 0}};
    domain_ = std::make_unique<comm::Domain>(whole_, parts, world_->rank());
    team_ = ranks != nullptr
                ? std::make_unique<comm::Team>(
                      *world_, comm::make_message_transport(*world_, Backend::cpu, false), queue_,
                      comm::Overlap::off)
                : std::make_unique<comm::Team>(queue_);
    const std::vector<memory::BlockShape> shapes = {{domain_->block(0).n, widths(0)}};
    state_ = memory::State(shapes, n_variables, 3, choices.precision, queue_);
    std::vector<Index3> all;
    for (std::size_t b = 0; b < domain_->mesh.blocks().size(); ++b) {
      all.push_back(domain_->mesh.block(static_cast<int>(b)).ghosts(3));
    }
    exchange_ =
        comm::Exchange(*domain_, mesh::plan_ghosts(domain_->mesh, all, mesh::GhostReach::faces),
                       state_, *team_, queue_);
    const CellStates cells = cells_of(initial, whole_.geometry());
    tables = BoundaryTables(conditions_, cells, domain_->box(0), choices.precision, {}, queue_);
    loops_ = make_loops(Backend::cpu, choices.precision, choices.variant, case_);
    flow_ = choices.parameters;
    flow_.split = choices.split;
    flow_.axisymmetric = grid.axisymmetric;
    flow_.first_j = domain_->block(0).origin[1];
    volume_ = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const double h = whole_.geometry().spacing[a];
      flow_.inverse_spacing[static_cast<int>(a)] = grid.cells[a] > 1 ? 1 / h : 0;
      volume_ *= h;
    }
    for (int v = 0; v < n_variables; ++v) {
      flow_.weno[v] = {1e-6, 0.25 / (choices.scale[v] * choices.scale[v])};
      finish_.inverse_spacing[v % 3] = flow_.inverse_spacing[v % 3];
    }
    finish_.split = choices.split;
    finish_.sum_norm = true;
    set(cells);
    ledger = Ledger({1, 1, 1, 1, 1}, volume_, stage_weights(updates_, choices.precision), queue_);
  }

  void step(double dt) {
    clock.active = 1;
    clock.dt = dt;
    tables.begin_step(&clock, queue_);
    const std::vector<double> times = times_of(choices_.form);
    if (choices_.form == exec::UpdateForm::base) copy_register(0, 2);
    for (std::size_t s = 0; s < updates_.size(); ++s) {
      tables.set_stage(times[s], queue_);
      fill();
      exec::Launch l = launch();
      l.update = updates_[s];
      loops_->count_boundaries(l, tables.call(), ledger.call(static_cast<int>(s)));
      loops_->stage(l);
      state_.set_valid_ghosts(1, 0);
      state_.swap(0, 1);
    }
    clock.t += dt;
  }

  // Ghost cells of the solution.
  void fill() {
    exec::Launch l = launch();
    l.registers.out = state_.start(0);
    loops_->fill_boundaries(l, tables.call());
    exchange_.fill(state_, 0, queue_);
  }

  double stored(int v, const Index3& cell) const {
    const BlockLayout& l = state_.layout(0);
    const std::int64_t at = l.first + v * l.stride_var + l.at(cell[0], cell[1], cell[2]);
    return choices_.precision == Precision::double_
               ? static_cast<const double*>(state_.start(0))[at]
               : double(static_cast<const float*>(state_.start(0))[at]);
  }
  Primitive<double> primitive(const Index3& cell) const {
    Conserved<double> s;
    for (int v = 0; v < n_variables; ++v) s[v] = stored(v, cell);
    return primitive_of(s, choices_.split);
  }
  // Of the cells of this rank, times volume: mass, momentum, total energy.
  Amounts amounts() const {
    std::array<long double, n_conserved> sum{};
    const Index3 n = domain_->block(0).n;
    for (std::int64_t k = 0; k < n[2]; ++k) {
      for (std::int64_t j = 0; j < n[1]; ++j) {
        for (std::int64_t i = 0; i < n[0]; ++i) {
          for (int v = 0; v < n_conserved; ++v) {
            sum[static_cast<std::size_t>(v)] += stored(v, {i, j, k});
          }
          if (choices_.split) sum[s_energy] += stored(s_pi, {i, j, k});
        }
      }
    }
    Amounts result{};
    for (std::size_t v = 0; v < n_conserved; ++v) {
      result[v] = static_cast<double>(sum[v] * static_cast<long double>(volume_));
    }
    return result;
  }
  Amounts outflow() { return ledger.outflow(*world_, queue_); }
  // Largest dt by the signal of the present solution, CFL 1.
  double stable_step() { return 1 / loops_->signal(launch()); }
  const mesh::Uniform& geometry() const { return whole_.geometry(); }
  comm::Communicator& world() { return *world_; }
  const Queue& queue() const { return queue_; }

  exec::Clock clock;
  BoundaryTables tables;
  Ledger ledger;

 private:
  Index3 widths(int block) const { return domain_->block(block).ghosts(3); }

  exec::Launch launch() {
    exec::Launch l;
    l.registers.layout = &state_.layout(0);
    l.registers.in = state_.start(0);
    l.registers.out = state_.start(1);
    l.registers.increment = state_.start(2);
    l.box = domain_->block(0).interior();
    l.clock = &clock;
    l.queue = queue_;
    return l;
  }
  void copy_register(int from, int to) {
    copy_bytes(state_.start(to), state_.start(from), state_.register_bytes(), queue_);
  }
  void set(const CellStates& cells) {
    const Box& box = domain_->box(0);
    const std::size_t count = static_cast<std::size_t>(box.count());
    std::vector<double> values(n_variables * count);
    std::array<double*, n_variables> columns{};
    for (std::size_t v = 0; v < columns.size(); ++v) columns[v] = values.data() + v * count;
    cells(box, columns);
    for (std::size_t c = 0; c < count; ++c) {
      Primitive<double> w;
      for (int v = 0; v < n_variables; ++v) w[v] = columns[static_cast<std::size_t>(v)][c];
      const Conserved<double> s = conserved_of(w, choices_.split);
      for (int v = 0; v < n_variables; ++v) columns[static_cast<std::size_t>(v)][c] = s[v];
    }
    for (int v = 0; v < n_variables; ++v) {
      const double* const from = columns[static_cast<std::size_t>(v)];
      if (choices_.precision == Precision::double_) {
        memory::copy_interior_from_host(state_, 0, 0, v, from, queue_);
      } else {
        const std::vector<float> rounded(from, from + count);
        memory::copy_interior_from_host(state_, 0, 0, v, rounded.data(), queue_);
      }
    }
  }

  FlowChoices choices_;
  Queue queue_;
  BoundaryConditions conditions_;
  mesh::Mesh whole_;
  std::unique_ptr<comm::Communicator> self_;
  comm::Communicator* world_;
  std::vector<exec::StageUpdate<double>> updates_;
  std::unique_ptr<comm::Domain> domain_;
  std::unique_ptr<comm::Team> team_;
  memory::State state_;
  comm::Exchange exchange_;
  std::unique_ptr<TwoFluidLoops> loops_;
  Case case_;
  FlowParameters<double>& flow_ = case_.flow;
  Finish<double>& finish_ = case_.finish;
  double volume_ = 1;
};

}  // namespace watersmeet::multicomponent
