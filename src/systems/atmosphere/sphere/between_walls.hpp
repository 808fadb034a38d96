#pragma once
// What reconstruction sees of a panel beyond its walls. The levels of a panel are independent of the next
// panel's: beyond the ground and the lid rho' and p' continue in a straight line, u and v stay, and w is
// such that nothing passes. The transverse term sees the same beyond them; beyond the sides of a
// panel it sees the ghosts, and never those behind its corners, since faces on the sides are made
// elsewhere (edges.hpp).

#include "systems/atmosphere/box_mesh.hpp"

namespace watersmeet::atmosphere {

// Faces of a PanelMesh between walls. `window`: that of a flux scheme (exec/face.hpp).
template <class Mesh>
struct BetweenWalls {
  using R = typename Mesh::real;
  Mesh mesh;

  template <int axis, class T, class Window>
  WM_HD Beside<T> beside(int v, const Window& window, [[maybe_unused]] Place at) const {
    Beside<T> values{window(v, -1), window(v, 1)};
    if constexpr (axis == 2) {
      const int k = mesh.level(at);
      const T here = window(v, 0);
      if (k == 0) values.below = beyond_wall(v, here, values.above, window, at, true);
      if (k == mesh.levels - 1)
        values.above = beyond_wall(v, here, values.below, window, at, false);
    }
    return values;
  }
  // The second differences along the two other axes; the levels, where they are among these, come
  // last. On stretched ones of the parabola through three of them, and it is a straight line that
  // continues beyond a wall.
  template <int axis, class T, class Window>
  WM_HD T curvature(int v, const Window& window, Place at) const {
    const int k = mesh.level(at);
    const bool on_ground = k == 0, below_lid = k == mesh.levels - 1;
    const T first_two = window.step(v, 0, -1) + window.step(v, 0, 1);
    const bool inside = axis == 2 || !(on_ground || below_lid);
    if (inside && (axis == 2 || !mesh.stretched())) {
      return first_two + (window.step(v, 1, -1) + window.step(v, 1, 1));
    }
    R up = R(1), down = R(1);
    if (mesh.stretched()) {
      up = mesh.medium.stretch_value(k, t_curve_up);
      down = mesh.medium.stretch_value(k, t_curve_down);
    }
    if (inside) return first_two + (down * window.step(v, 1, -1) + up * window.step(v, 1, 1));
    if (v == w_rho || v == w_p) return first_two;
    const T inward = on_ground ? up * window.step(v, 1, 1) : down * window.step(v, 1, -1);
    if (v != w_w) return first_two + inward;
    const R outward = R(2) * (on_ground ? down : up);
    return first_two + (inward + outward * (w_at_wall<T>(window, at, on_ground) - window(v, 0)));
  }

 private:
  template <class T, class Window>
  WM_HD T beyond_wall(int v, const T& here, const T& inside, const Window& window, Place at,
                      bool on_ground) const {
    if (v == w_u || v == w_v) return here;
    if (v == w_w) return R(2) * w_at_wall<T>(window, at, on_ground) - here;
    if (!mesh.stretched()) return R(2) * here - inside;
    // As far beyond as the wall's own level is thick.
    const R steps =
        mesh.medium.stretch_value(mesh.level(at), on_ground ? t_share_up : t_share_down);
    return here + steps * (here - inside);
  }
  // Such that nothing passes.
  template <class T, class Window>
  WM_HD T w_at_wall([[maybe_unused]] const Window& window, [[maybe_unused]] Place at,
                    [[maybe_unused]] bool on_ground) const {
    T through = T(R(0));
    if constexpr (Mesh::terrain) {
      if (on_ground) {
        const Slope<T> z = mesh.template face_slope<T>(mesh.table_place(at));
        through = window(w_u, 0) * z.x + window(w_v, 0) * z.y;
      }
    }
    return through;
  }
};

}  // namespace watersmeet::atmosphere
