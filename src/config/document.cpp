#include "config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "config/syntax_advice.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

// What is left out when one line cannot be read must not run away in a file that is not TOML at
// all.
constexpr int most_syntax_faults = 20;

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;  // byte order mark
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

int length_in_characters(const std::string& line) {
  return static_cast<int>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// Converts the library's tree, shifting columns by `shift` (values of options are parsed behind "v
// = ").
class Converter {
 public:
  Converter(int source, const std::vector<std::string>& lines, int shift)
      : source_(source), lines_(lines), shift_(shift) {}

  Position position(const toml::source_region& region) const {
    Position p;
    p.source = source_;
    p.line = static_cast<int>(region.begin.line);
    p.column = static_cast<int>(region.begin.column) + shift_;
    if (region.end.line == region.begin.line) {
      p.width = static_cast<int>(region.end.column) - static_cast<int>(region.begin.column);
    } else if (p.line >= 1 && static_cast<std::size_t>(p.line) <= lines_.size()) {
      p.width = length_in_characters(lines_[static_cast<std::size_t>(p.line - 1)]) - p.column + 1;
    }
    p.width = std::max(p.width, 1);
    return p;
  }

  Node convert(const toml::node& from) const {
    Node node;
    node.where = position(from.source());
    if (const auto* boolean = from.as_boolean()) {
      node.type = Node::Type::boolean;
      node.boolean = boolean->get();
    } else if (const auto* integer = from.as_integer()) {
      node.type = Node::Type::integer;
      node.integer = integer->get();
    } else if (const auto* real = from.as_floating_point()) {
      node.type = Node::Type::real;
      node.real = real->get();
    } else if (const auto* text = from.as_string()) {
      node.type = Node::Type::text;
      node.text = text->get();
    } else if (const auto* array = from.as_array()) {
      node.type = Node::Type::array;
      for (const toml::node& item : *array) node.items.push_back(convert(item));
    } else if (const auto* table = from.as_table()) {
      node.type = Node::Type::table;
      for (const auto& [key, value] : *table) {
        node.members.push_back({std::string(key.str()), position(key.source()), convert(value)});
      }
      std::stable_sort(node.members.begin(), node.members.end(),
                       [](const Member& a, const Member& b) {
                         return std::make_pair(a.where.line, a.where.column) <
                                std::make_pair(b.where.line, b.where.column);
                       });
    } else {
      node.type = Node::Type::date;
    }
    return node;
  }

 private:
  int source_;
  const std::vector<std::string>& lines_;
  int shift_;
};

// Line and column of the first byte that is not UTF-8; line 0 when all is.
Position first_invalid_byte(const std::vector<std::string>& lines) {
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const std::string& s = lines[l];
    for (std::size_t i = 0; i < s.size();) {
      const auto c = static_cast<unsigned char>(s[i]);
      const std::size_t size = c < 0x80   ? 1
                               : c < 0xC2 ? 0
                               : c < 0xE0 ? 2
                               : c < 0xF0 ? 3
                               : c < 0xF5 ? 4
                                          : 0;
      bool good = size > 0 && i + size <= s.size() && c != 0;
      for (std::size_t k = 1; good && k < size; ++k) {
        good = (static_cast<unsigned char>(s[i + k]) & 0xC0) == 0x80;
      }
      if (!good) {
        return {0, static_cast<int>(l + 1), length_in_characters(s.substr(0, i)) + 1, 1};
      }
      i += size;
    }
  }
  return {};
}

// Bytes of UTF-8 that encode a code point.
std::size_t encoded_size(unsigned long code) {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

}  // namespace

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

Document parse_document(const std::string& text, const std::string& name) {
  Document document;
  document.sources.push_back({name, split_lines(text), false});
  document.root.type = Node::Type::table;
  std::vector<std::string> lines = document.sources[0].lines;
  if (const Position bad = first_invalid_byte(lines); bad.line > 0) {
    document.readable = false;
    Fault fault = fault_at(document, bad, FaultKind::syntax, "the file is not UTF-8 text");
    fault.suggestion = "a case is a TOML text file; save it as UTF-8";
    document.faults.push_back(std::move(fault));
    return document;
  }
  for (int attempt = 0; attempt < most_syntax_faults; ++attempt) {
    try {
      const toml::table table = toml::parse(joined(lines), name);
      document.root = Converter(0, document.sources[0].lines, 0).convert(table);
      return document;
    } catch (const toml::parse_error& error) {
      const int line = static_cast<int>(error.source().begin.line);
      document.faults.push_back(syntax_fault(document, line,
                                             static_cast<int>(error.source().begin.column),
                                             std::string(error.description())));
      std::string& blamed =
          lines[std::min(lines.size(), static_cast<std::size_t>(std::max(line, 1))) - 1];
      if (!stands_alone(blamed)) break;
      blamed.clear();
    }
  }
  document.readable = false;
  return document;
}

Node parse_value(const std::string& text) {
  const std::vector<std::string> lines;
  try {
    const toml::table table = toml::parse("v = " + text);
    return Converter(-1, lines, 0).convert(*table.get("v"));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::internal,
                "not a TOML value: " + text + ": " + std::string(error.description()));
  }
}

// Values of options, which have passed a shell and so may have lost their quotes.
namespace {

Node value_of_option(const std::string& value, const Source& source, int index, int column) {
  const int shift = column - 5;  // the value starts behind "v = "
  Node node;
  try {
    const toml::table table = toml::parse("v = " + value);
    if (table.size() == 1) {
      node = Converter(index, source.lines, shift).convert(*table.get("v"));
    }
  } catch (const toml::parse_error&) {
    node.type = Node::Type::none;
  }
  if (node.type == Node::Type::none && value.size() >= 2 && value.front() == '[' &&
      value.back() == ']' && value.find_first_of("[]\"'", 1) == value.size() - 1) {
    // A list of bare words: output.fields=[rho,velocity]
    node.type = Node::Type::array;
    for (std::size_t begin = 1; begin < value.size();) {
      const std::size_t end = value.find_first_of(",]", begin);
      std::size_t first = begin;
      while (first < end && value[first] == ' ') ++first;
      std::size_t last = end;
      while (last > first && value[last - 1] == ' ') --last;
      node.items.push_back(value_of_option(value.substr(first, last - first), source, index,
                                           column + static_cast<int>(first)));
      begin = end + 1;
    }
  } else if (node.type == Node::Type::none) {
    node.type = Node::Type::text;
  }
  if (node.type != Node::Type::text || node.text.empty()) node.text = value;
  if (value == "\"\"" || value == "''") node.text.clear();
  node.where = {index, 1, column, std::max(1, length_in_characters(value))};
  return node;
}

}  // namespace

void apply_override(Document& document, const std::string& option) {
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
  for (std::size_t begin = 0; begin < equals;) {
    const std::size_t end = std::min(option.find('.', begin), equals);
    std::string name = option.substr(begin, end - begin);
    const std::size_t bracket = name.find('[');
    const std::string number = bracket == std::string::npos ? "" : name.substr(bracket);
    name = name.substr(0, bracket);
    const bool good_number =
        number.empty() || (number.size() > 2 && number.size() < 9 && number.back() == ']' &&
                           number.find_first_not_of("0123456789", 1) == number.size() - 1);
    if (name.empty() || !good_number || (end < equals && end + 1 == equals)) {
      return refuse(FaultKind::syntax, begin, std::max(end, begin + 1), "not the name of a key",
                    "names are written like grid.cells or initial[0].density");
    }
    const bool last = end == equals;
    Member* member = node->find(name);
    const Position key_position{index, 1, 1, static_cast<int>(equals)};
    const auto item = number.empty() ? 0 : static_cast<std::size_t>(std::stoul(number.substr(1)));
    const bool is_list = member != nullptr && member->node.type == Node::Type::array;
    const std::size_t n = is_list ? member->node.items.size() : 0;
    if (!number.empty() && item >= n) {
      return refuse(FaultKind::bad_value, begin, end,
                    fmt::format("{}{}: there {} {} of {}", name, number, n == 1 ? "is" : "are",
                                n == 0 ? "none" : std::to_string(n), name),
                    n == 0 ? "" : fmt::format("numbers run from 0 to {}", n - 1));
    }
    if (member == nullptr) {
      node->members.push_back({name, key_position, {}});
      member = &node->members.back();
      member->node.type = Node::Type::table;
      member->node.where = key_position;
    }
    Node* target = number.empty() ? &member->node : &member->node.items[item];
    if (last) {
      if (number.empty()) member->where = key_position;
      *target =
          value_of_option(option.substr(equals + 1), source, index, static_cast<int>(equals) + 2);
    } else if (target->type != Node::Type::table) {
      return refuse(FaultKind::bad_type, begin, end,
                    fmt::format("`{}` is not a section", option.substr(0, end)), "");
    }
    node = target;
    begin = end + 1;
  }
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
  // The opening quotes; a text of an option may have none.
  const char quote = i < lines[l].size() ? lines[l][i] : ' ';
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
  fault.column = where.column;
  fault.width = where.width;
  fault.excerpt = line_of(document, where);
  return fault;
}

}  // namespace watersmeet::config
