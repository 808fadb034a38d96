// Reading of CGNS files. Indices of the file count from 1, ranges include both ends.

#include "mesh/files/cgns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/validate.hpp"
#include "mesh/files/cgns_file.hpp"

namespace watersmeet::mesh {

namespace {

// The order of people: by characters, but runs of digits by their number.
bool before(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    std::size_t m = i, n = j;
    while (m < a.size() && digit(a[m])) ++m;
    while (n < b.size() && digit(b[n])) ++n;
    if (m - i != n - j) return m - i < n - j;
    const int order = a.compare(i, m - i, b, j, n - j);
    if (order != 0) return order < 0;
    i = m;
    j = n;
  }
  return a.size() - i < b.size() - j;
}

class Reader {
 public:
  Reader(const std::string& path, MultiBlockMesh& mesh, std::vector<std::string>& notes)
      : cgns_(path, CG_MODE_READ), file_(cgns_.number()), mesh_(mesh), notes_(notes) {}

  // Names of the zones, by block.
  std::vector<std::string> read() {
    int bases = 0;
    check(cg_nbases(file_, &bases));
    if (bases != 1) refuse("the file has " + std::to_string(bases) + " bases; one is allowed");
    CgnsName name{};
    check(cg_base_read(file_, 1, name.data(), &cell_dimensions_, &space_dimensions_));
    if (cell_dimensions_ < 2 || cell_dimensions_ > 3) {
      refuse("the cells have " + std::to_string(cell_dimensions_) +
             " dimensions; 2 or 3 are allowed");
    }
    int zones = 0;
    check(cg_nzones(file_, 1, &zones));
    name_zones(zones);
    check(cg_goto(file_, 1, "end"));
    note_length_unit("the base");
    for (int b = 0; b < zones; ++b) read_zone(b);
    for (int b = 0; b < zones; ++b) refuse_general_connections(b);
    for (int b = 0; b < zones; ++b) read_links(b);
    for (int b = 0; b < zones; ++b) read_boundaries(b);
    sort_boundaries();
    return names_;
  }

 private:
  using Range = std::array<cgsize_t, 6>;  // first node, last node

  [[noreturn]] void refuse(const std::string& message) const { cgns_.refuse(message); }
  void check(int status) const { cgns_.check(status); }

  // The library has zones in the order of characters: Zone1, Zone10, Zone2. Blocks follow the
  // numbers in the names.
  void name_zones(int zones) {
    for (int z = 1; z <= zones; ++z) {
      CgnsName name{};
      std::array<cgsize_t, 9> size{};
      check(cg_zone_read(file_, 1, z, name.data(), size.data()));
      names_.push_back(name.data());
      zones_.push_back(z);
    }
    std::stable_sort(zones_.begin(), zones_.end(), [&](int a, int b) {
      return before(names_[static_cast<std::size_t>(a - 1)],
                    names_[static_cast<std::size_t>(b - 1)]);
    });
    std::vector<std::string> sorted;
    for (const int z : zones_) sorted.push_back(names_[static_cast<std::size_t>(z - 1)]);
    names_ = std::move(sorted);
  }
  int zone_of(int block) const { return zones_[static_cast<std::size_t>(block)]; }
  const std::string& name_of(int block) const { return names_[static_cast<std::size_t>(block)]; }

  void read_zone(int b) {
    const int z = zone_of(b);
    CgnsName name{};
    std::array<cgsize_t, 9> size{};
    check(cg_zone_read(file_, 1, z, name.data(), size.data()));
    CGNS_ENUMT(ZoneType_t) type{};
    check(cg_zone_type(file_, 1, z, &type));
    if (type != CGNS_ENUMV(Structured)) {
      refuse(std::string("zone `") + name.data() + "` is not structured");
    }
    Index3 n{1, 1, 1};
    for (int a = 0; a < cell_dimensions_; ++a) n[a] = size[static_cast<std::size_t>(a)];
    CurvilinearBlock block(n);
    const char* const coordinates[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const cgsize_t first[3] = {1, 1, 1};
    for (int m = 0; m < std::min(space_dimensions_, 3); ++m) {
      check(cg_coord_read(file_, 1, z, coordinates[m], CGNS_ENUMV(RealDouble), first, size.data(),
                          block.x[m].data()));
    }
    check(cg_goto(file_, 1, "Zone_t", z, "GridCoordinates_t", 1, "end"));
    note_length_unit(std::string("zone `") + name.data() + "`");
    mesh_.blocks.push_back(std::move(block));
  }

  // A mesh has no units: lengths of a case are those of its coordinates, whatever they are. Files
  // whose zones differ would be taken wrongly.
  void note_length_unit(const std::string& whose) {
    CGNS_ENUMT(MassUnits_t) mass{};
    CGNS_ENUMT(LengthUnits_t) length{};
    CGNS_ENUMT(TimeUnits_t) time{};
    CGNS_ENUMT(TemperatureUnits_t) temperature{};
    CGNS_ENUMT(AngleUnits_t) angle{};
    const int status = cg_units_read(&mass, &length, &time, &temperature, &angle);
    if (status == CG_NODE_NOT_FOUND) return;
    check(status);
    if (length == CGNS_ENUMV(LengthUnitsNull) || length == CGNS_ENUMV(LengthUnitsUserDefined)) {
      return;
    }
    if (length_ == CGNS_ENUMV(LengthUnitsNull)) {
      length_ = length;
      length_of_ = whose;
      notes_.push_back(std::string("coordinates are taken as they are; their unit is ") +
                       LengthUnitsName[length]);
    }
    if (length != length_) {
      refuse(whose + " has lengths in " + LengthUnitsName[length] + ", " + length_of_ + " in " +
             LengthUnitsName[length_] + "; one unit is allowed");
    }
  }

  // What is not one to one by ranges: lists of points, which connect() finds again by coordinates,
  // and meshes that overlap or meet with different nodes, which are not possible here.
  void refuse_general_connections(int block) {
    const int z = zone_of(block);
    int connections = 0;
    check(cg_nconns(file_, 1, z, &connections));
    for (int c = 1; c <= connections; ++c) {
      CgnsName name{}, donor{};
      CGNS_ENUMT(GridLocation_t) location{};
      CGNS_ENUMT(GridConnectivityType_t) type{};
      CGNS_ENUMT(PointSetType_t) set{}, donor_set{};
      CGNS_ENUMT(ZoneType_t) donor_type{};
      CGNS_ENUMT(DataType_t) donor_data{};
      cgsize_t points = 0, donor_points = 0;
      check(cg_conn_info(file_, 1, z, c, name.data(), &location, &type, &set, &points, donor.data(),
                         &donor_type, &donor_set, &donor_data, &donor_points));
      const std::string whose =
          std::string("connection `") + name.data() + "` of zone `" + name_of(block) + "`";
      if (type != CGNS_ENUMV(Abutting1to1)) {
        refuse(whose + " is of type " + GridConnectivityTypeName[type] +
               "; zones must meet node by node (Abutting1to1)");
      }
      notes_.push_back(whose + " is a list of points and was not read: links of faces are found " +
                       "by coordinates");
    }
  }

  int zone_named(const std::string& name, const std::string& whose) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) refuse(whose + " leads to zone `" + name + "`, which is not there");
    return static_cast<int>(found - names_.begin());
  }

  // The nodes of a range and the face they lie on.
  Box box_of(const Range& range, int block, const std::string& whose, Face& face) const {
    const auto d = static_cast<std::size_t>(cell_dimensions_);
    Box box{{0, 0, 0}, {1, 1, 1}};
    int across = 0;
    for (std::size_t a = 0; a < d; ++a) {
      box.lower[a] = std::min(range[a], range[a + d]) - 1;
      box.upper[a] = std::max(range[a], range[a + d]);
      if (box.size(static_cast<int>(a)) != 1) continue;
      ++across;
      face = {static_cast<int>(a), box.lower[a] == 0 ? Side::lower : Side::upper};
    }
    const Index3& n = mesh_.block(block).n;
    const bool on_face =
        across == 1 && (box.lower[face.axis] == 0 || box.upper[face.axis] == n[face.axis]);
    if (!on_face) {
      refuse(whose + ": " + node_box_text(box) +
             " (from 0) is not a rectangle on a face of zone `" + name_of(block) + "`");
    }
    return box;
  }

  void read_links(int block) {
    const int z = zone_of(block);
    int links = 0;
    check(cg_n1to1(file_, 1, z, &links));
    for (int l = 1; l <= links; ++l) {
      CgnsName name{}, donor{};
      Range range{}, donor_range{};
      std::array<int, 3> transform{1, 2, 3};
      check(cg_1to1_read(file_, 1, z, l, name.data(), donor.data(), range.data(),
                         donor_range.data(), transform.data()));
      const std::string whose =
          std::string("connection `") + name.data() + "` of zone `" + name_of(block) + "`";
      NodeLink link;
      link.block = block;
      link.neighbour = zone_named(donor.data(), whose);
      link.box = box_of(range, link.block, whose, link.face);
      link.neighbour_box = box_of(donor_range, link.neighbour, whose, link.neighbour_face);
      for (int a = 0; a < cell_dimensions_; ++a) {
        const int along = transform[static_cast<std::size_t>(a)];
        link.orientation.axis[a] = std::abs(along) - 1;
        link.orientation.sign[a] = along > 0 ? 1 : -1;
      }
      if (!link.orientation.valid()) refuse(whose + ": the transform does not map axes to axes");
      read_period(z, l, whose, link);
      // Most files have each connection in both of its zones.
      const auto same =
          std::find_if(mesh_.links.begin(), mesh_.links.end(), [&](const NodeLink& o) {
            return o.block == link.block && o.face == link.face && o.box == link.box &&
                   o.neighbour == link.neighbour && o.neighbour_box == link.neighbour_box &&
                   o.orientation == link.orientation;
          });
      if (same == mesh_.links.end()) mesh_.add_link(link);
    }
  }

  // The file has the translation in single precision. Where that is exact it is taken, else the
  // distance of a pair of nodes.
  void read_period(int z, int l, const std::string& whose, NodeLink& link) const {
    std::array<float, 3> centre{}, angle{}, shift{};
    const int status =
        cg_1to1_periodic_read(file_, 1, z, l, centre.data(), angle.data(), shift.data());
    if (status == CG_NODE_NOT_FOUND) return;
    check(status);
    if (angle != std::array<float, 3>{}) {
      refuse(whose + " is periodic by rotation, which is not supported");
    }
    const Real3 here = mesh_.block(link.block).at(link.box.lower);
    const Index3 there = link.map().cell(link.box.lower);
    const Real3 across = mesh_.block(link.neighbour).at(there);
    link.shift = difference_of(across, here);
    // A bound of the rounding of two coordinates and their difference, relative to the coordinates.
    constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
    for (std::size_t m = 0; m < 3; ++m) {
      const double written = static_cast<double>(shift[m]);
      const double size = std::max(std::abs(across[m]), std::abs(here[m]));
      if (std::abs(written - link.shift[m]) <= round_off * size) link.shift[m] = written;
    }
  }

  void read_boundaries(int block) {
    const int z = zone_of(block);
    int boundaries = 0;
    check(cg_nbocos(file_, 1, z, &boundaries));
    for (int b = 1; b <= boundaries; ++b) {
      CgnsName name{};
      CGNS_ENUMT(BCType_t) type{};
      CGNS_ENUMT(PointSetType_t) set{};
      CGNS_ENUMT(DataType_t) normals{};
      cgsize_t points = 0, normal_size = 0;
      std::array<int, 3> normal{};
      int datasets = 0;
      check(cg_boco_info(file_, 1, z, b, name.data(), &type, &set, &points, normal.data(),
                         &normal_size, &normals, &datasets));
      const std::string whose =
          std::string("boundary `") + name.data() + "` of zone `" + name_of(block) + "`";
      if (set != CGNS_ENUMV(PointRange) || points != 2 || normal_size != 0) {
        refuse(whose + " must be a point range without a list of normals");
      }
      Range range{};
      check(cg_boco_read(file_, 1, z, b, range.data(), nullptr));
      CGNS_ENUMT(GridLocation_t) location{};
      check(cg_boco_gridlocation_read(file_, 1, z, b, &location));
      if (location != CGNS_ENUMV(Vertex)) {
        range = nodes_of_faces(range, location, whose);
      }
      BoundaryPatch patch;
      patch.block = block;
      patch.name = name.data();
      patch.box = box_of(range, patch.block, whose, patch.face);
      type = of_family(z, b, type, patch.name, whose);
      patch.kind = kind_of_cgns(type);
      if (patch.kind.empty()) {
        refuse(whose + " on " + rectangle_text(mesh_, block, patch.face, patch.box) +
               ": the type " + BCTypeName[type] +
               " has no counterpart; use walls, symmetry planes, far fields, in- and outflows, "
               "given states");
      }
      if (is_viscous(type) &&
          std::find(viscous_.begin(), viscous_.end(), patch.name) == viscous_.end()) {
        viscous_.push_back(patch.name);
        notes_.push_back("viscous wall `" + patch.name + "` is taken for a slip wall");
      }
      mesh_.patches.push_back(patch);
    }
  }

  // The nodes around a range of faces of cells, which are counted from 1 too: faces of one layer of
  // nodes have its number, and one is less than the nodes along the other axes.
  Range nodes_of_faces(Range range, CGNS_ENUMT(GridLocation_t) location,
                       const std::string& whose) const {
    const CGNS_ENUMT(GridLocation_t)
        centres[] = {CGNS_ENUMV(IFaceCenter), CGNS_ENUMV(JFaceCenter), CGNS_ENUMV(KFaceCenter)};
    const auto d = static_cast<std::size_t>(cell_dimensions_);
    const auto along = static_cast<std::size_t>(
        std::find(std::begin(centres), std::end(centres), location) - std::begin(centres));
    if (along >= d) {
      refuse(whose + " is given at " + GridLocationName[location] +
             "; vertices or centres of faces (IFaceCenter, ...) are allowed");
    }
    for (std::size_t a = 0; a < d; ++a) {
      if (a != along) ++(range[a] > range[a + d] ? range[a] : range[a + d]);
    }
    return range;
  }

  // The family of a boundary gives it its name, and its type where it has none itself.
  CGNS_ENUMT(BCType_t)
  of_family(int z, int b, CGNS_ENUMT(BCType_t) type, std::string& name,
            const std::string& whose) const {
    CgnsName family{};
    check(cg_goto(file_, 1, "Zone_t", z, "ZoneBC_t", 1, "BC_t", b, "end"));
    const int status = cg_famname_read(family.data());
    if (status == CG_OK) name = family.data();
    if (type != CGNS_ENUMV(FamilySpecified)) return type;
    if (status != CG_OK) refuse(whose + " refers to a family, but names none");
    int families = 0;
    check(cg_nfamilies(file_, 1, &families));
    for (int f = 1; f <= families; ++f) {
      CgnsName found{}, condition{};
      int conditions = 0, geometries = 0;
      check(cg_family_read(file_, 1, f, found.data(), &conditions, &geometries));
      if (name != found.data()) continue;
      if (conditions == 0) refuse(whose + ": family `" + name + "` has no boundary condition");
      check(cg_fambc_read(file_, 1, f, 1, condition.data(), &type));
      return type;
    }
    refuse(whose + ": there is no family `" + name + "`");
  }

  // Boundaries are listed zone by zone; a case lists them by name, in the order of the families.
  void sort_boundaries() {
    std::vector<std::string> families;
    int count = 0;
    check(cg_nfamilies(file_, 1, &count));
    for (int f = 1; f <= count; ++f) {
      CgnsName found{};
      int conditions = 0, geometries = 0;
      check(cg_family_read(file_, 1, f, found.data(), &conditions, &geometries));
      families.push_back(found.data());
    }
    const auto place = [&](const BoundaryPatch& patch) {
      return std::find(families.begin(), families.end(), patch.name) - families.begin();
    };
    std::stable_sort(
        mesh_.patches.begin(), mesh_.patches.end(),
        [&](const BoundaryPatch& a, const BoundaryPatch& b) { return place(a) < place(b); });
  }

  CgnsFile cgns_;
  int file_;
  MultiBlockMesh& mesh_;
  std::vector<std::string>& notes_;
  int cell_dimensions_ = 3, space_dimensions_ = 3;
  std::vector<int> zones_;          // of each block, in the library's count
  std::vector<std::string> names_;  // of each block
  std::vector<std::string> viscous_;
  CGNS_ENUMT(LengthUnits_t) length_ = CGNS_ENUMV(LengthUnitsNull);
  std::string length_of_;  // where that unit was found
};

}  // namespace

std::vector<std::string> read_cgns(const std::string& path, MultiBlockMesh& mesh,
                                   std::vector<std::string>& notes) {
  return Reader(path, mesh, notes).read();
}

}  // namespace watersmeet::mesh
