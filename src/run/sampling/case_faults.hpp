#pragma once
// What readers of a case's tables do with a fault: record it while the case is loaded; afterwards there is none. And what readers of lists of
// tables share.

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

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
// For a case that was loaded already, in which a fault is one of the program.
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

// Base of what reads the entries of a list of tables one after the other.
class EntryReader {
 protected:
  EntryReader(const config::Input& input, Report report)
      : input_(input), report_(std::move(report)) {}

  // Calls read() for each entry of the list whose keys have no faults, with `path_` set to it: those that it must have, and others.
  template <class Read>
  void each(const std::string& list, std::initializer_list<const char*> required,
            std::initializer_list<const char*> others, const Read& read) {
    for (std::size_t entry = 0; entry < input_.count(list); ++entry) {
      path_ = list + "[" + std::to_string(entry) + "].";
      bool good = true;
      for (const char* const key : required) good = good && input_.is_good(path_ + key);
      for (const char* const key : others)
        good = good && (!input_.is_set(path_ + key) || input_.is_good(path_ + key));
      path_.pop_back();
      if (good) read();
    }
  }

  // False.
  bool refuse(config::FaultKind kind, const std::string& key, const std::string& message,
              const std::string& suggestion = "") const {
    report_(kind, path_ + key, message, suggestion);
    return false;
  }

  const config::Input& input_;
  Report report_;
  std::string path_;  // of the table at hand
  std::set<std::string> names_;
};

}  // namespace watersmeet::run
