#pragma once
// Implicit diffusion of the Boussinesq system behind its interface: the method is in implicit.hpp. The variants are built apart from those of the
// other loops, which they leave as they are.

#include <array>
#include <memory>

#include "systems/boussinesq/loops.hpp"

namespace watersmeet::boussinesq {

// The implicit lines of one part of the grid.
struct ImplicitLines {
  std::array<bool, 3> axis{};      // along which diffusion is implicit
  std::array<bool, 3> periodic{};  // of those: a line closes on itself
  // Weights of the cells of a line, of each variable in turn (solve/tridiagonal/lines.hpp), in the run's precision, on the device.
  std::array<const void*, 3> cells{};
};

class ImplicitLoops {
 public:
  virtual ~ImplicitLoops() = default;
  // Between the explicit stage from `in` to `out` and the projection; `increment` keeps the stage's right-hand side and `extra` phi of the step
  // before, with its lower ghosts.
  virtual void advance(const exec::Launch& launch, const ImplicitLines& lines) = 0;
};

template <class BackEnd, class R>
struct ImplicitVariants {
  static std::unique_ptr<ImplicitLoops> make(const Case& of);
};

// Error{unsupported} where CUDA is asked for and the build has none. Defined in loops.cpp.
std::unique_ptr<ImplicitLoops> make_implicit_loops(Backend backend, Precision precision,
                                                   const Case& of);

}  // namespace watersmeet::boussinesq
