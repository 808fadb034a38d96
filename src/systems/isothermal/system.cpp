// Set-up of the state and the step of the isothermal system.
#include "systems/isothermal/system.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::isothermal {

std::unique_ptr<systems::System> make_system() { return std::make_unique<IsothermalSystem>(); }

std::string IsothermalSystem::summary() const {
  return fmt::format("isothermal compressible Navier-Stokes, 6th order, {}, {}",
                     method_ == Method::points55 ? "55-point" : "19-point", scheme_.name);
}

std::vector<Variable> IsothermalSystem::variables() const {
  return {{"lnrho", "logarithmic density ln(rho/rho_0)", "1", Kind::scalar, Location::cell, 0},
          {"ux", "velocity along x", "length/time", Kind::cartesian, Location::cell, 0},
          {"uy", "velocity along y", "length/time", Kind::cartesian, Location::cell, 1},
          {"uz", "velocity along z", "length/time", Kind::cartesian, Location::cell, 2}};
}

void IsothermalSystem::allocate(const systems::Placement& placement) {
  allocate_state(placement,
                 method_ == Method::points55 ? mesh::GhostReach::edges : mesh::GhostReach::faces);
  if (method_ == Method::points19) {
    divergence_ = memory::State(shapes(domain_->block(0).n), 1, 1, precision_, queue_);
    divergence_exchange_ =
        exchange_between_parts(divergence_, mesh::GhostReach::faces,
                               [&](const mesh::Block& part) { return shapes(part.n)[0].ghosts; });
  }
  choose_loops(placement.schedule, true, [&](exec::CellSchedule schedule) {
    loops_ = make_loops(queue_.backend, precision_, {method_, extended_, schedule}, case_);
  });
}

void IsothermalSystem::initialise(const config::Input& input) {
  const std::string entry = initial_entry(input);
  const auto key = [&](const char* name) {
    return input.place(config::FaultKind::range, entry + name);
  };
  const double inverse = 1.0 / physics_.reference_density;
  set_variable(lnrho, entry.empty() ? "1" : input.expression(entry + ".density"), key(".density"),
               true, [inverse](double rho) { return std::log(rho * inverse); });
  for (int a = 0; a < 3; ++a) {
    set_variable(
        ux + a,
        entry.empty() ? "0" : input.expressions3(entry + ".velocity")[static_cast<std::size_t>(a)],
        key(".velocity"), false);
  }
  forget_first_values();
}

exec::Launch IsothermalSystem::launch(int in, int out) const {
  exec::Launch l = CentralSystem::launch(in, out);
  if (method_ == Method::points19) {
    l.registers.extra = divergence_.start(0);
    l.registers.extra_layout = &divergence_.layout(0);
  }
  return l;
}

void IsothermalSystem::compute_stage(exec::Launch& l, int in, int out) {
  if (method_ == Method::points55) return CentralSystem::compute_stage(l, in, out);
  exec::Launch d = l;
  d.registers.out = divergence_.start(0);
  exchange_.around(state_, in, queue_,
                   [&](int, const Box& box, const Queue& queue) {
                     d.box = box;
                     d.queue = queue;
                     loops_->divergence(d);
                   },
                   {&divergence_exchange_, &divergence_, 0});
  divergence_.set_valid_ghosts(0, 0);
  divergence_exchange_.around(divergence_, 0, queue_,
                              [&](int, const Box& box, const Queue& queue) {
                                l.box = box;
                                l.queue = queue;
                                loops_->stage(l);
                              },
                              {&exchange_, &state_, out});
}

void IsothermalSystem::time_ghosts(systems::KernelTimer& timer) {
  CentralSystem::time_ghosts(timer);
  if (method_ == Method::points55) return;
  exec::Launch d = launch(0, 1);
  d.registers.out = divergence_.start(0);
  timer.time({.name = "div u",
              .bytes = 4 * cells_here() * static_cast<double>(size_of(precision_)),
              .launches = static_cast<double>(stages())},
             [&] { loops_->divergence(d); });
  time_exchange(timer, divergence_exchange_, divergence_, " of div u");
}

exec::KernelReport IsothermalSystem::kernel() const {
  exec::KernelReport report = loops_->describe()[0];
  report.name = (method_ == Method::points55 ? "55-point " : "19-point ") + report.name;
  return report;
}

}  // namespace watersmeet::isothermal
