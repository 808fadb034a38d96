#include "run/case.hpp"

#include "systems/registry.hpp"

namespace watersmeet::run {

namespace {
std::vector<std::string> overrides_of(const SimulationOptions& options) {
  std::vector<std::string> overrides;
  if (!options.precision.empty())
    overrides.push_back("numerics.precision=\"" + options.precision + "\"");
  if (!options.device.empty()) overrides.push_back("device.kind=\"" + options.device + "\"");
  if (options.threads > 0) overrides.push_back("device.threads=" + std::to_string(options.threads));
  if (options.cpu_ranks >= 0)
    overrides.push_back("device.cpu_ranks=" + std::to_string(options.cpu_ranks));
  overrides.insert(overrides.end(), options.set.begin(), options.set.end());
  return overrides;
}

Case configured(config::Input input) {
  const std::string name = input.system(systems::system_names());
  if (name.empty()) input.throw_if_faults();
  Case result{std::move(input), systems::make_system(name)};
  result.input.validate(systems::schema_for(name));
  result.system->configure(result.input);
  result.input.throw_if_faults();
  return result;
}
}  // namespace

Case load_case(const std::string& path, const SimulationOptions& options) {
  return configured(config::Input::from_file(path, overrides_of(options)));
}

Case load_case_text(const std::string& toml, const std::string& name,
                    const SimulationOptions& options) {
  return configured(config::Input::from_text(toml, name, overrides_of(options)));
}

}  // namespace watersmeet::run
