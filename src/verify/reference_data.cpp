#include "verify/reference_data.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/own_program.hpp"

namespace watersmeet::verify {

namespace {
// The folder of the reference data: $WATERSMEET_DATA, else share/watersmeet/validation beside the
// program's own folder, else that of the source tree. Error{io} when none of them is there.
std::string validation_directory() {
  namespace fs = std::filesystem;
  std::error_code error;
  if (const char* const asked = std::getenv("WATERSMEET_DATA"); asked != nullptr && *asked) {
    if (fs::is_directory(asked, error)) return asked;
    throw Error(ErrorKind::io,
                std::string("WATERSMEET_DATA is set to ") + asked + ", which is not a folder");
  }
  const fs::path installed = installed_path("share/watersmeet/validation");
  if (fs::is_directory(installed, error)) return installed.string();
  if (fs::is_directory(WATERSMEET_SOURCE_VALIDATION, error)) return WATERSMEET_SOURCE_VALIDATION;
  throw Error(ErrorKind::io,
              "the reference data are not installed; set WATERSMEET_DATA to the folder "
              "`validation` of the sources");
}
}  // namespace

std::vector<std::vector<double>> read_reference(const std::string& name) {
  const std::string path = validation_directory() + "/data/" + name;
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::io, "cannot read " + path);
  std::vector<std::vector<double>> columns;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (char& c : line) c = c == ',' ? ' ' : c;  // numbers apart by blanks or commas
    std::istringstream words(line);
    std::size_t c = 0;
    for (double value = 0; words >> value; ++c) {
      if (columns.size() <= c) columns.emplace_back();
      columns[c].push_back(value);
    }
  }
  for (const std::vector<double>& column : columns) {
    if (column.size() != columns[0].size())
      throw Error(ErrorKind::io, path + " has rows of different length");
  }
  if (columns.empty() || columns[0].size() < 2)
    throw Error(ErrorKind::io, path + " holds no table");
  return columns;
}

double interpolate(const std::vector<std::vector<double>>& table, std::size_t column, double x) {
  require(column < table.size(), "the reference table has fewer columns");
  const std::vector<double>&at = table[0], &values = table[column];
  std::size_t i = 1;
  while (i + 1 < at.size() && at[i] < x) ++i;
  return values[i - 1] + (values[i] - values[i - 1]) * (x - at[i - 1]) / (at[i] - at[i - 1]);
}

}  // namespace watersmeet::verify
