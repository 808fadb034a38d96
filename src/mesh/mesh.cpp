// Construction of a mesh: sorts the links so that those of one face are a span, and tells each
// block which of its axes lead to other cells.

#include "mesh/mesh.hpp"

#include <algorithm>
#include <tuple>

#include "core/error.hpp"

namespace watersmeet::mesh {

namespace {

std::size_t face_number(int block, Face face) {
  return static_cast<std::size_t>(6 * block + 2 * face.axis + static_cast<int>(face.side));
}

bool leads_to_other_cell(const Link& link) {
  return link.neighbour != link.block || !link.orientation.identity() ||
         link.neighbour_box != link.box;
}

}  // namespace

Mesh::Mesh(std::vector<Block> blocks, std::vector<Link> links, Uniform geometry)
    : blocks_(std::move(blocks)), links_(std::move(links)), geometry_(geometry) {
  const std::vector<std::string> faults = validate(blocks_, links_);
  if (!faults.empty()) {
    std::string message = "the mesh is not valid:";
    for (const std::string& fault : faults) message += "\n  " + fault;
    throw Error(ErrorKind::user_input, message);
  }

  std::sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) {
    const auto number_a = face_number(a.block, a.face);
    const auto number_b = face_number(b.block, b.face);
    return std::tie(number_a, a.box.lower) < std::tie(number_b, b.box.lower);
  });
  first_link_.assign(6 * blocks_.size() + 1, 0);
  for (const Link& link : links_) ++first_link_[face_number(link.block, link.face) + 1];
  for (std::size_t f = 1; f < first_link_.size(); ++f) first_link_[f] += first_link_[f - 1];

  for (Block& block : blocks_) block.leads_on = {false, false, false};
  for (const Link& link : links_) {
    if (leads_to_other_cell(link)) {
      blocks_[static_cast<std::size_t>(link.block)].leads_on[link.face.axis] = true;
    }
  }
}

std::span<const Link> Mesh::links(int block, Face face) const {
  const std::size_t f = face_number(block, face);
  return {links_.data() + first_link_[f], first_link_[f + 1] - first_link_[f]};
}

}  // namespace watersmeet::mesh
