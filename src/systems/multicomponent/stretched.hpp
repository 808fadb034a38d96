#pragma once
// The flow on cells of different widths: the choices of Flow<R, Variant::general> at run time, with the reconstruction, the width of the cell
// and the signal of the time step of the place. Not about an axis, and not with the limiter: configure.cpp refuses both.

#include "systems/multicomponent/cells.hpp"
#include "systems/multicomponent/flow.hpp"

namespace watersmeet::multicomponent {

template <class R>
struct StretchedFlow : Flow<R, Variant::general> {
  using Base = Flow<R, Variant::general>;
  using Base::state, Base::p;
  static constexpr int states = Base::states, kept = Base::kept;
  static constexpr bool needs_index = true, edges_need_index = true;

  StretchedCells<R> cells;

  template <class T>
  WM_HD Vec<T, states> state(const Conserved<T>& stored, exec::Place) const {
    return Base::template state<T>(stored);
  }
  template <int axis, class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window, exec::Place at) const {
    const auto number = [&](int n) { return cells.template number<T>(axis, n, at); };
    return Base::template edges_by<T>(window, [&](int v, const T& c) -> schemes::EdgeValues<T> {
      if (p.reconstruction == Reconstruction::first_order) return {c, c};
      const T b = window(v, -1), d = window(v, 1);
      if (p.reconstruction == Reconstruction::weno3)
        return schemes::weno3(b, c, d, p.weno[v], number);
      const T a = window(v, -2), f = window(v, 2);
      if (p.reconstruction == Reconstruction::weno5_z)
        return schemes::weno5_z(a, b, c, d, f, p.weno[v], number);
      return schemes::weno5_js(a, b, c, d, f, p.weno[v], number);
    });
  }
  template <int axis, class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>& e, const Vec<T, states>& w,
                          exec::Place) const {
    return Base::template keep<T>(e, w);
  }
  template <int axis, class T>
  WM_HD Record<T> flux(const Vec<T, states>& left, const Vec<T, states>& right, exec::Place) const {
    return Base::template flux<axis, T>(left, right);
  }
  template <int axis, class T>
  WM_HD void add(Conserved<T>& rate, const Record<T>& lower, const Record<T>& upper,
                 const Vec<T, states>& cell, const Vec<T, kept>& own, exec::Place at) const {
    Base::close(rate, lower, upper, Primitive<T>{cell}, own,
                cells.template number<T>(axis, cell_inverse, at));
  }
};

template <class R>
struct StretchedFinish : Finish<R> {
  static constexpr bool needs_index = true;

  StretchedCells<R> cells;

  template <class T>
  WM_HD T signal(const Primitive<T>& w, exec::Place at) const {
    return Finish<R>::signal_by(
        w, [&](int axis) { return cells.template number<T>(axis, cell_inverse, at); });
  }
  template <class T>
  WM_HD T operator()(Conserved<T>& s, exec::Place at) const {
    return signal(Finish<R>::clipped(s), at);
  }
};

}  // namespace watersmeet::multicomponent
