#include "mesh/files/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace watersmeet::mesh {

namespace {

using namespace std::literals;

constexpr std::string_view hdf5 = "an HDF5 file", adf = "an ADF file";

constexpr std::array signatures = {
    std::pair{"\x89HDF\r\n\x1a\n"sv, hdf5},
    std::pair{"@(#)ADF Database Version"sv, adf},
    std::pair{"CDF"sv, "a classic netCDF file"sv},
    std::pair{"\x1f\x8b"sv, "a gzip archive"sv},
    std::pair{"BZh"sv, "a bzip2 archive"sv},
    std::pair{"\xfd"
              "7zXZ"sv,
              "an xz archive"sv},
    std::pair{"PK\x03\x04"sv, "a zip archive"sv},
    std::pair{"\x89PNG"sv, "a PNG picture"sv},
    std::pair{"%PDF"sv, "a PDF document"sv},
    std::pair{"solid"sv, "an STL surface"sv},
    std::pair{"$MeshFormat"sv, "a Gmsh mesh"sv},
    std::pair{"# vtk DataFile"sv, "a legacy VTK file"sv},
    std::pair{"<?xml"sv, "an XML file"sv},
    std::pair{"<VTKFile"sv, "a VTK XML file"sv},
    std::pair{"NDIME"sv, "an SU2 mesh"sv},
    std::pair{"[mesh]"sv, "a mesh file in TOML, whose name ends in .toml,"sv},
    std::pair{"[case]"sv, "a case file"sv},
};

}  // namespace

std::string kind_of_file(std::string_view content) {
  for (const auto& [begin, kind] : signatures) {
    if (content.substr(0, begin.size()) == begin) return std::string(kind);
  }
  std::string head(content.substr(0, file_kind_bytes));
  if (head.find('\0') != std::string::npos) return "";
  std::transform(head.begin(), head.end(), head.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const bool map = head.find("ONE_TO_ONE") != std::string::npos ||
                   head.find("ONE-TO-ONE") != std::string::npos ||
                   head.find("NEUTRAL MAP FILE") != std::string::npos;
  return map ? "a neutral map file (NMF)" : "";
}

bool may_be_cgns(const std::string& kind) { return kind == hdf5 || kind == adf; }

}  // namespace watersmeet::mesh
