#pragma once
// The launches that are alike for all systems, for the back end of the compiler at hand. Included through the header of a form, such as
// exec/cell_loops.hpp, by the files that instantiate loops.

#if defined(__CUDACC__)
#include "exec/begin_step_cuda.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#else
#include "exec/begin_step_cpu.hpp"
#include "exec/cell_map_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#endif
#include "exec/loops.hpp"

namespace watersmeet::exec {

// The back end that this compiler makes loops for.
#if defined(__CUDACC__)
using BackEndHere = OnCuda;
#else
using BackEndHere = OnCpu;
#endif

// What of the interface is alike for all systems, on one back end. Physics has
//   using real, Case;                                         the number type, and the parameters in double
//   static Diagnose diagnose(const Case&, const Launch&);     the samplers of the two passes
//   static MeasureSignal signal(const Case&, const Launch&);  and of the largest signal, where Interface derives from Loops
//   static Evaluate evaluate(const Case&, const Launch&, int quantity);
// and, where a step begins with more than the clock,  static auto preparation(const Case&)  (exec/begin_step.hpp).
template <class Interface, class BackEnd, class Physics>
class CommonLoops : public Interface {
 public:
  using R = typename Physics::real;
  using Case = typename Physics::Case;
  // The case must outlive the loops; what it holds may change between launches.
  explicit CommonLoops(const Case& given) : case_(given) {}

  void begin_step(const StepRule& rule, double t_limit, bool allowed, Clock* clock,
                  const Queue& queue) override {
    if constexpr (requires { Physics::preparation(case_); }) {
      exec::begin_step(back_end, rule, t_limit, allowed, Physics::preparation(case_), clock, queue);
    } else {
      exec::begin_step(back_end, rule, t_limit, allowed, NothingMore{}, clock, queue);
    }
  }
  void measure(const Launch& l, double* largest) override {
    exec::measure(back_end, arrays_of<R>(l), Physics::diagnose(case_, l), largest, l.queue);
  }
  void count(const Launch& l, const SumScale* scales, std::int64_t* high_low) override {
    exec::count(back_end, arrays_of<R>(l), Physics::diagnose(case_, l), scales, high_low, l.queue);
  }
  // Declared by the interfaces that derive from Loops.
  double signal(const Launch& l) { return largest_of(l, Physics::signal(case_, l)); }
  void evaluate(const Launch& l, int quantity, int components, void* packed) override {
    exec::cell_pack(back_end, arrays_of<R>(l), Physics::evaluate(case_, l, quantity),
                    PackedTarget<R>{static_cast<R*>(packed), components}, l.queue);
  }

 protected:
  static constexpr BackEnd back_end{};
  // The largest value of a sampler of one maximum over a box.
  template <class Sampler>
  static double largest_of(const Launch& l, const Sampler& sampler) {
    double largest = 0;
    exec::measure(back_end, arrays_of<R>(l), sampler, &largest, l.queue);
    return largest;
  }
  const Case& case_;
};

}  // namespace watersmeet::exec
