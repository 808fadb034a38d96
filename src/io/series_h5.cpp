// series.h5 from the CSV files: /t, /step, /NAME, /spectra/{step,t,k,NAME} and, with the coordinate
// of its planes for k, /profiles. t and k are dimension scales, so that netCDF tools find the axes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/series.hpp"

namespace watersmeet::io {
namespace {

std::vector<double> column(const SeriesTable& table, std::size_t c) {
  std::vector<double> values;
  values.reserve(table.rows.size());
  for (const auto& row : table.rows) values.push_back(row[c]);
  return values;
}

std::vector<std::int64_t> steps(const std::vector<double>& values) {
  std::vector<std::int64_t> numbers;
  for (const double v : values) numbers.push_back(static_cast<std::int64_t>(v));
  return numbers;
}

std::size_t find_column(const SeriesTable& table, const std::string& name,
                        const std::string& path) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return c;
  }
  throw Error(ErrorKind::io, fmt::format("{} has no column {}", path, name));
}

Hdf5Dataset write_scale(Hdf5Group& group, const SeriesColumn& column,
                        const std::vector<double>& values) {
  Hdf5Dataset scale = group.create_dataset(column.name, values);
  scale.make_scale(column.name);
  scale.set("units", column.units);
  return scale;
}

void write_scalars(Hdf5Group& root, const SeriesTable& table, const std::string& path) {
  const std::size_t t = find_column(table, "t", path);
  const Hdf5Dataset times = write_scale(root, table.columns[t], column(table, t));
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c == t) continue;
    const SeriesColumn& description = table.columns[c];
    Hdf5Dataset dataset = c == 0 ? root.create_dataset("step", steps(column(table, 0)))
                                 : root.create_dataset(description.name, column(table, c));
    dataset.set("units", description.units);
    dataset.attach_scale(0, times);
  }
}

// A long table: columns step, t, the coordinate k of a line (a wave number, the place of a plane),
// and what is given along it.
void write_lines(Hdf5Group group, const SeriesTable& table, const std::string& path) {
  const std::size_t t = find_column(table, "t", path);
  const std::size_t k = t + 1;
  if (k == table.columns.size())
    throw Error(ErrorKind::io, fmt::format("{} has no column after t", path));
  const std::vector<double> all_k = column(table, k);
  const std::vector<double> all_t = column(table, t);
  const std::vector<double> all_steps = column(table, 0);
  // Rows of one step stand together; the first block has the coordinates.
  const auto block_end = std::find_if(all_steps.begin(), all_steps.end(),
                                      [&](double s) { return s != all_steps.front(); });
  const auto n_k = static_cast<std::size_t>(block_end - all_steps.begin());
  const std::size_t n_t = n_k == 0 ? 0 : all_steps.size() / n_k;
  std::vector<double> times, step_numbers;
  for (std::size_t row = 0; row < all_steps.size(); ++row) {
    if (row % n_k == 0) {
      times.push_back(all_t[row]);
      step_numbers.push_back(all_steps[row]);
    }
    if (all_steps.size() % n_k != 0 || all_steps[row] != step_numbers.back() ||
        all_k[row] != all_k[row % n_k]) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: not every step has the same {}", path, table.columns[k].name));
    }
  }
  const Hdf5Dataset time_scale = write_scale(group, table.columns[t], times);
  const Hdf5Dataset k_scale = write_scale(
      group, table.columns[k], {all_k.begin(), all_k.begin() + static_cast<std::ptrdiff_t>(n_k)});
  Hdf5Dataset numbers = group.create_dataset("step", steps(step_numbers));
  numbers.set("units", "1");
  numbers.attach_scale(0, time_scale);
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    if (c == t || c == k) continue;
    const std::vector<double> values = column(table, c);
    Hdf5Dataset dataset =
        group.create_dataset(table.columns[c].name, ElementType::float64, {n_t, n_k});
    if (!values.empty()) dataset.write(values.data(), ElementType::float64);
    dataset.set("units", table.columns[c].units);
    dataset.attach_scale(0, time_scale);
    dataset.attach_scale(1, k_scale);
  }
}

}  // namespace

void write_series_h5(const std::string& directory) {
  const std::string scalars = join(directory, "series.csv");
  const SeriesTable table = read_series(scalars);
  Hdf5File file = Hdf5File::create(join(directory, "series.h5"));
  file.root().set("Conventions", "CF-1.9");
  write_scalars(file.root(), table, scalars);
  for (const char* const name : {"spectra", "profiles"}) {
    const std::string lines = join(directory, std::string(name) + ".csv");
    if (std::filesystem::exists(lines)) {
      write_lines(file.root().create_group(name), read_series(lines), lines);
    }
  }
  file.finish();
}

}  // namespace watersmeet::io
