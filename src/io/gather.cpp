#include "io/gather.hpp"

#include <algorithm>
#include <cstring>

#include "io/hdf5_file.hpp"

namespace watersmeet::io {

std::vector<char> gather_box(const Share& share, const void* values, std::size_t bytes) {
  const std::size_t mine = static_cast<std::size_t>(share.mine.count()) * bytes;
  const auto* const first = static_cast<const char*>(values);
  if (share.alone()) return {first, first + mine};
  comm::Communicator& team = *share.team;
  std::vector<Box> boxes(static_cast<std::size_t>(team.size()));
  team.all_gather(&share.mine, sizeof share.mine, boxes.data());
  if (team.rank() != 0) {
    const comm::Outgoing out[1] = {{0, values, mine}};
    team.exchange(out, {});
    return {};
  }
  const Index3& n = share.n;
  std::vector<char> whole(static_cast<std::size_t>(n[0] * n[1] * n[2]) * bytes);
  const auto place = [&](const Box& box, const char* from) {
    if (box.empty()) return;  // perhaps without an array, too
    const std::size_t row = static_cast<std::size_t>(box.size(0)) * bytes;
    for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
      for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j, from += row) {
        const auto at = static_cast<std::size_t>((k * n[1] + j) * n[0] + box.lower[0]);
        std::memcpy(whole.data() + at * bytes, from, row);
      }
    }
  };
  place(share.mine, first);
  std::vector<char> theirs;
  for (int r = 1; r < team.size(); ++r) {
    const Box& box = boxes[static_cast<std::size_t>(r)];
    theirs.resize(static_cast<std::size_t>(box.count()) * bytes);
    const comm::Incoming in[1] = {{r, theirs.data(), theirs.size()}};
    team.exchange({}, in);
    place(box, theirs.data());
  }
  return whole;
}

std::vector<double> as_doubles(const std::vector<char>& bytes, Precision precision) {
  const std::size_t count = bytes.size() / size_of(precision);
  std::vector<char> room(count * sizeof(double));
  std::copy(bytes.begin(), bytes.end(), room.begin());
  convert(room.data(), count, element_type(precision), ElementType::float64);
  std::vector<double> values(count);
  std::copy(room.begin(), room.end(), reinterpret_cast<char*>(values.data()));
  return values;
}

}  // namespace watersmeet::io
