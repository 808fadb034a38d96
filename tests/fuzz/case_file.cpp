// Case files: up to where a run would allocate its state, as `check` reads them, and only up to the values of their keys, which takes a third
// of the time. Text after a NUL is one option of --set a line.
#include <algorithm>
#include <stdexcept>

#include "config/input.hpp"
#include "run/case.hpp"
#include "run/fit.hpp"
#include "run/run_plan.hpp"
#include "systems/registry.hpp"
#include "targets.hpp"

namespace watersmeet::fuzz {
namespace {

struct CaseText {
  std::string text;
  SimulationOptions options;

  explicit CaseText(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    text = bytes.substr(0, end);
    for (std::string_view rest = bytes.substr(std::min(end + 1, bytes.size()));
         !rest.empty() && options.set.size() < 8;) {
      const std::size_t line = std::min(rest.find('\n'), rest.size());
      options.set.emplace_back(rest.substr(0, line));
      rest.remove_prefix(std::min(line + 1, rest.size()));
    }
  }
};

}  // namespace

void case_text(std::string_view bytes) {
  answered([&] {
    const CaseText given(bytes);
    config::Input input = config::Input::from_text(given.text, "case.toml", given.options.set);
    const std::string system = input.system(systems::system_names());
    if (system.empty()) return input.throw_if_faults();
    input.validate(systems::schema_for(system));
    input.faults_json();
    input.throw_if_faults();
    config::Input again = config::Input::from_text(input.resolved_toml(), "resolved.toml", {});
    again.validate(systems::schema_for(again.system(systems::system_names())));
    if (again.has_faults()) throw std::logic_error("the resolved case has faults");
  });
}

void case_file(std::string_view bytes) {
  answered([&] {
    const auto [text, options] = CaseText(bytes);
    config::Input input = config::Input::from_text(text, "case.toml", options.set);
    if (const std::string system = input.system(systems::system_names()); !system.empty()) {
      input.validate(systems::schema_for(system));
      if (system == "aerodynamics" && asks_for_large_mesh(input, "grid.mesh.")) return;
    }
    const run::Case loaded = run::load_case_text(text, "case.toml", options);
    const Index3 cells = loaded.system->grid().n();
    // What follows costs a run, not the reading of a text.
    if (static_cast<double>(cells[0]) * static_cast<double>(cells[1]) *
            static_cast<double>(cells[2]) >
        1e15)
      return;
    loaded.system->memory_needed(cells);
    run::plan_disk(*loaded.system, loaded.input, run::estimate_steps(*loaded.system, loaded.input));
    run::grid_text(loaded.system->grid());
    loaded.input.faults_json();
    // The resolved case is a valid case, and the same one.
    const std::string resolved = loaded.input.resolved_toml();
    const run::Case again = run::load_case_text(resolved, "resolved.toml", {});
    if (again.system->name() != loaded.system->name() || again.system->grid().n() != cells) {
      throw std::logic_error("the resolved case is another one");
    }
  });
}

}  // namespace watersmeet::fuzz
