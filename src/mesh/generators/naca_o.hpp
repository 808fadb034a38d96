#pragma once
// O meshes around a section by the Karman-Trefftz map; see naca4.hpp.

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/generators/naca_section.hpp"

namespace watersmeet::mesh {

MultiBlockMesh naca_o_mesh(const NacaSection& section, std::int64_t around, std::int64_t outward,
                           double far);

}  // namespace watersmeet::mesh
