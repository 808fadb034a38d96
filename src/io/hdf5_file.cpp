// Files and errors of the HDF5 layer; groups and datasets are in hdf5_node.cpp, attributes in
// hdf5_attribute.cpp. Source:
// HDF5 1.10 reference manual.
//
// A file that cannot be written (full disk) must still be closed without the library touching freed
// memory at exit: HDF5 1.10 keeps the identifier of a file whose last flush failed. abandon()
// therefore points the file's descriptor at an anonymous memory file first, where the remaining
// metadata always finds room. (A limit on the size of files holds there, too: create() looks at
// that limit before it begins.)
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
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_call.hpp"

namespace watersmeet::io {

static_assert(sizeof(hid_t) == sizeof(std::int64_t), "HDF5 1.10 or newer is needed");

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// Files are closed by their owners. The library's own handler at the end of the program, which
// comes after them, prints "infinite loop closing library" after a damaged file or on a full disk.
// It can be declined before the first call only.
Hdf5Call::Hdf5Call() : lock_(hdf5_mutex()) {
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

int descriptor_of(hid_t file) {
  void* pointer = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &pointer) < 0 || pointer == nullptr) return -1;
  return *static_cast<int*>(pointer);
}

}  // namespace

std::uint64_t room_for(std::uint64_t array_bytes) {
  if (array_bytes < alignment) return array_bytes;
  return (array_bytes + alignment - 1) / alignment * alignment;
}

void require_hdf5(const std::string& path) {
  Hdf5Call call;
  const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (probe < 0) watersmeet::io::fail("read", path, std::strerror(errno));
  ::close(probe);
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    H5Eclear2(H5E_DEFAULT);
    watersmeet::io::fail("read", path, "it is not an HDF5 file");
  }
}

Hdf5File::Hdf5File(std::int64_t id, std::int64_t root, std::string path, bool created)
    : id_(id), path_(std::move(path)), created_(created), root_(root, path_, "/") {}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      path_(std::move(other.path_)),
      created_(other.created_),
      root_(std::move(other.root_)) {}

Hdf5File Hdf5File::create(const std::string& path, std::uint64_t payload_bytes) {
  Hdf5Call call;
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
  // HDF5's own message for a missing or read-only folder is long and vague: ask the system first.
  const int probe = ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (probe < 0) watersmeet::io::fail("write", path, std::strerror(errno));
  ::close(probe);
  const Property access = access_properties();
  const Property creation = creation_properties(H5P_FILE_CREATE);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const hid_t id = H5Fcreate(part.c_str(), H5F_ACC_TRUNC, creation.id(), access.id());
  if (id < 0) {
    const std::string reason = hdf5_reason();
    ::unlink(part.c_str());
    watersmeet::io::fail("write", path, reason);
  }
  Hdf5File file(id, H5Gopen2(id, "/", H5P_DEFAULT), path, true);
  const int fd = descriptor_of(id);
  if (payload_bytes > 0 && fd >= 0 &&
      ::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(payload_bytes)) != 0) {
    // EOPNOTSUPP, ENOSYS, ...: a file system that cannot reserve; then writing itself reports a full disk.
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
      watersmeet::io::fail(
          "write", path,
          fmt::format("{} ({} bytes are needed)", std::strerror(errno), payload_bytes));
    }
  }
  return file;
}

Hdf5File Hdf5File::open(const std::string& path) {
  Hdf5Call call;
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
  return Hdf5File(id, root, path, false);
}

#ifdef H5_HAVE_PARALLEL
bool hdf5_is_parallel() { return true; }

Hdf5File Hdf5File::open_together(const std::string& path, const void* mpi_communicator) {
  Hdf5Call call;
  const Property access = access_properties();
  const MPI_Comm team = *static_cast<const MPI_Comm*>(mpi_communicator);
  H5Pset_fapl_mpio(access.id(), team, MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(access.id(), true);
  H5Pset_coll_metadata_write(access.id(), true);
  const hid_t id = H5Fopen(part_name(path).c_str(), H5F_ACC_RDWR, access.id());
  if (id < 0) watersmeet::io::fail("write", path, hdf5_reason());
  return Hdf5File(id, H5Gopen2(id, "/", H5P_DEFAULT), path, false);
}
#else
bool hdf5_is_parallel() { return false; }

Hdf5File Hdf5File::open_together(const std::string&, const void*) {
  throw Error(ErrorKind::unsupported, "this build's HDF5 library is the serial one");
}
#endif

void Hdf5File::close() {
  Hdf5Call call;
  require(id_ >= 0, "close() needs an open file");
  if (H5Fflush(id_, H5F_SCOPE_GLOBAL) < 0) {
    const std::string reason = hdf5_reason();
    abandon();
    watersmeet::io::fail("write", path_, reason);
  }
  root_.handle_ = Hdf5Handle(-1);
  if (H5Fclose(std::exchange(id_, -1)) < 0) {
    const std::string reason = hdf5_reason();
    if (created_) ::unlink(part_name(path_).c_str());
    watersmeet::io::fail("close", path_, reason);
  }
}

void Hdf5File::finish(const std::function<void(const std::string& part)>& last) {
  require(created_, "finish() needs a file that was created");
  close();
  finish_part(path_, last);
}

void Hdf5File::abandon() noexcept {
  if (created_) {
    const int fd = descriptor_of(id_);
    const int nowhere = ::memfd_create("watersmeet", MFD_CLOEXEC);
    if (fd >= 0 && nowhere >= 0) (void)::dup2(nowhere, fd);
    if (nowhere >= 0) ::close(nowhere);
    ::unlink(part_name(path_).c_str());
  }
  root_.handle_ = Hdf5Handle(-1);
  H5Fclose(std::exchange(id_, -1));
  H5Eclear2(H5E_DEFAULT);
}

Hdf5File::~Hdf5File() {
  if (id_ < 0) return;
  Hdf5Call call;
  abandon();
}

}  // namespace watersmeet::io
