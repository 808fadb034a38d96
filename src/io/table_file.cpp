#include "io/table_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <limits>

#include "config/si_units.hpp"
#include "core/error.hpp"
#include "io/column_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/message.hpp"

namespace watersmeet::io {
namespace {

constexpr std::uint64_t most_values = 1u << 30;  // 8 GiB in each rank

[[noreturn]] void refuse_table(const std::string& message) {
  throw Error(ErrorKind::user_input, message);
}

// What netCDF calls its classic formats begins otherwise than HDF5.
void check_format(const std::string& path) {
  char begin[3] = {};
  std::ifstream(path, std::ios::binary).read(begin, 3);
  if (std::string(begin, 3) == "CDF") {
    refuse_table(
        path +
        " is a classic netCDF file; only netCDF-4 can be read. Convert it: nccopy -k nc4 OLD NEW");
  }
  require_hdf5(path);
}

std::string names_of(const Hdf5Group& group) {
  const std::vector<std::string> names = group.names();
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

std::string size_text(const Extents& extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

std::vector<double> read_numbers(const Hdf5Dataset& dataset, const Extents& start,
                                 const Extents& count, std::size_t size) {
  std::vector<double> numbers(size);
  dataset.read_box(start, count, numbers.data(), ElementType::float64);
  const auto replace = [&](const char* attribute) {
    if (!dataset.has(attribute)) return;
    const double missing = dataset.real(attribute);
    std::replace(numbers.begin(), numbers.end(), missing, std::numeric_limits<double>::quiet_NaN());
  };
  replace("_FillValue");
  replace("missing_value");
  const double scale = dataset.has("scale_factor") ? dataset.real("scale_factor") : 1;
  const double offset = dataset.has("add_offset") ? dataset.real("add_offset") : 0;
  if (scale != 1 || offset != 0) {
    for (double& number : numbers) number = number * scale + offset;
  }
  return numbers;
}

std::vector<double> read_coordinates(const std::string& file, const Hdf5Group& root,
                                     const std::string& field, const Hdf5Dataset& values,
                                     std::size_t axis, std::size_t from_last, std::uint64_t size) {
  const std::size_t slash = field.find_last_of('/');
  const std::string group = slash == std::string::npos ? "" : field.substr(0, slash + 1);
  std::string name = values.scale_of(static_cast<int>(axis));
  if (name.empty() && from_last < 3) name = group + std::array{"x", "y", "z"}[from_last];
  if (name.empty() || !root.exists(name)) {
    refuse_table(fmt::format(
        "{}: axis {} (from 0) of `{}`, with {} entries, has no coordinates. Attach a dimension "
        "scale to it{}",
        file, axis, field, size,
        name.empty() ? "" : fmt::format(", or write a dataset `{}` of {} numbers", name, size)));
  }
  const Hdf5Dataset coordinates = root.open_dataset(name);
  const Extents extents = coordinates.extents();
  if (extents.size() != 1 || extents[0] != size) {
    refuse_table(fmt::format(
        "{}: axis {} (from 0) of `{}` has {} entries; its coordinates `{}` are {} numbers, "
        "and must be as many",
        file, axis, field, size, name, size_text(extents)));
  }
  return read_numbers(coordinates, {0}, {size}, size);
}

}  // namespace

config::Table read_table(const config::TableSource& source) {
  if (is_text_file(source.file)) return read_columns(source);
  check_format(source.file);
  if (!source.over.empty() || !source.over_unit.empty()) {
    refuse_table(
        source.file +
        " is no text file of columns: its coordinates are its own; remove `over` and `over_unit`");
  }
  const Hdf5File file = Hdf5File::open(source.file);
  const Hdf5Group& root = file.root();
  if (!root.exists(source.field)) {
    refuse_table(
        fmt::format("no field `{}` in {}; it holds {}", source.field, source.file, names_of(root)));
  }
  const Hdf5Dataset values = root.open_dataset(source.field);
  const Extents extents = values.extents();
  Extents start(extents.size(), 0), count = extents;
  std::size_t axes = extents.size();
  if (source.component) {
    if (axes < 2 || *source.component >= extents.back()) {
      refuse_table(fmt::format("no component {} in `{}`, which is {}", *source.component,
                               source.field, size_text(extents)));
    }
    start.back() = *source.component;
    count.back() = 1;
    --axes;
  }
  std::vector<config::Table::Axis> arguments;
  std::uint64_t size = 1;
  for (std::size_t a = axes; a-- > 0;) {
    if (extents[a] == 0) refuse_table(fmt::format("`{}` is empty", source.field));
    if (extents[a] == 1) continue;
    if (extents[a] > most_values / size) {
      refuse_table(fmt::format("`{}` is {}: more than 2^30 numbers; cut out what the grid covers",
                               source.field, size_text(extents)));
    }
    size *= extents[a];
    arguments.push_back(
        {read_coordinates(source.file, root, source.field, values, a, axes - 1 - a, extents[a]),
         0});
  }
  if (arguments.empty() || arguments.size() > 3) {
    refuse_table(fmt::format("`{}` is {}; a table has one to three axes of two or more entries{}",
                             source.field, extents.empty() ? "a single number" : size_text(extents),
                             arguments.size() > 3 && !source.component
                                 ? "; of a field of vectors, choose one component: component = 0"
                                 : ""));
  }
  if (!source.periods.empty() && source.periods.size() != arguments.size()) {
    refuse_table(fmt::format("period has {}; `{}` has {}, and needs one for each",
                             counted(source.periods.size(), "number"), source.field,
                             counted(arguments.size(), "argument")));
  }
  for (std::size_t a = 0; a < source.periods.size(); ++a) arguments[a].period = source.periods[a];
  std::vector<double> numbers = read_numbers(values, start, count, size);
  for (double& number : numbers) number = config::in_si_units(source.unit, number);
  return config::Table(std::move(arguments), std::move(numbers));
}

}  // namespace watersmeet::io
