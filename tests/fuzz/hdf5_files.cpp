// Files of HDF5: tables of a case, checkpoints, snapshots.
#include <unistd.h>

#include "io/checkpoint.hpp"
#include "io/provenance.hpp"
#include "io/seal.hpp"
#include "io/snapshot.hpp"
#include "io/table_file.hpp"
#include "targets.hpp"

namespace watersmeet::fuzz {

void table(std::string_view bytes) {
  const std::string name = file_of(bytes, "table.nc");
  answered_apart([&] {
    for (const char* const field : {"bed", "group/bed", "speed"})
      answered([&] { io::read_table({name, field, std::nullopt, {}}); });
    io::read_table({name, "wind", 1, {0, 2}});
  });
}

// The seal at the end of a checkpoint detects accidents; whoever means harm makes a new one. Half of the inputs are tried as they are.
void checkpoint(std::string_view bytes) {
  const std::string name = file_of(bytes, "checkpoint_000001.h5");
  if (bytes.empty() || (bytes.back() & 1) == 1) return answered([&] { io::check_seal(name); });
  answered_apart([&] {
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
}

void snapshot(std::string_view bytes) {
  const std::string name = file_of(bytes, "fields_000001.vtkhdf");
  answered_apart([&] {
    answered([&] { io::read_snapshot_summary(name); });
    io::read_provenance(name);
  });
}

}  // namespace watersmeet::fuzz
