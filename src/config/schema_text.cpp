// What is printed from the table of keys: `watersmeet keys`, the reference page, and the JSON
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

std::string default_words(const Key& key) {
  if (key.required) return "required";
  return key.default_text.empty() ? "unset" : "default " + key.default_text;
}

bool is_in(const Key& key, const std::string& prefix) {
  if (prefix.empty() || key.path == prefix) return true;
  const std::string& p = key.path;
  return p.compare(0, prefix.size(), prefix) == 0 &&
         (p[prefix.size()] == '.' || p[prefix.size()] == '[');
}

// The section heading of a key and its name below it: "[physics]" and "scales.mass".
std::string top_section(const Key& key) { return key.path.substr(0, key.path.find('.')); }
std::string name_below(const Key& key) {
  const std::string name = key.path.substr(key.path.find('.') + 1);
  return name == "*" ? "NAME" : name;
}

// Keys in the order of their sections' first appearance (a system may add to [numerics] after
// [output]).
std::vector<const Key*> by_section(const Schema& schema, const std::string& prefix) {
  std::vector<const Key*> keys;
  for (const std::string& section : schema.sections()) {
    for (const Key& key : schema.keys()) {
      if (key.path.substr(0, key.path.find_first_of(".[")) == section && is_in(key, prefix)) {
        keys.push_back(&key);
      }
    }
  }
  return keys;
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
  const Json integer = with_range(key, {{"type", "integer"}});
  switch (key.type) {
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::integer: {
      if (key.choices.empty()) return integer;
      Json allowed = Json::array();
      for (const std::string& choice : key.choices) allowed.push_back(std::stoll(choice));
      return {{"enum", allowed}};
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

// The object schema that holds `name` of `parent`, created at need; "initial[]" opens the items of
// an array.
Json& child_object(Json& parent, std::string name) {
  const bool list = name.size() > 2 && name.compare(name.size() - 2, 2, "[]") == 0;
  if (list) name.resize(name.size() - 2);
  Json& child = parent["properties"][name];
  if (child.is_null()) {
    const Json object = {
        {"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
    child = list ? Json{{"type", "array"}, {"items", object}} : object;
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
    if (section != top_section(*key)) {
      section = top_section(*key);
      if (!text.empty()) text += "\n";
      text += fmt::format("{}\n", header_of(section));
    }
    text += fmt::format("  {:{}}  {}; {}", name_below(*key), width, allowed_text(*key),
                        default_words(*key));
    if (!key->unit.empty() && key->unit != "1") text += "; unit: " + key->unit;
    text += fmt::format("\n  {:{}}  {}\n", "", width, key->help);
  }
  return text;
}

std::string Schema::manual() const {
  std::string text = "# Input keys\n";
  std::string section;
  for (const Key* key : by_section(*this, "")) {
    if (section != top_section(*key)) {
      section = top_section(*key);
      text += "\n## " + header_of(section) +
              "\n\n| key | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";
    }
    const std::string default_value = key->required               ? "required"
                                      : key->default_text.empty() ? "unset"
                                                                  : "`" + key->default_text + "`";
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", name_below(*key),
                        escaped_for_table(allowed_text(*key)), key->unit,
                        escaped_for_table(default_value), escaped_for_table(key->help));
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
      // A section with a required key is required itself, unless it is a list of sections.
      if (key.required && key.path.find("[]") == std::string::npos) {
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
      (*place)["additionalProperties"] = value;
    } else {
      (*place)["properties"][leaf] = value;
      if (key.required) (*place)["required"].push_back(leaf);
    }
  }
  return root.dump(2);
}

}  // namespace watersmeet::config
