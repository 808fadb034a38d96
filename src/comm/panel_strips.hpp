#pragma once
// The lines of cells along the sides of the panels of a cubed sphere, which ranks send each other
// once a stage (mesh/panel_part.hpp): what the edges of panels are computed from, so that each rank
// makes those of its own parts by itself, with the bits of any other. One rank has no strips and
// reads its cells. Collective, also where a part touches no side.

#include <cstdint>
#include <functional>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "core/device.hpp"
#include "memory/buffer.hpp"
#include "mesh/panel_part.hpp"

namespace watersmeet::comm {

// The argument of loops that pack and unpack; null without strips.
struct StripCall {
  void* strips = nullptr;
  // Elements of the strips in the order of a message: those that leave, those that come.
  const std::int32_t *elements_here = nullptr, *elements_there = nullptr;
  std::int64_t count_here = 0, count_there = 0;
};

class PanelStrips {
 public:
  // What a rank is sent: the strips of all panels, or what lies in line with the sides of its own
  // parts (mesh::strips_wanted()).
  enum class Reach { all, own_sides };

  PanelStrips() = default;
  // `domain`: of the stack of all panels. Team outlives the strips.
  PanelStrips(const Domain& domain, Team& team, const mesh::StripLayout& layout, Reach reach,
              Precision precision, const Queue& queue);

  const StripCall& call() const { return call_; }

  // Queues work that reads the cells: `pack` fills a message and the strips, `unpack` the strips.
  using Work = std::function<void(const Queue& queue, void* message)>;
  void exchange(const Queue& computing, const Work& pack, const Work& unpack);
  std::size_t bytes_sent() const;  // of one exchange
  // At most, for so many panels here.
  static std::size_t bytes_needed(const mesh::StripLayout& layout, std::int64_t panels_here,
                                  Precision precision);

 private:
  Team* team_ = nullptr;
  StripCall call_;
  memory::Buffer strips_, elements_here_, elements_there_, out_, in_;
  std::vector<Message> sends_, receives_;
};

}  // namespace watersmeet::comm
