// One --set option: finds its place in the tree, makes the tables on the way, and puts its value
// there.

#include <fmt/format.h>

#include <algorithm>

#include "config/document.hpp"
#include "config/path.hpp"

namespace watersmeet::config {
namespace {

// x_lower = "inflow" over x_lower = { kind = "absorbing", pressure = 1 }: the pressure stays.
void set_kind(Member& table, Node value, const Position& key_where) {
  if (table.node.type != Node::Type::table) {
    table = {table.name, key_where, std::move(value)};
    return expand_word(table);
  }
  Member kind{"kind", key_where, std::move(value), true};
  if (Member* old = table.node.find("kind")) {
    *old = std::move(kind);
  } else {
    table.node.members.push_back(std::move(kind));
  }
}

// initial.0.density is initial[0].density where `initial` is a list: the number behind the dot at
// `end`, "[0]", with `end` moved behind it. "" where there is none.
std::string number_of_entry(Node& table, const std::string& name, const std::string& option,
                            std::size_t equals, std::size_t& end) {
  const Member* member = table.find(name);
  if (member == nullptr || member->node.type != Node::Type::array) return "";
  const std::size_t next = std::min(option.find('.', end + 1), equals);
  const std::string text = option.substr(end + 1, next - end - 1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return "";
  end = next;
  return "[" + text + "]";
}

}  // namespace

void apply_override(Document& document, const std::string& option, const WordTest& is_word_table) {
  const int index = static_cast<int>(document.sources.size());
  document.sources.push_back({"--set " + option, {option}, true});
  const Source source = document.sources.back();
  const std::size_t equals = option.find('=');
  const auto refuse = [&](FaultKind kind, std::size_t begin, std::size_t end, std::string message,
                          std::string suggestion) {
    Fault fault = fault_at(document,
                           {index, 1, static_cast<int>(begin) + 1,
                            std::max(1, static_cast<int>(end) - static_cast<int>(begin))},
                           kind, std::move(message));
    fault.key = option.substr(0, equals);
    fault.suggestion = std::move(suggestion);
    document.faults.push_back(std::move(fault));
  };
  if (equals == std::string::npos || equals == 0) {
    return refuse(FaultKind::syntax, 0, option.size(), "--set needs KEY=VALUE",
                  "for example --set time.cfl=0.2");
  }
  Node* node = &document.root;
  std::string path;  // what is read, entries by number in brackets
  for (std::size_t begin = 0; begin < equals;) {
    std::size_t end = std::min(option.find('.', begin), equals);
    std::string name = option.substr(begin, end - begin);
    const std::size_t bracket = name.find('[');
    std::string number = bracket == std::string::npos ? "" : name.substr(bracket);
    name = name.substr(0, bracket);
    if (number.empty() && end < equals) number = number_of_entry(*node, name, option, equals, end);
    path = path_of(path, name + number);
    const bool good_number =
        number.empty() || (number.size() > 2 && number.size() < 9 && number.back() == ']' &&
                           number.find_first_not_of("0123456789", 1) == number.size() - 1);
    if (name.empty() || !good_number || (end < equals && end + 1 == equals)) {
      return refuse(FaultKind::syntax, begin, std::max(end, begin + 1),
                    "this is not the name of a key",
                    "names are written like grid.cells or initial[0].density");
    }
    const bool last = end == equals;
    Member* member = node->find(name);
    const Position key_position{index, 1, 1, static_cast<int>(equals)};
    const auto item = number.empty() ? 0 : static_cast<std::size_t>(std::stoul(number.substr(1)));
    const bool is_list = member != nullptr && member->node.type == Node::Type::array;
    const std::size_t n = is_list ? member->node.items.size() : 0;
    if (!number.empty() && item >= n) {
      return refuse(
          FaultKind::bad_value, begin, end,
          fmt::format("{}: the case has {} {} {}", path, n == 0 ? "no" : std::to_string(n),
                      header_of(path), n == 1 ? "entry" : "entries"),
          n == 0   ? ""
          : n == 1 ? "its number is 0"
                   : fmt::format("numbers run from 0 to {}", n - 1));
    }
    if (member == nullptr) {
      node->members.push_back({name, key_position, {}});
      member = &node->members.back();
      member->node.type = Node::Type::table;
      member->node.where = key_position;
    }
    Node* target = number.empty() ? &member->node : &member->node.items[item];
    const bool word_table = number.empty() && is_word_table && is_word_table(path);
    if (last) {
      Node value =
          value_of_option(option.substr(equals + 1), source, index, static_cast<int>(equals) + 2);
      if (word_table && is_lone_word(value))
        return set_kind(*member, std::move(value), key_position);
      if (number.empty()) member->where = key_position;
      *target = std::move(value);
      return;
    }
    if (word_table && is_lone_word(*target)) expand_word(*member);
    if (target->type != Node::Type::table) {
      if (!is_word_table) return;
      if (target->type == Node::Type::array && number.empty()) {
        return refuse(FaultKind::bad_type, begin, end, fmt::format("`{}` is a list", path),
                      fmt::format("an entry is named by its number, the first one {}[0]", path));
      }
      return refuse(FaultKind::bad_type, begin, end, fmt::format("`{}` is not a section", path),
                    "");
    }
    node = target;
    begin = end + 1;
  }
}

}  // namespace watersmeet::config
