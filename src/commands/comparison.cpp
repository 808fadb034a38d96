#include "commands/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/hdf5_file.hpp"
#include "io/mesh_h5.hpp"
#include "io/message.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::commands {
namespace {

double ratio(double part, double whole) {
  if (part == 0.0) return 0.0;
  return whole == 0.0 ? INFINITY : part / whole;
}

// Adds `count` values to the sums; `largest` and `l2` hold running maxima and sums of squares.
void add(ArrayDifference& sum, const double* a, const double* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::memcmp(a + i, b + i, sizeof(double)) != 0) ++sum.differing;
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {  // it would make the norms infinite or NaN
      ++sum.left_out;
      continue;
    }
    const double difference = std::abs(a[i] - b[i]);
    sum.largest = std::max(sum.largest, difference);
    sum.largest_of_a = std::max(sum.largest_of_a, std::abs(a[i]));
    sum.l2 += difference * difference;
    sum.l2_of_a += a[i] * a[i];
  }
  sum.count += static_cast<std::int64_t>(count);
}

// Whole planes, about 16 MiB at a time. float -> double is exact, so bits can be compared there.
void add_datasets(ArrayDifference& sum, const io::Hdf5Dataset& a, const io::Hdf5Dataset& b) {
  const io::Extents extents = a.extents();
  const std::uint64_t planes = extents[0];
  std::size_t plane = 1;
  for (std::size_t e = 1; e < extents.size(); ++e) plane *= extents[e];
  const std::uint64_t at_once = std::clamp<std::uint64_t>((16u << 20) / (8 * plane), 1, planes);
  std::vector<double> va(at_once * plane);
  std::vector<double> vb(at_once * plane);
  for (std::uint64_t first = 0; first < planes; first += at_once) {
    const std::uint64_t rows = std::min(at_once, planes - first);
    a.read_rows(first, rows, va.data(), io::ElementType::float64);
    b.read_rows(first, rows, vb.data(), io::ElementType::float64);
    add(sum, va.data(), vb.data(), rows * plane);
  }
}

// Where the arrays of a snapshot stand: one group, or one for each block.
std::vector<std::string> groups_of_fields(const io::SnapshotSummary& snapshot) {
  if (snapshot.blocks.empty()) return {"/VTKHDF/CellData/"};
  std::vector<std::string> groups;
  for (std::size_t b = 0; b < snapshot.blocks.size(); ++b) {
    groups.push_back("/blocks/" + io::block_group(static_cast<int>(b)) + "/");
  }
  return groups;
}

void complete(ArrayDifference& sum) {
  const auto finite = static_cast<double>(std::max<std::int64_t>(sum.count - sum.left_out, 1));
  sum.l2 = std::sqrt(sum.l2 / finite);
  sum.l2_of_a = std::sqrt(sum.l2_of_a / finite);
}

// Entries that only one of two files has, and those whose values differ, by the words of `difference`.
template <class T>
void compare_entries(const std::map<std::string, T>& a, const std::map<std::string, T>& b,
                     std::string (*difference)(const T&, const T&),
                     std::vector<std::string>& remarks) {
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    const std::string words = other == b.end() ? "only in a" : difference(value, other->second);
    if (!words.empty()) remarks.push_back(name + ": " + words);
  }
  for (const auto& [name, value] : b) {
    if (!a.contains(name)) remarks.push_back(name + ": only in b");
  }
}

// In the last bit too.
template <class Number>
std::string difference_of_numbers(const Number& a, const Number& b) {
  if (std::memcmp(&a, &b, sizeof(Number)) == 0) return {};
  return fmt::format("{} in a, {} in b", a, b);
}

std::string difference_of_texts(const std::string& a, const std::string& b) {
  if (a == b) return {};
  return a.size() < 40 && b.size() < 40 ? a + " in a, " + b + " in b" : "differs";
}

}  // namespace

double ArrayDifference::relative_largest() const { return ratio(largest, largest_of_a); }
double ArrayDifference::relative_l2() const { return ratio(l2, l2_of_a); }

bool Comparison::equal() const {
  return remarks.empty() && std::all_of(arrays.begin(), arrays.end(),
                                        [](const ArrayDifference& d) { return d.bitwise_equal(); });
}

Comparison compare_snapshots(const std::string& a, const std::string& b) {
  const io::SnapshotSummary sa = io::read_snapshot_summary(a);
  const io::SnapshotSummary sb = io::read_snapshot_summary(b);
  Comparison result;
  result.a = a;
  result.b = b;
  result.kind = "snapshot";
  result.about_a = fmt::format("step {}, t = {:.9g}", sa.step, sa.time);
  result.about_b = fmt::format("step {}, t = {:.9g}", sb.step, sb.time);
  const auto compare_values = [&](const std::string& name, auto in_a, auto in_b) {
    if (in_a != in_b)
      result.remarks.push_back(fmt::format("{}: {} in a, {} in b", name, in_a, in_b));
  };
  compare_values("step", sa.step, sb.step);
  compare_values("time", sa.time, sb.time);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const char name = "xyz"[axis];
    compare_values(fmt::format("origin in {}", name), sa.origin[axis], sb.origin[axis]);
    if (sa.faces[axis] != sb.faces[axis]) {
      result.remarks.push_back(fmt::format("faces of the cells along {}: not the same", name));
    }
    compare_values(fmt::format("spacing in {}", name), sa.spacing[axis], sb.spacing[axis]);
  }
  if (sa.n != sb.n || sa.blocks != sb.blocks) {
    result.remarks.push_back(fmt::format("grid: {} in a, {} in b; fields are not compared",
                                         io::size_text(sa.n), io::size_text(sb.n)));
    return result;
  }
  io::Hdf5File fa = io::Hdf5File::open(a);
  io::Hdf5File fb = io::Hdf5File::open(b);
  const std::vector<std::string> parts = groups_of_fields(sa);
  for (const io::FieldSummary& field : sa.fields) {
    const auto other =
        std::find_if(sb.fields.begin(), sb.fields.end(),
                     [&](const io::FieldSummary& f) { return f.name == field.name; });
    if (other == sb.fields.end()) {
      result.remarks.push_back("field " + field.name + ": only in a");
      continue;
    }
    if (other->components != field.components) {
      result.remarks.push_back(fmt::format("field {}: {} components in a, {} in b", field.name,
                                           field.components, other->components));
      continue;
    }
    ArrayDifference sum;
    sum.name = field.name;
    sum.same_type = field.precision == other->precision;
    for (const std::string& part : parts) {
      const io::Hdf5Dataset da = fa.root().open_dataset(part + field.name);
      const io::Hdf5Dataset db = fb.root().open_dataset(part + field.name);
      add_datasets(sum, da, db);
    }
    complete(sum);
    result.arrays.push_back(sum);
  }
  for (const io::FieldSummary& field : sb.fields) {
    if (std::none_of(sa.fields.begin(), sa.fields.end(),
                     [&](const io::FieldSummary& f) { return f.name == field.name; })) {
      result.remarks.push_back("field " + field.name + ": only in b");
    }
  }
  return result;
}

Comparison compare_checkpoints(const std::string& a, const std::string& b) {
  io::CheckpointReader ra(a);
  io::CheckpointReader rb(b);
  Comparison result;
  result.a = a;
  result.b = b;
  result.kind = "checkpoint";
  const auto about = [](const io::CheckpointReader& reader) {
    const auto step = reader.integers().find("step");
    const auto t = reader.reals().find("t");
    if (step == reader.integers().end() || t == reader.reals().end()) return std::string("no time");
    return fmt::format("step {}, t = {:.9g}", step->second, t->second);
  };
  result.about_a = about(ra);
  result.about_b = about(rb);
  compare_entries(ra.integers(), rb.integers(), difference_of_numbers, result.remarks);
  compare_entries(ra.reals(), rb.reals(), difference_of_numbers, result.remarks);
  compare_entries(ra.texts(), rb.texts(), difference_of_texts, result.remarks);
  if (ra.n() != rb.n()) {
    result.remarks.push_back(fmt::format("grid: {} in a, {} in b; arrays are not compared",
                                         io::size_text(ra.n()), io::size_text(rb.n())));
    return result;
  }
  const auto count = static_cast<std::size_t>(ra.n()[0] * ra.n()[1] * ra.n()[2]);
  std::vector<double> va(count);
  std::vector<double> vb(count);
  for (const std::string& name : ra.names()) {
    if (!rb.has(name)) {
      result.remarks.push_back("array " + name + ": only in a");
      continue;
    }
    ArrayDifference sum;
    sum.name = name;
    sum.same_type = ra.stored_precision(name) == rb.stored_precision(name);
    ra.read(name, Precision::double_, va.data());
    rb.read(name, Precision::double_, vb.data());
    add(sum, va.data(), vb.data(), count);
    complete(sum);
    result.arrays.push_back(sum);
  }
  for (const std::string& name : rb.names()) {
    if (!ra.has(name)) result.remarks.push_back("array " + name + ": only in b");
  }
  return result;
}

}  // namespace watersmeet::commands
