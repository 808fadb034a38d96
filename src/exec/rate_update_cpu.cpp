// Variable by variable, whose number is known here.
#include "exec/rate_update_cpu.hpp"

#include "exec/rate_update.hpp"

namespace watersmeet::exec {

namespace {
struct NoEnd {
  template <class T>
  T operator()(const Vec<T, 1>&) const {
    return T(RealOf<T>(0));
  }
};

template <class R>
void update_variables(Launch launch, int variables) {
  const Registers of_first = launch.registers;
  launch.update.last = false;
  for (int v = 0; v < variables; ++v) {
    const std::int64_t before = v * of_first.layout->stride_var;
    launch.registers.in = static_cast<const R*>(of_first.in) + before;
    launch.registers.out = static_cast<R*>(of_first.out) + before;
    launch.registers.increment = static_cast<R*>(of_first.increment) + before;
    launch.registers.extra =
        static_cast<const R*>(of_first.extra) + v * of_first.extra_layout->stride_var;
    update_from_rates(OnCpu{}, std::integral_constant<int, 1>{}, launch, rounded<R>(launch.update),
                      NoEnd{});
  }
}
}  // namespace

void update_from_rates(const Launch& launch, int variables, Precision precision) {
  if (precision == Precision::single_) {
    update_variables<float>(launch, variables);
  } else {
    update_variables<double>(launch, variables);
  }
}

}  // namespace watersmeet::exec
