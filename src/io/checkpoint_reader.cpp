// Reading, verifying and choosing checkpoints; see the header of checkpoint.hpp.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <span>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_format.hpp"
#include "io/checksum.hpp"
#include "io/run_directory.hpp"
#include "io/seal.hpp"
#include "io/shared_file.hpp"

namespace watersmeet::io {
namespace {

// The work of every rank; a fault of one is thrown by all.
void agree(comm::Communicator* team, const std::function<void()>& work) {
  if (team == nullptr || team->size() == 1) {
    work();
  } else {
    comm::agree(*team, work);
  }
}

Hdf5File open_sealed(const std::string& path, comm::Communicator* team) {
  on_first(team, [&] {
    require_hdf5(path);
    check_seal(path);
  });
  std::optional<Hdf5File> file;
  agree(team, [&] { file.emplace(Hdf5File::open(path)); });
  return std::move(*file);
}

// The whole in as many parts as there are ranks, cut along the slowest axis that is long enough.
Box part_of(const Index3& n, int rank, int ranks) {
  std::size_t axis = 2;
  while (axis > 0 && n[axis] < ranks) --axis;
  Box box{{0, 0, 0}, n};
  box.lower[axis] = n[axis] * rank / ranks;
  box.upper[axis] = n[axis] * (rank + 1) / ranks;
  return box;
}

// Numbers as stored into numbers as asked for.
template <typename From, typename To>
void copy_numbers(const unsigned char* from, std::size_t count, void* to, std::size_t first) {
  const auto* in = reinterpret_cast<const From*>(from);
  std::transform(in, in + count, static_cast<To*>(to) + first,
                 [](From v) { return static_cast<To>(v); });
}

}  // namespace

CheckpointReader::CheckpointReader(const std::string& path, comm::Communicator* team)
    : path_(path), file_(open_sealed(path, team)) {
  agree(team, [this] { load(); });
}

void CheckpointReader::load() {
  const Hdf5Group& root = file_.root();
  if (!root.has("format") || root.text("format") != checkpoint_format) {
    throw Error(ErrorKind::io, fmt::format("{} is not a checkpoint of watersmeet", path_));
  }
  if (const auto version = root.integer("format_version"); version != checkpoint_version) {
    throw Error(ErrorKind::io,
                fmt::format("{} has checkpoint version {}; this program reads {}. Go on with the "
                            "version of the program that wrote it: run.json beside it names it",
                            path_, version, checkpoint_version));
  }
  const auto n = root.integers("n");
  if (n.size() != 3) throw Error(ErrorKind::io, fmt::format("{}: n must hold three sizes", path_));
  std::copy(n.begin(), n.end(), n_.begin());
  double cells = 1;  // as a whole number it might not fit
  for (const std::int64_t size : n_) cells *= size < 1 ? INFINITY : static_cast<double>(size);
  if (cells > 1e15) throw Error(ErrorKind::io, fmt::format("{} is damaged: n is no size", path_));
  const Hdf5Group reals = root.open_group("reals");
  for (const std::string& name : reals.attribute_names()) reals_[name] = reals.real(name);
  const Hdf5Group integers = root.open_group("integers");
  for (const std::string& name : integers.attribute_names()) {
    integers_[name] = integers.integer(name);
  }
  const Hdf5Group texts = root.open_group("texts");
  for (const std::string& name : texts.names()) {
    texts_[name] = texts.open_dataset(name).read_text();
  }
  const Hdf5Group arrays = root.open_group("arrays");
  names_ = arrays.names();
  std::vector<std::string> sorted = names_;
  std::sort(sorted.begin(), sorted.end());
  if (root.integer("state_crc32") !=
      static_cast<std::int64_t>(state_checksum(n_, sorted, reals_, integers_, texts_))) {
    throw Error(ErrorKind::io,
                fmt::format("{} is damaged: its scalars do not match their checksum", path_));
  }
  const Extents extents = extents_of(n_);
  for (const std::string& name : names_) {
    const Hdf5Dataset array = arrays.open_dataset(name);
    const ElementType type = array.type();
    if (array.extents() != extents ||
        (type != ElementType::float32 && type != ElementType::float64)) {
      throw Error(ErrorKind::io,
                  fmt::format("{} is damaged: array {} has a wrong shape or type", path_, name));
    }
    precisions_[name] = type == ElementType::float32 ? Precision::single_ : Precision::double_;
  }
}

bool CheckpointReader::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

Precision CheckpointReader::stored_precision(const std::string& name) const {
  if (!has(name)) throw Error(ErrorKind::io, fmt::format("{} holds no array {}", path_, name));
  return precisions_.at(name);
}

// Reads pieces of about 16 MiB, so that verifying needs no memory for an array; values may be null.
// The box's part of the array's checksum.
std::uint32_t CheckpointReader::stream(const std::string& name, const Box& box, Precision precision,
                                       void* values) const {
  const Precision stored = precisions_.at(name);
  const std::size_t bytes = size_of(stored);
  const Hdf5Dataset array = file_.root().open_group("arrays").open_dataset(name);
  std::vector<unsigned char> buffer;
  std::size_t done = 0;
  std::uint32_t part = 0;
  for (const Box& piece : pieces_of(box, bytes, 16u << 20)) {
    const auto count = static_cast<std::size_t>(piece.count());
    buffer.resize(count * bytes);
    array.read_box(extents_of(piece.lower),
                   extents_of({piece.size(0), piece.size(1), piece.size(2)}), buffer.data(),
                   element_type(stored));
    part ^= crc32_part(buffer.data(), n_, piece, bytes);
    if (values != nullptr) {
      const bool from_float = stored == Precision::single_;
      if (precision == Precision::single_) {
        from_float ? copy_numbers<float, float>(buffer.data(), count, values, done)
                   : copy_numbers<double, float>(buffer.data(), count, values, done);
      } else {
        from_float ? copy_numbers<float, double>(buffer.data(), count, values, done)
                   : copy_numbers<double, double>(buffer.data(), count, values, done);
      }
    }
    done += count;
  }
  return part;
}

// Parts of the checksums of these arrays, from this rank.
void CheckpointReader::check_parts(const std::vector<std::string>& names,
                                   std::vector<std::uint32_t> parts,
                                   comm::Communicator* team) const {
  if (team != nullptr) team->all_reduce_xor(std::span<std::uint32_t>(parts));
  const auto cells = static_cast<std::uint64_t>(n_[0] * n_[1] * n_[2]);
  agree(team, [&] {
    for (std::size_t a = 0; a < names.size(); ++a) {
      const std::uint32_t crc = crc32_of_parts(parts[a], cells * size_of(precisions_.at(names[a])));
      if (static_cast<std::int64_t>(crc) ==
          file_.root().open_group("arrays").open_dataset(names[a]).integer("crc32")) {
        continue;
      }
      throw Error(ErrorKind::io, fmt::format("{} is damaged: array {} does not match its checksum",
                                             path_, names[a]));
    }
  });
}

void CheckpointReader::read(const std::string& name, Precision precision, void* values) {
  read(name, precision, values, whole_share(n_));
}

void CheckpointReader::read(const std::string& name, Precision precision, void* values,
                            const Share& share) {
  std::uint32_t part = 0;
  agree(share.team, [&] {
    require(values != nullptr || share.mine.empty(), "reading an array needs a buffer");
    require(share.n == n_, "the ranks share the checkpoint's cells");
    if (!has(name)) {
      std::string held;
      for (const std::string& other : names_) held += (held.empty() ? "" : ", ") + other;
      throw Error(ErrorKind::io,
                  fmt::format("{} holds no array {}; it holds: {}", path_, name, held));
    }
    part = stream(name, share.mine, precision, values);
  });
  check_parts({name}, {part}, share.team);
}

std::vector<double> CheckpointReader::read_box(const std::string& name, const Box& box) const {
  require(has(name), "read_box: an array of the checkpoint");
  std::vector<double> values(static_cast<std::size_t>(box.count()));
  stream(name, box, Precision::double_, values.data());
  return values;
}

void CheckpointReader::verify(comm::Communicator* team) {
  const Box mine = team == nullptr ? Box{{0, 0, 0}, n_} : part_of(n_, team->rank(), team->size());
  std::vector<std::uint32_t> parts;
  agree(team, [&] {
    for (const std::string& name : names_) {
      parts.push_back(stream(name, mine, Precision::double_, nullptr));
    }
  });
  check_parts(names_, parts, team);
}

namespace {
template <typename T>
const T& entry(const std::map<std::string, T>& entries, const std::string& name,
               const std::string& path) {
  const auto found = entries.find(name);
  if (found == entries.end()) {
    throw Error(ErrorKind::io, fmt::format("{} holds no entry {}", path, name));
  }
  return found->second;
}
}  // namespace

double CheckpointReader::real(const std::string& name) const { return entry(reals_, name, path_); }
std::int64_t CheckpointReader::integer(const std::string& name) const {
  return entry(integers_, name, path_);
}
const std::string& CheckpointReader::text(const std::string& name) const {
  return entry(texts_, name, path_);
}

std::string newest_good_checkpoint(const std::string& directory, std::vector<std::string>* skipped,
                                   comm::Communicator* team) {
  std::vector<std::string> paths;
  std::uint64_t count = 0;
  on_first(team, [&] {
    paths = list_checkpoints(directory);
    std::reverse(paths.begin(), paths.end());
    count = paths.size();
  });
  if (team != nullptr) team->broadcast(&count, sizeof count, 0);
  paths.resize(count);
  for (std::string& path : paths) {
    if (team != nullptr) path = comm::broadcast_text(*team, path);
    try {
      CheckpointReader(path, team).verify(team);
      return path;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::communication) throw;
      if (skipped != nullptr) skipped->push_back(error.what());
    }
  }
  return "";
}

void prune_checkpoints(const std::string& directory, int keep, std::int64_t confirmed,
                       comm::Communicator* team) {
  require(keep >= 1, "at least one checkpoint is kept");
  on_first(team, [&] {
    std::vector<std::int64_t> steps = checkpoint_steps(directory);
    std::reverse(steps.begin(), steps.end());
    int kept = 0;
    bool has_confirmed = false;
    for (const std::int64_t step : steps) {
      const std::string path = checkpoint_path(directory, step);
      try {
        const CheckpointReader reader(path);
      } catch (const Error&) {
        continue;
      }
      const bool is_confirmed = !has_confirmed && step <= confirmed;
      has_confirmed = has_confirmed || is_confirmed;
      if (++kept > keep && !is_confirmed && ::unlink(path.c_str()) != 0) {
        system_fault("remove", path, errno);
      }
    }
  });
}

}  // namespace watersmeet::io
