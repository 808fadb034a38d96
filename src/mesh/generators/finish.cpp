#include "mesh/generators/finish.hpp"

#include "core/error.hpp"
#include "mesh/curvilinear/connect.hpp"

namespace watersmeet::mesh {

void demand(bool condition, const std::string& name, const std::string& message) {
  if (!condition) throw Error(ErrorKind::user_input, "mesh " + name + ": " + message);
}

void finish(MultiBlockMesh& mesh, const std::string& generator, const std::vector<Real3>& periods) {
  make_right_handed(mesh);
  ConnectOptions options;
  options.periods = periods;
  const std::vector<std::string> faults = connect(mesh, options);
  demand(faults.empty(), generator, faults.empty() ? "" : faults.front());
  require_valid(mesh, "mesh " + generator);
}

}  // namespace watersmeet::mesh
