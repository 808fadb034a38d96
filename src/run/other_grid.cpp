#include "run/other_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/message.hpp"
#include "io/provenance.hpp"
#include "io/run_directory.hpp"
#include "run/grid_map.hpp"

namespace watersmeet::run {

namespace {
namespace fs = std::filesystem;

// Lengths are the same up to this part of a cell.
constexpr double round_off = 1e-6;

[[noreturn]] void refuse(const std::string& reason) { throw Error(ErrorKind::user_input, reason); }

bool same_nodes(const mesh::MultiBlockMesh& before, const mesh::MultiBlockMesh& now) {
  return std::equal(before.blocks.begin(), before.blocks.end(), now.blocks.begin(),
                    now.blocks.end(),
                    [](const auto& a, const auto& b) { return a.n == b.n && a.x == b.x; });
}

bool same_cells(const mesh::GridDescription& before, const mesh::GridDescription& now) {
  if (before.blocks && now.blocks && !same_nodes(*before.blocks, *now.blocks)) return false;
  return before.kind == now.kind && before.n() == now.n() && before.levels == now.levels &&
         before.geometry().lower == now.geometry().lower &&
         before.geometry().spacing == now.geometry().spacing && before.faces == now.faces &&
         before.sphere_radius == now.sphere_radius;
}

bool just_copied(const std::vector<Source>& all) {
  return std::all_of(all.begin(), all.end(), [](const Source& s) {
    return s.terms.size() == 1 && s.terms[0].second == 1.0;
  });
}

// An axis of a box: what of the other one the case reaches.
void check_axis(const mesh::GridDescription& before, const mesh::GridDescription& now,
                std::size_t axis) {
  const std::int64_t was = before.n()[axis], is = now.n()[axis];
  const char name = "xyz"[axis];
  if (was == 1) return;  // nothing varies along it
  if (is == 1) {
    refuse(
        fmt::format("it has {} cells along {}, and the case has one: a state is not averaged "
                    "over an axis",
                    was, name));
  }
  const std::vector<double> from = faces_of(before, axis), to = faces_of(now, axis);
  const double length = from.back() - from.front(), wanted = to.back() - to.front();
  const double slack = round_off * length / static_cast<double>(was);
  const bool was_periodic = periodic(before, axis), is_periodic = periodic(now, axis);
  if (is_periodic && !was_periodic)
    refuse(fmt::format("the case is periodic along {}, and it is not", name));
  if (is_periodic && std::abs(wanted - std::round(wanted / length) * length) > slack) {
    refuse(
        fmt::format("its period along {0} is {1:g}, and the case has {2:g} there, which is no "
                    "multiple: fields would jump where the box is closed",
                    name, length, wanted));
  }
  if (!was_periodic && (to.front() < from.front() - slack || to.back() > from.back() + slack)) {
    refuse(
        fmt::format("it reaches from {} = {:g} to {:g}, and the case from {:g} to {:g}: the box "
                    "is not covered",
                    name, from.front(), from.back(), to.front(), to.back()));
  }
}

void check_boxes(const mesh::GridDescription& before, const mesh::GridDescription& now) {
  for (std::size_t a = 0; a < 3; ++a) check_axis(before, now, a);
  if (before.kind == mesh::GridKind::box && now.kind == mesh::GridKind::box) return;
  const std::vector<double> from = faces_of(before, 2), to = faces_of(now, 2);
  if (from.front() == to.front() && from.back() == to.back()) return;
  refuse(
      fmt::format("its levels over the terrain reach from {:g} to {:g}, and those of the case "
                  "from {:g} to {:g}: levels of another height lie elsewhere over a hill",
                  from.front(), from.back(), to.front(), to.back()));
}

void check_spheres(const mesh::GridDescription& before, const mesh::GridDescription& now) {
  if (before.sphere_radius != now.sphere_radius) {
    refuse(fmt::format("its sphere has the radius {:g}, and that of the case {:g}",
                       before.sphere_radius, now.sphere_radius));
  }
  if (now.faces[2].empty()) return;
  const double was = faces_of(before, 2).back(), is = faces_of(now, 2).back();
  if (was != is)
    refuse(fmt::format("its levels reach to {:g}, and those of the case to {:g}", was, is));
}

void check_blocks(const mesh::MultiBlockMesh& before, const mesh::MultiBlockMesh& now) {
  if (before.blocks.size() != now.blocks.size()) {
    refuse(
        fmt::format("its mesh has {} blocks, and that of the case {}: blocks are mapped one by "
                    "one",
                    before.blocks.size(), now.blocks.size()));
  }
  if (before.dimensions() != now.dimensions()) {
    refuse(fmt::format("its mesh has {} dimensions, and that of the case {}", before.dimensions(),
                       now.dimensions()));
  }
}

const char* kind_text(mesh::GridKind kind) {
  switch (kind) {
    case mesh::GridKind::curvilinear_blocks:
      return "curvilinear blocks";
    case mesh::GridKind::cubed_sphere:
      return "a cubed sphere";
    default:
      return "a box";
  }
}

void check(const systems::System& before, const systems::System& now) {
  if (before.name() != now.name()) {
    refuse(
        fmt::format("it belongs to the system {}, and the case to {}", before.name(), now.name()));
  }
  sources(before, now);
  const systems::Transfer from = before.transfer(), to = now.transfer();
  const std::string differs = difference(from.basis, to.basis, "there", "in the case");
  if (!differs.empty()) refuse(differs);
  const mesh::GridDescription &was = before.grid(), &is = now.grid();
  if (was.is_box() != is.is_box() || (!was.is_box() && was.kind != is.kind)) {
    refuse(fmt::format("its grid is {}, and that of the case {}", kind_text(was.kind),
                       kind_text(is.kind)));
  }
  if (from.radial != to.radial) refuse("one of the two grids is axisymmetric and the other is not");
  if (was.is_box()) check_boxes(was, is);
  if (was.kind == mesh::GridKind::cubed_sphere) check_spheres(was, is);
  if (was.blocks && is.blocks) check_blocks(*was.blocks, *is.blocks);
}

// The newest checkpoint of a run that can be opened; a path of a file is returned unchanged.
std::string checkpoint_of(const std::string& path) {
  if (!fs::is_directory(path)) return path;
  std::vector<std::string> all = io::list_checkpoints(path);
  std::string reason;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    try {
      io::CheckpointReader reader(*one);
      return *one;
    } catch (const Error& error) {
      if (reason.empty()) reason = fmt::format(" that can be read: {}", error.what());
    }
  }
  refuse(fmt::format("the folder {} holds no checkpoint{}", path, reason));
}
}  // namespace

OtherGrid::OtherGrid(const std::string& checkpoint, Case before, const systems::System& now,
                     bool keep_time)
    : checkpoint_(checkpoint), before_(std::move(before)), keep_time_(keep_time) {
  check(*before_.system, now);
  const mesh::GridDescription& was = before_.system->grid();
  const bool centred = open_state(checkpoint_, *before_.system)->centred();
  const std::vector<Variable> variables = now.variables();
  const bool on_faces = std::any_of(variables.begin(), variables.end(), [](const Variable& v) {
    return v.location == Location::x_face || v.location == Location::y_face ||
           v.location == Location::z_face;
  });
  same_ = same_cells(was, now.grid()) && !(centred && on_faces);
  const std::string how = same_ && centred ? "made of the fields"
                          : same_ && just_copied(sources(*before_.system, now)) ? "copied"
                          : same_                                               ? "converted"
                          : now.transfer().averages ? "averaged over cells"
                                                    : "interpolated";
  text_ =
      fmt::format("The first state is that of {}, {} from {}", checkpoint_, how, grid_text(was));
}

void OtherGrid::fill(systems::System& system, const comm::Domain& domain, const Queue& queue,
                     comm::Communicator& ranks) {
  const systems::System& before = *before_.system;
  const std::unique_ptr<StateFile> file = open_state(checkpoint_, before, &ranks);
  const StateFile& reader = *file;
  reader.verify(ranks);
  exec::Clock clock;
  if (keep_time_) clock.t = reader.time();
  comm::agree(ranks, [&] {
    if (reader.n() != before.grid().n()) {
      refuse(fmt::format("{} holds {} cells, and its case has {}", checkpoint_,
                         io::size_text(reader.n()), io::size_text(before.grid().n())));
    }
    const GridMap map(before, system, reader.centred());
    if (same_) {
      map.copy(reader, system, domain.box(0), queue);
    } else {
      map.fill(reader, system, domain.box(0), queue);
    }
    system.set_clock(clock);
    system.adopt_state(same_);
  });
}

std::shared_ptr<OtherGrid> find_start(config::Input& input, const systems::System& system) {
  const std::string key = "start.from";
  if (!input.is_set(key)) {
    input.refuse_idle("start.time", "start.from is not given");
    return nullptr;
  }
  const std::string named = input.text(key);
  std::error_code error;
  const fs::path beside = fs::path(input.name()).parent_path() / named;
  const std::string path = fs::exists(beside, error) ? beside.string() : named;
  if (!fs::exists(path, error)) {
    input.fault(config::FaultKind::missing_file, key, "there is no `" + named + "`",
                "give the folder of a run, a file checkpoint_NNNNNN.h5 or a snapshot of it, beside "
                "the case or in the working folder");
    return nullptr;
  }
  std::string checkpoint;
  try {
    checkpoint = checkpoint_of(path);
    if (!is_snapshot(checkpoint)) io::CheckpointReader reader(checkpoint);
  } catch (const Error& fault) {
    input.fault(config::FaultKind::bad_value, key, fault.what(),
                "give the folder of a run, a file checkpoint_NNNNNN.h5 or a snapshot of it; fields "
                "of other files are read by [tables]");
    return nullptr;
  }
  // Files of that case are found beside the checkpoint, where a run keeps them.
  const std::string name = (fs::path(checkpoint).parent_path() / "resolved.toml").string();
  std::optional<Case> before;
  try {
    before.emplace(
        load_case_text(io::read_provenance(checkpoint).resolved_toml, name, {}, Start::skip));
  } catch (const Error& fault) {
    input.fault(config::FaultKind::bad_value, key,
                fmt::format("the case in {} cannot be read: {}", checkpoint, fault.what()));
    return nullptr;
  }
  try {
    auto start = std::make_shared<OtherGrid>(checkpoint, std::move(*before), system,
                                             input.text("start.time") == "file");
    input.settle(key, fs::absolute(checkpoint, error).lexically_normal().string());
    return start;
  } catch (const Error& fault) {
    input.fault(
        config::FaultKind::conflict, key,
        fmt::format("the state of {} does not fit this case: {}", checkpoint, fault.what()));
    return nullptr;
  }
}

}  // namespace watersmeet::run
