// From TOML text to the tree of document.hpp; the only file that includes the TOML library.

#include <fmt/format.h>

#include <algorithm>

#define TOML_HEADER_ONLY 1
#if __has_include(<toml++/impl/preprocessor.h>)
#include <toml++/impl/preprocessor.h>
#else  // from version 3.4 on
#include <toml++/impl/preprocessor.hpp>
#endif
// Version 3.3 asserts (in release builds: assumes) that a section header continues with a name,
// before its own check that reports a fault: "[=]" would stop the program or worse. Without the
// assertion the check does its work.
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expr) static_assert(true)
#include <toml++/toml.h>

#include "config/document.hpp"
#include "config/syntax_advice.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

// A line that cannot be read is left out and reading continues; the limit is for files that are not
// TOML at all.
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

// Converts the library's tree, shifting columns by `shift` (values of options are parsed behind
// "v = ").
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
      node.in_braces = table->is_inline();
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

}  // namespace

Document parse_document(const std::string& text, const std::string& name) {
  Document document;
  document.sources.push_back({name, split_lines(text), false});
  document.root.type = Node::Type::table;
  std::vector<std::string> lines = document.sources[0].lines;
  if (const Position bad = first_invalid_byte(lines); bad.line > 0) {
    document.readable = false;
    Fault fault = fault_at(document, bad, FaultKind::syntax, "the file is not UTF-8 text");
    fault.suggestion = "a case is a TOML text file; save it as UTF-8";
    for (char& c : fault.excerpt) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x80 || byte < 0x20) c = '?';  // a terminal must not be given such bytes
    }
    document.faults.push_back(std::move(fault));
    return document;
  }
  const std::vector<Position> foreign = foreign_characters(lines, 0);
  for (const Position& where : foreign) {
    Fault fault = fault_at(document, where, FaultKind::syntax,
                           "only ASCII characters may stand outside quotes and comments");
    fault.suggestion = "names use a-z, A-Z, 0-9, _ and -; quotes are \" and '";
    document.faults.push_back(std::move(fault));
  }
  if (!foreign.empty()) {
    document.readable = false;
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

Node value_of_option(const std::string& value, const Source& source, int index, int column) {
  const int shift = column - 5;  // the value starts behind "v = "
  Node node;
  try {
    const bool readable = foreign_characters({value}, index).empty();
    const toml::table table = readable ? toml::parse("v = " + value) : toml::table{};
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

}  // namespace watersmeet::config
