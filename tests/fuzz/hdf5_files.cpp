// Files of HDF5: tables of a case, checkpoints, snapshots.
#include "apart.hpp"
#include "io/checkpoint.hpp"
#include "io/provenance.hpp"
#include "io/seal.hpp"
#include "io/snapshot.hpp"
#include "io/table_file.hpp"
#include "targets.hpp"

namespace watersmeet::fuzz {

void table(std::string_view bytes) {
  static ReadApart apart([] {
    for (const char* const field : {"bed", "group/bed", "speed"})
      answered([&] { io::read_table({"table.nc", field, std::nullopt, {}}); });
    io::read_table({"table.nc", "wind", 1, {0, 2}});
  });
  file_of(bytes, "table.nc");
  apart.answer();
}

// The seal at the end of a checkpoint detects accidents; whoever means harm makes a new one. Half of the inputs are tried as they are.
void checkpoint(std::string_view bytes) {
  static const std::string name = "checkpoint_000001.h5";
  static ReadApart apart([] {
    io::seal_file(name, {});
    io::CheckpointReader reader(name);
    reader.verify();
    const Index3 n = reader.n();
    for (const std::string& array : reader.names()) {
      std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
      reader.read(array, Precision::double_, values.data());
    }
    io::read_provenance(name);
  });
  file_of(bytes, name);
  if (bytes.empty() || (bytes.back() & 1) == 1) return answered([&] { io::check_seal(name); });
  apart.answer();
}

void snapshot(std::string_view bytes) {
  static const std::string name = "fields_000001.vtkhdf";
  static ReadApart apart([] {
    answered([&] { io::read_snapshot_summary(name); });
    io::read_provenance(name);
  });
  file_of(bytes, name);
  apart.answer();
}

}  // namespace watersmeet::fuzz
