#pragma once
// What the systems share that are computed on a periodic box by sixth-order central differences and low-storage Runge-Kutta schemes
// (isothermal, mhd): keys, registers, forcing by plane waves, a body acceleration, the stages and their launches. Registers: 0 the
// solution, 1 the stage being written, and with stored increments 2 the increment.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "exec/cell.hpp"
#include "exec/loops.hpp"
#include "schemes/tableau.hpp"
#include "systems/central_case.hpp"
#include "systems/forcing_shell.hpp"
#include "systems/one_part_system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::systems {

// Keys of [forcing] and of time.scheme, numerics.storage and their like.
std::vector<config::Key> central_keys();

class CentralSystem : public OnePartSystem {
 public:
  std::vector<std::string> spectral_variables() const override { return {"ux", "uy", "uz"}; }
  std::map<std::string, std::string> notes() const override;
  std::map<std::string, double> scales() const override { return scales_; }
  std::uint64_t seed() const override { return forcing_.seed; }
  int stages() const override { return scheme_.stages(); }
  int halo() const override;
  MemoryNeed memory_needed(const Index3& cells) const override;
  double bytes_per_point_step() const override;

  void state_changed() override;
  void begin_step(double t_limit, bool allowed) override;
  void run_stages() override;
  void undo_stages() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  bool overlaps() const override { return exchange_.overlaps(); }
  std::vector<exec::KernelTime> time_kernels(int repeats) override;

 protected:
  enum class Storage { two, stored, stored_full };

  // `c` is a part of the system that derives from this one.
  explicit CentralSystem(CentralCase& c) : forcing_(c.forcing), common_(c) {}

  // The compiled loops; after choose_loops().
  virtual exec::Loops& loops() const = 0;

  // For time_kernels(): what a system launches before each stage.
  virtual void time_before_stages(KernelTimer&) {}

  // configure() begins so: grid, precision, storage, scheme, acceleration and forcing. `sound_speed`: c of the forcing's amplitude.
  void configure_box(config::Input& input);
  void configure_forcing(config::Input& input, double sound_speed);
  // Faults of time.cfl, with which no undamped wave may grow.
  void check_cfl(config::Input& input);
  // Of the initial velocity and waves of the given speed at rest: a first guess of dt.
  double estimate_from(const config::Input& input, double wave_speed) const;

  // allocate() is these two: the state, then the loops by make(schedule) once all else is known.
  void allocate_state(const Placement& placement, mesh::GhostReach reach);
  void choose_loops(const std::string& schedule, bool has_ring,
                    const std::function<void(exec::CellSchedule)>& make);
  // Sets a variable of register 0: f(expression), tabulated over this rank's part; a value that is not finite (or, if asked, not
  // positive) is a fault of the case at `key`.
  void set_variable(int variable, const std::string& expression, const config::Fault& key,
                    bool positive, const std::function<double(double)>& f = {});
  // The last entry of [[initial]], which covers the whole domain; empty where there is none.
  static std::string initial_entry(const config::Input& input);

  std::vector<memory::BlockShape> shapes(const Index3& cells) const;
  virtual exec::Launch launch(int in, int out) const;
  exec::StageUpdate<double> update_of_stage(int s) const;
  virtual double words_of_stage(int s) const;  // per point, each field moved once
  void fill_ghosts(int reg);
  void finish_stage();  // the state written becomes the solution
  int registers() const { return storage_ == Storage::two ? 2 : 3; }
  // Mean of a sum over all cells; the mass of the start, which the first call fixes, for drifts.
  double cells_of_all() const;
  double volume() const;
  double widest_spacing() const;

  // Case
  Storage storage_ = Storage::two;
  Forcing& forcing_;
  schemes::LowStorageScheme scheme_;
  WaveVectors waves_;
  std::map<std::string, double> scales_;
  config::Fault acceleration_place_;
  std::vector<std::string> acceleration_;
  config::Constants constants_;
  std::array<double, 3> inverse_spacing_{};  // 0 along an axis of one cell

  // Run
  comm::Exchange exchange_;
  double initial_mass_ = -1;  // < 0: not yet measured

 private:
  void allocate_forcing(const mesh::Block& block);
  void tabulate_acceleration();

  CentralCase& common_;
  memory::State acceleration_state_;
  memory::Buffer wave_buffer_, forcing_table_;
};

}  // namespace watersmeet::systems
