#pragma once
// What readers of a case's tables do with a fault: record it while the case is loaded; afterwards there is none.

#include <functional>
#include <string>

#include "config/input.hpp"
#include "core/error.hpp"

namespace watersmeet::run {

using Report = std::function<void(config::FaultKind kind, const std::string& path,
                                  const std::string& message, const std::string& suggestion)>;

inline Report report_into(config::Input& input) {
  return [&input](config::FaultKind kind, const std::string& path, const std::string& message,
                  const std::string& suggestion) { input.fault(kind, path, message, suggestion); };
}
// Of a case that was loaded: a fault is one of the program.
inline Report no_faults() {
  return [](config::FaultKind, const std::string&, const std::string& message, const std::string&) {
    require(false, message.c_str());
  };
}

}  // namespace watersmeet::run
