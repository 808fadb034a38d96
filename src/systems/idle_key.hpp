#pragma once
// A note about a key that is changed and has no effect in this case, where the case may be meant so: one
// that is cut to fewer axes, or another field or method than before.

#include <string>

#include "config/input.hpp"

namespace watersmeet::systems {

inline void note_idle(config::Input& input, const std::string& path, const std::string& why) {
  if (!input.is_changed(path)) return;
  input.note(config::FaultKind::conflict, path, path + " has no effect: " + why);
}

}  // namespace watersmeet::systems
