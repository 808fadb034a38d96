// Files of parts of the grid, pictures and iso-surfaces. The step waits for the evaluation of their fields and a copy to the host only; the
// writer thread then selects the cells, and writes the files or computes the pictures and surfaces.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "core/host_seconds.hpp"
#include "io/gather.hpp"
#include "io/run_directory.hpp"
#include "io/units.hpp"
#include "io/xdmf.hpp"
#include "run/driver.hpp"

namespace watersmeet::run {
namespace {

// The cells of a part among those that were evaluated for it, along an axis: first + stride*(0 .. count - 1) of `size`.
struct Picked {
  std::int64_t first = 0, stride = 1, count = 0, size = 0;
};

// Copies the picked cells, of `bytes` each, to a contiguous array; both arrays are [k][j][i].
void pick(const std::array<Picked, 3>& axes, std::size_t bytes, const char* from, char* to) {
  const auto& [x, y, z] = axes;
  for (std::int64_t k = 0; k < z.count; ++k) {
    for (std::int64_t j = 0; j < y.count; ++j) {
      const std::int64_t row =
          ((z.first + k * z.stride) * y.size + y.first + j * y.stride) * x.size + x.first;
      const char* const of_row = from + static_cast<std::size_t>(row) * bytes;
      if (x.stride == 1) {
        const std::size_t all = static_cast<std::size_t>(x.count) * bytes;
        std::memcpy(to, of_row, all);
        to += all;
        continue;
      }
      for (std::int64_t i = 0; i < x.count; ++i, to += bytes)
        std::memcpy(to, of_row + static_cast<std::size_t>(i * x.stride) * bytes, bytes);
    }
  }
}

}  // namespace

void Driver::write_parts() {
  const exec::Clock& clock = engine_.clock();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p].what.schedule.due(clock.t, clock.step)) write_part(p);
  }
  index_parts(false);
  write_gathered(pictures_);
  write_gathered(isosurfaces_);
}

Driver::EvaluatedPart Driver::evaluate(const PartCase& what) {
  const Box mine = engine_.share(nullptr).mine, kept = what.within(mine);
  // Boxes of this rank's part that hold the cells; single planes where the stride leaves planes out. Rows and cells that it leaves out are
  // evaluated all the same: a launch for each row would take longer.
  std::vector<Box> boxes;
  std::array<Picked, 3> axes;
  if (!kept.empty()) {
    Box hull;
    for (std::size_t a = 0; a < 3; ++a) {
      hull.lower[a] = what.first[a] + kept.lower[a] * what.stride[a] - mine.lower[a];
      hull.upper[a] = what.first[a] + (kept.upper[a] - 1) * what.stride[a] + 1 - mine.lower[a];
    }
    const Box whole = engine_.in_whole_packs(hull);
    for (std::size_t a = 0; a < 3; ++a)
      axes[a] = {hull.lower[a] - whole.lower[a], what.stride[a], kept.size(static_cast<int>(a)),
                 whole.size(static_cast<int>(a))};
    if (what.stride[2] == 1) {
      boxes.push_back(whole);
    } else {
      for (std::int64_t k = whole.lower[2]; k < whole.upper[2]; k += what.stride[2]) {
        boxes.push_back(whole);
        boxes.back().lower[2] = k;
        boxes.back().upper[2] = k + 1;
      }
      axes[2].stride = 1;
    }
  }
  std::size_t cells = 0;
  for (const Box& box : boxes) cells += static_cast<std::size_t>(box.count());
  const std::size_t word = size_of(engine_.system().precision());
  std::vector<std::shared_ptr<memory::Buffer>> evaluated;
  guard([&] {
    for (const systems::QuantityInfo& q : what.fields)
      evaluated.push_back(staging(cells * static_cast<std::size_t>(q.components) * word));
  });
  agree();
  EvaluatedPart part;
  for (std::size_t f = 0; f < what.fields.size(); ++f) {
    engine_.boxes_to_host(what.fields[f], boxes, evaluated[f]->start());
    part.fields.push_back(described(what.fields[f], nullptr));
  }
  part.share = engine_.share(files_.get());
  part.share.n = what.n;
  part.share.mine = kept;
  part.pick = [=, components = part.fields, evaluated = std::move(evaluated)] {
    std::vector<std::vector<char>> values;
    for (std::size_t f = 0; f < evaluated.size(); ++f) {
      const std::size_t bytes = static_cast<std::size_t>(components[f].components) * word;
      values.emplace_back(static_cast<std::size_t>(kept.count()) * bytes);
      pick(axes, bytes, static_cast<const char*>(evaluated[f]->start()), values.back().data());
    }
    return values;
  };
  return part;
}

std::vector<std::vector<char>> Driver::EvaluatedPart::gather() const {
  std::vector<std::vector<char>> whole = pick();
  for (std::size_t f = 0; f < whole.size(); ++f) {
    whole[f] = io::gather_box(
        share, whole[f].data(),
        static_cast<std::size_t>(fields[f].components) * size_of(fields[f].precision));
  }
  return whole;
}

void Driver::write_part(std::size_t number) {
  Part& part = parts_[number];
  const PartCase& what = part.what;
  const exec::Clock clock = engine_.clock();
  EvaluatedPart evaluated = evaluate(what);
  const io::SnapshotGrid grid = what.grid(snapshot_grid());
  const std::string path =
      io::snapshot_path(directory_, clock.step, false, io::part_kind(what.name));
  const double wall = seconds_since(begin_);
  part.files.push_back(
      io::summarise(path, grid, clock.t, clock.step, evaluated.fields, what.precision));
  submit([=, this, precision = what.precision, deflate = what.deflate,
          evaluated = std::move(evaluated)] {
    const std::vector<std::vector<char>> values = evaluated.pick();
    std::vector<io::SnapshotField> picked = evaluated.fields;
    for (std::size_t f = 0; f < picked.size(); ++f) picked[f].values = values[f].data();
    io::write_snapshot(path, grid, clock.t, clock.step, clock.dt, wall, picked, provenance_,
                       precision, evaluated.share, {}, deflate);
  });
}

template <class Gathered>
void Driver::write_gathered(const std::vector<Gathered>& all) {
  const exec::Clock clock = engine_.clock();
  for (const Gathered& one : all) {
    if (!one.what.part.schedule.due(clock.t, clock.step)) continue;
    submit([this, &one, clock, evaluated = evaluate(one.what.part)] {
      const std::vector<std::vector<char>> whole = evaluated.gather();
      if (first_) write_file(one, evaluated.fields, whole, clock);
    });
  }
}

void Driver::write_file(const Drawn& one, const std::vector<io::SnapshotField>&,
                        const std::vector<std::vector<char>>& fields,
                        const exec::Clock& clock) const {
  const PictureCase& what = one.what;
  const std::vector<double> values =
      what.field.values(what.part, fields, engine_.system().precision());
  const io::Limits limits = what.limits
                                ? *what.limits
                                : io::limits_shown(*one.pixels, values, io::diverges(what.colours));
  io::Picture picture = io::draw(*one.pixels, values, limits, what.colours, clock.t);
  if (!what.place.empty()) picture.texts["plane"] = what.place;
  write_picture(std::move(picture), what.name, what.field, limits, what.colours, clock);
}

void Driver::write_picture(io::Picture picture, const std::string& name,
                           const PartExpression& field, const io::Limits& limits,
                           const std::string& colours, const exec::Clock& clock) const {
  const auto number = [](double value) { return fmt::format("{}", value); };
  picture.texts.insert({{"Software", "watersmeet " + provenance_.version},
                        {"field", field.text},
                        {"units", io::unit_text(field.units, si_units_)},
                        {"step", fmt::format("{}", clock.step)},
                        {"t", number(clock.t)},
                        {"t units", si_units_ ? "s" : "1"},
                        {"lowest", number(limits.low)},
                        {"highest", number(limits.high)},
                        {"colormap", colours}});
  io::write_png(io::picture_path(directory_, name, clock.step), picture);
}

void Driver::write_file(const Marched& one, const std::vector<io::SnapshotField>& about,
                        const std::vector<std::vector<char>>& fields,
                        const exec::Clock& clock) const {
  const IsosurfaceCase& what = one.what;
  const Precision precision = engine_.system().precision();
  const std::vector<double> values = what.field.values(what.part, fields, precision);
  io::Isosurface surface;
  for (const double level : what.values) {
    std::int64_t first = 0;
    for (const Index3& n : one.lattices.n) {
      const std::int64_t points = n[0] * n[1] * n[2];
      io::add_isosurface(surface, n, first,
                         std::span(values).subspan(static_cast<std::size_t>(first),
                                                   static_cast<std::size_t>(points)),
                         level);
      first += points;
    }
  }
  std::vector<double> places;
  for (const io::EdgePoint& point : surface.points) {
    const Real3 from = one.lattices.place(point.from), to = one.lattices.place(point.to);
    for (std::size_t a = 0; a < 3; ++a)
      places.push_back((1 - point.share) * from[a] + point.share * to[a]);
  }
  std::vector<io::PointValues> at_points = {
      {what.value_name(), io::unit_text(what.field.units, si_units_), 1, surface.levels}};
  for (const std::size_t f : what.carried) {
    const io::SnapshotField& field = about[f];
    at_points.push_back(
        {field.name, field.units, field.components,
         surface.at_points(io::as_doubles(fields[f], precision), field.components)});
  }
  const io::SnapshotGrid grid = snapshot_grid();
  io::write_isosurface(
      io::snapshot_path(directory_, clock.step, false, io::isosurface_kind(what.name)), surface,
      places, at_points, {clock.t, clock.step, grid.length_units, grid.time_units}, provenance_);
  if (!what.picture) return;
  const IsosurfacePicture& seen = *what.picture;
  const std::vector<double> shown =
      seen.colour ? surface.at_points(seen.colour->values(what.part, fields, precision), 1)
                  : surface.levels;
  const io::Limits limits =
      seen.limits ? *seen.limits : io::limits_shown(shown, io::diverges(seen.colours));
  io::Picture picture =
      io::draw_surface(one.view, places, surface.cells, shown, limits, seen.colours, clock.t);
  const Real3& d = seen.towards;
  picture.texts = {
      {"surface", fmt::format("{} = {:.6g}", what.field.text, fmt::join(what.values, ", "))},
      {"view", fmt::format("{:.6g}, {:.6g}, {:.6g}", d[0], d[1], d[2])}};
  write_picture(std::move(picture), what.name, seen.colour ? *seen.colour : what.field, limits,
                seen.colours, clock);
}

// The index lists all files of a part. The more there are, the less often it is rewritten: after each file, the total time would grow with
// the square of their number.
void Driver::index_parts(bool all) {
  for (Part& part : parts_) {
    const std::size_t files = part.files.size();
    constexpr std::size_t few = 64;
    const bool due = all || files <= few || files >= part.indexed + part.indexed / 16;
    if (files == part.indexed || !due) continue;
    part.indexed = files;
    submit([this, kind = io::part_kind(part.what.name), index = part.files] {
      if (first_) io::write_xdmf(directory_, index, kind);
    });
  }
}

}  // namespace watersmeet::run
