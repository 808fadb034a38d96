// Writing, verifying and choosing checkpoints; see the header.
#include "run/checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "run/checksum.hpp"
#include "run/run_directory.hpp"
#include "run/seal.hpp"

namespace watersmeet::run {
namespace {

constexpr const char* format_name = "watersmeet checkpoint";
constexpr std::int64_t format_version = 1;

template <typename T>
void check_finite(const CheckpointArray& array, const Index3& n) {
  const auto* values = static_cast<const T*>(array.values);
  const std::int64_t count = n[0] * n[1] * n[2];
  for (std::int64_t index = 0; index < count; ++index) {
    if (std::isfinite(values[index])) continue;
    throw Error(
        ErrorKind::diverged,
        fmt::format("checkpoint not written: {} is {} at (i, j, k) = ({}, {}, {})", array.name,
                    values[index], index % n[0], index / n[0] % n[1], index / (n[0] * n[1])));
  }
}

void check(const Checkpoint& checkpoint) {
  for (const std::int64_t n : checkpoint.n) require(n > 0, "a checkpoint needs one cell per axis");
  for (std::size_t a = 0; a < checkpoint.arrays.size(); ++a) {
    const CheckpointArray& array = checkpoint.arrays[a];
    require(!array.name.empty() && array.name.find('/') == std::string::npos,
            "an array's name must not be empty or hold a slash");
    for (std::size_t b = 0; b < a; ++b) {
      require(checkpoint.arrays[b].name != array.name, "two arrays of one name");
    }
    if (array.precision == Precision::single_) {
      check_finite<float>(array, checkpoint.n);
    } else {
      check_finite<double>(array, checkpoint.n);
    }
  }
  for (const auto& [name, value] : checkpoint.reals) {
    if (!std::isfinite(value)) {
      throw Error(ErrorKind::diverged,
                  fmt::format("checkpoint not written: {} is {}", name, value));
    }
  }
}

// Checksum of everything that is not an array's value: bits of the reals, integers, texts, sizes
// and array names.
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

Hdf5File open_sealed(const std::string& path) {
  require_hdf5(path);
  check_seal(path);
  return Hdf5File::open(path);
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint,
                      const Provenance& provenance) {
  check(checkpoint);
  const auto count =
      static_cast<std::uint64_t>(checkpoint.n[0] * checkpoint.n[1] * checkpoint.n[2]);
  std::uint64_t bytes = 0;
  std::vector<std::string> names;
  for (const CheckpointArray& array : checkpoint.arrays) {
    bytes += room_for(count * size_of(array.precision));
    names.push_back(array.name);
  }
  std::sort(names.begin(), names.end());
  Hdf5File file = Hdf5File::create(path, bytes);
  Hdf5Group& root = file.root();
  root.set("format", format_name);
  root.set("format_version", format_version);
  root.set("n", std::vector<std::int64_t>(checkpoint.n.begin(), checkpoint.n.end()));
  root.set("state_crc32",
           static_cast<std::int64_t>(state_checksum(checkpoint.n, names, checkpoint.reals,
                                                    checkpoint.integers, checkpoint.texts)));
  std::vector<ByteRange> array_bytes;
  {
    Hdf5Group reals = root.create_group("reals");
    for (const auto& [name, value] : checkpoint.reals) reals.set(name, value);
    Hdf5Group integers = root.create_group("integers");
    for (const auto& [name, value] : checkpoint.integers) integers.set(name, value);
    Hdf5Group texts = root.create_group("texts");
    for (const auto& [name, text] : checkpoint.texts) texts.create_text(name, text);
    Hdf5Group arrays = root.create_group("arrays");
    const Extents extents{static_cast<std::uint64_t>(checkpoint.n[2]),
                          static_cast<std::uint64_t>(checkpoint.n[1]),
                          static_cast<std::uint64_t>(checkpoint.n[0])};
    for (const CheckpointArray& array : checkpoint.arrays) {
      const ElementType type = element_type(array.precision);
      Hdf5Dataset dataset = arrays.create_dataset(array.name, type, extents);
      dataset.write(array.values, type);
      array_bytes.push_back({dataset.offset(), count * size_of(type)});
      dataset.set("crc32", static_cast<std::int64_t>(crc32(array.values, count * size_of(type))));
    }
    write_provenance(file, provenance);
  }
  std::sort(array_bytes.begin(), array_bytes.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
  file.finish([&array_bytes](const std::string& part) { seal_file(part, array_bytes); });
}

CheckpointReader::CheckpointReader(const std::string& path)
    : path_(path), file_(open_sealed(path)) {
  const Hdf5Group& root = file_.root();
  if (!root.has("format") || root.text("format") != format_name) {
    throw Error(ErrorKind::io, fmt::format("{} is not a checkpoint of watersmeet", path));
  }
  if (const auto version = root.integer("format_version"); version != format_version) {
    throw Error(ErrorKind::io, fmt::format("{} has checkpoint version {}; this program reads {}",
                                           path, version, format_version));
  }
  const auto n = root.integers("n");
  if (n.size() != 3) throw Error(ErrorKind::io, fmt::format("{}: n must hold three sizes", path));
  std::copy(n.begin(), n.end(), n_.begin());
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
                fmt::format("{} is damaged: its scalars do not match their checksum", path));
  }
  const Extents extents{static_cast<std::uint64_t>(n_[2]), static_cast<std::uint64_t>(n_[1]),
                        static_cast<std::uint64_t>(n_[0])};
  for (const std::string& name : names_) {
    const Hdf5Dataset array = arrays.open_dataset(name);
    const ElementType type = array.type();
    if (array.extents() != extents ||
        (type != ElementType::float32 && type != ElementType::float64)) {
      throw Error(ErrorKind::io,
                  fmt::format("{} is damaged: array {} has a wrong shape or type", path, name));
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

// Reads whole planes, about 16 MiB at a time, so that verifying needs no memory for an array;
// values may be null.
void CheckpointReader::stream(const std::string& name, Precision precision, void* values) {
  if (!has(name)) {
    std::string held;
    for (const std::string& other : names_) held += (held.empty() ? "" : ", ") + other;
    throw Error(ErrorKind::io,
                fmt::format("{} holds no array {}; it holds: {}", path_, name, held));
  }
  const Hdf5Dataset array = file_.root().open_group("arrays").open_dataset(name);
  const ElementType stored = array.type();
  const auto plane = static_cast<std::size_t>(n_[0] * n_[1]);
  const auto planes = static_cast<std::size_t>(n_[2]);
  const std::size_t at_once =
      std::clamp<std::size_t>((16u << 20) / (plane * size_of(stored)), 1, planes);
  std::vector<unsigned char> piece(at_once * plane * size_of(stored));
  std::uint32_t crc = 0;
  for (std::size_t first = 0; first < planes; first += at_once) {
    const std::size_t rows = std::min(at_once, planes - first);
    array.read_rows(first, rows, piece.data(), stored);
    crc = crc32(piece.data(), rows * plane * size_of(stored), crc);
    if (values == nullptr) continue;
    const std::size_t count = rows * plane;
    const std::size_t start = first * plane;
    const auto* as_float = reinterpret_cast<const float*>(piece.data());
    const auto* as_double = reinterpret_cast<const double*>(piece.data());
    if (precision == Precision::single_) {
      float* out = static_cast<float*>(values) + start;
      if (stored == ElementType::float32) {
        std::memcpy(out, as_float, count * sizeof(float));
      } else {
        std::transform(as_double, as_double + count, out,
                       [](double v) { return static_cast<float>(v); });
      }
    } else {
      double* out = static_cast<double*>(values) + start;
      if (stored == ElementType::float64) {
        std::memcpy(out, as_double, count * sizeof(double));
      } else {
        std::copy(as_float, as_float + count, out);
      }
    }
  }
  if (static_cast<std::int64_t>(crc) != array.integer("crc32")) {
    throw Error(ErrorKind::io,
                fmt::format("{} is damaged: array {} does not match its checksum", path_, name));
  }
}

void CheckpointReader::read(const std::string& name, Precision precision, void* values) {
  require(values != nullptr, "reading an array needs a buffer");
  stream(name, precision, values);
}

void CheckpointReader::verify() {
  for (const std::string& name : names_) stream(name, Precision::double_, nullptr);
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

std::string newest_good_checkpoint(const std::string& directory,
                                   std::vector<std::string>* skipped) {
  std::vector<std::string> paths = list_checkpoints(directory);
  std::reverse(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    try {
      CheckpointReader(path).verify();
      return path;
    } catch (const Error& error) {
      if (skipped != nullptr) skipped->push_back(error.what());
    }
  }
  return "";
}

void prune_checkpoints(const std::string& directory, int keep) {
  require(keep >= 1, "at least one checkpoint is kept");
  std::vector<std::string> paths = list_checkpoints(directory);
  std::reverse(paths.begin(), paths.end());
  int kept = 0;
  for (const std::string& path : paths) {
    try {
      const CheckpointReader reader(path);
    } catch (const Error&) {
      continue;
    }
    if (++kept > keep && ::unlink(path.c_str()) != 0) {
      throw Error(ErrorKind::io, fmt::format("cannot remove {}: {}", path, std::strerror(errno)));
    }
  }
}

}  // namespace watersmeet::run
