#pragma once
// What systems share that step one state by explicit stages, each a launch over all cells that is fused with its update (exec/time_scheme.hpp):
// the stages of a step and their registers, exchange of ghosts, undoing, the first signal, timing. A system adds what it does before, in and
// after a stage.
//
// Registers: 0 the solution, 1 the stage being written, 2 where there is one the increment or the solution at the beginning of the step.

#include <optional>
#include <vector>

#include "exec/loops.hpp"
#include "exec/time_scheme.hpp"
#include "systems/one_part_system.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::systems {

class StagedSystem : public OnePartSystem {
 public:
  int stages() const override { return static_cast<int>(scheme_.stages.size()); }
  double bytes_per_point_step() const override;
  comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const override;
  RecordedWork recorded_work() const override { return {name(), static_cast<double>(stages())}; }

  void state_changed() override;
  void begin_step(double t_limit, bool allowed) override;
  void run_stages() override;
  void undo_stages() override;

  bool overlaps() const override { return exchange_.overlaps(); }
  std::vector<exec::KernelTime> time_kernels(int repeats) override;

 protected:
  // The compiled loops; they are there after allocate().
  virtual exec::Loops& loops() const = 0;
  // Sizes of a part: ghosts along axes that need them, and along x always, because packs are loaded along x.
  virtual std::vector<memory::BlockShape> shapes(const Index3& cells) const;
  // Which ghosts the stages read.
  virtual mesh::GhostReach reach() const { return mesh::GhostReach::faces; }
  // And how many layers of them come from other parts.
  virtual Index3 sent_layers(const mesh::Block& part) const { return shapes(part.n)[0].ghosts; }
  virtual exec::Launch launch(int in, int out) const;
  // exec::Launch::periods of all launches.
  virtual std::array<int, 3> joined_axes() const { return {}; }
  void compute(const stream::Planes& planes, int s) override;
  void update(const exec::Launch& planes, int s) override;
  void end_host_updates() override;
  // Calls `work` with the launch of stage s on planes of a streamed solution.
  void on_planes(const stream::Planes& planes, int s,
                 const std::function<void(const exec::Launch&)>& work);

  // Ghosts of the solution between two steps.
  virtual void fill_ghosts();
  // Before state_changed() measures the signal, which in most systems is that of cells alone.
  virtual void prepare_signal() {}
  // Stage s from `in` to `out`, which stay where they are.
  void run_stage(int in, int out, std::size_t s);
  virtual void prepare_stage(std::size_t s) { (void)s; }
  // The update of a stage in host memory, from the rates of the launch; and the end of the step after the last one, where the loops of the CPU
  // can make it. Else demands say that the signal takes a pass.
  virtual void update_cells(const exec::Launch& l) const;
  // The rates of a launch's cells, sources included, into its increment.
  void compute_rates(exec::Launch l);
  // The cells of a launch whose ghosts of `in` are there.
  virtual void compute_cells(const exec::Launch& l) { launch_stage(l); }
  // The stage in some cells, and what [[source]] and fluxes at sides add there.
  void launch_stage(const exec::Launch& l) {
    const bool early = exec::can_add_early(l.update);
    if (early) sources_.add_early(l, first_of_launch_, fraction_of_stage_);
    loops().stage(l);
    if (!early) sources_.add(l, first_of_launch_, fraction_of_stage_);
    add_fluxes(l, first_of_launch_, fraction_of_stage_);
  }
  virtual bool has_fluxes() const { return false; }
  // All of it after the stage.
  void add_sources(const exec::Launch& l) const {
    sources_.add(l, first_of_launch_, fraction_of_stage_);
    add_fluxes(l, first_of_launch_, fraction_of_stage_);
  }
  // Fluxes of the case through sides, in those of these cells that lie beside them; arguments as of UserSources::add().
  virtual void add_fluxes(const exec::Launch& l, const Index3& first, double fraction) const {
    (void)l, (void)first, (void)fraction;
  }
  // Whether stages may store the ghosts of slabs across this axis, which takes ghosts behind faces alone, or copies that are left to stages,
  // and no pass besides sources that changes cells after their stage. Known once the case is configured.
  virtual bool may_store_ghosts(int axis) const {
    (void)axis;
    return false;
  }
  // At the end of allocate(), on all ranks: stages store the ghosts of slabs on other GPUs if all are willing.
  void offer_ghosts(bool willing) {
    exchange_.leave_ghosts_to_computation(state_, willing && !adds_after_stages());
  }
  bool adds_after_stages() const { return sources_.any() || has_fluxes(); }
  // All cells, with the exchange of the ghosts of `in` before or meanwhile.
  virtual void compute_stage(exec::Launch& l, int in, int out);
  // Launches over all cells while the ghosts of `in` travel; those of `out` leave as soon as they can if `early`.
  void compute_around_exchange(exec::Launch& l, int in, int out, bool early = true);
  // When the cells of `out` are there, and the ghosts of `in` still are.
  virtual void finish_stage(std::size_t s) { (void)s; }

  // When in a step stage s reads, over dt; nothing for s < 0, between two steps.
  std::optional<double> time_of_stage(int s) const {
    if (s < 0) return std::nullopt;
    return scheme_.times[static_cast<std::size_t>(s)];
  }
  // Per point, each field moved once.
  virtual double words_of_stage(std::size_t s) const;
  // Parts of time_kernels().
  virtual void time_ghosts(KernelTimer& timer) { time_exchange(timer, exchange_, state_); }
  virtual void time_stages(KernelTimer& timer);
  void time_sources(KernelTimer& timer);
  double cells_here() const { return static_cast<double>(domain_->block(0).interior().count()); }

  // allocate() makes the sources ready so, with the state there and coordinates of a box.
  void allocate_sources();
  virtual UserSources::Place source_place(const std::string& name) const;

  // Case
  exec::TimeScheme scheme_;
  UserSources sources_;

  // Run
  comm::Exchange exchange_;

 private:
  // The first cell of the launch of the stage at hand, for the sources.
  Index3 first_of_launch_{0, 0, 0};
  double fraction_of_stage_ = 0;
};

}  // namespace watersmeet::systems
