#include "mesh/files/nmf.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "config/nearest.hpp"
#include "core/error.hpp"
#include "mesh/curvilinear/validate.hpp"
#include "mesh/files/file_kind.hpp"

namespace watersmeet::mesh {

namespace {

// The conditions that the types stand for.
const std::map<std::string, std::string>& kinds_of_types() {
  static const std::map<std::string, std::string> kinds = {
      {"WALL", "slip_wall"},
      {"SLIP", "slip_wall"},
      {"INVISCID", "slip_wall"},
      {"TANGENCY", "slip_wall"},
      {"FARFIELD", "farfield"},
      {"FAR", "farfield"},
      {"SYMMETRY_X", "symmetry"},
      {"SYMMETRY_Y", "symmetry"},
      {"SYMMETRY_Z", "symmetry"},
      {"SYM_X", "symmetry"},
      {"SYM_Y", "symmetry"},
      {"SYM_Z", "symmetry"},
      {"INFLOW", "inflow_total"},
      {"OUTFLOW", "outflow_pressure"},
      {"COLLAPSED", "degenerate"},
      {"POLE_DIR1", "degenerate"},
      {"POLE_DIR2", "degenerate"},
      {"SUPERSONIC_INFLOW", "supersonic_inflow"},
      {"SUPERSONIC_OUTFLOW", "supersonic_outflow"}};
  return kinds;
}

class Reader {
 public:
  Reader(std::string_view content, const std::string& name, MultiBlockMesh& mesh)
      : stream_(std::string(content)), name_(name), mesh_(mesh) {}

  void read() {
    if (!next_line()) refuse("the file ends before the number of blocks");
    if (words_.size() > 1) {
      refuse(
          "the number of blocks must stand alone on its line. Is this a neutral map file (NMF)?");
    }
    const std::int64_t blocks = integer(0, "the number of blocks");
    if (blocks != static_cast<std::int64_t>(mesh_.blocks.size())) {
      refuse("the map is for " + std::to_string(blocks) + " blocks, the mesh has " +
             std::to_string(mesh_.blocks.size()));
    }
    for (std::int64_t b = 0; b < blocks; ++b) read_size();
    while (next_line()) read_entry();
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw Error(ErrorKind::user_input, name_ + ":" + std::to_string(line_) + ": " + message);
  }

  // The words of the next line that has any; a backslash at its end means nothing.
  bool next_line() {
    std::string line;
    while (std::getline(stream_, line)) {
      ++line_;
      line = line.substr(0, line.find('#'));
      std::replace(line.begin(), line.end(), '\\', ' ');
      std::istringstream words(line);
      words_.clear();
      for (std::string word; words >> word;) words_.push_back(word);
      if (!words_.empty()) return true;
    }
    return false;
  }

  std::int64_t integer(std::size_t word, const std::string& what) const {
    if (word >= words_.size()) refuse("the line ends before " + what);
    std::size_t end = 0;
    long long value = 0;
    try {
      value = std::stoll(words_[word], &end);
    } catch (const std::exception&) {
      end = 0;
    }
    if (end != words_[word].size()) {
      refuse("`" + words_[word] + "` is not a whole number; " + what + " is expected here");
    }
    return value;
  }

  void read_size() {
    if (!next_line()) refuse("the file ends before the sizes of all blocks");
    const std::int64_t number = integer(0, "a block");
    if (number < 1 || number > static_cast<std::int64_t>(mesh_.blocks.size())) {
      refuse("there is no block " + std::to_string(number) + " (blocks count from 1)");
    }
    Index3 n{};
    for (std::size_t a = 0; a < 3; ++a) n[a] = integer(1 + a, "the size of the block");
    const Index3& own = mesh_.blocks[static_cast<std::size_t>(number - 1)].n;
    if (n != own) {
      refuse("block " + std::to_string(number) + " has " + index_text(n) + " nodes here and " +
             index_text(own) + " in the mesh");
    }
  }

  // A rectangle, with the node at which its ranges start.
  struct Rectangle {
    int block = 0;
    Face face;
    Box box;
    std::array<int, 2> axis{};  // of the two ranges
    std::array<int, 2> sign{};
  };

  Rectangle rectangle(std::size_t word) const {
    Rectangle r;
    const std::int64_t block = integer(word, "a block");
    if (block < 1 || block > static_cast<std::int64_t>(mesh_.blocks.size())) {
      refuse("there is no block " + std::to_string(block) + " (blocks count from 1 to " +
             std::to_string(mesh_.blocks.size()) + ")");
    }
    r.block = static_cast<int>(block - 1);
    const std::int64_t face = integer(word + 1, "a face");
    if (face < 1 || face > 6) {
      refuse("there is no face " + std::to_string(face) +
             "; allowed: 1 and 2 (k), 3 and 4 (i), 5 and 6 (j)");
    }
    constexpr int axes[] = {2, 0, 1};
    r.face = {axes[(face - 1) / 2], face % 2 == 1 ? Side::lower : Side::upper};
    const Index3& n = mesh_.block(r.block).n;
    r.box = face_layer(n, r.face);
    for (int range = 0; range < 2; ++range) {
      const int a = (r.face.axis + 1 + range) % 3;
      const std::int64_t start = integer(word + 2 + static_cast<std::size_t>(2 * range), "a range");
      const std::int64_t end = integer(word + 3 + static_cast<std::size_t>(2 * range), "a range");
      const std::int64_t low = std::min(start, end), high = std::max(start, end);
      if (low < 1 || high > n[a]) {
        refuse("the range " + std::to_string(start) + " to " + std::to_string(end) + " along " +
               "ijk"[a] + " leaves face " + face_name(r.face) + " of block " +
               std::to_string(block) + ", which has nodes 1 to " + std::to_string(n[a]));
      }
      r.box.lower[a] = low - 1;
      r.box.upper[a] = high;
      r.axis[static_cast<std::size_t>(range)] = a;
      r.sign[static_cast<std::size_t>(range)] = end >= start ? 1 : -1;
    }
    return r;
  }

  void read_entry() {
    std::string type = words_[0];
    type.erase(
        std::remove_if(type.begin(), type.end(), [](char c) { return c == '\'' || c == '"'; }),
        type.end());
    std::string upper = type;
    for (char& c : upper) {
      c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    const Rectangle own = rectangle(1);
    if (upper != "ONE_TO_ONE") {
      const auto kind = kinds_of_types().find(upper);
      if (kind == kinds_of_types().end()) refuse_type(type, upper, own);
      std::string name = upper;
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      mesh_.patches.push_back({name, kind->second, own.block, own.face, own.box});
      return;
    }
    const Rectangle other = rectangle(7);
    std::string word = words_.size() > 13 ? words_[13] : "FALSE";
    for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const bool swap = word == "TRUE" || word == ".TRUE." || word == "T";
    if (!swap && word != "FALSE" && word != ".FALSE." && word != "F") {
      refuse("`" + words_[13] + "` is neither TRUE nor FALSE");
    }
    Orientation o;
    o.axis[own.face.axis] = other.face.axis;
    o.sign[own.face.axis] = -own.face.outward() * other.face.outward();
    for (std::size_t range = 0; range < 2; ++range) {
      const std::size_t partner = swap ? 1 - range : range;
      o.axis[own.axis[range]] = other.axis[partner];
      o.sign[own.axis[range]] = own.sign[range] * other.sign[partner];
    }
    mesh_.add_link({own.block, own.face, own.box, other.block, other.face, other.box, o});
  }

  [[noreturn]] void refuse_type(const std::string& type, const std::string& upper,
                                const Rectangle& own) const {
    std::vector<std::string> known = {"ONE_TO_ONE"};
    for (const auto& [name, kind] : kinds_of_types()) known.push_back(name);
    const auto near = config::nearest(upper, known);
    refuse("unknown boundary `" + type + "`" + (near ? "; did you mean " + *near + "?" : ".") +
           " It is on " + rectangle_text(mesh_, own.block, own.face, own.box) +
           ", counted from 0 (known: " + config::join(known) + ")");
  }

  std::istringstream stream_;
  std::string name_;
  MultiBlockMesh& mesh_;
  int line_ = 0;
  std::vector<std::string> words_;
};

}  // namespace

void read_nmf(std::string_view content, const std::string& name, MultiBlockMesh& mesh) {
  const std::string kind = kind_of_file(content);
  const bool binary = content.substr(0, file_kind_bytes).find('\0') != std::string_view::npos;
  if (binary || (!kind.empty() && kind.find("NMF") == std::string::npos)) {
    throw Error(ErrorKind::user_input, name + ": this is " +
                                           (kind.empty() ? "a binary file" : kind) +
                                           " and not a neutral map file (NMF), which is text");
  }
  Reader(content, name, mesh).read();
}

}  // namespace watersmeet::mesh
