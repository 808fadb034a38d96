#pragma once
// Gathering of a level on the CPU. Included by CPU instantiation files only.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "solve/multigrid/kernels_cpu.hpp"

namespace watersmeet::solve::detail {

// A value's bits in a word, so that a sum of words over the ranks, of which one alone has a value
// at a place, gathers the level without rounding.
template <class R>
using Bits = std::conditional_t<sizeof(R) == 8, std::int64_t, std::int32_t>;

template <class R>
void to_words_cpu(const LevelArrays<R>& part, const PartPlace& place, std::int64_t* words,
                  int threads) {
  for_rows(part, threads, [&](int j, int k) {
    const R* const row = row_at(part, part.f, j, k);
    const std::int64_t first =
        (std::int64_t(place.first[2] + k) * place.whole[1] + place.first[1] + j) * place.whole[0] +
        place.first[0];
    for (int i = 0; i < part.n[0]; ++i) words[first + i] = std::bit_cast<Bits<R>>(row[i]);
  });
}

template <class R>
void from_words_cpu(const LevelArrays<R>& whole, const std::int64_t* words, int threads) {
  for_rows(whole, threads, [&](int j, int k) {
    R* const row = row_at(whole, whole.f, j, k);
    const std::int64_t* const from = words + (std::int64_t(k) * whole.n[1] + j) * whole.n[0];
    for (int i = 0; i < whole.n[0]; ++i) row[i] = std::bit_cast<R>(static_cast<Bits<R>>(from[i]));
  });
}

template <class R>
void take_part_cpu(const LevelArrays<R>& part, const PartPlace& place, const LevelArrays<R>& whole,
                   int threads) {
  // Cell of the whole for one of the part or its ghosts; what lies beyond a side is not looked at.
  const auto at = [&](int axis, int i) {
    const int g = place.first[axis] + i;
    return g < 0 ? whole.below[axis] : g >= whole.n[axis] ? whole.above[axis] : g;
  };
  const int rows = part.n[1] + 2 * part.ghosts[1], planes = part.n[2] + 2 * part.ghosts[2];
#pragma omp parallel for schedule(static) num_threads(threads) if (worth_threads(part))
  for (int row = 0; row < rows * planes; ++row) {
    const int j = row % rows - part.ghosts[1], k = row / rows - part.ghosts[2];
    const R* const from = row_at(whole, whole.u, at(1, j), at(2, k));
    R* const to = row_at(part, part.u, j, k);
    for (int i = -part.ghosts[0]; i < part.n[0] + part.ghosts[0]; ++i) to[i] = from[at(0, i)];
  }
}

}  // namespace watersmeet::solve::detail
