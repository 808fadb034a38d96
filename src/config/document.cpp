#include "config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace watersmeet::config {
namespace {

// Bytes of UTF-8 that encode a code point.
std::size_t encoded_size(unsigned long code) {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

}  // namespace

int length_in_characters(const std::string& line) {
  return static_cast<int>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool Node::is_array_of_tables() const {
  return type == Type::array && !items.empty() &&
         std::all_of(items.begin(), items.end(),
                     [](const Node& item) { return item.type == Type::table; });
}

const Member* Node::find(const std::string& name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &*found;
}

Member* Node::find(const std::string& name) {
  return const_cast<Member*>(static_cast<const Node*>(this)->find(name));
}

std::string to_toml(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  // TOML asks for digits on both sides of a point and knows 1e+20 as it stands.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string to_toml(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          result += fmt::format("\\u{:04X}", static_cast<int>(c));
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

std::string to_toml(const Node& node) {
  std::string result;
  switch (node.type) {
    case Node::Type::none:
      return "";
    case Node::Type::boolean:
      return node.boolean ? "true" : "false";
    case Node::Type::integer:
      return std::to_string(node.integer);
    case Node::Type::real:
      return to_toml(node.real);
    case Node::Type::text:
      return to_toml(node.text);
    case Node::Type::date:
      return "a date";
    case Node::Type::array:
      for (const Node& item : node.items) result += (result.empty() ? "" : ", ") + to_toml(item);
      return "[" + result + "]";
    case Node::Type::table:
      for (const Member& member : node.members) {
        result += (result.empty() ? " " : ", ") + member.name + " = " + to_toml(member.node);
      }
      return "{" + result + " }";
  }
  return result;
}

Position position_inside(const Document& document, const Node& node, std::size_t offset,
                         int width) {
  Position p = node.where;
  p.width = width;
  if (p.source < 0) return p;
  const std::vector<std::string>& lines =
      document.sources[static_cast<std::size_t>(p.source)].lines;
  auto l = static_cast<std::size_t>(p.line - 1);
  std::size_t i = 0;
  for (int c = 1; c < p.column && i < lines[l].size(); ++i) {
    if (i + 1 >= lines[l].size() || (static_cast<unsigned char>(lines[l][i + 1]) & 0xC0) != 0x80) {
      ++c;
    }
  }
  // The opening quotes. A text of an option may have none, and stands there as it is then, even where its first character is a quote.
  const bool bare = !node.text.empty() && lines[l].compare(i, node.text.size(), node.text) == 0;
  const char quote = !bare && i < lines[l].size() ? lines[l][i] : ' ';
  const bool quoted = quote == '"' || quote == '\'';
  const bool triple = quoted && lines[l].compare(i, 3, std::string(3, quote)) == 0;
  if (quoted) i += triple ? 3 : 1;
  if (triple && i == lines[l].size() && l + 1 < lines.size()) {
    ++l;
    i = 0;
  }
  for (std::size_t done = 0; done < offset;) {
    const std::string& line = lines[l];
    if (i >= line.size()) {  // a line end inside a triple-quoted text
      if (!triple || l + 1 >= lines.size()) break;
      ++l;
      i = 0;
      ++done;
    } else if (quote == '"' && line[i] == '\\') {
      const char c = i + 1 < line.size() ? line[i + 1] : '\n';
      if (c == 'u' || c == 'U') {
        const std::size_t digits = c == 'u' ? 4 : 8;
        done += encoded_size(std::stoul(line.substr(i + 2, digits), nullptr, 16));
        i += 2 + digits;
      } else if (line.find_first_not_of(" \t", i + 1) == std::string::npos) {
        do {  // a backslash at the end of a line swallows the blanks up to the next word
          ++l;
          i = l < lines.size() ? lines[l].find_first_not_of(" \t") : 0;
        } while (l < lines.size() && i == std::string::npos);
        if (l >= lines.size()) return node.where;
      } else {
        i += 2;
        ++done;
      }
    } else {
      ++i;
      ++done;
    }
  }
  p.line = static_cast<int>(l + 1);
  p.column = length_in_characters(lines[l].substr(0, i)) + 1;
  return p;
}

const std::string& line_of(const Document& document, const Position& where) {
  static const std::string nothing;
  if (where.source < 0 || where.line < 1) return nothing;
  const std::vector<std::string>& lines =
      document.sources[static_cast<std::size_t>(where.source)].lines;
  const auto index = static_cast<std::size_t>(where.line - 1);
  return index < lines.size() ? lines[index] : nothing;
}

Fault fault_at(const Document& document, const Position& where, FaultKind kind,
               std::string message) {
  Fault fault;
  fault.kind = kind;
  fault.message = std::move(message);
  fault.file = document.sources.front().name;
  if (where.source < 0) return fault;
  const Source& source = document.sources[static_cast<std::size_t>(where.source)];
  fault.file = source.name;
  fault.line = source.is_option ? 0 : where.line;
  fault.option = source.is_option ? where.source : 0;
  fault.column = where.column;
  fault.width = where.width;
  fault.excerpt = line_of(document, where);
  return fault;
}

}  // namespace watersmeet::config
