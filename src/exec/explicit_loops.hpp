#pragma once
// Loops whose stage is one launch of the face form or of the cell form, for systems that need no launches of their own. The file that
// instantiates them includes the header of the form before this one: exec/face_loops.hpp or exec/cell_loops.hpp.

#include "core/finished.hpp"
#include "exec/common_loops.hpp"
#include "exec/sample.hpp"

namespace watersmeet::exec {

// A finish in the manner of the face form where the cell form wants one: it does no work.
template <class Finish>
struct WithoutWork {
  Finish finish;
  template <class T, int variables, class S>
  WM_HD Finished<T> operator()(Vec<T, variables>& value, const S&) const {
    return {finish(value), T(RealOf<T>(0))};
  }
};

// Besides what CommonLoops asks for, Physics has
//   static RightHandSide right_hand_side(const Case&);  a flux scheme (exec/face.hpp), else a functor of the cell form (exec/cell.hpp)
//   static Finish finish(const Case&);                  of either form: T operator()(Vec<T, variables>&) const, the signal
template <class BackEnd, class Physics>
class ExplicitLoops final : public CommonLoops<Loops, BackEnd, Physics> {
  using Common = CommonLoops<Loops, BackEnd, Physics>;
  using Common::back_end, Common::case_;
  using R = typename Physics::real;
  using Case = typename Physics::Case;
  using RightHandSide = decltype(Physics::right_hand_side(std::declval<const Case&>()));
  using Finish = decltype(Physics::finish(std::declval<const Case&>()));
  static constexpr bool by_faces = requires { RightHandSide::records; };
  static constexpr CellSchedule direct = CellSchedule::direct;

 public:
  using Common::Common;

  void stage(const Launch& l) override {
    const auto arrays = arrays_of<R>(l);
    const auto update = rounded<R>(l.update);
    const RightHandSide rhs = Physics::right_hand_side(case_);
    const Finish finish = Physics::finish(case_);
    // Unqualified names: only the form of this system needs to be declared.
    if constexpr (by_faces) {
      face_stage(back_end, arrays, update, rhs, finish, l.clock, l.queue);
    } else {
      cell_stage(back_end, direct, arrays, update, rhs, WithoutWork<Finish>{finish}, l.clock,
                 l.queue);
    }
  }
  std::vector<KernelReport> describe() const override {
    if constexpr (by_faces) {
      return face_reports<R, RightHandSide, Finish>(back_end);
    } else {
      return {cell_report<R, RightHandSide, WithoutWork<Finish>>(back_end, direct)};
    }
  }
};

// The signal of a finish in the manner of the face form, of so many stored variables: before the first step.
template <int variables, class Finish>
struct SignalOf {
  static constexpr int sums = 0, maxima = 1, extra_index = -1;
  Finish finish;
  template <class S>
  WM_HD Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    Vec<typename S::value_type, variables> value;
    for (int v = 0; v < variables; ++v) value[v] = s(v, 0, 0, 0);
    return {{}, {{finish(value)}}};
  }
};

// A quantity that is a stored variable.
struct StoredVariable {
  int variable;
  template <class S>
  WM_HD Vec<typename S::value_type, 1> operator()(const S& s) const {
    return {{s(variable, 0, 0, 0)}};
  }
};

// A base of the Physics of a system whose quantities are its stored variables, in their order.
template <class Physics, class Case, int variables>
struct StoredQuantities {
  static auto signal(const Case& of, const Launch&) {
    return SignalOf<variables, decltype(Physics::finish(of))>{Physics::finish(of)};
  }
  static StoredVariable evaluate(const Case&, const Launch&, int quantity) { return {quantity}; }
};

}  // namespace watersmeet::exec
