#pragma once
// A command on all ranks of its launch: joins them, carries the command out, and ends them
// together.

#include <functional>

#include "comm/communicator.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::run {

// Starts the ranks that the options ask for (launch.hpp), unless this process is one of them. On
// each: returns the exit status of `work`, the largest of all ranks, on rank 0 and 0 on the others.
// A fault that all ranks know of (comm::AgreedError) is thrown again on one of them, which prints
// it. Any other fault is printed by its rank and ends all of them.
int on_all_ranks(const CommonOptions& options,
                 const std::function<int(comm::Communicator& world)>& work);

// For faults of this rank alone, where unwinding could wait for the others: prints and ends all.
[[noreturn]] void end_all_ranks(comm::Communicator& ranks, const std::exception& error,
                                const CommonOptions& options);

// A text of rank 0 on all ranks.
std::string broadcast_text(comm::Communicator& ranks, const std::string& text);

}  // namespace watersmeet::run
