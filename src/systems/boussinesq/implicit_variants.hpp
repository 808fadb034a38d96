#pragma once
// The loops of implicit diffusion (implicit.hpp): the variants that are built. Included by the files that the build makes of it.

#include <utility>

#include "exec/column_loops.hpp"
#include "exec/common_loops.hpp"
#include "solve/tridiagonal/lines_loops.hpp"
#include "systems/boussinesq/functors.hpp"
#include "systems/boussinesq/implicit.hpp"
#include "systems/boussinesq/implicit_loops.hpp"

namespace watersmeet::boussinesq {

template <class BackEnd, class R>
class ImplicitLoopsOf final : public ImplicitLoops {
 public:
  explicit ImplicitLoopsOf(const Case& of) : case_(of) {}

  void advance(const exec::Launch& l, const ImplicitLines& lines) override {
    AroundLines<R> body;
    body.rate = {metrics_of<StretchedMetrics<R>, R>(case_), {}, advanced_faces<R>(case_.wall)};
    for (int var = 0; var < variables(); ++var) body.diffusivity[var] = R(diffusivity(var));
    body.phi = phi_of<R>(l);
    body.a = exec::arrays_of<R>(l);
    body.clock = l.clock;
    for (std::size_t axis = 0; axis < 3; ++axis) body.along[axis] = lines.axis[axis];
    body.rows_of_plane = static_cast<int>(l.registers.layout->n[1]);
    cells(l, body);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (lines.axis[axis]) solve(l, lines, axis);
    }
    body.after = true;
    cells(l, body);
  }

 private:
  static constexpr BackEnd back_end{};
  int variables() const { return first_scalar + case_.scalars; }
  double diffusivity(int var) const {
    const Coefficients<double>& c = case_.coefficients;
    return var < first_scalar ? c.viscosity : c.diffusivity[var - first_scalar];
  }
  void cells(const exec::Launch& l, const AroundLines<R>& body) const {
    const std::int64_t(&n)[3] = l.registers.layout->n;
    exec::column_loop<R>(back_end, static_cast<int>(n[0]), static_cast<int>(n[1] * n[2]),
                         variables(), body, l.clock, l.queue);
  }
  void solve(const exec::Launch& l, const ImplicitLines& of, std::size_t axis) const {
    const BlockLayout& layout = *l.registers.layout;
    std::size_t lane = axis == 0 ? 1 : 0, row = axis == 2 ? 1 : 2;
    // Neighbours in memory lie side by side; of other lines as many as possible.
    if (lane != 0 || layout.n[0] == 1) {
      if (layout.n[row] > layout.n[lane]) std::swap(lane, row);
    }
    solve::TridiagonalLines<R> lines;
    lines.values = static_cast<R*>(l.registers.out) + layout.first;
    lines.cells = static_cast<const solve::CellWeights<R>*>(of.cells[axis]);
    lines.variables = variables();
    for (int var = 0; var < variables(); ++var) lines.share[var] = R(0.5 * diffusivity(var));
    lines.count = static_cast<int>(layout.n[axis]);
    lines.lanes = static_cast<int>(layout.n[lane]);
    lines.rows = static_cast<int>(layout.n[row]);
    lines.stride = layout.stride[axis];
    lines.lane_stride = layout.stride[lane];
    lines.row_stride = layout.stride[row];
    lines.stride_var = layout.stride_var;
    lines.periodic = of.periodic[axis];
    solve::solve_lines(back_end, lines, l.clock, l.queue);
  }

  const Case& case_;
};

template <class BackEnd, class R>
std::unique_ptr<ImplicitLoops> ImplicitVariants<BackEnd, R>::make(const Case& of) {
  return std::make_unique<ImplicitLoopsOf<BackEnd, R>>(of);
}

}  // namespace watersmeet::boussinesq
