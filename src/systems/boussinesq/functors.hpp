#pragma once
// The functors of the Boussinesq system, made of the parameters of a case and of the arrays of a launch, and rounded once to the precision of
// the loops.

#include "core/rounded.hpp"
#include "systems/boussinesq/boundary/open_faces.hpp"
#include "systems/boussinesq/loops.hpp"
#include "systems/boussinesq/projection.hpp"
#include "systems/boussinesq/split_rates.hpp"

namespace watersmeet::boussinesq {

template <class R>
OtherArray<R> other_array(const BlockLayout& layout, const void* start) {
  return {static_cast<const R*>(start) + layout.first, layout.stride[1], layout.stride[2],
          layout.stride_var, layout.ghosts[0] > 0 ? 1 : 0};
}
template <class R>
OtherArray<R> phi_of(const exec::Launch& l) {
  return other_array<R>(*l.registers.extra_layout, l.registers.extra);
}

template <class M, class R>
M metrics_of(const Case& of) {
  const GridTables& t = of.tables;
  M m;
  if constexpr (M::stretched) {
    for (int a = 0; a < 3; ++a) {
      m.inverse_width[a] = static_cast<const R*>(t.inverse_width[a]);
      m.inverse_distance[a] = static_cast<const R*>(t.inverse_distance[a]);
    }
  } else {
    m.inverse_x = R(of.inverse_x);
    m.inverse_y = R(of.inverse_y);
    m.inverse_width = static_cast<const R*>(t.inverse_width[2]);
    m.inverse_distance = static_cast<const R*>(t.inverse_distance[2]);
  }
  return m;
}

template <class R>
Coefficients<R> coefficients_of(const Case& of) {
  auto c = rounded_to<Coefficients<R>>(of.coefficients);
  if (of.fields) {
    c.fields = {static_cast<const R*>(of.fields) + of.fields_layout->first};
    c.fields_stride = of.fields_layout->stride_var;
  }
  c.planetary = {of.tables.planetary};
  return c;
}

// Stages have no epilogue beside the update: the velocity is not final before its projection.
template <class R>
struct NoFinish {
  template <class T, int n, class S>
  WM_HD Finished<T> operator()(Vec<T, n>&, const S&) const {
    return {T(R(0)), T(R(0))};
  }
};

template <class R, int variables>
exec::BoxRules<R, variables> rules_of(const BlockLayout& layout, const GhostRules& given) {
  exec::BoxRules<R, variables> rules;
  for (int a = 0; a < 3; ++a) {
    rules.n[a] = static_cast<int>(layout.n[a]);
    rules.stride[a] = layout.stride[a];
  }
  rules.stride_var = layout.stride_var;
  for (int v = 0; v < variables; ++v) rules.normal[v] = variables > 1 && v < 3 ? v : -1;
  for (int s = 0; s < 6; ++s) {
    rules.kind[s] = given.kind[s];
    rules.plane[s] = {static_cast<const R*>(given.plane[s]), given.plane_stride[s]};
    for (int v = 0; v < variables; ++v) {
      rules.rule[s][v] = {R(given.factor[s][v]), R(given.constant[s][v]),
                          static_cast<const R*>(given.table[s][v])};
    }
  }
  return rules;
}

template <class R>
OpenSides<R> open_sides_of(const OpenArrays& given) {
  OpenSides<R> sides;
  sides.count = given.count;
  for (int s = 0; s < given.count; ++s) {
    const OpenArrays::Side& from = given.side[s];
    sides.side[s] = {from.side,
                     {from.n[0], from.n[1]},
                     from.stride,
                     static_cast<R*>(from.now),
                     static_cast<R*>(from.next),
                     static_cast<R*>(from.rate),
                     static_cast<const R*>(from.force)};
  }
  for (int a = 0; a < 3; ++a) sides.wraps[a] = given.wraps[a];
  return sides;
}
template <class R, class M>
OpenBlock<R, M> open_block_of(const Case& of, const BlockLayout& layout) {
  OpenBlock<R, M> block;
  block.m = metrics_of<M, R>(of);
  for (int a = 0; a < 3; ++a) {
    block.n[a] = static_cast<int>(layout.n[a]);
    block.stride[a] = layout.stride[a];
  }
  block.stride_var = layout.stride_var;
  return block;
}

// Faces of open sides by their number, for the loops of exec/index_*.hpp.
template <class R, class Advance>
struct AdvanceOpenFaces {
  Advance advance;
  OpenSides<R> sides;
  exec::StageUpdate<R> update;
  const exec::Clock* clock;
  WM_HD int operator()(std::int64_t face) const {
    advance(open_face(sides, face, advance.block.n), exec::settled<Advance>(update, *clock),
            R(clock->dt));
    return 0;
  }
};
template <class R, class M>
struct CorrectOpenFaces {
  CorrectOpen<R, M> correct;
  OpenSides<R> sides;
  WM_HD R operator()(std::int64_t face) const {
    return correct(open_face(sides, face, correct.block.n));
  }
};
template <class R, int variables>
struct FillAroundOpen {
  OpenSides<R> sides;
  exec::BoxRules<R, variables> rules;
  WM_HD int operator()(std::int64_t place) const {
    fill_around_open(sides, rules, place);
    return 0;
  }
};

// M: the metrics of the cells, Metrics or StretchedMetrics.
template <class Number, class M>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = boussinesq::Case;

  template <int variables, Advection advection>
  static RightHandSide<R, variables, advection, M> right_hand_side(const Case& of) {
    return {metrics_of<M, R>(of), coefficients_of<R>(of), advanced_faces<R>(of.wall)};
  }
  static Divergence<R, M> divergence(const Case& of, const exec::Launch& l) {
    return {metrics_of<M, R>(of), other_array<R>(*l.registers.layout, l.registers.out)};
  }
  static Projection<R, M> projection(const Case& of, const exec::Launch& l, bool last) {
    return {metrics_of<M, R>(of), advanced_faces<R>(of.wall), phi_of<R>(l), last,
            of.watched_scalars};
  }
  template <Advection advection>
  static VelocityRate<R, advection, M> velocity_rate(const Case& of) {
    return {right_hand_side<3, advection>(of), of.scalars};
  }
  template <Advection advection>
  static ScalarRate<R, advection, M> scalar_rate(const Case& of, int var) {
    using Rate = ScalarRate<R, advection, M>;
    Rate rate{right_hand_side<3, Rate::plain>(of), {}, var};
    const auto pair = [](const void* const(&of_pair)[2]) -> typename UpwindWeights<R>::Pair {
      return {static_cast<const R*>(of_pair[0]), static_cast<const R*>(of_pair[1])};
    };
    for (int a = 0; a < 3; ++a) {
      rate.weights.up[a] = pair(of.tables.up[a]);
      rate.weights.down[a] = pair(of.tables.down[a]);
    }
    return rate;
  }
  template <bool history, Advection advection>
  static auto advance_open(const Case& of, const exec::Launch& l, const OpenArrays& open) {
    using Advance = AdvanceOpen<R, advection, history, M>;
    const BlockLayout& layout = *l.registers.layout;
    AdvanceOpenFaces<R, Advance> body{
        {open_block_of<R, M>(of, layout), coefficients_of<R>(of), of.scalars,
         static_cast<const R*>(l.registers.in) + layout.first},
        open_sides_of<R>(open),
        exec::rounded<R>(l.update),
        l.clock};
    for (int s = 0; s < open.count; ++s) {
      if (open.side[s].sources)
        body.sides.side[s].sources = static_cast<const R*>(l.registers.out) + layout.first;
    }
    return body;
  }
  static CorrectOpenFaces<R, M> correct_open(const Case& of, const exec::Launch& l,
                                             const OpenArrays& open) {
    const BlockLayout &layout = *l.registers.layout, &pressure = *l.registers.extra_layout;
    CorrectOpen<R, M> c;
    c.block = open_block_of<R, M>(of, layout);
    c.velocity = static_cast<const R*>(l.registers.out) + layout.first;
    c.phi = static_cast<const R*>(l.registers.extra) + pressure.first;
    for (int a = 0; a < 3; ++a) c.stride[a] = pressure.stride[a];
    return {c, open_sides_of<R>(open)};
  }
  static Diagnose<R, M> diagnose(const Case& of, const exec::Launch&) {
    Diagnose<R, M> d;
    d.m = metrics_of<M, R>(of);
    d.c = coefficients_of<R>(of);
    for (int a = 0; a < 3; ++a) d.weight[a] = static_cast<const R*>(of.tables.weight[a]);
    d.first_of_row = static_cast<const R*>(of.tables.first_of_row);
    d.last_of_row = static_cast<const R*>(of.tables.last_of_row);
    d.p = of.diagnose;
    return d;
  }
  static MeasureSignal<R, M> signal(const Case& of, const exec::Launch&) {
    return {metrics_of<M, R>(of), of.scalars, of.both_faces, R(of.signal_of_diffusion)};
  }
  static SignalOfCells<R, M> signal_of_cells(const Case& of, const exec::Launch& l) {
    const BlockLayout& layout = *l.registers.layout;
    MeasureSignal<R, M> measure = signal(of, l);
    measure.scalars = of.watched_scalars;
    SignalOfCells<R, M> cells{measure, exec::arrays_of<R>(l)};
    for (int a = 0; a < 3; ++a) cells.n[a] = static_cast<int>(layout.n[a]);
    return cells;
  }
  static Evaluate<R, M> evaluate(const Case& of, const exec::Launch& l, int quantity) {
    return {diagnose(of, l), phi_of<R>(l), R(of.inverse_dt), static_cast<Quantity>(quantity)};
  }
};

}  // namespace watersmeet::boussinesq
