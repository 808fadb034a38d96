#include "commands/examples.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/nearest.hpp"
#include "core/error.hpp"
#include "core/own_program.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::commands {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The first line of text, without the marks of a heading or comment.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of("# \t\r");
    if (begin == std::string::npos) continue;
    return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
  }
  return "";
}

std::vector<std::string> names_of(const std::vector<Example>& examples) {
  std::vector<std::string> names;
  for (const Example& example : examples) names.push_back(example.name);
  return names;
}

// The nearest of the names, else all of which the word is a part (`taylor` of taylor-green), each with the
// variant that the user gave.
std::string nearest_names(const std::string& word, const std::string& variant,
                          const std::vector<std::string>& names) {
  std::vector<std::string> found;
  if (const auto near = nearest_word(word, names)) {
    found.push_back(*near + variant);
  } else {
    for (const std::string& name : names) {
      if (word.size() >= 3 && name.find(word) != std::string::npos) found.push_back(name + variant);
    }
  }
  return found.empty() ? "" : "did you mean " + config::join(found, " or ", "`") + "?";
}

[[noreturn]] void refuse_name(const std::string& word, const std::vector<Example>& examples) {
  std::vector<std::string> candidates = names_of(examples);
  std::error_code error;
  for (fs::directory_iterator it(".", error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".toml") candidates.push_back(it->path().filename().string());
  }
  const std::size_t slash = std::min(word.find('/'), word.size());
  std::string suggestion = nearest_names(word.substr(0, slash), word.substr(slash), candidates);
  if (suggestion.empty()) suggestion = did_you_mean(word + ".toml", candidates);
  refuse({.kind = "missing-file",
          .found = word,
          .message = "no case file and no example `" + word + "`",
          .suggestion = suggestion,
          .allowed = examples.empty()
                         ? "no examples are installed; $WATERSMEET_EXAMPLES names their folder"
                         : "examples: " + config::join(names_of(examples)) +
                               "        (watersmeet new --list)",
          .absent = true});
}

[[noreturn]] void refuse_variant(const Example& example, const std::string& variant) {
  const std::string near = did_you_mean(variant, example.variants);
  refuse({.kind = "missing-file",
          .found = example.name + "/" + variant,
          .message = "the example " + example.name + " has no variant `" + variant + "`",
          .suggestion = near,
          .allowed = example.variants.empty() ? "it has no variants: " + example.name
                                              : "its variants: " + config::join(example.variants),
          .absent = true});
}

// The files *.toml of an example besides case.toml, without their ending.
std::vector<std::string> variants_in(const fs::path& folder) {
  std::vector<std::string> variants;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path& path = it->path();
    if (path.extension() == ".toml" && path.stem() != "case" && is_file(path))
      variants.push_back(path.stem().string());
  }
  std::sort(variants.begin(), variants.end());
  return variants;
}

}  // namespace

bool Example::has(const std::string& variant) const {
  return std::find(variants.begin(), variants.end(), variant) != variants.end();
}

std::string examples_directory() {
  if (const char* const asked = std::getenv("WATERSMEET_EXAMPLES"); asked != nullptr && *asked) {
    if (is_folder(asked)) return asked;
    throw Error(ErrorKind::user_input,
                std::string("WATERSMEET_EXAMPLES is set to ") + asked + ", which is not a folder");
  }
  const fs::path installed = installed_path("share/watersmeet/examples");
  if (is_folder(installed)) return installed.string();
  return is_folder(WATERSMEET_SOURCE_EXAMPLES) ? WATERSMEET_SOURCE_EXAMPLES : "";
}

std::vector<Example> list_examples() {
  std::vector<Example> examples;
  const std::string folder = examples_directory();
  std::error_code error;
  if (folder.empty()) return examples;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path path = it->path();
    if (!is_file(path / "case.toml")) continue;
    std::string title = first_line(path / "README.md");
    if (title.empty()) title = first_line(path / "case.toml");
    examples.push_back({path.filename().string(), path.string(), title, variants_in(path)});
  }
  std::sort(examples.begin(), examples.end(),
            [](const Example& a, const Example& b) { return a.name < b.name; });
  return examples;
}

bool is_example(const std::string& name) {
  const std::vector<Example> examples = list_examples();
  return std::any_of(examples.begin(), examples.end(),
                     [&](const Example& e) { return e.name == name; });
}

std::string resolve_case(const std::string& case_or_example, bool quick) {
  const fs::path path(case_or_example);
  // A name that is written as a file is treated as one, also when it is missing.
  if (path.extension() == ".toml" || is_file(path)) return case_or_example;
  const std::size_t slash = case_or_example.find('/');
  const std::string name = case_or_example.substr(0, slash);
  const std::vector<Example> examples = list_examples();
  for (const Example& example : examples) {
    if (example.name != name) continue;
    const bool alone = slash == std::string::npos || slash + 1 == case_or_example.size();
    const std::string variant = !alone  ? case_or_example.substr(slash + 1)
                                : quick ? std::string("quick")
                                        : std::string("case");
    if (variant != "case" && !example.has(variant)) refuse_variant(example, variant);
    return (fs::path(example.directory) / (variant + ".toml")).string();
  }
  // Below a folder that exists the word is a path; so is one that begins with a stroke.
  const bool below = slash != std::string::npos && (slash == 0 || is_folder(name));
  if (is_folder(path) || below) return case_or_example;
  refuse_name(case_or_example, examples);
}

}  // namespace watersmeet::commands

std::string watersmeet::case_file(const std::string& case_or_example) {
  return commands::resolve_case(case_or_example);
}
