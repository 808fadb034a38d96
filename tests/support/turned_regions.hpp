#pragma once
// Random regions between two blocks of a register, in any of the 48 orientations, and what copying
// them must give: a loop over indices, which knows nothing of strides.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "exec/ghost.hpp"
#include "memory/state.hpp"
#include "support/view.hpp"

namespace watersmeet::test {

// Axis a of the target runs along axis[a] of the source, up or down.
struct TurnedRegion {
  Index3 to{}, from{}, n{};  // corners that belong together
  int axis[3] = {0, 1, 2}, sign[3] = {1, 1, 1};

  Index3 target(const Index3& o) const { return {to[0] + o[0], to[1] + o[1], to[2] + o[2]}; }
  Index3 source(const Index3& o) const {
    Index3 s = from;
    for (std::size_t a = 0; a < 3; ++a) s[static_cast<std::size_t>(axis[a])] += sign[a] * o[a];
    return s;
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) visit(Index3{i, j, k});
  }
};

class TurnedRegions {
 public:
  static constexpr int source_block = 0, target_block = 1;

  // Some regions are a cell thick along an axis or two. The targets lie one above the other.
  TurnedRegions(unsigned seed, int count) : generator_(seed) {
    for (int r = 0; r < count; ++r) {
      TurnedRegion region;
      std::shuffle(region.axis, region.axis + 3, generator_);
      for (std::size_t a = 0; a < 3; ++a) {
        const auto b = static_cast<std::size_t>(region.axis[a]);
        region.sign[a] = upto(1) == 0 ? -1 : 1;
        const std::int64_t most = std::min<std::int64_t>(source[b], a == 2 ? 6 : target_plane[a]);
        region.n[a] = upto(3) == 0 ? 1 : 1 + upto(most - 1);
        const std::int64_t below = upto(source[b] - region.n[a]);
        region.from[b] = region.sign[a] > 0 ? below : below + region.n[a] - 1;
        if (a < 2) region.to[a] = upto(target_plane[a] - region.n[a]);
      }
      region.to[2] = height_;
      height_ += region.n[2];
      regions.push_back(region);
    }
  }

  memory::State make_state(int variables, Precision precision, const Queue& queue) const {
    return memory::State({{source, {3, 3, 3}}, {{target_plane[0], target_plane[1], height_}, {}}},
                         variables, 1, precision, queue);
  }
  std::vector<exec::GhostTransfer> copies(const memory::State& state) const {
    const BlockLayout& to = state.layout(target_block);
    const BlockLayout& from = state.layout(source_block);
    std::vector<exec::GhostTransfer> result;
    for (const TurnedRegion& region : regions) {
      exec::GhostTransfer t;
      t.to_first = to.first + to.at(region.to[0], region.to[1], region.to[2]);
      t.from_first = from.first + from.at(region.from[0], region.from[1], region.from[2]);
      for (std::size_t a = 0; a < 3; ++a) {
        t.n[a] = region.n[a];
        t.to_stride[a] = to.stride[a];
        t.from_stride[a] = region.sign[a] * from.stride[region.axis[a]];
      }
      t.to_stride_var = to.stride_var;
      t.from_stride_var = from.stride_var;
      result.push_back(t);
    }
    exec::number_cells(result);
    return result;
  }

  // A register's elements, all different; of those outside the source block, all negative.
  template <class R>
  std::vector<R> values(const memory::State& state) const {
    std::vector<R> result(state.register_bytes() / sizeof(R));
    for (std::size_t e = 0; e < result.size(); ++e) result[e] = -R(e + 1);
    const View<R> view = make_view<R>(result.data(), state.layout(source_block));
    R next = 1;
    for (int v = 0; v < state.variables(); ++v) {
      TurnedRegion{{}, {}, source}.for_each(
          [&](const Index3& c) { view(v, c[0], c[1], c[2]) = next++; });
    }
    return result;
  }
  // The register after the copies.
  template <class R>
  std::vector<R> copied(const memory::State& state, std::vector<R> values) const {
    const View<R> from = make_view<R>(values.data(), state.layout(source_block));
    const View<R> to = make_view<R>(values.data(), state.layout(target_block));
    for (const TurnedRegion& region : regions) {
      for (int v = 0; v < state.variables(); ++v) {
        region.for_each([&](const Index3& o) {
          const Index3 t = region.target(o), s = region.source(o);
          to(v, t[0], t[1], t[2]) = from(v, s[0], s[1], s[2]);
        });
      }
    }
    return values;
  }

  std::vector<TurnedRegion> regions;
  static constexpr Index3 source{37, 21, 29}, target_plane{33, 25, 0};

 private:
  std::int64_t upto(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(generator_);
  }
  std::mt19937 generator_;
  std::int64_t height_ = 0;
};

// Both halves of each copy, their messages one behind the other from element 7 on. A rank knows the
// layout of its own register only, so that the other's offsets are wrong here.
struct Halves {
  std::vector<exec::GhostTransfer> pack, unpack;
  std::int64_t cells = 0, elements = 7;

  Halves(const std::vector<exec::GhostTransfer>& copies, int variables) {
    for (const exec::GhostTransfer& copy : copies) {
      exec::GhostTransfer sender = copy, receiver = copy;
      sender.to_first = receiver.from_first = -123456789;
      for (int a = 0; a < 3; ++a) sender.to_stride[a] = receiver.from_stride[a] = 1 << (10 * a);
      pack.push_back(exec::pack_half(sender, elements));
      unpack.push_back(exec::unpack_half(receiver, elements));
      elements += copy.cells() * variables;
    }
    cells = exec::number_cells(pack);
    exec::number_cells(unpack);
  }
};

}  // namespace watersmeet::test
