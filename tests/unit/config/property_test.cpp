// Properties that must hold for any text: no key is silently ignored, and no text makes the reader
// fail otherwise than by a fault with a place inside the text.

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "sample_system.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string random_word(std::mt19937& random) {
  std::string word;
  const std::size_t length = 1 + random() % 12;
  for (std::size_t i = 0; i < length; ++i) word += "abcdefghijklmnopqrstuvwxyz_"[random() % 27];
  return word;
}

}  // namespace

TEST(Property, ARandomKeyAnywhereIsAFault) {
  std::mt19937 random(20261120);
  const std::vector<std::string> lines = lines_of(sample::right_case());
  const sample::Schema schema = sample::schema();
  int tried = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t at = random() % (lines.size() + 1);
    std::string section;
    for (std::size_t i = 0; i < at; ++i) {
      if (!lines[i].empty() && lines[i][0] == '[') {
        section = lines[i].substr(lines[i].find_first_not_of('['));
        section.resize(section.find(']'));
      }
    }
    const std::string word = random_word(random);
    if (section == "constants") continue;  // any name is allowed there
    const std::string prefix = section == "initial" ? "initial[0]." : section + ".";
    if (schema.find(prefix + word) != nullptr) continue;
    const char* values[] = {"1", "\"text\"", "[1, 2, 3]", "{ a = 1 }", "true"};
    std::vector<std::string> changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at),
                   word + " = " + values[random() % 5]);
    const sample::Input input = sample::checked(joined(changed));
    const std::vector<sample::Fault> faults = input.faults();
    ASSERT_EQ(faults.size(), 1u) << joined(changed) << input.faults_text();
    EXPECT_EQ(faults[0].kind, sample::FaultKind::unknown_key);
    EXPECT_EQ(faults[0].line, static_cast<int>(at) + 1);
    EXPECT_EQ(faults[0].column, 1);
    EXPECT_EQ(faults[0].width, static_cast<int>(word.size()));
    ++tried;
  }
  EXPECT_GT(tried, 300);
}

TEST(Property, ARandomSectionIsAFault) {
  std::mt19937 random(7);
  const sample::Schema schema = sample::schema();
  for (int trial = 0; trial < 100; ++trial) {
    const std::string word = random_word(random) + "q";
    const std::string header = trial % 2 == 0 ? "[" + word + "]" : "[[" + word + "]]";
    const sample::Input input = sample::checked(sample::right_case() + header + "\ncfl = 1\n");
    ASSERT_EQ(input.faults().size(), 1u) << word;
    EXPECT_EQ(input.faults()[0].kind, sample::FaultKind::unknown_key);
  }
}

class PropertyOfCase : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Cases, PropertyOfCase,
                         ::testing::Values(sample::right_case(),
                                           sample::tables_head() + sample::tables_body()));

TEST_P(PropertyOfCase, RandomDamageNeverEscapesAsAnotherError) {
  std::mt19937 random(42);
  const std::string whole = GetParam();
  const std::string bytes = "[]{}\"'=,.#\\\n\t \xC3\xA9(x+-1e?:\x01";
  int faulty = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::string text = whole;
    for (std::size_t k = 0; k <= random() % 3; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = bytes[random() % bytes.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 5);
          break;
        default:
          text.insert(at, 1, bytes[random() % bytes.size()]);
      }
    }
    const std::vector<std::string> lines = lines_of(text);
    sample::Input input = sample::checked(text);
    ASSERT_NO_THROW({
      input.faults_text();
      input.faults_json();
      input.resolved_toml();
    }) << text;
    if (input.has_faults()) ++faulty;
    for (const sample::Fault& fault : input.faults()) {
      EXPECT_FALSE(fault.message.empty()) << text;
      EXPECT_LE(fault.line, static_cast<int>(lines.size()) + 1) << text;
      if (fault.line > 0 && static_cast<std::size_t>(fault.line) <= lines.size()) {
        const std::size_t length = lines[static_cast<std::size_t>(fault.line) - 1].size();
        EXPECT_GE(fault.column, 1) << text;
        EXPECT_LE(static_cast<std::size_t>(fault.column), length + 1) << text;
      }
    }
  }
  EXPECT_GT(faulty, 200);
}

// A section header without a name trips an assumption inside the TOML library (toml_reader.cpp).
TEST(Property, HeadersWithoutANameAreFaults) {
  for (const char* header : {"[", "[[", "[=]", "[.a]", "[[.a]]", "[]", "[[]]", "[#", "[,]", "[a.",
                             "[a.]", "[{", "[[[", "[\xC3\xA9]", "[+", "[ "}) {
    const sample::Input input = sample::checked(sample::right_case() + std::string(header) + "\n");
    ASSERT_EQ(input.faults().size(), 1u) << header << input.faults_text();
    EXPECT_EQ(input.faults()[0].kind, sample::FaultKind::syntax) << header;
    EXPECT_EQ(input.faults()[0].line, 34) << header;
  }
}

TEST_P(PropertyOfCase, RandomOptionsNeverEscapeAsAnotherError) {
  std::mt19937 random(3);
  const std::string bytes = "[]{}\"'=,.#\\\n timecflx0123456789ini[0].density";
  const std::vector<std::string> names = {"boundary", "x_lower",    "kind",   "patch[1]", "patch",
                                          "shape",    "initial[1]", "fluids", "physics",  "air",
                                          "walls",    "steel",      "gamma",  "time",     "cfl"};
  for (int trial = 0; trial < 400; ++trial) {
    std::string option;
    const std::size_t length = random() % 24;
    for (std::size_t i = 0; i < length; ++i) option += bytes[random() % bytes.size()];
    // Half of them made of names, so that some go deep.
    if (trial % 2 == 0) {
      option = names[random() % names.size()];
      for (std::size_t k = 0; k < random() % 4; ++k) option += "." + names[random() % names.size()];
      option += trial % 4 == 0 ? "=inflow" : "={ kind = \"inflow\", gamma = 2 }";
    }
    ASSERT_NO_THROW({
      const sample::Input input = sample::checked(GetParam(), {option, "boundary.x_lower=inflow"});
      input.faults_text();
      input.resolved_toml();
    }) << option;
  }
}
