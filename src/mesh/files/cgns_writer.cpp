// Writing of CGNS files (version of the library's own choice, in HDF5): one base, a zone a block,
// links as GridConnectivity1to1_t in both of their zones, patches as BC_t by ranges of vertices.
// The family of a boundary carries its name, which several patches may share.

#include <algorithm>

#include "core/error.hpp"
#include "mesh/files/cgns.hpp"
#include "mesh/files/cgns_file.hpp"

namespace watersmeet::mesh {

namespace {

// First node and last node, d numbers each, counted from 1.
using Range = std::array<cgsize_t, 6>;

// Blocks have the numbers that messages call them by.
std::string zone_name(int block) { return "Block" + std::to_string(block); }

class Writer {
 public:
  Writer(const std::string& path, const MultiBlockMesh& mesh)
      : cgns_(path, CG_MODE_WRITE), file_(cgns_.number()), mesh_(mesh), d_(mesh.dimensions()) {}

  void write(const std::string& about) {
    check(cg_base_write(file_, "Base", d_, d_, &base_));
    check(cg_goto(file_, base_, "end"));
    // Lengths are multiples of one that the mesh does not know.
    check(cg_dataclass_write(CGNS_ENUMV(NormalizedByUnknownDimensional)));
    if (!about.empty()) check(cg_descriptor_write("About", about.c_str()));
    write_families();
    const int blocks = static_cast<int>(mesh_.blocks.size());
    for (int b = 0; b < blocks; ++b) write_zone(b);
    for (int b = 0; b < blocks; ++b) write_links(b);
    for (int b = 0; b < blocks; ++b) write_patches(b);
    cgns_.close();
  }

 private:
  void check(int status) const { cgns_.check(status); }

  void write_families() {
    for (const std::string& name : mesh_.patch_names()) {
      const auto patch = std::find_if(mesh_.patches.begin(), mesh_.patches.end(),
                                      [&](const BoundaryPatch& p) { return p.name == name; });
      int family = 0, condition = 0;
      check(cg_family_write(file_, base_, name.c_str(), &family));
      check(
          cg_fambc_write(file_, base_, family, "FamBC", cgns_type_of(patch->kind, d_), &condition));
    }
  }

  void write_zone(int b) {
    const CurvilinearBlock& block = mesh_.block(b);
    std::array<cgsize_t, 9> size{};  // vertices, cells, and what only unstructured zones have
    for (int a = 0; a < d_; ++a) {
      size[static_cast<std::size_t>(a)] = static_cast<cgsize_t>(block.n[a]);
      size[static_cast<std::size_t>(a + d_)] = static_cast<cgsize_t>(block.n[a] - 1);
    }
    int zone = 0, number = 0;
    check(cg_zone_write(file_, base_, zone_name(b).c_str(), size.data(), CGNS_ENUMV(Structured),
                        &zone));
    zones_.push_back(zone);
    const char* const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    for (int m = 0; m < d_; ++m) {
      check(cg_coord_write(file_, base_, zone, CGNS_ENUMV(RealDouble), names[m],
                           block.x[static_cast<std::size_t>(m)].data(), &number));
    }
  }

  Range range_of(const Index3& first, const Index3& last) const {
    Range range{};
    for (int a = 0; a < d_; ++a) {
      range[static_cast<std::size_t>(a)] = static_cast<cgsize_t>(first[a] + 1);
      range[static_cast<std::size_t>(a + d_)] = static_cast<cgsize_t>(last[a] + 1);
    }
    return range;
  }
  static Index3 last_of(const Box& box) {
    return {box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1};
  }

  void write_links(int b) {
    int count = 0, number = 0;
    for (const NodeLink& link : mesh_.links) {
      if (link.block != b) continue;
      const Index3 first = link.box.lower, last = last_of(link.box);
      const Range range = range_of(first, last);
      // The ends of the donor's range are where the ends of the range go, so that it may run down.
      const IndexMap map = link.map();
      const Range donor = range_of(map.cell(first), map.cell(last));
      std::array<int, 3> transform{};
      for (int a = 0; a < d_; ++a) {
        transform[static_cast<std::size_t>(a)] =
            link.orientation.sign[a] * (link.orientation.axis[a] + 1);
      }
      const int zone = zones_[static_cast<std::size_t>(b)];
      check(cg_1to1_write(file_, base_, zone, ("Link" + std::to_string(++count)).c_str(),
                          zone_name(link.neighbour).c_str(), range.data(), donor.data(),
                          transform.data(), &number));
      if (!link.periodic()) continue;
      const float none[3] = {0, 0, 0};
      float shift[3];
      for (std::size_t m = 0; m < 3; ++m) shift[m] = static_cast<float>(link.shift[m]);
      check(cg_1to1_periodic_write(file_, base_, zone, number, none, none, shift));
    }
  }

  void write_patches(int b) {
    std::vector<std::string> names;  // that the zone has already
    for (const BoundaryPatch& patch : mesh_.patches) {
      if (patch.block != b) continue;
      std::string name = patch.name;
      for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n) {
        const std::string end = "-" + std::to_string(n);
        name = patch.name.substr(0, cgns_name_length - end.size()) + end;
      }
      names.push_back(name);
      const Range range = range_of(patch.box.lower, last_of(patch.box));
      const int zone = zones_[static_cast<std::size_t>(b)];
      int number = 0;
      check(cg_boco_write(file_, base_, zone, name.c_str(), cgns_type_of(patch.kind, d_),
                          CGNS_ENUMV(PointRange), 2, range.data(), &number));
      check(cg_goto(file_, base_, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", number, "end"));
      check(cg_famname_write(patch.name.c_str()));
    }
  }

  CgnsFile cgns_;
  int file_, base_ = 0;
  const MultiBlockMesh& mesh_;
  int d_;
  std::vector<int> zones_;  // of each block, in the library's count
};

}  // namespace

void write_cgns(const std::string& path, const MultiBlockMesh& mesh, const std::string& about) {
  for (const std::string& name : mesh.patch_names()) {
    if (!name.empty() && name.size() <= cgns_name_length && name.find('/') == name.npos) continue;
    throw Error(ErrorKind::user_input,
                "boundary `" + name + "` has a name that CGNS files cannot hold: 1 to " +
                    std::to_string(cgns_name_length) + " characters without / are allowed");
  }
  Writer(path, mesh).write(about);
}

}  // namespace watersmeet::mesh
