#pragma once
// Private to the snapshot and series writers: the parts of the VTKHDF + CF layout both files share.

#include <map>

#include "io/hdf5_file.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::io {

// Group /VTKHDF of type ImageData with its attributes, and the group CellData in it.
struct VtkGroups {
  Hdf5Group root;
  Hdf5Group cells;
};
VtkGroups create_image_groups(Hdf5File& file, const SnapshotSummary& snapshot);

// Dimension scales x, y, z (cell centres), in the root of the file, and one per number of
// components as needed; on uneven cells x_faces, y_faces and z_faces as well.
class CoordinateScales {
 public:
  CoordinateScales(Hdf5File& file, const SnapshotSummary& snapshot);
  // Attaches the scales to an array (z, y, x[, component]) whose axis z is number first_axis, names
  // the field with CF attributes and gives it the second name /NAME.
  void dress(Hdf5File& file, Hdf5Dataset& dataset, const FieldSummary& field, int first_axis);

 private:
  Hdf5Dataset scale(Hdf5File& file, const std::string& name, const SnapshotSummary& snapshot,
                    int axis);
  static void write_faces(Hdf5File& file, const SnapshotSummary& snapshot, std::size_t axis);
  Hdf5Dataset x_, y_, z_;
  std::map<int, Hdf5Dataset> components_;
};

// Attributes of the root that CF asks for, of those that are known.
void write_cf_attributes(Hdf5File& file, const Provenance& provenance);

// The group /run: where the file comes from, and the numbers of the snapshot and of its run.
void write_run(Hdf5File& file, const Provenance& provenance, const SnapshotSummary& snapshot,
               double dt, double wall, const std::map<std::string, double>& numbers);

// A field of n cells as the file describes it. Error{io} where it has another size than `whose`.
FieldSummary read_field(const Hdf5Group& group, const std::string& name, const Index3& n,
                        const std::string& path, const char* whose);

// Marks the first scalar and the first vector as the arrays shown by default (VTKHDF 2.6, ignored
// by older readers).
void mark_default_array(Hdf5Dataset& dataset, const FieldSummary& field,
                        const std::vector<FieldSummary>& fields);

}  // namespace watersmeet::io
