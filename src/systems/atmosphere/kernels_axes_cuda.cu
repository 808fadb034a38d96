#include "core/error.hpp"
#include "systems/atmosphere/axes_cuda.hpp"

namespace watersmeet::atmosphere {
void use_axes(Kernels& kernels, Choices choices, const exec::Strategy& strategy) {
  require(choices != Choices::all, "launches an axis have no limiter, and without c3 lmars alone");
  if (choices == Choices::usual) {
    put_axes<double, Variant::flat, Choices::usual>(kernels, strategy);
  } else {
    put_axes<double, Variant::flat, Choices::transverse>(kernels, strategy);
  }
}
}  // namespace watersmeet::atmosphere
