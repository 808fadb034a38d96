// Words that stand for tables: x_lower = "inflow" is short for x_lower = { kind = "inflow" }. The
// tree is brought to the long form once, so that everything after it knows only that one.

#include "config/document.hpp"
#include "config/path.hpp"

namespace watersmeet::config {
namespace {

void expand_below(Node& table, const std::string& section, const WordTest& is_word_table) {
  for (Member& member : table.members) {
    // A name in quotes with a dot in it is no path.
    if (member.name.find_first_of(".[]*") != std::string::npos) continue;
    const std::string path = path_of(section, member.name);
    if (member.node.type == Node::Type::table) {
      expand_below(member.node, path, is_word_table);
    } else if (member.node.is_array_of_tables()) {
      for (std::size_t i = 0; i < member.node.items.size(); ++i) {
        expand_below(member.node.items[i], path + "[" + std::to_string(i) + "]", is_word_table);
      }
    } else if (is_lone_word(member.node) && is_word_table(path)) {
      expand_word(member);
    }
  }
}

}  // namespace

bool is_lone_word(const Node& node) {
  return node.type != Node::Type::table && !node.is_array_of_tables();
}

void expand_word(Member& member) {
  Node table;
  table.type = Node::Type::table;
  table.where = member.node.where;
  table.members.push_back({"kind", member.where, std::move(member.node), true});
  member.node = std::move(table);
}

void expand_words(Document& document, const WordTest& is_word_table) {
  expand_below(document.root, "", is_word_table);
}

}  // namespace watersmeet::config
