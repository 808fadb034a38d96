#pragma once
// Faces between two levels for flow.hpp: their flux, and that of the ground and the lid.

#include "systems/atmosphere/flow_parameters.hpp"
#include "systems/atmosphere/split_levels.hpp"
#include "systems/atmosphere/viscosity.hpp"

namespace watersmeet::atmosphere {

namespace detail {
template <class R, Traits t, bool sphere>
struct MeshOf {
  using type = BoxMesh<R, t.terrain, t.equal>;
};
template <class R, Traits t>
struct MeshOf<R, t, true> {
  using type = PanelMesh<R, t.terrain, t.deep, t.equal, t.stretched>;
};
}  // namespace detail
template <class R, Traits traits>
using MeshOf = typename detail::MeshOf<R, traits, traits.sphere>::type;

// What is reconstructed, and what a face's record has.
template <class R, Traits traits>
struct FlowLayout {
  using Mesh = MeshOf<R, traits>;
  // With viscosity an edge also holds what its cell has in the middle: velocity and theta'. Split:
  // rho, rho', w and p' there, between levels alone, which edges make of what is seen.
  static constexpr int middle = n_primitives;
  static constexpr int states = traits.viscous || traits.split ? middle + 4 : middle;
  static constexpr int seen = traits.split ? middle : states;
  static constexpr int records = Mesh::records(traits.split);
  template <class T>
  using Edge = Vec<T, states>;
  template <class T>
  using Record = Vec<T, records>;

  template <class T>
  WM_HD static void put_middle(Edge<T>& e, const T& rho_r, const T& rho, const T& w, const T& p) {
    e[middle] = rho_r + rho;
    e[middle + 1] = rho;
    e[middle + 2] = w;
    e[middle + 3] = p;
  }
  template <class T>
  WM_HD static LevelMiddle<T> middle_of(const Edge<T>& e) {
    return {e[middle], e[middle + 1], e[middle + 2], e[middle + 3]};
  }
};

template <class R, Traits traits>
struct LevelFaces {
  using Layout = FlowLayout<R, traits>;
  using Mesh = typename Layout::Mesh;
  static constexpr bool terrain = traits.terrain, split = traits.split, deep = traits.deep;
  static constexpr int records = Layout::records;
  template <class T>
  using Edge = typename Layout::template Edge<T>;
  template <class T>
  using Record = typename Layout::template Record<T>;

  using Parameters = FlowParameters<R, Mesh>;

  // Between two levels.
  template <class T, class Column>
  WM_HD static Record<T> flux(const Parameters& p, const Edge<T>& left, const Edge<T>& right,
                              Place at, const Column& column) {
    const Primitive<T> l = primitive_part(left), r = primitive_part(right);
    const auto face = p.mesh.template face<2, T>(at, column);
    const FaceSide<T> a = side_of(l, face.normal_velocity(l), face.reference, p.gamma),
                      b = side_of(r, face.normal_velocity(r), face.reference, p.gamma);
    const Place table = p.mesh.table_place(at);
    if constexpr (Mesh::sphere) {
      if (table.k == 0) return ground_and_lid(p, face, l, b, table);
    } else {
      if (at.k == p.mesh.ground) return wall(face, answer(b, face_share<T>(p, at), false));
      if (at.k == p.mesh.lid) return wall(face, answer(a, face_share<T>(p, at), true));
    }
    T drag = T(R(0));
    FaceFlux<T> f;
    if constexpr (split) {
      const LevelMiddle<T> low = Layout::middle_of(left), high = Layout::middle_of(right);
      T through = mean_through(low, high);
      if constexpr (terrain) {
        through =
            (through - R(0.5) * (a.rho * face.along(l) + b.rho * face.along(r))) * rcp_(face.area);
      }
      f = mean_flux(through, low, high, a, b, face_share<T>(p, table), drag);
    } else {
      f = solved_flux<traits.lmars>(p.riemann, a, b, face.reference.p, p.least_mach);
    }
    const Carried<T> from = carried_by(f, a, b, l, r);
    const T specific = energy_of(from, face, p.gamma);
    const Slope<T> push = face.push(f.pressure);
    T mass = f.mass * face.area, area = face.area;
    Record<T> record;
    for (int v = n_shared_records; v < records; ++v) record[v] = T(R(0));
    if constexpr (deep) {
      const T distance = p.mesh.template face_radius<2, T>(table), grown = distance * distance;
      mass = mass * grown;
      area = area * grown;
      const Vec<T, 3> crossing{
          {mass * from.w[w_u], mass * from.w[w_v], fma_(mass, from.w[w_w], grown * drag)}};
      record[r_u] = push.x;
      record[r_v] = push.y;
      record[r_w] = record[r_w_below] = f.pressure;
      if constexpr (split) {
        const ForceShares<T> force = force_on(p, left, right, table, grown);
        record[r_w] = force.above;
        record[r_w_below] = -force.below;
      }
      p.mesh.template share_out<split>(record, table, crossing);
    } else {
      record[r_u] = fma_(mass, from.w[w_u], push.x);
      record[r_v] = fma_(mass, from.w[w_v], push.y);
      record[r_w] = fma_(mass, from.w[w_w], f.pressure);
      if constexpr (Mesh::sphere) record[r_w_below] = record[r_w];
      if constexpr (split) {
        const ForceShares<T> force = force_on(p, left, right, table, T(R(1)));
        const T carried = fma_(mass, from.w[w_w], drag);
        record[r_w] = carried + force.above;
        record[r_w_below] = carried - force.below;
      }
    }
    record[r_mass] = mass;
    record[r_energy] = energy_through(face.metric, mass, specific, f.work, area);
    if constexpr (traits.viscous)
      add_viscous<2, Layout::middle>(p, record, left, right, face.reference, at);
    return record;
  }

  // What remains of the acoustic dissipation across levels where the flow is split: as fast as
  // sound along them. At a cell.
  template <class T>
  WM_HD static T share(const Parameters& p, Place table) {
    return share_of<T>(p, table, p.mesh.level_depth(table.k));
  }

 private:
  // phi of split_levels.hpp, `grown` times.
  template <class T>
  WM_HD static ForceShares<T> force_on(const Parameters& p, const Edge<T>& left,
                                       const Edge<T>& right, Place table,
                                       [[maybe_unused]] const T& grown) {
    const LevelMiddle<T> low = Layout::middle_of(left), high = Layout::middle_of(right);
    const auto& medium = p.mesh.medium;
    T depth = T(medium.distance_zeta(table.k));
    if constexpr (terrain) depth = depth * medium.template thickness<T>(c_middle, table);
    if constexpr (deep) {
      const T inverse = rcp_(p.mesh.template face_radius<2, T>(table));
      depth = depth * (inverse * inverse);  // gravity
    }
    T force = force_between(low, high, depth, medium.gravity);
    if constexpr (deep) force = grown * force;
    if constexpr (Mesh::sphere) {
      return shared_force(force, low, high, table.k == 1, table.k == p.mesh.levels - 1);
    } else {
      return shared_force(force, low, high, table.k == p.mesh.ground + 1,
                          table.k == p.mesh.lid - 1);
    }
  }

  // The pressure at a wall, and what of it is sound: the cell inside with flow against the wall.
  template <class T>
  struct Answer {
    T pressure, drag;
  };
  template <class T>
  WM_HD static Answer<T> answer(const FaceSide<T>& inside, const T& part, bool lid) {
    const T drag = part * (inside.rho * inside.a * inside.un);
    return lid ? Answer<T>{inside.p + drag, drag} : Answer<T>{inside.p - drag, -drag};
  }
  template <class T, class Face>
  WM_HD static Record<T> wall(const Face& face, const Answer<T>& answer) {
    const Slope<T> push = face.push(answer.pressure);
    const T none = T(R(0));
    Record<T> record;
    for (int v = n_shared_records; v < records; ++v) record[v] = none;
    record[r_mass] = record[r_energy] = none;
    record[r_u] = push.x;
    record[r_v] = push.y;
    record[r_w] = answer.pressure;
    if constexpr (split) record[r_w] = record[r_w_below] = answer.drag;
    return record;
  }
  // The ground of a panel, with the lid of the one before for the cell below.
  template <class T, class Face>
  WM_HD static Record<T> ground_and_lid(const Parameters& p, const Face& face,
                                        const Primitive<T>& below, const FaceSide<T>& above,
                                        Place table) {
    const auto& mesh = p.mesh;
    const Place lid{table.i, table.j, mesh.levels - 1};
    const Reference<T> top = mesh.template face_reference<2, T>({table.i, table.j, mesh.levels});
    const T part = share<T>(p, table), part_under = mesh.stretched() ? share<T>(p, lid) : part;
    const Answer<T> ground = answer(above, part, false),
                    under = answer(side_of(below, below[w_w], top, p.gamma), part_under, true);
    Record<T> record = wall(face, ground);
    record[r_w_below] = split ? under.drag : under.pressure;
    if constexpr (deep) {
      const T distance = mesh.template face_radius<2, T>(table);
      const T ratio = distance * rcp_(distance + mesh.template half_level<T>(table));
      record[r_u] = record[r_u] * ratio;
      record[r_v] = record[r_v] * ratio;
    }
    return record;
  }

  // At its lower face, for the thinner of both cells.
  template <class T>
  WM_HD static T face_share(const Parameters& p, Place table) {
    const R here = p.mesh.level_depth(table.k);
    return share_of<T>(p, table,
                       p.mesh.stretched() ? min_(here, p.mesh.level_depth(table.k - 1)) : here);
  }
  template <class T>
  WM_HD static T share_of([[maybe_unused]] const Parameters& p, [[maybe_unused]] Place table,
                          [[maybe_unused]] R depth) {
    if constexpr (!split) return T(R(1));
    T h = T(p.mesh.half_aspect() * depth);
    if constexpr (terrain) h = h * p.mesh.medium.template thickness<T>(c_middle, table);
    return min_(h, T(R(1)));
  }
};

}  // namespace watersmeet::atmosphere
