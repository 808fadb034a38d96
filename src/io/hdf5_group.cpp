// Groups of the HDF5 layer: what they hold is made, found and listed.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "io/hdf5_call.hpp"
#include "io/hdf5_file.hpp"

namespace watersmeet::io {
namespace {

// No value is read from a file that was not given: a link to another file is not followed.
Property within_file(hid_t kind) {
  Property access(H5Pcreate(kind));
  const H5L_elink_traverse_t refuse = [](const char*, const char*, const char*, const char*,
                                         unsigned*, hid_t, void*) -> herr_t { return -1; };
  H5Pset_elink_cb(access.id(), refuse, nullptr);
  return access;
}

bool is_link_outside(hid_t group, const std::string& name) {
  H5L_info_t info;
  return H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) >= 0 &&
         info.type == H5L_TYPE_EXTERNAL;
}

// As many of the last axes as have at most 1 MiB, which is what the library keeps of an array at once.
std::vector<hsize_t> chunk_of(const Extents& extents, std::size_t element_bytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  std::vector<hsize_t> chunk(extents.size(), 1);
  std::uint64_t bytes = element_bytes;
  for (std::size_t a = extents.size(); a-- > 0;) {
    chunk[a] = std::clamp<std::uint64_t>(most / bytes, 1, extents[a]);
    bytes *= chunk[a];
    if (chunk[a] < extents[a]) break;
  }
  return chunk;
}

}  // namespace

Hdf5Group Hdf5Group::create_group(const std::string& name) {
  Hdf5Call call(file_);
  const Property creation = creation_properties(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return child_of<Hdf5Group>(
      H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), "create group ",
      name);
}

Hdf5Group Hdf5Group::open_group(const std::string& name) const {
  Hdf5Call call(file_);
  if (is_link_outside(id(), name)) refuse_outside(name);
  return child_of<Hdf5Group>(H5Gopen2(id(), name.c_str(), within_file(H5P_GROUP_ACCESS).id()),
                             "find group ", name);
}

Hdf5Dataset Hdf5Group::create_dataset(const std::string& name, ElementType type,
                                      const Extents& extents, int deflate) {
  Hdf5Call call(file_);
  const Space space = space_of(extents);
  const Property creation = creation_properties(H5P_DATASET_CREATE);
  H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);
  if (deflate > 0) {
    const std::vector<hsize_t> chunk = chunk_of(extents, size_of(type));
    if (H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()) < 0 ||
        H5Pset_shuffle(creation.id()) < 0 ||
        H5Pset_deflate(creation.id(), static_cast<unsigned>(deflate)) < 0)
      fail("compress " + child(name));
  } else {
    H5Pset_layout(creation.id(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);
  }
  return child_of<Hdf5Dataset>(H5Dcreate2(id(), name.c_str(), native_type(type), space.id(),
                                          H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                               "create dataset ", name);
}

Hdf5Dataset Hdf5Group::create_number_scale(const std::string& name, std::uint64_t count,
                                           const std::string& long_name) {
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Hdf5Dataset dataset = create_dataset(name, numbers);
  dataset.make_scale(name);
  dataset.set("long_name", long_name);
  return dataset;
}

void Hdf5Group::create_text(const std::string& name, const std::string& text) {
  Hdf5Call call(file_);
  require(text.find('\0') == std::string::npos, "texts in files hold no NUL");
  const Type type = text_type(text);
  const Space space = space_of({});
  const Property creation = creation_properties(H5P_DATASET_CREATE);
  const Object dataset(H5Dcreate2(id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                  creation.id(), H5P_DEFAULT));
  if (!dataset.good() ||
      H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0) {
    fail("write text " + child(name));
  }
}

Hdf5Dataset Hdf5Group::create_virtual(const std::string& name, ElementType type,
                                      const Extents& extents, const std::vector<Source>& sources) {
  Hdf5Call call(file_);
  require(!extents.empty() && extents[0] == sources.size(), "one source per row is needed");
  const Space whole = space_of(extents);
  const Space one = space_of(Extents(extents.begin() + 1, extents.end()));
  const Property creation = creation_properties(H5P_DATASET_CREATE);
  H5Pset_layout(creation.id(), H5D_VIRTUAL);
  std::vector<hsize_t> start(extents.size(), 0);
  std::vector<hsize_t> size(extents.begin(), extents.end());
  size[0] = 1;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    start[0] = s;
    if (H5Sselect_hyperslab(whole.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(),
                            nullptr) < 0 ||
        H5Pset_virtual(creation.id(), whole.id(), sources[s].file.c_str(),
                       sources[s].dataset.c_str(), one.id()) < 0) {
      fail("describe virtual dataset " + child(name));
    }
  }
  const Space space = space_of(extents);
  return child_of<Hdf5Dataset>(H5Dcreate2(id(), name.c_str(), native_type(type), space.id(),
                                          H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                               "create virtual dataset ", name);
}

Hdf5Dataset Hdf5Group::open_dataset(const std::string& name) const {
  Hdf5Call call(file_);
  if (is_link_outside(id(), name)) refuse_outside(name);
  Hdf5Dataset dataset = child_of<Hdf5Dataset>(
      H5Dopen2(id(), name.c_str(), within_file(H5P_DATASET_ACCESS).id()), "find dataset ", name);
  const Property creation(H5Dget_create_plist(dataset.id()));
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.id()) > 0) refuse_outside(name);
  dataset.require_stored(layout == H5D_CHUNKED);
  return dataset;
}

bool Hdf5Group::exists(const std::string& name) const {
  Hdf5Call call(file_);
  return H5Lexists(id(), name.c_str(), within_file(H5P_LINK_ACCESS).id()) > 0;
}

std::vector<std::string> Hdf5Group::names() const {
  Hdf5Call call(file_);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names) < 0) {
    names.clear();
    if (H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
      fail("list " + path_);
    }
  }
  return names;
}

void Hdf5Group::link(const std::string& existing, const std::string& name) {
  Hdf5Call call(file_);
  if (H5Lcreate_hard(id(), existing.c_str(), id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0) {
    fail(fmt::format("link {} to {}", child(name), existing));
  }
}

}  // namespace watersmeet::io
