// Each generator's options are visited by name: once to describe the keys, once to read them.

#include "mesh/generators/catalogue.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "config/document.hpp"
#include "config/nearest.hpp"
#include "config/usual_keys.hpp"
#include "core/error.hpp"
#include "mesh/generators/channel.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/naca4.hpp"
#include "mesh/generators/ringleb.hpp"
#include "mesh/generators/round.hpp"
#include "mesh/generators/wavybox.hpp"
#include "mesh/generators/wing.hpp"

namespace watersmeet::mesh {

namespace {

using config::choice_key;
using config::count_key;
using config::flag_key;
using config::Key;
using config::KeyType;
using config::positive_key;

// What the options say of themselves. Lists hold `least` to `most` numbers.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void counts(const char* name, std::vector<std::int64_t>& value, std::size_t least,
                      std::size_t most, const char* help) = 0;
  virtual void count(const char* name, std::int64_t& value, std::int64_t lowest,
                     const char* help) = 0;
  // A number above 0; `chosen`: 0 in the options stands for one that the generator chooses.
  virtual void positive(const char* name, double& value, const char* help, bool chosen = false) = 0;
  virtual void word(const char* name, std::string& value, std::vector<std::string> choices,
                    const char* help) = 0;
  virtual void flag(const char* name, bool& value, const char* help) = 0;
};

std::string list_text(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t v : values) text += (text.empty() ? "[" : ", ") + std::to_string(v);
  return text + "]";
}

class Describer : public Visitor {
 public:
  std::vector<Key> keys;

  void counts(const char* name, std::vector<std::int64_t>& value, std::size_t, std::size_t,
              const char* help) override {
    keys.push_back({.path = name,
                    .type = KeyType::reals,
                    .default_text = list_text(value),
                    .lowest = 1,
                    .help = help});
  }
  void count(const char* name, std::int64_t& value, std::int64_t lowest,
             const char* help) override {
    keys.push_back(
        count_key(name, lowest, value == 0 && lowest > 0 ? "" : std::to_string(value), help));
  }
  void positive(const char* name, double& value, const char* help, bool chosen) override {
    keys.push_back(positive_key(name, "1", chosen ? "" : config::to_toml(value), help));
  }
  void word(const char* name, std::string& value, std::vector<std::string> choices,
            const char* help) override {
    keys.push_back({.path = name,
                    .type = choices.empty() ? KeyType::text : KeyType::choice,
                    .default_text = config::to_toml(value),
                    .choices = std::move(choices),
                    .help = help});
  }
  void flag(const char* name, bool& value, const char* help) override {
    keys.push_back(flag_key(name, value ? "true" : "false", help));
  }
};

class Reader : public Visitor {
 public:
  Reader(config::Input& input, std::string prefix) : input_(input), prefix_(std::move(prefix)) {}

  void counts(const char* name, std::vector<std::int64_t>& value, std::size_t least,
              std::size_t most, const char*) override {
    const std::string path = prefix_ + name;
    if (!input_.is_set(path) || !input_.is_good(path)) return;
    const std::vector<double> given = input_.reals(path);
    const std::string wanted = least == most
                                   ? std::to_string(least)
                                   : std::to_string(least) + " or " + std::to_string(most);
    if (given.size() < least || given.size() > most) {
      input_.fault(
          config::FaultKind::bad_type, path,
          path + " needs " + wanted + " whole numbers here, not " + std::to_string(given.size()));
      return;
    }
    value.clear();
    for (const double number : given) {
      if (number != std::floor(number) || number > 1e6) {
        input_.fault(config::FaultKind::range, path,
                     path + " must be whole numbers up to 1000000, not " + config::to_toml(number));
        value.assign(given.size(), 1);
        return;
      }
      value.push_back(static_cast<std::int64_t>(number));
    }
  }
  void count(const char* name, std::int64_t& value, std::int64_t, const char*) override {
    if (input_.is_set(prefix_ + name)) value = input_.integer(prefix_ + name);
  }
  void positive(const char* name, double& value, const char*, bool) override {
    if (input_.is_set(prefix_ + name)) value = input_.real(prefix_ + name);
  }
  void word(const char* name, std::string& value, std::vector<std::string>, const char*) override {
    if (input_.is_set(prefix_ + name)) value = input_.text(prefix_ + name);
  }
  void flag(const char* name, bool& value, const char*) override {
    if (input_.is_set(prefix_ + name)) value = input_.boolean(prefix_ + name);
  }

  // A fault where this host has no memory for the coordinates of the nodes.
  void require_room(double nodes) {
    const double bytes = sizeof(Real3) * nodes;
    const double held =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (bytes <= held) return;
    for (const char* const name : {"cells", "blocks", "wake_cells", "outer_cells", "cap_cells"}) {
      if (!input_.is_set(prefix_ + name)) continue;
      input_.fault(
          config::FaultKind::range, prefix_ + name,
          fmt::format("the coordinates of so many nodes alone take {:.3g} GB, and this host has "
                      "{:.3g} GB",
                      bytes * 1e-9, held * 1e-9));
      return;
    }
  }

 private:
  config::Input& input_;
  std::string prefix_;
};

void visit_trailing_edge(Visitor& v, std::string& value) {
  v.word("trailing_edge", value, {"extended", "closed"},
         "How the open trailing edge is closed: extended lengthens the section and scales it, "
         "closed changes the last coefficient of the thickness.");
}

void visit(Visitor& v, Naca4& o) {
  v.word("digits", o.digits, {}, "Four digits of the section: \"0012\".");
  v.word("topology", o.topology, {"c", "o"}, "C mesh with a cut along the wake, or O mesh.");
  visit_trailing_edge(v, o.trailing_edge);
  v.counts("cells", o.cells, 2, 2, "Numbers of cells around the section and from it outwards.");
  v.count("wake_cells", o.wake_cells, 1,
          "Number of cells along the wake of a C mesh; a quarter of the cells around the section "
          "when unset.");
  v.positive("far", o.far, "Distance of the far-field boundary, in chords.");
  v.positive("trailing_cell", o.trailing_cell,
             "Length of the cells at the trailing edge of a C mesh, in chords; half the length of "
             "equal cells when unset.",
             true);
  v.positive("first_cell", o.first_cell,
             "Height of the cells at the trailing edge of a C mesh, in chords; their length when "
             "unset.",
             true);
}

void visit(Visitor& v, Bump& o) {
  v.counts("cells", o.cells, 2, 2, "Cells along x and y.");
  v.counts("blocks", o.blocks, 2, 2, "Blocks along x and y.");
  v.positive("length", o.length, "Length of the channel.");
  v.positive("height", o.height, "Height of the channel.");
  v.positive("amplitude", o.amplitude, "Height of the bump.");
}

void visit(Visitor& v, Wedge& o) {
  v.counts("cells", o.cells, 2, 2, "Cells along x and y.");
  v.positive("angle_deg", o.angle_deg, "Angle of the ramp, degrees.");
  v.positive("inlet", o.inlet, "Length of the flat piece before the ramp.");
  v.positive("length", o.length, "Length of the ramp along x.");
  v.positive("height", o.height, "Height of the upper boundary.");
}

template <class Round>
void visit_round(Visitor& v, Round& o, const char* cells) {
  v.counts("cells", o.cells, 2, 2, cells);
  v.positive("radius", o.radius, "Radius of the body.");
  v.positive("far", o.far, "Radius of the outer boundary; with ahead, its radius at x = 0.");
  v.positive("ahead", o.ahead,
             "Distance of the outer boundary from the centre on the axis in front of the body; a "
             "parabola joins it to far, as a bow shock does. Equal to far when unset.",
             true);
  v.positive("first_cell", o.first_cell,
             "Height of the cells at the body; when unset, heights grow with the radius so that "
             "all cells have the same shape.",
             true);
  v.word("part", o.part, {"whole", "front"},
         "whole: the whole body; front: the half x <= 0, for supersonic flow along x.");
}
void visit(Visitor& v, Cylinder& o) {
  visit_round(v, o,
              "Numbers of cells around the whole body, a multiple of 4, and from it outwards.");
}
void visit(Visitor& v, Sphere& o) {
  visit_round(v, o,
              "Numbers of cells along an edge of the cubed sphere and from the body outwards.");
}

void visit(Visitor& v, WavyBox& o) {
  v.counts("cells", o.cells, 2, 3, "Cells of each block: two numbers in 2-D, three in 3-D.");
  v.counts("blocks", o.blocks, 2, 3, "Blocks along each axis.");
  v.word("turns", o.turns, {"none", "random"},
         "random: the axes of the blocks are turned at random; none: they are parallel.");
  v.count("seed", o.seed, 0, "Seed of the random turns.");
  v.positive("length", o.length, "Length of the sides of the box.");
  v.positive("amplitude", o.amplitude, "Amplitude of the waves, in lengths of the sides.");
  v.flag("periodic", o.periodic,
         "Link opposite sides; if false, all sides are one boundary called outer.");
}

void visit(Visitor& v, Ringleb& o) {
  v.counts("cells", o.cells, 2, 2, "Cells across the streamlines and along them.");
  v.counts("blocks", o.blocks, 2, 2, "Blocks across the streamlines and along them.");
  v.positive("k_min", o.k_min, "Largest speed on the outer streamline.");
  v.positive("k_max", o.k_max, "Largest speed on the inner streamline.");
  v.positive("q_end", o.q_end, "Speed at the two end boundaries.");
}

void visit(Visitor& v, Wing& o) {
  v.word("digits", o.digits, {}, "Four digits of the section, without camber: \"0010\".");
  visit_trailing_edge(v, o.trailing_edge);
  v.counts("cells", o.cells, 3, 3, "Cells around the section, outward and along the span.");
  v.count("cap_cells", o.cap_cells, 1, "Cells along the span in the cap of the tip.");
  v.count("outer_cells", o.outer_cells, 1,
          "Cells along the span beyond the cap; half of those on the wing when unset.");
  v.count("wake_cells", o.wake_cells, 1,
          "Cells along the wake; a quarter of those around when unset.");
  v.positive("span", o.span, "Half span, from the symmetry plane to the tip.");
  v.positive("root_chord", o.root_chord, "Chord in the symmetry plane.");
  v.positive("taper", o.taper, "Chord of the tip, in chords of the root.");
  v.positive("sweep_deg", o.sweep_deg, "Sweep of the leading edge, degrees.");
  v.positive("far", o.far, "Distance of the far-field boundary, in chords of the root.");
  v.positive("trailing_cell", o.trailing_cell,
             "Length of the cells at the trailing edge, in chords; half the length of equal cells "
             "when unset.",
             true);
  v.positive("first_cell", o.first_cell,
             "Height of the cells at the trailing edge, in chords; their length when unset.", true);
}

void visit(Visitor& v, Glider15& o) {
  v.word("size", o.size, {"small", "medium", "720k", "1500k"},
         "Size of the mesh, which sets the number of its nodes.");
  v.positive("mach", o.mach, "Mach number for which the distance of the outer boundary is chosen.");
  v.positive("length", o.length, "Length of the vehicle, in nose radii.");
  v.positive("wake", o.wake, "Length of the wake, in nose radii.");
  v.positive("side_angle_deg", o.side_angle_deg, "Half angle of the plan view, degrees.");
  v.positive("upper_angle_deg", o.upper_angle_deg, "Slope of the upper side, degrees.");
  v.positive("lower_angle_deg", o.lower_angle_deg, "Slope of the lower side, degrees.");
  v.positive("margin_deg", o.margin_deg,
             "Angle by which the outer boundary opens wider than the vehicle, degrees.");
  v.positive("exponent", o.exponent,
             "Exponent of the cross-section at the base; 2 gives an ellipse.");
}

// Nodes of the mesh, about.
double product(const std::vector<std::int64_t>& counts) {
  double all = 1;
  for (const std::int64_t count : counts) all *= static_cast<double>(count);
  return all;
}
template <class Options>
double nodes_of(const Options& o) {
  return product(o.cells);
}
double nodes_of(const Naca4& o) {
  return product(o.cells) +
         2 * static_cast<double>(o.wake_cells) * static_cast<double>(o.cells.back());
}
double nodes_of(const Sphere& o) { return 6 * product(o.cells) * static_cast<double>(o.cells[0]); }
double nodes_of(const WavyBox& o) { return product(o.cells) * product(o.blocks); }
double nodes_of(const Wing& o) {
  const double around = static_cast<double>(o.cells[0]) + 2 * static_cast<double>(o.wake_cells);
  const double along = static_cast<double>(o.cells[2]) + static_cast<double>(o.cap_cells) +
                       static_cast<double>(o.outer_cells);
  return around * static_cast<double>(o.cells[1]) * along;
}
double nodes_of(const Glider15&) { return 0; }  // one of four sizes

struct Entry {
  GeneratorHelp help;
  std::function<MultiBlockMesh(config::Input&, const std::string& prefix)> make;
};

template <class Options>
Entry entry(const char* name, const char* sentence, MultiBlockMesh (*make)(const Options&)) {
  Describer describer;
  Options defaults;
  visit(describer, defaults);
  return {{name, sentence, describer.keys},
          [make](config::Input& input, const std::string& prefix) {
            Options options;
            Reader reader(input, prefix);
            visit(reader, options);
            reader.require_room(nodes_of(options));
            return input.has_faults() ? MultiBlockMesh{} : make(options);
          }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      entry<Naca4>("naca4", "around a NACA four-digit section", make_naca4),
      entry<Bump>("bump", "channel with a smooth bump", make_bump),
      entry<Wedge>("wedge", "ramp behind a flat piece", make_wedge),
      entry<Cylinder>("cylinder", "four blocks around a cylinder", make_cylinder),
      entry<Sphere>("sphere", "six blocks around a sphere", make_sphere),
      entry<WavyBox>("wavybox", "wavy blocks in a box, some turned", make_wavybox),
      entry<Ringleb>("ringleb", "the bend of Ringleb's flow", make_ringleb),
      entry<Wing>("wing", "a swept and tapered wing with its tip", make_wing),
      entry<Glider15>("glider15", "a hypersonic vehicle in fifteen blocks", make_glider15),
  };
  return all;
}

}  // namespace

const std::vector<GeneratorHelp>& all_generators() {
  static const std::vector<GeneratorHelp> words = [] {
    std::vector<GeneratorHelp> list;
    for (const Entry& e : entries()) list.push_back(e.help);
    return list;
  }();
  return words;
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const GeneratorHelp& g : all_generators()) names.push_back(g.name);
  return names;
}

std::vector<Key> generator_keys(const std::string& prefix) {
  std::vector<Key> keys = {choice_key(prefix + "kind", "", generator_names(),
                                      "Generator of the mesh (watersmeet mesh --list).")};
  for (const GeneratorHelp& generator : all_generators()) {
    for (Key key : generator.keys) {
      key.path = prefix + key.path;
      key.default_text.clear();
      key.help = generator.name + ": " + key.help;
      const auto same =
          std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.path == key.path; });
      if (same == keys.end()) {
        keys.push_back(key);
        continue;
      }
      require(same->type == key.type, "a key of two generators with two types");
      same->lowest = std::min(same->lowest, key.lowest);
      same->help += " " + key.help;
    }
  }
  return keys;
}

MultiBlockMesh generate(config::Input& input, const std::string& prefix) {
  const std::string kind = input.text(prefix + "kind");
  for (const Entry& e : entries()) {
    if (e.help.name != kind) continue;
    std::vector<std::string> own;
    for (const Key& key : e.help.keys) own.push_back(key.path);
    for (const Key& key : generator_keys(prefix)) {
      const std::string name = key.path.substr(prefix.size());
      const bool known = name == "kind" || std::find(own.begin(), own.end(), name) != own.end();
      if (known || !input.is_set(key.path)) continue;
      input.fault(config::FaultKind::conflict, key.path,
                  "mesh kind \"" + kind + "\" has no key `" + name + "`",
                  "its keys: " + config::join(own));
    }
    return e.make(input, prefix);
  }
  return {};
}

}  // namespace watersmeet::mesh
