#pragma once
// The one table of input keys. Reader, checker, `watersmeet keys`, the manual page and the JSON
// schema for editors all come from it, so none can disagree. A system adds its own keys to the
// common ones.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "config/path.hpp"

namespace watersmeet::config {

enum class KeyType {
  boolean,
  integer,
  real,      // a number, or a constant expression in quotes: "2*pi"
  duration,  // a number, or text with a unit: "15 d"
  text,
  choice,  // one of a list of words
  integers3,
  reals3,
  reals,       // a list of numbers, of any length
  expression,  // a number, or an expression of the key's variables
  expressions3,
  texts,        // a list of texts
  list_reals3,  // a list of triples of numbers
};

struct Key {
  // "time.cfl"; nested tables are longer paths, "physics.scales.mass"; a member of the list of
  // sections [[initial]] is "initial[].density", of [[boundary.patch]] "boundary.patch[].side";
  // "constants.*" stands for any name in [constants], "physics.fluids.*.gamma" for that key of any
  // table in [physics.fluids]. Where a table has a choice named kind, "boundary.x_lower.kind", a
  // case may give its word for the table: x_lower = "inflow".
  std::string path = {};
  KeyType type = KeyType::real;
  std::string unit = "1";         // "1", "length", "s", ...
  std::string default_text = {};  // TOML text; empty without `required`: unset unless given
  bool required = false;
  // For types choice, texts and integer: the allowed members; empty = any.
  std::vector<std::string> choices = {};
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool lowest_open = false;  // the bound itself is not allowed
  bool highest_open = false;
  std::string variables = {};  // of expressions: "x y z r t"
  // For expressions that kernels evaluate (config/program.hpp): names of the local state, "rho velocity.x", which constants may have too where
  // such an expression does not use them. "*": also names that the case chooses, so that the system checks the text.
  std::string state = {};
  std::int64_t alone = 0;  // of integers3: a lone number n stands for [n, n, alone]; 0: it does not
  std::string help = {};   // one sentence
};

class Schema {
 public:
  // Internal error when a path is given twice, is a key here and a section there, or when a default
  // does not parse.
  void add(Key key);
  void add(std::vector<Key> keys);
  // A system overrides a common default; an empty text leaves the key unset.
  void set_default(const std::string& path, const std::string& default_text);
  // A system for which a common key means something more special.
  void set_help(const std::string& path, const std::string& help);
  // A system that understands a lone number n for three of them as [n, n, third].
  void allow_alone(const std::string& path, std::int64_t third);
  // A system that supports fewer choices than the common table.
  void set_choices(const std::string& path, std::vector<std::string> choices);
  // For a system that does not use a common key.
  void remove(const std::string& path);
  // Keys of another system, refused with its name; those that this schema has too are not.
  void add_foreign(const std::string& system, std::vector<std::string> paths);

  // Also finds "initial[3].density", "constants.anything" and "physics.fluids.air.gamma", a key of
  // just that name first; null when there is no such key.
  const Key* find(const std::string& path) const;
  const std::vector<Key>& keys() const { return keys_; }
  // The systems whose key or section this is (by add_foreign) and not of this schema.
  std::vector<std::string> foreign_systems(const std::string& path) const;
  // Top-level section names in order: "case", "grid", "initial", ...
  std::vector<std::string> sections() const;
  // The names that may stand directly in a section: members("numerics") -> {"method", "order",
  // ...}; members("") gives the sections. Sorted; "*" for names that the case chooses.
  std::vector<std::string> members(const std::string& section) const;
  // Whether [[path]] is written with double brackets.
  bool is_list(const std::string& path) const;
  // Whether the last name of the path is one that the case chooses, as in [constants].
  bool is_chosen_name(const std::string& path) const;
  // The choice that a lone word stands for, "boundary.x_lower" -> "boundary.x_lower.kind"; null
  // when the path is no table with such a key.
  const Key* word_key(const std::string& path) const;

  // What `watersmeet keys [SECTION or KEY]` prints; empty when the prefix names nothing.
  std::string text(const std::string& prefix) const;
  // The reference page, in Markdown.
  std::string manual(const std::string& title = "Input keys") const;
  // JSON schema (draft 7) of a case, for editors.
  std::string json_schema() const;

 private:
  std::vector<Key> keys_;
  std::map<std::string, std::vector<std::string>> foreign_;
};

// The keys common to all systems: [case] [constants] [grid] [time] [numerics] [output] [device].
Schema common_schema(const std::vector<std::string>& systems);

// What a value must be, as text: "a number greater than 0", "3 whole numbers, each 1 or more",
// "one of "a", "b"".
std::string allowed_text(const Key& key);
// Only the range part: "1 or more", "between 0 and 1", "greater than 0"; empty without bounds.
std::string range_text(const Key& key);
bool in_range(const Key& key, double value);

}  // namespace watersmeet::config
