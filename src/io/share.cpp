// Choice of the way to write, and work of rank 0 for all. Numbers of file systems: linux/magic.h,
// and for those outside the kernel the table of GNU coreutils' stat(1).
#include "io/share.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "io/hdf5_file.hpp"

namespace watersmeet::io {
namespace {

constexpr std::uint64_t nfs = 0x6969;
constexpr std::array<std::uint64_t, 6> for_many_writers = {
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x00C36400,  // Ceph
    0x20030528,  // OrangeFS
    0xAAD7AAEA,  // PanFS
};

}  // namespace

bool fit_for_writing_together(std::uint64_t file_system, int hosts) {
  if (file_system == nfs) return false;
  return hosts == 1 || std::find(for_many_writers.begin(), for_many_writers.end(), file_system) !=
                           for_many_writers.end();
}

WritingMethod choose_writing(const Share& share, const std::string& directory) {
  if (share.alone()) return WritingMethod::alone;
  comm::Communicator& team = *share.team;
  std::uint64_t unable[1] = {hdf5_is_parallel() && team.native() != nullptr ? 0u : 1u};
  team.all_reduce_max(std::span<std::uint64_t>(unable));
  if (unable[0] != 0) return WritingMethod::gathered;
  const int hosts = comm::find_locality(team).hosts;
  std::uint64_t together = 0;
  if (team.rank() == 0) {
    struct statfs system {};
    // A missing directory is reported where the file is created. The field is
    // signed on some machines, its values have 32 bits.
    together = statfs(directory.c_str(), &system) == 0 &&
               fit_for_writing_together(static_cast<std::uint32_t>(system.f_type), hosts);
  }
  team.broadcast(&together, sizeof together, 0);
  return together != 0 ? WritingMethod::together : WritingMethod::gathered;
}

std::string writing_method(const Share& share, const std::string& directory) {
  switch (choose_writing(share, directory)) {
    case WritingMethod::alone:
      return "one process";
    case WritingMethod::gathered:
      return "gathered by rank 0";
    case WritingMethod::together:
      break;
  }
  return "parallel HDF5";
}

void on_first(comm::Communicator* team, const std::function<void()>& work,
              const std::function<void()>& meanwhile) {
  if (team == nullptr || team->size() == 1) {
    work();
    return;
  }
  struct Report {
    int failed = 0, kind = 0;
    std::uint64_t length = 0;
  } report;
  std::string text;
  const auto fail = [&](ErrorKind kind, const char* what) {
    text = what;
    report = {1, static_cast<int>(kind), text.size()};
  };
  if (team->rank() == 0) {
    try {
      work();
    } catch (const comm::SilentPeer&) {
      throw;
    } catch (const Error& error) {
      fail(error.kind(), error.what());
    } catch (const std::exception& error) {
      fail(ErrorKind::internal, error.what());
    }
  } else if (meanwhile) {
    meanwhile();
  }
  team->broadcast(&report, sizeof report, 0);
  if (report.failed == 0) return;
  text.resize(report.length);
  team->broadcast(text.data(), text.size(), 0);
  throw comm::AgreedError(static_cast<ErrorKind>(report.kind), text);
}

}  // namespace watersmeet::io
