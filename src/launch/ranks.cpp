#include "launch/ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "comm/launched.hpp"
#include "core/error.hpp"
#include "launch/launch.hpp"

namespace watersmeet::launch {

void end_all_ranks(comm::Communicator* ranks, const std::exception& error,
                   const CommonOptions& options) {
  // The thread that writes files and the one that computes may miss the same rank at the same time:
  // the first reports it, the other waits for the end of the process.
  static std::atomic_flag ending;
  while (ending.test_and_set()) std::this_thread::sleep_for(std::chrono::seconds(1));
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::string who = ranks == nullptr ? "a rank"
                                           : "rank " + std::to_string(ranks->rank()) + " of " +
                                                 std::to_string(ranks->size());
  const std::string text = who + " on " + host + ": " + error.what();
  const auto* const known = dynamic_cast<const Error*>(&error);
  const Error named(known ? known->kind() : ErrorKind::internal, text);
  std::fflush(stdout);
  std::fputs(message_of(named, options).c_str(), stderr);
  tell_status(exit_status_of(named));
  // What MPICH's launcher has not read when a rank ends them all is lost.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (ranks != nullptr) ranks->abort(exit_status_of(named));
  std::_Exit(exit_status_of(named));
}

namespace {
// As the program prints what a command throws.
void print(const std::exception& error, const CommonOptions& options) {
  std::fflush(stdout);
  std::fputs(message_of(error, options).c_str(), options.json ? stdout : stderr);
}

// One of the tasks says it for all.
int refuse_connection(const CommonOptions& options) {
  const Error error(ErrorKind::user_input,
                    "srun started " + std::to_string(comm::ranks_of_launch()) +
                        " tasks without the plugin through which MPI connects them: call srun with "
                        "--mpi=" +
                        comm::slurm_plugin() +
                        " (srun --mpi=list shows the plugins of this cluster)");
  if (std::string(std::getenv("SLURM_PROCID")) == "0") print(error, options);
  return exit_status_of(error);
}
}  // namespace

int on_all_ranks(const CommonOptions& options,
                 const std::function<int(comm::Communicator& world, AtLast& at_last)>& work,
                 double patience) {
  if (const std::optional<int> status = launch_ranks(options)) return *status;
  if (comm::built_with_mpi() && comm::without_connection()) return refuse_connection(options);
  std::unique_ptr<comm::Communicator> world;
  world = comm::join_world(
      patience, [&](const comm::SilentPeer& error) { end_all_ranks(world.get(), error, options); });
  AtLast at_last;
  if (world->size() == 1) {
    const int status = work(*world, at_last);
    if (at_last) at_last();
    return status;
  }
  struct End {
    int failed = 0, status = 0;
  } mine;
  std::optional<comm::AgreedError> fault;
  try {
    mine.status = work(*world, at_last);
  } catch (const comm::AgreedError& error) {
    mine = {1, exit_status_of(error)};
    fault = error;
  } catch (const std::exception& error) {
    end_all_ranks(world.get(), error, options);
  }
  std::vector<End> all(static_cast<std::size_t>(world->size()));
  try {
    world->all_gather(&mine, sizeof mine, all.data());
    world->set_patience(patience);
  } catch (const std::exception& error) {
    end_all_ranks(world.get(), error, options);
  }
  int first_failed = -1, status = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].failed != 0 && first_failed < 0) first_failed = static_cast<int>(r);
    status = std::max(status, all[r].status);
  }
  // One rank alone reports to the launcher: it ends all others as soon as one has a status of its own.
  if (world->rank() != std::max(first_failed, 0)) return 0;
  if (fault) status = mine.status;
  const bool told = tell_status(status);
  world.reset();
  if (fault) {
    print(*fault, options);
  } else if (at_last) {
    at_last();
  }
  return told ? 0 : status;
}

}  // namespace watersmeet::launch
