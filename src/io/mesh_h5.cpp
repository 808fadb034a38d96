#include "io/mesh_h5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/vtkhdf.hpp"

namespace watersmeet::io {

namespace {

std::vector<std::int64_t> list_of(const Index3& index) { return {index[0], index[1], index[2]}; }

void write_patch(Hdf5Group& group, const mesh::BoundaryPatch& patch) {
  group.set("name", patch.name);
  group.set("kind", patch.kind);
  group.set("block", patch.block);
  group.set("face", mesh::face_name(patch.face));
  group.set("begin", list_of(patch.box.lower));
  group.set("end",
            list_of({patch.box.upper[0] - 1, patch.box.upper[1] - 1, patch.box.upper[2] - 1}));
}

// Coordinates are those of a file when they differ by no more than another compiler's rounding.
constexpr double rounding = 1e-12;

void refuse_another(const std::string& path, const mesh::MultiBlockMesh& mesh) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::user_input,
                fmt::format("the mesh is not the one that this run began with, {}: {}. A run keeps "
                            "its mesh; to use another one, start a new run",
                            path, what));
  };
  const Hdf5File file = Hdf5File::open(path);
  const Hdf5Group blocks = file.root().open_group("blocks");
  const std::size_t count = blocks.names().size();
  if (count != mesh.blocks.size()) {
    refuse(fmt::format("it had {} blocks, and the case now has {}", count, mesh.blocks.size()));
  }
  for (std::size_t b = 0; b < count; ++b) {
    const mesh::CurvilinearBlock& block = mesh.blocks[b];
    const Hdf5Dataset dataset =
        blocks.open_group(block_group(static_cast<int>(b))).open_dataset("xyz");
    if (dataset.extents() != extents_of(block.n, 3))
      refuse(fmt::format("block {} now has other numbers of nodes", b));
    const std::vector<double> here = interlaced(block);
    std::vector<double> there(here.size());
    dataset.read(there.data(), ElementType::float64);
    double largest = 0;
    for (const double x : here) largest = std::max(largest, std::abs(x));
    for (std::size_t p = 0; p < here.size(); ++p) {
      if (std::abs(here[p] - there[p]) <= rounding * largest) continue;
      const std::size_t first = p - p % 3;
      refuse(fmt::format("a node of block {} was at {} and is now at {}", b,
                         mesh::point_text({there[first], there[first + 1], there[first + 2]}),
                         mesh::point_text({here[first], here[first + 1], here[first + 2]})));
    }
  }
}

}  // namespace

std::vector<double> interlaced(const mesh::CurvilinearBlock& block) {
  std::vector<double> xyz(3 * static_cast<std::size_t>(block.count()));
  for (std::size_t p = 0; p < xyz.size() / 3; ++p) {
    for (std::size_t m = 0; m < 3; ++m) xyz[3 * p + m] = block.x[m][p];
  }
  return xyz;
}

std::string block_group(int block) { return fmt::format("block_{:03}", block); }

void write_mesh_file(const std::string& directory, const mesh::MultiBlockMesh& mesh,
                     const Provenance& provenance) {
  const std::string path = join(directory, mesh_file_name);
  if (std::filesystem::exists(path)) return refuse_another(path, mesh);
  std::uint64_t bytes = 0;
  for (const mesh::CurvilinearBlock& block : mesh.blocks) {
    bytes += room_for(3 * sizeof(double) * static_cast<std::uint64_t>(block.count()));
  }
  Hdf5File file = Hdf5File::create(path, bytes);
  write_cf_attributes(file, provenance);
  file.root().set("dimensions", mesh.dimensions());
  Hdf5Group blocks = file.root().create_group("blocks");
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::CurvilinearBlock& block = mesh.blocks[b];
    Hdf5Group group = blocks.create_group(block_group(static_cast<int>(b)));
    Hdf5Dataset dataset = group.create_dataset("xyz", ElementType::float64, extents_of(block.n, 3));
    dataset.write(interlaced(block).data(), ElementType::float64);
  }
  Hdf5Group patches = file.root().create_group("patches");
  for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
    Hdf5Group group = patches.create_group(fmt::format("patch_{:03}", p));
    write_patch(group, mesh.patches[p]);
  }
  file.finish();
}

}  // namespace watersmeet::io
