// Types and attributes of the HDF5 layer.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/hdf5_call.hpp"
#include "io/hdf5_file.hpp"

namespace watersmeet::io {

hid_t native_type(ElementType t) {
  switch (t) {
    case ElementType::int64:
      return H5T_NATIVE_INT64;
    case ElementType::uint64:
      return H5T_NATIVE_UINT64;
    case ElementType::float32:
      return H5T_NATIVE_FLOAT;
    case ElementType::float64:
      return H5T_NATIVE_DOUBLE;
    case ElementType::text:
      break;
  }
  throw Error(ErrorKind::internal, "a text has no native HDF5 type");
}

// Fixed length, padded with NUL; ASCII unless the text needs UTF-8 (VTK needs ASCII for its own
// attributes).
Type text_type(const std::string& text) {
  Type type(H5Tcopy(H5T_C_S1));
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
  H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  return type;
}

Space space_of(const Extents& extents) {
  if (extents.empty()) return Space(H5Screate(H5S_SCALAR));
  const std::vector<hsize_t> size(extents.begin(), extents.end());
  return Space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
}

std::string without_padding(std::string text) {
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void Hdf5Node::write_attribute(const std::string& name, std::int64_t type, const void* values,
                               std::int64_t count) {
  const Space space = count < 0 ? space_of({}) : space_of({static_cast<std::uint64_t>(count)});
  const Attribute attribute(
      H5Acreate2(id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.good() || H5Awrite(attribute.id(), type, values) < 0) {
    fail(fmt::format("write attribute {} of {}", name, path_));
  }
}

void Hdf5Node::set(const std::string& name, const std::string& text) {
  Hdf5Call call(file_);
  write_attribute(name, text_type(text).id(), text.c_str(), -1);
}

void Hdf5Node::set_attribute(const std::string& name, ElementType type, const void* values,
                             std::int64_t count) {
  Hdf5Call call(file_);
  write_attribute(name, native_type(type), values, count);
}

bool Hdf5Node::has(const std::string& name) const {
  Hdf5Call call(file_);
  return H5Aexists(id(), name.c_str()) > 0;
}

std::size_t Hdf5Node::attribute_count(const std::string& name) const {
  Hdf5Call call(file_);
  const Attribute attribute(H5Aopen(id(), name.c_str(), H5P_DEFAULT));
  if (!attribute.good()) fail(fmt::format("find attribute {} of {}", name, path_));
  const Space space(H5Aget_space(attribute.id()));
  const auto count = H5Sget_simple_extent_npoints(space.id());
  const Type type(H5Aget_type(attribute.id()));
  const double bytes = static_cast<double>(count) * static_cast<double>(H5Tget_size(type.id()));
  if (count < 0) fail(fmt::format("read attribute {} of {}", name, path_));
  if (bytes > static_cast<double>(file_bytes())) {
    throw Error(ErrorKind::io,
                fmt::format("{} is damaged: attribute {} of {} claims to hold {:.0f} bytes", file_,
                            name, path_, bytes));
  }
  return static_cast<std::size_t>(count);
}

void Hdf5Node::read_attribute(const std::string& name, std::int64_t type, void* values,
                              std::size_t count) const {
  if (attribute_count(name) != count) {
    throw Error(ErrorKind::io, fmt::format("{}: attribute {} of {} holds {} values instead of {}",
                                           file_, name, path_, attribute_count(name), count));
  }
  const Attribute attribute(H5Aopen(id(), name.c_str(), H5P_DEFAULT));
  if (H5Aread(attribute.id(), type, values) < 0) {
    fail(fmt::format("read attribute {} of {}", name, path_));
  }
}

void Hdf5Node::get_attribute(const std::string& name, ElementType type, void* values,
                             std::size_t count) const {
  Hdf5Call call(file_);
  read_attribute(name, native_type(type), values, count);
}

std::string Hdf5Node::text(const std::string& name) const {
  Hdf5Call call(file_);
  const Attribute attribute(H5Aopen(id(), name.c_str(), H5P_DEFAULT));
  if (!attribute.good()) fail(fmt::format("find attribute {} of {}", name, path_));
  const Type type(H5Aget_type(attribute.id()));
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0) {
    throw Error(ErrorKind::io, fmt::format("{}: attribute {} of {} is not a fixed-length text",
                                           file_, name, path_));
  }
  if (attribute_count(name) != 1)
    fail(fmt::format("read attribute {} of {} as one text", name, path_));
  std::string text(H5Tget_size(type.id()), '\0');
  read_attribute(name, type.id(), text.data(), 1);
  return without_padding(text);
}

std::vector<std::string> Hdf5Node::attribute_names() const {
  Hdf5Call call(file_);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate2(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
    fail("list the attributes of " + path_);
  }
  return names;
}

}  // namespace watersmeet::io
