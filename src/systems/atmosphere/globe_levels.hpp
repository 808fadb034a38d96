#pragma once
// Faces between two levels of a cubed sphere, for globe_flow.hpp: their flux, and that of the
// ground and the lid. The record above the lid of a panel is that of the ground of the next one.

#include "systems/atmosphere/globe_faces.hpp"
#include "systems/atmosphere/split_levels.hpp"

namespace watersmeet::atmosphere {

// Of a scheme with these parameters.
template <class R, GlobeVariant variant, Choices choices>
struct GlobeLevelFaces {
  using Held = GlobeHeld<variant>;
  static constexpr bool terrain = over_terrain(variant), split = is_split(variant),
                        deep = is_deep(variant),
                        lmars_unlimited = choices == Choices::lmars_unlimited,
                        equal = equal_levels(variant);
  template <class T>
  using Edge = typename Held::template Edge<T>;
  template <class T>
  using Record = typename Held::template Record<T>;

  const GlobeParameters<R, equal>& p;

  // Between two levels.
  template <class T>
  WM_HD Record<T> flux(const Edge<T>& left, const Edge<T>& right, Place at) const {
    const Point<T> l = point_of(left), r = point_of(right);
    const auto& g = p.geometry;
    const Place column = g.column_place(at);
    const auto where = places();
    const Reference<T> here = where.template face_reference<2, T>(column);
    const auto m = g.template centre<T>(at);
    Slope<T> z{T(R(0)), T(R(0))};
    T s = T(R(1)), un_l = l[w_w], un_r = r[w_w];
    if constexpr (terrain) {
      z = where.template level_slope<T>(column);
      s = slanted_area(m, z);
      const T inverse = rcp_(s);
      un_l = (un_l - (l[w_u] * z.x + l[w_v] * z.y)) * inverse;
      un_r = (un_r - (r[w_u] * z.x + r[w_v] * z.y)) * inverse;
    }
    const FaceSide<T> a = side_of(l, un_l, here, p.gamma), b = side_of(r, un_r, here, p.gamma);
    Record<T> record;
    if (column.k == 0) {
      const Place lid{column.i, column.j, g.levels - 1};
      const Reference<T> top = where.template face_reference<2, T>({column.i, column.j, g.levels});
      const FaceSide<T> under = side_of(l, l[w_w], top, p.gamma);
      const T part = share<T>(column), part_under = equal ? part : share<T>(lid);
      const T drag = part * (b.rho * b.a * b.un),
              drag_under = part_under * (under.rho * under.a * under.un);
      record = pushed(m, z, b.p - drag);
      record[l_w_below] = under.p + drag_under;
      if constexpr (split) {
        record[l_w_above] = -drag;
        record[l_w_below] = drag_under;
      }
      if constexpr (deep) {
        const T distance = where.template face_radius<2, T>(column);
        const T ratio = distance * rcp_(distance + where.template half_level<T>(column));
        record[l_u] = record[l_u] * ratio;
        record[l_v] = record[l_v] * ratio;
      }
      return record;
    }
    T drag = T(R(0));
    FaceFlux<T> f;
    if constexpr (split) {
      f = central(left, right, a, b, s, z, face_share<T>(column), drag);
    } else {
      f = solved<lmars_unlimited>(p, a, b, here);
    }
    const Carried<T> from = carried(f, a, b, l, r);
    T mass = f.mass * s;
    record = pushed(m, z, f.pressure);
    if constexpr (deep) {
      const T distance = where.template face_radius<2, T>(column), area = distance * distance;
      mass = mass * area;
      const Vec<T, 3> crossing{
          {mass * from.w[w_u], mass * from.w[w_v], fma_(mass, from.w[w_w], area * drag)}};
      const T whole = specific_energy(from.work, kinetic_on(m, from.w), here.gz, p.gamma);
      record[l_mass] = mass;
      record[l_energy] = fma_(f.work, s * area, mass * whole);
      if constexpr (split) {
        const LevelMiddle<T> low = middle_of(left), high = middle_of(right);
        const ForceShares<T> force = shared_force(area * force_on(low, high, column), low, high,
                                                  column.k == 1, column.k == g.levels - 1);
        record[l_w_above] = force.above;
        record[l_w_below] = -force.below;
      }
      share_out(record, column, crossing);
      return record;
    }
    record[l_mass] = mass;
    record[l_u] = fma_(mass, from.w[w_u], record[l_u]);
    record[l_v] = fma_(mass, from.w[w_v], record[l_v]);
    record[l_w_above] = fma_(mass, from.w[w_w], f.pressure);
    record[l_w_below] = record[l_w_above];
    if constexpr (split) {
      const LevelMiddle<T> low = middle_of(left), high = middle_of(right);
      const ForceShares<T> force = shared_force(force_on(low, high, column), low, high,
                                                column.k == 1, column.k == g.levels - 1);
      const T turned = fma_(mass, from.w[w_w], drag);
      record[l_w_above] = turned + force.above;
      record[l_w_below] = turned - force.below;
    }
    const T specific = specific_energy(from.work, kinetic_on(m, from.w), here.gz, p.gamma);
    record[l_energy] = fma_(f.work, s, mass * specific);
    return record;
  }
  // Of the acoustic dissipation across levels, what remains where the flow is split. At a cell.
  template <class T>
  WM_HD T share(Place column) const {
    return share_of<T>(column, p.geometry.medium.thickness_zeta(column.k));
  }

 private:
  // On its lower face, for the thinner of both cells.
  template <class T>
  WM_HD T face_share(Place column) const {
    const auto& medium = p.geometry.medium;
    const R here = medium.thickness_zeta(column.k);
    return share_of<T>(column, equal ? here : min_(here, medium.thickness_zeta(column.k - 1)));
  }
  template <class T>
  WM_HD T share_of([[maybe_unused]] Place column, [[maybe_unused]] R depth) const {
    if constexpr (!split) return T(R(1));
    const R lateral = R(0.5) * p.inverse_spacing[0];
    T h = T(equal ? lateral * rcp_(p.inverse_spacing[2]) : lateral * depth);
    if constexpr (terrain) h = h * p.geometry.medium.template thickness<T>(c_middle, column);
    return min_(h, T(R(1)));
  }

  WM_HD GlobePlaces<R, variant> places() const { return {p.geometry}; }

  // Deep: momentum that crosses a face, and the push on it that `record` has, as rates of the cells
  // above and below are made of them.
  template <class T>
  WM_HD void share_out(Record<T>& record, Place column, const Vec<T, 3>& crossing) const {
    const auto where = places();
    const T distance = where.template face_radius<2, T>(column);
    const T half = where.template half_level<T>(column);
    const T half_below =
        equal ? half : where.template half_level<T>({column.i, column.j, column.k - 1});
    const T above = rcp_(distance + half), below = rcp_(distance - half_below);
    const T above2 = above * above, below2 = below * below;
    const T push_u = distance * record[l_u], push_v = distance * record[l_v];
    record[l_u] = push_u * above + crossing[0] * above2;
    record[l_v] = push_v * above + crossing[1] * above2;
    record[l_u_below] = push_u * below + crossing[0] * below2;
    record[l_v_below] = push_v * below + crossing[1] * below2;
    if constexpr (split) {
      record[l_w_above] = (record[l_w_above] + crossing[2]) * above2;
      record[l_w_below] = (record[l_w_below] + crossing[2]) * below2;
    } else {
      record[l_w_above] = record[l_w_above] + crossing[2] * above2;
      record[l_w_below] = record[l_w_below] + crossing[2] * below2;
    }
  }
  template <class T>
  WM_HD static LevelMiddle<T> middle_of(const Edge<T>& e) {
    return {e[Held::middle_whole], e[Held::middle_rho], e[Held::middle_w], e[Held::middle_p]};
  }
  template <class T>
  WM_HD T force_on(const LevelMiddle<T>& l, const LevelMiddle<T>& r, Place column) const {
    T depth = T(p.geometry.medium.distance_zeta(column.k));
    if constexpr (terrain)
      depth = depth * p.geometry.medium.template thickness<T>(c_middle, column);
    if constexpr (deep) {
      const T inverse = rcp_(places().template face_radius<2, T>(column));
      depth = depth * (inverse * inverse);  // gravity
    }
    return force_between(l, r, depth, p.geometry.medium.gravity);
  }
  // `part` as share().
  template <class T>
  WM_HD FaceFlux<T> central(const Edge<T>& left, const Edge<T>& right, const FaceSide<T>& a,
                            const FaceSide<T>& b, const T& s, const Slope<T>& z, const T& part,
                            T& drag) const {
    const LevelMiddle<T> low = middle_of(left), high = middle_of(right);
    T through = mean_through(low, high);
    if constexpr (terrain) {
      const auto along = [&](const Edge<T>& e, const FaceSide<T>& side) {
        return side.rho * (e[w_u] * z.x + e[w_v] * z.y);
      };
      through = (through - R(0.5) * (along(left, a) + along(right, b))) * rcp_(s);
    }
    return mean_flux(through, low, high, a, b, part, drag);
  }
  // Of a face that nothing passes.
  template <class T>
  WM_HD static Record<T> pushed(const schemes::PanelPoint<T>& m, const Slope<T>& z,
                                const T& pressure) {
    const T none = T(R(0));
    Record<T> record{{none, none, none, pressure, pressure, none, none}};
    if constexpr (terrain) {
      record[l_u] = -(m.g11() * z.x + m.g12() * z.y) * pressure;
      record[l_v] = -(m.g12() * z.x + m.g22() * z.y) * pressure;
    }
    return record;
  }
};

}  // namespace watersmeet::atmosphere
