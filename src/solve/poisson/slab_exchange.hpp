#pragma once
// Data that the slabs of a grid exchange in a direct solve: every rank sends the same number of
// elements to every other one, the ends of its sections and its part of the singular column. With
// n x n modes these are 2 n^2 values, of the n^2 nz / ranks of a rank: no transposition.

#include <vector>

#include "comm/team.hpp"
#include "memory/buffer.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

class SlabExchange {
 public:
  static std::size_t message_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  // bytes: of one message, which is padded.
  SlabExchange(const ColumnPlan& plan, std::size_t bytes, comm::Team& team, const Queue& queue);
  // Where kernels of the queue write this rank's message, and where they find that of slab s once
  // exchange() was queued: at all() + s * stride().
  void* mine() const { return out_.start(); }
  const void* all() const { return in_.start(); }
  std::size_t stride() const { return stride_; }
  void exchange(const Queue& queue);

 private:
  comm::Team* team_;
  std::size_t stride_, here_;
  std::vector<comm::Message> sends_, receives_;
  memory::Buffer out_, in_;
};

// How a section of the columns answers beyond f: u, v and w of first and last, for every mode.
// Arrays of `modes` elements in the order of Section, beginning with u_first.
constexpr int section_answers = 6;
template <class R>
std::vector<R> slab_answers(const ColumnPlan& plan, int slab, std::int64_t pitch, int threads);

}  // namespace watersmeet::solve
