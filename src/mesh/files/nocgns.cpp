// A build without the CGNS library.

#include "core/error.hpp"
#include "mesh/files/cgns.hpp"

namespace watersmeet::mesh {

void read_cgns(const std::string& path, MultiBlockMesh&, std::vector<std::string>&) {
  throw Error(ErrorKind::unsupported,
              "`" + path +
                  "`: this program was built without the CGNS library; build it where "
                  "libcgns-dev is installed, or convert the mesh to Plot3D");
}

}  // namespace watersmeet::mesh
