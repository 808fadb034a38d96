#pragma once
// The fields of a snapshot, read in pieces: of a box of cells, of the panels of a sphere, which are stacked along z, or of curvilinear blocks of
// nodes, which follow each other in one row.

#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/hdf5_file.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::io {

class SnapshotFields {
 public:
  // Error{io} where the file is no snapshot, or its panels are no stack.
  explicit SnapshotFields(const std::string& path);

  const SnapshotSummary& summary() const { return summary_; }
  Index3 n() const;
  std::vector<std::string> names() const;
  bool has(const std::string& name, int component) const;
  // Values of cells, of cells of the stack, or of nodes of the row, in double. Error{io} where a value is not finite.
  std::vector<double> read_box(const std::string& name, int component, const Box& box) const;

 private:
  std::vector<double> read_planes(const std::string& name, int component, bool is_vector,
                                  const Box& box) const;
  std::string path_;
  SnapshotSummary summary_;
  Hdf5File file_;
};

}  // namespace watersmeet::io
