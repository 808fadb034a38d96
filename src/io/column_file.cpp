#include "io/column_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "config/si_units.hpp"
#include "core/error.hpp"
#include "io/message.hpp"

namespace watersmeet::io {
namespace {

using Words = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::user_input, message);
}

std::ifstream opened(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(ErrorKind::io, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  return file;
}

// Between separators of one kind: commas, semicolons or tabs where there are any, else blanks.
// A comment sign before the columns is not one of them.
Words words_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of("#!% \t\r");
  if (begin == std::string::npos) return {};
  const std::string text = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  const auto trimmed = [](const std::string& word) {
    const std::size_t first = word.find_first_not_of(" \t\"'");
    return first == std::string::npos
               ? std::string()
               : word.substr(first, word.find_last_not_of(" \t\"'") + 1 - first);
  };
  Words words;
  for (const char separator : {';', ',', '\t'}) {
    if (text.find(separator) == std::string::npos) continue;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(separator, at), text.size());
      words.push_back(trimmed(text.substr(at, end - at)));
      at = end + 1;
    }
    return words;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return words;
}

std::optional<double> number_of(const std::string& word) {
  const char* const begin = word.data() + (word.size() > 1 && word[0] == '+' ? 1 : 0);
  const char* const end = word.data() + word.size();
  double number = 0;
  const auto read = std::from_chars(begin, end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::vector<double>> row_of(const Words& words) {
  std::vector<double> row;
  for (const std::string& word : words) {
    const std::optional<double> number = number_of(word);
    if (!number) return std::nullopt;
    row.push_back(*number);
  }
  return row.empty() ? std::nullopt : std::optional(row);
}

struct Columns {
  std::vector<Words> heads;  // lines above the rows, as words
  std::vector<std::vector<double>> rows;
  std::size_t width = 0;
};

Columns columns_of(const std::string& path) {
  std::ifstream file = opened(path);
  Columns all;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const Words words = words_of(line);
    if (words.empty()) continue;
    const std::optional<std::vector<double>> row = row_of(words);
    if (row && all.rows.empty()) all.width = row->size();
    if (row && row->size() == all.width) {
      all.rows.push_back(*row);
    } else if (all.rows.empty()) {
      all.heads.push_back(words);
    } else if (line.find_first_of("#!%") != line.find_first_not_of(" \t")) {
      refuse(fmt::format("{}, line {}: {} where the rows above have {} numbers", path, number,
                         row ? fmt::format("{} numbers stand", row->size())
                             : fmt::format("`{}` stands", line.substr(0, 40)),
                         all.width));
    }
  }
  if (all.rows.empty()) refuse(path + ": no line of it is a row of numbers");
  return all;
}

// The heads that may name columns, the one next to the rows first.
std::vector<Words> names_of(const Columns& columns) {
  std::vector<Words> names;
  for (auto head = columns.heads.rbegin(); head != columns.heads.rend(); ++head) {
    if (head->size() == columns.width) names.push_back(*head);
  }
  return names;
}

std::size_t place_of(const std::string& column, const Columns& columns, const std::string& path) {
  const std::vector<Words> heads = names_of(columns);
  for (const Words& names : heads) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  }
  const std::optional<double> number = number_of(column);
  if (number && *number == std::floor(*number)) {
    if (*number >= 1 && *number <= static_cast<double>(columns.width))
      return static_cast<std::size_t>(*number) - 1;
    refuse(fmt::format("no column {} in {}, which has {}", column, path, columns.width));
  }
  refuse(fmt::format("no column `{}` in {}; {}", column, path,
                     heads.empty()
                         ? fmt::format("no line above its rows has {} words; call a column by its "
                                       "number, 1 to {}",
                                       columns.width, columns.width)
                         : fmt::format("its columns are {}", fmt::join(heads.back(), ", "))));
}

}  // namespace

bool is_text_file(const std::string& path) {
  std::ifstream file = opened(path);
  std::array<char, 4096> bytes{};
  file.read(bytes.data(), bytes.size());
  const std::streamsize read = file.gcount();
  return read > 0 && std::none_of(bytes.begin(), bytes.begin() + read, [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t';
         });
}

config::Table read_columns(const config::TableSource& source) {
  if (source.component)
    refuse(source.file + " is a text file, whose columns have no components; remove `component`");
  if (source.periods.size() > 1) {
    refuse(fmt::format("period has {} numbers; a table of columns has one argument",
                       source.periods.size()));
  }
  const Columns columns = columns_of(source.file);
  const std::size_t value = place_of(source.field, columns, source.file);
  const std::size_t argument =
      source.over.empty() ? 0 : place_of(source.over, columns, source.file);
  if (argument == value) {
    refuse(fmt::format("column {} of {} is both the argument and the values of the table",
                       value + 1, source.file));
  }
  config::Table::Axis axis;
  std::vector<double> values;
  for (const std::vector<double>& row : columns.rows) {
    if (std::isnan(row[argument]) || std::isnan(row[value])) continue;
    axis.at.push_back(config::in_si_units(source.over_unit, row[argument]));
    values.push_back(config::in_si_units(source.unit, row[value]));
  }
  if (values.size() < 2) {
    refuse(fmt::format("{} has {} of numbers; a table needs two or more", source.file,
                       counted(values.size(), "row")));
  }
  if (!source.periods.empty()) axis.period = source.periods[0];
  return config::Table({std::move(axis)}, std::move(values));
}

}  // namespace watersmeet::io
