// Set-up of the state and the step of the multicomponent system.
#include "systems/multicomponent/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace watersmeet::multicomponent {

std::unique_ptr<systems::System> make_system() { return std::make_unique<MulticomponentSystem>(); }

void MulticomponentSystem::allocate(const systems::Placement& placement) {
  bind_placement(placement);
  const mesh::Block& block = domain_->block(0);
  set_place({0, 0, 0});
  allocate_registers(placement, shapes(block.n), n_variables, registers, scheme_.form,
                     mesh::GhostReach::faces);
  if (!streamed()) {
    exchange_ = exchange_between_parts(state_, mesh::GhostReach::faces,
                                       [](const mesh::Block& part) { return part.ghosts(radius); });
  }
  tables_ = BoundaryTables(boundaries_, cell_states(queue_.threads), domain_->box(0), precision_,
                           scales_, queue_);
  if (variant_ == Variant::stretched) {
    widths_ = CellTables(cell_grid_, boundaries_.periodic(), domain_->box(0), scales_.speed,
                         precision_, queue_);
    case_.numbers = widths_.numbers();
  }
  loops_ = make_loops(queue_.backend, precision_, variant_, case_);
  if (streamed() && sweep_->plan().demand.host_updates) allocate_host_loops();
  allocate_ledger();
  allocate_sources();
  allocate_side_values();
  if (strict_) {
    limiter_ = streamed() ? Limiter(*team_, queue_)
                          : Limiter(shapes(block.n).front(), precision_, *domain_, tables_.call(),
                                    *team_, queue_);
  }
  offer_ghosts(may_store_ghosts(exchange_.cut_axis()));
  synchronize(queue_);
}

void MulticomponentSystem::allocate_host_loops() {
  host_case_ = case_;
  if (variant_ == Variant::stretched) {
    host_widths_ = CellTables(cell_grid_, boundaries_.periodic(), domain_->box(0), scales_.speed,
                              precision_, Queue{});
    host_case_.numbers = host_widths_.numbers();
  }
  host_loops_ = make_loops(Backend::cpu, precision_, variant_, host_case_);
}

// Amounts of the order of the true ones: sums over the sampled initial state could vanish, as
// momenta do.
void MulticomponentSystem::allocate_ledger() {
  if (!has_boundaries()) return;
  const Reference& largest = initial_->reference();
  const double volume =
      cell_volume() *
      static_cast<double>(cell_grid_.cells[0] * cell_grid_.cells[1] * cell_grid_.cells[2]) *
      (axisymmetric_ ? 0.5 * static_cast<double>(cell_grid_.cells[1]) : 1.0);
  const double density = largest.rho / scales_.density;
  const double pressure =
      (largest.Gamma * std::max(largest.p, largest_p_c()) + largest.Pi) / pressure_scale();
  const double speed = std::max(largest.u / scales_.speed, std::sqrt(pressure / density));
  const Amounts reference = {density * volume, density * speed * volume, density * speed * volume,
                             density * speed * volume,
                             (pressure + density * speed * speed) * volume};
  ledger_ = Ledger(reference, cell_volume(), stage_weights(scheme_.stages, precision_), queue_);
}

void MulticomponentSystem::initialise(const config::Input&) {
  // Slab by slab: what the host holds besides the state stays small.
  constexpr std::int64_t cells_at_once = std::int64_t{1} << 20;
  const Box part = domain_->box(0);
  const std::int64_t rows = std::max<std::int64_t>(1, cells_at_once / part.size(0));
  const std::int64_t step_j = std::min(rows, part.size(1));
  const std::int64_t step_k = std::max<std::int64_t>(1, rows / part.size(1));
  std::array<std::vector<double>, n_variables> values;
  memory::Buffer staging;
  for (std::int64_t k = part.lower[2]; k < part.upper[2]; k += step_k) {
    for (std::int64_t j = part.lower[1]; j < part.upper[1]; j += step_j) {
      const Box slab{{part.lower[0], j, k},
                     {part.upper[0], std::min(j + step_j, part.upper[1]),
                      std::min(k + step_k, part.upper[2])}};
      store_slab(slab, values, staging);
    }
  }
  beginning_.reset();
  earlier_fallbacks_ = earlier_limited_ = 0;
}

systems::Transfer MulticomponentSystem::transfer() const {
  const double momentum = scales_.density * scales_.speed, energy = pressure_scale();
  systems::Transfer values;
  values.averages = true;
  values.together = true;  // a uniform pressure across an interface
  values.radial = axisymmetric_;
  values.units = {scales_.density, momentum, momentum, momentum, energy, 1, energy};
  values.sums = {{"E", {{"E_minus_Pi", 1.0}, {"Pi", 1.0}}},
                 {"E_minus_Pi", {{"E", 1.0}, {"Pi", -1.0}}}};
  for (const Fluid& fluid : fluids_) {
    const std::string path = "physics.fluids." + fluid.name;
    values.basis.push_back({path + ".gamma", fmt::format("{}", fluid.gamma)});
    values.basis.push_back({path + ".p_c", fmt::format("{}", fluid.p_c)});
  }
  return values;
}

std::vector<systems::FromFields> MulticomponentSystem::from_fields() const {
  using Fields = std::vector<std::pair<std::string, int>>;
  using Value = std::function<double(const double*)>;
  const double density = scales_.density, speed = scales_.speed, pressure = pressure_scale();
  std::vector<systems::FromFields> all = {
      {"rho", {{"rho", 0}}, [=](const double* v) { return v[0] / density; }}};
  for (int a = 0; a < 3; ++a) {
    all.push_back({std::string("m") + "xyz" [a],
                   {
                     {"rho", 0}, { "velocity", a }
                   },
                   [=](const double* v) { return v[0] / density * (v[1] / speed); }});
  }
  const bool split = flow_.split;
  // rho, u, p, and what gives Gamma and Pi: themselves, or alpha, in which they are linear.
  const auto add = [&](const Fields& mixture, const Value& gamma, const Value& pi) {
    Fields flow = {{"rho", 0}, {"velocity", 0}, {"velocity", 1}, {"velocity", 2}, {"p", 0}};
    flow.insert(flow.end(), mixture.begin(), mixture.end());
    all.push_back({"Gamma", mixture, gamma});
    all.push_back({"Pi", mixture, [=](const double* v) { return pi(v) / pressure; }});
    all.push_back({split ? "E_minus_Pi" : "E", flow, [=](const double* v) {
                     const double kinetic = 0.5 * v[0] * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
                     return (gamma(v + 5) * v[4] + (split ? 0.0 : pi(v + 5)) + kinetic) / pressure;
                   }});
  };
  const Fluid g = fluids_[gas_], l = fluids_[liquid_];
  if (fluids_.size() == 1) {  // of one fluid both are known
    add(
        {{"rho", 0}}, [=](const double*) { return g.Gamma(); },
        [=](const double*) { return g.Pi(); });
    return all;
  }
  add(
      {{"Gamma", 0}, {"Pi", 0}}, [](const double* v) { return v[0]; },
      [](const double* v) { return v[1]; });
  if (fluids_.size() == 2 && two_fluids()) {
    add(
        {{"alpha", 0}}, [=](const double* v) { return l.Gamma() + v[0] * (g.Gamma() - l.Gamma()); },
        [=](const double* v) { return l.Pi() + v[0] * (g.Pi() - l.Pi()); });
  }
  return all;
}

// slab: cells of the whole grid. Primitive values become stored ones in double, which are rounded
// once.
void MulticomponentSystem::store_slab(const Box& slab,
                                      std::array<std::vector<double>, n_variables>& values,
                                      memory::Buffer& staging) {
  const std::size_t cells = static_cast<std::size_t>(slab.count());
  std::array<double*, n_variables> out{};
  for (std::size_t v = 0; v < n_variables; ++v) {
    values[v].resize(cells);
    out[v] = values[v].data();
  }
  initial_->evaluate(slab, queue_.threads, out);
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
  for (std::size_t c = 0; c < cells; ++c) {
    Primitive<double> w;
    for (std::size_t v = 0; v < n_variables; ++v) w[static_cast<int>(v)] = out[v][c];
    const Conserved<double> stored = conserved_of(scaled(w), flow_.split);
    for (std::size_t v = 0; v < n_variables; ++v) out[v][c] = stored[static_cast<int>(v)];
  }
  Box box = slab;
  for (std::size_t a = 0; a < 3; ++a) {
    box.lower[a] -= domain_->box(0).lower[a];
    box.upper[a] -= domain_->box(0).lower[a];
  }
  std::vector<float> rounded;
  for (std::size_t v = 0; v < n_variables; ++v) {
    const void* packed = out[v];
    if (precision_ == Precision::single_) {
      rounded.assign(values[v].begin(), values[v].end());
      packed = rounded.data();
    }
    memory::copy_box_from_host(state(), 0, 0, static_cast<int>(v), box, packed, queue_, &staging);
  }
}

Primitive<double> MulticomponentSystem::scaled(const Primitive<double>& w) const {
  Primitive<double> s = w;
  s[w_rho] = w[w_rho] / scales_.density;
  for (int a = 0; a < 3; ++a) s[w_u + a] = w[w_u + a] / scales_.speed;
  s[w_p] = w[w_p] / pressure_scale();
  s[w_pi] = w[w_pi] / pressure_scale();
  return s;
}

void MulticomponentSystem::set_place(const Index3& first, int) {
  flow_.first_j = case_.diagnose.first_j = case_.evaluate.first_j =
      domain_->block(0).origin[1] + first[1];
  case_.numbers.first = first;
}

void MulticomponentSystem::fill_sides(const stream::Planes& planes, int s,
                                      const exec::Clock& clock) {
  tables_.set_known(clock, time_of_stage(s), queue_);
  write_side_values(planes.launch(), planes.first, planes.side, time_of_stage(s).value_or(1));
  loops_->fill_boundaries(
      planes.launch(),
      tables_.call().of_part(planes.first, planes.side, state_.layout(0), size_of(precision_)));
}

void MulticomponentSystem::count_sides(const stream::Planes& planes, int s) {
  if (!tables_.call().any) return;
  LedgerCall ledger = ledger_.call(s);
  if (strict_) {
    ledger.flags = planes.flags;
    ledger.flags_layout = &planes.layout;
  }
  loops_->count_boundaries(
      planes.launch(),
      tables_.call().of_part(planes.first, planes.side, state_.layout(0), size_of(precision_)),
      ledger);
}

void MulticomponentSystem::flag(const stream::Planes& planes, int s, int n) {
  on_planes(planes, s, [&](const exec::Launch& l) {
    loops_->find_inadmissible(l, limiter_.on_planes(planes, n));
  });
}

void MulticomponentSystem::correct(const stream::Planes& planes, int s, int n) {
  on_planes(planes, s,
            [&](const exec::Launch& l) { loops_->limit_faces(l, limiter_.on_planes(planes, n)); });
}

void MulticomponentSystem::complete(const stream::Planes& planes, int s) {
  on_planes(planes, s, [&](const exec::Launch& l) { add_sources(l); });
}

// Sources follow the limiter.
void MulticomponentSystem::compute_cells(const exec::Launch& l) {
  if (!strict_) return StagedSystem::compute_cells(l);
  finish_.limited = true;
  loops_->stage(l);
  finish_.limited = false;
}

// fraction: of the step, at which the register holds the solution.
void MulticomponentSystem::fill_boundaries(int reg, double fraction) {
  constexpr std::array all{true, true, true, true, true, true};
  write_side_values(launch(reg, reg), {0, 0, 0}, all, fraction);
  if (tables_.call().any) loops_->fill_boundaries(launch(reg, reg), tables_.call());
}

// Fills the ghosts of the solution between two steps.
void MulticomponentSystem::fill_ghosts() {
  if (streamed() || state_.valid_ghosts(0) >= radius) return;
  exchange_.fill(state_, 0, queue_);
  tables_.set_now(clock_.as<exec::Clock>(), queue_);
  fill_boundaries(0, 1);
}

void MulticomponentSystem::begin_step(double t_limit, bool allowed) {
  StagedSystem::begin_step(t_limit, allowed);
  if (allowed) tables_.begin_step(clock(), queue_);
}

// Before any cell is computed: messages to other ranks hold cells alone, so these ghosts need not
// wait for them, nor they for these.
void MulticomponentSystem::prepare_stage(std::size_t s) {
  tables_.set_stage(scheme_.times[s], queue_);
  fill_boundaries(0, scheme_.times[s]);
}

comm::Traffic MulticomponentSystem::traffic(const comm::Domain& domain,
                                            comm::Overlap overlap) const {
  comm::Traffic traffic = StagedSystem::traffic(domain, strict_ ? comm::Overlap::off : overlap);
  if (strict_) {
    const auto one_layer = [](const mesh::Block& part) { return part.ghosts(1); };
    traffic.add(stages() * exec::limit_passes,
                exchange_size(domain, 1, mesh::GhostReach::faces, one_layer, overlap));
  }
  return traffic;
}

void MulticomponentSystem::compute_stage(exec::Launch& l, int in, int out) {
  if (!limiter_.on()) return StagedSystem::compute_stage(l, in, out);
  exchange_.fill(state_, in, queue_);
  compute_cells(l);
  limiter_.run(*loops_, l);
  add_sources(l);
}

void MulticomponentSystem::finish_stage(std::size_t s) {
  if (!tables_.call().any) return;
  LedgerCall ledger = ledger_.call(static_cast<int>(s));
  limiter_.flag(ledger);
  loops_->count_boundaries(launch(0, 0), tables_.call(), ledger);
}

exec::KernelReport MulticomponentSystem::kernel() const {
  exec::KernelReport report = exec::emptiest(loops_->describe());
  report.name = reconstruction_name_ + (queue_.backend == Backend::cpu ? " cpu" : " sweeps");
  return report;
}

}  // namespace watersmeet::multicomponent
