// Output of aerodynamics: quantities, time series, surface files, notes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "comm/exact_reduction.hpp"
#include "core/error.hpp"
#include "core/math.hpp"
#include "exec/clock_access.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "schemes/velocity_gradient.hpp"
#include "systems/aerodynamics/surface/file.hpp"
#include "systems/aerodynamics/system.hpp"
#include "systems/aerodynamics/velocity_gradient.hpp"

namespace watersmeet::aerodynamics {

namespace {
// The quantity that a field is; what is made of derivatives of the velocity is made on the host.
Quantity quantity_of(const std::string& field) {
  static const std::map<std::string, Quantity> known = {
      {"rho", Quantity::density},
      {"velocity", Quantity::velocity},
      {"p", Quantity::pressure},
      {"mach", Quantity::mach},
      {"temperature", Quantity::temperature},
      {"entropy", Quantity::entropy},
      {"total_enthalpy", Quantity::total_enthalpy},
      {"cp", Quantity::cp},
      {"speed", Quantity::speed},
      {"total_pressure", Quantity::total_pressure},
      {"total_temperature", Quantity::total_temperature}};
  return known.at(field);
}
}  // namespace

Coefficients coefficients_of(const Real3& force, const Real3& moment, const FreeStream& stream,
                             const Reference& reference, int dimensions) {
  const double scale = 1 / (stream.dynamic_pressure() * reference.area);
  const Real3 along = stream.drag_direction(dimensions), up = stream.lift_direction(dimensions);
  Coefficients c;
  c.drag = scale * mesh::dot_product(force, along);
  c.lift = scale * mesh::dot_product(force, up);
  if (dimensions == 3) c.side = scale * mesh::dot_product(force, mesh::cross_product(up, along));
  // In the plane a moment turns from x to y, the nose downwards.
  c.moment = scale / reference.length * (dimensions == 2 ? -moment[2] : moment[1]);
  return c;
}

std::string AerodynamicsSystem::summary() const {
  return fmt::format("Euler equations on curvilinear blocks, {}, {}", method_text(method_),
                     method_.steady ? (method_.blended ? "steady by RK5" : "steady by plain RK5")
                                    : "unsteady by RK4");
}

std::vector<Variable> AerodynamicsSystem::variables() const {
  const auto momentum = [](const char* name, const char* axis, int component) {
    return Variable{name,
                    std::string("momentum density along ") + axis,
                    "mass/(length^2 time)",
                    Kind::cartesian,
                    Location::node,
                    component};
  };
  return {
      {"rho", "density", "mass/length^3", Kind::scalar, Location::node, 0},
      momentum("mx", "x", 0),
      momentum("my", "y", 1),
      momentum("mz", "z", 2),
      {"energy", "total energy density", "mass/(length time^2)", Kind::scalar, Location::node, 0}};
}

std::vector<systems::FromFields> AerodynamicsSystem::from_fields() const {
  std::vector<systems::FromFields> all = {systems::same_as_field("rho", "rho")};
  for (int a = 0; a < 3; ++a) {
    all.push_back({std::string("m") + "xyz" [a],
                   {
                     {"rho", 0}, { "velocity", a }
                   },
                   [](const double* v) { return v[0] * v[1]; }});
  }
  const double gamma = stream_.gas.gamma;
  all.push_back({"energy",
                 {{"rho", 0}, {"velocity", 0}, {"velocity", 1}, {"velocity", 2}, {"p", 0}},
                 [gamma](const double* v) {
                   return v[4] / (gamma - 1) +
                          0.5 * v[0] * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
                 }});
  return all;
}

std::vector<std::string> AerodynamicsSystem::conditions() const {
  const bool space = dimensions() == 3;
  std::vector<std::string> all = {with_walls};
  if (stream_.mach > 0) all.push_back(in_stream);
  if (lifting()) all.push_back(lifting_body);
  if (lifting() && space) all.push_back(lifting_body_in_space);
  if (space) all.push_back(with_walls_in_space);
  if (has_exact()) all.push_back(with_exact_flow);
  return all;
}

std::vector<systems::QuantityInfo> AerodynamicsSystem::quantities() const {
  return systems::present(outputs().fields, conditions());
}

void AerodynamicsSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                                  void* packed) {
  for (const systems::QuantityInfo& known : outputs().fields) {
    if (known.name != quantity) continue;
    if (quantity == "vorticity") {
      return evaluate_gradient(boxes, packed, [](const auto& gradient, std::vector<double>& to) {
        const Vec<double, 3> curl = curl_of(gradient);
        to.insert(to.end(), {curl[0], curl[1], curl[2]});
      });
    }
    if (quantity == "q_criterion") {
      return evaluate_gradient(boxes, packed, [](const auto& gradient, std::vector<double>& to) {
        to.push_back(schemes::q_criterion(gradient));
      });
    }
    auto* to = static_cast<char*>(packed);
    for (const Box& box : boxes) {  // of the one row of nodes
      solver_->evaluate(quantity_of(quantity), known.components, box, to);
      to += static_cast<std::size_t>(box.size(0) * known.components) * size_of(method_.precision);
    }
    return;
  }
  require(false, "evaluate: no such quantity");
}

std::vector<systems::SeriesColumn> AerodynamicsSystem::series_columns() const {
  auto columns =
      systems::with_names(systems::present(outputs().series, conditions()), "PATCH", walls());
  for (systems::SeriesColumn& column : columns) {
    const bool of_steady = column.name == "log_residual";
    if ((of_steady || column.name == "error_rho") && of_steady != method_.steady)
      column.progress_title = column.progress_format = "";
  }
  return columns;
}

// The velocity comes to the host and what is made of its gradient goes back: a snapshot is rare.
void AerodynamicsSystem::evaluate_gradient(
    std::span<const Box> boxes, void* packed,
    const std::function<void(const Vec<Vec<double, 3>, 3>&, std::vector<double>&)>& append) {
  const std::vector<double> velocity = node_values("velocity", 3);
  std::vector<Vec<Vec<double, 3>, 3>> gradient;
  const std::vector<std::int64_t> begins = mesh::first_nodes(mesh_.mesh);
  for (std::size_t b = 0; b < mesh_.mesh.blocks.size(); ++b) {
    const mesh::CurvilinearBlock& block = mesh_.mesh.blocks[b];
    const std::int64_t at = begins[b] - first_node_;
    if (at < 0 || at >= solver_->nodes()) continue;
    const mesh::MetricOperators operators =
        operators_of(block.n, method_.order,
                     method_.compatible_sbp6 ? schemes::sbp6_compatible : schemes::sbp6_accurate);
    const std::span<const double> own(velocity.data() + 3 * at,
                                      3 * static_cast<std::size_t>(block.count()));
    const auto one = velocity_gradient_of(block, operators, own);
    gradient.insert(gradient.end(), one.begin(), one.end());
  }
  std::vector<double> selected;
  for (const Box& box : boxes) {
    for (std::int64_t n = box.lower[0]; n < box.upper[0]; ++n)
      append(gradient[static_cast<std::size_t>(n)], selected);
  }
  if (selected.empty()) return;
  const std::vector<float> single(selected.begin(), selected.end());
  const bool is_double = method_.precision == Precision::double_;
  copy_bytes(packed, is_double ? static_cast<const void*>(selected.data()) : single.data(),
             selected.size() * size_of(method_.precision), queue_);
  synchronize(queue_);
}

// On the host, from the quantities that output evaluates: a row of the series is rare.
std::vector<double> AerodynamicsSystem::node_values(const std::string& quantity, int components) {
  const auto count =
      static_cast<std::size_t>(solver_->nodes()) * static_cast<std::size_t>(components);
  const std::size_t bytes = count * size_of(method_.precision);
  memory::Buffer packed(memory::working_space(queue_.backend), bytes);
  const Box all[] = {{{0, 0, 0}, {solver_->nodes(), 1, 1}}};
  evaluate(quantity, all, packed.start());
  std::vector<char> raw(bytes);
  copy_bytes(raw.data(), packed.start(), bytes, queue_);
  synchronize(queue_);
  std::vector<double> values(count);
  if (method_.precision == Precision::double_) {
    std::memcpy(values.data(), raw.data(), bytes);
  } else {
    const auto* const f = reinterpret_cast<const float*>(raw.data());
    std::copy(f, f + count, values.begin());
  }
  return values;
}

// sqrt(sum V H v^2), with the same bits on any number of ranks.
double AerodynamicsSystem::norm_of(const std::vector<double>& values) {
  const std::vector<double> volumes = solver_->node_volumes();
  const auto square = [&](std::size_t n) { return volumes[n] * values[n] * values[n]; };
  double sum = 0;
  comm::reduce_exactly(
      team_->communicator(), 1, 0, mesh_.mesh.node_count(),
      [&](double* largest) {
        for (std::size_t n = 0; n < values.size(); ++n)
          largest[0] = max_or_nan(largest[0], std::abs(square(n)));
      },
      [&](const exec::SumScale* scale, std::int64_t* high_low) {
        for (std::size_t n = 0; n < values.size(); ++n) {
          const exec::MagicCount c = exec::count_with_magic(scale[0], square(n));
          exec::add_modulo(high_low[0], c.high - exec::round_magic_bits);
          exec::add_modulo(high_low[1], c.low - exec::round_magic_bits);
        }
      },
      &sum);
  return std::sqrt(sum);
}

double AerodynamicsSystem::density_error() {
  std::vector<double> rho = node_values("rho");
  const double t = method_.steady ? 0 : exec::read_clock(clock(), queue_).t;
  const std::vector<std::int64_t> begins = mesh::first_nodes(mesh_.mesh);
  for (std::size_t b = 0; b < mesh_.mesh.blocks.size(); ++b) {
    const mesh::CurvilinearBlock& block = mesh_.mesh.blocks[b];
    const std::int64_t at = begins[b] - first_node_;
    if (at < 0 || at >= solver_->nodes()) continue;
    for (std::size_t n = 0; n < block.x[0].size(); ++n) {
      const Real3 x{block.x[0][n], block.x[1][n], block.x[2][n]};
      rho[static_cast<std::size_t>(at) + n] -= initial_.exact()->at(x, t).rho;
    }
  }
  return norm_of(rho);
}

// Where the residual is not a number, or a steady run diverges: its density residual is a million
// times the first one and above rho_inf c_inf per unit of length. The second part keeps the growth
// of rounding alone, where a run begins with its solution, from being taken for divergence.
void AerodynamicsSystem::refuse_divergence(const Monitor& m) {
  constexpr double most = 1e6;
  const double residual = m.residual[s_rho];
  const double scale = stream_.flow.rho * stream_.sound_speed();
  const bool number = std::isfinite(residual);
  if (number && !(method_.steady && m.residual_ratio > most && residual > scale)) return;
  const std::int64_t step = exec::read_clock(clock(), queue_).step;
  throw comm::AgreedError(
      ErrorKind::diverged,
      fmt::format("the residual is {} at {} {}\n  largest in {}: {:.3g}",
                  number ? fmt::format("{:.2g} times the first one", m.residual_ratio)
                         : std::string("not a number"),
                  method_.steady ? "cycle" : "step", step,
                  mesh::place_text(mesh_.mesh, m.largest_at), m.largest_residual));
}

std::vector<double> AerodynamicsSystem::series() {
  const Monitor m = solver_->monitor();
  refuse_divergence(m);
  const double ratio = m.residual_ratio;
  std::vector<double> row = {ratio > 0 ? std::log10(ratio) : -300.0};
  row.insert(row.end(), m.residual.begin(), m.residual.end());
  row.push_back(m.largest_residual);
  const std::vector<PatchForce> forces = solver_->forces(reference_.moment_about);
  const auto force_on = [&](const std::string& patch) {
    const auto found = std::find_if(forces.begin(), forces.end(),
                                    [&](const PatchForce& f) { return f.patch == patch; });
    require(found != forces.end(), "series: no force on a patch");
    return *found;
  };
  if (lifting()) {
    Real3 force{}, moment{};
    for (const std::string& patch : reference_.patches) {
      const PatchForce f = force_on(patch);
      force = mesh::sum_of(force, f.force);
      moment = mesh::sum_of(moment, f.moment);
    }
    const Coefficients c = coefficients_of(force, moment, stream_, reference_, dimensions());
    row.insert(row.end(), {c.lift, c.drag, c.moment});
    if (dimensions() == 3) row.push_back(c.side);
  }
  for (const std::string& patch : walls()) {
    const PatchForce f = force_on(patch);
    for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions()); ++a)
      row.push_back(f.force[a]);
  }
  row.insert(row.end(),
             {static_cast<double>(m.supersonic), static_cast<double>(m.limited), m.enthalpy_error,
              m.mass, m.entropy, m.energy, m.boundary_flux[s_rho], m.boundary_flux[s_energy]});
  const std::vector<double> ones(static_cast<std::size_t>(solver_->nodes()), 1.0);
  row.push_back(norm_of(node_values("entropy")) / norm_of(ones));
  if (has_exact()) row.push_back(density_error());
  return row;
}

std::vector<systems::TextFile> AerodynamicsSystem::text_files() {
  std::vector<systems::TextFile> files;
  for (const std::string& patch : surface_patches_) {
    const std::vector<SurfaceNode> nodes =
        gather_surface(team_->communicator(), solver_->surface(patch));
    files.push_back({"surface_" + patch, "csv",
                     team_->rank() == 0
                         ? surface_text(nodes, surface_values_, stream_, dimensions())
                         : std::string()});
  }
  return files;
}

std::map<std::string, std::string> AerodynamicsSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (stream_.given) notes["stream"] = stream_.description();
  for (std::size_t n = 0; n < mesh_.notes.size(); ++n) {
    notes[n == 0 ? "mesh" : fmt::format("mesh {}", n + 1)] = mesh_.notes[n];
  }
  std::string patches;
  for (const PatchCondition& c : conditions_) {
    patches += fmt::format("{}{} {}", patches.empty() ? "" : ", ", c.condition.patch, c.kind);
  }
  if (!patches.empty()) notes["boundary"] = patches;
  if (solver_ && method_.steady) {
    notes["multigrid"] =
        solver_->levels() == 1
            ? "one grid"
            : fmt::format("{} grids, {} cycle, {} + {} steps", solver_->levels(),
                          method_.cycle == Cycle::v ? "V" : "W", method_.pre, method_.post);
  }
  return notes;
}

std::string AerodynamicsSystem::termination_summary() {
  if (!method_.steady) return "";
  const exec::Clock now = exec::read_clock(clock(), queue_);
  const Monitor m = solver_->monitor();
  const double ratio = m.residual_ratio;
  const std::string measures = solver_->measures_taken();
  if (now.status == exec::ClockStatus::converged) {
    const std::string why = ratio <= method_.residual_drop
                                ? fmt::format("residual {:.2g} of the first", ratio)
                                : fmt::format(
                                      "no force changed by 1e-6 over {} cycles, residual "
                                      "{:.2g} of the first",
                                      method_.force_window, ratio);
    return fmt::format("converged: {} after {} cycles{}", why, now.step, measures);
  }
  if (method_.residual_drop == 0) return "";
  return fmt::format(
      "not converged: after {2} cycles the residual is {0:.2g} of the first one, "
      "largest in {1}; time.residual_drop asks for {3:g}{4}{5}",
      ratio, mesh::place_text(mesh_.mesh, m.largest_at), now.step, method_.residual_drop, measures,
      method_.order == 6 ? "; numerics.order = 5 is more dissipative" : "");
}

}  // namespace watersmeet::aerodynamics
