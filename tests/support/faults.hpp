#pragma once
// What tests of faults share: a case that is read as the program reads it, and the one fault that
// it must have.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "core/error.hpp"
#include "systems/registry.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet::test {

// Reads and configures a case; `system` is made in any case, and configured when the keys are good.
inline config::Input read_case(const std::string& text, std::unique_ptr<systems::System>& system) {
  config::Input input = config::Input::from_text(text, "case.toml");
  const std::string name = input.system(systems::system_names());
  input.validate(systems::schema_for(name));
  system = systems::make_system(name);
  if (!input.has_faults()) system->configure(input);
  return input;
}

struct ExpectedFault {
  int line;
  std::string key, message, suggestion;
};

// The case has exactly this fault, in these words.
inline void expect_only_fault(const config::Input& input, const ExpectedFault& expected) {
  const std::vector<config::Fault> faults = input.faults();
  ASSERT_EQ(faults.size(), 1u) << input.faults_text();
  EXPECT_EQ(faults[0].line, expected.line) << input.faults_text();
  EXPECT_EQ(faults[0].key, expected.key);
  EXPECT_NE(faults[0].message.find(expected.message), std::string::npos) << faults[0].message;
  EXPECT_NE(faults[0].suggestion.find(expected.suggestion), std::string::npos)
      << faults[0].suggestion;
}

inline void expect_fault(const std::string& text, const ExpectedFault& expected) {
  SCOPED_TRACE(text);
  std::unique_ptr<systems::System> system;
  expect_only_fault(read_case(text, system), expected);
}

// A simulation of the case, called "case", is refused in words that hold all of these.
inline void expect_refused(const std::string& text, const std::vector<std::string>& parts) {
  SCOPED_TRACE(text);
  try {
    Simulation::from_text(text, {"cpu", "", 1, {}});
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    const std::string words = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::user_input) << words;
    for (const std::string& part : parts) {
      EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
    }
  }
}

// All faults of a case, and the text that shows them.
inline std::vector<config::Fault> faults_of(const std::string& text, std::string& shown) {
  std::unique_ptr<systems::System> system;
  const config::Input input = read_case(text, system);
  shown = input.faults_text();
  return input.faults();
}

}  // namespace watersmeet::test
