#pragma once
// Carries out a command on all ranks of its launch: joins them, runs the command, and ends them
// together.

#include <functional>

#include "comm/communicator.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::launch {

// Starts the ranks that the options ask for (launch.hpp), unless this process is one of them, and
// runs `work` on each. Returns the largest exit status of all ranks on rank 0, and 0 on the others.
// A fault that all ranks know of (comm::AgreedError) is printed by one of them, which returns its status
// instead; a single process rethrows it. Where the process that started the ranks waits for the status
// (tell_status), all return 0. Any other fault is printed by its rank and ends all of them.
// `patience`: how long one rank waits for another, from the start on, in seconds.
// Rank 0 calls the function that `work` leaves in `at_last` after all ranks have ended their work, so
// that none of them waits for it.
using AtLast = std::function<void()>;
int on_all_ranks(const CommonOptions& options,
                 const std::function<int(comm::Communicator& world, AtLast& at_last)>& work,
                 double patience = comm::default_patience);

// For faults of this rank alone, where unwinding could wait for the others: prints and ends all.
// `ranks`: null before they are joined.
[[noreturn]] void end_all_ranks(comm::Communicator* ranks, const std::exception& error,
                                const CommonOptions& options);

}  // namespace watersmeet::launch
