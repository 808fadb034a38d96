#pragma once
// A run from its first step to what follows its last: the same for a new run and a resumed one.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "io/run_lock.hpp"
#include "io/terminal.hpp"
#include "launch/ranks.hpp"
#include "run/engine.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::commands {

// The lock of all ranks together, which the first one holds.
using Lock = std::shared_ptr<io::RunLock>;
Lock lock_folder(const std::string& directory, comm::Communicator& ranks);

// Collective over the ranks that compute; returns the exit status. `checkpoint`: that the engine is about to resume from, or empty; `check`: the script that judges
// the run, or empty.
int drive(std::unique_ptr<run::Engine> engine, const std::string& directory,
          const RunOptions& options, const std::shared_ptr<io::Terminal>& terminal,
          const Lock& lock, const std::string& checkpoint, const std::string& check,
          launch::AtLast& at_last);

// The result of a run for programs. `converged`: of a run that looks for a steady state.
void print_json(const std::string& directory, int status, std::int64_t step, double t,
                const std::string& checkpoint, std::optional<bool> converged);

}  // namespace watersmeet::commands
