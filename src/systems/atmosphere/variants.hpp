#pragma once
// The loops for one back end and number type, but for the stage: the variants that are built.
// Included by the files that the build makes of it.

#include "exec/column_loops.hpp"
#include "exec/face_loops.hpp"
#include "exec/index_loops.hpp"
#include "systems/atmosphere/built.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

template <class Interface, class BackEnd, class R, Traits traits>
class AirLoopsOf : public exec::CommonLoops<Interface, BackEnd, Functors<R, traits>> {
 public:
  using exec::CommonLoops<Interface, BackEnd, Functors<R, traits>>::CommonLoops;

  void solve_columns(const exec::Launch& l, [[maybe_unused]] const SplitCall& split) override {
    require(traits.split, "columns are solved where sound across levels is implicit");
    if constexpr (traits.split) {
      const auto& n = l.registers.layout->n;
      const auto solver = Functors<R, traits>::columns(this->case_, l, split);
      exec::column_loop<R>(this->back_end, static_cast<int>(n[0]), static_cast<int>(n[1]),
                           static_cast<int>(n[2]) / solver.levels, solver, l.clock, l.queue);
    }
  }
};

template <class BackEnd, class R, Traits traits>
class BoxLoopsOf final : public AirLoopsOf<BoxLoops, BackEnd, R, traits> {
  using Common = AirLoopsOf<BoxLoops, BackEnd, R, traits>;
  using Common::back_end, Common::case_;
  using F = Functors<R, traits>;
  static constexpr bool diffuses = traits.terrain && !traits.split;
  using Launch = exec::Launch;

 public:
  using Common::Common;

  void fill_boundaries(const Launch& l, const BoundaryCall& boundaries) override {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(back_end, static_cast<R*>(l.registers.out), *l.registers.layout,
                            F::exterior(case_, l, boundaries, axis, around), l.queue, around);
    });
  }
  void diffuse(const Launch& l, [[maybe_unused]] void* values) override {
    require(diffuses, "diffusion of its own pass is for terrain");
    if constexpr (diffuses) diffuse_over_terrain(l, values);
  }

 private:
  void diffuse_over_terrain(const Launch& l, void* values) {
    const BlockLayout& layout = *l.registers.layout;
    Box around = l.box;  // no farther: levels beyond the ground and the lid are not asked for
    for (int a = 0; a < 2; ++a) {
      if (!(case_.flow.mesh.inverse_spacing[a] > 0)) continue;
      --around.lower[std::size_t(a)];
      ++around.upper[std::size_t(a)];
    }
    exec::cell_change(back_end,
                      exec::cell_arrays<R>(layout, l.registers.in, values, nullptr, around),
                      F::diffusing(case_), l.clock, l.queue);
    Diffuse<R> diffuse = F::diffusion(case_, l);
    const auto add = [&](void* to, double factor, bool last) {
      const auto arrays = exec::cell_arrays<R>(layout, values, to, nullptr, l.box);
      diffuse.target = arrays.out;
      diffuse.factor = R(factor);
      diffuse.last = last;
      exec::cell_change(back_end, arrays, diffuse, l.clock, l.queue);
    };
    // The increment w of a 2N scheme is added to the stage with the weight b, like everything there.
    if (l.update.form == exec::UpdateForm::stored && l.update.write_increment) {
      add(l.registers.increment, 1, false);
    }
    add(l.registers.out, l.update.b, l.update.last);
  }
};

template <class BackEnd, class R, Traits traits>
class SphereLoopsOf final : public AirLoopsOf<SphereLoops, BackEnd, R, traits> {
  using Common = AirLoopsOf<SphereLoops, BackEnd, R, traits>;
  using Common::back_end, Common::case_;
  using F = Functors<R, traits>;
  using Launch = exec::Launch;

 public:
  // `across`: with the transverse term.
  SphereLoopsOf(const SphereCase& of, bool across) : Common(of), across_(across) {}

  void couple(const Launch& l) override {
    if constexpr (!traits.split) {
      if (across_) return couple_panels<true>(l);
    }
    couple_panels<false>(l);
  }
  void copy_lines(const Launch& l) override {
    if constexpr (BackEnd::device) {
      const auto body = F::copy_lines(case_, l);
      over(body.count(), body, l.queue);
    }
  }
  void pack(const Launch& l, void* message) override {
    over(case_.strips.count_here, F::pack(case_, l, message), l.queue);
  }
  void unpack(const Launch& l, const void* message) override {
    over(case_.strips.count_there, F::unpack(case_, message), l.queue);
  }
  void damp(const Launch& l) override {
    const DampPanels<R> body = F::damping(case_, l);
    exec::index_loop(back_end, body.count(), body, l.clock, false, l.queue);
  }

 private:
  template <bool across>
  void couple_panels(const Launch& l) {
    const auto body = F::template couple<BackEnd::device, across>(case_, l);
    over(body.count(), body, l.queue);
  }
  // Between two steps too.
  template <class Body>
  static void over(std::int64_t count, const Body& body, const Queue& queue) {
    exec::index_loop(back_end, count, body, nullptr, true, queue);
  }
  bool across_;
};

template <class BackEnd, class R>
std::unique_ptr<BoxLoops> Variants<BackEnd, R>::make(const Traits& traits, const BoxCase& of) {
  std::unique_ptr<BoxLoops> loops;
  with_compiled<box_loops>(general(traits), [&]<Traits own>() {
    loops = std::make_unique<BoxLoopsOf<BackEnd, R, own>>(of);
  });
  return loops;
}
template <class BackEnd, class R>
std::unique_ptr<SphereLoops> Variants<BackEnd, R>::make(const Traits& traits,
                                                        const SphereCase& of) {
  std::unique_ptr<SphereLoops> loops;
  with_compiled<sphere_loops>(general(traits), [&]<Traits own>() {
    loops = std::make_unique<SphereLoopsOf<BackEnd, R, own>>(of, traits.transverse);
  });
  return loops;
}

}  // namespace watersmeet::atmosphere
