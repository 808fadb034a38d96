#include "systems/aerodynamics/case/boundary_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/nearest.hpp"
#include "config/usual_keys.hpp"
#include "systems/aerodynamics/case/expression_flow.hpp"
#include "systems/aerodynamics/case/outer_state.hpp"
#include "systems/prescribed_values.hpp"

namespace watersmeet::aerodynamics {

using config::choice_key;
using config::FaultKind;
using config::flag_key;
using config::Key;

namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = mesh::patch_kinds();
    std::erase(all, "degenerate");
    return all;
  }();
  return names;
}

class Reader {
 public:
  Reader(config::Input& input, const mesh::MultiBlockMesh& mesh, const FreeStream& stream,
         const std::optional<ExactFlow>& exact, double chord)
      : input_(input), mesh_(mesh), stream_(stream), exact_(exact), chord_(chord) {}

  std::vector<PatchCondition> read() {
    const std::vector<std::string> names = mesh_.patch_names();
    refuse_unknown(names);
    std::vector<PatchCondition> all;
    for (const std::string& name : names) all.push_back(read_patch(name));
    return all;
  }

 private:
  void refuse_unknown(const std::vector<std::string>& names) {
    for (const std::string& name : input_.names("boundary")) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const auto near = config::nearest(name, names);
      input_.fault(
          FaultKind::conflict, "boundary." + name,
          names.empty()
              ? fmt::format("no boundary `{}` in the mesh; it has no boundaries", name)
              : fmt::format("no boundary `{}` in the mesh; it has {}", name, config::join(names)),
          near ? "did you mean `" + *near + "`?" : "");
    }
  }

  // The mesh's own kind where the case gives none; where it has two the case must choose.
  std::string kind_of(const std::string& name, bool& from_case) {
    const std::string path = "boundary." + name + ".kind";
    from_case = input_.is_set(path) && input_.is_good(path);
    if (from_case) return input_.text(path);
    std::string kind;
    for (const mesh::BoundaryPatch& patch : mesh_.patches) {
      if (patch.name != name || patch.kind == "degenerate") continue;
      if (!kind.empty() && kind != patch.kind && !input_.is_set(path)) {
        input_.fault(
            FaultKind::conflict, "boundary",
            fmt::format("the mesh gives its boundary `{}` two kinds, {} and {}", name, kind,
                        patch.kind),
            fmt::format("choose one of them, for example boundary.{} = \"{}\"", name, kind));
      }
      kind = patch.kind;
    }
    return kind.empty() ? "degenerate" : kind;
  }

  PatchCondition read_patch(const std::string& name) {
    PatchCondition result;
    result.condition.patch = name;
    result.condition.stream = stream_.flow;
    bool from_case = false;
    result.kind = kind_of(name, from_case);
    path_ = "boundary." + name;
    place_ = from_case                    ? path_ + ".kind"
             : input_.is_set("grid.file") ? "grid.file"
                                          : "grid.mesh.kind";
    check_members(result.kind);
    check_stream(name, result.kind);
    values_.clear();
    Condition& c = result.condition;
    if (result.kind == "slip_wall" || result.kind == "symmetry") {
      c.kind = SurfaceKind::slip_wall;
    } else if (result.kind == "supersonic_outflow" || result.kind == "degenerate") {
      c.kind = SurfaceKind::supersonic_outflow;
    } else if (result.kind == "supersonic_inflow") {
      c.kind = SurfaceKind::supersonic_inflow;
      read_outer_state(c);
    } else if (result.kind == "farfield") {
      read_farfield(c);
    } else if (result.kind == "inflow_total") {
      read_reservoir(c);
    } else if (result.kind == "outflow_pressure") {
      c.kind = SurfaceKind::outflow_pressure;
      c.given.pressure = value("pressure", stream_.flow.p, g_pressure);
    } else {
      read_exact(name, c);
    }
    c.reads_state = !values_.empty();
    result.values = values_;
    return result;
  }

  // The number that a text is, if it is one.
  std::optional<double> number_of(const std::string& text) const {
    if (systems::reads_state(text, {}, input_.constants())) return std::nullopt;
    return config::Expression(text, {}, input_.constants()).constant();
  }

  // A number; or an expression of the place, the time and the flow, which is kept for each node, times `unit`, and has no number here.
  double value(const char* key, double otherwise, int variable, double unit = 1) {
    const std::string path = path_ + "." + key;
    if (!input_.is_set(path) || !input_.is_good(path)) return otherwise;
    const std::string text = input_.expression(path);
    if (const auto number = number_of(text)) return *number;
    values_.push_back({path, text, variable, unit == 1 ? "" : fmt::format("{:.17g}", unit)});
    return otherwise;
  }

  // Keys that this kind does not have.
  void check_members(const std::string& kind) {
    struct Member {
      const char* key;
      std::vector<std::string> kinds;
    };
    static const std::vector<Member> members = {
        {"vortex", {"farfield"}},
        {"total_pressure", {"inflow_total"}},
        {"total_temperature", {"inflow_total"}},
        {"direction", {"inflow_total"}},
        {"pressure", {"outflow_pressure"}},
        {"state", {"farfield", "supersonic_inflow", "exact"}},
    };
    for (const Member& m : members) {
      const std::string path = path_ + "." + m.key;
      const bool has = std::find(m.kinds.begin(), m.kinds.end(), kind) != m.kinds.end();
      if (has || !input_.is_set(path)) continue;
      input_.fault(FaultKind::conflict, path,
                   fmt::format("a boundary of kind {} has no `{}`", kind, m.key),
                   fmt::format("remove it, or use kind = \"{}\"", m.kinds.front()));
    }
  }

  // Refuses kinds that the free stream does not allow.
  void check_stream(const std::string& name, const std::string& kind) {
    const bool needs = kind == "farfield" || kind == "supersonic_inflow";
    if (needs && whole_outer_state(input_, path_ + ".state")) return;
    if (needs && !stream_.given) {
      input_.fault(FaultKind::missing_key, "physics.freestream.mach",
                   fmt::format("the boundary `{}` of kind {} needs the Mach number of the free "
                               "stream",
                               name, kind),
                   "add `mach = ...` to [physics.freestream], or give the boundary a state of "
                   "density, pressure and velocity");
      return;
    }
    if (!stream_.given) return;
    // A state of the case is looked at itself.
    const bool supersonic = (kind == "supersonic_inflow" && !input_.is_set(path_ + ".state")) ||
                            kind == "supersonic_outflow";
    if (supersonic && !(stream_.mach > 1)) {
      input_.fault(FaultKind::conflict, place_,
                   fmt::format("`{}` is a {}, but the free stream is subsonic: M = {:g} ({})", name,
                               kind, stream_.mach, input_.origin("physics.freestream.mach")),
                   "use kind = \"farfield\"");
    }
    if (kind == "inflow_total" && !(stream_.mach < 1)) {
      input_.fault(
          FaultKind::conflict, place_,
          fmt::format("`{}` is an inflow from a reservoir, which is subsonic, but the free "
                      "stream has M = {:g} ({})",
                      name, stream_.mach, input_.origin("physics.freestream.mach")),
          "use kind = \"supersonic_inflow\"");
    }
  }

  void read_farfield(Condition& c) {
    c.kind = SurfaceKind::farfield;
    const bool given = read_outer_state(c);
    const std::string path = path_ + ".vortex";
    if (!input_.is_set(path) || !input_.is_good(path) || !input_.boolean(path)) return;
    const char* const wrong =
        given ? "the vortex of the far field is added to the free stream, and this boundary has a "
                "`state`"
        : mesh_.dimensions() != 2 ? "the vortex of the far field belongs to flow in the plane"
        : !(stream_.mach < 1)     ? "the vortex of the far field belongs to a subsonic stream"
        // Its circulation is that of the lift, L / (rho |u|).
        : !(stream_.mach > 0)
            ? "the vortex of the far field belongs to a stream; this one has M = 0"
            : nullptr;
    if (wrong != nullptr) {
      input_.fault(FaultKind::conflict, path, wrong, "remove it");
      return;
    }
    VortexFarField<double> far{};
    far.stream = stream_.flow;
    far.x = 0.25 * chord_;
    far.cosine = std::cos(stream_.alpha);
    far.sine = std::sin(stream_.alpha);
    far.mach = stream_.mach;
    c.vortex = far;
    c.lift_chord = chord_;
  }

  void read_reservoir(Condition& c) {
    c.kind = SurfaceKind::inflow_total;
    Reservoir<double>& from = c.given.reservoir;
    from.pressure = value("total_pressure", stream_.total_pressure(), g_total_pressure);
    const double sound = stream_.sound_speed();
    const double warmer =
        value("total_temperature", stream_.total_temperature(), g_sound2, sound * sound);
    from.sound2 = warmer * sound * sound;
    Real3 direction = stream_.drag_direction(mesh_.dimensions());
    const std::string path = path_ + ".direction";
    if (input_.is_set(path) && input_.is_good(path)) {
      const auto texts = input_.expressions3(path);
      bool numbers = true;
      for (std::size_t m = 0; m < 3; ++m) {
        const auto number = number_of(texts[m]);
        numbers = numbers && number;
        direction[m] = number.value_or(1);  // of an expression: not 0
      }
      if (!numbers) keep_direction(path, texts);
    }
    const double length = std::hypot(direction[0], direction[1], direction[2]);
    if (!(length > 0)) {
      input_.fault(FaultKind::range, path_ + ".direction", "a direction needs a length above 0");
      return;
    }
    if (mesh_.dimensions() == 2 && direction[2] != 0) {
      input_.fault(FaultKind::range, path_ + ".direction",
                   "a 2-D mesh has no flow along z: the third number must be 0");
      return;
    }
    for (int m = 0; m < 3; ++m) from.direction[m] = direction[static_cast<std::size_t>(m)] / length;
  }

  // Over its length.
  void keep_direction(const std::string& path, const std::array<std::string, 3>& texts) {
    const std::string length =
        fmt::format("sqrt(({0})^2 + ({1})^2 + ({2})^2)", texts[0], texts[1], texts[2]);
    for (int m = 0; m < 3; ++m) {
      values_.push_back({fmt::format("{}[{}]", path, m),
                         fmt::format("({})/{}", texts[static_cast<std::size_t>(m)], length),
                         g_direction + m});
    }
  }

  bool read_outer_state(Condition& c) {
    return aerodynamics::read_outer_state(input_, path_ + ".state", stream_, c, values_);
  }

  void read_exact(const std::string& name, Condition& c) {
    c.kind = SurfaceKind::farfield;
    if (read_outer_state(c)) return;
    if (!exact_) {
      input_.fault(
          FaultKind::missing_key, place_,
          fmt::format("the boundary `{}` is of kind exact, and the case does not give the exact "
                      "flow beyond it",
                      name),
          fmt::format("give an exact solution, [[initial]] flow = \"...\", expressions, "
                      "boundary.{0} = {{ kind = \"exact\", state = {{ ... }} }}, or another "
                      "kind",
                      name));
      return;
    }
    c.outside = exact_->at;
    c.varies_in_time = exact_->moves && input_.text("time.mode") == "unsteady";
  }

  config::Input& input_;
  const mesh::MultiBlockMesh& mesh_;
  const FreeStream& stream_;
  const std::optional<ExactFlow>& exact_;
  double chord_;
  std::string path_, place_;
  std::vector<systems::SideValue> values_;  // of the patch
};

}  // namespace

std::vector<Key> boundary_keys(const std::string& state) {
  const std::string patch = "boundary.*.", names = "x y z r t";
  const auto positive = [&](const std::string& key, const std::string& unit,
                            const std::string& help) {
    Key made = config::expression_key(patch + key, unit, "", names, help);
    made.state = state;
    made.lowest = 0;
    made.lowest_open = true;
    return made;
  };
  Key direction = config::expressions_key(
      patch + "direction", "1", "", names,
      "inflow_total: direction of the flow; that of the free stream when unset.");
  direction.state = state;
  std::vector<Key> keys = {
      choice_key(patch + "kind", "", kinds(),
                 "Condition on the boundary NAME of the mesh. Boundaries that the case leaves out "
                 "have the condition that the mesh gives."),
      flag_key(patch + "vortex", "",
               "Kind farfield, in 2-D: add the vortex of the lift to the free stream beyond the "
               "boundary."),
      positive("total_pressure", "mass/(length time^2)",
               "inflow_total: pressure of the reservoir; that of the free stream when unset."),
      positive("total_temperature", "1",
               "inflow_total: temperature of the reservoir over that of the free stream; the total "
               "temperature of the free stream when unset."),
      direction,
      positive("pressure", "mass/(length time^2)",
               "outflow_pressure: pressure beyond it; that of the free stream when unset."),
  };
  for (Key& key :
       expression_flow_keys(patch + "state.", true,
                            "farfield, supersonic_inflow and exact, beyond the boundary: ")) {
    key.state = state;
    keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<PatchCondition> read_conditions(config::Input& input, const mesh::MultiBlockMesh& mesh,
                                            const FreeStream& stream,
                                            const std::optional<ExactFlow>& exact, double chord) {
  return Reader(input, mesh, stream, exact, chord).read();
}

}  // namespace watersmeet::aerodynamics
