#pragma once
// The fields of a snapshot, read in pieces: of a box of cells, or of curvilinear blocks of nodes, which follow each other in one row.

#include <cstdint>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/hdf5_file.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::io {

class SnapshotFields {
 public:
  // Error{io} where the file is no snapshot.
  explicit SnapshotFields(const std::string& path);

  const SnapshotSummary& summary() const { return summary_; }
  Index3 n() const;
  std::vector<std::string> names() const;
  bool has(const std::string& name, int component) const;
  // Of cells, or of nodes of the row, in double. Error{io} where a value is not finite.
  std::vector<double> read_box(const std::string& name, int component, const Box& box) const;

 private:
  std::string path_;
  SnapshotSummary summary_;
  Hdf5File file_;
};

}  // namespace watersmeet::io
