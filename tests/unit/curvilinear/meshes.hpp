#pragma once
// Small meshes made by hand for the tests: boxes of equal cells, in 2-D and 3-D.

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/validate.hpp"

namespace watersmeet::mesh {

// Nodes lower + spacing * index.
inline CurvilinearBlock box_block(const Index3& nodes, const Real3& lower,
                                  const Real3& spacing = {1, 1, 1}) {
  CurvilinearBlock block(nodes);
  for_each_node(block.nodes(), [&](const Index3& node) {
    Real3 p{};
    for (std::size_t m = 0; m < 3; ++m) {
      p[m] = lower[m] + static_cast<double>(node[m]) * spacing[m];
    }
    block.set(node, p);
  });
  return block;
}

// Gives every open face the boundary `name`.
inline void close_faces(MultiBlockMesh& mesh, const std::string& name = "outer") {
  for (const OpenFace& open : open_faces(mesh)) {
    mesh.patches.push_back({name, "farfield", open.block, open.face, open.box});
  }
}

// Whether some message has all the words.
inline bool says(const std::vector<std::string>& messages,
                 std::initializer_list<const char*> words) {
  for (const std::string& message : messages) {
    bool all = true;
    for (const char* word : words) all = all && message.find(word) != std::string::npos;
    if (all) return true;
  }
  return false;
}

inline std::string joined(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) text += message + "\n";
  return text;
}

}  // namespace watersmeet::mesh
