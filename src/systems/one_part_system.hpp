#pragma once
// What systems share whose solution is one State in a rank's one part of a mesh, register 0 between
// steps, moved by a clock whose step follows from the largest signal of all ranks.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/exchange.hpp"
#include "exec/loops.hpp"
#include "stream/sweep.hpp"
#include "systems/kernel_timer.hpp"
#include "systems/system.hpp"

namespace watersmeet::systems {

class OnePartSystem : public System, protected stream::PlaneWork {
 public:
  const mesh::GridDescription& grid() const override { return grid_; }
  Precision precision() const override { return precision_; }
  double stable_cfl() const override { return stable_cfl_; }
  exec::Clock* clock() override { return clock_.as<exec::Clock>(); }
  void set_clock(const exec::Clock& clock) override;
  memory::State& state() override;
  int current_register() const override { return 0; }
  int fused_steps() const override { return sweep_ ? sweep_->plan().fused_steps : 0; }
  std::vector<exec::Clock> visit(double t_limit, int steps) override;

 protected:
  // configure() begins so: precision, constants, and what the common keys say of the step.
  void configure_run(config::Input& input);
  // A first guess of dt.
  double step_of(double signal) const;

  // allocate() begins so: what is computed with, and a clock at 0.
  void bind_placement(const Placement& placement);
  // The registers of the solution: all of them on the device, or one in host memory and a window. `fixed`: how many further values
  // cells have that no stage changes.
  void allocate_registers(const Placement& placement, const std::vector<memory::BlockShape>& shapes,
                          int variables, int registers, exec::UpdateForm form,
                          mesh::GhostReach reach, int fixed = 0);
  bool streamed() const { return sweep_ != nullptr; }
  // For a streamed solution: a stage of the system on planes.
  void compute(const stream::Planes& planes, int s) override;
  // What plan() needs of systems whose stages can be computed plane by plane; `variables` with those that no stage changes. axis: across the planes,
  // or the outermost one of more than one cell.
  stream::Demand demand_of(const memory::BlockShape& shape, int variables, int registers,
                           std::optional<int> axis = std::nullopt) const;
  // Values in double of the cells of a box of this rank's part, [k][j][i].
  using ValuesOf = std::function<std::vector<double>(const Box& box)>;
  // Calls `work` with launches that together hold each cell of this rank once. `whole`: the launch of all cells. Ghosts are valid where the
  // solution is streamed; else the caller has filled them if it needs them. extra: the extra variable of the launches, where given; it is kept in
  // register 1, which is free between two steps.
  void over_cells(const exec::Launch& whole, const std::function<void(const exec::Launch&)>& work,
                  const ValuesOf& extra = {});
  // Before launches on planes whose first cell is this one, for this step of a visit: parameters that depend on place and step are set.
  virtual void set_place(const Index3& first, int step = 0) { (void)first, (void)step; }
  // Before launches on planes that have values that no stage changes: where those begin. Null: afterwards.
  virtual void set_fixed(const void* fixed, const BlockLayout* layout) {
    (void)fixed, (void)layout;
  }
  void enter(const stream::Planes& planes);
  void leave_planes();
  // In a visit: a copy of the clock of a step, for launches whose reductions do not count.
  exec::Clock* spare_clock() { return step_clocks_.as<exec::Clock>(); }
  // In a visit whose stages are updated on the host: calls `work`, to whose launches the step of this clock has the length 1.
  void with_unit_step(exec::Clock* clock, const std::function<void()>& work);
  // After a visit whose stages were updated on the host.
  virtual void end_host_updates() {}
  // Opens a step of a visit, on the host and at `there`, on the device; systems whose steps begin with more prepare that.
  virtual void begin_step_of_visit(int step, const exec::StepRule& rule, double t_limit,
                                   exec::Clock& clock, exec::Clock* there);
  // The kernels of a time series over all cells (systems/reduced_cells.hpp).
  class AllCells {
   public:
    AllCells(OnePartSystem& system, exec::CommonLaunches& loops, ValuesOf extra)
        : system_(&system), loops_(&loops), extra_(std::move(extra)) {}
    void measure(const exec::Launch& whole, double* largest) {
      system_->over_cells(
          whole, [&](const exec::Launch& l) { loops_->measure(l, largest); }, extra_);
    }
    void count(const exec::Launch& whole, const exec::SumScale* scales, std::int64_t* high_low) {
      system_->over_cells(
          whole, [&](const exec::Launch& l) { loops_->count(l, scales, high_low); }, extra_);
    }

   private:
    OnePartSystem* system_;
    exec::CommonLaunches* loops_;
    ValuesOf extra_;
  };
  AllCells all_cells(exec::CommonLaunches& loops, ValuesOf extra = {}) {
    return {*this, loops, std::move(extra)};
  }
  // The largest of what `measure` finds in launches that hold all cells.
  double largest_over_cells(const exec::Launch& whole,
                            const std::function<double(const exec::Launch&)>& measure);

  // Between the parts, of so many ghost layers of each.
  comm::Exchange exchange_between_parts(
      const memory::State& state, mesh::GhostReach reach,
      const std::function<Index3(const mesh::Block& part)>& ghosts) const;
  // The size of such an exchange before anything is allocated.
  comm::ExchangeSize exchange_size(const comm::Domain& domain, int variables,
                                   mesh::GhostReach reach,
                                   const std::function<Index3(const mesh::Block& part)>& ghosts,
                                   comm::Overlap overlap) const;
  // The largest of what the ranks measured of their parts becomes the clock's.
  void set_signal(double of_part);

  // For evaluate(): passes boxes and the places of their values to the kernels.
  void evaluate_boxes(std::span<const Box> boxes, int components, void* packed,
                      const std::function<void(const Box& box, void* packed)>& evaluate) const;

  // The same by the loops of the system, of a quantity by its place in the order of their enumerator.
  void evaluate_boxes(exec::CommonLaunches& loops, exec::Launch launch, std::size_t quantity,
                      int components, std::span<const Box> boxes, void* packed);
  // That place; such a quantity must be there.
  static std::size_t place_of(const std::string& quantity, const std::vector<QuantityInfo>& all);

  // For time_kernels(): an exchange of ghosts, once a stage, and what a step begins with, which
  // `begin_step` queues by the given rule.
  void time_exchange(KernelTimer& timer, comm::Exchange& exchange, memory::State& state,
                     const std::string& of = "") const;
  void time_begin_step(KernelTimer& timer, const RunningClock& running,
                       const std::function<void(const exec::StepRule& rule)>& begin_step);

  // Case
  mesh::GridDescription grid_;
  Precision precision_ = Precision::double_;
  config::Constants constants_;
  exec::StepRule rule_;
  double stable_cfl_ = 0;

  // Run
  Queue queue_;
  comm::Team* team_ = nullptr;
  const comm::Domain* domain_ = nullptr;
  memory::State state_;
  // What no stage changes, in one register: with ghosts on the device; of a streamed solution in host memory without.
  memory::State fixed_;
  memory::Buffer clock_;
  std::unique_ptr<stream::Sweep> sweep_;  // of a streamed solution

 private:
  std::vector<exec::Clock> visit_one(double t_limit);

  memory::Buffer step_clocks_;  // of the steps of a visit, and a spare one
  memory::Buffer unit_step_;    // a step of 1, and that of a clock meanwhile
  double signal_growth_ = 1;    // of the largest signal in a visit, as seen last
};

}  // namespace watersmeet::systems
