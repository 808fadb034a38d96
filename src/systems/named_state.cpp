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
                fmt::format("the state {} sets this key too ({})", name, input.origin(key)),
                "remove one of them");
  }
  if (input.count("initial") > 1) {
    input.fault(config::FaultKind::conflict, key,
                fmt::format("the state {} is the whole initial state, and there are {} entries",
                            name, input.count("initial")),
                "keep this entry only");
  }
}

void check_perturbed(config::Input& input) {
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}]", n), key = entry + ".perturbed";
    if (input.boolean(key) || input.is_set(entry + ".state")) continue;
    input.fault(config::FaultKind::conflict, key,
                "perturbed is a key of a named state, and this entry names no state",
                "remove it, or add state = ...");
  }
}

}  // namespace watersmeet::systems
