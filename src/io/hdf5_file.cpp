// Files and errors of the HDF5 layer; groups and datasets are in hdf5_node.cpp, attributes in
// hdf5_attribute.cpp. Source:
// HDF5 1.10 reference manual.
//
// Files that are written have a driver of their own, from which the library never learns of a full disk
// (hdf5_driver.hpp).
//
// Several ranks open a file together only when one rank has made it, with all its metadata and room
// for all values, and closed it again: then nothing but values is written through MPI, and a write
// that fails leaves the library nothing to flush, on which its collective close would stumble.
#include "io/hdf5_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_call.hpp"
#include "io/hdf5_driver.hpp"

namespace watersmeet::io {

static_assert(sizeof(hid_t) == sizeof(std::int64_t), "HDF5 1.10 or newer is needed");

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// Files are closed by their owners. The library's own handler at the end of the program, which
// comes after them, prints "infinite loop closing library" after a damaged file or on a full disk.
// It can be declined before the first call only.
Hdf5Call::Hdf5Call(const std::string& file) : call_("HDF5", file), lock_(hdf5_mutex()) {
  [[maybe_unused]] static const herr_t declined = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &function_, &argument_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Call::~Hdf5Call() { H5Eset_auto2(H5E_DEFAULT, function_, argument_); }

Property creation_properties(hid_t kind) {
  Property creation(H5Pcreate(kind));
  // The file system knows when; without it the same state makes the same bytes.
  H5Pset_obj_track_times(creation.id(), false);
  return creation;
}

std::string hdf5_reason() {
  std::vector<std::string> messages;  // deepest first
  const auto collect = [](unsigned, const H5E_error2_t* entry, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(entry->desc);
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &messages);
  H5Eclear2(H5E_DEFAULT);
  for (const std::string& m : messages) {
    // The file drivers report the system's reason as: errno = 28, error message = 'No space left on
    // device', ...
    const std::string mark = "error message = '";
    const auto start = m.find(mark);
    if (start == std::string::npos) continue;
    const auto end = m.find('\'', start + mark.size());
    if (end != std::string::npos) return m.substr(start + mark.size(), end - start - mark.size());
  }
  if (messages.empty()) return "HDF5 gave no reason";
  if (messages.size() == 1) return "HDF5: " + messages.front();
  return fmt::format("HDF5: {} ({})", messages.back(), messages.front());
}

ElementType element_type(Precision p) {
  return p == Precision::single_ ? ElementType::float32 : ElementType::float64;
}

std::size_t size_of(ElementType t) {
  require(t != ElementType::text, "texts have no element size");
  return t == ElementType::float32 ? 4 : 8;
}

namespace {

// Large arrays start at multiples of 1 MiB, the stripe or block size of parallel file systems.
constexpr std::uint64_t alignment = 1 << 20;
// More than the metadata and texts of any of our files take.
constexpr std::uint64_t metadata_bytes = 1 << 19;

[[noreturn]] void fail(const char* what, const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::io, fmt::format("cannot {} {}: {}", what, path, reason));
}

Property access_properties() {
  Property access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  H5Pset_alignment(access.id(), alignment, alignment);
  return access;
}

}  // namespace

std::uint64_t room_for(std::uint64_t array_bytes) {
  if (array_bytes < alignment) return array_bytes;
  return (array_bytes + alignment - 1) / alignment * alignment;
}

void require_hdf5(const std::string& path) {
  Hdf5Call call(path);
  const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (probe < 0) watersmeet::io::fail("read", path, std::strerror(errno));
  ::close(probe);
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    H5Eclear2(H5E_DEFAULT);
    watersmeet::io::fail("read", path, "it is not an HDF5 file");
  }
}

Hdf5File::Hdf5File(std::int64_t id, std::int64_t root, std::string path)
    : id_(id), path_(std::move(path)), root_(root, path_, "/") {}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      path_(std::move(other.path_)),
      written_(std::move(other.written_)),
      root_(std::move(other.root_)) {}

Hdf5File Hdf5File::create(const std::string& path, std::uint64_t payload_bytes) {
  Hdf5Call call(path);
  rlimit limit{};
  const std::uint64_t needed =
      payload_bytes + metadata_bytes + (payload_bytes < alignment ? 0 : alignment);
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < needed) {
    watersmeet::io::fail(
        "write", path,
        fmt::format("{} (the limit is {} bytes)", std::strerror(EFBIG), limit.rlim_cur));
  }
  const std::string part = part_name(path);
  auto written = std::make_unique<WrittenFile>();
  written->descriptor = uninterrupted([&] {
    return ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  });
  if (written->descriptor < 0) system_fault("write", path, errno);
  // EOPNOTSUPP, ENOSYS, ...: a file system that cannot reserve; then writing itself reports a full disk.
  const bool reserved =
      payload_bytes == 0 || uninterrupted([&] {
                              return ::fallocate(written->descriptor, FALLOC_FL_KEEP_SIZE, 0,
                                                 static_cast<off_t>(payload_bytes));
                            }) == 0;
  if (!reserved && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
    const int reason = errno;
    ::close(written->descriptor);
    ::unlink(part.c_str());
    watersmeet::io::fail(
        "write", path,
        fmt::format("{} ({} bytes are needed)", std::strerror(reason), payload_bytes));
  }
  const Property access = access_properties();
  use_writing_driver(access.id(), *written);
  const Property creation = creation_properties(H5P_FILE_CREATE);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const hid_t id = H5Fcreate(part.c_str(), H5F_ACC_TRUNC, creation.id(), access.id());
  if (id < 0) {
    const std::string reason = hdf5_reason();
    if (written->descriptor >= 0) ::close(written->descriptor);
    ::unlink(part.c_str());
    watersmeet::io::fail("write", path, reason);
  }
  Hdf5File file(id, H5Gopen2(id, "/", H5P_DEFAULT), path);
  file.written_ = std::move(written);
  return file;
}

Hdf5File Hdf5File::open(const std::string& path) {
  Hdf5Call call(path);
  require_hdf5(path);
  const Property access = access_properties();
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  if (id < 0) watersmeet::io::fail("read", path, hdf5_reason());
  const hid_t root = H5Gopen2(id, "/", H5P_DEFAULT);
  if (root < 0) {
    const std::string reason = hdf5_reason();
    H5Fclose(id);
    watersmeet::io::fail("read", path, reason);
  }
  return Hdf5File(id, root, path);
}

#ifdef H5_HAVE_PARALLEL
bool hdf5_is_parallel() { return true; }

Hdf5File Hdf5File::open_together(const std::string& path, const void* mpi_communicator) {
  Hdf5Call call(path);
  const Property access = access_properties();
  const MPI_Comm team = *static_cast<const MPI_Comm*>(mpi_communicator);
  H5Pset_fapl_mpio(access.id(), team, MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(access.id(), true);
  H5Pset_coll_metadata_write(access.id(), true);
  const hid_t id = H5Fopen(part_name(path).c_str(), H5F_ACC_RDWR, access.id());
  if (id < 0) watersmeet::io::fail("write", path, hdf5_reason());
  return Hdf5File(id, H5Gopen2(id, "/", H5P_DEFAULT), path);
}
#else
bool hdf5_is_parallel() { return false; }

Hdf5File Hdf5File::open_together(const std::string&, const void*) {
  throw Error(ErrorKind::unsupported, "this build's HDF5 library is the serial one");
}
#endif

void Hdf5File::close() {
  Hdf5Call call(path_);
  require(id_ >= 0, "close() needs an open file");
  root_.handle_ = Hdf5Handle(-1);
  const bool closed = H5Fclose(std::exchange(id_, -1)) >= 0;
  const std::string reason = closed ? "" : hdf5_reason();
  const int fault = written_ ? written_->fault : 0;
  if (closed && fault == 0) return;
  if (written_) ::unlink(part_name(path_).c_str());
  if (fault != 0) system_fault("write", path_, fault);
  watersmeet::io::fail("close", path_, reason);
}

void Hdf5File::finish(const std::function<void(const std::string& part)>& last) {
  require(written_ != nullptr, "finish() needs a file that was created");
  close();
  finish_part(path_, last);
}

void Hdf5File::abandon() noexcept {
  if (written_ && written_->fault == 0) written_->fault = ECANCELED;  // nothing more is written
  root_.handle_ = Hdf5Handle(-1);
  H5Fclose(std::exchange(id_, -1));
  if (written_) ::unlink(part_name(path_).c_str());
  H5Eclear2(H5E_DEFAULT);
}

Hdf5File::~Hdf5File() {
  if (id_ < 0) return;
  Hdf5Call call(path_);
  abandon();
}

}  // namespace watersmeet::io
