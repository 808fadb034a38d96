#pragma once
// What the systems share that advance one state on a periodic box by explicit low-storage Runge-Kutta schemes, whatever the form of their
// loops: the keys of grid, precision and scheme, registers, initial values, output of quantities.
// A system adds its equations, its compiled loops and its series.

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "exec/cell.hpp"
#include "schemes/tableau.hpp"
#include "systems/staged_system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::systems {

// time.scheme, one of the keys of such a system.
config::Key scheme_key();

class ExplicitSystem : public StagedSystem {
 public:
  std::vector<std::string> default_fields() const override { return {quantities()[0].name}; }
  MemoryNeed memory_needed(const Index3& cells) const override;
  Streaming streaming(const Index3& cells) const override;

  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override { return first_values_; }
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  exec::KernelReport kernel() const override { return loops().describe()[0]; }

 protected:
  static constexpr int radius = 3;  // ghost layers, the reach of the stencils

  // The face form on a GPU needs stored increments (exec/face_sweep_cuda.hpp).
  enum class Storage { two, stored, stored_full };

  // Why a case cannot be streamed, for instance because its stages read other arrays than registers; empty: it can. Between two steps such a
  // system then uses the functions of this class, not registers.
  virtual std::string not_streamed() const { return {}; }

  // Why the host cannot update the stages, empty: it can, where the end of a step changes no value, and launches measure its signal.
  virtual std::string not_updated_on_host() const { return Streaming{}.no_host_updates; }

  // Values of cells that no stage changes, kept in `fixed_`.
  virtual int fixed_values() const { return 0; }

  void prepare_signal() override { fill_ghosts(); }

  // configure() begins so: grid, precision, scheme, and the limits of the step.
  void configure_box(config::Input& input, Storage storage = Storage::stored);
  // Faults of time.cfl, with which sixth-order central differences let an undamped wave grow.
  void check_cfl(config::Input& input);
  bool has_five_stages() const { return scheme_.stages.size() == 5; }
  static constexpr double cfl_of_five_stages = 1.7;  // time.cfl unless it is given

  // allocate() is these two: the state, then the loops by make(schedule) once all else is known.
  void allocate_state(const Placement& placement);
  void choose_loops(const std::string& schedule, bool has_ring,
                    const std::function<void(exec::CellSchedule)>& make);
  // As `device.schedule = "auto"` chooses; allocate() also sees whether the ring fits the device.
  bool may_store_ghosts(int axis) const override {
    return axis == 2 && only_stages_read_ghosts() && fills_tiles();
  }
  // Whether the ring has full tiles. The whole grid decides, not this rank's part: two kernels may round differently.
  bool fills_tiles() const {
    return grid_.n()[0] >= 32 && grid_.n()[1] >= 16 && grid_.n()[2] >= 16;
  }
  std::array<int, 3> joined_axes() const override { return periods_; }
  // Whether nothing else reads ghosts of the solution in a step.
  virtual bool only_stages_read_ghosts() const { return true; }
  // An expression at cells of this rank's part; a value that is not finite (or, if asked, not positive) is a fault of the case at
  // `key`.
  std::vector<double> tabulated(const std::string& expression, const config::Fault& key,
                                bool positive, const Box& box) const;
  // Sets a variable of register 0: f(tabulated()).
  void set_variable(int variable, const std::string& expression, const config::Fault& key,
                    bool positive, const std::function<double(double)>& f = {});
  // The same of another state.
  void set_variable(memory::State& of, int variable, const std::string& expression,
                    const config::Fault& key, bool positive,
                    const std::function<double(double)>& f = {});
  // The last entry of [[initial]], which covers the whole domain; empty where there is none.
  static std::string initial_entry(const config::Input& input);

  int registers() const { return scheme_.form == exec::UpdateForm::two ? 2 : 3; }
  // The value at the first call with this name since initialise(), restarts included: what drifts refer to.
  double first_value(const std::string& name, double value) {
    return first_values_.try_emplace(name, value).first->second;
  }
  void forget_first_values() { first_values_.clear(); }  // for initialise()
  double cells_of_all() const;
  double volume() const;
  double widest_spacing() const;  // 0 before there is a grid, and where its keys have faults

  // Case
  std::array<double, 3> inverse_spacing_{};  // 0 along an axis of one cell

 private:
  void join_ends();
  std::map<std::string, double> first_values_;
  std::array<int, 3> periods_{};  // exec::Launch::periods
};

}  // namespace watersmeet::systems
