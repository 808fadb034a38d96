// How thread blocks share out the lines of a transform.
#include <algorithm>

#include "solve/poisson/line_loops.hpp"

namespace watersmeet::solve {

namespace {
constexpr int most_threads = 256;
// A thread block's memory when three of them are to share a multiprocessor of 227 KiB.
constexpr std::size_t wanted_bytes = 75 * 1024;

std::uint32_t magic_of(std::int64_t divisor) {
  return static_cast<std::uint32_t>(
      ((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(divisor) - 1) /
      static_cast<std::uint64_t>(divisor));
}
}  // namespace

LineShape make_line_shape(std::int64_t n, bool side_by_side, std::size_t bytes,
                          std::size_t most_shared) {
  LineShape s;
  const std::int64_t wide = 16 / static_cast<std::int64_t>(bytes);
  const std::int64_t row = (n + wide - 1) / wide * wide;
  // Two numbers a complex one, two arrays; a raw row must find room in a complex line.
  const std::int64_t pitch = (std::max(n + n / 8 + 1, row) + 1) / 2 * 2;
  s.row = static_cast<int>(row);
  s.pitch = static_cast<int>(pitch);
  // 64 bytes of lines side by side, or four pairs of rows; fewer of long lines. In single precision
  // eight pairs of rows whose butterflies of eight points are a warp's: with 64 threads for the 32
  // of 256 points half of the threads would have nothing to do in two of three passes.
  const bool warp_a_row = bytes == 4 && n > 128 && n <= 256;
  s.log2_pairs = bytes == 4 && (side_by_side || warp_a_row) ? 3 : 2;
  const auto shared = [&] { return (static_cast<std::size_t>(4 * pitch) << s.log2_pairs) * bytes; };
  while (s.log2_pairs > 0 && shared() > std::min(wanted_bytes, most_shared)) --s.log2_pairs;
  s.shared_bytes = shared();
  // In double precision a thread a butterfly of eight points, so that four thread blocks share a
  // multiprocessor; with whole warps a pair, three of them, a step of Boussinesq convection on an
  // H200 took 3.16 ms instead of 3.07 (watersmeet bench boussinesq --only "double fft ring" --cells
  // 384x384x192). In single precision whole warps a pair.
  const std::int64_t pairs = std::int64_t{1} << s.log2_pairs, most = most_threads / pairs;
  const std::int64_t of_pair =
      bytes == 8   ? std::clamp<std::int64_t>((n + 7) / 8, std::min<std::int64_t>(16, most), most)
      : warp_a_row ? std::min<std::int64_t>(32, most)
                   : std::clamp<std::int64_t>(((n + 5) / 6 + 31) / 32 * 32,
                                              std::min<std::int64_t>(32, most), most);
  s.threads_of_pair = static_cast<int>(of_pair);
  s.threads = static_cast<int>((of_pair * pairs + 31) / 32 * 32);
  s.magic_wide = magic_of(row / wide);
  s.magic_one = magic_of(n);
  return s;
}

}  // namespace watersmeet::solve
