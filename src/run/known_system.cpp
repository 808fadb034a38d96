#include "run/known_system.hpp"

#include <algorithm>

#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::run {

std::string known_system(const std::string& name) {
  const std::vector<std::string> known = systems::system_names();
  if (name.empty()) return known.front();
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  std::string list;
  for (const std::string& system : known) list += (list.empty() ? "" : ", ") + system;
  refuse({.kind = "bad-value",
          .found = name,
          .message = "no system named `" + name + "`",
          .suggestion = did_you_mean(name, known),
          .allowed = "systems: " + list});
}

}  // namespace watersmeet::run
