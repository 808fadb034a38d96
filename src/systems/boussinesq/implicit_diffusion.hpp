#pragma once
// Implicit diffusion of a case (implicit.hpp): along which axes, the tables of their lines, and the launches.

#include <array>
#include <memory>
#include <string>

#include "memory/buffer.hpp"
#include "systems/boussinesq/boundary/conditions.hpp"
#include "systems/boussinesq/implicit_loops.hpp"

namespace watersmeet::boussinesq {

class ImplicitDiffusion {
 public:
  ImplicitDiffusion() = default;
  explicit ImplicitDiffusion(const std::array<bool, 3>& axes) : axes_(axes) {}

  bool any() const { return axes_[0] || axes_[1] || axes_[2]; }
  bool along(int axis) const { return axes_[static_cast<std::size_t>(axis)]; }
  const std::array<bool, 3>& axes() const { return axes_; }
  std::string names() const;  // "xz"
  // Why diffusion along an axis cannot be implicit; empty where it can.
  static std::string refusal(const BoundaryConditions& conditions, const StaggeredGrid& grid,
                             int axis, int variables);
  // Words of a cell that the passes move, of all variables.
  double words(int variables) const;
  std::size_t bytes_needed(const Index3& part, int variables, Precision precision) const;

  // `of` must outlive it.
  void allocate(const BoundaryConditions& conditions, const StaggeredGrid& grid, int variables,
                Precision precision, const Queue& queue, const Case& of);
  // As ImplicitLoops::advance.
  void advance(const exec::Launch& launch) const { loops_->advance(launch, lines_); }

 private:
  std::array<bool, 3> axes_{};
  ImplicitLines lines_;
  std::array<memory::Buffer, 3> tables_;
  std::unique_ptr<ImplicitLoops> loops_;
};

}  // namespace watersmeet::boussinesq
