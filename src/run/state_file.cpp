#include "run/state_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/hdf5_file.hpp"
#include "io/message.hpp"
#include "io/snapshot_fields.hpp"
#include "run/panel_velocity.hpp"

namespace watersmeet::run {
namespace {

[[noreturn]] void refuse_state(const std::string& reason) {
  throw Error(ErrorKind::user_input, reason);
}

class CheckpointState final : public StateFile {
 public:
  CheckpointState(const std::string& path, comm::Communicator* ranks) : reader_(path, ranks) {}
  Index3 n() const override { return reader_.n(); }
  double time() const override { return reader_.real("t"); }
  std::vector<double> read_box(const std::string& name, const Box& box) const override {
    return reader_.read_box(name, box);
  }
  bool centred() const override { return false; }
  void verify(comm::Communicator& ranks) const override { reader_.verify(&ranks); }

 private:
  mutable io::CheckpointReader reader_;
};

class SnapshotState final : public StateFile {
 public:
  SnapshotState(const std::string& path, const systems::System& before) : fields_(path) {
    const std::vector<systems::FromFields> all = before.from_fields();
    if (all.empty()) {
      refuse_state(fmt::format(
          "the state of {} does not follow from the fields of a snapshot; give a checkpoint",
          before.name()));
    }
    if (before.grid().kind == mesh::GridKind::cubed_sphere) {
      panels_.emplace(fields_, before.grid().n()[0], before.grid().levels,
                      before.grid().levels > 1);
    }
    const std::vector<std::string> prescribed = before.transfer().prescribed;
    for (const Variable& variable : before.variables()) {
      if (std::count(prescribed.begin(), prescribed.end(), variable.name) > 0) continue;
      choose(variable.name, all);
    }
    if (n() != before.grid().n()) {
      refuse_state(
          fmt::format("it holds {} cells, and the grid of its run has {}: a part of it is no state",
                      io::size_text(n()), io::size_text(before.grid().n())));
    }
  }
  Index3 n() const override { return fields_.n(); }
  double time() const override { return fields_.summary().time; }
  std::vector<double> read_box(const std::string& name, const Box& box) const override {
    const auto formula =
        std::find_if(chosen_.begin(), chosen_.end(),
                     [&](const systems::FromFields& f) { return f.variable == name; });
    require(formula != chosen_.end(), "a variable of the state");
    std::vector<std::vector<double>> given;
    for (const auto& [field, component] : formula->fields) {
      given.push_back(on_panels(field) ? panels_->read_box(component, box)
                                       : fields_.read_box(field, component, box));
    }
    std::vector<double> values(given[0].size()), here(given.size());
    for (std::size_t p = 0; p < values.size(); ++p) {
      for (std::size_t f = 0; f < given.size(); ++f) here[f] = given[f][p];
      values[p] = formula->value(here.data());
    }
    return values;
  }
  bool centred() const override { return true; }
  void verify(comm::Communicator&) const override {}

 private:
  bool on_panels(const std::string& field) const {
    return panels_ && field == mesh::panel_velocity;
  }
  void choose(const std::string& variable, const std::vector<systems::FromFields>& all) {
    std::vector<std::string> ways;
    for (const systems::FromFields& one : all) {
      if (one.variable != variable) continue;
      const bool possible = std::all_of(one.fields.begin(), one.fields.end(), [&](const auto& f) {
        return on_panels(f.first) ? panels_->known() : fields_.has(f.first, f.second);
      });
      if (possible) {
        chosen_.push_back(one);
        return;
      }
      std::vector<std::string> names;
      for (const auto& [needed, component] : one.fields) {
        const std::string field = on_panels(needed) ? panels_->names() : needed;
        if (std::find(names.begin(), names.end(), field) == names.end()) names.push_back(field);
      }
      ways.push_back(fmt::format("{}", fmt::join(names, ", ")));
    }
    refuse_state(fmt::format(
        "the variable {} of the state follows from the fields {}, and the snapshot has {}",
        variable, fmt::join(ways, "; or "), fmt::join(fields_.names(), ", ")));
  }

  io::SnapshotFields fields_;
  std::optional<PanelVelocity> panels_;
  std::vector<systems::FromFields> chosen_;
};

}  // namespace

bool is_snapshot(const std::string& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  return file.root().exists("VTKHDF") || file.root().exists("blocks");
}

std::unique_ptr<StateFile> open_state(const std::string& path, const systems::System& before,
                                      comm::Communicator* ranks) {
  if (is_snapshot(path)) return std::make_unique<SnapshotState>(path, before);
  return std::make_unique<CheckpointState>(path, ranks);
}

}  // namespace watersmeet::run
