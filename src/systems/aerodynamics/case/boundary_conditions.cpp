#include "systems/aerodynamics/case/boundary_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/nearest.hpp"
#include "config/usual_keys.hpp"
#include "systems/aerodynamics/case/expression_flow.hpp"

namespace watersmeet::aerodynamics {

using config::choice_key;
using config::FaultKind;
using config::flag_key;
using config::Key;
using config::positive_key;
using config::vector_key;

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
    Condition& c = result.condition;
    if (result.kind == "slip_wall" || result.kind == "symmetry") {
      c.kind = SurfaceKind::slip_wall;
    } else if (result.kind == "supersonic_outflow" || result.kind == "degenerate") {
      c.kind = SurfaceKind::supersonic_outflow;
    } else if (result.kind == "supersonic_inflow") {
      c.kind = SurfaceKind::supersonic_inflow;
    } else if (result.kind == "farfield") {
      read_farfield(c);
    } else if (result.kind == "inflow_total") {
      read_reservoir(c);
    } else if (result.kind == "outflow_pressure") {
      c.kind = SurfaceKind::outflow_pressure;
      c.given.pressure = number("pressure", stream_.flow.p);
    } else {
      read_exact(name, c);
    }
    return result;
  }

  double number(const char* key, double otherwise) const {
    const std::string path = path_ + "." + key;
    return input_.is_set(path) && input_.is_good(path) ? input_.real(path) : otherwise;
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
        {"state", {"exact"}},
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
    if (needs && !stream_.given) {
      input_.fault(FaultKind::missing_key, "physics.freestream.mach",
                   fmt::format("the boundary `{}` of kind {} needs the Mach number of the free "
                               "stream",
                               name, kind),
                   "add `mach = ...` to [physics.freestream]");
      return;
    }
    if (!stream_.given) return;
    const bool supersonic = kind == "supersonic_inflow" || kind == "supersonic_outflow";
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
    const std::string path = path_ + ".vortex";
    if (!input_.is_set(path) || !input_.is_good(path) || !input_.boolean(path)) return;
    const char* const wrong =
        mesh_.dimensions() != 2 ? "the vortex of the far field belongs to flow in the plane"
        : !(stream_.mach < 1)   ? "the vortex of the far field belongs to a subsonic stream"
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
    from.pressure = number("total_pressure", stream_.total_pressure());
    const double warmer = number("total_temperature", stream_.total_temperature());
    from.sound2 = warmer * stream_.sound_speed() * stream_.sound_speed();
    Real3 direction = stream_.drag_direction(mesh_.dimensions());
    if (input_.is_set(path_ + ".direction")) direction = input_.reals3(path_ + ".direction");
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

  void read_exact(const std::string& name, Condition& c) {
    c.kind = SurfaceKind::farfield;
    const std::string state = path_ + ".state";
    if (input_.is_set(state)) {
      const ExpressionFlow flow(input_, state + ".", stream_.flow, true);
      c.varies_in_time = flow.varies_in_time();
      if (c.varies_in_time && input_.text("time.mode") == "steady") {
        input_.fault(FaultKind::conflict, state,
                     "a run to a steady state counts cycles, which are no time: t has no meaning",
                     "remove t, or set time.mode = \"unsteady\"");
      }
      c.outside = [flow](const Real3& x, double t) { return flow.at(x, t); };
      return;
    }
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
};

}  // namespace

std::vector<Key> boundary_keys() {
  const std::string patch = "boundary.*.";
  std::vector<Key> keys = {
      choice_key(patch + "kind", "", kinds(),
                 "Condition on the boundary NAME of the mesh. Boundaries that the case leaves out "
                 "have the condition that the mesh gives."),
      flag_key(patch + "vortex", "",
               "Kind farfield, in 2-D: add the vortex of the lift to the free stream beyond the "
               "boundary."),
      positive_key(patch + "total_pressure", "mass/(length time^2)", "",
                   "inflow_total: pressure of the reservoir; that of the free stream when unset."),
      positive_key(
          patch + "total_temperature", "1", "",
          "inflow_total: temperature of the reservoir over that of the free stream; the total "
          "temperature of the free stream when unset."),
      vector_key(patch + "direction", "1", "",
                 "inflow_total: direction of the flow; that of the free stream when unset."),
      positive_key(patch + "pressure", "mass/(length time^2)", "",
                   "outflow_pressure: pressure beyond it; that of the free stream when unset."),
  };
  for (Key& key : expression_flow_keys(patch + "state.", true, "exact: ")) {
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
