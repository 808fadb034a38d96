#include "config/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/enum_name.hpp"

namespace watersmeet::config {
namespace {

constexpr std::size_t longest_excerpt = 160;

// Byte offsets of the characters of a UTF-8 line, and of its end.
std::vector<std::size_t> character_starts(const std::string& line) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  starts.push_back(line.size());
  return starts;
}

// The shown part of the line: a window around the place when the line is very long. Tabs become
// single blanks, so that columns and carets agree.
struct Excerpt {
  std::string text;
  std::size_t caret;  // blanks before the caret
};

Excerpt excerpt_of(const Fault& fault) {
  std::string line = fault.excerpt;
  std::replace(line.begin(), line.end(), '\t', ' ');
  const std::vector<std::size_t> starts = character_starts(line);
  const std::size_t length = starts.size() - 1;
  const auto place = static_cast<std::size_t>(std::max(fault.column, 1) - 1);
  if (length <= longest_excerpt) return {line, place};
  const std::size_t first = place < longest_excerpt / 2 ? 0 : place - longest_excerpt / 2;
  const std::size_t last = std::min(length, first + longest_excerpt);
  Excerpt result{line.substr(starts[first], starts[last] - starts[first]), place - first};
  if (first > 0) {
    result.text = "..." + result.text;
    result.caret += 3;
  }
  if (last < length) result.text += "...";
  return result;
}

}  // namespace

const char* name_of(FaultKind kind) {
  return enum_name<FaultKind::missing_file>(
      {"syntax", "unknown-key", "bad-type", "range", "bad-value", "bad-expression", "missing-key",
       "conflict", "missing-file"},
      kind);
}

void sort_faults(std::vector<Fault>& faults) {
  const auto rank = [](const Fault& f) {
    const int group = f.option > 0 ? 2 : (f.line > 0 ? 0 : 1);
    return std::make_tuple(group, group == 2 ? f.option : f.line, f.column);
  };
  std::stable_sort(faults.begin(), faults.end(),
                   [&](const Fault& a, const Fault& b) { return rank(a) < rank(b); });
}

std::string render(const Fault& fault) {
  const std::string number = fault.line > 0 ? std::to_string(fault.line) : "";
  const std::size_t margin = std::max<std::size_t>(2, number.size());
  std::string text = fmt::format("error[{}]: {}\n", name_of(fault.kind), fault.message);
  if (!fault.file.empty()) {
    text += "  --> " + fault.file;
    if (fault.line > 0) text += fmt::format(":{}:{}", fault.line, fault.column);
    text += "\n";
  }
  if (fault.column > 0) {
    const Excerpt excerpt = excerpt_of(fault);
    text += fmt::format("{:{}} |\n", "", margin);
    text += fmt::format("{:>{}} | {}\n", number, margin, excerpt.text);
    text += fmt::format("{:{}} | {:{}}{:^>{}}", "", margin, "", excerpt.caret, "",
                        std::clamp(fault.width, 1, static_cast<int>(longest_excerpt)));
    if (!fault.suggestion.empty()) text += " " + fault.suggestion;
    text += "\n";
  } else if (!fault.suggestion.empty()) {
    text += fmt::format("{:{}} = {}\n", "", margin, fault.suggestion);
  }
  if (!fault.note.empty()) text += fmt::format("{:{}} = {}\n", "", margin, fault.note);
  return text;
}

std::string render_note(const Fault& fault) {
  const std::string text = render(fault);
  return "note" + text.substr(text.find(": "));
}

std::string render(const std::vector<Fault>& faults, const std::string& file) {
  std::string text;
  for (const Fault& fault : faults) text += render(fault) + "\n";
  return text + fmt::format("{} {} in {}; nothing was run", faults.size(),
                            faults.size() == 1 ? "error" : "errors", file);
}

Error error_at(Fault place, const std::string& message, const std::string& suggestion) {
  place.message = message;
  place.suggestion = suggestion;
  std::string text = render(place);
  text.pop_back();  // the line feed
  return Error(ErrorKind::user_input, text, to_json({std::move(place)}));
}

std::string shown(double value) { return std::isnan(value) ? "nan" : fmt::format("{:g}", value); }

std::string to_json(const std::vector<Fault>& faults) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Fault& fault : faults) {
    list.push_back({{"file", fault.file},
                    {"line", fault.line},
                    {"column", fault.column},
                    {"key", fault.key},
                    {"found", fault.found},
                    {"allowed", fault.allowed},
                    {"suggestion", fault.suggestion},
                    {"kind", name_of(fault.kind)},
                    {"message", fault.message}});
  }
  // Text that is not UTF-8 can be quoted in a fault; it must not make the report fail.
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace watersmeet::config
