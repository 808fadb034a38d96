#include "run/mesh_h5.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "run/atomic_file.hpp"
#include "run/hdf5_file.hpp"
#include "run/vtkhdf.hpp"

namespace watersmeet::run {

namespace {

std::vector<std::int64_t> list_of(const Index3& index) { return {index[0], index[1], index[2]}; }

// Coordinates side by side, as XDMF's geometry XYZ wants them.
std::vector<double> interlaced(const mesh::CurvilinearBlock& block) {
  std::vector<double> xyz(3 * static_cast<std::size_t>(block.count()));
  for (std::size_t p = 0; p < xyz.size() / 3; ++p) {
    for (std::size_t m = 0; m < 3; ++m) xyz[3 * p + m] = block.x[m][p];
  }
  return xyz;
}

void write_patch(Hdf5Group& group, const mesh::BoundaryPatch& patch) {
  group.set("name", patch.name);
  group.set("kind", patch.kind);
  group.set("block", patch.block);
  group.set("face", mesh::face_name(patch.face));
  group.set("begin", list_of(patch.box.lower));
  group.set("end",
            list_of({patch.box.upper[0] - 1, patch.box.upper[1] - 1, patch.box.upper[2] - 1}));
}

}  // namespace

std::string block_group(int block) { return fmt::format("block_{:03}", block); }

void write_mesh_file(const std::string& directory, const mesh::MultiBlockMesh& mesh,
                     const Provenance& provenance) {
  const std::string path = join(directory, mesh_file_name);
  if (std::filesystem::exists(path)) return;
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
    const auto size = [&](std::size_t axis) { return static_cast<std::uint64_t>(block.n[axis]); };
    Hdf5Dataset dataset =
        group.create_dataset("xyz", ElementType::float64, {size(2), size(1), size(0), 3});
    dataset.write(interlaced(block).data(), ElementType::float64);
  }
  Hdf5Group patches = file.root().create_group("patches");
  for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
    Hdf5Group group = patches.create_group(fmt::format("patch_{:03}", p));
    write_patch(group, mesh.patches[p]);
  }
  file.finish();
}

}  // namespace watersmeet::run
