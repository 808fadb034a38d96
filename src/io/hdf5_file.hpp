#pragma once
// The HDF5 C API behind values that close themselves: file, group, dataset, attribute, dimension
// scale. Files are written as NAME.part and get their name in finish(); a file that is not finished
// vanishes. Every failing call becomes Error{io} naming the file, what was tried and HDF5's (or the
// system's) own reason. Format choices, for the readers named in docs/reference/files.md: library
// bounds EARLIEST..V110, fixed-length strings, contiguous layout allocated early and never filled,
// creation order tracked and indexed in groups.
//
// The library is not thread-safe in every build and keeps global state, so each call here takes one
// process-wide lock.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::io {

using Extents = std::vector<std::uint64_t>;
// The extents of an array of cells: nz, ny, nx[, components].
Extents extents_of(const Index3& n, int components = 1);

enum class ElementType { int64, uint64, float32, float64, text };
ElementType element_type(Precision p);
std::size_t size_of(ElementType t);

// Bytes that an array of this many takes in a file: large ones start at multiples of 1 MiB.
std::uint64_t room_for(std::uint64_t array_bytes);

// Throws Error{io} unless the file can be read and begins as an HDF5 file does.
void require_hdf5(const std::string& path);

// Whether the library that this was built with writes files through MPI.
bool hdf5_is_parallel();
// Whether it has the filters shuffle and deflate.
bool hdf5_can_deflate();

// Converts floating-point numbers in place, exactly as writing them to a dataset of the other type
// would. There must be room for `count` numbers of the larger type.
void convert(void* values, std::size_t count, ElementType from, ElementType to);

// Owns one HDF5 identifier of a group or dataset.
class Hdf5Handle {
 public:
  explicit Hdf5Handle(std::int64_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle();
  std::int64_t id() const { return id_; }

 private:
  std::int64_t id_;
};

// A group or a dataset, as the owner of attributes.
class Hdf5Node {
 public:
  void set(const std::string& name, const std::string& text);
  void set(const std::string& name, const char* text) { set(name, std::string(text)); }
  void set(const std::string& name, double value) { set_number(name, value); }
  void set(const std::string& name, std::int64_t value) { set_number(name, value); }
  void set(const std::string& name, int value) { set_number(name, std::int64_t{value}); }
  void set(const std::string& name, std::uint64_t value) { set_number(name, value); }
  void set(const std::string& name, const std::vector<double>& values) { set_list(name, values); }
  void set(const std::string& name, const std::vector<std::int64_t>& values) {
    set_list(name, values);
  }

  bool has(const std::string& name) const;
  std::string text(const std::string& name) const;
  double real(const std::string& name) const { return number<double>(name); }
  std::int64_t integer(const std::string& name) const { return number<std::int64_t>(name); }
  std::uint64_t unsigned_integer(const std::string& name) const {
    return number<std::uint64_t>(name);
  }
  std::vector<double> reals(const std::string& name) const { return list<double>(name); }
  std::vector<std::int64_t> integers(const std::string& name) const {
    return list<std::int64_t>(name);
  }
  std::vector<std::string> attribute_names() const;

 protected:
  Hdf5Node(std::int64_t id, std::string file, std::string path)
      : handle_(id), file_(std::move(file)), path_(std::move(path)) {}
  std::int64_t id() const { return handle_.id(); }
  std::uint64_t file_bytes() const;
  [[noreturn]] void refuse_outside(const std::string& name) const;
  template <class T>
  static constexpr ElementType type_of = std::is_same_v<T, double>         ? ElementType::float64
                                         : std::is_same_v<T, std::int64_t> ? ElementType::int64
                                                                           : ElementType::uint64;
  std::string child(const std::string& name) const;
  [[noreturn]] void fail(const std::string& what) const;

  Hdf5Handle handle_;
  std::string file_;  // name shown in messages
  std::string path_;  // "/VTKHDF/CellData/rho"

 private:
  // count < 0: a scalar. The first two by HDF5's identifier of the type.
  void write_attribute(const std::string& name, std::int64_t type, const void* values,
                       std::int64_t count);
  void read_attribute(const std::string& name, std::int64_t type, void* values,
                      std::size_t count) const;
  void set_attribute(const std::string& name, ElementType type, const void* values,
                     std::int64_t count);
  void get_attribute(const std::string& name, ElementType type, void* values,
                     std::size_t count) const;
  std::size_t attribute_count(const std::string& name) const;
  template <class T>
  void set_number(const std::string& name, const T& value) {
    set_attribute(name, type_of<T>, &value, -1);
  }
  template <class T>
  void set_list(const std::string& name, const std::vector<T>& values) {
    set_attribute(name, type_of<T>, values.data(), static_cast<std::int64_t>(values.size()));
  }
  template <class T>
  T number(const std::string& name) const {
    T value{};
    get_attribute(name, type_of<T>, &value, 1);
    return value;
  }
  template <class T>
  std::vector<T> list(const std::string& name) const {
    std::vector<T> values(attribute_count(name));
    get_attribute(name, type_of<T>, values.data(), values.size());
    return values;
  }
};

class Hdf5Dataset : public Hdf5Node {
 public:
  Extents extents() const;  // empty for a scalar
  ElementType type() const;
  std::uint64_t offset() const;  // of the first byte in the file
  // Whole array; the library converts when the memory type differs from the stored one.
  void write(const void* values, ElementType memory);
  void read(void* values, ElementType memory) const;
  double read_number() const;  // of one value; Error{io} for any other shape
  // Rows first .. first + count - 1 of the leading axis.
  void read_rows(std::uint64_t first, std::uint64_t count, void* values, ElementType memory) const;
  // A box: count[a] elements from start[a] on along each axis, contiguous in memory. On a file that
  // ranks opened together every rank writes when and what it likes.
  void write_box(const Extents& start, const Extents& count, const void* values,
                 ElementType memory);
  void read_box(const Extents& start, const Extents& count, void* values, ElementType memory) const;
  std::string read_text() const;
  void make_scale(const std::string& name);
  void attach_scale(int axis, const Hdf5Dataset& scale);
  // Attaches scales to the first axes, in their order.
  void attach_scales(std::initializer_list<const Hdf5Dataset*> scales);
  // Where in the file the first dimension scale of an axis stands; empty where it has none.
  std::string scale_of(int axis) const;

 private:
  friend class Hdf5Group;
  using Hdf5Node::Hdf5Node;
  void require_box(const Extents& start, const Extents& count) const;
  void require_stored(bool may_be_compressed) const;
};

class Hdf5Group : public Hdf5Node {
 public:
  Hdf5Group create_group(const std::string& name);
  Hdf5Group open_group(const std::string& name) const;
  // `deflate`: level of shuffle and deflate, in chunks that follow each other; 0: contiguous.
  Hdf5Dataset create_dataset(const std::string& name, ElementType type, const Extents& extents,
                             int deflate = 0);
  template <class T>
  Hdf5Dataset create_dataset(const std::string& name, const std::vector<T>& values) {
    Hdf5Dataset dataset = create_dataset(name, type_of<T>, {values.size()});
    if (!values.empty()) dataset.write(values.data(), type_of<T>);
    return dataset;
  }
  // A dimension scale 0, 1, ... count - 1.
  Hdf5Dataset create_number_scale(const std::string& name, std::uint64_t count,
                                  const std::string& long_name);
  void create_text(const std::string& name, const std::string& text);
  // Dataset without values of its own: entry s of the leading axis is the dataset
  // `sources[s].dataset` of the file `sources[s].file` (relative to this file's directory), of the
  // shape extents[1..].
  struct Source {
    std::string file;
    std::string dataset;
  };
  Hdf5Dataset create_virtual(const std::string& name, ElementType type, const Extents& extents,
                             const std::vector<Source>& sources);
  // Error{io} where its values are in another file, or the file cannot hold as many as it says.
  Hdf5Dataset open_dataset(const std::string& name) const;
  bool exists(const std::string& name) const;
  std::vector<std::string> names() const;  // of the links, in order of creation where tracked
  // A second name for the same object (hard link); existing is an absolute path in the file.
  void link(const std::string& existing, const std::string& name);

 private:
  // The child of this identifier; where the library gave none, what failed is to `what` it.
  template <class Made>
  Made child_of(std::int64_t id, const char* what, const std::string& name) const {
    if (id < 0) fail(what + child(name));
    return Made(id, file_, child(name));
  }
  friend class Hdf5File;
  using Hdf5Node::Hdf5Node;
};

struct WrittenFile;  // hdf5_driver.hpp

class Hdf5File {
 public:
  // New file, written under part_name(path). Room for payload_bytes (the sum of room_for() of its
  // arrays) is reserved on the disk first, where the file system can, so that a full disk is
  // noticed before anything is written.
  static Hdf5File create(const std::string& path, std::uint64_t payload_bytes = 0);
  // Existing file, read-only.
  static Hdf5File open(const std::string& path);
  // PATH.part, which one rank made and closed, for writing the values of its arrays by all ranks of
  // an MPI communicator (the MPI_Comm pointed at). This and close() are collective, and so is the
  // destructor. Error{unsupported} where hdf5_is_parallel() is false.
  static Hdf5File open_together(const std::string& path, const void* mpi_communicator);

  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&&) = delete;
  ~Hdf5File();

  Hdf5Group& root() { return root_; }
  const Hdf5Group& root() const { return root_; }
  // Closes a created file, flushes it to the disk and renames it. All groups and datasets of it are invalid
  // afterwards. `last` may add to the closed file, whose path under the name .part it is given.
  void finish(const std::function<void(const std::string& part)>& last = nullptr);
  // First half of finish(): closes, leaving PATH.part to be finished by finish_part()
  // (atomic_file.hpp); nothing is left on failure.
  void close();

 private:
  Hdf5File(std::int64_t id, std::int64_t root, std::string path);
  void abandon() noexcept;

  std::int64_t id_;
  std::string path_;
  std::unique_ptr<WrittenFile> written_;  // null unless created
  Hdf5Group root_;
};

}  // namespace watersmeet::io
