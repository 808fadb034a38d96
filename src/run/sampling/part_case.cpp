#include "run/sampling/part_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "io/hdf5_file.hpp"
#include "run/run_plan.hpp"
#include "run/sampling/case_faults.hpp"
#include "run/sampling/probes.hpp"

namespace watersmeet::run {
namespace {

using config::FaultKind;

// Why files of a part cannot be made of this grid; empty: they can.
std::string refusal_of(const mesh::GridDescription& grid) {
  if (grid.blocks) return "curvilinear blocks are written whole: their nodes do not lie along axes";
  if (grid.kind == mesh::GridKind::cubed_sphere)
    return "a sphere is written whole: its cells do not lie along axes";
  if (grid.kind == mesh::GridKind::moved_box)
    return "levels that follow the terrain are written whole: their cells do not lie along axes";
  return "";
}

// Reads the parts of a case one after the other.
class PartReader : EntryReader {
 public:
  PartReader(const config::Input& input, const systems::System& system, Report report)
      : EntryReader(input, std::move(report)), system_(system) {}

  std::vector<PartCase> all() {
    each("output.part", {"name"},
         {"fields", "every", "every_steps", "x", "y", "z", "stride", "precision"},
         [this] { read(); });
    return std::move(result_);
  }

 private:
  void read() {
    PartCase one;
    read_name_and_schedule(input_, path_, "part", names_, report_, one);
    read_fields(one);
    const std::string kept = input_.text(path_ + ".precision");
    one.precision = kept == "same" ? "" : kept;
    one.deflate = static_cast<int>(input_.integer(path_ + ".deflate"));
    if (one.deflate > 0 && !io::hdf5_can_deflate())
      refuse(FaultKind::conflict, ".deflate",
             "the HDF5 library of this program has no deflate filter", "remove this key");
    const mesh::GridDescription& grid = system_.grid();
    if (input_.has_faults()) return;  // without a grid there are no cells
    const std::string refusal = refusal_of(grid);
    if (!refusal.empty()) {
      refuse(FaultKind::conflict, ".name", refusal, "remove [[output.part]]");
      return;
    }
    one.stride = input_.integers3(path_ + ".stride");
    bool good = true;
    for (std::size_t a = 0; a < 3; ++a)
      good = read_axis(input_, path_, "part `" + one.name + "`", grid, a, report_, one) && good;
    if (good) result_.push_back(std::move(one));
  }

  void read_fields(PartCase& one) {
    if (!input_.is_set(path_ + ".fields")) {
      one.fields = snapshot_fields(system_, input_);
      return;
    }
    const std::vector<std::string> wanted = input_.texts(path_ + ".fields");
    const std::string fields_are =
        "the fields of " + input_.text("case.system") + " are " + names_of(system_.quantities());
    std::set<std::string> taken;
    for (const std::string& name : wanted) {
      const std::vector<systems::QuantityInfo> found = fields_named(system_, {name});
      if (found.empty()) {
        refuse(FaultKind::bad_value, ".fields", "no field `" + name + "` to write", fields_are);
      } else if (!taken.insert(name).second) {
        refuse(FaultKind::bad_value, ".fields", "field `" + name + "` is listed more than once",
               "name each field once");
      } else {
        one.fields.push_back(found[0]);
      }
    }
    if (wanted.empty())
      refuse(FaultKind::missing_key, ".fields", "part `" + one.name + "` has no fields",
             fields_are);
  }

  const systems::System& system_;
  std::vector<PartCase> result_;
};

}  // namespace

void read_name_and_schedule(const config::Input& input, const std::string& table,
                            const std::string& kind, std::set<std::string>& taken,
                            const Report& report, PartCase& one) {
  one.name = read_name(input, table, kind, taken, report);
  one.schedule = Schedule::from(input, table + ".");
  if (!one.schedule.set())
    report(FaultKind::missing_key, table + ".name", kind + " `" + one.name + "` has no interval",
           "give it every or every_steps");
}

bool read_axis(const config::Input& input, const std::string& table, const std::string& called,
               const mesh::GridDescription& grid, std::size_t a, const Report& report,
               PartCase& one) {
  const std::string path = table + "." + "xyz"[a];
  const std::int64_t cells = grid.n()[a], stride = one.stride[a];
  std::int64_t first = 0, last = cells - 1;
  if (stride > 1 && !grid.faces[a].empty()) {
    report(FaultKind::conflict, table + ".stride",
           fmt::format("cells are uneven along {}: those that a stride leaves out would leave "
                       "holes in the grid of the file",
                       "xyz"[a]),
           "write each of them, stride 1");
    return false;
  }
  if (input.is_set(path)) {
    const std::vector<double> range = input.reals(path);
    if (range.empty() || range.size() > 2 || (range.size() == 2 && range[0] > range[1])) {
      report(FaultKind::bad_value, path,
             "this must be one coordinate, or the lower and the upper end of a range",
             fmt::format("such as {0} = [0.5] for a plane, {0} = [0, 0.5] for a range", "xyz"[a]));
      return false;
    }
    const NearestAlong low = nearest_along(grid, a, range.front());
    if (range.size() == 1) {
      first = last = low.cell;
      if (!low.inside) {
        report(FaultKind::range, path, called + " lies outside the grid", extent_text(grid, a));
        return false;
      }
    } else {
      // Within round-off of the ends counts as in the range.
      const double margin = 1e-9 * (range[1] - range[0]);
      while (first < cells && cell_centre(grid, a, first) < range[0] - margin) ++first;
      while (last >= first && cell_centre(grid, a, last) > range[1] + margin) --last;
    }
  }
  if (last < first) {
    report(FaultKind::range, path, "no cell of " + called + " has its centre in this range",
           fmt::format("centres are from {:g} to {:g}", cell_centre(grid, a, 0),
                       cell_centre(grid, a, cells - 1)));
    return false;
  }
  one.first[a] = first;
  one.n[a] = (last - first) / stride + 1;
  return true;
}

double PartCase::values() const {
  double components = 0;
  for (const systems::QuantityInfo& q : fields) components += q.components;
  return components * static_cast<double>(n[0]) * static_cast<double>(n[1]) *
         static_cast<double>(n[2]);
}

Box PartCase::within(const Box& of_grid) const {
  Box box;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto before = [&](std::int64_t cell) {  // how many of its cells lie below
      return std::clamp<std::int64_t>((cell - first[a] + stride[a] - 1) / stride[a], 0, n[a]);
    };
    box.lower[a] = before(of_grid.lower[a]);
    box.upper[a] = before(of_grid.upper[a]);
  }
  return box.empty() ? Box{{0, 0, 0}, {0, 0, 0}} : box;
}

io::SnapshotGrid PartCase::grid(const io::SnapshotGrid& whole) const {
  io::SnapshotGrid part = whole;
  part.n = n;
  part.cell_offset = 0.5;
  for (std::size_t a = 0; a < 3; ++a) {
    // Cells as long as their distance, about the same centres.
    part.spacing[a] =
        n[a] > 1 ? whole.spacing[a] * static_cast<double>(stride[a]) : whole.spacing[a];
    const double centre =
        whole.lower[a] + (static_cast<double>(first[a]) + whole.cell_offset) * whole.spacing[a];
    part.lower[a] = centre - 0.5 * part.spacing[a];
    if (whole.faces[a].empty()) continue;
    const auto begin = whole.faces[a].begin() + first[a];
    part.faces[a].assign(begin, begin + n[a] + 1);
    part.lower[a] = part.faces[a].front();
    part.spacing[a] = (part.faces[a].back() - part.lower[a]) / static_cast<double>(n[a]);
  }
  return part;
}

void check_parts(config::Input& input, const systems::System& system) {
  PartReader(input, system, report_into(input)).all();
}

std::vector<PartCase> parts_of(const config::Input& input, const systems::System& system) {
  return PartReader(input, system, no_faults()).all();
}

}  // namespace watersmeet::run
