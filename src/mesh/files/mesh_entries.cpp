#include "mesh/files/mesh_entries.hpp"

#include <algorithm>
#include <optional>

#include "config/usual_keys.hpp"
#include "mesh/box_algebra.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/validate.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/generators/catalogue.hpp"

namespace watersmeet::mesh {

namespace {

using config::FaultKind;
using config::flag_key;
using config::Key;
using config::KeyType;
using config::text_key;
using config::vector_key;

// The keys of one rectangle, each name after `prefix`: "" or "neighbour_".
std::vector<Key> rectangle_keys(const std::string& section, const std::string& prefix) {
  const std::string block = prefix.empty() ? "block" : "neighbour";
  return {{.path = section + block,
           .type = KeyType::integer,
           .required = true,
           .lowest = 0,
           .help = "Number of the block, from 0."},
          {.path = section + prefix + "face",
           .type = KeyType::choice,
           .required = true,
           .choices = face_names(),
           .help = "Face of the block."},
          {.path = section + prefix + "begin",
           .type = KeyType::integers3,
           .lowest = 0,
           .help = "First node of a part of the face; the whole face when unset."},
          {.path = section + prefix + "end",
           .type = KeyType::integers3,
           .lowest = 0,
           .help = "Last node of a part of the face."}};
}

struct Rectangle {
  int block = 0;
  Face face;
  Box box;
};

// Nothing when it does not lie on a face of the mesh, which is then a fault.
std::optional<Rectangle> read_rectangle(config::Input& input, const std::string& entry,
                                        const std::string& prefix, const MultiBlockMesh& mesh) {
  const std::string block_path = entry + (prefix.empty() ? "block" : "neighbour");
  const std::string face_path = entry + prefix + "face";
  const std::int64_t block = input.integer(block_path);
  if (block >= static_cast<std::int64_t>(mesh.blocks.size())) {
    input.fault(FaultKind::range, block_path,
                "there is no block " + std::to_string(block) + "; the mesh has " +
                    std::to_string(mesh.blocks.size()) + ", counted from 0");
    return std::nullopt;
  }
  Rectangle r;
  r.block = static_cast<int>(block);
  r.face = *face_named(input.text(face_path));
  if (r.face.axis >= mesh.dimensions()) {
    input.fault(FaultKind::bad_value, face_path,
                "a 2-D mesh has no faces " + input.text(face_path));
    return std::nullopt;
  }
  const Box layer = face_layer(mesh.block(r.block).n, r.face);
  r.box = layer;
  const bool begins = input.is_set(entry + prefix + "begin");
  if (begins != input.is_set(entry + prefix + "end")) {
    input.fault(FaultKind::conflict, entry + prefix + (begins ? "begin" : "end"),
                "a part of a face needs both its begin and its end");
    return std::nullopt;
  }
  if (!begins) return r;
  r.box.lower = input.integers3(entry + prefix + "begin");
  r.box.upper = input.integers3(entry + prefix + "end");
  bool area = true;
  for (int a = 0; a < 3; ++a) {
    if (a < mesh.dimensions() && a != r.face.axis) area = area && r.box.lower[a] < r.box.upper[a];
    ++r.box.upper[a];
  }
  if (!area || !contains(layer, r.box)) {
    input.fault(FaultKind::range, entry + prefix + "begin",
                node_box_text(r.box) + " is not a rectangle on face " + face_name(r.face) +
                    " of block " + std::to_string(block) + ", which has " + node_box_text(layer));
    return std::nullopt;
  }
  return r;
}

// {"-j", "i", "k"}; in 2-D the third may be missing.
std::optional<Orientation> read_axes(config::Input& input, const std::string& path,
                                     int dimensions) {
  std::vector<std::string> words = input.texts(path);
  if (dimensions == 2 && words.size() == 2) words.push_back("k");
  Orientation o;
  bool good = words.size() == 3;
  for (std::size_t a = 0; good && a < 3; ++a) {
    std::string word = words[a];
    o.sign[a] = !word.empty() && word[0] == '-' ? -1 : 1;
    if (o.sign[a] < 0) word.erase(0, 1);
    good = word == "i" || word == "j" || word == "k";
    if (good) o.axis[a] = word[0] - 'i';
  }
  if (good && o.valid()) return o;
  input.fault(FaultKind::bad_value, path,
              path + " must be each of i, j, k once, with - where the direction is opposite",
              "for example axes = [\"j\", \"-i\", \"k\"]");
  return std::nullopt;
}

}  // namespace

namespace {
config::Schema make_schema() {
  config::Schema schema;
  schema.add(generator_keys("mesh."));
  schema.add(
      {text_key("mesh.file", "Plot3D or CGNS file with the coordinates, beside the mesh file."),
       text_key("mesh.map", "Neutral map file (.nmf) with links and boundaries."),
       flag_key("mesh.connect", "true", "Find links by coordinates for faces that have none."),
       {.path = "mesh.tolerance",
        .default_text = "1e-6",
        .lowest = 0,
        .highest = 0.1,
        .lowest_open = true,
        .help = "Distance of nodes that coincide, in parts of the local spacing."},
       {.path = "mesh.periods",
        .type = KeyType::list_reals3,
        .help = "Distances over which faces are linked periodically."}});
  schema.add({{.path = "boundary[].name",
               .type = KeyType::text,
               .required = true,
               .help = "Name of the boundary; several parts may share it."},
              // Not a choice for the schema: what is refused shall name block, face and place.
              {.path = "boundary[].kind",
               .type = KeyType::text,
               .required = true,
               .help = "Condition, unless the case says otherwise."}});
  schema.add(rectangle_keys("boundary[].", ""));
  schema.add(rectangle_keys("link[].", ""));
  schema.add(rectangle_keys("link[].", "neighbour_"));
  schema.add(
      {{.path = "link[].axes",
        .type = KeyType::texts,
        .required = true,
        .help = "Axes of the neighbour along which i, j and k of the block run."},
       vector_key("link[].shift", "1", "[0.0, 0.0, 0.0]",
                  "From the block's nodes to the neighbour's, where the link is periodic.")});
  return schema;
}
}  // namespace

const config::Schema& mesh_file_schema() {
  static const config::Schema schema = make_schema();
  return schema;
}

void read_entries(config::Input& input, MultiBlockMesh& mesh) {
  for (std::size_t e = 0; e < input.count("boundary"); ++e) {
    const std::string entry = "boundary[" + std::to_string(e) + "].";
    const auto r = read_rectangle(input, entry, "", mesh);
    if (!r) continue;
    const std::string name = input.text(entry + "name"), kind = input.text(entry + "kind");
    const auto& kinds = patch_kinds();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
      input.fault(FaultKind::bad_value, entry + "kind",
                  "boundary `" + name + "` on " + rectangle_text(mesh, r->block, r->face, r->box) +
                      ": " + unknown_kind_text(kind));
    }
    mesh.patches.push_back({name, kind, r->block, r->face, r->box});
  }
  for (std::size_t e = 0; e < input.count("link"); ++e) {
    const std::string entry = "link[" + std::to_string(e) + "].";
    const auto own = read_rectangle(input, entry, "", mesh);
    const auto other = read_rectangle(input, entry, "neighbour_", mesh);
    const auto axes = read_axes(input, entry + "axes", mesh.dimensions());
    if (!own || !other || !axes) continue;
    mesh.add_link({own->block, own->face, own->box, other->block, other->face, other->box, *axes,
                   input.reals3(entry + "shift")});
  }
}

void refuse_entries_of_generated(config::Input& input) {
  for (const char* list : {"boundary", "link"}) {
    if (input.count(list) == 0) continue;
    input.fault(FaultKind::conflict,
                std::string(list) + "[0]." + (list[0] == 'b' ? "name" : "block"),
                std::string("a generated mesh has its own entries [[") + list + "]]");
  }
  for (const char* key : {"mesh.map", "mesh.periods", "mesh.connect", "mesh.tolerance"}) {
    if (!input.is_set(key)) continue;
    input.fault(FaultKind::conflict, key,
                std::string("`") + key + "` belongs to a mesh that is read from a file");
  }
}

}  // namespace watersmeet::mesh
