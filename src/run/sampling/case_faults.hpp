#pragma once
// What readers of a case's tables do with a fault: record it while the case is loaded; afterwards there is none. And the name that each entry of a
// list of tables has.

#include <functional>
#include <set>
#include <string>

#include "config/input.hpp"
#include "config/path.hpp"
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

// The key `name` of a table at `path`, which is a `kind` of thing ("part"). A fault where it is no name or `taken`, to which it is added; `why` two
// of them may not have the same.
inline std::string read_name(const config::Input& input, const std::string& path,
                             const std::string& kind, std::set<std::string>& taken,
                             const Report& report,
                             const std::string& why = "their files would have the same names") {
  std::string name = input.text(path + ".name");
  if (!config::is_identifier(name)) {
    report(config::FaultKind::bad_value, path + ".name",
           "`" + name + "` is not a name; use letters, digits and _", "");
  } else if (!taken.insert(name).second) {
    report(config::FaultKind::conflict, path + ".name",
           "two " + kind + "s are called `" + name + "`", why + "; choose another one");
  }
  return name;
}

}  // namespace watersmeet::run
