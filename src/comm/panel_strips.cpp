#include "comm/panel_strips.hpp"

#include <algorithm>

#include "comm/traffic.hpp"
#include "core/error.hpp"
#include "mesh/cubed_sphere.hpp"

namespace watersmeet::comm {

PanelStrips::PanelStrips(const Domain& domain, Team& team, const mesh::StripLayout& layout,
                         Reach reach, Precision precision, const Queue& queue)
    : team_(&team) {
  if (team.size() == 1) return;
  require(team.transport() != nullptr, "several ranks need a transport");
  require(layout.elements(mesh::panels) < std::int64_t{1} << 31, "strips are counted in 32 bits");
  const std::size_t word = size_of(precision);
  const auto part_of = [&](const mesh::Part& part) {
    return mesh::panel_part(layout.n, layout.levels, part.box);
  };
  mesh::PanelPart mine;
  for (const mesh::Part& part : domain.parts) {
    if (part.rank == team.rank()) mine = part_of(part);
  }
  // What is mine comes first: it must be in the strips, too.
  const std::vector<bool> wanted = mesh::strips_wanted(mine);
  const bool all = reach == Reach::all;
  std::vector<std::int32_t> here = mesh::strip_elements(layout, mine, all ? nullptr : &wanted);
  std::vector<std::int32_t> there;
  for (const mesh::Part& part : domain.parts) {
    if (part.rank == team.rank()) continue;
    const mesh::PanelPart other = part_of(part);
    if (all) {  // the same to all ranks
      if (!here.empty()) sends_.push_back({part.rank, 0, here.size() * word});
    } else {
      const std::vector<bool> wanted_there = mesh::strips_wanted(other);
      const std::vector<std::int32_t> leave = mesh::strip_elements(layout, mine, &wanted_there);
      if (!leave.empty()) {
        sends_.push_back({part.rank, here.size() * word, leave.size() * word});
      }
      here.insert(here.end(), leave.begin(), leave.end());
    }
    const std::vector<std::int32_t> come =
        mesh::strip_elements(layout, other, all ? nullptr : &wanted);
    if (!come.empty()) receives_.push_back({part.rank, there.size() * word, come.size() * word});
    there.insert(there.end(), come.begin(), come.end());
  }
  const MemorySpace working = memory::working_space(queue.backend);
  const auto hold = [&](memory::Buffer& buffer, const std::vector<std::int32_t>& elements) {
    buffer = memory::Buffer(working, std::max<std::size_t>(1, elements.size()) * sizeof(int));
    copy_bytes(buffer.start(), elements.data(), elements.size() * sizeof(int), queue);
    synchronize(queue);
    return static_cast<const std::int32_t*>(buffer.start());
  };
  call_.elements_here = hold(elements_here_, here);
  call_.elements_there = hold(elements_there_, there);
  call_.count_here = std::ssize(here);
  call_.count_there = std::ssize(there);
  strips_ = memory::Buffer(working, static_cast<std::size_t>(layout.elements(mesh::panels)) * word);
  call_.strips = strips_.start();
  const MemorySpace space = team.transport()->buffer_space();
  out_ = memory::Buffer(space, std::max<std::size_t>(1, here.size()) * word);
  in_ = memory::Buffer(space, std::max<std::size_t>(1, there.size()) * word);
}

void PanelStrips::exchange(const Queue& computing, const Work& pack, const Work& unpack) {
  if (team_ == nullptr || team_->size() == 1) return;
  const Queue& moving = team_->queue_in_turn(computing);
  team_->order(computing, moving);
  pack(moving, out_.start());
  team_->transport()->start(sends_, out_.start(), receives_, in_.start(), moving);
  team_->transport()->finish(moving);
  unpack(moving, in_.start());
  team_->order(moving, computing);
}

std::size_t PanelStrips::bytes_sent() const {
  std::size_t sum = 0;
  for (const Message& m : sends_) sum += m.size;
  return sum;
}

// Every level has all values of the same cells.
ExchangeSize size_of_strips(const Domain& domain, const mesh::StripLayout& layout, bool all,
                            Precision precision) {
  const mesh::StripLayout columns{layout.n, 1, 1};
  const double bytes_of_column =
      static_cast<double>(layout.levels * layout.values) * static_cast<double>(size_of(precision));
  std::vector<mesh::PanelPart> parts;
  for (const mesh::Part& part : domain.parts)
    parts.push_back(mesh::panel_part(layout.n, layout.levels, part.box));
  ExchangeSize most;
  std::vector<double> columns_sent(parts.size()), messages(parts.size());
  for (std::size_t to = 0; to < parts.size(); ++to) {
    const std::vector<bool> wanted = mesh::strips_wanted(parts[to]);
    for (std::size_t from = 0; from < parts.size(); ++from) {
      if (domain.parts[from].rank == domain.parts[to].rank) continue;
      const auto sent = mesh::strip_elements(columns, parts[from], all ? nullptr : &wanted);
      columns_sent[from] += static_cast<double>(sent.size());
      messages[from] += sent.empty() ? 0 : 1;
    }
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    most.bytes = std::max(most.bytes, columns_sent[p] * bytes_of_column);
    most.messages = std::max(most.messages, messages[p]);
  }
  return most;
}

std::size_t PanelStrips::bytes_needed(const mesh::StripLayout& layout, std::int64_t panels_here,
                                      Precision precision) {
  // The strips of all panels; messages of those here and of as many from elsewhere, and tables of
  // their elements.
  const std::int64_t all = layout.elements(mesh::panels), here = layout.elements(panels_here);
  return static_cast<std::size_t>(all + 3 * here) * size_of(precision) +
         static_cast<std::size_t>(3 * here) * sizeof(std::int32_t);
}

}  // namespace watersmeet::comm
