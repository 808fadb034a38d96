// Datasets and dimension scales of the HDF5 layer; groups are in hdf5_group.cpp, files and errors in hdf5_file.cpp, types and attributes in
// hdf5_attribute.cpp.
#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/hdf5_call.hpp"
#include "io/hdf5_file.hpp"

namespace watersmeet::io {
namespace {

const std::string no_file = "a file";

// A box of the dataset's elements, and the same shape in memory.
struct Selection {
  Selection(hid_t dataset, const Extents& first, const Extents& size)
      : stored(H5Dget_space(dataset)), memory(space_of(size)) {
    const std::vector<hsize_t> start(first.begin(), first.end());
    const std::vector<hsize_t> count(size.begin(), size.end());
    good = H5Sselect_hyperslab(stored.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                               nullptr) >= 0;
  }
  Space stored, memory;
  bool good = false;
};

}  // namespace

bool hdf5_can_deflate() {
  Hdf5Call call(no_file);
  return H5Zfilter_avail(H5Z_FILTER_SHUFFLE) > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
}

Extents extents_of(const Index3& n, int components) {
  Extents extents;
  for (const std::size_t axis : {2u, 1u, 0u}) {
    extents.push_back(static_cast<std::uint64_t>(n[axis]));
  }
  if (components > 1) extents.push_back(static_cast<std::uint64_t>(components));
  return extents;
}

void convert(void* values, std::size_t count, ElementType from, ElementType to) {
  if (from == to || count == 0) return;
  Hdf5Call call(no_file);
  if (H5Tconvert(native_type(from), native_type(to), count, values, nullptr, H5P_DEFAULT) < 0) {
    throw Error(ErrorKind::internal, "cannot convert numbers: " + hdf5_reason());
  }
}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this != &other) {
    Hdf5Handle old(std::exchange(id_, std::exchange(other.id_, -1)));
  }
  return *this;
}

Hdf5Handle::~Hdf5Handle() {
  if (id_ < 0) return;
  Hdf5Call call(no_file);
  // Closing the file has closed its objects already; identifiers are not used twice, so this is
  // harmless then.
  if (H5Iis_valid(id_) > 0) H5Oclose(id_);
}

std::string Hdf5Node::child(const std::string& name) const {
  if (name.starts_with('/')) return name;
  return path_ == "/" ? "/" + name : path_ + "/" + name;
}

void Hdf5Node::fail(const std::string& what) const {
  const std::string reason = hdf5_reason();
  throw Error(ErrorKind::io, fmt::format("{}: cannot {}: {}", file_, what, reason));
}

std::uint64_t Hdf5Node::file_bytes() const {
  const Scoped<H5Fclose> file(H5Iget_file_id(id()));
  hsize_t bytes = 0;
  return file.good() && H5Fget_filesize(file.id(), &bytes) >= 0 ? bytes : 0;
}

void Hdf5Node::refuse_outside(const std::string& name) const {
  throw Error(ErrorKind::io,
              fmt::format("{}: the values of {} are in another file. Only values in this file are "
                          "read: copy them into it, for example by h5py",
                          file_, child(name)));
}

// Sizes in a damaged file are any number. No compression that HDF5 brings along makes more than this
// many bytes of one: deflate's limit is 1032.
void Hdf5Dataset::require_stored(bool may_be_compressed) const {
  constexpr double most_expansion = 1100, always_allowed = 1 << 16;
  const Scoped<H5Fclose> file(H5Iget_file_id(id()));
  unsigned intent = 0;
  // Ranks that write a file together open its arrays before there is anything in them.
  if (file.good() && H5Fget_intent(file.id(), &intent) >= 0 && (intent & H5F_ACC_RDWR) != 0) return;
  const Space space(H5Dget_space(id()));
  const Type type(H5Dget_type(id()));
  const double bytes = static_cast<double>(H5Sget_simple_extent_npoints(space.id())) *
                       static_cast<double>(H5Tget_size(type.id()));
  const double stored =
      std::min(static_cast<double>(H5Dget_storage_size(id())), static_cast<double>(file_bytes()));
  if (bytes <= always_allowed + stored * (may_be_compressed ? most_expansion : 1)) return;
  throw Error(ErrorKind::io,
              fmt::format("{}: {} claims to hold {:.0f} bytes, of which the file has {:.0f}; it is "
                          "damaged or was never written",
                          file_, path_, bytes, stored));
}

Extents Hdf5Dataset::extents() const {
  Hdf5Call call(file_);
  const Space space(H5Dget_space(id()));
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0) fail("read the shape of " + path_);
  std::vector<hsize_t> size(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  return Extents(size.begin(), size.end());
}

ElementType Hdf5Dataset::type() const {
  Hdf5Call call(file_);
  const Type type(H5Dget_type(id()));
  const auto kind = H5Tget_class(type.id());
  const auto bytes = H5Tget_size(type.id());
  if (kind == H5T_STRING && H5Tis_variable_str(type.id()) == 0) return ElementType::text;
  if (kind == H5T_INTEGER && bytes == 8) return ElementType::int64;
  if (kind == H5T_FLOAT && bytes == 4) return ElementType::float32;
  if (kind == H5T_FLOAT && bytes == 8) return ElementType::float64;
  throw Error(
      ErrorKind::io,
      fmt::format("{}: {} has an element type that this program does not read", file_, path_));
}

std::uint64_t Hdf5Dataset::offset() const {
  Hdf5Call call(file_);
  const haddr_t address = H5Dget_offset(id());
  if (address == HADDR_UNDEF) fail("find the place of " + path_);
  return address;
}

void Hdf5Dataset::write(const void* values, ElementType memory) {
  Hdf5Call call(file_);
  if (H5Dwrite(id(), native_type(memory), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    fail("write " + path_);
  }
}

void Hdf5Dataset::read(void* values, ElementType memory) const {
  Hdf5Call call(file_);
  if (H5Dread(id(), native_type(memory), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    fail("read " + path_);
  }
}

double Hdf5Dataset::read_number() const {
  Hdf5Call call(file_);
  // A damaged file gives it any shape, and the library writes as many values.
  const auto sizes = extents();
  if (std::any_of(sizes.begin(), sizes.end(), [](std::uint64_t n) { return n != 1; }))
    throw Error(ErrorKind::io, fmt::format("{} is damaged: {} is not one number", file_, path_));
  double number = 0;
  read(&number, ElementType::float64);
  return number;
}

void Hdf5Dataset::read_rows(std::uint64_t first, std::uint64_t count, void* values,
                            ElementType memory) const {
  Hdf5Call call(file_);
  const Extents whole = extents();
  require(!whole.empty() && first + count <= whole[0], "rows outside the dataset");
  Extents start(whole.size(), 0);
  Extents size = whole;
  start[0] = first;
  size[0] = count;
  read_box(start, size, values, memory);
}

void Hdf5Dataset::require_box(const Extents& start, const Extents& count) const {
  require(!start.empty() && start.size() == extents().size() && count.size() == start.size(),
          "a box has as many axes as its dataset");
}

void Hdf5Dataset::read_box(const Extents& start, const Extents& count, void* values,
                           ElementType memory) const {
  Hdf5Call call(file_);
  require_box(start, count);
  const Selection box(id(), start, count);
  if (!box.good || H5Dread(id(), native_type(memory), box.memory.id(), box.stored.id(), H5P_DEFAULT,
                           values) < 0) {
    fail("read " + path_);
  }
}

void Hdf5Dataset::write_box(const Extents& start, const Extents& count, const void* values,
                            ElementType memory) {
  Hdf5Call call(file_);
  require_box(start, count);
  const Selection box(id(), start, count);
  if (!box.good || H5Dwrite(id(), native_type(memory), box.memory.id(), box.stored.id(),
                            H5P_DEFAULT, values) < 0) {
    fail("write " + path_);
  }
}

std::string Hdf5Dataset::read_text() const {
  Hdf5Call call(file_);
  const Type type(H5Dget_type(id()));
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0 ||
      !extents().empty()) {
    throw Error(ErrorKind::io, fmt::format("{}: {} is not a fixed-length text", file_, path_));
  }
  std::string text(H5Tget_size(type.id()), '\0');
  if (H5Dread(id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) {
    fail("read " + path_);
  }
  return without_padding(text);
}

void Hdf5Dataset::make_scale(const std::string& name) {
  Hdf5Call call(file_);
  if (H5DSset_scale(id(), name.c_str()) < 0) fail("make a dimension scale of " + path_);
}

void Hdf5Dataset::attach_scale(int axis, const Hdf5Dataset& scale) {
  Hdf5Call call(file_);
  if (H5DSattach_scale(id(), scale.id(), static_cast<unsigned>(axis)) < 0) {
    fail(fmt::format("attach dimension scale {} to {}", scale.path_, path_));
  }
}

void Hdf5Dataset::attach_scales(std::initializer_list<const Hdf5Dataset*> scales) {
  int axis = 0;
  for (const Hdf5Dataset* const scale : scales) attach_scale(axis++, *scale);
}

std::string Hdf5Dataset::scale_of(int axis) const {
  Hdf5Call call(file_);
  const auto name_it = [](hid_t, unsigned, hid_t scale, void* text) -> herr_t {
    const ssize_t length = H5Iget_name(scale, nullptr, 0);
    if (length <= 0) return -1;
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Iget_name(scale, name.data(), name.size());
    *static_cast<std::string*>(text) = without_padding(name);
    return 1;  // the first is enough
  };
  std::string name;
  if (H5DSiterate_scales(id(), static_cast<unsigned>(axis), nullptr, name_it, &name) < 0) {
    fail("find the coordinates of " + path_);
  }
  return name;
}

}  // namespace watersmeet::io
