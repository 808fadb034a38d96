// Checking a whole case against the schema: every key is known, every value fits, nothing required
// is missing.

#include <algorithm>

#include "config/advice.hpp"
#include "config/input.hpp"
#include "config/nearest.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

// A value to continue with after a fault, so that cross-checks can run: the default, else something
// harmless.
Value stand_in(const Key& key, ValueReader& reader) {
  if (!key.default_text.empty()) {
    Value value = reader.read(key, key.path, parse_value(key.default_text));
    value.good = false;
    return value;
  }
  Value value;
  const bool list =
      key.type == KeyType::texts || key.type == KeyType::reals || key.type == KeyType::list_reals3;
  if (list) return value;
  value.integers.assign(3, 1);
  value.numbers.assign(3, 1.0);
  const bool expression = key.type == KeyType::expression || key.type == KeyType::expressions3;
  value.texts.assign(3, expression ? "1" : "");
  return value;
}

}  // namespace

ValueReader Input::reader() {
  const Node* units = find_node("case.units");
  const bool code_units = units == nullptr || units->text != "SI";
  return ValueReader(document_, constants_, code_units,
                     [this](Fault fault) { add(std::move(fault)); });
}

// Names that the expressions of this schema give a meaning of their own.
bool Input::is_taken(const std::string& name) const {
  const std::vector<Key>& keys = schema_.keys();
  return has_meaning(name) || std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
           const std::vector<std::string> variables = split_names(key.variables);
           return std::find(variables.begin(), variables.end(), name) != variables.end();
         });
}

void Input::validate(const Schema& schema, const TableReader& read_table) {
  schema_ = schema;
  entries_.clear();
  constants_ = given_;
  validated_ = true;
  apply_overrides([this](const std::string& path) { return schema_.word_key(path) != nullptr; });
  if (document_.readable) {
    read_constants();
    read_tables(read_table);
    walk(document_.root, "");
  }
  fill_defaults();
  check_common();
}

// Constants may use each other in any order; a faulty one counts as 1, so that its users are not
// blamed.
void Input::read_constants() {
  const Member* section = document_.root.find("constants");
  const Key* key = schema_.find("constants.any");
  if (section == nullptr || key == nullptr || section->node.type != Node::Type::table) return;
  std::vector<const Member*> waiting;
  for (const Member& member : section->node.members) {
    if (is_identifier(member.name) && !is_taken(member.name)) {
      waiting.push_back(&member);
      continue;
    }
    if (!is_taken(member.name)) {
      refuse_name(member, "constants");
      continue;
    }
    Fault fault = fault_at(
        document_, member.where, FaultKind::bad_value,
        "constant `" + member.name + "` is the name of a built-in function, constant or variable");
    fault.key = "constants." + member.name;
    fault.found = member.name;
    fault.suggestion = "choose another name";
    add(std::move(fault));
  }
  const auto needs_waiting = [&](const Member& member) {
    if (member.node.type != Node::Type::text) return false;
    const std::vector<std::string> names = names_in(member.node.text);
    return std::any_of(waiting.begin(), waiting.end(), [&](const Member* other) {
      return std::find(names.begin(), names.end(), other->name) != names.end();
    });
  };
  while (!waiting.empty()) {
    const auto ready = std::find_if(waiting.begin(), waiting.end(),
                                    [&](const Member* member) { return !needs_waiting(*member); });
    if (ready == waiting.end()) break;
    const Member& member = **ready;
    waiting.erase(ready);
    take(*key, "constants." + member.name, member);
    const Entry& done = entries_.at("constants." + member.name);
    constants_.numbers[member.name] = done.value.good ? done.value.numbers[0] : 1.0;
  }
  for (const Member* member : waiting) {
    constants_.numbers[member->name] = 1.0;
    Fault fault = fault_at(document_, member->node.where, FaultKind::bad_expression,
                           "constant `" + member->name + "` is defined in terms of itself");
    fault.key = "constants." + member->name;
    fault.found = member->node.text;
    add(std::move(fault));
  }
}

void Input::refuse_name(const Member& member, const std::string& section) {
  Fault fault = fault_at(document_, member.where, FaultKind::bad_value,
                         "`" + member.name + "` is not a name; use letters, digits and _");
  fault.key = path_of(section, member.name);
  fault.found = member.name;
  add(std::move(fault));
}

void Input::take(const Key& key, const std::string& path, const Member& member) {
  ValueReader values = reader();
  const bool word = member.stands_for_table;
  Entry entry{values.read(key, word ? section_of(path) : path, member.node, word), member.node,
              member.where, true};
  if (!entry.value.good) entry.value = stand_in(key, values);
  entries_[path] = std::move(entry);
}

void Input::take_default(const Key& key, const std::string& path) {
  const Node node = parse_value(key.default_text);
  entries_[path] = {reader().read(key, path, node), node, {}, false};
}

void Input::walk(const Node& table, const std::string& section) {
  for (const Member& member : table.members) {
    if (section.empty() && member.name == "constants" && member.node.type == Node::Type::table &&
        schema_.find("constants.any") != nullptr) {
      continue;
    }
    walk_member(member, section);
  }
}

void Input::walk_member(const Member& member, const std::string& section) {
  const std::string path = path_of(section, member.name);
  // A key with a dot or bracket in its name, written in quotes, must not pass for a longer path.
  const bool plain = !member.name.empty() && member.name.find_first_of(".[]*") == std::string::npos;
  if (!is_identifier(member.name) && schema_.is_chosen_name(path_of(section, "any"))) {
    if (!plain || schema_.is_chosen_name(path)) return refuse_name(member, section);
  }
  if (const Key* key = plain ? schema_.find(path) : nullptr) return take(*key, path, member);
  const bool is_list = plain && schema_.is_list(path);
  if (is_list || (plain && !schema_.members(path).empty())) {
    return walk_tables(member, path, is_list);
  }
  Fault fault = fault_at(document_, member.where, FaultKind::unknown_key, "");
  const Node* system = find_node("case.system");
  advise_unknown_key(fault, schema_, system == nullptr ? "" : system->text, section, member.name,
                     member.node.type == Node::Type::table || member.node.is_array_of_tables());
  add(std::move(fault));
}

// A section, or a list of sections, which must be written as what it is.
void Input::walk_tables(const Member& member, const std::string& path, bool is_list) {
  const Node& node = member.node;
  if (!is_list && node.type == Node::Type::table) return walk(node, path);
  if (is_list &&
      (node.is_array_of_tables() || (node.type == Node::Type::array && node.items.empty()))) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      walk(node.items[i], path + "[" + std::to_string(i) + "]");
    }
    return;
  }
  const std::string single = header_of(path);
  const std::string twice = header_of(path + "[]");
  const bool is_table = node.type == Node::Type::table || node.is_array_of_tables();
  Fault fault = fault_at(document_, is_table ? node.where : member.where, FaultKind::bad_type, "");
  fault.key = path;
  fault.allowed = is_list ? twice : single;
  if (is_table) {
    fault.found = is_list ? single : twice;
    fault.message = is_list ? "section " + single + " is one of a list: it needs double brackets"
                            : "section " + single + " is given once: it needs single brackets";
  } else {
    fault.found = to_toml(node);
    fault.message = "`" + path + "` is a section, not a key";
  }
  fault.suggestion = "did you mean " + fault.allowed + "?";
  add(std::move(fault));
}

// Paths of a key in this case: one per entry of its lists and per name that the case chose. A table
// inside an entry has keys only where it is given; other sections have theirs always.
std::vector<std::string> Input::concrete_paths(const std::string& pattern) const {
  std::vector<std::string> paths = {""};
  bool inside = false;
  const auto is_given = [this](const std::string& path) {
    const Node* node = find_node(path);
    return node != nullptr && node->type == Node::Type::table;
  };
  for (std::size_t begin = 0; begin < pattern.size();) {
    const std::size_t end = std::min(pattern.find('.', begin), pattern.size());
    const std::string name = pattern.substr(begin, end - begin);
    const bool leaf = end == pattern.size();
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      if (const std::size_t mark = name.find('['); mark != std::string::npos) {
        const std::string list = path_of(path, name.substr(0, mark));
        for (std::size_t i = 0; i < count(list); ++i) {
          longer.push_back(list + "[" + std::to_string(i) + "]");
        }
      } else if (name == "*") {
        for (const std::string& chosen : names(path)) longer.push_back(path_of(path, chosen));
      } else if (leaf || !inside || is_given(path_of(path, name))) {
        longer.push_back(path_of(path, name));
      }
    }
    inside = inside || name == "*" || name.back() == ']';
    paths = std::move(longer);
    begin = end + 1;
  }
  return paths;
}

void Input::fill_defaults() {
  for (const Key& key : schema_.keys()) {
    for (const std::string& path : concrete_paths(key.path)) {
      if (entries_.count(path) > 0 || leaf_of(key.path) == "*") continue;
      if (!key.default_text.empty()) {
        take_default(key, path);
      } else if (key.required) {
        // With a line left out for its syntax, it is not known what is missing.
        if (document_.faults.empty()) report_missing(key, path);
        ValueReader values = reader();
        entries_[path] = {stand_in(key, values), {}, {}, false};
      }
    }
  }
}

void Input::report_missing(const Key& key, const std::string& path) {
  const std::string name = leaf_of(path);
  // A mistyped key has been reported with this name as its suggestion.
  const bool mistyped = std::any_of(faults_.begin(), faults_.end(), [&](const Fault& fault) {
    return fault.kind == FaultKind::unknown_key && section_of(fault.key) == section_of(path) &&
           fault.suggestion == "did you mean `" + name + "`?";
  });
  if (mistyped) return;
  const Position where = section_position(path);
  Fault fault = fault_at(document_, where, FaultKind::missing_key,
                         path + " must be given: " + allowed_text(key));
  fault.key = path;
  fault.allowed = allowed_text(key);
  const std::string header = header_of(section_of(path));
  const Node* table = find_node(section_of(path));
  if (table == nullptr) {
    fault.suggestion = "add a section " + header + " with `" + name + " = ...`";
  } else if (const Member* kind = table->find("kind"); kind != nullptr && kind->stands_for_table) {
    fault.suggestion = "write `" + leaf_of(section_of(path)) +
                       " = { kind = " + to_toml(kind->node) + ", " + name + " = ... }`";
  } else {
    fault.suggestion =
        "add `" + name + " = ...` to this " + (table->in_braces ? "table" : "section");
  }
  if (document_.root.members.empty() && path == "case.system") {
    fault.note = "the case is empty; `watersmeet new` writes one";
  }
  add(std::move(fault));
}

// Contradictions between common keys.
void Input::check_common() {
  const auto has_key = [&](const char* path) { return schema_.find(path) != nullptr; };
  // Tables of an axis or a side are made before the memory that the grid takes is known.
  if (has_key("grid.cells") && is_good("grid.cells")) {
    constexpr std::int64_t most = 10'000'000;
    const Index3 cells = integers3("grid.cells");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (cells[axis] <= most) continue;
      fault(FaultKind::range, "grid.cells[" + std::to_string(axis) + "]",
            "grid.cells: " + std::to_string(cells[axis]) + " in " +
                static_cast<char>('x' + static_cast<char>(axis)) +
                "; must be 10000000 or less along each axis");
      entries_.at("grid.cells").value.good = false;
      break;
    }
  }
  // A line that cannot be read may have what would else be missing or contradict.
  if (!document_.faults.empty()) return;
  // A system with steady flows ends them by itself.
  if (has_key("time.end") && has_key("time.steps") && !has_key("time.mode") &&
      !is_set("time.end") && !is_set("time.steps")) {
    const bool mistyped = std::any_of(faults_.begin(), faults_.end(), [](const Fault& fault) {
      return fault.kind == FaultKind::unknown_key && section_of(fault.key) == "time" &&
             (fault.suggestion == "did you mean `end`?" ||
              fault.suggestion == "did you mean `steps`?");
    });
    if (!mistyped) {
      fault(FaultKind::conflict, "time.end", "the run has no end: give time.end or time.steps",
            "for example end = 10.0");
    }
  }
  if (has_key("grid.lower") && has_key("grid.upper") && is_good("grid.lower") &&
      is_good("grid.upper")) {
    const Real3 lower = reals3("grid.lower");
    const Real3 upper = reals3("grid.upper");
    const std::string given = is_set("grid.upper") ? "grid.upper" : "grid.lower";
    const std::string other = is_set("grid.upper") ? "grid.lower" : "grid.upper";
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (lower[axis] < upper[axis]) continue;
      const double value = is_set("grid.upper") ? lower[axis] : upper[axis];
      fault(FaultKind::conflict, given + "[" + std::to_string(axis) + "]",
            std::string("grid.upper must be greater than grid.lower in ") +
                static_cast<char>('x' + static_cast<char>(axis)),
            "but " + other + " is " + to_toml(value) + " there (" + origin(other) + ")");
    }
    // Sums over the grid are of cells times their volume, and stencils divide by squares of
    // lengths.
    constexpr double largest = 1e100, smallest = 1e-100;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double length = upper[axis] - lower[axis];
      if (!(length > 0)) continue;  // reported above
      if (length >= smallest && length <= largest) continue;
      fault(FaultKind::range, given + "[" + std::to_string(axis) + "]",
            std::string("the box is ") + shown(length) + " long in " +
                static_cast<char>('x' + static_cast<char>(axis)) +
                ": volumes and derivatives leave the range of numbers",
            "a length between 1e-100 and 1e100; choose other units");
      entries_.at(given).value.good = false;
      return;
    }
  }
}

}  // namespace watersmeet::config
