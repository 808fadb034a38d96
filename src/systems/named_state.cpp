#include "systems/named_state.hpp"

#include <fmt/format.h>

#include <string>

namespace watersmeet::systems {

void check_named_state(config::Input& input, std::size_t n,
                       std::initializer_list<const char*> others) {
  const std::string entry = fmt::format("initial[{}]", n), key = entry + ".state";
  const std::string name = input.text(key);
  for (const char* const other : others) {
    if (!input.is_set(entry + other)) continue;
    input.fault(config::FaultKind::conflict, entry + other,
                fmt::format("{} has its own ({})", name, input.origin(key)), "remove one of them");
  }
  if (input.count("initial") > 1) {
    input.fault(config::FaultKind::conflict, key,
                fmt::format("{} is the whole initial state, and there are {} entries", name,
                            input.count("initial")),
                "keep this one alone");
  }
}

void check_perturbed(config::Input& input) {
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}]", n), key = entry + ".perturbed";
    if (input.boolean(key) || input.is_set(entry + ".state")) continue;
    input.fault(config::FaultKind::conflict, key, "of a state, and this entry has none",
                "remove it, or add state = ...");
  }
}

}  // namespace watersmeet::systems
