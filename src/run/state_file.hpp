#pragma once
// Where the first state of a run may come from (start.from): a checkpoint, which has the state, or a snapshot, from whose fields it follows cell
// by cell (FromFields of systems/set_up.hpp). Both are read by the names of the state's variables.

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

class StateFile {
 public:
  virtual ~StateFile() = default;
  virtual Index3 n() const = 0;
  virtual double time() const = 0;
  // Values of a variable in cells of the whole grid, in double. By any rank for itself.
  virtual std::vector<double> read_box(const std::string& name, const Box& box) const = 0;
  // Whether values of variables on faces are those at centres of cells.
  virtual bool centred() const = 0;
  virtual void verify(comm::Communicator& ranks) const = 0;
};

bool is_snapshot(const std::string& path);
// `before`: what configured the run that wrote it. Error where it does not hold a state of it, naming what lacks; with a team every rank opens it.
std::unique_ptr<StateFile> open_state(const std::string& path, const systems::System& before,
                                      comm::Communicator* ranks = nullptr);

}  // namespace watersmeet::run
