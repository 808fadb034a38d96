#pragma once
// What systems share whose solution is one State in a rank's one part of a mesh, register 0 between
// steps, moved by a clock whose step follows from the largest signal of all ranks.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comm/exchange.hpp"
#include "exec/loops.hpp"
#include "systems/kernel_timer.hpp"
#include "systems/system.hpp"

namespace watersmeet::systems {

class OnePartSystem : public System {
 public:
  const mesh::Mesh& mesh() const override { return *mesh_; }
  Precision precision() const override { return precision_; }
  double stable_cfl() const override { return stable_cfl_; }
  exec::Clock* clock() override { return clock_.as<exec::Clock>(); }
  void set_clock(const exec::Clock& clock) override;
  memory::State& state() override { return state_; }
  int current_register() const override { return 0; }

 protected:
  // allocate() begins so: what is computed with, and a clock at 0.
  void bind_placement(const Placement& placement);
  // Between the parts, of so many ghost layers of each.
  comm::Exchange exchange_between_parts(
      const memory::State& state, mesh::GhostReach reach,
      const std::function<Index3(const mesh::Block& part)>& ghosts) const;
  // The largest of what the ranks measured of their parts becomes the clock's.
  void set_signal(double of_part);

  // For evaluate(): passes boxes and the places of their values to the kernels.
  void evaluate_boxes(std::span<const Box> boxes, int components, void* packed,
                      const std::function<void(const Box& box, void* packed)>& evaluate) const;

  // The same by the loops of the system, of a quantity by its place in the order of their enumerator.
  void evaluate_boxes(exec::CommonLaunches& loops, exec::Launch launch, std::size_t quantity,
                      int components, std::span<const Box> boxes, void* packed) const;
  // That place; such a quantity must be there.
  static std::size_t place_of(const std::string& quantity, const std::vector<QuantityInfo>& all);

  // For time_kernels(): an exchange of ghosts, once a stage, and what a step begins with, which
  // `begin_step` queues by the given rule.
  void time_exchange(KernelTimer& timer, comm::Exchange& exchange, memory::State& state,
                     const std::string& of = "") const;
  void time_begin_step(KernelTimer& timer, const RunningClock& running,
                       const std::function<void(const exec::StepRule& rule)>& begin_step);

  // Case
  std::unique_ptr<mesh::Mesh> mesh_;
  Precision precision_ = Precision::double_;
  exec::StepRule rule_;
  double stable_cfl_ = 0;

  // Run
  Queue queue_;
  comm::Team* team_ = nullptr;
  const comm::Domain* domain_ = nullptr;
  memory::State state_;
  memory::Buffer clock_;
};

}  // namespace watersmeet::systems
