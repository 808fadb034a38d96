#pragma once
// The first state of a run from a state of another grid (start.from): a checkpoint, or a snapshot whose fields suffice (state_file.hpp), of the
// same system with more or fewer cells, in a box that holds this one, of any precision, on any number of ranks. Which values are averages and which are values at points is what the system says
// of them (systems/set_up.hpp, Transfer); how they are mapped along an axis, schemes/resample.hpp. Boxes are mapped axis after axis.
//
// Every rank reads what its part needs, in pieces, so that neither it nor the file is ever whole in memory. Values do not depend on the number of
// ranks. Where both grids are the same the values are those of the file, bit by bit.

#include <memory>
#include <string>

#include "comm/domain.hpp"
#include "run/case.hpp"

namespace watersmeet::run {

class OtherGrid {
 public:
  // A checkpoint or snapshot of `before`, which configured its case. Error{user_input} with the reason why its state cannot be mapped.
  OtherGrid(const std::string& checkpoint, Case before, const systems::System& now, bool keep_time);

  // Sets this rank's part of the state and the clock. Collective; errors are thrown by all.
  void fill(systems::System& system, const comm::Domain& domain, const Queue& queue,
            comm::Communicator& ranks);
  // What was done, a sentence.
  const std::string& text() const { return text_; }

 private:
  std::string checkpoint_;
  Case before_;
  bool keep_time_ = false, same_ = false;
  std::string text_;
};

// As start.from of the case asks for it; null where it is not set. Faults go into the input.
std::shared_ptr<OtherGrid> find_start(config::Input& input, const systems::System& system);

}  // namespace watersmeet::run
