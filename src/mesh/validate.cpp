// Faults of a mesh, all of them, as messages that name block, face and box.

#include <map>

#include "mesh/box_algebra.hpp"
#include "mesh/mesh.hpp"

namespace watersmeet::mesh {

namespace {

std::string count_text(const Index3& n) {
  return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
}

std::string describe(int block, Face face, const Box& box) {
  return "block " + std::to_string(block) + ", " + to_text(face) + ", box " + to_text(box);
}

std::string describe(const Link& link) {
  return "link from " + describe(link.block, link.face, link.box) + " to " +
         describe(link.neighbour, link.neighbour_face, link.neighbour_box);
}

bool legal(Face face) {
  return face.axis >= 0 && face.axis <= 2 && (face.side == Side::lower || face.side == Side::upper);
}

// Faults that make it pointless to look further at the link: numbers out of range.
std::string wrong_numbers(const Link& link, std::size_t number, std::size_t n_blocks) {
  const std::string name = "link " + std::to_string(number) + ": ";
  for (const int block : {link.block, link.neighbour}) {
    if (block < 0 || static_cast<std::size_t>(block) >= n_blocks) {
      return name + "there is no block " + std::to_string(block) + " (the mesh has " +
             std::to_string(n_blocks) + ")";
    }
  }
  if (!legal(link.face) || !legal(link.neighbour_face)) {
    return name + "block " + std::to_string(link.block) + " to block " +
           std::to_string(link.neighbour) + ": the axis of a face must be 0, 1 or 2";
  }
  if (!link.orientation.valid()) {
    return describe(link) + ": the orientation is not a permutation of axes with signs +1 or -1";
  }
  return {};
}

void check_box(const Link& link, int block, Face face, const Box& box, const Index3& n,
               std::vector<std::string>& faults) {
  const Box layer = face_layer(n, face);
  if (box.empty()) {
    faults.push_back(describe(link) + ": the box on block " + std::to_string(block) + " is empty");
  } else if (!contains(layer, box)) {
    faults.push_back(describe(link) + ": box " + to_text(box) + " does not lie on the " +
                     to_text(face) + " of block " + std::to_string(block) + ", whose cells are " +
                     to_text(layer));
  }
}

void check_orientation(const Link& link, std::vector<std::string>& faults) {
  const int a = link.face.axis;
  const bool inward =
      link.orientation.axis[a] == link.neighbour_face.axis &&
      link.orientation.sign[a] * link.face.outward() == -link.neighbour_face.outward();
  if (!inward) {
    faults.push_back(describe(link) + ": the orientation does not turn outward through the " +
                     to_text(link.face) + " into inward through the neighbour's " +
                     to_text(link.neighbour_face));
  }
  const Index3 n{link.box.size(0), link.box.size(1), link.box.size(2)};
  const Index3 m{link.neighbour_box.size(0), link.neighbour_box.size(1),
                 link.neighbour_box.size(2)};
  if (link.orientation.size(n) != m) {
    faults.push_back(describe(link) + ": the boxes do not fit: " + count_text(n) +
                     " cells become " + count_text(link.orientation.size(n)) +
                     " in the neighbour's axes, where the box has " + count_text(m));
  }
}

}  // namespace

std::vector<std::string> validate(std::span<const Block> blocks, std::span<const Link> links) {
  std::vector<std::string> faults;
  if (blocks.empty()) faults.push_back("the mesh has no blocks");
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index3& n = blocks[b].n;
    if (n[0] < 1 || n[1] < 1 || n[2] < 1) {
      faults.push_back("block " + std::to_string(b) + " has " + count_text(n) +
                       " cells; each number must be at least 1");
    }
  }
  if (!faults.empty()) return faults;

  std::map<std::array<int, 3>, std::vector<const Link*>> by_face;
  const auto face_key = [](int block, Face face) {
    return std::array<int, 3>{block, face.axis, static_cast<int>(face.side)};
  };
  for (std::size_t l = 0; l < links.size(); ++l) {
    const Link& link = links[l];
    std::string wrong = wrong_numbers(link, l, blocks.size());
    if (!wrong.empty()) {
      faults.push_back(std::move(wrong));
      continue;
    }
    const auto n_of = [&](int block) { return blocks[static_cast<std::size_t>(block)].n; };
    check_box(link, link.block, link.face, link.box, n_of(link.block), faults);
    check_box(link, link.neighbour, link.neighbour_face, link.neighbour_box, n_of(link.neighbour),
              faults);
    check_orientation(link, faults);

    auto& same_face = by_face[face_key(link.block, link.face)];
    for (const Link* other : same_face) {
      const Box twice = intersection(link.box, other->box);
      if (!twice.empty()) {
        faults.push_back(describe(link.block, link.face, twice) + " is linked twice: to block " +
                         std::to_string(other->neighbour) + " and to block " +
                         std::to_string(link.neighbour));
      }
    }
    same_face.push_back(&link);
  }

  for (const auto& [key, on_face] : by_face) {
    for (const Link* link : on_face) {
      const Link back = link->inverse();
      const auto found = by_face.find(face_key(back.block, back.face));
      const bool has_inverse =
          found != by_face.end() &&
          std::any_of(found->second.begin(), found->second.end(),
                      [&](const Link* candidate) { return *candidate == back; });
      if (!has_inverse) faults.push_back(describe(*link) + " has no inverse link");
    }
  }
  return faults;
}

}  // namespace watersmeet::mesh
