// The texts that are made from the table of keys: `watersmeet keys`, the reference page, and the JSON
// schema for editors.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "config/document.hpp"
#include "config/schema.hpp"

namespace watersmeet::config {
namespace {

using Json = nlohmann::ordered_json;

std::string default_text_of(const Key& key) {
  if (key.required) return "required";
  return key.default_text.empty() ? "unset" : "default " + key.default_text;
}

// The section under which a key is listed, the innermost list of sections around it or else the
// top-level one, and its name there: "physics" and "scales.mass", "boundary.patch[]" and "side".
std::string heading_of(const Key& key) {
  const std::size_t mark = key.path.rfind("[].");
  return key.path.substr(0, mark == std::string::npos ? key.path.find('.') : mark + 2);
}
std::string name_below(const Key& key) {
  std::string name = key.path.substr(heading_of(key).size() + 1);
  for (std::size_t star; (star = name.find('*')) != std::string::npos;) {
    name.replace(star, 1, "NAME");
  }
  return name;
}

// Keys in the order of their sections' first appearance (a system may add to [numerics] after
// [output]), lists below a section after its own keys.
std::vector<const Key*> by_section(const Schema& schema, const std::string& prefix) {
  std::vector<const Key*> keys;
  for (const std::string& section : schema.sections()) {
    std::vector<std::string> headings = {section};
    for (const Key& key : schema.keys()) {
      const std::string heading = heading_of(key);
      const bool inside = heading.substr(0, heading.find_first_of(".[")) == section;
      const bool known = std::find(headings.begin(), headings.end(), heading) != headings.end();
      if (inside && !known) headings.push_back(heading);
    }
    for (const std::string& heading : headings) {
      for (const Key& key : schema.keys()) {
        if (heading_of(key) == heading && is_part(key.path, prefix)) keys.push_back(&key);
      }
    }
  }
  return keys;
}

// The sentence about the word that may stand for the table of this key; empty for other keys.
std::string word_sentence(const Schema& schema, const Key& key, const std::string& quote) {
  const std::string table = section_of(key.path);
  if (schema.word_key(table) != &key || key.choices.empty()) return "";
  const std::string name = leaf_of(table) == "*" ? "NAME" : leaf_of(table);
  return fmt::format(" The word alone may stand for the table: {1}{0} = \"{2}\"{1}.", name, quote,
                     key.choices.front());
}

std::string escaped_for_table(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

Json with_range(const Key& key, Json json) {
  if (std::isfinite(key.lowest)) {
    json[key.lowest_open ? "exclusiveMinimum" : "minimum"] = key.lowest;
  }
  if (std::isfinite(key.highest)) {
    json[key.highest_open ? "exclusiveMaximum" : "maximum"] = key.highest;
  }
  return json;
}

Json either_or_text(Json number) {
  return {{"anyOf", Json::array({std::move(number), Json{{"type", "string"}}})}};
}

Json triple_of(Json item) {
  return {{"type", "array"}, {"items", std::move(item)}, {"minItems", 3}, {"maxItems", 3}};
}

Json to_json(const Node& node) {
  switch (node.type) {
    case Node::Type::boolean:
      return node.boolean;
    case Node::Type::integer:
      return node.integer;
    case Node::Type::real:
      return node.real;
    case Node::Type::text:
      return node.text;
    default:
      break;
  }
  Json list = Json::array();
  for (const Node& item : node.items) list.push_back(to_json(item));
  return list;
}

Json type_of(const Key& key) {
  const Json number = with_range(key, {{"type", "number"}});
  const Json integer = either_or_text(with_range(key, {{"type", "integer"}}));
  switch (key.type) {
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::integer: {
      if (key.choices.empty()) return integer;
      Json allowed = Json::array();
      for (const std::string& choice : key.choices) allowed.push_back(std::stoll(choice));
      return either_or_text({{"enum", allowed}});
    }
    case KeyType::real:
    case KeyType::duration:
    case KeyType::expression:
      return either_or_text(number);
    case KeyType::text:
      return {{"type", "string"}};
    case KeyType::choice:
      return {{"enum", key.choices}};
    case KeyType::integers3:
      if (key.alone > 0) return {{"anyOf", Json::array({triple_of(integer), integer})}};
      return triple_of(integer);
    case KeyType::reals3:
    case KeyType::expressions3:
      return triple_of(either_or_text(number));
    case KeyType::texts: {
      Json item = {{"type", "string"}};
      if (!key.choices.empty()) item = {{"enum", key.choices}};
      return {{"type", "array"}, {"items", item}};
    }
    case KeyType::reals:
      return {{"type", "array"}, {"items", either_or_text(number)}};
    case KeyType::list_reals3:
      return {{"type", "array"}, {"items", triple_of(either_or_text(number))}};
  }
  return {};
}

Json empty_object() {
  return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
}

Json any_name() { return {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}; }

// The object schema that holds `name` of `parent`, created at need; "initial[]" opens the items of
// an array, "*" the objects of any name.
Json& child_object(Json& parent, std::string name) {
  if (name == "*") {
    parent["propertyNames"] = any_name();
    Json& child = parent["additionalProperties"];
    if (!child.is_object()) child = empty_object();
    return child;
  }
  const bool list = name.size() > 2 && name.compare(name.size() - 2, 2, "[]") == 0;
  if (list) name.resize(name.size() - 2);
  Json& child = parent["properties"][name];
  if (child.is_null()) {
    child = list ? Json{{"type", "array"}, {"items", empty_object()}} : empty_object();
  }
  return list ? child["items"] : child;
}

}  // namespace

std::string Schema::text(const std::string& prefix) const {
  const std::vector<const Key*> keys = by_section(*this, prefix);
  std::size_t width = 0;
  for (const Key* key : keys) width = std::max(width, name_below(*key).size());
  std::string text;
  std::string section;
  for (const Key* key : keys) {
    if (section != heading_of(*key)) {
      section = heading_of(*key);
      if (!text.empty()) text += "\n";
      text += fmt::format("{}\n", header_of(section));
    }
    text += fmt::format("  {:{}}  {}; {}", name_below(*key), width, allowed_text(*key),
                        default_text_of(*key));
    if (!key->unit.empty() && key->unit != "1") text += "; unit: " + key->unit;
    text += fmt::format("\n  {:{}}  {}{}\n", "", width, key->help, word_sentence(*this, *key, ""));
  }
  return text;
}

std::string Schema::manual(const std::string& title) const {
  std::string text = "# " + title + "\n";
  std::string section;
  for (const Key* key : by_section(*this, "")) {
    if (section != heading_of(*key)) {
      section = heading_of(*key);
      text += "\n## " + header_of(section) +
              "\n\n| key | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";
    }
    const std::string default_value = key->required               ? "required"
                                      : key->default_text.empty() ? "unset"
                                                                  : "`" + key->default_text + "`";
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", name_below(*key),
                        escaped_for_table(allowed_text(*key)), key->unit,
                        escaped_for_table(default_value),
                        escaped_for_table(key->help + word_sentence(*this, *key, "`")));
  }
  return text;
}

std::string Schema::json_schema() const {
  Json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"title", "Watersmeet case"},
               {"type", "object"},
               {"properties", Json::object()},
               {"additionalProperties", false}};
  for (const Key& key : keys_) {
    Json* place = &root;
    std::size_t begin = 0;
    for (std::size_t dot; (dot = key.path.find('.', begin)) != std::string::npos;) {
      const std::string name = key.path.substr(begin, dot - begin);
      // A section with a required key is required itself, unless it is a list of sections or inside
      // one, or has a name that the case chooses.
      if (key.required && key.path.find_first_of("[*") == std::string::npos) {
        Json& required = (*place)["required"];
        if (required.is_null() ||
            std::find(required.begin(), required.end(), name) == required.end()) {
          required.push_back(name);
        }
      }
      place = &child_object(*place, name);
      begin = dot + 1;
    }
    Json value = type_of(key);
    value["description"] =
        key.help + (key.unit.empty() || key.unit == "1" ? "" : " Unit: " + key.unit + ".");
    if (!key.default_text.empty()) value["default"] = to_json(parse_value(key.default_text));
    const std::string leaf = key.path.substr(begin);
    if (leaf == "*") {
      (*place)["propertyNames"] = any_name();
      (*place)["additionalProperties"] = value;
    } else {
      (*place)["properties"][leaf] = value;
      if (key.required) (*place)["required"].push_back(leaf);
    }
    if (word_key(section_of(key.path)) == &key) {
      // The rules about properties do not touch a word.
      place->erase("type");
      (*place)["anyOf"] = Json::array({Json{{"type", "object"}}, Json{{"enum", key.choices}}});
    }
  }
  return root.dump(2);
}

}  // namespace watersmeet::config
