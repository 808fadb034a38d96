#include "config/input.hpp"

#include <algorithm>

#include "config/nearest.hpp"
#include "core/error.hpp"

namespace watersmeet::config {

Input::Input(std::string text, const std::string& name, const std::vector<std::string>& overrides)
    : text_(std::move(text)), overrides_(overrides), file_(parse_document(text_, name)) {
  apply_overrides({});
}

// Once without a schema, to learn the system, and again with it: what an option does to a word
// that stands for a table depends on it.
void Input::apply_overrides(const WordTest& is_word_table) {
  document_ = file_;
  if (is_word_table) expand_words(document_, is_word_table);
  for (const std::string& option : overrides_) {
    apply_override(document_, option, is_word_table);
    if (is_word_table) expand_words(document_, is_word_table);
  }
  for (const Fault& fault : document_.faults) add(fault);
}

// The same fault can be met twice: case.system is read before and with the rest.
void Input::add(Fault fault) {
  const bool known = std::any_of(faults_.begin(), faults_.end(), [&](const Fault& other) {
    return other.kind == fault.kind && other.key == fault.key && other.file == fault.file &&
           other.line == fault.line && other.column == fault.column &&
           other.message == fault.message;
  });
  if (!known) faults_.push_back(std::move(fault));
}

std::string Input::system(const std::vector<std::string>& systems) {
  if (!document_.readable) return "";
  const Key key{.path = "case.system",
                .type = KeyType::choice,
                .required = true,
                .choices = systems,
                .help = ""};
  const Node* node = find_node(key.path);
  if (node == nullptr) {
    if (document_.faults.empty()) report_missing(key, key.path);
    return "";
  }
  const Value value = reader().read(key, key.path, *node);
  if (value.good) return value.texts[0];
  const std::optional<std::string> near =
      value.texts.empty() ? std::nullopt : nearest(value.texts[0], systems);
  return near.value_or("");
}

const Input::Entry& Input::entry(const std::string& path,
                                 std::initializer_list<KeyType> types) const {
  require(validated_, "Input: values are read after validate()");
  const Key* key = schema_.find(path);
  require(key != nullptr, ("Input: no key " + path).c_str());
  require(std::find(types.begin(), types.end(), key->type) != types.end(),
          ("Input: another type than that of " + path).c_str());
  const auto found = entries_.find(path);
  require(found != entries_.end(), ("Input: no value for " + path).c_str());
  return found->second;
}

bool Input::boolean(const std::string& path) const {
  return entry(path, {KeyType::boolean}).value.boolean;
}
std::int64_t Input::integer(const std::string& path) const {
  return entry(path, {KeyType::integer}).value.integers[0];
}
double Input::real(const std::string& path) const {
  return entry(path, {KeyType::real}).value.numbers[0];
}
double Input::duration(const std::string& path) const {
  return entry(path, {KeyType::duration}).value.numbers[0];
}
std::string Input::text(const std::string& path) const {
  return entry(path, {KeyType::text, KeyType::choice}).value.texts[0];
}
Index3 Input::integers3(const std::string& path) const {
  const std::vector<std::int64_t>& v = entry(path, {KeyType::integers3}).value.integers;
  return {v[0], v[1], v[2]};
}
Real3 Input::reals3(const std::string& path) const {
  const std::vector<double>& v = entry(path, {KeyType::reals3}).value.numbers;
  return {v[0], v[1], v[2]};
}
std::vector<double> Input::reals(const std::string& path) const {
  return entry(path, {KeyType::reals}).value.numbers;
}
std::vector<std::string> Input::texts(const std::string& path) const {
  return entry(path, {KeyType::texts}).value.texts;
}
std::string Input::expression(const std::string& path) const {
  return entry(path, {KeyType::expression}).value.texts[0];
}
std::array<std::string, 3> Input::expressions3(const std::string& path) const {
  const std::vector<std::string>& v = entry(path, {KeyType::expressions3}).value.texts;
  return {v[0], v[1], v[2]};
}
std::vector<Real3> Input::list_reals3(const std::string& path) const {
  const std::vector<double>& v = entry(path, {KeyType::list_reals3}).value.numbers;
  std::vector<Real3> triples;
  for (std::size_t i = 0; i + 2 < v.size(); i += 3) triples.push_back({v[i], v[i + 1], v[i + 2]});
  return triples;
}

bool Input::is_set(const std::string& path) const {
  const auto found = entries_.find(path);
  return found != entries_.end() ? found->second.given : has_table(path);
}

bool Input::has_table(const std::string& path) const {
  const Node* node = find_node(path);
  return node != nullptr && (node->type == Node::Type::table || node->is_array_of_tables());
}

bool Input::is_good(const std::string& path) const {
  const auto found = entries_.find(path);
  return found != entries_.end() && found->second.value.good;
}

std::size_t Input::count(const std::string& list) const {
  const Node* node = find_node(list);
  return node != nullptr && node->is_array_of_tables() ? node->items.size() : 0;
}

std::vector<std::string> Input::names(const std::string& section) const {
  std::vector<std::string> names;
  const Node* node = find_node(section);
  if (node == nullptr || node->type != Node::Type::table) return names;
  for (const Member& member : node->members) {
    const std::string path = path_of(section, member.name);
    if (!is_identifier(member.name) || !schema_.is_chosen_name(path)) continue;
    const bool is_key = schema_.find(path) != nullptr;
    if (is_key || member.node.type == Node::Type::table) names.push_back(member.name);
  }
  return names;
}

std::string Input::origin(const std::string& path) const {
  const auto found = entries_.find(path);
  if (found != entries_.end() && !found->second.given) return "default";
  Position where;
  if (found != entries_.end()) {
    where = found->second.key_where;
  } else if (!has_table(path) || find_node(path, &where) == nullptr) {
    return "not given";
  }
  return where.source > 0 ? "--set" : "line " + std::to_string(where.line);
}

const Node* Input::find_node(const std::string& path, Position* key_where) const {
  const Node* node = &document_.root;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    const std::size_t bracket = name.find('[');
    const Member* member = node->find(name.substr(0, bracket));
    if (member == nullptr) return nullptr;
    if (key_where != nullptr) *key_where = member->where;
    node = &member->node;
    if (bracket != std::string::npos) {
      const auto index = static_cast<std::size_t>(std::stoul(name.substr(bracket + 1)));
      if (node->type != Node::Type::array || index >= node->items.size()) return nullptr;
      node = &node->items[index];
    }
    begin = end + 1;
  }
  return node;
}

// The header of the innermost section around a path that exists in the text.
Position Input::section_position(const std::string& path) const {
  for (std::string section = section_of(path); !section.empty(); section = section_of(section)) {
    if (const Node* node = find_node(section)) return node->where;
  }
  return {};
}

void Input::settle(const std::string& path, const std::string& text) {
  entry(path, {KeyType::text});
  entries_.at(path).value.texts[0] = text;
}

void Input::settle(const std::string& path, std::size_t number, const std::string& text) {
  entry(path, {KeyType::texts});
  entries_.at(path).value.texts.at(number) = text;
}

void Input::settle(const std::string& path, double number) {
  require(validated_ && schema_.find(path) && schema_.find(path)->type == KeyType::real,
          ("Input: no number to settle, " + path).c_str());
  Entry& entry = entries_[path];
  entry.node = parse_value(to_toml(number));
  entry.value.good = true;
  entry.value.numbers = {number};
}

double Input::real_or_settled(const std::string& path, double otherwise) {
  if (is_set(path)) return real(path);
  settle(path, otherwise);
  return otherwise;
}

// Where a value is missing or has a fault of its own cross-checks see a stand-in: what they say of
// its size is not about what the case holds. Two keys that contradict each other do so whatever
// they hold.
void Input::fault(FaultKind kind, const std::string& path, const std::string& message,
                  const std::string& suggestion) {
  if (kind == FaultKind::range || kind == FaultKind::bad_value) {
    const std::string whole = path.ends_with(']') ? path.substr(0, path.rfind('[')) : path;
    const auto found = entries_.find(whole);
    const Key* const key = schema_.find(whole);
    const bool wanted = key != nullptr && key->required;
    if (found != entries_.end() && !found->second.value.good && (found->second.given || wanted)) {
      return;
    }
  }
  Fault fault = place(kind, path);
  fault.message = message;
  fault.suggestion = suggestion;
  add(std::move(fault));
}

bool Input::is_changed(const std::string& path) const {
  if (!is_set(path)) return false;
  const Key* const key = schema_.find(path);
  const auto found = entries_.find(path);
  if (key == nullptr || key->default_text.empty() || found == entries_.end()) return true;
  return to_toml(found->second.node) != to_toml(parse_value(key->default_text));
}

void Input::refuse_idle(const std::string& path, const std::string& why) {
  if (is_changed(path))
    fault(FaultKind::conflict, path, path + " has no effect: " + why, "remove it");
}

void Input::note(FaultKind kind, const std::string& path, const std::string& message,
                 const std::string& suggestion) {
  Fault note = place(kind, path);
  note.message = message;
  note.suggestion = suggestion;
  notes_.push_back(std::move(note));
}

Fault Input::place(FaultKind kind, const std::string& path) const {
  Position where;
  const Node* node = find_node(path, &where);
  const bool at_key = kind == FaultKind::conflict && (path.empty() || path.back() != ']');
  if (node == nullptr) {
    where = section_position(path);
  } else if (!at_key) {
    where = node->where;
  }
  Fault fault = fault_at(document_, where, kind, "");
  fault.key = path;
  if (node != nullptr && node->type != Node::Type::table) fault.found = to_toml(*node);
  if (const Key* key = schema_.find(path)) fault.allowed = allowed_text(*key);
  return fault;
}

std::vector<Fault> Input::faults() const {
  std::vector<Fault> sorted = faults_;
  sort_faults(sorted);
  return sorted;
}

std::string Input::faults_text() const { return render(faults(), name()); }

std::string Input::faults_json() const { return to_json(faults()); }

void Input::throw_if_faults() const {
  if (!has_faults()) return;
  const bool files_alone = std::all_of(faults_.begin(), faults_.end(), [](const Fault& fault) {
    return fault.kind == FaultKind::missing_file;
  });
  throw Error(files_alone ? ErrorKind::io : ErrorKind::user_input, faults_text(), faults_json());
}

}  // namespace watersmeet::config
