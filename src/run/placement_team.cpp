// The team of the ranks of a run: how they exchange messages, as the case says.
#include "run/placement.hpp"

namespace watersmeet::run {

comm::Overlap wanted_overlap(const config::Input& input) {
  const std::string wanted = input.text("device.overlap");
  return wanted == "on"    ? comm::Overlap::on
         : wanted == "off" ? comm::Overlap::off
                           : comm::Overlap::automatic;
}

std::unique_ptr<comm::Team> make_team(const Placement& placement, const config::Input& input,
                                      const Queue& queue) {
  comm::Communicator& ranks = *placement.ranks;
  if (ranks.size() == 1) return std::make_unique<comm::Team>(queue);
  return std::make_unique<comm::Team>(
      ranks,
      comm::choose_transport(ranks, input.text("device.transport"), queue.backend,
                             placement.device.shared),
      queue, wanted_overlap(input));
}

}  // namespace watersmeet::run
