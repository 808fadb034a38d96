// Keys, initial state, time series and outputs. Stages, registers, exchange and timing: systems/explicit_system.hpp.
#include <fmt/format.h>

#include <cmath>

#include "../examples/systems/advection/advection.hpp"
#include "exec/choose_loops.hpp"
#include "exec/clock_access.hpp"
#include "systems/explicit_system.hpp"
#include "systems/reduced_cells.hpp"
#include "systems/registry.hpp"

namespace watersmeet::advection {
namespace {
using config::KeyType;

std::vector<config::Key> keys() {
  return {{.path = "physics.velocity",
           .type = KeyType::reals3,
           .unit = "length/time",
           .default_text = "[1, 0, 0]",
           .help = "Constant velocity a."},
          {.path = "physics.diffusivity",
           .unit = "length^2/time",
           .default_text = "0.0",
           .lowest = 0.0,
           .help = "Constant diffusivity kappa."},
          {.path = "physics.wave",
           .type = KeyType::integers3,
           .default_text = "[1, 0, 0]",
           .help = "Periods n of the initial q = 1 + sin(2 pi sum n_i (x_i - lower_i)/L_i)/2."},
          {.path = "numerics.form",
           .type = KeyType::choice,
           .default_text = "\"face\"",
           .choices = {"face", "cell"},
           .help = "Upwind fluxes of means over cells, or central differences at points."},
          systems::scheme_key()};
}

void adjust_schema(config::Schema& schema) {
  schema.set_choices("device.schedule", {"auto", "direct"});
  schema.set_default("time.cfl", "0.9");
  schema.set_default("output.fields", "[\"q\"]");
}

const systems::Outputs& outputs() {
  static const systems::Outputs all = {
      .fields = {{"q", "scalar", "1", "", 1}},
      .series = {{"integral", "length^3", "", "", "Integral of q over the box."},
                 {"drift", "1", "drift", "{:+.1e}", "integral over that of the start, less 1."},
                 {"error", "1", "L2 error", "{:.2e}", "Of q against the closed form, rms."}},
      .profiles = {}};
  return all;
}

class AdvectionSystem final : public systems::ExplicitSystem {
 public:
  std::string name() const override { return "advection"; }
  std::string summary() const override {
    return fmt::format("advection of a scalar, {} form", form_ == Form::face ? "face" : "cell");
  }
  std::vector<Variable> variables() const override {
    return {{"q", "scalar", "1", Kind::scalar, Location::cell, 0}};
  }
  std::vector<systems::QuantityInfo> quantities() const override { return outputs().fields; }
  std::vector<systems::SeriesColumn> series_columns() const override { return outputs().series; }

  void configure(config::Input& input) override {
    configure_box(input);
    form_ = input.text("numerics.form") == "face" ? Form::face : Form::cell;
    if (form_ == Form::cell) check_cfl(input);
    case_.diffusivity = input.real("physics.diffusivity");
    case_.velocity = input.reals3("physics.velocity");
    case_.inverse_spacing = inverse_spacing_;
    periods_ = input.integers3("physics.wave");
    double sum2 = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      case_.signal += std::abs(case_.velocity[a]) * inverse_spacing_[a];
      sum2 += inverse_spacing_[a] * inverse_spacing_[a];
      if (periods_[a] != 0 && !(inverse_spacing_[a] > 0)) {
        input.fault(config::FaultKind::range, "physics.wave",
                    fmt::format("{} has one cell: no room for {} periods", "xyz"[a], periods_[a]));
      }
    }
    rule_.rate = case_.diffusivity * sum2 / 0.25;  // dt kappa sum 1/h^2 <= 1/4
  }
  double estimate_step(const config::Input&) const override { return step_of(case_.signal); }

  void allocate(const systems::Placement& placement) override {
    allocate_state(placement);
    loops_ = exec::choose_loops<Variants>(queue_.backend, precision_, form_, case_);
  }
  void initialise(const config::Input&) override {
    set_variable(0, wave(0), {}, false);
    forget_first_values();
  }
  std::vector<double> series() override {
    const std::string closed_form = wave(exec::read_clock(clock(), queue_).t);
    const auto r = systems::reduced_cells<n_sums, n_maxima>(
        *team_, grid_.cells.block(0).interior().count(),
        all_cells(*loops_, [&](const Box& box) { return tabulated(closed_form, {}, false, box); }),
        launch(0, 1));
    const double mean = r[sum_q] / cells_of_all();
    return {mean * volume(), mean / first_value("initial_mean", mean) - 1,
            std::sqrt(r[sum_error2] / cells_of_all())};
  }

 private:
  exec::Loops& loops() const override { return *loops_; }

  // The closed form at points, of the face form its means over cells.
  std::string wave(double t) const {
    Real3 k{};
    double phase = 0, k2 = 0, amplitude = 0.5;
    for (std::size_t a = 0; a < 3; ++a) {
      const double h = grid_.geometry().spacing[a];
      k[a] = 6.283185307179586 * static_cast<double>(periods_[a]) /
             (h * static_cast<double>(grid_.n()[a]));
      k2 += k[a] * k[a];
      phase += k[a] * (grid_.geometry().lower[a] + case_.velocity[a] * t);
      if (form_ == Form::face && k[a] != 0) amplitude *= std::sin(k[a] * h / 2) / (k[a] * h / 2);
    }
    return fmt::format("1 + {:.17g}*sin({:.17g}*x + {:.17g}*y + {:.17g}*z - {:.17g})",
                       amplitude * std::exp(-case_.diffusivity * k2 * t), k[0], k[1], k[2], phase);
  }
  Form form_ = Form::face;
  Case case_;
  Index3 periods_{};
  std::unique_ptr<exec::Loops> loops_;
};

systems::Bench bench(Backend backend) {
  return systems::usual_bench(backend, "advection", "numerics.form", {"face", "cell"},
                              "physics.wave = [1, 2, 1]\nphysics.velocity = [1, 0.5, 0.25]\n");
}
std::unique_ptr<systems::System> make_system() { return std::make_unique<AdvectionSystem>(); }

constexpr const char* summary = "advection and diffusion of a scalar";
[[maybe_unused]] const bool added = systems::add_system(
    {"advection", summary, keys, adjust_schema, make_system, outputs, bench, {}});
}  // namespace
}  // namespace watersmeet::advection
