#pragma once
// The generators by name, with their keys: what `watersmeet mesh --list` shows, what a mesh file
// may say, and the one place where keys become a mesh.

#include <string>
#include <vector>

#include "config/input.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// `default_text` of the key is what this generator takes when the key is not given; empty: the
// generator decides, as the help says.
struct GeneratorHelp {
  std::string name;               // "naca4"
  std::string sentence;           // "around a NACA four-digit section"
  std::vector<config::Key> keys;  // their paths are bare names, "digits"
};
const std::vector<GeneratorHelp>& all_generators();
std::vector<std::string> generator_names();

// The keys of all generators for a schema, each under `prefix` ("mesh."), without defaults, beside
// the choice prefix + "kind".
std::vector<config::Key> generator_keys(const std::string& prefix);

// The mesh that the checked input describes. Keys that the kind does not have and lists of the
// wrong length are faults of the input, and then the mesh is empty. Throws user_input when the
// numbers do not give a valid mesh.
MultiBlockMesh generate(config::Input& input, const std::string& prefix);

}  // namespace watersmeet::mesh
