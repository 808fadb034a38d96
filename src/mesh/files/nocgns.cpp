// A build without the CGNS library.

#include "core/error.hpp"
#include "mesh/files/cgns.hpp"

namespace watersmeet::mesh {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& instead) {
  throw Error(ErrorKind::unsupported, what + ": this program was built without the CGNS library; " +
                                          "build it where libcgns-dev is installed, or " + instead);
}

}  // namespace

std::vector<std::string> read_cgns(const std::string& path, MultiBlockMesh&,
                                   std::vector<std::string>&) {
  refuse("`" + path + "`", "convert the mesh to Plot3D");
}

void write_cgns(const std::string&, const MultiBlockMesh&, const std::string&) {
  refuse("CGNS files cannot be written", "write Plot3D: --output NAME without an ending");
}

}  // namespace watersmeet::mesh
