// fields.xmf. Source: the XDMF 3 model; the particular spelling (root Version 3.0 without DOCTYPE,
// Dimensions of points in z y x order, one 3-D array per step, no HyperSlab) is what both XDMF
// readers of ParaView 5.11 were found to accept.
#include "io/xdmf.hpp"

#include <fmt/format.h>

#include <string_view>

#include "io/atomic_file.hpp"
#include "io/mesh_h5.hpp"

namespace watersmeet::io {
namespace {

std::string escaped(const std::string& text) {
  constexpr std::string_view characters = "&<>\"";
  constexpr const char* entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  std::string safe;
  for (const char c : text) {
    const std::size_t at = characters.find(c);
    safe += at == std::string_view::npos ? std::string(1, c) : entities[at];
  }
  return safe;
}

const char* attribute_type(int components) {
  return components == 1   ? "Scalar"
         : components == 3 ? "Vector"
         : components == 6 ? "Tensor6"
         : components == 9 ? "Tensor"
                           : "Matrix";
}

// The fields of a grid: n values along each axis, in a group of the snapshot.
std::string attributes_text(const SnapshotSummary& s, const Index3& n, const char* centre,
                            const std::string& group, int indent) {
  std::string text;
  for (const FieldSummary& field : s.fields) {
    const std::string trailing =
        field.components > 1 ? fmt::format(" {}", field.components) : std::string();
    text += fmt::format(
        "{0:{1}}<Attribute Name=\"{2}\" AttributeType=\"{3}\" Center=\"{4}\">\n"
        "{0:{1}}  <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"{5}\" "
        "Dimensions=\"{6} {7} {8}{9}\">{10}:/{11}/{2}</DataItem>\n"
        "{0:{1}}</Attribute>\n",
        "", indent, escaped(field.name), attribute_type(field.components), centre,
        size_of(field.precision), n[2], n[1], n[0], trailing, escaped(s.file), group);
  }
  return text;
}

// The blocks of one time: a collection of curvilinear grids, whose coordinates the mesh file has.
// Values stand at nodes, or in the cells between them. Blocks of a plane have one layer of nodes.
std::string blocks_text(const SnapshotSummary& s) {
  std::string text = fmt::format(
      "      <Grid Name=\"step {}\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
      "        <Time Value=\"{:.17g}\"/>\n",
      s.step, s.time);
  for (std::size_t b = 0; b < s.blocks.size(); ++b) {
    const Index3& n = s.blocks[b];
    const std::string group = block_group(static_cast<int>(b));
    const auto nodes = [&](std::size_t a) {
      return n[a] + (s.values_in_cells && n[a] > 1 ? 1 : 0);
    };
    const std::string node_size = fmt::format("{} {} {}", nodes(2), nodes(1), nodes(0));
    text += fmt::format(
        "        <Grid Name=\"{0}\" GridType=\"Uniform\">\n"
        "          <Topology TopologyType=\"3DSMesh\" Dimensions=\"{1}\"/>\n"
        "          <Geometry GeometryType=\"XYZ\">\n"
        "            <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" "
        "Dimensions=\"{1} 3\">{2}:/blocks/{0}/xyz</DataItem>\n"
        "          </Geometry>\n",
        group, node_size, mesh_file_name);
    text += attributes_text(s, n, s.values_in_cells ? "Cell" : "Node", "blocks/" + group, 10);
    text += "        </Grid>\n";
  }
  return text + "      </Grid>\n";
}

// Uneven cells: the faces along x, y and z, which are in the snapshot.
std::string rectilinear_text(const SnapshotSummary& s) {
  std::string text = fmt::format(
      "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"{} {} {}\"/>\n"
      "        <Geometry GeometryType=\"VXVYVZ\">\n",
      s.n[2] + 1, s.n[1] + 1, s.n[0] + 1);
  for (std::size_t a = 0; a < 3; ++a) {
    text += fmt::format(
        "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" "
        "Dimensions=\"{}\">{}:/{}_faces</DataItem>\n",
        s.n[a] + 1, escaped(s.file), "xyz"[a]);
  }
  return text + "        </Geometry>\n";
}

// Levels that follow the terrain.
std::string moved_text(const SnapshotSummary& s) {
  return fmt::format(
      "        <Topology TopologyType=\"3DSMesh\" Dimensions=\"{0} {1} {2}\"/>\n"
      "        <Geometry GeometryType=\"XYZ\">\n"
      "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" "
      "Dimensions=\"{0} {1} {2} 3\">{3}:/blocks/{4}/xyz</DataItem>\n"
      "        </Geometry>\n",
      s.n[2] + 1, s.n[1] + 1, s.n[0] + 1, mesh_file_name, block_group(0));
}

std::string uniform_text(const SnapshotSummary& s) {
  return fmt::format(
      "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n"
      "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
      "          <DataItem Format=\"XML\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"3\">"
      "{:.17g} {:.17g} {:.17g}</DataItem>\n"
      "          <DataItem Format=\"XML\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"3\">"
      "{:.17g} {:.17g} {:.17g}</DataItem>\n"
      "        </Geometry>\n",
      s.n[2] + 1, s.n[1] + 1, s.n[0] + 1, s.origin[2], s.origin[1], s.origin[0], s.spacing[2],
      s.spacing[1], s.spacing[0]);
}

std::string grid_text(const SnapshotSummary& s) {
  if (!s.blocks.empty()) return blocks_text(s);
  std::string text = fmt::format(
      "      <Grid Name=\"step {}\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{:.17g}\"/>\n",
      s.step, s.time);
  text += s.moved_corners ? moved_text(s) : uneven(s) ? rectilinear_text(s) : uniform_text(s);
  text += attributes_text(s, s.n, "Cell", "VTKHDF/CellData", 8);
  return text + "      </Grid>\n";
}

}  // namespace

void write_xdmf(const std::string& directory, const std::vector<SnapshotSummary>& snapshots,
                const std::string& kind) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<Xdmf Version=\"3.0\">\n"
      "  <Domain>\n"
      "    <Grid Name=\"" +
      kind + "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const SnapshotSummary& snapshot : snapshots) text += grid_text(snapshot);
  text += "    </Grid>\n  </Domain>\n</Xdmf>\n";
  write_text_file(join(directory, kind + ".xmf"), text);
}

}  // namespace watersmeet::io
