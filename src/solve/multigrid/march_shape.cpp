#include "solve/multigrid/march_shape.hpp"

namespace watersmeet::solve {

namespace {
int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }
int count(int n, int size) { return (n + size - 1) / size; }

// A step costs something however few its threads: the barrier and the latency of its loads, about
// as much as the work of this many threads.
constexpr int threads_of_latency = 256;
}  // namespace

MarchShape make_march_shape(const int (&n)[3], int lag, const MarchDevice& device, int width) {
  MarchShape best;
  double least = 0;
  const int halo_x = n[0] == 1 ? 0 : round_up(lag, width), halo_y = n[1] == 1 ? 0 : lag;
  for (int tile_x = 8; tile_x <= 128; tile_x += width) {
    const int pairs = (tile_x + 2 * halo_x) / width;
    // A tile as wide as the level need not be tried wider.
    if (tile_x > 8 && tile_x - width >= n[0]) break;
    for (int tile_y = n[1] == 1 ? 1 : 2; tile_y <= 64; tile_y += 2) {
      const int threads = pairs * (tile_y + 2 * halo_y);
      if (threads > device.most_threads || (tile_y > 2 && tile_y - 2 >= n[1])) break;
      for (int chunk = 2; chunk <= march_longest_chunk; chunk += 2) {
        if (chunk > 2 && chunk - 2 >= n[2]) break;
        const int tiles[2] = {count(n[0], tile_x), count(n[1], tile_y)},
                  chunks = count(n[2], chunk);
        const double blocks = double(tiles[0]) * tiles[1] * chunks;
        const int at_once = device.multiprocessors * device.blocks_at_once;
        const double rounds = double(count(int(blocks), at_once));
        const double time = rounds * (chunk + 2 * lag + 2) * (threads + threads_of_latency);
        if (least != 0 && time >= least) continue;
        least = time;
        best.tile[0] = tile_x;
        best.tile[1] = tile_y;
        best.chunk = chunk;
        best.tiles[0] = tiles[0];
        best.tiles[1] = tiles[1];
        best.chunks = chunks;
        best.pairs = pairs;
        best.threads = threads;
      }
    }
  }
  best.halo_x = halo_x;
  best.halo_y = halo_y;
  return best;
}

}  // namespace watersmeet::solve
