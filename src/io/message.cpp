// Errors as the program shows them; see message.hpp and the messages in watersmeet/commands.hpp.
#include "io/message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "config/nearest.hpp"
#include "core/enum_name.hpp"
#include "core/error.hpp"
#include "io/terminal.hpp"

namespace watersmeet {
namespace io {
namespace {

constexpr const char* red = "\033[1;31m";
constexpr const char* blue = "\033[1;34m";
constexpr const char* plain = "\033[0m";

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Length of "error[range]:" or "error:" at the start of a line; 0 when there is none.
std::size_t heading_length(std::string_view line, std::string_view word) {
  if (line.substr(0, word.size()) != word) return 0;
  const std::size_t colon = line.find(':');
  const bool ends = colon == word.size();
  const bool has_kind = line.size() > word.size() && line[word.size()] == '[' &&
                        colon != std::string_view::npos && line[colon - 1] == ']';
  return ends || has_kind ? colon + 1 : 0;
}

std::string colored_line(std::string_view line) {
  for (const auto& [word, color] : {std::pair<const char*, const char*>{"error", red},
                                    {"internal error", red},
                                    {"warning", blue},
                                    {"note", blue}}) {
    if (const std::size_t n = heading_length(line, word); n > 0) {
      return fmt::format("{}{}{}{}", color, line.substr(0, n), plain, line.substr(n));
    }
  }
  const std::size_t bar = line.find_first_not_of(' ');
  if (bar != std::string_view::npos && line[bar] == '|') {
    const std::size_t first = line.find_first_not_of(' ', bar + 1);
    if (first != std::string_view::npos && line[first] == '^') {
      return fmt::format("{}{}{}{}", line.substr(0, first), red, line.substr(first), plain);
    }
  }
  return std::string(line);
}

}  // namespace

bool use_color(const CommonOptions& options, int descriptor) {
  if (options.color == "always") return true;
  if (options.color == "never" || options.json || is_set("NO_COLOR")) return false;
  const char* const terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return terminal_columns(descriptor) > 0;
}

std::string colored(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += colored_line(std::string_view(text).substr(begin, end - begin));
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1000.0 && unit + 1 < units.size()) {
    bytes /= 1024.0;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} B", bytes);
  return fmt::format("{:.{}f} {}", bytes, bytes < 99.5 ? 1 : 0, units[unit]);
}

std::string size_text(const Index3& n) { return fmt::format("{}", fmt::join(n, " x ")); }

std::string sizes_text(const std::vector<Index3>& blocks) {
  constexpr std::size_t most = 6;
  std::vector<std::string> sizes;
  for (std::size_t b = 0; b < std::min(blocks.size(), most); ++b) {
    sizes.push_back(size_text(blocks[b]));
  }
  if (blocks.size() > most) sizes.emplace_back("...");
  return fmt::format("{}", fmt::join(sizes, ", "));
}

std::string count_text(double count) {
  constexpr std::array units{"", " k", " M", " G", " T", " P"};
  if (count < 10000) return fmt::format("{:.0f}", count);
  std::size_t unit = 0;
  while (count >= 999.5 && unit + 1 < units.size()) {
    count /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.{}f}{}", count, count < 9.995 ? 2 : count < 99.95 ? 1 : 0, units[unit]);
}

std::string number_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 1 : 0);
  if (seconds < 5970) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 171000) return fmt::format("{:.1f} h", seconds / 3600);
  if (seconds < 86400 * 1000.0) return fmt::format("{:.1f} d", seconds / 86400);
  return fmt::format("{:.3g} years", seconds / (86400 * 365.25));
}

std::string printable(const std::string& text) {
  std::string shown = nlohmann::json::parse(json_text(text)).get<std::string>();
  for (char& c : shown) {
    if ((c >= 0 && c < ' ') || c == '\x7f') c = '?';
  }
  return shown;
}

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace io

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(ErrorKind kind) {
  return enum_name<ErrorKind::internal>({"user-input", "unsupported", "io", "resource", "device",
                                         "communication", "diverged", "internal"},
                                        kind);
}

std::string one_fault(const std::string& kind, const std::string& found, const std::string& allowed,
                      const std::string& suggestion, const std::string& message) {
  const Json fault = {{"file", ""},
                      {"line", 0},
                      {"column", 0},
                      {"key", ""},
                      {"found", found},
                      {"allowed", allowed},
                      {"suggestion", suggestion},
                      {"kind", kind},
                      {"message", message}};
  return Json::array({fault}).dump(2, ' ', false, Json::error_handler_t::replace);
}

// std::thread throws this where its stack has no memory, or where no more threads are allowed.
bool lacks_thread(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  return system != nullptr && system->code() == std::errc::resource_unavailable_try_again;
}

// Kind, text and JSON of any exception. Only a fault of the program itself asks for a report.
struct Report {
  std::string kind, text, json;
};

Report report_of(const std::exception& error) {
  if (const auto* const known = dynamic_cast<const Error*>(&error)) {
    const std::string message = known->what();
    const bool complete = message.rfind("error[", 0) == 0 || message.rfind("error:", 0) == 0;
    if (known->kind() == ErrorKind::internal) {
      return {"internal",
              "internal error: " + message +
                  "\n   = this is a fault of the program; please report it with the case",
              ""};
    }
    return {name_of(known->kind()), complete ? message : "error: " + message, known->json()};
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {"resource", "error: not enough host memory\n   = try fewer grid.cells", ""};
  }
  if (lacks_thread(error)) {
    return {"resource",
            "error: a thread cannot be started: not enough host memory, or too many threads", ""};
  }
  return {"internal",
          fmt::format("internal error: {}\n   = this is a fault of the program; please report it "
                      "with the case",
                      error.what()),
          ""};
}

}  // namespace

int exit_status_of(const std::exception& error) {
  if (const auto* const known = dynamic_cast<const Error*>(&error)) {
    return exit_status(known->kind());
  }
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr || lacks_thread(error) ? 3 : 1;
}

std::string message_of(const std::exception& error, const CommonOptions& options) {
  Report report = report_of(error);
  if (options.json) {
    const bool plain_text = report.json.empty();
    return (plain_text ? one_fault(report.kind, "", "", "", error.what()) : report.json) + "\n";
  }
  while (!report.text.empty() && report.text.back() == '\n') report.text.pop_back();
  report.text += '\n';
  return io::use_color(options, STDERR_FILENO) ? io::colored(report.text) : report.text;
}

std::string kind_of(const std::exception& error) { return report_of(error).kind; }

void refuse(const WordFault& fault) {
  std::string text = fmt::format("error[{}]: {}", fault.kind, fault.message);
  if (!fault.suggestion.empty()) text += "\n   = " + fault.suggestion;
  if (!fault.allowed.empty()) text += "\n   = " + fault.allowed;
  throw Error(fault.absent ? ErrorKind::resource : ErrorKind::user_input, text,
              one_fault(fault.kind, fault.found, fault.allowed, fault.suggestion, fault.message));
}

void io::refuse_flag(const std::string& flag, const std::string& message,
                     const std::string& suggestion) {
  refuse({.kind = "bad-value",
          .found = flag,
          .message = message,
          .suggestion = suggestion,
          .allowed = {}});
}

std::optional<std::string> nearest_word(const std::string& word,
                                        const std::vector<std::string>& candidates) {
  return config::nearest(word, candidates);
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const auto near = config::nearest(word, candidates);
  return near ? "did you mean `" + *near + "`?" : "";
}

}  // namespace watersmeet
