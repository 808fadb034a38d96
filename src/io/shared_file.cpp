// Files of several ranks; see the header.
#include "io/shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <optional>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "mesh/box_algebra.hpp"

namespace watersmeet::io {
namespace {

// While a slow disk takes this many bytes no rank is lost, only busy.
class PatienceForDisk {
 public:
  PatienceForDisk(comm::Communicator& team, std::uint64_t bytes)
      : team_(team), before_(team.patience()) {
    constexpr double slow_disk = 10e6;  // bytes/s
    team.set_patience(before_ + static_cast<double>(bytes) / slow_disk);
  }
  PatienceForDisk(const PatienceForDisk&) = delete;
  PatienceForDisk& operator=(const PatienceForDisk&) = delete;
  ~PatienceForDisk() { team_.set_patience(before_); }

 private:
  comm::Communicator& team_;
  double before_;
};

std::size_t cell_bytes(const SharedArray& array, Precision precision) {
  return static_cast<std::size_t>(array.components) * size_of(precision);
}
std::size_t largest_cell_bytes(const SharedArray& array) {
  return std::max(cell_bytes(array, array.memory), cell_bytes(array, array.stored));
}

// Where a piece starts in the values of the box that it is cut from.
std::size_t cells_before(const Box& box, const Box& piece) {
  const auto plane = box.size(0) * box.size(1);
  return static_cast<std::size_t>((piece.lower[2] - box.lower[2]) * plane +
                                  (piece.lower[1] - box.lower[1]) * box.size(0));
}

const unsigned char* values_of(const SharedArray& array, const Box& box, const Box& piece) {
  return static_cast<const unsigned char*>(array.values) +
         cells_before(box, piece) * cell_bytes(array, array.memory);
}

// Values of one of this rank's pieces as they are stored: the caller's own, or converted ones in
// the buffer.
const void* stored_values(const SharedArray& array, const Box& box, const Box& piece,
                          std::vector<unsigned char>& buffer) {
  const unsigned char* const values = values_of(array, box, piece);
  if (array.memory == array.stored) return values;
  const auto cells = static_cast<std::size_t>(piece.count());
  std::copy_n(values, cells * cell_bytes(array, array.memory), buffer.data());
  convert(buffer.data(), cells * static_cast<std::size_t>(array.components),
          element_type(array.memory), element_type(array.stored));
  return buffer.data();
}

void write_piece(Hdf5Dataset& dataset, const SharedArray& array, const Box& piece,
                 const void* values) {
  Extents start = extents_of(piece.lower);
  const Extents count = extents_of({piece.size(0), piece.size(1), piece.size(2)}, array.components);
  start.resize(count.size(), 0);
  dataset.write_box(start, count, values, element_type(array.stored));
}

// The boxes of all ranks, which must cover the whole.
using Boxes = std::vector<Box>;
Boxes gather_boxes(comm::Communicator& team, const Index3& n, const Box& mine) {
  Boxes boxes(static_cast<std::size_t>(team.size()));
  team.all_gather(&mine, sizeof(Box), boxes.data());
  std::int64_t cells = 0;
  for (const Box& box : boxes) {
    cells += box.count();
    for (std::size_t a = 0; a < 3; ++a) {
      require(box.empty() || (box.lower[a] >= 0 && box.upper[a] <= n[a]),
              "a rank's part lies outside the whole");
    }
  }
  require(cells == n[0] * n[1] * n[2], "the ranks' parts must make the whole");
  return boxes;
}

// The boxes of each array on all ranks; arrays without a box of their own have the common ones.
std::vector<Boxes> boxes_of(const std::vector<SharedArray>& arrays, const Share& share) {
  const Boxes common = gather_boxes(*share.team, share.n, share.mine);
  std::vector<Boxes> all;
  for (const SharedArray& array : arrays) {
    all.push_back(array.own ? gather_boxes(*share.team, array.own->first, array.own->second)
                            : common);
  }
  return all;
}

// ---- gathered

struct Request {
  int rank;
  Box piece;
};
constexpr std::uint64_t send_next = 1, stop = 0;  // what rank 0 sends before each message

// Rank 0. When writing fails, the piece on its way is still received, and the ranks
// that have more to send get the order to stop.
void gather(Hdf5File& file, const std::vector<SharedArray>& arrays, const std::vector<Boxes>& boxes,
            comm::Communicator& team, std::size_t limit,
            std::array<std::vector<unsigned char>, 2>& buffers) {
  struct Job {
    const SharedArray* array;
    Request request;
  };
  std::vector<Job> jobs;
  std::vector<std::size_t> to_come(static_cast<std::size_t>(team.size()), 0);
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    const SharedArray& array = arrays[n];
    const std::size_t first = jobs.size();
    for (std::size_t r = 0; r < to_come.size(); ++r) {
      for (const Box& piece : pieces_of(boxes[n][r], largest_cell_bytes(array), limit)) {
        jobs.push_back({&array, {static_cast<int>(r), piece}});
        ++to_come[r];
      }
    }
    // From the file's front to its end; the pieces of one rank stay in their order.
    std::stable_sort(jobs.begin() + static_cast<std::ptrdiff_t>(first), jobs.end(),
                     [](const Job& a, const Job& b) {
                       const Index3 &p = a.request.piece.lower, &q = b.request.piece.lower;
                       return std::array{p[2], p[1], p[0]} < std::array{q[2], q[1], q[0]};
                     });
  }
  const auto own_box = [&](const SharedArray& array) -> const Box& {
    return boxes[static_cast<std::size_t>(&array - arrays.data())][0];
  };
  std::uint64_t word = send_next;
  const auto ask = [&](std::size_t j) {
    const Job& job = jobs[j];
    --to_come[static_cast<std::size_t>(job.request.rank)];
    if (job.request.rank == 0) return;
    const auto bytes = static_cast<std::size_t>(job.request.piece.count()) *
                       cell_bytes(*job.array, job.array->stored);
    const comm::Outgoing out[1] = {{job.request.rank, &word, sizeof word}};
    const comm::Incoming in[1] = {{job.request.rank, buffers[j % 2].data(), bytes}};
    team.begin(out, in);
  };
  std::exception_ptr fault;
  std::optional<Hdf5Dataset> dataset;
  if (!jobs.empty()) ask(0);
  for (std::size_t j = 0; j < jobs.size() && !fault; ++j) {
    team.finish();
    if (j + 1 < jobs.size()) ask(j + 1);  // arrives while this one is written
    try {
      const SharedArray& array = *jobs[j].array;
      const Box& piece = jobs[j].request.piece;
      if (j == 0 || jobs[j - 1].array != &array) {
        dataset.reset();
        dataset.emplace(file.root().open_dataset(array.path));
      }
      const void* const values = jobs[j].request.rank == 0
                                     ? stored_values(array, own_box(array), piece, buffers[j % 2])
                                     : buffers[j % 2].data();
      write_piece(*dataset, array, piece, values);
    } catch (...) {
      fault = std::current_exception();
      team.finish();
    }
  }
  if (!fault) return;
  word = stop;
  std::vector<comm::Outgoing> out;
  for (std::size_t r = 1; r < to_come.size(); ++r) {
    if (to_come[r] > 0) out.push_back({static_cast<int>(r), &word, sizeof word});
  }
  team.exchange(out, {});
  std::rethrow_exception(fault);
}

// The other ranks.
void send_when_asked(const std::vector<SharedArray>& arrays, const Share& share,
                     comm::Communicator& team, std::size_t limit,
                     std::vector<unsigned char>& buffer) {
  for (const SharedArray& array : arrays) {
    const Box box = array.part(share);
    for (const Box& piece : pieces_of(box, largest_cell_bytes(array), limit)) {
      const void* const values = stored_values(array, box, piece, buffer);
      std::uint64_t word = stop;
      const comm::Incoming in[1] = {{0, &word, sizeof word}};
      team.exchange({}, in);
      if (word != send_next) return;
      const auto bytes = static_cast<std::size_t>(piece.count()) * cell_bytes(array, array.stored);
      const comm::Outgoing out[1] = {{0, values, bytes}};
      team.exchange(out, {});
    }
  }
}

void write_gathered(const std::string& path, std::uint64_t payload_bytes,
                    const std::function<void(Hdf5File&)>& describe,
                    const std::vector<SharedArray>& arrays, const Share& share,
                    const std::vector<Boxes>& boxes, std::size_t limit,
                    std::array<std::vector<unsigned char>, 2>& buffers,
                    const std::function<void(const std::string& part)>& last) {
  comm::Communicator& team = *share.team;
  std::optional<Hdf5File> file;
  on_first(&team, [&] {
    file.emplace(Hdf5File::create(path, payload_bytes));
    describe(*file);
  });
  on_first(
      &team,
      [&] {
        gather(*file, arrays, boxes, team, limit, buffers);
        file->finish(last);
      },
      [&] { send_when_asked(arrays, share, team, limit, buffers[0]); });
}

// ---- together

// A directory that is not the same on all hosts would hold as many files.
void require_part_of(const std::string& path, std::uint64_t bytes) {
  const std::string part = part_name(path);
  struct stat info {};
  if (::stat(part.c_str(), &info) != 0 || static_cast<std::uint64_t>(info.st_size) != bytes) {
    throw Error(
        ErrorKind::io,
        fmt::format("cannot write {}: this rank does not see the file that rank 0 made", path));
  }
}

// MPI says that writing failed, but not why: the system does when asked for one byte of the piece,
// in a file that is given up anyway. 0 where that byte can be written.
int reason_of_failure(const std::string& path, std::uint64_t at) {
  const int descriptor = ::open(part_name(path).c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int reason = ::pwrite(descriptor, "", 1, static_cast<off_t>(at)) == 1 ? 0 : errno;
  ::close(descriptor);
  return reason;
}

void write_values_together(const std::string& path, const std::vector<SharedArray>& arrays,
                           const Share& share, std::size_t limit,
                           std::vector<unsigned char>& buffer) {
  comm::Communicator& team = *share.team;
  std::optional<Hdf5File> file;
  comm::agree(team, [&] { file.emplace(Hdf5File::open_together(path, team.native())); });
  for (const SharedArray& array : arrays) {
    std::optional<Hdf5Dataset> dataset;
    comm::agree(team, [&] { dataset.emplace(file->root().open_dataset(array.path)); });
    // Each rank by itself. Collective writing (H5FD_MPIO_COLLECTIVE) makes larger requests of boxes
    // that are cut along x, but on three ranks and more Open MPI 4.1.4 never came back from it when
    // the write of one rank failed.
    comm::agree(team, [&] {
      const Box mine = array.part(share);
      const Index3 n = array.size(share);
      for (const Box& piece : pieces_of(mine, largest_cell_bytes(array), limit)) {
        try {
          write_piece(*dataset, array, piece, stored_values(array, mine, piece, buffer));
        } catch (const Error&) {
          const auto last_cell =
              ((piece.upper[2] - 1) * n[1] + piece.upper[1] - 1) * n[0] + piece.upper[0] - 1;
          const int reason =
              reason_of_failure(path, dataset->offset() + static_cast<std::uint64_t>(last_cell) *
                                                              cell_bytes(array, array.stored));
          if (reason == 0) throw;
          system_fault("write", path, reason);
        }
      }
    });
  }
  comm::agree(team, [&] { file->close(); });
}

void write_together(const std::string& path, std::uint64_t payload_bytes,
                    const std::function<void(Hdf5File&)>& describe,
                    const std::vector<SharedArray>& arrays, const Share& share, std::size_t limit,
                    std::vector<unsigned char>& buffer,
                    const std::function<void(const std::string& part)>& last) {
  comm::Communicator& team = *share.team;
  std::uint64_t size = 0;
  on_first(&team, [&] {
    Hdf5File file = Hdf5File::create(path, payload_bytes);
    describe(file);
    file.close();
    struct stat info {};
    if (::stat(part_name(path).c_str(), &info) == 0)
      size = static_cast<std::uint64_t>(info.st_size);
  });
  try {
    team.broadcast(&size, sizeof size, 0);
    comm::agree(team, [&] { require_part_of(path, size); });
    // HDF5 opens and closes the file, and on a fault closes it again, by calls of MPI without a
    // limit.
    team.limited("a file that all ranks write",
                 [&] { write_values_together(path, arrays, share, limit, buffer); });
  } catch (...) {
    if (team.rank() == 0) ::unlink(part_name(path).c_str());
    throw;
  }
  on_first(&team, [&] { finish_part(path, last); });
}

}  // namespace

std::vector<Box> pieces_of(const Box& box, std::size_t cell_bytes, std::size_t limit) {
  if (box.empty()) return {};
  const auto at_most = static_cast<std::int64_t>(limit / cell_bytes);
  const std::int64_t plane = box.size(0) * box.size(1);
  const std::int64_t planes = std::clamp<std::int64_t>(at_most / plane, 1, box.size(2));
  const std::int64_t rows = plane <= at_most
                                ? box.size(1)
                                : std::clamp<std::int64_t>(at_most / box.size(0), 1, box.size(1));
  return mesh::pieces(box, rows, planes);
}

void write_shared_file(const std::string& path, std::uint64_t payload_bytes,
                       const std::function<void(Hdf5File&)>& describe,
                       const std::vector<SharedArray>& arrays, const Share& share,
                       const std::function<void(const std::string& part)>& last,
                       std::size_t piece_limit) {
  if (share.alone()) {
    require(share.mine == Box{{0, 0, 0}, share.n}, "one process writes the whole");
    for (const SharedArray& array : arrays) {
      require(array.values != nullptr, "an array needs values");
    }
    Hdf5File file = Hdf5File::create(path, payload_bytes);
    describe(file);
    for (const SharedArray& array : arrays) {
      file.root().open_dataset(array.path).write(array.values, element_type(array.memory));
    }
    file.finish(last);
    return;
  }
  comm::Communicator& team = *share.team;
  const PatienceForDisk patience(team, payload_bytes);
  const WritingMethod method = choose_writing(share, directory_of(path));
  const std::vector<Boxes> boxes = boxes_of(arrays, share);
  // All memory that is needed from here on, so that no rank fails for lack of it between messages.
  std::array<std::vector<unsigned char>, 2> buffers;
  comm::agree(team, [&] {
    std::size_t largest = 1;
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      const SharedArray& array = arrays[a];
      const Box mine = array.part(share);
      require(array.values != nullptr || mine.empty(), "an array needs values");
      const bool converts = array.memory != array.stored;
      if (!converts && (method == WritingMethod::together || team.rank() > 0)) continue;
      for (const Box& box : boxes[a]) {
        if (team.rank() > 0 && !(box == mine)) continue;
        for (const Box& piece : pieces_of(box, largest_cell_bytes(array), piece_limit)) {
          largest = std::max(largest,
                             static_cast<std::size_t>(piece.count()) * largest_cell_bytes(array));
        }
      }
    }
    buffers[0].resize(largest);
    if (method == WritingMethod::gathered && team.rank() == 0) buffers[1].resize(largest);
  });
  if (method == WritingMethod::together) {
    write_together(path, payload_bytes, describe, arrays, share, piece_limit, buffers[0], last);
  } else {
    write_gathered(path, payload_bytes, describe, arrays, share, boxes, piece_limit, buffers, last);
  }
}

}  // namespace watersmeet::io
