// watersmeet keys --outputs [SYSTEM]: every field and every column that a run may write, as text,
// Markdown (docs/reference/outputs.md) or JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/common_columns.hpp"
#include "run/known_system.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

struct Row {
  std::string name, unit, when, meaning;
};
struct Table {
  std::string system, kind, title;
  std::vector<Row> rows;
};

// Entries that differ only in how a progress line shows them are one row.
void add(std::vector<Row>& rows, Row row) {
  for (Row& other : rows) {
    if (other.name != row.name || other.meaning != row.meaning) continue;
    other.when += " or " + row.when;
    return;
  }
  rows.push_back(std::move(row));
}

std::vector<Row> rows_of(const std::vector<systems::SeriesColumn>& columns) {
  std::vector<Row> rows;
  for (const systems::SeriesColumn& c : columns) {
    const std::string former = c.former.empty() ? "" : " Formerly `" + c.former + "`.";
    add(rows, {c.name, c.units, c.when, c.definition + former});
  }
  return rows;
}

std::vector<Row> rows_of(const std::vector<systems::QuantityInfo>& fields) {
  std::vector<Row> rows;
  for (const systems::QuantityInfo& q : fields) {
    std::string meaning = q.long_name;
    if (q.components > 1) meaning += fmt::format("; {} components", q.components);
    if (!q.former.empty()) meaning += "; formerly `" + q.former + "`";
    add(rows, {q.name, q.units, q.when, meaning});
  }
  return rows;
}

std::vector<Table> tables_of(const systems::SystemEntry& system) {
  const systems::Outputs& outputs = system.outputs();
  std::vector<systems::SeriesColumn> spectra;
  for (const systems::SpectralField& field : outputs.spectra)
    for (const systems::SeriesColumn& column : run::columns_of(field)) spectra.push_back(column);
  return {{system.name, "field", "Fields", rows_of(outputs.fields)},
          {system.name, "series", "Columns of series.csv", rows_of(outputs.series)},
          {system.name, "spectra", "Columns of spectra.csv", rows_of(spectra)},
          {system.name, "profiles", "Columns of profiles.csv", rows_of(outputs.profiles)}};
}

std::vector<Table> common_tables() {
  std::vector<Row> series = rows_of(run::common_series_columns());
  series.insert(series.begin(), {"step", "1", "", "Number of steps since the start."});
  series.push_back({"PROBE_FIELD", "that of the field", "with output.probe",
                    "A field at the place of a probe; of a vector PROBE_FIELD_x, _y and _z."});
  return {{"", "series", "Columns of series.csv", series},
          {"", "spectra", "Columns of spectra.csv", rows_of(run::spectrum_columns())}};
}

std::string text_of(const Table& table) {
  std::string text = table.title + "\n";
  for (const Row& row : table.rows) {
    text += fmt::format("  {}; unit: {}{}\n      {}\n", row.name, row.unit,
                        row.when.empty() ? "" : "; " + row.when, row.meaning);
  }
  return text;
}

std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '<') result += '\\';  // no end of a cell, no tag
    result += c;
  }
  return result;
}

std::string markdown_of(const Table& table) {
  std::string text = fmt::format(
      "\n### {}\n\n| name | unit | which cases | meaning |\n| --- | --- | --- | --- |\n",
      table.title);
  for (const Row& row : table.rows) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, cell(row.unit),
                        row.when.empty() ? "all" : cell(row.when), cell(row.meaning));
  }
  return text;
}

constexpr const char* markdown_head =
    "# Outputs\n\n"
    "Every field that `output.fields` and probes may name and every column of the time series, by "
    "system: made by\n`watersmeet keys --outputs --format markdown`. Units are dimensions, of "
    "which a case in SI units has kg, m, s, K, Pa and J. Names in capitals stand\nfor those that "
    "the case chooses; `<q>` is the mean of q. Files: [files.md](files.md).\n";

}  // namespace

int command_outputs(const std::string& system, const std::string& format,
                    const CommonOptions& options) {
  std::vector<std::vector<Table>> sections;
  std::vector<std::string> titles;
  if (system.empty()) {
    sections.push_back(common_tables());
    titles.push_back("every system");
  }
  const std::string wanted = system.empty() ? "" : run::known_system(system);
  for (const systems::SystemEntry& entry : systems::all_systems()) {
    if (!wanted.empty() && entry.name != wanted) continue;
    sections.push_back(tables_of(entry));
    titles.push_back("system " + entry.name);
  }
  const bool markdown = format == "markdown";
  std::string text = markdown ? markdown_head : "";
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t s = 0; s < sections.size(); ++s) {
    text += (markdown ? "\n## " : s == 0 ? "# " : "\n# ") + titles[s] + "\n";
    for (const Table& table : sections[s]) {
      if (table.rows.empty()) continue;
      text += markdown ? markdown_of(table) : "\n" + text_of(table);
      for (const Row& row : table.rows) {
        rows.push_back({{"system", table.system},
                        {"kind", table.kind},
                        {"name", row.name},
                        {"unit", row.unit},
                        {"when", row.when},
                        {"meaning", row.meaning}});
      }
    }
  }
  if (options.json) text = rows.dump(2) + "\n";
  fmt::print("{}", text);
  return 0;
}

}  // namespace watersmeet
