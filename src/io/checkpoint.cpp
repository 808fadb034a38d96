// Writing checkpoints; see the header. Sources: docs/reference/files.md.
#include "io/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "io/checkpoint_format.hpp"
#include "io/checksum.hpp"
#include "io/seal.hpp"
#include "io/shared_file.hpp"

namespace watersmeet::io {
namespace {

// A value that is not finite: its place among all values of all arrays of all ranks, and its text.
struct Fault {
  std::uint64_t place = std::numeric_limits<std::uint64_t>::max();
  std::string text;
};

template <typename T>
bool find_fault(const CheckpointArray& array, const Share& share, std::uint64_t first_place,
                Fault& fault) {
  const auto* values = static_cast<const T*>(array.values);
  const Box& box = share.mine;
  const std::int64_t count = box.count();
  for (std::int64_t v = 0; v < count; ++v) {
    if (std::isfinite(values[v])) continue;
    const std::int64_t i = box.lower[0] + v % box.size(0);
    const std::int64_t j = box.lower[1] + v / box.size(0) % box.size(1);
    const std::int64_t k = box.lower[2] + v / (box.size(0) * box.size(1));
    fault.place = first_place + static_cast<std::uint64_t>((k * share.n[1] + j) * share.n[0] + i);
    fault.text =
        fmt::format("{} is {} at (i, j, k) = ({}, {}, {})", array.name, values[v], i, j, k);
    return true;
  }
  return false;
}

void check_finite(const Checkpoint& checkpoint, const Share& share) {
  Fault first;
  const auto cells = static_cast<std::uint64_t>(share.n[0] * share.n[1] * share.n[2]);
  for (std::size_t a = 0; a < checkpoint.arrays.size(); ++a) {
    const CheckpointArray& array = checkpoint.arrays[a];
    if (array.any_value) continue;
    if (array.precision == Precision::single_
            ? find_fault<float>(array, share, a * cells, first)
            : find_fault<double>(array, share, a * cells, first)) {
      break;
    }
  }
  for (const auto& [name, value] : checkpoint.reals) {
    if (!std::isfinite(value) && first.text.empty()) {
      first = {checkpoint.arrays.size() * cells, fmt::format("{} is {}", name, value)};
    }
  }
  // The fault that one process would meet first, on whichever rank it is.
  int holder = 0;
  if (!share.alone()) {
    std::vector<std::uint64_t> places(static_cast<std::size_t>(share.team->size()));
    share.team->all_gather(&first.place, sizeof first.place, places.data());
    const auto least = std::min_element(places.begin(), places.end());
    holder = static_cast<int>(least - places.begin());
    if (*least == Fault{}.place) return;
    throw comm::AgreedError(
        ErrorKind::diverged,
        "checkpoint not written: " + comm::broadcast_text(*share.team, first.text, holder));
  }
  if (!first.text.empty()) {
    throw Error(ErrorKind::diverged, "checkpoint not written: " + first.text);
  }
}

void check(const Checkpoint& checkpoint, const Share& share) {
  for (const std::int64_t n : checkpoint.n) require(n > 0, "a checkpoint needs one cell per axis");
  require(share.n == checkpoint.n, "the ranks share the checkpoint's cells");
  for (std::size_t a = 0; a < checkpoint.arrays.size(); ++a) {
    const CheckpointArray& array = checkpoint.arrays[a];
    require(!array.name.empty() && array.name.find('/') == std::string::npos,
            "an array's name must not be empty or hold a slash");
    require(array.values != nullptr || share.mine.empty(), "an array needs values");
    for (std::size_t b = 0; b < a; ++b) {
      require(checkpoint.arrays[b].name != array.name, "two arrays of one name");
    }
  }
}

// The checksums of all whole arrays, from the parts of all ranks.
std::vector<std::uint32_t> checksums(const Checkpoint& checkpoint, const Share& share) {
  std::vector<std::uint32_t> sums;
  for (const CheckpointArray& array : checkpoint.arrays) {
    sums.push_back(crc32_part(array.values, share.n, share.mine, size_of(array.precision)));
  }
  if (!share.alone()) share.team->all_reduce_xor(std::span<std::uint32_t>(sums));
  const auto cells = static_cast<std::uint64_t>(share.n[0] * share.n[1] * share.n[2]);
  for (std::size_t a = 0; a < sums.size(); ++a) {
    sums[a] = crc32_of_parts(sums[a], cells * size_of(checkpoint.arrays[a].precision));
  }
  return sums;
}

}  // namespace

std::uint32_t state_checksum(const Index3& n, const std::vector<std::string>& names,
                             const std::map<std::string, double>& reals,
                             const std::map<std::string, std::int64_t>& integers,
                             const std::map<std::string, std::string>& texts) {
  std::string state = fmt::format("n {} {} {}\n", n[0], n[1], n[2]);
  for (const std::string& name : names) state += fmt::format("array {}\n", name);
  for (const auto& [name, value] : reals) {
    state += fmt::format("real {} {:016x}\n", name, std::bit_cast<std::uint64_t>(value));
  }
  for (const auto& [name, value] : integers) state += fmt::format("integer {} {}\n", name, value);
  for (const auto& [name, text] : texts) {
    state += fmt::format("text {} {}\n{}\n", name, text.size(), text);
  }
  return crc32(state.data(), state.size());
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint,
                      const Provenance& provenance) {
  write_checkpoint(path, checkpoint, provenance, whole_share(checkpoint.n));
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint,
                      const Provenance& provenance, const Share& share) {
  if (share.alone()) {
    check(checkpoint, share);
  } else {
    comm::agree(*share.team, [&] { check(checkpoint, share); });
  }
  check_finite(checkpoint, share);
  const std::vector<std::uint32_t> sums = checksums(checkpoint, share);
  const auto count =
      static_cast<std::uint64_t>(checkpoint.n[0] * checkpoint.n[1] * checkpoint.n[2]);
  std::uint64_t bytes = 0;
  std::vector<std::string> names;
  std::vector<SharedArray> arrays;
  for (const CheckpointArray& array : checkpoint.arrays) {
    bytes += room_for(count * size_of(array.precision));
    names.push_back(array.name);
    arrays.push_back({"/arrays/" + array.name, 1, array.precision, array.precision, array.values});
  }
  std::sort(names.begin(), names.end());
  std::vector<ByteRange> array_bytes;
  const auto describe = [&](Hdf5File& file) {
    Hdf5Group& root = file.root();
    root.set("format", checkpoint_format);
    root.set("format_version", checkpoint_version);
    root.set("n", std::vector<std::int64_t>(checkpoint.n.begin(), checkpoint.n.end()));
    root.set("state_crc32",
             static_cast<std::int64_t>(state_checksum(checkpoint.n, names, checkpoint.reals,
                                                      checkpoint.integers, checkpoint.texts)));
    Hdf5Group reals = root.create_group("reals");
    for (const auto& [name, value] : checkpoint.reals) reals.set(name, value);
    Hdf5Group integers = root.create_group("integers");
    for (const auto& [name, value] : checkpoint.integers) integers.set(name, value);
    Hdf5Group texts = root.create_group("texts");
    for (const auto& [name, text] : checkpoint.texts) texts.create_text(name, text);
    Hdf5Group group = root.create_group("arrays");
    const Extents extents = extents_of(checkpoint.n);
    for (std::size_t a = 0; a < checkpoint.arrays.size(); ++a) {
      const ElementType type = element_type(checkpoint.arrays[a].precision);
      Hdf5Dataset dataset = group.create_dataset(checkpoint.arrays[a].name, type, extents);
      array_bytes.push_back({dataset.offset(), count * size_of(type)});
      dataset.set("crc32", static_cast<std::int64_t>(sums[a]));
    }
    write_provenance(file, provenance);
  };
  write_shared_file(path, bytes, describe, arrays, share, [&array_bytes](const std::string& part) {
    std::sort(array_bytes.begin(), array_bytes.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
    seal_file(part, array_bytes);
  });
}

}  // namespace watersmeet::io
