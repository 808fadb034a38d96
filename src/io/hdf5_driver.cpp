// The driver of written files; see the header. Source: HDF5 1.10, "HDF5 Virtual File Layer" and
// H5FDpublic.h. Feature flags and types of memory are those of HDF5's own POSIX driver, so that files
// have the same bytes.
#include "io/hdf5_driver.hpp"

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>

#include "core/error.hpp"

namespace watersmeet::io {
namespace {

struct Driven {
  H5FD_t base;  // first: HDF5 has pointers to this
  WrittenFile* file;
  haddr_t allocated, end;  // as HDF5 reckons; of what was written
};

Driven& driven(H5FD_t* base) { return *reinterpret_cast<Driven*>(base); }
const Driven& driven(const H5FD_t* base) { return *reinterpret_cast<const Driven*>(base); }

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const info = static_cast<WrittenFile* const*>(H5Pget_driver_info(access));
  auto* const made = new (std::nothrow) Driven{{}, info == nullptr ? nullptr : *info, 0, 0};
  return made == nullptr ? nullptr : &made->base;
}

herr_t close(H5FD_t* base) {
  WrittenFile& file = *driven(base).file;
  // Linux has released the descriptor also where a signal interrupts this.
  if (::close(file.descriptor) != 0 && errno != EINTR && file.fault == 0) file.fault = errno;
  file.descriptor = -1;
  delete &driven(base);
  return 0;
}

herr_t write(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* bytes) {
  Driven& d = driven(base);
  const auto* from = static_cast<const char*>(bytes);
  d.end = std::max(d.end, at + size);
  while (size > 0 && d.file->fault == 0) {
    const ssize_t n = ::pwrite(d.file->descriptor, from, size, static_cast<off_t>(at));
    if (n < 0) {
      if (errno != EINTR) d.file->fault = errno;
      continue;
    }
    from += n;
    at += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return 0;
}

// What was not written, or could not be, reads as zeros.
herr_t read(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* bytes) {
  Driven& d = driven(base);
  auto* to = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t n = ::pread(d.file->descriptor, to, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && d.file->fault == 0) d.file->fault = errno;
    if (n <= 0) break;
    to += n;
    at += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  std::fill_n(to, size, '\0');
  return 0;
}

herr_t cut(H5FD_t* base, hid_t, hbool_t) {
  Driven& d = driven(base);
  if (d.end == d.allocated || d.file->fault != 0) return 0;
  while (::ftruncate(d.file->descriptor, static_cast<off_t>(d.allocated)) != 0) {
    if (errno == EINTR) continue;
    d.file->fault = errno;
    break;
  }
  d.end = d.allocated;
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(const H5FD_t* base, H5FD_mem_t) { return driven(base).allocated; }
herr_t allocate(H5FD_t* base, H5FD_mem_t, haddr_t size) {
  driven(base).allocated = size;
  return 0;
}
haddr_t end(const H5FD_t* base, H5FD_mem_t) { return driven(base).end; }

hid_t registered() {
  static const hid_t id = [] {
    static const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    static H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = 600;  // from 512 on they are free to use
#endif
    driver.name = "watersmeet";
    driver.maxaddr = (haddr_t{1} << 62) - 1;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(WrittenFile*);
    driver.open = open;
    driver.close = close;
    driver.query = query;
    driver.get_eoa = allocated;
    driver.set_eoa = allocate;
    driver.get_eof = end;
    driver.read = read;
    driver.write = write;
    driver.truncate = cut;
    std::copy_n(map, H5FD_MEM_NTYPES, driver.fl_map);
    return H5FDregister(&driver);
  }();
  return id;
}

}  // namespace

void use_writing_driver(std::int64_t access_properties, WrittenFile& file) {
  WrittenFile* const info = &file;
  const bool set = registered() >= 0 && H5Pset_driver(access_properties, registered(), &info) >= 0;
  require(set, "HDF5 takes the driver of written files");
}

}  // namespace watersmeet::io
