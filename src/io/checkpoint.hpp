#pragma once
// Checkpoints: the full state of a run in one HDF5 file, bit-exact, in global index order without
// ghosts, so that any number of devices can resume from it. Every array carries a CRC-32 that
// reading verifies. Layout: docs/reference/files.md.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/hdf5_file.hpp"
#include "io/provenance.hpp"
#include "io/share.hpp"

namespace watersmeet::io {

struct CheckpointArray {
  std::string name;
  Precision precision = Precision::double_;  // in memory and in the file
  const void* values = nullptr;              // host, [k][j][i] in global order, no ghosts: of
                                             // the whole, or of this rank's part of it
  bool any_value = false;                    // also what is not finite: no run needs it to resume
};

struct Checkpoint {
  Index3 n{1, 1, 1};
  std::vector<CheckpointArray> arrays;
  std::map<std::string, double> reals;  // t, dt, forcing state ...
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, std::string> texts;  // without NUL
};

// Checks that every value that must be is finite, before anything is written: else Error{diverged} naming array,
// (i, j, k) and value. Then writes PATH atomically: an older file of that name stays whole until
// the new one is on the disk. Error{io}.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint,
                      const Provenance& provenance);
// The same by all ranks of a team, each with the values of its part; collective. Neither the bytes
// in the file depend on the parts nor the cell that is named when a value is not finite. Nothing
// but the values may differ between the ranks' calls. Errors are thrown by all.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint,
                      const Provenance& provenance, const Share& share);

// Opens a checkpoint and verifies everything but the arrays' values. Errors: Error{io} saying what
// is wrong with the file. With a team every rank opens the file for itself, once rank 0 has found
// its seal whole; collective, errors are thrown by all.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::string& path, comm::Communicator* team = nullptr);

  const std::string& path() const { return path_; }
  const Index3& n() const { return n_; }
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const;
  Precision stored_precision(const std::string& name) const;
  // Array into the caller's buffer of n[0]*n[1]*n[2] values of the precision asked, checksum
  // verified. Error{io} for a name that the file does not hold and for damaged values.
  void read(const std::string& name, Precision precision, void* values);
  // This rank's part of the array into its own buffer, the checksum put together from all parts; by
  // all ranks of the share's team. Errors are thrown by all.
  void read(const std::string& name, Precision precision, void* values, const Share& share);
  // A box of it in double, unverified: for readers that take the array in overlapping pieces, after verify(). By any rank for itself.
  std::vector<double> read_box(const std::string& name, const Box& box) const;
  // Verifies the checksums of all arrays; the ranks of a team share the work, and throw together.
  void verify(comm::Communicator* team = nullptr);

  const std::map<std::string, double>& reals() const { return reals_; }
  const std::map<std::string, std::int64_t>& integers() const { return integers_; }
  const std::map<std::string, std::string>& texts() const { return texts_; }
  // One entry; Error{io} naming the file where it is missing.
  double real(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  const std::string& text(const std::string& name) const;

 private:
  void load();
  std::uint32_t stream(const std::string& name, const Box& box, Precision precision,
                       void* values) const;
  void check_parts(const std::vector<std::string>& names, std::vector<std::uint32_t> parts,
                   comm::Communicator* team) const;

  std::string path_;
  Hdf5File file_;
  Index3 n_{};
  std::vector<std::string> names_;
  std::map<std::string, Precision> precisions_;
  std::map<std::string, double> reals_;
  std::map<std::string, std::int64_t> integers_;
  std::map<std::string, std::string> texts_;
};

// Newest checkpoint of a folder whose every byte of state verifies, empty where there is none; the
// reasons why newer ones were passed over are appended to `skipped` if given. With a team the ranks
// share the work (collective), and all have the same answer.
std::string newest_good_checkpoint(const std::string& directory,
                                   std::vector<std::string>* skipped = nullptr,
                                   comm::Communicator* team = nullptr);

// Removes the oldest checkpoints, keeping the `keep` newest ones that can be opened, and the newest
// one of step `confirmed` or before. Files that cannot be opened neither count nor are removed. With
// a team rank 0 does it; collective, errors are thrown by all.
void prune_checkpoints(const std::string& directory, int keep, std::int64_t confirmed = -1,
                       comm::Communicator* team = nullptr);

}  // namespace watersmeet::io
