// What sources of a case may read and change in the Boussinesq system. Variables lie at four points of a cell: u, v and w on its lower faces,
// scalars in its centre. At each, what lies elsewhere is the mean of the two or four values around. The velocity across an open side is an
// unknown on the last face of its axis, of which the lower one is that of the first cell and the upper one lies in the ghosts: there the
// expressions are evaluated by passes of their own, from the same values and ghosts.
#include <fmt/format.h>

#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

namespace {
// Whether a variable, or a point that is numbered like them, lies on faces across an axis.
bool on_faces(int variable, int axis) { return variable == axis; }

std::string at_point(int point, const std::string& name) {
  return fmt::format("at{}.{}", point, name);
}

}  // namespace

// "at0.x": the coordinate x of point 0 of the cells of a box.
systems::UserSources::Place BoussinesqSystem::coordinates_at(const std::string& name,
                                                             const Box& box) const {
  const int point = name[2] - '0', axis = name.back() - 'x';
  systems::UserSources::Place place;
  const systems::GridCoordinates all = points_of(staggered_, box, point);
  place.values = axis == 0 ? all.x : axis == 1 ? all.y : all.z;
  place.stride[static_cast<std::size_t>(axis)] = 1;
  return place;
}

// The names of the state at each point, and what they are; on a side its place is a number.
systems::SourceModel BoussinesqSystem::local_state(int side) const {
  const std::vector<Variable> variables = this->variables();
  systems::SourceModel model;
  model.variables = variables;
  model.coordinates = {};
  for (int point = 0; point <= first_scalar; ++point) {
    std::vector<config::FieldName> names;
    for (int a = 0; a < 3; ++a) {
      const std::string axis(1, "xyz"[a]);
      if (side >= 0 && a == side / 2) {
        const std::int64_t n = staggered_.cells()[static_cast<std::size_t>(a)];
        names.push_back(
            {axis, 1, {fmt::format("{:.17g}", staggered_.face(a, side % 2 == 0 ? 0 : n))}});
        continue;
      }
      model.hidden.push_back({at_point(point, axis)});
      names.push_back({axis, 1, {at_point(point, axis)}});
    }
    names.push_back({"r", 1, {"sqrt(x^2 + y^2 + z^2)"}});
    std::vector<std::string> stored;
    for (int v = 0; v < parameters_.variables(); ++v) {
      const std::string& name = variables[static_cast<std::size_t>(v)].name;
      systems::SourceModel::Mean mean{at_point(point, name), v, {0, 0, 0}};
      bool moved = false;
      for (int a = 0; a < 3; ++a) {
        if (staggered_.flat(a) || on_faces(v, a) == on_faces(point, a)) continue;
        mean.reach[static_cast<std::size_t>(a)] = on_faces(v, a) ? 1 : -1;
        moved = true;
      }
      stored.push_back(moved ? mean.name : "stored." + name);
      if (moved) model.means.push_back(mean);
    }
    names.push_back({"velocity", 3, {stored[0], stored[1], stored[2]}});
    names.push_back({"speed", 1, {"sqrt(velocity.x^2 + velocity.y^2 + velocity.z^2)"}});
    for (std::size_t n = 0; n < parameters_.scalars.size(); ++n)
      names.push_back({parameters_.scalars[n].name, 1, {stored[first_scalar + n]}});
    model.points.push_back(names);
  }
  return model;
}

void BoussinesqSystem::configure_user_sources(config::Input& input) {
  systems::SourceModel model = local_state(-1);
  for (int a = 0; a < 3; ++a) {
    // The lowest faces of an axis with walls stay what the walls make them.
    const std::string advanced = std::string("advanced.") + "xyz"[a];
    model.hidden.push_back({advanced});
    model.targets.push_back({"velocity", a, a, boundaries_.has(2 * a) ? advanced : "", a});
  }
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    const std::string key = n == 0 ? "temperature" : "scalars." + parameters_.scalars[n].name;
    model.targets.push_back({key, first_scalar + static_cast<int>(n), -1, "", first_scalar});
  }
  for (std::size_t e = 0; e < input.count("source"); ++e) {
    const std::string entry = fmt::format("source[{}]", e);
    check_scalar_names(input, entry + ".scalars", parameters_.scalars);
  }
  sources_.configure(input, model);
  if (input.has_faults()) return;
  for (int a = 0; a < 3; ++a) {
    if (!boundaries_.open(2 * a) && !boundaries_.open(2 * a + 1)) continue;
    systems::SourceModel faces = model;
    for (systems::SourceModel::Target& target : faces.targets) {
      target.factor = {};
      if (target.variable != a) target.variable = -1;  // a key that is known, of no variable here
    }
    open_sources_[static_cast<std::size_t>(a)].configure(input, faces);
  }
}

void BoussinesqSystem::allocate_user_sources() {
  const Box& box = domain_->box(0);
  sources_.allocate(
      precision_,
      [&](const std::string& name) -> systems::UserSources::Place {
        const int axis = name.back() - 'x';
        Index3 stride{0, 0, 0};
        stride[static_cast<std::size_t>(axis)] = 1;
        if (name.starts_with("advanced.")) {
          std::vector<double> factors(static_cast<std::size_t>(box.size(axis)), 1.0);
          if (case_.wall[axis]) factors[0] = 0;
          return {factors, stride};
        }
        return coordinates_at(name, box);
      },
      queue_);
  for (std::size_t a = 0; a < 3; ++a) {
    Box faces = box;
    ++faces.upper[a];
    open_sources_[a].allocate(
        precision_, [&](const std::string& name) { return coordinates_at(name, faces); }, queue_);
  }
}

void BoussinesqSystem::add_sources(const exec::Launch& l, std::size_t stage) const {
  sources_.add(l, {0, 0, 0}, stage == 0 ? 0.0 : scheme_.ends[stage - 1]);
}

// After a stage: what it and its sources leave on faces of open sides counts for nothing, the ghosts are filled after this.
void BoussinesqSystem::advance_open_sides(const exec::Launch& l, std::size_t stage) {
  OpenArrays open = open_.arrays(0);
  for (int s = 0; s < open.count; ++s) {
    const int side = open.side[s].side;
    const auto axis = static_cast<std::size_t>(side / 2);
    if (!open_sources_[axis].any()) continue;
    open.side[s].sources = true;
    exec::Launch faces = l;
    if (side % 2 == 0) {
      faces.box.upper[axis] = faces.box.lower[axis] + 1;
    } else {
      faces.box.lower[axis] = faces.box.upper[axis]++;
    }
    open_sources_[axis].write_rates(faces, stage == 0 ? 0.0 : scheme_.ends[stage - 1]);
  }
  loops_->advance_open(l, open);
}

}  // namespace watersmeet::boussinesq
