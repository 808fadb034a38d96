// CSV time series; see the header. series.h5 is made in series_h5.cpp.
#include "run/series.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "run/appended_file.hpp"
#include "run/atomic_file.hpp"

namespace watersmeet::run {
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

// Header and the rows of steps up to last_step of an existing file.
std::string kept_rows(const std::string& path, const std::string& wanted, std::int64_t last_step) {
  const std::string old = read_text_file(path);
  std::string_view rest = old;
  std::string_view names, units;
  if (!next_line(rest, names) || !next_line(rest, units)) return wanted;  // killed in the header
  if (fmt::format("{}\n{}\n", names, units) != wanted) {
    throw Error(
        ErrorKind::io,
        fmt::format("{} has other columns than this run: \"{}\". Move it away to start a new "
                    "one",
                    path, names));
  }
  std::string kept = wanted;
  std::string_view line;
  while (next_line(rest, line)) {
    std::int64_t step = 0;
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), step);
    if (failure != std::errc{}) {
      throw Error(ErrorKind::io, fmt::format("{} has a damaged line: {}", path, line));
    }
    if (step <= last_step) kept += fmt::format("{}\n", line);
  }
  return kept;
}

}  // namespace

SeriesFile::SeriesFile(std::string path, std::vector<SeriesColumn> columns,
                       std::optional<std::int64_t> resume_step)
    : path_(std::move(path)), columns_(std::move(columns)) {
  const std::string wanted = header(columns_);
  const bool goes_on = resume_step && std::filesystem::exists(path_);
  write_text_file(path_, goes_on ? kept_rows(path_, wanted, *resume_step) : wanted);
  descriptor_ = open_for_append(path_);
}

SeriesFile::SeriesFile(SeriesFile&& other) noexcept
    : path_(std::move(other.path_)),
      columns_(std::move(other.columns_)),
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
    if (v % columns_.size() == columns_.size() - 1) text += '\n';
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
        throw Error(ErrorKind::io, fmt::format("{} has a damaged line: {}", path, line));
      }
      row.push_back(value);
    }
    if (row.size() != table.columns.size()) {
      throw Error(ErrorKind::io, fmt::format("{} has a damaged line: {}", path, line));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace watersmeet::run
