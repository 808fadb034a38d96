// CSV time series; see the header. series.h5 is made in series_h5.cpp.
#include "io/series.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "io/appended_file.hpp"
#include "io/atomic_file.hpp"

namespace watersmeet::io {
namespace {

constexpr std::string_view units_mark = "# units: ";

std::string header(const std::vector<SeriesColumn>& columns) {
  std::string names = "step";
  std::string units = "1";
  for (const SeriesColumn& column : columns) {
    for (const std::string& text : {column.name, column.units}) {
      require(text.find_first_of(",\"\n\r") == std::string::npos,
              "a column's name or units must not hold a comma, quote or line end");
    }
    names += "," + column.name;
    units += "," + column.units;
  }
  return fmt::format("{}\n{}{}\n", names, units_mark, units);
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> parts;
  while (true) {
    const auto comma = line.find(',');
    parts.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    line.remove_prefix(comma + 1);
  }
}

// Takes the next whole line off the text; false where none is left (an unfinished last line is no
// line).
bool next_line(std::string_view& text, std::string_view& line) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

[[noreturn]] void refuse_line(const std::string& path, std::string_view line) {
  throw Error(ErrorKind::io, fmt::format("{} has a damaged line: {}", path, line));
}

// A file that a resumed run continues: all its columns, and its rows under them.
struct Continued {
  std::vector<SeriesColumn> former;  // that the run has no longer
  std::string rows;
};

// Rows of steps up to last_step, their numbers moved to the columns of this run, then those that it
// has no longer; `nan` in columns that are new. Columns of one name must be of one unit.
Continued continued(const std::string& path, const std::vector<SeriesColumn>& columns,
                    std::int64_t last_step) {
  const std::string old = read_text_file(path);
  std::string_view rest = old;
  std::string_view names, units;
  Continued result;
  if (!next_line(rest, names) || !next_line(rest, units)) return result;  // killed in the header
  if (!units.starts_with(units_mark)) refuse_line(path, units);
  units.remove_prefix(units_mark.size());
  const auto old_names = split(names), old_units = split(units);
  if (old_names.size() != old_units.size() || old_names[0] != "step" ||
      names.find_first_of("\"\r") != std::string_view::npos) {
    refuse_line(path, names);
  }
  if (units.find_first_of("\"\r") != std::string_view::npos) refuse_line(path, units);
  constexpr std::size_t is_new = 0;  // column 0 of a file is the step
  std::vector<std::size_t> from(columns.size(), is_new);
  for (std::size_t c = 1; c < old_names.size(); ++c) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& other) {
      return other.name == old_names[c] || (!other.former.empty() && other.former == old_names[c]);
    });
    if (found == columns.end()) {
      result.former.push_back({old_names[c], old_units[c]});
      from.push_back(c);
      continue;
    }
    if (found->units != old_units[c]) {
      throw Error(ErrorKind::io,
                  fmt::format("{} has the column {} in {}, and this run has it in {}. Move the "
                              "file away to start a new one",
                              path, found->name, old_units[c], found->units));
    }
    from[static_cast<std::size_t>(found - columns.begin())] = c;
  }
  std::string_view line;
  while (next_line(rest, line)) {
    std::int64_t step = 0;
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), step);
    if (failure != std::errc{}) refuse_line(path, line);
    if (step > last_step) continue;
    const std::vector<std::string> cells = split(line);
    if (cells.size() != old_names.size()) refuse_line(path, line);
    result.rows += cells[0];
    for (const std::size_t c : from) result.rows += "," + (c == is_new ? "nan" : cells[c]);
    result.rows += '\n';
  }
  return result;
}

}  // namespace

SeriesFile::SeriesFile(std::string path, std::vector<SeriesColumn> columns,
                       std::optional<std::int64_t> resume_step)
    : path_(std::move(path)), columns_(std::move(columns)) {
  Continued before;
  if (resume_step && std::filesystem::exists(path_)) {
    before = continued(path_, columns_, *resume_step);
  }
  former_ = before.former.size();
  std::vector<SeriesColumn> all = columns_;
  all.insert(all.end(), before.former.begin(), before.former.end());
  write_text_file(path_, header(all) + before.rows);
  descriptor_ = open_for_append(path_);
}

SeriesFile::SeriesFile(SeriesFile&& other) noexcept
    : path_(std::move(other.path_)),
      columns_(std::move(other.columns_)),
      former_(other.former_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

SeriesFile::~SeriesFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SeriesFile::append(std::int64_t step, const std::vector<double>& values) {
  require(!columns_.empty() && values.size() % columns_.size() == 0,
          "a row needs one value per column");
  std::string text;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (v % columns_.size() == 0) text += fmt::format("{}", step);
    text += fmt::format(",{:.17g}", values[v]);
    if (v % columns_.size() != columns_.size() - 1) continue;
    for (std::size_t c = 0; c < former_; ++c) text += ",nan";
    text += '\n';
  }
  append_text(descriptor_, path_, text);
}

SeriesTable read_series(const std::string& path) {
  const std::string text = read_text_file(path);
  std::string_view rest = text;
  std::string_view names, units;
  if (!next_line(rest, names) || !next_line(rest, units) || !units.starts_with(units_mark)) {
    throw Error(ErrorKind::io, fmt::format("{} does not begin with names and units", path));
  }
  units.remove_prefix(units_mark.size());
  const auto name_list = split(names);
  const auto unit_list = split(units);
  if (name_list.size() != unit_list.size()) {
    throw Error(ErrorKind::io,
                fmt::format("{}: {} names but {} units", path, name_list.size(), unit_list.size()));
  }
  SeriesTable table;
  for (std::size_t c = 0; c < name_list.size(); ++c) {
    table.columns.push_back({name_list[c], unit_list[c]});
  }
  std::string_view line;
  while (next_line(rest, line)) {
    std::vector<double> row;
    for (const std::string& cell : split(line)) {
      double value = 0;
      const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (failure != std::errc{} || end != cell.data() + cell.size()) {
        refuse_line(path, line);
      }
      row.push_back(value);
    }
    constexpr double most_steps = 9007199254740992;  // 2^53: a double holds each number below
    if (row.size() != table.columns.size() ||
        !(row[0] >= 0 && row[0] < most_steps && row[0] == std::floor(row[0])))
      refuse_line(path, line);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace watersmeet::io
